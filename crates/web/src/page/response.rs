//! Responses of pages: a page in the shell, a redirect, and JSON for the scripts of pages.

use maud::Markup;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, Response};

use crate::layout::{DESK_POLICY, PAGE_POLICY, Shell, Visitor, Width, page_under, shell_for};
use http_kit::app::App;

/// Creates a response with a page in the shell, which browsers and proxies never cache.
pub(crate) fn page(
    app: &App,
    visitor: Visitor<'_>,
    shell: Shell<'_>,
    status: StatusCode,
    content: &Markup,
) -> Response {
    let policy = match shell.width {
        Width::Desk => DESK_POLICY,
        Width::Column | Width::Wide => PAGE_POLICY,
    };
    keep_private(page_under(policy, status, shell_for(app, visitor, shell, content)))
}

/// Creates a response for a script of a page, which browsers and proxies never cache.
pub(crate) fn private_json(value: &serde_json::Value) -> Response {
    keep_private(value.to_string().with_content_type("application/json").into_response())
}

/// Forbids browsers and proxies to cache a response.
pub(crate) fn keep_private(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response
}

/// Redirects the browser after a form was submitted.
pub(crate) fn redirect(path: &str) -> Response {
    let mut response = keep_private(StatusCode::SEE_OTHER.into_response());
    if let Ok(target) = HeaderValue::from_str(path) {
        response.headers_mut().insert(header::LOCATION, target);
    }
    response
}
