//! Filters of a page: an ordered list of steps that select and rewrite its blocks before the comparison.

use std::collections::HashSet;

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::{
    invalid::{Invalid, InvalidReason, MAX_TEXT_CHARS},
    line_text::tidy,
    observation::FilterStep,
    snapshot::SnapshotBlock,
    target,
    value_store::cut,
};

/// Maximum number of filters of a monitor.
pub const MAX_FILTERS: usize = 20;
/// Maximum number of bytes of text that a filter searches, and maximum number of bytes that it writes.
/// Further blocks are dropped.
const MAX_BYTES: usize = 8 * 1024 * 1024;
/// Maximum number of blocks of a step that a preview displays.
const MAX_STEP_LINES: usize = 20;
/// Maximum number of characters in a block that a preview displays.
const MAX_LINE_CHARS: usize = 200;

/// Step that selects or rewrites blocks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filter {
    pub kind: FilterKind,
    /// Regular expression.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Replacement text. `$1` is the first group of the pattern.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FilterKind {
    /// Retains blocks that match the pattern.
    Keep,
    /// Drops blocks that match the pattern.
    Drop,
    /// Replaces all matches of the pattern. Blocks that become empty are dropped.
    Replace,
    /// Sorts blocks by their text.
    Sort,
    /// Drops blocks whose text equals the text of an earlier block.
    Unique,
}

/// Blocks after the filters.
pub(super) struct Filtered {
    pub(super) blocks: Vec<SnapshotBlock>,
    pub(super) steps: Vec<FilterStep>,
    /// True if blocks were dropped because their texts are too long in total.
    pub(super) is_cut: bool,
}

/// Problems of a list of filters. Pointers are relative to the list (`/0/pattern`).
pub fn check_filters(filters: &[Filter]) -> Vec<Invalid> {
    let mut problems = Vec::new();
    if filters.len() > MAX_FILTERS {
        problems.push(Invalid::new("", InvalidReason::TooMany(MAX_FILTERS)));
    }
    for (at, filter) in filters.iter().enumerate().take(MAX_FILTERS) {
        if let Err(problem) = filter.check_pattern() {
            problems.push(Invalid::new(format!("/{at}/pattern"), problem));
        }
        if let Err(problem) = filter.check_replacement() {
            problems.push(Invalid::new(format!("/{at}/with"), problem));
        }
    }
    problems
}

/// Applies filters in order. Filters that [`check_filters`] rejects are skipped.
pub(super) fn apply(blocks: Vec<SnapshotBlock>, filters: &[Filter]) -> Filtered {
    let mut filtered = Filtered { blocks, steps: Vec::new(), is_cut: false };
    for filter in filters.iter().take(MAX_FILTERS) {
        filter.apply(&mut filtered);
        let lines = filtered.blocks.iter().take(MAX_STEP_LINES);
        let lines = lines.map(|block| cut(&block.text, MAX_LINE_CHARS)).collect();
        filtered.steps.push(FilterStep { total: filtered.blocks.len(), lines });
    }
    filtered
}

impl Filter {
    fn has_pattern(&self) -> bool {
        matches!(self.kind, FilterKind::Keep | FilterKind::Drop | FilterKind::Replace)
    }

    fn check_pattern(&self) -> Result<(), InvalidReason> {
        match &self.pattern {
            None if self.has_pattern() => Err(InvalidReason::Required),
            Some(_) if !self.has_pattern() => Err(InvalidReason::Unused),
            Some(pattern) => target::regex(pattern).map(drop),
            None => Ok(()),
        }
    }

    fn check_replacement(&self) -> Result<(), InvalidReason> {
        match &self.with {
            Some(_) if self.kind != FilterKind::Replace => Err(InvalidReason::Unused),
            Some(with) if with.chars().count() > MAX_TEXT_CHARS => {
                Err(InvalidReason::TooLong(MAX_TEXT_CHARS))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn apply(&self, filtered: &mut Filtered) {
        let regex = self.pattern.as_deref().and_then(|pattern| target::regex(pattern).ok());
        if self.has_pattern() {
            let before = filtered.blocks.len();
            let mut remaining = MAX_BYTES;
            filtered.blocks.retain(|block| match remaining.checked_sub(block.text.len()) {
                Some(rest) => {
                    remaining = rest;
                    true
                }
                None => false,
            });
            filtered.is_cut |= filtered.blocks.len() < before;
        }
        let blocks = &mut filtered.blocks;
        match (self.kind, regex) {
            (FilterKind::Keep, Some(regex)) => blocks.retain(|block| regex.is_match(&block.text)),
            (FilterKind::Drop, Some(regex)) => blocks.retain(|block| !regex.is_match(&block.text)),
            (FilterKind::Replace, Some(regex)) => filtered.is_cut |= self.replace(&regex, blocks),
            (FilterKind::Sort, _) => blocks.sort_by(|one, other| one.text.cmp(&other.text)),
            (FilterKind::Unique, _) => {
                let mut known: HashSet<String> = HashSet::new();
                blocks.retain(|block| known.insert(block.text.clone()));
            }
            (FilterKind::Keep | FilterKind::Drop | FilterKind::Replace, None) => {}
        }
    }

    /// Replaces all matches. Returns true if blocks were dropped because the new texts are too long.
    fn replace(&self, regex: &Regex, blocks: &mut Vec<SnapshotBlock>) -> bool {
        let with = self.with.as_deref().unwrap_or_default();
        let mut remaining = MAX_BYTES;
        let mut is_cut = false;
        blocks.retain_mut(|block| {
            let Some(text) = replaced(regex, &block.text, with, remaining) else {
                is_cut = true;
                return false;
            };
            remaining -= text.len();
            block.text = tidy(&text);
            !block.text.is_empty()
        });
        is_cut
    }
}

/// Replaces all matches in a text. `None` if the result would exceed `most` bytes.
fn replaced(regex: &Regex, text: &str, with: &str, most: usize) -> Option<String> {
    let (mut written, mut at) = (String::new(), 0);
    for groups in regex.captures_iter(text) {
        let whole = groups.get(0)?;
        written.push_str(&text[at..whole.start()]);
        groups.expand(with, &mut written);
        at = whole.end();
        if written.len() > most {
            return None;
        }
    }
    written.push_str(&text[at..]);
    (written.len() <= most).then_some(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(kind: FilterKind, pattern: Option<&str>, with: Option<&str>) -> Filter {
        Filter { kind, pattern: pattern.map(str::to_owned), with: with.map(str::to_owned) }
    }

    fn blocks(texts: &[&str]) -> Vec<SnapshotBlock> {
        let block = |text: &&str| SnapshotBlock { text: (*text).to_owned(), ..SnapshotBlock::default() };
        texts.iter().map(block).collect()
    }

    fn texts(filtered: &Filtered) -> Vec<&str> {
        filtered.blocks.iter().map(|block| block.text.as_str()).collect()
    }

    #[test]
    fn filters_are_applied_in_order() {
        let filters = [
            filter(FilterKind::Drop, Some("^Advert"), None),
            filter(FilterKind::Replace, Some(r"(\w+) seen by \d+"), Some("$1")),
            filter(FilterKind::Unique, None, None),
            filter(FilterKind::Sort, None, None),
            filter(FilterKind::Keep, Some("(?i)ferry|tide"), None),
        ];
        assert_eq!(check_filters(&filters), []);
        let source =
            blocks(&["Tide seen by 12", "Advert: boats", "Boat", "Ferry", "Tide seen by 15", "Tide"]);
        let filtered = apply(source, &filters);
        assert_eq!(texts(&filtered), ["Ferry", "Tide"]);
        let counts: Vec<usize> = filtered.steps.iter().map(|step| step.total).collect();
        assert_eq!(counts, [5, 5, 3, 3, 2]);
        assert_eq!(filtered.steps[1].lines, ["Tide", "Boat", "Ferry", "Tide", "Tide"]);
        assert!(!filtered.is_cut);
    }

    #[test]
    fn block_without_text_after_a_replacement_is_dropped() {
        let filters = [filter(FilterKind::Replace, Some(r"\d+"), None)];
        assert_eq!(texts(&apply(blocks(&["12", "a 1 b"]), &filters)), ["a b"]);
    }

    #[test]
    fn blocks_are_dropped_if_replacements_exceed_the_size_limit() {
        let filters = [filter(FilterKind::Replace, Some("a"), Some(&"x".repeat(500)))];
        let filtered = apply(blocks(&[&"a".repeat(1_000_000), "b a"]), &filters);
        assert!(filtered.is_cut);
        assert_eq!(filtered.blocks.len(), 1);
    }

    #[test]
    fn invalid_filters_are_rejected_with_pointers() {
        let pointers = |one: Filter| {
            check_filters(&[one]).into_iter().map(|invalid| invalid.pointer).collect::<Vec<_>>().concat()
        };
        assert_eq!(pointers(filter(FilterKind::Keep, None, None)), "/0/pattern");
        assert_eq!(pointers(filter(FilterKind::Drop, Some("("), None)), "/0/pattern");
        assert_eq!(pointers(filter(FilterKind::Sort, Some("a"), None)), "/0/pattern");
        assert_eq!(pointers(filter(FilterKind::Keep, Some("a"), Some("b"))), "/0/with");
        assert_eq!(pointers(filter(FilterKind::Replace, Some("a"), Some(&"x".repeat(501)))), "/0/with");
        assert_eq!(pointers(filter(FilterKind::Unique, None, None)), "");
        assert_eq!(check_filters(&vec![filter(FilterKind::Sort, None, None); 21]).len(), 1);
    }
}
