//! On a small page a thing of a few lines is kept whole when most of it is kept: a post with who wrote it and when, an item
//! with its date, a description with its list. The judge has learnt from pages on which much stands round the text.

use super::units::{SMALL_PAGE_UNITS, Unit, Units, units_in};
use crate::html::tree::{Id, Page};

/// A thing of a few lines has no more units.
const ENTRY_UNITS: usize = 6;
/// More than this share of its characters is kept.
const MOST: f64 = 0.6;

/// Completes the things of a few lines.
pub(super) fn complete(page: &Page, units: &Units, kept_units: &mut [bool]) {
    if units.len() >= SMALL_PAGE_UNITS {
        return;
    }
    // From the inner to the outer, so that what was completed inside counts.
    for id in (1..page.len()).rev() {
        if !matches!(page.tag(id), "div" | "section" | "article" | "li" | "tr" | "table") {
            continue;
        }
        let inside = units_in(page, units, id);
        if !(2..=ENTRY_UNITS).contains(&inside.len()) || is_beside_text(page, id) {
            continue;
        }
        let (mut all, mut kept) = (0.0, 0.0);
        for unit in inside.clone() {
            let chars = f64::from(units[unit].chars);
            all += chars;
            kept += if kept_units[unit] { chars } else { 0.0 };
        }
        if kept > all * MOST {
            for unit in inside {
                kept_units[unit] |= units[unit].linked < units[unit].chars && !is_control(page, &units[unit]);
            }
        }
    }
}

/// Whether an element holds, or stands in, what is no part of a text.
fn is_beside_text(page: &Page, id: Id) -> bool {
    let apart = |id: Id| matches!(page.tag(id), "nav" | "aside" | "footer" | "form" | "header");
    page.subtree(id).any(apart) || page.ancestors(id).any(apart)
}

/// Whether a unit is the name of something to press.
fn is_control(page: &Page, unit: &Unit) -> bool {
    matches!(page.tag(unit.container), "button" | "label" | "summary" | "option")
}
