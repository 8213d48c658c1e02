//! Export of a library as browser bookmarks in the Netscape format.

use entities::library_item;
use entities::library_words::ItemStatus;

use serde_json::Value;

use super::table::tag_cell;
use crate::draft;

/// Maximum depth of folders. Names of deeper folders become part of the innermost folder's name.
const MAX_DEPTH: usize = 16;
/// Maximum length of a folder's path, in code points.
const MAX_PATH_CHARS: usize = 250;

/// Text before the first bookmark.
pub(super) const HEAD: &str = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n\
    <META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html; charset=UTF-8\">\n\
    <TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>\n";
/// Text after the last bookmark.
pub(super) const TAIL: &str = "</DL><p>\n";

/// Formats an item as a bookmark with the texts of its notes. `None` if the item has no web address.
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

/// Folders that are open at the end of the written markup, the innermost last.
#[derive(Default)]
pub(super) struct OpenFolders(Vec<String>);

impl OpenFolders {
    /// Returns the markup that closes and opens folders until the folders of `path` are open.
    pub(super) fn enter(&mut self, path: &[String]) -> String {
        let shared = self.0.iter().zip(path).take_while(|(open, name)| open == name).count();
        let mut markup = "    </DL><p>\n".repeat(self.0.len() - shared);
        for name in &path[shared..] {
            markup.push_str(&format!("    <DT><H3>{}</H3>\n    <DL><p>\n", escape(name)));
        }
        self.0 = path.to_vec();
        markup
    }
}

/// Returns the path of an imported item's folder, outermost folder first, from the metadata of the item. If
/// the item has several folders, the first is used.
pub(super) fn folder_of(metadata: &str) -> Option<Vec<String>> {
    let services = draft::metadata(metadata).ok()?;
    let path = services.values().find_map(|service| match service.get("folder")? {
        Value::Array(paths) => paths.first()?.as_str(),
        folder => folder.as_str(),
    })?;
    let names = draft::cut(path, MAX_PATH_CHARS);
    let names = names.splitn(MAX_DEPTH, '/').map(extract::clean::fold);
    let names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
    (!names.is_empty()).then_some(names)
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_is_read_from_the_metadata_of_any_service() {
        let path = |metadata: &str| folder_of(metadata).unwrap_or_default().join("|");
        assert_eq!(path(r#"{"a": 1, "netscape": {"folder": "Work/ De\nsign //"}}"#), "Work|De sign");
        assert_eq!(path(r#"{"raindrop_csv": {"folder": ["One", "Two/Three"]}}"#), "One");
        for none in [
            "",
            "{}",
            "[]",
            r#"{"folder": "a"}"#,
            r#"{"a": {"folder": {"b": 1}}}"#,
            r#"{"a": {"folder": "/"}}"#,
        ] {
            assert_eq!(folder_of(none), None, "{none}");
        }
        let deep = format!(r#"{{"a": {{"folder": "{}"}}}}"#, "x/".repeat(30_000));
        assert_eq!(folder_of(&deep).map(|names| names.len()), Some(MAX_DEPTH));
    }

    #[test]
    fn shared_folders_remain_open_between_bookmarks() {
        let mut open = OpenFolders::default();
        let mut enter = |names: &[&str]| {
            let path: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            let markup = open.enter(&path);
            (markup.matches("</DL>").count(), markup.matches("<H3>").count())
        };
        assert_eq!(enter(&["Work"]), (0, 1));
        assert_eq!(enter(&["Work", "Design"]), (0, 1));
        assert_eq!(enter(&["Work", "Print", "Old"]), (1, 2));
        assert_eq!(enter(&["Home"]), (3, 1));
        assert_eq!(enter(&[]), (1, 0));
        assert!(open.enter(&["<a>".to_owned()]).contains("<H3>&lt;a&gt;</H3>"));
    }
}
