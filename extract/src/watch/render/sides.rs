//! Converts an operation to a row of a page with an old and a new column.

use serde::Serialize;

use super::{
    super::operation::{Kind, Op, Operation},
    segments::{DiffSegment, Side, range},
};

/// Row of the comparison. If the element does not exist on a side, that side is empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ComparisonRow {
    pub op: Op,
    pub kind: Kind,
    /// Name of the element: item and field, or URL.
    pub label: Option<String>,
    /// Number of the element in the old snapshot.
    pub left_anchor: Option<u32>,
    /// Number of the element in the new snapshot.
    pub right_anchor: Option<u32>,
    /// Old text with the removed parts marked.
    pub left: Vec<DiffSegment>,
    /// New text with the added parts marked.
    pub right: Vec<DiffSegment>,
    /// Old link, if only the link changed.
    pub left_link: Option<String>,
    /// Current link.
    pub right_link: Option<String>,
}

pub fn row(operation: &Operation) -> ComparisonRow {
    let old_anchor = if operation.op == Op::Removed { Some(operation.anchor) } else { operation.from };
    let spans = |side: fn(&super::super::operation::DiffSpan) -> (u32, u32)| {
        operation.spans.iter().map(side).collect::<Vec<_>>()
    };
    let whole = operation.op != Op::Moved && operation.before != operation.after;
    ComparisonRow {
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

/// Name of the changed element.
pub(super) fn label(operation: &Operation) -> Option<String> {
    match (&operation.item, &operation.field) {
        (Some(item), Some(field)) => Some(format!("{item}: {field}")),
        (Some(name), None) | (None, Some(name)) => Some(name.clone()),
        (None, None) => operation.link.clone().filter(|_| operation.kind == Kind::Url),
    }
}

/// Text of a side as segments. If there are no spans, `whole` determines whether the whole text differs or no
/// part of it.
fn side(text: Option<&str>, spans: &[(u32, u32)], differs: Side, whole: bool) -> Vec<DiffSegment> {
    let Some(text) = text else { return Vec::new() };
    let mut segments = Vec::new();
    let mut from = 0;
    for span in spans {
        let Some(range) = range(*span, text).filter(|range| range.start >= from) else { continue };
        if range.start > from {
            segments.push(DiffSegment::new(Side::Same, &text[from..range.start]));
        }
        if !range.is_empty() {
            segments.push(DiffSegment::new(differs, &text[range.clone()]));
        }
        from = range.end;
    }
    if spans.is_empty() && whole {
        return vec![DiffSegment::new(differs, text)];
    }
    if from < text.len() {
        segments.push(DiffSegment::new(Side::Same, &text[from..]));
    }
    segments
}
