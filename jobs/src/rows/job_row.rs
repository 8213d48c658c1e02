//! A job with its current state, as read from its row.

use entities::ids::JobId;
use entities::job::JobState;
use sea_orm::{FromQueryResult, QueryResult};

use super::claimed::Claimed;
use super::failures::{self, AttemptFailure};
use super::kind::{JobKind, Priority};
use super::slot_permit::SlotPermit;
use kernel::{Code, Error, Millis, Result};

/// A job and its current state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRow {
    pub id: JobId,
    pub kind: JobKind,
    /// Key of the job's subject. At most one live job per kind and key.
    pub key: String,
    /// Ids as JSON text.
    pub payload: String,
    pub priority: Priority,
    /// Due time.
    pub run_at: Millis,
    pub state: JobState,
    /// Number of starts.
    pub attempts: u32,
    /// Number of starts whose worker was lost.
    pub lost_starts: u32,
    /// Number of the newest claim. It grows with each claim of the job.
    pub fence: i64,
    /// Worker that runs the job or ran it last.
    pub worker: Option<String>,
    /// Code of the last error.
    pub error_code: Option<Code>,
    /// Message of the last error.
    pub error_message: Option<String>,
    pub created_at: Millis,
    /// Time of the last start.
    pub started_at: Option<Millis>,
    /// Time at which the job reached its final state.
    pub finished_at: Option<Millis>,
    /// Errors of the starts, oldest first.
    pub errors: Vec<AttemptFailure>,
    /// Id of the request that submitted the job.
    pub request_id: Option<String>,
}

pub(super) fn read_row(row: &QueryResult) -> Result<JobRow> {
    let model = entities::job::Model::from_query_result(row, "")?;
    JobRow::try_from(model)
}

impl TryFrom<entities::job::Model> for JobRow {
    type Error = Error;

    fn try_from(row: entities::job::Model) -> Result<Self> {
        let Some(kind) = JobKind::parse(&row.kind) else {
            return Err(Error::internal(format!("job {} has the unknown kind `{}`", row.id, row.kind)));
        };
        Ok(Self {
            id: row.id,
            kind,
            key: row.key,
            payload: row.payload,
            priority: Priority::from_i16(row.priority),
            run_at: row.run_at,
            state: row.state,
            attempts: u32::try_from(row.attempts).unwrap_or(0),
            lost_starts: u32::try_from(row.lost_starts).unwrap_or(0),
            fence: row.fence,
            worker: row.worker,
            error_code: row.error_code.as_deref().map(Code::from_stored),
            error_message: row.error_message,
            created_at: row.created_at,
            started_at: row.started_at,
            finished_at: row.finished_at,
            errors: failures::read(row.errors.as_deref()),
            request_id: row.request_id,
        })
    }
}

impl TryFrom<JobRow> for Claimed {
    type Error = Error;

    fn try_from(job: JobRow) -> Result<Self> {
        let Some(worker) = job.worker else {
            return Err(Error::internal(format!("claimed job {} has no worker", job.id)));
        };
        Ok(Self {
            worker,
            id: job.id,
            kind: job.kind,
            key: job.key,
            payload: job.payload,
            priority: job.priority,
            attempt: job.attempts,
            lost_starts: job.lost_starts,
            fence: job.fence,
            run_at: job.run_at,
            created_at: job.created_at,
            request_id: job.request_id,
            slot: SlotPermit::default(),
        })
    }
}
