//! Notes, highlights, tags and changes as the API description shows them.

use kernel::rfc3339;
use library::{AnchorStatus, Highlight, HighlightColor, Note, ObjectKind};
use poem_openapi::types::{Example, ToJSON};
use poem_openapi::{Enum, Object};

use super::examples::{highlight_id, item_id, item_ref, note_id};
use super::schema::LibraryItem;
use http_kit::http::free::FreeObject;
use http_kit::http::word::Word;

/// A note.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct LibraryNote {
    /// UUID version 7.
    pub id: String,
    /// Its title.
    pub title: Option<String>,
    /// Its text.
    pub text: String,
    /// Code points of the whole text.
    pub text_characters: u64,
    /// Code points of `text`.
    pub returned_characters: u64,
    /// Less than the whole was given.
    pub truncated: bool,
    /// The item that it is about.
    pub item_id: Option<String>,
    /// Tags, as the account spells them.
    pub tags: Vec<String>,
    /// When it was made.
    pub created_at: String,
    /// When it last changed.
    pub updated_at: String,
}

impl LibraryNote {
    /// A note with at most so many characters of its text.
    pub(super) fn of(note: Note, most: usize) -> Self {
        let Note { row, tags } = note;
        let whole = row.text.chars().count();
        let text: String = row.text.chars().take(most).collect();
        Self {
            id: row.id.to_string(),
            title: row.title,
            returned_characters: whole.min(most) as u64,
            text_characters: whole as u64,
            truncated: whole > most,
            text,
            item_id: row.item_id.map(|id| id.to_string()),
            tags,
            created_at: rfc3339(row.created_at),
            updated_at: rfc3339(row.updated_at),
        }
    }
}

/// Words that a person marked.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct LibraryHighlight {
    /// UUID version 7.
    pub id: String,
    /// The item; null when it was deleted.
    pub item_id: Option<String>,
    /// Its title.
    pub item_title: Option<String>,
    /// Its address.
    pub source_url: Option<String>,
    /// The words; they never change.
    pub quote: String,
    /// What stands before them, at most 64 characters.
    pub prefix: String,
    /// What stands behind them, at most 64 characters.
    pub suffix: String,
    /// What the person has to say.
    pub note: Option<String>,
    /// A colour.
    pub color: Word<HighlightColor>,
    /// Tags, as the account spells them.
    pub tags: Vec<String>,
    /// The block where they begin.
    pub anchor: Option<i32>,
    /// The block where they end.
    pub end_anchor: Option<i32>,
    /// Where they begin, in code points of the text.
    pub start_offset: Option<i32>,
    /// Where they end.
    pub end_offset: Option<i32>,
    /// The page, where the text has pages.
    pub page: Option<i32>,
    /// Whether they are found in the present text.
    pub anchor_status: Word<AnchorStatus>,
    /// When it was made.
    pub created_at: String,
    /// When it last changed.
    pub updated_at: String,
}

impl From<Highlight> for LibraryHighlight {
    fn from(highlight: Highlight) -> Self {
        let Highlight { row, tags, item_title, source_url } = highlight;
        Self {
            id: row.id.to_string(),
            item_id: row.item_id.map(|id| id.to_string()),
            item_title,
            source_url,
            quote: row.quote,
            prefix: row.prefix,
            suffix: row.suffix,
            note: row.note,
            color: Word(row.color),
            tags,
            anchor: row.anchor,
            end_anchor: row.end_anchor,
            start_offset: row.start_offset,
            end_offset: row.end_offset,
            page: row.page,
            anchor_status: Word(row.anchor_status),
            created_at: rfc3339(row.created_at),
            updated_at: rfc3339(row.updated_at),
        }
    }
}

/// One note.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct LibraryNoteOne {
    /// For getting it among all objects.
    #[oai(rename = "ref")]
    pub reference: String,
    /// The note.
    pub object: LibraryNote,
}

/// One highlight.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct LibraryHighlightOne {
    /// For getting it among all objects.
    #[oai(rename = "ref")]
    pub reference: String,
    /// The highlight.
    pub object: LibraryHighlight,
}

/// A page of notes.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct LibraryNoteList {
    /// The newest first; with `updatedAfter` in the order of their changes.
    pub notes: Vec<LibraryNote>,
    /// Cursor of the next page; null on the last one.
    pub next_cursor: Option<String>,
}

/// A page of highlights.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct LibraryHighlightList {
    /// The newest first; those of one item as they stand in its text.
    pub highlights: Vec<LibraryHighlight>,
    /// Cursor of the next page; null on the last one.
    pub next_cursor: Option<String>,
}

/// A tag.
#[derive(Debug, Object)]
pub(super) struct LibraryTag {
    /// As the account spells it.
    pub name: String,
    /// Items with it.
    pub count: i64,
}

/// A page of tags.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct LibraryTagList {
    /// By their letters.
    pub tags: Vec<LibraryTag>,
    /// Cursor of the next page; null on the last one.
    pub next_cursor: Option<String>,
}

/// A tag that was changed everywhere.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct LibraryTagChanged {
    /// Items, notes and highlights that had it, or have it still while it is being changed.
    pub updated: u64,
}

/// What happened to an object.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum LibraryChangeOp {
    /// It is there, as `object` shows it.
    Upsert,
    /// It is gone.
    Delete,
}

/// An object that changed.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct LibraryChange {
    /// What happened.
    pub op: LibraryChangeOp,
    /// Names the object.
    #[oai(rename = "ref")]
    pub reference: String,
    /// Its type.
    #[oai(rename = "type")]
    pub kind: Word<ObjectKind>,
    /// When it changed.
    pub updated_at: String,
    /// The object as it is now; null when it is gone.
    pub object: Option<FreeObject>,
}

/// Changes, and where to go on.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct LibraryChanges {
    /// In their order; each object once.
    pub changes: Vec<LibraryChange>,
    /// Keep it, and ask again with it: it is never null.
    pub next_cursor: String,
    /// Whether there is more at once.
    pub has_more: bool,
}

/// An object of an answer as one with any members.
pub(super) fn free(object: &impl ToJSON) -> FreeObject {
    match object.to_json() {
        Some(serde_json::Value::Object(object)) => FreeObject(object),
        _ => FreeObject::default(),
    }
}

impl Example for LibraryNote {
    fn example() -> Self {
        let text = "A carrel is worth a note.";
        let characters = text.chars().count() as u64;
        Self {
            id: note_id(),
            title: Some("On desks".into()),
            text: text.into(),
            text_characters: characters,
            returned_characters: characters,
            truncated: false,
            item_id: Some(item_id()),
            tags: vec!["desks".into()],
            created_at: "2026-11-20T12:00:02.000Z".into(),
            updated_at: "2026-11-20T12:00:02.000Z".into(),
        }
    }
}

impl Example for LibraryHighlight {
    fn example() -> Self {
        Self {
            id: highlight_id(),
            item_id: Some(item_id()),
            item_title: Some("A quiet desk".into()),
            source_url: Some("https://example.com/article".into()),
            quote: "a desk for one reader".into(),
            prefix: "A carrel is ".into(),
            suffix: ".".into(),
            note: None,
            color: Word(HighlightColor::Yellow),
            tags: Vec::new(),
            anchor: Some(2),
            end_anchor: Some(2),
            start_offset: Some(26),
            end_offset: Some(47),
            page: None,
            anchor_status: Word(AnchorStatus::Exact),
            created_at: "2026-11-20T12:00:03.000Z".into(),
            updated_at: "2026-11-20T12:00:03.000Z".into(),
        }
    }
}

impl Example for LibraryNoteOne {
    fn example() -> Self {
        Self { reference: format!("note:{}", note_id()), object: LibraryNote::example() }
    }
}

impl Example for LibraryHighlightOne {
    fn example() -> Self {
        Self { reference: format!("highlight:{}", highlight_id()), object: LibraryHighlight::example() }
    }
}

impl Example for LibraryNoteList {
    fn example() -> Self {
        Self { notes: vec![LibraryNote::example()], next_cursor: None }
    }
}

impl Example for LibraryHighlightList {
    fn example() -> Self {
        Self { highlights: vec![LibraryHighlight::example()], next_cursor: None }
    }
}

impl Example for LibraryTagList {
    fn example() -> Self {
        Self { tags: vec![LibraryTag { name: "desks".into(), count: 3 }], next_cursor: None }
    }
}

impl Example for LibraryTagChanged {
    fn example() -> Self {
        Self { updated: 3 }
    }
}

impl Example for LibraryChanges {
    fn example() -> Self {
        let item = LibraryChange {
            op: LibraryChangeOp::Upsert,
            reference: item_ref(),
            kind: Word(ObjectKind::Item),
            updated_at: "2026-11-20T12:00:01.000Z".into(),
            object: Some(free(&LibraryItem::example())),
        };
        let gone = LibraryChange {
            op: LibraryChangeOp::Delete,
            reference: format!("note:{}", note_id()),
            kind: Word(ObjectKind::Note),
            updated_at: "2026-11-20T12:00:05.000Z".into(),
            object: None,
        };
        Self { changes: vec![item, gone], next_cursor: "AAAB…".into(), has_more: false }
    }
}
