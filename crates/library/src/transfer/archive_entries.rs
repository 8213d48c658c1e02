//! Entries of the archives of other services: formats, titles, and lists of pages.

use std::collections::HashSet;
use std::io::Read;

use extract::imports::{self, Format, ImportContainer};
use zip::ZipArchive;

use super::shared_file::SharedFileReader;

/// Maximum size of an archive in another archive, which is read into memory.
pub(super) const MAX_INNER_BYTES: u64 = 96 * 1024 * 1024;
/// Maximum size of the page lists of a web archive, in bytes.
const MAX_PAGES_BYTES: u64 = 8 * 1024 * 1024;
/// Lists of pages of a web archive: the pages that were requested, and those that a crawler added.
const PAGE_LISTS: [&str; 2] = ["pages/pages.jsonl", "pages/extraPages.jsonl"];
/// Folder of the responses of a web archive.
pub(super) const WEB_ARCHIVE_FOLDER: &str = "archive/";
/// Length of the id at the end of Notion's file names.
const NOTION_ID_CHARS: usize = 32;
/// Extensions of the files that may contain rows.
const EXTENSIONS: &[&str] = &[
    ".csv", ".json", ".jsonl", ".html", ".htm", ".txt", ".bib", ".ris", ".annot", ".enex", ".mhtml", ".mht",
    ".warc", ".warc.gz", ".xml", ".rdf", ".xbel", ".plist", ".sqlite",
];

/// Returns the format of an entry of an archive.
pub(super) fn format_of_entry(name: &str, head: &[u8]) -> Option<Format> {
    let lowered = name.to_lowercase();
    let ends = |ending: &str| lowered.ends_with(ending);
    match imports::guess(head) {
        (ImportContainer::Zip, _) => None,
        _ if ends(".md") && notion_title(name).is_some() => Some(Format::NotionMarkdown),
        _ if ends(".md") => Some(Format::Markdown),
        (_, Some(Format::Json)) if lowered.contains("collections/") => Some(Format::PocketCollectionJson),
        (_, format) => format.filter(|_| EXTENSIONS.iter().any(|ending| ends(ending))),
    }
}

/// Returns the title of an entry that is a single row: its file name without the extension.
pub(super) fn title_of_entry(name: &str, format: Format) -> Option<String> {
    match format {
        Format::Markdown => Some(stem(name).to_owned()),
        Format::NotionMarkdown | Format::NotionHtml => notion_title(name).map(str::to_owned),
        _ => None,
    }
}

/// Returns true for an archive within an archive. Documents such as EPUBs are also archives, but have other extensions.
pub(super) fn is_inner_archive(name: &str, head: &[u8]) -> bool {
    name.to_lowercase().ends_with(".zip") && imports::guess(head).0 == ImportContainer::Zip
}

/// Returns true if the entry is a filtered view of a Notion table, and the archive also contains the complete table.
pub(super) fn has_whole_table(archive: &ZipArchive<SharedFileReader>, name: &str) -> bool {
    let view = name.strip_suffix(".csv").filter(|_| notion_title(name).is_some());
    view.is_some_and(|view| archive.index_for_name(&format!("{view}_all.csv")).is_some())
}

/// Returns true for a web archive with lists of its pages (WACZ).
pub(super) fn is_web_archive(archive: &ZipArchive<SharedFileReader>, names: &[String]) -> bool {
    PAGE_LISTS.iter().any(|list| archive.index_for_name(list).is_some())
        && names.iter().any(|name| name.starts_with(WEB_ARCHIVE_FOLDER) && name.contains(".warc"))
}

/// Returns the URLs of the pages of a web archive. `None` if its lists are empty, corrupt, or too long. In that case,
/// all HTML responses count as pages.
pub(super) fn pages_of(archive: &mut ZipArchive<SharedFileReader>) -> Option<HashSet<String>> {
    let mut bytes = Vec::new();
    for list in PAGE_LISTS {
        let Some(index) = archive.index_for_name(list) else { continue };
        let left = MAX_PAGES_BYTES.saturating_sub(bytes.len() as u64);
        archive.by_index(index).ok()?.take(left + 1).read_to_end(&mut bytes).ok()?;
        if bytes.len() as u64 > MAX_PAGES_BYTES {
            return None;
        }
        bytes.push(b'\n');
    }
    let text = String::from_utf8_lossy(&bytes);
    let page = |line: &str| {
        let page: serde_json::Value = serde_json::from_str(line).ok()?;
        // Responses are recorded without the fragments of their URLs.
        page.get("url")?.as_str()?.split('#').next().map(str::to_owned)
    };
    let pages: HashSet<String> = text.lines().filter_map(page).collect();
    (!pages.is_empty()).then_some(pages)
}

/// Returns the title in a Notion file name, which has an id as its suffix.
fn notion_title(name: &str) -> Option<&str> {
    let (title, id) = stem(name).rsplit_once(' ')?;
    (id.len() == NOTION_ID_CHARS && id.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(title)
}

fn stem(name: &str) -> &str {
    let file_name = name.rsplit('/').next().unwrap_or(name);
    file_name.rsplit_once('.').map_or(file_name, |(stem, _)| stem)
}
