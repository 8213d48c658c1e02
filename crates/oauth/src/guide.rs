//! `/auth.md`: instructions for agents on how to get and renew a credential.

use poem::http::header;
use poem::{IntoResponse, Response};

use http_kit::config::Origins;

/// Returns the response with the guide, which contains the addresses of this installation.
pub(super) fn answer(origins: &Origins) -> Response {
    text(origins)
        .with_content_type("text/markdown; charset=utf-8")
        .with_header(header::CACHE_CONTROL, "public, max-age=300")
        .into_response()
}

fn text(origins: &Origins) -> String {
    include_str!("guide.md").replace("{auth}", origins.auth.as_str()).replace("{base}", origins.base.as_str())
}
