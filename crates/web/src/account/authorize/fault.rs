//! Error pages for invalid authorization requests. They repeat no value of the request except the app's host.

use identity::oauth::{AuthorizeError, RedirectKind};
use maud::html;
use poem::Response;
use poem::http::StatusCode;

use super::super::link_form::without_referrer;
use super::incoming::{self, redirect_to_app};
use crate::layout::Shell;
use crate::page::request::PageRequest;

/// Renders the page for a request whose error must not be returned to the app.
pub(super) fn unanswerable(request: &PageRequest, query: &str, sentence: &str, request_id: &str) -> Response {
    let host = host_of(query);
    let content = html! {
        h1 { "This app cannot be connected" }
        @if let Some(host) = host { p { "Information about the app comes from " strong { bdi { (host) } } "." } }
        p { (sentence) }
        p { "No access was granted, and the app was not notified." }
        p.soft.small { "Request " code { (request_id) } }
    };
    respond(request, StatusCode::BAD_REQUEST, &content)
}

/// Renders the page for a request that is too long.
pub(super) fn too_long(request: &PageRequest, request_id: &str) -> Response {
    let content = html! {
        h1 { "This request is too long" }
        p { "The app's request is longer than 8 KiB. Only the developer of the app can fix this." }
        p.soft.small { "Request " code { (request_id) } }
    };
    respond(request, StatusCode::URI_TOO_LONG, &content)
}

/// Returns the error to the app. A native app is opened only if the person clicks the link.
pub(super) fn back(request: &PageRequest, error: &AuthorizeError) -> Response {
    let address = error.redirect.with_error(error.error.code);
    let scheme = match error.redirect.destination() {
        RedirectKind::Website(_) | RedirectKind::Extension(_) | RedirectKind::Loopback => {
            return redirect_to_app(&address);
        }
        RedirectKind::Program(scheme) => scheme,
    };
    let content = html! {
        h1 { "This app cannot be connected" }
        p { "The app's request is not supported. Details for its developer: " (error.error.description) }
        p { "No access was granted. The app is waiting for an answer. The link below opens it through its " code { (scheme) ":" } " addresses." }
        p { a.button.secondary rel="noreferrer" href=(address) { "Return to the app" } }
    };
    respond(request, StatusCode::BAD_REQUEST, &content)
}

fn respond(request: &PageRequest, status: StatusCode, content: &maud::Markup) -> Response {
    without_referrer(request.respond_in(Shell::titled("Connect an app"), status, content))
}

/// Returns the host of the app's metadata document. `None` unless the client id is a URL.
fn host_of(query: &str) -> Option<String> {
    let pairs = incoming::pairs(query);
    let (_, client_id) = pairs.iter().find(|(name, _)| name == "client_id")?;
    let url = url::Url::parse(client_id).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    url.host_str().map(|host| host.chars().take(253).collect())
}
