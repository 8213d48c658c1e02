//! Reads browser bookmarks (`NETSCAPE-Bookmark-file-1`) and the link lists that services call HTML.

use serde_json::Value;

use super::row::{ImportRow, ImportStatus, InvalidRow, RowResult};
use super::values;
use crate::{clean, metadata};

/// Maximum bytes of a tag; tags may contain icons.
const MAX_TAG_BYTES: usize = 1024 * 1024;
/// Maximum bytes of a title or a description.
const MAX_TEXT_BYTES: usize = 64 * 1024;
/// Maximum nested folders whose names are stored.
const MAX_DEPTH: usize = 64;

/// Element that the current text belongs to.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum TextTarget {
    #[default]
    Ignored,
    /// Name of a folder or list.
    Heading,
    Title,
    Description,
}

/// Reader of bookmarks.
#[derive(Default)]
pub(super) struct Bookmarks {
    /// Current tag without its bracket; `None` outside of tags.
    tag: Option<Vec<u8>>,
    quote: Option<u8>,
    too_long: bool,
    target: TextTarget,
    text: Vec<u8>,
    /// Current bookmark. It stops where another element begins.
    row: Option<ImportRow>,
    /// Name of the next list.
    heading: String,
    folders: Vec<String>,
}

impl Bookmarks {
    pub(super) fn push(&mut self, piece: &[u8], visit: &mut dyn FnMut(RowResult)) {
        for &byte in piece {
            match (&mut self.tag, byte) {
                (None, b'<') => self.tag = Some(Vec::new()),
                (None, other) => {
                    if self.target != TextTarget::Ignored && self.text.len() < MAX_TEXT_BYTES {
                        self.text.push(other);
                    }
                }
                (Some(tag), other) => {
                    match self.quote {
                        Some(quote) if quote == other => self.quote = None,
                        None if other == b'>' => {
                            let tag = std::mem::take(tag);
                            self.tag = None;
                            self.take(&String::from_utf8_lossy(&tag), visit);
                            continue;
                        }
                        // Quotation marks count only directly after an equals sign.
                        None if matches!(other, b'"' | b'\'') && tag.last() == Some(&b'=') => {
                            self.quote = Some(other);
                        }
                        Some(_) | None => {}
                    }
                    if tag.len() < MAX_TAG_BYTES {
                        tag.push(other);
                    } else {
                        self.too_long = true;
                    }
                }
            }
        }
    }

    pub(super) fn finish(&mut self, visit: &mut dyn FnMut(RowResult)) {
        if self.tag.is_some() {
            visit(Err(InvalidRow::Truncated));
        }
        self.end_text();
        self.emit(visit);
    }

    fn take(&mut self, tag: &str, visit: &mut dyn FnMut(RowResult)) {
        let too_long = std::mem::take(&mut self.too_long);
        let name: String =
            tag.chars().take_while(|c| !c.is_whitespace()).take(12).collect::<String>().to_ascii_lowercase();
        match name.as_str() {
            "a" => {
                self.end_text();
                self.emit(visit);
                if too_long {
                    visit(Err(InvalidRow::TooLong));
                } else {
                    self.row = Some(self.bookmark(tag));
                    self.target = TextTarget::Title;
                }
            }
            "dd" => {
                self.end_text();
                self.target = TextTarget::Description;
            }
            "h1" | "h2" | "h3" => {
                self.end_text();
                self.emit(visit);
                self.target = TextTarget::Heading;
            }
            "/a" | "/h1" | "/h2" | "/h3" => self.end_text(),
            "dl" | "ul" => {
                self.end_text();
                self.emit(visit);
                if self.folders.len() < MAX_DEPTH {
                    self.folders.push(std::mem::take(&mut self.heading));
                }
            }
            "/dl" | "/ul" => {
                self.end_text();
                self.emit(visit);
                self.folders.pop();
            }
            "dt" | "li" => {
                self.end_text();
                self.emit(visit);
            }
            _ => {}
        }
    }

    fn end_text(&mut self) {
        let text = String::from_utf8_lossy(&std::mem::take(&mut self.text)).into_owned();
        let text = clean::fold(&metadata::unescape(&text));
        match (std::mem::take(&mut self.target), &mut self.row) {
            (TextTarget::Heading, _) => self.heading = text,
            (TextTarget::Title, Some(row)) => {
                row.title = values::text(&text).filter(|title| Some(title) != row.url.as_ref());
            }
            (TextTarget::Description, Some(row)) => row.note = values::text(&text),
            (TextTarget::Ignored | TextTarget::Title | TextTarget::Description, _) => {}
        }
    }

    fn emit(&mut self, visit: &mut dyn FnMut(RowResult)) {
        if let Some(row) = self.row.take() {
            visit(if row.url.is_some() { Ok(row) } else { Err(InvalidRow::Empty) });
        }
    }

    fn bookmark(&self, tag: &str) -> ImportRow {
        let mut row = ImportRow::default();
        for (name, value) in attributes(tag) {
            match name.as_str() {
                "href" => row.url = values::text(&value),
                "add_date" | "time_added" => row.saved_at = values::time(&value),
                "tags" => row.tags = values::list(&value, ','),
                "toread" => row.status = (value.trim() == "1").then_some(ImportStatus::Later),
                "icon" | "icon_uri" => {}
                _ => {
                    if let Some(value) = values::extra(Value::String(value)) {
                        row.extra.insert(name, value);
                    }
                }
            }
        }
        let mut folders: Vec<&str> =
            self.folders.iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
        // Services without folders write one list per status, under its name.
        if let Some(status) = folders.last().and_then(|name| list_status(name)) {
            folders.pop();
            row.status = Some(status);
        }
        row.folder = values::text(&folders.join("/"));
        row
    }
}

/// Status of the items in a list of this name.
fn list_status(name: &str) -> Option<ImportStatus> {
    match name.to_lowercase().as_str() {
        "unread" => Some(ImportStatus::Inbox),
        "read archive" | "archive" => Some(ImportStatus::Archive),
        _ => None,
    }
}

/// Attributes of a tag, with names in lower case.
fn attributes(tag: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut rest = tag.split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
    while let Some((name, after)) = rest.split_once('=') {
        let name = name.split_whitespace().next_back().unwrap_or_default().to_lowercase();
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (value, next) = match quote {
            Some(quote) => after[1..].split_once(quote).unwrap_or((&after[1..], "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        if !name.is_empty() && pairs.len() < 32 {
            pairs.push((name, metadata::unescape(value)));
        }
        rest = next;
    }
    pairs
}
