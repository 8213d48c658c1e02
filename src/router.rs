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
use crate::http::request_id::RequestId;
use crate::problem::Problem;
use crate::{api, health, published, reader, web, websub};

/// Everything this process answers.
pub fn routes(app: &Arc<App>) -> BoxEndpoint<'static, Response> {
    let surfaces = Surfaces {
        ops: health::routes(app, Route::new()).boxed(),
        pages: web::reader_pages(app),
        reader: reader::endpoint(app),
        developer: api::endpoint(app),
        people: web::account_pages(app),
        hubs: websub::endpoint(app),
        published: published::endpoint(app),
        app: Arc::clone(app),
    };
    let app = Arc::clone(app);
    surfaces
        .around(move |inner, request| {
            let app = Arc::clone(&app);
            async move { Ok(observe(&app, &inner, request).await) }
        })
        .map_to_response()
        .boxed()
}

/// The parts of the service, told apart by the first segment of the path. Every fixed path wins over the
/// prefix form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Surface {
    /// What operators ask, on every host.
    Ops,
    /// The reader's pages and documents.
    Pages,
    /// The reader's API.
    Reader,
    /// The Developer API.
    Developer,
    /// Signing in and settings.
    People,
    /// What hubs of `WebSub` call.
    Hubs,
    /// Feeds and changes of monitors, for whoever knows their address.
    Published,
    /// The prefix form of the reader: any other path.
    Prefix,
}

impl Surface {
    fn of(path: &str) -> Self {
        let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
        match first {
            "healthz" | "readyz" | "metrics" => Self::Ops,
            "v1" => Self::Developer,
            "websub" => Self::Hubs,
            "feeds" | "changes" => Self::Published,
            "sign-up" | "sign-in" | "sign-out" | "settings" | "monitors" => Self::People,
            "api" if path != "/api/v1/openapi.json" => Self::Reader,
            "" | "about" | "api" | "assets" | "docs" | "favicon.ico" | "llms.txt" | "openapi.json"
            | "problems" | "read" | "robots.txt" | ".well-known" => Self::Pages,
            _ => Self::Prefix,
        }
    }

    /// The label in metrics.
    fn as_str(self) -> &'static str {
        match self {
            Self::Ops => "ops",
            Self::Pages => "pages",
            Self::Reader => "reader",
            Self::Developer => "developer",
            Self::People => "people",
            Self::Hubs => "hubs",
            Self::Published => "published",
            Self::Prefix => "prefix",
        }
    }
}

/// Picks the surface by path and host. With one origin for all there is nothing to pick by host; with
/// several, each surface answers on its own host alone.
struct Surfaces {
    app: Arc<App>,
    ops: BoxEndpoint<'static>,
    pages: BoxEndpoint<'static>,
    reader: BoxEndpoint<'static>,
    developer: BoxEndpoint<'static>,
    people: BoxEndpoint<'static>,
    hubs: BoxEndpoint<'static>,
    published: BoxEndpoint<'static>,
}

impl Endpoint for Surfaces {
    type Output = Response;

    async fn call(&self, mut request: Request) -> poem::Result<Response> {
        let surface = Surface::of(request.uri().path());
        if request.method() == Method::HEAD {
            request.set_method(Method::GET);
        }
        if !self.answers(surface, &request) {
            let problem = Problem::new("not_found", "This host answers for another part of the service.");
            let id = crate::http::request_id::of(&request);
            return Ok(problem.render(self.app.settings.origins.reader.as_str(), &id));
        }
        let endpoint = match surface {
            Surface::Ops => &self.ops,
            Surface::Pages => &self.pages,
            Surface::Reader | Surface::Prefix => &self.reader,
            Surface::Developer => &self.developer,
            Surface::People => &self.people,
            Surface::Hubs => &self.hubs,
            Surface::Published => &self.published,
        };
        endpoint.call(request).await.map(IntoResponse::into_response)
    }
}

impl Surfaces {
    fn answers(&self, surface: Surface, request: &Request) -> bool {
        let origins = &self.app.settings.origins;
        let one_host = origins.base == origins.reader && origins.auth == origins.reader;
        let own = match surface {
            Surface::Ops => return true,
            // Every page needs its stylesheet, on whichever of our hosts it stands.
            Surface::Pages if is_shared(request.uri().path()) => return true,
            Surface::Developer | Surface::Hubs | Surface::Published => &origins.base,
            Surface::People => &origins.auth,
            Surface::Pages | Surface::Reader | Surface::Prefix => &origins.reader,
        };
        one_host
            || request.header(header::HOST).is_some_and(|host| host.eq_ignore_ascii_case(own.authority()))
    }
}

/// What every host of ours answers.
fn is_shared(path: &str) -> bool {
    path.starts_with("/assets/") || path == "/docs/developer" || path == "/favicon.ico"
}

/// Gives the request its id, and tells log and metrics how it went. Neither query strings nor headers are
/// logged: they may hold what is not ours.
async fn observe<E: Endpoint>(app: &App, inner: &E, mut request: Request) -> Response {
    let id = app.domain.new_id().simple().to_string();
    request.set_data(RequestId(id.clone()));
    let method = request.method().clone();
    let surface = Surface::of(request.uri().path()).as_str();
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
    headers.entry(header::REFERRER_POLICY).or_insert(HeaderValue::from_static("same-origin"));
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
    metrics::counter!("carrel_requests_total", "surface" => surface, "status" => class).increment(1);
    metrics::histogram!("carrel_request_seconds", "surface" => surface).record(elapsed.as_secs_f64());
    response
}

/// A path as it may be logged: the prefix form is somebody's reading and may hold secrets of its source, and
/// a key may have slipped into any path.
fn shown_path(path: &str) -> String {
    if domain::keys::looks_like_a_key(path) {
        return "/<key>".to_owned();
    }
    match Surface::of(path) {
        Surface::Prefix => "/<url>".to_owned(),
        // What stands behind is a secret that opens a feed or a change.
        Surface::Published => format!("/{}/<secret>", path.split('/').nth(1).unwrap_or_default()),
        _ => path.chars().take(200).collect(),
    }
}
