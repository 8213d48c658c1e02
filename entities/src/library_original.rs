//! Content as it was supplied for an item.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ItemId};

/// One row of `library_original`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_original")]
pub struct Model {
    /// The owner.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// The item.
    #[sea_orm(primary_key, auto_increment = false)]
    pub item_id: ItemId,
    /// The content, compressed with zstd.
    pub body: Vec<u8>,
    /// Bytes of the content.
    pub body_bytes: i64,
    /// SHA-256 of the content, as hex.
    pub body_hash: String,
    /// `text/html`, `text/markdown` or `text/plain`.
    pub mime_type: String,
}

/// What it belongs to is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The supplied contents of an account's items.");

impl ActiveModelBehavior for ActiveModel {}
