//! Compares elements by their form (the tag and first class), and by words in their names.

use crate::page::{Id, Page};

/// Maximum number of nodes that are checked for posts or cards. A nested element counts at each level at
/// which it is checked.
pub(super) const MAX_VISITED_NODES: usize = 3_000_000;

/// Tag and first class of an element. They are equal for repeated elements.
pub(super) fn form(page: &Page, id: Id) -> (&str, &str) {
    (page.tag(id), page.class_names(id).next().unwrap_or(""))
}

/// True if the class, id or another name of the element contains one of the words. For example,
/// `PostHeader__author-name` consists of four words.
pub(super) fn has_name_word(page: &Page, id: Id, words: &[&str]) -> bool {
    ["class", "id", "itemprop", "data-testid"].iter().filter_map(|name| page.attribute(id, name)).any(
        |value| {
            let mut start = 0;
            let bytes = value.as_bytes();
            (0..=bytes.len()).any(|at| {
                let is_word_end = at == bytes.len()
                    || !bytes[at].is_ascii_alphanumeric()
                    || at > start && bytes[at].is_ascii_uppercase() && !bytes[at - 1].is_ascii_uppercase();
                if !is_word_end {
                    return false;
                }
                let word = value.get(start..at).unwrap_or("");
                start = if bytes.get(at).is_some_and(u8::is_ascii_alphanumeric) { at } else { at + 1 };
                words.iter().any(|known| word.eq_ignore_ascii_case(known))
            })
        },
    )
}
