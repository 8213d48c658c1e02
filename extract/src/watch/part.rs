//! Part of a page that is watched if the user selected none.
//!
//! The classifier of the reader weighs each text against the whole page, so a small change may alter its
//! result elsewhere, which would be reported as a change. This module includes or excludes an element by its
//! tag and names, which stay the same as long as the layout of the page does.

use std::{collections::HashSet, sync::LazyLock};

use crate::{
    html::{hidden, main_part::is_non_text},
    page::{Id, Page},
};

/// Percentage of the page's text below which a `<main>` is a shell for scripts.
const MIN_MAIN_PERCENT: usize = 20;

/// Words in a class or id that indicate boilerplate. Whole words, separated by hyphens and capitals.
static BOILERPLATE_WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| BOILERPLATE_WORD_LIST.split(' ').collect());
const BOILERPLATE_WORD_LIST: &str = "\
    ad ads adv advert adverts advertisement advertising adsense adslot sponsor sponsors sponsored promo \
    promoted outbrain taboola cookie cookies consent gdpr newsletter share sharing social breadcrumb \
    breadcrumbs sidebar related recommended recommendations recirc skip toast popup modal navbar nav \
    footer anzeige werbung publicite publicidad";

/// Root elements of the part, and for each node whether its subtree is excluded.
pub(super) struct PagePart {
    pub(super) roots: Vec<Id>,
    pub(super) excluded: Vec<bool>,
}

/// Main part of the page, by the tags and names of elements.
pub(super) fn main(page: &Page, unwanted: &[bool]) -> PagePart {
    let mut excluded = excluded_nodes(page, unwanted);
    let sizes = sizes(page, &excluded);
    let total = sizes[page.len()];
    for id in 1..page.len() {
        if excluded[id] || !page.is_element(id) {
            continue;
        }
        let text_bytes = sizes[page.subtree(id).end] - sizes[id];
        // An element with most of the text is not boilerplate, whatever its name.
        excluded[id] = text_bytes * 2 <= total && is_boilerplate(page, id);
    }
    inherit(page, &mut excluded);
    let mains: Vec<Id> = (1..page.len()).filter(|&id| !excluded[id] && is_main(page, id)).take(2).collect();
    let roots = match mains.as_slice() {
        [only] => {
            let text_bytes = sizes[page.subtree(*only).end] - sizes[*only];
            if text_bytes * 100 >= total * MIN_MAIN_PERCENT {
                with_alerts(page, &excluded, *only)
            } else {
                vec![0]
            }
        }
        _ => vec![0],
    };
    PagePart { roots, excluded }
}

/// Main element with the alerts outside it, in their order: `The school is closed on Monday.`
fn with_alerts(page: &Page, excluded: &[bool], main: Id) -> Vec<Id> {
    let is_alert = |id: Id| !excluded[id] && page.attribute(id, "role") == Some("alert");
    let mut roots = Vec::new();
    let mut end = 0;
    for id in 1..page.len() {
        if id >= end && (id == main || is_alert(id)) {
            roots.push(id);
            end = page.subtree(id).end;
        }
    }
    roots
}

/// Exactly the selected elements, without those nested in another.
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

/// For each node, whether it is hidden, ignored, or never text.
fn excluded_nodes(page: &Page, unwanted: &[bool]) -> Vec<bool> {
    let mut excluded = hidden::find(page);
    for id in 1..page.len() {
        excluded[id] |=
            unwanted[id] || is_non_text(page.tag(id)) || matches!(page.tag(id), "dialog" | "button");
    }
    inherit(page, &mut excluded);
    excluded
}

fn inherit(page: &Page, excluded: &mut [bool]) {
    for id in 1..page.len() {
        excluded[id] |= excluded[page.parent(id)];
    }
}

/// Bytes of text before each node.
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
    ) || ["class", "id"].iter().any(|name| page.attribute(id, name).is_some_and(names_boilerplate))
}

fn in_article(page: &Page, id: Id) -> bool {
    page.ancestors(id).any(|up| matches!(page.tag(up), "article" | "main" | "blockquote"))
}

/// True if a word of the class or id is one of [`BOILERPLATE_WORDS`].
fn names_boilerplate(names: &str) -> bool {
    let mut word = String::new();
    let mut lower_before = false;
    for c in names.chars().chain([' ']) {
        let capital = c.is_ascii_uppercase() && lower_before;
        if (!c.is_ascii_alphabetic() || capital) && !word.is_empty() {
            if BOILERPLATE_WORDS.contains(word.as_str()) {
                return true;
            }
            word.clear();
        }
        if c.is_ascii_alphabetic() {
            word.push(c.to_ascii_lowercase());
        }
        lower_before = c.is_ascii_lowercase();
    }
    false
}
