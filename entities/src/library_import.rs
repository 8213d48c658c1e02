//! Imports into libraries. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ImportId};
use crate::library_words::{ImportKind, TransferState};

/// One row of `library_import`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[expect(clippy::struct_excessive_bools, reason = "each is a column of its own")]
#[sea_orm(table_name = "library_import")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: ImportId,
    /// The owner.
    pub account_id: AccountId,
    /// `library` or `subscriptions`.
    pub kind: ImportKind,
    /// `queued`, `running`, `complete` or `failed`.
    pub state: TransferState,
    /// The format, or `auto`.
    pub format: String,
    /// Nothing is written: it is tried out.
    pub is_dry: bool,
    /// What the person deleted is brought back.
    pub include_deleted: bool,
    /// What beside the library is taken in: words separated by commas.
    pub include: String,
    /// The key of its file in the store.
    pub blob: String,
    /// Bytes of its file.
    pub bytes: i64,
    /// Rows, once they are counted.
    pub total: Option<i64>,
    /// Rows that are done with.
    pub rows_done: i64,
    /// Items that were made.
    pub created: i64,
    /// Rows whose item was there.
    pub existing: i64,
    /// Rows that were left out.
    pub skipped: i64,
    /// Rows that could not be taken.
    pub failed: i64,
    /// Notes and highlights that were made.
    pub highlights: i64,
    /// Collections that were made.
    pub collections: i64,
    /// JSON: the first rows that something is wrong with.
    pub problems: String,
    /// Why it failed.
    pub error_code: Option<String>,
    /// It stops at its next step.
    pub is_cancelled: bool,
    /// What it made was taken back.
    pub is_undone: bool,
    /// When it was asked for.
    pub created_at: i64,
    /// When it ended.
    pub finished_at: Option<i64>,
    /// When it is forgotten.
    pub expires_at: i64,
}

/// What it belongs to is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The imports of an account.");

impl ActiveModelBehavior for ActiveModel {}
