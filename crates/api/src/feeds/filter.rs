//! Which sources and events are meant, as callers say it.

use feeds::{EventFilter, SourceFilter, SourceKind};
use kernel::FeedId;
use kernel::bounds::{COLLECTION_FEEDS, COLLECTION_NAME_CHARS};

use http_kit::http::params::{Id, Text, TextOrNumber};
use http_kit::http::request::request;
use http_kit::http::value::List;
use http_kit::http::word::Word;

/// Collections by their ids or names.
pub(super) type Collections = List<TextOrNumber<COLLECTION_NAME_CHARS>, 1, 250>;
/// Feeds by their ids.
pub(super) type FeedIds = List<Id, 1, COLLECTION_FEEDS>;
/// Kinds of sources.
pub(super) type Kinds = List<Word<SourceKind>, 1, 2>;

request! {
    /// Sources by the ids of their feeds.
    pub(super) struct FeedSourceChoice in camelCase {
        /// Only these.
        include: Option<FeedIds>,
        /// None of these.
        exclude: Option<FeedIds>,
    }
}

request! {
    /// Which events are meant: all fields hold together, of each list one. Without any field everything is meant.
    pub(super) struct FeedEventWhere in camelCase {
        /// Only of sources in these collections, by id or name.
        collection: Option<Collections>,
        /// Only of these sources, or of all but these.
        source: Option<FeedSourceChoice>,
        /// Only of these kinds: `feed`, `monitor`.
        kind: Option<Kinds>,
        /// Words, `"phrases"`, `-without`, `begin*` or `domain:`, looked for in title, summary, author and address of the
        /// entry. Events of sources are left out then.
        text: Option<Text<1, 200>>,
        /// Words of an author's name. Events of sources are left out then.
        author: Option<Text<1, 200>>,
    }
}

impl From<FeedEventWhere> for EventFilter {
    fn from(sent: FeedEventWhere) -> Self {
        Self {
            sources: sources(sent.collection, sent.source, sent.kind),
            text: sent.text.map(|text| text.0),
            author: sent.author.map(|author| author.0),
        }
    }
}

/// The sources that are meant.
pub(super) fn sources(
    collections: Option<Collections>,
    source: Option<FeedSourceChoice>,
    kinds: Option<Kinds>,
) -> SourceFilter {
    let ids = |ids: Option<FeedIds>| -> Vec<FeedId> {
        ids.into_iter().flat_map(|ids| ids.0).map(|id| id.0.into()).collect()
    };
    let (include, exclude) = source.map_or((None, None), |source| (source.include, source.exclude));
    SourceFilter {
        collections: collections.into_iter().flat_map(|names| names.0).map(|name| name.0).collect(),
        include: ids(include),
        exclude: ids(exclude),
        kinds: kinds.into_iter().flat_map(|kinds| kinds.0).map(|kind| kind.0).collect(),
    }
}
