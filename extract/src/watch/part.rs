//! Which part of a page is watched when nobody chose one.
//!
//! The reader's classifier weighs every text against the whole page, so a small change in one place may tip its verdict in
//! another: that would be told as a change. Here each element is kept or left out by what it is and what it is called,
//! which stays the same as long as the page is built the same.

use std::{collections::HashSet, sync::LazyLock};

use crate::html::{
    hidden,
    main_part::is_silent,
    tree::{Id, Page},
};

/// A `<main>` with less of the page's text than this many hundredths is a shell for scripts.
const LEAST_MAIN_PERCENT: usize = 20;

/// Words in a class or id that say what stands beside the text. Whole words, between hyphens and capitals.
static BESIDE: LazyLock<HashSet<&'static str>> = LazyLock::new(|| WORDS_BESIDE.split(' ').collect());
const WORDS_BESIDE: &str = "\
    ad ads adv advert adverts advertisement advertising adsense adslot sponsor sponsors sponsored promo \
    promoted outbrain taboola cookie cookies consent gdpr newsletter share sharing social breadcrumb \
    breadcrumbs sidebar related recommended recommendations recirc skip toast popup modal navbar nav \
    footer anzeige werbung publicite publicidad";

/// The elements to walk over, and for each node whether it and all in it is left out.
pub(super) struct Part {
    pub(super) roots: Vec<Id>,
    pub(super) out: Vec<bool>,
}

/// The main part by what elements are and are called.
pub(super) fn main(page: &Page, unwanted: &[bool]) -> Part {
    let mut out = shown(page, unwanted);
    let sizes = sizes(page, &out);
    let total = sizes[page.len()];
    for id in 1..page.len() {
        if out[id] || !page.is_element(id) {
            continue;
        }
        let held = sizes[page.subtree(id).end] - sizes[id];
        // What holds most of the text is not beside it, whatever it is called.
        out[id] = held * 2 <= total && is_beside(page, id);
    }
    spread(page, &mut out);
    let mains: Vec<Id> = (1..page.len()).filter(|&id| !out[id] && is_main(page, id)).take(2).collect();
    let roots = match mains.as_slice() {
        [only] => {
            let held = sizes[page.subtree(*only).end] - sizes[*only];
            if held * 100 >= total * LEAST_MAIN_PERCENT { mains } else { vec![0] }
        }
        _ => vec![0],
    };
    Part { roots, out }
}

/// Exactly what a person chose: outermost elements only, each once.
pub(super) fn chosen(page: &Page, unwanted: &[bool], found: &[bool]) -> Part {
    let mut roots = Vec::new();
    let mut end = 0;
    for id in (1..page.len()).filter(|&id| found[id]) {
        if id >= end {
            roots.push(id);
            end = page.subtree(id).end;
        }
    }
    Part { roots, out: shown(page, unwanted) }
}

/// Leaves out what is not shown and what is unwanted.
fn shown(page: &Page, unwanted: &[bool]) -> Vec<bool> {
    let mut out = hidden::find(page);
    for id in 1..page.len() {
        out[id] |= unwanted[id] || is_silent(page.tag(id)) || matches!(page.tag(id), "dialog" | "button");
    }
    spread(page, &mut out);
    out
}

fn spread(page: &Page, out: &mut [bool]) {
    for id in 1..page.len() {
        out[id] |= out[page.parent(id)];
    }
}

/// Bytes of text before each node.
fn sizes(page: &Page, out: &[bool]) -> Vec<usize> {
    let mut sizes = vec![0; page.len() + 1];
    for id in 0..page.len() {
        let text = page.text(id).filter(|_| !out[id]).map_or(0, |text| text.trim().len());
        sizes[id + 1] = sizes[id] + text;
    }
    sizes
}

fn is_main(page: &Page, id: Id) -> bool {
    page.is(id, "main") || page.attribute(id, "role") == Some("main")
}

fn is_beside(page: &Page, id: Id) -> bool {
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
    ) || ["class", "id"].iter().any(|name| page.attribute(id, name).is_some_and(names_beside))
}

fn in_article(page: &Page, id: Id) -> bool {
    page.ancestors(id).any(|up| matches!(page.tag(up), "article" | "main" | "blockquote"))
}

/// Whether one of the words of a class or id is one of [`BESIDE`].
fn names_beside(names: &str) -> bool {
    let mut word = String::new();
    let mut lower_before = false;
    for c in names.chars().chain([' ']) {
        let capital = c.is_ascii_uppercase() && lower_before;
        if (!c.is_ascii_alphabetic() || capital) && !word.is_empty() {
            if BESIDE.contains(word.as_str()) {
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
