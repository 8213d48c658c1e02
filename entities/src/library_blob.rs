//! Files in the store. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ItemId};

/// One row of `library_blob`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_blob")]
pub struct Model {
    /// Its key in the store.
    #[sea_orm(primary_key, auto_increment = false)]
    pub blob: String,
    /// The owner.
    pub account_id: AccountId,
    /// The item whose file it is, or will be.
    pub item_id: Option<ItemId>,
    /// The blob that the item had when the upload began.
    pub replaces: Option<String>,
    /// Bytes of the account's storage that are kept free for it while it is uploaded.
    pub reserved_bytes: i64,
    /// When it is deleted; none for what is in use.
    pub delete_at: Option<i64>,
}

/// What it belongs to is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The files of an account in the store.");

impl ActiveModelBehavior for ActiveModel {}
