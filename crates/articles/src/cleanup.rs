//! Deletes unused sources and old texts, in small steps so that other writers do not wait long.

use async_recursion::async_recursion as boxed;
use entities::ids::SnapshotId;
use sea_orm::ConnectionTrait;

use kernel::clock::{DAY, HOUR};
use kernel::retention::ExpiredRows;
use kernel::statement::statement;
use kernel::{Domain, Millis, Result};

/// Retention of a text that is no longer current. Cursors may still refer to it.
const OLD_SNAPSHOT_MS: Millis = 2 * DAY;
/// Time without a request after which a source and its texts are deleted.
const UNUSED_SOURCE_MS: Millis = 30 * DAY;
/// Time without a request after which a source that no account ever requested is deleted.
const ANONYMOUS_SOURCE_MS: Millis = 48 * HOUR;
/// Maximum number of rows that one statement deletes.
const STEP: i64 = 500;

/// Sources that were not requested since `$1`.
const UNUSED_SOURCES: ExpiredRows =
    ExpiredRows { table: "source", key: "key", condition: "used_at < $1 ORDER BY used_at" };
/// Sources that were not requested since `$1`, and never by an account.
const ANONYMOUS_SOURCES: ExpiredRows = ExpiredRows {
    table: "source",
    key: "key",
    condition: "used_at < $1 AND account_used_at IS NULL ORDER BY used_at",
};
/// Deletes `$2` texts older than `$1` to which neither a source nor a read job refers, starting after the
/// time `$3` and the id `$4`.
const REMOVE_OLD_TEXTS: &str = "DELETE FROM snapshot WHERE id IN (SELECT s.id FROM snapshot s WHERE s.fetched_at < $1 \
     AND (s.fetched_at, s.id) > ($3, $4) \
     AND NOT EXISTS (SELECT 1 FROM source o WHERE o.key = s.source_key AND o.snapshot_id = s.id) \
     AND NOT EXISTS (SELECT 1 FROM read_job j WHERE j.snapshot_id = s.id) \
     ORDER BY s.fetched_at, s.id LIMIT $2) RETURNING id, fetched_at";

/// Number of deleted rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Removed {
    /// Unused sources.
    pub sources: u64,
    /// Unreferenced texts.
    pub snapshots: u64,
}

/// Deletes sources not requested for 30 days (48 hours if no account requested them), and old texts to which
/// neither a source nor a read job refers.
#[boxed]
pub async fn remove_expired(domain: &Domain) -> Result<Removed> {
    let now = domain.now();
    let connection = domain.db().write();
    let unused = UNUSED_SOURCES.delete(connection, &[(now - UNUSED_SOURCE_MS).into()]).await?;
    let anonymous = ANONYMOUS_SOURCES.delete(connection, &[(now - ANONYMOUS_SOURCE_MS).into()]).await?;
    Ok(Removed { sources: unused + anonymous, snapshots: remove_old_texts(domain).await? })
}

/// Reads the texts from oldest to newest, once per round. Most of them are current and are retained, so
/// each step continues at the position of the previous step.
async fn remove_old_texts(domain: &Domain) -> Result<u64> {
    let connection = domain.db().write();
    let before = domain.now() - OLD_SNAPSHOT_MS;
    let mut walked = (Millis::MIN, SnapshotId::from_u128(0));
    let mut removed = 0;
    loop {
        let values = [before.into(), STEP.into(), walked.0.into(), walked.1.into()];
        let rows = connection.query_all_raw(statement(connection, REMOVE_OLD_TEXTS, values)).await?;
        for row in &rows {
            walked = walked.max((row.try_get_by_index(1)?, row.try_get_by_index(0)?));
        }
        removed += rows.len() as u64;
        if i64::try_from(rows.len()).is_ok_and(|rows| rows < STEP) {
            return Ok(removed);
        }
    }
}
