//! Splits texts and queries into words. The service does this itself, so that both databases contain the same words.
//!
//! Compatibility forms, case, and diacritics are ignored, and letters such as `ø` become plain letters.
//! Scripts without spaces between words, and Hangul, are split into single characters and pairs. A compound
//! with apostrophes or hyphens is also indexed as one word: `dont` for `don't`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Maximum length of a word in code points.
pub const LONGEST: usize = 64;
/// Maximum number of words that a compound joins.
const COMPOUND_PARTS: usize = 4;

/// Words of a text, each with its number of occurrences.
pub type WordCounts = BTreeMap<String, u16>;

/// Words of a text, as indexed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextWords {
    pub counts: WordCounts,
    /// Hashes of the words of the text's [`line()`], in order.
    pub order: Vec<u8>,
}

impl TextWords {
    pub fn of(text: &str) -> Self {
        let mut words = Self::default();
        for runs in chunks(text) {
            for word in indexed(&runs) {
                let count = words.counts.entry(word).or_default();
                *count = count.saturating_add(1);
            }
            for word in in_order(&runs) {
                words.order.extend(hash(&word).to_be_bytes());
            }
        }
        words
    }
}

/// Hash that identifies a word in an index.
pub fn hash(word: &str) -> u32 {
    crc32fast::hash(word.as_bytes())
}

/// Hashes of the words of a [`line()`], in order. If a line contains another line, its hashes contain the hashes of
/// that line.
pub fn order(line: &str) -> Vec<u8> {
    line.split_whitespace().flat_map(|word| hash(word).to_be_bytes()).collect()
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LineWord {
    pub(super) letters: String,
    /// True for characters of a script that is split into pairs.
    pub(super) is_dense: bool,
}

/// Ending of the last word of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The word is complete.
    Whole,
    /// The word is a prefix.
    Open,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryWord {
    pub word: String,
    /// Other words that match: the compound that contains the word (`email` for the `mail` of `e-mail`), and
    /// the form of the word in index rows of earlier versions, which folded fewer letters.
    pub alternatives: Vec<String>,
}

impl QueryWord {
    pub fn new(word: String) -> Self {
        Self { word, alternatives: Vec::new() }
    }

    /// The word and its alternatives.
    pub fn forms(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.word).chain(&self.alternatives).map(String::as_str)
    }
}

/// Normalizes a text for comparison.
pub fn fold(text: &str) -> String {
    fold_letters(&fold_marks(text))
}

/// Folds compatibility forms, case, and diacritics.
fn fold_marks(text: &str) -> String {
    text.nfkc()
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .nfd()
        .filter(|character| !is_diacritic(*character))
        .nfc()
        .collect()
}

/// Replaces the letters that [`fold_marks`] retains although they have a plain form.
fn fold_letters(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in text.chars() {
        match plain_letters(character) {
            Some(letters) => folded.push_str(letters),
            None => folded.push(character),
        }
    }
    folded
}

/// True for marks that do not change one letter into another.
fn is_diacritic(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{64b}'..='\u{65f}' | '\u{670}')
}

/// Plain form of a lower-case Latin letter that does not decompose, as in the transform Latin-ASCII of CLDR
/// (ICU). Letters of phonetic alphabets and medieval manuscripts are not included.
fn plain_letters(character: char) -> Option<&'static str> {
    Some(match character {
        'ⱥ' => "a",
        'æ' => "ae",
        'ƀ' | 'ɓ' | 'ƃ' => "b",
        'ƈ' | 'ȼ' | 'ɕ' => "c",
        'ð' | 'đ' | 'ɖ' | 'ɗ' | 'ƌ' | 'ȡ' => "d",
        'ɛ' | 'ɇ' => "e",
        'ƒ' => "f",
        'ǥ' | 'ɠ' | 'ɡ' => "g",
        'ħ' | 'ɦ' | 'ⱨ' => "h",
        'ƕ' => "hv",
        'ı' | 'ɨ' | 'ɩ' => "i",
        'ȷ' | 'ɉ' | 'ɟ' => "j",
        'ƙ' | 'ⱪ' => "k",
        'ł' | 'ƚ' | 'ɫ' | 'ȴ' | 'ⱡ' => "l",
        'ỻ' => "ll",
        'ɱ' => "m",
        'ŋ' | 'ɲ' | 'ƞ' | 'ȵ' => "n",
        'ø' => "o",
        'œ' => "oe",
        'ƣ' => "oi",
        'ƥ' | 'ᵽ' => "p",
        'ĸ' => "q",
        'ɍ' | 'ɽ' => "r",
        'ȿ' => "s",
        'ß' => "ss",
        'ŧ' | 'ƭ' | 'ʈ' | 'ƫ' | 'ȶ' | 'ⱦ' => "t",
        'þ' => "th",
        'ʉ' => "u",
        'ʋ' | 'ỽ' | 'ⱱ' => "v",
        'ⱳ' => "w",
        'ƴ' | 'ɏ' | 'ỿ' => "y",
        'ƶ' | 'ȥ' | 'ɀ' | 'ⱬ' => "z",
        _ => return None,
    })
}

/// True for characters of scripts that are split into pairs. Hangul is included: it has spaces, but particles are
/// attached to nouns.
fn is_dense(character: char) -> bool {
    is_hangul(character)
        || matches!(character,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..='\u{2fdf}'
        | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

/// True for Hangul syllables, and for Hangul letters outside syllables.
fn is_hangul(character: char) -> bool {
    matches!(character, '\u{1100}'..='\u{11ff}' | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7ff}')
}

/// True for apostrophes, hyphens, and invisible breaks, which separate the parts of a compound.
pub fn is_joiner(character: char) -> bool {
    matches!(
        character,
        '\'' | '-' | '\u{ad}' | '\u{2bb}' | '\u{2bc}' | '\u{200b}'
            ..='\u{200d}' | '\u{2010}' | '\u{2011}' | '\u{2018}' | '\u{2019}' | '\u{201b}'
    )
}

/// Run of characters of the same kind.
#[derive(Debug, PartialEq, Eq)]
struct CharacterRun {
    characters: String,
    /// True if the characters are of a script that is split into pairs.
    is_dense: bool,
    /// True if only a joiner separates the run from the previous run.
    is_joined: bool,
}

/// Separator between a character and the run before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    None,
    Joiner,
    Other,
}

/// Parts of a text between ASCII separators that are not joiners. A separator closes a run both before and after
/// folding, so each part can be folded separately, and ASCII parts need no Unicode folding.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let is_separator =
        |one: char| one.is_ascii() && !one.is_ascii_alphanumeric() && !matches!(one, '\'' | '-');
    text.split(is_separator).filter(|part| !part.is_empty())
}

/// Runs of each part of a text.
fn chunks(text: &str) -> impl Iterator<Item = Vec<CharacterRun>> {
    parts(text).map(runs)
}

/// Runs of a text before [`fold_letters`] replaces letters.
fn runs(text: &str) -> Vec<CharacterRun> {
    let folded = if text.is_ascii() { text.to_ascii_lowercase() } else { fold_marks(text) };
    if !folded.is_empty() && folded.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return vec![CharacterRun { characters: folded, is_dense: false, is_joined: false }];
    }
    let mut runs: Vec<CharacterRun> = Vec::new();
    let mut gap = Gap::Other;
    for character in folded.chars() {
        let continues = gap == Gap::None && is_combining_mark(character);
        if is_joiner(character) || !(character.is_alphanumeric() || continues) {
            gap = if gap == Gap::None && is_joiner(character) { Gap::Joiner } else { Gap::Other };
            continue;
        }
        let is_dense = is_dense(character);
        let last = runs
            .last_mut()
            .filter(|last| gap == Gap::None && (last.is_dense == is_dense || last.is_dense && continues));
        match last {
            Some(last) => last.characters.push(character),
            None => runs.push(CharacterRun {
                characters: character.into(),
                is_dense,
                is_joined: gap == Gap::Joiner,
            }),
        }
        gap = Gap::None;
    }
    runs
}

/// Compounds among runs: the positions of their parts, and their words without joiners. Dates and numbers are not
/// compounds.
fn compounds(runs: &[CharacterRun]) -> Vec<(Range<usize>, String)> {
    let mut compounds = Vec::new();
    let mut end = 0;
    for parts in runs.chunk_by(|_, next| next.is_joined) {
        let range = end..end + parts.len();
        end = range.end;
        if !(2..=COMPOUND_PARTS).contains(&parts.len()) || parts.iter().any(|part| part.is_dense) {
            continue;
        }
        let word: String = parts.iter().map(|part| fold_letters(&part.characters)).collect();
        if word.chars().any(char::is_alphabetic) && word.chars().count() <= LONGEST {
            compounds.push((range, word));
        }
    }
    compounds
}

fn cut(word: &str) -> String {
    word.chars().take(LONGEST).collect()
}

fn pairs_of(characters: &str) -> impl Iterator<Item = String> {
    characters
        .chars()
        .zip(characters.chars().skip(1))
        .map(|(one, next)| [one, next].iter().collect::<String>())
}

/// Indexed words of runs.
fn indexed(runs: &[CharacterRun]) -> Vec<String> {
    let mut words = Vec::with_capacity(runs.len());
    for run in runs {
        if run.is_dense {
            words.extend(run.characters.chars().map(String::from));
            words.extend(pairs_of(&run.characters));
        } else {
            words.push(cut(&fold_letters(&run.characters)));
        }
    }
    words.extend(compounds(runs).into_iter().map(|(_, word)| word));
    words
}

/// Words of runs in the form in which a [`line()`] contains them.
fn in_order(runs: &[CharacterRun]) -> impl Iterator<Item = String> {
    runs.iter().flat_map(|run| {
        if run.is_dense {
            run.characters.chars().map(String::from).collect::<Vec<_>>()
        } else {
            vec![fold_letters(&run.characters)]
        }
    })
}

/// Indexed words of a text, in order. A compound follows its parts.
pub fn of_text(text: &str) -> Vec<String> {
    chunks(text).flat_map(|runs| indexed(&runs)).collect()
}

/// Number of occurrences of each selected word among the words of [`of_text`]. For speed, the words are not collected
/// and plain ASCII words are not folded: a search ranks thousands of texts.
pub fn occurrences(text: &str, selected: &[&str]) -> Vec<u16> {
    let mut counts = vec![0; selected.len()];
    for part in parts(text) {
        if part.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            let word = &part[..part.len().min(LONGEST)];
            count_if(&mut counts, selected, |one| one.eq_ignore_ascii_case(word));
        } else {
            for word in indexed(&runs(part)) {
                count_if(&mut counts, selected, |one| one == word);
            }
        }
    }
    counts
}

/// Increments the counts of the selected words that fulfil a condition.
fn count_if(counts: &mut [u16], selected: &[&str], is_equal: impl Fn(&str) -> bool) {
    for (count, one) in counts.iter_mut().zip(selected) {
        if is_equal(one) {
            *count = count.saturating_add(1);
        }
    }
}

/// Distinct indexed words of a text that its [`line()`] does not contain: pairs of characters, and compounds.
pub fn pairs_and_compounds(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for runs in chunks(text) {
        words.extend(runs.iter().filter(|run| run.is_dense).flat_map(|run| pairs_of(&run.characters)));
        words.extend(compounds(&runs).into_iter().map(|(_, word)| word));
    }
    words
}

/// Words that are searched for a part of a query. Scripts without spaces are split into pairs only.
pub fn of_query(text: &str) -> Vec<QueryWord> {
    chunks(text).flat_map(|runs| query_words(&runs)).collect()
}

fn query_words(runs: &[CharacterRun]) -> Vec<QueryWord> {
    let compounds = compounds(runs);
    let mut words = Vec::new();
    for (index, run) in runs.iter().enumerate() {
        let earlier_form = cut(&run.characters);
        if run.is_dense {
            let mut pairs: Vec<QueryWord> = pairs_of(&run.characters).map(QueryWord::new).collect();
            if pairs.is_empty() {
                pairs.push(QueryWord::new(run.characters.clone()));
            } else if run.characters.chars().all(is_hangul) {
                for pair in &mut pairs {
                    pair.alternatives.push(earlier_form.clone());
                }
            }
            words.extend(pairs);
            continue;
        }
        let mut word = QueryWord::new(cut(&fold_letters(&run.characters)));
        if word.word != earlier_form {
            word.alternatives.push(earlier_form);
        }
        let compound = compounds.iter().find(|(range, _)| range.contains(&index));
        word.alternatives.extend(compound.map(|(_, compound)| compound.clone()));
        words.push(word);
    }
    words
}

/// Line in which phrases are searched: words with a space on each side. In scripts without spaces, each character is a
/// word.
pub fn line(text: &str) -> String {
    let mut line = String::from(" ");
    for runs in chunks(text) {
        for word in in_order(&runs) {
            line.push_str(&word);
            line.push(' ');
        }
    }
    line
}

/// Words of a [`line()`]. Adjacent characters of a script without spaces are one word.
pub(super) fn line_words(text: &str) -> Vec<LineWord> {
    let word = |run: CharacterRun| {
        let letters = if run.is_dense { run.characters } else { fold_letters(&run.characters) };
        LineWord { letters, is_dense: run.is_dense }
    };
    chunks(text).flatten().map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &str) -> Vec<String> {
        of_query(text).iter().map(|word| word.forms().collect::<Vec<_>>().join("|")).collect()
    }

    #[test]
    fn case_forms_and_diacritics_are_ignored() {
        assert_eq!(
            of_text("Ｆｕｌｌ Straße STRASSE naïve ΣΊΣΥΦΟΣ"),
            ["full", "strasse", "strasse", "naive", "σισυφοσ"]
        );
        assert_eq!(of_text("a.b@example.org"), ["a", "b", "example", "org"]);
        assert_eq!(of_text("किताब"), ["किताब"], "vowel signs are no diacritics");
    }

    #[test]
    fn letters_that_do_not_decompose_are_folded_to_plain_letters() {
        for (text, plain) in [
            ("Łódź żółw", "lodz zolw"),
            ("cœur Œuvre", "coeur oeuvre"),
            ("Ærø Smørrebrød Ǿ", "aero smorrebrod o"),
            ("Þingvellir garður", "thingvellir gardur"),
            ("STRAẞE", "strasse"),
            ("Đakovo Ħaż-Żebbuġ Ŋ ŧ ı İ ǥ", "dakovo haz zebbug n t i i g"),
            ("Ɓatɔnu Ǆ ﬂøde", "batɔnu dz flode"),
            ("йод", "иод"),
        ] {
            assert_eq!(line(text).trim(), plain, "{text}");
            assert_eq!(line(&text.to_uppercase()), line(text), "{text}");
        }
        assert_eq!(fold("L'Œuvre-Ł"), "l'oeuvre-l");
        assert_eq!(query("Łódź øl"), ["lodz|łodz", "ol|øl"], "rows of earlier versions match");
    }

    #[test]
    fn scripts_without_spaces_are_split_into_pairs() {
        assert_eq!(of_text("日本語"), ["日", "本", "語", "日本", "本語"]);
        assert_eq!(query("日本語"), ["日本", "本語"]);
        assert_eq!(query("猫"), ["猫"]);
        assert_eq!(query("Rust入門"), ["rust", "入門"]);
        assert_eq!(line("The 日本 end"), " the 日 本 end ");
    }

    #[test]
    fn hangul_is_split_into_pairs() {
        let words = of_text("도서관에서 책을 읽었다. 한국어문학");
        for word in ["도서관", "책", "문학", "도서관에서 책을", "한국어"] {
            assert!(of_query(word).iter().all(|one| words.contains(&one.word)), "{word}");
        }
        assert_eq!(
            query("도서관 책"),
            ["도서|도서관", "서관|도서관", "책"],
            "rows of earlier versions match"
        );
        assert_eq!(query("AI는"), ["ai", "는"]);
        let decomposed: String = "문학".nfd().collect();
        assert_eq!(of_text(&decomposed), ["문", "학", "문학"]);
    }

    #[test]
    fn compound_is_indexed_as_its_parts_and_as_one_word() {
        for text in ["don't", "DON’T", "donʼt", "don‘t", "don＇t"] {
            assert_eq!(of_text(text), ["don", "t", "dont"], "{text}");
            assert_eq!(query(text), ["don|dont", "t|dont"], "{text}");
        }
        assert_eq!(of_text("e-mail"), ["e", "mail", "email"]);
        assert_eq!(
            of_text("Wi‑Fi GPT-4 l’été"),
            ["wi", "fi", "wifi", "gpt", "4", "gpt4", "l", "ete", "lete"]
        );
        assert_eq!(of_text("exam\u{ad}ple"), ["exam", "ple", "example"]);
        assert_eq!(of_text("state-of-the-art").last().unwrap(), "stateoftheart");
        assert_eq!(line("Don't e-mail"), " don t e mail ");
        for text in ["a -b", "a- b", "a--b", "-a", "a'", "2026-11-25", "a-b-c-d-e", "日-本", "a_b", "a–b"]
        {
            assert!(pairs_and_compounds(text).is_empty(), "{text}");
        }
        assert!(pairs_and_compounds(&format!("{}-b", "a".repeat(LONGEST))).is_empty());
        assert_eq!(
            pairs_and_compounds("Rock'n'roll in 日本語").into_iter().collect::<Vec<_>>(),
            ["rocknroll", "日本", "本語"]
        );
    }

    #[test]
    fn parts_of_a_text_are_folded_like_the_whole_text() {
        let texts = [
            "An e\u{301}t\u{e9} of \u{391}\u{3a3}, =\u{338} \u{301}a <\u{338}b \u{ff01}c\u{ff21}d",
            "\u{915}\u{93f} 1\u{93f}-\u{93f}2 a\u{1f1e6}b \u{2460}x\u{2167} \u{fb01}n, \u{65e5}a\u{672c}b",
            "\u{110} \u{130}stanbul \u{2122}x \u{bd}y a\u{ad}b c\u{200d}d o'\u{301}b -\u{308}e-f \u{301}",
        ];
        for text in texts {
            assert_eq!(chunks(text).flatten().collect::<Vec<_>>(), runs(text), "{text}");
        }
    }

    #[test]
    fn phrase_matches_adjacent_words_of_a_text() {
        let TextWords { counts, order: words } = TextWords::of("Łódź isn't a 日本 city, and a city");
        assert_eq!((counts["a"], counts["isnt"], counts["日本"]), (2, 1, 1));
        assert_eq!(words, order(&line("Łódź isn't a 日本 city, and a city")));
        let contains = |phrase| {
            let phrase = order(&line(phrase));
            words.windows(phrase.len()).any(|part| part == phrase)
        };
        assert!(contains("lodz isn’t") && contains("日本 city and") && !contains("a city a"));
    }

    #[test]
    fn occurrences_equal_the_counts_of_indexed_words() {
        let text = format!(
            "A boat, two BOATS; Boats' boat-house, boat_boat. Łódź e\u{301}t\u{e9} ete 日本 日 {} Houseboat",
            "Boat".repeat(30)
        );
        let long = "boat".repeat(16);
        let selected = ["boat", "boats", "boathouse", "house", "lodz", "ete", "日", "日本", "none", &long];
        let words = of_text(&text);
        let counts = occurrences(&text, &selected);
        for (one, count) in selected.iter().zip(&counts) {
            let expected = words.iter().filter(|word| word == one).count();
            assert_eq!(usize::from(*count), expected, "{one}");
        }
        assert_eq!(counts[..3], [4, 2, 1]);
        assert_eq!(counts[9], 1, "a long word is truncated");
        assert!(occurrences(&text, &[]).is_empty());
    }

    #[test]
    fn long_word_is_truncated() {
        assert_eq!(of_text(&"a".repeat(500))[0].len(), LONGEST);
    }
}
