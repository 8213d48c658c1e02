//! Entries of feeds, shared by all accounts that follow the feed. Ids rise with discovery, in the order of
//! commits. Times are milliseconds since the Unix epoch but for one.

use sea_orm::entity::prelude::*;

use crate::ids::{EntryId, FeedId};

/// One row of `feed_entry`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_entry")]
pub struct Model {
    /// Counts from 1.
    #[sea_orm(primary_key)]
    pub id: EntryId,
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
    /// Absolute http(s).
    pub url: Option<String>,
    /// One plain line.
    pub title: Option<String>,
    /// One plain line.
    pub summary: Option<String>,
    /// Names joined by `, `.
    pub author: Option<String>,
    /// A picture.
    pub image_url: Option<String>,
    /// As the feed says.
    pub published_at: Option<i64>,
    /// As the feed says.
    pub updated_at: Option<i64>,
    /// When it was first seen, in microseconds: given with the id, and rising with it.
    pub discovered_us: i64,
    /// When its text last changed.
    pub changed_at: Option<i64>,
    /// Sanitised markup.
    pub content: Option<String>,
    /// Sounds and films that belong to it: JSON, a list of objects with `url` and `media_type`; none without any.
    pub enclosures: Option<String>,
    /// The words of title, summary and author in their order, and what else searches find it by. The database keeps them
    /// in an index of its own.
    pub search_text: String,
}

/// The feed is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
