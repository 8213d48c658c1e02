//! Completes structures after classification. The classifier scores single units, so it may drop one row of a
//! table or one formula of a derivation.

use std::collections::{HashMap, HashSet};

use super::{
    siblings::Siblings,
    units::{Unit, Units, units_in},
};
use crate::{
    clean,
    html::{disclosures::Disclosure, notes::Notes},
    page::{Id, Page},
};

/// Maximum number of words in the attribution of a quote.
const ATTRIBUTION_WORDS: usize = 40;
/// Maximum number of words in a footnote. A longer text is not a footnote.
const NOTE_WORDS: usize = 200;
/// Maximum number of characters in a unit of a footnote.
const NOTE_CHARS: u32 = 8_000;
/// Maximum number of units of a table or definition list that follows a heading.
const ANNOUNCED_UNITS: usize = 200;

/// Headings of product data, in lower case.
const DATA_HEADINGS: [&str; 24] = [
    "specification", "spécification", "specs", "technical data", "technical details", "product details",
    "technische daten", "produktdaten", "spezifikation", "caractéristiques", "fiche technique",
    "especificaciones", "características", "ficha técnica", "especificações", "specifiche",
    "caratteristiche", "scheda tecnica", "specificaties", "specifikation", "specyfikacja", "характеристики",
    "規格", "规格",
];
/// Maximum number of words in a heading of product data.
const DATA_HEADING_WORDS: usize = 6;
/// Maximum distance, in units, from such a heading to selected text.
const NEARBY_UNITS: usize = 8;

/// Minimum share of selected characters for a structure to be completed.
const COMPLETE_SHARE: f64 = 0.5;
/// Minimum share of linked characters for a list to be a menu.
const MENU_SHARE: f64 = 0.5;

/// Completes structures that are mostly selected. Selects code, terms and formulas between two selected
/// units.
pub(super) fn complete(page: &Page, units: &Units, selected: &mut [bool]) {
    for id in 1..page.len() {
        if !matches!(page.tag(id), "pre" | "dl" | "table" | "ul" | "ol") {
            continue;
        }
        let inside = units_in(page, units, id);
        if !(2..=400).contains(&inside.len()) || !is_structure(page, id) {
            continue;
        }
        let (mut all, mut selected_chars, mut linked) = (0.0, 0.0, 0.0);
        for (unit, is_selected) in units[inside.clone()].iter().zip(&selected[inside.clone()]) {
            let chars = f64::from(unit.chars);
            all += chars;
            linked += f64::from(unit.linked);
            selected_chars += if *is_selected { chars } else { 0.0 };
        }
        // In a table of names and values, one selected unit is sufficient, because a value without its name
        // is meaningless.
        let min_share = if is_name_value_table(page, id) { 0.0 } else { COMPLETE_SHARE };
        if selected_chars > all * min_share && linked < all * MENU_SHARE {
            selected[inside].fill(true);
        }
    }
    keep_attributions(page, units, selected);
    keep_announced(page, units, selected);
    for unit in 1..units.len().saturating_sub(1) {
        if !selected[unit] && selected[unit - 1] && selected[unit + 1] && joins_neighbours(page, units, unit)
        {
            selected[unit] = true;
        }
    }
}

/// Selects the attributions of selected quotes. A quote without its speaker would be misleading.
fn keep_attributions(page: &Page, units: &Units, selected: &mut [bool]) {
    for quote in (1..page.len()).filter(|&id| page.is(id, "blockquote")) {
        let figure = page.ancestors(quote).take(2).find(|&above| page.is(above, "figure"));
        let quoted = units_in(page, units, quote);
        if !selected[quoted].contains(&true) {
            continue;
        }
        for unit in units_in(page, units, figure.unwrap_or(quote)) {
            let inner = units[unit].texts.first().copied().unwrap_or(0);
            let is_attribution = units[unit].words <= ATTRIBUTION_WORDS
                && page
                    .ancestors(inner)
                    .take_while(|&above| above >= quote.min(figure.unwrap_or(quote)))
                    .any(|above| {
                        matches!(page.tag(above), "footer" | "cite" | "figcaption")
                            || ["attribution", "quote-author", "quote-source"]
                                .iter()
                                .any(|word| page.class(above).is_some_and(|class| class.contains(word)))
                    });
            selected[unit] |= is_attribution;
        }
    }
}

/// Selects the table or definition list directly after a heading, if a selected heading would otherwise have
/// no content, or if the heading announces product data near selected text.
fn keep_announced(page: &Page, units: &Units, selected: &mut [bool]) {
    for heading in 0..units.len().saturating_sub(1) {
        let (heading_unit, next) = (&units[heading], heading + 1);
        if !is_heading(page, heading_unit.container) {
            continue;
        }
        let is_data_heading = announces_data(&heading_unit.text) && is_near_selected(selected, heading);
        if !is_data_heading && (!selected[heading] || selected[next]) {
            continue;
        }
        let first = units[next].texts.first().copied().unwrap_or(0);
        // The table is a sibling of the heading, or inside the next sibling.
        let section = page.parent(heading_unit.container);
        let announced = page
            .ancestors(first)
            .take_while(|&above| above > section && page.subtree(section).contains(&above))
            .find(|&above| matches!(page.tag(above), "table" | "dl"));
        let Some(announced) = announced else { continue };
        let inside = units_in(page, units, announced);
        let small = (2..=ANNOUNCED_UNITS).contains(&inside.len()) && inside.start == next;
        let (mut all, mut linked) = (0.0, 0.0);
        for unit in &units[inside.clone()] {
            all += f64::from(unit.chars);
            linked += f64::from(unit.linked);
        }
        let lays_out = page.descendants(announced).any(|inner| {
            matches!(
                page.tag(inner),
                "table" | "form" | "button" | "select" | "img" | "h1" | "h2" | "h3" | "h4"
            )
        });
        if small && !lays_out && linked < all * MENU_SHARE {
            selected[heading] = true;
            selected[inside].fill(true);
        }
    }
}

/// True if the heading announces product data.
fn announces_data(heading: &str) -> bool {
    let heading = clean::fold(heading).to_lowercase();
    clean::words(&heading) <= DATA_HEADING_WORDS && DATA_HEADINGS.iter().any(|word| heading.contains(word))
}

/// True if a unit within `NEARBY_UNITS` is selected.
fn is_near_selected(selected: &[bool], unit: usize) -> bool {
    selected[unit.saturating_sub(NEARBY_UNITS)..selected.len().min(unit + NEARBY_UNITS)].contains(&true)
}

/// Completes the entries of a list. If most similar entries have selected headings, the heading of an entry
/// with selected text is selected, too. If most entries are selected, the others are selected, too. Otherwise
/// a text would appear under the heading of another entry.
pub(super) fn keep_headings(page: &Page, units: &Units, siblings: &Siblings, selected: &mut [bool]) {
    let mut groups: HashMap<usize, HeadingGroup> = HashMap::new();
    for (unit, groups_of) in siblings.groups.iter().enumerate() {
        if is_heading(page, units[unit].container) {
            let group = groups.entry(groups_of[0]).or_default();
            group.all += 1;
            group.selected += usize::from(selected[unit]);
            group.with_text += usize::from(selected.get(unit + 1) == Some(&true));
        }
    }
    for unit in 0..units.len().saturating_sub(1) {
        let container = units[unit].container;
        if !is_heading(page, container) || (selected[unit] && selected[unit + 1]) {
            continue;
        }
        let next = units[unit + 1].container;
        let entry = entry_of(page, container);
        if is_heading(page, next) || !page.subtree(entry).contains(&next) {
            continue;
        }
        let Some(group) = groups.get(&siblings.groups[unit][0]) else { continue };
        let (is_of_list, with_headings) =
            (group.all > 1 && group.with_text * 2 >= group.all, group.selected * 2 >= group.all);
        if is_of_list && is_only_heading(page, container) {
            selected[unit..=unit + 1].fill(true);
        } else if selected[unit + 1] && with_headings {
            selected[unit] = true;
        }
    }
}

/// Counts of the headings at the same position of repeated elements.
#[derive(Default)]
struct HeadingGroup {
    all: usize,
    /// Number of selected headings.
    selected: usize,
    /// Number of headings that are followed by selected text.
    with_text: usize,
}

/// True if the heading is the only heading of its entry.
fn is_only_heading(page: &Page, heading: Id) -> bool {
    page.descendants(entry_of(page, heading)).filter(|&inner| is_heading(page, inner)).count() == 1
}

/// Parent of a heading, or of its enclosing link.
fn entry_of(page: &Page, heading: Id) -> Id {
    let above = page.parent(heading);
    if page.is(above, "a") { page.parent(above) } else { above }
}

/// Selects the footnotes that selected text refers to.
pub(super) fn keep_notes(
    page: &Page,
    units: &Units,
    hidden: &[bool],
    opened: &[Disclosure],
    selected: &mut [bool],
) {
    let visible: Vec<bool> = hidden.iter().map(|hidden| !hidden).collect();
    let notes = Notes::find(page, &visible, opened);
    let mut pairs = notes.pairs().peekable();
    if pairs.peek().is_none() {
        return;
    }
    let chosen = units.iter().zip(selected.iter()).filter(|(_, chosen)| **chosen);
    let selected_texts: HashSet<Id> = chosen.flat_map(|(unit, _)| unit.texts.iter().copied()).collect();
    for (mark, note) in pairs {
        let of_note = units_in(page, units, note);
        // A reference that is a button divides its paragraph into several units.
        let paragraph =
            page.ancestors(mark).find(|&above| !page.is_inline(above) && !page.is(above, "button"));
        let paragraph =
            paragraph.filter(|_| page.subtree(mark).any(|id| !page.is_inline(id) && page.is_element(id)));
        let is_selected = page.subtree(paragraph.unwrap_or(mark)).any(|id| selected_texts.contains(&id));
        if is_note(&units[of_note.clone()]) && is_selected {
            selected[of_note].fill(true);
            let is_divided = paragraph.is_some_and(|id| matches!(page.tag(id), "p" | "li" | "dd"));
            for unit in units_in(page, units, paragraph.unwrap_or(mark)) {
                let container = units[unit].container;
                selected[unit] |=
                    page.subtree(mark).contains(&container) || is_divided && Some(container) == paragraph;
            }
        }
    }
}

/// True if the units are short enough for a footnote. A very long unit always exceeds the word limit, even if
/// it has few words.
fn is_note(units: &[Unit]) -> bool {
    let mut words = 0;
    units.iter().all(|unit| {
        words += if unit.chars > NOTE_CHARS { NOTE_WORDS + 1 } else { unit.words };
        words <= NOTE_WORDS
    })
}

fn is_heading(page: &Page, id: Id) -> bool {
    matches!(page.tag(id), "h2" | "h3" | "h4" | "h5" | "h6")
}

/// True for code, definition lists, tables with a header, and lists of plain lines. Other tables and lists
/// are page layout.
fn is_structure(page: &Page, id: Id) -> bool {
    let holds = |tags: &[&str]| page.descendants(id).any(|inner| tags.contains(&page.tag(inner)));
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

/// True if each row of a table consists of a name and its value.
fn is_name_value_table(page: &Page, id: Id) -> bool {
    let cells = |row: Id, tag: &str| page.children(row).filter(|&cell| page.is(cell, tag)).count();
    let mut rows = page.descendants(id).filter(|&inner| page.is(inner, "tr")).peekable();
    page.is(id, "table")
        && rows.peek().is_some()
        && rows.all(|row| (cells(row, "th"), cells(row, "td")) == (1, 1))
}

fn joins_neighbours(page: &Page, units: &Units, index: usize) -> bool {
    let unit = &units[index];
    let kind = matches!(page.tag(unit.container), "pre" | "code" | "dt");
    let inner = unit.texts.first().copied().unwrap_or(0);
    let formula = page.ancestors(inner).take(6).any(|above| page.is(above, "math"));
    (kind && unit.linked * 2 <= unit.chars) || formula
}
