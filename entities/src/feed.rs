//! Feeds: one row for all accounts that follow one. Nobody owns a feed. Times are milliseconds since the
//! Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{EntryId, FeedId};

/// One row of `feed`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed")]
#[expect(clippy::struct_excessive_bools, reason = "each is a column of its own")]
pub struct Model {
    /// Counts from 1.
    #[sea_orm(primary_key)]
    pub id: FeedId,
    /// Where it is fetched; unique through `feed_address`.
    pub url: String,
    /// Registrable domain, which pauses belong to.
    pub host: String,
    /// `rss`, `rdf`, `atom` or `json`, once read.
    pub kind: Option<String>,
    /// The page it belongs to.
    pub site_url: Option<String>,
    /// Its own title.
    pub title: Option<String>,
    /// One line about it.
    pub description: Option<String>,
    /// Its picture.
    pub image_url: Option<String>,
    /// Sent back as `If-None-Match`.
    pub etag: Option<String>,
    /// Sent back as `If-Modified-Since`.
    pub last_modified: Option<String>,
    /// Hash of the last body; 0 before the first.
    pub body_hash: i64,
    /// Guids name one entry each.
    pub trust_guid: bool,
    /// Addresses name one entry each.
    pub trust_url: bool,
    /// When it is polled next; empty when it is not.
    pub next_poll_at: Option<i64>,
    /// The longest pause the server asks for between polls.
    pub hint_floor_ms: i64,
    /// Hours without polls, bit 0 is midnight UTC.
    pub skip_hours: i32,
    /// Days without polls, bit 0 is Monday.
    pub skip_days: i32,
    /// Mean gap between entries.
    pub gap_ms: Option<i64>,
    /// When an entry was last new.
    pub last_new_at: Option<i64>,
    /// When it last answered well.
    pub last_fetched_at: Option<i64>,
    /// Stable word of what is wrong now.
    pub last_error_code: Option<String>,
    /// Failures in a row.
    pub failures: i32,
    /// When the first of them was.
    pub failing_since: Option<i64>,
    /// 404 answers in a row.
    pub not_found: i32,
    /// When the first of them was.
    pub not_found_since: Option<i64>,
    /// It answered 410, or 404 for days: asked seldom.
    pub gone: bool,
    /// Where permanent redirects lead.
    pub moving_to: Option<String>,
    /// How often in a row they led there.
    pub moving_count: i32,
    /// When the first of these answers was.
    pub moving_since: Option<i64>,
    /// The feed that its followers were moved to; it is asked now and then whether that still holds.
    pub successor_id: Option<FeedId>,
    /// When followers of another feed were last moved to this one.
    pub joined_at: Option<i64>,
    /// Entries up to this id are listed for followers that were moved away, and do not change any more.
    pub fixed_through: EntryId,
    /// When somebody last asked for a poll by hand.
    pub refreshed_at: Option<i64>,
    /// When it was first followed.
    pub created_at: i64,
    /// It was told that it fails.
    pub is_failing: bool,
}

/// Entries, addresses and hubs name their feed; the feed names nobody.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
