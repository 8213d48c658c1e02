//! Selects cards of a text: links that enclose a heading and a description. The classifier scores the two units
//! separately, and confuses them with teasers because all their characters are linked.

use std::ops::Range;

use super::{
    markers::{self, Marker},
    neighbours::has_name_of_others,
    short_structures::has_paragraph_neighbours,
    units::{Unit, Units, units_in},
};
use crate::{
    html::boilerplate::is_boilerplate,
    page::{Id, Page},
};

/// Maximum number of units of a card.
const MAX_CARD_UNITS: usize = 6;
/// Maximum number of units of adjacent cards.
const MAX_UNITS: usize = 40;
/// Maximum number of nodes of the wrappers of a card.
const MAX_WRAPPER_NODES: usize = 4;
/// Maximum distance from a text to its link, in ancestors.
const LINK_LAYERS: usize = 6;
/// Maximum number of words in the heading of a card.
const HEADING_WORDS: usize = 20;
/// Minimum number of words in the description of a card.
const DESCRIPTION_WORDS: usize = 3;
/// Number of ancestors of the cards that must not be boilerplate.
const CHECKED_ANCESTORS: usize = 2;

/// Selects the headings of selected descriptions. Selects cards between two selected paragraphs, unless the
/// metadata declares an article of a news site or a blog, where such cards lead to other articles.
pub(super) fn keep(page: &Page, units: &Units, is_declared_article: bool, selected: &mut [bool]) {
    for unit in 0..units.len().saturating_sub(1) {
        if !selected[unit] && selected[unit + 1] && is_heading_of(page, &units[unit], &units[unit + 1]) {
            selected[unit] = true;
        }
    }
    if is_declared_article {
        return;
    }
    let mut id: Id = 1;
    while id < page.len() {
        if !is_card(page, units, id) {
            id += 1;
            continue;
        }
        let (end, inside) = run_of_cards(page, units, id);
        if inside.len() <= MAX_UNITS && is_of_text(page, units, id, &inside, selected) {
            selected[inside].fill(true);
        }
        id = end;
    }
}

/// True if a heading and the text below it are the same link, or links to the same page.
fn is_heading_of(page: &Page, heading: &Unit, text: &Unit) -> bool {
    page.is_heading(heading.container)
        && !page.is_heading(text.container)
        && heading.linked == heading.chars
        && text.linked == text.chars
        && heading.words <= HEADING_WORDS
        && link_of(page, heading).is_some_and(|link| Some(link) == link_of(page, text))
}

/// URL of the link that contains the beginning of a unit.
fn link_of<'p>(page: &'p Page, unit: &Unit) -> Option<&'p str> {
    let mut layers = page.ancestors(*unit.texts.first()?).take(LINK_LAYERS);
    page.value(layers.find(|&above| page.is(above, "a"))?, "href")
}

/// True for a link to another page that consists of a heading and a description.
fn is_card(page: &Page, units: &Units, id: Id) -> bool {
    let is_control = |inner: Id| matches!(page.tag(inner), "button" | "input" | "video" | "audio" | "time");
    let leads_away = || {
        page.value(id, "href").is_some_and(|href| !href.starts_with('#') && !href.starts_with("javascript:"))
    };
    if !page.is(id, "a") || !leads_away() {
        return false;
    }
    let inside = &units[units_in(page, units, id)];
    (2..=MAX_CARD_UNITS).contains(&inside.len())
        && inside.iter().filter(|unit| is_heading(page, unit)).count() == 1
        && inside.iter().any(|unit| !is_heading(page, unit) && unit.words >= DESCRIPTION_WORDS)
        && inside.iter().all(|unit| markers::scores(&unit.text)[Marker::Related as usize] < 1.0)
        && !page.descendants(id).any(is_control)
}

fn is_heading(page: &Page, unit: &Unit) -> bool {
    matches!(page.tag(unit.container), "h2" | "h3" | "h4" | "h5" | "h6") && unit.words <= HEADING_WORDS
}

/// End of the nodes, and the units, of a card and of the cards directly after it. Each of them may be in
/// wrappers.
fn run_of_cards(page: &Page, units: &Units, first: Id) -> (Id, Range<usize>) {
    let own = units_in(page, units, first);
    let wrapper = page
        .ancestors(first)
        .take(MAX_WRAPPER_NODES)
        .take_while(|&above| units_in(page, units, above) == own);
    let wrapper = wrapper.last().unwrap_or(first);
    let is_next = |&sibling: &Id| {
        let inside = units_in(page, units, sibling);
        let mut layers = page.subtree(sibling).take(MAX_WRAPPER_NODES + 1);
        layers.any(|layer| is_card(page, units, layer) && units_in(page, units, layer) == inside)
    };
    let run = std::iter::successors(Some(wrapper), |&at| page.nonblank_sibling_after(at).filter(is_next));
    let last = run.take(MAX_UNITS).last().unwrap_or(wrapper);
    (page.subtree(last).end, own.start..units_in(page, units, last).end)
}

/// True if adjacent cards are between two paragraphs of the selected text, and neither they nor their wrappers
/// are boilerplate.
fn is_of_text(page: &Page, units: &Units, card: Id, inside: &Range<usize>, selected: &[bool]) -> bool {
    let is_within = |&above: &Id| {
        let range = units_in(page, units, above);
        inside.start <= range.start && range.end <= inside.end
    };
    let wrappers = page.ancestors(card).take_while(is_within).count();
    let outermost = page.self_and_ancestors(card).nth(wrappers).unwrap_or(card);
    let mut layers = page.self_and_ancestors(card).take(wrappers + 1 + CHECKED_ANCESTORS);
    has_paragraph_neighbours(page, units, outermost, inside, selected)
        && !layers.any(|layer| is_boilerplate(page, layer) || has_name_of_others(page, layer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::{hidden, main_part::units, parse_page};

    const TEXT: &str = "<p>The lighthouse keeper counted the ships before dawn and noted each of them.</p>";

    /// Number of selected units in a part between two selected paragraphs, given that the classifier selected
    /// the units that contain `chosen`.
    fn selected_in(part: &str, chosen: &str, is_article: bool) -> usize {
        let page = parse_page(&format!("<main>{TEXT}{part}{TEXT}</main>")).unwrap();
        let (units, _) = units::split(&page, &hidden::find(&page));
        let last = units.len() - 1;
        let is_selected = |(at, unit): (usize, &Unit)| at == 0 || at == last || unit.text.contains(chosen);
        let mut selected: Vec<bool> = units.iter().enumerate().map(is_selected).collect();
        keep(&page, &units, is_article, &mut selected);
        selected.iter().filter(|selected| **selected).count() - 2
    }

    #[test]
    fn cards_between_paragraphs_are_selected() {
        let card = "<a href=/a><h3>Lamps</h3><p>All about the lamps.</p></a>";
        for (part, expected) in [
            (card.to_owned(), 2),
            ("<a href=/a><div><h4>Lamps</h4></div><div><p>All about the lamps.</p></div></a>".to_owned(), 2),
            (format!("<div class=grid>{card}{card}</div>"), 4),
            (format!("<div class=grid><div><div>{card}</div></div><div><div>{card}</div></div></div>"), 4),
            (format!("<ul><li>{card}</li><li>{card}</li><li>{card}</li></ul>"), 6),
            (
                "<a href=/a><svg></svg><h2>Lamps</h2><p>All about the lamps.</p><p>Read on</p></a>"
                    .to_owned(),
                3,
            ),
        ] {
            assert_eq!(selected_in(&part, "no unit", false), expected, "{part}");
            assert_eq!(selected_in(&part, "no unit", true), 0, "{part}");
        }
    }

    #[test]
    fn teasers_and_controls_between_paragraphs_are_not_selected() {
        for part in [
            "<div class=related-story><a href=/a><h3>Lamps</h3><p>All about the lamps.</p></a></div>",
            "<section class=teasers><div><a href=/a><h3>Lamps</h3><p>All about the lamps.</p></a></div></section>",
            "<a href=/a><p>Read also</p><h3>Lamps</h3><p>All about the lamps.</p></a>",
            "<a href=/a><h3>Lamps</h3><time>3 May 2024</time><p>All about the lamps.</p></a>",
            "<a href='#a'><h3>Lamps</h3><p>All about the lamps.</p></a>",
            "<a href=/a><h3>Lamps</h3></a><a href=/b><h3>Buoys</h3></a>",
            "<div><a href=/a><h3>Lamps</h3><p>All about the lamps.</p></a><p>Menu</p></div>",
        ] {
            assert_eq!(selected_in(part, "no unit", false), 0, "{part}");
        }
    }

    #[test]
    fn heading_is_selected_with_the_description_of_the_same_link() {
        for part in [
            "<a href=/a><h3>Lamps</h3><p>All about the lamps.</p></a>",
            "<h3><a href=/a>Lamps</a></h3><a href=/a><p>All about the lamps.</p></a>",
            "<div><h3><a href=/a>Lamps</a></h3><p><a href=/a>All about the lamps.</a></p></div>",
        ] {
            assert_eq!(selected_in(part, "All about", true), 2, "{part}");
        }
        let other = "<h3><a href=/b>Buoys</a></h3><a href=/a><p>All about the lamps.</p></a>";
        assert_eq!(selected_in(other, "All about", true), 1);
    }
}
