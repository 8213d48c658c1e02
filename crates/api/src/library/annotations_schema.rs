//! Response types of notes, highlights, tags and sync.

use kernel::rfc3339;
use library::{
    AnchorStatus, CardFace, Highlight, HighlightCard, HighlightColor, HighlightPicture, Note, ObjectKind,
};
use poem_openapi::types::Example;
use poem_openapi::{Enum, Object};

use super::examples::{highlight_id, item_id, item_ref, note_id};
use super::schema::LibraryItem;
use http_kit::http::enum_param::EnumParam;
use http_kit::http::free_object::FreeObject;

/// Note in the library.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct LibraryNote {
    /// Id of the note (UUID version 7).
    pub id: String,
    /// Title of the note; null if it has none.
    pub title: Option<String>,
    /// Text of the note, possibly cut.
    pub text: String,
    /// Length of the complete text, in code points.
    pub text_characters: u64,
    /// Length of `text`, in code points.
    pub returned_characters: u64,
    /// True if `text` was cut.
    pub truncated: bool,
    /// Id of the item that the note belongs to; null if there is none.
    pub item_id: Option<String>,
    /// Tags, as the account spells them.
    pub tags: Vec<String>,
    /// Creation time, RFC 3339 UTC.
    pub created_at: String,
    /// Time of the last change, RFC 3339 UTC.
    pub updated_at: String,
}

impl LibraryNote {
    /// Converts a note to its response, with at most `most` characters of its text.
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

/// Highlighted passage or picture of an item.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct LibraryHighlight {
    /// Id of the highlight (UUID version 7).
    pub id: String,
    /// Id of the item; null if the item was deleted.
    pub item_id: Option<String>,
    /// Title of the item; null if unknown.
    pub item_title: Option<String>,
    /// URL of the item; null if unknown.
    pub source_url: Option<String>,
    /// Highlighted text; it never changes. For a picture: its caption, else its alternative text, else the name of
    /// its file.
    pub quote: String,
    /// Highlighted picture; null if the highlight is a passage.
    pub picture: Option<LibraryHighlightPicture>,
    /// Text before the quote, at most 64 characters.
    pub prefix: String,
    /// Text after the quote, at most 64 characters.
    pub suffix: String,
    /// Comment on the highlight; null if there is none.
    pub note: Option<String>,
    /// Colour of the highlight.
    pub color: EnumParam<HighlightColor>,
    /// Tags, as the account spells them.
    pub tags: Vec<String>,
    /// Anchor of the block where the quote starts; null if the quote is not located.
    pub anchor: Option<i32>,
    /// Anchor of the block where the quote ends; null if the quote is not located.
    pub end_anchor: Option<i32>,
    /// Start of the quote, in code points of the item's text; null if the quote is not located. If the words of a
    /// picture are not part of the text, both offsets are the position of the picture.
    pub start_offset: Option<i32>,
    /// End of the quote, in code points of the item's text; null if the quote is not located.
    pub end_offset: Option<i32>,
    /// Page number; null if the text has no pages.
    pub page: Option<i32>,
    /// Location of the quote in the current text: `exact`, `moved` or `orphaned`.
    pub anchor_status: EnumParam<AnchorStatus>,
    /// Card that reviews display before the highlight; null if there is none.
    pub card: Option<LibraryCard>,
    /// Creation time, RFC 3339 UTC.
    pub created_at: String,
    /// Time of the last change, RFC 3339 UTC.
    pub updated_at: String,
}

/// Highlighted picture.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct LibraryHighlightPicture {
    /// URL of the picture in the item's text. It changes if the picture has another URL in a newer text.
    pub url: String,
    /// Alternative text; null if the picture has none.
    pub alt: Option<String>,
}

/// Card of a highlight: either gaps, or a question with its answer.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct LibraryCard {
    /// Words of the quote that a review hides first; empty if the card is a question.
    pub gaps: Vec<LibraryCardGap>,
    /// Question that a review displays first; null if the card has gaps.
    pub question: Option<String>,
    /// Answer to the question; null if the card has gaps.
    pub answer: Option<String>,
    /// False if the quote does not contain the hidden words at their positions. A review then hides nothing.
    pub fits: bool,
}

/// Hidden words of a quote.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct LibraryCardGap {
    /// Start in the quote, in code points.
    pub start: u32,
    /// The words.
    pub text: String,
}

impl LibraryCard {
    fn of(card: HighlightCard, quote: &str) -> Self {
        let fits = card.face(quote) != CardFace::Unfit;
        match card {
            HighlightCard::Gaps { gaps } => {
                let gaps = gaps.into_iter().map(|gap| LibraryCardGap { start: gap.start, text: gap.text });
                Self { gaps: gaps.collect(), question: None, answer: None, fits }
            }
            HighlightCard::Question { question, answer } => {
                Self { gaps: Vec::new(), question: Some(question), answer: Some(answer), fits }
            }
        }
    }
}

impl From<Highlight> for LibraryHighlight {
    fn from(highlight: Highlight) -> Self {
        let Highlight { row, tags, item_title, source_url, item_author: _ } = highlight;
        let card = HighlightCard::of(&row).map(|card| LibraryCard::of(card, &row.quote));
        let picture = HighlightPicture::of(&row);
        Self {
            id: row.id.to_string(),
            item_id: row.item_id.map(|id| id.to_string()),
            item_title,
            source_url,
            quote: row.quote,
            picture: picture.map(|HighlightPicture { url, alt }| LibraryHighlightPicture { url, alt }),
            prefix: row.prefix,
            suffix: row.suffix,
            note: row.note,
            color: EnumParam(row.color),
            tags,
            anchor: row.anchor,
            end_anchor: row.end_anchor,
            start_offset: row.start_offset,
            end_offset: row.end_offset,
            page: row.page,
            anchor_status: EnumParam(row.anchor_status),
            card,
            created_at: rfc3339(row.created_at),
            updated_at: rfc3339(row.updated_at),
        }
    }
}

/// Response with one note.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct LibraryNoteOne {
    /// Reference of the note: `note:<uuid>`.
    #[oai(rename = "ref")]
    pub reference: String,
    /// The note.
    pub object: LibraryNote,
}

/// Response with one highlight.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct LibraryHighlightOne {
    /// Reference of the highlight: `highlight:<uuid>`.
    #[oai(rename = "ref")]
    pub reference: String,
    /// The highlight.
    pub object: LibraryHighlight,
}

/// Page of notes.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct LibraryNoteList {
    /// Notes, newest first; with `updatedAfter` in the order in which they changed.
    pub notes: Vec<LibraryNote>,
    /// Cursor of the next page; null on the last page.
    pub next_cursor: Option<String>,
}

/// Page of highlights.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct LibraryHighlightList {
    /// Highlights, newest first; for one item, in text order.
    pub highlights: Vec<LibraryHighlight>,
    /// Cursor of the next page; null on the last page.
    pub next_cursor: Option<String>,
}

/// Tag with its use count.
#[derive(Debug, Object)]
pub(super) struct LibraryTag {
    /// Name, as the account spells it.
    pub name: String,
    /// Number of items with the tag.
    pub count: i64,
}

/// Page of tags.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct LibraryTagList {
    /// Tags in alphabetical order.
    pub tags: Vec<LibraryTag>,
    /// Cursor of the next page; null on the last page.
    pub next_cursor: Option<String>,
}

/// Result of a tag change.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct LibraryTagChanged {
    /// Number of items, notes and highlights that are changed. The change may still be in progress.
    pub updated: u64,
}

/// Type of a change.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum LibraryChangeOp {
    /// The object was created or changed; `object` has its current state.
    Upsert,
    /// The object was deleted.
    Delete,
}

/// Change of an object.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct LibraryChange {
    /// Type of the change.
    pub op: LibraryChangeOp,
    /// Reference of the object: `item:<uuid>`, `note:<uuid>` or `highlight:<uuid>`.
    #[oai(rename = "ref")]
    pub reference: String,
    /// Type of the object.
    #[oai(rename = "type")]
    pub kind: EnumParam<ObjectKind>,
    /// Time of the change, RFC 3339 UTC.
    pub updated_at: String,
    /// Current state of the object; null if it was deleted.
    pub object: Option<FreeObject>,
}

/// Page of changes.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct LibraryChanges {
    /// Changes in order; each object at most once per page.
    pub changes: Vec<LibraryChange>,
    /// Cursor for the next request; never null. Store it to continue later.
    pub next_cursor: String,
    /// True if more changes are available now.
    pub has_more: bool,
}

impl Example for LibraryNote {
    fn example() -> Self {
        let text = "Compare with the second edition.";
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
            picture: None,
            prefix: "A carrel is ".into(),
            suffix: ".".into(),
            note: None,
            color: EnumParam(HighlightColor::Yellow),
            tags: Vec::new(),
            anchor: Some(2),
            end_anchor: Some(2),
            start_offset: Some(26),
            end_offset: Some(47),
            page: None,
            anchor_status: EnumParam(AnchorStatus::Exact),
            card: Some(LibraryCard {
                gaps: Vec::new(),
                question: Some("For whom is a carrel?".into()),
                answer: Some("For one reader.".into()),
                fits: true,
            }),
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
            kind: EnumParam(ObjectKind::Item),
            updated_at: "2026-11-20T12:00:01.000Z".into(),
            object: Some(FreeObject::of(&LibraryItem::example())),
        };
        let gone = LibraryChange {
            op: LibraryChangeOp::Delete,
            reference: format!("note:{}", note_id()),
            kind: EnumParam(ObjectKind::Note),
            updated_at: "2026-11-20T12:00:05.000Z".into(),
            object: None,
        };
        Self { changes: vec![item, gone], next_cursor: "AAAB…".into(), has_more: false }
    }
}
