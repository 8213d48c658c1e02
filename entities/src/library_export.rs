//! Exports of libraries. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ExportId};
use crate::library_words::{ExportFormat, TransferState};

/// One row of `library_export`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_export")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: ExportId,
    /// The owner.
    pub account_id: AccountId,
    /// `queued`, `running`, `complete` or `failed`.
    pub state: TransferState,
    /// The format.
    pub format: ExportFormat,
    /// Objects to be written.
    pub total: i64,
    /// Objects that are written.
    pub done: i64,
    /// JSON: the parts, each with its size, its checksum and its key in the store.
    pub parts: String,
    /// Why it failed.
    pub error_code: Option<String>,
    /// When it was asked for.
    pub created_at: i64,
    /// When it is forgotten.
    pub expires_at: i64,
}

/// What it belongs to is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The exports of an account.");

impl ActiveModelBehavior for ActiveModel {}
