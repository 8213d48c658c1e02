//! Completes structures after classification, because a classifier of single units would drop a row of a
//! table or a formula of an argument.

use std::collections::{HashMap, HashSet};

use super::{
    siblings::Siblings,
    units::{Unit, Units, units_in},
};
use crate::{
    clean,
    html::{
        notes::Notes,
        tree::{Id, Page},
    },
};

/// Shorter texts may occur in several places.
const COPIED_WORDS: usize = 8;

/// Minimum words, and minimum occurrences, of a text that counts as an insert in an article.
const INSERT_WORDS: usize = 8;
const INSERT_TIMES: usize = 3;

/// Maximum words of the attribution of a quote.
const ATTRIBUTION_WORDS: usize = 40;
/// A longer footnote is a text of its own.
const NOTE_WORDS: usize = 200;
/// A unit with more characters is longer than a footnote.
const NOTE_CHARS: u32 = 8_000;
/// Maximum units of a table or list that a heading announces.
const ANNOUNCED_UNITS: usize = 200;

/// Headings of product data, in lower case.
const DATA: [&str; 24] = [
    "specification",
    "spécification",
    "specs",
    "technical data",
    "technical details",
    "product details",
    "technische daten",
    "produktdaten",
    "spezifikation",
    "caractéristiques",
    "fiche technique",
    "especificaciones",
    "características",
    "ficha técnica",
    "especificações",
    "specifiche",
    "caratteristiche",
    "scheda tecnica",
    "specificaties",
    "specifikation",
    "specyfikacja",
    "характеристики",
    "規格",
    "规格",
];
/// Maximum words of such a heading, and the number of units within which selected text must be.
const DATA_WORDS: usize = 6;
const BESIDE: usize = 8;

/// Share of selected characters above which a structure is completed.
const MOST: f64 = 0.5;
/// A list with a larger share of linked characters is a menu.
const MENU: f64 = 0.5;

/// Completes structures that are mostly selected, and selects code, terms and formulas between two selected
/// units.
pub(super) fn complete(page: &Page, units: &Units, kept_units: &mut [bool]) {
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
        // In a table of names and values, a single selected unit is enough: a value without its name is
        // meaningless.
        let most = if names_values(page, id) { 0.0 } else { MOST };
        if kept > all * most && linked < all * MENU {
            kept_units[inside].fill(true);
        }
    }
    keep_attributions(page, units, kept_units);
    keep_announced(page, units, kept_units);
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

/// Selects the attributions of selected quotes. A quote without its speaker is wrong, not just shorter.
fn keep_attributions(page: &Page, units: &Units, kept_units: &mut [bool]) {
    for quote in (1..page.len()).filter(|&id| page.is(id, "blockquote")) {
        let figure = page.ancestors(quote).take(2).find(|&above| page.is(above, "figure"));
        let said = units_in(page, units, quote);
        if !kept_units[said].contains(&true) {
            continue;
        }
        for unit in units_in(page, units, figure.unwrap_or(quote)) {
            let inner = units[unit].texts.first().copied().unwrap_or(0);
            let tells = units[unit].words <= ATTRIBUTION_WORDS
                && page
                    .ancestors(inner)
                    .take_while(|&above| above >= quote.min(figure.unwrap_or(quote)))
                    .any(|above| {
                        matches!(page.tag(above), "footer" | "cite" | "figcaption")
                            || ["attribution", "quote-author", "quote-source"].iter().any(|word| {
                                page.attribute(above, "class").is_some_and(|class| class.contains(word))
                            })
                    });
            kept_units[unit] |= tells;
        }
    }
}

/// Selects the table or definition list after a heading: if a selected heading would have no content without
/// it, or if the heading announces product data near selected text.
fn keep_announced(page: &Page, units: &Units, kept_units: &mut [bool]) {
    for heading in 0..units.len().saturating_sub(1) {
        let (here, next) = (&units[heading], heading + 1);
        if !is_heading(page, here.container) {
            continue;
        }
        let says = announces_data(&here.text) && stands_beside(kept_units, heading);
        if !says && (!kept_units[heading] || kept_units[next]) {
            continue;
        }
        let first = units[next].texts.first().copied().unwrap_or(0);
        // A sibling of the heading, or inside the next sibling block.
        let section = page.parent(here.container);
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
        let lays_out = page.inside(announced).any(|inner| {
            matches!(
                page.tag(inner),
                "table" | "form" | "button" | "select" | "img" | "h1" | "h2" | "h3" | "h4"
            )
        });
        if small && !lays_out && linked < all * MENU {
            kept_units[heading] = true;
            kept_units[inside].fill(true);
        }
    }
}

/// True if the heading announces product data.
fn announces_data(heading: &str) -> bool {
    let heading = clean::fold(heading).to_lowercase();
    clean::words(&heading) <= DATA_WORDS && DATA.iter().any(|word| heading.contains(word))
}

/// True if a unit nearby is selected.
fn stands_beside(kept_units: &[bool], unit: usize) -> bool {
    kept_units[unit.saturating_sub(BESIDE)..kept_units.len().min(unit + BESIDE)].contains(&true)
}

/// Selects the heading of an entry whose text is selected, if most similar entries have theirs, and the
/// entries of a list if most of them are selected. A text under the heading of another entry is worse than a
/// missing text.
pub(super) fn keep_headings(page: &Page, units: &Units, siblings: &Siblings, kept_units: &mut [bool]) {
    let mut groups: HashMap<usize, Group> = HashMap::new();
    for (unit, groups_of) in siblings.groups.iter().enumerate() {
        if is_heading(page, units[unit].container) {
            let group = groups.entry(groups_of[0]).or_default();
            group.all += 1;
            group.kept += usize::from(kept_units[unit]);
            group.read += usize::from(kept_units.get(unit + 1) == Some(&true));
        }
    }
    for unit in 0..units.len().saturating_sub(1) {
        let container = units[unit].container;
        if !is_heading(page, container) || (kept_units[unit] && kept_units[unit + 1]) {
            continue;
        }
        let next = units[unit + 1].container;
        let entry = entry_of(page, container);
        if is_heading(page, next) || !page.subtree(entry).contains(&next) {
            continue;
        }
        let Some(group) = groups.get(&siblings.groups[unit][0]) else { continue };
        let (is_of_list, with_headings) =
            (group.all > 1 && group.read * 2 >= group.all, group.kept * 2 >= group.all);
        if is_of_list && heads(page, container) {
            kept_units[unit..=unit + 1].fill(true);
        } else if kept_units[unit + 1] && with_headings {
            kept_units[unit] = true;
        }
    }
}

/// Headings at the same position of repeated elements.
#[derive(Default)]
struct Group {
    all: usize,
    /// Selected headings.
    kept: usize,
    /// Headings followed by selected text.
    read: usize,
}

/// True if the heading is the only one of its entry.
fn heads(page: &Page, heading: Id) -> bool {
    page.inside(entry_of(page, heading)).filter(|&inner| is_heading(page, inner)).count() == 1
}

/// Parent of a heading, or of the link around it.
fn entry_of(page: &Page, heading: Id) -> Id {
    let above = page.parent(heading);
    if page.is(above, "a") { page.parent(above) } else { above }
}

/// Selects the footnotes that selected text refers to. A reference without its footnote leads nowhere.
pub(super) fn keep_notes(page: &Page, units: &Units, hidden: &[bool], kept_units: &mut [bool]) {
    let visible: Vec<bool> = hidden.iter().map(|hidden| !hidden).collect();
    let notes = Notes::find(page, &visible);
    let mut pairs = notes.pairs().peekable();
    if pairs.peek().is_none() {
        return;
    }
    let kept = units.iter().zip(kept_units.iter()).filter(|(_, kept)| **kept);
    let kept_texts: HashSet<Id> = kept.flat_map(|(unit, _)| unit.texts.iter().copied()).collect();
    for (mark, note) in pairs {
        let of_note = units_in(page, units, note);
        if is_note(&units[of_note.clone()]) && page.subtree(mark).any(|id| kept_texts.contains(&id)) {
            kept_units[of_note].fill(true);
        }
    }
}

/// True if the units are short enough for a footnote. A long unit counts as too many words, even if it has
/// few.
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

/// Drops a text that was selected before at another position: a copy for small screens, a teaser, a pull
/// quote. Repetition at the same position is the author's.
///
/// `once` is true for pages whose authors do not repeat texts. On other pages, copies at the same position of
/// a repeated element stay.
pub(super) fn drop_copies(
    page: &Page,
    units: &Units,
    siblings: &Siblings,
    once: bool,
    kept_units: &mut [bool],
) {
    let mut seen: HashMap<&str, (Id, usize)> = HashMap::new();
    let all = units.iter().zip(&siblings.groups).zip(kept_units.iter_mut());
    for ((unit, groups), kept) in all.filter(|(_, kept)| **kept) {
        let text = unit.text.trim();
        if unit.words < COPIED_WORDS || matches!(page.tag(unit.container), "td" | "th" | "pre" | "code") {
            continue;
        }
        let place = (page.parent(unit.container), groups[0]);
        match seen.get(text) {
            Some(&(first, siblings)) => *kept = first == place.0 || !once && siblings == place.1,
            None => _ = seen.insert(text, place),
        }
    }
}

/// Drops a text that an article repeats three times or more, each time in a separate element: a consent
/// notice in place of each video or post, a call to subscribe between paragraphs. A refrain has the same
/// parent as its verses, and headings of sections may be equal.
pub(super) fn drop_inserts(page: &Page, units: &Units, kept_units: &mut [bool]) {
    let mut places: HashMap<&str, Vec<Id>> = HashMap::new();
    for (unit, _) in units.iter().zip(kept_units.iter()).filter(|(_, kept)| **kept) {
        if !matches!(page.tag(unit.container), "td" | "th" | "pre" | "code" | "dt" | "dd" | "h1")
            && !is_heading(page, unit.container)
            && unit.words >= INSERT_WORDS
        {
            places.entry(unit.text.trim()).or_default().push(page.parent(unit.container));
        }
    }
    places.retain(|_, places| places.len() >= INSERT_TIMES && places.is_sorted_by(|one, next| one < next));
    for (unit, kept) in units.iter().zip(kept_units.iter_mut()) {
        *kept &= !places.contains_key(unit.text.trim()) || is_heading(page, unit.container);
    }
}

/// True for code, definition lists, tables with a header, and lists of plain lines. Tables and lists with
/// blocks of other kinds are page layout.
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

/// True if each row of a table is a name and its value.
fn names_values(page: &Page, id: Id) -> bool {
    let cells = |row: Id, tag: &str| page.children(row).filter(|&cell| page.is(cell, tag)).count();
    let mut rows = page.inside(id).filter(|&inner| page.is(inner, "tr")).peekable();
    page.is(id, "table")
        && rows.peek().is_some()
        && rows.all(|row| (cells(row, "th"), cells(row, "td")) == (1, 1))
}

fn stands_between(page: &Page, units: &Units, index: usize) -> bool {
    let unit = &units[index];
    let kind = matches!(page.tag(unit.container), "pre" | "code" | "dt");
    let inner = unit.texts.first().copied().unwrap_or(0);
    let formula = page.ancestors(inner).take(6).any(|above| page.is(above, "math"));
    (kind && unit.linked * 2 <= unit.chars) || formula
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::{hidden, main_part::units, parse_page};

    #[test]
    fn repeated_insert_is_dropped_and_refrain_is_not() {
        let note = "Allow external content to see this post in your browser";
        let insert = format!("<div class=embed><p>{note}</p></div>");
        let refrain = "<p>And all the mills along the river turned the whole night long</p>";
        let section = "<section><h3>What we like about it, and what we do not like</h3></section>";
        let insert = format!("{insert}{section}");
        let markup = format!(
            "<article><p>One</p>{insert}{refrain}<p>Two</p>{insert}{refrain}<p>Three</p>{insert}{refrain}</article>"
        );
        let page = parse_page(&markup).unwrap();
        let (units, _) = units::split(&page, &hidden::find(&page));
        let mut kept_units = vec![true; units.len()];
        drop_inserts(&page, &units, &mut kept_units);
        let kept: Vec<&str> = units
            .iter()
            .zip(&kept_units)
            .filter(|(_, kept)| **kept)
            .map(|(unit, _)| unit.text.trim())
            .collect();
        assert!(!kept.contains(&note), "{kept:?}");
        assert_eq!(kept.len(), 9, "{kept:?}");
    }
}
