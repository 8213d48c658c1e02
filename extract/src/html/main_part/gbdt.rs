//! Trained classifiers: rounds of decision trees as written by `bench/extraction/fit.py`. The first two
//! rounds score the units of a page. Each further round scores one page type.
//!
//! A file begins with `CMP1` and the number of rounds. A round consists of the number of features, the number
//! of trees, and the trees. A tree consists of the number of splits, the splits (feature, threshold, two
//! branches) and the values of its leaves. A branch is the index of a split or, if negative, the index of a
//! leaf, counted from one. Values up to the threshold take the first branch.

mod forest;

use std::sync::{LazyLock, OnceLock};

use self::forest::{Forest, LEAVES, Split};

static COMPILED: LazyLock<Option<Vec<Round>>> = LazyLock::new(|| parse(include_bytes!("gbdt.bin")));

/// Classifier that replaces the compiled classifier, for evaluation.
static OVERRIDE: OnceLock<Vec<Round>> = OnceLock::new();

/// Decision trees of one round. Their values are summed.
pub(super) struct Round {
    features: usize,
    forest: Forest,
}

/// Rounds of the override if one was loaded, or else the compiled rounds.
pub(super) fn rounds() -> &'static [Round] {
    OVERRIDE.get().map(Vec::as_slice).or(COMPILED.as_deref()).unwrap_or_default()
}

/// Replaces the compiled classifier in this process. Returns false if the bytes are invalid or an override
/// was loaded before.
pub(crate) fn load_override(bytes: &[u8]) -> bool {
    parse(bytes).is_some_and(|rounds| OVERRIDE.set(rounds).is_ok())
}

impl Round {
    pub(super) fn features(&self) -> usize {
        self.features
    }

    /// Probability, for each row of features, that its unit belongs to the main part.
    pub(super) fn probabilities(&self, rows: &[&[f32]]) -> Vec<f32> {
        self.scores(rows).into_iter().map(|score| 1.0 / (1.0 + (-score).exp())).collect()
    }

    /// Sum of the tree values for each row of features.
    pub(super) fn scores(&self, rows: &[&[f32]]) -> Vec<f32> {
        self.forest.sums(rows)
    }
}

/// Parses a file of trees, or returns `None` if it is invalid.
fn parse(bytes: &[u8]) -> Option<Vec<Round>> {
    let mut reader = ForestReader { rest: bytes.strip_prefix(b"CMP1")? };
    let count = reader.byte()?;
    let rounds: Option<Vec<Round>> = (0..count).map(|_| round(&mut reader)).collect();
    rounds.filter(|_| reader.rest.is_empty())
}

fn round(reader: &mut ForestReader<'_>) -> Option<Round> {
    let features = usize::from(u16::from_le_bytes(reader.take()?));
    let count = u16::from_le_bytes(reader.take()?);
    let mut forest = Forest::default();
    for _ in 0..count {
        let (nodes, values) = tree(reader, features)?;
        let mut splits = Vec::new();
        let mut grower = Grower { nodes: &nodes, values: &values, splits: &mut splits, leaves: Vec::new() };
        grower.grow(Branch::Split(0))?;
        let leaves = grower.leaves;
        forest.add(&splits, &leaves);
    }
    Some(Round { features, forest })
}

/// Reads the splits of a tree and the values of its leaves.
fn tree(reader: &mut ForestReader<'_>, features: usize) -> Option<(Vec<SplitNode>, Vec<f32>)> {
    let splits = reader.byte()?;
    // The leaves follow the splits. A tree has one more leaf than splits.
    if splits == 0 || usize::from(splits) >= LEAVES {
        return None;
    }
    let nodes: Vec<SplitNode> =
        (0..splits).map(|index| node(reader, index, splits)).collect::<Option<_>>()?;
    let values = (0..=splits).map(|_| reader.take().map(f32::from_le_bytes)).collect::<Option<_>>()?;
    nodes.iter().all(|node| usize::from(node.feature) < features).then_some((nodes, values))
}

/// Split of a tree, as stored in the file.
struct SplitNode {
    feature: u8,
    threshold: f32,
    branches: [Branch; 2],
}

#[derive(Clone, Copy)]
enum Branch {
    Split(usize),
    Leaf(usize),
}

fn node(reader: &mut ForestReader<'_>, index: u8, splits: u8) -> Option<SplitNode> {
    let feature = reader.byte()?;
    let threshold = f32::from_le_bytes(reader.take()?);
    let mut branches = [Branch::Leaf(0); 2];
    for way in &mut branches {
        let code = reader.byte()?.cast_signed();
        *way = match u8::try_from(code) {
            Ok(next) if next > index && next < splits => Branch::Split(usize::from(next)),
            Err(_) if code.unsigned_abs() <= splits + 1 => Branch::Leaf(usize::from(code.unsigned_abs() - 1)),
            Ok(_) | Err(_) => return None,
        };
    }
    Some(SplitNode { feature, threshold, branches })
}

/// Converts a tree from its nodes in the file. The leaves are numbered in the order in which they occur below
/// the splits.
struct Grower<'f> {
    nodes: &'f [SplitNode],
    values: &'f [f32],
    splits: &'f mut Vec<Split>,
    leaves: Vec<f32>,
}

impl Grower<'_> {
    /// Returns the bit set of the leaves below a branch, or `None` if the tree is invalid.
    fn grow(&mut self, way: Branch) -> Option<u32> {
        let node = match way {
            Branch::Split(split) => self.nodes.get(split)?,
            Branch::Leaf(leaf) => {
                let bit = 1_u32.checked_shl(u32::try_from(self.leaves.len()).ok()?)?;
                self.leaves.push(*self.values.get(leaf)?);
                return Some(bit);
            }
        };
        let position = self.splits.len();
        self.splits.push(Split { feature: node.feature, threshold: node.threshold, low: 0, high: 0 });
        let low = self.grow(node.branches[0])?;
        let high = self.grow(node.branches[1])?;
        (self.splits[position].low, self.splits[position].high) = (low, high);
        Some(low | high)
    }
}

struct ForestReader<'b> {
    rest: &'b [u8],
}

impl ForestReader<'_> {
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
mod tests;
