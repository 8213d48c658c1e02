//! Middleware of all requests, and the selection of the surface by path and host. [`Surface::of`] maps the
//! first path segment to a surface. Each surface defines the paths below that segment.
//!
//! The layers, from the outermost to the innermost: request id, log line and metrics, panics, the host, HEAD
//! as GET, and the surface.

use kernel::{Code, request_id};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use futures_util::FutureExt;
use poem::endpoint::BoxEndpoint;
use poem::http::{HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use poem::{Endpoint, EndpointExt, IntoResponse, Request, Response, Route};
use tracing::Instrument;

use crate::ops::{self, Ops};
use crate::telemetry::traces;
use crate::{health, pictures, public_feeds, websub};
use http_kit::app::App;
use http_kit::config::Origin;
use http_kit::http::compress;
use http_kit::http::request_id::RequestId;
use http_kit::problem::Problem;
use http_kit::surface::Surface;

/// Returns the endpoint of everything that this process serves.
/// `commands` creates the page of the handbook about the command line.
pub fn routes(app: &Arc<App>, commands: fn() -> String) -> BoxEndpoint<'static, Response> {
    let tables = web::CodeTables { commands, metrics: ops::metric_page };
    let developer = Arc::new(api::endpoint(app));
    let surfaces = Surfaces {
        ops: health::routes(&Ops::working(app), Route::new()).boxed(),
        pages: web::with_appearance(web::reader_pages(app, tables)),
        reader: web::with_appearance(reader::endpoint(app, web::READER_PAGES)),
        mcp: mcp::endpoint(app, Arc::clone(&developer)),
        developer,
        account: web::account_pages(app),
        hubs: websub::endpoint(app),
        oauth: oauth::endpoint(app),
        apps: apps::endpoint(app),
        public_feeds: public_feeds::endpoint(app),
        pictures: pictures::endpoint(app),
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

/// Selects the surface by path and host. With a single origin, the host does not matter; with several, each
/// surface is served only on its own host.
struct Surfaces {
    app: Arc<App>,
    ops: BoxEndpoint<'static>,
    pages: BoxEndpoint<'static>,
    reader: BoxEndpoint<'static>,
    developer: Arc<BoxEndpoint<'static>>,
    mcp: BoxEndpoint<'static>,
    account: BoxEndpoint<'static>,
    hubs: BoxEndpoint<'static>,
    oauth: BoxEndpoint<'static>,
    apps: BoxEndpoint<'static>,
    public_feeds: BoxEndpoint<'static>,
    pictures: BoxEndpoint<'static>,
}

impl Endpoint for Surfaces {
    type Output = Response;

    async fn call(&self, mut request: Request) -> poem::Result<Response> {
        let surface = surface_of(&request);
        if request.method() == Method::HEAD {
            request.set_method(Method::GET);
        }
        let coding = compress::accepted(request.headers());
        if !self.serves(surface, &request) {
            match self.host_alias(&request) {
                Some(HostAlias::Document) => {
                    *request.uri_mut() = Uri::from_static("/v1/openapi.json");
                    let document = self.developer.call(request).await?.into_response();
                    return Ok(compress::compressed(document, coding).await);
                }
                Some(HostAlias::Page(path)) => {
                    return Ok(StatusCode::FOUND.with_header(header::LOCATION, path).into_response());
                }
                None => {}
            }
            let problem = Problem::new(Code::NotFound, "This host answers for another part of the service.");
            let id = http_kit::http::request_id::of(&request);
            return Ok(problem.render(self.app.settings.origins.reader.as_str(), &id));
        }
        if let Some(target) = without_slash(surface, &request) {
            return Ok(StatusCode::PERMANENT_REDIRECT.with_header(header::LOCATION, target).into_response());
        }
        let endpoint = match surface {
            Surface::Ops => &self.ops,
            Surface::Pages => &self.pages,
            Surface::Reader | Surface::Prefix => &self.reader,
            Surface::Developer => &*self.developer,
            Surface::Mcp => &self.mcp,
            Surface::Account => &self.account,
            Surface::Hubs => &self.hubs,
            Surface::OAuth => &self.oauth,
            Surface::Apps => &self.apps,
            Surface::PublicFeeds => &self.public_feeds,
            Surface::Pictures => &self.pictures,
        };
        let response = endpoint.call(request).await.map(IntoResponse::into_response)?;
        // Pages with a form token are not compressed, because their size would reveal it (BREACH). The same
        // applies to responses with tokens.
        if matches!(surface, Surface::Account | Surface::OAuth) {
            return Ok(response);
        }
        Ok(compress::compressed(response, coding).await)
    }
}

impl Surfaces {
    fn host_alias(&self, request: &Request) -> Option<HostAlias> {
        let origins = &self.app.settings.origins;
        let host = request.header(header::HOST)?;
        let is_host = |origin: &Origin| host.eq_ignore_ascii_case(origin.authority());
        match request.uri().path() {
            "/openapi.json" if is_host(&origins.base) => Some(HostAlias::Document),
            "/" | "/docs" if is_host(&origins.base) => Some(HostAlias::Page("/docs/developer".into())),
            "/" if is_host(&origins.auth) => Some(HostAlias::Page("/today".into())),
            // Responses about stored texts link to account pages on this host, so the host redirects to those
            // pages.
            path if is_host(&origins.base)
                && Surface::of(path) == Surface::Account
                && path.starts_with("/library/") =>
            {
                Some(HostAlias::Page(format!("{}{path}", origins.auth)))
            }
            "/docs" if is_host(&origins.auth) => Some(HostAlias::Page(format!("{}/docs", origins.reader))),
            DEVELOPER_REFERENCE if [&origins.reader, &origins.auth].into_iter().any(is_host) => {
                Some(HostAlias::Page(format!("{}{DEVELOPER_REFERENCE}", origins.base)))
            }
            _ => None,
        }
    }

    fn serves(&self, surface: Surface, request: &Request) -> bool {
        let origins = &self.app.settings.origins;
        let one_host = origins.base == origins.reader && origins.auth == origins.reader;
        let own = match surface {
            // The authorization server checks its two hosts itself, and the MCP endpoint answers requests on
            // wrong hosts with an error of its own protocol.
            Surface::Ops | Surface::OAuth | Surface::Mcp => return true,
            // Pictures are served on the host of their page.
            Surface::Pictures => {
                let is_host = |origin: &Origin| {
                    request
                        .header(header::HOST)
                        .is_some_and(|host| host.eq_ignore_ascii_case(origin.authority()))
                };
                return one_host || is_host(&origins.reader) || is_host(&origins.auth);
            }
            // Pages on all hosts need the shared assets.
            Surface::Pages if is_shared(request.uri().path()) => return true,
            // The reference page sends requests to its own host.
            Surface::Pages if request.uri().path() == DEVELOPER_REFERENCE => &origins.base,
            Surface::Developer | Surface::Hubs | Surface::Apps | Surface::PublicFeeds => &origins.base,
            Surface::Account => &origins.auth,
            Surface::Pages | Surface::Reader | Surface::Prefix => &origins.reader,
        };
        one_host
            || request.header(header::HOST).is_some_and(|host| host.eq_ignore_ascii_case(own.authority()))
    }
}

/// Page where the Developer API can be tried.
const DEVELOPER_REFERENCE: &str = "/docs/developer/reference";

/// Response to a request for a path that the host does not serve itself.
enum HostAlias {
    /// Redirect to another page.
    Page(String),
    /// Description of the Developer API.
    Document,
}

/// Returns the redirect target for a page URL with a trailing slash. `None` for other URLs.
fn without_slash(surface: Surface, request: &Request) -> Option<String> {
    let path = request.uri().path();
    let is_page = matches!(surface, Surface::Pages | Surface::Account) && request.method() == Method::GET;
    let bare = path.trim_end_matches('/');
    if !is_page || bare.is_empty() || bare == path || bare.starts_with("//") {
        return None;
    }
    Some(request.uri().query().map_or_else(|| bare.to_owned(), |query| format!("{bare}?{query}")))
}

/// Returns true for paths that are served on every host.
fn is_shared(path: &str) -> bool {
    path.starts_with("/assets/")
        || path == "/docs/developer"
        || (path.starts_with("/docs/developer/") && path != DEVELOPER_REFERENCE)
        || matches!(path, "/favicon.ico" | "/manifest.webmanifest" | "/opensearch.xml")
}

/// Returns the surface of a request. It is read from the request extensions if it was already determined.
fn surface_of(request: &Request) -> Surface {
    request.data().copied().unwrap_or_else(|| Surface::of(request.uri().path()))
}

/// Returns true if the request targets one of our https origins. Browsers are then instructed to use only
/// https.
fn is_secure_host(app: &App, request: &Request) -> bool {
    let origins = &app.settings.origins;
    let host = request.header(header::HOST).unwrap_or_default();
    [&origins.base, &origins.reader, &origins.auth]
        .into_iter()
        .any(|origin| origin.is_secure() && host.eq_ignore_ascii_case(origin.authority()))
}

/// Assigns the request id, and records the request in log, metrics, and traces. Neither query strings nor
/// headers are logged, because they may contain private data.
async fn observe<E: Endpoint>(app: &App, inner: &E, mut request: Request) -> Response {
    let id = app.domain.new_id::<uuid::Uuid>().simple().to_string();
    request.set_data(RequestId(id.clone()));
    let method = request.method().clone();
    let surface = surface_of(&request);
    request.set_data(surface);
    let path = surface.loggable_path(request.uri().path());
    let is_secure = is_secure_host(app, &request);
    let started = Instant::now();
    let span = tracing::info_span!("request", id);
    traces::begin_request(&span, &id, method.as_str(), &path);
    let answering = AssertUnwindSafe(inner.call(request)).catch_unwind().instrument(span.clone());
    let mut response = match request_id::with(Some(id.clone()), answering).await {
        Ok(Ok(answer)) => answer.into_response(),
        Ok(Err(error)) => error.into_response(),
        Err(_) => {
            tracing::error!(id, "request handler panicked");
            let problem =
                Problem::new(Code::ServiceUnavailable, "The request failed because of an internal error.");
            problem.render(app.settings.origins.reader.as_str(), &id)
        }
    };
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(&id) {
        headers.insert(HeaderName::from_static("x-request-id"), value);
    }
    headers.entry(header::X_CONTENT_TYPE_OPTIONS).or_insert(HeaderValue::from_static("nosniff"));
    headers.entry(header::REFERRER_POLICY).or_insert(HeaderValue::from_static("same-origin"));
    if is_secure {
        let year = HeaderValue::from_static("max-age=31536000");
        headers.entry(header::STRICT_TRANSPORT_SECURITY).or_insert(year);
    }
    let (status, elapsed) = (response.status().as_u16(), started.elapsed());
    traces::end_request(&span, status);
    let _entered = span.enter();
    tracing::info!(%method, path, status, ms = (elapsed.as_secs_f64() * 1e4).round() / 10.0, "answered");
    let class = match status {
        100..=199 => "1xx",
        200..=299 => "2xx",
        300..=399 => "3xx",
        400..=499 => "4xx",
        _ => "5xx",
    };
    let surface = surface.as_str();
    metrics::counter!("carrel_requests_total", "surface" => surface, "status" => class).increment(1);
    metrics::histogram!("carrel_request_duration_seconds", "surface" => surface)
        .record(elapsed.as_secs_f64());
    response
}
