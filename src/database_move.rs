//! Copy of an embedded database to an empty PostgreSQL database. One transaction writes all rows, so a failed
//! move leaves the target empty. Meanwhile, the source is locked for other processes. It is not changed.
//!
//! The columns of each table are read from the target's catalogue. The search index of a library is computed
//! from the library's objects, because an embedded database does not return the words of its index. The
//! database itself computes the words of feed entries.

mod catalogue;
mod copy;
mod encoding;
mod source;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use anyhow::{Context, bail, ensure};
use kernel::{ConnectError, Database, DatabaseSettings};
use sea_orm::ConnectionTrait;
use sea_orm::sqlx::{self, AssertSqlSafe, PgConnection};

use crate::schema::Schema;
use catalogue::Table;
use copy::Copied;
use source::SourceDatabase;

/// Tables that are not copied, with the reason.
const UNCOPIED_TABLES: &[(&str, &str)] = &[
    ("seaql_migrations", "the migrations of the target have written it"),
    ("scheduler_leader", "it is the lease of a scheduler that has stopped"),
];

/// Rows that migrations create in an empty database, each as a table and a condition.
const MIGRATED_ROWS: &[(&str, &str)] = &[("feed_event", "sequence = 0 AND kind = 'log.began'")];

/// Table that is computed instead of copied.
const SEARCH_INDEX: &str = "library_search";

/// Settings of the transaction. Its statements may take a long time, but must not wait long for other
/// processes.
const TRANSACTION_SETTINGS: &str = "SET LOCAL statement_timeout = 0; \
     SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = '10s'";

/// Progress of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveProgress<'a> {
    /// Name of the table that is being written.
    pub table: &'a str,
    /// Number of written rows in all tables.
    pub done: u64,
    /// Number of rows to write.
    pub total: u64,
}

/// Function that is called with the progress after each batch.
pub type ShowProgress<'a> = &'a mut (dyn FnMut(MoveProgress<'_>) + Send);

/// Result of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveSummary {
    pub tables: usize,
    pub rows: u64,
    /// Number of removed U+0000 characters, which PostgreSQL cannot store in texts.
    pub removed_characters: u64,
    /// Tables of the source that are not part of Carrel's schema.
    pub other_tables: Vec<String>,
}

/// Copies the embedded database at `source_url` to the empty PostgreSQL database at `target_url`.
///
/// # Errors
/// If a URL belongs to another kind of database, another process uses the source, the source has pending
/// migrations, the target has rows, or a database fails.
pub async fn run(source_url: &str, target_url: &str, show: ShowProgress<'_>) -> anyhow::Result<MoveSummary> {
    if !["postgres://", "postgresql://"].iter().any(|scheme| target_url.starts_with(scheme)) {
        bail!("the target must be a PostgreSQL database: postgres://USER@HOST/NAME");
    }
    let source = SourceDatabase::open(source_url).await?;
    let schema = Schema::read(source.connection()).await?;
    if let Some(text) = schema.newer_text() {
        bail!("{text}: only the newer version can move all of its rows");
    }
    if schema.pending > 0 {
        bail!("{} migrations are pending: run `carrel migrate`, then repeat the move", schema.pending);
    }
    let target = open_target(target_url).await?;
    let result = Box::pin(move_rows(&source, &target, show)).await;
    source.close().await;
    target.close().await;
    result
}

async fn open_target(url: &str) -> anyhow::Result<Database> {
    match Database::connect(url, &DatabaseSettings::without_timeouts(2)).await {
        Err(ConnectError::Unreachable { address, reason, .. }) => {
            bail!("PostgreSQL at {address} cannot be reached: {reason}")
        }
        opened => Ok(opened?),
    }
}

async fn move_rows(
    source: &SourceDatabase,
    target: &Database,
    show: ShowProgress<'_>,
) -> anyhow::Result<MoveSummary> {
    let source_tables = source.tables().await?;
    let is_own = |table: &Table| source_tables.contains(&table.name);
    let pool = target.write().get_postgres_connection_pool();
    // This is checked before the migrations, so that the database of another deployment is not migrated by
    // mistake.
    let mut connection = pool.acquire().await?;
    let mut existing = catalogue::tables(&mut connection).await?;
    existing.retain(is_own);
    require_empty(&mut connection, &existing).await?;
    drop(connection);
    migrations::run(target.write()).await.context("failed to migrate the target")?;
    let mut transaction = pool.begin().await?;
    sqlx::raw_sql(TRANSACTION_SETTINGS).execute(&mut *transaction).await?;
    let mut tables = catalogue::tables(&mut transaction).await?;
    tables.retain(is_own);
    lock(&mut transaction, &tables).await?;
    require_empty(&mut transaction, &tables).await?;
    for (table, _) in MIGRATED_ROWS {
        execute(&mut transaction, format!("DELETE FROM {table}")).await?;
    }
    let other_tables = source_tables
        .iter()
        .filter(|name| tables.iter().all(|table| table.name != **name))
        .cloned()
        .collect();
    tables.retain(|table| UNCOPIED_TABLES.iter().all(|(name, _)| *name != table.name));
    let copied = copy_all(source, &mut transaction, &tables, show).await?;
    transaction.commit().await?;
    let analyzed = target.write().execute_unprepared("ANALYZE").await;
    analyzed.context("all rows were moved, but the planner has no statistics of them: run ANALYZE")?;
    let Copied { rows, removed_characters } = copied;
    Ok(MoveSummary { tables: tables.len(), rows, removed_characters, other_tables })
}

/// Copies the tables in the given order. The search index is last.
async fn copy_all(
    source: &SourceDatabase,
    target: &mut PgConnection,
    tables: &[Table],
    show: ShowProgress<'_>,
) -> anyhow::Result<Copied> {
    let mut counts = BTreeMap::new();
    for table in tables {
        counts.insert(table.name.as_str(), source.count(&table.name).await?);
    }
    let total: u64 = counts.values().sum();
    let (mut done, mut all) = (0, Copied::default());
    let (indexes, plain): (Vec<&Table>, Vec<&Table>) =
        tables.iter().partition(|table| table.name == SEARCH_INDEX);
    for table in plain.into_iter().chain(indexes) {
        let name = table.name.as_str();
        let mut advance = |rows: u64| {
            done += rows;
            show(MoveProgress { table: name, done, total });
        };
        let failed = || format!("table {name} cannot be copied");
        let copied = if name == SEARCH_INDEX {
            copy::write_search_index(source, target, &mut advance).await.with_context(failed)?
        } else {
            let copied = copy::copy_table(source, target, table, &mut advance).await.with_context(failed)?;
            let expected = counts[name];
            ensure!(copied.rows == expected, "{} of {expected} rows of table {name} were read", copied.rows);
            copied
        };
        let written = count(target, name).await?;
        ensure!(written == copied.rows, "table {name} has {written} instead of {} rows", copied.rows);
        advance_sequences(source, target, table).await?;
        all.add(copied);
    }
    Ok(all)
}

/// Prevents other processes from writing to the target until the end of the transaction.
async fn lock(target: &mut PgConnection, tables: &[Table]) -> anyhow::Result<()> {
    let names: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
    let sql = format!("LOCK TABLE {} IN SHARE ROW EXCLUSIVE MODE", names.join(", "));
    let locked = execute(target, sql).await;
    locked.context("the target is in use: stop every process that uses it, then repeat the move")
}

/// Fails if a table has rows that migrations do not create.
async fn require_empty(target: &mut PgConnection, tables: &[Table]) -> anyhow::Result<()> {
    for Table { name, .. } in tables.iter().filter(|table| table.name != "seaql_migrations") {
        let migrated = MIGRATED_ROWS.iter().find(|(table, _)| table == name);
        let migrated = migrated.map_or("FALSE", |(_, condition)| condition);
        let sql = format!("SELECT EXISTS (SELECT FROM {name} WHERE NOT ({migrated}))");
        if sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut *target).await? {
            bail!(
                "the target is not empty (table {name} has rows), and nothing was copied: create a new database and name it instead"
            );
        }
    }
    Ok(())
}

async fn count(target: &mut PgConnection, table: &str) -> anyhow::Result<u64> {
    let sql = format!("SELECT COUNT(*) FROM {table}");
    let count: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(target).await?;
    Ok(count.unsigned_abs())
}

/// Sets the sequence of a table to the highest id that was ever assigned, so that no id is reused.
async fn advance_sequences(
    source: &SourceDatabase,
    target: &mut PgConnection,
    table: &Table,
) -> anyhow::Result<()> {
    for column in &table.columns {
        let Some(sequence) = &column.sequence else { continue };
        let last = source.last_assigned_id(&table.name).await?;
        // `setval` ignores null, which is the highest id of a table without rows.
        let sql = format!(
            "SELECT setval($1::regclass, GREATEST((SELECT MAX(\"{}\") FROM {}), $2))",
            column.name, table.name
        );
        let query = sqlx::query(AssertSqlSafe(sql)).bind(sequence.as_str()).bind(last);
        query.execute(&mut *target).await?;
    }
    Ok(())
}

async fn execute(target: &mut PgConnection, sql: String) -> anyhow::Result<()> {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(target).await?;
    Ok(())
}
