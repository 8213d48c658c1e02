//! Event log of feeds: one row per event, shared by all followers of the feed.

use sea_orm::entity::prelude::*;

use crate::ids::{EntryId, FeedId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_event")]
pub struct Model {
    /// Position in the log, increasing in the order of commits: microseconds since the Unix epoch, or one
    /// more than the previous position.
    #[sea_orm(primary_key, auto_increment = false)]
    pub sequence: i64,
    /// Kind of event.
    pub kind: String,
    pub feed_id: FeedId,
    /// Entry that the event concerns. Null if the event concerns the feed itself.
    pub entry_id: Option<EntryId>,
    /// Feed that moved to `feed_id`. Null if the event is not a move.
    pub from_feed_id: Option<FeedId>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
