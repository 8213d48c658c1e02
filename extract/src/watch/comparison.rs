//! What a comparison found: operations, counted, with texts cut to what is kept.

use serde::{Deserialize, Serialize};

use super::{
    items,
    numbers::{self, Custom, Number},
    operation::{Kind, Op, Operation, Span},
    tokens,
};

/// Operations kept of one comparison; the rest is counted.
pub const MAX_OPERATIONS: usize = 1_000;

/// Characters kept of each text of an operation.
const MAX_TEXT_CHARS: usize = 6_000;

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
    /// How much of what is watched is not as it was, in per cent of blocks, addresses or items.
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

/// One operation that says that all of it is another thing.
pub(super) fn whole(removed: usize, added: usize) -> Comparison {
    Comparison {
        operations: vec![Operation::new(Op::Changed, Kind::Whole, 0)],
        too_large: true,
        added: small(added),
        removed: small(removed),
        share_percent: 100.0,
        ..Comparison::default()
    }
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// An anchor: the number of an index, from 1.
pub(super) fn anchor(at: usize) -> u32 {
    small(at).saturating_add(1)
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
    let is_money = numbers::is_money(before) || numbers::is_money(after);
    let custom = Custom { is_money, ..Custom::default() };
    let stretch = |text: &str, range: (u32, u32)| {
        text.get(usize::try_from(range.0).ok()?..usize::try_from(range.1).ok()?).and_then(|text| {
            // A minus or a sign of money may belong to it, words do not.
            let words = tokens::split(text).iter().filter(|token| token.class == tokens::Class::Word).count();
            (words == 0).then(|| numbers::only(text, custom))?
        })
    };
    Number::difference(stretch(before, span.before)?, stretch(after, span.after)?)
}
