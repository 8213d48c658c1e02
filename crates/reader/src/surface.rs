//! Processing before and after the reader's operations: CORS preflights, rate limits, common headers, and
//! rendering of every error as a problem.

use kernel::Code;
use std::borrow::Cow;
use std::sync::Arc;

use poem::error::{MethodNotAllowedError, NotFoundError, ParsePathError, ParseQueryError};
use poem::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use poem::{Endpoint, IntoResponse, Request, Response};
use poem_openapi::error::ParseParamError;

use super::limits::RateLimiter;
use super::negotiate::{ResponseFormat, accepted};
use super::parameters::encode_headers;
use super::prefix;
use super::service::{ReadFailure, ReaderService};
use http_kit::http::answer_memory::AnswerMemoryExhausted;
use http_kit::http::cors::{A_DAY, AllowedOrigin, Cors};
use http_kit::http::deprecation::{self, DEPRECATED_OPERATIONS};
use http_kit::http::params::bare_reason;
use http_kit::http::query;
use http_kit::problem::Problem;

/// Request headers that scripts of any origin may send, and response headers that they may read.
const CORS: Cors = Cors {
    allowed: "Accept, Content-Type, Idempotency-Key, If-None-Match, X-Svc-Query, X-Svc-Passages, X-Svc-Lines",
    exposed: "ETag, Link, Location, Retry-After, Content-Location, Idempotency-Replayed, RateLimit, \
        RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-RateLimit-Limit, \
        X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Svc-Sandbox, X-Svc-Total-Tokens",
    max_age_s: A_DAY,
};
/// Request headers that select the representation.
const VARY: &str = "Accept, X-Svc-Query, X-Svc-Lines, X-Svc-Passages";
/// Headers that could contain a credential. They are removed before the request is processed.
const CREDENTIALS: [HeaderName; 3] =
    [header::AUTHORIZATION, header::COOKIE, HeaderName::from_static("x-api-key")];

/// Calls `inner`, renders its errors and adds the headers of every response.
pub(super) async fn handle<E: Endpoint>(
    reader: Arc<ReaderService>,
    inner: &E,
    mut request: Request,
) -> Response {
    for name in CREDENTIALS {
        request.headers_mut().remove(name);
    }
    encode_headers(request.headers_mut());
    let (method, path) = (request.method().clone(), request.original_uri().path().to_owned());
    let is_sandbox = path == "/api/v1/sandbox/read";
    let request_id = http_kit::http::request_id::of(&request);
    let limiter = RateLimiter::new(Arc::clone(&reader.app), &request);
    if request.method() == Method::OPTIONS {
        let mut response = preflight(&reader, &path);
        limiter.write(response.headers_mut()).await;
        return response;
    }
    let prefers_page = request.method() == Method::GET && wants_page(&request);
    let refusal = query_problem(&request);
    let url = (prefers_page && refusal.is_none()).then(|| url_of(&request)).flatten();
    request.set_data(limiter.clone());
    request.set_data(Arc::clone(&reader));
    let answer = async move {
        match refusal {
            Some(problem) => Err(problem.into()),
            None => inner.call(request).await,
        }
    };
    let answering = kernel::caller::with(limiter.caller(), limiter.clone().scope(answer));
    let response = match answering.await {
        Ok(answer) => answer.into_response(),
        Err(error) => {
            let mut problem = problem_of(&error, &path);
            let is_malformed = matches!(problem.status, 400 | 413 | 415);
            if is_malformed && let Err(refusal) = limiter.charge_refused().await {
                problem = refusal;
            }
            metrics::counter!("carrel_reader_problems_total", "code" => problem.entry.code.as_str())
                .increment(1);
            if prefers_page {
                let failure = ReadFailure { problem: &problem, url: url.as_deref(), request_id: &request_id };
                (reader.pages.problem)(&reader.app, &failure)
            } else {
                problem.render(reader.url(), &request_id)
            }
        }
    };
    let reserved = reader.app.answer_memory.reserve(limiter.network(), response).await;
    let mut response = reserved.unwrap_or_else(|AnswerMemoryExhausted| {
        let detail = "Too many large responses are being downloaded slowly. Retry in a few seconds.";
        Problem::new(Code::CapacityExhausted, detail).render(reader.url(), &request_id)
    });
    add_common_headers(&reader, response.headers_mut(), is_sandbox);
    deprecation::announce(DEPRECATED_OPERATIONS, &method, &path, response.headers_mut());
    limiter.write(response.headers_mut()).await;
    response
}

/// Returns true if an error should be rendered as a page for a browser.
fn wants_page(request: &Request) -> bool {
    match query::value_in(request.uri(), "format") {
        Some(word) => word == "html",
        None => accepted(request) == ResponseFormat::Html,
    }
}

/// Returns the URL to read, from the query or the prefix form. Returns `None` if the request contains no URL.
fn url_of(request: &Request) -> Option<String> {
    if has_parameters(request) {
        return query::value_in(request.uri(), "url").map(Cow::into_owned);
    }
    request.original_uri().path_and_query().and_then(|target| prefix::url_of(target.as_str()))
}

/// Returns true if the query contains parameters of this request, and not those of a URL in the prefix form.
fn has_parameters(request: &Request) -> bool {
    ["/api/", "/read/"].iter().any(|start| request.uri().path().starts_with(start))
}

/// Returns the problem of a parameter that is not UTF-8.
fn query_problem(request: &Request) -> Option<Problem> {
    let query = request.uri().query().filter(|_| has_parameters(request))?;
    let name = query::undecodable_name(query.as_bytes())?;
    Some(Problem::undecodable_parameter(&name))
}

/// Returns the methods that a path supports.
pub(super) fn allow_of(path: &str) -> &'static str {
    match path {
        "/api/v1/read" => "GET, HEAD, POST, OPTIONS",
        "/api/v1/read/batch" | "/api/v1/read/jobs" | "/api/v1/read/verify" => "POST, OPTIONS",
        _ => "GET, HEAD, OPTIONS",
    }
}

fn preflight(reader: &ReaderService, path: &str) -> Response {
    let allow = allow_of(path);
    let mut response = CORS.preflight(&AllowedOrigin::Anyone, allow);
    let headers = response.headers_mut();
    headers.insert(header::ALLOW, HeaderValue::from_static(allow));
    add_common_headers(reader, headers, path == "/api/v1/sandbox/read");
    response
}

/// Adds the headers of every response. Existing headers are not overwritten.
fn add_common_headers(reader: &ReaderService, headers: &mut HeaderMap, is_sandbox: bool) {
    let is_page =
        headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    let mut put = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    put(header::VARY, VARY);
    put(HeaderName::from_static("x-robots-tag"), "noindex");
    put(header::CACHE_CONTROL, if is_sandbox { "no-cache" } else { "private, no-cache" });
    put(
        header::CONTENT_SECURITY_POLICY,
        if is_page { reader.pages.policy } else { "default-src 'none'; sandbox" },
    );
    if is_sandbox {
        put(HeaderName::from_static("x-svc-sandbox"), "true");
    }
    CORS.add(&AllowedOrigin::Anyone, headers);
}

/// Converts an error of the routes to a problem of the catalogue.
fn problem_of(error: &poem::Error, path: &str) -> Problem {
    if let Some(problem) = error.downcast_ref::<Problem>() {
        return problem.clone();
    }
    if let Some(fault) = error.downcast_ref::<ParseParamError>() {
        return Problem::parameter(fault.name, bare_reason(&fault.reason));
    }
    if error.is::<MethodNotAllowedError>() {
        let allow = allow_of(path);
        let detail = format!("This path supports only {allow}.");
        return Problem { allow: Some(allow), ..Problem::new(Code::MethodNotAllowed, detail) };
    }
    if error.is::<NotFoundError>() || error.is::<ParsePathError>() {
        return Problem::new(Code::NotFound, "There is no operation and no page at this path.");
    }
    if error.is::<ParseQueryError>() {
        return Problem::new(Code::InvalidParameter, "The query string cannot be parsed.");
    }
    if error.status().is_client_error() {
        tracing::debug!(%error, "unmapped client error");
        return Problem::new(Code::InvalidParameter, "The request cannot be read.");
    }
    tracing::error!(%error, "read failed");
    Problem::new(Code::ServiceUnavailable, "The reader is temporarily unavailable.")
}
