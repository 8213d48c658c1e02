//! Deleting what has grown old: step by step until nothing is left of it, so that no other writer waits long and
//! no statement grows with what has piled up.

use sea_orm::{ConnectionTrait, Value};

use crate::error::Result;
use crate::statement::execute;

/// Rows that one statement deletes.
const STEP: u32 = 500;

/// The rows of a table that are kept no longer.
#[derive(Clone, Copy, Debug)]
pub struct OldRows {
    /// The table.
    pub table: &'static str,
    /// The columns of its key, parted by commas.
    pub key: &'static str,
    /// What they have in common, with `$1` and so on for values; an index should answer it.
    pub condition: &'static str,
}

impl OldRows {
    /// Deletes all of them; returns how many there were.
    pub async fn delete(&self, connection: &impl ConnectionTrait, values: &[Value]) -> Result<u64> {
        let Self { table, key, condition } = self;
        repeat_in_steps(connection, &format!(
            "DELETE FROM {table} WHERE ({key}) IN (SELECT {key} FROM {table} WHERE {condition} LIMIT {STEP})"
        ), values, STEP)
        .await
    }
}

/// Repeats a statement that changes or deletes `step` rows at most until there are fewer; returns how many there were.
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
