//! Parses a feed with feed-rs to a [`RawFeed`]. Most feeds are parsed in this way.
//!
//! feed-rs runs inside `catch_unwind`, because it panics on some inputs. It gets a custom id generator,
//! because the default generator creates new ids on every run if the feed has no data from which to derive
//! them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use feed_rs::model::{Content, Entry, Feed, FeedType, Link, MediaObject, Text};
use feed_rs::parser::{Builder, Parser};
use quick_xml::events::Event;

use super::FeedKind;
use super::builder::{Person, RawEntry, RawFeed, RawLink, RichText, TextKind};
use super::dates::{self, DateOrder};
use super::urls;

/// Parses `source`. `None` on an error or a panic.
pub(super) fn read(source: &str, base: Option<&str>, date_order: DateOrder) -> Option<RawFeed> {
    let run = || {
        let parser: Parser = Builder::new()
            .base_uri(base)
            .id_generator(|_, _, _| String::new())
            .timestamp_parser(move |text| dates::parse(text, date_order))
            .sanitize_content(false)
            .build();
        parser.parse(source.as_bytes()).ok().map(|feed| raw_feed(feed, base))
    };
    catch_unwind(AssertUnwindSafe(run)).ok().flatten()
}

/// True if `source` is well-formed XML without named HTML entities.
pub(super) fn is_well_formed(source: &str) -> bool {
    let mut reader = quick_xml::Reader::from_str(source);
    reader.config_mut().check_end_names = true;
    let mut depth = 0_usize;
    loop {
        match reader.read_event() {
            Ok(Event::Start(_)) => depth += 1,
            Ok(Event::End(_)) => depth = depth.saturating_sub(1),
            Ok(Event::GeneralRef(reference)) => {
                let known = reference.resolve_char_ref().is_ok_and(|resolved| resolved.is_some())
                    || quick_xml::escape::resolve_predefined_entity(&reference).is_some();
                if !known {
                    return false;
                }
            }
            Ok(Event::Eof) => return depth == 0,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}

fn raw_feed(feed: Feed, base: Option<&str>) -> RawFeed {
    let is_atom = feed.feed_type == FeedType::Atom;
    let plain = if is_atom || feed.feed_type == FeedType::JSON { TextKind::Plain } else { TextKind::Guess };
    let mut raw = RawFeed::new(match feed.feed_type {
        FeedType::Atom => FeedKind::Atom,
        FeedType::JSON => FeedKind::Json,
        FeedType::RSS1 => FeedKind::Rdf,
        FeedType::RSS0 | FeedType::RSS2 => FeedKind::Rss,
    });
    raw.title = feed.title.and_then(|text| rich(text, plain, base));
    raw.description = feed.description.and_then(|text| rich(text, TextKind::Guess, base));
    raw.links = feed.links.into_iter().map(|link| raw_link(link, base)).collect();
    raw.image = feed.logo.or(feed.icon).map(|image| image.uri);
    raw.language = feed.language;
    raw.updated = feed.updated.or(feed.published).map(|time| time.timestamp_millis());
    raw.authors = feed.authors.into_iter().map(person).collect();
    raw.entries = feed.entries.into_iter().map(|entry| raw_entry(entry, plain, base)).collect();
    raw
}

fn raw_entry(entry: Entry, plain: TextKind, base: Option<&str>) -> RawEntry {
    let is_rss = plain == TextKind::Guess;
    let mut raw = RawEntry {
        id: Some(entry.id.trim().to_owned()).filter(|id| !id.is_empty()),
        title: entry.title.and_then(|text| rich(text, plain, base)),
        links: entry.links.into_iter().map(|link| raw_link(link, base)).collect(),
        authors: entry.authors.into_iter().map(person).collect(),
        published: entry.published.map(|time| time.timestamp_millis()),
        // feed-rs copies the publication date of RSS to `updated`.
        updated: entry
            .updated
            .filter(|_| !is_rss || entry.updated != entry.published)
            .map(|time| time.timestamp_millis()),
        summary: entry.summary.and_then(|text| rich(text, plain, base)),
        ..RawEntry::default()
    };
    raw.content = entry.content.and_then(|content| content_text(content, base));
    for media in entry.media {
        take_media(&mut raw, media, base);
    }
    raw
}

fn rich(text: Text, plain: TextKind, base: Option<&str>) -> Option<RichText> {
    let form = if text.content_type.as_str() == "text/plain" { plain } else { TextKind::Html };
    let mut rich = RichText::new(text.content, form)?;
    rich.base = base.map(str::to_owned);
    Some(rich)
}

fn content_text(content: Content, base: Option<&str>) -> Option<RichText> {
    let form = if content.content_type.as_str() == "text/plain" { TextKind::Plain } else { TextKind::Html };
    let mut rich = RichText::new(content.body?, form)?;
    rich.base = base.map(str::to_owned);
    Some(rich)
}

fn raw_link(link: Link, base: Option<&str>) -> RawLink {
    let href = urls::join(base, &link.href).unwrap_or(link.href);
    // Links to comments are not links of the entry.
    let rel = link.rel.or_else(|| link.target.map(|_| "replies".to_owned()));
    RawLink { href, rel, media_type: link.media_type, size_bytes: link.length }
}

fn person(person: feed_rs::model::Person) -> Person {
    let non_empty = |value: Option<String>| {
        value.map(|value| super::text::one_line(&value)).filter(|value| !value.is_empty())
    };
    let (name, email) = (non_empty(person.name), non_empty(person.email));
    match (&name, &email) {
        // For `address (name)`, feed-rs returns the name in brackets.
        (Some(name), Some(_)) => {
            Person { name: Some(name.trim_matches(['(', ')', '<', '>', ' ']).to_owned()), email }
        }
        _ => Person { name, email },
    }
}

fn take_media(raw: &mut RawEntry, media: MediaObject, base: Option<&str>) {
    raw.images
        .extend(media.thumbnails.into_iter().filter_map(|thumbnail| urls::join(base, &thumbnail.image.uri)));
    for content in media.content {
        let Some(url) = content.url else { continue };
        let media_type = content.content_type.map(|kind| kind.to_string());
        if media_type.as_deref().is_some_and(|kind| kind.starts_with("image/")) {
            raw.images.push(url.to_string());
        }
        let rel = Some("enclosure".to_owned());
        raw.links.push(RawLink { href: url.into(), rel, media_type, size_bytes: content.size });
    }
}
