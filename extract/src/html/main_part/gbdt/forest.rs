//! Sums many trees for many rows of features, in the order of the trees.
//!
//! The rows of a page are similar: most splits send all rows, or all of a batch of neighbouring rows, the
//! same way. Such splits are decided once for all rows by the minimum and maximum of their feature. The rest
//! of a tree is evaluated for a batch of rows at once: each split clears the leaves that a row cannot reach,
//! without a branch, and the first remaining leaf is that of the row.

/// Maximum leaves of a tree, one bit each.
pub(super) const LEAVES: usize = 32;
/// Rows that are evaluated at once.
const ABREAST: usize = 32;
/// Number of values of a feature index, so that indexing needs no bounds check.
const FEATURES: usize = 1 << u8::BITS;

#[derive(Clone, Copy)]
pub(super) struct Split {
    pub(super) feature: u8,
    pub(super) threshold: f32,
    /// Leaves that values up to the threshold can reach (`low`), and those that other values can reach
    /// (`high`).
    pub(super) low: u32,
    pub(super) high: u32,
}

#[derive(Clone, Copy)]
struct Tree {
    /// Index after the last split of the tree. Splits are in order, parents before children.
    end: usize,
    /// Reachable leaves.
    within: u32,
}

/// Splits that may send rows different ways, tree by tree.
#[derive(Default)]
struct Undecided {
    splits: Vec<Split>,
    trees: Vec<Tree>,
}

/// Minimum and maximum of each feature over some rows.
#[derive(Clone)]
struct Spans {
    least: [f32; FEATURES],
    most: [f32; FEATURES],
}

/// Sum of trees.
#[derive(Default)]
pub(super) struct Forest {
    undecided: Undecided,
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
        let within = splits.first().map_or(1, |root| root.low | root.high);
        self.undecided.trees.push(Tree { end: self.undecided.splits.len(), within });
    }

    /// For each row of features, the sum of the trees.
    pub(super) fn sums(&self, rows: &[&[f32]]) -> Vec<f32> {
        let mut sums = vec![0.0; rows.len()];
        let spans: Vec<Spans> = rows.chunks(ABREAST).map(Spans::of).collect();
        let undecided = self.undecided.narrowed(&Spans::around(&spans));
        let Ok(mut columns) = Box::<Columns>::try_from(vec![[0.0; ABREAST]; FEATURES]) else { return sums };
        for ((rows, spans), sums) in rows.chunks(ABREAST).zip(&spans).zip(sums.chunks_mut(ABREAST)) {
            fill(&mut columns, rows);
            let mut added = [0.0; ABREAST];
            undecided.add(&self.leaves, &columns, spans, &mut added);
            sums.iter_mut().zip(added).for_each(|(sum, added)| *sum = added);
        }
        sums
    }
}

impl Undecided {
    /// Splits that send rows within these ranges different ways.
    fn narrowed(&self, spans: &Spans) -> Self {
        let mut undecided = Self::default();
        let mut from = 0;
        for tree in &self.trees {
            let mut within = tree.within;
            for split in &self.splits[from..tree.end] {
                if within & split.low == 0 || within & split.high == 0 {
                    continue;
                }
                let never = split.struck(spans);
                if never == 0 {
                    undecided.splits.push(*split);
                }
                within &= !never;
            }
            from = tree.end;
            undecided.trees.push(Tree { end: undecided.splits.len(), within });
        }
        undecided
    }

    /// Adds the values of the trees to a batch of rows.
    fn add(&self, leaves: &[[f32; LEAVES]], columns: &Columns, spans: &Spans, sums: &mut [f32; ABREAST]) {
        let mut from = 0;
        for (tree, leaves) in self.trees.iter().zip(leaves) {
            let splits = &self.splits[from..tree.end];
            from = tree.end;
            let mut within = tree.within;
            let mut left = [u32::MAX; ABREAST];
            for split in splits {
                within &= !split.struck(spans);
                if within & split.low == 0 || within & split.high == 0 {
                    continue;
                }
                let column = &columns[usize::from(split.feature)];
                for (left, value) in left.iter_mut().zip(column) {
                    *left &= !(if *value > split.threshold { split.low } else { 0 });
                }
            }
            if within.is_power_of_two() {
                let value = leaf(leaves, within);
                for sum in sums.iter_mut() {
                    *sum += value;
                }
            } else {
                for (sum, left) in sums.iter_mut().zip(left) {
                    *sum += leaf(leaves, left & within);
                }
            }
        }
    }
}

/// Value of the first remaining leaf.
fn leaf(leaves: &[f32; LEAVES], left: u32) -> f32 {
    leaves[left.trailing_zeros() as usize % LEAVES]
}

impl Split {
    /// Leaves that no value within the ranges can reach.
    fn struck(&self, spans: &Spans) -> u32 {
        let feature = usize::from(self.feature);
        let all_above = if self.threshold < spans.least[feature] { self.low } else { 0 };
        let none_above = if self.threshold >= spans.most[feature] { self.high } else { 0 };
        all_above | none_above
    }
}

impl Spans {
    const NONE: Self = Self { least: [f32::INFINITY; FEATURES], most: [f32::NEG_INFINITY; FEATURES] };

    fn of(rows: &[&[f32]]) -> Self {
        let mut spans = Self::NONE;
        for row in rows {
            spans.widen(row, row);
        }
        spans
    }

    /// Smallest ranges that contain all others.
    fn around(others: &[Self]) -> Self {
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

/// NaN counts as negative infinity: it exceeds no threshold.
fn comparable(value: f32) -> f32 {
    if value.is_nan() { f32::NEG_INFINITY } else { value }
}

/// Values of each feature of a batch of rows.
type Columns = [[f32; ABREAST]; FEATURES];

/// Replaces the rows of the batch. If there are fewer, the old ones remain and their results are ignored.
fn fill(columns: &mut Columns, rows: &[&[f32]]) {
    for (at, row) in rows.iter().enumerate() {
        for (column, value) in columns.iter_mut().zip(*row) {
            column[at % ABREAST] = *value;
        }
    }
}
