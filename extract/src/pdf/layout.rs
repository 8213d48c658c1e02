//! Assembles the lines of untagged files into paragraphs, headings, lists, tables and code, by position and
//! size.
//!
//! Most files render text in reading order, even in columns, so that order is retained. Positions and sizes
//! determine the boundaries of words, lines and paragraphs.

use std::collections::{BTreeMap, HashMap};

use super::{
    glyphs::PageGlyphs,
    lines::{self, GlyphLine},
    running,
    tables::{self, PagePiece},
    words::DocumentWords,
};
use crate::{
    clean,
    document::{Block, BlockKind, ListItemPosition},
};

/// Minimum ratio of a heading's text size to the text size of the body.
const LARGER: f32 = 1.12;
/// Maximum number of characters in a heading.
const MAX_HEADING: usize = 200;

/// Lines of a file, without running heads, running feet and page numbers.
pub(super) fn lines_of(pages: &BTreeMap<u32, PageGlyphs>) -> Vec<GlyphLine> {
    let lines = pages.iter().flat_map(|(number, page)| lines::of(*number, page.height, &page.glyphs, 1.0));
    let mut lines = lines.collect();
    running::drop(&mut lines, pages.len());
    lines
}

/// Typical measurements of the text.
struct TextMetrics {
    size: f32,
    /// Sizes of headings in half points, the largest first.
    sizes: Vec<i64>,
    /// Distance between the lines of a paragraph, as a multiple of the text size.
    gap: f32,
    /// Left edges of the columns, at which many lines begin.
    lefts: Vec<f32>,
}

/// Converts lines to blocks.
pub(super) fn blocks(lines: &[GlyphLine], words: &DocumentWords) -> Vec<Block> {
    let body = TextMetrics::of(lines);
    let mut out =
        LayoutWriter { body, words, blocks: Vec::new(), paragraph: Vec::new(), indents: Vec::new() };
    for piece in tables::split(lines) {
        match piece {
            PagePiece::Line(line) => out.line(line),
            PagePiece::Table(page, text) => {
                out.flush();
                out.indents.clear();
                out.blocks.push(Block { kind: BlockKind::Table, text, page: Some(page), ..Block::default() });
            }
        }
    }
    out.flush();
    out.blocks
}

struct LayoutWriter<'w> {
    body: TextMetrics,
    words: &'w DocumentWords,
    blocks: Vec<Block>,
    paragraph: Vec<GlyphLine>,
    /// Left edges of the list items in the enclosing lists.
    indents: Vec<f32>,
}

impl LayoutWriter<'_> {
    fn line(&mut self, line: GlyphLine) {
        if self.paragraph.last().is_some_and(|last| self.starts_paragraph(last, &line)) {
            self.flush();
        }
        self.paragraph.push(line);
    }

    /// True if a line begins a new paragraph.
    fn starts_paragraph(&self, last: &GlyphLine, line: &GlyphLine) -> bool {
        let distance = (line.y - last.y) / last.size.max(1.0);
        let in_other_column = last.page != line.page || line.y < last.y - last.size;
        if last.mono || line.mono {
            return last.mono != line.mono || !in_other_column && distance > self.body.gap * 2.4;
        }
        if (rounded(last.size) - rounded(line.size)).abs() > 1 || item(&line.text).is_some() {
            return true;
        }
        let ended = last.text.ends_with(['.', '!', '?', ':', '。', '！', '？', lines::NOTE_END]);
        let widest = self.paragraph.iter().map(|line| line.right).fold(0.0, f32::max);
        let short = last.right < widest - last.size * 3.0;
        if in_other_column {
            // At the end of a column or page, a paragraph is complete only if its last sentence is complete.
            return ended || last.size > self.body.size * LARGER;
        }
        let listed = self.paragraph.first().is_some_and(|first| item(&first.text).is_some());
        distance > self.body.gap * 1.2 + 0.1
            || short && ended
            || last.bold != line.bold && (self.paragraph.iter().all(|line| line.bold) || line.bold && ended)
            || !listed && ended && line.left > last.left + last.size * 0.9 && self.paragraph.len() > 1
            || listed && line.left < last.left - last.size * 0.5 && self.paragraph.len() > 1
    }

    /// Creates a block from the collected lines of a paragraph.
    fn flush(&mut self) {
        let paragraph = std::mem::take(&mut self.paragraph);
        let Some(first) = paragraph.first() else { return };
        let mut block = Block { page: Some(first.page), ..Block::default() };
        if paragraph.iter().all(|line| line.mono)
            && (paragraph.len() > 1 || first.text.trim().contains(' ') || first.text.len() > 12)
        {
            block.kind = BlockKind::Code;
            block.text = lines::code(&paragraph);
            self.blocks.push(block);
            return;
        }
        for line in &paragraph {
            self.words.join(&mut block.text, line.text.trim());
        }
        block.text = clean::fold(&block.text);
        let letters = block.text.chars().any(char::is_alphabetic);
        let short = block.text.chars().count() <= MAX_HEADING && letters;
        let bold = paragraph.iter().all(|line| line.bold) && paragraph.len() <= 2;
        if first.size > self.body.size * LARGER && short {
            block.kind = BlockKind::Heading;
            block.level = Some(self.body.level(first.size));
        } else if let Some((number, length)) = item(&block.text) {
            block.kind = BlockKind::ListItem;
            block.list = Some(ListItemPosition { depth: self.depth(first), number });
            let text = block.text.split_off(length);
            text.trim_start().clone_into(&mut block.text);
        } else if bold
            && short
            && first.size >= self.body.size * 0.95
            && !block.text.ends_with(['.', ':', ',', ';'])
        {
            block.kind = BlockKind::Heading;
            block.level = Some(u8::try_from(self.body.sizes.len().min(5) + 1).unwrap_or(6));
        } else if self.is_quote(&paragraph) {
            block.kind = BlockKind::Quote;
        }
        if block.kind != BlockKind::ListItem {
            self.indents.clear();
        }
        if !block.text.is_empty() {
            self.blocks.push(block);
        }
    }

    /// Nesting depth of a list item, from its indentation.
    fn depth(&mut self, line: &GlyphLine) -> u8 {
        while self.indents.last().is_some_and(|indent| line.left < indent - line.size * 0.7) {
            self.indents.pop();
        }
        if self.indents.last().is_none_or(|indent| line.left > indent + line.size * 0.7) {
            self.indents.push(line.left);
        }
        u8::try_from(self.indents.len().saturating_sub(1)).unwrap_or(u8::MAX)
    }

    /// True if all lines have the same indentation from the edge of a column.
    fn is_quote(&self, paragraph: &[GlyphLine]) -> bool {
        let Some(first) = paragraph.first() else { return false };
        let size = first.size;
        let alike = paragraph.iter().all(|line| (line.left - first.left).abs() < size * 0.3);
        let column = self.body.lefts.iter().any(|left| (first.left - left).abs() < size * 0.6);
        let set_in = self.body.lefts.iter().any(|left| (1.5..6.0).contains(&((first.left - left) / size)));
        paragraph.len() > 1 && alike && !column && set_in
    }
}

/// Number of a list item (`None` for a bullet), and the length in bytes of the number or bullet. `None` if
/// the text is not a list item.
fn item(text: &str) -> Option<(Option<u32>, usize)> {
    let first = text.chars().next()?;
    if matches!(first, '•' | '‣' | '◦' | '▪' | '●' | '■' | '○' | '\u{f0b7}') {
        return Some((None, first.len_utf8()));
    }
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    let rest = text.get(digits..)?;
    let closed = rest.starts_with(". ") || rest.starts_with(") ");
    (closed && (1..=3).contains(&digits)).then(|| (text[..digits].parse().ok(), digits + 1))
}

impl TextMetrics {
    fn of(lines: &[GlyphLine]) -> Self {
        let size = body_size(lines);
        let large = lines.iter().filter(|line| line.size > size * LARGER);
        let mut sizes: Vec<i64> = large.map(|line| rounded(line.size)).collect();
        sizes.sort_unstable_by(|one, other| other.cmp(one));
        sizes.dedup();
        Self { size, sizes, gap: line_gap(lines), lefts: common_lefts(lines) }
    }

    fn level(&self, size: f32) -> u8 {
        let rank = self.sizes.iter().position(|&one| (one - rounded(size)).abs() <= 1).unwrap_or(5);
        u8::try_from(rank.min(5) + 1).unwrap_or(6)
    }
}

/// Size of most characters of the text, in points.
#[expect(clippy::cast_precision_loss, reason = "half points")]
fn body_size(lines: &[GlyphLine]) -> f32 {
    let mut sizes: HashMap<i64, usize> = HashMap::new();
    for line in lines {
        *sizes.entry(rounded(line.size)).or_default() += line.text.len();
    }
    let most = sizes.into_iter().max_by_key(|&(size, count)| (count, size)).map_or(20, |(size, _)| size);
    most as f32 / 2.0
}

/// Converts a size to half points.
#[expect(clippy::cast_possible_truncation, reason = "the value is clamped to what fits")]
fn rounded(size: f32) -> i64 {
    (size * 2.0).round().clamp(0.0, 20_000.0) as i64
}

/// Usual distance between two lines of a paragraph, as a multiple of the text size.
fn line_gap(lines: &[GlyphLine]) -> f32 {
    let mut gaps: Vec<f32> = lines
        .windows(2)
        .filter(|pair| pair[0].page == pair[1].page && rounded(pair[0].size) == rounded(pair[1].size))
        .map(|pair| (pair[1].y - pair[0].y) / pair[0].size.max(1.0))
        .filter(|gap| (0.8..2.6).contains(gap))
        .collect();
    gaps.sort_by(f32::total_cmp);
    // Distances between lines of a paragraph are smaller than distances between paragraphs.
    gaps.get(gaps.len() * 2 / 5).copied().unwrap_or(1.25)
}

/// Left edges at which at least one eighth of the lines begin.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "whole points")]
fn common_lefts(lines: &[GlyphLine]) -> Vec<f32> {
    let mut counts: HashMap<i64, usize> = HashMap::new();
    for line in lines {
        *counts.entry(line.left.round() as i64).or_default() += 1;
    }
    counts.into_iter().filter(|(_, count)| count * 8 >= lines.len()).map(|(left, _)| left as f32).collect()
}
