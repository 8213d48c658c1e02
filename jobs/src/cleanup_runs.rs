//! The last run of each cleanup.

use std::time::Duration;

use entities::cleanup_run;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, EntityTrait};

use kernel::{Domain, Millis, Result};

/// A completed run of a cleanup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CleanupRun {
    /// Name of the cleanup.
    pub what: String,
    pub ended_at: Millis,
    /// Duration in milliseconds.
    pub took_ms: Millis,
    /// Number of deleted rows.
    pub deleted: i64,
    /// Error message, if the run failed.
    pub error: Option<String>,
}

/// Stores the result of a run, replacing the previous one.
pub async fn record_cleanup_run(
    domain: &Domain,
    what: &'static str,
    took: Duration,
    outcome: &Result<u64>,
) -> Result<()> {
    let row = cleanup_run::ActiveModel {
        what: Set(what.to_owned()),
        ended_at: Set(domain.now()),
        took_ms: Set(i64::try_from(took.as_millis()).unwrap_or(i64::MAX)),
        deleted: Set(outcome.as_ref().map_or(0, |count| i64::try_from(*count).unwrap_or(i64::MAX))),
        error: Set(outcome.as_ref().err().map(|error| error.message.clone())),
    };
    let replace = OnConflict::column(cleanup_run::Column::What)
        .update_columns([
            cleanup_run::Column::EndedAt,
            cleanup_run::Column::TookMs,
            cleanup_run::Column::Deleted,
            cleanup_run::Column::Error,
        ])
        .to_owned();
    cleanup_run::Entity::insert(row).on_conflict(replace).exec_without_returning(domain.db().write()).await?;
    Ok(())
}

/// Returns the last run of every cleanup, in no particular order.
pub async fn cleanup_runs(domain: &Domain) -> Result<Vec<CleanupRun>> {
    let rows = cleanup_run::Entity::find().all(domain.db().read()).await?;
    Ok(rows
        .into_iter()
        .map(|row| CleanupRun {
            what: row.what,
            ended_at: row.ended_at,
            took_ms: row.took_ms,
            deleted: row.deleted,
            error: row.error,
        })
        .collect())
}
