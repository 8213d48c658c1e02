//! Successful responses to apps, as JSON or plain text.

use kernel::Error;
use poem::{IntoResponse, Response};

pub(super) fn json_answer(value: &serde_json::Value) -> Result<Response, Error> {
    let text = serde_json::to_vec(value).map_err(Error::internal)?;
    Ok(text.with_content_type("application/json; charset=utf-8").into_response())
}

pub(super) fn plain(text: impl Into<String>) -> Response {
    text.into().with_content_type("text/plain; charset=utf-8").into_response()
}
