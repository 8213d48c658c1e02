//! The database of the [`Domain`](crate::Domain) handle: SQLite or PostgreSQL, chosen by the URL.
//!
//! SQLite has a single writer. All writes therefore use one dedicated connection with immediate transactions, and reads
//! use a separate small pool. On PostgreSQL, reads and writes share one pool.

mod connections;
mod failover;
mod file;
mod keepalive;
mod pg_notify;
mod pools;
mod sessions;
mod statement_timeout;
mod unresponsive_since;
mod writer;

use std::sync::Arc;
#[cfg(any(test, feature = "testing"))]
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sea_orm::sqlx::postgres::PgConnectOptions;
use sea_orm::sqlx::{ConnectOptions as _, Connection as _, PgPool, SqlitePool};
use sea_orm::{
    ConnectOptions, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, IsolationLevel,
    RuntimeErr, SqliteTransactionMode, TransactionOptions, TransactionTrait,
};

pub use connections::Connections;
pub(crate) use failover::code_of;
pub use failover::{is_transient, is_unavailable, record_error, was_full_within};
pub use file::embedded_file;
pub use keepalive::fetch;
pub use pg_notify::{Listener, PgNotification};
pub use pools::PoolUsage;
pub use statement_timeout::with_timeout;
pub use unresponsive_since::connection_unresponsive;
pub use writer::{AfterCommit, Writer};

/// Settings of every SQLite connection. `wal_autocheckpoint`, in pages, is for processes that run no scheduler tick. A
/// tick checkpoints much earlier and without blocking the writer.
const SQLITE_SETTINGS: [(&str, &str); 8] = [
    ("journal_mode", "WAL"),
    ("synchronous", "NORMAL"),
    ("foreign_keys", "ON"),
    ("temp_store", "MEMORY"),
    ("cache_size", "-16000"),
    ("mmap_size", "268435456"),
    ("journal_size_limit", "67108864"),
    ("wal_autocheckpoint", "8000"),
];
/// Cache of a connection for reads, in KiB. It contains only pages of the write-ahead log: other pages are read from
/// the memory-mapped file, without a copy per connection.
const READ_CACHE: &str = "-4000";
/// Time after which an idle connection for reads is closed. Each uses up to a megabyte of memory, mostly for the parsed
/// schema.
const READ_IDLE: Duration = Duration::from_mins(1);
/// Rows that SQLite's thread reads ahead of the consumer. With sqlx's default of 50, the thread pauses and
/// both threads are woken forty times for the two thousand rows that a search ranks.
const SQLITE_ROWS_AHEAD: usize = 4_096;
/// Maximum time to wait for a connection of the pool.
const ACQUIRE_SECONDS: u64 = 10;
/// Maximum time to connect to PostgreSQL at start-up.
const CONNECT_CHECK_SECONDS: u64 = 5;
/// Longest busy timeout of SQLite; in effect unlimited.
const SQLITE_UNLIMITED: Duration = Duration::from_hours(24);
/// Connections per pool of the job engine: each kind of batch runs one statement at a time.
pub const ENGINE_CONNECTIONS: u32 = 2;
/// Maximum lifetime of a connection. After a failover, old connections are still connected to the demoted server.
const LIFETIME_SECONDS: u64 = 300;

/// Number of connections of a process, and time limits of statements and locks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseSettings {
    /// Maximum number of connections of this process.
    pub max_connections: u32,
    /// URL of a transaction pooler in front of PostgreSQL. The connections limited by `max_connections` use
    /// it, with the pooler's own session settings. Connections that need a session go to the database
    /// directly.
    pub pooler_url: Option<String>,
    /// Maximum duration of a statement on PostgreSQL; zero means no limit.
    pub statement_timeout: Duration,
    /// Maximum time to wait for a lock of another transaction: a row or table on PostgreSQL, the write lock
    /// of another process on SQLite; zero means no limit.
    pub lock_timeout: Duration,
    /// Maximum idle time within a transaction on PostgreSQL; zero means no limit.
    pub idle_transaction_timeout: Duration,
}

impl Default for DatabaseSettings {
    fn default() -> Self {
        Self {
            max_connections: 16,
            pooler_url: None,
            statement_timeout: Duration::from_secs(30),
            lock_timeout: Duration::from_secs(15),
            // Shorter than `lock_timeout`: a transaction on a half-open connection would keep its locks.
            idle_transaction_timeout: Duration::from_secs(10),
        }
    }
}

impl DatabaseSettings {
    /// Settings without time limits, for long-running steps such as migrations.
    #[must_use]
    pub fn without_timeouts(max_connections: u32) -> Self {
        let none = Duration::ZERO;
        Self {
            max_connections,
            pooler_url: None,
            statement_timeout: none,
            lock_timeout: none,
            idle_transaction_timeout: none,
        }
    }

    /// Busy timeout of SQLite, for locks of other processes.
    fn busy_timeout(&self) -> Duration {
        if self.lock_timeout.is_zero() { SQLITE_UNLIMITED } else { self.lock_timeout }
    }
}

/// Database engine of a [`Database`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// Embedded SQLite, in WAL mode.
    Sqlite,
    Postgres,
}

/// Reason why the database could not be opened. The message names the setting to change.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// Unsupported URL scheme.
    #[error("DATABASE_URL must start with sqlite: or postgres:, but is `{0}:…`")]
    UnknownScheme(String),
    /// The folder of the SQLite file cannot be created.
    #[error("the database folder {path} cannot be created: {error}")]
    Folder {
        path: String,
        /// Error of the operating system.
        error: std::io::Error,
    },
    /// PostgreSQL does not respond, or rejects the connection.
    #[error("PostgreSQL at {address} ({setting}) cannot be reached: {reason}")]
    Unreachable {
        /// Setting that contains the address.
        setting: &'static str,
        /// Host and port.
        address: String,
        /// Error of PostgreSQL or of the network.
        reason: String,
    },
    /// The database rejected the connection.
    #[error("the database cannot be opened")]
    Open(#[from] DbErr),
}

/// Connections to one database: for reading, for writing, for the job engine, and for state shared between
/// processes.
#[derive(Clone, Debug)]
pub struct Database {
    read: DatabaseConnection,
    write: DatabaseConnection,
    durable: Durable,
    quick: DatabaseConnection,
    shared_state: DatabaseConnection,
    backend: Backend,
}

/// Writer for batches of submitted and completed jobs. A write is durable when it is acknowledged.
#[derive(Clone, Debug)]
pub enum Durable {
    /// Connections to PostgreSQL.
    Postgres(Connections),
    /// Writer thread of the embedded database.
    Embedded(Writer),
}

/// Connection pool for statements that are passed to the driver directly.
#[derive(Clone, Copy)]
pub enum DriverPool<'a> {
    Postgres(&'a PgPool),
    Sqlite(&'a SqlitePool),
}

impl Database {
    /// Opens the database at `url` (`sqlite://path?mode=rwc` or `postgres://…`). A missing folder of a SQLite
    /// file is created. `sqlite::memory:` is not supported, because reads and writes use two pools.
    pub async fn connect(url: &str, settings: &DatabaseSettings) -> Result<Self, ConnectError> {
        let scheme = url.split(':').next().unwrap_or_default();
        match scheme {
            "sqlite" => Self::connect_sqlite(url, settings).await,
            "postgres" | "postgresql" => Self::connect_postgres(url, settings).await,
            other => Err(ConnectError::UnknownScheme(other.to_owned())),
        }
    }

    async fn connect_sqlite(url: &str, settings: &DatabaseSettings) -> Result<Self, ConnectError> {
        file::prepare(url)
            .map_err(|(folder, error)| ConnectError::Folder { path: folder.display().to_string(), error })?;
        let options = |connections: u32, cache: Option<&'static str>| {
            let mut options = base_options(url, connections);
            let busy_timeout = settings.busy_timeout();
            options.map_sqlx_sqlite_opts(move |sqlite| {
                let cache_size = cache.map(|cache| ("cache_size", cache));
                let pragmas = SQLITE_SETTINGS.into_iter().chain(cache_size);
                let sqlite = pragmas.fold(sqlite, |sqlite, (name, value)| sqlite.pragma(name, value));
                sqlite.busy_timeout(busy_timeout).row_buffer_size(SQLITE_ROWS_AHEAD)
            });
            options
        };
        let writer = Writer::of_file(url, settings.busy_timeout())?;
        let mut write = options(1, None);
        writer.share_write_lock(&mut write);
        let write = sea_orm::Database::connect(write).await?;
        let mut read = options(settings.max_connections.max(1), Some(READ_CACHE));
        read.idle_timeout(READ_IDLE);
        let read = sea_orm::Database::connect(read).await?;
        let (quick, shared_state, durable) = (write.clone(), write.clone(), Durable::Embedded(writer));
        Ok(Self { read, durable, quick, shared_state, write, backend: Backend::Sqlite })
    }

    async fn connect_postgres(url: &str, settings: &DatabaseSettings) -> Result<Self, ConnectError> {
        check_reachable(url, "DATABASE_URL").await?;
        if let Some(pooler) = &settings.pooler_url {
            check_reachable(pooler, "DATABASE_POOLER_URL").await?;
        }
        let many = settings.max_connections.max(2);
        // Pinged before each use: a round trip per statement, but a server restart causes no errors.
        let pool = match &settings.pooler_url {
            Some(pooler) => postgres_options(pooler, many, None, true),
            None => postgres_options(url, many, Some(settings.common_session()), true),
        };
        let pool = sea_orm::Database::connect(pool).await?;
        // Opened on demand: an idle process needs no connections. A statement on a broken connection fails
        // and is retried.
        let engine = async |session| {
            let mut options = postgres_options(url, ENGINE_CONNECTIONS, Some(session), false);
            options.min_connections(0).connect_lazy(true);
            sea_orm::Database::connect(options).await
        };
        let lifetime = Duration::from_secs(LIFETIME_SECONDS);
        let durable = Durable::Postgres(Connections::new(url, settings.engine_session(), lifetime)?);
        let mut quick = settings.engine_session();
        // Used for claims and leases. If a crash loses a claim, the next claim's fence distinguishes them.
        quick.push(("synchronous_commit", "off".to_owned()));
        let quick = engine(quick).await?;
        let shared_state = engine(settings.shared_state_session()).await?;
        Ok(Self { read: pool.clone(), write: pool, durable, quick, shared_state, backend: Backend::Postgres })
    }

    /// Counts all statements from now on. Returns the counter.
    #[cfg(any(test, feature = "testing"))]
    #[must_use]
    pub fn counted(mut self) -> (Self, Arc<AtomicU64>) {
        let count = Arc::new(AtomicU64::new(0));
        for connection in [&mut self.read, &mut self.write] {
            let count = Arc::clone(&count);
            connection.set_metric_callback(move |_| {
                count.fetch_add(1, Ordering::Relaxed);
            });
        }
        (self, count)
    }

    /// Database engine, for statements that differ between the two.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// Connection for reading.
    pub fn read(&self) -> &DatabaseConnection {
        &self.read
    }

    /// Connection for single writing statements. Use [`begin`](Self::begin) for several statements that
    /// form a unit.
    pub fn write(&self) -> &DatabaseConnection {
        &self.write
    }

    /// Connections for claims and lease renewals. Nothing else uses them, so that running jobs keep their
    /// leases under load. On PostgreSQL, writes are not immediately durable.
    pub fn quick(&self) -> DriverPool<'_> {
        self.pool(&self.quick)
    }

    /// Connections of [`quick`](Self::quick), for statements that are valid on both engines.
    pub fn lease(&self) -> &DatabaseConnection {
        &self.quick
    }

    /// Writer for batches of submitted and completed jobs.
    pub fn durable(&self) -> &Durable {
        &self.durable
    }

    /// Connections for notifications between processes and for shared limit counters, on PostgreSQL only.
    /// Separate from the connections for claims, so that neither blocks the other. Writes are not immediately
    /// durable.
    pub fn shared_state(&self) -> DriverPool<'_> {
        self.pool(&self.shared_state)
    }

    fn pool<'a>(&self, connection: &'a DatabaseConnection) -> DriverPool<'a> {
        match self.backend {
            Backend::Sqlite => DriverPool::Sqlite(connection.get_sqlite_connection_pool()),
            Backend::Postgres => DriverPool::Postgres(connection.get_postgres_connection_pool()),
        }
    }

    /// Begins a writing transaction. On SQLite it takes the write lock immediately, so that it cannot fail
    /// halfway. Never hold a transaction across a fetch.
    pub async fn begin(&self) -> Result<DatabaseTransaction, DbErr> {
        let options = TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..TransactionOptions::default()
        };
        self.write.begin_with_options(options).await
    }

    /// Begins a transaction whose queries all read the same state of the database. No writer waits for it. Must
    /// not write.
    pub async fn begin_snapshot(&self) -> Result<DatabaseTransaction, DbErr> {
        match self.backend {
            Backend::Postgres => {
                self.read.begin_with_config(Some(IsolationLevel::RepeatableRead), None).await
            }
            Backend::Sqlite => self.read.begin().await,
        }
    }

    /// Checkpoints the part of SQLite's write-ahead log that no reader needs. Runs on a reading connection, because the
    /// writer would otherwise wait for the disk at about every twentieth commit. Does nothing on PostgreSQL.
    pub async fn checkpoint(&self) -> Result<(), DbErr> {
        if self.backend == Backend::Sqlite {
            self.read.execute_unprepared("PRAGMA wal_checkpoint(PASSIVE)").await?;
        }
        Ok(())
    }

    /// Executes a trivial query.
    pub async fn ping(&self) -> Result<(), DbErr> {
        self.read.execute_unprepared("SELECT 1").await.map(|_| ())
    }

    /// Closes all connections. On SQLite this also checkpoints the write-ahead log.
    pub async fn close(self) {
        match &self.durable {
            Durable::Postgres(connections) => connections.close().await,
            Durable::Embedded(writer) => {
                writer.close().await;
                let _ = self.write.execute_unprepared("PRAGMA optimize").await;
            }
        }
        let _ = self.read.close().await;
        let _ = self.quick.close().await;
        let _ = self.shared_state.close().await;
        let _ = self.write.close().await;
    }
}

/// Connects to PostgreSQL once before the pool does: a pool retries and does not report the reason for the
/// failure.
async fn check_reachable(url: &str, setting: &'static str) -> Result<(), ConnectError> {
    let options: PgConnectOptions =
        url.parse().map_err(|error| DbErr::Conn(RuntimeErr::SqlxError(Arc::new(error))))?;
    // A pooler rejects this parameter.
    let options = options.extra_float_digits(None);
    let address = format!("{}:{}", options.get_host(), options.get_port());
    let connect_error =
        |reason: String| ConnectError::Unreachable { setting, address: address.clone(), reason };
    match tokio::time::timeout(Duration::from_secs(CONNECT_CHECK_SECONDS), options.connect()).await {
        Ok(Ok(connection)) => {
            // The result does not matter: the connection was accepted.
            let _ = connection.close().await;
            Ok(())
        }
        Ok(Err(error)) => Err(connect_error(error.to_string())),
        Err(_) => Err(connect_error(format!("there is no answer within {CONNECT_CHECK_SECONDS} seconds"))),
    }
}

/// Returns the options of a pool whose sessions start with the settings `session`. For a pooler, `session` is `None`,
/// because a pooler shares its sessions and rejects settings. Connections are pinged before each use, or only after an
/// idle time.
fn postgres_options(
    url: &str,
    connections: u32,
    session: Option<Vec<(&'static str, String)>>,
    always_ping: bool,
) -> ConnectOptions {
    let mut options = base_options(url, connections);
    options
        .map_sqlx_postgres_opts(move |postgres| match &session {
            Some(session) => postgres.options(session.clone()),
            None => postgres.extra_float_digits(None),
        })
        .map_sqlx_postgres_before_acquire(move |connection, metadata| {
            if failover::predates_failover(metadata.age) {
                return Box::pin(std::future::ready(Ok(false)));
            }
            Box::pin(keepalive::check_before_acquire(connection, metadata, always_ping))
        })
        .map_sqlx_postgres_pool_opts(|pool| {
            pool.after_release(|_, metadata| {
                Box::pin(std::future::ready(Ok(keepalive::check_after_release(metadata.age))))
            })
        });
    options
}

fn base_options(url: &str, connections: u32) -> ConnectOptions {
    let mut options = ConnectOptions::new(url.to_owned());
    options
        .max_connections(connections)
        .min_connections(1)
        .acquire_timeout(Duration::from_secs(ACQUIRE_SECONDS))
        .connect_timeout(Duration::from_secs(ACQUIRE_SECONDS))
        .max_lifetime(Duration::from_secs(LIFETIME_SECONDS))
        .test_before_acquire(false)
        .sqlx_logging(false);
    options
}
