//! Job rows: the truth about every piece of work. Nobody owns a job; what it works on has the owner.
//!
//! Times are milliseconds since the Unix epoch. `lease_until` and `pushed_at` go by the database's
//! clock, all others by the `Domain` handle's.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, JobId};

/// One row of `job`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "job")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: JobId,
    /// What kind of work, as in `domain::jobs::Kind::as_str`.
    pub kind: String,
    /// What the work is about. At most one live row per kind and key.
    pub key: String,
    /// JSON text of ids and due times, never bodies.
    pub payload: String,
    /// Higher goes first.
    pub priority: i16,
    /// Not before this time.
    pub run_at: i64,
    /// Where the job stands.
    pub state: State,
    /// How often it was started.
    pub attempts: i32,
    /// Until when the worker that runs it is believed to be alive (database time).
    pub lease_until: Option<i64>,
    /// Counts claims; an effect is written only by the newest.
    pub fence: i64,
    /// When its id was last handed to the transport (database time); empty when it is not on its way.
    pub pushed_at: Option<i64>,
    /// Who runs it or ran it last.
    pub worker: Option<String>,
    /// Stable word of the last error.
    pub error_code: Option<String>,
    /// Sentence of the last error.
    pub error_message: Option<String>,
    /// When it was submitted.
    pub created_at: i64,
    /// When it was last started.
    pub started_at: Option<i64>,
    /// When it reached its last state.
    pub finished_at: Option<i64>,
    /// What went wrong at each start: a JSON object a line, the newest last.
    pub errors: Option<String>,
    /// The request that asked for it.
    pub request_id: Option<String>,
    /// The account among whose jobs of the kind it has its turn; none for work that is nobody's.
    pub owner_id: Option<AccountId>,
    /// `run_at` is its turn: it may begin before, when nobody else's is due.
    pub in_turn: bool,
}

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum State {
    /// Waiting for its time or for a worker.
    #[sea_orm(string_value = "ready")]
    Ready,
    /// Claimed by a worker.
    #[sea_orm(string_value = "running")]
    Running,
    /// Ended well.
    #[sea_orm(string_value = "complete")]
    Complete,
    /// Ended with an error, or was cancelled.
    #[sea_orm(string_value = "failed")]
    Failed,
    /// Started as often as allowed without ever ending.
    #[sea_orm(string_value = "dead")]
    Dead,
}

impl State {
    /// The word in the table, in logs and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Running => "running",
            Self::Complete => "complete",
            Self::Failed => "failed",
            Self::Dead => "dead",
        }
    }

    /// Whether the job still has something ahead of it.
    pub fn is_live(self) -> bool {
        match self {
            Self::Ready | Self::Running => true,
            Self::Complete | Self::Failed | Self::Dead => false,
        }
    }
}

/// Jobs stand alone: payloads hold ids, rows hold no references.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
