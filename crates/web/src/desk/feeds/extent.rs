//! Which entries a list has: of everything, a collection or a feed; unread ones, all, or those with a star; and the words that are looked for. It
//! is read from an address, and written into others.

use feeds::{EntryFilter, ReadScope};
use kernel::{CollectionId, FeedId};

use super::super::frame::link;
use crate::account::request::PageRequest;
use http_kit::http::query;

/// Which of its entries a list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// Those that are not read.
    Unread,
    /// All.
    All,
    /// Those with a star, read or not.
    Starred,
}

impl Which {
    /// The word in addresses.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Unread => "",
            Self::All => "all",
            Self::Starred => "starred",
        }
    }

    fn of(word: &str) -> Self {
        [Self::All, Self::Starred].into_iter().find(|which| which.word() == word).unwrap_or(Self::Unread)
    }
}

/// Which entries a page shows.
pub(super) struct Extent {
    pub(super) feed: Option<FeedId>,
    pub(super) collection: Option<CollectionId>,
    which: Which,
    query: String,
}

impl Extent {
    pub(super) fn of(request: &PageRequest) -> Self {
        Self::named(|name| request.parameter(name))
    }

    /// Those of the list at an address.
    pub(super) fn of_address(address: &str) -> Self {
        let query = address.split_once('?').map_or("", |(_, query)| query);
        Self::named(|name| query::value(query, name).unwrap_or_default().into_owned())
    }

    fn named(value: impl Fn(&str) -> String) -> Self {
        let number = |name: &str| value(name).parse::<i64>().ok().filter(|number| *number > 0);
        Self {
            feed: number("feed").map(FeedId::new),
            collection: number("collection").map(CollectionId::new),
            which: Which::of(&value("show")),
            query: value("q").trim().to_owned(),
        }
    }

    /// Which of the entries are shown.
    pub(super) fn which(&self) -> Which {
        self.which
    }

    /// Whether these are all entries with a star, of whatever feed, followed or not.
    pub(super) fn is_every_star(&self) -> bool {
        let is_of_all = self.feed.is_none() && self.collection.is_none();
        self.which == Which::Starred && is_of_all && self.query.is_empty()
    }

    /// The words that are looked for.
    pub(super) fn query(&self) -> &str {
        &self.query
    }

    /// The word for those that are shown, in addresses.
    pub(super) fn show_word(&self) -> &'static str {
        self.which.word()
    }

    /// What the rules list.
    pub(super) fn filter(&self) -> EntryFilter {
        EntryFilter {
            feed_id: self.feed,
            collection_id: self.collection.filter(|_| self.feed.is_none()),
            unread: (self.which == Which::Unread).then_some(true),
            starred: (self.which == Which::Starred).then_some(true),
            query: Some(self.query.clone()).filter(|query| !query.is_empty()),
            ..EntryFilter::default()
        }
    }

    /// An address with the same entries.
    pub(super) fn at(&self, path: &str, which: &str) -> String {
        let number = |id: Option<i64>| id.map(|id| id.to_string()).unwrap_or_default();
        let (feed, collection) =
            (number(self.feed.map(FeedId::as_i64)), number(self.collection.map(CollectionId::as_i64)));
        link(path, &[("collection", &collection), ("feed", &feed), ("show", which), ("q", &self.query)])
    }

    /// What is marked as read when all of it is.
    pub(super) fn scope(&self) -> ReadScope {
        match (self.feed, self.collection) {
            (Some(feed), _) => ReadScope::Feed(feed),
            (None, Some(collection)) => ReadScope::Collection(collection),
            (None, None) => ReadScope::All,
        }
    }
}
