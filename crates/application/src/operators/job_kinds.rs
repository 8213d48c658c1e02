//! Status of each job kind: numbers of waiting, running, and failed jobs, and completions per minute of the
//! last hour.

use async_recursion::async_recursion as boxed;
use std::collections::HashMap;

use sea_orm::ConnectionTrait;

use jobs::{JobKind, KindLimits, KindPause};
use kernel::clock::DAY;
use kernel::statement::statement;
use kernel::{Domain, Millis, Result};

/// Upper bound of each count. Counting stops at this value.
pub const MAX_COUNT: i64 = 10_000;
/// Number of minutes for which completions are reported.
pub const MINUTES: usize = 60;

/// Status of one job kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindState {
    pub kind: JobKind,
    /// Number of due jobs that no worker has claimed.
    pub waiting: i64,
    /// Number of jobs that are not due yet.
    pub scheduled: i64,
    /// Number of jobs that workers have claimed.
    pub running: i64,
    /// Number of jobs that failed in the last 24 hours.
    pub failed: i64,
    /// Number of dead jobs.
    pub dead: i64,
    /// Due time of the oldest waiting job. `None` if no job is waiting.
    pub oldest_due: Option<Millis>,
    /// Pause of the kind. `None` if the kind is not paused.
    pub pause: Option<KindPause>,
    /// Limits set by an operator. `None` if the defaults apply.
    pub limits: Option<KindLimits>,
    /// Number of successful runs in each minute, oldest first.
    pub done: Vec<u64>,
    /// Number of unsuccessful runs in each minute, oldest first.
    pub not_done: Vec<u64>,
}

/// Returns the status of every kind, in the order of [`JobKind::ALL`].
#[boxed]
pub async fn kinds(domain: &Domain) -> Result<Vec<KindState>> {
    let connection = domain.db().read();
    let mut pauses: HashMap<JobKind, KindPause> =
        jobs::paused(domain).await?.into_iter().map(|pause| (pause.kind, pause)).collect();
    let mut limits: HashMap<JobKind, KindLimits> =
        jobs::limits(domain).await?.into_iter().map(|limits| (limits.kind, limits)).collect();
    let completions = RecentCompletions::of_last_hour(domain).await?;
    let query = statement(connection, &counts_sql(), [domain.now().into(), (domain.now() - DAY).into()]);
    let mut all = Vec::with_capacity(JobKind::ALL.len());
    for row in connection.query_all_raw(query).await? {
        let word: String = row.try_get("", "kind")?;
        let Some(kind) = JobKind::parse(&word) else { continue };
        let waiting = row.try_get("", "waiting")?;
        let oldest_due = if waiting > 0 { jobs::oldest_due(connection, domain, kind).await? } else { None };
        let (done, not_done) = completions.of(kind);
        all.push(KindState {
            kind,
            waiting,
            scheduled: row.try_get("", "scheduled")?,
            running: row.try_get("", "running")?,
            failed: row.try_get("", "failed")?,
            dead: row.try_get("", "dead")?,
            oldest_due,
            pause: pauses.remove(&kind),
            limits: limits.remove(&kind),
            done,
            not_done,
        });
    }
    all.sort_by_key(|state| state.kind);
    Ok(all)
}

/// Returns the SQL query for the bounded counts of all kinds. The kinds are rows of a list, because
/// `PostgreSQL` plans each subquery of the statement separately: five subqueries per kind would take longer
/// to plan than to execute.
fn counts_sql() -> String {
    let kinds: Vec<String> = JobKind::ALL.iter().map(|kind| format!("('{kind}')")).collect();
    let count = |condition: &str| {
        format!(
            "(SELECT COUNT(*) FROM (SELECT 1 FROM job WHERE job.kind = kinds.kind AND {condition} LIMIT {MAX_COUNT}) AS counted)"
        )
    };
    format!(
        "WITH kinds(kind) AS (VALUES {}) \
         SELECT kinds.kind AS kind, {} AS waiting, {} AS scheduled, {} AS running, {} AS failed, {} AS dead FROM kinds",
        kinds.join(", "),
        count("finished_at IS NULL AND state = 'ready' AND run_at <= $1"),
        count("finished_at IS NULL AND state = 'ready' AND run_at > $1"),
        count("finished_at IS NULL AND state = 'running'"),
        count("state = 'failed' AND finished_at >= $2"),
        count("state = 'dead' AND finished_at IS NOT NULL"),
    )
}

/// Completions in each of the last minutes, by kind.
struct RecentCompletions {
    by_kind: HashMap<JobKind, (Vec<u64>, Vec<u64>)>,
}

impl RecentCompletions {
    async fn of_last_hour(domain: &Domain) -> Result<Self> {
        let minutes = i64::try_from(MINUTES).unwrap_or(i64::MAX);
        let first = jobs::minute_of(domain.now()) - minutes + 1;
        let mut by_kind: HashMap<JobKind, (Vec<u64>, Vec<u64>)> = HashMap::new();
        for row in jobs::recent_completions(domain, minutes).await? {
            let Some(kind) = JobKind::parse(&row.kind) else { continue };
            let (done, not_done) =
                by_kind.entry(kind).or_insert_with(|| (vec![0; MINUTES], vec![0; MINUTES]));
            let minutes = if row.outcome == "complete" { done } else { not_done };
            let at = usize::try_from(row.minute - first).ok();
            if let Some(minute) = at.and_then(|at| minutes.get_mut(at)) {
                *minute += row.ends.unsigned_abs();
            }
        }
        Ok(Self { by_kind })
    }

    fn of(&self, kind: JobKind) -> (Vec<u64>, Vec<u64>) {
        self.by_kind.get(&kind).cloned().unwrap_or_else(|| (vec![0; MINUTES], vec![0; MINUTES]))
    }
}
