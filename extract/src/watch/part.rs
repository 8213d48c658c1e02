//! Selection of the watched part of a page if the user did not select a part.
//!
//! The classifier for articles compares each text with the whole page. A small change may therefore alter its
//! result elsewhere on the page, which would be reported as a change. This module selects elements by their
//! tags and names, which remain stable as long as the layout of the page does.

use std::{collections::HashSet, sync::LazyLock};

use super::marks;
use crate::{
    html::{hidden, main_part::is_non_text},
    page::{Id, Page},
};

/// Percentage of the page's text below which a `<main>` is only a container for scripts.
const MIN_MAIN_PERCENT: usize = 20;

/// Maximum number of alerts outside the main part that are read.
const MAX_ALERTS: usize = 20;
/// Maximum number of controls and asides that are read.
const MAX_MARGIN: usize = 500;
/// Maximum number of ancestors whose names are checked for boilerplate.
const MAX_ANCESTORS: usize = 30;

/// Words in a class or id that indicate boilerplate. Hyphens and capitals separate words.
static BOILERPLATE_WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| BOILERPLATE_WORD_LIST.split(' ').collect());
const BOILERPLATE_WORD_LIST: &str = "\
    ad ads adv advert adverts advertisement advertising adsense adslot sponsor sponsors sponsored promo \
    promoted outbrain taboola cookie cookies consent gdpr newsletter share sharing social breadcrumb \
    breadcrumbs related recommended recommendations recirc skip toast popup modal navbar nav footer \
    anzeige werbung publicite publicidad";

/// Word in a class or id that indicates an aside.
const ASIDE_WORDS: [&str; 1] = ["sidebar"];
/// Words in a class or id that indicate marginal content, for elements outside the main part.
const MARGIN_WORDS: [&str; 3] = ["sidebar", "announcement", "announcements"];

/// Boilerplate words that have another meaning next to a content word: `share-price`, `related-vacancies`.
const AMBIGUOUS_WORDS: [&str; 6] = ["share", "social", "related", "promo", "popup", "cookie"];
/// Words that indicate content.
const CONTENT_WORDS: [&str; 30] = [
    "price", "prices", "preis", "prix", "stock", "availability", "vacancy", "vacancies", "job", "jobs",
    "career", "careers", "housing", "flat", "flats", "store", "stores", "shop", "shops", "date", "dates",
    "event", "events", "appointment", "appointments", "ticket", "tickets", "seat", "seats", "timetable",
];

/// Part of a page: its root elements, and for each node, true if its subtree is excluded.
pub(super) struct PagePart {
    pub(super) roots: Vec<Id>,
    pub(super) excluded: Vec<bool>,
}

/// Selects the main part of the page by the tags and names of elements.
pub(super) fn main(page: &Page, unwanted: &[bool]) -> PagePart {
    let invisible = excluded_nodes(page, unwanted);
    let mut excluded = invisible.clone();
    (1..page.len()).for_each(|id| excluded[id] |= marks::is_control(page.tag(id)));
    inherit(page, &mut excluded);
    let sizes = sizes(page, &excluded);
    let total = sizes[page.len()];
    for id in 1..page.len() {
        if excluded[id] || !page.is_element(id) {
            continue;
        }
        let text_bytes = sizes[page.subtree(id).end] - sizes[id];
        // An element that contains most of the text is not boilerplate, regardless of its name.
        excluded[id] = text_bytes * 2 <= total && is_boilerplate(page, id);
    }
    inherit(page, &mut excluded);
    let mains: Vec<Id> = (1..page.len()).filter(|&id| !excluded[id] && is_main(page, id)).take(2).collect();
    let mut roots = match mains.as_slice() {
        [only] => {
            let text_bytes = sizes[page.subtree(*only).end] - sizes[*only];
            if text_bytes * 100 >= total * MIN_MAIN_PERCENT { mains } else { vec![0] }
        }
        _ => vec![0],
    };
    let is_read = |id: Id| !excluded[id] && roots.iter().any(|&root| page.subtree(root).contains(&id));
    let alerts: Vec<Id> = (1..page.len())
        .filter(|&id| page.attribute(id, "role") == Some("alert"))
        .filter(|&id| !invisible[id] && !is_read(id))
        .filter(|&id| !is_named_boilerplate(page, id) && !is_in_boilerplate(page, id))
        .take(MAX_ALERTS)
        .collect();
    let mut end = 0;
    for id in alerts {
        if id < end {
            continue;
        }
        end = page.subtree(id).end;
        for inner in page.subtree(id) {
            excluded[inner] = invisible[inner] || marks::is_control(page.tag(inner));
        }
        roots.push(id);
    }
    // Sort alerts above the main part before it.
    roots.sort_unstable();
    PagePart { roots, excluded }
}

/// Selects controls and asides that are not read with the main part.
pub(super) fn margin(page: &Page, unwanted: &[bool], main: &PagePart) -> PagePart {
    let mut excluded = excluded_nodes(page, unwanted);
    let is_read =
        |id: Id| !main.excluded[id] && main.roots.iter().any(|&root| page.subtree(root).contains(&id));
    let is_margin = |id: Id| {
        page.is(id, "aside")
            || page.attribute(id, "role") == Some("complementary")
            || marks::is_control(page.tag(id))
            || is_named_margin(page, id)
    };
    // An element that is named after a sidebar may contain the main part.
    let is_wrapper =
        |id: Id| main.roots.iter().any(|&root| is_main(page, root) && page.subtree(id).contains(&root));
    let (mut roots, mut end) = (Vec::new(), 0);
    let outside = (1..page.len())
        .filter(|&id| is_margin(id) && !excluded[id] && !is_read(id) && !is_in_boilerplate(page, id));
    for id in outside {
        if id >= end && roots.len() < MAX_MARGIN && !is_wrapper(id) {
            end = page.subtree(id).end;
            roots.push(id);
        }
    }
    for &root in &roots {
        for inner in page.descendants(root) {
            excluded[inner] |=
                excluded[page.parent(inner)] || is_boilerplate(page, inner) && !is_named_margin(page, inner);
        }
    }
    PagePart { roots, excluded }
}

/// True for an element inside navigation, a footer, or an element whose name indicates boilerplate.
fn is_in_boilerplate(page: &Page, id: Id) -> bool {
    page.ancestors(id).take(MAX_ANCESTORS).any(|up| {
        matches!(page.tag(up), "nav" | "menu" | "dialog")
            || page.is(up, "footer") && !in_article(page, up)
            || is_named_boilerplate(page, up)
    })
}

/// True if the class or id indicates a sidebar or an announcement, but not boilerplate.
fn is_named_margin(page: &Page, id: Id) -> bool {
    is_named(page, id, &MARGIN_WORDS) && !is_named_boilerplate(page, id)
}

/// True if the class or id contains one of `words`.
fn is_named(page: &Page, id: Id, words: &[&str]) -> bool {
    let mut is_such = false;
    for names in ["class", "id"].iter().filter_map(|name| page.attribute(id, name)) {
        for_each_word(names, |word| is_such |= words.contains(&word));
    }
    is_such
}

/// True if the class or id indicates boilerplate.
fn is_named_boilerplate(page: &Page, id: Id) -> bool {
    ["class", "id"].iter().any(|name| page.attribute(id, name).is_some_and(names_boilerplate))
}

/// Selects the matched elements, except those nested in another matched element.
pub(super) fn selected(page: &Page, unwanted: &[bool], matched: &[bool]) -> PagePart {
    let mut roots = Vec::new();
    let mut end = 0;
    for id in (1..page.len()).filter(|&id| matched[id]) {
        if id >= end {
            roots.push(id);
            end = page.subtree(id).end;
        }
    }
    PagePart { roots, excluded: excluded_nodes(page, unwanted) }
}

/// For each node, true if it is hidden, ignored, or never contains text.
fn excluded_nodes(page: &Page, unwanted: &[bool]) -> Vec<bool> {
    let mut excluded = hidden::find(page);
    for id in 1..page.len() {
        let is_text = page.is(id, "select") || !is_non_text(page.tag(id));
        excluded[id] |= unwanted[id] || !is_text || page.is(id, "dialog");
    }
    inherit(page, &mut excluded);
    excluded
}

fn inherit(page: &Page, excluded: &mut [bool]) {
    for id in 1..page.len() {
        excluded[id] |= excluded[page.parent(id)];
    }
}

/// For each node, the number of text bytes before it.
fn sizes(page: &Page, excluded: &[bool]) -> Vec<usize> {
    let mut sizes = vec![0; page.len() + 1];
    for id in 0..page.len() {
        let text = page.text(id).filter(|_| !excluded[id]).map_or(0, |text| text.trim().len());
        sizes[id + 1] = sizes[id] + text;
    }
    sizes
}

fn is_main(page: &Page, id: Id) -> bool {
    page.is(id, "main") || page.attribute(id, "role") == Some("main")
}

fn is_boilerplate(page: &Page, id: Id) -> bool {
    match page.tag(id) {
        "nav" | "aside" | "menu" => return true,
        "footer" => return !in_article(page, id),
        "header" => return !in_article(page, id) && page.find(id, "h1").is_none(),
        "h1" | "main" | "article" | "body" | "html" | "" => return false,
        _ => {}
    }
    let role = page.attribute(id, "role").unwrap_or("");
    matches!(
        role,
        "navigation"
            | "banner"
            | "contentinfo"
            | "complementary"
            | "search"
            | "dialog"
            | "alertdialog"
            | "menu"
            | "menubar"
            | "timer"
            | "marquee"
    ) || is_named_boilerplate(page, id)
        || is_named(page, id, &ASIDE_WORDS)
}

fn in_article(page: &Page, id: Id) -> bool {
    page.ancestors(id).any(|up| matches!(page.tag(up), "article" | "main" | "blockquote"))
}

/// True if a class or id contains a word of [`BOILERPLATE_WORDS`]. A word of [`AMBIGUOUS_WORDS`] is ignored
/// next to a word of [`CONTENT_WORDS`].
fn names_boilerplate(names: &str) -> bool {
    names.split_ascii_whitespace().any(|name| {
        let (mut is_clear, mut is_ambiguous, mut is_content) = (false, false, false);
        for_each_word(name, |word| {
            let is_other = AMBIGUOUS_WORDS.contains(&word);
            is_ambiguous |= is_other;
            is_clear |= !is_other && BOILERPLATE_WORDS.contains(word);
            is_content |= CONTENT_WORDS.contains(&word);
        });
        is_clear || is_ambiguous && !is_content
    })
}

/// Calls a function with each word of a name, in lower case. Capitals also separate words.
fn for_each_word(name: &str, mut function: impl FnMut(&str)) {
    let (mut word, mut lower_before) = (String::new(), false);
    for c in name.chars().chain([' ']) {
        let capital = c.is_ascii_uppercase() && lower_before;
        if (!c.is_ascii_alphabetic() || capital) && !word.is_empty() {
            function(&word);
            word.clear();
        }
        if c.is_ascii_alphabetic() {
            word.push(c.to_ascii_lowercase());
        }
        lower_before = c.is_ascii_lowercase();
    }
}
