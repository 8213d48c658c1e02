//! Scope of an entry list: all feeds, a collection, or a feed; unread, all, read, or starred entries; and a
//! search query. It is parsed from an address and formatted into other addresses.

use feeds::{EntryFilter, ReadScope};
use kernel::{CollectionId, FeedId};

use super::super::frame::link;
use crate::page::request::PageRequest;
use http_kit::http::query;

/// Tab of an entry list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryTab {
    Unread,
    All,
    Read,
    /// Starred entries, read or unread.
    Starred,
}

impl EntryTab {
    /// Returns the tab's query value.
    pub(super) const fn query_value(self) -> &'static str {
        match self {
            Self::Unread => "",
            Self::All => "all",
            Self::Read => "read",
            Self::Starred => "starred",
        }
    }

    fn of(value: &str) -> Self {
        [Self::All, Self::Read, Self::Starred]
            .into_iter()
            .find(|tab| tab.query_value() == value)
            .unwrap_or(Self::Unread)
    }
}

/// Scope of an entry list.
pub(super) struct EntryListScope {
    pub(super) feed: Option<FeedId>,
    pub(super) collection: Option<CollectionId>,
    tab: EntryTab,
    query: String,
}

impl EntryListScope {
    pub(super) fn of(request: &PageRequest) -> Self {
        Self::named(|name| request.parameter(name))
    }

    /// Parses the scope from the address of a list.
    pub(super) fn of_address(address: &str) -> Self {
        let query = address.split_once('?').map_or("", |(_, query)| query);
        Self::named(|name| query::value(query, name).unwrap_or_default().into_owned())
    }

    fn named(value: impl Fn(&str) -> String) -> Self {
        let number = |name: &str| value(name).parse::<i64>().ok().filter(|number| *number > 0);
        Self {
            feed: number("feed").map(FeedId::new),
            collection: number("collection").map(CollectionId::new),
            tab: EntryTab::of(&value("show")),
            query: value("q").trim().to_owned(),
        }
    }

    /// Returns the selected tab.
    pub(super) fn tab(&self) -> EntryTab {
        self.tab
    }

    /// Returns true for the list of all starred entries, including those of feeds that are not followed.
    pub(super) fn is_all_starred(&self) -> bool {
        let is_of_all = self.feed.is_none() && self.collection.is_none();
        self.tab == EntryTab::Starred && is_of_all && self.query.is_empty()
    }

    /// Returns the search query. Empty if there is none.
    pub(super) fn query(&self) -> &str {
        &self.query
    }

    /// Returns the query value of the selected tab.
    pub(super) fn tab_value(&self) -> &'static str {
        self.tab.query_value()
    }

    /// Returns the entry filter of the scope.
    pub(super) fn filter(&self) -> EntryFilter {
        EntryFilter {
            feed_id: self.feed,
            collection_id: self.collection.filter(|_| self.feed.is_none()),
            unread: match self.tab {
                EntryTab::Unread => Some(true),
                EntryTab::Read => Some(false),
                EntryTab::All | EntryTab::Starred => None,
            },
            starred: (self.tab == EntryTab::Starred).then_some(true),
            query: Some(self.query.clone()).filter(|query| !query.is_empty()),
            ..EntryFilter::default()
        }
    }

    /// Returns an address with the same scope.
    pub(super) fn at(&self, path: &str, tab: &str) -> String {
        let number = |id: Option<i64>| id.map(|id| id.to_string()).unwrap_or_default();
        let (feed, collection) =
            (number(self.feed.map(FeedId::as_i64)), number(self.collection.map(CollectionId::as_i64)));
        link(path, &[("collection", &collection), ("feed", &feed), ("show", tab), ("q", &self.query)])
    }

    /// Returns the scope for marking all entries as read.
    pub(super) fn scope(&self) -> ReadScope {
        match (self.feed, self.collection) {
            (Some(feed), _) => ReadScope::Feed(feed),
            (None, Some(collection)) => ReadScope::Collection(collection),
            (None, None) => ReadScope::All,
        }
    }
}
