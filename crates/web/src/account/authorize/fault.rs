//! What is told of requests that are not put before anybody. Nothing that was sent is repeated but the host of the app.

use identity::oauth::{AuthorizeError, Destination};
use maud::html;
use poem::Response;
use poem::http::StatusCode;

use super::super::PageRequest;
use super::incoming::{self, leave, without_referrer};
use crate::layout::Shell;

/// The page for a request that leads nowhere.
pub(super) fn odd(request: &PageRequest, query: &str, sentence: &str, request_id: &str) -> Response {
    let host = host_of(query);
    let content = html! {
        h1 { "This app cannot be connected" }
        @if let Some(host) = host { p { "The app is described at " strong { bdi { (host) } } "." } }
        p { (sentence) }
        p { "Nothing was allowed, and the app was told nothing." }
        p.soft.small { "Request " code { (request_id) } }
    };
    respond(request, StatusCode::BAD_REQUEST, &content)
}

/// The page for a request that is too long.
pub(super) fn too_long(request: &PageRequest, request_id: &str) -> Response {
    let content = html! {
        h1 { "This request is too long" }
        p { "The app asks in more words than an address may have, which is 8 KiB. Only its maker can mend that." }
        p.soft.small { "Request " code { (request_id) } }
    };
    respond(request, StatusCode::URI_TOO_LONG, &content)
}

/// Tells the app what is wrong with its request. To a program on the person's machine nothing is sent without a click.
pub(super) fn back(request: &PageRequest, error: &AuthorizeError) -> Response {
    let address = error.back.with_error(error.error.code);
    let scheme = match error.back.destination() {
        Destination::Website(_) | Destination::Loopback => return leave(&address),
        Destination::Program(scheme) => scheme,
    };
    let content = html! {
        h1 { "This app cannot be connected" }
        p { "The app asks in a way that is not understood here. For its maker: " (error.error.description) }
        p { "Nothing was allowed. The app waits for an answer: the link opens it, through its " code { (scheme) ":" } " addresses." }
        p { a.button.quiet rel="noreferrer" href=(address) { "Go back to the app" } }
    };
    respond(request, StatusCode::BAD_REQUEST, &content)
}

fn respond(request: &PageRequest, status: StatusCode, content: &maud::Markup) -> Response {
    without_referrer(request.respond_in(Shell::titled("Connect an app"), status, content))
}

/// The host of an app that is known by the address of its document.
fn host_of(query: &str) -> Option<String> {
    let pairs = incoming::pairs(query);
    let (_, client_id) = pairs.iter().find(|(name, _)| name == "client_id")?;
    let url = url::Url::parse(client_id).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    url.host_str().map(|host| host.chars().take(253).collect())
}
