//! The lines of our own format: everything of a library that a person would miss, one object a line. Times are
//! milliseconds since 1970.

use entities::ids::{HighlightId, ItemId, NoteId};
use entities::library_words::{
    AnchorStatus, ArticleStatus, CaptureMethod, ClassificationMethod, ContentKind, HighlightColor,
    ItemFormat, ItemStatus, KeyKind, TextOrigin, TextSource,
};
use entities::{library_highlight, library_item, library_key, library_note};
use extract::Document;
use serde::{Deserialize, Serialize};

use crate::library::text::Text;

/// The name of the format, by which its files are known.
pub(crate) const FORMAT: &str = "svc_jsonl";
/// The version of it that is written.
pub(crate) const VERSION: u32 = 1;

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Line {
    /// What the file is.
    Manifest(Manifest),
    /// An item, with its text.
    Item(Box<ItemLine>),
    /// A note.
    Note(NoteLine),
    /// A highlight.
    Highlight(Box<HighlightLine>),
}

/// What a file is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Manifest {
    pub(crate) format: String,
    pub(crate) version: u32,
    pub(crate) exported_at: i64,
    /// With which a client of `syncLibrary` goes on that has taken in the export.
    #[serde(default)]
    pub(crate) cursor: String,
    pub(crate) part: u32,
}

/// An item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ItemLine {
    pub(crate) id: ItemId,
    pub(crate) url: String,
    #[serde(default)]
    pub(crate) original_url: Option<String>,
    pub(crate) title: String,
    pub(crate) title_rank: i16,
    #[serde(default)]
    pub(crate) author: Option<String>,
    #[serde(default)]
    pub(crate) author_rank: i16,
    #[serde(default)]
    pub(crate) published_at: Option<String>,
    #[serde(default)]
    pub(crate) published_rank: i16,
    pub(crate) content_kind: ContentKind,
    pub(crate) kind_method: ClassificationMethod,
    pub(crate) kind_confidence: i16,
    pub(crate) kind_at: i64,
    pub(crate) capture_method: CaptureMethod,
    pub(crate) format: ItemFormat,
    #[serde(default)]
    pub(crate) mime_type: Option<String>,
    #[serde(default)]
    pub(crate) file_name: Option<String>,
    #[serde(default)]
    pub(crate) external_id: Option<String>,
    /// JSON text, as it was sent.
    #[serde(default)]
    pub(crate) metadata: Option<String>,
    pub(crate) status: ItemStatus,
    pub(crate) saved_at: i64,
    #[serde(default)]
    pub(crate) last_read_at: Option<i64>,
    #[serde(default)]
    pub(crate) finished_at: Option<i64>,
    #[serde(default)]
    pub(crate) read_progress: Option<i16>,
    pub(crate) article_status: ArticleStatus,
    #[serde(default)]
    pub(crate) article_error: Option<String>,
    #[serde(default)]
    pub(crate) quality_status: Option<String>,
    #[serde(default)]
    pub(crate) extraction_source: Option<TextSource>,
    /// An item that leads to the same page.
    #[serde(default)]
    pub(crate) duplicate_of: Option<ItemId>,
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    #[serde(default)]
    pub(crate) keys: Vec<KeyLine>,
    #[serde(default)]
    pub(crate) text: Option<TextLine>,
    /// What was supplied, as it was supplied.
    #[serde(default)]
    pub(crate) original: Option<OriginalLine>,
    #[serde(default)]
    pub(crate) file: Option<FileLine>,
}

/// What saves of an item are matched by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeyLine {
    pub(crate) kind: KeyKind,
    pub(crate) value: String,
}

/// An item's text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TextLine {
    pub(crate) origin: TextOrigin,
    #[serde(default)]
    pub(crate) final_url: Option<String>,
    pub(crate) made_at: i64,
    pub(crate) document: Box<Document>,
}

/// Content as it was supplied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OriginalLine {
    pub(crate) mime_type: String,
    pub(crate) body: String,
}

/// An item's file, which lies beside the lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FileLine {
    pub(crate) name: String,
    pub(crate) mime_type: String,
    pub(crate) size: u64,
    pub(crate) checksum: String,
    pub(crate) path: String,
    /// When it was put there.
    #[serde(default)]
    pub(crate) at: Option<i64>,
}

/// A note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NoteLine {
    pub(crate) id: NoteId,
    #[serde(default)]
    pub(crate) item_id: Option<ItemId>,
    #[serde(default)]
    pub(crate) title: Option<String>,
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) external_id: Option<String>,
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    pub(crate) created_at: i64,
}

/// A highlight.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HighlightLine {
    pub(crate) id: HighlightId,
    #[serde(default)]
    pub(crate) item_id: Option<ItemId>,
    #[serde(default)]
    pub(crate) item_title: Option<String>,
    #[serde(default)]
    pub(crate) source_url: Option<String>,
    pub(crate) quote: String,
    #[serde(default)]
    pub(crate) prefix: String,
    #[serde(default)]
    pub(crate) suffix: String,
    #[serde(default)]
    pub(crate) hint: Option<i32>,
    #[serde(default)]
    pub(crate) note: Option<String>,
    pub(crate) color: HighlightColor,
    /// Where it stands in the item's text.
    #[serde(default)]
    pub(crate) anchor: Option<i32>,
    #[serde(default)]
    pub(crate) end_anchor: Option<i32>,
    #[serde(default)]
    pub(crate) start_offset: Option<i32>,
    #[serde(default)]
    pub(crate) end_offset: Option<i32>,
    #[serde(default)]
    pub(crate) page: Option<i32>,
    pub(crate) anchor_status: AnchorStatus,
    /// The hash of that text.
    #[serde(default)]
    pub(crate) text_hash: Option<String>,
    #[serde(default)]
    pub(crate) external_id: Option<String>,
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    pub(crate) created_at: i64,
}

/// What belongs to an item beside its row.
pub(crate) struct Beside {
    pub(crate) tags: Vec<String>,
    pub(crate) keys: Vec<library_key::Model>,
    pub(crate) text: Option<Text>,
    pub(crate) original: Option<(Vec<u8>, String)>,
}

impl ItemLine {
    /// The line of an item.
    pub(crate) fn of(row: &library_item::Model, beside: Beside) -> Self {
        let row = row.clone();
        let file = file_of(&row);
        let keys = beside.keys.into_iter();
        let text = beside.text.map(|text| TextLine {
            origin: text.origin,
            final_url: text.final_url,
            made_at: text.cached_at,
            document: Box::new(text.document.as_ref().clone()),
        });
        let original = beside.original.map(|(body, mime_type)| OriginalLine {
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
            duplicate_of: row.duplicate_of,
            tags: beside.tags,
            keys: keys.filter_map(|key| Some(KeyLine { kind: key.kind, value: key.value? })).collect(),
            text,
            original,
            file,
        }
    }
}

/// The file of an item, under a name that no archive misunderstands.
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

/// The longest name of a file in an archive, in bytes.
const NAME_BYTES: usize = 150;

/// A name whose ending is kept when it is cut.
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
    /// The line of a note.
    pub(crate) fn of(row: library_note::Model, tags: Vec<String>) -> Self {
        Self {
            id: row.id,
            item_id: row.item_id,
            title: row.title,
            text: row.text,
            external_id: row.external_id,
            tags,
            created_at: row.created_at,
        }
    }
}

impl HighlightLine {
    /// The line of a highlight.
    pub(crate) fn of(row: library_highlight::Model, tags: Vec<String>, text_hash: Option<String>) -> Self {
        Self {
            id: row.id,
            item_id: row.item_id,
            item_title: row.item_title,
            source_url: row.source_url,
            quote: row.quote,
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
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_keeps_its_ending() {
        assert_eq!(short("a.pdf"), "a.pdf");
        let cut = short(&format!("{}.pdf", "\u{fc}".repeat(200)));
        assert!(cut.len() <= NAME_BYTES && cut.strip_suffix(".pdf").is_some());
    }
}
