//! Removes the built-in masks from a line of text.

use super::default_masks;
use super::operation::Kind;
use super::snapshot::Block;

/// Line without the masked parts. Empty if nothing else is left.
pub(crate) fn denoise(line: &str) -> String {
    let block = Block { kind: Kind::Paragraph, text: line.to_owned(), ..Block::default() };
    let mut masks = default_masks::masks(&block);
    if masks.is_empty() {
        return block.text;
    }
    if default_masks::is_only_date_context(line, &masks) {
        return String::new();
    }
    masks.sort_unstable_by_key(|mask| mask.start);
    let (mut denoised, mut at) = (String::new(), 0);
    for mask in masks {
        denoised.push_str(line.get(at..mask.start).unwrap_or_default());
        at = at.max(mask.end);
    }
    denoised.push_str(line.get(at..).unwrap_or_default());
    denoised
}
