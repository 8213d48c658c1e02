//! Input and result of feed parsing, as plain data.

use serde::{Deserialize, Serialize};

use super::categories::Categories;
use super::episode::Episode;
use super::identity::{KnownEntry, Marks, Trust};
use crate::document::words;

/// Limits for a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeedLimits {
    /// Maximum number of entries that are returned with their texts.
    pub entries: usize,
    /// Maximum number of bytes that are read, at most 64 MiB.
    pub bytes: usize,
}

impl Default for FeedLimits {
    fn default() -> Self {
        Self { entries: 500, bytes: 10 << 20 }
    }
}

/// Body of a feed and the stored data about the feed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FeedInput {
    /// Body after content decoding.
    pub body: Vec<u8>,
    /// `Content-Type` header.
    pub content_type: Option<String>,
    /// Final URL after redirects. Base of relative URLs.
    pub base_url: Option<String>,
    /// Trust from the last [`ParsedFeed`] of the feed.
    pub trust: Trust,
    /// Stored entries, the newest first.
    pub known: Vec<KnownEntry>,
    /// True if an earlier document of the feed was parsed with all its entries. In that case, unknown entries
    /// are new, regardless of their position.
    pub was_read: bool,
    /// Highest row id of the fixed entries. Fixed entries are matched but never updated.
    #[serde(default)]
    pub fixed_through: i64,
    pub limits: FeedLimits,
}

words! {
    /// Feed format.
    FeedKind {
        /// RSS 0.91 to 2.0.
        Rss = "rss",
        /// RSS 0.9, 1.0 and 1.1.
        Rdf = "rdf",
        /// Atom 0.3 and 1.0.
        Atom = "atom",
        /// JSON Feed.
        Json = "json",
        /// Page or interface of a service that has no feed, converted by Carrel.
        Converted = "converted",
    }
}

/// Polling hints of the feed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PollingHints {
    /// `ttl` of RSS 2.0, in minutes.
    pub ttl_minutes: Option<u32>,
    /// Hours (UTC) without polls, as a bit set. Bit 0 is midnight.
    pub skip_hours: u32,
    /// Days without polls, as a bit set. Bit 0 is Monday.
    pub skip_days: u32,
    /// `sy:updatePeriod`, in minutes.
    pub update_period_minutes: Option<u32>,
    /// `sy:updateFrequency`: updates per period.
    pub update_frequency: Option<u32>,
}

/// WebSub hubs of the feed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hub {
    /// URLs of the hubs, at most five.
    pub hubs: Vec<String>,
    /// URL of the feed at the hubs.
    pub topic: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ParsedFeed {
    /// `None` if the body is not a feed.
    pub kind: Option<FeedKind>,
    /// True if only the tolerant parser could read the feed.
    pub repaired: bool,
    pub title: Option<String>,
    /// Description as one line.
    pub description: Option<String>,
    /// URL of the website to which the feed belongs.
    pub site_url: Option<String>,
    pub image_url: Option<String>,
    /// Language as written in the feed.
    pub language: Option<String>,
    /// Time of the last change according to the feed, in milliseconds since the epoch.
    pub updated: Option<i64>,
    pub hints: PollingHints,
    pub hub: Hub,
    /// Trust to use for the next poll.
    pub trust: Trust,
    /// Number of entries of the document beyond [`FeedLimits::entries`].
    pub dropped: u32,
    /// True if the document was cut because it has more bytes than [`FeedLimits::bytes`].
    pub is_cut: bool,
    /// Number of new and changed entries that are postponed to the next parse of the same document.
    pub postponed: u32,
    /// Entries that are returned without their texts: entries beyond the limit of a first document, entries
    /// with changed marks, and known entries with a negative id.
    pub older: Vec<OlderEntry>,
    /// Entries in the order of the feed.
    pub entries: Vec<ParsedEntry>,
}

/// Entry that is not in [`ParsedFeed::entries`].
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct OlderEntry {
    pub state: EntryState,
    /// See [`ParsedEntry::key`].
    pub key: i64,
    /// Marks that identify the entry in subsequent polls.
    pub marks: Marks,
}

/// State of an entry compared with the stored version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryState {
    /// Not stored yet.
    #[default]
    New,
    /// Stored and unchanged. Its texts are omitted.
    Same {
        /// Row id of the stored entry.
        id: i64,
    },
    /// Stored with different marks, such as another guid. The content is unchanged.
    Remarked {
        /// Row id of the stored entry.
        id: i64,
    },
    /// Stored, with a changed title, text or URL.
    Changed {
        /// Row id of the stored entry.
        id: i64,
    },
}

/// Entry of a feed. Texts have no control characters; markup is sanitised.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ParsedEntry {
    pub state: EntryState,
    /// Hash of the best mark. Entries that differ only in other marks may have the same key.
    pub key: i64,
    /// Marks that identify subsequent versions of the entry.
    pub marks: Marks,
    /// Number of newer entries in the document.
    pub rank: u32,
    /// Guid as written, or else the URL, or else a hash.
    pub id: String,
    /// One line of plain text.
    pub title: Option<String>,
    /// Absolute http(s) URL without tracking parameters.
    pub url: Option<String>,
    /// All links of the entry.
    pub links: Vec<String>,
    /// Names joined by `, `.
    pub author: Option<String>,
    pub image_url: Option<String>,
    /// Milliseconds since the epoch as given by the feed, even if in the future.
    pub published: Option<i64>,
    /// Time of the last update in milliseconds since the epoch, as given by the feed.
    pub updated: Option<i64>,
    /// One line of plain text, at most 1000 characters.
    pub summary: Option<String>,
    /// Short text as markup.
    pub summary_html: Option<String>,
    /// Full text as markup.
    pub content_html: Option<String>,
    /// Files of the entry. Audio and video come first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub enclosures: Vec<Enclosure>,
    /// Podcast data. For a stored entry, it is set unless the entry is fixed, because publishers add
    /// transcripts and chapters to episodes whose texts do not change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub episode: Option<Episode>,
    /// Categories. They do not identify the entry. For a stored entry, they are set under the same condition as
    /// `episode`, so that they are added to entries that were stored without categories.
    #[serde(default, skip_serializing_if = "Categories::is_empty")]
    pub categories: Categories,
}

/// File of an entry: audio, video, or another type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enclosure {
    /// Absolute http(s) URL.
    pub url: String,
    /// Media type that the feed declares, or else the type for the extension of the URL.
    pub media_type: String,
    /// Size that the feed declares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
}

impl Enclosure {
    /// True for audio and video.
    pub fn is_played(&self) -> bool {
        self.media_type.starts_with("audio/") || self.is_video()
    }

    pub fn is_image(&self) -> bool {
        self.media_type.starts_with("image/")
    }

    pub fn is_video(&self) -> bool {
        self.media_type.starts_with("video/")
    }
}

impl ParsedFeed {
    /// True if the body was a feed.
    pub fn is_feed(&self) -> bool {
        self.kind.is_some()
    }
}
