//! What is due: rows with a time and a host, claimed in batches by one statement that walks the index of due
//! times. The claim moves a row's time ahead by a lease, so that work that is lost is delayed and not lost; of
//! each server one row is taken, and the others wait their turn (`hosts`), into which each moves once.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, TryGetable, Value};

use crate::handler::Hooks;
use crate::hosts::{self, Came, Place, Turns};
use crate::rows::{self, JobKind, Submitted};
use kernel::clock::Millis;
use kernel::error::Result;
use kernel::handle::Domain;
use kernel::statement::{scalar, skip_locked, statement};

/// Rows that a claim looks at for a second time when most of the first were of servers that wait for each other: so many
/// of one server are put into its line at once, and what is due elsewhere comes behind them in the same tick.
const WIDE: usize = 1_000;

/// A table whose rows come due, with `id`, `host` and `turn_at` beside the time: a row that is due at its `turn_at` has
/// stood in the line of its server.
#[derive(Clone, Copy, Debug)]
pub struct DueTable {
    /// The table.
    pub name: &'static str,
    /// The column of the address that a row asks.
    pub url: &'static str,
    /// The column of the time; empty in rows that are never due.
    pub column: &'static str,
    /// Rows of one claim.
    pub batch: usize,
    /// Until a claimed row that nobody dealt with is due again.
    pub lease: Millis,
}

/// A claimed row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueRow<K> {
    /// Its id.
    pub id: K,
    /// Whose server it asks.
    pub host: String,
    /// The address that it asks.
    pub url: String,
    /// Since when it was due.
    pub since: Millis,
    /// The turn that it had last.
    turn_at: Option<Millis>,
}

/// What one claim took.
#[derive(Debug)]
pub struct DueBatch<K> {
    /// The rows to be dealt with now, oldest first, one a server.
    pub rows: Vec<DueRow<K>>,
    /// The time at which they are due again if nobody deals with them.
    pub until: Millis,
    /// As many were due as one claim holds: there may be more.
    pub is_full: bool,
}

/// The kinds of which it is known that nothing is due: one statement, so that a tick on which nothing is to be done
/// costs next to nothing. Of kinds that are not named anything may be. What is due of a kind that is paused stays so:
/// its jobs would only pile up.
///
/// # Errors
/// What the database said.
pub async fn kinds_without_due(domain: &Domain) -> Result<Vec<JobKind>> {
    let hooks = Hooks::installed(domain);
    let sources: Vec<(JobKind, &str)> =
        hooks.due_sources().map(|(kind, source)| (kind, source.condition)).collect();
    if sources.is_empty() {
        return Ok(Vec::new());
    }
    let connection = domain.db().read();
    let due = rows::due_now(domain, connection.get_database_backend());
    let asked = sources.iter().map(|(kind, condition)| {
        let pause = format!("SELECT 1 FROM job_pause WHERE kind = '{kind}'");
        format!("SELECT '{kind}' WHERE ({condition}) AND NOT EXISTS ({pause})")
    });
    let sql = asked.collect::<Vec<String>>().join(" UNION ALL ").replace("{due}", &due);
    let rows = connection.query_all_raw(statement(connection, &sql, [])).await?;
    let due = rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect::<Result<Vec<String>>>()?;
    let mut kinds: Vec<JobKind> = sources.iter().map(|(kind, _)| *kind).collect();
    kinds.retain(|kind| !due.iter().any(|word| word == kind.as_str()));
    Ok(kinds)
}

/// Batches of one round, those counted that make no job.
const MOST_BATCHES: usize = 60;

/// How much one round of a tick claims.
#[derive(Clone, Copy, Debug)]
pub struct RoundLimits {
    /// The kind of the jobs that come of it.
    pub kind: JobKind,
    /// Jobs of that kind that may wait; beyond that nothing is claimed, and what is due stays due.
    pub waiting_jobs: u32,
    /// Jobs that one batch makes at most.
    pub jobs_a_batch: usize,
    /// Batches of one round that make jobs; what is left is the next round's, once the jobs of this one are on their way.
    pub batches: usize,
}

/// Claims batch after batch, as long as the last one was full and the queue has room for another.
/// `claim_batch` tells its jobs, and whether it was full.
pub async fn claim_batches(
    domain: &Domain,
    limits: RoundLimits,
    claim_batch: impl AsyncFn(&Domain) -> Result<(Vec<Submitted>, bool)>,
) -> Result<Vec<Submitted>> {
    let most = limits.waiting_jobs;
    let waiting = rows::waiting(domain.db().read(), domain, limits.kind, most).await?;
    let room = usize::try_from(u64::from(most).saturating_sub(waiting)).unwrap_or(0);
    let mut jobs = Vec::new();
    let mut left = limits.batches.min(room.div_ceil(limits.jobs_a_batch));
    for _ in 0..MOST_BATCHES {
        if left == 0 {
            break;
        }
        let (batch, is_full) = claim_batch(domain).await?;
        // One that only has rows wait for their server's turn leaves the workers nothing to do.
        left -= usize::from(!batch.is_empty());
        jobs.extend(batch);
        if !is_full {
            break;
        }
    }
    Ok(jobs)
}

/// The present by which things are due: the database's, so that a process whose clock is fast claims nothing early.
pub async fn present(connection: &impl ConnectionTrait, domain: &Domain) -> Result<Millis> {
    if !domain.is_in_real_time() {
        return Ok(domain.now());
    }
    let sql = format!("SELECT {}", rows::due_now(domain, connection.get_database_backend()));
    scalar(connection, &sql, []).await
}

/// Claims what is due now.
pub async fn claim<K>(transaction: &DatabaseTransaction, table: &DueTable, now: Millis) -> Result<DueBatch<K>>
where
    K: TryGetable + Into<Value> + Copy,
{
    let mut turns = Turns::new(now, table.batch);
    let mut batch = DueBatch { rows: Vec::new(), until: now + table.lease, is_full: false };
    for looked_at in [table.batch, WIDE] {
        let due = table.due(transaction, now, looked_at).await?;
        batch.is_full = due.len() >= looked_at;
        table.deal_out(transaction, &mut turns, due, &mut batch).await?;
        if !batch.is_full || batch.rows.len() > table.batch / 2 {
            break;
        }
    }
    batch.is_full |= turns.are_taken();
    turns.save(transaction).await?;
    Ok(batch)
}

impl DueTable {
    /// The statement that finds what is due at `$1` and holds it until the end of the transaction; rows that
    /// another process holds are passed over. On SQLite the transaction holds everything anyway.
    pub fn select(&self, backend: DbBackend, most: usize) -> String {
        let Self { name, url, column, .. } = self;
        let skip = skip_locked(backend);
        format!(
            "SELECT id, host, {url}, {column}, turn_at FROM {name} WHERE {column} <= $1 \
             ORDER BY {column} LIMIT {most} {skip}"
        )
    }

    /// What is due, oldest first.
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
            let (since, turn_at) = (row.try_get_by_index(3)?, row.try_get_by_index(4)?);
            Ok(DueRow { id, host, url, since, turn_at })
        });
        due.collect()
    }

    /// Gives each of these rows its place: into the batch, into the line of its server, or behind its pause.
    async fn deal_out<K: Into<Value> + Copy>(
        &self,
        transaction: &DatabaseTransaction,
        turns: &mut Turns,
        due: Vec<DueRow<K>>,
        batch: &mut DueBatch<K>,
    ) -> Result<()> {
        let now = batch.until - self.lease;
        let asked = due.iter().filter_map(|row| hosts::host_of(&row.url));
        let paused = hosts::paused(transaction, asked, now).await?;
        turns.load(transaction, due.iter().map(|row| row.host.as_str())).await?;
        let (mut times, mut lines) = (Vec::new(), Vec::new());
        for row in due {
            let paused_until = hosts::host_of(&row.url).and_then(|host| paused.get(&host).copied());
            let came = match paused_until {
                Some(until) => Came::Paused(until),
                None if row.turn_at == Some(row.since) => Came::InTurn(row.since),
                None => Came::Due,
            };
            match turns.place(&row.host, came) {
                Place::Now => {
                    times.push((row.id, batch.until));
                    batch.rows.push(row);
                }
                Place::InLine(at) => lines.push((row.id, at)),
                Place::AfterPause(at) => times.push((row.id, at)),
                Place::NextClaim => {}
            }
        }
        self.move_to(transaction, times).await?;
        self.set(transaction, &format!("{} = turn.at, turn_at = turn.at", self.column), lines).await
    }

    /// Sets when each row is due, in one statement.
    pub async fn move_to<K: Into<Value>>(
        &self,
        connection: &impl ConnectionTrait,
        times: Vec<(K, Millis)>,
    ) -> Result<()> {
        self.set(connection, &format!("{} = turn.at", self.column), times).await
    }

    /// Sets what `assignments` say of each row and its time, `turn.at`.
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
