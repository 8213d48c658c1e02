//! Pages of a person with an account: signing up, in and out, keys, plan and usage, password, leaving.
//!
//! Everything works without scripts. Each form carries a token bound to the browser's cookie, and is
//! refused when the browser says that it comes from elsewhere.

mod form;
mod keys;
mod monitors;
mod parts;
mod plan;
mod settings;
mod sign;

use std::sync::Arc;

use domain::accounts::Session;
use maud::Markup;
use poem::endpoint::BoxEndpoint;
use poem::error::MethodNotAllowedError;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Endpoint, EndpointExt, IntoResponse, Request, RequestBody, Response, Route, RouteMethod};

use super::layout::{Shell, Width, page_response, shell};
use crate::app::App;
use crate::auth;

/// All pages of this room.
pub fn pages(app: &Arc<App>) -> BoxEndpoint<'static> {
    let both = |get: Handler, post: Handler| RouteMethod::new().get(page(app, get)).post(page(app, post));
    let show = |get: Handler| RouteMethod::new().get(page(app, get));
    let act = |post: Handler| RouteMethod::new().post(page(app, post));
    let routes = Route::new()
        .at("/sign-up", both(sign::show_sign_up, sign::sign_up))
        .at("/sign-in", both(sign::show_sign_in, sign::sign_in))
        .at("/sign-out", act(sign::sign_out))
        .at("/settings", show(settings::show))
        .at("/settings/password", act(settings::change_password))
        .at("/settings/delete", both(settings::show_delete, settings::delete))
        .at("/settings/keys", both(keys::show, keys::create))
        .at("/settings/keys/:id/revoke", both(keys::show_revoke, keys::revoke))
        .at("/settings/plan", show(plan::show))
        .at("/monitors", show(monitors::list))
        .at("/monitors/new", both(monitors::show_new, monitors::create))
        .at("/monitors/:id", show(monitors::show))
        .at("/monitors/:id/edit", both(monitors::show_edit, monitors::change))
        .at("/monitors/:id/delete", both(monitors::show_delete, monitors::delete))
        .at("/monitors/:id/run", act(monitors::run))
        .at("/monitors/:id/pause", act(monitors::pause))
        .at("/monitors/:id/resume", act(monitors::resume))
        .at("/monitors/:id/rotate-feed", act(monitors::rotate));
    let app = Arc::clone(app);
    routes
        .around(move |inner, request| {
            let app = Arc::clone(&app);
            async move { Ok(inner.call(request).await.unwrap_or_else(|error| failed(&app, &error))) }
        })
        .boxed()
}

/// The page for an address that is none, or a method that it does not answer.
fn failed(app: &App, error: &poem::Error) -> Response {
    if error.is::<MethodNotAllowedError>() {
        let mut response = parts::error_page(
            app,
            &domain::Error::invalid("method_not_allowed", "This address answers other requests."),
        );
        response.set_status(StatusCode::METHOD_NOT_ALLOWED);
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD, POST"));
        return response;
    }
    let missing =
        domain::Error::NotFound { code: "not_found", message: "There is no page at this address.".into() };
    parts::error_page(app, &missing)
}

/// The paths of this room: they stand on the host where people sign in.
pub(super) fn is_account_path(path: &str) -> bool {
    ["/sign-up", "/sign-in", "/sign-out", "/settings", "/monitors"].contains(&path)
        || path.starts_with("/settings/")
        || path.starts_with("/monitors/")
}

/// One visit: the app, who is signed in, and what the request holds.
pub(super) struct Visit {
    app: Arc<App>,
    session: Option<Session>,
    request: Request,
    body: RequestBody,
}

/// What a page answers with; an error of the rules becomes a page of its own.
type Answer = Result<Response, domain::Error>;
type Handler = fn(Visit) -> std::pin::Pin<Box<dyn Future<Output = Answer> + Send>>;

fn page(app: &Arc<App>, handler: Handler) -> impl Endpoint<Output = Response> + use<> {
    let app = Arc::clone(app);
    poem::endpoint::make(move |mut request: Request| {
        let app = Arc::clone(&app);
        async move {
            let body = RequestBody::new(request.take_body());
            let session = auth::session(&app.domain, &app.settings.origins.auth, &request).await;
            let answer = match session {
                Ok(session) => handler(Visit { app: Arc::clone(&app), session, request, body }).await,
                Err(error) => Err(error),
            };
            Ok::<_, poem::Error>(answer.unwrap_or_else(|error| parts::error_page(&app, &error)))
        }
    })
    .map_to_response()
}

impl Visit {
    /// The way to the sign-in page and back here.
    fn to_sign_in(&self) -> Response {
        let target = self.request.uri().path_and_query().map_or("/settings", |path| path.as_str());
        let next: String = url::form_urlencoded::byte_serialize(target.as_bytes()).collect();
        redirect(&format!("/sign-in?next={next}"))
    }
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
