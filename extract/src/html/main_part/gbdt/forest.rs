//! Sums the values of many trees for many rows of features, in the order of the trees.
//!
//! The rows of a page are similar: most splits send all rows, or all rows of a batch of neighbouring rows, to
//! the same side. Such splits are decided for all these rows at the same time, by the minimum and maximum of
//! their feature. The other splits of a tree are evaluated in batches of rows: each split clears the leaves
//! that a row cannot reach, without a branch, and the first remaining leaf is the leaf of the row.

/// Maximum number of leaves of a tree. A bit set has one bit for each leaf.
pub(super) const LEAVES: usize = 32;
/// Number of rows that are evaluated as one batch.
const BATCH_ROWS: usize = 32;
/// Number of possible feature indices, so that indexing needs no bounds check.
const FEATURES: usize = 1 << u8::BITS;

#[derive(Clone, Copy)]
pub(super) struct Split {
    pub(super) feature: u8,
    pub(super) threshold: f32,
    /// Bit set of the leaves that values up to the threshold can reach.
    pub(super) low: u32,
    /// Bit set of the leaves that values above the threshold can reach.
    pub(super) high: u32,
}

#[derive(Clone, Copy)]
struct DecisionTree {
    /// Index after the last split of the tree. Parents precede their children.
    end: usize,
    /// Bit set of the leaves that can still be reached.
    reachable: u32,
}

/// Splits that may send rows to different sides, tree by tree.
#[derive(Default)]
struct UndecidedSplits {
    splits: Vec<Split>,
    trees: Vec<DecisionTree>,
}

/// Minimum and maximum of each feature over a set of rows.
#[derive(Clone)]
struct FeatureRanges {
    least: [f32; FEATURES],
    most: [f32; FEATURES],
}

/// Trees whose values are summed.
#[derive(Default)]
pub(super) struct Forest {
    undecided: UndecidedSplits,
    /// Values of the leaves of each tree.
    leaves: Vec<[f32; LEAVES]>,
}

impl Forest {
    /// Adds a tree with its splits and the values of its leaves.
    pub(super) fn add(&mut self, splits: &[Split], values: &[f32]) {
        let mut leaves = [0.0; LEAVES];
        leaves.iter_mut().zip(values).for_each(|(leaf, value)| *leaf = *value);
        self.leaves.push(leaves);
        self.undecided.splits.extend_from_slice(splits);
        let reachable = splits.first().map_or(1, |root| root.low | root.high);
        self.undecided.trees.push(DecisionTree { end: self.undecided.splits.len(), reachable });
    }

    /// Sum of the tree values for each row of features.
    pub(super) fn sums(&self, rows: &[&[f32]]) -> Vec<f32> {
        let mut sums = vec![0.0; rows.len()];
        let spans: Vec<FeatureRanges> = rows.chunks(BATCH_ROWS).map(FeatureRanges::of).collect();
        let undecided = self.undecided.narrowed(&FeatureRanges::union_of(&spans));
        let Ok(mut columns) = Box::<Columns>::try_from(vec![[0.0; BATCH_ROWS]; FEATURES]) else {
            return sums;
        };
        for ((rows, spans), sums) in rows.chunks(BATCH_ROWS).zip(&spans).zip(sums.chunks_mut(BATCH_ROWS)) {
            fill(&mut columns, rows);
            let mut added = [0.0; BATCH_ROWS];
            undecided.add(&self.leaves, &columns, spans, &mut added);
            sums.iter_mut().zip(added).for_each(|(sum, added)| *sum = added);
        }
        sums
    }
}

impl UndecidedSplits {
    /// Splits that may send rows within these ranges to different sides.
    fn narrowed(&self, spans: &FeatureRanges) -> Self {
        let mut undecided = Self::default();
        let mut from = 0;
        for tree in &self.trees {
            let mut reachable = tree.reachable;
            for split in &self.splits[from..tree.end] {
                if reachable & split.low == 0 || reachable & split.high == 0 {
                    continue;
                }
                let never = split.unreachable(spans);
                if never == 0 {
                    undecided.splits.push(*split);
                }
                reachable &= !never;
            }
            from = tree.end;
            undecided.trees.push(DecisionTree { end: undecided.splits.len(), reachable });
        }
        undecided
    }

    /// Adds the values of the trees to the sums of a batch of rows.
    fn add(
        &self,
        leaves: &[[f32; LEAVES]],
        columns: &Columns,
        spans: &FeatureRanges,
        sums: &mut [f32; BATCH_ROWS],
    ) {
        let mut from = 0;
        for (tree, leaves) in self.trees.iter().zip(leaves) {
            let splits = &self.splits[from..tree.end];
            from = tree.end;
            let mut reachable = tree.reachable;
            let mut remaining = [u32::MAX; BATCH_ROWS];
            for split in splits {
                reachable &= !split.unreachable(spans);
                if reachable & split.low == 0 || reachable & split.high == 0 {
                    continue;
                }
                let column = &columns[usize::from(split.feature)];
                for (remaining, value) in remaining.iter_mut().zip(column) {
                    *remaining &= !(if *value > split.threshold { split.low } else { 0 });
                }
            }
            if reachable.is_power_of_two() {
                let value = leaf(leaves, reachable);
                for sum in sums.iter_mut() {
                    *sum += value;
                }
            } else {
                for (sum, remaining) in sums.iter_mut().zip(remaining) {
                    *sum += leaf(leaves, remaining & reachable);
                }
            }
        }
    }
}

/// Value of the first leaf that remains reachable.
fn leaf(leaves: &[f32; LEAVES], remaining: u32) -> f32 {
    leaves[remaining.trailing_zeros() as usize % LEAVES]
}

impl Split {
    /// Bit set of the leaves that no value within the ranges can reach.
    fn unreachable(&self, spans: &FeatureRanges) -> u32 {
        let feature = usize::from(self.feature);
        let all_above = if self.threshold < spans.least[feature] { self.low } else { 0 };
        let none_above = if self.threshold >= spans.most[feature] { self.high } else { 0 };
        all_above | none_above
    }
}

impl FeatureRanges {
    const NONE: Self = Self { least: [f32::INFINITY; FEATURES], most: [f32::NEG_INFINITY; FEATURES] };

    fn of(rows: &[&[f32]]) -> Self {
        let mut spans = Self::NONE;
        for row in rows {
            spans.widen(row, row);
        }
        spans
    }

    /// Smallest ranges that contain all given ranges.
    fn union_of(others: &[Self]) -> Self {
        let mut spans = Self::NONE;
        for other in others {
            spans.widen(&other.least, &other.most);
        }
        spans
    }

    fn widen(&mut self, least: &[f32], most: &[f32]) {
        for (own, other) in self.least.iter_mut().zip(least) {
            let other = comparable(*other);
            *own = if other < *own { other } else { *own };
        }
        for (own, other) in self.most.iter_mut().zip(most) {
            let other = comparable(*other);
            *own = if other > *own { other } else { *own };
        }
    }
}

/// Replaces NaN by negative infinity, which exceeds no threshold.
fn comparable(value: f32) -> f32 {
    if value.is_nan() { f32::NEG_INFINITY } else { value }
}

/// Values of a batch of rows, by feature.
type Columns = [[f32; BATCH_ROWS]; FEATURES];

/// Replaces the rows of the batch. If there are fewer rows than before, the remaining old rows are evaluated,
/// and their results are ignored.
fn fill(columns: &mut Columns, rows: &[&[f32]]) {
    for (at, row) in rows.iter().enumerate() {
        for (column, value) in columns.iter_mut().zip(*row) {
            column[at % BATCH_ROWS] = *value;
        }
    }
}
