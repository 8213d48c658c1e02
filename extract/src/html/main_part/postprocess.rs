//! What belongs together is kept together: a classifier of single units would take a row out of a table or a formula out of
//! an argument.

use std::{collections::HashMap, ops::Range};

use super::{siblings::Siblings, units::Unit};
use crate::{
    clean,
    html::tree::{Id, Page},
};

/// Fewer words may stand in several places.
const COPIED_WORDS: usize = 8;

/// A structure of which this share is kept is kept whole.
const MOST: f64 = 0.5;
/// A list with more of its characters in links than this is a menu.
const MENU: f64 = 0.5;

/// Adds what is missing of the structures that are mostly kept, and what stands between two kept units as their code,
/// term or formula.
pub(super) fn complete(page: &Page, units: &[Unit], kept_units: &mut [bool]) {
    for id in 1..page.len() {
        if !matches!(page.tag(id), "pre" | "dl" | "table" | "ul" | "ol") {
            continue;
        }
        let inside = units_in(page, units, id);
        if !(2..=400).contains(&inside.len()) || !belongs_together(page, id) {
            continue;
        }
        let (mut all, mut kept, mut linked) = (0.0, 0.0, 0.0);
        for (unit, is_kept) in units[inside.clone()].iter().zip(&kept_units[inside.clone()]) {
            let chars = f64::from(unit.chars);
            all += chars;
            linked += f64::from(unit.linked);
            kept += if *is_kept { chars } else { 0.0 };
        }
        if kept > all * MOST && linked < all * MENU {
            kept_units[inside].fill(true);
        }
    }
    for unit in 1..units.len().saturating_sub(1) {
        if !kept_units[unit]
            && kept_units[unit - 1]
            && kept_units[unit + 1]
            && stands_between(page, units, unit)
        {
            kept_units[unit] = true;
        }
    }
}

/// Drops a text that was kept before in another place: a copy for small screens, a teaser, a pulled quote. What is said
/// twice in one place is the author's.
///
/// `once` holds for pages whose authors say nothing twice: elsewhere copies at the places of the same repeated thing stay.
pub(super) fn drop_copies(
    page: &Page,
    units: &[Unit],
    siblings: &Siblings,
    once: bool,
    kept_units: &mut [bool],
) {
    let mut seen: HashMap<&str, (Id, usize)> = HashMap::new();
    let all = units.iter().zip(&siblings.groups).zip(kept_units.iter_mut());
    for ((unit, groups), kept) in all.filter(|(_, kept)| **kept) {
        let text = unit.text.trim();
        if clean::words(text) < COPIED_WORDS
            || matches!(page.tag(unit.container), "td" | "th" | "pre" | "code")
        {
            continue;
        }
        let place = (page.parent(unit.container), groups[0]);
        match seen.get(text) {
            Some(&(first, siblings)) => *kept = first == place.0 || !once && siblings == place.1,
            None => _ = seen.insert(text, place),
        }
    }
}

/// Code, terms with their meanings, tables with a head, and lists of plain lines. Tables and lists that hold blocks of
/// other kinds lay out a page.
fn belongs_together(page: &Page, id: Id) -> bool {
    let holds = |tags: &[&str]| page.inside(id).any(|inner| tags.contains(&page.tag(inner)));
    match page.tag(id) {
        "pre" | "dl" => true,
        "table" => holds(&["th", "caption"]) && !holds(&["table", "form", "button", "h2", "h3"]),
        "ul" | "ol" => !holds(&[
            "div", "section", "article", "form", "button", "table", "img", "time", "svg", "iframe", "h2",
            "h3", "h4", "h5",
        ]),
        _ => false,
    }
}

/// Units of which the first text lies in an element.
fn units_in(page: &Page, units: &[Unit], id: Id) -> Range<usize> {
    let range = page.subtree(id);
    let first = |unit: &Unit| unit.texts.first().copied().unwrap_or(0);
    units.partition_point(|unit| first(unit) < range.start)
        ..units.partition_point(|unit| first(unit) < range.end)
}

fn stands_between(page: &Page, units: &[Unit], index: usize) -> bool {
    let unit = &units[index];
    let kind = matches!(page.tag(unit.container), "pre" | "code" | "dt");
    let inner = unit.texts.first().copied().unwrap_or(0);
    let formula = page.ancestors(inner).take(6).any(|above| page.is(above, "math"));
    (kind && unit.linked * 2 <= unit.chars) || formula
}
