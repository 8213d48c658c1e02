//! Exports of libraries. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ExportId};
use crate::library_words::{ExportFormat, TransferState};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_export")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: ExportId,
    pub account_id: AccountId,
    /// `queued`, `running`, `complete` or `failed`.
    pub state: TransferState,
    pub format: ExportFormat,
    /// Number of objects to write.
    pub total: i64,
    /// Number of objects written.
    pub done: i64,
    /// Parts of the export as JSON, each with its size, checksum, and blob key.
    pub parts: String,
    /// Error code if the export failed.
    pub error_code: Option<String>,
    pub created_at: i64,
    /// Time at which the export is deleted.
    pub expires_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the exports of an account.");

impl ActiveModelBehavior for ActiveModel {}
