//! Entries that a feed has and that are not stored: by their marks they are known, and never arrive as new. Times
//! are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::FeedId;

/// One row of `feed_dropped_entry`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_dropped_entry")]
pub struct Model {
    /// Counts from 1.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// The feed.
    pub feed_id: FeedId,
    /// Unique within the feed.
    pub entry_key: i64,
    /// Hash of the guid; 0 without one.
    pub mark_guid: i64,
    /// Hash of the normalised address; 0 without one.
    pub mark_url: i64,
    /// Hash of the title.
    pub mark_title: i64,
    /// Time that identity goes by; 0 without one.
    pub mark_published: i64,
    /// Hash of everything shown.
    pub fingerprint: i64,
    /// Since when it does not stand in the body any more; empty as long as it does.
    pub left_at: Option<i64>,
}

/// The feed is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
