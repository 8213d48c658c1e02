//! The order of entries and of events: ids are given in the order of commits, under one lock, and times of discovery with them,
//! so that both rise together whatever the clocks of workers say, and nothing appears behind what was seen.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend};

use super::sql::scalar;
use crate::clock::Millis;
use crate::error::Result;
use crate::numbering;

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
