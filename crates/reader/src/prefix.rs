//! Prefix form: the URL of a source is appended to the reader's address. It is read from the raw request
//! target.

use kernel::Code;
use std::net::Ipv4Addr;

use percent_encoding::percent_decode_str;
use poem::{FromRequest, Request, RequestBody};
use poem_openapi::OpenApi;
use poem_openapi::param::Header;

use super::answer;
use super::described::Answered;
use super::limits::{Charged, OneRead};
use super::negotiate::accepted;
use super::page::ReadQuery;
use super::parameters::{HeaderText, LineRange, present, required_url};
use super::params::ReadParams;
use super::read::ReadResponse;
use super::service::ReaderTag;
use http_kit::http::conditional::if_none_match;
use http_kit::http::params::Integer;
use http_kit::problem::Problem;

/// URL that a request target contains. A target without a URL is refused, and is not charged.
pub(super) struct PrefixTarget(String);

impl<'a> FromRequest<'a> for PrefixTarget {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> poem::Result<Self> {
        let target = request.original_uri().path_and_query().map_or("/", |target| target.as_str());
        let no_url =
            || Problem::new(Code::NotFound, "There is no page at this path, and it is not a URL to read.");
        Ok(url_of(target).map(Self).ok_or_else(no_url)?)
    }
}

pub(super) struct PrefixApi;

#[OpenApi(tag = "ReaderTag::Reader")]
impl PrefixApi {
    /// Read by prefix
    ///
    /// Reads the URL that follows the reader's address, including its query string; `https://` may be
    /// omitted. Options are sent in headers only.
    #[oai(path = "/*url", method = "get", operation_id = "readByPrefix")]
    async fn read_by_prefix(
        &self,
        url: PrefixTarget,
        reader: Charged<OneRead>,
        request: &Request,
        /// Search query: returns the best matching blocks, ranked. UTF-8, raw or percent-encoded.
        #[oai(name = "X-Svc-Query")]
        query: Header<Option<HeaderText<0, 500>>>,
        /// Maximum number of blocks returned for a query. Default: 5.
        #[oai(name = "X-Svc-Passages")]
        passages: Header<Option<Integer<1, 20>>>,
        /// Block or range of blocks: `N` or `A-B`, at most 500 blocks.
        #[oai(name = "X-Svc-Lines")]
        lines: Header<Option<LineRange>>,
    ) -> Answered<ReadResponse> {
        let params = ReadParams {
            url: required_url(Some(url.0))?,
            query: present(query.0.map(|text| text.0)),
            passages: passages.0.map(Integer::get),
            lines: lines.0.and_then(|lines| lines.0),
            ..ReadParams::default()
        };
        let query = ReadQuery { request: params, format: accepted(request) };
        let page = answer::read(&reader, query, reader.app.settings.deadlines.read).await?;
        Ok(page.respond(if_none_match(request).as_deref()).into())
    }
}

/// File extensions. If the first path segment has one of these extensions, it is the name of a file, not a
/// host.
const FILE_ENDINGS: &[&str] = &[
    "php", "html", "htm", "txt", "png", "ico", "xml", "json", "js", "css", "asp", "aspx", "jsp", "cgi",
    "bak", "sql", "env", "yml", "yaml", "ini", "log", "webmanifest", "map",
];

/// Returns the URL contained in a raw request target (`/https://example.com/a?b=c`). Returns `None` if the
/// target is not in the prefix form.
pub(super) fn url_of(target: &str) -> Option<String> {
    let rest = target.strip_prefix('/')?;
    for scheme in ["https:", "http:"] {
        if let Some(after) = strip_ignoring_case(rest, scheme) {
            let after = after.trim_start_matches('/');
            return (!after.is_empty()).then(|| format!("{scheme}//{after}"));
        }
    }
    if is_encoded(rest) {
        let decoded = percent_decode_str(rest).decode_utf8().ok()?;
        return url_of(&format!("/{decoded}"));
    }
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    is_host(host).then(|| format!("https://{rest}"))
}

fn strip_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| &text[prefix.len()..]).filter(|after| after.starts_with('/'))
}

fn is_encoded(text: &str) -> bool {
    ["https%3a", "http%3a"]
        .iter()
        .any(|start| text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start)))
}

fn is_host(segment: &str) -> bool {
    let name = match segment.rsplit_once(':') {
        Some((name, port)) if port.parse::<u16>().is_ok() => name,
        Some(_) => return false,
        None => segment,
    };
    if name.parse::<Ipv4Addr>().is_ok() {
        return true;
    }
    let Some((front, last)) = name.rsplit_once('.') else { return false };
    !front.is_empty() && last.len() > 1 && !FILE_ENDINGS.contains(&last.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_accepted_spelling_of_the_prefix_form_yields_the_url() {
        for (target, url) in [
            ("/https://example.com/a?b=c&d=%20", "https://example.com/a?b=c&d=%20"),
            ("/http://example.com", "http://example.com"),
            ("/https:/example.com/a", "https://example.com/a"),
            ("/HTTPS://example.com/a", "https://example.com/a"),
            ("/https%3A%2F%2Fexample.com%2Fa%3Fb%3Dc", "https://example.com/a?b=c"),
            ("/https%3a%2f%2fexample.com", "https://example.com"),
            ("/example.com/a?b=c", "https://example.com/a?b=c"),
            ("/example.com:8443/a", "https://example.com:8443/a"),
            ("/example.com?q=1", "https://example.com?q=1"),
            ("/192.0.2.1:8443/a", "https://192.0.2.1:8443/a"),
        ] {
            assert_eq!(url_of(target).as_deref(), Some(url), "{target}");
        }
    }

    #[test]
    fn request_targets_without_a_url_are_not_prefix_reads() {
        for target in [
            "/", "/about", "/wp-login.php", "/.env", "/index.html?x=1", "/https:", "/https:example.com",
            "/x.",
        ] {
            assert_eq!(url_of(target), None, "{target}");
        }
    }
}
