//! Addresses of feeds: every one under which a feed is known, its present one and those that it moved away from.

use sea_orm::entity::prelude::*;

use crate::ids::FeedId;

/// One row of `feed_address`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_address")]
pub struct Model {
    /// The address as a key: without scheme and fragment.
    #[sea_orm(primary_key, auto_increment = false)]
    pub url: String,
    /// The feed.
    pub feed_id: FeedId,
}

/// The feed is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
