//! Statements with a client-side timeout: notifications to other processes, and shared limit counters.

use std::time::Duration;

use sea_orm::sqlx::pool::PoolConnection;
use sea_orm::sqlx::{self, PgConnection, PgPool, Postgres};
use tokio::time::{Instant, timeout, timeout_at};

use super::unresponsive_since::{PING_TIMEOUT, record_unresponsive};

/// Runs `work` on a connection of `pool` and returns its result within `limit`. If the connection does not respond in
/// time, or the caller is dropped, the connection is closed and replaced by a new one: back in the pool, it would first
/// wait for the same response.
///
/// # Errors
/// Database errors; `Io` after a timeout.
pub async fn with_timeout<T>(
    pool: &PgPool,
    limit: Duration,
    work: impl AsyncFnOnce(&mut PgConnection) -> Result<T, sqlx::Error>,
) -> Result<T, sqlx::Error> {
    let deadline = Instant::now() + limit;
    let connection = timeout_at(deadline, pool.acquire()).await.map_err(|_| no_answer())??;
    let mut checked_out = CheckedOutConnection(Some(connection));
    let Some(connection) = &mut checked_out.0 else { return Err(no_answer()) };
    let answer = timeout_at(deadline, work(connection)).await.map_err(|_| no_answer())?;
    checked_out.release();
    answer
}

/// A connection with a running statement. Closed on drop.
struct CheckedOutConnection(Option<PoolConnection<Postgres>>);

impl CheckedOutConnection {
    /// Returns the connection to the pool in the background. The pool pings a returned connection without a timeout; if
    /// the caller waited for that, a half-open connection would block it.
    fn release(mut self) {
        if let Some(mut connection) = self.0.take() {
            let returned = timeout(PING_TIMEOUT, connection.return_to_pool());
            tokio::spawn(async move {
                if returned.await.is_err() {
                    // Connections of the same age are probably half-open too, and nothing else pings them.
                    record_unresponsive();
                }
            });
        }
    }
}

impl Drop for CheckedOutConnection {
    fn drop(&mut self) {
        if let Some(connection) = self.0.take() {
            drop(connection.detach());
        }
    }
}

pub(super) fn no_answer() -> sqlx::Error {
    sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, "PostgreSQL did not answer in time"))
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use sqlx::postgres::PgPoolOptions;

    use super::*;
    use crate::Backend;
    use crate::testing::TestDatabase;

    async fn backend_pid(pool: &PgPool) -> i32 {
        let query = sqlx::query_scalar("SELECT pg_backend_pid()");
        with_timeout(pool, Duration::from_mins(1), async |connection| query.fetch_one(connection).await)
            .await
            .unwrap()
    }

    #[tokio::test]
    async fn connection_unresponsive_on_return_is_replaced() {
        let test = TestDatabase::create(Backend::Postgres).await;
        let returns = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&returns);
        let options = PgPoolOptions::new().max_connections(1).after_release(move |_, _| {
            count.fetch_add(1, Ordering::Relaxed);
            Box::pin(pending())
        });
        let pool = options.connect(&test.url).await.unwrap();
        let first = backend_pid(&pool).await;
        while returns.load(Ordering::Relaxed) == 0 {
            tokio::task::yield_now().await;
        }
        tokio::time::pause();
        tokio::time::advance(PING_TIMEOUT).await;
        tokio::time::resume();
        assert_ne!(backend_pid(&pool).await, first);
    }

    #[tokio::test]
    async fn connection_of_a_cancelled_statement_is_replaced_immediately() {
        let test = TestDatabase::create(Backend::Postgres).await;
        let pool = PgPoolOptions::new().max_connections(1).connect(&test.url).await.unwrap();
        let first = backend_pid(&pool).await;
        let hangs = with_timeout(&pool, Duration::from_mins(10), async |connection| {
            sqlx::query("SELECT pg_sleep_for('10 minutes')").execute(connection).await
        });
        assert!(tokio::time::timeout(Duration::from_millis(50), hangs).await.is_err());
        assert_ne!(backend_pid(&pool).await, first);
    }

    #[tokio::test]
    async fn hanging_statement_times_out_and_its_connection_is_replaced() {
        let test = TestDatabase::create(Backend::Postgres).await;
        let pool = PgPoolOptions::new().max_connections(1).connect(&test.url).await.unwrap();
        let first = backend_pid(&pool).await;
        assert_eq!(backend_pid(&pool).await, first, "a responsive connection is reused");
        let hangs = with_timeout(&pool, Duration::from_millis(50), async |connection| {
            sqlx::query("SELECT pg_sleep_for('10 minutes')").execute(connection).await
        });
        assert!(matches!(hangs.await, Err(sqlx::Error::Io(_))));
        assert_ne!(backend_pid(&pool).await, first);
        pool.close().await;
    }
}
