//! Steps for tables that are large and in use: nobody who reads or writes waits for them longer than a moment.
//!
//! On PostgreSQL such a step is no transaction. Indexes are built and dropped `CONCURRENTLY`, rows are rewritten some
//! hundreds at a time, and what needs a table for itself asks for it for at most a second ([`dialect::LOCK_WAIT`]), then
//! lets the others pass and asks again. A step that was killed half way is begun again, so each of its parts looks first whether it is done.
//! On SQLite, which has one writer anyway, it is one transaction.

use std::time::Duration;

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{ConnectionTrait, DbBackend, RuntimeErr, SqlxError, Statement};

use crate::dialect;

/// How long others pass before a part asks again.
const PAUSE: Duration = Duration::from_millis(500);
/// How often a part asks for a table before the step fails: for about five minutes.
pub(crate) const TURNS: u32 = 200;
/// PostgreSQL's code for a lock that was not to be had in time.
const LOCK_NOT_AVAILABLE: &str = "55P03";

/// One part of a step.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// Adds a column to a table, with this type and default; the default is a constant.
    Column(&'static str, &'static str, &'static str),
    /// Drops a column of a table.
    NoColumn(&'static str, &'static str),
    /// Makes the index of this name, on this table, over `(…)`, with what follows there.
    Index(&'static str, &'static str, &'static str),
    /// Makes the index of this name, in which no value stands twice.
    UniqueIndex(&'static str, &'static str, &'static str),
    /// Makes an index that PostgreSQL alone has.
    PostgresIndex(&'static str, &'static str, &'static str),
    /// Drops the index of this name.
    NoIndex(&'static str),
    /// Drops an index that PostgreSQL alone has.
    NoPostgresIndex(&'static str),
    /// Rewrites rows that are there already.
    Rows(Rewrite),
    /// A statement that may be repeated, such as one that makes a table if there is none.
    Plain(&'static str),
    /// Changes how PostgreSQL keeps a table; SQLite knows nothing of it.
    Storage(&'static str),
}

/// How rows are rewritten.
#[derive(Clone, Copy)]
pub(crate) struct Rewrite {
    /// All of them by one statement, on SQLite.
    pub(crate) at_once: &'static str,
    /// Some hundreds of those behind the key `$1`, a text, on PostgreSQL; returns the last key of them as a text, and no
    /// row when there are none.
    pub(crate) by_steps: &'static str,
    /// What stands before every key.
    pub(crate) from: &'static str,
}

/// Carries out the parts of a step, in their order.
pub(crate) async fn run(manager: &SchemaManager<'_>, parts: &[Part]) -> Result<(), DbErr> {
    if manager.get_database_backend() == DbBackend::Postgres {
        for part in parts {
            on_postgres(manager, *part).await?;
        }
        return Ok(());
    }
    let transaction = manager.begin().await?;
    for part in parts {
        on_sqlite(&transaction, *part).await?;
    }
    transaction.commit().await
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
        Part::Rows(rewrite) => rewrite.at_once.to_owned(),
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
            in_turns(manager, &add_column(table, column, definition)).await
        }
        Part::NoColumn(table, column) => in_turns(manager, &drop_column(table, column)).await,
        Part::Plain(sql) | Part::Storage(sql) => in_turns(manager, sql).await,
        Part::Index(name, table, over) | Part::PostgresIndex(name, table, over) => {
            build(manager, "INDEX", (name, table, over)).await
        }
        Part::UniqueIndex(name, table, over) => build(manager, "UNIQUE INDEX", (name, table, over)).await,
        Part::NoIndex(name) | Part::NoPostgresIndex(name) => {
            alone(manager, &format!("DROP INDEX CONCURRENTLY IF EXISTS {name}")).await
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

/// Runs a statement in a transaction of its own that waits a moment for the table, as often as it takes.
async fn in_turns(manager: &SchemaManager<'_>, sql: &str) -> Result<(), DbErr> {
    let mut turn = 1;
    loop {
        let transaction = manager.begin().await?;
        match dialect::run_all(&transaction, &[sql]).await {
            Ok(()) => return transaction.commit().await,
            Err(error) if turn < TURNS && is_taken(&error) => drop(transaction),
            Err(error) => return Err(error),
        }
        tracing::info!(turn, sql, "the table is in use: trying again");
        turn += 1;
        pause().await;
    }
}

/// Makes an index while others write. What a build that failed has left is dropped first.
async fn build(
    manager: &SchemaManager<'_>,
    what: &str,
    (name, table, over): (&str, &str, &str),
) -> Result<(), DbErr> {
    if !has_rows(manager, table).await? {
        // There is nothing to build from, and nobody who waits.
        return in_turns(manager, &index(what, name, table, over)).await;
    }
    let half = "SELECT 1 FROM pg_index i WHERE i.indexrelid = to_regclass($1) AND NOT i.indisvalid";
    let half = Statement::from_sql_and_values(DbBackend::Postgres, half, [name.into()]);
    if manager.get_connection().query_one_raw(half).await?.is_some() {
        alone(manager, &format!("DROP INDEX CONCURRENTLY IF EXISTS {name}")).await?;
    }
    alone(manager, &format!("CREATE {what} CONCURRENTLY IF NOT EXISTS {name} ON {table} {over}")).await
}

async fn has_rows(manager: &SchemaManager<'_>, table: &str) -> Result<bool, DbErr> {
    let sql = format!("SELECT 1 FROM {table} LIMIT 1");
    let statement = Statement::from_string(DbBackend::Postgres, sql);
    Ok(manager.get_connection().query_one_raw(statement).await?.is_some())
}

/// Runs a statement that PostgreSQL takes outside of transactions alone. It stands in nobody's way, however long it waits.
async fn alone(manager: &SchemaManager<'_>, sql: &str) -> Result<(), DbErr> {
    manager.get_connection().execute_unprepared(sql).await.map(|_| ())
}

/// Rewrites rows step by step. Each step is durable by itself, and holds no row for longer than it takes.
async fn rewrite_rows(manager: &SchemaManager<'_>, rewrite: Rewrite) -> Result<(), DbErr> {
    let mut behind = rewrite.from.to_owned();
    loop {
        let step = Statement::from_sql_and_values(DbBackend::Postgres, rewrite.by_steps, [behind.into()]);
        let Some(row) = manager.get_connection().query_one_raw(step).await? else { return Ok(()) };
        behind = row.try_get_by_index(0)?;
    }
}

/// Whether the error says that others have the table.
pub(crate) fn is_taken(error: &DbErr) -> bool {
    let (DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error))) = error
    else {
        return false;
    };
    matches!(error.as_ref(), SqlxError::Database(error) if error.code().is_some_and(|code| code == LOCK_NOT_AVAILABLE))
}

/// Lets others pass.
#[expect(clippy::disallowed_methods, reason = "nothing tells that a table is free")]
pub(crate) async fn pause() {
    tokio::time::sleep(PAUSE).await;
}

/// A [`step!`](dialect::step) of two lists of [`Part`]s.
macro_rules! online {
    ($up:expr, $down:expr) => {
        $crate::dialect::step!($crate::online::run, false, $up, $down);
    };
}

pub(crate) use online;
