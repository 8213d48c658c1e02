//! Completes short entries on small pages: if most of an entry is selected, the whole entry is selected.
//! Examples are a post with author and time, an item with its date, and a description with its list. The
//! classifier misses them, because it was trained on pages with much text outside the main part.

use super::units::{SMALL_PAGE_UNITS, Unit, Units, units_in};
use crate::page::{Id, Page};

/// Maximum number of units of a short entry.
const MAX_ENTRY_UNITS: usize = 6;
/// Minimum share of selected characters for an entry to be completed.
const MIN_SHARE: f64 = 0.6;

/// Completes the short entries of a page.
pub(super) fn complete(page: &Page, units: &Units, selected: &mut [bool]) {
    if units.len() >= SMALL_PAGE_UNITS {
        return;
    }
    // Inner elements come first, so that outer elements take their completion into account.
    for id in (1..page.len()).rev() {
        if !matches!(page.tag(id), "div" | "section" | "article" | "li" | "tr" | "table") {
            continue;
        }
        let inside = units_in(page, units, id);
        if !(2..=MAX_ENTRY_UNITS).contains(&inside.len()) || is_boilerplate(page, id) {
            continue;
        }
        let (mut all, mut selected_chars) = (0.0, 0.0);
        for unit in inside.clone() {
            let chars = f64::from(units[unit].chars);
            all += chars;
            selected_chars += if selected[unit] { chars } else { 0.0 };
        }
        if selected_chars > all * MIN_SHARE {
            for unit in inside {
                selected[unit] |= units[unit].linked < units[unit].chars && !is_control(page, &units[unit]);
            }
        }
    }
}

/// True if the element contains, or is in, navigation or similar boilerplate.
fn is_boilerplate(page: &Page, id: Id) -> bool {
    let is_boilerplate_tag = |id: Id| matches!(page.tag(id), "nav" | "aside" | "footer" | "form" | "header");
    page.subtree(id).any(is_boilerplate_tag) || page.ancestors(id).any(is_boilerplate_tag)
}

/// True if the unit belongs to a control or is its label.
fn is_control(page: &Page, unit: &Unit) -> bool {
    matches!(page.tag(unit.container), "button" | "label" | "summary" | "option")
}
