//! Plain text of sources and answers: without control characters, cut to a length.

use feeds::Entry;

use crate::prompt::MAX_ENTRY_CHARS;

/// Text that was cut to a length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CutText {
    pub(crate) text: String,
    /// True if characters are missing at the end.
    pub(crate) is_partial: bool,
}

/// Returns the first `max_chars` characters of paragraphs, which are separated by line breaks.
pub(crate) fn cut_paragraphs<'a>(paragraphs: impl Iterator<Item = &'a str>, max_chars: usize) -> CutText {
    let (mut text, mut remaining) = (String::new(), max_chars);
    for paragraph in paragraphs {
        for character in paragraph.chars().chain(['\n']).filter(|character| is_plain(*character)) {
            if remaining == 0 {
                return CutText { text, is_partial: true };
            }
            text.push(character);
            remaining -= 1;
        }
    }
    CutText { text, is_partial: false }
}

/// Text that was split into passages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SplitText {
    /// At least one passage. If the text is empty, the passage is empty.
    pub(crate) passages: Vec<String>,
    /// True if characters are missing at the end.
    pub(crate) is_partial: bool,
}

/// Splits paragraphs into at most `max_passages` passages of at most `max_chars` characters. Only a paragraph that is longer
/// than a passage is divided.
pub(crate) fn split_paragraphs<'a>(
    paragraphs: impl Iterator<Item = &'a str>,
    max_chars: usize,
    max_passages: usize,
) -> SplitText {
    let (mut passages, mut passage, mut length) = (Vec::new(), String::new(), 0);
    // One more character than all passages have, so that a longer paragraph is known to be cut.
    let max_read = max_chars.saturating_mul(max_passages).saturating_add(1);
    for paragraph in paragraphs {
        let characters = paragraph.chars().chain(['\n']).filter(|character| is_plain(*character));
        let plain: Vec<char> = characters.take(max_read).collect();
        for part in plain.chunks(max_chars) {
            if length + part.len() > max_chars {
                passages.push(std::mem::take(&mut passage));
                length = 0;
                if passages.len() == max_passages {
                    return SplitText { passages, is_partial: true };
                }
            }
            passage.extend(part);
            length += part.len();
        }
    }
    passages.push(passage);
    SplitText { passages, is_partial: false }
}

/// Returns the first `max_chars` characters of a text without white space at its start and end.
pub(crate) fn cut_lines(text: &str, max_chars: usize) -> CutText {
    // The line break that follows the last line does not count.
    let cut = cut_paragraphs(text.trim().lines(), max_chars.saturating_add(1));
    let text: String = cut.text.chars().take(max_chars).collect();
    CutText { text: text.trim().to_owned(), is_partial: cut.is_partial }
}

/// Returns a text on one line. A longer text is cut and marked with an ellipsis.
pub(crate) fn single_line(text: &str, max_chars: usize) -> String {
    let mut line = String::new();
    let mut count = 0;
    for word in text.split_whitespace() {
        let word: String = word.chars().filter(|character| is_plain(*character)).collect();
        let needed = word.chars().count() + usize::from(count > 0);
        if word.is_empty() {
            continue;
        }
        if count + needed > max_chars {
            let left = max_chars.saturating_sub(count + 2);
            if count == 0 {
                line.extend(word.chars().take(left));
            }
            line.push('…');
            return line;
        }
        if count > 0 {
            line.push(' ');
        }
        line.push_str(&word);
        count += needed;
    }
    line
}

/// Returns the title and the beginning of the summary of an entry. `None` if it has neither: its URL is not sent, because
/// it may be the URL of the feed, which may contain a secret.
pub(crate) fn text_of_entry(entry: &Entry, max_title_chars: usize) -> Option<String> {
    let title = single_line(entry.title_unless_url().unwrap_or_default(), max_title_chars);
    let summary = single_line(entry.summary.as_deref().unwrap_or_default(), MAX_ENTRY_CHARS);
    let is_empty = title.is_empty() && summary.is_empty();
    (!is_empty).then(|| format!("{title}\n{summary}"))
}

/// Returns false for control characters, and for characters that change the direction of the following text.
fn is_plain(character: char) -> bool {
    let is_direction = matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (!character.is_control() || character == '\n') && !is_direction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_cut_at_the_limit() {
        let cut = |max| cut_paragraphs(["one", "two"].into_iter(), max);
        assert_eq!(cut(8), CutText { text: "one\ntwo\n".to_owned(), is_partial: false });
        assert_eq!(cut(5), CutText { text: "one\nt".to_owned(), is_partial: true });
    }

    #[test]
    fn paragraphs_are_divided_only_if_they_are_longer_than_a_passage() {
        let split =
            |most| split_paragraphs(["one", "two", "three", "a", "twelve letters"].into_iter(), 8, most);
        let passages = ["one\ntwo\n", "three\na\n", "twelve l", "etters\n"];
        assert_eq!(split(4), SplitText { passages: passages.map(str::to_owned).to_vec(), is_partial: false });
        let beginning = passages[..3].iter().map(|passage| (*passage).to_owned()).collect();
        assert_eq!(split(3), SplitText { passages: beginning, is_partial: true });
        assert_eq!(split_paragraphs([].into_iter(), 8, 1).passages, [""]);
        let cut = split_paragraphs(["twelve letters"].into_iter(), 8, 1);
        assert_eq!(cut, SplitText { passages: vec!["twelve l".to_owned()], is_partial: true });
    }

    #[test]
    fn text_of_the_maximum_length_is_not_cut() {
        let cut = |text| cut_lines(text, 7);
        assert_eq!(cut(" one\ntwo \n"), CutText { text: "one\ntwo".to_owned(), is_partial: false });
        assert_eq!(cut("one\ntwos"), CutText { text: "one\ntwo".to_owned(), is_partial: true });
        assert_eq!(cut(" \n\u{7}"), CutText { text: String::new(), is_partial: false });
    }

    #[test]
    fn single_line_has_no_control_characters_and_is_cut_between_words() {
        assert_eq!(single_line(" a\n\u{7}b \u{202e}c ", 10), "a b c");
        assert_eq!(single_line("harbour lamps", 10), "harbour…");
        assert_eq!(single_line("harbourlamps", 10), "harbourl…");
        assert_eq!(single_line("", 10), "");
    }
}
