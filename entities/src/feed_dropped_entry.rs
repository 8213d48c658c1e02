//! Entries of a feed that are not stored. Their hashes identify them, so that they do not appear as new.
//! Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::FeedId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_dropped_entry")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub feed_id: FeedId,
    /// Number of the entry, unique within the feed.
    pub entry_key: i64,
    /// Hash of the guid; 0 if the entry has none.
    pub mark_guid: i64,
    /// Hash of the normalized URL; 0 if the entry has none.
    pub mark_url: i64,
    /// Hash of the title.
    pub mark_title: i64,
    /// Publication time used for identity; 0 if the entry has none.
    pub mark_published: i64,
    /// Hash of the text; 0 if the entry has none.
    pub mark_text: i64,
    /// Hash of all visible fields.
    pub fingerprint: i64,
    /// Time at which the entry disappeared from the feed. Null while the feed contains it.
    pub left_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
