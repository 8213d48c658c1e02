//! Job rows, the source of truth for all work. Not owned by accounts: only the objects that jobs process are.
//!
//! Times are milliseconds since the Unix epoch. `lease_until` and `pushed_at` use the database's clock, all
//! other times the clock of the `Domain` handle.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, JobId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "job")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: JobId,
    /// Job kind, as in `jobs::JobKind::as_str`.
    pub kind: String,
    /// Subject of the job. At most one live row exists per kind and key.
    pub key: String,
    /// Ids and due times as JSON, never bodies.
    pub payload: String,
    /// Jobs with a higher priority go first.
    pub priority: i16,
    /// Due time.
    pub run_at: i64,
    pub state: JobState,
    /// Number of starts.
    pub attempts: i32,
    /// Number of starts whose worker was lost.
    pub lost_starts: i32,
    /// End of the claiming worker's lease, by the database's clock.
    pub lease_until: Option<i64>,
    /// Number of claims. An effect is written only with the newest fence.
    pub fence: i64,
    /// Time at which the id was last pushed to the transport, by the database's clock. Null if it is not in
    /// the transport.
    pub pushed_at: Option<i64>,
    /// Worker that runs the job or ran it last.
    pub worker: Option<String>,
    /// Code of the last error.
    pub error_code: Option<String>,
    /// Message of the last error.
    pub error_message: Option<String>,
    pub created_at: i64,
    /// Time of the last start.
    pub started_at: Option<i64>,
    /// Time at which the job reached a final state.
    pub finished_at: Option<i64>,
    /// Errors of all starts, one JSON object per line, newest last.
    pub errors: Option<String>,
    /// Id of the request that submitted the job.
    pub request_id: Option<String>,
    /// Account in whose fair share of the kind the job is scheduled. Null for work without an owner.
    pub owner_id: Option<AccountId>,
    /// True if `run_at` was delayed for fair share. The job may start earlier if no job of another account is
    /// due.
    pub in_turn: bool,
}

/// State of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum JobState {
    /// Waits for its due time or for a worker.
    #[sea_orm(string_value = "ready")]
    Ready,
    /// Claimed by a worker.
    #[sea_orm(string_value = "running")]
    Running,
    /// Succeeded.
    #[sea_orm(string_value = "complete")]
    Complete,
    /// Failed or was cancelled.
    #[sea_orm(string_value = "failed")]
    Failed,
    /// Dead letter: the job lost too many workers, so it is not started again.
    #[sea_orm(string_value = "dead")]
    Dead,
}

impl JobState {
    /// Returns the name in the table, in logs, and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Running => "running",
            Self::Complete => "complete",
            Self::Failed => "failed",
            Self::Dead => "dead",
        }
    }

    /// Returns true if the job is ready or running.
    pub fn is_live(self) -> bool {
        match self {
            Self::Ready | Self::Running => true,
            Self::Complete | Self::Failed | Self::Dead => false,
        }
    }
}

/// Jobs have no relations: payloads contain ids, and rows reference nothing.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
