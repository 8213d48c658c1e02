//! Entries of feeds, shared by all followers of the feed. Ids increase in the order of discovery, which is
//! the order of commits. Times are milliseconds since the Unix epoch, except `discovered_us`.

use sea_orm::entity::prelude::*;

use crate::ids::{EntryId, FeedId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_entry")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: EntryId,
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
    /// Absolute http or https URL.
    pub url: Option<String>,
    /// Title, one line of plain text.
    pub title: Option<String>,
    /// Summary, one line of plain text.
    pub summary: Option<String>,
    /// Author names, joined by `, `.
    pub author: Option<String>,
    pub image_url: Option<String>,
    /// Publication time given by the feed.
    pub published_at: Option<i64>,
    /// Update time given by the feed.
    pub updated_at: Option<i64>,
    /// Time of discovery, in microseconds. Assigned with the id and increasing with it.
    pub discovered_us: i64,
    /// Time of the last change of the text.
    pub changed_at: Option<i64>,
    /// Content as sanitized HTML.
    pub content: Option<String>,
    /// Enclosures, as a JSON list of objects with `url`, `media_type`, and `size_bytes`. Null if the entry
    /// has no enclosures.
    pub enclosures: Option<String>,
    /// Podcast data, as JSON. Null if the entry is not an episode.
    pub episode: Option<String>,
    /// Categories, as a JSON object with `names` and the number `omitted` of further ones. Null if the entry has
    /// none, or was stored by an earlier version and no changed body has contained it since.
    pub categories: Option<String>,
    /// Search terms that the database indexes: the words of title, summary, and author in order, followed by
    /// further terms.
    pub search_text: String,
    /// Similarity signature of the words in title and summary. Null if title and summary have too few words.
    pub story_signature: Option<Vec<u8>>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
