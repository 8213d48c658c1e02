//! Feeds that an account no longer follows, because the feed moved or the account unsubscribed. The rows
//! preserve the read state. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, EntryId, FeedId, SubscriptionId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rss_former_feed")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub feed_id: FeedId,
    /// Feed to which the feed moved.
    pub into_feed_id: Option<FeedId>,
    /// Subscription under which the entries are listed.
    pub subscription_id: Option<SubscriptionId>,
    /// Entries up to this id are read, unless marked otherwise.
    pub read_through: EntryId,
    /// Last entry of the feed that was visible to the account.
    pub last_entry_id: EntryId,
    /// Time at which the account stopped following the feed.
    pub ended_at: i64,
    /// Events of the feed after this sequence number are visible if they concern listed entries.
    pub followed_sequence: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the previous feeds of an account.");

impl ActiveModelBehavior for ActiveModel {}
