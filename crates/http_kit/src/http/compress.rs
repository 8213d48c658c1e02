//! Compression of responses, negotiated with `Accept-Encoding`. Request bodies are not decompressed.

use poem::http::{HeaderMap, HeaderValue, StatusCode, header};
use poem::web::{Compress, CompressionAlgo, CompressionLevel};
use poem::{IntoResponse, Response};

/// Minimum size of a response that is compressed, in bytes.
const MIN_BYTES: usize = 1024;

/// Returns the supported coding that the caller prefers. `None` if the caller accepts no supported coding.
pub fn accepted(headers: &HeaderMap) -> Option<CompressionAlgo> {
    let lines = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
    let offers = lines.flat_map(|line| line.split(',')).filter_map(|offer| {
        let mut parts = offer.split(';').map(str::trim);
        // If two codings have equal weight, the coding with the higher rank is preferred.
        let (algorithm, rank) = match parts.next()?.to_ascii_lowercase().as_str() {
            "br" => (CompressionAlgo::BR, 1),
            "gzip" | "x-gzip" => (CompressionAlgo::GZIP, 0),
            _ => return None,
        };
        let weight =
            parts.find_map(|part| part.strip_prefix("q=")).map_or(Some(1.0_f32), |q| q.parse().ok())?;
        (weight > 0.0).then_some((weight, rank, algorithm))
    });
    let best = offers.max_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
    best.map(|(.., algorithm)| algorithm)
}

/// Compresses a response if it is text of at least 1 KiB. Its `ETag` becomes weak, because the bytes differ
/// from the uncompressed form.
pub async fn compressed(mut response: Response, algorithm: Option<CompressionAlgo>) -> Response {
    // A 304 must have the same `ETag` as the full response.
    let is_not_modified = response.status() == StatusCode::NOT_MODIFIED;
    // Streamed responses are marked with `no-transform` and must not be buffered.
    let is_fixed = response.header(header::CACHE_CONTROL).is_some_and(|rules| rules.contains("no-transform"));
    if is_fixed
        || !(is_not_modified || is_text(&response))
        || response.headers().contains_key(header::CONTENT_ENCODING)
    {
        return response;
    }
    let varies = HeaderValue::from_static("accept-encoding");
    response.headers_mut().append(header::VARY, varies);
    let Some(algorithm) = algorithm.filter(|_| response.status() != StatusCode::PARTIAL_CONTENT) else {
        return response;
    };
    if is_not_modified {
        weaken(&mut response);
        return response;
    }
    // Only large, streamed responses already have a length.
    if response.header(header::CONTENT_LENGTH).is_none() {
        let Ok(bytes) = response.take_body().into_bytes().await else {
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        };
        let is_short = bytes.len() < MIN_BYTES;
        response.set_body(bytes);
        if is_short {
            return response;
        }
    }
    weaken(&mut response);
    Compress::new(response, algorithm).with_quality(CompressionLevel::Fastest).into_response()
}

/// Makes the `ETag` a weak validator.
fn weaken(response: &mut Response) {
    if let Some(etag) = response.headers().get(header::ETAG).and_then(|etag| etag.to_str().ok())
        && !etag.starts_with("W/")
        && let Ok(weak) = HeaderValue::from_str(&format!("W/{etag}"))
    {
        response.headers_mut().insert(header::ETAG, weak);
    }
}

fn is_text(response: &Response) -> bool {
    let kind = response.content_type().unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.starts_with("text/")
        || kind.ends_with("json")
        || kind.ends_with("xml")
        || matches!(kind, "application/javascript")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(line: &str) -> Option<CompressionAlgo> {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_str(line).unwrap());
        accepted(&headers)
    }

    #[test]
    fn coding_with_highest_weight_is_chosen() {
        assert_eq!(best("gzip, deflate, br"), Some(CompressionAlgo::BR));
        assert_eq!(best("br;q=0.5, gzip;q=0.8"), Some(CompressionAlgo::GZIP));
        assert_eq!(best("gzip;q=0"), None);
        assert_eq!(best("identity, zstd"), None);
        assert_eq!(accepted(&HeaderMap::new()), None);
    }
}
