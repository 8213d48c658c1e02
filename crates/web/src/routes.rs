//! Routes of the pages for signed-in people (account, desk, administration), their rate limit, and their
//! error pages.

use std::sync::Arc;

use identity::limits::AccountLimits;
use kernel::{Code, Error};
use poem::endpoint::BoxEndpoint;
use poem::error::MethodNotAllowedError;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Endpoint, EndpointExt, IntoResponse, Request, Response, Route};

use super::language::choice;
use super::layout::Visitor;
use super::page::parts;
use super::page::request::{PageError, PageRequest};
use super::page::return_link::ReturnLink;
use super::{account, admin, desk};
use http_kit::app::App;
use http_kit::http::query;
use http_kit::page_language;

/// Creates the routes of all account, desk, and operator pages. `Surface::of` must know the first segments of
/// their paths.
pub fn account_pages(app: &Arc<App>) -> BoxEndpoint<'static> {
    let app = Arc::clone(app);
    admin::routes(desk::routes(account::routes(Route::new())))
        .data(app.body_memory.clone())
        .around(move |inner, request| {
            let app = Arc::clone(&app);
            async move { Ok(answer(app, &inner, request).await) }
        })
        .boxed()
}

/// Reads the session, chooses the languages, counts the page against the account's limit, and calls the page.
async fn answer<E: Endpoint>(app: Arc<App>, inner: &E, request: Request) -> Response {
    let page = match PageRequest::read(Arc::clone(&app), &request).await {
        Ok(page) => page,
        Err(error) => return parts::error_page(&app, Visitor::Unknown, &ReturnLink::start(), &error),
    };
    let setting = page.session.as_ref().and_then(|session| session.account.language);
    page_language::with(choice::of_account_page(&request, setting), open(&page, inner, request)).await
}

/// Calls the page, and renders errors in its languages.
async fn open<E: Endpoint>(page: &PageRequest, inner: &E, mut request: Request) -> Response {
    if let Some(error) = too_many(page).await {
        return parts::error_page(&page.app, page.visitor(), &page.return_link, &error);
    }
    if query::undecodable_name(page.uri.query().unwrap_or_default().as_bytes()).is_some() {
        let error = Error::new(Code::InvalidRequest, "The address of this page is not encoded as UTF-8.");
        return parts::error_page(&page.app, page.visitor(), &page.return_link, &error);
    }
    request.set_data(page.clone());
    match inner.call(request).await {
        Ok(response) => response.into_response(),
        Err(error) => failed(page, error),
    }
}

/// Counts the page against the account's limit. Returns an error if the limit is exceeded.
async fn too_many(page: &PageRequest) -> Option<Error> {
    let account = &page.session.as_ref()?.account;
    let domain = &page.app.domain;
    let decision = domain.limits().charge_page(domain, account.id, account.tier).await;
    let refused = || {
        Error::new(Code::RateLimited, "Too many pages were opened with this account in one minute.")
            .retry_after(decision.retry_after())
    };
    (!decision.allowed).then(refused)
}

/// Renders the error page for a domain error, an unknown address, or an unsupported method.
fn failed(page: &PageRequest, error: poem::Error) -> Response {
    if error.is_from_response() {
        return error.into_response();
    }
    let error_page = |error: &Error| parts::error_page(&page.app, page.visitor(), &page.return_link, error);
    if let Some(PageError(error)) = error.downcast_ref() {
        return error_page(error);
    }
    if error.is::<MethodNotAllowedError>() {
        let refused =
            Error::new(Code::MethodNotAllowed, "This address does not support this kind of request.");
        let mut response = error_page(&refused);
        response.set_status(StatusCode::METHOD_NOT_ALLOWED);
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD, POST"));
        return response;
    }
    error_page(&Error::new(Code::NotFound, "There is no page at this address."))
}
