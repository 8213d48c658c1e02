//! Connections on which nothing comes back, and which nobody has closed: a firewall that forgot them, a machine that lost its
//! power. What waits on one waits as long as the operating system does, a quarter of an hour.
//!
//! So a connection is asked for a sign of life before it is lent, for a moment only, and statements of the engine are given
//! up after a while. Where one was silent, those that were made before are closed without a question: they have the same fate
//! as a rule, and to ask one after the other takes too long.

use std::future::pending;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use sea_orm::sqlx::pool::PoolConnectionMetadata;
use sea_orm::sqlx::{self, Connection as _, PgConnection, PgPool};
use tokio::sync::watch;
use tokio::time::timeout;

use super::bounded::{no_answer, within};

/// How long a sign of life may take.
const SIGN: Duration = Duration::from_secs(5);
/// How long a statement of the engine may take, with the wait for a connection: a lease is renewed at a third of its
/// length, and has to stand until a second one was tried. PostgreSQL ends it earlier if it lives.
const ENGINE_STATEMENT: Duration = Duration::from_secs(10);
/// A connection that was used a moment ago is lent as it is where each round trip counts.
const USED_LATELY: Duration = Duration::from_secs(10);

/// What was under way when a connection fell silent has so long to end. Whoever waits on one keeps it from all others;
/// what is given up too early is done once more.
const GRACE: Duration = Duration::from_secs(5);

/// When a connection was silent last. One for the process, as failovers are.
static SILENT_SINCE: LazyLock<watch::Sender<Option<Instant>>> = LazyLock::new(|| watch::Sender::new(None));

/// Takes note that a connection is silent.
pub(super) fn note() {
    SILENT_SINCE.send_replace(Some(Instant::now()));
}

/// Whether a connection of this age was there already when another one was silent.
fn is_suspected(age: Duration) -> bool {
    let noted = *SILENT_SINCE.borrow();
    noted.is_some_and(|noted| noted.elapsed() <= age)
}

/// Ends when a connection of this process has fallen silent since the call, and what was under way then should have
/// ended: what has not, may wait for an answer that never comes.
pub async fn fallen_silent() {
    let mut noted = SILENT_SINCE.subscribe();
    // The sender is a static: it never goes away.
    let _ = noted.changed().await;
    // Nothing tells that what waits for an answer waits in vain but the time.
    let _ = timeout(GRACE, pending::<()>()).await;
}

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

/// Whether a connection of this age that comes back may be lent again. The pool itself waits for its sign without end.
pub(super) fn may_be_kept(age: Duration) -> bool {
    !is_suspected(age)
}

/// The rows of a statement of the engine, which is given up when nothing comes back.
///
/// # Errors
/// What the database said; `Io` when it said nothing in time.
pub(crate) async fn fetch(
    pool: &PgPool,
    query: sqlx::query::Query<'_, sqlx::Postgres, sqlx::postgres::PgArguments>,
) -> Result<Vec<sqlx::postgres::PgRow>, sqlx::Error> {
    let rows = within(pool, ENGINE_STATEMENT, async |connection| query.fetch_all(connection).await).await;
    if matches!(&rows, Err(sqlx::Error::Io(error)) if error.kind() == std::io::ErrorKind::TimedOut) {
        note();
    }
    rows
}

#[cfg(test)]
mod tests {
    use futures_util::poll;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_was_under_way_when_a_connection_fell_silent_is_told_after_a_while() {
        let mut before = Box::pin(fallen_silent());
        assert!(poll!(&mut before).is_pending());
        note();
        let mut after = Box::pin(fallen_silent());
        assert!(poll!(&mut after).is_pending());
        let begin = tokio::time::Instant::now();
        before.await;
        assert!(begin.elapsed() >= GRACE);
        assert!(poll!(&mut after).is_pending(), "it began on connections that were made since");
    }
}
