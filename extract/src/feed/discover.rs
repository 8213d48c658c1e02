//! Finds candidate feed URLs of a site: from the URL alone for known sites, from the `Link` headers and `link`
//! elements of a page, and from common paths. Nothing is fetched.

use serde::{Deserialize, Serialize};
use url::Url;

use super::tokens::{MarkupToken, Tokens, attributes};
use super::{decode, link_header, text, urls};

/// Maximum candidates per result.
const MAX_CANDIDATES: usize = 20;
/// Maximum bytes read from a page. Feeds are declared in its head.
const MAX_PAGE_BYTES: usize = 2 * 1024 * 1024;

/// URL that may be a feed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeedCandidate {
    pub feed_url: String,
    /// Title that the page gives to the feed.
    pub title: Option<String>,
    /// Media type that the page declares, else the usual one.
    pub media_type: String,
}

impl FeedCandidate {
    fn new(feed_url: String, media_type: &str) -> Self {
        Self { feed_url, title: None, media_type: media_type.to_owned() }
    }
}

const RSS: &str = "application/rss+xml";
const ATOM: &str = "application/atom+xml";
const JSON: &str = "application/feed+json";

/// Feeds that follow from the URL by the rules of a known site: `YouTube`, GitHub, `GitLab`, Reddit, profiles
/// of Mastodon and similar servers, Medium, Substack, Tumblr, Bluesky and Stack Exchange.
pub fn by_site_rule(address: &str) -> Vec<FeedCandidate> {
    let Ok(url) = Url::parse(address) else { return Vec::new() };
    let host =
        url.host_str().unwrap_or_default().trim_start_matches("www.").trim_start_matches("m.").to_owned();
    let path: Vec<&str> = url.path().split('/').filter(|part| !part.is_empty()).collect();
    let feeds = match host.as_str() {
        "youtube.com" | "youtu.be" | "music.youtube.com" => youtube(&url, &path),
        "github.com" => github(&path),
        "reddit.com" | "old.reddit.com" => reddit(&path),
        "medium.com" => {
            path.first().map(|user| (format!("https://medium.com/feed/{user}"), RSS)).into_iter().collect()
        }
        "bsky.app" => match path.as_slice() {
            ["profile", user, ..] => vec![(format!("https://bsky.app/profile/{user}/rss"), RSS)],
            _ => Vec::new(),
        },
        host if host.ends_with(".substack.com") => vec![(format!("https://{host}/feed"), RSS)],
        host if host.ends_with(".tumblr.com") => vec![(format!("https://{host}/rss"), RSS)],
        host if host.starts_with("gitlab.") => match path.as_slice() {
            [group, project, ..] => vec![(format!("https://{host}/{group}/{project}.atom"), ATOM)],
            _ => Vec::new(),
        },
        "stackoverflow.com" => match path.as_slice() {
            ["questions", "tagged", tag] => {
                vec![(format!("https://stackoverflow.com/feeds/tag/{tag}"), ATOM)]
            }
            _ => vec![("https://stackoverflow.com/feeds".to_owned(), ATOM)],
        },
        _ => profile(&url, &path),
    };
    feeds.into_iter().map(|(feed, kind)| FeedCandidate::new(feed, kind)).collect()
}

fn youtube(url: &Url, path: &[&str]) -> Vec<(String, &'static str)> {
    const FEEDS: &str = "https://www.youtube.com/feeds/videos.xml";
    let list = url.query_pairs().find(|(name, _)| name == "list").map(|(_, list)| list.into_owned());
    if let Some(list) = list.filter(|list| is_plain_id(list)) {
        return vec![(format!("{FEEDS}?playlist_id={list}"), ATOM)];
    }
    match path {
        ["channel", id, ..] if is_plain_id(id) => vec![(format!("{FEEDS}?channel_id={id}"), ATOM)],
        ["user", name, ..] if is_plain_id(name) => vec![(format!("{FEEDS}?user={name}"), ATOM)],
        _ => Vec::new(),
    }
}

fn github(path: &[&str]) -> Vec<(String, &'static str)> {
    match path {
        [owner] => vec![(format!("https://github.com/{owner}.atom"), ATOM)],
        [owner, repository, rest @ ..] => {
            let root = format!("https://github.com/{owner}/{repository}");
            let releases = (format!("{root}/releases.atom"), ATOM);
            let tags = (format!("{root}/tags.atom"), ATOM);
            let commits = match rest {
                ["commits" | "tree", branch, ..] => (format!("{root}/commits/{branch}.atom"), ATOM),
                _ => (format!("{root}/commits.atom"), ATOM),
            };
            match rest.first() {
                Some(&"commits" | &"tree") => vec![commits, releases, tags],
                Some(&"tags") => vec![tags, releases, commits],
                _ => vec![releases, commits, tags],
            }
        }
        [] => Vec::new(),
    }
}

fn reddit(path: &[&str]) -> Vec<(String, &'static str)> {
    let path = path.join("/");
    let path = path.trim_end_matches(".rss");
    if path.is_empty() {
        return vec![("https://www.reddit.com/.rss".to_owned(), ATOM)];
    }
    vec![(format!("https://www.reddit.com/{path}/.rss"), ATOM)]
}

/// Feed of a profile `https://host/@name`, as on Mastodon and similar servers.
fn profile(url: &Url, path: &[&str]) -> Vec<(String, &'static str)> {
    match (path, url.host_str()) {
        ([name], Some(host)) if name.len() > 1 && name.starts_with('@') && !name[1..].contains('@') => {
            vec![(format!("{}://{host}/{name}.rss", url.scheme()), RSS)]
        }
        _ => Vec::new(),
    }
}

fn is_plain_id(id: &str) -> bool {
    !id.is_empty()
        && id.len() <= 100
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// Feeds that a page names: `link rel=alternate` first, then links whose URL looks like a feed. Comment feeds
/// come last.
pub fn in_page(body: &[u8], content_type: Option<&str>, address: &str) -> Vec<FeedCandidate> {
    let (source, _) = decode::decode(body, content_type, MAX_PAGE_BYTES);
    let mut base = address.to_owned();
    let (mut named, mut linked) = (Vec::new(), Vec::new());
    let mut tokens = Tokens::new(&source);
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
            "meta"
                if attribute(raw, "itemprop")
                    .is_some_and(|kind| kind == "channelId" || kind == "identifier") =>
            {
                named.extend(attribute(raw, "content").and_then(|id| youtube_channel(&id, address)));
            }
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

/// Feed of a link with these attributes, if it is one.
fn declared_feed(attribute: impl Fn(&str) -> Option<String>, base: &str) -> Option<FeedCandidate> {
    let rel = attribute("rel")?.to_ascii_lowercase();
    if !rel.split_ascii_whitespace().any(|rel| rel == "alternate" || rel == "feed") {
        return None;
    }
    let declared = attribute("type").unwrap_or_default().to_ascii_lowercase();
    let media_type = match declared.split(';').next().unwrap_or_default().trim() {
        "application/rss+xml"
        | "application/x.rss+xml"
        | "application/rdf+xml"
        | "text/rss+xml"
        | "text/xml"
        | "application/xml" => RSS,
        "application/atom+xml" | "application/x.atom+xml" => ATOM,
        "application/feed+json" => JSON,
        "application/json" if !rel.contains("oembed") => JSON,
        _ if rel.split_ascii_whitespace().any(|rel| rel == "feed") => RSS,
        _ => return None,
    };
    let feed_url = urls::readable(&urls::join(Some(base), &attribute("href")?)?)?;
    if media_type == JSON && (feed_url.contains("oembed") || feed_url.contains("/wp-json/")) {
        return None;
    }
    let title = attribute("title").map(|title| text::cut(&text::one_line(&text::clean(&title)), 200));
    Some(FeedCandidate {
        feed_url,
        title: title.filter(|title| !title.is_empty()),
        media_type: media_type.to_owned(),
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
        ATOM
    } else if path.ends_with("json") {
        JSON
    } else {
        RSS
    };
    is_feed.then(|| FeedCandidate::new(feed_url, kind))
}

/// Feed of the channel that a YouTube page names in a `meta` element.
fn youtube_channel(id: &str, address: &str) -> Option<FeedCandidate> {
    let host = Url::parse(address).ok()?.host_str()?.to_owned();
    let known = host == "youtube.com" || host.ends_with(".youtube.com");
    (known && id.starts_with("UC") && is_plain_id(id)).then(|| {
        FeedCandidate::new(format!("https://www.youtube.com/feeds/videos.xml?channel_id={id}"), ATOM)
    })
}

/// Common feed paths of a site, nearest first. These are guesses: fetch each one to find out.
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
                    ATOM
                } else if has_extension(&feed, "json") {
                    JSON
                } else {
                    RSS
                };
                FeedCandidate::new(feed, kind)
            })
            .collect(),
    )
}

fn has_extension(name: &str, extension: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case(extension))
}

/// The first candidates, each URL a single time.
pub fn distinct(candidates: Vec<FeedCandidate>) -> Vec<FeedCandidate> {
    let mut unique: Vec<FeedCandidate> = Vec::new();
    for candidate in candidates {
        if unique.len() < MAX_CANDIDATES && !unique.iter().any(|other| other.feed_url == candidate.feed_url) {
            unique.push(candidate);
        }
    }
    unique
}
