//! The whole map of URLs and the order of what every request passes, on one page.
//!
//! From the outside in: request id, log line and metrics, panics, the host, HEAD as GET, then the surface.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use futures_util::FutureExt;
use poem::endpoint::BoxEndpoint;
use poem::http::{HeaderName, HeaderValue, Method, header};
use poem::{Endpoint, EndpointExt, IntoResponse, Request, Response, Route};
use tracing::Instrument;

use crate::app::App;
use crate::problem::Problem;
use crate::request_id::RequestId;
use crate::{health, reader, web};

/// Everything this process answers.
pub fn routes(app: &Arc<App>) -> BoxEndpoint<'static, Response> {
    let by_host = Hosts { reader: reader_host(app), ops: ops(app), app: Arc::clone(app) };
    let app = Arc::clone(app);
    by_host
        .around(move |inner, request| {
            let app = Arc::clone(&app);
            async move { Ok(observe(&app, &inner, request).await) }
        })
        .map_to_response()
        .boxed()
}

/// The reader's host: its API, its pages, and every other path as the prefix form.
fn reader_host(app: &Arc<App>) -> BoxEndpoint<'static> {
    let reader = Arc::new(reader::endpoint(app));
    let routes = web::reader_routes(app, Route::new());
    routes.at("/api/*rest", Arc::clone(&reader)).at("/*rest", reader).boxed()
}

/// What operators ask, on every host.
fn ops(app: &Arc<App>) -> BoxEndpoint<'static> {
    health::routes(app, Route::new()).boxed()
}

/// Picks the surface by host. With one origin for all there is nothing to pick; with several, each answers
/// on its own host alone.
struct Hosts {
    app: Arc<App>,
    reader: BoxEndpoint<'static>,
    ops: BoxEndpoint<'static>,
}

impl Endpoint for Hosts {
    type Output = Response;

    async fn call(&self, mut request: Request) -> poem::Result<Response> {
        if matches!(request.uri().path(), "/healthz" | "/readyz" | "/metrics") {
            return self.ops.call(request).await.map(IntoResponse::into_response);
        }
        if request.method() == Method::HEAD {
            request.set_method(Method::GET);
        }
        if !self.is_reader(&request) {
            let problem = Problem::new("not_found", "This host answers for another part of the service.");
            let id = crate::request_id::of(&request);
            return Ok(problem.render(self.app.settings.origins.reader.as_str(), &id));
        }
        self.reader.call(request).await.map(IntoResponse::into_response)
    }
}

impl Hosts {
    fn is_reader(&self, request: &Request) -> bool {
        let origins = &self.app.settings.origins;
        if origins.base == origins.reader && origins.auth == origins.reader {
            return true;
        }
        request.header(header::HOST).is_some_and(|host| host.eq_ignore_ascii_case(origins.reader.authority()))
    }
}

/// Gives the request its id, and tells log and metrics how it went. Neither query strings nor headers are
/// logged: they may hold what is not ours.
async fn observe<E: Endpoint>(app: &App, inner: &E, mut request: Request) -> Response {
    let id = app.domain.new_id().simple().to_string();
    request.set_data(RequestId(id.clone()));
    let method = request.method().clone();
    let path = shown_path(request.uri().path());
    let started = Instant::now();
    let span = tracing::info_span!("request", id);
    let answering = AssertUnwindSafe(inner.call(request)).catch_unwind().instrument(span.clone());
    let mut response = match answering.await {
        Ok(Ok(answer)) => answer.into_response(),
        Ok(Err(error)) => error.into_response(),
        Err(_) => {
            tracing::error!(id, "an answer panicked");
            let problem = Problem::new("service_unavailable", "The answer could not be made.");
            problem.render(app.settings.origins.reader.as_str(), &id)
        }
    };
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(&id) {
        headers.insert(HeaderName::from_static("x-request-id"), value);
    }
    headers.entry(header::X_CONTENT_TYPE_OPTIONS).or_insert(HeaderValue::from_static("nosniff"));
    headers.entry(header::REFERRER_POLICY).or_insert(HeaderValue::from_static("no-referrer"));
    let (status, elapsed) = (response.status().as_u16(), started.elapsed());
    let _entered = span.enter();
    tracing::info!(%method, path, status, ms = elapsed.as_secs_f64() * 1e3, "answered");
    let class = match status {
        100..=199 => "1xx",
        200..=299 => "2xx",
        300..=399 => "3xx",
        400..=499 => "4xx",
        _ => "5xx",
    };
    metrics::counter!("carrel_requests_total", "surface" => surface_of(&path), "status" => class)
        .increment(1);
    metrics::histogram!("carrel_request_seconds", "surface" => surface_of(&path))
        .record(elapsed.as_secs_f64());
    response
}

/// A path as it may be logged: the prefix form is somebody's reading and may hold secrets of its source.
fn shown_path(path: &str) -> String {
    if surface_of(path) == "prefix" { "/<url>".to_owned() } else { path.chars().take(200).collect() }
}

fn surface_of(path: &str) -> &'static str {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    match first {
        "api" => "reader",
        "v1" => "developer",
        "healthz" | "readyz" | "metrics" => "ops",
        "" | "about" | "assets" | "docs" | "problems" | "read" | "llms.txt" | "robots.txt"
        | "openapi.json" | "favicon.ico" | ".well-known" => "pages",
        _ => "prefix",
    }
}
