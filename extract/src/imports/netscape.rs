//! Reads browser bookmarks (`NETSCAPE-Bookmark-file-1`) and the link lists that services call HTML exports.

use serde_json::Value;

use super::row::{ImportRow, ImportStatus, InvalidRow, RowResult};
use super::values;
use crate::render::escape;
use crate::{clean, metadata};

/// Maximum number of bytes of a tag; tags may contain icons.
const MAX_TAG_BYTES: usize = 1024 * 1024;
/// Maximum number of bytes of a title or a description.
const MAX_TEXT_BYTES: usize = 1024 * 1024;
/// Maximum number of attributes of a tag.
const MAX_ATTRIBUTES: usize = 256;
/// Maximum number of nested folders whose names are stored.
const MAX_DEPTH: usize = 64;
/// Tag that linkding writes for archived bookmarks.
const LINKDING_ARCHIVED: &str = "linkding:bookmarks.archived";

/// Element that the current text belongs to.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum TextTarget {
    #[default]
    Ignored,
    /// Title of the document.
    Document,
    /// Name of a folder or list.
    Heading,
    Title,
    Description,
}

/// A folder or list.
#[derive(Default)]
struct Folder {
    name: String,
    kind: FolderKind,
    status: Option<ImportStatus>,
    description: Option<String>,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum FolderKind {
    #[default]
    Named,
    /// Heading of the whole document.
    Document,
    /// Folder that every profile of a browser has.
    Root,
    /// List of the starred links of a service.
    Starred,
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
    /// True if the current text exceeds its maximum length.
    is_text_cut: bool,
    /// URL of the current link in a description, and the position of its text.
    inner_link: Option<(String, usize)>,
    /// Current bookmark. It is complete when another element begins.
    row: Option<ImportRow>,
    /// Heading of the next list.
    heading: Folder,
    folders: Vec<Folder>,
    /// Number of open folders beyond the maximum depth.
    too_deep: usize,
    service: ListService,
}

/// Service that wrote a list of links, according to its title.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum ListService {
    #[default]
    Other,
    /// Pocket, whose unread links are still to be read.
    Pocket,
    /// Instapaper, whose starred links are in a separate list.
    Instapaper,
}

impl Bookmarks {
    pub(super) fn push(&mut self, piece: &[u8], visit: &mut dyn FnMut(RowResult)) {
        for &byte in piece {
            self.step(byte, visit);
        }
    }

    fn step(&mut self, byte: u8, visit: &mut dyn FnMut(RowResult)) {
        let Some(tag) = &mut self.tag else {
            if byte == b'<' {
                self.tag = Some(Vec::new());
            } else {
                self.add_text(byte);
            }
            return;
        };
        // A bracket without a name after it is text.
        if tag.is_empty() && !byte.is_ascii_alphabetic() && !matches!(byte, b'/' | b'!' | b'?') {
            self.add_text(b'<');
            if byte != b'<' {
                self.tag = None;
                self.add_text(byte);
            }
            return;
        }
        match self.quote {
            Some(quote) if quote == byte => self.quote = None,
            None if byte == b'>' => {
                let tag = std::mem::take(tag);
                self.tag = None;
                return self.take(&String::from_utf8_lossy(&tag), visit);
            }
            // Quotation marks count only directly after an equals sign.
            None if matches!(byte, b'"' | b'\'') && tag.last() == Some(&b'=') => self.quote = Some(byte),
            Some(_) | None => {}
        }
        if tag.len() < MAX_TAG_BYTES {
            tag.push(byte);
        } else {
            self.too_long = true;
        }
    }

    fn add_text(&mut self, byte: u8) {
        if self.target == TextTarget::Ignored {
            return;
        }
        if self.text.len() < MAX_TEXT_BYTES {
            self.text.push(byte);
        } else {
            self.is_text_cut = true;
        }
    }

    /// Begins a link in a description.
    fn open_inner_link(&mut self, tag: &str) {
        self.close_inner_link();
        let url = attributes(tag).0.into_iter().find(|(name, _)| name == "href");
        self.inner_link = url.map(|(_, url)| (url, self.text.len()));
    }

    /// Adds the URL of a link in a description after its text, unless the text is the URL.
    fn close_inner_link(&mut self) {
        let Some((url, at)) = self.inner_link.take() else { return };
        let text = String::from_utf8_lossy(self.text.get(at..).unwrap_or_default()).into_owned();
        if metadata::unescape(&text).trim() != url.trim() {
            for byte in format!(" ({})", escape(url.trim())).bytes() {
                self.add_text(byte);
            }
        }
    }

    pub(super) fn finish(&mut self, visit: &mut dyn FnMut(RowResult)) {
        self.end_text();
        self.emit(visit);
        if self.tag.is_some() {
            visit(Err(InvalidRow::Truncated));
        }
    }

    fn take(&mut self, tag: &str, visit: &mut dyn FnMut(RowResult)) {
        let too_long = std::mem::take(&mut self.too_long);
        let name: String =
            tag.chars().take_while(|c| !c.is_whitespace()).take(12).collect::<String>().to_ascii_lowercase();
        match name.as_str() {
            // Links in a description belong to the description.
            "a" if self.target == TextTarget::Description => self.open_inner_link(tag),
            "/a" if self.target == TextTarget::Description => self.close_inner_link(),
            "a" => {
                self.end_text();
                self.emit(visit);
                if too_long {
                    visit(Err(InvalidRow::TooLong));
                } else {
                    self.row = Some(self.bookmark(tag));
                    if let Some(folder) = self.folders.last_mut() {
                        folder.description = values::repeated_description(folder.description.take());
                    }
                    self.target = TextTarget::Title;
                }
            }
            "dd" => {
                self.end_text();
                self.target = TextTarget::Description;
            }
            "br" | "br/" | "p" | "/p" if self.target == TextTarget::Description => self.add_text(b'\n'),
            "title" => self.target = TextTarget::Document,
            "h1" | "h2" | "h3" => {
                self.end_text();
                self.emit(visit);
                self.heading = heading(&name, tag);
                self.target = TextTarget::Heading;
            }
            "/a" | "/h1" | "/h2" | "/h3" | "/title" => self.end_text(),
            "dl" | "ul" | "ol" => {
                self.end_text();
                self.emit(visit);
                self.open_list(name == "dl");
            }
            "/dl" | "/ul" | "/ol" => {
                self.end_text();
                self.emit(visit);
                if self.too_deep > 0 {
                    self.too_deep -= 1;
                } else {
                    self.folders.pop();
                }
            }
            "dt" | "li" => {
                self.end_text();
                self.emit(visit);
            }
            _ => {}
        }
    }

    fn open_list(&mut self, is_bookmarks: bool) {
        let mut folder = std::mem::take(&mut self.heading);
        // In lists of services, headings of the first level are names of lists. In bookmarks, such a heading
        // is the heading of the document.
        if folder.kind == FolderKind::Document && !is_bookmarks {
            folder.kind = FolderKind::Named;
        }
        // A folder of a browser may have any name, so only names in lists of services denote a status.
        if folder.status.is_none() && !is_bookmarks {
            folder.status = list_status(&folder.name);
        }
        if self.service == ListService::Pocket && folder.status == Some(ImportStatus::Inbox) {
            folder.status = Some(ImportStatus::Later);
        }
        if is_bookmarks && self.is_outermost() && values::is_reading_list(&folder.name) {
            (folder.kind, folder.status) = (FolderKind::Root, Some(ImportStatus::Later));
        }
        if self.service == ListService::Instapaper && folder.name.eq_ignore_ascii_case("starred") {
            folder.kind = FolderKind::Starred;
        }
        if self.folders.len() < MAX_DEPTH {
            self.folders.push(folder);
        } else {
            self.too_deep += 1;
        }
    }

    /// True if no folder with a name is open.
    fn is_outermost(&self) -> bool {
        let is_document = |folder: &Folder| folder.kind == FolderKind::Document || folder.name.is_empty();
        self.too_deep == 0 && self.folders.iter().all(is_document)
    }

    fn end_text(&mut self) {
        self.close_inner_link();
        let is_cut = std::mem::take(&mut self.is_text_cut);
        let text = String::from_utf8_lossy(&std::mem::take(&mut self.text)).into_owned();
        let text = metadata::unescape(&text);
        let line = clean::fold(&text);
        match (std::mem::take(&mut self.target), &mut self.row) {
            (TextTarget::Document, _) => {
                self.service = match line.split([':', ' ']).next() {
                    Some("Pocket") => ListService::Pocket,
                    Some("Instapaper") => ListService::Instapaper,
                    _ => ListService::Other,
                };
            }
            (TextTarget::Heading, _) => self.heading.name = values::folder_name(line),
            (TextTarget::Title, Some(row)) => {
                row.title = values::text(&line).filter(|title| Some(title) != row.url.as_ref());
            }
            (TextTarget::Description, Some(row)) => row.note = values::text(&described(&text)),
            // The description of a folder precedes the list of the folder.
            (TextTarget::Description, None) => self.heading.description = values::text(&described(&text)),
            (TextTarget::Ignored | TextTarget::Title, _) => {}
        }
        if let Some(row) = self.row.as_mut().filter(|_| is_cut) {
            row.left_out.push("the rest of a text that is longer than 1 MiB".to_owned());
        }
    }

    fn emit(&mut self, visit: &mut dyn FnMut(RowResult)) {
        if let Some(row) = self.row.take() {
            visit(if row.url.is_some() { Ok(row) } else { Err(InvalidRow::Empty) });
        }
    }

    fn bookmark(&self, tag: &str) -> ImportRow {
        let mut row = ImportRow::default();
        let (attributes, left_out) = attributes(tag);
        if left_out > 0 {
            row.left_out.push(format!("{left_out} attributes"));
        }
        for (name, value) in attributes {
            let is_yes = || values::json_flag(Some(&Value::from(value.as_str())));
            match name.as_str() {
                "href" => row.url = values::text(&value),
                "add_date" | "time_added" if value.trim().parse::<i64>().is_ok() || is_time(&value) => {
                    row.saved_at = values::time(&value);
                }
                "tags" => row.tags = values::list(&value, ','),
                "toread" if is_yes() => row.status = Some(ImportStatus::Later),
                "data-important" | "important" | "favorite" | "starred" if is_yes() => row.is_starred = true,
                "archived" if is_yes() => row.status = Some(ImportStatus::Archive),
                "icon" | "icon_uri" | "toread" => {}
                _ => {
                    if let Some(value) = values::extra(Value::String(value)) {
                        row.extra.insert(name, value);
                    }
                }
            }
        }
        let tag_count = row.tags.len();
        row.tags.retain(|tag| tag != LINKDING_ARCHIVED);
        if row.tags.len() < tag_count {
            row.status = Some(ImportStatus::Archive);
        }
        self.set_folders(&mut row);
        row
    }

    fn set_folders(&self, row: &mut ImportRow) {
        row.status = row.status.or_else(|| self.folders.iter().rev().find_map(|folder| folder.status));
        // A list whose name is a status is not a folder.
        let is_folder = |folder: &&Folder| folder.kind == FolderKind::Named && folder.status.is_none();
        let names: Vec<String> = self
            .folders
            .iter()
            .filter(is_folder)
            .map(|folder| folder.name.clone())
            .filter(|name| !name.is_empty())
            .collect();
        row.folders.extend(values::folders(&names));
        if self.too_deep > 0 {
            row.left_out.push(format!("folders within {MAX_DEPTH} others"));
        }
        if let Some(description) = self.folders.last().and_then(|folder| folder.description.as_deref()) {
            row.extra.insert("folder_description".to_owned(), description.into());
        }
        row.is_starred |= self.folders.iter().any(|folder| folder.kind == FolderKind::Starred);
        if let Some(root) = self.folders.iter().find(|folder| folder.kind == FolderKind::Root) {
            row.extra.insert("root".to_owned(), root.name.as_str().into());
        }
    }
}

/// Folder that a heading introduces, without its name.
fn heading(element: &str, tag: &str) -> Folder {
    let mut folder = Folder::default();
    if element == "h1" {
        folder.kind = FolderKind::Document;
    }
    for (name, value) in attributes(tag).0 {
        match (name.as_str(), value.as_str()) {
            ("personal_toolbar_folder" | "unfiled_bookmarks_folder", _) => folder.kind = FolderKind::Root,
            ("id", "com.apple.ReadingList") => folder.status = Some(ImportStatus::Later),
            _ => {}
        }
    }
    folder
}

fn is_time(value: &str) -> bool {
    values::time(value).is_some()
}

/// Status of the items in a service's list of this name.
fn list_status(name: &str) -> Option<ImportStatus> {
    match name.to_lowercase().as_str() {
        "unread" => Some(ImportStatus::Inbox),
        "read archive" | "archive" => Some(ImportStatus::Archive),
        _ => None,
    }
}

/// Description with its lines, and with the notes of linkding as a second part.
fn described(text: &str) -> String {
    let marked = text.split_once("[linkding-notes]");
    let noted = marked.and_then(|(front, rest)| Some((front, rest.rsplit_once("[/linkding-notes]")?.0)));
    let joined = match noted {
        Some((front, notes)) => format!("{}\n\n{}", front.trim(), notes.trim()),
        None => text.to_owned(),
    };
    let mut lines = String::with_capacity(joined.len());
    let mut blank = 0;
    for line in joined.lines().map(str::trim_end) {
        blank = if line.is_empty() { blank + 1 } else { 0 };
        // Several empty lines become one.
        if blank < 2 {
            lines.push_str(line);
            lines.push('\n');
        }
    }
    clean::strip_controls(&mut lines);
    lines.trim().to_owned()
}

/// Attributes of a tag, with names in lower case, and the number of attributes beyond the maximum.
fn attributes(tag: &str) -> (Vec<(String, String)>, usize) {
    let (mut pairs, mut left_out) = (Vec::new(), 0);
    let mut rest = tag.split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
    while let Some((name, after)) = rest.split_once('=') {
        let name = name.split_whitespace().next_back().unwrap_or_default().to_lowercase();
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (value, next) = match quote {
            Some(quote) => after[1..].split_once(quote).unwrap_or((&after[1..], "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        if !name.is_empty() && pairs.len() < MAX_ATTRIBUTES {
            pairs.push((name, metadata::unescape(value)));
        } else {
            left_out += usize::from(!name.is_empty());
        }
        rest = next;
    }
    (pairs, left_out)
}
