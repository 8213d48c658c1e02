//! Locks the accounts and monitors of runs until the end of the transaction, and loads the other data that a
//! commit needs. Each step is one statement for any number of runs.

use std::collections::HashMap;

use entities::ids::MonitorId;
use entities::monitor;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, FromQueryResult, Value};

use super::fetch::RunContext;
use super::outcome::Outcome;
use super::sql::CONTENTS;
use identity::accounts::{LIMIT_COLUMNS, limits_of_row};
use identity::credits::{CreditBalance, month_of};
use kernel::statement::{columns_of, placeholders, rows_of, statement};
use kernel::tiers::TierLimits;
use kernel::{Domain, Millis, Result};

/// Statement that sets a lock timeout of half a second, unless a shorter timeout is set. A timeout of 0 means
/// that there is no limit.
const LIMIT_LOCK_TIMEOUT: &str = "SELECT set_config('lock_timeout', '500ms', true) WHERE \
     current_setting('lock_timeout')::interval NOT BETWEEN '1 millisecond' AND '500 milliseconds'";

/// Account and monitor of a run, locked by the transaction.
pub(super) struct LockedMonitor {
    /// Limits of the account.
    pub(super) plan: TierLimits,
    /// Current row of the monitor.
    pub(super) row: monitor::Model,
}

impl LockedMonitor {
    /// True if the state against which a run was evaluated has changed in the meantime.
    pub(super) fn differs_from(&self, then: &monitor::Model) -> bool {
        let now = &self.row;
        now.definition != then.definition
            || now.baseline_hash != then.baseline_hash
            || now.observed_hash != then.observed_hash
            || now.masks != then.masks
            || now.recent != then.recent
    }
}

/// Data about a monitor and the month of its account, loaded after both were locked.
#[derive(Clone, Copy, Default)]
pub(super) struct CommitFacts {
    /// True if the due time already has a run.
    pub(super) is_written: bool,
    /// Start of the last successful run before this run.
    pub(super) last_good_run: Option<Millis>,
    /// True if the monitor has more stored snapshots than it needs.
    pub(super) has_many_contents: bool,
    /// Balance of the month. `None` if no row for the month exists yet.
    pub(super) open_month: Option<CreditBalance>,
}

/// Limits the time for which a transaction that locks several accounts waits for a lock. While it waits for
/// one account, or for the lock for writing feed entries, all other accounts that it locked are blocked.
pub(super) async fn limit_lock_wait(transaction: &DatabaseTransaction) -> Result<()> {
    if transaction.get_database_backend() == DbBackend::Postgres {
        transaction.execute_unprepared(LIMIT_LOCK_TIMEOUT).await?;
    }
    Ok(())
}

/// Locks the accounts and monitors of these runs, account by account. Deleted accounts and monitors are
/// missing from the result.
pub(super) async fn lock_runs(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    runs: &[&RunContext],
) -> Result<HashMap<MonitorId, LockedMonitor>> {
    // The rows are locked in the order of this query: each account before its monitors. Every transaction
    // that locks several accounts uses this order, and every transaction that locks a monitor also locks its
    // account. The query reads no other values, because they would be older than the lock.
    let lock = match transaction.get_database_backend() {
        DbBackend::Postgres => " FOR NO KEY UPDATE OF a FOR UPDATE OF m",
        _ => "",
    };
    let sql = format!(
        "SELECT {LIMIT_COLUMNS}, {} FROM account a JOIN monitor m ON m.account_id = a.id \
         WHERE m.id IN ({}) ORDER BY a.id, m.id{lock}",
        columns_of::<monitor::Entity>("m"),
        placeholders(1, runs.len())
    );
    let ids = runs.iter().map(|run| run.row.id.into());
    let mut locked = HashMap::with_capacity(runs.len());
    for row in transaction.query_all_raw(statement(transaction, &sql, ids)).await? {
        let plan = limits_of_row(domain, &row)?;
        let row = monitor::Model::from_query_result(&row, "m_")?;
        locked.insert(row.id, LockedMonitor { plan, row });
    }
    Ok(locked)
}

/// Loads the data about locked monitors and accounts.
pub(super) async fn load_facts(
    transaction: &DatabaseTransaction,
    runs: &[&RunContext],
    now: Millis,
) -> Result<HashMap<MonitorId, CommitFacts>> {
    let sql = format!(
        "WITH asked (monitor_id, due_at, run_id) AS (VALUES {}) SELECT m.id, \
         (SELECT count(*) FROM monitor_run r WHERE r.monitor_id = m.id AND r.due_at = asked.due_at) AS written, \
         (SELECT r.started_at FROM monitor_run r WHERE r.monitor_id = m.id AND r.id <> asked.run_id \
         AND r.outcome <> $1 ORDER BY r.due_at DESC LIMIT 1) AS last_good_run, \
         (SELECT s.seen_at FROM monitor_snapshot s WHERE s.monitor_id = m.id LIMIT 1 OFFSET {CONTENTS}) AS beyond, \
         c.allowance, c.granted, c.used FROM asked JOIN monitor m ON m.id = asked.monitor_id \
         LEFT JOIN credit_month c ON c.account_id = m.account_id AND c.month = $2",
        rows_of(3, runs.len(), 3)
    );
    let month = month_of(now);
    let run_values = runs.iter().flat_map(|run| -> [Value; 3] {
        [run.row.id.into(), run.args.due_at.into(), run.args.run_id.into()]
    });
    let values = [Outcome::Error.as_str().into(), month.into()].into_iter().chain(run_values);
    let mut known = HashMap::with_capacity(runs.len());
    for row in transaction.query_all_raw(statement(transaction, &sql, values)).await? {
        let of_monitor = CommitFacts {
            is_written: row.try_get::<i64>("", "written")? > 0,
            last_good_run: row.try_get("", "last_good_run")?,
            has_many_contents: row.try_get::<Option<Millis>>("", "beyond")?.is_some(),
            open_month: CreditBalance::of_row(&row, month)?,
        };
        known.insert(row.try_get("", "id")?, of_monitor);
    }
    Ok(known)
}
