//! Pieces of a text: words, numbered links such as `<1>words</1>`, and marks where markup is inserted.

/// Character before the number of inserted markup. It is a private-use character, which texts do not contain.
const BEFORE: char = '\u{e000}';
/// Character after the number of inserted markup.
const AFTER: char = '\u{e001}';

/// Returns the mark where the markup with this number is inserted.
pub(super) fn mark(number: usize) -> String {
    format!("{BEFORE}{number}{AFTER}")
}

/// Splits a text at its marks. Each part has the number of the mark before it.
pub(super) fn split_at_marks(text: &str) -> Vec<(Option<usize>, &str)> {
    let mut parts = text.split(BEFORE);
    let mut pieces = vec![(None, parts.next().unwrap_or_default())];
    for part in parts {
        let (number, words) = part.split_once(AFTER).unwrap_or(("", part));
        pieces.push((number.parse().ok(), words));
    }
    pieces
}

/// Splits a text at its links. The parts of a link have the number of the link, from 0.
pub(super) fn split_at_links(text: &str) -> Vec<(Option<usize>, &str)> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, number, words, after)) = next_link(rest) {
        pieces.push((None, before));
        pieces.push((Some(number), words));
        rest = after;
    }
    pieces.push((None, rest));
    pieces
}

fn next_link(text: &str) -> Option<(&str, usize, &str, &str)> {
    let (before, opened) = text.split_once('<')?;
    let (number, rest) = opened.split_once('>')?;
    let (words, after) = rest.split_once(format!("</{number}>").as_str())?;
    Some((before, number.parse::<usize>().ok()?.checked_sub(1)?, words, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_split_at_links_and_marks() {
        assert_eq!(
            split_at_links("Read <1>this</1> or <2>that</2>."),
            [(None, "Read "), (Some(0), "this"), (None, " or "), (Some(1), "that"), (None, ".")]
        );
        for plain in ["no link", "1 < 2", "<0>none</0>", "<1>open", "<b>bold</b>"] {
            assert_eq!(split_at_links(plain), [(None, plain)]);
        }
        let text = format!("a {} b {}", mark(1), mark(0));
        assert_eq!(split_at_marks(&text), [(None, "a "), (Some(1), " b "), (Some(0), "")]);
    }
}
