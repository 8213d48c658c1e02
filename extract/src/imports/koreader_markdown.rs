//! Highlights of `KOReader` as Markdown: headings with the title, the author, and the chapters of a book, and
//! a heading with page and time for each passage.

use super::row::{ImportRow, ImportedHighlight, RowResult};
use super::values;

const TITLE: &str = "# ";
const CHAPTER: &str = "## ";
const PASSAGE: &str = "### ";
const AUTHOR: &str = "##### ";
/// Line between a passage and its note.
const NOTE: &str = "---";
/// Separator of the page and the time of a passage.
const TIME: &str = " @ ";
/// Marks before and after a passage, according to its style.
const STYLES: [(&str, &str); 7] =
    [("**_", "_**"), ("**", "**"), ("==", "=="), ("++", "++"), ("~~", "~~"), ("<u>", "</u>"), ("*", "*")];

/// True if the file contains passages.
pub(super) fn is_highlights(text: &str) -> bool {
    text.starts_with(TITLE)
        && text.lines().any(|line| line.starts_with(AUTHOR))
        && text.lines().any(is_passage)
}

fn is_passage(line: &str) -> bool {
    let about = line.strip_prefix(PASSAGE).and_then(|about| about.rsplit_once(TIME));
    about.is_some_and(|(page, time)| {
        page.contains(|c: char| c.is_ascii_digit()) && values::time(time).is_some()
    })
}

/// Reads the books of a file.
pub(super) fn highlights(text: &str, visit: &mut dyn FnMut(RowResult)) {
    let mut book: Option<ImportRow> = None;
    let (mut chapter, mut is_note): (Option<&str>, bool) = (None, false);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        // The line of the author follows the line of the title.
        let is_title = book.is_none() || lines.peek().is_some_and(|next| next.starts_with(AUTHOR));
        if let Some(title) = line.strip_prefix(TITLE).filter(|_| is_title) {
            finish(book.take(), visit);
            book = Some(ImportRow { title: values::text(title), ..ImportRow::default() });
            (chapter, is_note) = (None, false);
            continue;
        }
        let Some(book) = &mut book else { continue };
        let has_passages = !book.highlights.is_empty();
        if let Some(author) = line.strip_prefix(AUTHOR).filter(|_| !has_passages && book.author.is_none()) {
            book.author = values::text(author);
        } else if is_passage(line) {
            book.highlights.push(passage(line, chapter));
            is_note = false;
        } else if let Some(name) = line.strip_prefix(CHAPTER) {
            chapter = Some(name.trim());
        } else if let Some(last) = book.highlights.last_mut() {
            if line == NOTE && !is_note {
                is_note = true;
                continue;
            }
            let words = if is_note { last.note.get_or_insert_default() } else { &mut last.quote };
            words.push_str(line);
            words.push('\n');
        }
    }
    finish(book, visit);
}

/// Creates a passage from its heading. Its text follows in the next lines.
fn passage(heading: &str, chapter: Option<&str>) -> ImportedHighlight {
    let about = heading.strip_prefix(PASSAGE).and_then(|about| about.rsplit_once(TIME));
    let (page, time) = about.unwrap_or_default();
    let digits: String = page.chars().filter(char::is_ascii_digit).collect();
    ImportedHighlight {
        page: digits.parse().ok(),
        location: chapter.and_then(values::text).or_else(|| values::text(page)),
        created_at: values::time(time),
        ..ImportedHighlight::default()
    }
}

/// Completes a book, and passes it to `visit` if it has passages.
fn finish(book: Option<ImportRow>, visit: &mut dyn FnMut(RowResult)) {
    let Some(mut book) = book.filter(|book| !book.highlights.is_empty()) else { return };
    for highlight in &mut book.highlights {
        let quote = highlight.quote.trim();
        let styled = STYLES.iter().find_map(|(open, close)| quote.strip_prefix(open)?.strip_suffix(close));
        highlight.quote = styled.unwrap_or(quote).trim().to_owned();
        highlight.note = highlight.note.take().and_then(|note| values::text(&note));
    }
    // The id is the same as for a book without a checksum in the JSON of `KOReader`.
    let title = book.title.clone().unwrap_or_default();
    book.source_id = Some(format!("{title}\u{1f}{}", book.author.as_deref().unwrap_or_default()));
    visit(Ok(book));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_have_notes_pages_and_times() {
        let text = "# Desk\n##### M. Ellison\n\n## One\n### Page 12 @ 01 January 2024 12:00:00 AM\n*First*\n\n---\nmine\n\
            ---\nmore\n\n## Two\n### Seite 14 @ 01 January 2024 12:00:01 AM\nlines\n# not a title\n### Page 2 @ noon\n\
            # Oak\n##### A. Writer\n";
        assert!(is_highlights(text));
        let mut books = Vec::new();
        highlights(text, &mut |row| books.push(row.unwrap()));
        let parts = |one: &ImportedHighlight| (one.quote.clone(), one.note.clone(), one.page);
        let first: Vec<_> = books[0].highlights.iter().map(parts).collect();
        let expected = [
            ("First".to_owned(), Some("mine\n---\nmore".to_owned()), Some(12)),
            ("lines\n# not a title\n### Page 2 @ noon".to_owned(), None, Some(14)),
        ];
        assert_eq!(first, expected);
        assert_eq!(books[0].highlights[0].created_at, Some(1_704_067_200_000));
        assert_eq!((books.len(), books[0].author.as_deref()), (1, Some("M. Ellison")));
        assert!(!is_highlights("# A note\n\n### Meeting @ the office\n"));
    }
}
