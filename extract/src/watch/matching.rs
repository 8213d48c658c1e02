//! Searches for a text in another text: as whole words, case-insensitively. With a `*` at its start or end,
//! the searched text also matches within a longer word.

use std::ops::Range;

use super::line_text::tidy;
use crate::clean::is_dense;

/// Words that negate a text directly after them, in lower case.
const NEGATIONS: &[&str] = &[
    "not", "no", "never", "cannot", "non", "nicht", "nie", "kein", "keine", "keinen", "keiner", "keines",
    "pas", "aucun", "aucune", "niet", "geen", "não", "inte", "ej", "ikke", "ei", "není", "nejsou", "nem",
    "nincs", "nije", "nema", "не", "нет", "нету", "немає", "δεν", "không", "tidak",
];
/// Words that may occur between a negation and the negated text.
const FILLERS: &[&str] = &[
    "yet", "currently", "longer", "more", "now", "at", "the", "moment", "presently", "be", "been", "back",
    "mehr", "noch", "derzeit", "aktuell", "momentan", "zurzeit", "encore", "plus", "actuellement", "está",
    "están", "actualmente", "se", "encuentra", "hay", "è", "ancora", "più", "mais", "meer", "langer",
    "momenteel", "jest", "są", "je", "längre", "længere", "lenger", "enää", "ole", "είναι", "πλέον", "еще",
    "ещё", "больше", "còn",
];
/// Maximum number of words before a text that are checked for a negation.
const MAX_FILLERS: usize = 4;
/// Maximum number of bytes before a text that are checked for a negation.
const MAX_DENIAL_BYTES: usize = 256;

#[derive(Debug, Clone)]
pub(super) struct SearchText {
    folded: String,
    /// True if a match may begin within a word.
    is_suffix: bool,
    /// True if a match may end within a word.
    is_prefix: bool,
}

impl SearchText {
    pub(super) fn new(text: &str) -> Self {
        let text = tidy(text);
        let (text, is_suffix) = text.strip_prefix('*').map_or((text.as_str(), false), |rest| (rest, true));
        let (text, is_prefix) = text.strip_suffix('*').map_or((text, false), |rest| (rest, true));
        Self { folded: fold(text.trim_matches('*')), is_suffix, is_prefix }
    }

    /// True if the searched text is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.folded.trim().is_empty()
    }

    /// True if `text` contains the searched text.
    pub(super) fn is_contained_in(&self, text: &str) -> bool {
        self.occurrences(&fold(text)).next().is_some()
    }

    /// True if `text` contains the searched text without a negation. `currently not in stock` negates
    /// `in stock`.
    pub(super) fn is_affirmed_in(&self, text: &str) -> bool {
        let text = fold(text);
        self.occurrences(&text).any(|range| !is_denied(&text[..range.start]))
    }

    /// Range of the first occurrence without a negation, or else of the first occurrence.
    pub(super) fn find(&self, text: &str) -> Option<Range<usize>> {
        let folded = fold(text);
        let affirmed = self.occurrences(&folded).find(|range| !is_denied(&folded[..range.start]));
        let range = affirmed.or_else(|| self.occurrences(&folded).next())?;
        Some(unfolded(text, range.start)..unfolded(text, range.end))
    }

    /// Ranges of the occurrences in a text whose letter case is folded.
    fn occurrences<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
        let searched = if self.is_empty() { None } else { Some(self.folded.as_str()) };
        let hits = searched.into_iter().flat_map(move |searched| text.match_indices(searched));
        hits.filter_map(move |(at, hit)| {
            let end = at + hit.len();
            let before = is_same_word(text[..at].chars().next_back(), hit.chars().next());
            let after = is_same_word(hit.chars().next_back(), text[end..].chars().next());
            ((self.is_suffix || !before) && (self.is_prefix || !after)).then_some(at..end)
        })
    }
}

/// True if two characters belong to the same word. Scripts without spaces have no word boundaries.
fn is_same_word(one: Option<char>, other: Option<char>) -> bool {
    let is_of_word = |c: char| c.is_alphanumeric() && !is_dense(c);
    one.is_some_and(is_of_word) && other.is_some_and(is_of_word)
}

/// True if the words before a text negate it. The search stops at punctuation.
fn is_denied(before: &str) -> bool {
    let nearest = &before[before.floor_char_boundary(before.len().saturating_sub(MAX_DENIAL_BYTES))..];
    let words = nearest.trim_end_matches('-').rsplit(' ').filter(|word| !word.is_empty());
    for word in words.take(MAX_FILLERS) {
        if NEGATIONS.contains(&word) || has_elided_negation(word) {
            return true;
        }
        if !FILLERS.contains(&word) {
            return false;
        }
    }
    false
}

/// True for contracted negations: `isn't`, and `n'est` as in `n'est plus disponible`.
fn has_elided_negation(word: &str) -> bool {
    ["n't", "n’t"].iter().any(|end| word.ends_with(end))
        || ["n'", "n’"].iter().any(|start| word.starts_with(start))
}

/// Folds the letter case. `ß` equals `ss`.
fn fold(text: &str) -> String {
    text.chars().flat_map(folded).collect()
}

fn folded(c: char) -> impl Iterator<Item = char> {
    c.to_uppercase().flat_map(char::to_lowercase)
}

/// Converts a byte offset in the case-folded text to a byte offset in `text`.
fn unfolded(text: &str, offset: usize) -> usize {
    let mut length = 0;
    for (at, c) in text.char_indices() {
        if length >= offset {
            return at;
        }
        length += folded(c).map(char::len_utf8).sum::<usize>();
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_matched_as_whole_words() {
        let contains = |searched: &str, text: &str| SearchText::new(searched).is_contained_in(text);
        assert!(contains("in stock", "The lamp is IN STOCK."));
        assert!(contains("in stock", "not in stock"), "a denied text is contained too");
        assert!(!contains("stock", "stockings"));
        assert!(!contains("art", "start"));
        assert!(contains("STRASSE", "Hauptstraße, Straße 5"));
        assert!(contains("café", "Cafe\u{301} Central".replace("e\u{301}", "é").as_str()));
        assert!(contains("在庫", "現在庫あり"), "scripts without spaces are matched within words");
        assert!(contains("$5", "only $5!"));
        assert!(!contains("$5", "only $50"));
        assert!(!contains("", "anything"));
    }

    #[test]
    fn asterisk_matches_within_a_word() {
        let contains = |searched: &str, text: &str| SearchText::new(searched).is_contained_in(text);
        assert!(contains("Ticket*", "Tickets from Monday on") && contains("ticket*", "A ticket"));
        assert!(!contains("ticket*", "E-tickets".replace('-', "").as_str()));
        assert!(contains("*lieferbar", "Sofortlieferbar") && !contains("*lieferbar", "Lieferbarkeit"));
        assert!(contains("*verfügbar*", "Unverfügbarkeit"));
        assert!(contains("5 star*", "5 stars"));
        for empty in ["*", "**", " * "] {
            assert!(SearchText::new(empty).is_empty() && !contains(empty, "anything"), "{empty}");
        }
    }

    #[test]
    fn text_after_a_negation_does_not_match() {
        let affirms = |searched: &str, text: &str| SearchText::new(searched).is_affirmed_in(text);
        for denied in ["Currently not in stock", "Still not in stock, sorry", "It isn't currently in stock"] {
            assert!(!affirms("in stock", denied), "{denied}");
        }
        assert!(!affirms("lieferbar", "Derzeit nicht mehr lieferbar"));
        assert!(!affirms("disponible", "Cet article n’est pas encore disponible"));
        for (searched, denied) in [
            ("disponible", "Ce produit n’est plus disponible"),
            ("disponible", "Ya no está disponible"),
            ("disponible", "El producto no se encuentra disponible"),
            ("disponibile", "Il prodotto non è più disponibile"),
            ("disponível", "Não está mais disponível"),
            ("op voorraad", "Niet meer op voorraad"),
            ("dostępny", "Produkt nie jest dostępny"),
            ("i lager", "Finns ej i lager"),
            ("på lager", "Ikke længere på lager"),
            ("varastossa", "Ei ole varastossa"),
            ("raktáron", "Nincs raktáron"),
            ("skladom", "Tovar nie je skladom"),
            ("в наличии", "Больше нет в наличии"),
            ("διαθέσιμο", "Δεν είναι διαθέσιμο"),
            ("available", "It won't be available"),
            ("in stock", "Not yet back in stock"),
        ] {
            assert!(!affirms(searched, denied), "{denied}");
        }
        assert!(affirms("available", "iPhone 15 Plus available") && affirms("in stock", "Back in stock"));
        assert!(affirms("op voorraad", "Nu op voorraad"), "a word for now in Dutch");
        assert!(!affirms("available", "No longer available") && !affirms("available", "non-available"));
        for affirmed in
            ["In stock", "Do not wait: in stock", "Not blue. In stock", "Not in stock? Now in stock!"]
        {
            assert!(affirms("in stock", affirmed), "{affirmed}");
        }
        assert!(affirms("not available", "It is not available"), "the text itself may be a denial");
        assert!(affirms("tickets", "Why not book tickets"));
        assert!(affirms("x", &format!("n'{}", "x.".repeat(200_000))), "a denial is close to the text");
    }

    #[test]
    fn match_range_refers_to_the_text_before_case_folding() {
        let searched = SearchText::new("in stock");
        let text = "STRAẞE: not in stock; soon IN STOCK";
        assert_eq!(searched.find(text).map(|range| &text[range]), Some("IN STOCK"));
        assert_eq!(searched.find("nothing"), None);
        let text = "İstanbul: not in stock";
        assert_eq!(searched.find(text).map(|range| &text[range]), Some("in stock"));
    }
}
