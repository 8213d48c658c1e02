//! The account pages: signing up, in and out, keys, plan and usage, password, deletion, monitors.
//!
//! Everything works without scripts. Each form carries a token bound to the browser's cookie, and is
//! refused when the browser says that it comes from elsewhere.

mod form;
mod keys;
mod monitors;
mod parts;
mod plan;
mod request;
mod settings;
mod sign;

use domain::Code;
use std::sync::Arc;

use maud::Markup;
use poem::endpoint::BoxEndpoint;
use poem::error::MethodNotAllowedError;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Endpoint, EndpointExt, IntoResponse, Request, Response, Route, get, post};

use super::layout::{Shell, Width, page_response, shell};
use crate::app::App;

use form::Form;
use request::{Answer, PageError, PageRequest, User};

/// All account pages. Their first segments are known to [`Surface::of`](crate::surface::Surface::of).
pub fn pages(app: &Arc<App>) -> BoxEndpoint<'static> {
    let routes = Route::new()
        .at("/sign-up", get(sign::show_sign_up).post(sign::sign_up))
        .at("/sign-in", get(sign::show_sign_in).post(sign::sign_in))
        .at("/sign-out", post(sign::sign_out))
        .at("/settings", get(settings::show))
        .at("/settings/password", post(settings::change_password))
        .at("/settings/delete", get(settings::show_delete).post(settings::delete))
        .at("/settings/keys", get(keys::show).post(keys::create))
        .at("/settings/keys/:id/revoke", get(keys::show_revoke).post(keys::revoke))
        .at("/settings/plan", get(plan::show))
        .at("/monitors", get(monitors::list))
        .at("/monitors/new", get(monitors::show_new).post(monitors::create))
        .at("/monitors/:id", get(monitors::show))
        .at("/monitors/:id/edit", get(monitors::show_edit).post(monitors::update))
        .at("/monitors/:id/delete", get(monitors::show_delete).post(monitors::delete))
        .at("/monitors/:id/run", post(monitors::run))
        .at("/monitors/:id/pause", post(monitors::pause))
        .at("/monitors/:id/resume", post(monitors::resume))
        .at("/monitors/:id/rotate-feed", get(monitors::show_rotate).post(monitors::rotate));
    let app = Arc::clone(app);
    routes
        .around(move |inner, request| {
            let app = Arc::clone(&app);
            async move { Ok(answer(app, &inner, request).await) }
        })
        .boxed()
}

/// Finds the browser's session, has the page answer, and renders whatever goes wrong.
async fn answer<E: Endpoint>(app: Arc<App>, inner: &E, mut request: Request) -> Response {
    match PageRequest::read(Arc::clone(&app), &request).await {
        Ok(page) => request.set_data(page),
        Err(error) => return parts::error_page(&app, &error),
    }
    match inner.call(request).await {
        Ok(response) => response.into_response(),
        Err(error) => failed(&app, error),
    }
}

/// The page of an error: of the rules, of an address that is none, or of a method that it does not answer.
fn failed(app: &App, error: poem::Error) -> Response {
    if error.is_from_response() {
        return error.into_response();
    }
    if let Some(PageError(error)) = error.downcast_ref() {
        return parts::error_page(app, error);
    }
    if error.is::<MethodNotAllowedError>() {
        let mut response = parts::error_page(
            app,
            &domain::Error::new(Code::MethodNotAllowed, "This address answers other requests."),
        );
        response.set_status(StatusCode::METHOD_NOT_ALLOWED);
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD, POST"));
        return response;
    }
    let missing = domain::Error::new(Code::NotFound, "There is no page at this address.");
    parts::error_page(app, &missing)
}

/// A page in the frame; never kept by a browser or a proxy.
fn respond(app: &App, status: StatusCode, title: &str, content: &Markup) -> Response {
    let about = Shell { title, current: "/settings/keys", width: Width::Column };
    keep_private(page_response(status, shell(app, about, content)))
}

/// Has neither a browser nor a proxy keep a page.
fn keep_private(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response
}

/// Leads the browser on after a form.
fn redirect(path: &str) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    if let Ok(target) = HeaderValue::from_str(path) {
        response.headers_mut().insert(header::LOCATION, target);
    }
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response
}
