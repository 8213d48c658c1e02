//! Detects the format of a file by its beginning.

use super::columns::ColumnNames;
use super::formats::{Detection, FORMATS, has_members};
use super::json;
use super::row::{Format, HEAD_BYTES};
use super::table::TableReader;
use crate::charset::{EncodingProbe, PieceDecoder};

/// Packaging of the rows of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportContainer {
    /// The file itself contains the rows.
    Plain,
    /// ZIP archive whose entries contain the rows.
    Zip,
}

/// Kind of a file whose format is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownFile {
    Empty,
    /// Neither text nor an archive.
    Binary,
    /// List of feeds.
    Opml,
    /// RSS or Atom feed.
    Feed,
    /// PDF, EPUB, or office document.
    Document,
    /// Web page without bookmarks.
    Page,
    Json,
    /// Any other text.
    Text,
}

impl UnknownFile {
    /// True if another page of Carrel accepts such files.
    pub const fn is_of_another_page(self) -> bool {
        matches!(self, Self::Opml | Self::Feed | Self::Document)
    }
}

/// Detects the container of a file by its first bytes, and its format if these bytes identify it.
pub fn guess(head: &[u8]) -> (ImportContainer, Option<Format>) {
    if is_document(head) {
        return (ImportContainer::Plain, None);
    }
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        return (ImportContainer::Zip, None);
    }
    let binary = FORMATS.iter().find(|row| matches!(row.detection, Detection::Bytes(is, _) if is(head)));
    if let Some(row) = binary {
        return (ImportContainer::Plain, Some(row.format));
    }
    let text = start_of(head);
    let text = text.trim_start();
    if text.is_empty() || text.contains('\0') {
        return (ImportContainer::Plain, None);
    }
    let columns = columns(text);
    let is = |detection: &Detection| match detection {
        Detection::Columns(names) => columns.has(names),
        Detection::Members(names) => has_members(text, names),
        Detection::Text(is, _) => is(text),
        Detection::Table(is, _) => is(&columns),
        Detection::Bytes(..) | Detection::Never => false,
    };
    let row = FORMATS.iter().find(|row| is(&row.detection));
    let empty = || is_empty_list(head).then_some(Format::Json);
    (ImportContainer::Plain, row.map(|row| row.format).or_else(empty))
}

/// True for JSON whose lists of rows are empty.
pub fn is_empty_list(head: &[u8]) -> bool {
    let is_whole = head.len() < HEAD_BYTES;
    let text = if is_whole { start_of(head) } else { String::new() };
    let file = serde_json::from_str::<serde_json::Value>(text.trim_start_matches('\u{feff}'));
    file.is_ok_and(|file| json::has_no_rows(&file))
}

/// Describes a file whose format is not known.
pub fn describe_unknown(head: &[u8]) -> UnknownFile {
    if is_document(head) {
        return UnknownFile::Document;
    }
    let text = start_of(head);
    let text = text.trim_start();
    let lowered = text.to_ascii_lowercase();
    match text.chars().next() {
        None => UnknownFile::Empty,
        _ if text.contains('\0') => UnknownFile::Binary,
        Some('<') if lowered.contains("<opml") => UnknownFile::Opml,
        Some('<') if is_feed(&lowered) => UnknownFile::Feed,
        Some('<') => UnknownFile::Page,
        Some('[' | '{') => UnknownFile::Json,
        Some(_) => UnknownFile::Text,
    }
}

/// True for a document, which is itself an item and not a list of items. EPUBs and office documents are
/// archives, too.
fn is_document(head: &[u8]) -> bool {
    let has_name = |name: &[u8]| head.get(30..).is_some_and(|rest| rest.starts_with(name));
    head.starts_with(b"%PDF-")
        || head.starts_with(b"PK\x03\x04")
            && (has_name(b"mimetypeapplication/") || has_name(b"[Content_Types].xml"))
}

/// True if a text in lower case is a feed.
fn is_feed(lowered: &str) -> bool {
    let start = lowered.trim_start_matches('\u{feff}');
    ["<rss", "<feed"].iter().any(|root| start.starts_with(root))
        || start.starts_with("<?xml") && ["<rss", "<feed"].iter().any(|root| start.contains(root))
}

/// Start of a file as text.
pub(super) fn start_of(head: &[u8]) -> String {
    let head = &head[..head.len().min(HEAD_BYTES)];
    let mut probe = EncodingProbe::default();
    probe.push(head);
    let mut decoder = PieceDecoder::new(probe.finish());
    String::from_utf8_lossy(decoder.decode(head)).into_owned()
}

/// Columns of a table. Empty if the text is not a table.
fn columns(text: &str) -> ColumnNames {
    let mut columns = None;
    if !text.starts_with(['<', '[', '{']) {
        let mut first = |cells: super::table::Cells| {
            if let Ok(cells) = cells {
                columns.get_or_insert_with(|| ColumnNames::of(&cells));
            }
        };
        let mut table = TableReader::default();
        table.push(text.as_bytes(), &mut first);
        table.finish(&mut first);
    }
    columns.unwrap_or_default()
}
