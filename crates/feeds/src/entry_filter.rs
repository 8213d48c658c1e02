//! Filter and order of entry lists.

use entities::ids::{CollectionId, EntryId, FeedId, SubscriptionId};

use super::search_text::{PUBLISHED, SearchContext, Texts};
use kernel::Millis;

/// Order of entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Newest discovered entry first.
    #[default]
    Newest,
    /// Oldest discovered entry first.
    Oldest,
}

/// Filter of entry lists. Conditions are combined with AND.
#[derive(Clone, Debug, Default)]
pub struct EntryFilter {
    /// Only entries of this feed, or of the feed that it moved to.
    pub feed_id: Option<FeedId>,
    /// Only entries of the feeds in this collection.
    pub collection_id: Option<CollectionId>,
    /// Only unread entries (true), only read entries (false), or both (`None`).
    pub unread: Option<bool>,
    /// Search query over title, summary, author, text, and address.
    pub query: Option<String>,
    /// Texts that the search query covers.
    pub texts: Texts,
    /// Time of the search, to which the ages of the query are relative.
    pub now: Millis,
    /// Only entries published after this time. If an entry has neither a publication time nor an update time,
    /// its discovery time is compared.
    pub published_after: Option<Millis>,
    pub discovered_after: Option<Millis>,
    /// Only entries published before this time. If an entry has neither a publication time nor an update
    /// time, its discovery time is compared.
    pub published_before: Option<Millis>,
    pub discovered_before: Option<Millis>,
    /// Words of an author's name.
    pub author: Option<String>,
    /// Only starred entries (true), only entries without a star (false), or both (`None`).
    pub starred: Option<bool>,
    /// Only entries with audio or video.
    pub recordings_only: bool,
    /// Only entries discovered after this entry.
    pub since: Option<EntryId>,
    /// Only entries of these subscriptions.
    pub subscriptions: Option<Vec<SubscriptionId>>,
    pub order: Order,
}

impl EntryFilter {
    /// Returns the context in which the search query is evaluated.
    pub(super) fn context(&self) -> SearchContext {
        SearchContext { texts: self.texts, now: self.now }
    }

    /// Returns true if the filter selects unread entries, newest first, without search conditions.
    pub(super) fn is_newest_unread(&self) -> bool {
        let is_search = self.query.is_some() || self.author.is_some() || self.starred.is_some();
        self.unread == Some(true) && self.order == Order::Newest && !is_search
    }

    /// Returns the conditions on the times of an entry `e`, each with the value for its `?`.
    pub(super) fn times(&self) -> Vec<(String, Millis)> {
        let all = [
            (PUBLISHED, ">", self.published_after),
            (PUBLISHED, "<", self.published_before),
            ("e.discovered_us / 1000", ">", self.discovered_after),
            ("e.discovered_us / 1000", "<", self.discovered_before),
        ];
        all.into_iter()
            .filter_map(|(column, operator, time)| Some((format!("{column} {operator} ?"), time?)))
            .collect()
    }
}
