//! Deletes unused sources and old texts, in small steps so that other writers do not wait long.

use async_recursion::async_recursion as boxed;
use entities::ids::SnapshotId;
use sea_orm::ConnectionTrait;

use kernel::clock::{DAY, HOUR};
use kernel::retention::ExpiredRows;
use kernel::statement::statement;
use kernel::{Domain, Millis, Result};

/// Retention, in milliseconds, of a text that is no longer current. Cursors may still refer to such a text.
const OLD_SNAPSHOT_MS: Millis = 2 * DAY;
/// Time without a request, in milliseconds, after which a source and its texts are deleted.
const UNUSED_SOURCE_MS: Millis = 30 * DAY;
/// Time without a request, in milliseconds, after which a source is deleted if no account ever requested it.
const ANONYMOUS_SOURCE_MS: Millis = 48 * HOUR;
/// Maximum number of rows that one statement deletes.
const STEP: i64 = 500;

/// Sources whose last request was before `$1`.
const UNUSED_SOURCES: ExpiredRows =
    ExpiredRows { table: "source", key: "key", condition: "used_at < $1 ORDER BY used_at" };
/// Sources whose last request was before `$1` and that no account ever requested.
const ANONYMOUS_SOURCES: ExpiredRows = ExpiredRows {
    table: "source",
    key: "key",
    condition: "used_at < $1 AND account_used_at IS NULL ORDER BY used_at",
};
/// Deletes up to `$2` texts older than `$1` that no source or read job references. Starts after the text with
/// the time `$3` and the id `$4`.
const REMOVE_OLD_TEXTS: &str = "DELETE FROM snapshot WHERE id IN (SELECT s.id FROM snapshot s WHERE s.fetched_at < $1 \
     AND (s.fetched_at, s.id) > ($3, $4) \
     AND NOT EXISTS (SELECT 1 FROM source o WHERE o.key = s.source_key AND o.snapshot_id = s.id) \
     AND NOT EXISTS (SELECT 1 FROM read_job j WHERE j.snapshot_id = s.id) \
     ORDER BY s.fetched_at, s.id LIMIT $2) RETURNING id, fetched_at";

/// Numbers of deleted rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Removed {
    /// Deleted sources that were unused.
    pub sources: u64,
    /// Deleted texts that were unreferenced.
    pub snapshots: u64,
}

/// Deletes sources that were not requested for 30 days, or for 48 hours if no account ever requested them.
/// Also deletes old texts that no source or read job references.
#[boxed]
pub async fn remove_expired(domain: &Domain) -> Result<Removed> {
    let now = domain.now();
    let connection = domain.db().write();
    let unused = UNUSED_SOURCES.delete(connection, &[(now - UNUSED_SOURCE_MS).into()]).await?;
    let anonymous = ANONYMOUS_SOURCES.delete(connection, &[(now - ANONYMOUS_SOURCE_MS).into()]).await?;
    Ok(Removed { sources: unused + anonymous, snapshots: remove_old_texts(domain).await? })
}

/// Deletes old texts that no source or read job references, and returns their number. Scans the texts once,
/// from oldest to newest. Most texts are current and are retained, so each step continues at the position of
/// the previous step.
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
