//! Blocks to text, Markdown and the HTML of the reading page.

mod html;
mod markdown;
mod spans;

pub use html::{escape, html, html_with_pictures};
pub use markdown::markdown;

use crate::document::{Block, BlockKind, ListPlace};

/// A block as a line of plain text that says what it is: `##` before a heading, `-` or a number before an item, `>` before
/// a quote, `[^1]:` before a footnote. Code and tables stand as they are.
pub fn text_line(block: &Block) -> String {
    let lines = |joint: &str| block.text.replace('\n', joint);
    match block.kind {
        BlockKind::Heading => {
            format!("{} {}", "#".repeat(usize::from(block.level.unwrap_or(2).clamp(1, 6))), lines(" "))
        }
        BlockKind::ListItem => {
            let place = block.list.unwrap_or(ListPlace { depth: 0, number: None });
            let indent = "  ".repeat(usize::from(place.depth.min(8)));
            let bullet = place.number.map_or("-".to_owned(), |number| format!("{number}."));
            let joint = format!("\n{indent}{}", " ".repeat(bullet.len() + 1));
            if block.continued { lines("\n") } else { format!("{indent}{bullet} {}", lines(&joint)) }
        }
        BlockKind::Quote => format!("> {}", lines("\n> ")),
        BlockKind::Footnote => match &block.note {
            Some(label) => format!("[^{label}]: {}", block.text),
            None => block.text.clone(),
        },
        BlockKind::Paragraph
        | BlockKind::Code
        | BlockKind::Table
        | BlockKind::Figure
        | BlockKind::Math
        | BlockKind::Transcript => block.text.clone(),
    }
}

/// The texts of all blocks, parted by blank lines: what searches and quotes look at.
pub fn text(blocks: &[Block]) -> String {
    joined(blocks.iter())
}

/// The text that people came for, parted by blank lines: no captions, credits, notes, comments and teasers.
pub fn plain(blocks: &[Block]) -> String {
    joined(blocks.iter().filter(|block| block.is_of_text()))
}

fn joined<'b>(blocks: impl Iterator<Item = &'b Block>) -> String {
    let mut out = String::new();
    for block in blocks {
        if !out.is_empty() {
            out.push_str("\n\n");
        }
        out.push_str(&block.text);
    }
    out
}

#[cfg(test)]
mod tests;
