//! Selects lists of linked names in documentation. The classifier scores single units and confuses the items
//! of such a list with menu entries.

use super::units::{Unit, Units, units_in};
use crate::page::{Id, Page};

/// Maximum number of units of a list.
const MAX_UNITS: usize = 400;
/// Maximum number of ancestors of a text that are searched for its `code` element.
const CODE_ANCESTORS: usize = 4;

/// Selects lists whose items are mostly code, if an item or the text before and after the list is selected.
pub(super) fn complete(page: &Page, units: &Units, selected: &mut [bool]) {
    for list in (1..page.len()).filter(|&id| matches!(page.tag(id), "ul" | "ol")) {
        let inside = units_in(page, units, list);
        if inside.is_empty() || inside.len() > MAX_UNITS || is_in_menu(page, list) {
            continue;
        }
        let is_between = inside.start > 0
            && selected[inside.start - 1]
            && selected.get(inside.end).copied().unwrap_or(false);
        let is_selected = is_between || selected[inside.clone()].contains(&true);
        if is_selected && units[inside.clone()].iter().all(|unit| is_code(page, unit)) {
            selected[inside].fill(true);
        }
    }
}

/// True if at least half of the characters of a unit are code.
fn is_code(page: &Page, unit: &Unit) -> bool {
    let chars = |id: &Id| page.text(*id).map_or(0, |text| text.trim().len());
    let is_code = |id: &&Id| page.ancestors(**id).take(CODE_ANCESTORS).any(|above| page.is(above, "code"));
    let code: usize = unit.texts.iter().filter(is_code).map(chars).sum();
    code * 2 >= unit.texts.iter().map(chars).sum::<usize>()
}

fn is_in_menu(page: &Page, id: Id) -> bool {
    page.ancestors(id).any(|above| matches!(page.tag(above), "nav" | "aside" | "header" | "footer"))
}
