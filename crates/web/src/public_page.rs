//! Responses for pages that anyone with their link may read: pages of groups of monitors and of tags.

use std::future::Future;

use maud::{Markup, html};
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Request, Response};

use super::language::choice;
use super::language::text::Text;
use super::layout::{Shell, Width, page_response, shell};
use http_kit::app::App;
use http_kit::page_language::{self, PageLanguages};

/// Runs `work`, which renders a page, in the language of the browser.
pub(super) async fn in_browser_language(request: &Request, work: impl Future<Output = Response>) -> Response {
    let language = choice::of_reader_page(request);
    let languages = PageLanguages { shell: language, content: language };
    let mut response = page_language::with(languages, work).await;
    response.headers_mut().append(header::VARY, HeaderValue::from_static("Accept-Language"));
    response
}

/// Responds with a page. The link may stop working at any time, so the page is not stored.
pub(super) fn respond(app: &App, status: StatusCode, title: &str, content: &Markup) -> Response {
    let page_shell = Shell { title, current: "", width: Width::Column };
    let mut response = page_response(status, shell(app, page_shell, content));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response
}

/// Responds to an error other than an invalid link.
pub(super) fn respond_unavailable(app: &App) -> Response {
    let title = Text("public-unavailable").get();
    let content = html! { h1 { (title) } p { (Text("public-unavailable-words")) } };
    respond(app, StatusCode::SERVICE_UNAVAILABLE, &title, &content)
}
