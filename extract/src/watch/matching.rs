//! Search for a text in another text: whole words, case-insensitive.

use super::blocks::tidy;
use crate::clean::is_dense;

/// Searched text.
#[derive(Debug, Clone)]
pub(super) struct SearchText(String);

impl SearchText {
    pub(super) fn new(text: &str) -> Self {
        Self(fold(&tidy(text)))
    }

    /// True if the text contains it as whole words.
    pub(super) fn is_contained_in(&self, text: &str) -> bool {
        let Self(searched) = self;
        if searched.is_empty() {
            return false;
        }
        let text = fold(text);
        text.match_indices(searched.as_str()).any(|(at, hit)| {
            let before = is_same_word(text[..at].chars().next_back(), hit.chars().next());
            let after = is_same_word(hit.chars().next_back(), text[at + hit.len()..].chars().next());
            !before && !after
        })
    }
}

/// True if two characters belong to the same word. Scripts without spaces have no word boundaries.
fn is_same_word(one: Option<char>, other: Option<char>) -> bool {
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
        let contains = |searched: &str, text: &str| SearchText::new(searched).is_contained_in(text);
        assert!(contains("in stock", "The lamp is IN STOCK."));
        assert!(contains("in stock", "not in stock"), "negation is not recognized");
        assert!(!contains("stock", "stockings"));
        assert!(!contains("art", "start"));
        assert!(contains("STRASSE", "Hauptstraße, Straße 5"));
        assert!(contains("café", "Cafe\u{301} Central".replace("e\u{301}", "é").as_str()));
        assert!(contains("在庫", "現在庫あり"), "scripts without spaces are matched within words");
        assert!(contains("$5", "only $5!"));
        assert!(!contains("$5", "only $50"));
        assert!(!contains("", "anything"));
    }
}
