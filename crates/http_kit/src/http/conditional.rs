//! Conditional requests: `ETag` validators and 304 responses.

use chrono::DateTime;
use data_encoding::BASE64URL_NOPAD;
use poem::http::{StatusCode, header};
use poem::{Body, Request, Response};
use sha2::{Digest, Sha256};

/// Returns true if the list `validators` contains `etag`, by weak comparison (RFC 9110, 13.1.2).
pub fn matches(validators: &str, etag: &str) -> bool {
    validators.trim() == "*"
        || validators.split(',').any(|validator| validator.trim().trim_start_matches("W/") == etag)
}

/// Computes the strong validator of a representation.
pub fn etag_of(representation: &[u8]) -> String {
    format!("\"{}\"", BASE64URL_NOPAD.encode(&Sha256::digest(representation)[..18]))
}

/// Returns the value of `If-None-Match`, with multiple header lines joined. `None` if it was not sent.
pub fn if_none_match(request: &Request) -> Option<String> {
    let lines = request.headers().get_all(header::IF_NONE_MATCH).iter();
    let lines: Vec<&str> = lines.filter_map(|line| line.to_str().ok()).collect();
    (!lines.is_empty()).then(|| lines.join(","))
}

/// Returns the time of `If-Modified-Since`, in seconds since the epoch. `None` if it is missing or invalid,
/// or if the request has `If-None-Match`, which takes precedence (RFC 9110, 13.1.3).
pub fn if_modified_since(request: &Request) -> Option<i64> {
    if request.headers().contains_key(header::IF_NONE_MATCH) {
        return None;
    }
    let date = request.header(header::IF_MODIFIED_SINCE)?;
    Some(DateTime::parse_from_rfc2822(date.trim()).ok()?.timestamp())
}

/// Returns the response, or 304 if the list `validators` contains its `ETag`.
pub fn not_modified_or(mut response: Response, validators: Option<&str>) -> Response {
    let etag = response.headers().get(header::ETAG).and_then(|etag| etag.to_str().ok());
    let is_known = validators.zip(etag).is_some_and(|(validators, etag)| matches(validators, etag));
    if is_known && response.status() == StatusCode::OK {
        response.set_status(StatusCode::NOT_MODIFIED);
        response.set_body(Body::empty());
        response.headers_mut().remove(header::CONTENT_TYPE);
    }
    response
}
