//! Links of an error page: back to the previous page on this host, and a retry of the failed page.

use poem::Request;
use poem::http::{Method, header};

/// Maximum length of a linked path, in bytes.
const MAX_BYTES: usize = 2_000;

/// Links of an error page. Both are local paths and cannot lead to another host, whatever the request
/// contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReturnLink {
    /// The requested page, for a retry. `None` if the request was not a `GET` or `HEAD`.
    pub(crate) retry: Option<String>,
    /// The previous page on this host, or the start page.
    pub(crate) back: String,
    /// True if `back` is the page that sent the request.
    pub(crate) has_previous_page: bool,
}

impl ReturnLink {
    /// Returns the links for a request.
    pub(super) fn of(request: &Request, is_signed_in: bool) -> Self {
        let uri = request.original_uri();
        let requested = uri.path_and_query().map(|requested| requested.as_str().to_owned());
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        let retry = requested.filter(|requested| is_read && is_ours(requested));
        let from = page_before(request).filter(|from| retry.as_ref() != Some(from));
        let has_previous_page = from.is_some();
        let start = if is_signed_in { "/today" } else { "/" };
        Self { retry, back: from.unwrap_or_else(|| start.to_owned()), has_previous_page }
    }

    /// Returns the links for a request whose visitor is unknown.
    pub(crate) fn start() -> Self {
        Self { retry: None, back: "/".to_owned(), has_previous_page: false }
    }
}

/// Returns the path and query of the `Referer`, without the message of an earlier action. `None` unless it is on this host.
fn page_before(request: &Request) -> Option<String> {
    let from = request.headers().get(header::REFERER)?.to_str().ok()?;
    let host = request.headers().get(header::HOST)?.to_str().ok()?;
    let (scheme, rest) = from.split_once("://")?;
    let at = rest.find('/')?;
    let (authority, path) = rest.split_at(at);
    let is_same_host = matches!(scheme, "http" | "https") && authority.eq_ignore_ascii_case(host);
    let path = path.split('#').next().unwrap_or_default();
    (is_same_host && is_ours(path)).then(|| without_done(path))
}

/// Removes the parameters of a message from an address.
pub(crate) fn without_done(target: &str) -> String {
    let Some((path, query)) = target.split_once('?') else { return target.to_owned() };
    let is_message = |pair: &&str| ["done=", "undo=", "refused="].iter().any(|name| pair.starts_with(name));
    let retained: Vec<&str> = query.split('&').filter(|pair| !is_message(pair)).collect();
    if retained.is_empty() { path.to_owned() } else { format!("{path}?{}", retained.join("&")) }
}

/// Returns true if `path` is a local path that browsers cannot interpret as another host.
fn is_ours(path: &str) -> bool {
    path.len() <= MAX_BYTES
        && path.starts_with('/')
        && !path.starts_with("//")
        && path.bytes().all(|byte| (0x21..0x7f).contains(&byte) && byte != b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(referer: &str) -> ReturnLink {
        let request = Request::builder().header(header::HOST, "carrel.example:8080");
        ReturnLink::of(&request.header(header::REFERER, referer).finish(), true)
    }

    #[test]
    fn only_pages_of_this_host_are_linked() {
        assert_eq!(from("http://carrel.example:8080/library?shelf=all#top").back, "/library?shelf=all");
        for stranger in [
            "http://carrel.example/library",
            "https://evil.example/library",
            "http://carrel.example:8080@evil.example/library",
            "http://carrel.example:8080//evil.example/",
            "http://carrel.example:8080/\\evil.example/",
            "javascript://carrel.example:8080/alert(1)",
            "carrel.example:8080/library",
            "http://carrel.example:8080",
        ] {
            assert_eq!(
                (from(stranger).back.as_str(), from(stranger).has_previous_page),
                ("/today", false),
                "{stranger}"
            );
        }
        // A reloaded page is not its own previous page.
        let again = from("http://carrel.example:8080/");
        assert_eq!((again.retry.as_deref(), again.has_previous_page), (Some("/"), false));
    }
}
