//! The fitted judge: two rounds of decision trees over the features of a unit, as `bench/extraction/fit.py` writes them.
//!
//! A file of trees begins with `CMP1` and the number of rounds. A round is its number of features and of trees; a tree
//! its number of splits, its splits (feature, threshold, the two ways on) and the values of its leaves. A way is the
//! index of a split, or below zero that of a leaf, counted from one. Values up to the threshold go the first way.

use std::sync::LazyLock;

static JUDGE: LazyLock<Option<Vec<Round>>> = LazyLock::new(|| parse(include_bytes!("trees.bin")));

/// One round of trees.
pub(super) struct Round {
    features: usize,
    trees: Vec<Tree>,
    splits: Vec<Split>,
    leaves: Vec<f32>,
}

struct Tree {
    split: usize,
    leaf: usize,
}

#[derive(Clone, Copy)]
struct Split {
    threshold: f32,
    feature: u8,
    /// Where values up to the threshold go on, and the others.
    ways: [i8; 2],
}

/// The rounds that are compiled in.
pub(super) fn rounds() -> &'static [Round] {
    JUDGE.as_deref().unwrap_or_default()
}

impl Round {
    pub(super) fn features(&self) -> usize {
        self.features
    }

    /// The probability that a unit with these features belongs to the main part.
    pub(super) fn probability(&self, features: &[f32]) -> f32 {
        let sum: f32 = self.trees.iter().map(|tree| self.value(tree, features)).sum();
        1.0 / (1.0 + (-sum).exp())
    }

    fn value(&self, tree: &Tree, features: &[f32]) -> f32 {
        let mut at = 0_usize;
        // Ways only lead forward, which `parse` has checked.
        loop {
            let split = self.splits[tree.split + at];
            let way = split.ways[usize::from(features[usize::from(split.feature)] > split.threshold)];
            match usize::try_from(way) {
                Ok(next) => at = next,
                Err(_) => return self.leaves[tree.leaf + usize::from(way.unsigned_abs()) - 1],
            }
        }
    }
}

/// Reads a file of trees; nothing when it is not one.
fn parse(bytes: &[u8]) -> Option<Vec<Round>> {
    let mut reader = Reader { rest: bytes.strip_prefix(b"CMP1")? };
    let count = reader.byte()?;
    let rounds: Option<Vec<Round>> = (0..count).map(|_| round(&mut reader)).collect();
    rounds.filter(|_| reader.rest.is_empty())
}

fn round(reader: &mut Reader<'_>) -> Option<Round> {
    let features = usize::from(u16::from_le_bytes(reader.take()?));
    let count = u16::from_le_bytes(reader.take()?);
    let mut round = Round { features, trees: Vec::new(), splits: Vec::new(), leaves: Vec::new() };
    for _ in 0..count {
        let splits = usize::from(reader.byte()?);
        round.trees.push(Tree { split: round.splits.len(), leaf: round.leaves.len() });
        if splits == 0 {
            return None;
        }
        for index in 0..splits {
            let feature = reader.byte()?;
            let threshold = f32::from_le_bytes(reader.take()?);
            let ways = [i8::from_le_bytes(reader.take()?), i8::from_le_bytes(reader.take()?)];
            let leads = |way: i8| match usize::try_from(way) {
                Ok(next) => next > index && next < splits,
                Err(_) => usize::from(way.unsigned_abs()) <= splits + 1,
            };
            if usize::from(feature) >= features || !ways.into_iter().all(leads) {
                return None;
            }
            round.splits.push(Split { threshold, feature, ways });
        }
        for _ in 0..=splits {
            round.leaves.push(f32::from_le_bytes(reader.take()?));
        }
    }
    Some(round)
}

struct Reader<'b> {
    rest: &'b [u8],
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiled_trees_can_be_read() {
        assert_eq!(rounds().len(), 2);
    }

    #[test]
    fn broken_trees_are_refused() {
        assert!(parse(b"").is_none());
        assert!(parse(b"CMP1\x01\x01\x00\x01\x00\x01\x00\0\0\0\0\x00\x00").is_none());
        let whole = include_bytes!("trees.bin");
        assert!(parse(&whole[..whole.len() - 1]).is_none());
    }
}
