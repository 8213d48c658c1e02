//! Search for a text in another text: whole words, case-insensitive.

use super::blocks::tidy;
use crate::clean::is_dense;

/// Searched text.
#[derive(Debug, Clone)]
pub(super) struct Wanted(String);

impl Wanted {
    pub(super) fn new(text: &str) -> Self {
        Self(fold(&tidy(text)))
    }

    /// True if the text contains it as whole words.
    pub(super) fn stands_in(&self, text: &str) -> bool {
        let Self(wanted) = self;
        if wanted.is_empty() {
            return false;
        }
        let text = fold(text);
        text.match_indices(wanted.as_str()).any(|(at, found)| {
            let before = joins(text[..at].chars().next_back(), found.chars().next());
            let after = joins(found.chars().next_back(), text[at + found.len()..].chars().next());
            !before && !after
        })
    }
}

/// True if two characters belong to the same word. Scripts without spaces have no word boundaries.
fn joins(one: Option<char>, other: Option<char>) -> bool {
    let is_of_word = |c: char| c.is_alphanumeric() && !is_dense(c);
    one.is_some_and(is_of_word) && other.is_some_and(is_of_word)
}

/// Folds the letter case. `ß` equals `ss`.
fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_matched_as_whole_words() {
        let stands = |wanted: &str, text: &str| Wanted::new(wanted).stands_in(text);
        assert!(stands("in stock", "The lamp is IN STOCK."));
        assert!(stands("in stock", "not in stock"), "the words stand there");
        assert!(!stands("stock", "stockings"));
        assert!(!stands("art", "start"));
        assert!(stands("STRASSE", "Hauptstraße, Straße 5"));
        assert!(stands("café", "Cafe\u{301} Central".replace("e\u{301}", "é").as_str()));
        assert!(stands("在庫", "現在庫あり"), "a script without spaces");
        assert!(stands("$5", "only $5!"));
        assert!(!stands("$5", "only $50"));
        assert!(!stands("", "anything"));
    }
}
