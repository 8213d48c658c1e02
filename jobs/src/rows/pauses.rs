//! Paused job kinds. Running jobs may complete; submitted jobs wait. Each claim checks for a pause, so a
//! pause takes effect in every process at its next claim.

use entities::job_pause;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ConnectionTrait, EntityTrait, QueryOrder};

use super::kind::JobKind;
use super::statement::statement;
use kernel::{Domain, Millis, Result};

/// SQL condition that the kind of `job` is not paused.
pub(super) const IS_NOT_PAUSED: &str = "NOT EXISTS (SELECT 1 FROM job_pause p WHERE p.kind = job.kind)";

/// A paused job kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindPause {
    pub kind: JobKind,
    pub paused_at: Millis,
    /// Name of the person or process that paused the kind.
    pub paused_by: String,
}

/// Pauses `kind`: workers start no further jobs of it. Has no effect if the kind is already paused.
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

/// Resumes `kind`. Jobs that were pushed when the kind was paused are pushed again.
pub async fn resume(domain: &Domain, kind: JobKind) -> Result<()> {
    let transaction = domain.db().begin().await?;
    job_pause::Entity::delete_by_id(kind.as_str()).exec(&transaction).await?;
    let sql = "UPDATE job SET pushed_at = NULL WHERE finished_at IS NULL AND state = 'ready' AND kind = $1 \
               AND pushed_at IS NOT NULL";
    transaction.execute_raw(statement(&transaction, sql, [kind.as_str().into()])).await?;
    transaction.commit().await?;
    Ok(())
}

/// Returns the paused kinds. Kinds that this version does not know are omitted.
pub async fn paused(domain: &Domain) -> Result<Vec<KindPause>> {
    let rows =
        job_pause::Entity::find().order_by_asc(job_pause::Column::Kind).all(domain.db().read()).await?;
    let to_pause = |row: job_pause::Model| {
        let kind = JobKind::parse(&row.kind)?;
        Some(KindPause { kind, paused_at: row.paused_at, paused_by: row.paused_by })
    };
    Ok(rows.into_iter().filter_map(to_pause).collect())
}
