//! Result of a comparison: operations with counts and truncated texts.

use serde::{Deserialize, Serialize};

use super::{
    items,
    numbers::{self, Number, NumberFormat},
    operation::{DiffSpan, Kind, Op, Operation},
};
use crate::{
    currencies,
    lexer::{Class, split},
};

/// Maximum operations of a comparison. The rest is only counted.
pub const MAX_OPERATIONS: usize = 1_000;

/// Maximum characters of each text of an operation.
const MAX_TEXT_CHARS: usize = 6_000;

/// Differences between two snapshots.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Operations in the order of the new snapshot. Empty if and only if there is no relevant difference.
    pub operations: Vec<Operation>,
    /// True if the deadline passed. Then there is one operation for the whole change, and the counts are
    /// those of unequal blocks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub too_large: bool,
    /// Number of operations that were left out.
    #[serde(default)]
    pub omitted: u32,
    /// Number of added blocks, URLs or items.
    pub added: u32,
    /// Number of removed ones.
    pub removed: u32,
    /// Number of changed or moved ones.
    pub modified: u32,
    /// Share of the blocks, URLs or items that differ, in percent.
    pub share_percent: f64,
}

impl Comparison {
    /// True if nothing differs.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// Adds an operation and counts it.
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

/// Comparison with a single operation: everything changed.
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

/// Anchor of an index, counted from 1.
pub(super) fn anchor(at: usize) -> u32 {
    to_u32(at).saturating_add(1)
}

pub(super) fn cut(text: &str) -> String {
    items::cut(text, MAX_TEXT_CHARS)
}

/// Stores both texts, truncated, drops spans beyond the truncation, and stores the difference if one number
/// changed.
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

/// Difference of the numbers, if a single number is all that differs.
fn difference(spans: &[DiffSpan], before: &str, after: &str) -> Option<String> {
    let [span] = spans else { return None };
    let is_money = currencies::is_money(before) || currencies::is_money(after);
    let number_format = NumberFormat { is_money, ..NumberFormat::default() };
    let number_at = |text: &str, range: (u32, u32)| {
        text.get(usize::try_from(range.0).ok()?..usize::try_from(range.1).ok()?).and_then(|text| {
            // A minus or currency sign may belong to the number, a word does not.
            let words = split(text).iter().filter(|token| token.class == Class::Word).count();
            (words == 0).then(|| numbers::only(text, number_format))?
        })
    };
    Number::difference(number_at(before, span.before)?, number_at(after, span.after)?)
}
