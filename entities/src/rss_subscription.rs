//! Subscriptions: an account follows a feed. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, CollectionId, EntryId, FeedId, SubscriptionId};

/// One row of `rss_subscription`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rss_subscription")]
pub struct Model {
    /// Counts from 1.
    #[sea_orm(primary_key)]
    pub id: SubscriptionId,
    /// The owner.
    pub account_id: AccountId,
    /// The feed.
    pub feed_id: FeedId,
    /// The one collection it lies in.
    pub collection_id: CollectionId,
    /// The owner's own title.
    pub title: Option<String>,
    /// A fixed interval; empty for an adaptive one.
    pub interval_minutes: Option<i32>,
    /// Article text instead of the feed's summary.
    pub full_text: bool,
    /// Entries up to this id are read unless marked otherwise.
    pub read_through: EntryId,
    /// When it was made.
    pub created_at: i64,
    /// The feed's page as the owner's list named it.
    pub site_url: Option<String>,
    /// The feed that it was moved from.
    pub moved_from_id: Option<FeedId>,
    /// When it was moved.
    pub moved_at: Option<i64>,
    /// A feed that it is not to be moved to: its owner undid that.
    pub declined_feed_id: Option<FeedId>,
    /// Events of the feed behind this number of the log are seen.
    pub followed_sequence: i64,
}

/// Owner, feed and collection are named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The subscriptions of an account.");

impl ActiveModelBehavior for ActiveModel {}
