//! Copies of the pages of items. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ItemId};
use crate::library_words::PageCopyState;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_page_copy")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub item_id: ItemId,
    /// String value of a `PageCopyFormat`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub format: String,
    /// State of the latest request.
    pub state: PageCopyState,
    /// Error code of the latest request if it failed.
    pub error_code: Option<String>,
    /// Sentences about content that was left out of the stored copy.
    pub statement: Option<String>,
    /// Time of the latest request.
    pub requested_at: i64,
    /// True if the latest request was made for a new or an imported item, or for several items at the same time. The
    /// job of such a request charges it.
    pub is_automatic: bool,
    /// Time of the charge of the latest request. `None` if it has not been charged.
    pub charged_at: Option<i64>,
    /// Blob key of the stored copy.
    pub blob: Option<String>,
    /// Size of the stored copy, in bytes.
    pub size_bytes: Option<i64>,
    /// `sha256:` and the hash of the stored copy, in hex.
    pub checksum: Option<String>,
    /// Time at which the stored copy was created.
    pub created_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the copies of the pages of an account's items.");

impl ActiveModelBehavior for ActiveModel {}
