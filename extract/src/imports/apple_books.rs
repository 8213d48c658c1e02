//! Passages that Apple Books shares as text: the quotation, and the book after `Excerpt From`.

use super::row::{ImportRow, ImportedHighlight, InvalidRow, RowResult};
use super::values;

/// Start of the line after a passage.
const EXCERPT: &str = "Excerpt From";
/// Start of the last line of a passage.
const NOTICE: &str = "This material may be protected";

/// True for passages of Apple Books.
pub(super) fn is_excerpts(text: &str) -> bool {
    let is_quoted = text.starts_with(['\u{201c}', '"', '\u{ab}', '\u{201e}']);
    is_quoted && text.lines().any(|line| line.trim().starts_with(EXCERPT))
}

/// Reads the passages of a text.
pub(super) fn excerpts(text: &str, visit: &mut dyn FnMut(RowResult)) {
    let mut quote: Vec<&str> = Vec::new();
    let mut lines = text.lines().map(str::trim).peekable();
    while let Some(line) = lines.next() {
        let Some(rest) = line.strip_prefix(EXCERPT) else {
            quote.push(line);
            continue;
        };
        let mut book: Vec<&str> = Vec::new();
        book.extend(Some(rest.trim_start_matches(':').trim()).filter(|rest| !rest.is_empty()));
        while let Some(line) = lines.next_if(|line| !line.starts_with(NOTICE) && !line.is_empty()) {
            book.push(line);
        }
        while lines.next_if(|line| line.starts_with(NOTICE) || line.is_empty()).is_some() {}
        visit(passage(&std::mem::take(&mut quote).join("\n"), &book));
    }
    if quote.iter().any(|line| !line.is_empty()) {
        visit(Err(InvalidRow::Truncated));
    }
}

/// Row of a passage. The lines of the book are its title, its author, and a link, or all of them in one line.
fn passage(quote: &str, book: &[&str]) -> RowResult {
    let quote = quote.trim();
    let quote = quote.strip_prefix(['\u{201c}', '"', '\u{ab}', '\u{201e}']).unwrap_or(quote);
    let quote = quote.strip_suffix(['\u{201d}', '"', '\u{bb}', '\u{201c}']).unwrap_or(quote).trim();
    if quote.is_empty() {
        return Err(InvalidRow::Empty);
    }
    let named: Vec<&str> = book.iter().copied().filter(|line| !line.starts_with("http")).collect();
    let (title, author) = match named.as_slice() {
        [] => (None, None),
        // Older versions write `Author. “Title.” Apple Books.`
        [line] => match line.split_once('\u{201c}') {
            Some((author, rest)) => {
                let title = rest.split('\u{201d}').next().unwrap_or(rest).trim_end_matches('.');
                (values::text(title), values::text(author.trim().trim_end_matches('.')))
            }
            None => (values::text(line), None),
        },
        [title, author, ..] => (values::text(title), values::text(author)),
    };
    let highlight = ImportedHighlight { quote: quote.to_owned(), ..ImportedHighlight::default() };
    Ok(ImportRow {
        source_id: title
            .as_ref()
            .map(|title| format!("{title}\u{1f}{}", author.as_deref().unwrap_or_default())),
        title,
        author,
        highlights: vec![highlight],
        ..ImportRow::default()
    })
}
