//! Words that a title or a name (a line) must contain. The databases match the line against a pattern, because their
//! indexes do not distinguish the fields of a text.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use sea_orm::{DbBackend, Value};

use super::words::{self, Ending, LineWord};

/// Maximum total number of code points of the words. It bounds the size of a pattern.
const MAX_CHARS: usize = 100;
/// Letters that are compared without case and diacritics: Latin, Greek, Cyrillic, Arabic, and further Latin and
/// Greek letters.
const LETTERS: [RangeInclusive<char>; 6] = [
    '\u{c0}'..='\u{2af}',
    '\u{386}'..='\u{3ce}',
    '\u{400}'..='\u{45f}',
    '\u{622}'..='\u{6d3}',
    '\u{1e00}'..='\u{1eff}',
    '\u{1f00}'..='\u{1ffc}',
];
/// Pattern for the characters that separate words: all characters except digits and the letters of scripts with spaces:
/// Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic, scripts of India, and Georgian.
const SEPARATOR: &str = "[^0-9A-Za-z\u{c0}-\u{d6}\u{d8}-\u{f6}\u{f8}-\u{2af}\u{370}-\u{37d}\u{386}\u{388}-\u{52f}\
    \u{531}-\u{556}\u{561}-\u{587}\u{5d0}-\u{5ea}\u{620}-\u{64a}\u{660}-\u{669}\u{671}-\u{6d3}\u{6f0}-\u{6f9}\
    \u{900}-\u{963}\u{966}-\u{dff}\u{10a0}-\u{10fa}\u{1e00}-\u{1fff}]";

/// For each letter, the letters that are folded to it.
static VARIANTS: LazyLock<BTreeMap<char, Vec<char>>> = LazyLock::new(|| {
    let mut variants: BTreeMap<char, Vec<char>> = BTreeMap::new();
    for letter in letters() {
        if let Some(folded) = single(words::fold(&letter.to_string()).chars()) {
            variants.entry(folded).or_default().push(letter);
        }
    }
    variants
});

/// Letters that are folded to several letters, such as `ß`, with their replacements.
static EXPANSIONS: LazyLock<Vec<(char, String)>> = LazyLock::new(|| {
    let folded = letters().map(|letter| (letter, words::fold(&letter.to_string())));
    folded
        .filter(|(_, plain)| plain.len() > 1 && plain.bytes().all(|byte| byte.is_ascii_lowercase()))
        .collect()
});

/// Words that a line must contain, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineWords {
    words: Vec<LineWord>,
    /// Ending of the last word.
    ending: Ending,
}

impl LineWords {
    /// Splits a text into words. `None` if it has no words, or too many.
    pub(super) fn of(text: &str, ending: Ending) -> Option<Self> {
        let words = words::line_words(text);
        let count: usize = words.iter().map(|word| word.letters.chars().count() + 1).sum();
        (!words.is_empty() && count < MAX_CHARS).then_some(Self { words, ending })
    }

    /// Returns the SQL condition that `column` contains the words, and the values for its `?` placeholders.
    pub fn condition(&self, backend: DbBackend, column: &str) -> (String, Vec<Value>) {
        let operator = match backend {
            DbBackend::Postgres => "~",
            _ => "GLOB",
        };
        let patterns = self.patterns(backend);
        let condition = format!("(' ' || {} || ' ') {operator} ?", self.expanded(column));
        let sql = vec![condition; patterns.len()].join(" AND ");
        (format!("({sql})"), patterns.into_iter().map(Value::from).collect())
    }

    /// Patterns that a line must match.
    fn patterns(&self, backend: DbBackend) -> Vec<String> {
        let ([first, ..], [.., last]) = (self.words.as_slice(), self.words.as_slice()) else {
            return Vec::new();
        };
        match backend {
            // PostgreSQL caches few compiled expressions, and would compile several for each row.
            DbBackend::Postgres => vec![self.regex(first, last)],
            _ => self.globs(first, last),
        }
    }

    fn regex(&self, first: &LineWord, last: &LineWord) -> String {
        let mut regex = format!("{}{}", first.boundary(), first.pattern());
        for (before, word) in self.words.iter().zip(self.words.iter().skip(1)) {
            if before.is_dense || word.is_dense {
                regex.push_str(".*");
            } else {
                regex.push_str(&format!("{SEPARATOR}(?:.*{SEPARATOR})?"));
            }
            regex.push_str(&word.pattern());
        }
        regex.push_str(self.boundary_after(last));
        regex
    }

    /// Patterns of SQLite: one for the order of the words, and, if there are several words, one for each word, because
    /// the pattern for the order does not require that the words between the first and the last are whole words.
    fn globs(&self, first: &LineWord, last: &LineWord) -> Vec<String> {
        let letters: Vec<String> = self.words.iter().map(LineWord::pattern).collect();
        let in_order = format!("*{}{}{}*", first.boundary(), letters.join("*"), self.boundary_after(last));
        let several = self.words.iter().zip(&letters).filter(|_| letters.len() > 1);
        let each = several.map(|(word, classes)| {
            let is_last = std::ptr::eq(word, last);
            let after = if is_last { self.boundary_after(word) } else { word.boundary() };
            format!("*{}{classes}{after}*", word.boundary())
        });
        std::iter::once(in_order).chain(each).collect()
    }

    /// Pattern after the last word.
    fn boundary_after(&self, last: &LineWord) -> &'static str {
        match self.ending {
            Ending::Whole => last.boundary(),
            Ending::Open => "",
        }
    }

    /// Returns the SQL expression that replaces letters such as `ß` in `column` by the letters to which they are
    /// folded, if the words contain those letters.
    fn expanded(&self, column: &str) -> String {
        let has = |plain: &str| self.words.iter().any(|word| word.letters.contains(plain));
        let needed = EXPANSIONS.iter().filter(|(_, plain)| has(plain));
        needed.fold(column.to_owned(), |inner, (letter, plain)| {
            format!("REPLACE({inner}, '{letter}', '{plain}')")
        })
    }
}

impl LineWord {
    /// Pattern of the letters.
    fn pattern(&self) -> String {
        self.letters.chars().map(class_of).collect()
    }

    /// Pattern before and after the word. Scripts without spaces have no boundaries.
    fn boundary(&self) -> &'static str {
        if self.is_dense { "" } else { SEPARATOR }
    }
}

/// Letters for which [`VARIANTS`] and [`EXPANSIONS`] are computed.
fn letters() -> impl Iterator<Item = char> {
    LETTERS.into_iter().flatten().filter(|letter| letter.is_alphabetic())
}

/// Builds a pattern for the forms of a letter. Words consist only of letters, digits, and marks, so no character has a
/// special meaning in the pattern.
fn class_of(letter: char) -> String {
    let upper = single(letter.to_uppercase()).filter(|upper| *upper != letter);
    let variants = VARIANTS.get(&letter).into_iter().flatten().copied();
    let others = variants.filter(|variant| *variant != letter && Some(*variant) != upper);
    let letters: String = std::iter::once(letter).chain(upper).chain(others).collect();
    format!("[{letters}]")
}

/// Returns the only character of an iterator. `None` if there are none or several.
fn single(mut characters: impl Iterator<Item = char>) -> Option<char> {
    let first = characters.next()?;
    characters.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the condition that a title contains a text, and its patterns.
    fn condition(text: &str, backend: DbBackend) -> Option<(String, Vec<String>)> {
        let (sql, values) = LineWords::of(text, Ending::Whole)?.condition(backend, "e.title");
        let text_of = |value: Value| match value {
            Value::String(Some(pattern)) => pattern,
            other => panic!("{other:?}"),
        };
        Some((sql, values.into_iter().map(text_of).collect()))
    }

    #[test]
    fn pattern_ignores_case_and_diacritics() {
        let (sql, globs) = condition("Wh 7", DbBackend::Sqlite).unwrap();
        let one = "(' ' || e.title || ' ') GLOB ?";
        assert_eq!(sql, format!("({one} AND {one} AND {one})"));
        let [both, word, number] = globs.as_slice() else { panic!("{globs:?}") };
        let (front, back) = (format!("*{SEPARATOR}"), format!("{SEPARATOR}*"));
        assert!(both.starts_with(&format!("{front}[wW")) && both.ends_with(&format!("*[7]{back}")), "{both}");
        assert!(word.starts_with(&front) && word.ends_with(&back), "{word}");
        assert_eq!(*number, format!("{front}[7]{back}"));
        let (sql, regexes) = condition("Émile ёж ưu știri أخبار", DbBackend::Postgres).unwrap();
        assert!(sql.ends_with(" ~ ?)") && regexes.len() == 1, "{regexes:?}");
        assert!(regexes[0].contains(&format!("{SEPARATOR}(?:.*{SEPARATOR})?[")), "{regexes:?}");
        for letters in ["éÉ", "её", "жЖ", "ưƯ", "șȘş", "أاإ"] {
            assert!(letters.chars().all(|letter| regexes[0].contains(letter)), "{letters} {regexes:?}");
        }
    }

    #[test]
    fn letters_that_fold_to_several_letters_are_expanded_in_the_line() {
        for (text, column) in [
            ("Straße", "REPLACE(REPLACE(e.title, 'ß', 'ss'), 'ẞ', 'ss')"),
            ("strasse", "REPLACE(REPLACE(e.title, 'ß', 'ss'), 'ẞ', 'ss')"),
            ("boats", "e.title"),
        ] {
            let (sql, _) = condition(text, DbBackend::Sqlite).unwrap();
            assert_eq!(sql, format!("((' ' || {column} || ' ') GLOB ?)"), "{text}");
        }
    }

    #[test]
    fn scripts_without_spaces_have_no_boundaries() {
        let (_, globs) = condition("日本語", DbBackend::Sqlite).unwrap();
        assert_eq!(globs, ["*[日][本][語]*"]);
        let (_, globs) = condition("入門 7", DbBackend::Sqlite).unwrap();
        let number = format!("*{SEPARATOR}[7]{SEPARATOR}*");
        assert_eq!(globs, [format!("*[入][門]*[7]{SEPARATOR}*"), "*[入][門]*".to_owned(), number]);
    }

    #[test]
    fn search_without_words_or_with_too_many_words_has_no_patterns() {
        assert!(LineWords::of("!!! ...", Ending::Whole).is_none());
        assert!(LineWords::of(&"a".repeat(64), Ending::Whole).is_some());
        let long = vec!["word"; 30].join(" ");
        assert!(LineWords::of(&long, Ending::Whole).is_none());
    }

    #[test]
    fn patterns_of_the_longest_words_are_short_enough_for_sqlite() {
        // SQLite refuses patterns of more than 50,000 bytes.
        let largest = condition(&"o".repeat(98), DbBackend::Sqlite).unwrap().1;
        assert!(largest[0].len() < 25_000, "{}", largest[0].len());
        assert_eq!(condition(&"a ".repeat(49), DbBackend::Sqlite).unwrap().1.len(), 50);
    }
}
