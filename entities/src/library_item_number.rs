//! Numbers of library items, for apps that identify items by a number.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ItemId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_item_number")]
pub struct Model {
    /// Number of the item. It is never reassigned, not even after the item was deleted.
    #[sea_orm(primary_key)]
    pub number: i64,
    pub account_id: AccountId,
    pub item_id: ItemId,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the item numbers of an account.");

impl ActiveModelBehavior for ActiveModel {}
