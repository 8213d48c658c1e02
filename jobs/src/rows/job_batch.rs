//! Batches for the batcher (`kernel::batcher`) on PostgreSQL: submits and completions that arrive at the same
//! time are executed with one statement and one commit. If the statement fails, `batch_executor` executes the
//! parts of the batch. On SQLite the writer thread batches (`embedded`).

use std::collections::{HashMap, HashSet};

use entities::ids::JobId;
use futures_util::future::BoxFuture;
use sea_orm::sqlx;
use sea_orm::sqlx::postgres::PgArguments;
use sea_orm::sqlx::query::Query;
use uuid::Uuid;

use super::batch_executor::{CompletedRow, complete_all, completion_results, insert_all, prepare, start_all};
use super::batches::{
    CompletedClaim, CompletionResult, InsertResult, JobBatchItem, JobBatchItemResult, NewRow,
};
use super::database_clock::simulated;
use super::embedded;
use super::insert::{Inserted, bind_rows, new_row, new_rows, read_inserted};
use super::sql::{Claim, SqlResult, claimed_by_postgres, complete_row, postgres_now, query_results};
use kernel::batcher::BatchAnswer;
use kernel::db::{self, Connections, Durable};
use kernel::{Domain, Millis};

/// Marker in the `state` column of a returned row that reports a completion.
const ENDED: &str = "ended";

pub(super) const BATCH_STATEMENT: &str = concat!(
    new_rows!(),
    ", written AS (",
    new_row!(),
    "), gone AS (",
    "DELETE FROM job ",
    claimed_by_postgres!("USING", "$14", "$15", "$16"),
    " RETURNING job.id, job.fence",
    "), kept AS (",
    complete_row!("$20"),
    claimed_by_postgres!("FROM", "$17", "$18", "$19"),
    " RETURNING job.id, job.fence) SELECT id, state, run_at FROM written \
     UNION ALL SELECT id, 'ended', fence FROM gone UNION ALL SELECT id, 'ended', fence FROM kept"
);

/// Items of a batch, grouped by part.
#[derive(Default)]
struct JobBatch {
    rows: Vec<NewRow>,
    deletions: Vec<CompletedClaim>,
    completions: Vec<CompletedClaim>,
}

/// Results of the submits by id, and of the deletions and completions in input order.
type PartResults = (HashMap<JobId, InsertResult>, Vec<CompletionResult>, Vec<CompletionResult>);

#[derive(Clone, Copy)]
enum JobBatchPart {
    Submit(JobId),
    Delete,
    Complete,
}

/// Adds a member to the next batch. The member is queued when this returns.
pub(super) fn enqueue(domain: &Domain, member: JobBatchItem) -> BatchAnswer<JobBatchItemResult> {
    match domain.db().durable() {
        Durable::Postgres(_) => super::batches::of(domain).batcher.add(domain, member, execute),
        Durable::Embedded(writer) => embedded::enqueue(domain, writer, member),
    }
}

fn execute(domain: Domain, members: Vec<JobBatchItem>) -> BoxFuture<'static, Vec<JobBatchItemResult>> {
    Box::pin(async move {
        let mut batch = JobBatch::default();
        let order: Vec<JobBatchPart> = members.into_iter().map(|member| batch.add(member)).collect();
        // Only PostgreSQL batches are executed in this function.
        let Durable::Postgres(connections) = domain.db().durable() else { return Vec::new() };
        let (mut insertions, deletions, completions) = batch.execute(&domain, connections).await;
        let (mut deletions, mut completions) = (deletions.into_iter(), completions.into_iter());
        let result = |part| match part {
            JobBatchPart::Submit(id) => {
                JobBatchItemResult::Submitted(insertions.remove(&id).unwrap_or(InsertResult::NotInserted))
            }
            JobBatchPart::Delete => {
                JobBatchItemResult::Completed(deletions.next().unwrap_or(CompletionResult::NotCommitted))
            }
            JobBatchPart::Complete => {
                JobBatchItemResult::Completed(completions.next().unwrap_or(CompletionResult::NotCommitted))
            }
        };
        order.into_iter().map(result).collect()
    })
}

impl JobBatch {
    fn add(&mut self, member: JobBatchItem) -> JobBatchPart {
        match member {
            JobBatchItem::Submit(row) => {
                let id = row.id;
                self.rows.push(row);
                JobBatchPart::Submit(id)
            }
            JobBatchItem::Delete(end) => {
                self.deletions.push(end);
                JobBatchPart::Delete
            }
            JobBatchItem::Complete(end) => {
                self.completions.push(end);
                JobBatchPart::Complete
            }
        }
    }

    async fn execute(mut self, domain: &Domain, connections: &Connections) -> PartResults {
        prepare(domain, &mut self.rows).await;
        let parts = [self.rows.is_empty(), self.deletions.is_empty(), self.completions.is_empty()];
        if parts.iter().filter(|is_empty| !**is_empty).count() < 2 {
            return self.execute_parts((domain, connections), false).await;
        }
        match self.write(domain, connections).await {
            Ok((inserted, ended)) => (
                start_all(&mut self.rows, &inserted),
                completion_results(&self.deletions, &ended),
                completion_results(&self.completions, &ended),
            ),
            // Each completion is retried by its own caller, which then reports an error if the database is
            // still unavailable.
            Err(error) if db::is_unavailable(&error) => {
                let not_committed =
                    |ends: Vec<CompletedClaim>| vec![CompletionResult::NotCommitted; ends.len()];
                let insertions = insert_all((domain, connections), self.rows, true).await;
                (insertions, not_committed(self.deletions), not_committed(self.completions))
            }
            Err(error) => {
                tracing::debug!(%error, "batch of jobs failed, executing it in parts");
                self.execute_parts((domain, connections), true).await
            }
        }
    }

    /// Executes the batch as one statement per part. Completions go first: their rows are not locked by other
    /// transactions, while a submit may wait for another transaction.
    async fn execute_parts(
        self,
        (domain, connections): (&Domain, &Connections),
        is_repeated: bool,
    ) -> PartResults {
        let deleted = complete_all(connections, &self.deletions, CompletedRow::Delete).await;
        let completed = complete_all(connections, &self.completions, CompletedRow::Retain).await;
        (insert_all((domain, connections), self.rows, is_repeated).await, deleted, completed)
    }

    async fn write(
        &self,
        domain: &Domain,
        connections: &Connections,
    ) -> SqlResult<(HashMap<JobId, Inserted>, HashSet<Claim>)> {
        let (due, finished_at) =
            (simulated(domain), self.completions.iter().map(|end| end.finished_at).max());
        let query = bind_rows(sqlx::query(BATCH_STATEMENT), &self.rows, due);
        let query =
            bind_completions(bind_completions(query, &self.deletions), &self.completions).bind(finished_at);
        let rows = query_results(connections.fetch(query).await)?;
        let (mut inserted, mut ended) = (HashMap::new(), HashSet::new());
        for row in &rows {
            if row.try_get_by_index::<String>(1)? == ENDED {
                ended.insert((row.try_get_by_index(0)?, row.try_get_by_index::<Millis>(2)?));
            } else {
                inserted.extend([read_inserted(row)?]);
            }
        }
        Ok((inserted, ended))
    }
}

fn bind_completions<'q>(
    query: Query<'q, sqlx::Postgres, PgArguments>,
    completions: &'q [CompletedClaim],
) -> Query<'q, sqlx::Postgres, PgArguments> {
    query
        .bind(completions.iter().map(|end| end.id.as_uuid()).collect::<Vec<Uuid>>())
        .bind(completions.iter().map(|end| end.fence).collect::<Vec<i64>>())
        .bind(completions.iter().map(|end| end.worker.as_str()).collect::<Vec<&str>>())
}
