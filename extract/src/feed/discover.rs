//! Finds candidate feed URLs of a site: from the URL alone for known services ([`site_rules`]), from the `Link`
//! headers and `link` elements of a page, and from common paths. Nothing is fetched.

use url::Url;

use super::parsed_feed::FeedKind;
use super::tokens::{MarkupToken, MarkupTokens, attributes};
use super::{bridges, decode, link_header, text, urls};

pub use super::bridges::{SiteRules, site_rules};
pub use super::candidate::FeedCandidate;

/// Maximum number of candidates per result.
const MAX_CANDIDATES: usize = 20;
/// Maximum number of bytes read from a page. Feeds are declared in its head.
const MAX_PAGE_BYTES: usize = 2 * 1024 * 1024;

/// Feeds that a page names: first `link rel=alternate` elements, then links whose URLs resemble feed URLs.
/// Comment feeds come last.
pub fn in_page(body: &[u8], content_type: Option<&str>, address: &str) -> Vec<FeedCandidate> {
    let (source, _) = decode::decode(body, content_type, MAX_PAGE_BYTES);
    let mut base = address.to_owned();
    let (mut named, mut linked) = (bridges::in_document(&source, address), Vec::new());
    let mut tokens = MarkupTokens::new(&source);
    while let Some(token) = tokens.next(None) {
        let MarkupToken::Start { name, attributes: raw, .. } = token else { continue };
        match name.to_ascii_lowercase().as_str() {
            "base" => {
                if let Some(href) = attribute(raw, "href").and_then(|href| urls::join(Some(address), &href)) {
                    base = href;
                }
            }
            "link" => named.extend(alternate(raw, &base)),
            "a" if linked.len() < MAX_CANDIDATES => linked.extend(anchor(raw, &base)),
            "meta" => named.extend(meta(raw, address)),
            _ => {}
        }
    }
    named.extend(linked);
    let is_comments = |candidate: &FeedCandidate| {
        candidate.feed_url.contains("/comments/")
            || candidate.title.as_deref().is_some_and(|title| title.to_lowercase().contains("comment"))
    };
    named.sort_by_key(is_comments);
    distinct(named)
}

fn attribute(raw: &str, attribute_name: &str) -> Option<String> {
    let matching = attributes(raw).into_iter().find(|(name, _)| name.eq_ignore_ascii_case(attribute_name));
    matching.map(|(_, value)| text::unescape(value).trim().to_owned())
}

fn alternate(raw: &str, base: &str) -> Option<FeedCandidate> {
    declared_feed(|name| attribute(raw, name), base)
}

/// Feeds that the `Link` headers of the page at `address` name.
pub fn in_headers(lines: &[String], address: &str) -> Vec<FeedCandidate> {
    let links = lines.iter().flat_map(|line| link_header::parse(line));
    let feeds = links.filter_map(|link| {
        let attribute = |name: &str| match name {
            "href" => Some(link.url.clone()),
            _ => link.parameter(name).map(str::to_owned),
        };
        declared_feed(attribute, address)
    });
    distinct(feeds.collect())
}

/// Feed of a link with these attributes. `None` if the link is not to a feed.
fn declared_feed(attribute: impl Fn(&str) -> Option<String>, base: &str) -> Option<FeedCandidate> {
    let rel = attribute("rel")?.to_ascii_lowercase();
    if !rel.split_ascii_whitespace().any(|rel| rel == "alternate" || rel == "feed") {
        return None;
    }
    let declared = attribute("type").unwrap_or_default().to_ascii_lowercase();
    let kind = match declared.split(';').next().unwrap_or_default().trim() {
        "application/rss+xml"
        | "application/x.rss+xml"
        | "application/rdf+xml"
        | "text/rss+xml"
        | "text/xml"
        | "application/xml" => FeedKind::Rss,
        "application/atom+xml" | "application/x.atom+xml" => FeedKind::Atom,
        "application/feed+json" => FeedKind::Json,
        "application/json" if !rel.contains("oembed") => FeedKind::Json,
        _ if rel.split_ascii_whitespace().any(|rel| rel == "feed") => FeedKind::Rss,
        _ => return None,
    };
    let feed_url = urls::readable(&urls::join(Some(base), &attribute("href")?)?)?;
    if kind == FeedKind::Json && (feed_url.contains("oembed") || feed_url.contains("/wp-json/")) {
        return None;
    }
    let title = attribute("title").map(|title| text::cut(&text::one_line(&text::clean(&title)), 200));
    Some(FeedCandidate {
        title: title.filter(|title| !title.is_empty()),
        ..FeedCandidate::new(feed_url, kind)
    })
}

fn anchor(raw: &str, base: &str) -> Option<FeedCandidate> {
    let href = attribute(raw, "href")?;
    let feed_url = urls::readable(&urls::join(Some(base), &urls::without_feed_scheme(&href))?)?;
    let url = Url::parse(&feed_url).ok()?;
    let path = url.path().trim_end_matches('/').to_ascii_lowercase();
    let last = path.rsplit('/').next().unwrap_or_default();
    let is_feed = matches!(
        last,
        "feed" | "rss" | "atom" | "feed.xml" | "rss.xml" | "atom.xml" | "index.xml" | "feed.json"
    ) || has_extension(last, "rss")
        || has_extension(last, "atom");
    let kind = if path.contains("atom") {
        FeedKind::Atom
    } else if path.ends_with("json") {
        FeedKind::Json
    } else {
        FeedKind::Rss
    };
    is_feed.then(|| FeedCandidate::new(feed_url, kind))
}

/// Feed that a `meta` element on a page of a known service identifies.
fn meta(raw: &str, address: &str) -> Option<FeedCandidate> {
    let property = attribute(raw, "itemprop").or_else(|| attribute(raw, "property"))?;
    bridges::in_meta(&property, &attribute(raw, "content")?, address)
}

/// Common feed paths of a site, the nearest first. They are guesses: the caller has to fetch each URL.
pub fn well_known(address: &str) -> Vec<FeedCandidate> {
    const PATHS: &[&str] = &["feed", "rss.xml", "atom.xml", "feed.xml", "index.xml", "rss", "feed.json"];
    let Ok(url) = Url::parse(address) else { return Vec::new() };
    let mut guesses = Vec::new();
    let mut below = url.clone();
    below.set_query(None);
    below.set_fragment(None);
    if !below.path().ends_with('/') {
        below.set_path(&format!("{}/", below.path()));
    }
    if below.path() != "/" && below.path().len() < 200 {
        guesses.extend(below.join("feed").ok());
    }
    guesses.extend(PATHS.iter().filter_map(|path| url.join(&format!("/{path}")).ok()));
    distinct(
        guesses
            .into_iter()
            .filter_map(|url| urls::readable(url.as_str()))
            .map(|feed| {
                let kind = if feed.ends_with("atom.xml") {
                    FeedKind::Atom
                } else if has_extension(&feed, "json") {
                    FeedKind::Json
                } else {
                    FeedKind::Rss
                };
                FeedCandidate::new(feed, kind)
            })
            .collect(),
    )
}

fn has_extension(name: &str, extension: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case(extension))
}

/// The first `MAX_CANDIDATES` candidates, without repeated URLs.
pub fn distinct(candidates: Vec<FeedCandidate>) -> Vec<FeedCandidate> {
    let mut unique: Vec<FeedCandidate> = Vec::new();
    for candidate in candidates {
        if unique.len() < MAX_CANDIDATES && !unique.iter().any(|other| other.feed_url == candidate.feed_url) {
            unique.push(candidate);
        }
    }
    unique
}
