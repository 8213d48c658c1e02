//! Notes of Evernote (`.enex`), read one by one, without the data of their resources.

use serde_json::Value;

use super::mapping::checked;
use super::markup::{attribute, element, element_text, elements};
use super::row::{ImportRow, InvalidRow, MAX_ROW_BYTES, RowContent, RowResult};
use super::values;
use crate::metadata;
use crate::render::escape;

const NOTE: &[u8] = b"<note>";
const NOTE_END: &[u8] = b"</note>";
const DATA: &[u8] = b"<data";
const DATA_END: &[u8] = b"</data>";

/// Element of the file at the current position of the reader.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum ReaderState {
    #[default]
    Outside,
    Note,
    /// Data of a resource, which is not stored.
    Data,
}

/// Reader of an `.enex` file, which receives the file in pieces.
#[derive(Default)]
pub(super) struct NoteReader {
    state: ReaderState,
    /// End of the last piece that may be the beginning of a tag, such as `</no`.
    pending: Vec<u8>,
    note: Vec<u8>,
    is_too_long: bool,
}

impl NoteReader {
    pub(super) fn push(&mut self, piece: &[u8], visit: &mut dyn FnMut(RowResult)) {
        let mut pending = std::mem::take(&mut self.pending);
        pending.extend_from_slice(piece);
        let mut rest = pending.as_slice();
        loop {
            let tags: &[&'static [u8]] = match self.state {
                ReaderState::Outside => &[NOTE],
                ReaderState::Note => &[NOTE_END, DATA],
                ReaderState::Data => &[DATA_END, NOTE_END],
            };
            let (at, tag) = next_tag(rest, tags).unwrap_or((rest.len(), None));
            self.add_to_note(&rest[..at]);
            rest = &rest[at..];
            let Some(tag) = tag else { break };
            rest = &rest[tag.len()..];
            self.change_state(tag, visit);
        }
        self.pending = rest.to_vec();
    }

    pub(super) fn finish(&mut self, visit: &mut dyn FnMut(RowResult)) {
        if self.state != ReaderState::Outside {
            visit(Err(InvalidRow::Truncated));
        }
    }

    fn add_to_note(&mut self, bytes: &[u8]) {
        if self.state != ReaderState::Note || self.is_too_long {
            return;
        }
        if self.note.len() + bytes.len() > MAX_ROW_BYTES {
            self.is_too_long = true;
            self.note = Vec::new();
        } else {
            self.note.extend_from_slice(bytes);
        }
    }

    fn change_state(&mut self, tag: &[u8], visit: &mut dyn FnMut(RowResult)) {
        self.state = match self.state {
            ReaderState::Outside => ReaderState::Note,
            _ if tag == NOTE_END => {
                let note = String::from_utf8_lossy(&std::mem::take(&mut self.note)).into_owned();
                let is_too_long = std::mem::take(&mut self.is_too_long);
                visit(if is_too_long { Err(InvalidRow::TooLong) } else { row_of(&note) });
                ReaderState::Outside
            }
            ReaderState::Note => ReaderState::Data,
            ReaderState::Data => ReaderState::Note,
        };
    }
}

/// Position of the first of these tags, and the tag. The tag is `None` if the bytes contain only its beginning.
fn next_tag(bytes: &[u8], tags: &[&'static [u8]]) -> Option<(usize, Option<&'static [u8]>)> {
    memchr::memchr_iter(b'<', bytes).find_map(|at| {
        let tail = &bytes[at..];
        tags.iter().find_map(|tag| {
            let is_whole = tail.starts_with(tag);
            (is_whole || tag.starts_with(tail)).then(|| (at, is_whole.then_some(*tag)))
        })
    })
}

/// Row of a note with the elements `title, created, updated, tag, note-attributes, content, resource, task`.
fn row_of(note: &str) -> RowResult {
    let (before, inside) = note.split_once("<content>").unwrap_or((note, ""));
    let (content, after) = inside.split_once("</content>").unwrap_or((inside, ""));
    // The elements of the note itself precede its resources and tasks.
    let members = [before, after].concat();
    let note_members = ["<resource>", "<task>"]
        .iter()
        .fold(members.as_str(), |rest, tag| rest.split_once(tag).map_or(rest, |(before, _)| before));
    let attributes = element(note_members, "note-attributes").map_or("", |(attributes, _)| attributes);
    let mut row = ImportRow {
        url: element_text(attributes, "source-url").filter(|url| url.starts_with("http")),
        title: element_text(note_members, "title"),
        author: element_text(attributes, "author"),
        saved_at: element_text(note_members, "created").and_then(|time| values::time(&time)),
        tags: elements(note_members, "tag")
            .into_iter()
            .filter_map(|tag| values::text(&metadata::unescape(tag)))
            .collect(),
        left_out: resources_and_tasks(&members),
        ..ImportRow::default()
    };
    for name in ["updated", "source", "source-application", "latitude", "longitude", "reminder-time"] {
        if let Some(value) = element_text(note_members, name).map(Value::String).and_then(values::extra) {
            row.extra.insert(name.to_owned(), value);
        }
    }
    let text = html_of(content, &mut row.left_out);
    row.content = values::text(&text).map(|text| RowContent { text, media_type: "text/html".to_owned() });
    checked(row)
}

/// Names of the resources and the tasks of a note, which are not imported.
fn resources_and_tasks(members: &str) -> Vec<String> {
    let resources = elements(members, "resource").into_iter().map(|resource| {
        let name = element_text(resource, "file-name").or_else(|| element_text(resource, "mime"));
        format!("file {}", name.unwrap_or_else(|| "without a name".to_owned()))
    });
    let tasks = elements(members, "task").into_iter().map(|task| {
        format!("task {}", element_text(task, "title").unwrap_or_else(|| "without a title".to_owned()))
    });
    resources.chain(tasks).collect()
}

/// HTML of the content of a note. Check boxes become characters, and resources become the names of their
/// types.
fn html_of(content: &str, left_out: &mut Vec<String>) -> String {
    let content = content.trim();
    let inner = content.strip_prefix("<![CDATA[").and_then(|inner| inner.strip_suffix("]]>"));
    let content = match inner {
        Some(inner) => inner.replace("]]]]><![CDATA[>", "]]>"),
        None => metadata::unescape(content),
    };
    let (mut html, mut rest) = (String::with_capacity(content.len()), body_of(&content));
    while let Some((before, after)) = rest.split_once("<en-") {
        html.push_str(before);
        let (tag, next) = after.split_once('>').unwrap_or((after, ""));
        rest = next;
        if tag.starts_with("todo") {
            html.push_str(if tag.contains("checked=\"true\"") { "\u{2611} " } else { "\u{2610} " });
        } else if tag.starts_with("media") {
            let media_type = attribute(tag, "type").unwrap_or_else(|| "file".to_owned());
            html.push_str(&format!("[{}]", escape(&media_type)));
        } else if tag.starts_with("crypt") {
            left_out.push("encrypted text".to_owned());
            rest = next.split_once("</en-crypt>").map_or("", |(_, next)| next);
        }
    }
    html.push_str(rest);
    html
}

/// Content of the element `en-note`.
fn body_of(content: &str) -> &str {
    let Some((_, note)) = content.split_once("<en-note") else { return content };
    let (_, body) = note.split_once('>').unwrap_or((note, ""));
    body.rsplit_once("</en-note>").map_or(body, |(body, _)| body)
}
