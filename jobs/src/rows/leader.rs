//! Leader election of schedulers. Several active schedulers are harmless, but waste work.

use sea_orm::ConnectionTrait;

use super::statement::statement;
use kernel::{Domain, Millis, Result};

/// Acquires or renews the leadership of `holder` for `lease_ms` from the database's current time. Returns
/// false if another scheduler leads.
pub async fn lead(domain: &Domain, holder: &str, lease_ms: Millis) -> Result<bool> {
    let connection = domain.db().lease();
    let sql = "INSERT INTO scheduler_leader (id, holder, until) VALUES (1, $1, {now} + $2) \
               ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, until = excluded.until \
               WHERE scheduler_leader.holder = excluded.holder OR scheduler_leader.until <= {now} RETURNING id";
    let leads =
        connection.query_one_raw(statement(connection, sql, [holder.into(), lease_ms.into()])).await?;
    Ok(leads.is_some())
}

/// Gives up the leadership if `holder` has it.
pub async fn resign(domain: &Domain, holder: &str) -> Result<()> {
    let connection = domain.db().lease();
    let sql = "DELETE FROM scheduler_leader WHERE holder = $1";
    connection.execute_raw(statement(connection, sql, [holder.into()])).await?;
    Ok(())
}
