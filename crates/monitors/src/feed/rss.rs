//! RSS 2.0 writer, with the rendered change as `content:encoded`. Feed readers interpret `description` as
//! markup, and many of them also interpret titles as markup, so text of the source is escaped.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use rss::extension::Extension;
use rss::{Category, Channel, Enclosure, Guid, Item as Entry};

use super::super::render::FeedItem;
use super::content::{FeedContent, SCREENSHOT_TYPE};
use kernel::Millis;

const ATOM: &str = "http://www.w3.org/2005/Atom";

pub(super) fn write(content: &FeedContent<'_>) -> String {
    let itself = Extension {
        name: "atom:link".to_owned(),
        attrs: BTreeMap::from([
            ("href".to_owned(), content.self_url.to_owned()),
            ("rel".to_owned(), "self".to_owned()),
            ("type".to_owned(), "application/rss+xml".to_owned()),
        ]),
        ..Extension::default()
    };
    let channel = Channel {
        title: content.title.to_owned(),
        link: content.site_url.to_owned(),
        description: content.about.to_owned(),
        last_build_date: Some(date(content.updated_at)),
        generator: Some("Carrel".to_owned()),
        docs: Some("https://www.rssboard.org/rss-specification".to_owned()),
        // Clients do not need to poll more often than the monitor runs.
        ttl: Some(content.interval_minutes.to_string()),
        items: content.items.iter().map(entry).collect(),
        namespaces: BTreeMap::from([
            ("atom".to_owned(), ATOM.to_owned()),
            ("content".to_owned(), "http://purl.org/rss/1.0/modules/content/".to_owned()),
        ]),
        extensions: BTreeMap::from([(
            "atom".to_owned(),
            BTreeMap::from([("link".to_owned(), vec![itself])]),
        )]),
        ..Channel::default()
    };
    channel.to_string()
}

fn entry(item: &FeedItem) -> Entry {
    Entry {
        title: Some(as_markup(&item.title)),
        link: Some(item.link.clone()),
        description: Some(as_markup(&item.summary)),
        content: Some(item.html.clone()),
        guid: Some(Guid { value: item.guid.clone(), permalink: false }),
        pub_date: Some(date(item.at)),
        categories: item.categories.iter().map(|name| category(name)).collect(),
        enclosure: item.screenshot.as_ref().map(|screenshot| Enclosure {
            url: screenshot.url.clone(),
            length: screenshot.size_bytes.to_string(),
            mime_type: SCREENSHOT_TYPE.to_owned(),
        }),
        ..Entry::default()
    }
}

fn category(name: &str) -> Category {
    Category { name: name.to_owned(), ..Category::default() }
}

/// Escapes a text as HTML.
fn as_markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\n', "<br>\n")
}

fn date(at: Millis) -> String {
    DateTime::<Utc>::from_timestamp_millis(at).unwrap_or(DateTime::UNIX_EPOCH).to_rfc2822()
}
