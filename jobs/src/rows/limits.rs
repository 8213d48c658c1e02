//! Limits of a job kind that operators set at runtime: run time, concurrency, and starts per minute, across
//! all processes.
//!
//! A kind with limits is claimed in a transaction that first locks the limit's row, so that claims are counted one at a
//! time: it counts the slots in use, claims as many jobs as there are free slots, and records them. A slot is in use
//! while its claim is the newest claim of its job and the job runs. Slots need not be released: the slots of a killed
//! worker are free when their leases expire.
//!
//! Processes learn of a new limit within seconds and claim without counting until then; [`count_running`]
//! counts those jobs afterwards. A lower limit does not stop running jobs: the next job starts when enough
//! have completed. A command that runs a single job ignores the limits.

use std::fmt;

use entities::ids::JobId;
use entities::{job_grant, job_limit};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder,
};

use super::claimed::Claimed;
use super::kind::{JobKind, Priority};
use super::pauses::IS_NOT_PAUSED;
use super::run::claim_in;
use super::statement::{statement, statement_about_due};
use kernel::clock::{MINUTE, SECOND};
use kernel::statement::skip_locked;
use kernel::{Domain, Millis, Result};

/// Microseconds per millisecond. Starts are paced in microseconds, because the interval between many starts
/// per minute is below a millisecond.
const MICROS: i64 = 1_000;
/// Unused starts are saved for this time in microseconds: after a pause, as many jobs as otherwise start
/// within one second may start in one burst.
const MAX_SAVED: i64 = SECOND * MICROS;

/// Maximum value that an operator may set: concurrent jobs, starts per minute, seconds per run.
pub const HIGHEST_LIMIT: u32 = 1_000_000;

/// Limits of a kind that an operator has set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindLimits {
    pub kind: JobKind,
    /// Run limit in milliseconds; replaces [`KindRules::max_run_ms`](super::KindRules).
    pub max_run_ms: Option<Millis>,
    /// Maximum number of running jobs in all processes.
    pub most_running: Option<u32>,
    /// Maximum number of starts per minute in all processes, evenly paced.
    pub starts_a_minute: Option<u32>,
    /// Time at which the limits were set.
    pub set_at: Millis,
    /// Operator who set the limits, as displayed.
    pub set_by: String,
}

impl KindLimits {
    /// Returns true if claims of the kind must be counted.
    pub fn bounds_claims(&self) -> bool {
        self.most_running.is_some() || self.starts_a_minute.is_some()
    }

    fn is_empty(&self) -> bool {
        !self.bounds_claims() && self.max_run_ms.is_none()
    }
}

/// Formats the limits for operators, for example `at most 2 at once, at most 60 starts a minute`.
impl fmt::Display for KindLimits {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.most_running.map(i64::from), "at once"),
            (self.starts_a_minute.map(i64::from), "starts a minute"),
            (self.max_run_ms.map(|ms| ms / SECOND), "seconds a run"),
        ];
        let words = parts.iter().filter_map(|(number, what)| Some(format!("at most {} {what}", (*number)?)));
        to.write_str(&words.collect::<Vec<_>>().join(", "))
    }
}

/// Candidates of a claim.
#[derive(Clone, Copy, Debug)]
pub enum Candidates<'a> {
    /// Jobs popped from a queue.
    Ids(&'a [JobId]),
    /// The next due jobs, at most this many.
    Next(usize),
}

/// Returns all limits, ordered by kind name. Skips kinds unknown to this version.
pub async fn limits(domain: &Domain) -> Result<Vec<KindLimits>> {
    let rows =
        job_limit::Entity::find().order_by_asc(job_limit::Column::Kind).all(domain.db().read()).await?;
    Ok(rows.into_iter().filter_map(of_row).collect())
}

fn of_row(row: job_limit::Model) -> Option<KindLimits> {
    let number = |value: Option<i32>| value.and_then(|value| u32::try_from(value).ok());
    Some(KindLimits {
        kind: JobKind::parse(&row.kind)?,
        max_run_ms: row.max_run_ms,
        most_running: number(row.most_running),
        starts_a_minute: number(row.starts_a_minute),
        set_at: row.set_at,
        set_by: row.set_by,
    })
}

/// Sets the limits of a kind, or removes them if all are `None`. Processes apply them within seconds; running
/// jobs count towards them.
pub async fn set_limits(domain: &Domain, limits: &KindLimits) -> Result<()> {
    let transaction = domain.db().begin().await?;
    let word = limits.kind.as_str();
    // The limit's row is locked first, as it is by claims, to avoid deadlocks.
    if limits.is_empty() {
        job_limit::Entity::delete_by_id(word).exec(&transaction).await?;
    } else {
        let number = |value: Option<u32>| value.map(|value| i32::try_from(value).unwrap_or(i32::MAX));
        let row = job_limit::ActiveModel {
            kind: Set(word.to_owned()),
            max_run_ms: Set(limits.max_run_ms),
            most_running: Set(number(limits.most_running)),
            starts_a_minute: Set(number(limits.starts_a_minute)),
            // A previous slower pace no longer applies.
            paced_until: Set(0),
            set_at: Set(limits.set_at),
            set_by: Set(limits.set_by.clone()),
        };
        let columns = [
            job_limit::Column::MaxRunMs,
            job_limit::Column::MostRunning,
            job_limit::Column::StartsAMinute,
            job_limit::Column::PacedUntil,
            job_limit::Column::SetAt,
            job_limit::Column::SetBy,
        ];
        let replace = OnConflict::column(job_limit::Column::Kind).update_columns(columns).to_owned();
        job_limit::Entity::insert(row).on_conflict(replace).exec_without_returning(&transaction).await?;
    }
    if limits.bounds_claims() {
        grant_slots(&transaction, limits.kind).await?;
    } else {
        job_grant::Entity::delete_many().filter(job_grant::Column::Kind.eq(word)).exec(&transaction).await?;
    }
    Ok(transaction.commit().await?)
}

/// Counts running jobs of `kind` that have no slot, because they were started by a process that did not know
/// the limits yet.
pub async fn count_running(domain: &Domain, kind: JobKind) -> Result<()> {
    let transaction = domain.db().begin().await?;
    lock(&transaction, kind).await?;
    grant_slots(&transaction, kind).await?;
    Ok(transaction.commit().await?)
}

async fn grant_slots(transaction: &DatabaseTransaction, kind: JobKind) -> Result<()> {
    let running = "INSERT INTO job_grant (job_id, kind, fence) SELECT id, kind, fence FROM job \
                   WHERE kind = $1 AND finished_at IS NULL AND state = 'running' \
                   AND EXISTS (SELECT 1 FROM job_limit l WHERE l.kind = job.kind) \
                   ON CONFLICT (job_id) DO UPDATE SET fence = excluded.fence";
    transaction.execute_raw(statement(transaction, running, [kind.as_str().into()])).await?;
    Ok(())
}

/// Locks the limit's row, if it exists, so that concurrent claims of the kind are counted one by one.
async fn lock(transaction: &DatabaseTransaction, kind: JobKind) -> Result<()> {
    let lock_limit = "UPDATE job_limit SET kind = kind WHERE kind = $1";
    transaction.execute_raw(statement(transaction, lock_limit, [kind.as_str().into()])).await?;
    Ok(())
}

/// Current state of a limit.
struct KindLimitState {
    most_running: Option<i64>,
    /// Time between two starts, in microseconds.
    pace: Option<i64>,
    paced_until: i64,
    now: i64,
    running: i64,
}

impl KindLimitState {
    fn bounds_claims(&self) -> bool {
        self.most_running.is_some() || self.pace.is_some()
    }

    /// Returns the number of jobs that may start now.
    fn free_slots(&self) -> usize {
        let slots = self.most_running.map_or(i64::MAX, |most| (most - self.running).max(0));
        let starts = self.pace.map_or(i64::MAX, |pace| {
            // This is the start that is due now, plus the saved starts.
            let saved = self.now - self.paced_until.max(self.now - MAX_SAVED);
            if saved < 0 { 0 } else { saved / pace + 1 }
        });
        usize::try_from(slots.min(starts)).unwrap_or(usize::MAX)
    }

    /// Returns the value of `paced_until` after `starts` further starts.
    fn paced_after(&self, starts: usize) -> i64 {
        let starts = i64::try_from(starts).unwrap_or(i64::MAX);
        self.pace.map_or(self.paced_until, |pace| {
            self.paced_until.max(self.now - MAX_SAVED).saturating_add(pace.saturating_mul(starts))
        })
    }
}

/// Returns the number of jobs of `kind` that may start now. The number is advisory, because the claim counts
/// again.
pub async fn free_slots(domain: &Domain, kind: JobKind) -> Result<usize> {
    let state = limit_state(domain.db().read(), domain, kind).await?;
    Ok(state.as_ref().map_or(usize::MAX, KindLimitState::free_slots))
}

async fn limit_state(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    kind: JobKind,
) -> Result<Option<KindLimitState>> {
    let sql = "SELECT l.most_running, l.starts_a_minute, l.paced_until, {due}, \
               (SELECT COUNT(*) FROM job_grant g JOIN job j ON j.id = g.job_id AND j.fence = g.fence \
                AND j.state = 'running' WHERE g.kind = l.kind) FROM job_limit l WHERE l.kind = $1";
    let query = statement_about_due(connection, domain, sql, [kind.as_str().into()]);
    let Some(row) = connection.query_one_raw(query).await? else { return Ok(None) };
    let starts: Option<i32> = row.try_get_by_index(1)?;
    Ok(Some(KindLimitState {
        most_running: row.try_get_by_index::<Option<i32>>(0)?.map(i64::from),
        pace: starts.map(|starts| (MINUTE * MICROS + i64::from(starts) - 1) / i64::from(starts.max(1))),
        paced_until: row.try_get_by_index(2)?,
        now: row.try_get_by_index::<Millis>(3)?.saturating_mul(MICROS),
        running: row.try_get_by_index(4)?,
    }))
}

/// Claims jobs of a kind within its limits. `worker` and the lease in milliseconds are as in
/// [`claim_all`](super::claim_all) and [`claim_next`](super::claim_next).
///
/// # Errors
/// If the database fails. In this case, nothing is claimed.
pub async fn claim_within_limits(
    domain: &Domain,
    kind: JobKind,
    candidates: Candidates<'_>,
    (worker, lease_ms): (&str, Millis),
) -> Result<Vec<Claimed>> {
    let transaction = domain.db().begin().await?;
    lock(&transaction, kind).await?;
    let state = limit_state(&transaction, domain, kind).await?;
    let free_slots = state.as_ref().map_or(usize::MAX, KindLimitState::free_slots);
    if free_slots == 0 {
        transaction.rollback().await?;
        return Ok(Vec::new());
    }
    let ids = match candidates {
        Candidates::Ids(ids) => ids.to_vec(),
        Candidates::Next(most) => next_due(&transaction, domain, kind, free_slots.min(most)).await?,
    };
    let mut claims = Vec::new();
    for id in ids {
        if claims.len() == free_slots {
            break;
        }
        claims.extend(claim_in(&transaction, domain, id, worker, lease_ms).await?);
    }
    if let Some(state) = state.filter(KindLimitState::bounds_claims) {
        record_claims(&transaction, kind, &claims, &state).await?;
    }
    transaction.commit().await?;
    Ok(claims)
}

/// Returns the next due jobs of a kind, most urgent first, then oldest first. Within a level, jobs deferred
/// by fair share come last. Each group is a range of one index, as in [`claim_next`](super::claim_next).
async fn next_due(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    kind: JobKind,
    most: usize,
) -> Result<Vec<JobId>> {
    let mut ids = Vec::new();
    for priority in Priority::ALL {
        for condition in ["run_at <= {due}", "in_turn AND run_at > {due}"] {
            let left = i64::try_from(most.saturating_sub(ids.len())).unwrap_or(i64::MAX);
            if left == 0 {
                return Ok(ids);
            }
            let sql = format!(
                "SELECT id FROM job WHERE kind = $1 AND finished_at IS NULL AND state = 'ready' AND priority = $2 \
                 AND {condition} AND {IS_NOT_PAUSED} ORDER BY run_at LIMIT $3 {}",
                skip_locked(transaction.get_database_backend())
            );
            let values = [kind.as_str().into(), priority.as_i16().into(), left.into()];
            let query = statement_about_due(transaction, domain, &sql, values);
            for row in transaction.query_all_raw(query).await? {
                ids.push(row.try_get_by_index(0)?);
            }
        }
    }
    Ok(ids)
}

/// Records which jobs have slots now, and which starts are used.
async fn record_claims(
    transaction: &DatabaseTransaction,
    kind: JobKind,
    claims: &[Claimed],
    state: &KindLimitState,
) -> Result<()> {
    let ended = "DELETE FROM job_grant WHERE kind = $1 AND NOT EXISTS (SELECT 1 FROM job j WHERE j.id = job_grant.job_id \
                 AND j.fence = job_grant.fence AND j.state = 'running')";
    transaction.execute_raw(statement(transaction, ended, [kind.as_str().into()])).await?;
    if claims.is_empty() {
        return Ok(());
    }
    let rows = claims.iter().map(|claimed| job_grant::ActiveModel {
        job_id: Set(claimed.id),
        kind: Set(kind.as_str().to_owned()),
        fence: Set(claimed.fence),
    });
    job_grant::Entity::insert_many(rows).exec_without_returning(transaction).await?;
    let pace = "UPDATE job_limit SET paced_until = $2 WHERE kind = $1";
    let values = [kind.as_str().into(), state.paced_after(claims.len()).into()];
    transaction.execute_raw(statement(transaction, pace, values)).await?;
    Ok(())
}
