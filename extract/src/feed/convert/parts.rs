//! Constructors for the parts of converted feeds.

use serde_json::{Map, Value};

use super::super::FeedKind;
use super::super::builder::{Person, RawEntry, RawFeed, RawLink, RichText, TextKind};
use super::super::dates::{self, DateOrder};

/// Creates a feed with the title and the page of its source.
pub(super) fn feed(title: &str, page: &str) -> RawFeed {
    let mut feed = RawFeed::new(FeedKind::Converted);
    feed.title = plain(title);
    feed.links.push(link(page));
    feed
}

/// Creates an entry with an id, a title and the URL of its page.
pub(super) fn entry(id: impl Into<String>, title: &str, page: &str) -> RawEntry {
    RawEntry {
        id: Some(id.into()),
        id_is_not_url: true,
        title: plain(title),
        links: vec![link(page)],
        ..RawEntry::default()
    }
}

/// Creates a link to a page.
pub(super) fn link(href: &str) -> RawLink {
    RawLink { href: href.to_owned(), ..RawLink::default() }
}

/// Creates a text without markup. `None` if it is empty.
pub(super) fn plain(text: &str) -> Option<RichText> {
    RichText::new(text.to_owned(), TextKind::Plain)
}

/// Creates a text with markup whose URLs are relative to `base`.
pub(super) fn markup(markup: String, base: &str) -> Option<RichText> {
    let mut rich = RichText::new(markup, TextKind::Html)?;
    rich.base = Some(base.to_owned());
    Some(rich)
}

/// Creates a list that contains the author with this name. Empty if there is no name.
pub(super) fn author(name: Option<String>) -> Vec<Person> {
    name.map(|name| Person { name: Some(name), email: None }).into_iter().collect()
}

/// Parses a time to milliseconds since the epoch.
pub(super) fn time(text: &str) -> Option<i64> {
    dates::millis(text, DateOrder::default())
}

/// Iterates over the objects of a list. Other elements are skipped. `None` if the value is not a list.
pub(super) fn objects(list: Option<&Value>) -> Option<impl Iterator<Item = &Map<String, Value>>> {
    Some(list?.as_array()?.iter().filter_map(Value::as_object))
}
