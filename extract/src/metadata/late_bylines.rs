//! Bylines far from the heading, such as `Text: Julia Doe` below the text or a box about the author.

use super::{byline_text, person, person::people};
use crate::{
    clean,
    page::{Id, Page},
};

/// Maximum number of words in a byline.
const MAX_BYLINE_WORDS: usize = 24;
/// Maximum number of words in an element whose class name contains a word for authors.
const MAX_MARKED_WORDS: usize = 14;
/// Maximum number of nodes in a byline element.
const MAX_BYLINE_NODES: usize = 60;

/// Maximum number of bytes of an element's text that are read. A longer text is not a byline.
const MAX_BYLINE_BYTES: usize = 2000;

/// Beginnings of bylines, in lower case.
const OPENINGS: [&str; 20] = [
    "written by ", "text: ", "text von ", "texte : ", "texte: ", "testo: ", "texto: ", "autor: ",
    "autorin: ", "autoren: ", "autor:in: ", "auteur : ", "author: ", "authors: ", "words: ", "words by ",
    "article by ", "contributors: ", "this post was written by ", "this article was written by ",
];
/// Labels before a name in another element, in lower case.
const LABELS: [&str; 12] = [
    "written by", "author", "autor", "autorin", "autor*in", "autor:in", "auteur", "article by", "words by",
    "verfasst von", "text von", "by",
];
/// Words in class names of elements that name an author, in lower case.
const AUTHOR_WORDS: [&str; 16] = [
    "author", "authors", "authored", "autor", "autorin", "autoren", "autore", "autori", "autrice", "autores",
    "autora", "auteur", "auteurs", "auteure", "forfatter", "skribent",
];
/// Words in class names of elements that mention authors but do not name the author of the page.
const OTHER_WORDS: [&str; 14] = [
    "comment", "comments", "image", "img", "photo", "avatar", "description", "desc", "title", "position",
    "quote", "testimonial", "review", "related",
];

/// Authors in the first element whose class name contains a word for authors.
pub(super) fn marked(page: &Page) -> Vec<String> {
    let is_marked = |id: Id| {
        page.class_names(id).any(|class| {
            let words = || class.split(|c: char| !c.is_ascii_alphanumeric());
            let is_in = |list: &[&str], word: &str| list.iter().any(|known| word.eq_ignore_ascii_case(known));
            words().any(|word| is_in(&AUTHOR_WORDS, word)) && !words().any(|word| is_in(&OTHER_WORDS, word))
        })
    };
    let is_text =
        |id: Id| !matches!(page.tag(id), "script" | "style" | "link" | "meta" | "template" | "body");
    let elements = (1..page.len()).filter(|&id| page.is_element(id) && is_text(id) && is_marked(id));
    elements
        .map(|id| named(page, id, MAX_MARKED_WORDS, ""))
        .find(|names| !names.is_empty())
        .unwrap_or_default()
}

/// Authors in the first line after `start` that begins like a byline, or that follows a label for authors.
pub(super) fn worded(page: &Page, start: Id) -> Vec<String> {
    let mut is_labelled = false;
    let mut previous = None;
    for text in (start.max(1)..page.len()).filter(|&id| page.is_nonblank_text(id)) {
        let block = page.ancestors(text).find(|&above| !page.is_inline(above)).unwrap_or(0);
        if previous == Some(block) || matches!(page.tag(block), "script" | "style" | "noscript" | "template")
        {
            continue;
        }
        previous = Some(block);
        if page.subtree(block).len() > MAX_BYLINE_NODES || is_in_navigation(page, block) {
            is_labelled = false;
            continue;
        }
        let line = page.folded_beginning(block, MAX_BYLINE_BYTES);
        let lower = line.to_lowercase();
        let opening = OPENINGS.iter().find(|opening| lower.starts_with(**opening));
        if is_labelled || opening.is_some() {
            let names = named(page, block, MAX_BYLINE_WORDS, opening.copied().unwrap_or_default());
            if !names.is_empty() {
                return names;
            }
        }
        is_labelled = LABELS.contains(&lower.trim_end_matches([':', ' ']));
    }
    Vec::new()
}

/// Leading names in an element, up to the first one that does not have the form of a person's name.
fn named(page: &Page, id: Id, max_words: usize, opening: &str) -> Vec<String> {
    if page.subtree(id).len() > MAX_BYLINE_NODES {
        return Vec::new();
    }
    let line = page.folded_beginning(id, MAX_BYLINE_BYTES);
    if clean::words(&line) > max_words {
        return Vec::new();
    }
    let stated = byline_text::of_element(page, id);
    // The parts of a byline may be separate elements, or belong to one text.
    let is_whole = opening.is_empty() || clean::words(&stated) > clean::words(opening);
    let names = people(if is_whole { &stated } else { &line });
    names.into_iter().take_while(|name| person::is_short_name(name)).collect()
}

fn is_in_navigation(page: &Page, id: Id) -> bool {
    page.self_and_ancestors(id).any(|above| matches!(page.tag(above), "nav" | "form" | "select"))
}
