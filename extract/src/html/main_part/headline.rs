//! Selects the heading of selected text, even if its own score is low, because a section begins with it.

use super::units::{Units, units_in};
use crate::{
    clean,
    page::{Id, Page},
};

/// Maximum number of units between a heading and the text below it, such as a date, a name and a summary.
const MAX_UNITS_BETWEEN: usize = 3;
/// Maximum number of ancestors of a heading that are searched for the text below it.
const MAX_LAYERS: usize = 3;

/// Selects the main heading, or the heading that equals the page title, if it is above selected text of the
/// same part.
pub(super) fn keep(page: &Page, units: &Units, selected: &mut [bool]) {
    let title = (1..page.len()).find(|&id| page.is(id, "title")).map(|id| folded(&page.folded_text(id)));
    let title = title.unwrap_or_default();
    for unit in 0..units.len() {
        let heading = units[unit].container;
        if selected[unit] || !matches!(page.tag(heading), "h1" | "h2") || is_boilerplate(page, heading) {
            continue;
        }
        let text = folded(&units[unit].text);
        let is_title = !text.is_empty() && title.starts_with(&text);
        if (page.is(heading, "h1") || is_title) && precedes_selected(page, units, selected, unit) {
            selected[unit] = true;
        }
    }
}

/// True if selected text follows the heading within an enclosing element, with few units between the two.
fn precedes_selected(page: &Page, units: &Units, selected: &[bool], unit: usize) -> bool {
    let heading = units[unit].container;
    page.ancestors(heading).take(MAX_LAYERS).take_while(|&part| !page.is(part, "html")).any(|part| {
        let below = unit + 1..units_in(page, units, part).end.min(unit + MAX_UNITS_BETWEEN + 2);
        below
            .take_while(|&next| !page.is_heading(units[next].container) || selected[next])
            .any(|next| selected[next])
    })
}

/// True if the heading belongs to boilerplate.
fn is_boilerplate(page: &Page, heading: Id) -> bool {
    page.ancestors(heading).any(|above| matches!(page.tag(above), "nav" | "aside" | "footer" | "form" | "a"))
}

fn folded(text: &str) -> String {
    clean::fold(text).to_lowercase()
}
