//! Responses to requests that match no route, on surfaces without their own error format.

use poem::error::MethodNotAllowedError;
use poem::http::{StatusCode, header};
use poem::{Error, IntoResponse, Response};

/// Returns 405 with the `allowed` methods if the path exists (RFC 9110, section 15.5.6), otherwise
/// `not_found`.
pub fn unrouted(error: &Error, allowed: &'static str, not_found: impl FnOnce() -> Response) -> Response {
    if error.is::<MethodNotAllowedError>() {
        return StatusCode::METHOD_NOT_ALLOWED.with_header(header::ALLOW, allowed).into_response();
    }
    not_found()
}
