//! Operations with their context: the heading above each operation, an unchanged line before and after it,
//! and the number of omitted lines.

use std::collections::HashSet;

use super::super::{
    operation::{Kind, Op, Operation},
    snapshot::{Snapshot, SnapshotBlock},
    value_store::cut,
};

/// Maximum number of characters in an unchanged line.
const MAX_CHARS: usize = 240;

/// Line of a rendered change.
#[derive(Debug, Clone, PartialEq)]
pub enum ContextLine<'a> {
    /// Heading above the next lines.
    Section(&'a str),
    /// Unchanged line next to a difference.
    Same(String),
    /// Number of unchanged lines that are omitted.
    Skipped(usize),
    Changed(&'a Operation),
}

/// Returns the lines for the operations. Only operations on pages have context, and only if both snapshots
/// are available.
pub fn in_context<'a>(
    operations: &'a [Operation],
    before: Option<&'a Snapshot>,
    after: Option<&'a Snapshot>,
) -> Vec<ContextLine<'a>> {
    let (before, after): (&[SnapshotBlock], &[SnapshotBlock]) = match (before, after) {
        (Some(Snapshot::Blocks(before)), Some(Snapshot::Blocks(after))) => (before, after),
        _ => (&[], &[]),
    };
    let mut context = ContextBuilder::new(operations, before, after);
    for operation in operations {
        context.push(operation);
    }
    context.skip_to(after.len());
    context.lines
}

struct ContextBuilder<'a> {
    before: &'a [SnapshotBlock],
    after: &'a [SnapshotBlock],
    /// Indexes of the old blocks with an operation.
    changed_old: HashSet<usize>,
    /// Indexes of the new blocks with an operation.
    changed_new: HashSet<usize>,
    section: Option<&'a str>,
    /// Index of the first new block that has no line yet.
    next: usize,
    lines: Vec<ContextLine<'a>>,
}

impl<'a> ContextBuilder<'a> {
    fn new(operations: &'a [Operation], before: &'a [SnapshotBlock], after: &'a [SnapshotBlock]) -> Self {
        let changed_old = operations.iter().filter_map(|operation| match operation.op {
            Op::Removed => index(operation.anchor),
            Op::Added | Op::Changed | Op::Moved => index(operation.from?),
        });
        let changed_new = operations.iter().filter_map(new_position);
        Self {
            before,
            after,
            changed_old: changed_old.collect(),
            changed_new: changed_new.collect(),
            section: None,
            next: 0,
            lines: Vec::new(),
        }
    }

    fn push(&mut self, operation: &'a Operation) {
        let (above, below) = self.unchanged_neighbours(operation);
        if let Some(above) = above {
            self.skip_to(above);
        }
        let section = operation.section.as_deref();
        if section != self.section {
            self.lines.extend(section.map(ContextLine::Section));
            self.section = section;
        }
        if let Some(above) = above {
            self.push_same(above);
        }
        self.lines.push(ContextLine::Changed(operation));
        if let Some(position) = new_position(operation) {
            self.next = self.next.max(position + 1);
        }
        if let Some(below) = below {
            self.push_same(below);
        }
    }

    /// Indexes of the unchanged blocks before and after an operation, in the new content.
    fn unchanged_neighbours(&self, operation: &Operation) -> (Option<usize>, Option<usize>) {
        if operation.kind == Kind::Whole {
            return (None, None);
        }
        if let Some(position) = new_position(operation) {
            let stayed =
                |position: &usize| *position < self.after.len() && !self.changed_new.contains(position);
            return (position.checked_sub(1).filter(stayed), Some(position + 1).filter(stayed));
        }
        let Some(position) = index(operation.anchor) else { return (None, None) };
        let stayed = |position: &usize| *position < self.before.len() && !self.changed_old.contains(position);
        let above = position
            .checked_sub(1)
            .filter(stayed)
            .and_then(|old| self.find_in_new(old, self.next.saturating_sub(1)));
        let from = above.map_or(self.next, |above| above + 1);
        let below = Some(position + 1).filter(stayed).and_then(|old| self.find_in_new(old, from));
        (above, below)
    }

    /// Index in the new content of the old block `old`, at or after `from`.
    fn find_in_new(&self, old: usize, from: usize) -> Option<usize> {
        let text = &self.before.get(old)?.text;
        (from..self.after.len())
            .find(|position| self.after[*position].text == *text && !self.changed_new.contains(position))
    }

    /// Adds a line with the number of unchanged lines up to a position.
    fn skip_to(&mut self, position: usize) {
        let left_out = (self.next..position).filter(|position| !self.changed_new.contains(position)).count();
        if left_out > 0 {
            self.lines.push(ContextLine::Skipped(left_out));
        }
        self.next = self.next.max(position);
    }

    /// Adds an unchanged block, unless it was added before. Headings are rendered as sections.
    fn push_same(&mut self, position: usize) {
        if position < self.next {
            return;
        }
        let block = &self.after[position];
        if block.kind != Kind::Heading {
            self.lines.push(ContextLine::Same(cut(&block.text, MAX_CHARS)));
        }
        self.next = position + 1;
    }
}

/// Index in the new content of the block of an operation. `None` if it was removed.
fn new_position(operation: &Operation) -> Option<usize> {
    match operation.op {
        Op::Removed => None,
        Op::Added | Op::Changed | Op::Moved => index(operation.anchor),
    }
}

fn index(anchor: u32) -> Option<usize> {
    usize::try_from(anchor).ok()?.checked_sub(1)
}
