//! Reads browser bookmarks (`NETSCAPE-Bookmark-file-1`) and the link lists that services call HTML.

use serde_json::Value;

use super::row::{Problem, Read, Row, Shelf};
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
enum Place {
    #[default]
    Nowhere,
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
    place: Place,
    text: Vec<u8>,
    /// Current bookmark. It ends where another element begins.
    row: Option<Row>,
    /// Name of the next list.
    heading: String,
    folders: Vec<String>,
}

impl Bookmarks {
    pub(super) fn push(&mut self, piece: &[u8], visit: &mut dyn FnMut(Read)) {
        for &byte in piece {
            match (&mut self.tag, byte) {
                (None, b'<') => self.tag = Some(Vec::new()),
                (None, other) => {
                    if self.place != Place::Nowhere && self.text.len() < MAX_TEXT_BYTES {
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

    pub(super) fn finish(&mut self, visit: &mut dyn FnMut(Read)) {
        if self.tag.is_some() {
            visit(Err(Problem::BrokenOff));
        }
        self.end_text();
        self.emit(visit);
    }

    fn take(&mut self, tag: &str, visit: &mut dyn FnMut(Read)) {
        let too_long = std::mem::take(&mut self.too_long);
        let name: String =
            tag.chars().take_while(|c| !c.is_whitespace()).take(12).collect::<String>().to_ascii_lowercase();
        match name.as_str() {
            "a" => {
                self.end_text();
                self.emit(visit);
                if too_long {
                    visit(Err(Problem::TooLong));
                } else {
                    self.row = Some(self.bookmark(tag));
                    self.place = Place::Title;
                }
            }
            "dd" => {
                self.end_text();
                self.place = Place::Description;
            }
            "h1" | "h2" | "h3" => {
                self.end_text();
                self.emit(visit);
                self.place = Place::Heading;
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
        match (std::mem::take(&mut self.place), &mut self.row) {
            (Place::Heading, _) => self.heading = text,
            (Place::Title, Some(row)) => {
                row.title = values::text(&text).filter(|title| Some(title) != row.url.as_ref());
            }
            (Place::Description, Some(row)) => row.note = values::text(&text),
            (Place::Nowhere | Place::Title | Place::Description, _) => {}
        }
    }

    fn emit(&mut self, visit: &mut dyn FnMut(Read)) {
        if let Some(row) = self.row.take() {
            visit(if row.url.is_some() { Ok(row) } else { Err(Problem::Empty) });
        }
    }

    fn bookmark(&self, tag: &str) -> Row {
        let mut row = Row::default();
        for (name, value) in attributes(tag) {
            match name.as_str() {
                "href" => row.url = values::text(&value),
                "add_date" | "time_added" => row.saved_at = values::time(&value),
                "tags" => row.tags = values::list(&value, ','),
                "toread" => row.shelf = (value.trim() == "1").then_some(Shelf::Later),
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
        if let Some(shelf) = folders.last().and_then(|name| list_shelf(name)) {
            folders.pop();
            row.shelf = Some(shelf);
        }
        row.folder = values::text(&folders.join("/"));
        row
    }
}

/// Status of the items in a list of this name.
fn list_shelf(name: &str) -> Option<Shelf> {
    match name.to_lowercase().as_str() {
        "unread" => Some(Shelf::Inbox),
        "read archive" | "archive" => Some(Shelf::Archive),
        _ => None,
    }
}

/// Attributes of a tag, with names in lower case.
fn attributes(tag: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = tag.split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
    while let Some((name, after)) = rest.split_once('=') {
        let name = name.split_whitespace().next_back().unwrap_or_default().to_lowercase();
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (value, next) = match quote {
            Some(quote) => after[1..].split_once(quote).unwrap_or((&after[1..], "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        if !name.is_empty() && found.len() < 32 {
            found.push((name, metadata::unescape(value)));
        }
        rest = next;
    }
    found
}
