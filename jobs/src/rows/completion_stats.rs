//! Counts of completed runs per minute and outcome, for charts. Job rows cannot provide them, because most
//! are deleted on completion.

use entities::job_minute;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, Value};

use super::kind::JobKind;
use super::statement::statement;
use kernel::clock::MINUTE;
use kernel::retention::ExpiredRows;
use kernel::{Domain, Millis, Result};

/// Retention: two hours.
const RETAINED_MINUTES: i64 = 120;
const OLD_MINUTES: ExpiredRows =
    ExpiredRows { table: "job_minute", key: "kind, minute, outcome", condition: "minute < $1" };

/// Key of a count: runs of a kind with one outcome within one minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CompletionBucket {
    pub kind: JobKind,
    /// Minutes since 1970.
    pub minute: i64,
    /// Outcome, as in the metrics.
    pub outcome: &'static str,
}

/// Returns the minute of a time, in minutes since 1970.
pub fn minute_of(time: Millis) -> i64 {
    time.div_euclid(MINUTE)
}

/// Adds counts to the stored counts, which all processes share.
pub async fn add_completions(domain: &Domain, counted: &[(CompletionBucket, u64)]) -> Result<()> {
    if counted.is_empty() {
        return Ok(());
    }
    let mut rows = Vec::with_capacity(counted.len());
    let mut values: Vec<Value> = Vec::with_capacity(counted.len() * 4);
    for (bucket, count) in counted {
        let at = values.len() + 1;
        rows.push(format!("(${at}, ${}, ${}, ${})", at + 1, at + 2, at + 3));
        let count = i64::try_from(*count).unwrap_or(i64::MAX);
        values.extend([
            bucket.kind.as_str().into(),
            bucket.minute.into(),
            bucket.outcome.into(),
            count.into(),
        ]);
    }
    let sql = format!(
        "INSERT INTO job_minute (kind, minute, outcome, ends) VALUES {} ON CONFLICT (kind, minute, outcome) \
         DO UPDATE SET ends = job_minute.ends + excluded.ends",
        rows.join(", ")
    );
    let connection = domain.db().write();
    connection.execute_raw(statement(connection, &sql, values)).await?;
    Ok(())
}

/// Returns the counts of the last `minutes`, in no particular order.
pub async fn recent_completions(domain: &Domain, minutes: i64) -> Result<Vec<job_minute::Model>> {
    let first = minute_of(domain.now()) - minutes + 1;
    let rows = job_minute::Entity::find().filter(job_minute::Column::Minute.gte(first));
    Ok(rows.all(domain.db().read()).await?)
}

/// Deletes counts that are more than two hours old. Returns the number of deleted rows.
pub async fn delete_old_minutes(domain: &Domain) -> Result<u64> {
    OLD_MINUTES.delete(domain.db().write(), &[(minute_of(domain.now()) - RETAINED_MINUTES).into()]).await
}
