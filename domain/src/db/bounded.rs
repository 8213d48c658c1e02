//! Statements that nobody may wait for long: what is told to other processes, and what their limits count.

use std::time::Duration;

use sea_orm::sqlx::{self, PgConnection, PgPool};
use tokio::time::{Instant, timeout_at};

/// What `work` says on a connection of `pool`, if it says it within `limit`. A connection that did not answer in time is
/// closed and leaves its place to a fresh one: given back, it would first wait for the same answer.
///
/// # Errors
/// What the database said; `Io` when it said nothing in time.
pub(crate) async fn within<T>(
    pool: &PgPool,
    limit: Duration,
    work: impl AsyncFnOnce(&mut PgConnection) -> Result<T, sqlx::Error>,
) -> Result<T, sqlx::Error> {
    let deadline = Instant::now() + limit;
    let mut connection = timeout_at(deadline, pool.acquire()).await.map_err(|_| no_answer())??;
    let Ok(answer) = timeout_at(deadline, work(&mut connection)).await else {
        drop(connection.detach());
        return Err(no_answer());
    };
    answer
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
