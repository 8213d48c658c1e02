//! An operation as a row of a page with an old and a new side.

use serde::Serialize;

use super::{
    super::operation::{Kind, Op, Operation},
    pieces::{Piece, Side, range},
};

/// One row; a side is empty when nothing stood or stands there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// What happened.
    pub op: Op,
    /// To what kind of thing.
    pub kind: Kind,
    /// What it is called: an item and its field, an address.
    pub label: Option<String>,
    /// Number on the old side.
    pub left_anchor: Option<u32>,
    /// Number on the new side.
    pub right_anchor: Option<u32>,
    /// The old text, with what went from it.
    pub left: Vec<Piece>,
    /// The new text, with what came to it.
    pub right: Vec<Piece>,
    /// Where it linked to, when only that changed.
    pub left_link: Option<String>,
    /// Where it links to.
    pub right_link: Option<String>,
}

/// An operation as a row.
pub fn row(operation: &Operation) -> Row {
    let old_anchor = if operation.op == Op::Removed { Some(operation.anchor) } else { operation.from };
    let spans = |side: fn(&super::super::operation::Span) -> (u32, u32)| {
        operation.spans.iter().map(side).collect::<Vec<_>>()
    };
    let whole = operation.op != Op::Moved && operation.before != operation.after;
    Row {
        op: operation.op,
        kind: operation.kind,
        label: label(operation),
        left_anchor: old_anchor,
        right_anchor: (operation.op != Op::Removed).then_some(operation.anchor),
        left: side(operation.before.as_deref(), &spans(|span| span.before), Side::Removed, whole),
        right: side(operation.after.as_deref(), &spans(|span| span.after), Side::Added, whole),
        left_link: operation.link_before.clone(),
        right_link: operation.link.clone(),
    }
}

/// What a person would call the thing.
pub(super) fn label(operation: &Operation) -> Option<String> {
    match (&operation.item, &operation.field) {
        (Some(item), Some(field)) => Some(format!("{item}: {field}")),
        (Some(name), None) | (None, Some(name)) => Some(name.clone()),
        (None, None) => operation.link.clone().filter(|_| operation.kind == Kind::Url),
    }
}

/// One side's text in pieces; without spans it differs as a whole, if at all.
fn side(text: Option<&str>, spans: &[(u32, u32)], differs: Side, whole: bool) -> Vec<Piece> {
    let Some(text) = text else { return Vec::new() };
    let mut found = Vec::new();
    let mut from = 0;
    for span in spans {
        let Some(range) = range(*span, text).filter(|range| range.start >= from) else { continue };
        if range.start > from {
            found.push(Piece::new(Side::Same, &text[from..range.start]));
        }
        if !range.is_empty() {
            found.push(Piece::new(differs, &text[range.clone()]));
        }
        from = range.end;
    }
    if spans.is_empty() && whole {
        return vec![Piece::new(differs, text)];
    }
    if from < text.len() {
        found.push(Piece::new(Side::Same, &text[from..]));
    }
    found
}
