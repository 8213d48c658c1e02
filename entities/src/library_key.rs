//! Keys by which saves are matched to items. A key belongs to one item of an account, and is retained for
//! some time after the item was deleted.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ItemId};
use crate::library_words::KeyKind;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_key")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Hash of kind and value.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    /// `external`, `url`, `import` or `content`.
    pub kind: KeyKind,
    /// Value of the key, while the item exists.
    pub value: Option<String>,
    /// Item, which may have been deleted. Of a note or highlight that its owner deleted, its own id.
    pub item_id: ItemId,
    /// Time at which the item was deleted.
    pub deleted_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the item keys of an account.");

impl ActiveModelBehavior for ActiveModel {}
