//! Entries of a feed that moved which stand in the feed that it moved to as well.

use sea_orm::entity::prelude::*;

use crate::ids::{EntryId, FeedId};

/// One row of `feed_entry_twin`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_entry_twin")]
pub struct Model {
    /// The feed that was moved to.
    #[sea_orm(primary_key, auto_increment = false)]
    pub into_feed_id: FeedId,
    /// The entry of the feed that moved.
    #[sea_orm(primary_key, auto_increment = false)]
    pub entry_id: EntryId,
    /// The same entry where the feed moved to; it may be gone since.
    pub twin_id: EntryId,
}

/// Everything is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
