//! Recovers jobs that a queue has lost: rows that are due and not pushed, and rows whose worker stopped
//! responding. One survey of the live rows reports the kinds that need work, and the lengths of the queues.
//! The cost of the subsequent updates depends on the number of due rows, not on the number of stored rows.

use entities::ids::JobId;
use sea_orm::{ConnectionTrait, Value};

use super::kind::{JobKind, Priority};
use super::pauses::IS_NOT_PAUSED;
use super::statement::{statement, statement_about_due};
use kernel::{Domain, Millis, Result};

/// Maximum number of rows changed per call, which bounds the length of a transaction.
const BATCH: i64 = 500;

/// A job that should be pushed to the transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueJob {
    pub id: JobId,
    pub priority: Priority,
    /// Due time.
    pub run_at: Millis,
}

/// State of a kind's queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Survey {
    pub kind: JobKind,
    /// Number of waiting jobs that are due.
    pub waiting: u64,
    /// Due time of the oldest waiting job that is due. `None` if no job is due.
    pub oldest: Option<Millis>,
    pub has_running: bool,
    /// True if running jobs have expired leases.
    pub has_lapsed: bool,
    /// True if due jobs are not pushed, or were pushed too long ago and not claimed.
    pub has_unsent: bool,
}

/// Surveys every kind that has live jobs, with one statement. Jobs that were pushed more than `lost_after_ms`
/// ago count as unsent.
pub async fn survey(domain: &Domain, lost_after_ms: Millis) -> Result<Vec<Survey>> {
    let connection = domain.db().read();
    let sql = "SELECT kind, COUNT(CASE WHEN state = 'ready' AND (in_turn OR run_at <= {due}) THEN 1 END) AS waiting, \
               MIN(CASE WHEN state = 'ready' AND run_at <= {due} THEN run_at END) AS oldest, \
               COUNT(CASE WHEN state = 'running' THEN 1 END) AS running, \
               COUNT(CASE WHEN state = 'running' AND lease_until <= (SELECT {now}) THEN 1 END) AS lapsed, \
               COUNT(CASE WHEN state = 'ready' AND (pushed_at <= (SELECT {now}) - $1 \
                 OR (pushed_at IS NULL AND (in_turn OR run_at <= {due}))) THEN 1 END) AS unsent \
               FROM job WHERE finished_at IS NULL GROUP BY kind";
    let query = statement_about_due(connection, domain, sql, [lost_after_ms.into()]);
    let mut kinds = Vec::new();
    for row in connection.query_all_raw(query).await? {
        // An unknown kind belongs to a newer build.
        let Some(kind) = JobKind::parse(&row.try_get::<String>("", "kind")?) else { continue };
        let waiting = u64::try_from(row.try_get::<i64>("", "waiting")?).unwrap_or(0);
        super::batches::of(domain).waiting.counted(kind, waiting);
        kinds.push(Survey {
            kind,
            waiting,
            oldest: row.try_get("", "oldest")?,
            has_running: row.try_get::<i64>("", "running")? > 0,
            has_lapsed: row.try_get::<i64>("", "lapsed")? > 0,
            has_unsent: row.try_get::<i64>("", "unsent")? > 0,
        });
    }
    Ok(kinds)
}

/// Returns at most `limit` due jobs of `kind` that are not pushed: most urgent first, then oldest first. Within a
/// level, jobs with a fair-share delay come last. The jobs are marked as pushed. The caller must push them, and pass
/// the jobs that the transport had no capacity for to [`unmark_pushed`].
pub async fn due_batch(domain: &Domain, kind: JobKind, limit: u64) -> Result<Vec<DueJob>> {
    let mut batch = Vec::new();
    for priority in Priority::ALL {
        for which in ["run_at <= {due}", "in_turn AND run_at > {due}"] {
            let remaining = limit.saturating_sub(u64::try_from(batch.len()).unwrap_or(u64::MAX));
            if remaining == 0 {
                return Ok(batch);
            }
            let chosen = format!("pushed_at IS NULL AND priority = $2 AND {which} ORDER BY run_at LIMIT $3");
            let values = vec![
                kind.as_str().into(),
                priority.as_i16().into(),
                i64::try_from(remaining).unwrap_or(i64::MAX).into(),
            ];
            let mut due = mark(domain, &chosen, values).await?;
            due.sort_by_key(|job| (job.run_at, job.id));
            batch.extend(due);
        }
    }
    Ok(batch)
}

/// Returns at most `limit` jobs of `kind` that were pushed more than `lost_after_ms` ago and not claimed since, and
/// marks them as pushed again. Either the queue lost them, or they are still waiting in the queue, where a second push
/// is harmless.
pub async fn lost_batch(
    domain: &Domain,
    kind: JobKind,
    lost_after_ms: Millis,
    limit: u64,
) -> Result<Vec<DueJob>> {
    let chosen = "pushed_at <= {now} - $2 ORDER BY priority DESC, run_at LIMIT $3";
    let values =
        vec![kind.as_str().into(), lost_after_ms.into(), i64::try_from(limit).unwrap_or(i64::MAX).into()];
    mark(domain, chosen, values).await
}

async fn mark(domain: &Domain, chosen: &str, values: Vec<Value>) -> Result<Vec<DueJob>> {
    let connection = domain.db().write();
    let sql = format!(
        "UPDATE job SET pushed_at = {{now}} WHERE state = 'ready' AND id IN (\
         SELECT id FROM job WHERE finished_at IS NULL AND state = 'ready' AND kind = $1 AND {IS_NOT_PAUSED} AND {chosen} {{skip}}) \
         RETURNING id, priority, run_at"
    );
    let rows = connection.query_all_raw(statement_about_due(connection, domain, &sql, values)).await?;
    let mut due = Vec::with_capacity(rows.len());
    for row in rows {
        let priority = Priority::from_i16(row.try_get("", "priority")?);
        due.push(DueJob { id: row.try_get("", "id")?, priority, run_at: row.try_get("", "run_at")? });
    }
    Ok(due)
}

/// Unmarks pushed jobs for which the transport had no capacity, so that the next sweep finds them.
pub async fn unmark_pushed(domain: &Domain, ids: &[JobId]) -> Result<()> {
    let connection = domain.db().write();
    for chunk in ids.chunks(usize::try_from(BATCH).unwrap_or(1)) {
        let parameters: Vec<String> = (1..=chunk.len()).map(|number| format!("${number}")).collect();
        let sql = format!(
            "UPDATE job SET pushed_at = NULL WHERE state = 'ready' AND id IN ({})",
            parameters.join(", ")
        );
        let values = chunk.iter().map(|id| (*id).into());
        connection.execute_raw(statement(connection, &sql, values)).await?;
    }
    Ok(())
}

/// Returns the names of the claims of all running jobs.
pub async fn running_claims(domain: &Domain) -> Result<Vec<String>> {
    let connection = domain.db().read();
    let sql = "SELECT DISTINCT worker FROM job WHERE finished_at IS NULL AND state = 'running' AND worker IS NOT NULL";
    let rows = connection.query_all_raw(statement(connection, sql, [])).await?;
    rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect()
}

/// Revokes leases of claims whose workers are known to have ended. [`expire_leases`](super::expire_leases)
/// then handles their jobs.
pub async fn revoke_leases(domain: &Domain, claims: &[String]) -> Result<()> {
    let connection = domain.db().write();
    for chunk in claims.chunks(usize::try_from(BATCH).unwrap_or(1)) {
        let parameters: Vec<String> = (1..=chunk.len()).map(|number| format!("${number}")).collect();
        let of_them = format!("state = 'running' AND worker IN ({})", parameters.join(", "));
        let sql = format!(
            "UPDATE job SET lease_until = {{now}} WHERE id IN (SELECT id FROM job WHERE finished_at IS NULL AND {of_them} \
             AND lease_until > {{now}} {{skip}}) AND {of_them}"
        );
        let values = chunk.iter().map(|claim| claim.as_str().into());
        connection.execute_raw(statement(connection, &sql, values)).await?;
    }
    Ok(())
}

/// Query for the waiting jobs of a kind that are due, up to a limit, at the four priority levels. Each level
/// is one index range, so that jobs that are not due yet are not scanned.
pub(super) const WAITING: &str = "SELECT 1 FROM (SELECT 1 AS one FROM job WHERE finished_at IS NULL AND state = 'ready' \
    AND kind = $1 AND priority IN ($2, $3, $4, $5) AND run_at <= {due} UNION ALL SELECT 1 FROM job \
    WHERE finished_at IS NULL AND in_turn AND state = 'ready' AND kind = $1 \
    AND priority IN ($2, $3, $4, $5) AND run_at > {due}) AS due LIMIT $6";

/// Returns the number of waiting jobs of `kind` that are due, counted up to `limit`.
pub async fn waiting(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    kind: JobKind,
    limit: u32,
) -> Result<u64> {
    let mut values = kind_and_levels(kind);
    values.push(i64::from(limit).into());
    count(connection, domain, WAITING, values).await
}

/// Returns the number of waiting jobs of `kind` that are due and have more than a low priority, counted up to
/// `limit`.
pub(super) async fn waiting_above_low(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    kind: JobKind,
    limit: u32,
) -> Result<u64> {
    let mut values: Vec<Value> = vec![kind.as_str().into()];
    values.extend(Priority::ALL.map(|priority| priority.max(Priority::Normal).as_i16().into()));
    values.push(i64::from(limit).into());
    count(connection, domain, WAITING, values).await
}

/// Returns the kind and every priority level as statement values.
fn kind_and_levels(kind: JobKind) -> Vec<Value> {
    let mut values: Vec<Value> = vec![kind.as_str().into()];
    values.extend(Priority::ALL.map(|priority| priority.as_i16().into()));
    values
}

/// Returns the number of running jobs of `kind`.
pub async fn running(connection: &impl ConnectionTrait, domain: &Domain, kind: JobKind) -> Result<u64> {
    let sql = "SELECT 1 FROM job WHERE finished_at IS NULL AND state = 'running' AND kind = $1";
    count(connection, domain, sql, vec![kind.as_str().into()]).await
}

/// True if a job of any kind is due or running. This is a single statement, because a job may submit another job just
/// before it completes.
#[cfg(any(test, feature = "testing"))]
pub async fn is_any_due_or_running(domain: &Domain) -> Result<bool> {
    let sql = "SELECT 1 FROM job WHERE finished_at IS NULL AND (state = 'running' \
               OR (state = 'ready' AND (in_turn OR run_at <= {due}))) LIMIT 1";
    Ok(count(domain.db().write(), domain, sql, Vec::new()).await? > 0)
}

async fn count(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    rows: &str,
    values: Vec<Value>,
) -> Result<u64> {
    let sql = format!("SELECT COUNT(*) AS n FROM ({rows}) AS counted");
    let query = statement_about_due(connection, domain, &sql, values);
    let Some(row) = connection.query_one_raw(query).await? else { return Ok(0) };
    Ok(u64::try_from(row.try_get::<i64>("", "n")?).unwrap_or(0))
}

/// Returns the due time of the oldest waiting job of `kind`. `None` if no job is due.
pub async fn oldest_due(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    kind: JobKind,
) -> Result<Option<Millis>> {
    let sql = "SELECT MIN(run_at) AS oldest FROM job WHERE finished_at IS NULL AND state = 'ready' AND kind = $1 \
               AND priority IN ($2, $3, $4, $5) AND run_at <= {due}";
    let query = statement_about_due(connection, domain, sql, kind_and_levels(kind));
    let row = connection.query_one_raw(query).await?;
    let Some(row) = row else { return Ok(None) };
    Ok(row.try_get::<Option<Millis>>("", "oldest")?)
}
