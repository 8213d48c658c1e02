//! Shape of a row, names of the formats, and row errors.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::document::words;

/// Maximum bytes of a row in a JSON file.
pub const MAX_ROW_BYTES: usize = 16 * 1024 * 1024;
/// Leading bytes that format detection reads.
pub const HEAD_BYTES: usize = 64 * 1024;

words! {
    /// Import formats, with the names that callers use.
    Format {
        /// Browser bookmarks, and files that many services call HTML.
        Netscape = "netscape",
        PocketCsv = "pocket_csv",
        OmnivoreJson = "omnivore_json",
        /// Highlights of books and articles.
        ReadwiseCsv = "readwise_csv",
        ReadwiseReaderCsv = "readwise_reader_csv",
        InstapaperCsv = "instapaper_csv",
        RaindropCsv = "raindrop_csv",
        WallabagJson = "wallabag_json",
        /// Karakeep, formerly Hoarder.
        KarakeepJson = "karakeep_json",
        /// Carrel's own format, which preserves everything. The module that writes its lines also reads them.
        SvcJsonl = "svc_jsonl",
    }
}

words! {
    /// Status of an item at the other service.
    ImportStatus {
        Inbox = "inbox",
        Later = "later",
        Archive = "archive",
    }
}

/// Item exported by another service.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ImportRow {
    /// Id at the other service.
    pub source_id: Option<String>,
    /// Address of the item; `None` for books, notes and the like.
    pub url: Option<String>,
    pub title: Option<String>,
    pub author: Option<String>,
    /// Time of publication, as written in the file.
    pub published_at: Option<String>,
    /// Time of saving, in milliseconds since 1970.
    pub saved_at: Option<i64>,
    pub status: Option<ImportStatus>,
    /// Percentage read; `None` if the file does not say.
    pub progress: Option<u8>,
    /// All tags, as written in the file.
    pub tags: Vec<String>,
    pub is_starred: bool,
    pub folder: Option<String>,
    pub content: Option<RowContent>,
    /// Note on the whole item.
    pub note: Option<String>,
    pub highlights: Vec<ImportedHighlight>,
    /// Values without a field, by their names in the file.
    pub extra: Map<String, Value>,
}

/// Text that a row contains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowContent {
    pub text: String,
    /// `text/html` or `text/plain`.
    pub media_type: String,
}

/// A highlighted passage.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedHighlight {
    /// Id at the other service.
    pub source_id: Option<String>,
    /// Highlighted words.
    pub quote: String,
    /// Note on the highlight.
    pub note: Option<String>,
    /// Colour, as named by the other service.
    pub color: Option<String>,
    pub tags: Vec<String>,
    /// Time of creation, in milliseconds since 1970.
    pub created_at: Option<i64>,
}

/// Reason why a row cannot be read. The next row can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum InvalidRow {
    /// The row exceeds the size limit.
    #[error("the row is too long")]
    TooLong,
    /// The row does not have the form that the format requires.
    #[error("the row cannot be read")]
    Malformed,
    /// The row has neither an address nor a text, a note or a highlight.
    #[error("the row contains nothing to import")]
    Empty,
    /// The file breaks off within the row.
    #[error("the file ends in the middle of a row")]
    Truncated,
}

/// Result of reading a row.
pub type RowResult = Result<ImportRow, InvalidRow>;
