//! Items of a library. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ItemId};
use crate::library_words::{
    ArticleStatus, CaptureMethod, ClassificationMethod, ContentKind, ItemFormat, ItemStatus, Lane,
    TextOrigin, TextSource,
};

/// One row of `library_item`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_item")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: ItemId,
    /// The owner.
    pub account_id: AccountId,
    /// Its number in the log of changes.
    pub sequence: i64,
    /// Absolute http(s), or `urn:uuid:` with its id.
    pub url: String,
    /// As it was sent, where that differs.
    pub original_url: Option<String>,
    /// Host of the URL, or `upload`.
    pub domain: String,
    /// Never empty.
    pub title: String,
    /// Whose word the title is.
    pub title_rank: i16,
    /// Names joined by commas.
    pub author: Option<String>,
    /// Whose word the author is.
    pub author_rank: i16,
    /// RFC 3339, or a day.
    pub published_at: Option<String>,
    /// Whose word the time is.
    pub published_rank: i16,
    /// What sort of thing it is.
    pub content_kind: ContentKind,
    /// How that was found.
    pub kind_method: ClassificationMethod,
    /// How sure that is, 0 to 100.
    pub kind_confidence: i16,
    /// When it was found.
    pub kind_at: i64,
    /// How it came into the library.
    pub capture_method: CaptureMethod,
    /// The format of its content.
    pub format: ItemFormat,
    /// The media type of its content.
    pub mime_type: Option<String>,
    /// The name of its file.
    pub file_name: Option<String>,
    /// The first id that a client gave it.
    pub external_id: Option<String>,
    /// JSON text of an object, as it was sent.
    pub metadata: Option<String>,
    /// `inbox`, `later` or `archive`.
    pub status: ItemStatus,
    /// When it was saved.
    pub saved_at: i64,
    /// When it last changed.
    pub updated_at: i64,
    /// When it was last read.
    pub last_read_at: Option<i64>,
    /// When it was read to its end.
    pub finished_at: Option<i64>,
    /// Per cent, 1 to 99.
    pub read_progress: Option<i16>,
    /// Where its text stands.
    pub article_status: ArticleStatus,
    /// Why there is no text, or no newer one.
    pub article_error: Option<String>,
    /// How good the text is.
    pub quality_status: Option<String>,
    /// How the text was found.
    pub extraction_source: Option<TextSource>,
    /// Changes with the text.
    pub content_hash: Option<String>,
    /// An item that leads to the same page.
    pub duplicate_of: Option<ItemId>,
    /// The key of its file in the store.
    pub asset_blob: Option<String>,
    /// The name of its file.
    pub asset_name: Option<String>,
    /// The media type of its file.
    pub asset_mime: Option<String>,
    /// Bytes of its file.
    pub asset_size: Option<i64>,
    /// `sha256:` and the hash of its file, as hex.
    pub asset_checksum: Option<String>,
    /// When its file was put there.
    pub asset_at: Option<i64>,
    /// What it counts in the account's storage, with text, file and metadata.
    pub stored_bytes: i64,
    /// `person` or `import`: who waits for its text.
    pub lane: Lane,
    /// When its text is tried next, or a pending file is given up.
    pub next_try_at: Option<i64>,
    /// How often its text was tried in vain.
    pub tries: i16,
    /// Counts how often a text was asked for: a result counts for its own ask alone.
    pub ask: i64,
    /// What the text is to be made from, while it is asked for.
    pub ask_from: Option<TextOrigin>,
    /// When that last failed.
    pub failed_at: Option<i64>,
    /// When somebody last asked for a newer text.
    pub refreshed_at: Option<i64>,
}

/// What it belongs to is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The items of an account.");

impl ActiveModelBehavior for ActiveModel {}
