//! The statements of monitors that do more than find, add or change one row: claims, upserts, and steps over
//! many rows at once.

use entities::ids::{AccountId, MonitorId};
use entities::{monitor_snapshot, monitor_target};
use sea_orm::{DatabaseTransaction, Value};

use super::monitor::PauseReason;
use crate::error::Result;
use crate::limits::Tier;
use crate::statement::execute;

/// Rows of one step of housekeeping.
pub(super) const STEP: u32 = 500;

/// Contents of a monitor that are kept beside those that changes speak of: settings are tried out on them.
const CONTENTS: u32 = 20;

/// Writes what a source said of itself. The body that is kept stays when the same came again and was not packed; what
/// is told to the source of a body never stands beside another one.
pub(super) async fn upsert_target(
    transaction: &DatabaseTransaction,
    target: monitor_target::Model,
) -> Result<()> {
    let sql = "INSERT INTO monitor_target (url_key, url, etag, last_modified, content_type, final_url, body_hash, \
         body, fetched_at, checked_at, fetched_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
         ON CONFLICT (url_key) DO UPDATE SET etag = excluded.etag, last_modified = excluded.last_modified, \
         content_type = excluded.content_type, final_url = excluded.final_url, body_hash = excluded.body_hash, \
         body = CASE WHEN excluded.body IS NULL AND excluded.body_hash <> 0 \
         AND excluded.body_hash = monitor_target.body_hash THEN monitor_target.body ELSE excluded.body END, \
         fetched_at = excluded.fetched_at, checked_at = excluded.checked_at, fetched_by = excluded.fetched_by";
    let values: [Value; 11] = [
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
    ];
    execute(transaction, sql, values).await?;
    Ok(())
}

/// Stores a content, or takes note that it was seen again.
pub(super) async fn upsert_snapshot(
    transaction: &DatabaseTransaction,
    snapshot: monitor_snapshot::Model,
) -> Result<()> {
    let sql = "INSERT INTO monitor_snapshot (account_id, monitor_id, hash, content, seen_at) \
                VALUES ($1, $2, $3, $4, $5) ON CONFLICT (monitor_id, hash) DO UPDATE SET seen_at = excluded.seen_at";
    let values: [Value; 5] = [
        snapshot.account_id.into(),
        snapshot.monitor_id.into(),
        snapshot.hash.into(),
        snapshot.content.into(),
        snapshot.seen_at.into(),
    ];
    execute(transaction, sql, values).await?;
    Ok(())
}

/// Drops all but the newest contents of a monitor that no change speaks of and the next look does not need.
pub(super) async fn prune_snapshots(
    transaction: &DatabaseTransaction,
    monitor_id: MonitorId,
    needed: [&str; 2],
) -> Result<()> {
    let sql = format!(
        "DELETE FROM monitor_snapshot WHERE monitor_id = $1 AND hash <> $2 AND hash <> $3 AND seen_at < \
         (SELECT seen_at FROM monitor_snapshot WHERE monitor_id = $1 ORDER BY seen_at DESC LIMIT 1 OFFSET {CONTENTS}) \
         AND NOT EXISTS (SELECT 1 FROM monitor_change c WHERE c.monitor_id = $1 \
         AND (c.before_hash = monitor_snapshot.hash OR c.after_hash = monitor_snapshot.hash))"
    );
    let [baseline, observed] = needed;
    execute(transaction, &sql, [monitor_id.into(), baseline.into(), observed.into()]).await?;
    Ok(())
}

/// Pauses the newest active monitors of an account; returns how many.
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

/// Deletes changes older than `$1` of accounts of a tier, but for the `newest` of each monitor.
pub(super) fn delete_changes(tier: Tier, newest: u64) -> String {
    format!(
        "DELETE FROM monitor_change WHERE id IN (SELECT c.id FROM monitor_change c JOIN account a \
         ON a.id = c.account_id WHERE a.tier = '{}' AND c.detected_at < $1 AND c.id < (SELECT n.id FROM \
         monitor_change n WHERE n.monitor_id = c.monitor_id ORDER BY n.id DESC LIMIT 1 OFFSET {}) LIMIT {STEP})",
        tier.as_str(),
        newest - 1
    )
}

/// Deletes contents that were last seen before `$1` by monitors of accounts of a tier.
pub(super) fn delete_snapshots(tier: Tier) -> String {
    format!(
        "DELETE FROM monitor_snapshot WHERE (monitor_id, hash) IN (SELECT s.monitor_id, s.hash \
         FROM monitor_snapshot s JOIN account a ON a.id = s.account_id JOIN monitor m ON m.id = s.monitor_id \
         WHERE a.tier = '{}' AND s.seen_at < $1 AND COALESCE(m.baseline_hash, '') <> s.hash \
         AND COALESCE(m.observed_hash, '') <> s.hash LIMIT {STEP})",
        tier.as_str()
    )
}

/// Deletes targets that last answered before `$1` and that nobody watches.
pub(super) fn delete_targets() -> String {
    format!(
        "DELETE FROM monitor_target WHERE url_key IN (SELECT t.url_key FROM monitor_target t \
         WHERE t.checked_at < $1 AND NOT EXISTS (SELECT 1 FROM monitor m WHERE m.url_key = t.url_key) LIMIT {STEP})"
    )
}
