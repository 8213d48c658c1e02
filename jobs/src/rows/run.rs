//! The life cycle of a job, from claim to completion. Every step after the claim checks the fence, so that a
//! worker which was presumed dead and returns late changes nothing.

use entities::ids::JobId;
use sea_orm::{ConnectionTrait, Value};

use super::claimed::Claimed;
use super::failures::{self, AttemptFailure};
use super::job_row::read_row;
use super::pauses::IS_NOT_PAUSED;
use super::statement::{statement, statement_about_due};
use kernel::writes::{self, Effect, Writes};
use kernel::{Code, Domain, Error, Millis, Result};

/// Error code if a worker's claim is no longer the newest.
pub const LEASE_LOST: Code = Code::LeaseLost;
/// Error code of a cancelled job.
pub const CANCELLED: Code = Code::Cancelled;
/// Error code of a job whose workers were lost.
pub const WORKER_LOST: Code = Code::WorkerLost;

/// Completes a job by deleting its row, if the claim is the newest.
pub(super) const DELETE_CLAIMED: &str =
    "DELETE FROM job WHERE id = $1 AND fence = $2 AND worker = $3 AND state = 'running'";
/// Completes a job and retains its row, if the claim is the newest.
pub(super) const COMPLETE_CLAIMED: &str = "UPDATE job SET state = 'complete', lease_until = NULL, error_code = NULL, \
    error_message = NULL, finished_at = $4 WHERE id = $1 AND fence = $2 AND worker = $3 AND state = 'running'";

/// Maximum length of a stored error message, in characters.
const MAX_MESSAGE: usize = 500;

/// Result of running a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobOutcome {
    /// The effect is written and the job has ended.
    Completed,
    /// The job waits for another attempt.
    Retried {
        /// Due time of the next attempt.
        run_at: Millis,
    },
    /// The job has ended with this error, and no further attempt follows.
    Failed { code: Code, message: String },
}

/// A run that returns `()` has completed.
impl From<()> for JobOutcome {
    fn from((): ()) -> Self {
        Self::Completed
    }
}

/// True if the claim is no longer the newest, so that its effect is void.
pub fn is_lease_lost(error: &Error) -> bool {
    error.code == LEASE_LOST
}

/// Claims the job if it is ready and due: one conditional update that counts the start, increments the fence,
/// and sets a lease of `lease_ms` by the database's clock. Returns `None` if another worker has the job, it
/// has ended, its kind is paused, or it is not due. `worker` must be unique to this claim.
///
/// A pushed job counts as due, because it was due when it was pushed.
pub async fn claim(domain: &Domain, id: JobId, worker: &str, lease_ms: Millis) -> Result<Option<Claimed>> {
    claim_in(domain.db().write(), domain, id, worker, lease_ms).await
}

/// Same as [`claim`], but in the caller's transaction.
pub(super) async fn claim_in(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    id: JobId,
    worker: &str,
    lease_ms: Millis,
) -> Result<Option<Claimed>> {
    let now = domain.now();
    let sql = "UPDATE job SET state = 'running', lease_until = {now} + $1, fence = fence + 1, \
               attempts = attempts + 1, worker = $2, started_at = $3, pushed_at = NULL \
               WHERE id = $4 AND state = 'ready' AND (pushed_at IS NOT NULL OR in_turn OR run_at <= {due}) AND {may_run} RETURNING *";
    let sql = sql.replace("{may_run}", IS_NOT_PAUSED);
    let values = [lease_ms.into(), worker.into(), now.into(), id.into()];
    let row = connection.query_one_raw(statement_about_due(connection, domain, &sql, values)).await?;
    row.as_ref().map(read_row).transpose()?.map(Claimed::try_from).transpose()
}

/// Verifies that the claim is the newest and locks its row, in the transaction that writes one of several
/// steps of its effect.
///
/// # Errors
/// [`LEASE_LOST`] if the claim is not the newest. The transaction must then not be committed.
pub async fn lock_claim_in(connection: &impl ConnectionTrait, claimed: &Claimed) -> Result<()> {
    let sql =
        "UPDATE job SET fence = fence WHERE id = $1 AND fence = $2 AND worker = $3 AND state = 'running'";
    execute(connection, sql, fenced(claimed, [])).await
}

/// Completes the job in the transaction that writes its effect.
///
/// # Errors
/// [`LEASE_LOST`] if the claim is no longer the newest. The transaction must then not be committed.
pub async fn complete_in(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    claimed: &Claimed,
) -> Result<()> {
    let (sql, values) = completion(domain, claimed);
    execute(connection, sql, values).await
}

/// Adds the completion of the job to the writes of its effect. The writes fail with [`LEASE_LOST`] if the
/// claim is no longer the newest.
pub fn add_completion(writes: &mut Writes<'_>, domain: &Domain, claimed: &Claimed) {
    let (sql, values) = completion(domain, claimed);
    writes.add_one(sql, values, lease_lost);
}

/// Completes the job along with its effect, which is a single write: one round trip for both on PostgreSQL.
///
/// # Errors
/// [`LEASE_LOST`] if the claim is no longer the newest or the row of the effect no longer exists. In this
/// case, nothing is written.
pub async fn complete_with_effect(domain: &Domain, claimed: &Claimed, effect: Effect) -> Result<()> {
    let (sql, values) = completion(domain, claimed);
    let end = statement(domain.db().write(), sql, values);
    writes::execute_with_effect(domain.db(), end, effect, lease_lost).await
}

/// Returns the statement and the values that complete a job. The statement changes the row only if the claim
/// is the newest.
fn completion(domain: &Domain, claimed: &Claimed) -> (&'static str, Vec<Value>) {
    if claimed.kind.rules().delete_when_complete {
        return (DELETE_CLAIMED, fenced(claimed, []));
    }
    (COMPLETE_CLAIMED, fenced(claimed, [domain.now().into()]))
}

/// Schedules another attempt after `after_ms`, or after the kind's exponential back-off with jitter if
/// `None`. If no attempt is left, the job fails with this error.
///
/// # Errors
/// [`LEASE_LOST`] if the claim is no longer the newest.
pub async fn retry_in(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    claimed: &Claimed,
    after_ms: Option<Millis>,
    error: (Code, &str),
) -> Result<JobOutcome> {
    if claimed.is_last_attempt() {
        return fail_in(connection, domain, claimed, error).await;
    }
    let [jitter] = domain.random::<1>();
    let backoff = after_ms.unwrap_or_else(|| claimed.kind.rules().backoff_ms(claimed.attempt, jitter));
    let sql = "UPDATE job SET state = 'ready', lease_until = NULL, pushed_at = NULL, run_at = {due} + $4, in_turn = FALSE, \
               error_code = $5, error_message = $6, errors = {errors} \
               WHERE id = $1 AND fence = $2 AND worker = $3 AND state = 'running' RETURNING run_at";
    let (sql, line) = with_errors(connection, sql, domain, claimed, error);
    let (code, message) = (error.0.as_str().into(), truncate_message(error.1).into());
    let values = fenced(claimed, [backoff.max(0).into(), code, message, line]);
    reschedule(connection, domain, &sql, values).await
}

/// Fails the job with an error that another attempt would not fix.
///
/// # Errors
/// [`LEASE_LOST`] if the claim is no longer the newest.
pub async fn fail_in(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    claimed: &Claimed,
    error: (Code, &str),
) -> Result<JobOutcome> {
    let sql = "UPDATE job SET state = 'failed', lease_until = NULL, finished_at = $4, error_code = $5, \
               error_message = $6, errors = {errors} \
               WHERE id = $1 AND fence = $2 AND worker = $3 AND state = 'running'";
    let (sql, line) = with_errors(connection, sql, domain, claimed, error);
    let (code, message) = (error.0.as_str().into(), truncate_message(error.1).into());
    execute(connection, &sql, fenced(claimed, [domain.now().into(), code, message, line])).await?;
    Ok(JobOutcome::Failed { code: error.0, message: error.1.to_owned() })
}

/// Postpones the job by `after_ms` without counting the start, because there was no capacity to run it.
///
/// # Errors
/// [`LEASE_LOST`] if the claim is no longer the newest.
pub async fn snooze_in(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    claimed: &Claimed,
    after_ms: Millis,
) -> Result<JobOutcome> {
    let sql = "UPDATE job SET state = 'ready', lease_until = NULL, pushed_at = NULL, run_at = {due} + $4, in_turn = FALSE, \
               attempts = attempts - 1 WHERE id = $1 AND fence = $2 AND worker = $3 AND state = 'running' \
               RETURNING run_at";
    reschedule(connection, domain, sql, fenced(claimed, [after_ms.max(0).into()])).await
}

/// Releases the claim at shutdown: the job is ready again immediately, and the start is not counted.
///
/// # Errors
/// [`LEASE_LOST`] if the claim is no longer the newest.
pub async fn release(domain: &Domain, claimed: &Claimed) -> Result<()> {
    let sql = "UPDATE job SET state = 'ready', lease_until = NULL, pushed_at = NULL, attempts = attempts - 1 \
               WHERE id = $1 AND fence = $2 AND worker = $3 AND state = 'running'";
    execute(domain.db().write(), sql, fenced(claimed, [])).await
}

/// Extends a statement so that it appends the error to the error history. Returns the statement, in which
/// `$7` is the new line, and the value of `$7`.
fn with_errors(
    connection: &impl ConnectionTrait,
    sql: &str,
    domain: &Domain,
    claimed: &Claimed,
    error: (Code, &str),
) -> (String, Value) {
    let failure = AttemptFailure {
        at: domain.now(),
        attempt: claimed.attempt,
        worker: claimed.worker.clone(),
        code: error.0.as_str().to_owned(),
        message: truncate_message(error.1),
    };
    let errors = failures::with_line(connection.get_database_backend(), "$7");
    (sql.replace("{errors}", &errors), failure.line().into())
}

fn fenced<const N: usize>(claimed: &Claimed, more: [Value; N]) -> Vec<Value> {
    let mut values = vec![claimed.id.into(), claimed.fence.into(), claimed.worker.as_str().into()];
    values.extend(more);
    values
}

/// Runs a statement that schedules another attempt, and returns its due time.
async fn reschedule(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    sql: &str,
    values: Vec<Value>,
) -> Result<JobOutcome> {
    let row = connection.query_one_raw(statement_about_due(connection, domain, sql, values)).await?;
    let row = row.ok_or_else(lease_lost)?;
    Ok(JobOutcome::Retried { run_at: row.try_get_by_index(0)? })
}

async fn execute(connection: &impl ConnectionTrait, sql: &str, values: Vec<Value>) -> Result<()> {
    let result = connection.execute_raw(statement(connection, sql, values)).await?;
    if result.rows_affected() == 1 {
        return Ok(());
    }
    Err(lease_lost())
}

pub(super) fn lease_lost() -> Error {
    Error::new(LEASE_LOST, "Another worker has claimed this job, or its claim was released.")
}

fn truncate_message(message: &str) -> String {
    message.chars().filter(|character| *character != '\0').take(MAX_MESSAGE).collect()
}
