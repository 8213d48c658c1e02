//! What apps are answered with when all is well.

use kernel::Error;
use poem::{IntoResponse, Response};

/// JSON, as apps read it.
///
/// # Errors
/// When it cannot be written.
pub(super) fn json_answer(value: &serde_json::Value) -> Result<Response, Error> {
    let text = serde_json::to_vec(value).map_err(Error::internal)?;
    Ok(text.with_content_type("application/json; charset=utf-8").into_response())
}

/// Plain text.
pub(super) fn plain(text: impl Into<String>) -> Response {
    text.into().with_content_type("text/plain; charset=utf-8").into_response()
}
