//! Items that are deleted after a short time, during which the deletion can be undone. Times are milliseconds
//! since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ItemId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_pending_deletion")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub item_id: ItemId,
    pub account_id: AccountId,
    /// True if the notes and highlights of the item are also deleted.
    pub with_annotations: bool,
    pub delete_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the pending deletions of an account.");

impl ActiveModelBehavior for ActiveModel {}
