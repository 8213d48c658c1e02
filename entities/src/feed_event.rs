//! The log of what happens in feeds, one row an event for everybody who follows the feed.

use sea_orm::entity::prelude::*;

use crate::ids::{EntryId, FeedId};

/// One row of `feed_event`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_event")]
pub struct Model {
    /// Its place in the log, given in the order of commits: microseconds since the Unix epoch, or one more than the last.
    #[sea_orm(primary_key, auto_increment = false)]
    pub sequence: i64,
    /// What happened.
    pub kind: String,
    /// The feed.
    pub feed_id: FeedId,
    /// The entry, where it is about one.
    pub entry_id: Option<EntryId>,
    /// The feed that moved to this one.
    pub from_feed_id: Option<FeedId>,
}

/// Feeds and entries are named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
