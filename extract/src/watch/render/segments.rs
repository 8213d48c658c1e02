//! Splits a changed text into segments: unchanged, removed or added. Long unchanged segments are shortened.

use serde::Serialize;

use super::super::operation::{Op, Operation};

/// Characters that are displayed at each end of a long unchanged segment.
const CONTEXT_CHARS: usize = 80;

/// Kind of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The segment is in both texts.
    Same,
    /// The segment is only in the old text.
    Removed,
    /// The segment is only in the new text.
    Added,
}

/// Segment of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DiffSegment {
    pub side: Side,
    /// Plain text, which callers must escape.
    pub text: String,
}

impl DiffSegment {
    pub(super) fn new(side: Side, text: &str) -> Self {
        Self { side, text: text.to_owned() }
    }
}

/// Returns the text of an operation. Removed and added parts follow each other. The concatenated segments of
/// a side are its whole text, including spaces.
pub fn segments(operation: &Operation) -> Vec<DiffSegment> {
    match (&operation.before, &operation.after) {
        (Some(before), Some(after)) if operation.op == Op::Changed && before != after => {
            interleave(operation, before, after)
        }
        (_, Some(after)) => {
            vec![DiffSegment::new(if operation.op == Op::Added { Side::Added } else { Side::Same }, after)]
        }
        (Some(before), None) => vec![DiffSegment::new(Side::Removed, before)],
        (None, None) => Vec::new(),
    }
}

fn interleave(operation: &Operation, before: &str, after: &str) -> Vec<DiffSegment> {
    let mut segments = Vec::new();
    let (mut old_from, mut new_from) = (0, 0);
    for span in &operation.spans {
        let (Some(old), Some(new)) = (range(span.before, before), range(span.after, after)) else { continue };
        if old.start < old_from || new.start < new_from {
            continue;
        }
        push(&mut segments, Side::Same, &after[new_from..new.start]);
        push(&mut segments, Side::Removed, &before[old.clone()]);
        if !old.is_empty() && !new.is_empty() {
            push(&mut segments, Side::Same, " ");
        }
        push(&mut segments, Side::Added, &after[new.clone()]);
        (old_from, new_from) = (old.end, new.end);
    }
    if segments.is_empty() {
        // Without spans, the texts differ as a whole.
        return vec![
            DiffSegment::new(Side::Removed, before),
            DiffSegment::new(Side::Same, " "),
            DiffSegment::new(Side::Added, after),
        ];
    }
    push(&mut segments, Side::Same, &after[new_from..]);
    segments
}

fn push(segments: &mut Vec<DiffSegment>, side: Side, text: &str) {
    if !text.is_empty() {
        segments.push(DiffSegment::new(side, text));
    }
}

/// Byte range of a span. `None` if the span is not valid in the text.
pub(super) fn range(span: (u32, u32), text: &str) -> Option<std::ops::Range<usize>> {
    let range = usize::try_from(span.0).ok()?..usize::try_from(span.1).ok()?;
    text.get(range.clone()).map(|_| range)
}

/// Shortens long unchanged segments: the first at its start, the last at its end, and the others in the
/// middle.
pub(super) fn folded(segments: &[DiffSegment]) -> Vec<DiffSegment> {
    let last = segments.len().saturating_sub(1);
    let fold = |(at, segment): (usize, &DiffSegment)| {
        if segment.side != Side::Same || segments.len() == 1 {
            return segment.clone();
        }
        let count = segment.text.chars().count();
        let (head, tail) = (at > 0, at < last);
        if count <= CONTEXT_CHARS * (usize::from(head) + usize::from(tail)) + 3 {
            return segment.clone();
        }
        let start: String = segment.text.chars().take(if head { CONTEXT_CHARS } else { 0 }).collect();
        let end: String = segment.text.chars().skip(count - if tail { CONTEXT_CHARS } else { 0 }).collect();
        DiffSegment { side: Side::Same, text: format!("{start}…{end}") }
    };
    segments.iter().enumerate().map(fold).collect()
}
