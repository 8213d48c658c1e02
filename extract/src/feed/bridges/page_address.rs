//! Address of a page, split into parts for the rules of services.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use url::Url;

/// Host prefixes that do not denote another site.
const HOST_PREFIXES: [&str; 3] = ["www.", "m.", "mobile."];

/// Http(s) address of a page.
pub(crate) struct PageAddress {
    url: Url,
    host: String,
}

impl PageAddress {
    /// Parses an address. `None` unless it is an http(s) URL.
    pub(crate) fn parse(address: &str) -> Option<Self> {
        let url = Url::parse(address.trim()).ok()?;
        let host = url.host_str().filter(|_| matches!(url.scheme(), "http" | "https"))?;
        let bare = HOST_PREFIXES.iter().find_map(|prefix| host.strip_prefix(prefix)).unwrap_or(host);
        let host = bare.to_owned();
        Some(Self { url, host })
    }

    /// Host without `www.`, `m.` and `mobile.`.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// Path segments that are not empty, as written in the URL.
    pub(crate) fn path(&self) -> Vec<&str> {
        self.url.path().split('/').filter(|part| !part.is_empty()).collect()
    }

    /// Scheme, host and port.
    pub(crate) fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }

    /// The whole address.
    pub(crate) fn as_str(&self) -> &str {
        self.url.as_str()
    }

    /// Decoded value of a query parameter. `None` if the parameter is missing or empty.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        let (_, value) = self.url.query_pairs().find(|(key, _)| key == name)?;
        Some(value.into_owned()).filter(|value| !value.trim().is_empty())
    }
}

/// Appends query parameters to a URL.
pub(crate) fn with_parameters<V: AsRef<str>>(url: &str, parameters: &[(&str, V)]) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(parameters);
    format!("{url}?{}", query.finish())
}

/// Decodes a path segment.
pub(crate) fn decoded(part: &str) -> Cow<'_, str> {
    percent_decode_str(part).decode_utf8_lossy()
}

/// True for a text of 1 to 100 ASCII letters, digits, `-` and `_`.
pub(crate) fn is_plain_id(id: &str) -> bool {
    (1..=100).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// True if the text consists of digits only.
pub(crate) fn is_number(text: &str) -> bool {
    (1..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}
