//! Scope of an entry list: all feeds, a collection, or a feed; unread, all, or starred entries; and search
//! words. It is parsed from an address and written into others.

use feeds::{EntryFilter, ReadScope};
use kernel::{CollectionId, FeedId};

use super::super::frame::link;
use crate::account::request::PageRequest;
use http_kit::http::query;

/// Tab of an entry list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// Unread entries.
    Unread,
    /// All entries.
    All,
    /// Starred entries, read or unread.
    Starred,
}

impl Which {
    /// Query value of the tab.
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

/// Scope of an entry list.
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

    /// Scope of the list at an address.
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

    /// Selected tab.
    pub(super) fn which(&self) -> Which {
        self.which
    }

    /// True for the list of all starred entries, of feeds that are followed or not.
    pub(super) fn is_every_star(&self) -> bool {
        let is_of_all = self.feed.is_none() && self.collection.is_none();
        self.which == Which::Starred && is_of_all && self.query.is_empty()
    }

    /// Search words.
    pub(super) fn query(&self) -> &str {
        &self.query
    }

    /// Query value of the selected tab.
    pub(super) fn show_word(&self) -> &'static str {
        self.which.word()
    }

    /// Entry filter of the scope.
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

    /// Address with the same scope.
    pub(super) fn at(&self, path: &str, which: &str) -> String {
        let number = |id: Option<i64>| id.map(|id| id.to_string()).unwrap_or_default();
        let (feed, collection) =
            (number(self.feed.map(FeedId::as_i64)), number(self.collection.map(CollectionId::as_i64)));
        link(path, &[("collection", &collection), ("feed", &feed), ("show", which), ("q", &self.query)])
    }

    /// Scope for marking everything as read.
    pub(super) fn scope(&self) -> ReadScope {
        match (self.feed, self.collection) {
            (Some(feed), _) => ReadScope::Feed(feed),
            (None, Some(collection)) => ReadScope::Collection(collection),
            (None, None) => ReadScope::All,
        }
    }
}
