//! `WebSub` subscriptions, at most one a feed. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::FeedId;

/// One row of `feed_hub`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_hub")]
pub struct Model {
    /// The feed.
    #[sea_orm(primary_key, auto_increment = false)]
    pub feed_id: FeedId,
    /// The hub.
    pub hub_url: String,
    /// What the hub calls the feed.
    pub topic_url: String,
    /// The unguessable part of the callback's address.
    pub token: String,
    /// Key of the signatures on what the hub sends.
    pub secret: String,
    /// `pending`, `active` or `failed`.
    pub state: String,
    /// Until when the hub has promised to send.
    pub lease_until: Option<i64>,
    /// When to ask the hub (again).
    pub next_try_at: Option<i64>,
    /// Requests in a row that led to nothing.
    pub attempts: i32,
}

/// The feed is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
