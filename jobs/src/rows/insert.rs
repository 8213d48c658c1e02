//! The statement that inserts new jobs on PostgreSQL in batches: as ready, or as running if a slot was
//! reserved.

use std::collections::HashMap;

use entities::ids::JobId;
use entities::job::JobState;
use sea_orm::QueryResult;
use sea_orm::sqlx::postgres::PgArguments;
use sea_orm::sqlx::query::Query;
use sea_orm::sqlx::{self, Postgres};
use uuid::Uuid;

use super::batches::NewRow;
use super::sql::{SqlResult, postgres_now, query_results};
use kernel::Millis;
use kernel::db::Connections;

/// Fence of a row inserted as `running`.
pub(super) const FIRST_CLAIM: i64 = 1;

/// Statement that inserts the rows. Rows with a claim name are inserted as `running`, unless their kind is
/// paused.
macro_rules! new_row {
    () => {
        concat!(
            "INSERT INTO job (id, kind, key, payload, priority, run_at, state, attempts, fence, pushed_at, created_at, \
               request_id, worker, lease_until, started_at, in_turn) \
             SELECT n.id, n.kind, n.key, n.payload, n.priority, n.run_at, \
               CASE WHEN n.begins THEN 'running' ELSE 'ready' END, CASE WHEN n.begins THEN 1 ELSE 0 END, \
               CASE WHEN n.begins THEN 1 ELSE 0 END, CASE WHEN n.is_pushed AND NOT n.begins THEN ",
            postgres_now!(),
            " END, n.created_at, n.request_id, CASE WHEN n.begins THEN n.worker END, \
               CASE WHEN n.begins THEN ",
            postgres_now!(),
            " + n.lease_ms END, CASE WHEN n.begins THEN n.created_at END, n.in_turn FROM n WHERE TRUE \
             ON CONFLICT DO NOTHING RETURNING id, state, run_at"
        )
    };
}

/// Common table expression with the rows to insert.
macro_rules! new_rows {
    () => {
        concat!(
            "WITH n AS MATERIALIZED (SELECT g.id, g.kind, g.key, g.payload, g.priority, COALESCE(g.run_at, $9, ",
            postgres_now!(),
            ") AS run_at, g.is_pushed, g.created_at, g.request_id, g.worker, g.lease_ms, g.in_turn, g.worker IS NOT NULL \
               AND NOT EXISTS (SELECT 1 FROM job_pause p WHERE p.kind = g.kind) AS begins \
             FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::smallint[], $6::bigint[], $7::boolean[], \
               $8::bigint[], $10::text[], $11::text[], $12::bigint[], $13::boolean[]) \
               AS g (id, kind, key, payload, priority, run_at, is_pushed, created_at, request_id, worker, lease_ms, in_turn))"
        )
    };
}

const INSERT: &str = concat!(new_rows!(), " ", new_row!());

pub(super) use {new_row, new_rows};

/// State of an inserted row: ready, or running in its slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inserted {
    /// True if the job runs in its reserved slot.
    pub(super) is_running: bool,
    /// Due time. `None` if the statement did not return it.
    pub(super) run_at: Option<Millis>,
}

/// Inserts the rows, except those whose kind and key already have a live job. Returns the inserted ids and
/// their states.
pub(super) async fn insert(
    connections: &Connections,
    rows: &[NewRow],
    due: Option<Millis>,
) -> SqlResult<HashMap<JobId, Inserted>> {
    let results = query_results(connections.fetch(bind_rows(sqlx::query(INSERT), rows, due)).await);
    results?.iter().map(read_inserted).collect()
}

/// Reads a row of `RETURNING id, state, run_at`.
pub(super) fn read_inserted(row: &QueryResult) -> SqlResult<(JobId, Inserted)> {
    let state: String = row.try_get_by_index(1)?;
    let is_running = state == JobState::Running.as_str();
    Ok((row.try_get_by_index(0)?, Inserted { is_running, run_at: Some(row.try_get_by_index(2)?) }))
}

/// Binds the rows as the first thirteen parameters of a PostgreSQL statement.
pub(super) fn bind_rows<'q>(
    query: Query<'q, Postgres, PgArguments>,
    rows: &'q [NewRow],
    due: Option<Millis>,
) -> Query<'q, Postgres, PgArguments> {
    query
        .bind(rows.iter().map(|row| row.id.as_uuid()).collect::<Vec<Uuid>>())
        .bind(rows.iter().map(|row| row.kind.as_str()).collect::<Vec<&str>>())
        .bind(rows.iter().map(|row| row.key.as_str()).collect::<Vec<&str>>())
        .bind(rows.iter().map(|row| row.payload.as_str()).collect::<Vec<&str>>())
        .bind(rows.iter().map(|row| row.priority.as_i16()).collect::<Vec<i16>>())
        .bind(rows.iter().map(|row| row.run_at).collect::<Vec<Option<i64>>>())
        .bind(rows.iter().map(|row| row.is_pushed).collect::<Vec<bool>>())
        .bind(rows.iter().map(|row| row.created_at).collect::<Vec<i64>>())
        .bind(due)
        .bind(rows.iter().map(|row| row.request_id.as_deref()).collect::<Vec<Option<&str>>>())
        .bind(rows.iter().map(|row| claim_of(row).map(|(worker, _)| worker)).collect::<Vec<_>>())
        .bind(rows.iter().map(|row| claim_of(row).map(|(_, lease)| lease)).collect::<Vec<_>>())
        .bind(rows.iter().map(|row| row.in_turn).collect::<Vec<bool>>())
}

/// Returns the claim name and the lease of a row to be inserted as `running`. `None` if no slot is reserved
/// for the row.
pub(super) fn claim_of(row: &NewRow) -> Option<(&str, Millis)> {
    row.slot.as_ref().map(|opening| (opening.worker.as_str(), opening.lease_ms))
}
