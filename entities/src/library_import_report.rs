//! Results of imported rows. A row of this table contains the results of consecutive rows of a file, which
//! were written in one transaction.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ImportId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_import_report")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub import_id: ImportId,
    /// Number of the first row.
    #[sea_orm(primary_key, auto_increment = false)]
    pub first_row: i64,
    /// Number of the last row.
    pub last_row: i64,
    pub account_id: AccountId,
    /// Rows that created an item.
    pub created: i64,
    /// Rows whose item already existed.
    pub existing: i64,
    /// Skipped rows.
    pub skipped: i64,
    /// Failed rows.
    pub failed: i64,
    /// Rows with a problem.
    pub problems: i64,
    /// Size of the compressed results, in bytes.
    pub bytes: i64,
    /// Results as JSON, compressed with zstd.
    pub results: Vec<u8>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the row results of an account's imports.");

impl ActiveModelBehavior for ActiveModel {}
