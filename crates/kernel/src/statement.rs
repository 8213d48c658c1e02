//! Statements written once for both databases, and the few words in which all of them are spoken.

use sea_orm::{ConnectionTrait, DbBackend, EntityTrait, IdenStatic, Iterable, Statement, TryGetable, Value};

use crate::error::Result;

/// A statement with its values; `$1` and so on stand for them.
pub fn statement(
    connection: &impl ConnectionTrait,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Statement {
    Statement::from_sql_and_values(connection.get_database_backend(), sql, values)
}

/// `$first, $first+1, …` for `count` values.
pub fn placeholders(first: usize, count: usize) -> String {
    let names: Vec<String> = (first..first + count).map(|at| format!("${at}")).collect();
    names.join(", ")
}

/// `($first, …), (…), …` for `count` rows of a `VALUES` list, whose values bring their types with them.
pub fn rows_of(first: usize, count: usize, columns: usize) -> String {
    let rows: Vec<String> =
        (0..count).map(|row| format!("({})", placeholders(first + row * columns, columns))).collect();
    rows.join(", ")
}

/// All columns of the table that stands under a name in a statement, as `name_column`: what
/// `from_query_result(row, "name_")` reads.
pub fn columns_of<E: EntityTrait>(name: &str) -> String {
    let column = |column: E::Column| {
        let column = column.as_str();
        format!("{name}.{column} AS {name}_{column}")
    };
    E::Column::iter().map(column).collect::<Vec<String>>().join(", ")
}

/// Rows are held until the end of the transaction; on SQLite the transaction holds everything anyway.
pub fn for_update(connection: &impl ConnectionTrait, what: &str) -> String {
    match connection.get_database_backend() {
        DbBackend::Postgres => format!(" FOR UPDATE OF {what}"),
        _ => String::new(),
    }
}

/// Lets a batch pass over rows that another process is changing, where processes share a database; two that wait for each
/// other's rows would otherwise end in a deadlock.
pub fn skip_locked(backend: DbBackend) -> &'static str {
    match backend {
        DbBackend::Postgres => "FOR UPDATE SKIP LOCKED",
        _ => "",
    }
}

/// Runs a statement; returns how many rows it changed.
pub async fn execute(
    connection: &impl ConnectionTrait,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<u64> {
    Ok(connection.execute_raw(statement(connection, sql, values)).await?.rows_affected())
}

/// The first value of the first row that a statement gives; nothing for no row or NULL.
pub async fn scalar_optional<T: TryGetable>(
    connection: &impl ConnectionTrait,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Option<T>> {
    let row = connection.query_one_raw(statement(connection, sql, values)).await?;
    Ok(row.map(|row| row.try_get_by_index::<Option<T>>(0)).transpose()?.flatten())
}

/// The one number that a statement gives; 0 when it gives none.
pub async fn scalar(
    connection: &impl ConnectionTrait,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<i64> {
    Ok(scalar_optional(connection, sql, values).await?.unwrap_or(0))
}
