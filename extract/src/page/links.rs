//! Resolves URLs of a page. Only http, https and mailto URLs are returned.

use url::Url;

/// Maximum number of bytes of an accepted URL.
const MAX_URL_BYTES: usize = 4096;

/// Absolute http, https or mailto URL. `None` if the address cannot be resolved to such a URL.
pub(crate) fn resolve(base: Option<&Url>, address: &str) -> Option<String> {
    let address = address.trim();
    if address.is_empty() || address.len() > MAX_URL_BYTES || address.starts_with('#') {
        return None;
    }
    let url = match base {
        Some(base) => base.join(address).ok()?,
        None => Url::parse(address).ok()?,
    };
    let is_allowed = matches!(url.scheme(), "http" | "https") && url.has_host() || url.scheme() == "mailto";
    is_allowed.then(|| String::from(url))
}

/// Absolute http or https URL. `None` if the address cannot be resolved to such a URL.
pub(crate) fn resolve_web(base: Option<&Url>, address: &str) -> Option<String> {
    resolve(base, address).filter(|url| url.starts_with("http"))
}
