//! Selects the headings of a text, which are between two selected texts of the same element.

use super::units::{Unit, Units, units_in};
use crate::page::{Id, Page};

/// Maximum number of words in a heading.
const MAX_WORDS: usize = 20;
/// Maximum number of wrapper elements of a heading.
const MAX_WRAPPERS: usize = 3;

/// Selects each heading between two selected texts, if all three are in the same flow. Without its heading, a
/// text would seem to belong to the section above.
pub(super) fn keep(page: &Page, units: &Units, selected: &mut [bool]) {
    for at in 1..units.len().saturating_sub(1) {
        let unit = &units[at];
        if selected[at] || !selected[at - 1] || !selected[at + 1] {
            continue;
        }
        let Some(heading) = plain_heading(page, units, unit) else { continue };
        let flow = flow_of(page, units, heading);
        let is_in_flow = |unit: &Unit| {
            let depth = page.depth(unit.container) - page.depth(flow).min(page.depth(unit.container));
            page.subtree(flow).contains(&unit.container) && depth <= 3
        };
        if is_in_flow(&units[at - 1]) && is_in_flow(&units[at + 1]) {
            selected[at] = true;
        }
    }
}

/// Element that contains the heading as a child, possibly inside wrappers that contain only the heading.
fn flow_of(page: &Page, units: &Units, heading: Id) -> Id {
    let mut flow = page.parent(heading);
    for _ in 0..MAX_WRAPPERS {
        if flow == 0 || units_in(page, units, flow).len() > 1 {
            break;
        }
        flow = page.parent(flow);
    }
    flow
}

/// Heading element of a unit, if the heading has few words and no links to other pages.
fn plain_heading(page: &Page, units: &Units, unit: &Unit) -> Option<Id> {
    let mut layers = page.self_and_ancestors(unit.container).take(MAX_WRAPPERS + 1);
    let heading = layers.find(|&layer| matches!(page.tag(layer), "h2" | "h3" | "h4" | "h5" | "h6"))?;
    let is_plain = unit.words <= MAX_WORDS
        && (heading == unit.container || units_in(page, units, heading).len() == 1)
        && (unit.linked * 2 <= unit.chars || links_to_itself(page, heading));
    is_plain.then_some(heading)
}

/// True if all links of the heading point to a position on the same page.
fn links_to_itself(page: &Page, heading: Id) -> bool {
    page.descendants(heading)
        .filter(|&inner| page.is(inner, "a"))
        .all(|link| page.attribute(link, "href").is_none_or(|href| href.starts_with('#')))
        && !page.is(page.parent(heading), "a")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::{hidden, main_part::units, parse_page};

    /// Selected headings of a page, given that the classifier selected only its paragraphs.
    fn headings_of(body: &str) -> Vec<String> {
        let page = parse_page(body).unwrap();
        let (units, _) = units::split(&page, &hidden::find(&page));
        let mut selected: Vec<bool> = units.iter().map(|unit| page.is(unit.container, "p")).collect();
        keep(&page, &units, &mut selected);
        let headings = units
            .iter()
            .zip(&selected)
            .filter(|(unit, selected)| **selected && !page.is(unit.container, "p"));
        headings.map(|(unit, _)| unit.text.trim().to_owned()).collect()
    }

    #[test]
    fn headings_between_selected_texts_are_selected() {
        for body in [
            "<p>One.</p><h2>History</h2><p>Two.</p>",
            "<p>One.</p><div class=mw-heading><h2>History</h2><span class=mw-editsection>[<a href=/e>edit</a>]</span></div><p>Two.</p>",
            "<p>One.</p><div><div><h3>History</h3></div></div><p>Two.</p>",
            "<p>One.</p><h2>History<a class=headerlink href=#h>¶</a></h2><div><p>Two.</p></div>",
            "<div><p>One.</p></div><h2>History</h2><p>Two.</p>",
            "<p>One.</p><h2 id=h><a class=header href=#h>History</a></h2><p>Two.</p>",
            "<p>One.</p><h2 id=h><a class=hash href=#h>#</a><div>History</div></h2><p>Two.</p>",
        ] {
            assert_eq!(headings_of(body), ["History"], "{body}");
        }
    }

    #[test]
    fn headings_outside_the_selected_text_are_not_selected() {
        for body in [
            "<p>One.</p><h2>Related</h2><ul><li>Other</li></ul><p>Two.</p>",
            "<p>One.</p><h2><a href=/b>Another story</a></h2><p>Two.</p>",
            "<div><p>One.</p></div><aside><h2>Newsletter</h2><p>Two.</p></aside>",
        ] {
            assert!(headings_of(body).is_empty(), "{body}");
        }
    }
}
