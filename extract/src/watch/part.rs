//! Part of a page that is watched if the user selected none.
//!
//! The classifier of the reader weighs each text against the whole page, so a small change may alter its
//! result elsewhere, which would be reported as a change. Here each element is included or excluded by its
//! tag and names, which stay the same as long as the layout of the page does.

use std::{collections::HashSet, sync::LazyLock};

use crate::html::{
    hidden,
    main_part::is_silent,
    tree::{Id, Page},
};

/// Percentage of the page's text below which a `<main>` is a shell for scripts.
const LEAST_MAIN_PERCENT: usize = 20;

/// Words in a class or id that indicate boilerplate. Whole words, separated by hyphens and capitals.
static BESIDE: LazyLock<HashSet<&'static str>> = LazyLock::new(|| WORDS_BESIDE.split(' ').collect());
const WORDS_BESIDE: &str = "\
    ad ads adv advert adverts advertisement advertising adsense adslot sponsor sponsors sponsored promo \
    promoted outbrain taboola cookie cookies consent gdpr newsletter share sharing social breadcrumb \
    breadcrumbs sidebar related recommended recommendations recirc skip toast popup modal navbar nav \
    footer anzeige werbung publicite publicidad";

/// Root elements of the part, and for each node whether its subtree is excluded.
pub(super) struct Part {
    pub(super) roots: Vec<Id>,
    pub(super) out: Vec<bool>,
}

/// Main part of the page, by the tags and names of elements.
pub(super) fn main(page: &Page, unwanted: &[bool]) -> Part {
    let mut out = shown(page, unwanted);
    let sizes = sizes(page, &out);
    let total = sizes[page.len()];
    for id in 1..page.len() {
        if out[id] || !page.is_element(id) {
            continue;
        }
        let held = sizes[page.subtree(id).end] - sizes[id];
        // An element with most of the text is not boilerplate, whatever its name.
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

/// Exactly the selected elements, without those nested in another.
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

/// For each node, whether it is hidden, ignored, or never text.
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

/// True if a word of the class or id is one of [`BESIDE`].
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
