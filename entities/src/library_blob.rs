//! Blobs of library files. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ItemId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_blob")]
pub struct Model {
    /// Key in the blob store.
    #[sea_orm(primary_key, auto_increment = false)]
    pub blob: String,
    pub account_id: AccountId,
    /// Item to which the file belongs or will belong.
    pub item_id: Option<ItemId>,
    /// Blob of the item when the upload started.
    pub replaces: Option<String>,
    /// Bytes of the account's quota that are reserved while the file is uploaded.
    pub reserved_bytes: i64,
    /// Time at which the blob is deleted. Null while it is in use.
    pub delete_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the library blobs of an account.");

impl ActiveModelBehavior for ActiveModel {}
