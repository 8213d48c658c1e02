//! The heading of a text that is kept is kept with it, whatever is thought of the heading alone: anchors and sections begin
//! at it, and a text that has lost it reads as if it began in the middle.

use super::units::{Units, units_in};
use crate::{
    clean,
    html::tree::{Id, Page},
};

/// Between a heading and the text below it stand no more units: a date, a name, a summary.
const BETWEEN: usize = 3;
/// What a heading stands in, besides the element that holds its text too, has no more layers.
const LAYERS: usize = 3;

/// Keeps the main heading, or the one that the page is titled by, that stands above kept text of the same part.
pub(super) fn keep(page: &Page, units: &Units, kept_units: &mut [bool]) {
    let title = (1..page.len()).find(|&id| page.is(id, "title")).map(|id| folded(&page.folded_text(id)));
    let title = title.unwrap_or_default();
    for unit in 0..units.len() {
        let heading = units[unit].container;
        if kept_units[unit] || !matches!(page.tag(heading), "h1" | "h2") || is_apart(page, heading) {
            continue;
        }
        let text = folded(&units[unit].text);
        let is_title = !text.is_empty() && title.starts_with(&text);
        if (page.is(heading, "h1") || is_title) && stands_above(page, units, kept_units, unit) {
            kept_units[unit] = true;
        }
    }
}

/// Whether kept text follows a heading in the element that it stands in, with little between them.
fn stands_above(page: &Page, units: &Units, kept_units: &[bool], unit: usize) -> bool {
    let heading = units[unit].container;
    page.ancestors(heading).take(LAYERS).take_while(|&part| !page.is(part, "html")).any(|part| {
        let below = unit + 1..units_in(page, units, part).end.min(unit + BETWEEN + 2);
        below
            .take_while(|&next| !is_heading(page, units[next].container) || kept_units[next])
            .any(|next| kept_units[next])
    })
}

/// Whether a heading belongs to what stands round the text.
fn is_apart(page: &Page, heading: Id) -> bool {
    page.ancestors(heading).any(|above| matches!(page.tag(above), "nav" | "aside" | "footer" | "form" | "a"))
}

fn is_heading(page: &Page, id: Id) -> bool {
    matches!(page.tag(id), "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

fn folded(text: &str) -> String {
    clean::fold(text).to_lowercase()
}
