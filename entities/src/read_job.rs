//! An asynchronous read: what was asked, how far it is, and what it came to. Kept 24 hours after its end.

use sea_orm::entity::prelude::*;

use crate::ids::{JobId, ReadJobId, SnapshotId};

/// One read job of the public reader.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "read_job")]
pub struct Model {
    /// The id its caller polls: UUID version 7, or 8 where it follows from the `Idempotency-Key` of the request.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: ReadJobId,
    /// The job row that carries it out.
    pub work_id: JobId,
    /// The URL as it was asked.
    #[sea_orm(column_type = "Text")]
    pub url: String,
    /// A query to be answered, when one was given.
    #[sea_orm(column_type = "Text", nullable)]
    pub query: Option<String>,
    /// The format the caller wants the result in, when one was given.
    pub format: Option<String>,
    /// How old a stored copy may be, in seconds.
    pub max_age: i32,
    /// `queued`, `running`, `complete` or `failed`.
    pub state: String,
    /// Milliseconds.
    pub created_at: i64,
    /// Milliseconds; the first start.
    pub started_at: Option<i64>,
    /// Milliseconds.
    pub finished_at: Option<i64>,
    /// Milliseconds; 24 hours after the end, and far ahead before.
    pub expires_at: i64,
    /// How often it was started.
    pub attempts: i32,
    /// The text it came to.
    pub snapshot_id: Option<SnapshotId>,
    /// The contract's code of what went wrong.
    pub error_code: Option<String>,
    /// The sentence that goes with it.
    #[sea_orm(column_type = "Text", nullable)]
    pub error_message: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
