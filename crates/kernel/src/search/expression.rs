//! Expressions for full-text indexes: `tsvector` on PostgreSQL, FTS5 on SQLite. Both store words as the service splits
//! them.

use sea_orm::DbBackend;

use super::query::{Ending, Node, Polarity, Query, Term};

/// Expression that matches rows with all words of the terms. Words in the index have the prefix `front`.
pub fn of_terms(backend: DbBackend, front: &str, terms: &[Term]) -> String {
    of_terms_under(backend, &[front], terms)
}

/// Expression that matches rows with all words of the terms. Words in the index have one of the prefixes
/// `fronts`.
pub fn of_terms_under(backend: DbBackend, fronts: &[&str], terms: &[Term]) -> String {
    let mut parts = Vec::new();
    for term in terms {
        for (index, word) in term.words.iter().enumerate() {
            let is_open = term.ending == Ending::Open && index + 1 == term.words.len();
            let under = |front: &str, form: &str| {
                let word = format!("{front}{form}");
                if is_open { of_beginning(backend, &word) } else { of_word(backend, &word) }
            };
            let alternatives: Vec<String> =
                fronts.iter().flat_map(|&front| word.forms().map(move |form| under(front, form))).collect();
            parts.push(match alternatives.as_slice() {
                [only] => only.clone(),
                several => format!("({})", several.join(or(backend))),
            });
        }
    }
    parts.join(and(backend))
}

/// Expression that matches rows with all required words of a query. If alternatives contain filters or phrases, the
/// expression also matches rows that the query does not. `None` if the query requires no words.
pub fn of_query(backend: DbBackend, fronts: &[&str], query: &Query) -> Option<String> {
    let terms = (!query.terms.is_empty()).then(|| of_terms_under(backend, fronts, &query.terms));
    let groups = query.groups.iter().filter_map(|group| of_node(backend, fronts, group));
    let all: Vec<String> = terms.into_iter().chain(groups).collect();
    combined(&all, and(backend))
}

/// Expression that matches rows that may fulfil a condition of a group. It is exact only if [`Node::is_of_words`] is
/// true for the condition. `None` if the condition requires no words.
pub fn of_node(backend: DbBackend, fronts: &[&str], node: &Node) -> Option<String> {
    match node {
        Node::Term(Polarity::Include, term) => {
            Some(of_terms_under(backend, fronts, std::slice::from_ref(term)))
        }
        Node::Term(Polarity::Exclude, _) | Node::Filter(_) => None,
        Node::All(nodes) => {
            let required: Vec<String> =
                nodes.iter().filter_map(|node| of_node(backend, fronts, node)).collect();
            combined(&required, and(backend))
        }
        Node::Any(nodes) => {
            let alternatives: Option<Vec<String>> =
                nodes.iter().map(|node| of_node(backend, fronts, node)).collect();
            combined(&alternatives?, or(backend))
        }
    }
}

/// Joins expressions by an operator. `None` if there are none.
fn combined(expressions: &[String], operator: &str) -> Option<String> {
    match expressions {
        [] => None,
        [only] => Some(only.clone()),
        several => Some(format!("({})", several.join(&format!("){operator}(")))),
    }
}

/// Expression that matches rows with any word of the terms. Words in the index have the prefix `front`.
pub fn any_of_terms<'a>(backend: DbBackend, front: &str, terms: impl Iterator<Item = &'a Term>) -> String {
    let each = terms.flat_map(Term::each);
    let words: Vec<String> = each.map(|one| of_terms(backend, front, std::slice::from_ref(&one))).collect();
    words.join(or(backend))
}

/// Expression that matches rows that match `included` but none of `excluded`. Excluding rows in the index costs less
/// than listing all rows that match `excluded`.
pub fn but_not(backend: DbBackend, included: &str, excluded: &[String]) -> String {
    let mut result = format!("({included})");
    for expression in excluded {
        result.push_str(match backend {
            DbBackend::Postgres => " & !(",
            _ => " NOT (",
        });
        result.push_str(expression);
        result.push(')');
    }
    result
}

/// Expression that matches the rows matched by either of two expressions.
pub fn either(backend: DbBackend, one: &str, other: &str) -> String {
    format!("({one}){}({other})", or(backend))
}

fn and(backend: DbBackend) -> &'static str {
    match backend {
        DbBackend::Postgres => " & ",
        _ => " AND ",
    }
}

fn or(backend: DbBackend) -> &'static str {
    match backend {
        DbBackend::Postgres => " | ",
        _ => " OR ",
    }
}

/// Expression that matches the words of the index that start with `word`.
pub fn of_beginning(backend: DbBackend, word: &str) -> String {
    let exact = of_word(backend, word);
    match backend {
        DbBackend::Postgres => format!("{exact}:*"),
        _ => format!("{exact}*"),
    }
}

/// Expression that matches one word of the index.
pub fn of_word(backend: DbBackend, word: &str) -> String {
    let quote = match backend {
        DbBackend::Postgres => '\'',
        _ => '"',
    };
    let word: String = word.chars().filter(|character| !matches!(character, '\'' | '"' | '\\')).collect();
    format!("{quote}{word}{quote}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expression_contains_the_required_words_of_a_query() {
        let of = |backend, text: &str| of_query(backend, &["1:"], &Query::parse(text).unwrap());
        let sqlite = |text: &str| of(DbBackend::Sqlite, text);
        assert_eq!(sqlite("a b*").as_deref(), Some(r#""1:a" AND "1:b"*"#));
        assert_eq!(sqlite("a OR b c").as_deref(), Some(r#"("1:a") OR (("1:b") AND ("1:c"))"#));
        assert_eq!(sqlite("d (a OR -b)").as_deref(), Some(r#""1:d""#));
        assert_eq!(sqlite("d (a OR (b tag:x))").as_deref(), Some(r#"("1:d") AND (("1:a") OR ("1:b"))"#));
        assert_eq!(sqlite("a OR tag:x"), None);
        assert_eq!(sqlite("-a"), None);
        let postgres = of(DbBackend::Postgres, "d (a OR \"b c\")");
        assert_eq!(postgres.as_deref(), Some("('1:d') & (('1:a') | ('1:b' & '1:c'))"));
    }
}
