//! SQL statements for both databases, and the fragments in which the dialects differ.

use sea_orm::{
    ConnectionTrait, DbBackend, DeleteMany, EntityTrait, IdenStatic, Iterable, Statement, TryGetable, Value,
};

use crate::error::{Result, not_found};

/// Builds a statement with its values, numbered `$1` and so on.
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

/// `($first, …), (…), …` for `count` rows of a `VALUES` list. The values determine the column types.
pub fn rows_of(first: usize, count: usize, columns: usize) -> String {
    let rows: Vec<String> =
        (0..count).map(|row| format!("({})", placeholders(first + row * columns, columns))).collect();
    rows.join(", ")
}

/// All columns of the table with this alias, named `alias_column`: the prefix that `from_query_result(row,
/// "alias_")` reads.
pub fn columns_of<E: EntityTrait>(name: &str) -> String {
    let column = |column: E::Column| {
        let column = column.as_str();
        format!("{name}.{column} AS {name}_{column}")
    };
    E::Column::iter().map(column).collect::<Vec<String>>().join(", ")
}

/// SQL fragment that locks the selected rows until the end of the transaction. Empty on SQLite, where a transaction
/// locks the whole database.
pub fn for_update(connection: &impl ConnectionTrait, what: &str) -> String {
    match connection.get_database_backend() {
        DbBackend::Postgres => format!(" FOR UPDATE OF {what}"),
        _ => String::new(),
    }
}

/// SQL fragment that makes a batch skip rows that another process is changing, if processes share the database. Without
/// it, two batches that wait for each other's rows would deadlock.
pub fn skip_locked(backend: DbBackend) -> &'static str {
    match backend {
        DbBackend::Postgres => "FOR UPDATE SKIP LOCKED",
        _ => "",
    }
}

/// Deletes the row of an account that the conditions of `row` select. `what` is its name in the error.
///
/// # Errors
/// `not_found` if there is no such row.
pub async fn delete_existing<E: EntityTrait>(
    connection: &impl ConnectionTrait,
    row: DeleteMany<E>,
    what: &str,
) -> Result<()> {
    let deleted = row.exec(connection).await?;
    if deleted.rows_affected == 0 { Err(not_found(what)) } else { Ok(()) }
}

/// Executes a statement, and returns the number of changed rows.
pub async fn execute(
    connection: &impl ConnectionTrait,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<u64> {
    Ok(connection.execute_raw(statement(connection, sql, values)).await?.rows_affected())
}

/// The first value of the first row; `None` if there is no row or the value is NULL.
pub async fn scalar_optional<T: TryGetable>(
    connection: &impl ConnectionTrait,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Option<T>> {
    let row = connection.query_one_raw(statement(connection, sql, values)).await?;
    Ok(row.map(|row| row.try_get_by_index::<Option<T>>(0)).transpose()?.flatten())
}

/// The number that a statement returns; 0 if it returns none.
pub async fn scalar(
    connection: &impl ConnectionTrait,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<i64> {
    Ok(scalar_optional(connection, sql, values).await?.unwrap_or(0))
}
