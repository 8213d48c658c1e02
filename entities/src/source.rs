//! A public URL that was asked for, and what is known of it: the text it gave last, or how it failed.

use sea_orm::entity::prelude::*;

use crate::ids::SnapshotId;

/// One row a normalised URL, shared by everybody who asks for it.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "source")]
pub struct Model {
    /// SHA-256 of the normalised URL, as hex.
    #[sea_orm(primary_key, auto_increment = false)]
    pub key: String,
    /// The normalised URL.
    #[sea_orm(column_type = "Text")]
    pub url: String,
    /// The text it gave last.
    pub snapshot_id: Option<SnapshotId>,
    /// When that text was last confirmed by the source (a 200 or a 304), in milliseconds.
    pub checked_at: Option<i64>,
    /// `ETag` of the last download.
    #[sea_orm(column_type = "Text", nullable)]
    pub etag: Option<String>,
    /// `Last-Modified` of the last download.
    #[sea_orm(column_type = "Text", nullable)]
    pub last_modified: Option<String>,
    /// When the last try failed, in milliseconds; null when it did not.
    pub failed_at: Option<i64>,
    /// The contract's code of that failure.
    pub error_code: Option<String>,
    /// The sentence that goes with it.
    #[sea_orm(column_type = "Text", nullable)]
    pub error_message: Option<String>,
    /// Seconds the source asked us to wait.
    pub error_retry_after: Option<i32>,
    /// When a body was last downloaded, whatever came of it, in milliseconds.
    pub downloaded_at: Option<i64>,
    /// When somebody last asked for it, to the hour; what nobody asks for is removed.
    pub used_at: i64,
    /// When somebody with an account last asked for it, to the hour; what nobody with an account asks for is
    /// removed sooner.
    pub account_used_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
