//! Plan of the pending migrations: the tables, actions, and locks of each step, and the number of rows that
//! it processes. The plan is computed from the lists that the migrations execute. The computation only reads
//! the database.

use std::collections::{BTreeMap, BTreeSet};

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, QueryResult, Statement, Value,
};

use crate::Migrator;
use crate::work::WorkSubject;
pub use crate::work::{Action, RowWork};

/// Number of rows up to which a table without statistics is counted on PostgreSQL.
const COUNTED_ROWS: u64 = 100_000;

/// Number of rows of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableSize {
    /// The table does not exist yet.
    NoTable,
    /// The rows were counted.
    Counted(u64),
    /// The number is estimated from PostgreSQL's statistics.
    Estimated(u64),
}

impl TableSize {
    /// Returns the number. 0 if the table does not exist.
    #[must_use]
    pub fn count(self) -> u64 {
        match self {
            Self::NoTable => 0,
            Self::Counted(rows) | Self::Estimated(rows) => rows,
        }
    }
}

/// Planned work on one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedChange {
    /// Name of the table.
    pub table: String,
    /// Kind of work.
    pub action: Action,
    /// Number of rows of the table before all steps.
    pub rows: TableSize,
}

/// A pending step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedStep {
    /// Name of the migration.
    pub name: String,
    /// True if the step is one transaction on PostgreSQL, so that its locks last until it is done. On SQLite
    /// each step is one transaction.
    pub is_transaction: bool,
    /// Work in the order of its execution, without repeated pairs of table and action.
    pub changes: Vec<PlannedChange>,
}

/// Returns the pending steps with their work. Changes nothing.
///
/// # Errors
/// If the database cannot be read.
pub async fn plan(connection: &DatabaseConnection) -> Result<Vec<PlannedStep>, DbErr> {
    let backend = connection.get_database_backend();
    let applied = crate::applied(connection).await?;
    let applied: BTreeSet<&str> = applied.iter().map(|model| model.version.as_str()).collect();
    let mut counts = BTreeMap::new();
    let mut planned = Vec::new();
    for step in Migrator::steps() {
        if applied.contains(step.name()) {
            continue;
        }
        let mut changes: Vec<PlannedChange> = Vec::new();
        for work in step.works(backend) {
            let Some(table) = table_of(connection, work.on).await? else { continue };
            if changes.iter().any(|change| change.table == table && change.action == work.action) {
                continue;
            }
            let rows = match counts.get(&table) {
                Some(rows) => *rows,
                None => rows_of(connection, &table).await?,
            };
            counts.insert(table.clone(), rows);
            changes.push(PlannedChange { table, action: work.action, rows });
        }
        let is_transaction = step.use_transaction().unwrap_or(true);
        planned.push(PlannedStep { name: step.name().to_owned(), is_transaction, changes });
    }
    Ok(planned)
}

/// Returns the table. `None` if the subject is an index that does not exist yet.
async fn table_of(connection: &DatabaseConnection, subject: WorkSubject) -> Result<Option<String>, DbErr> {
    let index = match subject {
        WorkSubject::Table(table) => return Ok(Some(table)),
        WorkSubject::OfIndex(index) => index,
    };
    let sql = match connection.get_database_backend() {
        DbBackend::Postgres => {
            "SELECT CAST(tablename AS text) FROM pg_indexes WHERE indexname = $1 AND schemaname = current_schema()"
        }
        _ => "SELECT tbl_name FROM sqlite_master WHERE type = 'index' AND name = $1",
    };
    let row = query(connection, sql, &index).await?;
    row.map(|row| row.try_get_by_index(0)).transpose()
}

async fn rows_of(connection: &DatabaseConnection, table: &str) -> Result<TableSize, DbErr> {
    if !SchemaManager::new(connection).has_table(table).await? {
        return Ok(TableSize::NoTable);
    }
    let count = format!("SELECT COUNT(*) FROM {table}");
    if connection.get_database_backend() != DbBackend::Postgres {
        return Ok(TableSize::Counted(number(connection, &count).await?));
    }
    let sql = "SELECT CAST(reltuples AS bigint) FROM pg_class WHERE oid = to_regclass($1)";
    let row = query(connection, sql, table).await?;
    let estimate: i64 = row.map(|row| row.try_get_by_index(0)).transpose()?.unwrap_or_default();
    match <u64 as TryFrom<i64>>::try_from(estimate) {
        Ok(rows) if rows > COUNTED_ROWS => Ok(TableSize::Estimated(rows)),
        // Statistics may be missing, or older than the rows.
        _ => {
            let counted =
                format!("SELECT COUNT(*) FROM (SELECT 1 FROM {table} LIMIT {}) t", COUNTED_ROWS + 1);
            let rows = number(connection, &counted).await?;
            if rows <= COUNTED_ROWS {
                return Ok(TableSize::Counted(rows));
            }
            // Estimate from the size of the table, at an average of 200 bytes per row.
            let size = format!("SELECT pg_relation_size('{table}') / 200");
            Ok(TableSize::Estimated(Ord::max(number(connection, &size).await?, rows)))
        }
    }
}

async fn query(
    connection: &DatabaseConnection,
    sql: &str,
    value: &str,
) -> Result<Option<QueryResult>, DbErr> {
    let backend = connection.get_database_backend();
    let value: Value = value.into();
    connection.query_one_raw(Statement::from_sql_and_values(backend, sql, [value])).await
}

async fn number(connection: &DatabaseConnection, sql: &str) -> Result<u64, DbErr> {
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    let row = connection.query_one_raw(statement).await?;
    let number: i64 = row.map(|row| row.try_get_by_index(0)).transpose()?.unwrap_or_default();
    Ok(<u64 as TryFrom<i64>>::try_from(number).unwrap_or_default())
}
