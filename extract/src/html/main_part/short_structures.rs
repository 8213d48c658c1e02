//! Selects short structures between two selected paragraphs: definition lists, small tables and callouts. The
//! classifier scores single units and confuses their short lines with labels of the page.

use std::ops::Range;

use super::units::{Units, units_in};
use crate::{
    html::{boilerplate::is_boilerplate, table::is_cell},
    page::{Id, Page},
};

/// Maximum number of units of a structure.
const MAX_UNITS: usize = 40;
/// Minimum number of words in one of the two paragraphs next to a structure.
const PROSE_WORDS: usize = 8;
/// Number of nearest ancestors that must not be boilerplate.
const CHECKED_ANCESTORS: usize = 2;
/// Class names of callouts.
const CALLOUTS: [&str; 15] = [
    "admonition", "admonitionblock", "callout", "caution", "confluence-information-macro", "custom-block",
    "hint", "important", "markdown-alert", "note", "notecard", "starlight-aside", "theme-admonition", "tip",
    "warning",
];
/// Maximum number of adjacent callouts that are searched in each direction, including the first.
const MAX_RUN: usize = 8;
/// Words in the class names of links that resemble buttons.
const BUTTONS: [&str; 3] = ["btn", "button", "cta"];

/// Selects structures between paragraphs as a whole.
pub(super) fn complete(page: &Page, units: &Units, selected: &mut [bool]) {
    for id in (1..page.len()).filter(|&id| is_structure(page, id)) {
        let inside = units_in(page, units, id);
        if (1..=MAX_UNITS).contains(&inside.len())
            && is_between_paragraphs(page, units, id, selected)
            && is_text(page, units, id)
            && !is_frame(page, id)
        {
            selected[inside].fill(true);
        }
    }
}

fn is_structure(page: &Page, id: Id) -> bool {
    match page.tag(id) {
        "dl" | "table" => true,
        // A quoted post, as in Discourse.
        "aside" if page.has_class(id, "quote") && page.attribute(id, "data-username").is_some() => true,
        _ => is_callout(page, id),
    }
}

fn is_callout(page: &Page, id: Id) -> bool {
    matches!(page.tag(id), "div" | "aside" | "section")
        && page.class_names(id).any(|class| CALLOUTS.contains(&class))
}

/// True for a table with a single cell, and for a callout that is a call to action.
fn is_frame(page: &Page, id: Id) -> bool {
    match page.tag(id) {
        "dl" => false,
        "table" => page.descendants(id).filter(|&inner| is_cell(page, inner)).nth(1).is_none(),
        _ => has_only_button_links(page, id),
    }
}

/// True if the element has links and all of them resemble buttons.
fn has_only_button_links(page: &Page, id: Id) -> bool {
    let is_button = |link: Id| {
        page.attribute(link, "role") == Some("button")
            || page.class_names(link).any(|class| {
                let mut words = class.split(['-', '_']);
                words.any(|word| BUTTONS.iter().any(|button| word.eq_ignore_ascii_case(button)))
            })
    };
    let mut links = page.descendants(id).filter(|&inner| page.is(inner, "a")).peekable();
    links.peek().is_some() && links.all(is_button)
}

/// True if the units directly before and after an element are selected paragraphs or headings with the same
/// parent, and at least one of them is prose. If an element only wraps the structure, the parent of the
/// wrapper is used. Callouts in a row are treated as one element.
fn is_between_paragraphs(page: &Page, units: &Units, id: Id, selected: &[bool]) -> bool {
    let own = units_in(page, units, id);
    let outermost =
        page.ancestors(id).take_while(|&above| units_in(page, units, above) == own).last().unwrap_or(id);
    let inside = if is_callout(page, id) { run_of_callouts(page, units, outermost) } else { own };
    has_paragraph_neighbours(page, units, outermost, &inside, selected)
}

/// True if the units directly before and after the units of an element are selected paragraphs or headings with
/// the same parent as the element, and at least one of them is prose.
pub(super) fn has_paragraph_neighbours(
    page: &Page,
    units: &Units,
    element: Id,
    inside: &Range<usize>,
    selected: &[bool],
) -> bool {
    let Some(before) = inside.start.checked_sub(1) else { return false };
    if !selected[before] || selected.get(inside.end) != Some(&true) {
        return false;
    }
    let parent = page.parent(element);
    let neighbours = [&units[before], &units[inside.end]];
    neighbours.iter().all(|unit| {
        page.parent(unit.container) == parent && matches!(page.tag(unit.container), "p" | "h2" | "h3" | "h4")
    }) && neighbours.iter().any(|unit| unit.words >= PROSE_WORDS && unit.linked * 2 < unit.chars)
}

/// Units of an element and of the callouts directly before and after it.
fn run_of_callouts(page: &Page, units: &Units, id: Id) -> Range<usize> {
    let is_next = |sibling: &Id| is_callout(page, *sibling);
    let before = std::iter::successors(Some(id), |&at| page.nonblank_sibling_before(at).filter(is_next));
    let after = std::iter::successors(Some(id), |&at| page.nonblank_sibling_after(at).filter(is_next));
    let first = before.take(MAX_RUN).last().unwrap_or(id);
    let last = after.take(MAX_RUN).last().unwrap_or(id);
    units_in(page, units, first).start..units_in(page, units, last).end
}

/// True if an element has no controls, and less than half of its characters are linked.
fn is_text(page: &Page, units: &Units, id: Id) -> bool {
    let is_control = |inner: Id| {
        matches!(page.tag(inner), "nav" | "form" | "input" | "select" | "textarea" | "button" | "iframe")
    };
    let inside = &units[units_in(page, units, id)];
    let chars: u32 = inside.iter().map(|unit| unit.chars).sum();
    let linked: u32 = inside.iter().map(|unit| unit.linked).sum();
    let mut enclosing = page.self_and_ancestors(id).take(CHECKED_ANCESTORS + 1);
    linked * 2 < chars
        && !page.descendants(id).any(is_control)
        && !enclosing.any(|above| is_boilerplate(page, above))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::{hidden, main_part::units, parse_page};

    const TEXT: &str = "<p>The lighthouse keeper counted the ships before dawn and noted each of them.</p>";

    /// Number of units in a part between two selected paragraphs, and number of them that are selected.
    fn counts(part: &str) -> (usize, usize) {
        let page = parse_page(&format!("<main>{TEXT}{part}{TEXT}</main>")).unwrap();
        let (units, _) = units::split(&page, &hidden::find(&page));
        let mut selected = vec![false; units.len()];
        selected[0] = true;
        selected[units.len() - 1] = true;
        complete(&page, &units, &mut selected);
        (units.len() - 2, selected.iter().filter(|selected| **selected).count() - 2)
    }

    #[test]
    fn short_structures_between_paragraphs_are_selected() {
        for part in [
            "<dl><div><dt>Length</dt><dd>12 m</dd></div><div><dt>Beam</dt><dd>4 m</dd></div></dl>",
            "<dl><dt>Beam</dt><dd>4 m</dd></dl>",
            "<table><tr><td>North 12</td><td>South 9</td><td>West 4</td></tr></table>",
            "<div class=wrap><div><table><tr><td>Anna</td></tr><tr><td>Berta</td></tr></table></div></div>",
            "<div class='markdown-alert markdown-alert-warning'><p>Warning</p><p>Hot lamp.</p></div>",
            "<aside class=note><p>Store it dry.</p></aside>",
            "<div class=note><p>Note</p><p>Store it dry.</p></div><aside class=callout><p>Hot lamp.</p></aside>",
            "<div class='theme-admonition alert'><div><span><svg></svg></span>tip</div><div><p>Use gloves.</p></div></div>",
            "<aside class='starlight-aside'><p>Note</p><div><p>Store it dry.</p></div></aside>",
            "<aside class='quote no-group' data-username=ann><div class=title>ann:</div><blockquote><p>Is it dry?</p></blockquote></aside>",
            "<aside class=note><p>Store it dry, as in <a href=/stores>the stores of the tower</a> in the north.</p></aside>",
        ] {
            let (all, selected) = counts(part);
            assert!(all > 0 && all == selected, "{part}: {selected} of {all}");
        }
    }

    #[test]
    fn links_controls_and_calls_to_action_between_paragraphs_are_not_selected() {
        for part in [
            "<table><tr><td><a href=/a>Anna</a></td><td><a href=/b>Berta</a></td></tr></table>",
            "<div class=note>Your name <input></div>",
            "<div class=callout><p>Lamps for each of your rooms.</p><a class='btn-primary' href=/shop>Buy</a></div>",
            "<table><tr><td>Lamps for each of your rooms.</td></tr></table>",
            "<dl class=share><dt>Share</dt><dd>by mail</dd></dl>",
            "<div class=box><p>Other stories</p><dl><dt>Beam</dt><dd>4 m</dd></dl></div>",
        ] {
            let (all, selected) = counts(part);
            assert!(all > 0 && selected == 0, "{part}: {selected} of {all}");
        }
    }
}
