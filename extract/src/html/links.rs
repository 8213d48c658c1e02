//! Addresses on a page, made absolute; only http, https and mailto leave it.

use url::Url;

/// Longest address that is kept.
const MAX_URL_BYTES: usize = 4096;

/// An absolute http, https or mailto address, or nothing.
pub(crate) fn resolve(base: Option<&Url>, address: &str) -> Option<String> {
    let address = address.trim();
    if address.is_empty() || address.len() > MAX_URL_BYTES || address.starts_with('#') {
        return None;
    }
    let url = match base {
        Some(base) => base.join(address).ok()?,
        None => Url::parse(address).ok()?,
    };
    let kept = matches!(url.scheme(), "http" | "https") && url.has_host() || url.scheme() == "mailto";
    kept.then(|| String::from(url))
}

/// As `resolve`, without mailto: for images and pages.
pub(crate) fn resolve_web(base: Option<&Url>, address: &str) -> Option<String> {
    resolve(base, address).filter(|url| url.starts_with("http"))
}
