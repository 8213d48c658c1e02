//! Detects footnotes: list items or paragraphs whose number also occurs as a raised number in the text.

use std::collections::HashSet;

use super::lines::{NOTE_END, NOTE_START};
use crate::{
    document::{Block, BlockKind, NoteLink},
    scripts,
};

/// Converts blocks to footnotes if raised numbers refer to them, and converts these numbers to footnote
/// references. Other raised numbers, such as exponents, become superscripts.
pub(super) fn link(blocks: &mut [Block]) {
    let mut called: HashSet<String> = HashSet::new();
    let mut first = None;
    for (at, block) in blocks.iter().enumerate() {
        for number in raised(&block.text) {
            first = first.or(Some(at));
            called.insert(number.to_owned());
        }
    }
    let mut labels: HashSet<String> = HashSet::new();
    if let Some(first) = first {
        for block in &mut blocks[first..] {
            labels.extend(note_of(block, &called, &labels));
        }
    }
    for block in blocks {
        replace_markers(block, &labels);
    }
}

fn raised(text: &str) -> impl Iterator<Item = &str> {
    text.split(NOTE_START).skip(1).filter_map(|rest| rest.split_once(NOTE_END)).map(|(number, _)| number)
}

/// Converts a block to a footnote and returns the label of the footnote. `None` if the block is not a
/// footnote.
fn note_of(block: &mut Block, called: &HashSet<String>, labels: &HashSet<String>) -> Option<String> {
    let back = block.text.ends_with(['↩', '↑', '^']);
    let (label, text) = match (block.kind, block.list) {
        (BlockKind::ListItem, Some(list)) if back => (list.number?.to_string(), block.text.clone()),
        (BlockKind::Paragraph | BlockKind::Footnote, _) => {
            let rest = block.text.strip_prefix(NOTE_START)?;
            let (number, rest) = rest.split_once(NOTE_END)?;
            (number.to_owned(), rest.to_owned())
        }
        _ => return None,
    };
    if !called.contains(&label) || labels.contains(&label) {
        return None;
    }
    text.trim_end_matches(['↩', '↑', '^', '\u{fe0e}']).trim().clone_into(&mut block.text);
    block.kind = BlockKind::Footnote;
    block.list = None;
    block.note = Some(label.clone());
    Some(label)
}

fn replace_markers(block: &mut Block, labels: &HashSet<String>) {
    if !block.text.contains(NOTE_START) {
        return;
    }
    let mut text = String::new();
    let mut rest = block.text.as_str();
    while let Some((before, after)) = rest.split_once(NOTE_START) {
        text.push_str(before);
        let (number, after) = after.split_once(NOTE_END).unwrap_or((after, ""));
        if labels.contains(number) {
            // A footnote reference directly follows its word.
            text.truncate(text.trim_end().len());
            text.push_str(&format!("[^{number}]"));
            block.notes.push(NoteLink { label: number.to_owned(), anchor: 0 });
        } else {
            let superscript = scripts::superscript(&text, number);
            text.push_str(&superscript);
        }
        rest = after;
    }
    text.push_str(rest);
    block.text = text;
}
