//! Requests to sources and their results.

use std::time::Duration;

use bytes::Bytes;
use permits::Pace;
use url::Url;

use crate::body_memory::LargeBodyPermit;
use crate::settings::RobotsRule;

/// Maximum size of a fetched picture, in bytes.
pub const PICTURE_CAP_BYTES: usize = 8 * 1024 * 1024;

/// Kind of the requested content. Sets the `Accept` header and the size cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accept {
    /// Text, of the types in [`crate::FetcherSettings::page_types`].
    Page,
    /// Feed or sitemap.
    Feed,
    Any,
    /// Picture of at most [`PICTURE_CAP_BYTES`].
    Picture,
}

/// Value of the header `Authorization`. Never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Authorization(pub String);

impl std::fmt::Debug for Authorization {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Authorization")
    }
}

/// Header of one request. Its value is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct RequestHeader {
    pub name: String,
    pub value: String,
}

impl std::fmt::Debug for RequestHeader {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.name)
    }
}

/// Method of a request with a body.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BodyMethod {
    #[default]
    Post,
    Put,
    Patch,
}

/// Body of a request. Never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct OutgoingBody {
    pub method: BodyMethod,
    pub content_type: String,
    pub text: String,
}

impl std::fmt::Debug for OutgoingBody {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("OutgoingBody")
    }
}

/// Cookies of earlier fetches, in the format of Netscape's cookie files. Never printed.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct StoredCookies(pub String);

impl std::fmt::Debug for StoredCookies {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("StoredCookies")
    }
}

/// Cookies with which a request starts, and the current time. Expired cookies are dropped.
#[derive(Debug, Clone)]
pub struct CookieState {
    pub stored: StoredCookies,
    /// Seconds since the Unix epoch.
    pub now: i64,
}

/// Request to a source.
#[derive(Debug, Clone)]
pub struct Request {
    /// URL as sent by the user. It is checked again before the fetch.
    pub url: String,
    pub accept: Accept,
    /// Sent as `If-None-Match`.
    pub etag: Option<String>,
    /// Sent as `If-Modified-Since`.
    pub last_modified: Option<String>,
    /// Sent to the origin of the URL only.
    pub authorization: Option<Authorization>,
    /// Additional headers, sent to the origin of the URL only. They replace headers of the fetcher with the
    /// same names.
    pub headers: Vec<RequestHeader>,
    /// Body and its method, sent to the origin of the URL only. `None` for a GET. A redirect is followed with a GET,
    /// unless its status requires the same method (307, 308).
    pub body: Option<OutgoingBody>,
    /// Replaces [`crate::FetcherSettings::user_agent`] for every hop. robots.txt files are still matched
    /// against the product token of the crawler.
    pub user_agent: Option<String>,
    /// True if a final response with an error status counts as a success. 429 is always an error.
    pub any_status: bool,
    /// Name of the proxy for every hop and for robots.txt. Never replaced by a direct request.
    pub proxy: Option<String>,
    /// True if a GET returns the headers of the response and does not read its body.
    pub headers_only: bool,
    /// True if a redirect to another origin is refused. Set for URLs that contain a secret.
    pub is_origin_bound: bool,
    /// Cookies with which the request starts. `None` starts without cookies and returns none.
    pub cookies: Option<CookieState>,
    /// Total time limit: wait for the host, robots.txt, DNS, redirects, and body.
    pub deadline: Duration,
    /// Treatment of robots.txt. [`crate::FetcherSettings::robots`] can waive robots.txt for all requests.
    pub robots: RobotsRule,
    /// Interactive requests to a host run a few at a time without a gap. Background requests run one at a
    /// time with a gap.
    pub pace: Pace,
}

impl Request {
    /// Request for a page for which a caller waits. It obeys robots.txt, and its deadline is 20 seconds.
    pub fn page(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            accept: Accept::Page,
            etag: None,
            last_modified: None,
            authorization: None,
            headers: Vec::new(),
            body: None,
            user_agent: None,
            any_status: false,
            proxy: None,
            headers_only: false,
            is_origin_bound: false,
            cookies: None,
            deadline: Duration::from_secs(20),
            robots: RobotsRule::Obey,
            pace: Pace::Interactive,
        }
    }

    /// Request for a picture of a page that is being viewed. It obeys robots.txt, and its deadline is 12
    /// seconds.
    pub fn picture(url: impl Into<String>) -> Self {
        Self { accept: Accept::Picture, deadline: Duration::from_secs(12), ..Self::page(url) }
    }

    /// Request for a polled feed. Feeds exist to be polled, so robots.txt is not checked.
    pub fn feed(url: impl Into<String>) -> Self {
        Self { accept: Accept::Feed, robots: RobotsRule::Ignore, pace: Pace::Background, ..Self::page(url) }
    }
}

/// Successful response: a 2xx with its body, a 304, or any status that the request accepts.
#[derive(Debug, Clone)]
pub struct Fetched {
    /// URL that answered, after redirects, without a fragment.
    pub url: Url,
    /// Final URL if there was a redirect and all redirects were 301 or 308.
    pub permanent_url: Option<Url>,
    /// Final HTTP status.
    pub status: u16,
    /// True if the source answered 304 to a conditional request. The body is then empty.
    pub not_modified: bool,
    /// `Content-Type` as sent.
    pub content_type: Option<String>,
    /// `ETag` as sent.
    pub etag: Option<String>,
    /// `Last-Modified` as sent.
    pub last_modified: Option<String>,
    /// `Cache-Control` as sent, with several lines joined by `, `.
    pub cache_control: Option<String>,
    /// `Expires` as sent.
    pub expires: Option<String>,
    /// `Date` as sent. `Expires` may be compared only with this time, because the clock of the server may be
    /// wrong.
    pub date: Option<String>,
    /// `Retry-After` in seconds, for both forms of the header.
    pub retry_after_seconds: Option<u64>,
    /// Cookies after the fetch. `None` if [`Request::cookies`] was `None`.
    pub cookies: Option<StoredCookies>,
    /// `Link` header lines as sent, at most 20.
    pub links: Vec<String>,
    /// Headers of the response to a request with [`Request::headers_only`], otherwise empty. Names are
    /// in lower case, and several lines with the same name are joined by `, `.
    pub headers: Vec<(String, String)>,
    /// Decompressed body in its original charset.
    pub body: Bytes,
    /// Permit for a large body. Required while the body or a copy of it exists.
    pub body_permit: Option<LargeBodyPermit>,
}

impl Fetched {
    /// Drops the body and releases its permit, for a caller that needs only the metadata from now on. A
    /// caller must not hold the permit while it makes further requests or waits for a database.
    pub fn release_body(&mut self) {
        self.body = Bytes::new();
        self.body_permit = None;
    }
}
