//! Expressions for full-text indexes: `tsvector` on PostgreSQL, FTS5 on SQLite. Both store words as the
//! service provides them.

use sea_orm::DbBackend;

use super::query::{Ending, Term};

/// Matches rows with all words of the terms. Words in the index have the prefix `front`.
pub fn of_terms(backend: DbBackend, front: &str, terms: &[Term]) -> String {
    of_terms_under(backend, &[front], terms)
}

/// Matches rows with all words of the terms. Words in the index have one of the prefixes `fronts`.
pub fn of_terms_under(backend: DbBackend, fronts: &[&str], terms: &[Term]) -> String {
    let mut parts = Vec::new();
    for term in terms {
        for (index, word) in term.words.iter().enumerate() {
            let is_open = term.ending == Ending::Open && index + 1 == term.words.len();
            let under = |front: &str, form: &str| {
                let exact = of_word(backend, &format!("{front}{form}"));
                match (backend, is_open) {
                    (_, false) => exact,
                    (DbBackend::Postgres, true) => format!("{exact}:*"),
                    (_, true) => format!("{exact}*"),
                }
            };
            let alternatives: Vec<String> =
                fronts.iter().flat_map(|&front| word.forms().map(move |form| under(front, form))).collect();
            parts.push(match alternatives.as_slice() {
                [only] => only.clone(),
                several => format!("({})", several.join(or(backend))),
            });
        }
    }
    parts.join(match backend {
        DbBackend::Postgres => " & ",
        _ => " AND ",
    })
}

/// Matches rows with any word of the terms. Words in the index have the prefix `front`.
pub fn any_of_terms<'a>(backend: DbBackend, front: &str, terms: impl Iterator<Item = &'a Term>) -> String {
    let each = terms.flat_map(Term::each);
    let words: Vec<String> = each.map(|one| of_terms(backend, front, std::slice::from_ref(&one))).collect();
    words.join(or(backend))
}

/// Matches rows that match `included` but none of `excluded`. The index excludes rows at a lower cost than a
/// list of all rows that match `excluded`.
pub fn but_not(backend: DbBackend, included: &str, excluded: &[String]) -> String {
    let mut whole = format!("({included})");
    for one in excluded {
        whole.push_str(match backend {
            DbBackend::Postgres => " & !(",
            _ => " NOT (",
        });
        whole.push_str(one);
        whole.push(')');
    }
    whole
}

/// Matches rows that match one of two expressions.
pub fn either(backend: DbBackend, one: &str, other: &str) -> String {
    format!("({one}){}({other})", or(backend))
}

fn or(backend: DbBackend) -> &'static str {
    match backend {
        DbBackend::Postgres => " | ",
        _ => " OR ",
    }
}

/// Matches one word of the index.
pub fn of_word(backend: DbBackend, word: &str) -> String {
    let quote = match backend {
        DbBackend::Postgres => '\'',
        _ => '"',
    };
    let word: String = word.chars().filter(|character| !matches!(character, '\'' | '"' | '\\')).collect();
    format!("{quote}{word}{quote}")
}
