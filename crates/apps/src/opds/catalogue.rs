//! Feeds of the catalogue, independent of the format in which they are rendered.

use feeds::Entry;
use kernel::Millis;
use library::Item;

/// Path of the catalogue, and of the books in both formats.
pub(super) const ROOT: &str = "/opds";

/// Version of OPDS in which a feed is rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CatalogueFormat {
    /// OPDS 1.2, in Atom.
    Atom,
    /// OPDS 2.0, in JSON.
    Json,
}

impl CatalogueFormat {
    /// Path of the root feed.
    pub(super) fn root(self) -> &'static str {
        match self {
            Self::Atom => ROOT,
            Self::Json => "/opds/2",
        }
    }

    /// Name of the query parameter of a search.
    pub(super) fn search_parameter(self) -> &'static str {
        match self {
            Self::Atom => "q",
            Self::Json => "query",
        }
    }
}

/// Kind of a catalogue feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Links to other feeds.
    Navigation,
    /// Lists books or episodes.
    Acquisition,
}

pub(super) struct Feed {
    pub(super) kind: Kind,
    pub(super) title: String,
    /// Path below the catalogue's root.
    pub(super) path: String,
    /// Path of the next page. `None` on the last page.
    pub(super) next: Option<String>,
    pub(super) updated_at: Millis,
    pub(super) navigation: Vec<Navigation>,
    pub(super) books: Vec<Item>,
    /// Entries of followed feeds with audio or video.
    pub(super) episodes: Vec<Entry>,
    /// Openings of other feeds. OPDS 1.2 has none.
    pub(super) groups: Vec<Group>,
}

/// Link to another feed.
pub(super) struct Navigation {
    /// Path below the catalogue's root.
    pub(super) path: String,
    pub(super) kind: Kind,
    pub(super) title: String,
    pub(super) description: String,
}

/// Opening of another feed.
pub(super) struct Group {
    pub(super) title: String,
    /// Path of the feed below the catalogue's root.
    pub(super) path: String,
    pub(super) books: Vec<Item>,
}
