//! Pages that a browser saved in one file: `SingleFile` and MHTML.

use super::row::{ImportRow, InvalidRow, MAX_ROW_BYTES, RowContent, RowResult};
use super::values;
use crate::formats::{self, ArchivedPage};
use crate::metadata;

/// Mark in the first comment of a page that `SingleFile` saved.
const SINGLE_FILE: &str = "Page saved with SingleFile";
/// Start of a data URL, and the mark before its data.
const DATA_URL: &str = "data:";
const BASE64: &str = ";base64,";
/// Maximum length of the type in a data URL, in bytes.
const MAX_TYPE_BYTES: usize = 100;
/// Maximum length of the comment of `SingleFile`, in bytes.
const MAX_COMMENT_BYTES: usize = 16 * 1024;

/// True for a page that `SingleFile` saved.
pub(super) fn is_single_file(text: &str) -> bool {
    text.starts_with('<') && text.contains(SINGLE_FILE)
}

/// Reads a page that begins with a comment with `url: …` and `saved date: …`.
pub(super) fn single_file(text: &str, visit: &mut dyn FnMut(RowResult)) {
    let comment = text.split_once(SINGLE_FILE).and_then(|(_, rest)| rest.split_once("-->"));
    let comment = comment.map(|(comment, _)| comment).filter(|comment| comment.len() <= MAX_COMMENT_BYTES);
    let member = |name: &str| {
        let line = comment?.lines().find_map(|line| line.trim().strip_prefix(name))?;
        values::text(&metadata::unescape(line))
    };
    let saved = member("saved date:");
    let saved_at = saved.as_deref().and_then(|date| values::time(date.split('(').next().unwrap_or(date)));
    let row = ImportRow {
        url: member("url:").filter(|url| url.starts_with("http")),
        title: title_of(text),
        saved_at,
        ..ImportRow::default()
    };
    visit(with_html(row, text));
}

/// Reads the page in a file that also contains the resources of the page.
pub(super) fn mhtml(bytes: &[u8], visit: &mut dyn FnMut(RowResult)) {
    let Some(ArchivedPage { url, title, date, html, resources }) = formats::archived_page(bytes) else {
        return visit(Err(InvalidRow::Malformed));
    };
    let mut row = ImportRow {
        url,
        title: title.or_else(|| title_of(&html)),
        saved_at: date.and_then(|date| values::time(&date)),
        ..ImportRow::default()
    };
    if resources > 0 {
        row.left_out.push(format!("{resources} pictures, styles, and inner pages"));
    }
    visit(with_html(row, &html));
}

/// Row with the page as its content. The data of embedded files is removed from the page.
fn with_html(mut row: ImportRow, html: &str) -> RowResult {
    let (text, count) = without_data(html);
    if text.len() > MAX_ROW_BYTES {
        return Err(InvalidRow::TooLong);
    }
    if count > 0 {
        row.left_out.push(format!("{count} embedded pictures and other files"));
    }
    row.content = Some(RowContent { text, media_type: "text/html".to_owned() });
    Ok(row)
}

/// Title of a page.
fn title_of(html: &str) -> Option<String> {
    let (_, after) = html.split_once("<title")?;
    let (_, after) = after.split_once('>')?;
    let (title, _) = after.split_once("</title>")?;
    values::text(&metadata::unescape(title))
}

/// HTML whose data URLs have no data, and the number of these URLs.
fn without_data(html: &str) -> (String, usize) {
    let (mut text, mut count, mut rest) = (String::new(), 0, html);
    while let Some(at) = rest.find(DATA_URL) {
        let (before, url) = rest.split_at(at + DATA_URL.len());
        text.push_str(before);
        rest = url;
        let mark = url.as_bytes().iter().take(MAX_TYPE_BYTES).position(|byte| *byte == b';');
        let Some((media_type, data)) = mark.and_then(|mark| url.split_at_checked(mark)) else { continue };
        let Some(data) = data.strip_prefix(BASE64) else { continue };
        let is_digit = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
        rest = data.trim_start_matches(is_digit);
        text.push_str(media_type);
        text.push_str(BASE64);
        count += usize::from(rest.len() < data.len());
    }
    text.push_str(rest);
    (text, count)
}
