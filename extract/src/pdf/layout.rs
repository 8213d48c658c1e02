//! Glyphs to lines, lines to paragraphs and headings.
//!
//! Files draw their text in reading order far more often than not, also in columns, so that order is kept; places
//! and sizes say where words, lines and paragraphs end.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

use crate::{
    clean,
    document::{Block, BlockKind, ListPlace},
};

/// One drawn piece of text. Distances are in points, `y` grows downwards.
pub(super) struct Glyph {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) size: f64,
    pub(super) text: String,
}

pub(super) struct PageText {
    pub(super) number: u32,
    pub(super) height: f64,
    pub(super) glyphs: Vec<Glyph>,
}

/// What the pages hold.
pub(super) struct Layout {
    pub(super) blocks: Vec<Block>,
    /// The largest text of the first page.
    pub(super) title: Option<String>,
}

#[derive(Debug, Clone)]
struct Line {
    page: u32,
    /// Distance from the top, as a share of the page.
    height: f64,
    left: f64,
    right: f64,
    y: f64,
    size: f64,
    text: String,
}

pub(super) fn blocks(pages: Vec<PageText>) -> Layout {
    let count = pages.len();
    let mut lines: Vec<Line> = pages.into_iter().flat_map(lines_of).collect();
    drop_running_titles(&mut lines, count);
    let body = body_size(&lines);
    let sizes = heading_sizes(&lines, body);
    let mut blocks: Vec<Block> = Vec::new();
    let mut paragraph: Vec<Line> = Vec::new();
    let gap = line_gap(&lines);
    for line in lines {
        if paragraph.last().is_some_and(|last| parts(&paragraph, last, &line, gap, body)) {
            push(&mut blocks, &mut paragraph, body, &sizes);
        }
        paragraph.push(line);
    }
    push(&mut blocks, &mut paragraph, body, &sizes);
    let title = blocks
        .iter()
        .filter(|block| block.page == Some(1) && block.kind == BlockKind::Heading)
        .min_by_key(|block| block.level)
        .map(|block| block.text.clone());
    Layout { blocks, title }
}

/// Glyphs on one height, in the order in which they are drawn.
fn lines_of(page: PageText) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut current: Option<Line> = None;
    for glyph in page.glyphs {
        let same = current.as_ref().is_some_and(|line| {
            let size = line.size.max(glyph.size);
            (glyph.y - line.y).abs() < size * 0.45
                && glyph.x > line.right - size * 2.0
                && glyph.x < line.right + size * 6.0
        });
        if !same {
            lines.extend(current.take());
        }
        let line = current.get_or_insert_with(|| Line {
            page: page.number,
            height: if page.height > 0.0 { glyph.y / page.height } else { 0.5 },
            left: glyph.x,
            right: glyph.x,
            y: glyph.y,
            size: glyph.size,
            text: String::new(),
        });
        let apart = glyph.x - line.right > glyph.size * 0.15;
        if apart && !line.text.ends_with(' ') && !line.text.is_empty() {
            line.text.push(' ');
        }
        push_plain(&mut line.text, &glyph.text);
        line.right = glyph.x + glyph.width;
        // Raised and lowered signs do not move their line.
        if glyph.size > line.size {
            line.size = glyph.size;
            line.y = glyph.y;
        }
    }
    lines.extend(current);
    for line in &mut lines {
        line.text = clean::fold(&line.text);
    }
    lines.retain(|line| !line.text.is_empty());
    lines
}

/// Ligatures become their letters.
fn push_plain(text: &mut String, drawn: &str) {
    for c in drawn.chars() {
        if matches!(c, '\u{fb00}'..='\u{fb06}') {
            text.extend(std::iter::once(c).nfkc());
        } else {
            text.push(c);
        }
    }
}

/// A running line of one page stands where the others do, to this share of the page's height.
const SAME_PLACE: f64 = 0.02;

/// Headers, footers and page numbers: at the edge of the page and, numbers aside, the same on many pages. A title that
/// they repeat is larger than they are, or stands elsewhere.
fn drop_running_titles(lines: &mut Vec<Line>, pages: usize) {
    let edge = |line: &Line| line.height < 0.09 || line.height > 0.91;
    let form = |line: &Line| line.text.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    let mut seen: HashMap<String, Vec<(f64, f64)>> = HashMap::new();
    for line in lines.iter().filter(|line| edge(line)) {
        seen.entry(form(line)).or_default().push((line.size, line.height));
    }
    let middle = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or_default()
    };
    let running: HashMap<String, (f64, f64)> = seen
        .into_iter()
        .filter(|(_, places)| pages >= 3 && places.len() >= 3 && places.len() * 3 >= pages)
        .map(|(form, places)| {
            let (sizes, heights) = places.into_iter().unzip();
            (form, (middle(sizes), middle(heights)))
        })
        .collect();
    lines.retain(|line| {
        let number = line.text.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | '-' | '–' | '/'));
        let repeated = running.get(&form(line)).is_some_and(|&(size, height)| {
            line.size <= size * 1.2 && (line.height - height).abs() <= SAME_PLACE
        });
        !(edge(line) && (number || repeated))
    });
}

/// The size that most characters have.
fn body_size(lines: &[Line]) -> f64 {
    let mut sizes: HashMap<i64, usize> = HashMap::new();
    for line in lines {
        *sizes.entry(rounded(line.size)).or_default() += line.text.len();
    }
    let most = sizes.into_iter().max_by_key(|&(size, count)| (count, size)).map_or(20, |(size, _)| size);
    i32::try_from(most).map_or(10.0, f64::from) / 2.0
}

/// Half points.
#[expect(clippy::cast_possible_truncation, reason = "the value is clamped to what fits")]
fn rounded(size: f64) -> i64 {
    (size * 2.0).round().clamp(0.0, 10_000.0) as i64
}

/// Sizes of headings, largest first.
fn heading_sizes(lines: &[Line], body: f64) -> Vec<i64> {
    let mut sizes: Vec<i64> =
        lines.iter().filter(|line| line.size > body * 1.12).map(|line| rounded(line.size)).collect();
    sizes.sort_unstable_by(|one, other| other.cmp(one));
    sizes.dedup();
    sizes
}

/// The usual distance between two lines of a paragraph, in sizes of the text.
fn line_gap(lines: &[Line]) -> f64 {
    let mut gaps: Vec<f64> = lines
        .windows(2)
        .filter(|pair| pair[0].page == pair[1].page && rounded(pair[0].size) == rounded(pair[1].size))
        .map(|pair| (pair[1].y - pair[0].y) / pair[0].size.max(1.0))
        .filter(|gap| (0.8..2.6).contains(gap))
        .collect();
    gaps.sort_by(f64::total_cmp);
    gaps.get(gaps.len() / 2).copied().unwrap_or(1.25)
}

/// True when a line begins another paragraph than the one before it.
fn parts(paragraph: &[Line], last: &Line, line: &Line, gap: f64, body: f64) -> bool {
    if (rounded(last.size) - rounded(line.size)).abs() > 1 || is_bullet(&line.text) {
        return true;
    }
    let ended = last.text.ends_with(['.', '!', '?', ':', '。', '！', '？']);
    let widest = paragraph.iter().map(|line| line.right).fold(0.0, f64::max);
    let short = last.right < widest - last.size * 3.0;
    if last.page != line.page || line.y < last.y - last.size {
        // The next page or column goes on with the sentence, or it does not.
        return ended || last.size > body * 1.12;
    }
    let distance = (line.y - last.y) / last.size.max(1.0);
    distance > gap * 1.35 + 0.1
        || short && ended
        || ended && line.left > last.left + last.size * 0.9 && paragraph.len() > 1
}

fn is_bullet(text: &str) -> bool {
    text.starts_with(['•', '‣', '◦', '▪', '●', '■', '○'])
}

/// Makes a block of the gathered lines.
fn push(blocks: &mut Vec<Block>, paragraph: &mut Vec<Line>, body: f64, sizes: &[i64]) {
    let Some(first) = paragraph.first() else { return };
    let (page, size) = (first.page, first.size);
    let mut text = String::new();
    for line in paragraph.drain(..) {
        join(&mut text, &line.text);
    }
    let short = text.chars().count() <= 200 && text.chars().any(char::is_alphabetic);
    let mut block = Block { text, page: Some(page), ..Block::default() };
    if size > body * 1.12 && short {
        let rank = sizes.iter().position(|&one| (one - rounded(size)).abs() <= 1).unwrap_or(5);
        block.kind = BlockKind::Heading;
        block.level = Some(u8::try_from(rank.min(5) + 1).unwrap_or(6));
    } else if is_bullet(&block.text) {
        block.kind = BlockKind::ListItem;
        block.list = Some(ListPlace { depth: 0, number: None });
        let is_bullet = |c: char| !c.is_alphanumeric() && !c.is_ascii_punctuation();
        let bare = block.text.trim_start_matches(is_bullet).len();
        block.text.drain(..block.text.len() - bare);
    }
    blocks.push(block);
}

/// Appends a line; a word parted at its end is put together again.
fn join(text: &mut String, line: &str) {
    let parted = text.ends_with('-')
        && text.chars().rev().nth(1).is_some_and(char::is_lowercase)
        && line.starts_with(char::is_lowercase);
    if parted {
        text.pop();
    } else if !(text.is_empty() || text.ends_with(clean::is_dense) && line.starts_with(clean::is_dense)) {
        text.push(' ');
    }
    text.push_str(line);
}
