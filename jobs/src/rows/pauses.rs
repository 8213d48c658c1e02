//! Kinds of jobs that no worker begins at the moment. What runs may end; what is submitted waits. The claim itself looks,
//! so a pause holds for every process from the next claim on, and costs nothing while there is none.

use entities::job_pause;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ConnectionTrait, EntityTrait, QueryOrder};

use super::{JobKind, statement};
use kernel::clock::Millis;
use kernel::error::Result;
use kernel::handle::Domain;

/// No worker begins such a job: what a statement about `job` says of it.
pub(super) const IS_NOT_PAUSED: &str = "NOT EXISTS (SELECT 1 FROM job_pause p WHERE p.kind = job.kind)";

/// A kind that is paused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pause {
    /// The kind.
    pub kind: JobKind,
    /// Since when.
    pub paused_at: Millis,
    /// Who paused it, in words.
    pub paused_by: String,
}

/// Has workers begin no further job of `kind`. One that is paused already stays as it is.
///
/// # Errors
/// What the database said.
pub async fn pause(domain: &Domain, kind: JobKind, by: &str) -> Result<()> {
    let row = job_pause::ActiveModel {
        kind: Set(kind.as_str().to_owned()),
        paused_at: Set(domain.now()),
        paused_by: Set(by.to_owned()),
    };
    let nothing = OnConflict::column(job_pause::Column::Kind).do_nothing().to_owned();
    job_pause::Entity::insert(row).on_conflict(nothing).exec_without_returning(domain.db().write()).await?;
    Ok(())
}

/// Lets workers begin jobs of `kind` again. What was on its way when it was paused is sent on its way anew.
///
/// # Errors
/// What the database said.
pub async fn resume(domain: &Domain, kind: JobKind) -> Result<()> {
    let transaction = domain.db().begin().await?;
    job_pause::Entity::delete_by_id(kind.as_str()).exec(&transaction).await?;
    let sql = "UPDATE job SET pushed_at = NULL WHERE finished_at IS NULL AND state = 'ready' AND kind = $1 \
               AND pushed_at IS NOT NULL";
    transaction.execute_raw(statement(&transaction, sql, [kind.as_str().into()])).await?;
    transaction.commit().await?;
    Ok(())
}

/// The kinds that are paused. One that this version does not know is left out.
///
/// # Errors
/// What the database said.
pub async fn paused(domain: &Domain) -> Result<Vec<Pause>> {
    let rows =
        job_pause::Entity::find().order_by_asc(job_pause::Column::Kind).all(domain.db().read()).await?;
    let known = |row: job_pause::Model| {
        let kind = JobKind::parse(&row.kind)?;
        Some(Pause { kind, paused_at: row.paused_at, paused_by: row.paused_by })
    };
    Ok(rows.into_iter().filter_map(known).collect())
}
