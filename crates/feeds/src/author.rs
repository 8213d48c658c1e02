//! Selection of entries by author. An entry matches if its author line contains the words of a name
//! consecutively.

use sea_orm::DbBackend;

use super::search_text::{SqlCondition, index_match};
use kernel::search::expression;
use kernel::search::query::{Ending, Term};
use kernel::search::words;

/// Returns an SQL condition for entries `e` by this author. The condition may match other entries, which
/// [`is_by`] excludes.
pub(super) fn condition(backend: DbBackend, name: &str) -> SqlCondition {
    let words = words::of_query(name);
    if words.is_empty() {
        return ("1 = 0".to_owned(), Vec::new());
    }
    // The index does not distinguish authors from other texts, so words of the title or text also match.
    let term = Term { words, phrase: None, ending: Ending::Whole };
    let (sql, values) = index_match(backend, expression::of_terms(backend, "", &[term]));
    (format!("e.author IS NOT NULL AND {sql}"), values)
}

/// Returns true if the author line contains the name as whole words.
pub(super) fn is_by(name: &str, authors: Option<&str>) -> bool {
    authors.is_some_and(|authors| words::line(authors).contains(&words::line(name)))
}

#[cfg(test)]
mod tests {
    use super::is_by;

    #[test]
    fn author_matches_by_whole_words_of_the_name() {
        assert!(is_by("ÉMILE zola", Some("Ada Reader, Émile Zola")));
        assert!(is_by("zola", Some("Émile Zola")));
        assert!(!is_by("zol", Some("Émile Zola")) && !is_by("zola", None));
    }
}
