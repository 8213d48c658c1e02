//! Passages in the text of a cell: lines that begin with `Highlight:`, each followed by the lines of its
//! note, which begin with `Note:`. Exports of Raindrop and Diigo contain them.

use super::row::ImportedHighlight;
use super::values;

/// Prefix of the first line of a passage.
pub(super) const HIGHLIGHT: &str = "Highlight:";
/// Prefix of the first line of a note.
const NOTE: &str = "Note:";

/// Reads the passages of a cell.
pub(super) fn highlights_of(cell: &str) -> Vec<ImportedHighlight> {
    let mut highlights: Vec<ImportedHighlight> = Vec::new();
    let mut is_note = false;
    for line in cell.lines() {
        if let Some(quote) = line.strip_prefix(HIGHLIGHT) {
            highlights
                .push(ImportedHighlight { quote: quote.trim().to_owned(), ..ImportedHighlight::default() });
            is_note = false;
            continue;
        }
        let noted = line.strip_prefix(NOTE);
        is_note |= noted.is_some();
        let words = noted.unwrap_or(line).trim();
        match highlights.last_mut() {
            Some(last) => {
                let text = if is_note { last.note.get_or_insert_default() } else { &mut last.quote };
                text.push('\n');
                text.push_str(words);
            }
            None if !words.is_empty() => {
                highlights
                    .push(ImportedHighlight { quote: words.to_owned(), ..ImportedHighlight::default() });
            }
            None => {}
        }
    }
    for highlight in &mut highlights {
        highlight.quote = highlight.quote.trim().to_owned();
        highlight.note = highlight.note.take().and_then(|note| values::text(&note));
    }
    highlights.retain(|highlight| !highlight.quote.is_empty() || highlight.note.is_some());
    highlights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_cell_are_passages_with_notes() {
        let cell = "Highlight:one\ntwo\nNote:n\n\nHighlight:three\nHighlight:\nNote: only a note";
        let read = highlights_of(cell);
        let read: Vec<_> = read.iter().map(|one| (one.quote.as_str(), one.note.as_deref())).collect();
        assert_eq!(read, [("one\ntwo", Some("n")), ("three", None), ("", Some("only a note"))]);
        assert_eq!(highlights_of(&"Highlight:x\n".repeat(3)).len(), 3);
        let long = format!("Highlight:x{}", "\ny".repeat(500_000));
        assert_eq!(highlights_of(&long)[0].quote.len(), 1 + 2 * 500_000);
    }
}
