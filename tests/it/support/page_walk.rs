//! Discovers the pages that a signed-in person can reach by following links, and parses the start tags of
//! pages.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::LazyLock;

use regex::Regex;

use super::browser::Browser;
use super::clock::SECOND;
use super::{HttpAnswer, TestApp};

/// First path segments of the pages that the walk visits.
const AREAS: [&str; 12] = [
    "admin", "collections", "entries", "highlights", "library", "monitors", "save", "search", "settings",
    "subscriptions", "today", "welcome",
];
/// Pages that link to most other pages.
const START_PAGES: [&str; 7] = [
    "/today", "/settings", "/admin", "/library/import", "/library/export", "/subscriptions/opml",
    "/subscriptions/rules",
];
/// Maximum number of visits to one path with different queries.
const MAX_QUERIES: usize = 8;
/// Number of pages at which the walk is considered endless.
const MAX_PAGES: usize = 1_000;

/// Start tag in Carrel's pages: attributes have double quotes or no value.
static TAG: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"^<([A-Za-z][A-Za-z0-9-]*)((?:\s+[A-Za-z][A-Za-z0-9:_.-]*(?:="[^"]*")?)*)\s*/?>"#)
        .expect("the pattern is valid")
});
static ATTRIBUTE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"([A-Za-z][A-Za-z0-9:_.-]*)(?:="([^"]*)")?"#).expect("the pattern is valid")
});

/// Start tag of an element.
#[derive(Debug)]
pub(crate) struct StartTag {
    pub(crate) name: String,
    /// Names and values of the attributes, with character references decoded.
    pub(crate) attributes: Vec<(String, String)>,
}

impl StartTag {
    /// Returns the value of an attribute. `None` if the tag lacks the attribute.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Opens the start pages, the pages in `more`, and all linked pages. Returns the answers by path and query.
pub(crate) async fn walk(
    app: &TestApp,
    browser: &Browser<'_>,
    more: Vec<String>,
) -> BTreeMap<String, HttpAnswer> {
    let mut pages = BTreeMap::new();
    let mut visits: HashMap<String, usize> = HashMap::new();
    let mut targets: VecDeque<String> =
        START_PAGES.iter().map(|path| (*path).to_owned()).chain(more).collect();
    while let Some(target) = targets.pop_front() {
        let path = target.split('?').next().unwrap_or_default().to_owned();
        let count = visits.entry(path).or_default();
        if pages.contains_key(&target) || *count == MAX_QUERIES {
            continue;
        }
        *count += 1;
        // Advances the clock so that no rate limit is exceeded.
        app.clock.advance(SECOND);
        let answer = browser.load(&target).await;
        if is_html(&answer) {
            targets.extend(links(&answer.text()));
        }
        pages.insert(target, answer);
        assert!(pages.len() < MAX_PAGES, "the walk does not end: {:?}", pages.keys());
    }
    pages
}

pub(crate) fn is_html(answer: &HttpAnswer) -> bool {
    answer.header("content-type").starts_with("text/html")
}

/// Returns the targets of links to visited areas, without fragments.
fn links(html: &str) -> Vec<String> {
    let tags = start_tags(html).into_iter().filter(|tag| tag.name == "a");
    let targets = tags.filter_map(|tag| {
        let target = tag.attribute("href")?.split('#').next()?.to_owned();
        let area = target.strip_prefix('/')?.split(['/', '?']).next()?;
        AREAS.contains(&area).then_some(target)
    });
    targets.collect()
}

/// Returns all start tags of a page. Panics if a tag is malformed, which happens if a text is not escaped.
pub(crate) fn start_tags(html: &str) -> Vec<StartTag> {
    let (mut tags, mut rest) = (Vec::new(), html);
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        if !rest[1..].starts_with(|first: char| first.is_ascii_alphabetic()) {
            rest = &rest[1..];
            continue;
        }
        let Some(tag) = TAG.captures(rest) else {
            panic!("a tag is malformed: {}", rest.chars().take(200).collect::<String>())
        };
        let attributes = ATTRIBUTE.captures_iter(&tag[2]).map(|attribute| {
            let value = attribute.get(2).map_or("", |value| value.as_str());
            (attribute[1].to_ascii_lowercase(), unescaped(value))
        });
        tags.push(StartTag { name: tag[1].to_ascii_lowercase(), attributes: attributes.collect() });
        rest = &rest[tag[0].len()..];
    }
    tags
}

fn unescaped(value: &str) -> String {
    value.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}
