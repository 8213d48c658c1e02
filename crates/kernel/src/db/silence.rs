//! Detects half-open connections, for example after a firewall dropped its state or a machine lost power. A
//! statement on such a connection waits until the timeout of the operating system, about a quarter of an
//! hour.
//!
//! Therefore a connection is pinged, with a short timeout, before it is checked out, and statements of the
//! engine have a timeout. If one connection was unresponsive, older connections are closed without a ping:
//! they usually are half-open, too, and pinging one after the other takes too long.

use std::time::Duration;

use sea_orm::sqlx::pool::PoolConnectionMetadata;
use sea_orm::sqlx::{self, Connection as _, PgConnection, PgPool};
use tokio::time::timeout;

use super::bounded::{no_answer, within};
use super::silent_since::{SIGN, is_suspected, note};

/// Client-side timeout of an engine statement, including the wait for a connection. A lease is renewed after
/// a third of its length and must outlast a second attempt. A responsive PostgreSQL cancels the statement
/// earlier.
pub(super) const ENGINE_STATEMENT: Duration = Duration::from_secs(10);
/// A connection used within this time is not pinged where every round trip counts.
const USED_LATELY: Duration = Duration::from_secs(10);

/// Pings the connection with a timeout.
async fn sign(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let Ok(answer) = timeout(SIGN, connection.ping()).await else {
        note();
        return Err(no_answer());
    };
    answer
}

/// Whether the pool may hand out a connection. False if it does not answer.
pub(super) async fn may_be_lent(
    connection: &mut PgConnection,
    kept: PoolConnectionMetadata,
    is_asked_always: bool,
) -> Result<bool, sqlx::Error> {
    if is_suspected(kept.age) {
        return Ok(false);
    }
    if is_asked_always || kept.idle_for > USED_LATELY {
        sign(connection).await?;
    }
    Ok(true)
}

/// Whether an engine connection with this age and idle time is usable.
pub(super) async fn is_fit(connection: &mut PgConnection, age: Duration, idle_for: Duration) -> bool {
    !is_suspected(age) && (idle_for <= USED_LATELY || sign(connection).await.is_ok())
}

/// Whether a returned connection of this age may be reused. The pool itself then pings it without a timeout.
pub(super) fn may_be_kept(age: Duration) -> bool {
    !is_suspected(age)
}

/// Executes an engine statement and returns its rows. Fails if there is no answer in time.
///
/// # Errors
/// Database errors; `Io` on timeout.
pub async fn fetch(
    pool: &PgPool,
    query: sqlx::query::Query<'_, sqlx::Postgres, sqlx::postgres::PgArguments>,
) -> Result<Vec<sqlx::postgres::PgRow>, sqlx::Error> {
    let rows = within(pool, ENGINE_STATEMENT, async |connection| query.fetch_all(connection).await).await;
    if matches!(&rows, Err(sqlx::Error::Io(error)) if error.kind() == std::io::ErrorKind::TimedOut) {
        note();
    }
    rows
}
