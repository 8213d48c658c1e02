//! The one place where the Developer API's requests come in and its answers go out: cross-origin rules,
//! common headers, limit fields, and every error in the caller's form.

use domain::Code;
use poem::error::{NotFoundError, ParsePathError};
use poem::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use poem::{Endpoint, IntoResponse, Request, Response};
use poem_openapi::error::ParseParamError;

use super::authorize::RateLimitState;

use super::error::{ApiError, At, Form};
use crate::app::App;
use crate::http::deprecation::{self, ENDINGS};
use crate::http::limits;
use crate::http::params::bare_reason;

/// Headers that scripts of allowed origins may read.
const EXPOSED: &str = "Age, Deprecation, ETag, Link, RateLimit, RateLimit-Limit, RateLimit-Policy, \
    RateLimit-Remaining, RateLimit-Reset, Retry-After, Sunset, WWW-Authenticate, X-RateLimit-Limit, \
    X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id";
/// Headers that scripts of allowed origins may send.
const ALLOWED: &str = "Accept, Authorization, Content-Type, If-Match, If-None-Match, X-API-Key";
/// Methods that scripts of allowed origins may use.
const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/// Has `inner` handle one request, renders its errors and adds the headers of every response.
pub(super) async fn handle<E: Endpoint>(app: &App, inner: &E, mut request: Request) -> Response {
    let path = request.original_uri().path().to_owned();
    let origin = allowed_origin(app, &request);
    if request.method() == Method::OPTIONS && request.header("access-control-request-method").is_some() {
        return preflight(origin);
    }
    let form = if wants_problem(&request) { Form::Problem } else { Form::Plain };
    let request_id = crate::http::request_id::of(&request);
    let limits_left = RateLimitState::default();
    request.set_data(limits_left.clone());
    let mut response = match inner.call(request).await {
        Ok(answer) => answer.into_response(),
        Err(error) => {
            let at = At { form, base_url: app.settings.origins.base.as_str(), request_id: &request_id };
            error_of(&error).render(&at)
        }
    };
    let headers = response.headers_mut();
    limits_of(&limits_left, headers);
    deprecation::announce(ENDINGS, &path, headers);
    if headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json; charset=utf-8") {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("private, no-store"));
    add_cors(origin, headers);
    response
}

fn limits_of(limits_left: &RateLimitState, headers: &mut HeaderMap) {
    let states = limits_left.states();
    if !states.is_empty() {
        limits::write(&states, headers);
    }
}

/// The origin that the request's script comes from, when the operator allows it.
fn allowed_origin(app: &App, request: &Request) -> Option<HeaderValue> {
    let sent = request.header("origin")?;
    let allowed = app.settings.accounts.cors_origins.iter().any(|origin| origin.as_str() == sent);
    allowed.then(|| HeaderValue::from_str(sent).ok()).flatten()
}

fn add_cors(origin: Option<HeaderValue>, headers: &mut HeaderMap) {
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
    if let Some(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
    }
}

fn preflight(origin: Option<HeaderValue>) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    if origin.is_some() {
        for (name, value) in [
            (header::ACCESS_CONTROL_ALLOW_METHODS, METHODS),
            (header::ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED),
            (header::ACCESS_CONTROL_MAX_AGE, "86400"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    add_cors(origin, headers);
    response
}

/// Whether the caller asks for problem details.
fn wants_problem(request: &Request) -> bool {
    let accepts = request.headers().get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepts.flat_map(|line| line.split(',')).any(|range| {
        let mut parts = range.split(';').map(str::trim);
        let is_problem =
            parts.next().is_some_and(|kind| kind.eq_ignore_ascii_case("application/problem+json"));
        is_problem && !parts.any(|parameter| matches!(parameter, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

/// Any error that can come out of the routes, in our words.
pub(super) fn error_of(error: &poem::Error) -> ApiError {
    if let Some(error) = error.downcast_ref::<ApiError>() {
        return error.clone();
    }
    if let Some(fault) = error.downcast_ref::<ParseParamError>() {
        let details = format!("/{}: {}", fault.name, bare_reason(&fault.reason));
        return ApiError::malformed(Code::InvalidRequest, "A parameter is not as it should be.", details);
    }
    if error.is::<NotFoundError>() || error.is::<ParsePathError>() {
        return ApiError::new(Code::NotFound, "There is no operation at this path.");
    }
    if error.status().is_client_error() {
        tracing::debug!(%error, "a request the Developer API has no words for");
        return ApiError::malformed(Code::InvalidRequest, "The request cannot be read.", "/: cannot be read");
    }
    ApiError::from(domain::Error::internal(error.to_string()))
}
