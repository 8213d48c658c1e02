//! Combines glyphs into lines.

use super::{
    bidi,
    glyphs::{DOT, Glyph},
};
use crate::clean;

/// Character before the number of a footnote in the text of a line.
pub(super) const NOTE_START: char = '\u{e000}';
/// Character after the number of a footnote.
pub(super) const NOTE_END: char = '\u{e001}';
/// Maximum indentation of a line of code, in characters.
const MAX_INDENT: usize = 200;

/// Glyphs on the same base line.
#[derive(Debug, Clone)]
pub(super) struct GlyphLine {
    pub(super) page: u32,
    /// Distance from the top of the page, as a share of the page height.
    pub(super) height: f32,
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) y: f32,
    pub(super) size: f32,
    pub(super) text: String,
    /// True if all text of the line is monospaced.
    pub(super) mono: bool,
    /// True if all text of the line is bold.
    pub(super) bold: bool,
    /// Mean width of a character, in points.
    pub(super) advance: f32,
}

/// Combines glyphs in the order in which they are rendered. A new line begins at a glyph on another base
/// line, and after a gap of more than `far` times the text size.
pub(super) fn of(page: u32, page_height: f64, glyphs: &[Glyph], far: f32) -> Vec<GlyphLine> {
    let mut lines = Vec::new();
    let mut run: Vec<Glyph> = Vec::new();
    let (mut y, mut size, mut right) = (0.0_f32, 0.0_f32, 0.0_f32);
    for &glyph in glyphs {
        let largest = size.max(glyph.size);
        let is_same_run = !run.is_empty()
            && (glyph.y - y).abs() < largest * 0.45
            && glyph.x > right - largest * 2.0
            && glyph.x < right + largest * far;
        if !is_same_run {
            lines.extend(line(page, page_height, &run));
            run.clear();
            (y, size) = (glyph.y, glyph.size);
        }
        // Superscripts and subscripts do not change the base line of their line.
        if glyph.size > size {
            (y, size) = (glyph.y, glyph.size);
        }
        right = glyph.x + glyph.width;
        run.push(glyph);
    }
    lines.extend(line(page, page_height, &run));
    lines
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "a share, and the number of characters in a line"
)]
fn line(page: u32, page_height: f64, run: &[Glyph]) -> Option<GlyphLine> {
    let inked = || run.iter().filter(|glyph| !glyph.character.is_whitespace());
    let written = || inked().filter(|glyph| glyph.character != DOT);
    let largest =
        written().max_by(|one, other| one.size.total_cmp(&other.size)).or_else(|| inked().next())?;
    let (y, size) = (largest.y, largest.size);
    let mono = written().all(|glyph| glyph.mono);
    let text = written_text(run, y, size, mono);
    let text = if mono { text.trim_end().to_owned() } else { clean::fold(&bidi::logical(&text)) };
    let left = inked().map(|glyph| glyph.x).fold(f32::MAX, f32::min);
    let right = inked().map(|glyph| glyph.x + glyph.width).fold(f32::MIN, f32::max);
    let count = text.trim().chars().count().max(1);
    (!text.trim().is_empty()).then(|| GlyphLine {
        page,
        height: if page_height > 0.0 { (f64::from(y) / page_height) as f32 } else { 0.5 },
        left,
        right,
        y,
        size,
        mono,
        bold: written().all(|glyph| glyph.bold),
        advance: (right - left) / count as f32,
        text,
    })
}

/// Text of a line in visual order, with spaces between words and with markers before and after raised
/// numbers.
fn written_text(run: &[Glyph], y: f32, size: f32, mono: bool) -> String {
    let raised = |glyph: &Glyph| {
        glyph.size < size * 0.9 && glyph.y < y - size * 0.12 && glyph.character.is_ascii_digit()
    };
    let mut text = String::new();
    let mut note = false;
    let mut end: Option<f32> = None;
    let mut after_space = false;
    for glyph in run {
        if glyph.character == DOT {
            if text.is_empty() {
                text.push('•');
                end = Some(glyph.x + glyph.width);
                after_space = true;
            }
            continue;
        }
        if glyph.character.is_whitespace() {
            after_space = true;
            if mono {
                text.push(' ');
                end = Some(glyph.x + glyph.width);
            }
            continue;
        }
        let gap = end.map_or(0.0, |end| glyph.x - end);
        let wide = if after_space { 0.08 } else { 0.17 };
        if note && !raised(glyph) {
            text.push(NOTE_END);
            note = false;
        }
        let least = if mono { glyph.width * 0.6 } else { glyph.size.min(size) * wide };
        if gap > least && !text.is_empty() {
            text.push(' ');
        }
        if !note && raised(glyph) {
            text.push(NOTE_START);
            note = true;
        }
        text.push(glyph.character);
        end = Some(glyph.x + glyph.width);
        after_space = false;
    }
    if note {
        text.push(NOTE_END);
    }
    text
}

/// Text of lines of code, with their indentation. A distance between lines that exceeds 1.6 times the
/// smallest distance becomes an empty line.
pub(super) fn code(lines: &[GlyphLine]) -> String {
    let left = lines.iter().map(|line| line.left).fold(f32::MAX, f32::min);
    let mut steps: Vec<f32> = lines
        .windows(2)
        .filter(|pair| pair[0].page == pair[1].page)
        .map(|pair| pair[1].y - pair[0].y)
        .filter(|step| *step > 1.0)
        .collect();
    steps.sort_by(f32::total_cmp);
    let step = steps.first().copied().unwrap_or(f32::MAX);
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        if let Some(last) = index.checked_sub(1).and_then(|last| lines.get(last)) {
            let is_same_line = last.page == line.page && (line.y - last.y).abs() < line.size * 0.45;
            if is_same_line {
                text.push(' ');
                text.push_str(line.text.trim());
                continue;
            }
            text.push('\n');
            let empty = last.page == line.page && line.y - last.y > step * 1.6;
            if empty {
                text.push('\n');
            }
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "not below zero, and bounded below"
        )]
        let indent = ((line.left - left) / line.advance.max(1.0)).round().max(0.0) as usize;
        text.extend(std::iter::repeat_n(' ', indent.min(MAX_INDENT)));
        text.push_str(line.text.trim());
    }
    text
}
