//! Order of entries and events. Their ids, and the discovery times of entries, are assigned in commit order
//! under one lock. Ids and times therefore increase in step, regardless of the workers' clocks, and no entry
//! or event appears before an id that was already read.

use entities::ids::EntryId;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend};

use kernel::statement::{scalar, statement};
use kernel::{Millis, Result, sequence};

/// Key of the PostgreSQL advisory lock under which ids of entries and events are assigned.
const ENTRY_ORDER_LOCK: i64 = 0x6665_6564;

/// Locks the assignment of ids to entries and events until the transaction completes. SQLite needs no lock,
/// because it has only one writer.
pub(super) async fn lock_order(transaction: &DatabaseTransaction) -> Result<()> {
    if transaction.get_database_backend() == DbBackend::Postgres {
        let lock = format!("SELECT pg_advisory_xact_lock({ENTRY_ORDER_LOCK})");
        transaction.execute_unprepared(&lock).await?;
    }
    Ok(())
}

/// Returns the discovery time of the next entry in microseconds. Each further entry adds one microsecond. The
/// caller must have called [`lock_order`].
pub(super) async fn next_time(transaction: &DatabaseTransaction, now: Millis) -> Result<i64> {
    let last = scalar(transaction, "SELECT MAX(discovered_us) FROM feed_entry", []).await?;
    Ok(sequence::next(last, now))
}

/// Position at which the next entries and events are written.
pub(super) struct WritePosition {
    /// Discovery time of the next entry in microseconds. Each further entry adds one microsecond.
    pub(super) next_us: i64,
    /// Id of the newest entry of all feeds.
    pub(super) last_entry: EntryId,
    /// Number of the next event.
    pub(super) next_event: i64,
}

/// Takes the lock of [`lock_order`], and reads the position with one statement.
pub(super) async fn lock_position(transaction: &DatabaseTransaction, now: Millis) -> Result<WritePosition> {
    lock_order(transaction).await?;
    let sql = "SELECT (SELECT MAX(discovered_us) FROM feed_entry), (SELECT MAX(id) FROM feed_entry), \
               (SELECT MAX(sequence) FROM feed_event)";
    let row = transaction.query_one_raw(statement(transaction, sql, [])).await?;
    let last = |column: usize| match &row {
        Some(row) => Ok::<i64, kernel::Error>(row.try_get_by_index::<Option<i64>>(column)?.unwrap_or(0)),
        None => Ok(0),
    };
    Ok(WritePosition {
        next_us: sequence::next(last(0)?, now),
        last_entry: EntryId::new(last(1)?),
        next_event: sequence::next(last(2)?, now),
    })
}
