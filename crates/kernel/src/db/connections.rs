//! A small connection pool for the statements of the job engine.
//!
//! The pool of sqlx pings every connection that is returned: a round trip after every statement, without a timeout.
//! This pool pings a connection only if it was idle for a while.

use std::collections::VecDeque;
use std::fmt;
use std::future::pending;
use std::io::ErrorKind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sea_orm::sqlx::postgres::{PgArguments, PgConnectOptions, PgDatabaseError, PgRow, PgSeverity};
use sea_orm::sqlx::query::Query;
use sea_orm::sqlx::{self, ConnectOptions as _, PgConnection, Postgres};
use sea_orm::{DbErr, RuntimeErr};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::ENGINE_CONNECTIONS;
use super::failover;
use super::keepalive::{ENGINE_STATEMENT, is_usable};
use super::pools::PoolUsage;
use super::statement_timeout::no_answer;
use super::unresponsive_since::record_unresponsive;

/// Maximum time to wait for a server that is starting up. Shorter than the statement timeout, so that callers
/// get the reason.
const STARTUP_WAIT: Duration = Duration::from_secs(8);
/// First and longest pause between connection attempts.
const RETRY_DELAYS: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(500)];

/// Connections that are opened on demand.
#[derive(Clone)]
pub struct Connections(Arc<ConnectionPools>);

struct ConnectionPools {
    options: PgConnectOptions,
    /// Age at which a connection is replaced.
    lifetime: Duration,
    free: Semaphore,
    /// The most recently used connection is first.
    idle: Mutex<VecDeque<PooledConnection>>,
}

struct PooledConnection {
    connection: PgConnection,
    made: Instant,
    used: Instant,
}

impl Connections {
    /// Prepares the options without connecting.
    ///
    /// # Errors
    /// If `url` is not a PostgreSQL URL.
    pub(super) fn new(
        url: &str,
        session: Vec<(&'static str, String)>,
        lifetime: Duration,
    ) -> Result<Self, DbErr> {
        let options: PgConnectOptions =
            url.parse().map_err(|error| DbErr::Conn(RuntimeErr::SqlxError(Arc::new(error))))?;
        let options = options.options(session).disable_statement_logging();
        let free = Semaphore::new(ENGINE_CONNECTIONS as usize);
        Ok(Self(Arc::new(ConnectionPools { options, lifetime, free, idle: Mutex::default() })))
    }

    /// Executes a statement and returns its rows. Fails if there is no response in time.
    ///
    /// # Errors
    /// Database errors; `Io` after a timeout.
    pub async fn fetch(&self, query: Query<'_, Postgres, PgArguments>) -> Result<Vec<PgRow>, sqlx::Error> {
        // On timeout the future is dropped and its connection closed, so a late answer cannot reach another
        // caller.
        timeout(ENGINE_STATEMENT, self.execute(query)).await.unwrap_or_else(|_| {
            record_unresponsive();
            Err(no_answer())
        })
    }

    async fn execute(&self, query: Query<'_, Postgres, PgArguments>) -> Result<Vec<PgRow>, sqlx::Error> {
        // The semaphore is never closed.
        let _free = self.0.free.acquire().await.map_err(|_| sqlx::Error::PoolClosed)?;
        let mut pooled = self.take().await?;
        let rows = query.fetch_all(&mut pooled.connection).await;
        if rows.as_ref().map_or_else(is_statement_error, |_| true) {
            pooled.used = Instant::now();
            self.idle().push_front(pooled);
        }
        rows
    }

    /// Takes a usable connection from the pool, or opens a new one.
    async fn take(&self) -> Result<PooledConnection, sqlx::Error> {
        loop {
            let Some(mut pooled) = self.idle().pop_front() else { break };
            let age = pooled.made.elapsed();
            let is_fit = age < self.0.lifetime
                && !failover::predates_failover(age)
                && is_usable(&mut pooled.connection, age, pooled.used.elapsed()).await;
            if is_fit {
                return Ok(pooled);
            }
        }
        let connection = self.connect().await?;
        let now = Instant::now();
        Ok(PooledConnection { connection, made: now, used: now })
    }

    /// Opens a connection. Retries while the server is starting up, so that a restart causes a delay and no error.
    async fn connect(&self) -> Result<PgConnection, sqlx::Error> {
        let (begin, [mut pause, longest]) = (Instant::now(), RETRY_DELAYS);
        loop {
            match self.0.options.connect().await {
                Err(error) if is_starting_up(&error) && begin.elapsed() < STARTUP_WAIT => {}
                made => return made,
            }
            let _ = timeout(pause, pending::<()>()).await;
            pause = (pause * 2).min(longest);
        }
    }

    /// Number of open and idle connections.
    pub(super) fn usage(&self, name: &'static str) -> PoolUsage {
        let idle = u32::try_from(self.idle().len()).unwrap_or(ENGINE_CONNECTIONS);
        let used = ENGINE_CONNECTIONS
            .saturating_sub(u32::try_from(self.0.free.available_permits()).unwrap_or(ENGINE_CONNECTIONS));
        PoolUsage { name, open: idle + used, idle, most: ENGINE_CONNECTIONS }
    }

    /// Closes the idle connections.
    pub(super) async fn close(&self) {
        let idle = std::mem::take(&mut *self.idle());
        for checked_out in idle {
            let _ = sqlx::Connection::close(checked_out.connection).await;
        }
    }

    fn idle(&self) -> MutexGuard<'_, VecDeque<PooledConnection>> {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// True if an error concerns the statement only, so that its connection stays usable.
fn is_statement_error(error: &sqlx::Error) -> bool {
    let sqlx::Error::Database(error) = error else { return false };
    let of_postgres = error.try_downcast_ref::<PgDatabaseError>();
    of_postgres.is_some_and(|error| !matches!(error.severity(), PgSeverity::Fatal | PgSeverity::Panic))
}

/// True if the server does not accept connections yet.
fn is_starting_up(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(error) => error.kind() == ErrorKind::ConnectionRefused,
        sqlx::Error::Database(error) => error.is_transient_in_connect_phase(),
        _ => false,
    }
}

impl fmt::Debug for Connections {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Connections")
            .field("host", &self.0.options.get_host())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use sea_orm::sqlx::Row;
    use tokio::net::{TcpListener, TcpStream};

    use super::super::Durable;
    use super::*;
    use crate::Backend;
    use crate::testing::{TestDatabase, free_port};

    fn connections(test: &TestDatabase) -> &Connections {
        let Durable::Postgres(connections) = test.domain.db().durable() else {
            panic!("the test database is PostgreSQL")
        };
        connections
    }

    async fn process(connections: &Connections) -> i32 {
        connections.fetch(sqlx::query("SELECT pg_backend_pid()")).await.unwrap()[0].get(0)
    }

    #[tokio::test]
    async fn connection_survives_statement_errors_and_is_replaced_when_terminated() {
        let test = TestDatabase::create(Backend::Postgres).await;
        let connections = connections(&test);
        let survives = async || {
            let first = process(connections).await;
            assert!(connections.fetch(sqlx::query("SELECT 1 / 0")).await.is_err());
            process(connections).await == first
        };
        // Another test of this process may record an unresponsive connection at the same time, which replaces this one.
        assert!(survives().await || survives().await || survives().await);
        let first = process(connections).await;
        let end = "SELECT pg_terminate_backend(pg_backend_pid())";
        assert!(connections.fetch(sqlx::query(end)).await.is_err());
        assert_ne!(process(connections).await, first);
        assert_eq!(connections.usage("durable"), PoolUsage { name: "durable", open: 1, idle: 1, most: 2 });
    }

    #[tokio::test]
    async fn connect_waits_for_a_starting_server() {
        let test = TestDatabase::create(Backend::Postgres).await;
        let mut url: url::Url = test.url.parse().unwrap();
        let target = (url.host_str().unwrap().to_owned(), url.port().unwrap_or(5432));
        let port = free_port();
        url.set_port(Some(port)).unwrap();
        url.set_host(Some("127.0.0.1")).unwrap();
        let connections = Connections::new(url.as_str(), Vec::new(), Duration::from_mins(5)).unwrap();
        let mut query = Box::pin(process(&connections));
        assert!(timeout(Duration::from_millis(50), &mut query).await.is_err(), "no server is listening yet");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.unwrap();
        tokio::spawn(async move {
            let (mut client, _) = listener.accept().await.unwrap();
            let mut server = TcpStream::connect(target).await.unwrap();
            tokio::io::copy_bidirectional(&mut client, &mut server).await
        });
        assert!(query.await > 0);
    }

    #[tokio::test]
    async fn cancelled_statement_frees_its_slot_and_closes_its_connection() {
        let test = TestDatabase::create(Backend::Postgres).await;
        let connections = connections(&test);
        for _ in 0..3 {
            let before = process(connections).await;
            let hangs = connections.fetch(sqlx::query("SELECT pg_sleep_for('10 minutes')"));
            assert!(timeout(Duration::from_millis(50), hangs).await.is_err());
            assert_ne!(process(connections).await, before);
        }
    }
}
