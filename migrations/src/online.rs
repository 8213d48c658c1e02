//! Online migrations for large tables in use: no reader or writer waits for them for more than a moment.
//!
//! On PostgreSQL such a migration runs outside of a transaction. Indexes are built and dropped
//! `CONCURRENTLY`, rows are rewritten some hundreds at a time, and a statement that needs a table lock waits
//! for less than a second ([`dialect::LOCK_WAIT`]) and is then retried, so that other statements can
//! proceed. On SQLite, which has a single writer, each part is a transaction of its own, so that other writers
//! can proceed between the parts. A killed migration is repeated, so each part first checks whether it is
//! already done.

use std::time::{Duration, Instant};

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{ConnectionTrait, DbBackend, RuntimeErr, SqlxError, Statement};

use crate::dialect;
use crate::statement::works_of;
use crate::work::{Action, Listed, Work};

/// Pause between attempts to lock a table.
const PAUSE: Duration = Duration::from_millis(500);
/// Maximum number of attempts to lock a table before the migration fails: about five minutes.
pub(crate) const MAX_ATTEMPTS: u32 = 240;
/// Time after which a migration of an SQLite file pauses for other writers.
const MAX_UNINTERRUPTED: Duration = Duration::from_millis(200);
/// Duration of the pause. A writer that waits for the file tries again within 100 ms.
const WRITERS_PAUSE: Duration = Duration::from_millis(150);
/// PostgreSQL's error code for a lock timeout.
const LOCK_NOT_AVAILABLE: &str = "55P03";

/// One part of a migration.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// Adds a column: table, column, and type with a constant default.
    Column(&'static str, &'static str, &'static str),
    /// Drops a column of a table.
    NoColumn(&'static str, &'static str),
    /// Creates an index: name, table, and the part of the definition from `(`.
    Index(&'static str, &'static str, &'static str),
    UniqueIndex(&'static str, &'static str, &'static str),
    /// Creates an index only on PostgreSQL.
    PostgresIndex(&'static str, &'static str, &'static str),
    /// Drops an index.
    NoIndex(&'static str),
    /// Drops an index that exists only on PostgreSQL.
    NoPostgresIndex(&'static str),
    /// Rewrites existing rows.
    Rows(TableRewrite),
    /// Runs a repeatable statement, for example one that creates a table if it does not exist.
    Plain(&'static str),
    /// Changes the storage of a table on PostgreSQL. Does nothing on SQLite.
    Storage(&'static str),
}

/// Statements that rewrite rows.
#[derive(Clone, Copy)]
pub(crate) struct TableRewrite {
    /// Rewrites all rows in one statement, on SQLite.
    pub(crate) all_rows: &'static str,
    /// Rewrites some hundreds of rows after the key `$1`, a text, on PostgreSQL. Returns the last rewritten
    /// key as a text. If no rows are left, returns no row.
    pub(crate) next_batch: &'static str,
    /// Key that is less than every stored key.
    pub(crate) from: &'static str,
}

/// Runs the parts of a migration in order.
pub(crate) async fn run(manager: &SchemaManager<'_>, parts: &[Part]) -> Result<(), DbErr> {
    if manager.get_database_backend() == DbBackend::Postgres {
        for part in parts {
            on_postgres(manager, *part).await?;
        }
        return Ok(());
    }
    let mut last_pause = Instant::now();
    for part in parts {
        let transaction = manager.begin().await?;
        // Locks the file for writing. After a read, SQLite would fail instead of waiting for another writer.
        transaction.get_connection().execute_unprepared("DELETE FROM seaql_migrations WHERE FALSE").await?;
        on_sqlite(&transaction, *part).await?;
        transaction.commit().await?;
        yield_to_writers(&mut last_pause).await;
    }
    Ok(())
}

async fn on_sqlite(manager: &SchemaManager<'_>, part: Part) -> Result<(), DbErr> {
    let sql = match part {
        Part::Column(table, column, _) if manager.has_column(table, column).await? => return Ok(()),
        Part::NoColumn(table, column) if !manager.has_column(table, column).await? => return Ok(()),
        Part::Column(table, column, definition) => add_column(table, column, definition),
        Part::NoColumn(table, column) => drop_column(table, column),
        Part::Index(name, table, over) => index("INDEX", name, table, over),
        Part::UniqueIndex(name, table, over) => index("UNIQUE INDEX", name, table, over),
        Part::NoIndex(name) => format!("DROP INDEX IF EXISTS {name}"),
        Part::Rows(rewrite) => rewrite.all_rows.to_owned(),
        Part::Plain(sql) => sql.to_owned(),
        Part::Storage(_) | Part::PostgresIndex(..) | Part::NoPostgresIndex(_) => return Ok(()),
    };
    dialect::run_all(manager, &[&sql]).await
}

async fn on_postgres(manager: &SchemaManager<'_>, part: Part) -> Result<(), DbErr> {
    match part {
        Part::Column(table, column, _) if manager.has_column(table, column).await? => Ok(()),
        Part::NoColumn(table, column) if !manager.has_column(table, column).await? => Ok(()),
        Part::Column(table, column, definition) => {
            run_with_retries(manager, &add_column(table, column, definition)).await
        }
        Part::NoColumn(table, column) => run_with_retries(manager, &drop_column(table, column)).await,
        Part::Plain(sql) | Part::Storage(sql) => run_with_retries(manager, sql).await,
        Part::Index(name, table, over) | Part::PostgresIndex(name, table, over) => {
            build(manager, "INDEX", (name, table, over)).await
        }
        Part::UniqueIndex(name, table, over) => build(manager, "UNIQUE INDEX", (name, table, over)).await,
        Part::NoIndex(name) | Part::NoPostgresIndex(name) => {
            run_outside_transaction(manager, &format!("DROP INDEX CONCURRENTLY IF EXISTS {name}")).await
        }
        Part::Rows(rewrite) => rewrite_rows(manager, rewrite).await,
    }
}

fn add_column(table: &str, column: &str, definition: &str) -> String {
    format!("ALTER TABLE {table} ADD COLUMN {column} {definition}")
}

fn drop_column(table: &str, column: &str) -> String {
    format!("ALTER TABLE {table} DROP COLUMN {column}")
}

fn index(what: &str, name: &str, table: &str, over: &str) -> String {
    format!("CREATE {what} IF NOT EXISTS {name} ON {table} {over}")
}

/// Runs a statement in its own transaction with a short lock timeout. If the lock times out, retries the
/// statement.
async fn run_with_retries(manager: &SchemaManager<'_>, sql: &str) -> Result<(), DbErr> {
    let mut attempt = 1;
    loop {
        let transaction = manager.begin().await?;
        match dialect::run_all(&transaction, &[sql]).await {
            Ok(()) => return transaction.commit().await,
            Err(error) if attempt < MAX_ATTEMPTS && is_lock_timeout(&error) => drop(transaction),
            Err(error) => return Err(error),
        }
        tracing::info!(attempt, sql, "table in use, retrying statement");
        attempt += 1;
        pause().await;
    }
}

/// Creates an index without blocking writes. First drops the invalid index of a failed build.
async fn build(
    manager: &SchemaManager<'_>,
    what: &str,
    (name, table, over): (&str, &str, &str),
) -> Result<(), DbErr> {
    if !has_rows(manager, table).await? {
        // The table is empty, so nothing is built and no statement waits.
        return run_with_retries(manager, &index(what, name, table, over)).await;
    }
    let half = "SELECT 1 FROM pg_index i WHERE i.indexrelid = to_regclass($1) AND NOT i.indisvalid";
    let half = Statement::from_sql_and_values(DbBackend::Postgres, half, [name.into()]);
    if manager.get_connection().query_one_raw(half).await?.is_some() {
        run_outside_transaction(manager, &format!("DROP INDEX CONCURRENTLY IF EXISTS {name}")).await?;
    }
    run_outside_transaction(
        manager,
        &format!("CREATE {what} CONCURRENTLY IF NOT EXISTS {name} ON {table} {over}"),
    )
    .await
}

async fn has_rows(manager: &SchemaManager<'_>, table: &str) -> Result<bool, DbErr> {
    let sql = format!("SELECT 1 FROM {table} LIMIT 1");
    let statement = Statement::from_string(DbBackend::Postgres, sql);
    Ok(manager.get_connection().query_one_raw(statement).await?.is_some())
}

/// Runs a statement that PostgreSQL accepts only outside of transactions. While it waits, it blocks no other
/// statement.
async fn run_outside_transaction(manager: &SchemaManager<'_>, sql: &str) -> Result<(), DbErr> {
    manager.get_connection().execute_unprepared(sql).await.map(|_| ())
}

/// Rewrites rows in batches. Each batch is committed on its own and locks its rows only while it runs.
async fn rewrite_rows(manager: &SchemaManager<'_>, rewrite: TableRewrite) -> Result<(), DbErr> {
    let mut behind = rewrite.from.to_owned();
    loop {
        let step = Statement::from_sql_and_values(DbBackend::Postgres, rewrite.next_batch, [behind.into()]);
        let Some(row) = manager.get_connection().query_one_raw(step).await? else { return Ok(()) };
        behind = row.try_get_by_index(0)?;
    }
}

/// Returns true if the error means that another transaction has locked the table.
pub(crate) fn is_lock_timeout(error: &DbErr) -> bool {
    let (DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error))) = error
    else {
        return false;
    };
    matches!(error.as_ref(), SqlxError::Database(error) if error.code().is_some_and(|code| code == LOCK_NOT_AVAILABLE))
}

/// Pauses between attempts, so that other transactions can proceed.
#[expect(clippy::disallowed_methods, reason = "there is no signal for a free table")]
pub(crate) async fn pause() {
    tokio::time::sleep(PAUSE).await;
}

/// Pauses the migration of an SQLite file if its last pause was some time ago, so that other writers can proceed.
/// SQLite has no queue of writers: without a pause, a writer would wait until all migrations are done.
#[expect(clippy::disallowed_methods, reason = "there is no signal that a writer waits")]
pub(crate) async fn yield_to_writers(last_pause: &mut Instant) {
    if last_pause.elapsed() >= MAX_UNINTERRUPTED {
        tokio::time::sleep(WRITERS_PAUSE).await;
        *last_pause = Instant::now();
    }
}

impl Listed for [Part] {
    fn works(&self, backend: DbBackend) -> Vec<Work> {
        self.iter().flat_map(|part| works_of_part(*part, backend)).collect()
    }
}

fn works_of_part(part: Part, backend: DbBackend) -> Vec<Work> {
    let is_postgres = backend == DbBackend::Postgres;
    let (build, drop) = if is_postgres {
        (Action::BuildIndexOnline, Action::DropIndexOnline)
    } else {
        (Action::BuildIndex, Action::DropIndex)
    };
    match part {
        Part::Column(table, column, definition) => {
            works_of(&format!("ALTER TABLE {table} ADD COLUMN {column} {definition}"), backend)
        }
        Part::NoColumn(table, _) => vec![Work::on_table(table, Action::DropColumn)],
        Part::PostgresIndex(..) | Part::NoPostgresIndex(_) | Part::Storage(_) if !is_postgres => Vec::new(),
        Part::Index(_, table, _) | Part::UniqueIndex(_, table, _) | Part::PostgresIndex(_, table, _) => {
            vec![Work::on_table(table, build)]
        }
        Part::NoIndex(name) | Part::NoPostgresIndex(name) => vec![Work::on_index(name, drop)],
        Part::Rows(rewrite) if is_postgres => {
            let mut works = works_of(rewrite.next_batch, backend);
            for work in &mut works {
                if work.action == Action::WriteRows {
                    work.action = Action::WriteRowsInBatches;
                }
            }
            works
        }
        Part::Rows(rewrite) => works_of(rewrite.all_rows, backend),
        Part::Plain(sql) | Part::Storage(sql) => works_of(sql, backend),
    }
}

/// Defines a [`step!`](dialect::step) from two lists of [`Part`]s.
macro_rules! online {
    ($up:expr, $down:expr) => {
        $crate::dialect::step!($crate::online::run, false, $up, $down);
    };
}

pub(crate) use online;
