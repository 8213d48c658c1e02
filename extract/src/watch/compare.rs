//! What differs between two snapshots, as a person would tell it: added, removed, changed, moved.

use std::{
    collections::{HashMap, VecDeque},
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};

use super::{
    align::align,
    compare_items, compare_urls, items,
    normal::{Entry, Lens, Rules},
    numbers::Number,
    operation::{Kind, Op, Operation, Span},
    pair::{self, Left, ratio},
    snapshot::{Block, Snapshot},
    tokens,
};

/// Operations kept of one comparison; the rest is counted.
pub const MAX_OPERATIONS: usize = 1_000;
/// Characters kept of each text of an operation.
const MAX_TEXT_CHARS: usize = 6_000;
/// Characters kept of a heading.
const MAX_SECTION_CHARS: usize = 200;
/// All words of one comparison are compared within this time.
const WORDS_TIME: Duration = Duration::from_millis(200);

/// What differs between two snapshots.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// In the order of the new snapshot. Empty exactly when nothing that counts differs.
    pub operations: Vec<Operation>,
    /// The deadline passed: there is one operation that says so, and the numbers are counts of unequal blocks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub too_large: bool,
    /// Operations that were found and not kept.
    #[serde(default)]
    pub omitted: u32,
    /// Blocks, addresses or items that are new.
    pub added: u32,
    /// Those that are gone.
    pub removed: u32,
    /// Those that changed or moved.
    pub modified: u32,
    /// How much of what is watched is not as it was, in per cent of words (or of addresses, or of items).
    pub share_percent: f64,
}

impl Comparison {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// Files an operation and counts it.
    pub(super) fn push(&mut self, operation: Operation) {
        self.count(operation.op);
        if self.operations.len() < MAX_OPERATIONS {
            self.operations.push(operation);
        } else {
            self.omitted += 1;
        }
    }

    fn count(&mut self, op: Op) {
        match op {
            Op::Added => self.added += 1,
            Op::Removed => self.removed += 1,
            Op::Changed | Op::Moved => self.modified += 1,
        }
    }
}

/// Compares two snapshots under the same rules. Snapshots of different kinds differ as a whole.
///
/// When `deadline` passes, the answer is one operation that says that the change is too large to be lined up, with
/// true counts; a second from now is a good deadline. Costs processor time: call it off the async threads.
pub fn compare(before: &Snapshot, after: &Snapshot, rules: &Rules, deadline: Instant) -> Comparison {
    let lens = Lens::new(rules);
    match (before, after) {
        (Snapshot::Blocks(before), Snapshot::Blocks(after)) => {
            Blocks { before, after, lens, deadline }.compare()
        }
        (Snapshot::Urls(before), Snapshot::Urls(after)) => compare_urls::compare(before, after, &lens),
        (Snapshot::Items(before), Snapshot::Items(after)) => {
            compare_items::compare(before, after, &lens, deadline)
        }
        _ => whole(before.len(), after.len()),
    }
}

fn whole(removed: usize, added: usize) -> Comparison {
    Comparison {
        operations: vec![Operation::new(Op::Changed, Kind::Whole, 0)],
        too_large: true,
        added: small(added),
        removed: small(removed),
        share_percent: 100.0,
        ..Comparison::default()
    }
}

pub(super) fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// An anchor: the number of an index, from 1.
pub(super) fn anchor(at: usize) -> u32 {
    small(at).saturating_add(1)
}

struct Blocks<'s> {
    before: &'s [Block],
    after: &'s [Block],
    lens: Lens<'s>,
    deadline: Instant,
}

/// Entries that found no equal yet.
struct Open {
    old: Vec<bool>,
    new: Vec<bool>,
}

/// How an old entry and a new one belong together.
struct Links {
    moved: Vec<(usize, usize)>,
    changed: Vec<(usize, usize)>,
}

impl Blocks<'_> {
    fn compare(&self) -> Comparison {
        let old = self.lens.blocks(self.before);
        let new = self.lens.blocks(self.after);
        if old.len() == new.len() && old.iter().zip(&new).all(|(one, other)| one.key == other.key) {
            return Comparison::default();
        }
        let keys = |entries: &[Entry]| entries.iter().map(|entry| entry.key).collect::<Vec<u64>>();
        let Some(pairs) = align(&keys(&old), &keys(&new), self.deadline) else {
            return self.too_large(&old, &new);
        };
        let mut open = Open { old: vec![true; old.len()], new: vec![true; new.len()] };
        for &(one, other) in &pairs {
            open.old[one] = false;
            open.new[other] = false;
        }
        let mut links = Links { moved: Vec::new(), changed: Vec::new() };
        join(&old, &new, &mut open, &mut links.moved, |entry| entry.key);
        join(&old, &new, &mut open, &mut links.changed, |entry| entry.text_key);
        self.join_items(&old, &new, &mut open, &mut links.changed);
        self.join_edits(&old, &new, &pairs, &mut open, &mut links.changed);
        if Instant::now() >= self.deadline {
            return self.too_large(&old, &new);
        }
        self.told(&old, &new, &pairs, &open, &links)
    }

    /// List items that lead to the same place, wherever they stand in their lists.
    fn join_items(&self, old: &[Entry], new: &[Entry], open: &mut Open, changed: &mut Vec<(usize, usize)>) {
        let link = |block: &Block| {
            block.links.first().filter(|_| block.kind.is_listed()).map(|link| super::normal::hash(link))
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
            let found = link(&self.after[entry.at]).and_then(|link| waiting.get_mut(&link)?.pop_front());
            if let Some(found) = found {
                open.old[found] = false;
                open.new[at] = false;
                changed.push((found, at));
            }
        }
    }

    /// What stands between two pairs, gap by gap.
    fn join_edits(
        &self,
        old: &[Entry],
        new: &[Entry],
        pairs: &[(usize, usize)],
        open: &mut Open,
        changed: &mut Vec<(usize, usize)>,
    ) {
        let alone = |blocks: &[Block]| {
            let mut places: HashMap<u32, u32> = HashMap::new();
            blocks.iter().for_each(|block| *places.entry(block.place).or_default() += 1);
            places
        };
        let (old_places, new_places) = (alone(self.before), alone(self.after));
        let (mut old_from, mut new_from) = (0, 0);
        for &(one, other) in pairs.iter().chain([&(old.len(), new.len())]) {
            let gone: Vec<usize> = (old_from..one).filter(|&at| open.old[at]).collect();
            let come: Vec<usize> = (new_from..other).filter(|&at| open.new[at]).collect();
            (old_from, new_from) = (one + 1, other + 1);
            if gone.is_empty() || come.is_empty() || Instant::now() >= self.deadline {
                continue;
            }
            let left = |entries: &'_ [Entry], at: usize| entries[at].at;
            let old_left: Vec<Left<'_>> = gone
                .iter()
                .map(|&at| {
                    let block = &self.before[left(old, at)];
                    Left::new(&old[at], block, old_places.get(&block.place) == Some(&1))
                })
                .collect();
            let new_left: Vec<Left<'_>> = come
                .iter()
                .map(|&at| {
                    let block = &self.after[left(new, at)];
                    Left::new(&new[at], block, new_places.get(&block.place) == Some(&1))
                })
                .collect();
            for (one, other) in pair::edits(&old_left, &new_left, self.deadline) {
                open.old[gone[one]] = false;
                open.new[come[other]] = false;
                changed.push((gone[one], come[other]));
            }
        }
    }

    /// Everything found, in the order of the new page; what is gone stands where it stood.
    fn told(
        &self,
        old: &[Entry],
        new: &[Entry],
        pairs: &[(usize, usize)],
        open: &Open,
        links: &Links,
    ) -> Comparison {
        let mut stood: Vec<Option<usize>> = vec![None; self.before.len()];
        for &(one, other) in pairs.iter().chain(&links.changed) {
            stood[old[one].at] = Some(new[other].at);
        }
        let mut place = 0;
        let place_of: Vec<usize> = stood
            .into_iter()
            .map(|partner| {
                place = partner.map_or(place, |partner| partner + 1);
                place
            })
            .collect();
        // Sorted by place in the new page, what is gone before what stands there.
        let mut told: Vec<(usize, u8, usize, Operation)> = Vec::new();
        let words_end = self.deadline.min(Instant::now() + WORDS_TIME);
        for entry in old.iter().zip(&open.old).filter(|(_, open)| **open).map(|(entry, _)| entry) {
            told.push((place_of[entry.at], 0, entry.at, self.removed(entry)));
        }
        for entry in new.iter().zip(&open.new).filter(|(_, open)| **open).map(|(entry, _)| entry) {
            told.push((entry.at, 1, 0, self.added(entry)));
        }
        for &(one, other) in &links.changed {
            told.push((new[other].at, 1, 0, self.changed(&old[one], &new[other], words_end)));
        }
        for &(one, other) in &links.moved {
            told.push((new[other].at, 1, 0, self.moved(&old[one], &new[other])));
        }
        told.sort_by_key(|&(place, gone, at, _)| (place, gone, at));
        let mut comparison =
            Comparison { share_percent: self.share(old, new, open, links), ..Comparison::default() };
        let mut sections = (Sections::new(self.before), Sections::new(self.after));
        for (_, _, _, mut operation) in told {
            let sections = if operation.op == Op::Removed { &mut sections.0 } else { &mut sections.1 };
            operation.section = sections.of(operation.anchor);
            comparison.push(operation);
        }
        comparison
    }

    fn added(&self, entry: &Entry) -> Operation {
        let block = &self.after[entry.at];
        let mut operation = Operation::new(Op::Added, block.kind, anchor(entry.at));
        operation.after = Some(cut(&block.text));
        operation.link = block.links.first().cloned();
        operation
    }

    fn removed(&self, entry: &Entry) -> Operation {
        let block = &self.before[entry.at];
        let mut operation = Operation::new(Op::Removed, block.kind, anchor(entry.at));
        operation.before = Some(cut(&block.text));
        operation.link = block.links.first().cloned();
        operation
    }

    fn moved(&self, old: &Entry, new: &Entry) -> Operation {
        let block = &self.after[new.at];
        let mut operation = Operation::new(Op::Moved, block.kind, anchor(new.at));
        operation.from = Some(anchor(old.at));
        operation.before = Some(cut(&self.before[old.at].text));
        operation.after = Some(cut(&block.text));
        operation.link = block.links.first().cloned();
        operation
    }

    fn changed(&self, old: &Entry, new: &Entry, deadline: Instant) -> Operation {
        let (before, after) = (&self.before[old.at], &self.after[new.at]);
        let mut operation = Operation::new(Op::Changed, after.kind, anchor(new.at));
        operation.from = Some(anchor(old.at));
        if old.text_key == new.text_key {
            // The first link that leads elsewhere.
            let differing = (0..before.links.len().max(after.links.len()))
                .find(|&at| before.links.get(at) != after.links.get(at));
            operation.link_before = differing.and_then(|at| before.links.get(at).cloned());
            operation.link = differing.and_then(|at| after.links.get(at).cloned());
        } else {
            operation.link = after.links.first().cloned();
            operation.spans = pair::spans((&before.text, &old.masks), (&after.text, &new.masks), deadline);
        }
        write_texts(&mut operation, &before.text, &after.text);
        operation
    }

    /// Words that are not as they were, of all words on the side that has more.
    fn share(&self, old: &[Entry], new: &[Entry], open: &Open, links: &Links) -> f64 {
        let words = |block: &Block| block.text.bytes().filter(|&byte| byte == b' ').count() + 1;
        let all = |blocks: &[Block], entries: &[Entry]| {
            entries.iter().map(|entry| words(&blocks[entry.at])).sum::<usize>()
        };
        let gone = |blocks: &[Block], entries: &[Entry], open: &[bool]| {
            let open = entries.iter().zip(open).filter(|(_, open)| **open);
            open.map(|(entry, _)| words(&blocks[entry.at])).sum::<usize>()
        };
        let edited: usize = links.changed.iter().map(|&(_, other)| words(&self.after[new[other].at])).sum();
        let changed = gone(self.before, old, &open.old).max(gone(self.after, new, &open.new)) + edited;
        (ratio(changed, all(self.before, old).max(all(self.after, new))) * 100.0).min(100.0)
    }

    /// The truth when there was no time to line the two up: how many blocks of each side the other lacks.
    fn too_large(&self, old: &[Entry], new: &[Entry]) -> Comparison {
        let mut counts: HashMap<u64, i64> = HashMap::with_capacity(old.len());
        old.iter().for_each(|entry| *counts.entry(entry.key).or_default() -= 1);
        new.iter().for_each(|entry| *counts.entry(entry.key).or_default() += 1);
        let sum = |sign: i64| counts.values().map(|&count| (count * sign).max(0)).sum::<i64>();
        let (added, removed) = (sum(1), sum(-1));
        let count = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
        let share = ratio(usize::try_from(added.max(removed)).unwrap_or(0), old.len().max(new.len())) * 100.0;
        Comparison { added: count(added), removed: count(removed), share_percent: share, ..whole(0, 0) }
    }
}

/// Pairs open entries by a key, in order, wherever they stand.
fn join(
    old: &[Entry],
    new: &[Entry],
    open: &mut Open,
    pairs: &mut Vec<(usize, usize)>,
    key: fn(&Entry) -> u64,
) {
    let mut waiting: HashMap<u64, VecDeque<usize>> = HashMap::new();
    for (at, entry) in old.iter().enumerate().filter(|&(at, _)| open.old[at]) {
        waiting.entry(key(entry)).or_default().push_back(at);
    }
    for (at, entry) in new.iter().enumerate() {
        if open.new[at]
            && let Some(found) = waiting.get_mut(&key(entry)).and_then(VecDeque::pop_front)
        {
            open.old[found] = false;
            open.new[at] = false;
            pairs.push((found, at));
        }
    }
}

/// The nearest heading before an anchor; asked with rising anchors for the most part.
struct Sections<'s> {
    headings: Vec<(u32, &'s str)>,
}

impl<'s> Sections<'s> {
    fn new(blocks: &'s [Block]) -> Self {
        let headings = blocks.iter().enumerate().filter(|(_, block)| block.kind == Kind::Heading);
        Self { headings: headings.map(|(at, block)| (anchor(at), block.text.as_str())).collect() }
    }

    fn of(&self, anchor: u32) -> Option<String> {
        let after = self.headings.partition_point(|&(at, _)| at < anchor);
        let (_, text) = self.headings.get(after.checked_sub(1)?)?;
        Some(items::cut(text, MAX_SECTION_CHARS))
    }
}

pub(super) fn cut(text: &str) -> String {
    items::cut(text, MAX_TEXT_CHARS)
}

/// Both texts, cut; spans that fit what is left; the difference when one number became another.
pub(super) fn write_texts(operation: &mut Operation, before: &str, after: &str) {
    operation.difference = difference(&operation.spans, before, after);
    let (old, new) = (cut(before), cut(after));
    if old.len() < before.len() || new.len() < after.len() {
        let fits = |range: (u32, u32), text: &str| {
            usize::try_from(range.1).is_ok_and(|end| end <= text.len() - '…'.len_utf8())
        };
        operation.spans.retain(|span| fits(span.before, &old) && fits(span.after, &new));
    }
    operation.before = Some(old);
    operation.after = Some(new);
}

/// When the only thing that differs is one number, by how much.
fn difference(spans: &[Span], before: &str, after: &str) -> Option<String> {
    let [span] = spans else { return None };
    let stretch = |text: &str, range: (u32, u32)| {
        text.get(usize::try_from(range.0).ok()?..usize::try_from(range.1).ok()?).and_then(|text| {
            // A minus or a sign of money may belong to it, words do not.
            let words = tokens::split(text).iter().filter(|token| token.class == tokens::Class::Word).count();
            (words == 0).then(|| Number::parse(text))?
        })
    };
    Number::difference(stretch(before, span.before)?, stretch(after, span.after)?)
}
