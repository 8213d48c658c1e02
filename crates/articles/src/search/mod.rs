//! Passages of an article that match a query, best first, within a token budget.
//!
//! `extract` ranks the blocks. This module selects as many whole blocks as fit within the budget, and returns the
//! number of passages to skip for the next page. The functions are pure: the same document and request always result in
//! the same passages.

#[cfg(test)]
mod tests;

use extract::search::BlockHit;
use extract::{Document, tokens};

pub use super::window::{DEFAULT_TOKENS, MAX_TOKENS, MIN_TOKENS};

/// Default number of passages.
pub const DEFAULT_PASSAGES: u32 = 8;
/// Maximum number of passages.
pub const MAX_PASSAGES: u32 = 25;
/// Maximum length of a query, in characters.
pub const MAX_QUERY: usize = 500;

/// Search request for an article.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchRequest {
    /// Search words. Words in double quotes match as a phrase.
    pub query: String,
    /// Maximum total size of all passages, in `o200k_base` tokens.
    pub max_tokens: u32,
    /// Maximum number of passages.
    pub max_passages: u32,
    /// Number of ranked passages to skip.
    pub cursor: u64,
}

/// Matching passages.
#[derive(Clone, Debug, PartialEq)]
pub struct Passages {
    /// Number of all matching blocks, including blocks that are not returned.
    pub matched_blocks: usize,
    /// Total size of the returned texts in tokens.
    pub tokens: u32,
    /// Number of ranked passages to skip for the next page. `None` if this page is the last.
    pub next_cursor: Option<u64>,
    /// Passages, best first.
    pub passages: Vec<Passage>,
}

/// A matching block, or a part of it that contains the first match.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// Anchor of the block.
    pub anchor: u32,
    /// Nearest heading before the block.
    pub section: Option<String>,
    /// Rank among all matches, starting at 1.
    pub rank: u64,
    /// Relevance relative to the best match: greater than 0, at most 1, rounded to four decimals.
    pub score: f64,
    pub tokens: u32,
    pub text: String,
}

/// Ranks the blocks for `request` and returns the passages after its cursor.
pub fn search(document: &Document, request: &SearchRequest) -> Passages {
    let hits = extract::search::rank(&document.blocks, document.language.as_deref(), &request.query);
    let budget = request.max_tokens.max(MIN_TOKENS);
    let mut result =
        Passages { matched_blocks: hits.len(), tokens: 0, next_cursor: None, passages: Vec::new() };
    for (hit, rank) in hits.iter().zip(1_u64..) {
        if rank <= request.cursor {
            continue;
        }
        let block = &document.blocks[hit.index];
        let full = result.passages.len() >= request.max_passages.max(1) as usize;
        let fits = result.tokens.saturating_add(block.tokens) <= budget;
        if full || !(fits || result.passages.is_empty()) {
            result.next_cursor = Some(rank - 1);
            break;
        }
        let (text, count) = if fits {
            (block.text.clone(), block.tokens)
        } else {
            let part = round_match(&block.text, hit, budget);
            (part.to_owned(), tokens::count(part))
        };
        result.tokens += count;
        result.passages.push(Passage {
            anchor: block.anchor,
            section: block.section.clone(),
            rank,
            score: hit.score,
            tokens: count,
            text,
        });
    }
    result
}

/// Returns the part of a long text that contains the first match. The part begins at the start of a sentence before the
/// match, and is cut at the end of a sentence or word so that it fits within the budget.
fn round_match<'a>(text: &'a str, hit: &BlockHit, budget: u32) -> &'a str {
    let match_start =
        (0..=hit.first_match.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let before = &text[..match_start];
    let near = |start: usize| tokens::count(&text[start..match_start]) <= budget / 2;
    let start =
        [0].into_iter().chain(sentence_starts(before)).find(|&start| near(start)).unwrap_or(match_start);
    let mut token_limit = budget;
    loop {
        let part = tokens::cut(&text[start..], token_limit).0.trim();
        // A part may have more tokens on its own than within the whole text, because its last word is
        // tokenised differently.
        if tokens::count(part) <= budget || token_limit == 0 {
            return part;
        }
        token_limit -= 1;
    }
}

/// Returns the byte offsets at which sentences begin in `text`, except the first sentence.
fn sentence_starts(text: &str) -> impl Iterator<Item = usize> + '_ {
    let terminators =
        text.char_indices().filter(|(_, c)| matches!(c, '.' | '!' | '?' | '\n' | '。' | '！' | '？'));
    terminators.filter_map(|(at, end)| {
        let after = at + end.len_utf8();
        let rest = &text[after..];
        let dense = matches!(end, '\n' | '。' | '！' | '？');
        let blank = rest.len() - rest.trim_start().len();
        (dense || blank > 0).then_some(after + blank)
    })
}
