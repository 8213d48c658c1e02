//! Requested public URLs with the last extracted text or the last failure.

use sea_orm::entity::prelude::*;

use crate::ids::SnapshotId;

/// One row for each normalised URL and selector, shared by all callers.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "source")]
pub struct Model {
    /// SHA-256 of the normalised URL and of the selector, if it is set, in hex.
    #[sea_orm(primary_key, auto_increment = false)]
    pub key: String,
    /// Normalised URL.
    #[sea_orm(column_type = "Text")]
    pub url: String,
    /// CSS selector of the text, or the text form of selected and removed parts. Null for the main part of the page.
    #[sea_orm(column_type = "Text", nullable)]
    pub selector: Option<String>,
    /// Last extracted text.
    pub snapshot_id: Option<SnapshotId>,
    /// Time at which the source last confirmed the text of `snapshot_id` with a 200 or 304 response, in
    /// milliseconds.
    pub checked_at: Option<i64>,
    /// `ETag` of the last download.
    #[sea_orm(column_type = "Text", nullable)]
    pub etag: Option<String>,
    /// `Last-Modified` of the last download.
    #[sea_orm(column_type = "Text", nullable)]
    pub last_modified: Option<String>,
    /// Time of the last failed attempt, in milliseconds. Null if the last attempt succeeded.
    pub failed_at: Option<i64>,
    /// Error code of the last failed attempt. Null if the last attempt succeeded.
    pub error_code: Option<String>,
    /// Error message of the last failed attempt.
    #[sea_orm(column_type = "Text", nullable)]
    pub error_message: Option<String>,
    /// Delay requested by the source, in seconds.
    pub error_retry_after: Option<i32>,
    /// Time of the last download of a body, even if its extraction failed, in milliseconds.
    pub downloaded_at: Option<i64>,
    /// Time of the last request by any caller, rounded to the hour. Unused sources are deleted.
    pub used_at: i64,
    /// Time of the last request by an account, rounded to the hour. Sources that no account requested are
    /// deleted sooner.
    pub account_used_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
