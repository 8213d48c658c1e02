//! What saves are matched by: each key belongs to one item of an account, and outlives it for a while.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ItemId};
use crate::library_words::KeyKind;

/// One row of `library_key`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_key")]
pub struct Model {
    /// The owner.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Hash of kind and value.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    /// `external`, `url`, `import` or `content`.
    pub kind: KeyKind,
    /// The value, while the item is there.
    pub value: Option<String>,
    /// The item, or the one that was deleted.
    pub item_id: ItemId,
    /// When the item was deleted.
    pub deleted_at: Option<i64>,
}

/// What it belongs to is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The keys of an account's items.");

impl ActiveModelBehavior for ActiveModel {}
