//! Filter and order of entry lists.

use entities::ids::{CollectionId, EntryId, FeedId, SubscriptionId};

use super::search_text::Texts;
use kernel::Millis;

/// Order of entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Last discovered entry first.
    #[default]
    Newest,
    /// First discovered entry first.
    Oldest,
}

/// Entry filter. Conditions are combined with AND.
#[derive(Clone, Debug, Default)]
pub struct EntryFilter {
    /// Entries of this feed, or of the feed that it moved to.
    pub feed_id: Option<FeedId>,
    /// Entries of the feeds in this collection.
    pub collection_id: Option<CollectionId>,
    /// Only unread (true) or only read (false) entries.
    pub unread: Option<bool>,
    /// Search query over title, summary, author, text and address.
    pub query: Option<String>,
    /// Texts that the query searches.
    pub texts: Texts,
    /// Published after this time. Entries without a publication or update time are compared by discovery
    /// time.
    pub published_after: Option<Millis>,
    pub discovered_after: Option<Millis>,
    /// Published before this time. Entries without a publication or update time are compared by discovery
    /// time.
    pub published_before: Option<Millis>,
    pub discovered_before: Option<Millis>,
    /// Words of an author's name.
    pub author: Option<String>,
    /// Only entries with (true) or without (false) a star.
    pub starred: Option<bool>,
    /// Only entries with audio or video.
    pub recordings_only: bool,
    /// Only entries discovered after this one.
    pub since: Option<EntryId>,
    /// Only entries of these subscriptions.
    pub subscriptions: Option<Vec<SubscriptionId>>,
    pub order: Order,
}

impl EntryFilter {
    /// True if the filter asks for unread entries, newest first, without search conditions.
    pub(super) fn is_newest_unread(&self) -> bool {
        let is_search = self.query.is_some() || self.author.is_some() || self.starred.is_some();
        self.unread == Some(true) && self.order == Order::Newest && !is_search
    }

    /// Conditions on the times of an entry `e`, each with the value for its `?`.
    pub(super) fn times(&self) -> Vec<(&'static str, Millis)> {
        let all = [
            ("COALESCE(e.published_at, e.updated_at, e.discovered_us / 1000) > ?", self.published_after),
            ("COALESCE(e.published_at, e.updated_at, e.discovered_us / 1000) < ?", self.published_before),
            ("e.discovered_us / 1000 > ?", self.discovered_after),
            ("e.discovered_us / 1000 < ?", self.discovered_before),
        ];
        all.into_iter().filter_map(|(condition, time)| Some((condition, time?))).collect()
    }
}
