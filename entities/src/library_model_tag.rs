//! Tags that the language model or a rule attached to items. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ItemId};
use crate::library_words::TagSource;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_model_tag")]
pub struct Model {
    /// Item. The row is deleted with it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub item_id: ItemId,
    /// Case-folded name of the tag.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tag_key: String,
    pub account_id: AccountId,
    /// False if the tag was removed from the item. It is then not attached automatically again.
    pub is_attached: bool,
    pub attached_at: i64,
    pub source: TagSource,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the tags that were attached automatically to an account's items.");

impl ActiveModelBehavior for ActiveModel {}
