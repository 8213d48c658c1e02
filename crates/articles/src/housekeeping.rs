//! Dropping what nobody reads any more, in small steps, so that no other writer waits long.

use entities::ids::SnapshotId;
use sea_orm::ConnectionTrait;

use kernel::clock::{DAY, HOUR, Millis};
use kernel::error::Result;
use kernel::handle::Domain;
use kernel::retention::OldRows;
use kernel::statement::statement;

/// A text that is no source's present one is kept this long for the cursors made from it.
const OLD_SNAPSHOT_MS: Millis = 2 * DAY;
/// A source that nobody asked for is dropped after this time, with its texts.
const UNUSED_SOURCE_MS: Millis = 30 * DAY;
/// The same for a source that nobody with an account asked for.
const ANONYMOUS_SOURCE_MS: Millis = 48 * HOUR;
/// Rows removed in one statement.
const STEP: i64 = 500;

/// Sources that nobody asked for since `$1`.
const UNUSED_SOURCES: OldRows =
    OldRows { table: "source", key: "key", condition: "used_at < $1 ORDER BY used_at" };
/// Sources that nobody asked for since `$1`, and nobody with an account ever.
const ANONYMOUS_SOURCES: OldRows = OldRows {
    table: "source",
    key: "key",
    condition: "used_at < $1 AND account_used_at IS NULL ORDER BY used_at",
};
/// Removes `$2` texts of before `$1` that neither a source nor a read job holds, from the one at `$3` with the id `$4`
/// on.
const REMOVE_OLD_TEXTS: &str = "DELETE FROM snapshot WHERE id IN (SELECT s.id FROM snapshot s WHERE s.fetched_at < $1 \
     AND (s.fetched_at, s.id) > ($3, $4) \
     AND NOT EXISTS (SELECT 1 FROM source o WHERE o.key = s.source_key AND o.snapshot_id = s.id) \
     AND NOT EXISTS (SELECT 1 FROM read_job j WHERE j.snapshot_id = s.id) \
     ORDER BY s.fetched_at, s.id LIMIT $2) RETURNING id, fetched_at";

/// How many rows were removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Removed {
    /// Sources nobody asks for.
    pub sources: u64,
    /// Texts that are no longer anybody's.
    pub snapshots: u64,
}

/// Removes sources that nobody asked for in 30 days (in 48 hours, when nobody with an account did), and texts
/// that neither a source nor a read job holds.
pub async fn remove_expired(domain: &Domain) -> Result<Removed> {
    let now = domain.now();
    let connection = domain.db().write();
    let unused = UNUSED_SOURCES.delete(connection, &[(now - UNUSED_SOURCE_MS).into()]).await?;
    let anonymous = ANONYMOUS_SOURCES.delete(connection, &[(now - ANONYMOUS_SOURCE_MS).into()]).await?;
    Ok(Removed { sources: unused + anonymous, snapshots: remove_old_texts(domain).await? })
}

/// Texts are walked from the oldest on, once a round: most of them are somebody's present one and stay, and each
/// step goes on where the one before it ended.
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
