//! A feed read as a page: each entry under its title.

use crate::{
    document::{Block, BlockKind, Category, ExtractionSource, Link, Mark, Quality, Style},
    feed::{self, FeedInput, FoundEntry},
    html,
    pipeline::Reading,
};

/// Reads a feed; nothing when it is none.
pub(crate) fn read(body: Vec<u8>, content_type: Option<String>, url: Option<String>) -> Option<Reading> {
    let found = feed::parse(&FeedInput { body, content_type, base_url: url, ..FeedInput::default() });
    found.kind?;
    let mut blocks = Vec::new();
    for entry in &found.entries {
        push(&mut blocks, entry);
    }
    Some(Reading {
        title: found.title,
        language: found.language,
        canonical_url: found.site_url,
        source: Some(ExtractionSource::Feed),
        quality: Some(if found.dropped > 0 { Quality::Partial } else { Quality::Complete }),
        category: Some(Category::Other),
        blocks,
        ..Reading::default()
    })
}

fn push(blocks: &mut Vec<Block>, entry: &FoundEntry) {
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
