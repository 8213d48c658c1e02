//! Reads sitemaps: XML, sitemap indexes, plain lists of URLs, and feeds, each of which may be
//! gzip-compressed.

use std::{borrow::Cow, io::Read};

use flate2::read::MultiGzDecoder;
use url::Url;

use super::{
    observation::{Observation, ObservationWarning, ObserveError},
    snapshot::{Snapshot, UrlEntry},
    urls::Patterns,
};
use crate::{
    charset,
    feed::{self, FeedInput},
    formats::xml::{self, XmlEvent},
};

/// Maximum number of URLs of a sitemap, including all parts of an index.
pub const MAX_URLS: usize = 200_000;
/// Maximum number of bytes of all URLs of a sitemap, including all parts of an index.
pub(super) const MAX_ALL_BYTES: usize = 32 * 1024 * 1024;
/// Maximum number of sitemaps in an index.
const MAX_CHILDREN: usize = 500;
/// Maximum number of bytes of a decompressed sitemap, as defined by the protocol.
const MAX_BYTES: u64 = 50 * 1024 * 1024;
/// Maximum number of bytes of a URL.
const MAX_URL_BYTES: usize = 4096;

pub(super) fn read(
    bytes: &[u8],
    content_type: Option<&str>,
    address: Option<&Url>,
    include: &[String],
    exclude: &[String],
) -> Result<Observation, ObserveError> {
    let (mut truncated, mut is_damaged) = (false, false);
    let bytes = decompress(bytes, &mut truncated, &mut is_damaged)?;
    let text = charset::decode(&bytes, content_type);
    let mut content = match text.trim_start().chars().next() {
        Some('<') => from_xml(&text, address),
        Some(_) => from_lines(&text),
        None => None,
    };
    if content.is_none() {
        content = from_feed(bytes.into_owned(), content_type, address);
    }
    let Some(SitemapContent { mut urls, sitemaps, is_full, is_cut, .. }) = content else {
        return Err(ObserveError::NotASitemap);
    };
    // In a truncated sitemap, a missing end tag is not an error.
    is_damaged |= is_cut && !truncated;
    truncated |= is_full;
    let patterns = Patterns::new(include, exclude);
    let count = urls.len();
    urls.retain(|entry| Url::parse(&entry.url).is_ok_and(|url| patterns.keep(&url)));
    let left_nothing = urls.is_empty() && count > 0;
    truncated |= normalize(&mut urls);
    let mut observation = Observation::of(Snapshot::Urls(urls));
    observation.sitemaps = sitemaps;
    if truncated {
        observation.warnings.push(ObservationWarning::TruncatedSource);
    }
    if is_damaged {
        observation.warnings.push(ObservationWarning::IncompleteSource);
    }
    if left_nothing {
        observation.warnings.push(ObservationWarning::PatternsLeaveNothing);
    }
    Ok(observation)
}

/// Sorts the URLs, removes duplicates (the latest date is retained), and enforces the limits. Returns true if
/// URLs were dropped.
pub(super) fn normalize(urls: &mut Vec<UrlEntry>) -> bool {
    urls.sort_unstable_by(|one, other| one.url.cmp(&other.url).then(other.lastmod.cmp(&one.lastmod)));
    urls.dedup_by(|one, other| one.url == other.url);
    let mut bytes = 0;
    let fits = urls.iter().take(MAX_URLS).take_while(|entry| {
        bytes += size(entry);
        bytes <= MAX_ALL_BYTES
    });
    let fits = fits.count();
    let dropped = urls.len() > fits;
    urls.truncate(fits);
    dropped
}

impl Snapshot {
    /// Adds the URLs of another part of the same sitemap. Has no effect on snapshots of other kinds.
    pub fn absorb(&mut self, other: Self) {
        if let (Self::Urls(urls), Self::Urls(more)) = (self, other) {
            urls.extend(more);
            normalize(urls);
        }
    }
}

fn size(entry: &UrlEntry) -> usize {
    entry.url.len() + entry.lastmod.as_ref().map_or(0, String::len)
}

#[derive(Default)]
struct SitemapContent {
    urls: Vec<UrlEntry>,
    sitemaps: Vec<UrlEntry>,
    /// Total bytes of the URLs.
    bytes: usize,
    /// True if the sitemap contains more URLs than the limits allow.
    is_full: bool,
    /// True if the end of the sitemap is missing.
    is_cut: bool,
}

impl SitemapContent {
    /// Adds a URL if the limits allow it.
    fn push(&mut self, entry: UrlEntry) {
        let bytes = self.bytes + size(&entry);
        self.is_full |= self.urls.len() > MAX_URLS || bytes > MAX_ALL_BYTES;
        if !self.is_full {
            self.bytes = bytes;
            self.urls.push(entry);
        }
    }
}

fn decompress<'b>(
    bytes: &'b [u8],
    truncated: &mut bool,
    is_damaged: &mut bool,
) -> Result<Cow<'b, [u8]>, ObserveError> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut text = Vec::new();
    let result = MultiGzDecoder::new(bytes).take(MAX_BYTES + 1).read_to_end(&mut text);
    if result.is_err() && text.is_empty() {
        return Err(ObserveError::NotASitemap);
    }
    *is_damaged |= result.is_err();
    *truncated |= u64::try_from(text.len()).unwrap_or(u64::MAX) > MAX_BYTES;
    Ok(Cow::Owned(text))
}

#[derive(Default)]
struct SitemapEntry {
    loc: String,
    lastmod: String,
}

fn from_xml(text: &str, address: Option<&Url>) -> Option<SitemapContent> {
    let mut content = SitemapContent::default();
    let (mut is_sitemap, mut is_closed) = (false, false);
    // Names of the open elements, the root first. They distinguish the `loc` of a `url` from the `loc` of an
    // image inside it.
    let mut open: Vec<String> = Vec::new();
    let mut entry = SitemapEntry::default();
    xml::walk(text, |step| match step {
        XmlEvent::Open(name, _) => {
            if open.is_empty() {
                is_sitemap = matches!(name, "urlset" | "sitemapindex");
            }
            if open.len() == 1 {
                entry = SitemapEntry::default();
            }
            if open.len() < 64 {
                open.push(name.to_owned());
            }
        }
        XmlEvent::Text(text) => match open.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            [_, "url" | "sitemap", "loc"] => entry.loc.push_str(text),
            [_, "url" | "sitemap", "lastmod"] => entry.lastmod.push_str(text),
            _ => {}
        },
        XmlEvent::Close(name) => {
            is_closed |= matches!(name, "urlset" | "sitemapindex");
            if open.last().is_some_and(|last| last == name) {
                open.pop();
            }
            if open.len() == 1 && matches!(name, "url" | "sitemap") {
                let Some(ready) = to_url_entry(&std::mem::take(&mut entry), address) else { return };
                match name {
                    "sitemap" if content.sitemaps.len() < MAX_CHILDREN => content.sitemaps.push(ready),
                    "url" => content.push(ready),
                    _ => {}
                }
            }
        }
    });
    content.is_cut = !is_closed;
    is_sitemap.then_some(content)
}

fn to_url_entry(entry: &SitemapEntry, address: Option<&Url>) -> Option<UrlEntry> {
    let lastmod = entry.lastmod.trim();
    let is_plain = lastmod.len() <= 64 && !lastmod.chars().any(char::is_control);
    let lastmod = (!lastmod.is_empty() && is_plain).then(|| lastmod.to_owned());
    Some(UrlEntry { url: web_address(&entry.loc, address)?, lastmod })
}

fn web_address(text: &str, address: Option<&Url>) -> Option<String> {
    let text = text.trim();
    if text.is_empty() || text.len() > MAX_URL_BYTES {
        return None;
    }
    let mut url = match address {
        Some(address) => address.join(text).ok()?,
        None => Url::parse(text).ok()?,
    };
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return None;
    }
    url.set_fragment(None);
    Some(url.into())
}

/// Reads a list with one URL per line. `None` if it contains other text or no URL.
fn from_lines(text: &str) -> Option<SitemapContent> {
    let mut content = SitemapContent::default();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()).take(MAX_URLS + 1) {
        content.push(UrlEntry { url: web_address(line, None)?, lastmod: None });
    }
    (!content.urls.is_empty()).then_some(content)
}

/// Reads a feed, which the protocol allows as a sitemap.
fn from_feed(body: Vec<u8>, content_type: Option<&str>, address: Option<&Url>) -> Option<SitemapContent> {
    let feed = feed::parse(&FeedInput {
        body,
        content_type: content_type.map(str::to_owned),
        base_url: address.map(|url| url.as_str().to_owned()),
        ..FeedInput::default()
    });
    feed.kind?;
    let mut addresses = SitemapContent::default();
    for url in feed.entries.into_iter().filter_map(|entry| entry.url) {
        addresses.push(UrlEntry { url, lastmod: None });
    }
    Some(addresses)
}
