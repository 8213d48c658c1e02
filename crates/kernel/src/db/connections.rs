//! A small connection pool of our own for the statements of the job engine.
//!
//! The pool of sqlx pings every connection that is returned: a round trip after every statement, without a
//! timeout. This one pings a connection only after it was idle for a while.

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

use super::ENGINE_CONNECTIONS as MOST;
use super::bounded::no_answer;
use super::failover;
use super::pools::PoolUsage;
use super::silence::{ENGINE_STATEMENT, is_fit};
use super::silent_since::note;

/// Maximum time to wait for a server that is starting up. Shorter than the statement timeout, so that callers
/// get the reason.
const COMING_UP: Duration = Duration::from_secs(8);
/// First and longest pause between connection attempts.
const PAUSES: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(500)];

/// Connections that are opened on demand.
#[derive(Clone)]
pub struct Connections(Arc<Inner>);

struct Inner {
    options: PgConnectOptions,
    /// Age at which a connection is replaced.
    lifetime: Duration,
    free: Semaphore,
    /// The most recently used connection is first.
    idle: Mutex<VecDeque<Kept>>,
}

struct Kept {
    connection: PgConnection,
    made: Instant,
    used: Instant,
}

impl Connections {
    /// Prepares the options without connecting.
    ///
    /// # Errors
    /// If `url` is not a PostgreSQL URL.
    pub(super) fn to(
        url: &str,
        session: Vec<(&'static str, String)>,
        lifetime: Duration,
    ) -> Result<Self, DbErr> {
        let options: PgConnectOptions =
            url.parse().map_err(|error| DbErr::Conn(RuntimeErr::SqlxError(Arc::new(error))))?;
        let options = options.options(session).disable_statement_logging();
        let free = Semaphore::new(MOST as usize);
        Ok(Self(Arc::new(Inner { options, lifetime, free, idle: Mutex::default() })))
    }

    /// Executes a statement and returns its rows. Fails if there is no answer in time.
    ///
    /// # Errors
    /// Database errors; `Io` on timeout.
    pub async fn fetch(&self, query: Query<'_, Postgres, PgArguments>) -> Result<Vec<PgRow>, sqlx::Error> {
        // On timeout the future is dropped and its connection closed, so a late answer cannot reach another
        // caller.
        timeout(ENGINE_STATEMENT, self.ask(query)).await.unwrap_or_else(|_| {
            note();
            Err(no_answer())
        })
    }

    async fn ask(&self, query: Query<'_, Postgres, PgArguments>) -> Result<Vec<PgRow>, sqlx::Error> {
        // The semaphore is never closed.
        let _free = self.0.free.acquire().await.map_err(|_| sqlx::Error::PoolClosed)?;
        let mut kept = self.take().await?;
        let rows = query.fetch_all(&mut kept.connection).await;
        if rows.as_ref().map_or_else(is_of_the_statement, |_| true) {
            kept.used = Instant::now();
            self.idle().push_front(kept);
        }
        rows
    }

    /// Takes a usable connection from the pool, or opens a new one.
    async fn take(&self) -> Result<Kept, sqlx::Error> {
        loop {
            let Some(mut kept) = self.idle().pop_front() else { break };
            let age = kept.made.elapsed();
            let is_fit = age < self.0.lifetime
                && !failover::is_left_behind(age)
                && is_fit(&mut kept.connection, age, kept.used.elapsed()).await;
            if is_fit {
                return Ok(kept);
            }
        }
        let connection = self.connect().await?;
        let now = Instant::now();
        Ok(Kept { connection, made: now, used: now })
    }

    /// Opens a connection. Retries while the server is starting up, so that a restart causes a delay but no
    /// error.
    async fn connect(&self) -> Result<PgConnection, sqlx::Error> {
        let (begin, [mut pause, longest]) = (Instant::now(), PAUSES);
        loop {
            match self.0.options.connect().await {
                Err(error) if is_coming_up(&error) && begin.elapsed() < COMING_UP => {}
                made => return made,
            }
            let _ = timeout(pause, pending::<()>()).await;
            pause = (pause * 2).min(longest);
        }
    }

    /// Number of open and idle connections.
    pub(super) fn usage(&self, name: &'static str) -> PoolUsage {
        let idle = u32::try_from(self.idle().len()).unwrap_or(MOST);
        let used = MOST.saturating_sub(u32::try_from(self.0.free.available_permits()).unwrap_or(MOST));
        PoolUsage { name, open: idle + used, idle, most: MOST }
    }

    /// Closes the idle connections.
    pub(super) async fn close(&self) {
        let idle = std::mem::take(&mut *self.idle());
        for kept in idle {
            let _ = sqlx::Connection::close(kept.connection).await;
        }
    }

    fn idle(&self) -> MutexGuard<'_, VecDeque<Kept>> {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether an error concerns the statement only, so that its connection stays usable.
fn is_of_the_statement(error: &sqlx::Error) -> bool {
    let sqlx::Error::Database(error) = error else { return false };
    let of_postgres = error.try_downcast_ref::<PgDatabaseError>();
    of_postgres.is_some_and(|error| !matches!(error.severity(), PgSeverity::Fatal | PgSeverity::Panic))
}

/// Whether the server does not accept connections yet.
fn is_coming_up(error: &sqlx::Error) -> bool {
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
    use crate::testing::TestDatabase;

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
        let first = process(connections).await;
        assert!(connections.fetch(sqlx::query("SELECT 1 / 0")).await.is_err());
        assert_eq!(process(connections).await, first);
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
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap().local_addr().unwrap();
        url.set_port(Some(address.port())).unwrap();
        url.set_host(Some("127.0.0.1")).unwrap();
        let connections = Connections::to(url.as_str(), Vec::new(), Duration::from_mins(5)).unwrap();
        let mut asked = Box::pin(process(&connections));
        assert!(timeout(Duration::from_millis(50), &mut asked).await.is_err(), "no server is listening yet");
        let listener = TcpListener::bind(address).await.unwrap();
        tokio::spawn(async move {
            let (mut client, _) = listener.accept().await.unwrap();
            let mut server = TcpStream::connect(target).await.unwrap();
            tokio::io::copy_bidirectional(&mut client, &mut server).await
        });
        assert!(asked.await > 0);
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
