//! Parses feeds: bytes of RSS, RDF, Atom or JSON Feed, however broken, to entries with one permanent identity
//! and a text that is safe to display.
//!
//! Pages and interfaces of some services without a feed are converted (`convert`). All other sources are
//! parsed in steps: decode; scan tags in one pass (`scan`); parse with feed-rs; if that fails, panics, gives
//! no entries or would lose data, parse tolerantly (`reader`); then determine identities and sanitise new
//! entries (`finalize`). This module does not fetch, store or poll.

pub mod bridges;
mod builder;
mod candidate;
mod categories;
mod convert;
pub(crate) mod dates;
pub mod debug_print;
mod decode;
pub mod discover;
mod enclosures;
mod entry_markup;
mod episode;
mod field;
mod fields;
mod finalize;
mod identity;
mod json;
pub mod jsonl;
pub mod link_header;
mod names;
pub mod opml;
mod order;
mod parsed_feed;
mod pictures;
mod reader;
mod sanitise;
mod scan;
mod selection;
mod strict;
mod text;
mod tokens;
mod urls;

use crate::page::xhtml;

pub use categories::Categories;
pub use entry_markup::{display_markup, display_markup_with_pictures};
pub use episode::{Episode, EpisodeKind, EpisodePerson, TranscriptFile, duration};
pub use identity::{KnownEntry, Marks, Trust};
pub use parsed_feed::{
    Enclosure, EntryState, FeedInput, FeedKind, FeedLimits, Hub, OlderEntry, ParsedEntry, ParsedFeed,
    PollingHints,
};
pub use urls::{feed_key, is_tracking, readable as readable_url, site, without_feed_scheme};

/// Markup as plain text: one paragraph per line, separated by blank lines.
pub fn plain_text(markup: &str) -> String {
    let plain = text::plain(markup);
    let lines: Vec<String> = plain.lines().map(text::one_line).filter(|line| !line.is_empty()).collect();
    lines.join("\n\n")
}

/// Parses a feed, or converts the page of a service that has no feed. Never fails: if the input is not a
/// feed, the result has no [`FeedKind`].
pub fn parse(input: &FeedInput) -> ParsedFeed {
    let base = input.base_url.as_deref().filter(|base| url::Url::parse(base).is_ok());
    if let Some(conversion) = base.and_then(convert::Conversion::of) {
        return converted(&conversion, base, input);
    }
    let (mut source, is_cut) = decode::decode(&input.body, input.content_type.as_deref(), input.limits.bytes);
    if memchr::memmem::find(source.as_bytes(), b"<!ENTITY").is_some() {
        source = xhtml::with_entities(source.clone(), &source);
    }
    if source.starts_with('{') {
        return match json::read(&source, base) {
            Some((raw, repaired)) => ParsedFeed { repaired, is_cut, ..finalize::finalize(raw, base, input) },
            None => ParsedFeed::default(),
        };
    }
    let scan = scan::scan(&source, base);
    // In RSS, relative URLs refer to the page of the channel. Some services publish the feed of another site.
    let base = scan.site.as_deref().or(base);
    let Some((raw, repaired)) = read(&source, base, &scan) else {
        return ParsedFeed::default();
    };
    let parsed = finalize::finalize(raw, base, input);
    ParsedFeed { repaired, is_cut, hints: scan.hints, hub: scan.hub, ..parsed }
}

/// Converts the page of a service that has no feed.
fn converted(conversion: &convert::Conversion, base: Option<&str>, input: &FeedInput) -> ParsedFeed {
    let content_type = input.content_type.as_deref();
    let (source, is_cut) = decode::decode_whole(&input.body, content_type, input.limits.bytes);
    match conversion.read(&source) {
        Some(raw) => ParsedFeed { is_cut, ..finalize::finalize(raw, base, input) },
        None => ParsedFeed::default(),
    }
}

/// Parses strictly if no data is lost, otherwise tolerantly. The flag is true if the source is broken.
fn read(source: &str, base: Option<&str>, scan: &scan::FeedScan) -> Option<(builder::RawFeed, bool)> {
    if scan.needs_tolerant {
        let raw = reader::read(source, base, scan.date_order)?;
        return Some((raw, !strict::is_well_formed(source)));
    }
    let Some(mut raw) = strict::read(source, base, scan.date_order) else {
        return Some((reader::read(source, base, scan.date_order)?, true));
    };
    scan.add_categories(&mut raw);
    let lost_links = scan.no_permalinks && raw.entries.iter().any(is_unlinked);
    if !raw.entries.is_empty() && !lost_links {
        return Some((raw, false));
    }
    match reader::read(source, base, scan.date_order) {
        Some(tolerant) if !tolerant.entries.is_empty() => Some((tolerant, raw.entries.is_empty())),
        _ => Some((raw, false)),
    }
}

fn is_unlinked(entry: &builder::RawEntry) -> bool {
    entry.links.iter().all(|link| link.rel.is_some())
}

#[cfg(test)]
mod tests;
