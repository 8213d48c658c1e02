//! Announces deprecated operations on every response under their path: `Deprecation` (RFC 9745), `Sunset`
//! (RFC 8594), and links to the successor. The table is currently empty.

use poem::http::{HeaderMap, HeaderName, HeaderValue, Method, header};

#[derive(Debug, Clone)]
pub struct DeprecatedOperation {
    /// Method, or `None` for all methods.
    pub method: Option<Method>,
    /// Path prefix.
    pub path: &'static str,
    /// Time of deprecation, in seconds since the Unix epoch.
    pub deprecated_at: i64,
    /// Time of removal, as an HTTP date.
    pub sunset: &'static str,
    /// URL of the deprecation notice.
    pub notice: &'static str,
    /// URL of the replacement.
    pub successor: &'static str,
}

/// Deprecated operations of all surfaces.
pub const DEPRECATED_OPERATIONS: &[DeprecatedOperation] = &[];

/// Adds the headers of the deprecated operation that matches `method` and `path`, if there is one.
pub fn announce(operations: &[DeprecatedOperation], method: &Method, path: &str, headers: &mut HeaderMap) {
    let is_match = |operation: &&DeprecatedOperation| {
        path.starts_with(operation.path) && operation.method.as_ref().is_none_or(|named| named == method)
    };
    let Some(operation) = operations.iter().find(is_match) else { return };
    let mut add = |name: HeaderName, value: String| {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.append(name, value);
        }
    };
    add(HeaderName::from_static("deprecation"), format!("@{}", operation.deprecated_at));
    add(HeaderName::from_static("sunset"), operation.sunset.to_owned());
    add(header::LINK, format!("<{}>; rel=\"deprecation\"", operation.notice));
    add(header::LINK, format!("<{}>; rel=\"successor-version\"", operation.successor));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_deprecated_operations_get_deprecation_headers() {
        let operations = [DeprecatedOperation {
            method: Some(Method::GET),
            path: "/v1/old",
            deprecated_at: 1_798_761_600,
            sunset: "Fri, 01 Jan 2027 00:00:00 GMT",
            notice: "https://example.org/notice",
            successor: "https://example.org/v2/new",
        }];
        let mut headers = HeaderMap::new();
        announce(&operations, &Method::GET, "/v1/me", &mut headers);
        announce(&operations, &Method::POST, "/v1/old/thing", &mut headers);
        assert!(headers.is_empty());
        announce(&operations, &Method::GET, "/v1/old/thing", &mut headers);
        assert_eq!(headers["deprecation"], "@1798761600");
        assert_eq!(headers["sunset"], "Fri, 01 Jan 2027 00:00:00 GMT");
        let links: Vec<_> = headers.get_all("link").iter().collect();
        assert_eq!(
            links,
            [
                "<https://example.org/notice>; rel=\"deprecation\"",
                "<https://example.org/v2/new>; rel=\"successor-version\""
            ]
        );
    }
}
