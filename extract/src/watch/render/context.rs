//! Operations in their surroundings: the heading they stand under, a line that did not change before and after each,
//! and how many others are left out.

use std::collections::HashSet;

use super::super::{
    items::cut,
    operation::{Kind, Op, Operation},
    snapshot::{Block, Snapshot},
};

/// Characters of a line that did not change.
const MAX_CHARS: usize = 240;

/// One line of a change as a page shows it.
#[derive(Debug, Clone, PartialEq)]
pub enum Line<'a> {
    /// The heading that the next lines stand under.
    Section(&'a str),
    /// What stands beside a difference and did not change.
    Same(String),
    /// So many lines that did not change are left out.
    Skipped(usize),
    /// A difference.
    Changed(&'a Operation),
}

/// The lines of operations. Only texts of pages have surroundings, and only while both contents are kept.
pub fn in_context<'a>(
    operations: &'a [Operation],
    before: Option<&'a Snapshot>,
    after: Option<&'a Snapshot>,
) -> Vec<Line<'a>> {
    let (before, after): (&[Block], &[Block]) = match (before, after) {
        (Some(Snapshot::Blocks(before)), Some(Snapshot::Blocks(after))) => (before, after),
        _ => (&[], &[]),
    };
    let mut context = Context::new(operations, before, after);
    for operation in operations {
        context.push(operation);
    }
    context.skip_to(after.len());
    context.lines
}

struct Context<'a> {
    before: &'a [Block],
    after: &'a [Block],
    /// Places in the old content that an operation is about.
    gone: HashSet<usize>,
    /// The same in the new content.
    come: HashSet<usize>,
    section: Option<&'a str>,
    /// The first place of the new content that no line was made of yet.
    next: usize,
    lines: Vec<Line<'a>>,
}

impl<'a> Context<'a> {
    fn new(operations: &'a [Operation], before: &'a [Block], after: &'a [Block]) -> Self {
        let gone = operations.iter().filter_map(|operation| match operation.op {
            Op::Removed => index(operation.anchor),
            Op::Added | Op::Changed | Op::Moved => index(operation.from?),
        });
        let come = operations.iter().filter_map(new_place);
        Self {
            before,
            after,
            gone: gone.collect(),
            come: come.collect(),
            section: None,
            next: 0,
            lines: Vec::new(),
        }
    }

    fn push(&mut self, operation: &'a Operation) {
        let (above, below) = self.beside(operation);
        if let Some(above) = above {
            self.skip_to(above);
        }
        let section = operation.section.as_deref();
        if section != self.section {
            self.lines.extend(section.map(Line::Section));
            self.section = section;
        }
        if let Some(above) = above {
            self.push_same(above);
        }
        self.lines.push(Line::Changed(operation));
        if let Some(place) = new_place(operation) {
            self.next = self.next.max(place + 1);
        }
        if let Some(below) = below {
            self.push_same(below);
        }
    }

    /// The places in the new content of what stands before and after an operation and did not change.
    fn beside(&self, operation: &Operation) -> (Option<usize>, Option<usize>) {
        if operation.kind == Kind::Whole {
            return (None, None);
        }
        if let Some(place) = new_place(operation) {
            let stayed = |place: &usize| *place < self.after.len() && !self.come.contains(place);
            return (place.checked_sub(1).filter(stayed), Some(place + 1).filter(stayed));
        }
        let Some(place) = index(operation.anchor) else { return (None, None) };
        let stayed = |place: &usize| *place < self.before.len() && !self.gone.contains(place);
        let above =
            place.checked_sub(1).filter(stayed).and_then(|old| self.found(old, self.next.saturating_sub(1)));
        let from = above.map_or(self.next, |above| above + 1);
        let below = Some(place + 1).filter(stayed).and_then(|old| self.found(old, from));
        (above, below)
    }

    /// Where a block of the old content stands in the new one, from a place on.
    fn found(&self, old: usize, from: usize) -> Option<usize> {
        let text = &self.before.get(old)?.text;
        (from..self.after.len()).find(|place| self.after[*place].text == *text && !self.come.contains(place))
    }

    /// Says how much that did not change stands before a place.
    fn skip_to(&mut self, place: usize) {
        let left_out = (self.next..place).filter(|place| !self.come.contains(place)).count();
        if left_out > 0 {
            self.lines.push(Line::Skipped(left_out));
        }
        self.next = self.next.max(place);
    }

    /// Shows a block that did not change, once. Headings are shown as such.
    fn push_same(&mut self, place: usize) {
        if place < self.next {
            return;
        }
        let block = &self.after[place];
        if block.kind != Kind::Heading {
            self.lines.push(Line::Same(cut(&block.text, MAX_CHARS)));
        }
        self.next = place + 1;
    }
}

/// Where what an operation is about stands in the new content.
fn new_place(operation: &Operation) -> Option<usize> {
    match operation.op {
        Op::Removed => None,
        Op::Added | Op::Changed | Op::Moved => index(operation.anchor),
    }
}

fn index(anchor: u32) -> Option<usize> {
    usize::try_from(anchor).ok()?.checked_sub(1)
}
