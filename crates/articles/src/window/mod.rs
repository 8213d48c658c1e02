//! Token windows over an article. A window contains as many whole blocks as fit within the budget, and a cursor from
//! which the next window continues.
//!
//! A window is text for a language model, so its tokens are counted with all markers and separators and never exceed
//! the budget. If a single block exceeds the budget, it is cut, and the cursor also encodes how many of its tokens were
//! returned. The functions are pure: the same document and request always result in the same window.

#[cfg(test)]
pub mod tests;

use extract::{Block, Document, tokens};

use kernel::{Error, Result};

/// Default budget of a window in tokens.
pub const DEFAULT_TOKENS: u32 = 4000;
/// Minimum budget of a window in tokens.
pub const MIN_TOKENS: u32 = 100;
/// Maximum budget of a window in tokens.
pub const MAX_TOKENS: u32 = 25_000;
/// Factor in the encoding of a cursor: `anchor + CURSOR_FACTOR × tokens of that block already returned`.
const CURSOR_FACTOR: u64 = 1_000_000;

/// Token counts of an article with its markers, from which all windows are cut. Counting takes about 0.15 ms
/// per thousand tokens, so the counts are computed once per document and cached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenCounts {
    /// Token count of each block, including its `[pN] ` marker.
    marked: Vec<u32>,
    /// Token count of the article: all blocks with their markers, plus one token per separator.
    pub total: u32,
}

impl TokenCounts {
    pub fn of(document: &Document) -> Self {
        let marked: Vec<u32> = document
            .blocks
            .iter()
            .map(|block| tokens::count(&marked(block, &block.text, PieceKind::Start)))
            .collect();
        let separators = u32::try_from(marked.len().saturating_sub(1)).unwrap_or(u32::MAX);
        let total = marked.iter().fold(separators, |sum, count| sum.saturating_add(*count));
        Self { marked, total }
    }

    /// Returns the number of counted blocks.
    pub fn blocks(&self) -> usize {
        self.marked.len()
    }
}

/// Request for a window of an article.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowRequest {
    /// Maximum size in `o200k_base` tokens, from [`MIN_TOKENS`] to [`MAX_TOKENS`].
    pub max_tokens: u32,
    /// `next_cursor` of the previous window. `None` for the start of the article.
    pub cursor: Option<u64>,
}

impl Default for WindowRequest {
    fn default() -> Self {
        Self { max_tokens: DEFAULT_TOKENS, cursor: None }
    }
}

/// A window of an article.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// Blocks with their markers, separated by blank lines.
    pub text: String,
    /// Anchor of the first block. `None` for an empty article.
    pub from_anchor: Option<u32>,
    /// Anchor of the last block, even if the window contains only a part of that block.
    pub to_anchor: Option<u32>,
    /// Tokens of `text`: all blocks with their markers, plus one token per separator. At most the budget.
    pub tokens: u32,
    /// Cursor of the next window. `None` if this window is the last.
    pub next_cursor: Option<u64>,
}

/// Cuts the window for `request`.
///
/// # Errors
/// `cursor_out_of_range` if the cursor is beyond the end of the article or of its block.
pub fn window(document: &Document, measure: &TokenCounts, request: WindowRequest) -> Result<Window> {
    let budget = request.max_tokens.max(MIN_TOKENS);
    let Some(start) = WindowStart::of(document, request.cursor)? else {
        return Ok(Window {
            text: String::new(),
            from_anchor: None,
            to_anchor: None,
            tokens: 0,
            next_cursor: None,
        });
    };
    let first = &document.blocks[start.index];
    let opening = opening(first, start, measure, budget);
    let mut window = Window {
        tokens: opening.tokens,
        text: opening.text,
        from_anchor: Some(first.anchor),
        to_anchor: Some(first.anchor),
        next_cursor: opening.next_cursor,
    };
    if window.next_cursor.is_some() {
        return Ok(window);
    }
    for (block, count) in document.blocks.iter().zip(&measure.marked).skip(start.index + 1) {
        let grown = window.tokens.saturating_add(count.saturating_add(1));
        if grown > budget {
            window.next_cursor = Some(u64::from(block.anchor));
            break;
        }
        window.text.push_str("\n\n");
        window.text.push_str(&marked(block, &block.text, PieceKind::Start));
        window.tokens = grown;
        window.to_anchor = Some(block.anchor);
    }
    Ok(window)
}

/// Returns at most the first `max_characters` code points of the article's clean text, in which blank lines
/// separate the blocks.
pub fn clean_text(document: &Document, max_characters: usize) -> CleanText {
    let mut text = String::new();
    let (mut returned, mut total) = (0, 0);
    for (index, block) in document.blocks.iter().enumerate() {
        for piece in [if index == 0 { "" } else { "\n\n" }, block.text.as_str()] {
            let length = piece.chars().count();
            total += length;
            let remaining = max_characters - returned;
            if length <= remaining {
                text.push_str(piece);
                returned += length;
            } else {
                text.extend(piece.chars().take(remaining));
                returned = max_characters;
            }
        }
    }
    CleanText { text, returned, total }
}

/// Text of an article without markers, up to a maximum length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CleanText {
    pub text: String,
    /// Length of `text` in code points.
    pub returned: usize,
    /// Length of the whole text in code points.
    pub total: usize,
}

/// Start of a window: a block, and the number of its tokens that earlier windows have returned.
#[derive(Clone, Copy)]
struct WindowStart {
    index: usize,
    returned: usize,
}

impl WindowStart {
    fn of(document: &Document, cursor: Option<u64>) -> Result<Option<Self>> {
        let Some(cursor) = cursor else {
            return Ok((!document.blocks.is_empty()).then_some(Self { index: 0, returned: 0 }));
        };
        let index = usize::try_from(cursor % CURSOR_FACTOR).ok().and_then(|anchor| anchor.checked_sub(1));
        let returned = usize::try_from(cursor / CURSOR_FACTOR).unwrap_or(usize::MAX);
        let block = index.and_then(|index| document.blocks.get(index));
        match (index, block) {
            (Some(index), Some(_)) if returned == 0 => Ok(Some(Self { index, returned })),
            (Some(index), Some(block)) if returned < tokens::token_boundaries(&block.text).len() => {
                Ok(Some(Self { index, returned }))
            }
            _ => Err(Error::cursor_out_of_range(cursor, document.blocks.len())),
        }
    }
}

/// First block of a window, or the piece of that block that fits within the budget.
struct Opening {
    text: String,
    tokens: u32,
    next_cursor: Option<u64>,
}

fn opening(block: &Block, start: WindowStart, measure: &TokenCounts, budget: u32) -> Opening {
    if start.returned == 0 && measure.marked[start.index] <= budget {
        let text = marked(block, &block.text, PieceKind::Start);
        return Opening { text, tokens: measure.marked[start.index], next_cursor: None };
    }
    let kind = if start.returned == 0 { PieceKind::Start } else { PieceKind::Continued };
    let (piece, returned) = fitting_piece(block, start.returned, kind, budget);
    let text = marked(block, piece, kind);
    Opening {
        tokens: tokens::count(&text),
        text,
        next_cursor: returned.map(|returned| u64::from(block.anchor) + CURSOR_FACTOR * returned as u64),
    }
}

/// Returns the longest piece of a block after its first `returned` tokens whose text with the marker fits within the
/// budget. Also returns the number of tokens of the block up to the end of the piece, or `None` if the piece reaches
/// the end of the block.
fn fitting_piece(block: &Block, returned: usize, kind: PieceKind, budget: u32) -> (&str, Option<usize>) {
    let token_offsets = tokens::token_boundaries(&block.text);
    let start =
        next_char_boundary(&block.text, returned.checked_sub(1).map_or(0, |last| token_offsets[last]));
    let rest = &block.text[start..];
    let fits = |piece: &str| tokens::count(&marked(block, piece, kind)) <= budget;
    if fits(rest) {
        return (rest, None);
    }
    let mut token_limit = budget;
    while token_limit > 1 {
        token_limit -= 1;
        let (head, _) = tokens::cut(rest, token_limit);
        // The cursor counts tokens of the whole block, so a piece must stop at a boundary between two of
        // these tokens.
        let end = token_offsets.partition_point(|&end| end <= start + head.len());
        let Some(&at) = end.checked_sub(1).and_then(|last| token_offsets.get(last)) else { continue };
        if at > start && block.text.is_char_boundary(at) && fits(&block.text[start..at]) {
            return (&block.text[start..at], Some(end));
        }
    }
    // Unreachable: the budget is at least 100, and one of the first hundred tokens stops at a character
    // boundary.
    (rest, None)
}

fn next_char_boundary(text: &str, from: usize) -> usize {
    (from..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}

/// Position of a piece in its block: the start, or a continuation of an earlier piece.
#[derive(Clone, Copy)]
enum PieceKind {
    Start,
    Continued,
}

fn marked(block: &Block, text: &str, kind: PieceKind) -> String {
    match kind {
        PieceKind::Start => format!("[p{}] {text}", block.anchor),
        PieceKind::Continued => format!("[p{}…] {text}", block.anchor),
    }
}
