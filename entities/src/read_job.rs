//! Asynchronous read jobs: request, state, and result. Stored for 24 hours after they have ended.

use sea_orm::entity::prelude::*;

use crate::ids::{JobId, ReadJobId, SnapshotId};
use crate::render::Render;

/// Read job of the public reader.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "read_job")]
pub struct Model {
    /// Id that the caller polls: UUID version 7, or version 8 if it is derived from the `Idempotency-Key` of
    /// the request.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: ReadJobId,
    /// Job row that executes the read.
    pub work_id: JobId,
    /// Requested URL.
    #[sea_orm(column_type = "Text")]
    pub url: String,
    /// Relevance query, if given.
    #[sea_orm(column_type = "Text", nullable)]
    pub query: Option<String>,
    /// Requested format of the result, if given.
    pub format: Option<String>,
    /// Maximum age of a cached text, in seconds.
    pub max_age: i32,
    /// Null in rows written by earlier versions; null means `auto`.
    pub render: Option<Render>,
    /// `queued`, `running`, `complete` or `failed`.
    pub state: String,
    /// Time of the request, in milliseconds.
    pub created_at: i64,
    /// Time of the first start, in milliseconds.
    pub started_at: Option<i64>,
    /// Time at which the job ended, in milliseconds.
    pub finished_at: Option<i64>,
    /// Time at which the row expires, in milliseconds: 24 hours after the job ended, or far in the future
    /// before that.
    pub expires_at: i64,
    /// Number of starts.
    pub attempts: i32,
    /// Snapshot of the resulting text.
    pub snapshot_id: Option<SnapshotId>,
    /// Public code of the error.
    pub error_code: Option<String>,
    /// Message for `error_code`.
    #[sea_orm(column_type = "Text", nullable)]
    pub error_message: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
