//! Selects the blocks that a read returns: the whole text, a page, a range, or the passages that match a
//! query.

use extract::{Block, Document, search};

use super::cursor::Bookmark;
use crate::Article;
use kernel::{Code, Error, Result};

/// Maximum number of blocks in a range.
const MAX_LINES: u32 = 500;
/// Default number of passages for a query.
const DEFAULT_PASSAGES: usize = 5;

/// Inclusive range of anchors, such as `12` or `3-17`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lines {
    /// First anchor. Anchors start at 1.
    pub first: u32,
    pub last: u32,
}

impl std::str::FromStr for Lines {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        let rule = || "must be `N` or `A-B` with 1 ≤ A ≤ B".to_owned();
        let number = |text: &str| -> std::result::Result<u32, String> {
            let digits =
                !text.is_empty() && text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit());
            if digits { text.parse().map_err(|_| rule()) } else { Err(rule()) }
        };
        let (first, last) = match text.trim().split_once('-') {
            Some((first, last)) => (number(first.trim())?, number(last.trim())?),
            None => (number(text.trim())?, number(text.trim())?),
        };
        if first == 0 || last < first {
            return Err(rule());
        }
        if last - first >= MAX_LINES {
            return Err(format!("may span at most {MAX_LINES} blocks"));
        }
        Ok(Self { first, last })
    }
}

/// Selection of a part of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextSelector {
    /// Search words. Selects the matching blocks, ranked by relevance.
    pub query: Option<String>,
    /// Maximum number of passages for a query.
    pub passages: Option<u32>,
    /// Range of blocks.
    pub lines: Option<Lines>,
    /// Maximum number of blocks per page.
    pub limit: Option<u32>,
    /// Position at which the page starts. `None` for the first page.
    pub bookmark: Option<Bookmark>,
    /// Maximum number of tokens. At least one block is returned, and blocks are never cut.
    pub max_tokens: Option<u32>,
}

impl TextSelector {
    /// Checks that the selected options can be combined.
    ///
    /// # Errors
    /// `Invalid` with `conflicting_parameters` if two options are mutually exclusive.
    pub fn check(&self, has_cursor: bool) -> Result<()> {
        let paged = has_cursor || self.limit.is_some();
        let conflict = |text: &str| Err(Error::new(Code::ConflictingParameters, text));
        match (&self.query, self.lines) {
            (Some(_), Some(_)) => conflict("`query` and `lines` cannot be used together."),
            (Some(_), None) if paged => {
                conflict("`cursor` and `limit` cannot be used together with `query`.")
            }
            (None, Some(_)) if paged => {
                conflict("`cursor` and `limit` cannot be used together with `lines`.")
            }
            _ => Ok(()),
        }
    }
}

/// One selected block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SelectedBlock {
    /// Index of the block in the document, starting at 0.
    pub index: usize,
    /// Rank among all matches, and relevance score. `None` if there is no query.
    pub rank_and_score: Option<(u32, f64)>,
}

/// Blocks that a read returns.
#[derive(Debug, Clone, PartialEq)]
pub struct TextSelection {
    /// Selected blocks in response order: by anchor, or by rank for a query.
    pub picks: Vec<SelectedBlock>,
    /// Number of all matching blocks. `None` if there is no query.
    pub matched: Option<usize>,
    /// Start of the next page. `None` if all requested blocks are returned.
    pub next: Option<Bookmark>,
    /// Tokens of the returned blocks, including the separators between them.
    pub tokens: u32,
}

/// Selects blocks of `article`.
///
/// # Errors
/// `Invalid` with `lines_out_of_range` if the range begins after the end of the text.
pub fn select(article: &Article, selector: &TextSelector) -> Result<TextSelection> {
    let document = article.document.as_ref();
    if let Some(query) = &selector.query {
        return Ok(passages(document, query, selector));
    }
    let total = u32::try_from(document.blocks.len()).unwrap_or(u32::MAX);
    if let Some(lines) = selector.lines
        && lines.first > total
    {
        let text = format!("The text has {total} blocks, but the range begins at {}.", lines.first);
        return Err(Error::new(Code::LinesOutOfRange, text));
    }
    Ok(page(article, selector, total))
}

fn page(article: &Article, selector: &TextSelector, total: u32) -> TextSelection {
    let mark = selector.bookmark;
    let first = mark.map(|mark| mark.next).or(selector.lines.map(|lines| lines.first)).unwrap_or(1).max(1);
    let end = mark.map(|mark| mark.last).filter(|last| *last > 0).or(selector.lines.map(|lines| lines.last));
    let last = end.unwrap_or(total).min(total);
    let limit = selector.limit.or(mark.map(|mark| mark.limit)).filter(|limit| *limit > 0);
    let max_tokens = selector.max_tokens.or(mark.map(|mark| mark.max_tokens)).filter(|tokens| *tokens > 0);
    let blocks = article.document.blocks.iter().enumerate().skip(first as usize - 1);
    let selected =
        blocks.take((last + 1).saturating_sub(first) as usize).take(limit.map_or(usize::MAX, |l| l as usize));
    let (picks, tokens) = fill(
        selected.map(|(index, block)| (SelectedBlock { index, rank_and_score: None }, block)),
        max_tokens,
    );
    let reached = picks.last().map_or(last, |pick| u32::try_from(pick.index).unwrap_or(u32::MAX) + 1);
    let next = (reached < last).then(|| Bookmark {
        snapshot_id: article.snapshot_id,
        next: reached + 1,
        last: end.map_or(0, |end| end.min(total)),
        limit: limit.unwrap_or(0),
        max_tokens: max_tokens.unwrap_or(0),
    });
    TextSelection { picks, matched: None, next, tokens }
}

fn passages(document: &Document, query: &str, selector: &TextSelector) -> TextSelection {
    let hits = search::rank(&document.blocks, document.language.as_deref(), query);
    let limit = selector.passages.map_or(DEFAULT_PASSAGES, |passages| passages as usize);
    let ranked = hits.iter().zip(1_u32..).take(limit).filter_map(|(hit, rank)| {
        let block = document.blocks.get(hit.index)?;
        Some((SelectedBlock { index: hit.index, rank_and_score: Some((rank, hit.score)) }, block))
    });
    let (picks, tokens) = fill(ranked, selector.max_tokens);
    TextSelection { picks, matched: Some(hits.len()), next: None, tokens }
}

/// Collects whole blocks while they fit within the budget. The first block is always included, because otherwise the
/// cursor would not advance.
fn fill<'a>(
    blocks: impl Iterator<Item = (SelectedBlock, &'a Block)>,
    max_tokens: Option<u32>,
) -> (Vec<SelectedBlock>, u32) {
    let budget = max_tokens.unwrap_or(u32::MAX);
    let mut picks = Vec::new();
    let mut tokens = 0_u32;
    for (pick, block) in blocks {
        let joint = u32::from(!picks.is_empty());
        let with = tokens.saturating_add(block.tokens).saturating_add(joint);
        if with > budget && !picks.is_empty() {
            break;
        }
        tokens = with;
        picks.push(pick);
    }
    (picks, tokens)
}
