//! State of an account's library: its change log, its clock, and its storage use.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ObjectId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_account")]
pub struct Model {
    /// Number of the account, counted from 1. Prefix of the account's terms in the search index.
    #[sea_orm(primary_key)]
    pub number: i64,
    pub account_id: AccountId,
    /// Highest sequence number assigned in the change log.
    pub last_sequence: i64,
    /// Time assigned to the last change. Greater than the time of the previous change.
    pub last_updated_at: i64,
    /// Highest sequence number whose tombstone was purged.
    pub purged_sequence: i64,
    /// Total size of all objects, in bytes.
    pub stored_bytes: i64,
    /// Bytes reserved for running uploads.
    pub reserved_bytes: i64,
    /// Due time of the job that rebuilds the search index. Null if the index is current.
    pub reindex_at: Option<i64>,
    /// Last object whose index rows the running rebuild has written. Null before its first object.
    pub reindexed_to: Option<ObjectId>,
    /// Maximum number of highlights that are reviewed per day.
    pub reviews_per_day: i16,
    /// Formats in which the pages of new items are copied, separated by commas. Empty if no format is chosen.
    pub copy_formats: String,
    /// Time at which the next imported items are chosen for page copies. Null if imported items get no page copies.
    pub copy_imports_due_at: Option<i64>,
    /// Due time of the job that applies the rules of the account to saved items. Null if no item is ready for them.
    pub rules_due_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the library state of an account.");

impl ActiveModelBehavior for ActiveModel {}
