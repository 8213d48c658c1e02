//! Locks of each migration step: the tables that the step locks against writers, and the durations of the
//! locks.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use kernel::Domain;
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use tokio_util::sync::CancellationToken;

use super::filled_database::HOT;

/// Interval between the queries for locks.
const PACE: Duration = Duration::from_millis(4);

/// Observation of a migration step.
#[derive(Clone, Debug)]
pub(super) struct StepLocks {
    /// First and last time at which the step was observed.
    first: Instant,
    last: Instant,
    /// Longest time for which the step locked a table against writers, with the table and the lock mode.
    pub(super) longest: Option<(Duration, String)>,
}

impl StepLocks {
    /// Returns the observed duration of the step.
    pub(super) fn took(&self) -> Duration {
        self.last.duration_since(self.first)
    }
}

/// Queries the locks of large tables until `stop` is cancelled. Returns the observations by the number of
/// steps that were complete at that time.
pub(super) async fn watch(domain: Domain, stop: CancellationToken) -> BTreeMap<usize, StepLocks> {
    let tables: Vec<String> = HOT.map(|table| format!("'{table}'")).into();
    let sql = format!(
        "SELECT (SELECT COUNT(*) FROM seaql_migrations), l.pid, c.relname::text, l.mode::text FROM (SELECT 1) AS one \
         LEFT JOIN (pg_locks l JOIN pg_class c ON c.oid = l.relation AND c.relname IN ({}) \
           AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND l.granted AND l.locktype = 'relation' \
           AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')) ON TRUE",
        tables.join(", ")
    );
    let mut steps: BTreeMap<usize, StepLocks> = BTreeMap::new();
    let mut granted: BTreeMap<(i32, String, String), Instant> = BTreeMap::new();
    let mut pace = tokio::time::interval(PACE);
    while !stop.is_cancelled() {
        pace.tick().await;
        let query = Statement::from_string(DbBackend::Postgres, sql.clone());
        let rows = domain.db().read().query_all_raw(query).await.expect("locks can be queried");
        let now = Instant::now();
        let mut still = BTreeMap::new();
        for row in rows {
            let step = usize::try_from(row.try_get_by_index::<i64>(0).unwrap()).unwrap();
            let seen = steps.entry(step).or_insert(StepLocks { first: now, last: now, longest: None });
            seen.last = now;
            let Some(pid) = row.try_get_by_index::<Option<i32>>(1).unwrap() else { continue };
            let (table, mode): (String, String) =
                (row.try_get_by_index(2).unwrap(), row.try_get_by_index(3).unwrap());
            let key = (pid, table, mode);
            let since = granted.get(&key).copied().unwrap_or(now);
            // The lock may have existed during the whole interval before the query.
            let lock_time = now.duration_since(since) + PACE;
            if seen.longest.as_ref().is_none_or(|(longest, _)| lock_time > *longest) {
                seen.longest = Some((lock_time, format!("{} {}", key.1, key.2)));
            }
            still.insert(key, since);
        }
        granted = still;
    }
    steps
}
