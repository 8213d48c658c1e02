//! Reads a feed as a page: the title of each entry, followed by its text.

use super::xml;
use crate::{
    charset,
    document::{Block, BlockKind, Category, Input, Link, Mark, Quality, Style, bound},
    draft::{Draft, DraftResult},
    feed::{self, FeedInput, FeedKind, ParsedEntry},
    html, plain,
};

/// Number of leading bytes in which a feed is recognised.
const HEAD_BYTES: usize = 16 * 1024;

/// Reads a feed. JSON and XML that are not a feed are read as plain text.
pub(super) fn read(input: &Input) -> DraftResult {
    let (body, content_type) = (input.bytes.clone(), input.content_type.clone());
    let feed = FeedInput { body, content_type, base_url: input.url.clone(), ..FeedInput::default() };
    let parsed = feed::parse(&feed);
    let Some(kind) = parsed.kind else { return plain::read(input) };
    let declared = input.content_type.as_deref().map(charset::essence).unwrap_or_default();
    let is_consistent = declared.ends_with(if kind == FeedKind::Json { "json" } else { "xml" });
    let media_type = if is_consistent { declared } else { media_type_of(kind).to_owned() };
    let mut blocks = Vec::new();
    for entry in &parsed.entries {
        push(&mut blocks, entry);
    }
    Ok(Draft {
        title: parsed.title,
        language: parsed.language,
        canonical_url: parsed.site_url,
        media_type: Some(media_type),
        quality: Some(if parsed.dropped > 0 { Quality::Partial } else { Quality::Complete }),
        category: Some(Category::Other),
        blocks,
        ..Draft::default()
    })
}

/// True if the bytes begin like a feed: with the root element of an XML feed, or with the version of a JSON
/// Feed.
pub(super) fn is_feed(bytes: &[u8]) -> bool {
    let text = charset::head_of(bytes, HEAD_BYTES);
    if text.trim_start().starts_with('{') {
        return text.contains("jsonfeed.org/version");
    }
    match xml::root(&text) {
        Some(("rss", _)) => true,
        Some(("feed", attributes)) => {
            attributes.contains("w3.org/2005/Atom") || attributes.contains("purl.org/atom")
        }
        Some(("RDF", _)) => text.contains("purl.org/rss/1.0") || text.contains("netscape.com/rdf/simple"),
        _ => false,
    }
}

fn media_type_of(kind: FeedKind) -> &'static str {
    match kind {
        FeedKind::Rss => "application/rss+xml",
        FeedKind::Atom => "application/atom+xml",
        FeedKind::Rdf => "application/rdf+xml",
        // A feed that is read as a page is never a converted feed.
        FeedKind::Json | FeedKind::Converted => "application/feed+json",
    }
}

fn push(blocks: &mut Vec<Block>, entry: &ParsedEntry) {
    if let Some(title) = &entry.title {
        let mut heading =
            Block { kind: BlockKind::Heading, level: Some(2), text: title.clone(), ..Block::default() };
        if let Some(url) = &entry.url {
            heading.links.push(Link { text: title.clone(), url: url.clone() });
            heading.marks.push(Mark { start: 0, end: bound(title.len()), style: Style::Link(0) });
        }
        blocks.push(heading);
    }
    match entry.content_html.as_ref().or(entry.summary_html.as_ref()) {
        Some(markup) => blocks.extend(html::whole_page(markup)),
        None => {
            blocks.extend(entry.summary.iter().map(|text| Block { text: text.clone(), ..Block::default() }));
        }
    }
}
