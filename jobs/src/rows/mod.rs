//! Job rows: the source of truth for all submitted work.
//!
//! [`fn@submit`] inserts a job in the same transaction as the reason for it. A worker [`claim`]s the row,
//! renews its lease while it runs ([`renew_all`]), and completes it with [`complete_in`] in the transaction
//! that writes the effect. The fence guarantees that only the newest claim can do so. This module knows no
//! queues: the `jobs` crate carries ids, and [`due_batch`] recovers whatever a queue has lost.

mod admin;
mod batch_executor;
mod batched;
mod batches;
mod capacity;
mod claim_id;
mod claimed;
mod completion_stats;
mod embedded;
mod failures;
mod fair_share;
mod insert;
mod job_batch;
mod kind;
mod leader;
mod limits;
mod next;
mod pauses;
mod progress;
mod run;
mod slot_permit;
mod sql;
mod submit;
mod sweep;
mod worker_slots;

#[cfg(test)]
mod tests;

use entities::ids::JobId;
use sea_orm::{ConnectionTrait, DbBackend, FromQueryResult, QueryResult, Statement, Value};

use kernel::clock::Millis;
use kernel::code::Code;
use kernel::error::{Error, Result};
use kernel::handle::Domain;
use kernel::statement::skip_locked;

pub use admin::{JobFilter, cancel, cancel_in, count_in_state, delete_finished, get, list, retry_manually};
pub use batched::{claim_all, complete, offer_slots, on_their_way, renew_all, resume_claims, submit_batched};
pub use batches::Batches;
pub use claim_id::ClaimId;
pub use claimed::Claimed;
pub use completion_stats::{
    CompletionBucket, add_completions, delete_old_minutes, minute_of, recent_completions,
};
pub use entities::job::State;
pub use failures::StartFailure;
pub use kind::{JobKind, Priority, Rules};
pub use leader::{lead, resign};
pub use limits::{
    Candidates, HIGHEST_LIMIT, KindLimits, claim_within_limits, count_running, free_slots, limits, set_limits,
};
pub use next::{claim_next, resume_next};
pub use pauses::{Pause, pause, paused, resume};
pub use progress::{Pending, Progress, WaitOutcome};
pub use progress::{no_result, timed_out};
pub use run::{
    CANCELLED, JobOutcome, LEASE_LOST, WORKER_LOST, claim, complete_in, fail_in, is_lease_lost,
    lock_claim_in, release, retry_in, snooze_in,
};
pub use run::{add_completion, complete_with_effect};
pub use slot_permit::SlotPermit;
pub use submit::{NewJob, Submitted, live_submission, submit, submit_all};
pub use submit::{live_keys, submit_with, withdraw};
pub use sweep::{
    DeadJob, DueJob, ExpiredLeases, Survey, due_batch, end_leases, expire_leases, lost_batch, oldest_due,
    running, running_claims, survey, unmark_pushed, waiting,
};
pub use worker_slots::{ReservedSlot, SlotOffer, WorkerSlots};

/// A job and its current state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRow {
    pub id: JobId,
    pub kind: JobKind,
    /// Key of the job's subject. At most one live job per kind and key.
    pub key: String,
    /// JSON text of ids.
    pub payload: String,
    pub priority: Priority,
    /// Due time.
    pub run_at: Millis,
    pub state: State,
    /// Number of starts.
    pub attempts: u32,
    /// Number of the newest claim.
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
    pub errors: Vec<StartFailure>,
    /// Id of the request that submitted the job.
    pub request_id: Option<String>,
}

/// SQL expression for the database's clock in milliseconds.
pub fn database_now(backend: DbBackend) -> &'static str {
    match backend {
        DbBackend::Postgres => "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
        _ => "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
    }
}

/// SQL expression for the current time that decides whether jobs are due, evaluated once per statement. It is
/// the database's clock, so that a process with a skewed clock neither starts nor delays retries wrongly. A
/// simulated time is known only to the process and is inlined.
pub fn due_now(domain: &Domain, backend: DbBackend) -> String {
    if !domain.is_in_real_time() {
        return domain.now().to_string();
    }
    match backend {
        DbBackend::Postgres => format!("(SELECT {})", database_now(backend)),
        _ => database_now(backend).to_owned(),
    }
}

/// The simulated time, or `None` in real time, which the database knows.
fn simulated(domain: &Domain) -> Option<Millis> {
    (!domain.is_in_real_time()).then(|| domain.now())
}

/// Builds a statement. `{now}` is replaced by the database's clock, `{skip}` by the clause of a sub-select
/// that skips locked rows.
fn statement(
    connection: &impl ConnectionTrait,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Statement {
    let backend = connection.get_database_backend();
    let text = sql.replace("{now}", database_now(backend)).replace("{skip}", skip_locked(backend));
    Statement::from_sql_and_values(backend, text, values)
}

/// Builds a statement like [`statement`] in which `{due}` is also replaced by the time that decides whether
/// jobs are due.
fn statement_about_due(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Statement {
    let due = due_now(domain, connection.get_database_backend());
    statement(connection, &sql.replace("{due}", &due), values)
}

fn read_row(row: &QueryResult) -> Result<JobRow> {
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
            fence: job.fence,
            run_at: job.run_at,
            created_at: job.created_at,
            request_id: job.request_id,
            slot: SlotPermit::default(),
        })
    }
}
