//! What belongs together is kept together: a classifier of single units would take a row out of a table or a formula out of
//! an argument.

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

/// Fewer words may stand in several places.
const COPIED_WORDS: usize = 8;

/// What has so many words and is put into an article so many times is none of it.
const INSERT_WORDS: usize = 8;
const INSERT_TIMES: usize = 3;

/// Who says a quote is told in no more words.
const ATTRIBUTION_WORDS: usize = 40;
/// A note of more words is a text of its own.
const NOTE_WORDS: usize = 200;
/// A unit of more characters is longer than a note.
const NOTE_CHARS: u32 = 8_000;
/// What a heading announces has no more units.
const ANNOUNCED_UNITS: usize = 200;

/// What headings call the data of a thing, in lower case.
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
/// Such a heading has no more words, and kept text stands within so many units of it.
const DATA_WORDS: usize = 6;
const BESIDE: usize = 8;

/// A structure of which this share is kept is kept whole.
const MOST: f64 = 0.5;
/// A list with more of its characters in links than this is a menu.
const MENU: f64 = 0.5;

/// Adds what is missing of the structures that are mostly kept, and what stands between two kept units as their code,
/// term or formula.
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
        // A value without its name, or a row of several, says nothing.
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

/// Keeps who said what is quoted: a quote without its speaker is wrong, not merely shorter.
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

/// Keeps the table or the terms that a heading announces: those without which nothing stands under a kept heading, and those of
/// a heading that says they are data of what the page is of, beside kept text.
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
        // Beside the heading, or below the next block beside it.
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

/// Whether a heading says that data of a thing follow.
fn announces_data(heading: &str) -> bool {
    let heading = clean::fold(heading).to_lowercase();
    clean::words(&heading) <= DATA_WORDS && DATA.iter().any(|word| heading.contains(word))
}

/// Whether text near a unit is kept.
fn stands_beside(kept_units: &[bool], unit: usize) -> bool {
    kept_units[unit.saturating_sub(BESIDE)..kept_units.len().min(unit + BESIDE)].contains(&true)
}

/// Keeps the heading of an entry whose text is kept, when most entries like it have theirs, and the entries of a list of
/// which most are kept: a text under the heading of another is worse than a text that is missing.
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

/// Headings at the same place of repeated things.
#[derive(Default)]
struct Group {
    all: usize,
    /// Those that are kept.
    kept: usize,
    /// Those before a text that is kept.
    read: usize,
}

/// Whether a heading is the only one of what it stands in.
fn heads(page: &Page, heading: Id) -> bool {
    page.inside(entry_of(page, heading)).filter(|&inner| is_heading(page, inner)).count() == 1
}

/// What a heading stands in, besides the link that it is.
fn entry_of(page: &Page, heading: Id) -> Id {
    let above = page.parent(heading);
    if page.is(above, "a") { page.parent(above) } else { above }
}

/// Keeps the footnotes that a kept text refers to: a mark without its note promises what is not there.
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

/// Whether units are short enough to be a note; what is long has too many words even where these are few.
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

/// Drops a text that was kept before in another place: a copy for small screens, a teaser, a pulled quote. What is said
/// twice in one place is the author's.
///
/// `once` holds for pages whose authors say nothing twice: elsewhere copies at the places of the same repeated thing stay.
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

/// Drops what an article says three times or more, each time in an element of its own: a note in the place of each film or post
/// that waits for consent, a call to subscribe between its paragraphs. A refrain stands among its verses, and sections may have
/// headings alike.
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

/// Whether each row of a table is a name and its value.
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
    fn what_is_put_into_an_article_again_and_again_is_dropped_and_a_refrain_is_not() {
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
