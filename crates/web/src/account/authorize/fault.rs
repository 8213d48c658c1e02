//! Error pages for invalid authorization requests. They repeat no value of the request except the app's host.

use identity::oauth::{AuthorizeError, RedirectKind};
use maud::{Markup, html};
use poem::Response;
use poem::http::StatusCode;

use super::super::link_form::without_referrer;
use super::incoming::{self, redirect_to_app};
use crate::language::text::{Text, in_english};
use crate::layout::Shell;
use crate::page::error_text::message_text;
use crate::page::request::PageRequest;

/// Renders the page for a request whose error must not be returned to the app.
pub(super) fn unanswerable(request: &PageRequest, query: &str, sentence: &str, request_id: &str) -> Response {
    let host = host_of(query);
    let content = html! {
        h1 { (Text("consent-fault")) }
        @if let Some(host) = host { p { (Text("consent-fault-information").markup(&[("host", html! { strong { bdi { (host) } } })])) } }
        p { (message_text(sentence)) }
        p { (Text("consent-fault-unnotified")) }
        (request_line(request_id))
    };
    respond(request, StatusCode::BAD_REQUEST, &content)
}

/// Renders the page for a request that is too long.
pub(super) fn too_long(request: &PageRequest, request_id: &str) -> Response {
    let content = html! {
        h1 { (Text("consent-too-long")) }
        p { (Text("consent-too-long-words")) }
        (request_line(request_id))
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
    // The description is for the app's developer and stays English.
    let content = html! {
        h1 { (Text("consent-fault")) }
        p { (Text("consent-unsupported").markup(&[("details", in_english(error.error.description))])) }
        p { (Text("consent-waiting").markup(&[("scheme", html! { code { (scheme) ":" } })])) }
        p { a.button.secondary rel="noreferrer" href=(address) { (Text("consent-return")) } }
    };
    respond(request, StatusCode::BAD_REQUEST, &content)
}

/// Renders the id of the request, by which the operator can find it in the log.
fn request_line(request_id: &str) -> Markup {
    html! { p.soft.small { (Text("consent-request").markup(&[("id", html! { code { (request_id) } })])) } }
}

fn respond(request: &PageRequest, status: StatusCode, content: &Markup) -> Response {
    let title = Text("consent-title").get();
    without_referrer(request.respond_in(Shell::titled(&title), status, content))
}

/// Returns the host of the app's metadata document. `None` unless the client id is a URL.
fn host_of(query: &str) -> Option<String> {
    let pairs = incoming::pairs(query);
    let (_, client_id) = pairs.iter().find(|(name, _)| name == "client_id")?;
    let url = url::Url::parse(client_id).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    url.host_str().map(|host| host.chars().take(253).collect())
}
