//! Feeds, each shared by all accounts that follow it. Not owned by accounts. Times are milliseconds since the
//! Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{EntryId, FeedId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed")]
#[expect(clippy::struct_excessive_bools, reason = "each field is a column")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: FeedId,
    /// URL that is polled; unique through `feed_address`.
    pub url: String,
    /// Registrable domain, to which pauses apply.
    pub host: String,
    /// `rss`, `rdf`, `atom`, `json`, or `converted`; `monitor` or `newsletter` for an internal feed. Null until
    /// the first successful poll.
    pub kind: Option<String>,
    /// Web page of the feed.
    pub site_url: Option<String>,
    /// Title given by the feed.
    pub title: Option<String>,
    /// One line of description.
    pub description: Option<String>,
    /// Picture of the feed.
    pub image_url: Option<String>,
    /// `ETag` of the last response. The next poll sends it as `If-None-Match`.
    pub etag: Option<String>,
    /// `Last-Modified` of the last response. The next poll sends it as `If-Modified-Since`.
    pub last_modified: Option<String>,
    /// Hash of the last body; 0 before the first poll.
    pub body_hash: i64,
    /// True if each guid identifies a single entry.
    pub trust_guid: bool,
    /// True if each URL identifies a single entry.
    pub trust_url: bool,
    /// Time of the next poll. Null if the feed is not polled.
    pub next_poll_at: Option<i64>,
    /// Minimum interval between polls in milliseconds: the longest that the feed or its server requests.
    pub hint_floor_ms: i64,
    /// Bit mask of the hours in which the feed is not polled. Bit 0 is the hour after midnight UTC.
    pub skip_hours: i32,
    /// Bit mask of the days on which the feed is not polled. Bit 0 is Monday.
    pub skip_days: i32,
    /// Mean interval between entries, in milliseconds.
    pub gap_ms: Option<i64>,
    /// Publication time of the newest entry of the last poll with new entries. If no entry has a time in the past,
    /// the time of that poll.
    pub last_new_at: Option<i64>,
    /// Time of the last successful poll.
    pub last_fetched_at: Option<i64>,
    /// Code of the current error. Null if the last poll succeeded.
    pub last_error_code: Option<String>,
    /// Consecutive failures.
    pub failures: i32,
    /// Time of the first of the consecutive failures.
    pub failing_since: Option<i64>,
    /// Consecutive 404 responses.
    pub not_found: i32,
    /// Time of the first of the consecutive 404 responses.
    pub not_found_since: Option<i64>,
    /// True if the server responded with 410, or with 404 for days. The feed is then polled rarely.
    pub gone: bool,
    /// Target of permanent redirects.
    pub moving_to: Option<String>,
    /// Number of consecutive polls that were redirected to `moving_to`.
    pub moving_count: i32,
    /// Time of the first of the redirects that `moving_count` counts.
    pub moving_since: Option<i64>,
    /// Feed to which the followers were moved. The redirect is rechecked from time to time.
    pub successor_id: Option<FeedId>,
    /// Time at which followers of another feed were last moved to this feed.
    pub joined_at: Option<i64>,
    /// Last entry that is listed for followers who were moved away. Entries up to this id no longer change.
    pub fixed_through: EntryId,
    /// Time of the last manual refresh.
    pub refreshed_at: Option<i64>,
    /// Time at which the feed was first followed.
    pub created_at: i64,
    /// True if the current failure of the feed was reported.
    pub is_failing: bool,
    /// Number of entries of the last body beyond the limit. Null until a body has been compared with all entries.
    pub left_out: Option<i32>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
