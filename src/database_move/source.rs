//! Embedded database that is moved. It is locked while it is open, so that no other process changes or serves
//! it.

use std::time::Duration;

use anyhow::{Context, bail};
use sea_orm::sqlx::sqlite::{SqliteJournalMode, SqliteLockingMode};
use sea_orm::sqlx::{self, AssertSqlSafe, SqlitePool};
use sea_orm::{ConnectOptions, ConnectionTrait, DatabaseConnection, DbErr, RuntimeErr};

/// Maximum time to wait for another process, for example a command that is about to exit.
const LOCK_WAIT: Duration = Duration::from_secs(2);
/// Number of rows that SQLite's thread reads ahead. It bounds the memory, because a row may have tens of
/// megabytes.
const ROWS_AHEAD: usize = 8;
/// Primary error code of SQLite for a lock of another process.
const SQLITE_BUSY: u32 = 5;

/// Query for ordinary tables. Virtual tables, their parts, and SQLite's own tables are left out.
const TABLES: &str = "SELECT name FROM pragma_table_list \
     WHERE schema = 'main' AND type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name";

/// Opened source.
pub(super) struct SourceDatabase(DatabaseConnection);

impl SourceDatabase {
    /// Opens and locks the database.
    ///
    /// # Errors
    /// If the URL does not belong to an embedded database, the file does not exist, or another process uses
    /// it.
    pub(super) async fn open(url: &str) -> anyhow::Result<Self> {
        if !url.starts_with("sqlite:") {
            bail!("DATABASE_URL must be an embedded database (sqlite://…): only that can be moved");
        }
        let mut options = ConnectOptions::new(url.to_owned());
        // The lock belongs to the connection, so the pool has only one connection, which is never replaced.
        options
            .max_connections(1)
            .min_connections(1)
            .idle_timeout(None::<Duration>)
            .max_lifetime(None::<Duration>);
        options.test_before_acquire(false).sqlx_logging(false).map_sqlx_sqlite_opts(|sqlite| {
            sqlite
                .create_if_missing(false)
                .locking_mode(SqliteLockingMode::Exclusive)
                .journal_mode(SqliteJournalMode::Wal)
                .busy_timeout(LOCK_WAIT)
                .row_buffer_size(ROWS_AHEAD)
        });
        match Self::lock(options).await {
            Err(error) if is_locked(&error) => {
                bail!("another process uses the embedded database: stop the service, then repeat the move")
            }
            opened => Ok(Self(opened.context("the embedded database (DATABASE_URL) cannot be opened")?)),
        }
    }

    /// Connects and reads, which acquires the lock.
    async fn lock(options: ConnectOptions) -> Result<DatabaseConnection, DbErr> {
        let connection = sea_orm::Database::connect(options).await?;
        connection.execute_unprepared("SELECT COUNT(*) FROM sqlite_schema").await?;
        Ok(connection)
    }

    pub(super) fn connection(&self) -> &DatabaseConnection {
        &self.0
    }

    pub(super) fn pool(&self) -> &SqlitePool {
        self.0.get_sqlite_connection_pool()
    }

    /// Returns the names of the ordinary tables.
    pub(super) async fn tables(&self) -> anyhow::Result<Vec<String>> {
        Ok(sqlx::query_scalar(TABLES).fetch_all(self.pool()).await?)
    }

    /// Returns the number of rows of a table.
    pub(super) async fn count(&self, table: &str) -> anyhow::Result<u64> {
        let sql = format!("SELECT COUNT(*) FROM {table}");
        let count: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(self.pool()).await?;
        Ok(count.unsigned_abs())
    }

    /// Returns the highest id that was ever assigned in a table, even if its row was deleted. `None` if no id
    /// was assigned.
    pub(super) async fn last_assigned_id(&self, table: &str) -> anyhow::Result<Option<i64>> {
        let sql = "SELECT seq FROM sqlite_sequence WHERE name = $1 AND seq > 0";
        Ok(sqlx::query_scalar(sql).bind(table).fetch_optional(self.pool()).await?)
    }

    /// Releases the lock.
    pub(super) async fn close(self) {
        let _ = self.0.close().await;
    }
}

/// Returns true if another process has locked the database.
fn is_locked(error: &DbErr) -> bool {
    let (DbErr::Conn(RuntimeErr::SqlxError(error))
    | DbErr::Exec(RuntimeErr::SqlxError(error))
    | DbErr::Query(RuntimeErr::SqlxError(error))) = error
    else {
        return false;
    };
    let code = error.as_database_error().and_then(|error| error.code()?.parse::<u32>().ok());
    code.is_some_and(|code| code & 0xff == SQLITE_BUSY)
}
