//! Export of a library as browser bookmarks in the Netscape format.

use entities::library_item;

/// Text before the first bookmark.
pub(super) const HEAD: &str = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n\
    <META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html; charset=UTF-8\">\n\
    <TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>\n";
/// Text after the last bookmark.
pub(super) const TAIL: &str = "</DL><p>\n";

/// Bookmark of an item. `None` if the item has no web address.
pub(super) fn line(row: &library_item::Model, tags: &[String]) -> Option<String> {
    let has_web_url = row.url.starts_with("http://") || row.url.starts_with("https://");
    has_web_url.then(|| {
        let (url, title, tags) = (escape(&row.url), escape(&row.title), escape(&tags.join(",")));
        let tags = if tags.is_empty() { tags } else { format!(" TAGS=\"{tags}\"") };
        format!("    <DT><A HREF=\"{url}\" ADD_DATE=\"{}\"{tags}>{title}</A>\n", row.saved_at / 1000)
    })
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
