//! Feeds with new entries about which channels have not been notified yet. Times are milliseconds since the
//! Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{EntryId, FeedId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_notice_request")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub feed_id: FeedId,
    /// Last entry before the new entries.
    pub after_id: EntryId,
    /// Time at which the messages are written. A claim postpones it, so that a lost job is repeated.
    pub due_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
