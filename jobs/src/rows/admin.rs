//! Job administration: lists, loads, retries and cancels jobs, and deletes finished jobs.

use entities::ids::JobId;
use entities::job::JobState;
use sea_orm::{ConnectionTrait, DbErr, SqlErr};

use super::job_row::{JobRow, read_row};
use super::kind::JobKind;
use super::run::CANCELLED;
use super::statement::{statement, statement_about_due};
use kernel::retention::repeat_in_steps;
use kernel::statement::skip_locked;
use kernel::{Code, Domain, Error, Millis, Result};

/// Maximum number of rows in a list.
const MAX_LIST: u64 = 1_000;
/// Rows per deletion statement, so that other statements do not wait long.
const DELETE_BATCH: u32 = 500;

/// Filter of a job list. The default lists all jobs, newest first.
#[derive(Clone, Debug, Default)]
pub struct JobFilter {
    pub kind: Option<JobKind>,
    pub state: Option<JobState>,
    /// Lists jobs after this one.
    pub after: Option<JobId>,
    /// Maximum number of jobs; 0 means 50.
    pub limit: u64,
}

/// Loads a job; `None` if its row does not exist.
pub async fn get(domain: &Domain, id: JobId) -> Result<Option<JobRow>> {
    let connection = domain.db().read();
    let query = statement(connection, "SELECT * FROM job WHERE id = $1", [id.into()]);
    connection.query_one_raw(query).await?.as_ref().map(read_row).transpose()
}

/// Lists jobs, newest first. Skips jobs of kinds unknown to this build, which a newer version wrote.
pub async fn list(domain: &Domain, filter: &JobFilter) -> Result<Vec<JobRow>> {
    let connection = domain.db().read();
    let kinds: Vec<String> = JobKind::ALL.iter().map(|kind| format!("'{kind}'")).collect();
    let mut conditions = vec![format!("kind IN ({})", kinds.join(", "))];
    let mut values = Vec::new();
    if let Some(kind) = filter.kind {
        values.push(kind.as_str().into());
        conditions.push(format!("kind = ${}", values.len()));
    }
    if let Some(state) = filter.state {
        values.push(state.as_str().into());
        conditions.push(format!("state = ${}", values.len()));
        // Redundant condition that allows the partial indexes to be used.
        conditions
            .push(if state.is_live() { "finished_at IS NULL" } else { "finished_at IS NOT NULL" }.to_owned());
    }
    if let Some(after) = filter.after {
        values.push(after.into());
        conditions.push(format!("id < ${}", values.len()));
    }
    let limit = if filter.limit == 0 { 50 } else { filter.limit.min(MAX_LIST) };
    let conditions = conditions.join(" AND ");
    let sql = format!("SELECT * FROM job WHERE {conditions} ORDER BY id DESC LIMIT {limit}");
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    rows.iter().map(read_row).collect()
}

pub async fn count_in_state(domain: &Domain, kind: JobKind, state: JobState) -> Result<u64> {
    let connection = domain.db().read();
    let sql = "SELECT COUNT(*) AS n FROM job WHERE state = $1 AND kind = $2";
    let query = statement(connection, sql, [state.as_str().into(), kind.as_str().into()]);
    let Some(row) = connection.query_one_raw(query).await? else { return Ok(0) };
    Ok(u64::try_from(row.try_get::<i64>("", "n")?).unwrap_or(0))
}

/// Cancels a live job: it becomes failed with code [`CANCELLED`], and a worker that runs it loses its lease.
///
/// # Errors
/// `not_found` if the job does not exist; `conflict` if it is already finished.
pub async fn cancel(domain: &Domain, id: JobId) -> Result<JobRow> {
    cancel_in(domain.db().write(), domain, id).await
}

/// Same as [`cancel`], but in the caller's transaction.
pub async fn cancel_in(connection: &impl ConnectionTrait, domain: &Domain, id: JobId) -> Result<JobRow> {
    let sql = "UPDATE job SET state = 'failed', fence = fence + 1, lease_until = NULL, finished_at = $1, \
               error_code = $2, error_message = 'Cancelled.' \
               WHERE id = $3 AND finished_at IS NULL RETURNING *";
    let values = [domain.now().into(), CANCELLED.as_str().into(), id.into()];
    let row = connection.query_one_raw(statement(connection, sql, values)).await?;
    match row {
        Some(row) => read_row(&row),
        None => Err(state_conflict(connection, id, "be cancelled").await?),
    }
}

/// Makes a failed or dead job due now, and resets its attempts.
///
/// # Errors
/// `not_found` if the job does not exist; `conflict` if it is live or complete, or the same work was
/// submitted again.
pub async fn retry_manually(domain: &Domain, id: JobId) -> Result<JobRow> {
    let connection = domain.db().write();
    let sql = "UPDATE job SET state = 'ready', attempts = 0, lost_starts = 0, run_at = {due}, in_turn = FALSE, pushed_at = NULL, finished_at = NULL \
               WHERE id = $1 AND state IN ('failed', 'dead') RETURNING *";
    let query = statement_about_due(connection, domain, sql, [id.into()]);
    let row = match connection.query_one_raw(query).await {
        // The unique index allows one live row per kind and key, without a race.
        Err(error) if is_taken(&error) => None,
        row => row?,
    };
    match row {
        Some(row) => read_row(&row),
        None => Err(state_conflict(connection, id, "be retried").await?),
    }
}

fn is_taken(error: &DbErr) -> bool {
    matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_)))
}

async fn state_conflict(connection: &impl ConnectionTrait, id: JobId, action: &str) -> Result<Error> {
    let query = statement(connection, "SELECT * FROM job WHERE id = $1", [id.into()]);
    let Some(row) = connection.query_one_raw(query).await? else {
        return Ok(Error::new(Code::NotFound, format!("There is no job {id}.")));
    };
    let job = read_row(&row)?;
    let message = if job.state.is_live() || job.state == JobState::Complete {
        format!("The job is {} and cannot {action}.", job.state.as_str())
    } else {
        format!(
            "The job is {}, or the same work was submitted again, so it cannot {action}.",
            job.state.as_str()
        )
    };
    Ok(Error::new(Code::JobConflict, message))
}

/// Deletes all finished rows whose retention has expired, in small steps. Returns the number of deleted rows.
pub async fn delete_finished(domain: &Domain) -> Result<u64> {
    let connection = domain.db().write();
    let mut deleted = 0;
    for kind in JobKind::ALL {
        let before: Millis = domain.now() - kind.rules().keep_finished_ms;
        let sql = format!(
            "DELETE FROM job WHERE id IN (SELECT id FROM job WHERE kind = $1 \
             AND finished_at <= $2 LIMIT {DELETE_BATCH} {})",
            skip_locked(connection.get_database_backend())
        );
        let values = [kind.as_str().into(), before.into()];
        deleted += repeat_in_steps(connection, &sql, &values, DELETE_BATCH).await?;
    }
    Ok(deleted)
}
