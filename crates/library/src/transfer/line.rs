//! Lines of the native format, which contains all data of a library, with one object per line. Times are
//! milliseconds since the Unix epoch.

use entities::ids::{HighlightId, ItemId, NoteId};
use entities::library_words::{
    AnchorStatus, ArticleStatus, CaptureMethod, ClassificationMethod, ContentKind, HighlightColor,
    ItemFormat, ItemStatus, KeyKind, PageCopyFormat, ReviewFrequency, TextOrigin, TextSource,
};
use entities::render::Render;
use entities::{library_highlight, library_item, library_key, library_note, library_page_copy};
use extract::{Document, imports::InvalidRow};
use kernel::json_bounds::count_values;
use serde::{Deserialize, Serialize};

use crate::highlight_cards::HighlightCard;
use crate::highlight_picture::HighlightPicture;
use crate::page_copies::type_of;
use crate::text::StoredText;

/// Name of the format, by which its files are recognized.
pub const FORMAT: &str = "svc_jsonl";
/// Version of the format that exports use.
pub const VERSION: u32 = 1;

/// Folder of the archive entries that contain no items. These entries are never rows of another format.
pub(super) const ACCOUNT_FOLDER: &str = "account/";

/// Maximum number of values and member names in a line.
pub(super) const MAX_VALUES: usize = 1_000_000;

/// Line of a file in the native format.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum NativeLine {
    /// Description of the file.
    Manifest(Manifest),
    /// Item with its text, tags, and keys.
    Item(Box<ItemLine>),
    Note(NoteLine),
    Highlight(Box<HighlightLine>),
    PageCopy(Box<PageCopyLine>),
}

impl NativeLine {
    /// Parses a line. Its type is read first, and unknown members are skipped, so that only the fields of
    /// that type need memory.
    ///
    /// # Errors
    /// `TooLong` if the line has too many values; `Malformed` if it is not a line of the format.
    pub(super) fn parse(text: &[u8]) -> Result<Self, InvalidRow> {
        #[derive(Deserialize)]
        struct TypeOfLine {
            r#type: LineType,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "snake_case")]
        enum LineType {
            Manifest,
            Item,
            Note,
            Highlight,
            PageCopy,
        }
        count_values(text, MAX_VALUES).map_err(|_| InvalidRow::TooLong)?;
        let malformed = |_| InvalidRow::Malformed;
        let TypeOfLine { r#type } = serde_json::from_slice(text).map_err(malformed)?;
        let line = match r#type {
            LineType::Manifest => serde_json::from_slice(text).map(Self::Manifest),
            LineType::Item => serde_json::from_slice(text).map(Self::Item),
            LineType::Note => serde_json::from_slice(text).map(Self::Note),
            LineType::Highlight => serde_json::from_slice(text).map(Self::Highlight),
            LineType::PageCopy => serde_json::from_slice(text).map(Self::PageCopy),
        };
        line.map_err(malformed)
    }
}

/// Description of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    pub format: String,
    pub version: u32,
    pub exported_at: i64,
    /// Cursor with which a client of `syncLibrary` continues after it has imported the file.
    #[serde(default)]
    pub cursor: String,
    pub part: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemLine {
    pub id: ItemId,
    pub url: String,
    #[serde(default)]
    pub original_url: Option<String>,
    pub title: String,
    pub title_rank: i16,
    #[serde(default)]
    pub author: Option<String>,
    #[serde(default)]
    pub author_rank: i16,
    #[serde(default)]
    pub published_at: Option<String>,
    #[serde(default)]
    pub published_rank: i16,
    pub content_kind: ContentKind,
    pub kind_method: ClassificationMethod,
    pub kind_confidence: i16,
    pub kind_at: i64,
    pub capture_method: CaptureMethod,
    pub format: ItemFormat,
    #[serde(default)]
    pub mime_type: Option<String>,
    #[serde(default)]
    pub file_name: Option<String>,
    #[serde(default)]
    pub external_id: Option<String>,
    /// JSON object as the client sent it.
    #[serde(default)]
    pub metadata: Option<String>,
    pub status: ItemStatus,
    pub saved_at: i64,
    #[serde(default)]
    pub last_read_at: Option<i64>,
    #[serde(default)]
    pub finished_at: Option<i64>,
    #[serde(default)]
    pub read_progress: Option<i16>,
    pub article_status: ArticleStatus,
    #[serde(default)]
    pub article_error: Option<String>,
    #[serde(default)]
    pub quality_status: Option<String>,
    #[serde(default)]
    pub extraction_source: Option<TextSource>,
    /// Selects whether the page is rendered when its text is fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub render: Option<Render>,
    /// Frequency of reviews of its highlights. Absent if it is the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review_frequency: Option<ReviewFrequency>,
    /// Item with the same final URL.
    #[serde(default)]
    pub duplicate_of: Option<ItemId>,
    #[serde(default)]
    pub tags: Vec<String>,
    #[serde(default)]
    pub keys: Vec<KeyLine>,
    #[serde(default)]
    pub text: Option<TextLine>,
    /// Content that a client supplied for the item.
    #[serde(default)]
    pub original: Option<OriginalLine>,
    #[serde(default)]
    pub file: Option<FileLine>,
}

/// Key by which saves are matched to an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyLine {
    pub kind: KeyKind,
    pub value: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextLine {
    pub origin: TextOrigin,
    #[serde(default)]
    pub final_url: Option<String>,
    pub made_at: i64,
    pub document: Box<Document>,
}

/// Content that a client supplied for an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OriginalLine {
    pub mime_type: String,
    pub body: String,
}

/// File of an item. Its bytes are a separate entry of the archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileLine {
    pub name: String,
    pub mime_type: String,
    pub size: u64,
    pub checksum: String,
    pub path: String,
    /// Time of the upload.
    #[serde(default)]
    pub at: Option<i64>,
}

/// Deleted item to which a note or highlight belonged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DetachedLine {
    pub item_id: ItemId,
    /// Keys that are still retained.
    #[serde(default)]
    pub keys: Vec<RetiredKeyLine>,
}

/// Key of a deleted item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetiredKeyLine {
    pub kind: KeyKind,
    /// Hash of kind and value, in lower-case hexadecimal.
    pub hash: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NoteLine {
    pub id: NoteId,
    #[serde(default)]
    pub item_id: Option<ItemId>,
    /// Absent if its item was not deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detached_from: Option<DetachedLine>,
    #[serde(default)]
    pub title: Option<String>,
    pub text: String,
    #[serde(default)]
    pub external_id: Option<String>,
    #[serde(default)]
    pub tags: Vec<String>,
    pub created_at: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HighlightLine {
    pub id: HighlightId,
    #[serde(default)]
    pub item_id: Option<ItemId>,
    /// Absent if its item was not deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detached_from: Option<DetachedLine>,
    #[serde(default)]
    pub item_title: Option<String>,
    #[serde(default)]
    pub source_url: Option<String>,
    pub quote: String,
    /// Highlighted picture. `None` for a passage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<PictureLine>,
    #[serde(default)]
    pub prefix: String,
    #[serde(default)]
    pub suffix: String,
    #[serde(default)]
    pub hint: Option<i32>,
    #[serde(default)]
    pub note: Option<String>,
    pub color: HighlightColor,
    /// Anchor of the block in which the highlight begins.
    #[serde(default)]
    pub anchor: Option<i32>,
    #[serde(default)]
    pub end_anchor: Option<i32>,
    #[serde(default)]
    pub start_offset: Option<i32>,
    #[serde(default)]
    pub end_offset: Option<i32>,
    #[serde(default)]
    pub page: Option<i32>,
    pub anchor_status: AnchorStatus,
    /// Hash of the text to which anchors and offsets refer.
    #[serde(default)]
    pub text_hash: Option<String>,
    #[serde(default)]
    pub external_id: Option<String>,
    #[serde(default)]
    pub tags: Vec<String>,
    pub created_at: i64,
    /// Review state. Absent in exports of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewLine>,
    /// Card for reviews.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<HighlightCard>,
}

/// Highlighted picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PictureLine {
    pub url: String,
    /// Alternative text.
    #[serde(default)]
    pub alt: Option<String>,
}

/// Review state of a highlight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReviewLine {
    /// Day on which the highlight is due, in days since 1970-01-01. `None` if it is excluded from reviews.
    pub due_day: Option<i32>,
    /// Index of the interval of the last review.
    #[serde(default)]
    pub step: i16,
}

/// Page copy of an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageCopyLine {
    pub item_id: ItemId,
    pub format: PageCopyFormat,
    /// Statement about content that the copy lacks.
    #[serde(default)]
    pub statement: Option<String>,
    pub file: FileLine,
}

/// Data of an item that its row does not contain.
pub struct ItemAttachments {
    pub tags: Vec<String>,
    pub keys: Vec<library_key::Model>,
    pub text: Option<StoredText>,
    pub original: Option<(Vec<u8>, String)>,
}

impl ItemLine {
    pub fn of(row: &library_item::Model, attachments: ItemAttachments) -> Self {
        let row = row.clone();
        let file = file_of(&row);
        let keys = attachments.keys.into_iter();
        let text = attachments.text.map(|text| TextLine {
            origin: text.origin,
            final_url: text.final_url,
            made_at: text.cached_at,
            document: Box::new(text.document.as_ref().clone()),
        });
        let original = attachments.original.map(|(body, mime_type)| OriginalLine {
            mime_type,
            body: String::from_utf8_lossy(&body).into_owned(),
        });
        Self {
            id: row.id,
            url: row.url,
            original_url: row.original_url,
            title: row.title,
            title_rank: row.title_rank,
            author: row.author,
            author_rank: row.author_rank,
            published_at: row.published_at,
            published_rank: row.published_rank,
            content_kind: row.content_kind,
            kind_method: row.kind_method,
            kind_confidence: row.kind_confidence,
            kind_at: row.kind_at,
            capture_method: row.capture_method,
            format: row.format,
            mime_type: row.mime_type,
            file_name: row.file_name,
            external_id: row.external_id,
            metadata: row.metadata,
            status: row.status,
            saved_at: row.saved_at,
            last_read_at: row.last_read_at,
            finished_at: row.finished_at,
            read_progress: row.read_progress,
            article_status: row.article_status,
            article_error: row.article_error,
            quality_status: row.quality_status,
            extraction_source: row.extraction_source,
            render: row.render,
            review_frequency: Some(row.review_frequency).filter(|is| *is != ReviewFrequency::Normal),
            duplicate_of: row.duplicate_of,
            tags: attachments.tags,
            keys: keys.filter_map(|key| Some(KeyLine { kind: key.kind, value: key.value? })).collect(),
            text,
            original,
            file,
        }
    }
}

/// Describes the file of an item, with a path that is valid in every archive. `None` if the item has no file.
pub(super) fn file_of(row: &library_item::Model) -> Option<FileLine> {
    let name = row.asset_name.clone()?;
    Some(FileLine {
        path: format!("files/{}/{}", row.id, short(&name)),
        mime_type: row.asset_mime.clone()?,
        size: row.asset_size?.max(0).unsigned_abs(),
        checksum: row.asset_checksum.clone()?,
        name,
        at: row.asset_at,
    })
}

/// Describes a stored page copy, with the key of its blob. `None` if no copy is stored.
pub(super) fn page_copy_of(row: library_page_copy::Model) -> Option<(String, PageCopyLine)> {
    let format = PageCopyFormat::parse(&row.format)?;
    let (extension, media_type) = type_of(format);
    let file = FileLine {
        name: format!("page.{extension}"),
        path: format!("copies/{}.{extension}", row.item_id),
        mime_type: media_type.to_owned(),
        size: row.size_bytes?.max(0).unsigned_abs(),
        checksum: row.checksum?,
        at: row.created_at,
    };
    Some((row.blob?, PageCopyLine { item_id: row.item_id, format, statement: row.statement, file }))
}

/// Maximum length of a file name in an archive, in bytes.
const NAME_BYTES: usize = 150;

/// Shortens a file name. Retains its extension.
fn short(name: &str) -> String {
    if name.len() <= NAME_BYTES {
        return name.to_owned();
    }
    let mut from = name.len() - 20;
    while !name.is_char_boundary(from) {
        from += 1;
    }
    let ending = &name[from..];
    let mut to = NAME_BYTES - ending.len();
    while !name.is_char_boundary(to) {
        to -= 1;
    }
    format!("{}{ending}", &name[..to])
}

impl NoteLine {
    pub fn of(row: library_note::Model, tags: Vec<String>, detached_from: Option<DetachedLine>) -> Self {
        Self {
            id: row.id,
            item_id: row.item_id,
            detached_from,
            title: row.title,
            text: row.text,
            external_id: row.external_id,
            tags,
            created_at: row.created_at,
        }
    }
}

impl HighlightLine {
    pub fn of(
        row: library_highlight::Model,
        tags: Vec<String>,
        detached_from: Option<DetachedLine>,
        text_hash: Option<String>,
    ) -> Self {
        let card = HighlightCard::of(&row);
        let picture = HighlightPicture::of(&row);
        Self {
            id: row.id,
            item_id: row.item_id,
            detached_from,
            item_title: row.item_title,
            source_url: row.source_url,
            quote: row.quote,
            picture: picture.map(|HighlightPicture { url, alt }| PictureLine { url, alt }),
            prefix: row.prefix,
            suffix: row.suffix,
            hint: row.hint,
            note: row.note,
            color: row.color,
            anchor: row.anchor,
            end_anchor: row.end_anchor,
            start_offset: row.start_offset,
            end_offset: row.end_offset,
            page: row.page,
            anchor_status: row.anchor_status,
            text_hash,
            external_id: row.external_id,
            tags,
            created_at: row.created_at,
            review: Some(ReviewLine { due_day: row.review_day, step: row.review_step }),
            card,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_with_unknown_members_and_type_at_any_position_is_parsed() {
        let note = r#""id":"00000000-0000-7000-8000-000000000001","text":"Margin","createdAt":1"#;
        let junk = format!(r#""junk":[{}0]"#, "0,".repeat(1000));
        for line in
            [format!(r#"{{"type":"note",{note},{junk}}}"#), format!(r#"{{{junk},{note},"type":"note"}}"#)]
        {
            let parsed = NativeLine::parse(line.as_bytes());
            assert!(matches!(parsed, Ok(NativeLine::Note(note)) if note.text == "Margin"), "{line}");
        }
        for line in ["", "{}", r#"{"type":"note"}"#, r#"{"type":"other"}"#, r#"["note"]"#] {
            assert_eq!(NativeLine::parse(line.as_bytes()), Err(InvalidRow::Malformed), "{line}");
        }
        let many = format!(r#"{{"type":"note",{note},"junk":[{}0]}}"#, "0,".repeat(MAX_VALUES));
        assert_eq!(NativeLine::parse(many.as_bytes()), Err(InvalidRow::TooLong));
    }

    #[test]
    fn long_file_name_is_shortened_and_keeps_its_extension() {
        assert_eq!(short("a.pdf"), "a.pdf");
        let cut = short(&format!("{}.pdf", "\u{fc}".repeat(200)));
        assert!(cut.len() <= NAME_BYTES && cut.strip_suffix(".pdf").is_some());
    }
}
