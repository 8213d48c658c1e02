//! Where somebody goes on who met an error: back to the page of ours that they came from, and again to the one that had no
//! time for them.

use poem::Request;
use poem::http::{Method, header};

/// The longest address that is led back to.
const MOST_BYTES: usize = 2_000;

/// Addresses of ours. None of them leads to another host, whatever a request says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WayOn {
    /// The page that was asked for; none when something was sent to it.
    pub(crate) again: Option<String>,
    /// The page of ours that the request comes from; else where everything begins.
    pub(crate) back: String,
    /// Whether that is a page that the request comes from.
    pub(crate) is_back: bool,
}

impl WayOn {
    /// The ways on from a request.
    pub(super) fn of(request: &Request, is_signed_in: bool) -> Self {
        let uri = request.original_uri();
        let asked = uri.path_and_query().map(|asked| asked.as_str().to_owned());
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        let again = asked.filter(|asked| is_read && is_ours(asked));
        let from = page_before(request).filter(|from| again.as_ref() != Some(from));
        let is_back = from.is_some();
        let start = if is_signed_in { "/today" } else { "/" };
        Self { again, back: from.unwrap_or_else(|| start.to_owned()), is_back }
    }

    /// Where a page of nobody's leads.
    pub(super) fn start() -> Self {
        Self { again: None, back: "/".to_owned(), is_back: false }
    }
}

/// Path and query of the page of this host that the browser says it comes from.
fn page_before(request: &Request) -> Option<String> {
    let from = request.headers().get(header::REFERER)?.to_str().ok()?;
    let host = request.headers().get(header::HOST)?.to_str().ok()?;
    let (scheme, rest) = from.split_once("://")?;
    let at = rest.find('/')?;
    let (authority, path) = rest.split_at(at);
    let is_here = matches!(scheme, "http" | "https") && authority.eq_ignore_ascii_case(host);
    let path = path.split('#').next().unwrap_or_default();
    (is_here && is_ours(path)).then(|| path.to_owned())
}

/// Whether an address is a path, and no other host in disguise.
fn is_ours(path: &str) -> bool {
    path.len() <= MOST_BYTES
        && path.starts_with('/')
        && !path.starts_with("//")
        && path.bytes().all(|byte| (0x21..0x7f).contains(&byte) && byte != b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(referer: &str) -> WayOn {
        let request = Request::builder().header(header::HOST, "carrel.example:8080");
        WayOn::of(&request.header(header::REFERER, referer).finish(), true)
    }

    #[test]
    fn only_pages_of_this_host_are_led_back_to() {
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
                (from(stranger).back.as_str(), from(stranger).is_back),
                ("/today", false),
                "{stranger}"
            );
        }
        // The page itself, loaded again, is no way back.
        let again = from("http://carrel.example:8080/");
        assert_eq!((again.again.as_deref(), again.is_back), (Some("/"), false));
    }
}
