//! SQL statements for several rows of monitors: upserts, and deletions in steps.

use entities::ids::{AccountId, MonitorId};
use entities::{monitor, monitor_snapshot, monitor_target};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, Value};

use super::monitor::{PauseReason, Status};
use fetch::Fetched;
use kernel::statement::{execute, for_update, placeholders, rows_of, skip_locked, statement};
use kernel::tiers::Tier;
use kernel::writes::Writes;
use kernel::{Millis, Result};

/// Maximum number of rows that a housekeeping step deletes.
pub(super) const STEP: u32 = 500;

/// Number of stored snapshots of a monitor, not counting the snapshots of its changes. They serve for trying
/// out new settings.
pub(super) const CONTENTS: usize = 20;

/// Response of a source to a run.
#[derive(Clone, Copy)]
pub(super) struct TargetResponse<'a> {
    /// Monitor of the source.
    pub(super) row: &'a monitor::Model,
    /// Hash of the body that was stored before.
    pub(super) known_hash: i64,
    /// Hash of the body in the response. 0 if there is no body.
    pub(super) body_hash: i64,
    pub(super) fetched: &'a Fetched,
    /// Time of the response.
    pub(super) at: Millis,
}

/// Locks the targets of these responses in the order of their keys, so that concurrent batches do not
/// deadlock.
pub(super) async fn lock_targets(
    transaction: &DatabaseTransaction,
    answers: &[TargetResponse<'_>],
) -> Result<()> {
    let lock = for_update(transaction, "t");
    if answers.is_empty() || lock.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "SELECT t.url_key FROM monitor_target t WHERE t.url_key IN ({}) ORDER BY t.url_key{lock}",
        placeholders(1, answers.len())
    );
    let keys = answers.iter().map(|answer| answer.row.url_key.as_str().into());
    transaction.query_all_raw(statement(transaction, &sql, keys)).await?;
    Ok(())
}

/// Records that the stored bodies of targets are unchanged at their sources.
pub(super) async fn confirm_targets(
    transaction: &DatabaseTransaction,
    answers: &[TargetResponse<'_>],
) -> Result<()> {
    if answers.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "WITH seen (url_key, known, at, account_id) AS (VALUES {}) \
         UPDATE monitor_target SET checked_at = seen.at, fetched_by = seen.account_id FROM seen \
         WHERE monitor_target.url_key = seen.url_key AND monitor_target.body_hash = seen.known",
        rows_of(1, answers.len(), 4)
    );
    let values = answers.iter().flat_map(|answer| -> [Value; 4] {
        let row = answer.row;
        [row.url_key.as_str().into(), answer.known_hash.into(), answer.at.into(), row.account_id.into()]
    });
    execute(transaction, &sql, values).await?;
    Ok(())
}

/// Writes the next run times of monitors whose sources are unchanged. The monitors must be locked and active.
pub(super) async fn finish_unchanged(
    transaction: &DatabaseTransaction,
    now: Millis,
    next: Vec<(MonitorId, Millis)>,
) -> Result<()> {
    let sql = format!(
        "WITH seen (id, next_run_at) AS (VALUES {}) \
         UPDATE monitor SET next_run_at = seen.next_run_at, last_run_at = $1, last_error_code = NULL, failures = 0, \
         failing_since = NULL, absent = 0, refused_since = NULL, credits_wait_until = NULL FROM seen \
         WHERE monitor.id = seen.id",
        rows_of(2, next.len(), 2)
    );
    let next = next.into_iter().flat_map(|(id, at)| [id.into(), at.into()]);
    execute(transaction, &sql, std::iter::once(now.into()).chain(next)).await?;
    Ok(())
}

/// Records that the stored body of a target, with the hash `known`, is unchanged at its source.
pub(super) fn confirm_target(writes: &mut Writes<'_>, target: &monitor_target::Model, known: i64) {
    let sql =
        "UPDATE monitor_target SET checked_at = $1, fetched_by = $2 WHERE url_key = $3 AND body_hash = $4";
    let url_key = target.url_key.as_str().into();
    writes.add_sql(sql, [target.checked_at.into(), target.fetched_by.into(), url_key, known.into()]);
}

/// State of a monitor after a successful run. Fields with `None` are not changed in the row.
pub(super) struct EvaluatedMonitor {
    pub(super) id: MonitorId,
    pub(super) status: Status,
    pub(super) next_run_at: Option<Millis>,
    pub(super) last_change_at: Option<Millis>,
    pub(super) body_hash: Option<i64>,
    /// State after an evaluation. `None` if the run evaluated no content.
    pub(super) contents: Option<EvaluatedContents>,
}

/// Snapshot hashes, recent states and memory of a monitor.
pub(super) struct EvaluatedContents {
    pub(super) baseline_hash: String,
    pub(super) observed_hash: String,
    pub(super) recent: String,
    pub(super) masks: String,
}

/// Writes the states of monitors after runs that succeeded at `now`.
pub(super) fn finish_evaluated(writes: &mut Writes<'_>, now: Millis, evaluated: Vec<EvaluatedMonitor>) {
    if evaluated.is_empty() {
        return;
    }
    let coalesced = ["last_change_at", "seen_body_hash", "baseline_hash", "observed_hash", "recent", "masks"];
    let coalesced =
        coalesced.map(|column| format!("{column} = COALESCE(seen.{column}, monitor.{column})")).join(", ");
    let sql = format!(
        "WITH seen (id, status, next_run_at, last_change_at, seen_body_hash, baseline_hash, observed_hash, recent, \
         masks) AS (VALUES {}) UPDATE monitor SET status = seen.status, next_run_at = seen.next_run_at, \
         last_run_at = $1, last_error_code = NULL, failures = 0, failing_since = NULL, absent = 0, \
         refused_since = NULL, credits_wait_until = NULL, {coalesced} FROM seen WHERE monitor.id = seen.id",
        rows_of(2, evaluated.len(), 9)
    );
    let rows = evaluated.into_iter().flat_map(|after| -> [Value; 9] {
        let (baseline, observed, recent, masks) = match after.contents {
            None => (None, None, None, None),
            Some(EvaluatedContents { baseline_hash, observed_hash, recent, masks }) => {
                (Some(baseline_hash), Some(observed_hash), Some(recent), Some(masks))
            }
        };
        [
            after.id.into(),
            after.status.as_str().into(),
            after.next_run_at.into(),
            after.last_change_at.into(),
            after.body_hash.into(),
            baseline.into(),
            observed.into(),
            recent.into(),
            masks.into(),
        ]
    });
    writes.add_sql(&sql, std::iter::once(now.into()).chain(rows));
}

/// Upserts distinct targets. If the same body was received again, it is not packed, and the stored body is
/// retained. The validators in a row always belong to its body.
pub(super) async fn upsert_targets(
    transaction: &DatabaseTransaction,
    targets: Vec<monitor_target::Model>,
) -> Result<()> {
    if !targets.is_empty() {
        let (sql, values) = target_upsert(targets);
        execute(transaction, &sql, values).await?;
    }
    Ok(())
}

/// Statement of [`upsert_targets`], and its values.
pub(super) fn target_upsert(targets: Vec<monitor_target::Model>) -> (String, Vec<Value>) {
    let sql = format!(
        "INSERT INTO monitor_target (url_key, url, etag, last_modified, content_type, final_url, body_hash, \
         body, fetched_at, checked_at, fetched_by) VALUES {} \
         ON CONFLICT (url_key) DO UPDATE SET etag = excluded.etag, last_modified = excluded.last_modified, \
         content_type = excluded.content_type, final_url = excluded.final_url, body_hash = excluded.body_hash, \
         body = CASE WHEN excluded.body IS NULL AND excluded.body_hash <> 0 \
         AND excluded.body_hash = monitor_target.body_hash THEN monitor_target.body ELSE excluded.body END, \
         fetched_at = excluded.fetched_at, checked_at = excluded.checked_at, fetched_by = excluded.fetched_by",
        rows_of(1, targets.len(), 11)
    );
    let values = targets.into_iter().flat_map(|target| -> [Value; 11] {
        [
            target.url_key.into(),
            target.url.into(),
            target.etag.into(),
            target.last_modified.into(),
            target.content_type.into(),
            target.final_url.into(),
            target.body_hash.into(),
            target.body.into(),
            target.fetched_at.into(),
            target.checked_at.into(),
            target.fetched_by.into(),
        ]
    });
    (sql, values.collect())
}

/// Stores snapshots, or updates the time at which they were last observed.
pub(super) fn upsert_snapshots(writes: &mut Writes<'_>, snapshots: Vec<monitor_snapshot::Model>) {
    if snapshots.is_empty() {
        return;
    }
    let sql = format!(
        "INSERT INTO monitor_snapshot (account_id, monitor_id, hash, content, seen_at) VALUES {} \
         ON CONFLICT (monitor_id, hash) DO UPDATE SET seen_at = excluded.seen_at",
        rows_of(1, snapshots.len(), 5)
    );
    let values = snapshots.into_iter().flat_map(|snapshot| -> [Value; 5] {
        [
            snapshot.account_id.into(),
            snapshot.monitor_id.into(),
            snapshot.hash.into(),
            snapshot.content.into(),
            snapshot.seen_at.into(),
        ]
    });
    writes.add_sql(&sql, values);
}

/// Deletes all but the newest snapshots of these locked monitors. Snapshots are retained if a change refers
/// to them or if the next check is compared with them.
pub(super) async fn prune_snapshots(transaction: &DatabaseTransaction, monitors: &[MonitorId]) -> Result<()> {
    if monitors.is_empty() {
        return Ok(());
    }
    // A snapshot may belong to two changes: as the content after the first change and before the second. Each
    // of two conditions can be executed as a hash join. A single condition on both columns would read all
    // changes of the monitor for each snapshot.
    let sql = format!(
        "DELETE FROM monitor_snapshot WHERE (monitor_id, hash) IN (SELECT s.monitor_id, s.hash FROM \
         (SELECT monitor_id, hash, rank() OVER (PARTITION BY monitor_id ORDER BY seen_at DESC) AS place \
         FROM monitor_snapshot WHERE monitor_id IN ({})) s JOIN monitor m ON m.id = s.monitor_id \
         WHERE s.place > {} AND COALESCE(m.baseline_hash, '') <> s.hash AND COALESCE(m.observed_hash, '') <> s.hash \
         AND NOT EXISTS (SELECT 1 FROM monitor_change c WHERE c.monitor_id = s.monitor_id AND c.before_hash = s.hash) \
         AND NOT EXISTS (SELECT 1 FROM monitor_change c WHERE c.monitor_id = s.monitor_id AND c.after_hash = s.hash))",
        placeholders(1, monitors.len()),
        CONTENTS + 1
    );
    execute(transaction, &sql, monitors.iter().map(|id| Value::from(*id))).await?;
    Ok(())
}

/// Pauses the newest active monitors of an account and returns their number.
pub(super) async fn pause_newest(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    count: u64,
) -> Result<u64> {
    let sql = "UPDATE monitor SET status = 'paused', pause_reason = $1, next_run_at = NULL WHERE id IN \
                (SELECT id FROM monitor WHERE account_id = $2 AND status = 'active' ORDER BY id DESC LIMIT $3)";
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let values = [PauseReason::PlanLimit.as_str().into(), account_id.into(), count.into()];
    execute(transaction, sql, values).await
}

/// Statement that deletes changes older than `$1` from accounts with a tier, except the `newest` changes of
/// each monitor.
pub(super) fn delete_changes(tier: Tier, newest: u64) -> String {
    format!(
        "DELETE FROM monitor_change WHERE id IN (SELECT c.id FROM monitor_change c JOIN account a \
         ON a.id = c.account_id WHERE a.tier = '{}' AND c.detected_at < $1 AND c.id < (SELECT n.id FROM \
         monitor_change n WHERE n.monitor_id = c.monitor_id ORDER BY n.id DESC LIMIT 1 OFFSET {}) LIMIT {STEP})",
        tier.as_str(),
        newest - 1
    )
}

/// Statement that deletes snapshots of accounts with a tier that were last observed before `$1`.
pub(super) fn delete_snapshots(tier: Tier) -> String {
    format!(
        "DELETE FROM monitor_snapshot WHERE (monitor_id, hash) IN (SELECT s.monitor_id, s.hash \
         FROM monitor_snapshot s JOIN account a ON a.id = s.account_id JOIN monitor m ON m.id = s.monitor_id \
         WHERE a.tier = '{}' AND s.seen_at < $1 AND COALESCE(m.baseline_hash, '') <> s.hash \
         AND COALESCE(m.observed_hash, '') <> s.hash LIMIT {STEP})",
        tier.as_str()
    )
}

/// Statement that deletes the shared bodies of targets whose last response was before `$1`. It skips locked
/// rows, because runs lock targets in a different order.
pub(super) fn drop_bodies(backend: DbBackend) -> String {
    format!(
        "UPDATE monitor_target SET body = NULL WHERE url_key IN (SELECT t.url_key FROM monitor_target t \
         WHERE t.checked_at < $1 AND t.body IS NOT NULL LIMIT {STEP} {})",
        skip_locked(backend)
    )
}

/// Statement that deletes targets without a monitor whose last response was before `$1`.
pub(super) fn delete_targets(backend: DbBackend) -> String {
    format!(
        "DELETE FROM monitor_target WHERE url_key IN (SELECT t.url_key FROM monitor_target t \
         WHERE t.checked_at < $1 AND NOT EXISTS (SELECT 1 FROM monitor m WHERE m.url_key = t.url_key) \
         LIMIT {STEP} {})",
        skip_locked(backend)
    )
}
