//! What is asked of a source and what came back.

use std::time::Duration;

use bytes::Bytes;
use url::Url;

use crate::body_memory::Permit;
use crate::settings::RobotsRule;

/// The largest picture that is fetched, in bytes.
pub const PICTURE_CAP_BYTES: usize = 8 * 1024 * 1024;

/// What kind of answer is wanted: it sets the `Accept` header and the size cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accept {
    /// Something to read, of the types in [`crate::Settings::page_types`].
    Page,
    /// A feed or a sitemap.
    Feed,
    /// Anything.
    Any,
    /// A picture of at most [`PICTURE_CAP_BYTES`].
    Picture,
}

/// How a request shares its host's budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pace {
    /// Somebody waits for it: a few at once per host, no gap.
    #[default]
    Interactive,
    /// Nobody waits for it: one at a time per host, with a gap.
    Background,
}

/// One request to a source.
#[derive(Debug, Clone)]
pub struct Request {
    /// The URL as the user gave it; it is checked again here.
    pub url: String,
    /// What kind of answer is wanted.
    pub accept: Accept,
    /// Sent as `If-None-Match`.
    pub etag: Option<String>,
    /// Sent as `If-Modified-Since`.
    pub last_modified: Option<String>,
    /// The limit for everything together: waiting for the host, robots.txt, DNS, redirects and the body.
    pub deadline: Duration,
    /// Whether robots.txt applies to this request; [`crate::Settings::robots`] can waive it for all.
    pub robots: RobotsRule,
    /// How this request shares its host's budget.
    pub pace: Pace,
}

impl Request {
    /// A page somebody waits for: robots.txt obeyed, 20 s in all.
    pub fn page(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            accept: Accept::Page,
            etag: None,
            last_modified: None,
            deadline: Duration::from_secs(20),
            robots: RobotsRule::Obey,
            pace: Pace::Interactive,
        }
    }

    /// A picture that stands on a page somebody looks at: robots.txt obeyed, 12 s in all.
    pub fn picture(url: impl Into<String>) -> Self {
        Self { accept: Accept::Picture, deadline: Duration::from_secs(12), ..Self::page(url) }
    }

    /// A feed that is polled: feeds are meant to be, so robots.txt is not asked.
    pub fn feed(url: impl Into<String>) -> Self {
        Self { accept: Accept::Feed, robots: RobotsRule::Ignore, pace: Pace::Background, ..Self::page(url) }
    }
}

/// A successful answer: a 2xx with its body, or a 304.
#[derive(Debug, Clone)]
pub struct Fetched {
    /// The URL that answered, after redirects, without a fragment.
    pub url: Url,
    /// The final URL when there was a redirect and every one was 301 or 308.
    pub permanent_url: Option<Url>,
    /// The final HTTP status.
    pub status: u16,
    /// The source answered 304 to our validators; the body is empty.
    pub not_modified: bool,
    /// `Content-Type` as sent.
    pub content_type: Option<String>,
    /// `ETag` as sent.
    pub etag: Option<String>,
    /// `Last-Modified` as sent.
    pub last_modified: Option<String>,
    /// `Cache-Control` as sent, several lines joined by `, `.
    pub cache_control: Option<String>,
    /// `Expires` as sent.
    pub expires: Option<String>,
    /// `Date` as sent; the only clock to read `Expires` by.
    pub date: Option<String>,
    /// `Retry-After` in seconds, whichever form it was sent in.
    pub retry_after_seconds: Option<u64>,
    /// `Link` header lines as sent, at most 20.
    pub links: Vec<String>,
    /// The body, decompressed; its charset is not touched.
    pub body: Bytes,
    /// The permit under which a large body is in memory; keep it as long as the body or what was copied from it.
    pub memory: Option<Permit>,
}
