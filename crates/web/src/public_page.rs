//! Responses for pages that anyone may read who has their link: pages of groups of monitors and of tags.

use maud::{Markup, html};
use poem::Response;
use poem::http::{HeaderValue, StatusCode, header};

use super::layout::{Shell, Width, page_response, shell};
use http_kit::app::App;

/// Responds with a page. The link may stop working at any time, so the page is not stored.
pub(super) fn respond(app: &App, status: StatusCode, title: &str, content: &Markup) -> Response {
    let page_shell = Shell { title, current: "", width: Width::Column };
    let mut response = page_response(status, shell(app, page_shell, content));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response
}

/// Responds to an error other than a link that does not work.
pub(super) fn respond_unavailable(app: &App) -> Response {
    let content = html! { h1 { "Temporarily unavailable" } p { "Try again in a few seconds." } };
    respond(app, StatusCode::SERVICE_UNAVAILABLE, "Temporarily unavailable", &content)
}
