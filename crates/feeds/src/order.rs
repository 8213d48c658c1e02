//! The order of entries and of events: ids are given in the order of commits, under one lock, and times of discovery with them,
//! so that both rise together whatever the clocks of workers say, and nothing appears behind what was seen.

use entities::ids::EntryId;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend};

use kernel::clock::Millis;
use kernel::error::Result;
use kernel::numbering;
use kernel::statement::{scalar, statement};

/// PostgreSQL's lock under which entries and events get their ids.
const ENTRY_ORDER_LOCK: i64 = 0x6665_6564;

/// Waits for the turn to give ids to entries and events, which lasts until the end of the transaction. SQLite has one
/// writer anyway.
pub(super) async fn lock_order(transaction: &DatabaseTransaction) -> Result<()> {
    if transaction.get_database_backend() == DbBackend::Postgres {
        let lock = format!("SELECT pg_advisory_xact_lock({ENTRY_ORDER_LOCK})");
        transaction.execute_unprepared(&lock).await?;
    }
    Ok(())
}

/// The time in microseconds that the next entry is given, behind which each further one follows by one. The caller
/// has [`lock_order`].
pub(super) async fn next_time(transaction: &DatabaseTransaction, now: Millis) -> Result<i64> {
    let last = scalar(transaction, "SELECT MAX(discovered_us) FROM feed_entry", []).await?;
    Ok(numbering::next(last, now))
}

/// What entries and events that are written in this turn come after.
pub(super) struct Turn {
    /// The time of discovery of the next entry, in microseconds; each further one follows by one.
    pub(super) next_us: i64,
    /// The last entry of all.
    pub(super) last_entry: EntryId,
    /// The number of the next event.
    pub(super) next_event: i64,
}

/// [`lock_order`], and then one statement that tells what there is when the turn has come.
pub(super) async fn take_turn(transaction: &DatabaseTransaction, now: Millis) -> Result<Turn> {
    lock_order(transaction).await?;
    let sql = "SELECT (SELECT MAX(discovered_us) FROM feed_entry), (SELECT MAX(id) FROM feed_entry), \
               (SELECT MAX(sequence) FROM feed_event)";
    let row = transaction.query_one_raw(statement(transaction, sql, [])).await?;
    let last = |column: usize| match &row {
        Some(row) => Ok::<i64, kernel::Error>(row.try_get_by_index::<Option<i64>>(column)?.unwrap_or(0)),
        None => Ok(0),
    };
    Ok(Turn {
        next_us: numbering::next(last(0)?, now),
        last_entry: EntryId::new(last(1)?),
        next_event: numbering::next(last(2)?, now),
    })
}
