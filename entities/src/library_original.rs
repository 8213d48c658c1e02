//! Content supplied by clients for items.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ItemId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_original")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub item_id: ItemId,
    /// Content, compressed with zstd.
    pub body: Vec<u8>,
    /// Size of the uncompressed content, in bytes.
    pub body_bytes: i64,
    /// SHA-256 of the content, in hex.
    pub body_hash: String,
    /// `text/html`, `text/markdown` or `text/plain`.
    pub mime_type: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the supplied content of an account's items.");

impl ActiveModelBehavior for ActiveModel {}
