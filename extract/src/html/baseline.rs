//! The baseline on what the page's main part is: `dom_smoothie`, asked on the same tree.
//!
//! It answers with markup. The elements carry their index as an attribute, so that its answer can be told as the set
//! of nodes of our own tree that it kept.

use std::panic::{AssertUnwindSafe, catch_unwind};

use dom_query::Document;
use dom_smoothie::{Config, ParsePolicy, Readability};
use memchr::memmem;

use super::tree::{Id, Page, is_inline};

/// The attribute that carries the index.
pub(super) const MARK: &str = "data-crl";

/// A page of more nodes is large.
const LARGE: usize = 5000;

/// The baseline walks what each element holds: a page whose nodes have more ancestors than this in all is not
/// asked about. Large pages made for people have a tenth of it.
const MOST_DEPTH: usize = 5_000_000;

/// Fewer bytes are found in any text.
const LEAST_FOUND: usize = 3;

/// For each node, whether the main part holds it.
pub(super) fn kept(page: &Page, document: Document) -> Vec<bool> {
    let mut keep = vec![false; page.len()];
    if depth_of_all(page) > MOST_DEPTH {
        return keep;
    }
    let Some(markup) = main_part(document, page.len() > LARGE) else { return keep };
    for id in marked(&markup) {
        if let Some(kept) = keep.get_mut(id) {
            *kept = true;
        }
    }
    keep[0] = true;
    for id in 1..page.len() {
        if !keep[id] && was_unwrapped(page, id, &keep, &markup) {
            keep[id] = true;
        }
    }
    for id in 1..page.len() {
        let parent = page.parent(id);
        if !keep[id] && keep[parent] && (page.text(id).is_some() || loses_its_mark(page, id, parent)) {
            keep[id] = true;
        }
    }
    keep[0] = false;
    keep
}

/// The number of ancestors of all nodes.
fn depth_of_all(page: &Page) -> usize {
    let mut depths = vec![0_u16; page.len()];
    let mut all = 0;
    for id in 1..page.len() {
        depths[id] = depths[page.parent(id)].saturating_add(1);
        all += usize::from(depths[id]);
    }
    all
}

/// The answer's markup. Of a large page only the first attempt is made: each further one copies and walks all of it.
fn main_part(document: Document, once: bool) -> Option<String> {
    let config = Config { disable_json_ld: true, ..Config::default() };
    let article = catch_unwind(AssertUnwindSafe(|| {
        let mut readability = Readability::with_document(document, None, Some(config)).ok()?;
        if once { readability.parse_with_policy(ParsePolicy::Strict) } else { readability.parse() }.ok()
    }));
    article.ok().flatten().map(|article| article.content.to_string())
}

fn marked(markup: &str) -> impl Iterator<Item = Id> + '_ {
    let bytes = markup.as_bytes();
    memmem::find_iter(bytes, b" data-crl=\"").filter_map(move |at| {
        let digits = &markup[at + b" data-crl=\"".len()..];
        digits[..digits.find('"')?].parse().ok()
    })
}

/// A block of nothing but a line of text becomes a paragraph without attributes: its links are still marked, or its
/// words are found in the answer.
fn was_unwrapped(page: &Page, id: Id, keep: &[bool], markup: &str) -> bool {
    if !matches!(page.tag(id), "div" | "section" | "article" | "body" | "td" | "center" | "main" | "header") {
        return false;
    }
    let mut longest = "";
    let mut marked_inline = false;
    for child in page.children(id) {
        match page.text(child) {
            Some(text) => {
                let piece =
                    text.split(['&', '<', '>', '\u{a0}']).map(str::trim).max_by_key(|piece| piece.len());
                longest = piece.filter(|piece| piece.len() > longest.len()).unwrap_or(longest);
            }
            None => marked_inline |= keep[child] && is_inline(page.tag(child)),
        }
    }
    !longest.is_empty()
        && (marked_inline
            || longest.len() >= LEAST_FOUND && memmem::find(markup.as_bytes(), longest.as_bytes()).is_some())
}

/// Elements that are kept but rebuilt without their attributes, or merged with the one round them.
fn loses_its_mark(page: &Page, id: Id, parent: Id) -> bool {
    match page.tag(id) {
        "font" => true,
        "a" => page.attribute(id, "href").is_some_and(|href| href.trim_start().starts_with("javascript:")),
        "div" | "section" => {
            matches!(page.tag(parent), "div" | "section")
                && page.element_children(parent).take(2).count() == 1
        }
        _ => false,
    }
}
