//! Stars: an account's marks on feed entries. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, EntryId, FeedId, ItemId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rss_star")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub entry_id: EntryId,
    /// Feed of the entry.
    pub feed_id: FeedId,
    /// Item that was saved for the entry. Null if the entry cannot be saved.
    pub item_id: Option<ItemId>,
    /// True if the item exists only because of its stars. It is then deleted with the last star.
    pub made_item: bool,
    pub starred_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the stars of an account.");

impl ActiveModelBehavior for ActiveModel {}
