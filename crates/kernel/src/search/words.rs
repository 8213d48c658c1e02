//! The words that texts and queries are made of: the same on both databases, because the service makes them itself.
//!
//! Compatibility forms, case and diacritics make no difference; scripts without spaces between words are cut into
//! single characters and pairs.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Code points of the longest word.
pub const LONGEST: usize = 64;

/// A text as it is compared.
pub fn fold(text: &str) -> String {
    text.nfkc()
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .nfd()
        .filter(|character| !is_diacritic(*character))
        .nfc()
        .collect()
}

/// Marks that change no letter into another one.
fn is_diacritic(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{64b}'..='\u{65f}' | '\u{670}')
}

/// Characters of scripts that put no spaces between words.
fn is_dense(character: char) -> bool {
    matches!(character,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..='\u{2fdf}'
        | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

/// A run of characters of one sort.
enum Run {
    /// A word between spaces.
    Word(String),
    /// Characters of a script without spaces.
    Dense(Vec<char>),
}

fn runs(text: &str) -> Vec<Run> {
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

/// Every word of a text that the index holds, in order.
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

/// The pairs of characters in the parts of a text whose script has no spaces, each once.
pub fn pairs(text: &str) -> std::collections::BTreeSet<String> {
    let dense = runs(text).into_iter().filter_map(|run| match run {
        Run::Word(_) => None,
        Run::Dense(run) => Some(run),
    });
    dense.flat_map(|run| run.windows(2).map(|pair| pair.iter().collect()).collect::<Vec<String>>()).collect()
}

/// The words by which a part of a query is looked up: pairs where the script has no spaces.
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

/// A text as phrases are looked for in it: its words with one space round each, dense scripts character by character.
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
    fn case_forms_and_diacritics_make_no_difference() {
        assert_eq!(
            of_text("Ｆｕｌｌ Straße STRASSE naïve ΣΊΣΥΦΟΣ"),
            ["full", "strasse", "strasse", "naive", "σισυφοσ"]
        );
        assert_eq!(of_text("e-mail: a.b@example.org"), ["e", "mail", "a", "b", "example", "org"]);
        assert_eq!(of_text("किताब"), ["किताब"], "vowel signs are no diacritics");
    }

    #[test]
    fn scripts_without_spaces_are_cut_into_pairs() {
        assert_eq!(of_text("日本語"), ["日", "本", "語", "日本", "本語"]);
        assert_eq!(of_query("日本語"), ["日本", "本語"]);
        assert_eq!(of_query("猫"), ["猫"]);
        assert_eq!(of_query("Rust入門"), ["rust", "入門"]);
        assert_eq!(line("The 日本 end"), " the 日 本 end ");
    }

    #[test]
    fn a_word_has_an_end() {
        assert_eq!(of_text(&"a".repeat(500))[0].len(), LONGEST);
    }
}
