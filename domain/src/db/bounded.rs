//! Statements that nobody may wait for long: what is told to other processes, and what their limits count.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sea_orm::sqlx::pool::PoolConnection;
use sea_orm::sqlx::{self, Connection as _, PgConnection, PgPool, Postgres};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

/// So many statements at once go beside pools whose connections do not come back.
static BESIDE: Semaphore = Semaphore::const_new(4);

/// Pools that gave nothing in all their time when they were asked last, by the places of their options.
static STUCK: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());

/// How long a pool is waited for then.
const SHORT: Duration = Duration::from_millis(100);

/// What such a statement has at least, when the wait for the pool took all that there was.
const LEAST: Duration = Duration::from_secs(2);

/// What `work` says on a connection of `pool`, if it says it within `limit`. A connection that did not answer in time, or
/// whose caller went away meanwhile, is closed and leaves its place to a fresh one: given back, it would first wait for
/// the same answer.
///
/// # Errors
/// What the database said; `Io` when it said nothing in time.
pub(crate) async fn within<T>(
    pool: &PgPool,
    limit: Duration,
    work: impl AsyncFnOnce(&mut PgConnection) -> Result<T, sqlx::Error>,
) -> Result<T, sqlx::Error> {
    let deadline = Instant::now() + limit;
    // Whoever met a pool of which nothing comes back need not have all others wait as long as that takes.
    let name = Arc::as_ptr(&pool.connect_options()).addr();
    let stuck = || STUCK.lock().unwrap_or_else(PoisonError::into_inner);
    let is_stuck = stuck().contains(&name);
    let patience = if is_stuck { deadline.min(Instant::now() + SHORT) } else { deadline };
    match timeout_at(patience, pool.acquire()).await {
        Ok(Ok(connection)) => {
            if is_stuck {
                stuck().remove(&name);
            }
            let mut lent = Lent(Some(connection));
            let Some(connection) = &mut lent.0 else { return Err(no_answer()) };
            let answer = timeout_at(deadline, work(connection)).await.map_err(|_| no_answer())?;
            // It is free.
            drop(lent.0.take());
            answer
        }
        Ok(Err(sqlx::Error::PoolTimedOut)) => {
            stuck().insert(name);
            beside(pool, deadline, work).await
        }
        Err(_) if is_stuck => beside(pool, deadline, work).await,
        Ok(Err(error)) => Err(error),
        Err(_) => Err(no_answer()),
    }
}

/// The same on a connection of its own, which is closed afterwards. A pool asks each connection that comes back for a sign of
/// life and waits for it without end: those that were swallowed at that moment keep their places as long as the process
/// lives, and may be all that there are.
async fn beside<T>(
    pool: &PgPool,
    deadline: Instant,
    work: impl AsyncFnOnce(&mut PgConnection) -> Result<T, sqlx::Error>,
) -> Result<T, sqlx::Error> {
    let whole = async {
        // Nobody closes it.
        let Ok(_place) = BESIDE.acquire().await else { return Err(no_answer()) };
        let mut connection = PgConnection::connect_with(&pool.connect_options()).await?;
        tracing::warn!("a statement goes beside a pool whose connections do not come back");
        let answer = work(&mut connection).await;
        // What it did is done, however the connection ends.
        let _ = connection.close().await;
        answer
    };
    timeout_at(deadline.max(Instant::now() + LEAST), whole).await.map_err(|_| no_answer())?
}

/// A connection with a statement under way, closed when this is dropped.
struct Lent(Option<PoolConnection<Postgres>>);

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(connection) = self.0.take() {
            drop(connection.detach());
        }
    }
}

pub(super) fn no_answer() -> sqlx::Error {
    sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, "PostgreSQL gave no answer in time"))
}

#[cfg(test)]
mod tests {
    use sqlx::postgres::PgPoolOptions;

    use super::*;
    use crate::Backend;
    use crate::testing::TestDatabase;

    async fn process_of(pool: &PgPool) -> i32 {
        let query = sqlx::query_scalar("SELECT pg_backend_pid()");
        within(pool, Duration::from_mins(1), async |connection| query.fetch_one(connection).await)
            .await
            .unwrap()
    }

    #[tokio::test]
    async fn statements_go_on_beside_a_pool_whose_connections_do_not_come_back() {
        let test = TestDatabase::create(Backend::Postgres).await;
        let options = PgPoolOptions::new().max_connections(1).acquire_timeout(Duration::from_millis(20));
        let pool = options.connect(&test.url).await.unwrap();
        let first = process_of(&pool).await;
        let swallowed = pool.acquire().await.unwrap();
        assert_ne!(process_of(&pool).await, first);
        drop(swallowed);
        // Once it comes back the pool is used again, and waited for a while at first.
        while process_of(&pool).await != first {}
    }

    #[tokio::test]
    async fn a_statement_whose_caller_went_away_leaves_its_place_at_once() {
        let test = TestDatabase::create(Backend::Postgres).await;
        let pool = PgPoolOptions::new().max_connections(1).connect(&test.url).await.unwrap();
        let first = process_of(&pool).await;
        let hangs = within(&pool, Duration::from_mins(10), async |connection| {
            sqlx::query("SELECT pg_sleep_for('10 minutes')").execute(connection).await
        });
        assert!(tokio::time::timeout(Duration::from_millis(50), hangs).await.is_err());
        assert_ne!(process_of(&pool).await, first);
    }

    #[tokio::test]
    async fn a_statement_that_hangs_is_given_up_and_the_next_goes_on_a_fresh_connection() {
        let test = TestDatabase::create(Backend::Postgres).await;
        let pool = PgPoolOptions::new().max_connections(1).connect(&test.url).await.unwrap();
        let first = process_of(&pool).await;
        assert_eq!(process_of(&pool).await, first, "a connection that answers is kept");
        let hangs = within(&pool, Duration::from_millis(50), async |connection| {
            sqlx::query("SELECT pg_sleep_for('10 minutes')").execute(connection).await
        });
        assert!(matches!(hangs.await, Err(sqlx::Error::Io(_))));
        assert_ne!(process_of(&pool).await, first);
        pool.close().await;
    }
}
