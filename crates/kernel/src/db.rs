//! The database behind the [`Domain`](crate::Domain) handle: SQLite or PostgreSQL, told apart by the URL.
//!
//! SQLite has one writer. All writes therefore go through one connection of their own, in immediate
//! transactions, while readers use a small pool beside it; on PostgreSQL both are the same pool.

mod bounded;
mod connections;
mod failover;
mod file;
mod news;
mod pools;
mod sessions;
mod silence;
mod silent_since;
mod writer;

use std::sync::Arc;
#[cfg(any(test, feature = "testing"))]
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sea_orm::sqlx::postgres::PgConnectOptions;
use sea_orm::sqlx::{ConnectOptions as _, Connection as _, PgPool, SqlitePool};
use sea_orm::{
    ConnectOptions, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, RuntimeErr,
    SqliteTransactionMode, TransactionOptions, TransactionTrait,
};

pub use bounded::within;
pub use connections::Connections;
pub use failover::{is_away, is_passing, note, was_full_within};
pub use news::{Listener, News};
pub use pools::PoolUsage;
pub use silence::fetch;
pub use silent_since::fallen_silent;
pub use writer::{AfterCommit, Writer};

/// What each connection to SQLite begins with. A commit folds the write-ahead log back by itself after so many pages; the tick
/// does it long before that, beside the writer: this is for processes without one.
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
/// Rows that SQLite's thread reads ahead of whoever takes them: with the 50 of sqlx it stands still, and both threads are
/// woken, forty times for the two thousand rows that a search ranks.
const SQLITE_ROWS_AHEAD: usize = 4_096;
/// How long a caller waits for a connection out of the pool.
const ACQUIRE_SECONDS: u64 = 10;
/// How long PostgreSQL may take to let us in at the start.
const KNOCK_SECONDS: u64 = 5;
/// The longest that SQLite can be told to wait: as good as for ever.
const SQLITE_UNLIMITED: Duration = Duration::from_hours(24);
/// Connections of each pool of the engine: one statement of each group is under way at a time.
pub const ENGINE_CONNECTIONS: u32 = 2;
/// After this a connection is made anew: after a failover the old ones still lead to the demoted server.
const LIFETIME_SECONDS: u64 = 300;

/// How many connections a process may open, and how long one may keep others waiting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseSettings {
    /// Connections of this process.
    pub max_connections: u32,
    /// The address of a pooler before PostgreSQL that gives a connection for one transaction. Those of `max_connections`
    /// go there, and its own settings hold for them; what needs a session goes to the database itself.
    pub pooler_url: Option<String>,
    /// The longest that one statement may take on PostgreSQL; zero sets no limit.
    pub statement_timeout: Duration,
    /// The longest that a statement waits for what another transaction holds: a row or a table on PostgreSQL, the
    /// write lock of another process on SQLite; zero sets no limit.
    pub lock_timeout: Duration,
    /// The longest that a transaction may stand without a statement on PostgreSQL; zero sets no limit.
    pub idle_transaction_timeout: Duration,
}

impl Default for DatabaseSettings {
    fn default() -> Self {
        Self {
            max_connections: 16,
            pooler_url: None,
            statement_timeout: Duration::from_secs(30),
            lock_timeout: Duration::from_secs(15),
            // Shorter than others wait for its rows: of a transaction whose connection was swallowed nothing else is left.
            idle_transaction_timeout: Duration::from_secs(10),
        }
    }
}

impl DatabaseSettings {
    /// For steps that take as long as they take, as those of a migration do.
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

    /// How long SQLite waits for another process.
    fn busy_timeout(&self) -> Duration {
        if self.lock_timeout.is_zero() { SQLITE_UNLIMITED } else { self.lock_timeout }
    }
}

/// Which database engine stands behind a [`Database`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// Embedded SQLite, in WAL mode.
    Sqlite,
    /// PostgreSQL.
    Postgres,
}

/// Why no database could be opened. The message names what to change.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The URL is of a kind that Carrel does not speak.
    #[error("DATABASE_URL must start with sqlite: or postgres:, but is `{0}:…`")]
    UnknownScheme(String),
    /// The folder of the SQLite file cannot be made.
    #[error("the folder {path} for the database cannot be made: {error}")]
    Folder {
        /// The folder.
        path: String,
        /// What the operating system said.
        error: std::io::Error,
    },
    /// PostgreSQL does not answer, or does not let us in.
    #[error("PostgreSQL at {address} ({setting}) cannot be reached: {reason}")]
    Unreachable {
        /// The setting that names it.
        setting: &'static str,
        /// Its host and port.
        address: String,
        /// What it, or the network, said.
        reason: String,
    },
    /// The database did not let us in.
    #[error("the database cannot be opened")]
    Open(#[from] DbErr),
}

/// Handles to one database: one for reading, one for writing, those of the job engine, and one for what processes tell
/// each other.
#[derive(Clone, Debug)]
pub struct Database {
    read: DatabaseConnection,
    write: DatabaseConnection,
    durable: Durable,
    quick: DatabaseConnection,
    shared_state: DatabaseConnection,
    backend: Backend,
}

/// By what groups of jobs are submitted and ended. What it writes is durable when it is answered.
#[derive(Clone, Debug)]
pub enum Durable {
    /// Connections to PostgreSQL.
    Postgres(Connections),
    /// The thread that writes to the embedded database.
    Embedded(Writer),
}

/// Connections for statements that are spoken to the driver itself.
#[derive(Clone, Copy)]
pub enum Pool<'a> {
    /// Of PostgreSQL.
    Postgres(&'a PgPool),
    /// Of SQLite.
    Sqlite(&'a SqlitePool),
}

impl Database {
    /// Opens the database at `url` (`sqlite://path?mode=rwc`, `sqlite::memory:` is refused by design of
    /// two pools, `postgres://…`). The folder of an SQLite file is made when it is missing.
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
        let options = |connections: u32| {
            let mut options = base_options(url, connections);
            let busy_timeout = settings.busy_timeout();
            options.map_sqlx_sqlite_opts(move |sqlite| {
                let sqlite =
                    SQLITE_SETTINGS.iter().fold(sqlite, |sqlite, (name, value)| sqlite.pragma(*name, *value));
                sqlite.busy_timeout(busy_timeout).row_buffer_size(SQLITE_ROWS_AHEAD)
            });
            options
        };
        let writer = Writer::of_file(url, settings.busy_timeout())?;
        let mut write = options(1);
        writer.share_turns(&mut write);
        let write = sea_orm::Database::connect(write).await?;
        let read = sea_orm::Database::connect(options(settings.max_connections.max(1))).await?;
        let (quick, shared_state, durable) = (write.clone(), write.clone(), Durable::Embedded(writer));
        Ok(Self { read, durable, quick, shared_state, write, backend: Backend::Sqlite })
    }

    async fn connect_postgres(url: &str, settings: &DatabaseSettings) -> Result<Self, ConnectError> {
        knock(url, "DATABASE_URL").await?;
        if let Some(pooler) = &settings.pooler_url {
            knock(pooler, "DATABASE_POOLER_URL").await?;
        }
        let many = settings.max_connections.max(2);
        // A server that was started anew costs nobody an error, for a round trip before each statement.
        let pool = match &settings.pooler_url {
            Some(pooler) => postgres_options(pooler, many, None, true),
            None => postgres_options(url, many, Some(settings.common_session()), true),
        };
        let pool = sea_orm::Database::connect(pool).await?;
        // Opened when they are needed: a process that works on nothing needs none. A connection that broke is noticed
        // by the statement itself, which is tried again.
        let engine = async |session| {
            let mut options = postgres_options(url, ENGINE_CONNECTIONS, Some(session), false);
            options.min_connections(0).connect_lazy(true);
            sea_orm::Database::connect(options).await
        };
        let lifetime = Duration::from_secs(LIFETIME_SECONDS);
        let durable = Durable::Postgres(Connections::to(url, settings.engine_session(), lifetime)?);
        let mut quick = settings.engine_session();
        // Claims and leases: what a crash forgets of them, the next claim's own name tells apart.
        quick.push(("synchronous_commit", "off".to_owned()));
        let quick = engine(quick).await?;
        let shared_state = engine(settings.shared_state_session()).await?;
        Ok(Self { read: pool.clone(), write: pool, durable, quick, shared_state, backend: Backend::Postgres })
    }

    /// The same database; what it is asked from now on is counted.
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

    /// Which engine this is, where a statement must be written twice.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The connection for reading.
    pub fn read(&self) -> &DatabaseConnection {
        &self.read
    }

    /// The connection for single statements that write. Several that belong together need [`begin`](Self::begin).
    pub fn write(&self) -> &DatabaseConnection {
        &self.write
    }

    /// The connections by which jobs are claimed and leases renewed: nobody else waits for them, so that work which is
    /// under way keeps its lease however busy the others are. On PostgreSQL what they write is not durable at once.
    pub fn quick(&self) -> Pool<'_> {
        self.pool(&self.quick)
    }

    /// The same connections for statements that are written for both databases.
    pub fn lease(&self) -> &DatabaseConnection {
        &self.quick
    }

    /// By what groups of jobs are submitted and ended.
    pub fn durable(&self) -> &Durable {
        &self.durable
    }

    /// The connections by which processes on PostgreSQL alone tell each other news and share the counts of their limits.
    /// Neither waits for a claim, and no claim for either. What they write is not durable at once.
    pub fn shared_state(&self) -> Pool<'_> {
        self.pool(&self.shared_state)
    }

    fn pool<'a>(&self, connection: &'a DatabaseConnection) -> Pool<'a> {
        match self.backend {
            Backend::Sqlite => Pool::Sqlite(connection.get_sqlite_connection_pool()),
            Backend::Postgres => Pool::Postgres(connection.get_postgres_connection_pool()),
        }
    }

    /// Opens a writing transaction; on SQLite it takes the write lock at once, so that it cannot fail
    /// half way for want of it. Never hold one across a fetch.
    pub async fn begin(&self) -> Result<DatabaseTransaction, DbErr> {
        let options = TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..TransactionOptions::default()
        };
        self.write.begin_with_options(options).await
    }

    /// Folds SQLite's write-ahead log back into the file, as far as nobody needs it. It runs beside the
    /// writer, who would otherwise wait for the disk at every twentieth commit or so. Does nothing on
    /// PostgreSQL.
    pub async fn checkpoint(&self) -> Result<(), DbErr> {
        if self.backend == Backend::Sqlite {
            self.read.execute_unprepared("PRAGMA wal_checkpoint(PASSIVE)").await?;
        }
        Ok(())
    }

    /// Answers when the database does.
    pub async fn ping(&self) -> Result<(), DbErr> {
        self.read.execute_unprepared("SELECT 1").await.map(|_| ())
    }

    /// Closes all connections; on SQLite this also folds the write-ahead log back into the file.
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

/// Connects to PostgreSQL once: a pool would try again and again, and in the end not say why it cannot.
async fn knock(url: &str, setting: &'static str) -> Result<(), ConnectError> {
    let options: PgConnectOptions =
        url.parse().map_err(|error| DbErr::Conn(RuntimeErr::SqlxError(Arc::new(error))))?;
    // A pooler refuses whoever asks for it.
    let options = options.extra_float_digits(None);
    let address = format!("{}:{}", options.get_host(), options.get_port());
    let refused = |reason: String| ConnectError::Unreachable { setting, address: address.clone(), reason };
    match tokio::time::timeout(Duration::from_secs(KNOCK_SECONDS), options.connect()).await {
        Ok(Ok(connection)) => {
            // How it ends does not matter: it has let us in.
            let _ = connection.close().await;
            Ok(())
        }
        Ok(Err(error)) => Err(refused(error.to_string())),
        Err(_) => Err(refused(format!("there is no answer within {KNOCK_SECONDS} seconds"))),
    }
}

/// Connections whose sessions begin like this; through a pooler, which shares its sessions and refuses whoever would set
/// one up, with none. They are asked for a sign of life before they are lent, always or after a while.
fn postgres_options(
    url: &str,
    connections: u32,
    session: Option<Vec<(&'static str, String)>>,
    is_asked_always: bool,
) -> ConnectOptions {
    let mut options = base_options(url, connections);
    options
        .map_sqlx_postgres_opts(move |postgres| match &session {
            Some(session) => postgres.options(session.clone()),
            None => postgres.extra_float_digits(None),
        })
        .map_sqlx_postgres_before_acquire(move |connection, kept| {
            if failover::is_left_behind(kept.age) {
                return Box::pin(std::future::ready(Ok(false)));
            }
            Box::pin(silence::may_be_lent(connection, kept, is_asked_always))
        })
        .map_sqlx_postgres_pool_opts(|pool| {
            pool.after_release(|_, kept| Box::pin(std::future::ready(Ok(silence::may_be_kept(kept.age)))))
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
