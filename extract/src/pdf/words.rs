//! Joins lines to running text. A word that is hyphenated at the end of a line is joined as its language
//! requires.

use std::collections::HashSet;

use crate::clean;

/// Words of a file. A hyphenated word is joined if it also occurs in the file without its hyphen.
#[derive(Default)]
pub(super) struct DocumentWords {
    known: HashSet<String>,
    language: Option<String>,
}

/// Maximum number of words in a file that are stored.
const MAX_WORDS: usize = 200_000;
/// Prefixes after which a hyphen is retained, by language.
const HYPHENATED_PREFIXES: &[(&str, &[&str])] = &[
    (
        "en",
        &["self", "well", "ex", "half", "all", "cross", "non", "co", "high", "low", "long", "short", "so"],
    ),
    ("fr", &["peut", "est", "sous", "demi", "non", "ci", "au", "grand", "vice", "celui", "celle", "dit"]),
    ("nl", &["niet", "oud", "ex", "non"]),
    ("pt", &["vice", "ex", "recém", "pré", "pós"]),
];
/// Words before which a hyphen is retained, as in `Ein- und Ausgang` and `pre- and post-war`.
const NEVER_JOINED: &[&str] =
    &["und", "oder", "bzw", "and", "or", "to", "en", "of", "och", "eller", "og", "y", "e", "et", "ou"];

impl DocumentWords {
    /// Collects the words of lines. `language` is a BCP 47 tag.
    pub(super) fn of<'l>(lines: impl Iterator<Item = &'l str>, language: Option<String>) -> Self {
        let mut known = HashSet::new();
        for line in lines {
            let last = line.split_whitespace().count().saturating_sub(1);
            for (index, word) in line.split_whitespace().enumerate() {
                if known.len() >= MAX_WORDS {
                    break;
                }
                if index > 0 && index < last || !word.ends_with(['-', '\u{2010}']) {
                    known.insert(bare(word).to_lowercase());
                }
            }
        }
        Self { known, language }
    }

    /// Appends a line to a text. A hyphenated word at the boundary is joined.
    pub(super) fn join(&self, text: &mut String, line: &str) {
        if text.ends_with('\u{2010}') && line.starts_with(char::is_alphabetic) {
            // This character is almost exclusively used for hyphenation at the end of a line.
            text.pop();
        } else if is_divided(text, line) {
            if !self.keeps_hyphen(text, line) {
                text.pop();
            }
        } else if !(text.is_empty() || text.ends_with(clean::is_dense) && line.starts_with(clean::is_dense)) {
            text.push(' ');
        }
        text.push_str(line);
    }

    fn keeps_hyphen(&self, text: &str, line: &str) -> bool {
        let head = text.split_whitespace().next_back().unwrap_or_default().trim_end_matches('-');
        let head = head.trim_start_matches(|c: char| !c.is_alphanumeric());
        let tail = line.split_whitespace().next().unwrap_or_default();
        let lower = |text: &str| bare(text).to_lowercase();
        if self.known.contains(&lower(&format!("{head}{tail}"))) {
            return false;
        }
        if self.known.contains(&lower(&format!("{head}-{tail}"))) {
            return true;
        }
        let language = self.language.as_deref().and_then(|tag| tag.split('-').next()).unwrap_or("en");
        let prefixes =
            HYPHENATED_PREFIXES.iter().find(|(tag, _)| *tag == language).map_or(&[][..], |(_, heads)| heads);
        head.contains('-')
            || !tail.starts_with(char::is_lowercase)
            || !head.ends_with(char::is_lowercase)
            || tail.contains('-') && language == "en"
            || prefixes.contains(&head.to_lowercase().as_str())
    }
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && c != '-')
}

/// True if a word may be hyphenated at the boundary of `text` and `line`.
fn is_divided(text: &str, line: &str) -> bool {
    let first = bare(line.split_whitespace().next().unwrap_or_default());
    let before = text.chars().rev().nth(1);
    text.ends_with('-')
        && before.is_some_and(char::is_alphanumeric)
        && line.starts_with(char::is_alphanumeric)
        && !NEVER_JOINED.contains(&first)
}
