//! Reads a feed as a page: each entry under its title.

use crate::{
    charset,
    document::{Block, BlockKind, Category, Input, Link, Mark, Quality, Style},
    draft::{Draft, ReadError, ReadResult},
    feed::{self, FeedInput, ParsedEntry},
    html, plain,
};

/// Reads a feed. JSON that is not a feed is read as plain text.
pub(super) fn read(input: &Input) -> ReadResult {
    let media_type = input.content_type.as_deref().map(charset::essence).unwrap_or_default();
    let (body, content_type) = (input.bytes.clone(), input.content_type.clone());
    let feed = FeedInput { body, content_type, base_url: input.url.clone(), ..FeedInput::default() };
    let parsed = feed::parse(&feed);
    if parsed.kind.is_none() {
        return if media_type.contains("json") { plain::read(input) } else { Err(ReadError::WrongFormat) };
    }
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

fn push(blocks: &mut Vec<Block>, entry: &ParsedEntry) {
    if let Some(title) = &entry.title {
        let mut heading =
            Block { kind: BlockKind::Heading, level: Some(2), text: title.clone(), ..Block::default() };
        if let Some(url) = &entry.url {
            heading.links.push(Link { text: title.clone(), url: url.clone() });
            heading.marks.push(Mark {
                start: 0,
                end: u32::try_from(title.len()).unwrap_or(u32::MAX),
                style: Style::Link(0),
            });
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
