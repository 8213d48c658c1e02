//! Atom writer (RFC 4287).

use atom_syndication::{Category, Content as Text, Entry, Feed, Generator, Link, Person, TextType};
use chrono::{DateTime, FixedOffset};

use super::super::render::FeedItem;
use super::content::{FeedContent, SCREENSHOT_TYPE};
use kernel::Millis;

pub(super) fn write(content: &FeedContent<'_>) -> String {
    let link = |rel: &str, href: &str, kind: Option<&str>| Link {
        href: href.to_owned(),
        rel: rel.to_owned(),
        mime_type: kind.map(str::to_owned),
        ..Link::default()
    };
    let feed = Feed {
        title: plain(content.title),
        id: format!("urn:uuid:{}", content.id),
        updated: time(content.updated_at),
        // A feed needs an author if its entries have none.
        authors: vec![Person { name: "Carrel".to_owned(), ..Person::default() }],
        generator: Some(Generator { value: "Carrel".to_owned(), ..Generator::default() }),
        links: vec![
            link("self", content.self_url, Some("application/atom+xml")),
            link("alternate", content.site_url, None),
        ],
        subtitle: Some(plain(content.about)),
        entries: content.items.iter().map(entry).collect(),
        ..Feed::default()
    };
    feed.to_string()
}

fn entry(item: &FeedItem) -> Entry {
    Entry {
        title: plain(&item.title),
        id: item.guid.clone(),
        updated: time(item.at),
        published: Some(time(item.at)),
        links: links(item),
        categories: item.categories.iter().map(|name| category(name)).collect(),
        summary: Some(plain(&item.summary)),
        content: Some(Text {
            value: Some(item.html.clone()),
            content_type: Some("html".to_owned()),
            ..Text::default()
        }),
        ..Entry::default()
    }
}

fn category(name: &str) -> Category {
    Category { term: name.to_owned(), ..Category::default() }
}

/// Link of the change, and its screenshot.
fn links(item: &FeedItem) -> Vec<Link> {
    let link = Link { href: item.link.clone(), rel: "alternate".to_owned(), ..Link::default() };
    let screenshot = item.screenshot.as_ref().map(|screenshot| Link {
        href: screenshot.url.clone(),
        rel: "enclosure".to_owned(),
        mime_type: Some(SCREENSHOT_TYPE.to_owned()),
        length: Some(screenshot.size_bytes.to_string()),
        ..Link::default()
    });
    std::iter::once(link).chain(screenshot).collect()
}

fn plain(text: &str) -> atom_syndication::Text {
    atom_syndication::Text { value: text.to_owned(), r#type: TextType::Text, ..Default::default() }
}

fn time(at: Millis) -> DateTime<FixedOffset> {
    DateTime::from_timestamp_millis(at).unwrap_or(DateTime::UNIX_EPOCH).fixed_offset()
}
