//! Announcing the end of an operation of any surface: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and links to what
//! comes after, on every answer under a path of the table. The table is empty today.

use poem::http::{HeaderMap, HeaderName, HeaderValue, Method, header};

/// An operation that will go.
#[derive(Debug, Clone)]
pub struct Ending {
    /// Its method; nothing: all of them.
    pub method: Option<Method>,
    /// The path it stands under, as a prefix.
    pub path: &'static str,
    /// Since when it is deprecated, in seconds since the Unix epoch.
    pub deprecated_at: i64,
    /// When it goes, as an HTTP date.
    pub sunset: &'static str,
    /// What to read about it.
    pub notice: &'static str,
    /// What to use instead.
    pub successor: &'static str,
}

/// What will go.
pub const ENDINGS: &[Ending] = &[];

/// Announces the end of what `method` does under `path`.
pub fn announce(endings: &[Ending], method: &Method, path: &str, headers: &mut HeaderMap) {
    let is_meant = |ending: &&Ending| {
        path.starts_with(ending.path) && ending.method.as_ref().is_none_or(|named| named == method)
    };
    let Some(ending) = endings.iter().find(is_meant) else { return };
    let mut add = |name: HeaderName, value: String| {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.append(name, value);
        }
    };
    add(HeaderName::from_static("deprecation"), format!("@{}", ending.deprecated_at));
    add(HeaderName::from_static("sunset"), ending.sunset.to_owned());
    add(header::LINK, format!("<{}>; rel=\"deprecation\"", ending.notice));
    add(header::LINK, format!("<{}>; rel=\"successor-version\"", ending.successor));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_of_the_table_announces_its_end_and_nothing_else() {
        let endings = [Ending {
            method: Some(Method::GET),
            path: "/v1/old",
            deprecated_at: 1_798_761_600,
            sunset: "Fri, 01 Jan 2027 00:00:00 GMT",
            notice: "https://example.org/notice",
            successor: "https://example.org/v2/new",
        }];
        let mut headers = HeaderMap::new();
        announce(&endings, &Method::GET, "/v1/me", &mut headers);
        announce(&endings, &Method::POST, "/v1/old/thing", &mut headers);
        assert!(headers.is_empty());
        announce(&endings, &Method::GET, "/v1/old/thing", &mut headers);
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
