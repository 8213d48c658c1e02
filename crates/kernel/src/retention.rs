//! Deletion of expired rows in steps, so that other writers do not wait long and no statement grows with the
//! backlog.

use sea_orm::{ConnectionTrait, Value};

use crate::error::Result;
use crate::statement::execute;

/// Maximum number of rows that one statement deletes.
const STEP: u32 = 500;

/// Expired rows of a table.
#[derive(Clone, Copy, Debug)]
pub struct ExpiredRows {
    pub table: &'static str,
    /// Columns of the primary key, separated by commas.
    pub key: &'static str,
    /// Condition that selects expired rows, with `$1` and so on for values. It should use an index.
    pub condition: &'static str,
}

impl ExpiredRows {
    /// Deletes all matching rows, and returns their number.
    pub async fn delete(&self, connection: &impl ConnectionTrait, values: &[Value]) -> Result<u64> {
        let Self { table, key, condition } = self;
        repeat_in_steps(connection, &format!(
            "DELETE FROM {table} WHERE ({key}) IN (SELECT {key} FROM {table} WHERE {condition} LIMIT {STEP})"
        ), values, STEP)
        .await
    }
}

/// Repeats a statement, which changes at most `step` rows, until it changes fewer. Returns the number of changed rows.
pub async fn repeat_in_steps(
    connection: &impl ConnectionTrait,
    sql: &str,
    values: &[Value],
    step: u32,
) -> Result<u64> {
    let mut changed = 0;
    loop {
        let count = execute(connection, sql, values.iter().cloned()).await?;
        changed += count;
        if count < u64::from(step) {
            return Ok(changed);
        }
    }
}
