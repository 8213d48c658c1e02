//! Selects code between selected texts, because the words of code are not those of the surrounding text.

use super::units::{Units, units_in};
use crate::{
    html::code_lines,
    page::{Id, Page},
};

/// Selects editors next to selected text, and `pre` elements between two selected texts.
pub(super) fn keep(page: &Page, units: &Units, selected: &mut [bool]) {
    let mut id: Id = 1;
    while id < page.len() {
        let is_editor = code_lines::is_editor(page, id);
        if !is_editor && !page.is(id, "pre") {
            id += 1;
            continue;
        }
        let inside = units_in(page, units, id);
        let before = inside.start.checked_sub(1).is_some_and(|unit| selected[unit]);
        let after = selected.get(inside.end) == Some(&true);
        let is_of_text = if is_editor { before || after } else { before && after };
        if is_of_text || selected[inside.clone()].contains(&true) && is_editor {
            selected[inside].fill(true);
        }
        id = page.subtree(id).end;
    }
}
