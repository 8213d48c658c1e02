//! Feeds that an account followed before: until the feed moved, or until the account let go. They keep what was
//! read and what was not. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, EntryId, FeedId, SubscriptionId};

/// One row of `rss_former_feed`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rss_former_feed")]
pub struct Model {
    /// The owner.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// The feed.
    #[sea_orm(primary_key, auto_increment = false)]
    pub feed_id: FeedId,
    /// The feed that it moved to.
    pub into_feed_id: Option<FeedId>,
    /// The subscription under which its entries are listed.
    pub subscription_id: Option<SubscriptionId>,
    /// Entries up to this id are read unless marked otherwise.
    pub read_through: EntryId,
    /// The last entry that the account could see of it.
    pub last_entry_id: EntryId,
    /// When it stopped being followed.
    pub ended_at: i64,
    /// Events of the feed behind this number of the log are seen, as far as its entries are listed.
    pub followed_sequence: i64,
}

/// Everything is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The former feeds of an account.");

impl ActiveModelBehavior for ActiveModel {}
