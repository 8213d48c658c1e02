//! Feeds of the catalogue, independent of the format in which they are rendered.

use feeds::Entry;
use kernel::Millis;
use library::Item;

/// Path prefix of the catalogue and of its books.
pub(super) const ROOT: &str = "/opds";

/// OPDS version in which a feed is rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CatalogueFormat {
    /// OPDS 1.2, based on Atom.
    Atom,
    /// OPDS 2.0, based on JSON.
    Json,
}

impl CatalogueFormat {
    /// Returns the path of the root feed.
    pub(super) fn root(self) -> &'static str {
        match self {
            Self::Atom => ROOT,
            Self::Json => "/opds/2",
        }
    }

    /// Returns the name of the query parameter for search words.
    pub(super) fn search_parameter(self) -> &'static str {
        match self {
            Self::Atom => "q",
            Self::Json => "query",
        }
    }
}

/// Kind of feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OpdsFeedKind {
    /// Feed of links to other feeds.
    Navigation,
    /// Feed of books or episodes.
    Acquisition,
}

pub(super) struct OpdsFeed {
    pub(super) kind: OpdsFeedKind,
    pub(super) title: String,
    /// Path, relative to the catalogue's root.
    pub(super) path: String,
    /// Path of the next page. `None` on the last page.
    pub(super) next: Option<String>,
    pub(super) updated_at: Millis,
    pub(super) navigation: Vec<Navigation>,
    pub(super) books: Vec<Item>,
    /// Entries of followed feeds that have audio or video.
    pub(super) episodes: Vec<Entry>,
    /// First books of other feeds. Always empty in OPDS 1.2.
    pub(super) groups: Vec<OpdsGroup>,
}

/// Link to another feed.
pub(super) struct Navigation {
    /// Path, relative to the catalogue's root.
    pub(super) path: String,
    pub(super) kind: OpdsFeedKind,
    pub(super) title: String,
    pub(super) description: String,
}

/// First books of another feed.
pub(super) struct OpdsGroup {
    pub(super) title: String,
    /// Path of the feed, relative to the catalogue's root.
    pub(super) path: String,
    pub(super) books: Vec<Item>,
}
