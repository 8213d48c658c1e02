//! Detects the format of a file by its beginning.

use super::columns;
use super::row::{Format, HEAD_BYTES};
use crate::delimited::{self, Records};

/// How the rows of a file are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// The file itself contains the rows.
    Plain,
    /// ZIP archive whose entries contain the rows.
    Zip,
}

/// Detects the container of a file by its first bytes, and its format if they show it.
pub fn guess(head: &[u8]) -> (Container, Option<Format>) {
    let head = &head[..head.len().min(HEAD_BYTES)];
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        return (Container::Zip, None);
    }
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let format = match text.chars().next() {
        Some('<') => bookmarks(text),
        Some('[' | '{') => json(text),
        Some(_) => table(text),
        None => None,
    };
    (Container::Plain, format)
}

fn bookmarks(text: &str) -> Option<Format> {
    let lowered = text.to_ascii_lowercase();
    let is_list =
        ["<!doctype netscape-bookmark", "<dl", "<ul", "<dt><a"].iter().any(|mark| lowered.contains(mark));
    is_list.then_some(Format::Netscape)
}

/// Detects the service by the members of the first row.
fn json(text: &str) -> Option<Format> {
    let has = |names: &[&str]| names.iter().all(|name| text.contains(&format!("\"{name}\"")));
    let first_line = text.lines().next().unwrap_or_default();
    if first_line.starts_with('{') && first_line.contains("\"svc_jsonl\"") {
        return Some(Format::SvcJsonl);
    }
    [
        (&["is_archived", "url"][..], Format::WallabagJson),
        (&["bookmarks", "content", "createdAt"], Format::KarakeepJson),
        (&["savedAt", "url", "slug"], Format::OmnivoreJson),
        (&["readingProgress", "savedAt"], Format::OmnivoreJson),
    ]
    .into_iter()
    .find_map(|(names, format)| has(names).then_some(format))
}

/// Detects the service by the column names.
fn table(text: &str) -> Option<Format> {
    let mut columns: Vec<String> = Vec::new();
    let mut records = Records::new(b',');
    records.push(text.as_bytes(), |record| {
        if let (true, Ok(record)) = (columns.is_empty(), record) {
            columns = record.fields().map(|name| columns::plain(&name)).collect();
        }
    });
    records.finish(|record: Result<delimited::Record<'_>, delimited::Oversized>| {
        if let (true, Ok(record)) = (columns.is_empty(), record) {
            columns = record.fields().map(|name| columns::plain(&name)).collect();
        }
    });
    let has = |names: &[&str]| names.iter().all(|name| columns.iter().any(|column| column == name));
    [
        (&["highlight", "book title"][..], Format::ReadwiseCsv),
        (&["url", "saved date", "reading progress"], Format::ReadwiseReaderCsv),
        (&["url", "time_added", "status"], Format::PocketCsv),
        (&["url", "selection", "folder", "timestamp"], Format::InstapaperCsv),
        (&["url", "folder", "created", "excerpt"], Format::RaindropCsv),
    ]
    .into_iter()
    .find_map(|(names, format)| has(names).then_some(format))
}
