//! Routes of the account pages, their rate limit, and their error pages.

use identity::limits::AccountLimits;
use std::sync::Arc;

use kernel::{Code, Error};
use poem::endpoint::BoxEndpoint;
use poem::error::MethodNotAllowedError;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Endpoint, EndpointExt, IntoResponse, Request, Response, Route, get, post};

use super::request::{PageError, PageRequest};
use super::return_link::ReturnLink;
use super::{
    apps, authorize, channels, keys, monitors, parts, password_reset, plan, sessions, settings, sign_in,
};
use crate::layout::Visitor;
use crate::{admin, desk};
use http_kit::app::App;

/// All account pages. `Surface::of` must know their first path segments.
pub fn pages(app: &Arc<App>) -> BoxEndpoint<'static> {
    let routes = Route::new()
        .at("/sign-up", get(sign_in::show_sign_up).post(sign_in::sign_up))
        .at("/sign-in", get(sign_in::show_sign_in).post(sign_in::sign_in))
        .at("/forgot", get(password_reset::show_forgot).post(password_reset::ask))
        .at("/reset", get(password_reset::show).post(password_reset::reset))
        .at("/sign-out", post(sign_in::sign_out))
        .at("/settings", get(settings::show))
        .at("/settings/password", post(settings::change_password))
        .at("/settings/sessions/end-others", post(sessions::end_others))
        .at("/settings/sessions/:name/end", post(sessions::end))
        .at("/settings/delete", get(settings::show_delete).post(settings::delete))
        .at("/settings/keys", get(keys::show).post(keys::create))
        .at("/settings/keys/:id/revoke", get(keys::show_revoke).post(keys::revoke))
        .at("/settings/apps", get(apps::show))
        .at("/settings/apps/end-all", get(apps::show_end_all).post(apps::end_all))
        .at("/settings/apps/:id/end", get(apps::show_end).post(apps::end))
        .at("/oauth/authorize", get(authorize::show).post(authorize::answer))
        .at("/settings/channels", get(channels::list).post(channels::create))
        .at("/settings/channels/:id", get(channels::show).post(channels::save))
        .at("/settings/channels/:id/test", post(channels::test))
        .at("/settings/channels/:id/off", post(channels::switch_off))
        .at("/settings/channels/:id/on", post(channels::switch_on))
        .at("/settings/channels/:id/rotate", get(channels::show_rotate).post(channels::rotate))
        .at("/settings/channels/:id/delete", get(channels::show_delete).post(channels::delete))
        .at("/notices/confirm", get(channels::show_confirm).post(channels::confirm))
        .at("/notices/stop", get(channels::show_stop).post(channels::stop))
        .at("/settings/plan", get(plan::show))
        .at("/monitors", get(monitors::list))
        .at("/monitors/selected", post(monitors::change_selected))
        .at("/monitors/new", get(monitors::show_new).post(monitors::create))
        .at("/monitors/:id", get(monitors::show))
        .at("/monitors/:id/edit", get(monitors::show_edit).post(monitors::update))
        .at("/monitors/:id/delete", get(monitors::show_delete).post(monitors::delete))
        .at("/monitors/:id/values.csv", get(monitors::csv))
        .at("/monitors/:id/run", post(monitors::run))
        .at("/monitors/:id/pause", post(monitors::pause))
        .at("/monitors/:id/resume", post(monitors::resume))
        .at("/monitors/:id/rotate-feed", get(monitors::show_rotate).post(monitors::rotate));
    let app = Arc::clone(app);
    admin::routes(desk::routes(routes))
        .data(app.body_memory.clone())
        .around(move |inner, request| {
            let app = Arc::clone(&app);
            async move { Ok(answer(app, &inner, request).await) }
        })
        .boxed()
}

/// Reads the session, charges the page to its account, calls the page, and renders errors.
async fn answer<E: Endpoint>(app: Arc<App>, inner: &E, mut request: Request) -> Response {
    let page = match PageRequest::read(Arc::clone(&app), &request).await {
        Ok(page) => page,
        Err(error) => return parts::error_page(&app, Visitor::Unknown, &ReturnLink::start(), &error),
    };
    if let Some(error) = too_many(&page).await {
        return parts::error_page(&app, page.visitor(), &page.return_link, &error);
    }
    request.set_data(page.clone());
    match inner.call(request).await {
        Ok(response) => response.into_response(),
        Err(error) => failed(&page, error),
    }
}

/// Charges the page to its account. Returns an error if the limit is exceeded.
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

/// Page for a domain error, an unknown address, or a method that the address does not support.
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
