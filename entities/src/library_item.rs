//! Items of a library. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ItemId};
use crate::library_words::{
    ArticleStatus, CaptureMethod, ClassificationMethod, ContentKind, ItemFormat, ItemStatus, Lane,
    ReviewFrequency, TextOrigin, TextSource,
};
use crate::render::Render;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_item")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: ItemId,
    pub account_id: AccountId,
    /// Sequence number in the account's change log.
    pub sequence: i64,
    /// Absolute http or https URL, or `urn:uuid:` with the item's id.
    pub url: String,
    /// URL as the client sent it. Null if it equals `url`.
    pub original_url: Option<String>,
    /// Host of the URL, or `upload`.
    pub domain: String,
    /// Title; never empty.
    pub title: String,
    /// Precedence of the title's origin.
    pub title_rank: i16,
    /// Author names, joined by commas.
    pub author: Option<String>,
    /// Precedence of the author's origin.
    pub author_rank: i16,
    /// RFC 3339 time, or a date.
    pub published_at: Option<String>,
    /// Precedence of the publication time's origin.
    pub published_rank: i16,
    pub content_kind: ContentKind,
    /// Method by which the kind was determined.
    pub kind_method: ClassificationMethod,
    /// Confidence in the kind, 0 to 100.
    pub kind_confidence: i16,
    /// Time at which the kind was determined.
    pub kind_at: i64,
    /// Method by which the item was added to the library.
    pub capture_method: CaptureMethod,
    /// Format of the content.
    pub format: ItemFormat,
    /// Media type of the content.
    pub mime_type: Option<String>,
    /// File name of the content.
    pub file_name: Option<String>,
    /// First id assigned by a client.
    pub external_id: Option<String>,
    /// JSON object as sent by the client.
    pub metadata: Option<String>,
    /// `inbox`, `later` or `archive`.
    pub status: ItemStatus,
    pub saved_at: i64,
    pub updated_at: i64,
    /// Time of the last read.
    pub last_read_at: Option<i64>,
    /// Time at which the item was read to its end.
    pub finished_at: Option<i64>,
    /// Read progress as a percentage, 1 to 99.
    pub read_progress: Option<i16>,
    /// State of the text.
    pub article_status: ArticleStatus,
    /// Error code of the last failure to obtain the text or a newer text.
    pub article_error: Option<String>,
    /// Quality of the text.
    pub quality_status: Option<String>,
    /// Method by which the text was extracted.
    pub extraction_source: Option<TextSource>,
    /// Hash of the text.
    pub content_hash: Option<String>,
    /// Another item with the same page. Null if no other item has the page.
    pub duplicate_of: Option<ItemId>,
    /// Blob key of the file.
    pub asset_blob: Option<String>,
    /// Name of the file.
    pub asset_name: Option<String>,
    /// Media type of the file.
    pub asset_mime: Option<String>,
    /// Size of the file, in bytes.
    pub asset_size: Option<i64>,
    /// `sha256:` and the hash of the file, in hex.
    pub asset_checksum: Option<String>,
    /// Time at which the file was stored.
    pub asset_at: Option<i64>,
    /// Bytes counted towards the account's storage quota, including text, file, and metadata.
    pub stored_bytes: i64,
    /// `person` or `import`: priority of the text job.
    pub lane: Lane,
    /// Time of the next attempt to obtain the text, or time at which a pending upload is abandoned.
    pub next_try_at: Option<i64>,
    /// Failed attempts to obtain the text.
    pub tries: i16,
    /// Number of text requests. A result is accepted only for the latest request.
    pub ask: i64,
    /// Origin of the requested text. Null if no text is requested.
    pub ask_from: Option<TextOrigin>,
    /// Choice of whether the page is rendered when its text is fetched. Null for the default.
    pub render: Option<Render>,
    /// Time of the last failure.
    pub failed_at: Option<i64>,
    /// Time of the last manual refresh of the text.
    pub refreshed_at: Option<i64>,
    /// Fingerprint of the item as an import last wrote it. If the current fingerprint differs, a person has
    /// changed the item since.
    pub import_mark: Option<i64>,
    /// Frequency with which the highlights of the item are reviewed.
    pub review_frequency: ReviewFrequency,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the items of an account.");

impl ActiveModelBehavior for ActiveModel {}
