//! Writes of one transaction, sent as a batch. On PostgreSQL, where each statement costs a round trip, they are
//! combined into one statement. On SQLite, which supports no such statement and has no round trips, they are executed
//! one by one.
//!
//! On PostgreSQL the writes do not see each other's effects. Therefore no write may read rows that another
//! write of the batch changes, and no two writes may change the same row: PostgreSQL applies the first change
//! and silently drops the second.

use std::fmt::Write as _;

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, QueryTrait, Statement, Value, Values};

use crate::db::{Backend, Database, code_of};
use crate::error::{Error, Result};
use crate::statement::{execute, statement};

/// SQLSTATE of PostgreSQL for a division by zero.
const DIVISION_BY_ZERO: &str = "22012";

/// Writes of a transaction that have not been sent yet.
pub struct Writes<'a> {
    transaction: &'a DatabaseTransaction,
    pending: Vec<CheckedWrite>,
}

/// A write, and the error to return if it does not change exactly one row.
struct CheckedWrite {
    statement: Statement,
    otherwise: Option<fn() -> Error>,
}

impl<'a> Writes<'a> {
    /// Creates an empty batch for a transaction.
    pub fn of(transaction: &'a DatabaseTransaction) -> Self {
        Self { transaction, pending: Vec::new() }
    }

    /// Adds an insert, update, or delete.
    pub fn add(&mut self, write: &impl QueryTrait) {
        let statement = write.build(self.transaction.get_database_backend());
        self.pending.push(CheckedWrite { statement, otherwise: None });
    }

    /// Adds an SQL write for both databases. `$` may only occur before a value's number, and the statement
    /// must not return rows.
    pub fn add_sql(&mut self, sql: &str, values: impl IntoIterator<Item = Value>) {
        let statement = statement(self.transaction, sql, values);
        self.pending.push(CheckedWrite { statement, otherwise: None });
    }

    /// Adds a write that must change one row. If it does not, sending fails with this error, and the
    /// transaction must not be committed.
    pub fn add_one(&mut self, sql: &str, values: impl IntoIterator<Item = Value>, otherwise: fn() -> Error) {
        let statement = statement(self.transaction, sql, values);
        self.pending.push(CheckedWrite { statement, otherwise: Some(otherwise) });
    }

    /// Sends the writes.
    ///
    /// # Errors
    /// Database errors, and the error of a write that did not change its row.
    pub async fn send(self) -> Result<()> {
        let Self { transaction, pending } = self;
        let is_batched = transaction.get_database_backend() == DbBackend::Postgres && pending.len() > 1;
        if !is_batched {
            for CheckedWrite { statement, otherwise } in pending {
                let changed = transaction.execute_raw(statement).await?.rows_affected();
                if let Some(otherwise) = otherwise.filter(|_| changed != 1) {
                    return Err(otherwise());
                }
            }
            return Ok(());
        }
        let (statements, expected): (Vec<_>, Vec<_>) =
            pending.into_iter().map(|write| (write.statement, write.otherwise)).unzip();
        let row = transaction.query_one_raw(combine(statements)).await?;
        let row = row.ok_or_else(|| Error::internal("batched writes returned no row"))?;
        for (index, otherwise) in expected.into_iter().enumerate() {
            if let Some(otherwise) = otherwise
                && row.try_get_by_index::<i64>(index)? != 1
            {
                return Err(otherwise());
            }
        }
        Ok(())
    }
}

/// A write that is executed only if the previous write changed a row: SQL for both databases with `{done}` in its
/// condition, and its values.
pub struct Effect {
    pub sql: &'static str,
    pub values: Vec<Value>,
}

/// Executes a write and, if it changed a row, its effect, in a transaction of their own: one statement on PostgreSQL.
///
/// # Errors
/// Database errors; `otherwise` if the write or the effect did not change exactly one row. Nothing is then written.
pub async fn execute_with_effect(
    database: &Database,
    first: Statement,
    effect: Effect,
    otherwise: fn() -> Error,
) -> Result<()> {
    let Effect { sql, values } = effect;
    if database.backend() == Backend::Postgres {
        let before = first.values.map(|Values(values)| values).unwrap_or_default();
        let sql = renumber(&sql.replace("{done}", "EXISTS (SELECT 1 FROM done)"), before.len());
        // If only the write changed a row, the division by zero undoes the statement.
        let sql = format!(
            "WITH done AS ({} RETURNING 1), effect AS ({sql} RETURNING 1) \
             SELECT CASE WHEN EXISTS (SELECT 1 FROM done) THEN 1 / (SELECT count(*) FROM effect) ELSE 0 END",
            first.sql
        );
        let both = statement(database.write(), &sql, before.into_iter().chain(values));
        return match database.write().query_one_raw(both).await {
            Ok(Some(row)) if row.try_get_by_index::<i64>(0)? == 1 => Ok(()),
            Ok(_) => Err(otherwise()),
            Err(error) if code_of(&error).is_some_and(|code| code == DIVISION_BY_ZERO) => Err(otherwise()),
            Err(error) => Err(error.into()),
        };
    }
    let transaction = database.begin().await?;
    let is_done = transaction.execute_raw(first).await?.rows_affected() == 1;
    if !is_done || execute(&transaction, &sql.replace("{done}", "TRUE"), values).await? != 1 {
        return Err(otherwise());
    }
    Ok(transaction.commit().await?)
}

/// Combines the writes into one PostgreSQL statement that returns the number of rows each changed.
fn combine(statements: Vec<Statement>) -> Statement {
    let mut values = Vec::new();
    let (mut writes, mut counts) = (String::new(), String::new());
    for (index, statement) in statements.into_iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        let sql = renumber(&statement.sql, values.len());
        // Writing to a string does not fail.
        let _ = write!(writes, "{comma}w{index} AS ({sql} RETURNING 1)");
        let _ = write!(counts, "{comma}(SELECT count(*) FROM w{index})");
        values.extend(statement.values.map(|Values(values)| values).unwrap_or_default());
    }
    Statement::from_sql_and_values(DbBackend::Postgres, format!("WITH {writes} SELECT {counts}"), values)
}

/// Renumbers the values of a statement that follows `before` other values.
fn renumber(sql: &str, before: usize) -> String {
    let mut parts = sql.split('$');
    let mut renumbered = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = part.split_at(digits);
        let number = number.parse::<usize>().unwrap_or_default() + before;
        let _ = write!(renumbered, "${number}{rest}");
    }
    renumbered
}

#[cfg(test)]
mod tests {
    use sea_orm::TransactionTrait;

    use super::*;
    use crate::statement::scalar;
    use crate::testing::TestDatabase;

    #[test]
    fn placeholders_are_renumbered_in_a_combined_statement() {
        assert_eq!(
            renumber("UPDATE t SET a = $2 WHERE b = $1 AND c = $10", 3),
            "UPDATE t SET a = $5 WHERE b = $4 AND c = $13"
        );
        assert_eq!(renumber("DELETE FROM t", 3), "DELETE FROM t");
    }

    #[tokio::test]
    async fn writes_are_one_statement_on_postgres_and_report_a_missing_row() {
        for database in TestDatabase::each().await {
            let connection = database.domain.db().write();
            execute(connection, "CREATE TABLE pair (a bigint, b text)", []).await.unwrap();
            let (counted, count) = database.domain.db().clone().counted();
            let transaction = counted.begin().await.unwrap();
            let before = count.load(std::sync::atomic::Ordering::Relaxed);
            let mut writes = Writes::of(&transaction);
            writes.add_sql("INSERT INTO pair (a, b) VALUES ($1, $2)", [1_i64.into(), "one".into()]);
            writes.add_sql("INSERT INTO pair (b, a) VALUES ($2, $1)", [2_i64.into(), "two".into()]);
            writes.send().await.unwrap();
            let statement_count = count.load(std::sync::atomic::Ordering::Relaxed) - before;
            assert_eq!(
                statement_count,
                if database.domain.db().backend() == crate::Backend::Postgres { 1 } else { 2 }
            );
            transaction.commit().await.unwrap();
            let two = "SELECT count(*) FROM pair WHERE a = 2 AND b = 'two'";
            assert_eq!(scalar(connection, two, []).await.unwrap(), 1);
            let transaction = connection.begin().await.unwrap();
            let mut writes = Writes::of(&transaction);
            writes.add_sql("DELETE FROM pair WHERE a = $1", [1_i64.into()]);
            let missing = || Error::internal("the third write");
            writes.add_one("UPDATE pair SET b = $2 WHERE a = $1", [3_i64.into(), "three".into()], missing);
            assert_eq!(writes.send().await.unwrap_err().message, missing().message);
            drop(transaction);
            assert_eq!(scalar(connection, "SELECT count(*) FROM pair", []).await.unwrap(), 2);
        }
    }

    #[tokio::test]
    async fn effect_is_written_only_if_the_first_write_succeeds() {
        for database in TestDatabase::each().await {
            let connection = database.domain.db().write();
            execute(connection, "CREATE TABLE held (a bigint)", []).await.unwrap();
            execute(connection, "CREATE TABLE effect (a bigint, b bigint)", []).await.unwrap();
            execute(connection, "INSERT INTO held (a) VALUES (1)", []).await.unwrap();
            let (counted, count) = database.domain.db().clone().counted();
            let end = |a: i64| statement(connection, "DELETE FROM held WHERE a = $1", [a.into()]);
            let effect = |a: i64| Effect {
                sql: "INSERT INTO effect (b, a) SELECT $2, $1 WHERE {done}",
                values: vec![a.into(), (a + 10).into()],
            };
            let otherwise = || Error::new(crate::code::Code::LeaseLost, "not held");
            let run = |a| execute_with_effect(&counted, end(a), effect(a), otherwise);
            run(1).await.unwrap();
            let statement_count = count.load(std::sync::atomic::Ordering::Relaxed);
            assert_eq!(statement_count, if counted.backend() == Backend::Postgres { 1 } else { 2 });
            assert_eq!(run(1).await.unwrap_err().message, "not held");
            let query = "SELECT count(*) FROM effect WHERE a = 1 AND b = 11";
            assert_eq!(scalar(connection, query, []).await.unwrap(), 1);
            assert_eq!(scalar(connection, "SELECT count(*) FROM effect", []).await.unwrap(), 1);
        }
    }

    #[tokio::test]
    async fn first_write_is_undone_if_the_effect_changes_no_row() {
        for database in TestDatabase::each().await {
            let connection = database.domain.db().write();
            execute(connection, "CREATE TABLE held (a bigint)", []).await.unwrap();
            execute(connection, "CREATE TABLE effect (a bigint)", []).await.unwrap();
            execute(connection, "INSERT INTO held (a) VALUES (1)", []).await.unwrap();
            let first = statement(connection, "DELETE FROM held WHERE a = $1", [1_i64.into()]);
            let effect = Effect { sql: "UPDATE effect SET a = $1 WHERE {done}", values: vec![2_i64.into()] };
            let otherwise = || Error::new(crate::code::Code::LeaseLost, "not held");
            let refused = execute_with_effect(database.domain.db(), first, effect, otherwise).await;
            assert_eq!(refused.unwrap_err().message, "not held");
            assert_eq!(scalar(connection, "SELECT count(*) FROM held", []).await.unwrap(), 1);
        }
    }
}
