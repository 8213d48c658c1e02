//! Order of entries and events. Ids are assigned in commit order under one lock, and discovery times with
//! them. Both rise in step whatever the clocks of the workers say, and nothing appears before an id that was
//! already read.

use entities::ids::EntryId;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend};

use kernel::statement::{scalar, statement};
use kernel::{Millis, Result, sequence};

/// PostgreSQL advisory lock under which entries and events get their ids.
const ENTRY_ORDER_LOCK: i64 = 0x6665_6564;

/// Takes the lock for assigning ids to entries and events, until the end of the transaction. SQLite needs no
/// lock: it has a single writer.
pub(super) async fn lock_order(transaction: &DatabaseTransaction) -> Result<()> {
    if transaction.get_database_backend() == DbBackend::Postgres {
        let lock = format!("SELECT pg_advisory_xact_lock({ENTRY_ORDER_LOCK})");
        transaction.execute_unprepared(&lock).await?;
    }
    Ok(())
}

/// Discovery time of the next entry in microseconds; each further entry adds one. The caller holds
/// [`lock_order`].
pub(super) async fn next_time(transaction: &DatabaseTransaction, now: Millis) -> Result<i64> {
    let last = scalar(transaction, "SELECT MAX(discovered_us) FROM feed_entry", []).await?;
    Ok(sequence::next(last, now))
}

/// Position at which the next entries and events are written.
pub(super) struct WritePosition {
    /// Discovery time of the next entry in microseconds; each further entry adds one.
    pub(super) next_us: i64,
    /// Newest entry of all feeds.
    pub(super) last_entry: EntryId,
    /// Number of the next event.
    pub(super) next_event: i64,
}

/// Takes the lock of [`lock_order`] and reads the position with one statement.
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
