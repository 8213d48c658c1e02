//! Parts of converted feeds.

use serde_json::{Map, Value};

use super::super::FeedKind;
use super::super::builder::{Person, RawEntry, RawFeed, RawLink, RichText, TextKind};
use super::super::dates::{self, DateOrder};

/// Feed with the title and page of its source.
pub(super) fn feed(title: &str, page: &str) -> RawFeed {
    let mut feed = RawFeed::new(FeedKind::Converted);
    feed.title = plain(title);
    feed.links.push(link(page));
    feed
}

/// Entry with its id, title and page.
pub(super) fn entry(id: impl Into<String>, title: &str, page: &str) -> RawEntry {
    RawEntry {
        id: Some(id.into()),
        id_is_not_url: true,
        title: plain(title),
        links: vec![link(page)],
        ..RawEntry::default()
    }
}

/// Link to a page.
pub(super) fn link(href: &str) -> RawLink {
    RawLink { href: href.to_owned(), ..RawLink::default() }
}

/// Text without markup.
pub(super) fn plain(text: &str) -> Option<RichText> {
    RichText::new(text.to_owned(), TextKind::Plain)
}

/// Markup whose URLs are relative to `base`.
pub(super) fn markup(markup: String, base: &str) -> Option<RichText> {
    let mut rich = RichText::new(markup, TextKind::Html)?;
    rich.base = Some(base.to_owned());
    Some(rich)
}

/// Author with this name.
pub(super) fn author(name: Option<String>) -> Vec<Person> {
    name.map(|name| Person { name: Some(name), email: None }).into_iter().collect()
}

/// Time in milliseconds since the epoch.
pub(super) fn time(text: &str) -> Option<i64> {
    dates::millis(text, DateOrder::default())
}

/// Objects of a list; anything else in it is skipped.
pub(super) fn objects(list: Option<&Value>) -> Option<impl Iterator<Item = &Map<String, Value>>> {
    Some(list?.as_array()?.iter().filter_map(Value::as_object))
}
