//! What is searched of an entry, in the words and by the queries of the whole service.
//!
//! One text holds it all: title, summary and author word by word in their order, so that phrases are found in it; then
//! pairs of characters, the names of the entry's host, and what its address is known by. The database keeps the words of
//! that text in an index of its own, `tsvector` or FTS5.

use sea_orm::{DbBackend, Value};
use url::Url;

use crate::library::{Key, address};
use crate::search::expression;
use crate::search::query::{Query, Test, Wanted};
use crate::search::words;

/// What the name of a host begins with, and what stands for an address.
const HOST: char = '@';
const ADDRESS: char = '#';

/// What is searched of an entry.
pub(super) fn of_entry(
    title: Option<&str>,
    summary: Option<&str>,
    author: Option<&str>,
    url: Option<&str>,
) -> String {
    let texts: Vec<&str> = [title, summary, author].into_iter().flatten().collect();
    // Two spaces stand between them, so that no phrase goes from one into the other.
    let mut line: String = texts.iter().copied().map(words::line).collect();
    let url = url.and_then(|url| Url::parse(url).ok());
    let pairs = words::pairs(&texts.join("\n"));
    let further = pairs.into_iter().chain(url.iter().flat_map(hosts)).chain(url.iter().map(key));
    for word in further {
        line.push_str(&word);
        line.push(' ');
    }
    line
}

/// The host and those above it, as words of the index.
fn hosts(url: &Url) -> Vec<String> {
    let host = address::domain(url);
    if !host.chars().all(|character| character.is_alphanumeric() || matches!(character, '.' | '-')) {
        return Vec::new();
    }
    let above = host.match_indices('.').map(|(at, _)| &host[at + 1..]);
    std::iter::once(host.as_str()).chain(above).map(|name| format!("{HOST}{name}")).collect()
}

/// What an address is known by, as a word of the index.
fn key(url: &Url) -> String {
    format!("{ADDRESS}{}", data_encoding::HEXLOWER.encode(&Key::url(url).hash()))
}

/// Conditions that an entry `e` fulfils when the query finds it; `?` stands for the value beside each.
pub(super) fn conditions(backend: DbBackend, text: &str) -> Vec<(String, Option<Value>)> {
    let query = Query::parse(text);
    let has = |expression: String, is_wanted: bool| {
        let not = if is_wanted { "" } else { "NOT " };
        let sql = match backend {
            DbBackend::Postgres => format!("{not}(e.words @@ CAST(? AS tsquery))"),
            _ => format!(
                "e.id {not}IN (SELECT f.rowid FROM feed_entry_found f WHERE f.feed_entry_found MATCH ?)"
            ),
        };
        (sql, Some(Value::from(expression)))
    };
    let nothing = || ("1 = 0".to_owned(), None);
    let mut all = Vec::new();
    if query.is_empty() && !text.trim().is_empty() {
        all.push(nothing());
    }
    if query.has_words() {
        all.push(has(expression::of_terms(backend, "", &query.terms), true));
    }
    let phrase = |phrase: &str| Some(Value::from(format!("%{phrase}%")));
    for together in query.terms.iter().filter_map(|term| term.phrase.as_deref()) {
        all.push(("e.search_text LIKE ?".to_owned(), phrase(together)));
    }
    for term in &query.without {
        all.push(match &term.phrase {
            Some(together) => ("e.search_text NOT LIKE ?".to_owned(), phrase(together)),
            None => has(expression::of_terms(backend, "", std::slice::from_ref(term)), false),
        });
    }
    for filter in &query.filters {
        match (&filter.test, filter.wanted) {
            (Test::Domain(host), wanted) => {
                all.push(has(expression::of_word(backend, &format!("{HOST}{host}")), wanted == Wanted::Yes));
            }
            // An entry has none of these.
            (Test::Tag(_) | Test::Status(_) | Test::Kind(_) | Test::Nothing, Wanted::Yes) => {
                all.push(nothing());
            }
            (Test::Tag(_) | Test::Status(_) | Test::Kind(_) | Test::Nothing, Wanted::No) => {}
        }
    }
    all.extend(query.address.iter().map(|url| has(expression::of_word(backend, &key(url)), true)));
    all
}
