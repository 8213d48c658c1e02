//! How entries and searches are compared: without case in every script, and without the differences between ways
//! of writing the same characters.

use unicode_normalization::UnicodeNormalization;

/// A text as searches compare it. Characters go to capitals before they go to small letters: `ß` is `ss`, and each
/// sigma is the same.
pub(super) fn fold(text: &str) -> String {
    text.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkc().collect()
}

/// What is searched of an entry.
pub(super) fn of_entry(title: Option<&str>, summary: Option<&str>, author: Option<&str>) -> String {
    let texts: Vec<&str> = [title, summary, author].into_iter().flatten().collect();
    fold(&texts.join("\n"))
}

/// The words of a search, each once.
pub(super) fn words(query: &str) -> Vec<String> {
    let folded = fold(query);
    let mut words: Vec<String> = Vec::new();
    for word in folded.split_whitespace() {
        if !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    }
    words
}
