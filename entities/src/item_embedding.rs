//! Vectors of the passages of library items, computed by the operator's embedding model.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ItemId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "item_embedding")]
pub struct Model {
    /// Item. Its vectors are deleted with it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub item_id: ItemId,
    pub account_id: AccountId,
    /// Name of the embedding model.
    pub model: String,
    /// Hash of the text of the item when it was sent.
    pub content_hash: String,
    /// Number of components per vector as a little-endian 32-bit number, followed by the components of all vectors, one
    /// byte each.
    pub vector: Vec<u8>,
    /// Number of passages with a vector. 0 in rows written by earlier versions, whose vectors have another format.
    pub passages: i32,
    /// Number of passages that the model refused.
    pub refused: i32,
    /// True if the text has more passages than are indexed.
    pub is_cut: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the vectors of an account's items.");

impl ActiveModelBehavior for ActiveModel {}
