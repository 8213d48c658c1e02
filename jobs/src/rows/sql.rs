//! Statements for batches of jobs: one round trip and one commit per batch.
//!
//! They bypass sea-orm, run on the engine's own connections (`Database::durable` and `quick`), and stay
//! prepared. PostgreSQL gets arrays; SQLite gets one JSON text, so that the statement is the same for every
//! batch size.

use std::collections::HashSet;
use std::sync::Arc;

use entities::ids::JobId;
use sea_orm::sqlx;
use sea_orm::sqlx::postgres::PgArguments;
use sea_orm::sqlx::query::Query;
use sea_orm::{DbErr, QueryResult, RuntimeErr};
use serde_json::json;
use uuid::Uuid;

use super::batches::CompletedClaim;
use super::claim_id::ClaimId;
use super::claimed::Claimed;
use super::kind::{JobKind, Priority};
use super::slot_permit::SlotPermit;
use kernel::db::{Connections, DriverPool, fetch};
use kernel::{Error, Millis, Result};

/// Result of a batch statement. An error applies to every member of the batch.
pub(super) type SqlResult<T> = std::result::Result<T, DbErr>;

/// A job and the fence of one of its claims.
pub(super) type Claim = (JobId, i64);

macro_rules! postgres_now {
    () => {
        "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)"
    };
}

macro_rules! sqlite_now {
    () => {
        "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
    };
}

/// Columns that a claim returns.
macro_rules! claimed_columns {
    () => {
        " RETURNING id, kind, key, payload, priority, attempts, fence, run_at, created_at, request_id, lost_starts"
    };
}

/// Condition that the job's kind is not paused.
macro_rules! not_paused {
    () => {
        " AND NOT EXISTS (SELECT 1 FROM job_pause p WHERE p.kind = job.kind)"
    };
}

macro_rules! claim_row {
    ($now:expr) => {
        concat!(
            "UPDATE job SET state = 'running', lease_until = ",
            $now,
            " + $2, fence = fence + 1, attempts = attempts + 1, worker = $3, started_at = $4, pushed_at = NULL \
             WHERE state = 'ready' AND "
        )
    };
}

/// Skips rows that are locked by another transaction, so that no claim waits and two batches never wait for
/// each other.
const CLAIM_POSTGRES: &str = concat!(
    claim_row!(postgres_now!()),
    "id = ANY (ARRAY(SELECT id FROM job WHERE id = ANY ($1) AND state = 'ready' \
       AND (pushed_at IS NOT NULL OR in_turn OR run_at <= COALESCE($5, (SELECT ",
    postgres_now!(),
    ")))",
    not_paused!(),
    " FOR UPDATE SKIP LOCKED))",
    claimed_columns!()
);

pub(super) const CLAIM_SQLITE: &str = concat!(
    claim_row!(sqlite_now!()),
    "id IN (SELECT unhex(n.value) FROM json_each($1) AS n) AND (pushed_at IS NOT NULL OR in_turn OR run_at <= COALESCE($5, ",
    sqlite_now!(),
    "))",
    not_paused!(),
    claimed_columns!()
);

const RESUME_POSTGRES: &str = concat!(
    "UPDATE job SET lease_until = ",
    postgres_now!(),
    " + $2 WHERE id = ANY ($1) AND state = 'running' AND worker = $3",
    claimed_columns!()
);

const RESUME_SQLITE: &str = concat!(
    "UPDATE job SET lease_until = ",
    sqlite_now!(),
    " + $2 WHERE id IN (SELECT unhex(n.value) FROM json_each($1) AS n) AND state = 'running' AND worker = $3",
    claimed_columns!()
);

const READY_POSTGRES: &str = concat!(
    "SELECT id FROM job WHERE id = ANY ($1) AND state = 'ready' AND pushed_at IS NOT NULL",
    not_paused!()
);

const READY_SQLITE: &str = concat!(
    "SELECT id FROM job WHERE id IN (SELECT unhex(n.value) FROM json_each($1) AS n) \
     AND state = 'ready' AND pushed_at IS NOT NULL",
    not_paused!()
);

/// Condition that the claims are still the newest claims of their jobs, compared by fence and claim name.
macro_rules! claimed_by_postgres {
    ($from:literal, $ids:literal, $fences:literal, $workers:literal) => {
        concat!(
            $from,
            " unnest(",
            $ids,
            "::uuid[], ",
            $fences,
            "::bigint[], ",
            $workers,
            "::text[]) AS h (id, fence, worker) WHERE job.id = h.id AND job.fence = h.fence AND job.worker = h.worker \
             AND job.state = 'running'"
        )
    };
}

/// Subquery for the rowids of jobs whose newest claim is among the given claims. SQLite looks up each job by
/// its id.
macro_rules! claimed_by_sqlite {
    () => {
        "(SELECT job.rowid FROM json_each($1) AS h CROSS JOIN job ON job.id = unhex(h.value ->> 0) \
         AND job.fence = h.value ->> 1 AND job.worker = h.value ->> 2 AND job.state = 'running')"
    };
}

macro_rules! complete_row {
    ($finished_at:literal) => {
        concat!(
            "UPDATE job SET state = 'complete', lease_until = NULL, error_code = NULL, error_message = NULL, finished_at = ",
            $finished_at,
            " "
        )
    };
}

pub(super) use {
    claim_row, claimed_by_postgres, claimed_columns, complete_row, not_paused, postgres_now, sqlite_now,
};

const DELETE_POSTGRES: &str = concat!(
    "DELETE FROM job ",
    claimed_by_postgres!("USING", "$1", "$2", "$3"),
    " RETURNING job.id, job.fence"
);

const COMPLETE_POSTGRES: &str = concat!(
    complete_row!("$4"),
    claimed_by_postgres!("FROM", "$1", "$2", "$3"),
    " RETURNING job.id, job.fence"
);

/// Skips a row whose effect is being written. The caller separately checks the claims that were not renewed.
const RENEW_POSTGRES: &str = concat!(
    "UPDATE job SET lease_until = ",
    postgres_now!(),
    " + $4 WHERE id = ANY (ARRAY(SELECT job.id ",
    "FROM job JOIN unnest($1::uuid[], $2::bigint[], $3::text[]) AS h (id, fence, worker) \
     ON job.id = h.id AND job.fence = h.fence AND job.worker = h.worker WHERE job.state = 'running' \
     FOR UPDATE OF job SKIP LOCKED)) RETURNING id, fence"
);

const RENEW_SQLITE: &str = concat!(
    "UPDATE job SET lease_until = ",
    sqlite_now!(),
    " + $2 WHERE rowid IN ",
    claimed_by_sqlite!(),
    " RETURNING id, fence"
);

const NEWEST_POSTGRES: &str = "SELECT job.id, job.fence FROM job, unnest($1::uuid[], $2::bigint[], $3::text[]) AS h (id, fence, worker) \
     WHERE job.id = h.id AND job.fence = h.fence AND job.worker = h.worker AND job.state = 'running'";

const NEWEST_SQLITE: &str = concat!("SELECT id, fence FROM job WHERE rowid IN ", claimed_by_sqlite!());

/// All PostgreSQL statements that select jobs by id.
#[cfg(test)]
pub(super) const BY_ID_STATEMENTS: [&str; 7] = [
    CLAIM_POSTGRES, RESUME_POSTGRES, READY_POSTGRES, DELETE_POSTGRES, COMPLETE_POSTGRES, RENEW_POSTGRES,
    NEWEST_POSTGRES,
];

/// Claims the jobs that are ready, due, and not locked by another transaction.
pub(super) async fn claim(
    pool: DriverPool<'_>,
    jobs: &[JobId],
    (worker, lease_ms): (&str, Millis),
    (now, due): (Millis, Option<Millis>),
) -> Result<Vec<Claimed>> {
    let rows = match pool {
        DriverPool::Postgres(pool) => {
            let query = sqlx::query::<sqlx::Postgres>(CLAIM_POSTGRES).bind(uuids(jobs)).bind(lease_ms);
            let query = query.bind(worker.to_owned()).bind(now).bind(due);
            query_results(fetch(pool, query).await)
        }
        DriverPool::Sqlite(pool) => {
            let query = sqlx::query::<sqlx::Sqlite>(CLAIM_SQLITE).bind(id_list(jobs)).bind(lease_ms);
            let query = query.bind(worker.to_owned()).bind(now).bind(due);
            query_results(query.fetch_all(pool).await)
        }
    };
    rows?.iter().map(|row| read_claimed(row, worker)).collect()
}

/// Returns the existing claims of `worker`, and renews their leases.
pub(super) async fn resume(
    pool: DriverPool<'_>,
    jobs: &[JobId],
    (worker, lease_ms): (&str, Millis),
) -> Result<Vec<Claimed>> {
    let rows = match pool {
        DriverPool::Postgres(pool) => {
            let query = sqlx::query::<sqlx::Postgres>(RESUME_POSTGRES).bind(uuids(jobs)).bind(lease_ms);
            query_results(fetch(pool, query.bind(worker.to_owned())).await)
        }
        DriverPool::Sqlite(pool) => {
            let query = sqlx::query::<sqlx::Sqlite>(RESUME_SQLITE).bind(id_list(jobs)).bind(lease_ms);
            query_results(query.bind(worker.to_owned()).fetch_all(pool).await)
        }
    };
    rows?.iter().map(|row| read_claimed(row, worker)).collect()
}

/// Returns the jobs that are in the transport: pushed and not yet claimed.
pub(super) async fn in_transport(pool: DriverPool<'_>, jobs: &[JobId]) -> SqlResult<HashSet<JobId>> {
    let rows = match pool {
        DriverPool::Postgres(pool) => {
            query_results(fetch(pool, sqlx::query::<sqlx::Postgres>(READY_POSTGRES).bind(uuids(jobs))).await)
        }
        DriverPool::Sqlite(pool) => {
            query_results(sqlx::query::<sqlx::Sqlite>(READY_SQLITE).bind(id_list(jobs)).fetch_all(pool).await)
        }
    };
    ids(&rows?)
}

/// Same as [`in_transport`], but on the batch connections.
pub(super) async fn in_transport_on(connections: &Connections, jobs: &[JobId]) -> SqlResult<HashSet<JobId>> {
    ids(&query_results(connections.fetch(sqlx::query(READY_POSTGRES).bind(uuids(jobs))).await)?)
}

/// Deletes the rows of these claims. Returns the claims that were still the newest.
pub(super) async fn delete(
    connections: &Connections,
    completions: &[CompletedClaim],
) -> SqlResult<HashSet<Claim>> {
    let claim_ids: Vec<ClaimId> = completions.iter().map(ClaimId::from).collect();
    claims(&query_results(connections.fetch(bind_claims(DELETE_POSTGRES, &claim_ids, None)).await)?)
}

/// Marks the rows of these claims as complete. Returns the claims that were still the newest.
pub(super) async fn complete(
    connections: &Connections,
    completions: &[CompletedClaim],
) -> SqlResult<HashSet<Claim>> {
    let claim_ids: Vec<ClaimId> = completions.iter().map(ClaimId::from).collect();
    let finished_at = completions.iter().map(|end| end.finished_at).max();
    claims(&query_results(connections.fetch(bind_claims(COMPLETE_POSTGRES, &claim_ids, finished_at)).await)?)
}

/// Renews the leases of these claims. Returns the claims that were renewed.
pub(super) async fn renew(
    pool: DriverPool<'_>,
    claim_ids: &[ClaimId],
    lease_ms: Millis,
) -> SqlResult<HashSet<Claim>> {
    by_claims(pool, (RENEW_POSTGRES, RENEW_SQLITE), claim_ids, Some(lease_ms)).await
}

/// Returns the claims that are the newest claims of their jobs.
pub(super) async fn newest(pool: DriverPool<'_>, claim_ids: &[ClaimId]) -> SqlResult<HashSet<Claim>> {
    by_claims(pool, (NEWEST_POSTGRES, NEWEST_SQLITE), claim_ids, None).await
}

/// Same as [`newest`], but on the batch connections.
pub(super) async fn newest_on(connections: &Connections, claim_ids: &[ClaimId]) -> SqlResult<HashSet<Claim>> {
    claims(&query_results(connections.fetch(bind_claims(NEWEST_POSTGRES, claim_ids, None)).await)?)
}

async fn by_claims(
    pool: DriverPool<'_>,
    (postgres, sqlite): (&'static str, &'static str),
    claim_ids: &[ClaimId],
    number: Option<Millis>,
) -> SqlResult<HashSet<Claim>> {
    let rows = match pool {
        DriverPool::Postgres(pool) => {
            query_results(fetch(pool, bind_claims(postgres, claim_ids, number)).await)
        }
        DriverPool::Sqlite(pool) => {
            let claim_ids: Vec<_> =
                claim_ids.iter().map(|claim| json!([hex(claim.id), claim.fence, claim.worker])).collect();
            let mut query = sqlx::query::<sqlx::Sqlite>(sqlite).bind(json!(claim_ids).to_string());
            if let Some(number) = number {
                query = query.bind(number);
            }
            query_results(query.fetch_all(pool).await)
        }
    };
    claims(&rows?)
}

/// Binds claims, and `number` if it is given, to a PostgreSQL statement.
fn bind_claims(
    sql: &'static str,
    claim_ids: &[ClaimId],
    number: Option<Millis>,
) -> Query<'static, sqlx::Postgres, PgArguments> {
    let query = sqlx::query::<sqlx::Postgres>(sql)
        .bind(claim_ids.iter().map(|claim| claim.id.as_uuid()).collect::<Vec<Uuid>>())
        .bind(claim_ids.iter().map(|claim| claim.fence).collect::<Vec<i64>>())
        .bind(claim_ids.iter().map(|claim| claim.worker.clone()).collect::<Vec<String>>());
    match number {
        Some(number) => query.bind(number),
        None => query,
    }
}

/// Reads the claims from returned rows.
fn claims(rows: &[QueryResult]) -> SqlResult<HashSet<Claim>> {
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}

pub(super) fn query_results<R: Into<QueryResult>>(
    rows: std::result::Result<Vec<R>, sqlx::Error>,
) -> SqlResult<Vec<QueryResult>> {
    let rows = rows.map_err(|error| DbErr::Query(RuntimeErr::SqlxError(Arc::new(error))))?;
    Ok(rows.into_iter().map(Into::into).collect())
}

fn ids(rows: &[QueryResult]) -> SqlResult<HashSet<JobId>> {
    rows.iter().map(|row| row.try_get_by_index::<JobId>(0)).collect()
}

pub(super) fn read_claimed(row: &QueryResult, worker: &str) -> Result<Claimed> {
    let id: JobId = row.try_get_by_index(0)?;
    let kind: String = row.try_get_by_index(1)?;
    let Some(kind) = JobKind::parse(&kind) else {
        return Err(Error::internal(format!("job {id} has the unknown kind `{kind}`")));
    };
    Ok(Claimed {
        id,
        kind,
        key: row.try_get_by_index(2)?,
        payload: row.try_get_by_index(3)?,
        priority: Priority::from_i16(row.try_get_by_index(4)?),
        attempt: u32::try_from(row.try_get_by_index::<i32>(5)?).unwrap_or(0),
        fence: row.try_get_by_index(6)?,
        worker: worker.to_owned(),
        run_at: row.try_get_by_index(7)?,
        created_at: row.try_get_by_index(8)?,
        request_id: row.try_get_by_index(9)?,
        lost_starts: u32::try_from(row.try_get_by_index::<i32>(10)?).unwrap_or(0),
        slot: SlotPermit::default(),
    })
}

fn uuids(jobs: &[JobId]) -> Vec<Uuid> {
    jobs.iter().map(|id| id.as_uuid()).collect()
}

pub(super) fn id_list(jobs: &[JobId]) -> String {
    json!(jobs.iter().map(|id| hex(*id)).collect::<Vec<String>>()).to_string()
}

pub(super) fn hex(id: JobId) -> String {
    id.as_uuid().simple().to_string()
}
