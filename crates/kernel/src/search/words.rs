//! Splits texts and queries into words. The service does this itself, so that both databases contain the same
//! words.
//!
//! Compatibility forms, case, and diacritics are ignored. Scripts without spaces between words are split into
//! single characters and pairs.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Maximum length of a word in code points.
pub const LONGEST: usize = 64;

/// Words of a text with the number of their occurrences.
pub type WordCounts = BTreeMap<String, u16>;

/// Counts the words of a text.
pub fn count(text: &str) -> WordCounts {
    let mut counted = WordCounts::new();
    for word in of_text(text) {
        let count = counted.entry(word).or_default();
        *count = count.saturating_add(1);
    }
    counted
}

/// Normalizes a text for comparison.
pub fn fold(text: &str) -> String {
    text.nfkc()
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .nfd()
        .filter(|character| !is_diacritic(*character))
        .nfc()
        .collect()
}

/// Marks that do not change one letter into another.
fn is_diacritic(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{64b}'..='\u{65f}' | '\u{670}')
}

/// Characters of scripts without spaces between words.
fn is_dense(character: char) -> bool {
    matches!(character,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..='\u{2fdf}'
        | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

/// Run of characters of the same kind.
enum Run {
    /// Word of a script with spaces.
    Word(String),
    /// Characters of a script without spaces.
    Dense(Vec<char>),
}

/// Runs of a text, in order. ASCII separators end a run before and after folding, so the text is folded in
/// parts, and parts of ASCII letters and digits need no Unicode folding.
fn runs(text: &str) -> impl Iterator<Item = Run> {
    let parts = text.split(|character: char| character.is_ascii() && !character.is_ascii_alphanumeric());
    parts.filter(|part| !part.is_empty()).flat_map(|part| {
        if part.is_ascii() {
            return vec![Run::Word(part.to_ascii_lowercase())];
        }
        folded_runs(part)
    })
}

/// Runs of a text without ASCII separators.
fn folded_runs(text: &str) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut inside = false;
    for character in fold(text).chars() {
        let goes_on = inside && is_combining_mark(character);
        if !character.is_alphanumeric() && !goes_on {
            inside = false;
            continue;
        }
        match runs.last_mut().filter(|_| inside) {
            Some(Run::Dense(run)) if is_dense(character) || goes_on => run.push(character),
            Some(Run::Word(word)) if !is_dense(character) => word.push(character),
            Some(_) | None if is_dense(character) => runs.push(Run::Dense(vec![character])),
            Some(_) | None => runs.push(Run::Word(character.into())),
        }
        inside = true;
    }
    runs
}

fn cut(word: &str) -> String {
    word.chars().take(LONGEST).collect()
}

/// Words of a text that are indexed, in order.
pub fn of_text(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for run in runs(text) {
        match run {
            Run::Word(word) => words.push(cut(&word)),
            Run::Dense(run) => {
                words.extend(run.iter().map(char::to_string));
                words.extend(run.windows(2).map(|pair| pair.iter().collect()));
            }
        }
    }
    words
}

/// Distinct pairs of characters in the parts of a text that are in a script without spaces.
pub fn pairs(text: &str) -> std::collections::BTreeSet<String> {
    let dense = runs(text).filter_map(|run| match run {
        Run::Word(_) => None,
        Run::Dense(run) => Some(run),
    });
    dense.flat_map(|run| run.windows(2).map(|pair| pair.iter().collect()).collect::<Vec<String>>()).collect()
}

/// Words by which a part of a query is searched. Scripts without spaces are split into pairs only.
pub fn of_query(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for run in runs(text) {
        match run {
            Run::Word(word) => words.push(cut(&word)),
            Run::Dense(run) if run.len() == 1 => words.extend(run.iter().map(char::to_string)),
            Run::Dense(run) => words.extend(run.windows(2).map(|pair| pair.iter().collect::<String>())),
        }
    }
    words
}

/// Line in which phrases are searched: words with a space on each side, and scripts without spaces character
/// by character.
pub fn line(text: &str) -> String {
    let mut line = String::from(" ");
    for run in runs(text) {
        match run {
            Run::Word(word) => {
                line.push_str(&word);
                line.push(' ');
            }
            Run::Dense(run) => {
                for character in run {
                    line.push(character);
                    line.push(' ');
                }
            }
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_forms_and_diacritics_are_ignored() {
        assert_eq!(
            of_text("Ｆｕｌｌ Straße STRASSE naïve ΣΊΣΥΦΟΣ"),
            ["full", "strasse", "strasse", "naive", "σισυφοσ"]
        );
        assert_eq!(of_text("e-mail: a.b@example.org"), ["e", "mail", "a", "b", "example", "org"]);
        assert_eq!(of_text("किताब"), ["किताब"], "vowel signs are no diacritics");
    }

    #[test]
    fn scripts_without_spaces_are_split_into_pairs() {
        assert_eq!(of_text("日本語"), ["日", "本", "語", "日本", "本語"]);
        assert_eq!(of_query("日本語"), ["日本", "本語"]);
        assert_eq!(of_query("猫"), ["猫"]);
        assert_eq!(of_query("Rust入門"), ["rust", "入門"]);
        assert_eq!(line("The 日本 end"), " the 日 本 end ");
    }

    #[test]
    fn parts_of_a_text_are_folded_like_the_whole_text() {
        let texts = [
            "An e\u{301}t\u{e9} of \u{391}\u{3a3}, =\u{338} \u{301}a <\u{338}b \u{ff01}c\u{ff21}d",
            "\u{915}\u{93f} 1\u{93f}-\u{93f}2 a\u{1f1e6}b \u{2460}x\u{2167} \u{fb01}n, \u{65e5}a\u{672c}b",
            "\u{110} \u{130}stanbul \u{2122}x \u{bd}y a\u{ad}b c\u{200d}d",
        ];
        let words_of = |runs: Vec<Run>| -> Vec<String> {
            let text = |run| match run {
                Run::Word(word) => word,
                Run::Dense(run) => run.into_iter().collect(),
            };
            runs.into_iter().map(text).collect()
        };
        for text in texts {
            assert_eq!(words_of(runs(text).collect()), words_of(folded_runs(text)), "{text}");
        }
    }

    #[test]
    fn long_word_is_cut() {
        assert_eq!(of_text(&"a".repeat(500))[0].len(), LONGEST);
    }
}
