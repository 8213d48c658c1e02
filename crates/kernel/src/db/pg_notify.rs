//! Notifications between processes that share a PostgreSQL database: LISTEN on a dedicated connection, NOTIFY on any
//! connection.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::sqlx;
use sea_orm::sqlx::postgres::{PgListener, PgPoolOptions};
use sea_orm::{DbErr, RuntimeErr};

use super::sessions::BEST_EFFORT_TIMEOUT;
use super::{Database, DriverPool, with_timeout};

/// Maximum size of a notification in bytes; PostgreSQL's limit is 8,000.
const MAX_BYTES: usize = 7_900;
/// Maximum time to open the listening connection.
const CONNECT: Duration = Duration::from_secs(5);

const NOTIFY: &str =
    "SELECT pg_notify(n.channel, n.text) FROM unnest($1::text[], $2::text[]) AS n (channel, text)";

/// Notification from another process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgNotification {
    pub channel: String,
    pub text: String,
}

/// Connection that receives notifications.
pub struct Listener(PgListener);

impl Database {
    /// Subscribes to `channels`. Notifications sent after this returns are received.
    ///
    /// # Errors
    /// If the database is unavailable or embedded.
    pub async fn listen(&self, channels: &[&str]) -> Result<Listener, DbErr> {
        let DriverPool::Postgres(pool) = self.quick() else {
            return Err(DbErr::Custom("an embedded database has no other processes to listen to".into()));
        };
        let options = PgPoolOptions::new().max_connections(1).max_lifetime(None).idle_timeout(None);
        let listener_pool =
            options.acquire_timeout(CONNECT).connect_lazy_with((*pool.connect_options()).clone());
        let mut listener = PgListener::connect_with(&listener_pool).await.map_err(away)?;
        listener.eager_reconnect(false);
        listener.listen_all(channels.iter().copied()).await.map_err(away)?;
        Ok(Listener(listener))
    }

    /// Sends notifications to the other processes in one statement with a timeout of two seconds.
    /// Notifications that are too long are skipped. Does nothing for an embedded database.
    ///
    /// # Errors
    /// If the database is unavailable or does not answer in time.
    pub async fn notify(&self, news: &[PgNotification]) -> Result<(), DbErr> {
        let DriverPool::Postgres(pool) = self.shared_state() else { return Ok(()) };
        let (channels, texts): (Vec<String>, Vec<String>) = news
            .iter()
            .filter(|news| news.text.len() <= MAX_BYTES)
            .map(|news| (news.channel.clone(), news.text.clone()))
            .unzip();
        if channels.is_empty() {
            return Ok(());
        }
        let query = sqlx::query::<sqlx::Postgres>(NOTIFY).bind(channels).bind(texts);
        let result =
            with_timeout(pool, BEST_EFFORT_TIMEOUT, async |connection| query.execute(connection).await).await;
        result.map(|_| ()).map_err(away)
    }
}

impl Listener {
    /// Next notification. `None` if the connection broke; notifications that were sent since then may be lost.
    ///
    /// # Errors
    /// If the connection cannot be read.
    pub async fn next(&mut self) -> Result<Option<PgNotification>, DbErr> {
        let heard = self.0.try_recv().await.map_err(away)?;
        Ok(heard.map(|news| PgNotification {
            channel: news.channel().to_owned(),
            text: news.payload().to_owned(),
        }))
    }
}

fn away(error: sqlx::Error) -> DbErr {
    DbErr::Conn(RuntimeErr::SqlxError(Arc::new(error)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Backend;
    use crate::testing::TestDatabase;

    fn news(text: &str) -> PgNotification {
        PgNotification { channel: "town".to_owned(), text: text.to_owned() }
    }

    #[tokio::test]
    async fn notifications_reach_channel_subscribers_and_long_notifications_are_skipped() {
        let test = TestDatabase::create(Backend::Postgres).await;
        let mut listener = test.domain.db().listen(&["town"]).await.unwrap();
        let other = test.second_handle().await;
        let elsewhere = PgNotification { channel: "country".to_owned(), text: "x".to_owned() };
        let all = [news("first"), elsewhere, news(&"x".repeat(MAX_BYTES + 1)), news("last")];
        other.db().notify(&all).await.unwrap();
        assert_eq!(listener.next().await.unwrap(), Some(news("first")));
        assert_eq!(listener.next().await.unwrap(), Some(news("last")));
    }

    #[tokio::test]
    async fn hanging_notification_times_out_and_the_next_is_delivered() {
        let test = TestDatabase::create(Backend::Postgres).await;
        let write = test.domain.db().write();
        let name = test.url.rsplit('/').next().unwrap().split('?').next().unwrap();
        // On new connections, this function takes precedence over that of PostgreSQL.
        for sql in [
            "CREATE FUNCTION public.pg_notify(text, text) RETURNS void LANGUAGE sql AS 'SELECT pg_sleep_for(''10 minutes'')'",
            &format!("ALTER DATABASE {name} SET search_path = public, pg_catalog"),
        ] {
            sea_orm::ConnectionTrait::execute_unprepared(write, sql).await.unwrap();
        }
        let other = test.second_handle().await;
        let mut listener = test.domain.db().listen(&["town"]).await.unwrap();
        assert!(other.db().notify(&[news("hangs")]).await.is_err());
        let drop = "DROP FUNCTION public.pg_notify(text, text)";
        sea_orm::ConnectionTrait::execute_unprepared(write, drop).await.unwrap();
        other.db().notify(&[news("goes")]).await.unwrap();
        assert_eq!(listener.next().await.unwrap(), Some(news("goes")));
    }

    #[tokio::test]
    async fn broken_connection_is_reported() {
        let test = TestDatabase::create(Backend::Postgres).await;
        let mut listener = test.domain.db().listen(&["town"]).await.unwrap();
        let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                   WHERE datname = current_database() AND query LIKE 'LISTEN%'";
        sea_orm::ConnectionTrait::execute_unprepared(test.domain.db().write(), cut).await.unwrap();
        assert!(!matches!(listener.next().await, Ok(Some(_))));
    }

    #[tokio::test]
    async fn embedded_database_sends_no_notifications() {
        let test = TestDatabase::create(Backend::Sqlite).await;
        assert!(test.domain.db().listen(&["town"]).await.is_err());
        test.domain.db().notify(&[news("x")]).await.unwrap();
    }
}
