//! Connections on which nothing comes back, and which nobody has closed: a firewall that forgot them, a machine that lost its
//! power. What waits on one waits as long as the operating system does, a quarter of an hour.
//!
//! So a connection is asked for a sign of life before it is lent, for a moment only, and statements of the engine are given
//! up after a while. Where one was silent, those that were made before are closed without a question: they have the same fate
//! as a rule, and to ask one after the other takes too long.

use std::time::Duration;

use sea_orm::sqlx::pool::PoolConnectionMetadata;
use sea_orm::sqlx::{self, Connection as _, PgConnection, PgPool};
use tokio::time::timeout;

use super::bounded::{no_answer, within};
use super::silent_since::{SIGN, is_suspected, note};

/// How long a statement of the engine may take, with the wait for a connection: a lease is renewed at a third of its
/// length, and has to stand until a second one was tried. PostgreSQL ends it earlier if it lives.
pub(super) const ENGINE_STATEMENT: Duration = Duration::from_secs(10);
/// A connection that was used a moment ago is lent as it is where each round trip counts.
const USED_LATELY: Duration = Duration::from_secs(10);

/// Asks for a sign of life.
async fn sign(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let Ok(answer) = timeout(SIGN, connection.ping()).await else {
        note();
        return Err(no_answer());
    };
    answer
}

/// Whether a connection may be lent; one that does not answer may not.
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

/// Whether a connection of the engine, of this age and idle for so long, may be used.
pub(super) async fn is_fit(connection: &mut PgConnection, age: Duration, idle_for: Duration) -> bool {
    !is_suspected(age) && (idle_for <= USED_LATELY || sign(connection).await.is_ok())
}

/// Whether a connection of this age that comes back may be lent again. The pool itself waits for its sign without end.
pub(super) fn may_be_kept(age: Duration) -> bool {
    !is_suspected(age)
}

/// The rows of a statement of the engine, which is given up when nothing comes back.
///
/// # Errors
/// What the database said; `Io` when it said nothing in time.
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
