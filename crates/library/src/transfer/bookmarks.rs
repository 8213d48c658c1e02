//! Export of a library as browser bookmarks in the Netscape format.

use entities::library_item;
use entities::library_words::ItemStatus;

use super::table::tag_cell;

/// Text before the first bookmark.
pub(super) const HEAD: &str = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n\
    <META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html; charset=UTF-8\">\n\
    <TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>\n";
/// Text after the last bookmark.
pub(super) const TAIL: &str = "</DL><p>\n";

/// Bookmark of an item with the texts of its notes. `None` if the item has no web address.
pub(super) fn line(row: &library_item::Model, tags: &[String], notes: &[String]) -> Option<String> {
    let has_web_url = row.url.starts_with("http://") || row.url.starts_with("https://");
    has_web_url.then(|| {
        let (url, title, tags) = (escape(&row.url), escape(&row.title), escape(&tag_cell(tags)));
        let tags = if tags.is_empty() { tags } else { format!(" TAGS=\"{tags}\"") };
        let status = match row.status {
            ItemStatus::Inbox => "",
            ItemStatus::Later => " TOREAD=\"1\"",
            ItemStatus::Archive => " ARCHIVED=\"1\"",
        };
        let notes = notes.iter().map(|note| escape(note)).collect::<Vec<_>>().join("\n\n");
        let notes = if notes.is_empty() { notes } else { format!("    <DD>{notes}\n") };
        format!(
            "    <DT><A HREF=\"{url}\" ADD_DATE=\"{}\"{tags}{status}>{title}</A>\n{notes}",
            row.saved_at / 1000
        )
    })
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
