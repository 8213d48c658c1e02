//! Entries of a redirected feed that duplicate entries of the feed to which it moved.

use sea_orm::entity::prelude::*;

use crate::ids::{EntryId, FeedId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_entry_twin")]
pub struct Model {
    /// Feed to which the other feed moved.
    #[sea_orm(primary_key, auto_increment = false)]
    pub into_feed_id: FeedId,
    /// Entry of the redirected feed.
    #[sea_orm(primary_key, auto_increment = false)]
    pub entry_id: EntryId,
    /// Duplicate in the feed `into_feed_id`. It may have been deleted since.
    pub twin_id: EntryId,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
