//! `WebSub` subscriptions, at most one per feed. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::FeedId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_hub")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub feed_id: FeedId,
    pub hub_url: String,
    /// URL by which the hub knows the feed.
    pub topic_url: String,
    /// Unguessable part of the callback URL.
    pub token: String,
    /// Key that signs the hub's deliveries.
    pub secret: String,
    /// `pending`, `active` or `failed`.
    pub state: String,
    /// End of the lease that the hub granted.
    pub lease_until: Option<i64>,
    /// Time of the next subscription request.
    pub next_try_at: Option<i64>,
    /// Consecutive failed requests.
    pub attempts: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
