//! Dropping what nobody reads any more, in small steps.

use sea_orm::{ConnectionTrait, Statement};

use crate::clock::Millis;
use crate::error::Result;
use crate::handle::Domain;

const DAY_MS: Millis = 86_400_000;
/// A text that is no source's present one is kept this long for the cursors made from it.
const OLD_SNAPSHOT_DAYS: Millis = 2;
/// A source that nobody asked for is dropped after this time, with its texts.
const UNUSED_SOURCE_DAYS: Millis = 30;
/// Rows removed in one statement.
const STEP: i64 = 500;

/// How many rows were removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Removed {
    /// Sources nobody asks for.
    pub sources: u64,
    /// Texts that are no longer anybody's.
    pub snapshots: u64,
}

/// Removes sources that nobody asked for in 30 days, and texts that neither a source nor a read job holds.
pub async fn remove_expired(domain: &Domain) -> Result<Removed> {
    let now = domain.now();
    let sources = remove(
        domain,
        "DELETE FROM source WHERE key IN (SELECT key FROM source WHERE used_at < $1 ORDER BY used_at LIMIT $2)",
        now - UNUSED_SOURCE_DAYS * DAY_MS,
    )
    .await?;
    let snapshots = remove(
        domain,
        "DELETE FROM snapshot WHERE id IN (SELECT s.id FROM snapshot s WHERE s.fetched_at < $1 \
         AND NOT EXISTS (SELECT 1 FROM source o WHERE o.key = s.source_key AND o.snapshot_id = s.id) \
         AND NOT EXISTS (SELECT 1 FROM read_job j WHERE j.snapshot_id = s.id) \
         ORDER BY s.fetched_at LIMIT $2)",
        now - OLD_SNAPSHOT_DAYS * DAY_MS,
    )
    .await?;
    Ok(Removed { sources, snapshots })
}

async fn remove(domain: &Domain, sql: &str, before: Millis) -> Result<u64> {
    let connection = domain.db().write();
    let mut removed = 0;
    loop {
        let values = [before.into(), STEP.into()];
        let statement = Statement::from_sql_and_values(connection.get_database_backend(), sql, values);
        let rows = connection.execute_raw(statement).await?.rows_affected();
        removed += rows;
        if rows < STEP.unsigned_abs() {
            return Ok(removed);
        }
    }
}
