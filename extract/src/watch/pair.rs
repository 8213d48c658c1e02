//! Pairs removed blocks with new blocks that are edits of them, and finds the words that differ.

use std::{ops::Range, time::Instant};

use super::{
    normalize::NormalizedBlock,
    operation::{DiffSpan, Kind},
    snapshot::SnapshotBlock,
    tokens::{self, MASKED},
};
use crate::{
    diff::{DiffOp, diff},
    lexer::{TokenClass, split},
    text_hash::{Mask, hash},
};

/// Maximum number of words in a block that are compared to measure similarity.
const MAX_PROFILE: usize = 300;
/// Maximum number of blocks on each side of a gap for which all pairs are scored.
const MAX_GAP: usize = 40;
/// Number of new blocks that are scored for each old block of a larger gap.
const WINDOW: usize = 6;
/// Minimum similarity of an edited block.
const MIN_SIMILARITY: f64 = 0.5;
/// Minimum similarity of an edited list item or row. It is higher, because similar items are often different
/// things.
const MIN_LISTED_SIMILARITY: f64 = 0.6;
/// Maximum number of words on each side of a changed block whose difference may have several spans.
const MAX_TOKENS: usize = 4_000;

/// Block without an equal counterpart, with its words.
pub(super) struct UnmatchedBlock<'s> {
    pub(super) block: &'s SnapshotBlock,
    /// True if no other block has the same position.
    pub(super) has_unique_position: bool,
    profile: Vec<u64>,
}

impl<'s> UnmatchedBlock<'s> {
    pub(super) fn new(entry: &NormalizedBlock, block: &'s SnapshotBlock, has_unique_position: bool) -> Self {
        let mut profile = profile(&block.text, &entry.masks);
        profile.sort_unstable();
        Self { block, has_unique_position, profile }
    }
}

/// Hashes of the words that are not masked. Punctuation and symbols are omitted, except currency symbols and
/// percent signs.
fn profile(text: &str, masks: &[Mask]) -> Vec<u64> {
    let words = split(text).into_iter().filter(|token| {
        let is_word = token.class != TokenClass::Symbol
            || matches!(&text[token.range.clone()], "$" | "€" | "£" | "¥" | "%");
        is_word && !masks.iter().any(|mask| mask.start < token.range.end && token.range.start < mask.end)
    });
    words.take(MAX_PROFILE).map(|token| hash(&text[token.range])).collect()
}

/// Pairs of edited blocks within a gap, in ascending order on both sides. They are selected by their common
/// words.
pub(super) fn edits(
    old: &[UnmatchedBlock<'_>],
    new: &[UnmatchedBlock<'_>],
    deadline: Instant,
) -> Vec<(usize, usize)> {
    if old.is_empty() || new.is_empty() {
        return Vec::new();
    }
    if old.len() <= MAX_GAP && new.len() <= MAX_GAP { best(old, new) } else { nearest(old, new, deadline) }
}

/// Score of a pair. `None` if the new block is not an edit of the old block.
fn score(old: &UnmatchedBlock<'_>, new: &UnmatchedBlock<'_>) -> Option<f64> {
    let listed = old.block.kind.is_listed();
    if listed != new.block.kind.is_listed() {
        return None;
    }
    if listed && old.block.links.first() != new.block.links.first() {
        // List items with different links are different items.
        return None;
    }
    let similarity = similarity(&old.profile, &new.profile);
    let has_same_label = label(&old.block.text).is_some_and(|name| label(&new.block.text) == Some(name));
    if listed && (has_same_label || !old.block.links.is_empty()) {
        return Some(1.0 + similarity);
    }
    // A JSON document with a single value: the value is edited.
    let is_value = old.block.kind == Kind::Value && new.block.kind == Kind::Value;
    if (!listed || is_value)
        && old.has_unique_position
        && new.has_unique_position
        && old.block.position == new.block.position
    {
        return Some(1.0 + similarity);
    }
    (similarity >= if listed { MIN_LISTED_SIMILARITY } else { MIN_SIMILARITY }).then_some(similarity)
}

/// Name at the start of an item or row: the first cell, or the words before a colon.
fn label(text: &str) -> Option<&str> {
    let end = text.find([':', '|', '·'])?;
    Some(text[..end].trim()).filter(|name| name.chars().any(char::is_alphabetic))
}

/// Sørensen–Dice coefficient of two sorted lists: twice the number of common words divided by the number of
/// all words.
fn similarity(one: &[u64], other: &[u64]) -> f64 {
    let total = one.len() + other.len();
    let (mut at, mut shared) = (0, 0_usize);
    for word in one {
        while at < other.len() && other[at] < *word {
            at += 1;
        }
        if other.get(at) == Some(word) {
            shared += 1;
            at += 1;
        }
    }
    if total == 0 { 0.0 } else { ratio(2 * shared, total) }
}

pub(super) fn ratio(part: usize, whole: usize) -> f64 {
    f64::from(u32::try_from(part).unwrap_or(u32::MAX))
        / f64::from(u32::try_from(whole.max(1)).unwrap_or(u32::MAX))
}

/// Share in percent, with two decimals and at most 100.
pub(super) fn percent(part: usize, whole: usize) -> f64 {
    (ratio(part.min(whole), whole) * 10_000.0).round() / 100.0
}

/// Pairs with the highest sum of scores, in ascending order on both sides.
fn best(old: &[UnmatchedBlock<'_>], new: &[UnmatchedBlock<'_>]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    let mut sums = vec![0.0_f64; (old.len() + 1) * width];
    let mut scores = vec![None; old.len() * new.len()];
    for one in (0..old.len()).rev() {
        for other in (0..new.len()).rev() {
            let score = score(&old[one], &new[other]);
            scores[one * new.len() + other] = score;
            let skip = sums[(one + 1) * width + other].max(sums[one * width + other + 1]);
            let take = score.map_or(0.0, |score| score + sums[(one + 1) * width + other + 1]);
            sums[one * width + other] = skip.max(take);
        }
    }
    let (mut one, mut other, mut pairs) = (0, 0, Vec::new());
    while one < old.len() && other < new.len() {
        let best_sum = sums[one * width + other];
        let is_match = scores[one * new.len() + other]
            .is_some_and(|score| (score + sums[(one + 1) * width + other + 1]).total_cmp(&best_sum).is_eq());
        if is_match {
            pairs.push((one, other));
            one += 1;
            other += 1;
        } else if sums[(one + 1) * width + other].total_cmp(&best_sum).is_eq() {
            one += 1;
        } else {
            other += 1;
        }
    }
    pairs
}

/// Pairs each old block of a large gap with the most similar of the next few new blocks.
fn nearest(old: &[UnmatchedBlock<'_>], new: &[UnmatchedBlock<'_>], deadline: Instant) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut from = 0;
    for (one, left) in old.iter().enumerate() {
        if one % 256 == 0 && Instant::now() >= deadline {
            break;
        }
        let scored =
            (from..(from + WINDOW).min(new.len())).filter_map(|at| Some((at, score(left, &new[at])?)));
        // If several scores are equal, use the first one, so that a run of similar blocks is paired in order.
        let closest = scored.reduce(|best, next| if next.1 > best.1 { next } else { best });
        if let Some((at, _)) = closest {
            pairs.push((one, at));
            from = at + 1;
        }
    }
    pairs
}

/// Ranges in which two texts differ. Masked parts are equal.
pub(super) fn spans(before: (&str, &[Mask]), after: (&str, &[Mask]), deadline: Instant) -> Vec<DiffSpan> {
    let (old, old_ranges) = tokens::keys(before.0, before.1);
    let (new, new_ranges) = tokens::keys(after.0, after.1);
    let head = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let tail = old[head..]
        .iter()
        .rev()
        .zip(new[head..].iter().rev())
        .take_while(|(one, other)| one == other)
        .count();
    let (old_middle, new_middle) = (head..old.len() - tail, head..new.len() - tail);
    if old_middle.is_empty() && new_middle.is_empty() {
        return Vec::new();
    }
    let mut runs: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    if old_middle.len().max(new_middle.len()) > MAX_TOKENS || Instant::now() >= deadline {
        runs.push((old_middle, new_middle));
    } else {
        let (old_keys, new_keys) = (&old[old_middle], &new[new_middle]);
        for operation in diff(old_keys, new_keys, Some(deadline)) {
            if !matches!(operation, DiffOp::Equal { .. }) {
                let (_, one, other) = operation.as_tag_tuple();
                push(&mut runs, one.start + head..one.end + head, other.start + head..other.end + head, &old);
            }
        }
    }
    runs.into_iter()
        .map(|(one, other)| DiffSpan { before: bytes(&old_ranges, &one), after: bytes(&new_ranges, &other) })
        .collect()
}

/// Adds a run of differing words. If only one word separates it from the previous run, the two runs are
/// joined, because that word would not help readers.
fn push(runs: &mut Vec<(Range<usize>, Range<usize>)>, one: Range<usize>, other: Range<usize>, old: &[u64]) {
    if let Some((last_one, last_other)) = runs.last_mut() {
        let between = &old[last_one.end..one.start];
        let small = between.len() <= 1 && !between.contains(&MASKED);
        if small && other.start - last_other.end == between.len() {
            last_one.end = one.end;
            last_other.end = other.end;
            return;
        }
    }
    runs.push((one, other));
}

/// Byte range of a run of tokens. An empty run yields an empty range after the previous token.
fn bytes(ranges: &[Range<usize>], run: &Range<usize>) -> (u32, u32) {
    let at = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
    if run.is_empty() {
        let end = run.start.checked_sub(1).and_then(|last| ranges.get(last)).map_or(0, |range| range.end);
        return (at(end), at(end));
    }
    (at(ranges[run.start].start), at(ranges[run.end - 1].end))
}
