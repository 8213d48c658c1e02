//! Imports into libraries. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ImportId};
use crate::library_words::{ImportKind, TransferState};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[expect(clippy::struct_excessive_bools, reason = "each field is a column")]
#[sea_orm(table_name = "library_import")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: ImportId,
    pub account_id: AccountId,
    /// `library`, `subscriptions` or `server`.
    pub kind: ImportKind,
    /// `queued`, `running`, `complete` or `failed`.
    pub state: TransferState,
    /// Format of the file, or `auto`.
    pub format: String,
    /// True for a dry run, which writes nothing.
    pub is_dry: bool,
    /// True if items that the person deleted are restored.
    pub include_deleted: bool,
    /// Parts to import in addition to the library, separated by commas.
    pub include: String,
    /// How folders are imported: `path-tags`, `tags` or `ignore`.
    pub folders: String,
    /// Mapping from columns of a table, or members of JSON objects, to the fields that a person or Carrel
    /// chose for them. Empty if the fields are derived from the names alone.
    pub column_map: String,
    /// Blob key of the file. Empty if the rows come from a server.
    pub blob: String,
    /// Size of the file, in bytes.
    pub bytes: i64,
    /// Number of rows. Null until they are counted.
    pub total: Option<i64>,
    /// Processed rows.
    pub rows_done: i64,
    /// Created items.
    pub created: i64,
    /// Rows whose item already existed.
    pub existing: i64,
    /// Skipped rows.
    pub skipped: i64,
    /// Failed rows.
    pub failed: i64,
    /// Created notes and highlights.
    pub highlights: i64,
    pub collections: i64,
    /// Counts of the objects of an account export that do not belong to the library, as JSON.
    pub parts: String,
    /// First row errors, as JSON.
    pub problems: String,
    /// Error code if the import failed.
    pub error_code: Option<String>,
    /// True if the import was cancelled. A running import stops at its next step.
    pub is_cancelled: bool,
    /// True if the latest run reads only the rows that failed in an earlier run.
    pub is_retry: bool,
    /// True if the import is being undone.
    pub is_undo_requested: bool,
    /// True if the import was undone.
    pub is_undone: bool,
    pub created_at: i64,
    /// Time at which the import ended.
    pub finished_at: Option<i64>,
    /// Time at which the import is deleted.
    pub expires_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the imports of an account.");

impl ActiveModelBehavior for ActiveModel {}
