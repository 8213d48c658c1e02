//! Writes of one transaction that are sent together: one statement on PostgreSQL, where each is a round trip; one after
//! the other on SQLite, which knows no such statement and to which none is a trip.
//!
//! On PostgreSQL none of them sees what another does. Nothing is therefore written that is to be read by another of the
//! same group, and no row by two of them: of two changes to one row it keeps the first and says nothing.

use std::fmt::Write as _;

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, QueryTrait, Statement, Value, Values};

use crate::db::{Backend, Database};
use crate::error::{Error, Result};
use crate::statement::{execute, statement};

/// Writes that wait to be sent.
pub struct Writes<'a> {
    transaction: &'a DatabaseTransaction,
    waiting: Vec<Write>,
}

/// A write, and what it means when it does not change exactly one row.
struct Write {
    statement: Statement,
    otherwise: Option<fn() -> Error>,
}

impl<'a> Writes<'a> {
    /// None yet, of a transaction.
    pub fn of(transaction: &'a DatabaseTransaction) -> Self {
        Self { transaction, waiting: Vec::new() }
    }

    /// Adds an insert, an update or a delete.
    pub fn add(&mut self, write: &impl QueryTrait) {
        let statement = write.build(self.transaction.get_database_backend());
        self.waiting.push(Write { statement, otherwise: None });
    }

    /// Adds one in words for both databases. No `$` stands in it but before the number of a value, and it returns
    /// nothing.
    pub fn add_sql(&mut self, sql: &str, values: impl IntoIterator<Item = Value>) {
        let statement = statement(self.transaction, sql, values);
        self.waiting.push(Write { statement, otherwise: None });
    }

    /// Adds one that has to change one row: if it does not, sending fails with that error, and the transaction must not
    /// be committed.
    pub fn add_one(&mut self, sql: &str, values: impl IntoIterator<Item = Value>, otherwise: fn() -> Error) {
        let statement = statement(self.transaction, sql, values);
        self.waiting.push(Write { statement, otherwise: Some(otherwise) });
    }

    /// Sends them.
    ///
    /// # Errors
    /// What the database said, and what was said of a write that changed no row.
    pub async fn send(self) -> Result<()> {
        let Self { transaction, waiting } = self;
        let are_together = transaction.get_database_backend() == DbBackend::Postgres && waiting.len() > 1;
        if !are_together {
            for Write { statement, otherwise } in waiting {
                let changed = transaction.execute_raw(statement).await?.rows_affected();
                if let Some(otherwise) = otherwise.filter(|_| changed != 1) {
                    return Err(otherwise());
                }
            }
            return Ok(());
        }
        let (statements, expected): (Vec<_>, Vec<_>) =
            waiting.into_iter().map(|write| (write.statement, write.otherwise)).unzip();
        let row = transaction.query_one_raw(together(statements)).await?;
        let row = row.ok_or_else(|| Error::internal("writes that were sent together told nothing"))?;
        for (place, otherwise) in expected.into_iter().enumerate() {
            if let Some(otherwise) = otherwise
                && row.try_get_by_index::<i64>(place)? != 1
            {
                return Err(otherwise());
            }
        }
        Ok(())
    }
}

/// A write that is to happen if the one before it changed a row: SQL for both databases whose condition holds `{done}`,
/// and its values.
pub struct Effect {
    /// The write.
    pub sql: &'static str,
    /// Its values.
    pub values: Vec<Value>,
}

/// Carries out a write, and its effect if it changed a row, as a transaction of their own: one statement on PostgreSQL.
///
/// # Errors
/// What the database said; `otherwise` when one of them changed no row, and then the effect is not written.
pub async fn one_after_the_other(
    database: &Database,
    first: Statement,
    effect: Effect,
    otherwise: fn() -> Error,
) -> Result<()> {
    let Effect { sql, values } = effect;
    if database.backend() == Backend::Postgres {
        let before = first.values.map(|Values(values)| values).unwrap_or_default();
        let sql = renumbered(&sql.replace("{done}", "EXISTS (SELECT 1 FROM done)"), before.len());
        let sql = format!("WITH done AS ({} RETURNING 1) {sql}", first.sql);
        let changed = execute(database.write(), &sql, before.into_iter().chain(values)).await?;
        return if changed == 1 { Ok(()) } else { Err(otherwise()) };
    }
    let transaction = database.begin().await?;
    let is_done = transaction.execute_raw(first).await?.rows_affected() == 1;
    if !is_done || execute(&transaction, &sql.replace("{done}", "TRUE"), values).await? != 1 {
        return Err(otherwise());
    }
    Ok(transaction.commit().await?)
}

/// One statement of PostgreSQL that does what all of these do, and tells how many rows each changed.
fn together(statements: Vec<Statement>) -> Statement {
    let mut values = Vec::new();
    let (mut writes, mut counts) = (String::new(), String::new());
    for (place, statement) in statements.into_iter().enumerate() {
        let comma = if place == 0 { "" } else { ", " };
        let sql = renumbered(&statement.sql, values.len());
        // Writing to a text does not fail.
        let _ = write!(writes, "{comma}w{place} AS ({sql} RETURNING 1)");
        let _ = write!(counts, "{comma}(SELECT count(*) FROM w{place})");
        values.extend(statement.values.map(|Values(values)| values).unwrap_or_default());
    }
    Statement::from_sql_and_values(DbBackend::Postgres, format!("WITH {writes} SELECT {counts}"), values)
}

/// A statement whose values come after `before` others.
fn renumbered(sql: &str, before: usize) -> String {
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
    fn values_are_counted_on() {
        assert_eq!(
            renumbered("UPDATE t SET a = $2 WHERE b = $1 AND c = $10", 3),
            "UPDATE t SET a = $5 WHERE b = $4 AND c = $13"
        );
        assert_eq!(renumbered("DELETE FROM t", 3), "DELETE FROM t");
    }

    #[tokio::test]
    async fn writes_are_one_statement_on_postgresql_and_a_missing_row_is_told() {
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
            let sent = count.load(std::sync::atomic::Ordering::Relaxed) - before;
            assert_eq!(sent, if database.domain.db().backend() == crate::Backend::Postgres { 1 } else { 2 });
            transaction.commit().await.unwrap();
            let two = "SELECT count(*) FROM pair WHERE a = 2 AND b = 'two'";
            assert_eq!(scalar(connection, two, []).await.unwrap(), 1);
            let transaction = connection.begin().await.unwrap();
            let mut writes = Writes::of(&transaction);
            writes.add_sql("DELETE FROM pair WHERE a = $1", [1_i64.into()]);
            let missing = || Error::internal("the third");
            writes.add_one("UPDATE pair SET b = $2 WHERE a = $1", [3_i64.into(), "three".into()], missing);
            assert_eq!(writes.send().await.unwrap_err().message, missing().message);
            drop(transaction);
            assert_eq!(scalar(connection, "SELECT count(*) FROM pair", []).await.unwrap(), 2);
        }
    }

    #[tokio::test]
    async fn an_effect_is_written_only_when_what_comes_before_it_was() {
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
            let again = |a| one_after_the_other(&counted, end(a), effect(a), otherwise);
            again(1).await.unwrap();
            let sent = count.load(std::sync::atomic::Ordering::Relaxed);
            assert_eq!(sent, if counted.backend() == Backend::Postgres { 1 } else { 2 });
            assert_eq!(again(1).await.unwrap_err().message, "not held");
            let written = "SELECT count(*) FROM effect WHERE a = 1 AND b = 11";
            assert_eq!(scalar(connection, written, []).await.unwrap(), 1);
            assert_eq!(scalar(connection, "SELECT count(*) FROM effect", []).await.unwrap(), 1);
        }
    }
}
