//! Blocks to text, Markdown and the HTML of the reading page.

mod html;
mod markdown;
mod spans;

pub use html::html;
pub use markdown::markdown;

use crate::document::Block;

/// The texts of all blocks, parted by blank lines.
pub fn text(blocks: &[Block]) -> String {
    let mut out = String::with_capacity(blocks.iter().map(|block| block.text.len() + 2).sum());
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
