//! Splits a changed text into pieces: unchanged, removed or added. Long unchanged pieces are shortened.

use serde::Serialize;

use super::super::operation::{Op, Operation};

/// Characters that are displayed at each end of a long unchanged piece.
const CONTEXT_CHARS: usize = 80;

/// Kind of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The piece is in both texts.
    Same,
    /// The piece is only in the old text.
    Removed,
    /// The piece is only in the new text.
    Added,
}

/// Piece of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Piece {
    pub side: Side,
    /// Plain text, which callers must escape.
    pub text: String,
}

impl Piece {
    pub(super) fn new(side: Side, text: &str) -> Self {
        Self { side, text: text.to_owned() }
    }
}

/// Returns the text of an operation. Removed and added parts follow each other. The concatenated pieces of a
/// side are its whole text, including spaces.
pub fn pieces(operation: &Operation) -> Vec<Piece> {
    match (&operation.before, &operation.after) {
        (Some(before), Some(after)) if operation.op == Op::Changed && before != after => {
            interleave(operation, before, after)
        }
        (_, Some(after)) => {
            vec![Piece::new(if operation.op == Op::Added { Side::Added } else { Side::Same }, after)]
        }
        (Some(before), None) => vec![Piece::new(Side::Removed, before)],
        (None, None) => Vec::new(),
    }
}

fn interleave(operation: &Operation, before: &str, after: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut old_from, mut new_from) = (0, 0);
    for span in &operation.spans {
        let (Some(old), Some(new)) = (range(span.before, before), range(span.after, after)) else { continue };
        if old.start < old_from || new.start < new_from {
            continue;
        }
        push(&mut pieces, Side::Same, &after[new_from..new.start]);
        push(&mut pieces, Side::Removed, &before[old.clone()]);
        if !old.is_empty() && !new.is_empty() {
            push(&mut pieces, Side::Same, " ");
        }
        push(&mut pieces, Side::Added, &after[new.clone()]);
        (old_from, new_from) = (old.end, new.end);
    }
    if pieces.is_empty() {
        // Without spans, the texts differ as a whole.
        return vec![
            Piece::new(Side::Removed, before),
            Piece::new(Side::Same, " "),
            Piece::new(Side::Added, after),
        ];
    }
    push(&mut pieces, Side::Same, &after[new_from..]);
    pieces
}

fn push(pieces: &mut Vec<Piece>, side: Side, text: &str) {
    if !text.is_empty() {
        pieces.push(Piece::new(side, text));
    }
}

/// Byte range of a span. `None` if the span is not valid in the text.
pub(super) fn range(span: (u32, u32), text: &str) -> Option<std::ops::Range<usize>> {
    let range = usize::try_from(span.0).ok()?..usize::try_from(span.1).ok()?;
    text.get(range.clone()).map(|_| range)
}

/// Shortens long unchanged pieces: the first at its start, the last at its end, and the others in the middle.
pub(super) fn folded(pieces: &[Piece]) -> Vec<Piece> {
    let last = pieces.len().saturating_sub(1);
    let fold = |(at, piece): (usize, &Piece)| {
        if piece.side != Side::Same || pieces.len() == 1 {
            return piece.clone();
        }
        let count = piece.text.chars().count();
        let (head, tail) = (at > 0, at < last);
        if count <= CONTEXT_CHARS * (usize::from(head) + usize::from(tail)) + 3 {
            return piece.clone();
        }
        let start: String = piece.text.chars().take(if head { CONTEXT_CHARS } else { 0 }).collect();
        let end: String = piece.text.chars().skip(count - if tail { CONTEXT_CHARS } else { 0 }).collect();
        Piece { side: Side::Same, text: format!("{start}…{end}") }
    };
    pieces.iter().enumerate().map(fold).collect()
}
