//! What is asked of a feed's body and what it turned out to be: plain data that everything in this room builds on.

use serde::{Deserialize, Serialize};

use super::identity::{KnownEntry, Marks, Trust};
use crate::document::words;

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

words! {
    /// Formats of feeds.
    FeedKind {
        /// RSS 0.91 to 2.0.
        Rss = "rss",
        /// RSS 0.9, 1.0 and 1.1.
        Rdf = "rdf",
        /// Atom 0.3 and 1.0.
        Atom = "atom",
        /// JSON Feed.
        Json = "json",
    }
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
    /// The first of those, by their marks alone.
    pub older: Vec<OlderEntry>,
    /// The entries in the feed's order, at most 500.
    pub entries: Vec<FoundEntry>,
}

/// An entry beyond those whose texts are given.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct OlderEntry {
    /// New, same or changed.
    pub state: EntryState,
    /// Unique within the feed.
    pub key: i64,
    /// By which it is recognised.
    pub marks: Marks,
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
    /// Sounds and films that belong to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub enclosures: Vec<Enclosure>,
}

/// A sound or a film that belongs to an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enclosure {
    /// Absolute http(s).
    pub url: String,
    /// Its media type as the feed says: `audio/…` or `video/…`.
    pub media_type: String,
}

impl FeedFound {
    /// Whether the body was a feed at all.
    pub fn is_feed(&self) -> bool {
        self.kind.is_some()
    }
}
