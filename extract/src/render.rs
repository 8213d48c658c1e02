//! Renders blocks as plain text, as Markdown, and as the HTML of the reading page.

mod formula_text;
mod html;
mod markdown;
pub(crate) mod spans;

pub use html::{escape, html, html_with_pictures};
pub use markdown::markdown;

use crate::document::{Block, BlockKind, ListItemPosition};

/// Renders a block as plain text that indicates its kind: `##` before a heading, `-` or a number before a
/// list item, `>` before a quote, `[^1]:` before a footnote. Code and tables are unchanged.
pub fn text_line(block: &Block) -> String {
    let lines = |joint: &str| block.text.replace('\n', joint);
    match block.kind {
        BlockKind::Heading => {
            format!("{} {}", "#".repeat(usize::from(block.level.unwrap_or(2).clamp(1, 6))), lines(" "))
        }
        BlockKind::ListItem => {
            let position = block.list.unwrap_or(ListItemPosition { depth: 0, number: None });
            let indent = "  ".repeat(usize::from(position.depth.min(8)));
            let bullet = position.number.map_or("-".to_owned(), |number| format!("{number}."));
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

/// Texts of all blocks, separated by blank lines. Search and quotations use this text.
pub fn text(blocks: &[Block]) -> String {
    joined(blocks.iter())
}

/// Texts of the main text, without captions, credits, notes, comments and teasers, separated by blank lines.
pub fn plain(blocks: &[Block]) -> String {
    joined(blocks.iter().filter(|block| block.is_main_text()))
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
