//! Entry point for a person whom an app redirects to Carrel.

use identity::oauth;
use poem::{Request, Response, handler};

use super::incoming::{self, Incoming, MAX_BYTES, sign_in_first};
use super::{fault, page};
use crate::page::request::{PageRequest, PageResult};
use http_kit::http::request_id;

/// Renders the consent page for an app's request.
#[handler]
pub(in super::super) async fn show(request: PageRequest, raw: &Request) -> PageResult {
    let request_id = request_id::of(raw);
    if request.uri.path_and_query().is_some_and(|path| path.as_str().len() >= MAX_BYTES) {
        return Ok(fault::too_long(&request, &request_id));
    }
    let query = request.uri.query().unwrap_or_default();
    let Some(session) = &request.session else {
        return Ok(before_sign_in(&request, query, &request_id).await?);
    };
    Ok(match incoming::check(&request.app, session.account.id, query).await? {
        Incoming::Valid(checked) => page::ask(&request, session, &checked, query).await?,
        Incoming::Unanswerable(sentence) => fault::unanswerable(&request, query, sentence, &request_id),
        Incoming::Refused(error) => fault::back(&request, &error),
    })
}

/// Redirects to the sign-in page, even if the request is invalid. Only an unverified redirect target is
/// reported immediately, because that check needs no fetch and no redirect.
async fn before_sign_in(request: &PageRequest, query: &str, request_id: &str) -> kernel::Result<Response> {
    let app = &request.app;
    let pairs = incoming::pairs(query);
    Ok(match oauth::check_before_sign_in(&app.domain, &incoming::authorize_request(app, &pairs)).await? {
        Ok(()) => sign_in_first(query),
        Err(sentence) => fault::unanswerable(request, query, sentence, request_id),
    })
}
