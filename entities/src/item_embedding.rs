//! Vectors of the texts of library items, by the embedding model of the operator.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ItemId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "item_embedding")]
pub struct Model {
    /// Item. Its vector is deleted with it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub item_id: ItemId,
    pub account_id: AccountId,
    /// Name of the embedding model.
    pub model: String,
    /// Hash of the text of the item when it was sent.
    pub content_hash: String,
    /// Components as 32-bit floating-point numbers, little-endian.
    pub vector: Vec<u8>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the vectors of an account's items.");

impl ActiveModelBehavior for ActiveModel {}
