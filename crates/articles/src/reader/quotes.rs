//! Checks whether a text contains a quote exactly, approximately, or not at all.
//!
//! The text is normalised once and treated as one sequence of words, so that a quote may span several
//! paragraphs. Candidate windows are ranked by the number of words that they share with the quote, in
//! constant time per word of the text. Only the best windows are compared in full.

use std::collections::HashMap;

use extract::{
    Document,
    diff::{DiffTag, diff, diff_numbers, equal_share},
};

/// Minimum number of characters in a quote.
pub const MIN_CHARS: usize = 8;
/// Maximum number of characters in a quote.
pub const MAX_CHARS: usize = 1000;
/// Maximum number of words in a quote.
pub const MAX_WORDS: usize = 200;
/// Minimum share of equal words in a close match, from 0 to 1.
const CLOSE: f32 = 0.8;
/// Minimum share of common words, from 0 to 1, at which a window is compared in full.
const MIN_SHARED: f32 = 0.5;
/// Maximum number of windows that are compared in full per quote.
const MAX_COMPARISONS: usize = 400;
/// Number of words that are processed between two calls of `should_continue`.
const STEPS: usize = 4096;

/// Kind of match between a text and a quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuoteMatch {
    /// The text contains the quote word for word. White space and the style of quotation marks may differ.
    Exact,
    /// The text contains a passage with few differences from the quote.
    Close,
    /// The text does not contain the quote.
    Absent,
}

impl QuoteMatch {
    pub const ALL: &'static [Self] = &[Self::Exact, Self::Close, Self::Absent];

    /// Name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Close => "close",
            Self::Absent => "absent",
        }
    }
}

/// Result of checking one quote.
#[derive(Debug, Clone, PartialEq)]
pub struct QuoteCheck {
    pub match_kind: QuoteMatch,
    /// Anchor of the block in which the match begins. `None` if there is no match.
    pub anchor: Option<u32>,
    /// Share of equal words, from 0 to 1.
    pub similarity: f64,
    /// Text of the blocks that contain the match. `None` if there is no match.
    pub context: Option<String>,
    /// Words of the text that match the quote. `None` if there is no match.
    pub passage: Option<String>,
}

/// A text prepared for quote checks.
pub struct QuoteChecker<'a> {
    document: &'a Document,
    /// All words, normalised and separated by single spaces.
    text: String,
    /// Byte offset of each word in `text`.
    starts: Vec<usize>,
    /// Index of the block of each word.
    blocks: Vec<usize>,
    /// Number of each word. Equal words have equal numbers.
    words: Vec<u32>,
    numbers: HashMap<String, u32>,
}

impl<'a> QuoteChecker<'a> {
    /// Prepares the text of `document`.
    pub fn new(document: &'a Document) -> Self {
        let mut haystack = Self {
            document,
            text: String::new(),
            starts: Vec::new(),
            blocks: Vec::new(),
            words: Vec::new(),
            numbers: HashMap::new(),
        };
        for (index, block) in document.blocks.iter().enumerate() {
            for word in fold(&block.text).split(' ').filter(|word| !word.is_empty()) {
                if !haystack.text.is_empty() {
                    haystack.text.push(' ');
                }
                haystack.starts.push(haystack.text.len());
                haystack.text.push_str(word);
                haystack.blocks.push(index);
                let next = u32::try_from(haystack.numbers.len()).unwrap_or(u32::MAX);
                haystack.words.push(*haystack.numbers.entry(word.to_owned()).or_insert(next));
            }
        }
        haystack
    }

    /// Checks `quote`. Returns `None` if `should_continue` returns false before the check has finished.
    pub fn check(&self, quote: &str, should_continue: &dyn Fn() -> bool) -> Option<QuoteCheck> {
        let folded = fold(quote);
        let words: Vec<&str> = folded.split(' ').filter(|word| !word.is_empty()).collect();
        if words.is_empty() {
            return Some(Self::absent(0.0));
        }
        if let Some(exact) = self.exact(&folded) {
            return Some(exact);
        }
        // All words of the quote that the text does not contain share one number, which no word of the text
        // has.
        let unknown_number = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        let words: Vec<u32> =
            words.iter().map(|word| self.numbers.get(*word).copied().unwrap_or(unknown_number)).collect();
        let (share, first) = self.closest(&words, should_continue)?;
        let end = (first + words.len()).min(self.words.len());
        if share < CLOSE {
            Some(Self::absent(share))
        } else {
            Some(self.matched(QuoteMatch::Close, share, first, end))
        }
    }

    /// Finds the quote if the text contains it word for word.
    pub fn find_exact(&self, quote: &str) -> Option<QuoteCheck> {
        let folded = fold(quote);
        if folded.is_empty() { None } else { self.exact(&folded) }
    }

    fn exact(&self, folded: &str) -> Option<QuoteCheck> {
        let at = self.text.find(folded)?;
        let first = self.starts.partition_point(|start| *start <= at).saturating_sub(1);
        let end = self.starts.partition_point(|start| *start < at + folded.len());
        Some(self.matched(QuoteMatch::Exact, 1.0, first, end))
    }

    /// Returns the highest share of equal words among all windows of the quote's length, and the index of the
    /// window's first word. `None` if the check was stopped.
    fn closest(&self, words: &[u32], should_continue: &dyn Fn() -> bool) -> Option<(f32, usize)> {
        let mut best = (0.0_f32, 0);
        for (compared, (bound, start)) in self.candidates(words, should_continue)?.into_iter().enumerate() {
            if bound <= best.0 || compared == MAX_COMPARISONS {
                break;
            }
            if !should_continue() {
                return None;
            }
            let window = &self.words[start..(start + words.len()).min(self.words.len())];
            let operations = diff_numbers(words, window, None);
            let share = equal_share(&operations, words.len(), window.len());
            if share > best.0 {
                best = (share, start);
            }
        }
        Some(best)
    }

    /// Returns the windows that share enough words with the quote to be compared, best first. The number of
    /// shared words in any order is an upper bound on the number of equal words. `None` if the check was
    /// stopped.
    fn candidates(&self, words: &[u32], should_continue: &dyn Fn() -> bool) -> Option<Vec<(f32, usize)>> {
        let mut missing: HashMap<u32, i32> = HashMap::new();
        for word in words {
            *missing.entry(*word).or_default() += 1;
        }
        let length = words.len().min(self.words.len());
        let (mut shared, mut windows) = (0_usize, Vec::new());
        for (index, word) in self.words.iter().enumerate() {
            if index % STEPS == 0 && !should_continue() {
                return None;
            }
            if let Some(left) = missing.get_mut(word) {
                shared += usize::from(*left > 0);
                *left -= 1;
            }
            if index + 1 < length {
                continue;
            }
            let start = index + 1 - length;
            let bound = share_of(2 * shared, words.len() + length);
            if bound >= MIN_SHARED {
                windows.push((bound, start));
            }
            if let Some(left) = missing.get_mut(&self.words[start]) {
                *left += 1;
                shared -= usize::from(*left > 0);
            }
        }
        windows.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
        Some(windows)
    }

    fn absent(share: f32) -> QuoteCheck {
        QuoteCheck {
            match_kind: QuoteMatch::Absent,
            anchor: None,
            similarity: rounded(share),
            context: None,
            passage: None,
        }
    }

    /// Returns the words of the text in `first..end`.
    fn words_between(&self, first: usize, end: usize) -> Option<String> {
        let start = *self.starts.get(first)?;
        let stop = self.starts.get(end).map_or(self.text.len(), |next| next - 1);
        self.text.get(start..stop).map(str::to_owned)
    }

    /// Builds the result for a match of the words `first..end`.
    fn matched(&self, match_kind: QuoteMatch, share: f32, first: usize, end: usize) -> QuoteCheck {
        let last = end.saturating_sub(1).max(first);
        let block = |word: usize| self.blocks.get(word).copied().unwrap_or_default();
        let blocks = self.document.blocks.get(block(first)..=block(last)).unwrap_or_default();
        let texts: Vec<&str> = blocks.iter().map(|block| block.text.as_str()).collect();
        QuoteCheck {
            match_kind,
            anchor: blocks.first().map(|block| block.anchor),
            similarity: rounded(share),
            context: (!texts.is_empty()).then(|| texts.join("\n\n")),
            passage: self.words_between(first, end),
        }
    }
}

/// Part of the comparison between a quote and the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuoteDiff {
    /// Words that occur in both the quote and the text.
    Same(String),
    /// Words that occur only in the quote.
    Quoted(String),
    /// Words that occur only in the text.
    Present(String),
}

/// Compares a quote, word by word, with the passage of the text that matched it.
pub fn compare(quote: &str, passage: &str) -> Vec<QuoteDiff> {
    let (quote, passage) = (fold(quote), fold(passage));
    let (quoted, present): (Vec<&str>, Vec<&str>) =
        (quote.split(' ').collect(), passage.split(' ').collect());
    let mut parts = Vec::new();
    for operation in diff(&quoted, &present, None) {
        let (tag, old, new) = operation.as_tag_tuple();
        if tag == DiffTag::Equal {
            parts.push(QuoteDiff::Same(quoted[old].join(" ")));
            continue;
        }
        if !old.is_empty() {
            parts.push(QuoteDiff::Quoted(quoted[old].join(" ")));
        }
        if !new.is_empty() {
            parts.push(QuoteDiff::Present(present[new].join(" ")));
        }
    }
    parts
}

/// Returns the number of words in a quote.
pub fn word_count(quote: &str) -> usize {
    fold(quote).split(' ').filter(|word| !word.is_empty()).count()
}

#[expect(clippy::cast_precision_loss, reason = "a quote has few words")]
fn share_of(shared: usize, all: usize) -> f32 {
    shared as f32 / all.max(1) as f32
}

fn rounded(share: f32) -> f64 {
    (f64::from(share) * 10_000.0).round() / 10_000.0
}

/// Normalises the characters that often change when a text is copied: white space, typographic quotation
/// marks, and dashes. Preserves case.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in text.chars() {
        let character = match character {
            '\u{2018}' | '\u{2019}' | '\u{201A}' | '\u{201B}' => '\'',
            '\u{201C}' | '\u{201D}' | '\u{201E}' | '\u{201F}' | '«' | '»' => '"',
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            '\u{00AD}' | '\u{200B}' => continue,
            other if other.is_whitespace() => ' ',
            other => other,
        };
        if character != ' ' || !folded.ends_with(' ') {
            folded.push(character);
        }
    }
    folded.trim().to_owned()
}

#[cfg(test)]
mod tests;
