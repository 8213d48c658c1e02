//! Saved items that wait for the rules of their account. A row is deleted when the rules have been applied.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ItemId};
use crate::library_words::ItemStatus;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_rule_item")]
pub struct Model {
    /// Item. The row is deleted with it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub item_id: ItemId,
    pub account_id: AccountId,
    /// Status with which the item was saved.
    pub status: ItemStatus,
    /// Case-folded names of the tags with which the item was saved, as a JSON array.
    pub tags: String,
    /// True until the text of the item is stored, or no longer expected.
    pub is_waiting: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the items of an account that wait for its rules.");

impl ActiveModelBehavior for ActiveModel {}
