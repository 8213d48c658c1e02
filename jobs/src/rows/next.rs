//! Claims the next jobs of a kind directly from the rows: the queue of processes that share only PostgreSQL.

use std::sync::Arc;

use sea_orm::sqlx;
use sea_orm::{DbErr, QueryResult, RuntimeErr};

use super::claimed::Claimed;
use super::database_clock::simulated;
use super::kind::{JobKind, Priority};
use super::sql::{claim_row, claimed_columns, not_paused, postgres_now, read_claimed};
use kernel::db::{DriverPool, fetch};
use kernel::{Domain, Error, Millis, Result};

/// For each priority level, reads the due jobs in order of due time from one index range, then the jobs with
/// a fair-share delay in the same order. Rows locked by another claim are skipped. A range is read only if
/// the ranges before it returned too few rows.
pub(super) const CLAIM_NEXT: &str = concat!(
    claim_row!(postgres_now!()),
    "id = ANY (ARRAY(SELECT drawn.id FROM unnest($7::smallint[]) AS level (priority) CROSS JOIN LATERAL \
       (SELECT due.id FROM (SELECT job.id FROM job WHERE job.kind = $1 AND job.finished_at IS NULL \
          AND job.priority = level.priority AND job.state = 'ready' AND job.run_at <= COALESCE($5, (SELECT ",
    postgres_now!(),
    "))",
    not_paused!(),
    " ORDER BY job.run_at LIMIT $6 FOR UPDATE SKIP LOCKED) AS due \
        UNION ALL SELECT early.id FROM (SELECT job.id FROM job WHERE job.kind = $1 AND job.finished_at IS NULL \
          AND job.in_turn AND job.priority = level.priority AND job.state = 'ready' AND job.run_at > COALESCE($5, (SELECT ",
    postgres_now!(),
    "))",
    not_paused!(),
    " ORDER BY job.run_at LIMIT $6 FOR UPDATE SKIP LOCKED) AS early) AS drawn LIMIT $6))",
    claimed_columns!()
);

const RESUME_NEXT: &str = concat!(
    "UPDATE job SET lease_until = ",
    postgres_now!(),
    " + $2 WHERE kind = $1 AND finished_at IS NULL AND state = 'running' AND worker = $3",
    claimed_columns!()
);

/// Claims up to `limit` due jobs of `kind`: most urgent first, then longest due. `worker` must be unique to
/// this group of claims; see [`claim_all`](super::claim_all).
///
/// # Errors
/// `Unavailable` if the database is unavailable; `Internal` on an embedded database, whose queues are in
/// memory.
pub async fn claim_next(
    domain: &Domain,
    kind: JobKind,
    limit: usize,
    (worker, lease_ms): (&str, Millis),
) -> Result<Vec<Claimed>> {
    let DriverPool::Postgres(pool) = domain.db().quick() else { return Err(embedded_error()) };
    let levels: Vec<i16> = Priority::ALL.map(Priority::as_i16).into();
    let query =
        sqlx::query::<sqlx::Postgres>(CLAIM_NEXT).bind(kind.as_str()).bind(lease_ms).bind(worker.to_owned());
    let query = query.bind(domain.now()).bind(simulated(domain));
    let query = query.bind(i64::try_from(limit).unwrap_or(i64::MAX)).bind(levels);
    let mut claims = read_claims(fetch(pool, query).await, worker)?;
    claims.sort_by_key(|claimed| (std::cmp::Reverse(claimed.priority), claimed.run_at, claimed.id));
    Ok(claims)
}

/// Returns the claims of `kind` that [`claim_next`] made for `worker` but whose response was lost, and renews
/// their leases.
///
/// # Errors
/// Same as for [`claim_next`].
pub async fn resume_next(
    domain: &Domain,
    kind: JobKind,
    (worker, lease_ms): (&str, Millis),
) -> Result<Vec<Claimed>> {
    let DriverPool::Postgres(pool) = domain.db().quick() else { return Err(embedded_error()) };
    let query = sqlx::query::<sqlx::Postgres>(RESUME_NEXT).bind(kind.as_str()).bind(lease_ms);
    read_claims(fetch(pool, query.bind(worker.to_owned())).await, worker)
}

fn read_claims(
    rows: std::result::Result<Vec<sqlx::postgres::PgRow>, sqlx::Error>,
    worker: &str,
) -> Result<Vec<Claimed>> {
    let rows = rows.map_err(|error| DbErr::Query(RuntimeErr::SqlxError(Arc::new(error))))?;
    rows.into_iter().map(|row| read_claimed(&QueryResult::from(row), worker)).collect()
}

fn embedded_error() -> Error {
    Error::internal("an embedded database cannot serve as a queue between processes")
}
