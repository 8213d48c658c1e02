//! Reads the highlights of an article in Omnivore archives: Markdown with each quote after `>`, then its
//! labels, then its note. Notes on the whole article end with an empty paragraph.

use super::row::ImportedHighlight;

/// Highlights of a file, and the notes on the whole article.
pub fn omnivore_marks(text: &str) -> (Vec<ImportedHighlight>, Option<String>) {
    let text = text.replace("\r\n", "\n");
    let parts: Vec<&str> = text.split("\n\n").map(|part| part.trim_matches(['\n', ' '])).collect();
    let (mut marked, mut notes): (Vec<ImportedHighlight>, Vec<String>) = (Vec::new(), Vec::new());
    for (index, part) in parts.iter().enumerate() {
        if part.is_empty() {
            continue;
        }
        if part.starts_with('>') {
            marked.push(ImportedHighlight { quote: quote_of(part), ..ImportedHighlight::default() });
            continue;
        }
        let is_article_note = parts.get(index + 1).is_some_and(|next| next.is_empty());
        match marked.last_mut().filter(|_| !is_article_note) {
            Some(last) if last.tags.is_empty() && last.note.is_none() && is_labels(part) => {
                last.tags = labels_of(part);
            }
            Some(last) => match &mut last.note {
                Some(note) => {
                    note.push_str("\n\n");
                    note.push_str(part);
                }
                None => last.note = Some((*part).to_owned()),
            },
            None => notes.push((*part).to_owned()),
        }
    }
    marked.retain(|highlight| !highlight.quote.is_empty());
    (marked, (!notes.is_empty()).then(|| notes.join("\n\n")))
}

/// A quote without its `>` marks. A line with a mark begins a paragraph.
fn quote_of(part: &str) -> String {
    let mut quote = String::with_capacity(part.len());
    for line in part.lines() {
        let (line, is_paragraph) = match line.strip_prefix('>') {
            Some(line) => (line, true),
            None => (line, false),
        };
        if !quote.is_empty() {
            quote.push_str(if is_paragraph { "\n\n" } else { "\n" });
        }
        quote.push_str(line.trim());
    }
    quote.trim().to_owned()
}

fn is_labels(part: &str) -> bool {
    part.starts_with('#') && !part.contains('\n') && !part.starts_with("# ")
}

/// Splits labels at their marks; a label may contain spaces.
fn labels_of(part: &str) -> Vec<String> {
    let labels = part.split(" #").map(|label| label.trim_start_matches('#').trim());
    labels.filter(|label| !label.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_of_a_long_note_are_joined() {
        let text = format!("> Desks\n\n{}", "a\n\n".repeat(400_000));
        let (marked, last) = omnivore_marks(&text);
        assert_eq!(marked[0].note.as_ref().map_or(0, String::len), 399_999 * 3 - 2);
        assert_eq!(last.as_deref(), Some("a"));
    }

    #[test]
    fn highlights_and_article_have_their_own_notes() {
        let text = "> Two desks\n> stand here. \n\n#to read #quiet\n\nWhy two?\n\nOr three?\n\n> A lamp \n\n> Light \n\n\
                    at night\n\nOf the whole.\n\n\n\n> Last \n\n#1 is a number, no label\nand more";
        let (marked, note) = omnivore_marks(text);
        let quotes_with_notes: Vec<(&str, Option<&str>)> =
            marked.iter().map(|one| (one.quote.as_str(), one.note.as_deref())).collect();
        let expected = [
            ("Two desks\n\nstand here.", Some("Why two?\n\nOr three?")),
            ("A lamp", None),
            ("Light", Some("at night")),
            ("Last", Some("#1 is a number, no label\nand more")),
        ];
        assert_eq!(quotes_with_notes, expected);
        assert_eq!(marked[0].tags, ["to read", "quiet"]);
        assert_eq!(note.as_deref(), Some("Of the whole."));
        assert_eq!(omnivore_marks(" \n\n>\n"), (Vec::new(), None));
    }
}
