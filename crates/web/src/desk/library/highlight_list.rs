//! Highlights of an item as a Markdown list: the quote, the picture, the note, and the tags of each.

use extract::render::markdown;
use extract::{Block, BlockKind, Container, ListItemPosition};
use kernel::{AccountId, Domain, ItemId};
use library::{AnnotationFilter, Highlight, HighlightPicture};

use crate::language::text::Text;

/// Maximum number of highlights in the list.
const MOST: u32 = 200;

/// Renders the highlights of an item, in the order of its text, below a heading. Empty if there are none.
pub(super) async fn of_item(
    domain: &Domain,
    account_id: AccountId,
    item_id: ItemId,
) -> kernel::Result<String> {
    let filter = AnnotationFilter { item_id: Some(item_id), ..AnnotationFilter::default() };
    let page = library::list_highlights(domain, account_id, &filter, None, MOST).await?;
    if page.annotations.is_empty() {
        return Ok(String::new());
    }
    let mut blocks = blocks_of(&page.annotations);
    if page.next.is_some() {
        let text = Text("highlights-first").with("count", page.annotations.len()).get();
        blocks.push(Block { text, ..Block::default() });
    }
    Ok(format!("\n{}", markdown(&blocks)))
}

fn blocks_of(highlights: &[Highlight]) -> Vec<Block> {
    let heading = Text("item-highlights").get();
    let mut blocks =
        vec![Block { kind: BlockKind::Heading, level: Some(2), text: heading, ..Block::default() }];
    let inside = || Block { within: vec![Container::Item], ..Block::default() };
    for highlight in highlights {
        let row = &highlight.row;
        let list = Some(ListItemPosition { depth: 0, number: None });
        let text = row.quote.clone();
        blocks.push(Block { kind: BlockKind::ListItem, list, text, ..Block::default() });
        if let Some(HighlightPicture { url, alt }) = HighlightPicture::of(row) {
            let alt = alt.unwrap_or_default();
            let text = alt.clone();
            blocks.push(Block { kind: BlockKind::Figure, src: Some(url), alt: Some(alt), text, ..inside() });
        }
        if let Some(note) = &row.note {
            blocks.push(Block { text: note.clone(), ..inside() });
        }
        if !highlight.tags.is_empty() {
            let tags: Vec<String> = highlight.tags.iter().map(|tag| format!("#{tag}")).collect();
            blocks.push(Block { text: tags.join(" "), ..inside() });
        }
    }
    blocks
}
