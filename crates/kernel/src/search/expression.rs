//! What is asked of an index: `tsvector` on PostgreSQL, FTS5 on SQLite. Both hold the words as they are given.

use sea_orm::DbBackend;

use super::query::{Ending, Term};

/// All words of the terms; in the index each begins with `front`.
pub fn of_terms(backend: DbBackend, front: &str, terms: &[Term]) -> String {
    of_terms_under(backend, &[front], terms)
}

/// All words of the terms; in the index each begins with one of `fronts`.
pub fn of_terms_under(backend: DbBackend, fronts: &[&str], terms: &[Term]) -> String {
    let mut parts = Vec::new();
    for term in terms {
        for (index, word) in term.words.iter().enumerate() {
            let is_open = term.ending == Ending::Open && index + 1 == term.words.len();
            let under = |front: &&str| {
                let exact = of_word(backend, &format!("{front}{word}"));
                match (backend, is_open) {
                    (_, false) => exact,
                    (DbBackend::Postgres, true) => format!("{exact}:*"),
                    (_, true) => format!("{exact}*"),
                }
            };
            let places: Vec<String> = fronts.iter().map(under).collect();
            parts.push(match places.as_slice() {
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

/// Any word of the terms; in the index each begins with `front`.
pub fn any_of_terms<'a>(backend: DbBackend, front: &str, terms: impl Iterator<Item = &'a Term>) -> String {
    let each = terms.flat_map(Term::each);
    let words: Vec<String> = each.map(|one| of_terms(backend, front, std::slice::from_ref(&one))).collect();
    words.join(or(backend))
}

/// What `wanted` says, but for rows of which one of `unwanted` holds: the index leaves them out by itself, which costs
/// less than to look for them in a list of all that the unwanted stand in.
pub fn but_not(backend: DbBackend, wanted: &str, unwanted: &[String]) -> String {
    let mut whole = format!("({wanted})");
    for one in unwanted {
        whole.push_str(match backend {
            DbBackend::Postgres => " & !(",
            _ => " NOT (",
        });
        whole.push_str(one);
        whole.push(')');
    }
    whole
}

/// What one of two expressions says.
pub fn either(backend: DbBackend, one: &str, other: &str) -> String {
    format!("({one}){}({other})", or(backend))
}

fn or(backend: DbBackend) -> &'static str {
    match backend {
        DbBackend::Postgres => " | ",
        _ => " OR ",
    }
}

/// One word as it stands in the index.
pub fn of_word(backend: DbBackend, word: &str) -> String {
    let quote = match backend {
        DbBackend::Postgres => '\'',
        _ => '"',
    };
    let word: String = word.chars().filter(|character| !matches!(character, '\'' | '"' | '\\')).collect();
    format!("{quote}{word}{quote}")
}
