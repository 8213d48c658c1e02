//! Stars: an account's marks on entries of feeds. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, EntryId, FeedId, ItemId};

/// One row of `rss_star`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rss_star")]
pub struct Model {
    /// The owner.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// The entry.
    #[sea_orm(primary_key, auto_increment = false)]
    pub entry_id: EntryId,
    /// The entry's feed.
    pub feed_id: FeedId,
    /// What it was saved as; none where it cannot be saved.
    pub item_id: Option<ItemId>,
    /// The item was made for this star, and for nothing else.
    pub made_item: bool,
    /// When it was given.
    pub starred_at: i64,
}

/// Owner, entry and item are named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The stars of an account.");

impl ActiveModelBehavior for ActiveModel {}
