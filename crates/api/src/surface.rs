//! Entry and exit of the Developer API: CORS, common headers, rate limit headers, and rendering of every
//! error in the form that the caller requests.

use kernel::Code;
use poem::error::NotFoundError;
use poem::http::{HeaderMap, HeaderValue, Method, header};
use poem::{Endpoint, IntoResponse, Request, Response};
use poem_openapi::error::{ParseParamError, ParsePathError};

use super::authorize::RateLimitState;

use super::error::{ApiError, ErrorForm, RenderContext};
use http_kit::app::App;
use http_kit::http::conditional::{if_none_match, not_modified_or};
use http_kit::http::cors::{A_DAY, AllowedOrigin, Cors};
use http_kit::http::deprecation::{self, DEPRECATED_OPERATIONS};
use http_kit::http::limits;
use http_kit::http::params::bare_reason;

/// Request headers that scripts of allowed origins may send, and response headers that they may read.
const CORS: Cors = Cors {
    allowed: "Accept, Authorization, Content-Type, If-Match, If-None-Match, If-Range, Range, X-API-Key",
    exposed: "Accept-Ranges, Age, Content-Disposition, Content-Range, Deprecation, ETag, Link, RateLimit, RateLimit-Limit, RateLimit-Policy, RateLimit-Remaining, \
        RateLimit-Reset, Repr-Digest, Retry-After, Sunset, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, \
        X-RateLimit-Reset, X-Request-Id",
    max_age_s: A_DAY,
};
/// Methods that scripts of allowed origins may use.
const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/// Calls `inner`, renders its errors and adds the headers of every response.
pub(super) async fn handle<E: Endpoint>(app: &App, inner: &E, mut request: Request) -> Response {
    let (method, path) = (request.method().clone(), request.original_uri().path().to_owned());
    let grant = AllowedOrigin::from_list(&request, &app.settings.accounts.cors_origins);
    if request.method() == Method::OPTIONS && request.header("access-control-request-method").is_some() {
        return CORS.preflight(&grant, METHODS);
    }
    let form = if wants_problem(&request) { ErrorForm::Problem } else { ErrorForm::Plain };
    let request_id = http_kit::http::request_id::of(&request);
    let validators = (request.method() == Method::GET).then(|| if_none_match(&request)).flatten();
    let limits_left = RateLimitState::default();
    request.set_data(limits_left.clone());
    let mut response = match inner.call(request).await {
        Ok(answer) => not_modified_or(answer.into_response(), validators.as_deref()),
        Err(error) => {
            let at =
                RenderContext { form, base_url: app.settings.origins.base.as_str(), request_id: &request_id };
            error_of(&error).render(&at)
        }
    };
    let headers = response.headers_mut();
    limits_of(&limits_left, headers);
    deprecation::announce(DEPRECATED_OPERATIONS, &method, &path, headers);
    if headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json; charset=utf-8") {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("private, no-store"));
    CORS.add(&grant, headers);
    response
}

fn limits_of(limits_left: &RateLimitState, headers: &mut HeaderMap) {
    let states = limits_left.states();
    if !states.is_empty() {
        limits::write(&states, headers);
    }
}

/// Returns true if the caller accepts problem details.
fn wants_problem(request: &Request) -> bool {
    let accepts = request.headers().get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepts.flat_map(|line| line.split(',')).any(|range| {
        let mut parts = range.split(';').map(str::trim);
        let is_problem =
            parts.next().is_some_and(|kind| kind.eq_ignore_ascii_case("application/problem+json"));
        is_problem && !parts.any(|parameter| matches!(parameter, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

/// Converts any error of the routes to an API error.
pub(super) fn error_of(error: &poem::Error) -> ApiError {
    if let Some(error) = error.downcast_ref::<ApiError>() {
        return error.clone();
    }
    if let Some(fault) = error.downcast_ref::<ParseParamError>() {
        let details = format!("/{}: {}", fault.name, bare_reason(&fault.reason));
        return ApiError::malformed(Code::InvalidRequest, "A parameter is invalid.", details);
    }
    if error.is::<NotFoundError>() {
        return ApiError::new(Code::NotFound, "There is no operation at this path.");
    }
    // A malformed id cannot belong to an object.
    if error.is::<ParsePathError>() {
        return ApiError::new(Code::NotFound, "There is no object with this id.");
    }
    if error.status().is_client_error() {
        tracing::debug!(%error, "unmapped client error");
        return ApiError::malformed(Code::InvalidRequest, "The request cannot be read.", "/: cannot be read");
    }
    ApiError::from(kernel::Error::internal(error.to_string()))
}
