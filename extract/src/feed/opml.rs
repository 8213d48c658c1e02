//! Reads and writes subscription lists as OPML 1.0 and 2.0. Accepts the unusual attributes, the letter case
//! and the broken markup that feed readers write. The cost of reading is bounded.

use serde::{Deserialize, Serialize};

use super::text;
use super::tokens::{MarkupToken, MarkupTokens, attributes};
use super::urls;

/// Maximum number of outlines that are read.
const MAX_OUTLINES: usize = 20_000;
const MAX_DEPTH: usize = 32;
const MAX_NAME: usize = 80;
const MAX_TITLE: usize = 500;

/// Feed in a subscription list. An outline without a URL denotes a feed that cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    /// Absolute http(s) URL if it is valid, or else the text as written. Empty if the outline is a feed
    /// without a URL, or if the file is truncated within the URL.
    pub feed_url: String,
    /// URL of the website of the feed.
    pub site_url: Option<String>,
    /// Title that the user gave to the feed.
    pub title: Option<String>,
    /// Names of the enclosing folders, the outermost first.
    pub folders: Vec<String>,
}

/// Reads the feeds of a list in order. `None` if the body has no outline.
pub fn read(body: &[u8]) -> Option<Vec<Outline>> {
    let (source, _) = super::decode::decode(body, None, super::decode::MAX_BODY_BYTES);
    let mut tokens = MarkupTokens::new(&source);
    let mut feeds = Vec::new();
    let mut is_opml = false;
    let mut open: Vec<OpenOutline> = Vec::new();
    // Number of open outlines beyond the maximum depth of folders.
    let mut too_deep = 0_usize;
    while let Some(token) = tokens.next(None) {
        match token {
            MarkupToken::Start { name, attributes: raw, empty, raw: written }
                if name.eq_ignore_ascii_case("outline") =>
            {
                is_opml = true;
                if let Some(parent) = open.last_mut().filter(|parent| parent.is_feed_without_url) {
                    // The outline has content, so it is a folder regardless of its type. It was added as the
                    // last feed.
                    let title = feeds.pop().and_then(|feed: Outline| feed.title);
                    *parent = OpenOutline::folder(title);
                }
                let opened = match outline(raw, empty, written.ends_with('>')) {
                    ParsedOutline::Feed(mut feed) => {
                        feed.folders = open.iter().filter_map(|outline| outline.folder.clone()).collect();
                        let is_feed_without_url = feed.feed_url.is_empty();
                        feeds.push(feed);
                        OpenOutline { folder: None, is_feed_without_url }
                    }
                    ParsedOutline::Folder(name) => OpenOutline::folder(name),
                };
                if !empty && open.len() < MAX_DEPTH {
                    open.push(opened);
                } else if !empty {
                    too_deep += 1;
                }
            }
            MarkupToken::Start { name, .. } if name.eq_ignore_ascii_case("opml") => is_opml = true,
            MarkupToken::End { name, .. } if name.eq_ignore_ascii_case("outline") => {
                if too_deep > 0 {
                    too_deep -= 1;
                } else {
                    open.pop();
                }
            }
            _ => {}
        }
        if feeds.len() >= MAX_OUTLINES {
            break;
        }
    }
    is_opml.then_some(feeds)
}

/// Outline whose end tag has not been read yet.
struct OpenOutline {
    /// Name of the folder. `None` for a feed.
    folder: Option<String>,
    /// True if the outline is declared as a feed but has no URL. It becomes a folder if it contains an
    /// outline.
    is_feed_without_url: bool,
}

impl OpenOutline {
    fn folder(name: Option<String>) -> Self {
        Self { folder: name.map(|name| text::cut(&name, MAX_NAME)), is_feed_without_url: false }
    }
}

enum ParsedOutline {
    Feed(Outline),
    Folder(Option<String>),
}

/// Parses an outline. `empty` is true if it has no content, and `whole` if its tag is closed.
fn outline(raw: &str, empty: bool, whole: bool) -> ParsedOutline {
    let mut attributes = attributes(raw);
    // The last value of an unclosed tag may be incomplete. A truncated URL can denote another server.
    let is_cut = !whole && !raw.trim_end().ends_with(['"', '\'']);
    let cut_url = attributes.pop_if(|(name, _)| is_cut && name.to_ascii_lowercase().ends_with("url"));
    let value = |attribute_name: &str| {
        let matching = attributes.iter().find(|(name, _)| name.eq_ignore_ascii_case(attribute_name));
        let value = matching.map(|(_, value)| text::one_line(&text::clean(&text::unescape(value))));
        value.filter(|value| !value.is_empty())
    };
    let name = value("title").or_else(|| value("text"));
    let link =
        value("xmlUrl").or_else(|| value("type").filter(|kind| kind == "rss").and_then(|_| value("url")));
    let is_kind = |kind: String| ["rss", "atom"].iter().any(|known| kind.eq_ignore_ascii_case(known));
    let is_cut_url = cut_url.is_some_and(|(name, _)| name.eq_ignore_ascii_case("xmlUrl"));
    let is_feed = value("type").is_some_and(is_kind) || empty && value("htmlUrl").is_some() || is_cut_url;
    let Some(link) = link.or_else(|| is_feed.then(String::new)) else { return ParsedOutline::Folder(name) };
    let readable = urls::readable(&urls::without_feed_scheme(&link));
    ParsedOutline::Feed(Outline {
        feed_url: readable.unwrap_or(link),
        site_url: value("htmlUrl").as_deref().and_then(urls::readable),
        title: name.map(|name| text::cut(&name, MAX_TITLE)),
        folders: Vec::new(),
    })
}

/// Writes a list as OPML 2.0. Feeds in the same folders are grouped, in the given order.
pub fn write(title: &str, feeds: &[Outline]) -> String {
    let mut lines = vec![
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>".to_owned(),
        "<opml version=\"2.0\">".to_owned(),
        format!("  <head><title>{}</title></head>", escape_attribute(title)),
        "  <body>".to_owned(),
    ];
    let all: Vec<&Outline> = feeds.iter().collect();
    write_level(&mut lines, &all, 0);
    lines.extend(["  </body>".to_owned(), "</opml>".to_owned(), String::new()]);
    lines.join("\n")
}

fn write_level(lines: &mut Vec<String>, feeds: &[&Outline], depth: usize) {
    let indent = "  ".repeat(depth + 2);
    let mut folders: Vec<&str> = Vec::new();
    for feed in feeds {
        match feed.folders.get(depth).map(String::as_str) {
            None => lines.push(format!("{indent}{}", outline_element(feed))),
            Some(folder) if !folders.contains(&folder) => folders.push(folder),
            Some(_) => {}
        }
    }
    for folder in folders {
        let lies_in = |feed: &&&Outline| feed.folders.get(depth).is_some_and(|name| name == folder);
        let inside: Vec<&Outline> = feeds.iter().filter(lies_in).copied().collect();
        lines.push(format!("{indent}<outline text=\"{0}\" title=\"{0}\">", escape_attribute(folder)));
        write_level(lines, &inside, depth + 1);
        lines.push(format!("{indent}</outline>"));
    }
}

fn outline_element(feed: &Outline) -> String {
    let title = escape_attribute(feed.title.as_deref().unwrap_or(&feed.feed_url));
    let site = feed
        .site_url
        .as_deref()
        .map(|site| format!(" htmlUrl=\"{}\"", escape_attribute(site)))
        .unwrap_or_default();
    format!(
        "<outline type=\"rss\" text=\"{title}\" title=\"{title}\" xmlUrl=\"{}\"{site}/>",
        escape_attribute(&feed.feed_url)
    )
}

fn escape_attribute(value: &str) -> String {
    text::escape(&text::clean(value)).replace('"', "&quot;").replace(['\n', '\r', '\t'], " ")
}
