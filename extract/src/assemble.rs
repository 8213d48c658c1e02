//! Completes draft blocks: cleans them, splits long blocks, and adds anchors, sections, token counts and the
//! content hash.

use std::{collections::HashMap, ops::Range};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::{
    clean,
    document::{Block, BlockKind, Link, MAX_ITEM_NUMBER, Mark, NoteLink, Style, bound},
    tokens,
};

/// Maximum number of tokens in a block.
pub const MAX_BLOCK_TOKENS: u32 = 1000;
/// Maximum number of blocks of a source. Further blocks are dropped, and the document is reported as
/// truncated.
pub const MAX_BLOCKS: usize = 50_000;
/// Maximum number of bytes of the last line in a part of code for which a line feed after the part is
/// implied. A longer line may have been split. In that case, the next part begins with its own line feed, if
/// the text has one.
const MAX_LINE_BYTES: usize = 400;
/// Maximum number of characters in a section title, which each block of the section repeats.
const MAX_SECTION_CHARS: usize = 300;

/// Finished blocks with their totals.
#[derive(Debug, Default)]
pub struct Assembled {
    /// Blocks with anchors, sections and token counts.
    pub blocks: Vec<Block>,
    /// True if control characters were removed.
    pub controls_removed: bool,
    /// True if blocks were dropped because there were more than `MAX_BLOCKS`.
    pub truncated: bool,
    /// Tokens of all blocks, plus one for each separator between two blocks.
    pub total_tokens: u32,
    /// `sha256:<hex>` of the texts joined by a blank line.
    pub content_hash: String,
}

/// Completes drafts. Anchors, sections and token counts in the drafts are ignored.
pub fn assemble(drafts: Vec<Block>) -> Assembled {
    let mut out = Assembled::default();
    let mut section: Option<String> = None;
    for mut draft in drafts {
        out.controls_removed |= strip(&mut draft);
        if draft.text.trim().is_empty() {
            continue;
        }
        if let Some(number) = draft.list.as_mut().and_then(|position| position.number.as_mut()) {
            *number = MAX_ITEM_NUMBER.min(*number);
        }
        if draft.kind == BlockKind::Heading {
            section = Some(clean::fold(&draft.title()).chars().take(MAX_SECTION_CHARS).collect());
        }
        for mut block in split(draft) {
            if out.blocks.len() == MAX_BLOCKS {
                out.truncated = true;
                break;
            }
            block.anchor = u32::try_from(out.blocks.len() + 1).unwrap_or(u32::MAX);
            block.section.clone_from(&section);
            out.blocks.push(block);
        }
    }
    link_notes(&mut out.blocks);
    out.total_tokens = total(&out.blocks);
    out.content_hash = hash(&out.blocks);
    out
}

/// Links footnotes to the blocks that refer to them, in both directions. A label refers to the next footnote
/// with that label, or else to the previous one.
fn link_notes(blocks: &mut [Block]) {
    let mut positions: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, block) in blocks.iter_mut().enumerate() {
        if let Some(label) = &block.note {
            positions.entry(label.clone()).or_default().push(at);
        }
        // The references to a footnote are computed below; a footnote may itself refer to other footnotes.
        let text = &block.text;
        block.notes.retain(|note| text.contains(&format!("[^{}]", note.label)));
        block.notes.dedup_by(|one, other| one.label == other.label);
    }
    let mut back: Vec<(usize, NoteLink)> = Vec::new();
    for (at, block) in blocks.iter_mut().enumerate() {
        let anchor = block.anchor;
        block.notes.retain_mut(|note| {
            let Some(candidates) = positions.get(&note.label) else { return false };
            let next = candidates.partition_point(|&position| position <= at);
            let Some(&position) = candidates.get(next).or_else(|| candidates.last()) else { return false };
            note.anchor = bound(position + 1);
            back.push((position, NoteLink { label: note.label.clone(), anchor }));
            true
        });
    }
    for (position, link) in back {
        blocks[position].notes.push(link);
    }
}

/// Tokens of all blocks, plus one for each separator between two blocks.
pub fn total(blocks: &[Block]) -> u32 {
    let joints = u32::try_from(blocks.len().saturating_sub(1)).unwrap_or(u32::MAX);
    blocks.iter().fold(joints, |sum, block| sum.saturating_add(block.tokens))
}

/// `sha256:<hex>` of all block texts joined by a blank line.
pub fn hash(blocks: &[Block]) -> String {
    let mut digest = Sha256::new();
    for (index, block) in blocks.iter().enumerate() {
        if index > 0 {
            digest.update(b"\n\n");
        }
        digest.update(block.text.as_bytes());
    }
    format!("sha256:{}", HEXLOWER.encode(&digest.finalize()))
}

/// Removes control characters. Returns true if there were any. If the text changes, its marks are dropped,
/// because their byte ranges are no longer valid.
fn strip(draft: &mut Block) -> bool {
    let mut removed = clean::strip_controls(&mut draft.text);
    if removed {
        draft.marks.clear();
    }
    if let Some(alt) = &mut draft.alt {
        removed |= clean::strip_controls(alt);
    }
    for link in &mut draft.links {
        removed |= clean::strip_controls(&mut link.text);
    }
    removed
}

/// Splits a draft into parts of limited length and counts the tokens of each part.
fn split(mut draft: Block) -> Vec<Block> {
    draft.tokens = tokens::count(&draft.text);
    if draft.tokens <= MAX_BLOCK_TOKENS {
        return vec![draft];
    }
    let parts = part_ranges(&draft.text, draft.kind);
    let whole = LongBlock {
        text: std::mem::take(&mut draft.text),
        marks: std::mem::take(&mut draft.marks),
        links: std::mem::take(&mut draft.links),
    };
    parts.into_iter().enumerate().map(|(index, range)| part(&draft, &whole, &range, index > 0)).collect()
}

/// Text, marks and links of a long block, which are distributed among its parts.
struct LongBlock {
    text: String,
    marks: Vec<Mark>,
    links: Vec<Link>,
}

/// Byte ranges of the parts of a long text, without the white space between them.
fn part_ranges(text: &str, kind: BlockKind) -> Vec<Range<usize>> {
    let boundaries = tokens::token_boundaries(text);
    let window = usize::try_from(MAX_BLOCK_TOKENS).unwrap_or(usize::MAX);
    let mut ranges = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let first = boundaries.partition_point(|&end| end <= start);
        let end = part_end(text, start, &boundaries[first..boundaries.len().min(first + window)], kind);
        let content = trimmed(text, start..end, kind);
        if !text[content.clone()].trim().is_empty() {
            ranges.push(content);
        }
        start = end;
    }
    ranges
}

/// Range of a part without surrounding white space. Parts of code and tables retain the white space of their
/// lines. Parts of code also retain blank lines, so that [`join_code`] restores the original text.
fn trimmed(text: &str, range: Range<usize>, kind: BlockKind) -> Range<usize> {
    let piece = &text[range.clone()];
    let within = |content: &str| {
        let start = content.as_ptr().addr() - text.as_ptr().addr();
        start..start + content.len()
    };
    match kind {
        BlockKind::Table => within(piece.trim_matches('\n')),
        BlockKind::Code => {
            let end = range.end - usize::from(piece.len() > 1 && piece.ends_with('\n'));
            let before = &text[..range.start];
            let begins_line = before.ends_with('\n');
            let start = match needs_line_feed(before.strip_suffix('\n').unwrap_or(before)) {
                _ if range.start == 0 => range.start,
                true if !begins_line && piece.len() > 1 && piece.starts_with('\n') => range.start + 1,
                false if begins_line => range.start - 1,
                _ => range.start,
            };
            start..end.max(start)
        }
        _ => within(piece.trim()),
    }
}

/// True if a line feed belongs between this part of code and the next part. A long line may have been split.
/// In that case, the next part begins with its own line feed, if the text has one.
fn needs_line_feed(part: &str) -> bool {
    let bytes = part.as_bytes();
    bytes.len() <= MAX_LINE_BYTES || bytes[bytes.len() - MAX_LINE_BYTES - 1..].contains(&b'\n')
}

/// Joins the parts of a code block that was split because it was too long.
pub(crate) fn join_code<'p>(parts: impl Iterator<Item = &'p str>) -> String {
    let mut code = String::new();
    for part in parts {
        if !code.is_empty() && needs_line_feed(&code) {
            code.push('\n');
        }
        code.push_str(part);
    }
    code
}

/// End of the next part: after a line (for code and tables), a sentence, a word or a token. It is always
/// greater than `start`.
fn part_end(text: &str, start: usize, boundaries: &[usize], kind: BlockKind) -> usize {
    let by_lines = matches!(kind, BlockKind::Code | BlockKind::Table);
    // A word can be one token after a space and two tokens without it.
    let fits = |end: usize| tokens::count(&text[trimmed(text, start..end, kind)]) <= MAX_BLOCK_TOKENS;
    let last = boundaries.last().copied().unwrap_or(text.len());
    if last == text.len() && fits(last) {
        return last;
    }
    let late = &boundaries[boundaries.len() / 2..];
    let is_line_end = |text: &str, end: usize| {
        text.get(end..).is_some_and(|rest| rest.starts_with('\n')) || text[..end].ends_with('\n')
    };
    let find = |good: &dyn Fn(&str, usize) -> bool| {
        late.iter().rev().copied().find(|&end| text.is_char_boundary(end) && good(text, end) && fits(end))
    };
    let sentence = || find(&tokens::is_sentence_end);
    let preferred = if by_lines { find(&is_line_end).or_else(sentence) } else { sentence() };
    preferred.or_else(|| find(&tokens::is_word_end)).or_else(|| find(&|_, _| true)).unwrap_or_else(|| {
        (start + 1..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
    })
}

/// Creates a part of a long block, with the marks and links within its range. `bare` is the block without
/// text, marks and links.
fn part(bare: &Block, whole: &LongBlock, range: &Range<usize>, continued: bool) -> Block {
    let text = whole.text[range.clone()].to_owned();
    let note = bare.note.clone().filter(|_| !continued);
    let pictures = if continued { Vec::new() } else { bare.pictures.clone() };
    let mut block = Block { continued, tokens: tokens::count(&text), text, note, pictures, ..bare.clone() };
    let (from, to) = (bound(range.start), bound(range.end));
    for mark in whole.marks.iter().filter(|mark| mark.start < to && mark.end > from) {
        let style = match mark.style {
            Style::Link(index) => {
                let Some(link) = whole.links.get(usize::try_from(index).unwrap_or(usize::MAX)) else {
                    continue;
                };
                block.links.push(Link::clone(link));
                Style::Link(bound(block.links.len() - 1))
            }
            other => other,
        };
        block.marks.push(Mark { start: mark.start.max(from) - from, end: mark.end.min(to) - from, style });
    }
    if whole.marks.is_empty() && !continued {
        block.links.clone_from(&whole.links);
    }
    block
}

#[cfg(test)]
mod tests;
