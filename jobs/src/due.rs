//! Claims due rows that have a host, in batches, with one statement over the index of due times.
//!
//! A claim postpones the due time of a row by a lease. If the work is lost, the row is due again after the
//! lease. Only one row per host is claimed. Every other row of the host gets a time in the host's queue
//! (module `hosts`), and is queued only once.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, TryGetable, Value};

use crate::handler::Hooks;
use crate::hosts::{self, DueReason, HostQueue, QueueDecision};
use crate::rows::{self, JobKind, Submitted};
use kernel::statement::{scalar, skip_locked, statement};
use kernel::{Domain, Millis, Result};

/// Row limit of the second pass of a claim, which runs if most rows of the first pass belong to busy hosts. The pass
/// moves up to this many rows into host queues per claim, so that rows of other hosts are claimed in the same tick.
const SECOND_PASS_ROWS: usize = 1_000;

/// A table with due rows and the columns `id`, `host`, and `turn_at`. If the due time of a row equals its `turn_at`,
/// the row has waited in the queue of its host.
#[derive(Clone, Copy, Debug)]
pub struct DueTable {
    pub name: &'static str,
    /// Column with the URL that a row fetches.
    pub url: &'static str,
    /// Column with the due time; null in rows that are never due.
    pub column: &'static str,
    /// Maximum number of rows of one claim.
    pub batch: usize,
    /// Time after which a claimed row is due again if it was not processed.
    pub lease: Millis,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueRow<K> {
    pub id: K,
    /// Site to whose queue the row belongs.
    pub host: String,
    /// URL that the row fetches.
    pub url: String,
    /// Time at which the row became due.
    pub since: Millis,
    /// Time assigned to the row in the queue of its host (column `turn_at`). `None` if the row was not queued.
    queue_time: Option<Millis>,
}

/// Result of one claim.
#[derive(Debug)]
pub struct DueBatch<K> {
    /// Rows to process now, oldest first, one per host.
    pub rows: Vec<DueRow<K>>,
    /// Time at which the rows are due again if they are not processed.
    pub until: Millis,
    /// True if the claim reached its row limit: more rows may be due.
    pub is_full: bool,
}

/// Returns the job kinds without due rows. They are queried with one statement, so that a tick without work
/// costs little. Other kinds may have due rows. Due rows of a paused kind do not count, because their jobs
/// would only accumulate.
pub async fn kinds_without_due(domain: &Domain) -> Result<Vec<JobKind>> {
    let hooks = Hooks::installed(domain);
    let sources: Vec<(JobKind, &str)> =
        hooks.due_sources().map(|(kind, source)| (kind, source.condition)).collect();
    if sources.is_empty() {
        return Ok(Vec::new());
    }
    let connection = domain.db().read();
    let due = rows::due_now(domain, connection.get_database_backend());
    let checks = sources.iter().map(|(kind, condition)| {
        let pause = format!("SELECT 1 FROM job_pause WHERE kind = '{kind}'");
        format!("SELECT '{kind}' WHERE ({condition}) AND NOT EXISTS ({pause})")
    });
    let sql = checks.collect::<Vec<String>>().join(" UNION ALL ").replace("{due}", &due);
    let rows = connection.query_all_raw(statement(connection, &sql, [])).await?;
    let due = rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect::<Result<Vec<String>>>()?;
    let mut kinds: Vec<JobKind> = sources.iter().map(|(kind, _)| *kind).collect();
    kinds.retain(|kind| !due.iter().any(|word| word == kind.as_str()));
    Ok(kinds)
}

/// Maximum number of batches of one round, including batches without a job.
const MAX_BATCHES: usize = 60;

/// Limits of one round of claims.
#[derive(Clone, Copy, Debug)]
pub struct RoundLimits {
    /// Kind of the submitted jobs.
    pub kind: JobKind,
    /// Maximum number of waiting jobs of this kind. If this many jobs wait, nothing is claimed, and due rows
    /// stay due.
    pub max_waiting_jobs: u32,
    /// Maximum number of jobs per batch.
    pub jobs_per_batch: usize,
    /// Maximum number of batches with jobs per round. The next round continues after these jobs are
    /// submitted.
    pub batches: usize,
}

/// Claims batches as long as the last batch was full and the queue has capacity. `claim_batch` returns its
/// jobs and whether the batch was full.
pub async fn claim_batches(
    domain: &Domain,
    limits: RoundLimits,
    claim_batch: impl AsyncFn(&Domain) -> Result<(Vec<Submitted>, bool)>,
) -> Result<Vec<Submitted>> {
    let most = limits.max_waiting_jobs;
    let waiting = rows::waiting(domain.db().read(), domain, limits.kind, most).await?;
    let capacity = usize::try_from(u64::from(most).saturating_sub(waiting)).unwrap_or(0);
    let mut jobs = Vec::new();
    let mut left = limits.batches.min(capacity.div_ceil(limits.jobs_per_batch));
    for _ in 0..MAX_BATCHES {
        if left == 0 {
            break;
        }
        let (batch, is_full) = claim_batch(domain).await?;
        // A batch that only moves rows into host queues submits no job and does not count.
        left -= usize::from(!batch.is_empty());
        jobs.extend(batch);
        if !is_full {
            break;
        }
    }
    Ok(jobs)
}

/// Returns the current time of the database, so that a process with a fast clock claims no row early. With a
/// simulated clock, returns the time of that clock.
pub async fn current_time(connection: &impl ConnectionTrait, domain: &Domain) -> Result<Millis> {
    if !domain.is_in_real_time() {
        return Ok(domain.now());
    }
    let sql = format!("SELECT {}", rows::due_now(domain, connection.get_database_backend()));
    scalar(connection, &sql, []).await
}

/// Claims rows that are due now.
pub async fn claim<K>(transaction: &DatabaseTransaction, table: &DueTable, now: Millis) -> Result<DueBatch<K>>
where
    K: TryGetable + Into<Value> + Copy,
{
    let mut host_queue = HostQueue::new(now, table.batch);
    let mut batch = DueBatch { rows: Vec::new(), until: now + table.lease, is_full: false };
    for limit in [table.batch, SECOND_PASS_ROWS] {
        let due = table.due(transaction, now, limit).await?;
        batch.is_full = due.len() >= limit;
        table.assign(transaction, &mut host_queue, due, &mut batch).await?;
        if !batch.is_full || batch.rows.len() > table.batch / 2 {
            break;
        }
    }
    batch.is_full |= host_queue.is_full();
    host_queue.save(transaction).await?;
    Ok(batch)
}

impl DueTable {
    /// Returns the statement that selects rows due at `$1` and locks them until the end of the transaction.
    /// It skips rows that are locked by another process. On SQLite the transaction locks the whole database
    /// anyway.
    pub fn select(&self, backend: DbBackend, most: usize) -> String {
        let Self { name, url, column, .. } = self;
        let skip = skip_locked(backend);
        format!(
            "SELECT id, host, {url}, {column}, turn_at FROM {name} WHERE {column} <= $1 \
             ORDER BY {column} LIMIT {most} {skip}"
        )
    }

    /// Selects due rows, oldest first.
    async fn due<K: TryGetable>(
        &self,
        transaction: &DatabaseTransaction,
        now: Millis,
        most: usize,
    ) -> Result<Vec<DueRow<K>>> {
        let sql = self.select(transaction.get_database_backend(), most);
        let rows = transaction.query_all_raw(statement(transaction, &sql, [now.into()])).await?;
        let due = rows.iter().map(|row| {
            let (id, host, url) =
                (row.try_get_by_index(0)?, row.try_get_by_index(1)?, row.try_get_by_index(2)?);
            let (since, queue_time) = (row.try_get_by_index(3)?, row.try_get_by_index(4)?);
            Ok(DueRow { id, host, url, since, queue_time })
        });
        due.collect()
    }

    /// Assigns each row to the batch, to the queue of its host, or to the end of its host's pause.
    async fn assign<K: Into<Value> + Copy>(
        &self,
        transaction: &DatabaseTransaction,
        host_queue: &mut HostQueue,
        due: Vec<DueRow<K>>,
        batch: &mut DueBatch<K>,
    ) -> Result<()> {
        let now = batch.until - self.lease;
        let request_hosts = due.iter().filter_map(|row| hosts::host_of(&row.url));
        let paused = hosts::paused(transaction, request_hosts, now).await?;
        host_queue.load(transaction, due.iter().map(|row| row.host.as_str())).await?;
        let (mut times, mut lines) = (Vec::new(), Vec::new());
        for row in due {
            let paused_until = hosts::host_of(&row.url).and_then(|host| paused.get(&host).copied());
            let reason = match paused_until {
                Some(until) => DueReason::Paused(until),
                None if row.queue_time == Some(row.since) => DueReason::FromQueue(row.since),
                None => DueReason::Due,
            };
            match host_queue.decide(&row.host, reason) {
                QueueDecision::Now => {
                    times.push((row.id, batch.until));
                    batch.rows.push(row);
                }
                QueueDecision::Queued(at) => lines.push((row.id, at)),
                QueueDecision::AfterPause(at) => times.push((row.id, at)),
                QueueDecision::NextClaim => {}
            }
        }
        self.move_to(transaction, times).await?;
        self.set(transaction, &format!("{} = turn.at, turn_at = turn.at", self.column), lines).await
    }

    /// Sets the due time of each row with one statement.
    pub async fn move_to<K: Into<Value>>(
        &self,
        connection: &impl ConnectionTrait,
        times: Vec<(K, Millis)>,
    ) -> Result<()> {
        self.set(connection, &format!("{} = turn.at", self.column), times).await
    }

    /// Updates each row with the SQL `assignments`, in which `turn.at` is the row's time from `times`.
    async fn set<K: Into<Value>>(
        &self,
        connection: &impl ConnectionTrait,
        assignments: &str,
        times: Vec<(K, Millis)>,
    ) -> Result<()> {
        if times.is_empty() {
            return Ok(());
        }
        let name = self.name;
        let rows: Vec<String> =
            (0..times.len()).map(|at| format!("(${}, ${})", 2 * at + 1, 2 * at + 2)).collect();
        let sql = format!(
            "WITH turn (id, at) AS (VALUES {}) UPDATE {name} SET {assignments} FROM turn \
             WHERE {name}.id = turn.id",
            rows.join(", ")
        );
        let values: Vec<Value> = times.into_iter().flat_map(|(id, at)| [id.into(), at.into()]).collect();
        connection.execute_raw(statement(connection, &sql, values)).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
