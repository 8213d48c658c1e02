//! Scans the tags of a feed in one linear pass before parsing. Determines whether feed-rs would understand
//! the whole feed, and reads the polling hints and the categories of entries.

use std::borrow::Cow;
use std::collections::HashSet;

use super::builder::RawFeed;
use super::dates::DateOrder;
use super::names::{self, Vocabulary};
use super::tokens::{MarkupToken, MarkupTokens, attributes};
use super::{Hub, PollingHints, categories, text, urls};

/// Result of the scan.
pub(super) struct FeedScan {
    /// True if feed-rs would lose or misread data. In that case, use the tolerant parser.
    pub(super) needs_tolerant: bool,
    /// True if a guid is declared not to be a URL.
    pub(super) no_permalinks: bool,
    pub(super) hints: PollingHints,
    pub(super) hub: Hub,
    /// Absolute URL of the channel's website: the base of relative URLs in RSS.
    pub(super) site: Option<String>,
    /// Order of day and month in numeric dates, from the language of the feed.
    pub(super) date_order: DateOrder,
    categories: ScannedCategories,
}

impl FeedScan {
    /// Adds the categories of the entries to a feed that was parsed by feed-rs, which reads only some
    /// categories.
    pub(super) fn add_categories(&self, feed: &mut RawFeed) {
        // If the number of entries differs, the position of an entry does not identify it.
        if self.categories.entries != feed.entries.len() {
            return;
        }
        for (position, stated) in &self.categories.by_entry {
            if let Some(entry) = feed.entries.get_mut(*position) {
                entry.categories.extend(stated.iter().cloned());
            }
        }
    }
}

/// Categories of the entries of a document.
#[derive(Default)]
struct ScannedCategories {
    /// Number of entries of the document.
    entries: usize,
    /// Position of each entry with categories, and its categories as the feed states them.
    by_entry: Vec<(usize, Vec<String>)>,
}

/// Element with categories whose end tag has not been read yet.
struct OpenCategory<'a> {
    vocabulary: Vocabulary,
    local: &'a str,
    raw: &'a str,
    content: String,
}

/// Elements in RSS that feed-rs drops or misplaces although they contain data of an entry.
const UNSUPPORTED_IN_RSS: &[&str] = &[
    "body", "fullitem", "modified", "issued", "created", "summary", "content", "abstract", "published",
    "tagline", "subtitle", "date", "id", "entry", "xhtml:body", "xhtml:div", "dc:title", "dc:description",
    "dc:author", "dc:date", "itunes:summary", "itunes:author", "media:title", "media:description",
    "dcterms:issued", "dcterms:modified", "dcterms:created", "dc:identifier", "media:content",
    "media:thumbnail", "itunes:duration", "itunes:season", "itunes:episode", "itunes:episodetype",
    "itunes:explicit", "media:credit",
];
/// Elements that feed-rs drops in an RSS channel outside the items.
const UNSUPPORTED_IN_CHANNEL: &[&str] = &["author", "dc:creator"];
/// Elements that feed-rs drops or misplaces in Atom.
const UNSUPPORTED_IN_ATOM: &[&str] = &[
    "issued", "modified", "created", "tagline", "copyright", "description", "guid", "item", "pubdate",
    "content:encoded", "dc:title", "dc:creator", "dc:author", "dc:date", "dc:description", "dcterms:issued",
    "dcterms:modified", "dcterms:created", "xhtml:body", "media:title", "media:description", "fullitem",
    "abstract", "enclosure", "itunes:author", "itunes:summary", "source", "dc:identifier", "media:content",
    "media:thumbnail", "itunes:duration", "itunes:season", "itunes:episode", "itunes:episodetype",
    "itunes:explicit", "media:credit",
];
/// Core elements that feed-rs recognises only in this letter case.
const MIXED_CASE: &[&str] =
    &["pubDate", "managingEditor", "webMaster", "lastBuildDate", "skipHours", "skipDays", "textInput", "RDF"];
const CORE: &[&str] = &[
    "rss", "rdf", "feed", "channel", "item", "entry", "title", "link", "description", "guid", "pubdate",
    "managingeditor", "webmaster", "lastbuilddate", "skiphours", "skipdays", "textinput", "author",
    "category", "enclosure", "published", "updated",
];
/// Fields that occur once per entry. A second occurrence would replace the first.
const SINGLE: &[&str] = &["title", "description", "guid", "pubDate", "id", "link", "content", "published"];

/// Scans all tags of `source`.
pub(super) fn scan(source: &str, base: Option<&str>) -> FeedScan {
    let mut scanner = Scanner {
        needs_tolerant: false,
        no_permalinks: false,
        hints: PollingHints::default(),
        hub: Hub::default(),
        base,
        site: None,
        date_order: DateOrder::default(),
        prefixes: HashSet::new(),
        root: Root::None,
        entry: None,
        markup_depth: 0,
        current_element: None,
        skip: Skip::Nothing,
        categories: ScannedCategories::default(),
        open_category: None,
    };
    let mut tokens = MarkupTokens::new(source);
    while let Some(token) = tokens.next(None) {
        match token {
            MarkupToken::Start { name, attributes: raw, empty, .. } => scanner.start(name, raw, empty),
            MarkupToken::End { name, .. } => scanner.end(name),
            MarkupToken::Text(text) => {
                scanner.category_content(text, text::unescape);
                scanner.text(text);
            }
            MarkupToken::Cdata(text) => {
                scanner.category_content(text, Cow::Borrowed);
                scanner.text(text);
            }
        }
    }
    if let Root::None | Root::Other = scanner.root {
        scanner.needs_tolerant = true;
    }
    FeedScan {
        needs_tolerant: scanner.needs_tolerant,
        no_permalinks: scanner.no_permalinks,
        hints: scanner.hints,
        hub: scanner.hub,
        site: scanner.site,
        date_order: scanner.date_order,
        categories: scanner.categories,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    None,
    Rss,
    Atom,
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Skip {
    Nothing,
    Hours,
    Days,
}

struct Scanner<'a> {
    needs_tolerant: bool,
    no_permalinks: bool,
    hints: PollingHints,
    hub: Hub,
    base: Option<&'a str>,
    site: Option<String>,
    date_order: DateOrder,
    prefixes: HashSet<&'a str>,
    root: Root,
    /// Bit set of the [`SINGLE`] fields seen in the current entry.
    entry: Option<u16>,
    markup_depth: usize,
    current_element: Option<&'a str>,
    skip: Skip,
    categories: ScannedCategories,
    open_category: Option<OpenCategory<'a>>,
}

impl<'a> Scanner<'a> {
    fn start(&mut self, name: &'a str, raw: &'a str, empty: bool) {
        if raw.contains("xmlns") || raw.contains("xml:base") {
            self.declarations(raw);
        }
        if self.root == Root::None {
            return self.root(name, raw);
        }
        if self.markup_depth > 0 {
            self.markup_depth += usize::from(!empty);
            return;
        }
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        if !prefix.is_empty() && !self.prefixes.contains(prefix) {
            // feed-rs treats an element with an undeclared prefix as an RSS element.
            self.needs_tolerant = true;
        }
        let vocabulary = names::vocabulary_of_prefix(prefix);
        if vocabulary == Vocabulary::Core {
            self.core(local, raw, empty, !prefix.is_empty());
        }
        self.current_element = (!empty).then_some(local);
        self.check_unsupported(name, local, prefix);
        self.category_start(vocabulary, local, raw, empty);
    }

    fn category_start(&mut self, vocabulary: Vocabulary, local: &'a str, raw: &'a str, empty: bool) {
        if self.entry.is_some() && categories::is_category(vocabulary, local) {
            self.open_category = Some(OpenCategory { vocabulary, local, raw, content: String::new() });
            if empty {
                self.close_category();
            }
        }
    }

    fn category_content(&mut self, written: &'a str, read: impl Fn(&'a str) -> Cow<'a, str>) {
        if let Some(open) = &mut self.open_category {
            open.content.push_str(&read(written));
        }
    }

    fn close_category(&mut self) {
        let Some(open) = self.open_category.take() else { return };
        let position = self.categories.entries.saturating_sub(1);
        if self.categories.by_entry.last().is_none_or(|(last, _)| *last != position) {
            self.categories.by_entry.push((position, Vec::new()));
        }
        if let Some((_, stated)) = self.categories.by_entry.last_mut() {
            categories::add_stated(stated, open.vocabulary, &attributes(open.raw), &open.content);
        }
    }

    fn root(&mut self, name: &'a str, raw: &'a str) {
        let attributes = attributes(raw);
        let value = |attribute_name: &str| {
            attributes.iter().find(|(key, _)| *key == attribute_name).map(|(_, value)| *value)
        };
        if let Some(language) = value("xml:lang") {
            self.date_order = DateOrder::of_language(language);
        }
        self.root = match name {
            "rss" if matches!(value("version"), Some("2.0" | "0.91" | "0.92")) => Root::Rss,
            "feed" if value("xmlns") == Some("http://www.w3.org/2005/Atom") => Root::Atom,
            _ => Root::Other,
        };
    }

    fn declarations(&mut self, raw: &'a str) {
        for (key, value) in attributes(raw) {
            if let Some(prefix) = key.strip_prefix("xmlns:") {
                self.prefixes.insert(prefix);
                // A known prefix is bound to another vocabulary, or a known vocabulary has a nonstandard URL.
                let misspelt = !names::is_known_to_strict_parser(value);
                let misused = names::vocabulary_of_prefix(prefix) != names::vocabulary_of_namespace(value)
                    && (names::vocabulary_of_prefix(prefix) != Vocabulary::Other
                        || names::vocabulary_of_namespace(value) != Vocabulary::Other);
                self.needs_tolerant |= misspelt || (misused && prefix != "a10" && prefix != "body");
            } else if key == "xmlns" {
                // feed-rs ignores Atom elements in RSS.
                let known = value == "http://www.w3.org/2005/Atom" && self.root != Root::Rss
                    || names::vocabulary_of_namespace(value) == Vocabulary::Xhtml;
                self.needs_tolerant |= !known && !value.is_empty() && self.markup_depth == 0;
            } else if key == "xml:base" {
                self.needs_tolerant = true;
            }
        }
    }

    fn core(&mut self, local: &'a str, raw: &'a str, empty: bool, name_has_prefix: bool) {
        match local {
            "item" | "entry" => {
                self.entry = Some(0);
                self.categories.entries += 1;
            }
            "skipHours" => self.skip = Skip::Hours,
            "skipDays" => self.skip = Skip::Days,
            "link" if self.entry.is_none() => self.hub_link(raw),
            _ => {}
        }
        if let Some(seen) = &mut self.entry
            && let Some(at) = SINGLE.iter().position(|single| *single == local)
            // An Atom entry has many links, but an RSS item has only one.
            && (local != "link" || self.root == Root::Rss)
        {
            self.needs_tolerant |= *seen & (1 << at) != 0;
            *seen |= 1 << at;
        }
        // URLs in attributes and structured persons belong to Atom. In RSS, feed-rs reads only the Atom links
        // of the channel.
        let foreign = match local {
            "link" => raw.contains("href"),
            "name" | "email" => self.entry.is_some(),
            _ => false,
        };
        let is_channel_link = local == "link" && self.entry.is_none();
        let is_lost = if name_has_prefix { !is_channel_link } else { foreign };
        self.needs_tolerant |= self.root == Root::Rss && is_lost;
        self.no_permalinks |= local == "guid" && raw.contains("alse");
        if self.root == Root::Rss
            && (local == "guid")
            && raw.contains("ermalink=")
            && !raw.contains("isPermaLink=")
        {
            self.needs_tolerant = true;
        }
        if self.root == Root::Atom && matches!(local, "title" | "summary" | "content" | "subtitle") && !empty
        {
            self.atom_text(raw);
        }
        let lowered = local.to_ascii_lowercase();
        if lowered != local && CORE.contains(&lowered.as_str()) && !MIXED_CASE.contains(&local) {
            self.needs_tolerant = true;
        }
    }

    fn atom_text(&mut self, raw: &str) {
        for (key, value) in attributes(raw) {
            match (key, value) {
                // feed-rs writes `<br/>` as `<br></br>`, which is two elements in HTML, and does not escape
                // references in attributes.
                ("type", "xhtml") => {
                    self.markup_depth = 1;
                    self.needs_tolerant = true;
                }
                ("type", "text" | "html") => {}
                ("mode" | "src" | "type", _) => self.needs_tolerant = true,
                _ => {}
            }
        }
    }

    fn check_unsupported(&mut self, name: &str, local: &str, prefix: &str) {
        let list = if self.root == Root::Rss { UNSUPPORTED_IN_RSS } else { UNSUPPORTED_IN_ATOM };
        let lowered = name.to_ascii_lowercase();
        let is_text_in_markup = prefix.is_empty() && text::is_html_name(local);
        let is_lost_in_channel = self.root == Root::Rss
            && self.entry.is_none()
            && UNSUPPORTED_IN_CHANNEL.contains(&lowered.as_str());
        self.needs_tolerant |= list.contains(&lowered.as_str()) || is_text_in_markup || is_lost_in_channel;
    }

    fn hub_link(&mut self, raw: &str) {
        let attributes = attributes(raw);
        let value = |attribute_name: &str| {
            attributes.iter().find(|(key, _)| *key == attribute_name).map(|(_, value)| *value)
        };
        let Some(href) = value("href").and_then(|href| urls::join(self.base, &text::unescape(href))) else {
            return;
        };
        for rel in value("rel").unwrap_or_default().split_ascii_whitespace() {
            match rel {
                "hub" if self.hub.hubs.len() < 5 => self.hub.hubs.push(href.clone()),
                "self" => self.hub.topic = self.hub.topic.take().or_else(|| Some(href.clone())),
                _ => {}
            }
        }
    }

    fn end(&mut self, name: &str) {
        if self.markup_depth > 0 {
            self.markup_depth -= 1;
            return;
        }
        let local = name.rsplit(':').next().unwrap_or(name);
        if self.open_category.as_ref().is_some_and(|open| open.local == local) {
            self.close_category();
        }
        match local {
            "item" | "entry" => {
                self.entry = None;
                self.open_category = None;
            }
            "skipHours" | "skipDays" => self.skip = Skip::Nothing,
            _ => {}
        }
        self.current_element = None;
    }

    fn text(&mut self, value: &str) {
        let Some(current_element) = self.current_element.filter(|_| self.entry.is_none()) else { return };
        let value = value.trim();
        match (current_element, self.skip) {
            ("language", _) if !value.is_empty() => self.date_order = DateOrder::of_language(value),
            ("link", _) if self.site.is_none() && self.root != Root::Atom => {
                let site = urls::join(self.base, &text::unescape(value));
                self.site = site.filter(|site| site.starts_with("http"));
            }
            ("ttl", _) => self.hints.ttl_minutes = value.parse().ok().or(self.hints.ttl_minutes),
            ("hour", Skip::Hours) => {
                if let Some(bit) = value.parse::<u32>().ok().filter(|hour| *hour <= 24) {
                    self.hints.skip_hours |= 1 << (bit % 24);
                }
            }
            ("day", Skip::Days) => {
                const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
                let lowered = value.to_ascii_lowercase();
                if let Some(day) = DAYS.iter().position(|day| lowered.starts_with(day)) {
                    self.hints.skip_days |= 1 << day;
                }
            }
            ("updatePeriod", _) => self.hints.update_period_minutes = period_minutes(value),
            ("updateFrequency", _) => self.hints.update_frequency = value.parse().ok(),
            _ => {}
        }
    }
}

fn period_minutes(period: &str) -> Option<u32> {
    match period.to_ascii_lowercase().as_str() {
        "hourly" => Some(60),
        "daily" => Some(24 * 60),
        "weekly" => Some(7 * 24 * 60),
        "monthly" => Some(30 * 24 * 60),
        "yearly" => Some(365 * 24 * 60),
        _ => None,
    }
}
