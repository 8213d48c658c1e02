//! Result of a comparison: operations with counts and shortened texts.

use serde::{Deserialize, Serialize};

use super::{
    excerpt,
    matching::SearchText,
    operation::{Kind, Op, Operation},
    quantity,
};

/// Maximum number of operations of a comparison. Up to the same number of further operations is stored if
/// they contain the text of the trigger. The rest is only counted.
pub const MAX_OPERATIONS: usize = 1_000;

/// Differences between two snapshots.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Operations in the order of the new snapshot. Empty if and only if there is no relevant difference.
    pub operations: Vec<Operation>,
    /// True if the deadline passed. The comparison then has a single operation for the whole change, and
    /// counts the blocks that are missing on the other side.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub too_large: bool,
    /// Number of operations that were omitted.
    #[serde(default)]
    pub omitted: u32,
    /// Number of added blocks, URLs or items.
    pub added: u32,
    /// Number of removed blocks, URLs or items.
    pub removed: u32,
    /// Number of changed or moved blocks, URLs or items.
    pub modified: u32,
    /// Share of the blocks, URLs or items that differ, in percent.
    pub share_percent: f64,
}

impl Comparison {
    /// True if the snapshots have no relevant difference.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// Counts an operation, and adds it within the limit. An operation that contains the text of the trigger
    /// has a higher limit.
    pub(super) fn push(&mut self, operation: Operation, words: Option<&SearchText>) {
        self.count(operation.op);
        let count = self.operations.len();
        let is_awaited = || words.is_some_and(|words| operation.contains(words));
        if count < MAX_OPERATIONS || count < 2 * MAX_OPERATIONS && is_awaited() {
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

/// Comparison with a single operation for the whole change.
pub(super) fn whole_change(removed: usize, added: usize) -> Comparison {
    Comparison {
        operations: vec![Operation::new(Op::Changed, Kind::Whole, 0)],
        too_large: true,
        added: to_u32(added),
        removed: to_u32(removed),
        share_percent: 100.0,
        ..Comparison::default()
    }
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Anchor of the block or item at the zero-based index `at`. Anchors count from 1.
pub(super) fn anchor(at: usize) -> u32 {
    to_u32(at).saturating_add(1)
}

/// Stores both texts, shortened if they are long, and the difference if one quantity changed. `column` is the
/// heading of the column in the changed table row.
pub(super) fn write_texts(
    operation: &mut Operation,
    (before, after): (&str, &str),
    column: Option<&str>,
    words: Option<&SearchText>,
) {
    operation.difference = quantity::difference(operation, (before, after), column);
    let spans = std::mem::take(&mut operation.spans);
    let (old, new, spans) = excerpt::of_change(before, after, &spans, words);
    operation.spans = spans;
    operation.before = Some(old);
    operation.after = Some(new);
}
