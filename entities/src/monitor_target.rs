//! Addresses that are watched: one row for all monitors of an address, whoever owns them, so that one
//! download serves them all. Nobody owns a target. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

/// One row of `monitor_target`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "monitor_target")]
pub struct Model {
    /// SHA-256 of the normalised address, as hex.
    #[sea_orm(primary_key, auto_increment = false)]
    pub url_key: String,
    /// What is fetched.
    pub url: String,
    /// Sent back as `If-None-Match`.
    pub etag: Option<String>,
    /// Sent back as `If-Modified-Since`.
    pub last_modified: Option<String>,
    /// Of the last body.
    pub content_type: Option<String>,
    /// Which address answered with it, after redirects.
    pub final_url: Option<String>,
    /// Hash of the last body; 0 before the first.
    pub body_hash: i64,
    /// The last body, compressed with zstd, while several monitors share it.
    pub body: Option<Vec<u8>>,
    /// When the last body was downloaded.
    pub fetched_at: i64,
    /// When the source last answered well.
    pub checked_at: i64,
    /// The account whose monitor asked then.
    pub fetched_by: Option<AccountId>,
}

/// Monitors name their target; the target names nobody.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
