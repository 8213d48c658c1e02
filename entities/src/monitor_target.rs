//! Monitored URLs. All monitors of a URL, of any owner, share one row, so that one download serves all. Not
//! owned by accounts. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "monitor_target")]
pub struct Model {
    /// SHA-256 of the normalized URL, in hex.
    #[sea_orm(primary_key, auto_increment = false)]
    pub url_key: String,
    /// URL that is fetched.
    pub url: String,
    /// `ETag` of the last response. The next request sends it as `If-None-Match`.
    pub etag: Option<String>,
    /// `Last-Modified` of the last response. The next request sends it as `If-Modified-Since`.
    pub last_modified: Option<String>,
    /// Content type of the last body.
    pub content_type: Option<String>,
    /// URL of the last body after redirects.
    pub final_url: Option<String>,
    /// Hash of the last body; 0 before the first download.
    pub body_hash: i64,
    /// Last body, compressed with zstd. Stored while several monitors share the target.
    pub body: Option<Vec<u8>>,
    /// Time at which the last body was downloaded.
    pub fetched_at: i64,
    /// Time of the last successful response, including a 304.
    pub checked_at: i64,
    /// Account whose monitor made the last successful request.
    pub fetched_by: Option<AccountId>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
