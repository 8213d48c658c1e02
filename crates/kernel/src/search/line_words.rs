//! Words that a title or a name must contain. The databases compare the line with a pattern, because their
//! indexes do not distinguish the fields of a text.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use sea_orm::{DbBackend, Value};

use super::words::{self, Ending};

/// Maximum number of code points of the words. It bounds the size of a pattern.
const MAX_CHARS: usize = 100;
/// Letters that are compared without case and diacritics: Latin, Greek, Cyrillic, and Vietnamese.
const LETTERS: [RangeInclusive<char>; 4] =
    ['\u{c0}'..='\u{17f}', '\u{386}'..='\u{3ce}', '\u{400}'..='\u{45f}', '\u{1ea0}'..='\u{1ef9}'];
/// Class of the characters that separate words.
const SEPARATOR: &str = "[^0-9A-Za-z]";

/// Letters that are folded to one letter.
static VARIANTS: LazyLock<BTreeMap<char, Vec<char>>> = LazyLock::new(|| {
    let mut variants: BTreeMap<char, Vec<char>> = BTreeMap::new();
    for letter in LETTERS.into_iter().flatten().filter(|letter| letter.is_alphabetic()) {
        if let Some(folded) = single(words::fold(&letter.to_string()).chars()) {
            variants.entry(folded).or_default().push(letter);
        }
    }
    variants
});

/// Words that a line must contain in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineWords {
    words: Vec<String>,
    /// Ending of the last word.
    ending: Ending,
}

impl LineWords {
    /// Splits a text into words. `None` if it has none, or too many.
    pub(super) fn of(text: &str, ending: Ending) -> Option<Self> {
        let line = words::line(text);
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let is_valid = !words.is_empty() && line.chars().count() <= MAX_CHARS;
        is_valid.then_some(Self { words, ending })
    }

    /// Returns the SQL condition that `column` contains the words, and the value for its `?`.
    pub fn condition(&self, backend: DbBackend, column: &str) -> (String, Value) {
        let (operator, any) = match backend {
            DbBackend::Postgres => ("~", ".*"),
            _ => ("GLOB", "*"),
        };
        let words: Vec<String> = self.words.iter().map(|word| word.chars().map(class_of).collect()).collect();
        let words = words.join(any);
        let after = match self.ending {
            Ending::Whole => SEPARATOR,
            Ending::Open => "",
        };
        let pattern = match backend {
            DbBackend::Postgres => format!("{SEPARATOR}{words}{after}"),
            _ => format!("*{SEPARATOR}{words}{after}*"),
        };
        (format!("(' ' || {column} || ' ') {operator} ?"), pattern.into())
    }
}

/// Builds a pattern for the forms of a letter. Words have letters, digits, and marks only, so that no character
/// has a meaning in the pattern.
fn class_of(letter: char) -> String {
    let upper = single(letter.to_uppercase()).filter(|upper| *upper != letter);
    let variants = VARIANTS.get(&letter).into_iter().flatten().copied();
    let others = variants.filter(|variant| *variant != letter && Some(*variant) != upper);
    let letters: String = std::iter::once(letter).chain(upper).chain(others).collect();
    format!("[{letters}]")
}

/// The only character of an iterator.
fn single(mut characters: impl Iterator<Item = char>) -> Option<char> {
    let first = characters.next()?;
    characters.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str, backend: DbBackend) -> Option<(String, String)> {
        let (sql, value) = LineWords::of(text, Ending::Whole)?.condition(backend, "e.title");
        let Value::String(Some(pattern)) = value else { panic!("{value:?}") };
        Some((sql, pattern.to_string()))
    }

    #[test]
    fn pattern_ignores_case_and_diacritics() {
        let (sql, glob) = pattern("Wh 7", DbBackend::Sqlite).unwrap();
        assert_eq!(sql, "(' ' || e.title || ' ') GLOB ?");
        assert!(glob.starts_with("*[^0-9A-Za-z][wW") && glob.ends_with("*[7][^0-9A-Za-z]*"), "{glob}");
        let (sql, regex) = pattern("Émile ёж", DbBackend::Postgres).unwrap();
        assert!(sql.ends_with(" ~ ?") && regex.contains("].*["), "{regex}");
        for letters in ["éÉ", "её", "жЖ"] {
            assert!(letters.chars().all(|letter| regex.contains(letter)), "{letters} {regex}");
        }
    }

    #[test]
    fn words_are_required_and_bounded() {
        assert!(LineWords::of("!!! ...", Ending::Whole).is_none());
        assert!(LineWords::of(&"a".repeat(64), Ending::Whole).is_some());
        let long = vec!["word"; 30].join(" ");
        assert!(LineWords::of(&long, Ending::Whole).is_none());
        let largest = pattern(&"a ".repeat(49), DbBackend::Sqlite).unwrap().1;
        assert!(largest.len() < 10_000, "{}", largest.len());
    }
}
