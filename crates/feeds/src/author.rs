//! Entries by their authors: words of a name, which stand together in the entry's line of authors.

use sea_orm::DbBackend;

use super::search_text::{Condition, is_found};
use kernel::search::expression;
use kernel::search::query::{Ending, Term};
use kernel::search::words;

/// What must hold of entries `e` by such an author; others may pass it, which [`is_by`] tells.
pub(super) fn condition(backend: DbBackend, name: &str) -> Condition {
    let words = words::of_query(name);
    if words.is_empty() {
        return ("1 = 0".to_owned(), Vec::new());
    }
    // The words of authors stand among those that are searched; those of a title or a text do, too.
    let term = Term { words, phrase: None, ending: Ending::Whole };
    let (sql, values) = is_found(backend, expression::of_terms(backend, "", &[term]));
    (format!("e.author IS NOT NULL AND {sql}"), values)
}

/// Whether an entry with this line of authors is by such an author.
pub(super) fn is_by(name: &str, authors: Option<&str>) -> bool {
    authors.is_some_and(|authors| words::line(authors).contains(&words::line(name)))
}

#[cfg(test)]
mod tests {
    use super::is_by;

    #[test]
    fn an_author_is_known_by_whole_words_of_the_name() {
        assert!(is_by("ÉMILE zola", Some("Ada Reader, Émile Zola")));
        assert!(is_by("zola", Some("Émile Zola")));
        assert!(!is_by("zol", Some("Émile Zola")) && !is_by("zola", None));
    }
}
