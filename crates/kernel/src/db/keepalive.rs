//! Detects half-open connections, for example after a firewall dropped its state or a machine lost power. A
//! statement on such a connection waits until the timeout of the operating system, about a quarter of an
//! hour.
//!
//! Therefore a connection is pinged, with a short timeout, before it is checked out, and statements of the engine have
//! a timeout. If one connection was unresponsive, older connections are closed without a ping: they are usually
//! half-open too, and pinging them one by one takes too long.

use std::time::Duration;

use sea_orm::sqlx::pool::PoolConnectionMetadata;
use sea_orm::sqlx::{self, Connection as _, PgConnection, PgPool};
use tokio::time::timeout;

use super::statement_timeout::{no_answer, with_timeout};
use super::unresponsive_since::{PING_TIMEOUT, predates_unresponsive, record_unresponsive};

/// Client-side timeout of an engine statement, including the wait for a connection. A lease is renewed after
/// a third of its length and must outlast a second attempt. A responsive PostgreSQL cancels the statement
/// earlier.
pub(super) const ENGINE_STATEMENT: Duration = Duration::from_secs(10);
/// Connections of the job engine that were used within this time are not pinged, because every round trip counts.
const RECENTLY_USED: Duration = Duration::from_secs(10);

/// Pings the connection with a timeout.
async fn ping(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let Ok(answer) = timeout(PING_TIMEOUT, connection.ping()).await else {
        record_unresponsive();
        return Err(no_answer());
    };
    answer
}

/// Returns whether the pool may hand out a connection. An idle connection is pinged first.
pub(super) async fn check_before_acquire(
    connection: &mut PgConnection,
    metadata: PoolConnectionMetadata,
    always_ping: bool,
) -> Result<bool, sqlx::Error> {
    if predates_unresponsive(metadata.age) {
        return Ok(false);
    }
    if always_ping || metadata.idle_for > RECENTLY_USED {
        ping(connection).await?;
    }
    Ok(true)
}

/// Returns whether an engine connection with this age and idle time is usable.
pub(super) async fn is_usable(connection: &mut PgConnection, age: Duration, idle_for: Duration) -> bool {
    !predates_unresponsive(age) && (idle_for <= RECENTLY_USED || ping(connection).await.is_ok())
}

/// True if a returned connection of this age may be reused. If so, the pool itself pings it, without a timeout.
pub(super) fn check_after_release(age: Duration) -> bool {
    !predates_unresponsive(age)
}

/// Executes an engine statement and returns its rows. Fails if there is no response in time.
///
/// # Errors
/// Database errors; `Io` after a timeout.
pub async fn fetch(
    pool: &PgPool,
    query: sqlx::query::Query<'_, sqlx::Postgres, sqlx::postgres::PgArguments>,
) -> Result<Vec<sqlx::postgres::PgRow>, sqlx::Error> {
    let rows =
        with_timeout(pool, ENGINE_STATEMENT, async |connection| query.fetch_all(connection).await).await;
    if matches!(&rows, Err(sqlx::Error::Io(error)) if error.kind() == std::io::ErrorKind::TimedOut) {
        record_unresponsive();
    }
    rows
}
