//! Request types that filter sources and events.

use feeds::{EventFilter, SourceFilter, SourceKind};
use kernel::FeedId;
use kernel::bounds::{COLLECTION_FEEDS, COLLECTION_NAME_CHARS};

use http_kit::http::enum_param::EnumParam;
use http_kit::http::params::{NumericId, Text, TextOrNumber};
use http_kit::http::request::request;
use http_kit::http::value::List;

/// Collections by id or name.
pub(super) type Collections = List<TextOrNumber<COLLECTION_NAME_CHARS>, 1, 250>;
/// Feeds by id.
pub(super) type FeedIds = List<NumericId, 1, COLLECTION_FEEDS>;
pub(super) type Kinds = List<EnumParam<SourceKind>, 1, 3>;

request! {
    /// Included and excluded sources, by feed id.
    pub(super) struct FeedSourceChoice in camelCase {
        /// Only these feeds.
        include: Option<FeedIds>,
        /// All feeds except these.
        exclude: Option<FeedIds>,
    }
}

request! {
    /// Event filter. Conditions are combined with AND; values of a list with OR. Without conditions all
    /// events match.
    pub(super) struct FeedEventWhere in camelCase {
        /// Only sources in these collections, by id or name.
        collection: Option<Collections>,
        /// Only these sources, or all except these.
        source: Option<FeedSourceChoice>,
        /// Only sources of these kinds.
        kind: Option<Kinds>,
        /// Words, `"phrases"`, `-excluded`, `prefix*` or `domain:`, in title, summary, author and URL.
        /// Excludes events of sources.
        text: Option<Text<1, 200>>,
        /// Words of the author's name. Excludes events of sources.
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
