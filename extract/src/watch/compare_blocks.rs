//! Compares pages: determines which blocks are equal, moved, changed, added or removed.

use std::{
    collections::{HashMap, VecDeque},
    time::{Duration, Instant},
};

use super::{
    align::align,
    comparison::{Comparison, anchor, whole_change, write_texts},
    excerpt::displayed,
    normalize::{CompiledRules, NormalizedBlock, canonical},
    operation::{Kind, Op, Operation},
    pair::{self, UnmatchedBlock, percent},
    snapshot::SnapshotBlock,
    value_store,
};
use crate::text_hash::hash;

/// Maximum number of characters in a section heading.
const MAX_SECTION_CHARS: usize = 200;
/// Time limit for the word diffs of one comparison.
const WORD_DIFF_TIME: Duration = Duration::from_millis(200);

pub(super) fn compare(
    before: &[SnapshotBlock],
    after: &[SnapshotBlock],
    rules: CompiledRules<'_>,
    deadline: Instant,
) -> Comparison {
    BlockComparison { before, after, rules, deadline, headers: headers(after) }.compare()
}

/// Index of the first row of each table, by the number of the table.
fn headers(blocks: &[SnapshotBlock]) -> HashMap<u32, usize> {
    let mut headers = HashMap::new();
    for (at, block) in blocks.iter().enumerate() {
        if block.kind == Kind::Row && block.list != 0 {
            headers.entry(block.list).or_insert(at);
        }
    }
    headers
}

struct BlockComparison<'s> {
    before: &'s [SnapshotBlock],
    after: &'s [SnapshotBlock],
    rules: CompiledRules<'s>,
    deadline: Instant,
    /// Index of the first row of each table of the new page.
    headers: HashMap<u32, usize>,
}

/// For each entry of both pages, true if it has not been matched yet.
struct UnmatchedFlags {
    old: Vec<bool>,
    new: Vec<bool>,
}

/// Index pairs of matched entries: old and new.
struct MatchedPairs {
    moved: Vec<(usize, usize)>,
    changed: Vec<(usize, usize)>,
}

impl BlockComparison<'_> {
    fn compare(&self) -> Comparison {
        if self.before == self.after {
            return Comparison::default();
        }
        let normal = |blocks| self.rules.blocks(blocks, Some(self.deadline));
        let (Some(old), Some(new)) = (normal(self.before), normal(self.after)) else {
            let keys =
                |blocks: &[SnapshotBlock]| blocks.iter().map(|block| hash(&block.text)).collect::<Vec<u64>>();
            return too_large(keys(self.before).into_iter(), keys(self.after).into_iter());
        };
        let keys = |entries: &[NormalizedBlock]| entries.iter().map(|entry| entry.key).collect::<Vec<u64>>();
        if canonical(&old) == canonical(&new) {
            return Comparison::default();
        }
        let Some(pairs) = align(&keys(&old), &keys(&new), self.deadline) else {
            return too_large(keys(&old).into_iter(), keys(&new).into_iter());
        };
        let mut open = UnmatchedFlags { old: vec![true; old.len()], new: vec![true; new.len()] };
        for &(one, other) in &pairs {
            open.old[one] = false;
            open.new[other] = false;
        }
        let mut links = MatchedPairs { moved: Vec::new(), changed: Vec::new() };
        join(&old, &new, &mut open, &mut links.moved, |entry| entry.key);
        join(&old, &new, &mut open, &mut links.changed, |entry| entry.text_key);
        self.join_items(&old, &new, &mut open, &mut links.changed);
        self.join_edits(&old, &new, &pairs, &mut open, &mut links.changed);
        if Instant::now() >= self.deadline {
            return too_large(keys(&old).into_iter(), keys(&new).into_iter());
        }
        let moved = std::mem::take(&mut links.moved);
        links.moved = moved_between(&old, &new, &pairs, moved.clone());
        let comparison = self.report(&old, &new, &pairs, &open, &links);
        if !comparison.is_empty() {
            return comparison;
        }
        // The pages differ. If there are no other operations, report the moves between similar lists.
        self.report(&old, &new, &pairs, &open, &MatchedPairs { moved, ..links })
    }

    /// Pairs list items with the same link, at any position in their lists.
    fn join_items(
        &self,
        old: &[NormalizedBlock],
        new: &[NormalizedBlock],
        open: &mut UnmatchedFlags,
        changed: &mut Vec<(usize, usize)>,
    ) {
        let link = |block: &SnapshotBlock| {
            block.links.first().filter(|_| block.kind.is_listed()).map(|link| hash(link))
        };
        let mut waiting: HashMap<u64, VecDeque<usize>> = HashMap::new();
        for (at, entry) in old.iter().enumerate().filter(|&(at, _)| open.old[at]) {
            if let Some(link) = link(&self.before[entry.at]) {
                waiting.entry(link).or_default().push_back(at);
            }
        }
        for (at, entry) in new.iter().enumerate() {
            if !open.new[at] {
                continue;
            }
            let matched = link(&self.after[entry.at]).and_then(|link| waiting.get_mut(&link)?.pop_front());
            if let Some(matched) = matched {
                open.old[matched] = false;
                open.new[at] = false;
                changed.push((matched, at));
            }
        }
    }

    /// Pairs edited blocks within each gap between two aligned blocks.
    fn join_edits(
        &self,
        old: &[NormalizedBlock],
        new: &[NormalizedBlock],
        pairs: &[(usize, usize)],
        open: &mut UnmatchedFlags,
        changed: &mut Vec<(usize, usize)>,
    ) {
        let count_positions = |blocks: &[SnapshotBlock]| {
            let mut counts: HashMap<u32, u32> = HashMap::new();
            for block in blocks {
                *counts.entry(block.position).or_default() += 1;
            }
            counts
        };
        let (old_counts, new_counts) = (count_positions(self.before), count_positions(self.after));
        let (mut old_from, mut new_from) = (0, 0);
        for &(one, other) in pairs.iter().chain([&(old.len(), new.len())]) {
            let unmatched_old: Vec<usize> = (old_from..one).filter(|&at| open.old[at]).collect();
            let unmatched_new: Vec<usize> = (new_from..other).filter(|&at| open.new[at]).collect();
            (old_from, new_from) = (one + 1, other + 1);
            if unmatched_old.is_empty() || unmatched_new.is_empty() || Instant::now() >= self.deadline {
                continue;
            }
            let left = |entries: &'_ [NormalizedBlock], at: usize| entries[at].at;
            let old_candidates: Vec<UnmatchedBlock<'_>> = unmatched_old
                .iter()
                .map(|&at| {
                    let block = &self.before[left(old, at)];
                    UnmatchedBlock::new(&old[at], block, old_counts.get(&block.position) == Some(&1))
                })
                .collect();
            let new_candidates: Vec<UnmatchedBlock<'_>> = unmatched_new
                .iter()
                .map(|&at| {
                    let block = &self.after[left(new, at)];
                    UnmatchedBlock::new(&new[at], block, new_counts.get(&block.position) == Some(&1))
                })
                .collect();
            for (one, other) in pair::edits(&old_candidates, &new_candidates, self.deadline) {
                open.old[unmatched_old[one]] = false;
                open.new[unmatched_new[other]] = false;
                changed.push((unmatched_old[one], unmatched_new[other]));
            }
        }
    }

    /// Operations of the comparison in the order of the new page. A removed block is reported at its old
    /// position.
    fn report(
        &self,
        old: &[NormalizedBlock],
        new: &[NormalizedBlock],
        pairs: &[(usize, usize)],
        open: &UnmatchedFlags,
        links: &MatchedPairs,
    ) -> Comparison {
        let mut partners: Vec<Option<usize>> = vec![None; self.before.len()];
        for &(one, other) in pairs.iter().chain(&links.changed) {
            partners[old[one].at] = Some(new[other].at);
        }
        let mut position = 0;
        let positions: Vec<usize> = partners
            .into_iter()
            .map(|partner| {
                position = partner.map_or(position, |partner| partner + 1);
                position
            })
            .collect();
        // Operations are sorted by their position in the new page, with removed blocks before the block at
        // their position.
        let mut operations: Vec<(usize, u8, usize, Operation)> = Vec::new();
        let words_end = self.deadline.min(Instant::now() + WORD_DIFF_TIME);
        for entry in old.iter().zip(&open.old).filter(|(_, open)| **open).map(|(entry, _)| entry) {
            operations.push((positions[entry.at], 0, entry.at, self.removed(entry)));
        }
        for entry in new.iter().zip(&open.new).filter(|(_, open)| **open).map(|(entry, _)| entry) {
            operations.push((entry.at, 1, 0, self.added(entry)));
        }
        for &(one, other) in &links.changed {
            operations.push((new[other].at, 1, 0, self.changed(&old[one], &new[other], words_end)));
        }
        for &(one, other) in &links.moved {
            operations.push((new[other].at, 1, 0, self.moved(&old[one], &new[other])));
        }
        operations.sort_by_key(|&(position, unmatched_old, at, _)| (position, unmatched_old, at));
        let mut comparison =
            Comparison { share_percent: Self::share(old, new, open, links), ..Comparison::default() };
        let mut sections = (Sections::new(self.before), Sections::new(self.after));
        for (_, _, _, mut operation) in operations {
            let sections = if operation.op == Op::Removed { &mut sections.0 } else { &mut sections.1 };
            operation.section = sections.of(operation.anchor);
            comparison.push(operation, self.rules.words());
        }
        comparison
    }

    fn added(&self, entry: &NormalizedBlock) -> Operation {
        let block = &self.after[entry.at];
        let mut operation = Operation::new(Op::Added, block.kind, anchor(entry.at));
        operation.after = Some(displayed(&block.text, self.rules.words()));
        operation.link = block.links.first().cloned();
        operation
    }

    fn removed(&self, entry: &NormalizedBlock) -> Operation {
        let block = &self.before[entry.at];
        let mut operation = Operation::new(Op::Removed, block.kind, anchor(entry.at));
        operation.before = Some(displayed(&block.text, self.rules.words()));
        operation.link = block.links.first().cloned();
        operation
    }

    fn moved(&self, old: &NormalizedBlock, new: &NormalizedBlock) -> Operation {
        let block = &self.after[new.at];
        let mut operation = Operation::new(Op::Moved, block.kind, anchor(new.at));
        operation.from = Some(anchor(old.at));
        operation.before = Some(displayed(&self.before[old.at].text, self.rules.words()));
        operation.after = Some(displayed(&block.text, self.rules.words()));
        operation.link = block.links.first().cloned();
        operation
    }

    fn changed(&self, old: &NormalizedBlock, new: &NormalizedBlock, deadline: Instant) -> Operation {
        let (before, after) = (&self.before[old.at], &self.after[new.at]);
        let mut operation = Operation::new(Op::Changed, after.kind, anchor(new.at));
        operation.from = Some(anchor(old.at));
        if old.text_key == new.text_key {
            // Index of the first link that differs.
            let differing = (0..before.links.len().max(after.links.len()))
                .find(|&at| before.links.get(at) != after.links.get(at));
            operation.link_before = differing.and_then(|at| before.links.get(at).cloned());
            operation.link = differing.and_then(|at| after.links.get(at).cloned());
        } else {
            operation.link = after.links.first().cloned();
            operation.spans = pair::spans((&before.text, &old.masks), (&after.text, &new.masks), deadline);
        }
        let column = self.column(&operation, before, after);
        write_texts(&mut operation, (&before.text, &after.text), column, self.rules.words());
        operation
    }

    /// Heading of the column in which a table row changed.
    fn column(&self, operation: &Operation, before: &SnapshotBlock, after: &SnapshotBlock) -> Option<&str> {
        let header = self.headers.get(&after.list).filter(|_| after.kind == Kind::Row)?;
        let start = usize::try_from(operation.spans.first()?.before.0).ok()?;
        let number = before.text.get(..start)?.matches('|').count();
        self.after.get(*header)?.text.split('|').nth(number).map(str::trim)
    }

    /// Percentage of blocks that differ, of all blocks on the larger side.
    fn share(
        old: &[NormalizedBlock],
        new: &[NormalizedBlock],
        open: &UnmatchedFlags,
        links: &MatchedPairs,
    ) -> f64 {
        let count = |open: &[bool]| open.iter().filter(|open| **open).count();
        let changed = count(&open.old).max(count(&open.new)) + links.changed.len();
        percent(changed, old.len().max(new.len()))
    }
}

/// Moved entries. Entries that only changed their position within a list whose order does not matter are not
/// included.
fn moved_between(
    old: &[NormalizedBlock],
    new: &[NormalizedBlock],
    pairs: &[(usize, usize)],
    mut moved: Vec<(usize, usize)>,
) -> Vec<(usize, usize)> {
    if !moved.iter().any(|&(one, _)| old[one].listed) {
        return moved;
    }
    let runs = |entries: &[NormalizedBlock]| {
        let runs = entries.chunk_by(|one, other| one.listed == other.listed).enumerate();
        runs.flat_map(|(number, run)| std::iter::repeat_n(number, run.len())).collect::<Vec<usize>>()
    };
    let (old_runs, new_runs) = (runs(old), runs(new));
    // Assume that a list corresponds to the new list that contains its first matched entry. In most cases,
    // that list also contains most of its other entries.
    let mut same: HashMap<usize, usize> = HashMap::new();
    for &(one, other) in pairs.iter().filter(|&&(one, _)| old[one].listed) {
        same.entry(old_runs[one]).or_insert(new_runs[other]);
    }
    moved.retain(|&(one, other)| {
        !old[one].listed || same.get(&old_runs[one]).is_some_and(|run| *run != new_runs[other])
    });
    moved
}

/// Result for pages that could not be aligned within the time limit. For each side, it contains the number of
/// blocks that are missing on the other side.
fn too_large(before: impl Iterator<Item = u64>, after: impl Iterator<Item = u64>) -> Comparison {
    let mut counts: HashMap<u64, i64> = HashMap::new();
    let (mut old, mut new) = (0, 0);
    for key in before {
        *counts.entry(key).or_default() -= 1;
        old += 1;
    }
    for key in after {
        *counts.entry(key).or_default() += 1;
        new += 1;
    }
    let sum = |sign: i64| counts.values().map(|&count| (count * sign).max(0)).sum::<i64>();
    let count = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
    let (added, removed) = (count(sum(1)), count(sum(-1)));
    let share_percent = percent(usize::try_from(added.max(removed)).unwrap_or(0), old.max(new));
    Comparison { added, removed, share_percent, ..whole_change(0, 0) }
}

/// Pairs unmatched entries with equal keys at any position, in order.
fn join(
    old: &[NormalizedBlock],
    new: &[NormalizedBlock],
    open: &mut UnmatchedFlags,
    pairs: &mut Vec<(usize, usize)>,
    key: fn(&NormalizedBlock) -> u64,
) {
    let mut waiting: HashMap<u64, VecDeque<usize>> = HashMap::new();
    for (at, entry) in old.iter().enumerate().filter(|&(at, _)| open.old[at]) {
        waiting.entry(key(entry)).or_default().push_back(at);
    }
    for (at, entry) in new.iter().enumerate() {
        if open.new[at]
            && let Some(matched) = waiting.get_mut(&key(entry)).and_then(VecDeque::pop_front)
        {
            open.old[matched] = false;
            open.new[at] = false;
            pairs.push((matched, at));
        }
    }
}

/// Finds the nearest heading before an anchor.
struct Sections<'s> {
    headings: Vec<(u32, &'s str)>,
}

impl<'s> Sections<'s> {
    fn new(blocks: &'s [SnapshotBlock]) -> Self {
        let headings = blocks.iter().enumerate().filter(|(_, block)| block.kind == Kind::Heading);
        Self { headings: headings.map(|(at, block)| (anchor(at), block.text.as_str())).collect() }
    }

    fn of(&self, anchor: u32) -> Option<String> {
        let after = self.headings.partition_point(|&(at, _)| at < anchor);
        // The first heading is the title of the page and not a section.
        let (_, text) = self.headings.get(after.checked_sub(1).filter(|&nearest| nearest > 0)?)?;
        Some(value_store::cut(text, MAX_SECTION_CHARS))
    }
}
