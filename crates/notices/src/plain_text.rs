//! Sanitizes texts from pages before they become part of a message.

/// Maximum number of characters in a text that comes from a page.
const MAX_TEXT_CHARS: usize = 300;
/// Maximum number of characters in the lines of a change.
pub(super) const MAX_CHANGE_CHARS: usize = 1_000;

/// Converts a text to one line: removes control characters and characters that reorder text, and limits the
/// length.
pub(super) fn one_line(text: &str) -> String {
    let words: String = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
    sanitized(&words.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "))
}

/// Removes control characters and characters that reorder text, and limits the length.
pub(super) fn sanitized(text: &str) -> String {
    sanitized_to(text, MAX_TEXT_CHARS)
}

/// Like [`sanitized`], but with at most `most` characters.
pub(super) fn sanitized_to(text: &str, most: usize) -> String {
    truncate(&without_controls(text), most)
}

/// Removes control characters, except line breaks, and characters that reorder text.
pub(super) fn without_controls(text: &str) -> String {
    let mut clean: String = text.chars().filter(|c| *c == '\n' || !c.is_control()).collect();
    extract::clean::strip_controls(&mut clean);
    clean
}

/// Returns the start of a text, with an ellipsis if the text was shortened.
pub(super) fn truncate(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// Changes a text so that mail programs create no links: dots in words that resemble a URL are put in
/// brackets.
pub(super) fn unlinked(text: &str) -> String {
    let word = |word: &str| {
        if resembles_link(word) { word.replace("://", "[:]//").replace('.', "[.]") } else { word.to_owned() }
    };
    text.split_inclusive(char::is_whitespace).map(word).collect()
}

fn resembles_link(word: &str) -> bool {
    let names = word.split('.').skip(1);
    let mut suffix_lengths = names.map(|end| end.chars().take_while(|c| c.is_alphabetic()).count());
    word.contains("://") || word.contains('@') || suffix_lengths.any(|letters| letters >= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_page_contains_no_link() {
        for (page, mail) in [
            ("costs 3.50 now", "costs 3.50 now"),
            ("see https://evil.example/x now", "see https[:]//evil[.]example/x now"),
            ("evil.example", "evil[.]example"),
            ("e.g. this. And that", "e.g. this. And that"),
            ("me@evil.example", "me@evil[.]example"),
        ] {
            assert_eq!(unlinked(page), mail);
        }
    }
}
