//! Which entries are wanted, and which of them first.

use entities::ids::{CollectionId, EntryId, FeedId, SubscriptionId};

use super::search_text::Texts;
use kernel::clock::Millis;

/// Which entry comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The one discovered last.
    #[default]
    Newest,
    /// The one discovered first.
    Oldest,
}

/// Which entries are wanted. All conditions hold together.
#[derive(Clone, Debug, Default)]
pub struct EntryFilter {
    /// Of this feed, or of the one that it moved to.
    pub feed_id: Option<FeedId>,
    /// Of the feeds in this collection.
    pub collection_id: Option<CollectionId>,
    /// Only unread ones, or only read ones.
    pub unread: Option<bool>,
    /// In the language of queries, about title, summary, author, text and address.
    pub query: Option<String>,
    /// In which texts the query looks.
    pub texts: Texts,
    /// Published after this time; discovered, where the feed gives no time.
    pub published_after: Option<Millis>,
    /// Discovered after this time.
    pub discovered_after: Option<Millis>,
    /// Published before this time; discovered, where the feed gives no time.
    pub published_before: Option<Millis>,
    /// Discovered before this time.
    pub discovered_before: Option<Millis>,
    /// Words of an author's name.
    pub author: Option<String>,
    /// Only those with a star, or only those without.
    pub starred: Option<bool>,
    /// Only those that were discovered after this one.
    pub since: Option<EntryId>,
    /// Only of these subscriptions.
    pub subscriptions: Option<Vec<SubscriptionId>>,
    /// Which comes first.
    pub order: Order,
}

impl EntryFilter {
    /// Whether it asks for unread entries, the newest first, and searches for nothing that may stand anywhere.
    pub(super) fn is_newest_unread(&self) -> bool {
        let is_search = self.query.is_some() || self.author.is_some() || self.starred.is_some();
        self.unread == Some(true) && self.order == Order::Newest && !is_search
    }

    /// What must hold of the times of an entry `e`, each with the time that `?` stands for.
    pub(super) fn times(&self) -> Vec<(&'static str, Millis)> {
        let all = [
            ("COALESCE(e.published_at, e.discovered_us / 1000) > ?", self.published_after),
            ("COALESCE(e.published_at, e.discovered_us / 1000) < ?", self.published_before),
            ("e.discovered_us / 1000 > ?", self.discovered_after),
            ("e.discovered_us / 1000 < ?", self.discovered_before),
        ];
        all.into_iter().filter_map(|(condition, time)| Some((condition, time?))).collect()
    }
}
