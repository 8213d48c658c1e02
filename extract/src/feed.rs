//! Feeds: bytes of RSS, RDF, Atom or JSON Feed, in whatever state, to entries that have one identity for
//! ever and a text that is safe to show.
//!
//! The order is: decode; look at the tags once ([`scan`]); let feed-rs read it; when that fails, panics,
//! gives no entries or would lose something, read it tolerantly ([`reader`]); then settle identities and
//! sanitise what is new ([`finalize`]). Fetching, storing and polling are not done here.

mod builder;
mod dates;
pub mod debug_print;
mod decode;
pub mod discover;
mod field;
mod fields;
mod finalize;
mod identity;
mod json;
pub mod jsonl;
mod names;
pub mod opml;
mod reader;
mod sanitise;
mod scan;
mod strict;
mod text;
mod tokens;
mod urls;

use serde::{Deserialize, Serialize};

pub use identity::{KnownEntry, Marks, Trust};
pub(crate) use urls::is_tracking;
pub use urls::{feed_key, readable as readable_url, site};

/// A feed's body with what is known about it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FeedInput {
    /// The body after content decoding. At most 10 MiB of it are read.
    pub body: Vec<u8>,
    /// The `Content-Type` header.
    pub content_type: Option<String>,
    /// The final URL; relative addresses stand against it.
    pub base_url: Option<String>,
    /// What the feed is trusted with, from its last [`FeedFound`].
    pub trust: Trust,
    /// Entries that are stored already, newest first.
    pub known: Vec<KnownEntry>,
}

/// Formats of feeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeedKind {
    /// RSS 0.91 to 2.0.
    Rss,
    /// RSS 0.9, 1.0 and 1.1.
    Rdf,
    /// Atom 0.3 and 1.0.
    Atom,
    /// JSON Feed.
    Json,
}

/// What a feed says about how often it wants to be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hints {
    /// `ttl` of RSS 2.0, in minutes.
    pub ttl_minutes: Option<u32>,
    /// Hours of the day (UTC) without news: bit 0 is midnight.
    pub skip_hours: u32,
    /// Days without news: bit 0 is Monday.
    pub skip_days: u32,
    /// `sy:updatePeriod`, in minutes.
    pub update_period_minutes: Option<u32>,
    /// `sy:updateFrequency`: times within the period.
    pub update_frequency: Option<u32>,
}

/// Where the feed can be subscribed to by `WebSub`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hub {
    /// Addresses of hubs, at most five.
    pub hubs: Vec<String>,
    /// The feed's own address, which hubs know it by.
    pub topic: Option<String>,
}

/// What a body turned out to be.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FeedFound {
    /// `None`: this is no feed.
    pub kind: Option<FeedKind>,
    /// It could only be read tolerantly.
    pub repaired: bool,
    /// The feed's name.
    pub title: Option<String>,
    /// One line about the feed.
    pub description: Option<String>,
    /// The page the feed belongs to.
    pub site_url: Option<String>,
    /// A picture for the feed.
    pub image_url: Option<String>,
    /// The language, as the feed writes it.
    pub language: Option<String>,
    /// When the feed says it changed, in milliseconds since the epoch.
    pub updated: Option<i64>,
    /// How it wants to be polled.
    pub hints: Hints,
    /// Where it can be subscribed to.
    pub hub: Hub,
    /// What it is trusted with from now on.
    pub trust: Trust,
    /// Entries left out because there were too many.
    pub dropped: u32,
    /// The entries in the feed's order, at most 500.
    pub entries: Vec<FoundEntry>,
}

/// How an entry stands to what is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryState {
    /// Not stored yet.
    #[default]
    New,
    /// Stored, and nothing about it has changed: its texts are not given again.
    Same {
        /// The stored entry.
        id: i64,
    },
    /// Stored, and its title, text or address has changed.
    Changed {
        /// The stored entry.
        id: i64,
    },
}

/// One entry of a feed. Texts are free of control characters; markup is sanitised.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FoundEntry {
    /// New, same or changed.
    pub state: EntryState,
    /// Unique within the feed; fit to stand in a unique row.
    pub key: i64,
    /// By which later versions are recognised.
    pub marks: Marks,
    /// The guid as written, else the address, else a hash.
    pub id: String,
    /// One plain line.
    pub title: Option<String>,
    /// Absolute http(s), without tracking parameters.
    pub url: Option<String>,
    /// All addresses the entry names.
    pub links: Vec<String>,
    /// Names joined by `, `.
    pub author: Option<String>,
    /// A picture.
    pub image_url: Option<String>,
    /// In milliseconds since the epoch, as the feed says, be it in the future.
    pub published: Option<i64>,
    /// As `published`.
    pub updated: Option<i64>,
    /// One plain line of at most 1000 characters.
    pub summary: Option<String>,
    /// The short text as markup.
    pub summary_html: Option<String>,
    /// The whole text as markup.
    pub content_html: Option<String>,
}

impl FeedFound {
    /// Whether the body was a feed at all.
    pub fn is_feed(&self) -> bool {
        self.kind.is_some()
    }
}

/// Markup as plain text: one paragraph a line, blank lines between, nothing else of the markup.
pub fn plain_text(markup: &str) -> String {
    let plain = text::plain(markup);
    let lines: Vec<String> = plain.lines().map(text::one_line).filter(|line| !line.is_empty()).collect();
    lines.join("\n\n")
}

/// Reads a feed. Never fails: what is no feed has no [`FeedKind`].
pub fn parse(input: &FeedInput) -> FeedFound {
    let base = input.base_url.as_deref().filter(|base| url::Url::parse(base).is_ok());
    let (source, _cut) = decode::decode(&input.body, input.content_type.as_deref());
    if source.starts_with('{') {
        return match json::read(&source, base) {
            Some((raw, repaired)) => {
                FeedFound { repaired, ..finalize::finalize(raw, base, input.trust, &input.known) }
            }
            None => FeedFound::default(),
        };
    }
    let scan = scan::scan(&source, base);
    let Some((raw, repaired)) = read(&source, base, &scan) else {
        return FeedFound::default();
    };
    let found = finalize::finalize(raw, base, input.trust, &input.known);
    FeedFound { repaired, hints: scan.hints, hub: scan.hub, ..found }
}

/// The strict way where it loses nothing, else the tolerant one; the flag says that the source is broken.
fn read(source: &str, base: Option<&str>, scan: &scan::Scan) -> Option<(builder::RawFeed, bool)> {
    if scan.odd {
        let raw = reader::read(source, base)?;
        return Some((raw, !strict::is_well_formed(source)));
    }
    let Some(raw) = strict::read(source, base) else {
        return Some((reader::read(source, base)?, true));
    };
    let lost_links = scan.no_permalinks && raw.entries.iter().any(is_unlinked);
    if !raw.entries.is_empty() && !lost_links {
        return Some((raw, false));
    }
    match reader::read(source, base) {
        Some(tolerant) if !tolerant.entries.is_empty() => Some((tolerant, raw.entries.is_empty())),
        _ => Some((raw, false)),
    }
}

fn is_unlinked(entry: &builder::RawEntry) -> bool {
    entry.links.is_empty()
}

#[cfg(test)]
mod tests;
