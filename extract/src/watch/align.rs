//! Aligns the equal blocks of two pages: first the lines that occur only once on each side (patience diff),
//! then the lines between them (Myers diff). Only the Myers diff takes quadratic time, and it has a deadline.

use std::{collections::HashMap, ops::Range, time::Instant};

use crate::diff::{DiffOp, diff};

/// Index pairs of equal blocks, in ascending order on both sides. `None` if the deadline passed.
pub(super) fn align(before: &[u64], after: &[u64], deadline: Instant) -> Option<Vec<(usize, usize)>> {
    let mut pairs = Vec::with_capacity(before.len().min(after.len()));
    let mut open = vec![(0..before.len(), 0..after.len())];
    while let Some((mut old, mut new)) = open.pop() {
        if Instant::now() >= deadline {
            return None;
        }
        trim(before, after, &mut old, &mut new, &mut pairs);
        if old.start >= old.end || new.start >= new.end {
            continue;
        }
        let mut anchors = unique_pairs(before, after, &old, &new);
        longest_increasing(&mut anchors);
        if anchors.is_empty() {
            align_rest(before, after, old, new, deadline, &mut pairs)?;
            continue;
        }
        let (mut old_from, mut new_from) = (old.start, new.start);
        for &(one, other) in &anchors {
            open.push((old_from..one, new_from..other));
            (old_from, new_from) = (one + 1, other + 1);
        }
        open.push((old_from..old.end, new_from..new.end));
        pairs.extend(anchors);
    }
    pairs.sort_unstable();
    Some(pairs)
}

/// Pairs equal lines at the start and at the end.
fn trim(
    before: &[u64],
    after: &[u64],
    old: &mut Range<usize>,
    new: &mut Range<usize>,
    pairs: &mut Vec<(usize, usize)>,
) {
    while old.start < old.end && new.start < new.end && before[old.start] == after[new.start] {
        pairs.push((old.start, new.start));
        old.start += 1;
        new.start += 1;
    }
    while old.start < old.end && new.start < new.end && before[old.end - 1] == after[new.end - 1] {
        old.end -= 1;
        new.end -= 1;
        pairs.push((old.end, new.end));
    }
}

/// Pairs of lines that are unique in each range, in the order of the old range.
fn unique_pairs(
    before: &[u64],
    after: &[u64],
    old: &Range<usize>,
    new: &Range<usize>,
) -> Vec<(usize, usize)> {
    let mut seen: HashMap<u64, (u32, u32, usize, usize)> = HashMap::with_capacity(old.len() + new.len());
    for at in old.clone() {
        let entry = seen.entry(before[at]).or_default();
        entry.0 += 1;
        entry.2 = at;
    }
    for at in new.clone() {
        if let Some(entry) = seen.get_mut(&after[at]) {
            entry.1 += 1;
            entry.3 = at;
        }
    }
    let pair_of = |at: usize| match seen.get(&before[at]) {
        Some(&(1, 1, one, other)) => Some((one, other)),
        _ => None,
    };
    old.clone().filter_map(pair_of).collect()
}

/// Reduces the pairs, which are sorted by their old index, to the longest sequence in which the new index
/// increases, too.
fn longest_increasing(pairs: &mut Vec<(usize, usize)>) {
    // For each length, `tails` contains the last pair of a sequence of that length: the pair with the
    // smallest new index. `previous` contains the predecessor of each pair.
    let mut tails: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = vec![None; pairs.len()];
    for at in 0..pairs.len() {
        let length = tails.partition_point(|&end| pairs[end].1 < pairs[at].1);
        previous[at] = length.checked_sub(1).map(|shorter| tails[shorter]);
        if length == tails.len() {
            tails.push(at);
        } else {
            tails[length] = at;
        }
    }
    let mut sequence = Vec::with_capacity(tails.len());
    let mut next = tails.last().copied();
    while let Some(at) = next {
        sequence.push(pairs[at]);
        next = previous[at];
    }
    sequence.reverse();
    *pairs = sequence;
}

/// Aligns ranges in which no line is unique on both sides. Lines that occur on only one side are excluded
/// from the Myers diff.
fn align_rest(
    before: &[u64],
    after: &[u64],
    old: Range<usize>,
    new: Range<usize>,
    deadline: Instant,
    pairs: &mut Vec<(usize, usize)>,
) -> Option<()> {
    let mut sides: HashMap<u64, u8> = HashMap::with_capacity(old.len() + new.len());
    before[old.clone()].iter().for_each(|&key| *sides.entry(key).or_default() |= 1);
    after[new.clone()].iter().for_each(|&key| *sides.entry(key).or_default() |= 2);
    let shared = |keys: &[u64], range: Range<usize>| -> (Vec<usize>, Vec<u64>) {
        range.filter(|&at| sides.get(&keys[at]) == Some(&3)).map(|at| (at, keys[at])).unzip()
    };
    let (old_at, old_keys) = shared(before, old);
    let (new_at, new_keys) = shared(after, new);
    let operations = diff(&old_keys, &new_keys, Some(deadline));
    for operation in operations {
        if let DiffOp::Equal { old_index, new_index, len } = operation {
            pairs.extend((0..len).map(|offset| (old_at[old_index + offset], new_at[new_index + offset])));
        }
    }
    (Instant::now() < deadline).then_some(())
}
