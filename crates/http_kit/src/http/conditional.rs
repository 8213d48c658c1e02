//! Conditional requests: `ETag` validators and 304 responses.

use chrono::DateTime;
use data_encoding::BASE64URL_NOPAD;
use poem::http::{StatusCode, header};
use poem::{Body, Request, Response};
use sha2::{Digest, Sha256};

/// Returns true if the list of validators `sent` contains `etag`, by weak comparison (RFC 9110, 13.1.2).
pub fn matches(sent: &str, etag: &str) -> bool {
    sent.trim() == "*" || sent.split(',').any(|one| one.trim().trim_start_matches("W/") == etag)
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
    let sent = request.header(header::IF_MODIFIED_SINCE)?;
    Some(DateTime::parse_from_rfc2822(sent.trim()).ok()?.timestamp())
}

/// Returns the response, or 304 if the list of validators `known` contains its `ETag`.
pub fn not_modified_or(mut response: Response, known: Option<&str>) -> Response {
    let etag = response.headers().get(header::ETAG).and_then(|etag| etag.to_str().ok());
    let is_known = known.zip(etag).is_some_and(|(known, etag)| matches(known, etag));
    if is_known && response.status() == StatusCode::OK {
        response.set_status(StatusCode::NOT_MODIFIED);
        response.set_body(Body::empty());
        response.headers_mut().remove(header::CONTENT_TYPE);
    }
    response
}
