//! Submits, claims and completions in an embedded database. Each operation is a separate statement on the writer thread
//! and shares its commit with operations that arrive in the meantime. A failing statement does not affect the others.

use std::sync::Arc;

use entities::ids::JobId;
use rusqlite::{Connection, OptionalExtension, Row, params};
use tokio::sync::oneshot;

use super::batch_executor::start;
use super::batches::{Batches, CompletionResult, InsertResult, JobBatchItem, JobBatchItemResult, NewRow};
use super::capacity::capacity_of;
use super::claimed::Claimed;
use super::database_clock::{database_now, simulated};
use super::insert::{FIRST_CLAIM, Inserted, claim_of};
use super::kind::{JobKind, Priority};
use super::run::{COMPLETE_CLAIMED, DELETE_CLAIMED};
use super::slot_permit::SlotPermit;
use super::sql::{CLAIM_SQLITE, id_list, sqlite_now};
use super::submit::capacity_exhausted;
use super::sweep::WAITING;
use kernel::batcher::BatchAnswer;
use kernel::db::{AfterCommit, Writer};
use kernel::{Domain, Millis};

/// Statement that inserts a row. A row with a claim name is inserted as `running`.
const INSERT: &str = concat!(
    "INSERT INTO job (id, kind, key, payload, priority, run_at, state, attempts, fence, pushed_at, created_at, request_id, \
       worker, lease_until, started_at, in_turn) \
     SELECT ?1, ?2, ?3, ?4, ?5, COALESCE(?6, ",
    sqlite_now!(),
    "), CASE WHEN ?7 IS NULL THEN 'ready' ELSE 'running' END, IIF(?7 IS NULL, 0, 1), IIF(?7 IS NULL, 0, ?8), \
     CASE WHEN ?9 AND ?7 IS NULL THEN ",
    sqlite_now!(),
    " END, ?10, ?11, ?7, ",
    sqlite_now!(),
    " + ?12, IIF(?7 IS NULL, NULL, ?10), ?13 WHERE TRUE ON CONFLICT DO NOTHING RETURNING run_at"
);

const IS_LIVE: &str = "SELECT 1 FROM job WHERE kind = ?1 AND key = ?2 AND finished_at IS NULL";
const IS_PAUSED: &str = "SELECT 1 FROM job_pause WHERE kind = ?1";

/// Queues an item for the writer thread. The item is queued when this returns.
pub(super) fn enqueue(
    domain: &Domain,
    writer: &Writer,
    member: JobBatchItem,
) -> BatchAnswer<JobBatchItemResult> {
    let (sender, answer) = oneshot::channel();
    match member {
        JobBatchItem::Submit(row) => {
            let submit = PendingInsert {
                capacity: capacity_of(domain, row.kind, row.priority),
                due: simulated(domain),
                batches: super::batches::of(domain),
                row,
            };
            writer.write(Box::new(move |connection| submit.write(connection, sender)));
        }
        JobBatchItem::Delete(end) => writer.write(Box::new(move |connection| {
            let (id, statement) = (end.id.as_uuid(), connection.prepare_cached(DELETE_CLAIMED));
            let parameters = params![id.as_bytes(), end.fence, end.worker];
            report_completion(statement.and_then(|mut delete| delete.execute(parameters)), sender)
        })),
        JobBatchItem::Complete(end) => writer.write(Box::new(move |connection| {
            // SQLite numbers `$n` parameters by their first occurrence, so `$4` is the first.
            let (id, statement) = (end.id.as_uuid(), connection.prepare_cached(COMPLETE_CLAIMED));
            let parameters = params![end.finished_at, id.as_bytes(), end.fence, end.worker];
            report_completion(statement.and_then(|mut update| update.execute(parameters)), sender)
        })),
    }
    answer
}

/// Claims the jobs that are ready and due. Returns `None` if the writer thread failed; the caller then claims
/// the jobs itself.
pub(super) async fn claim(
    domain: &Domain,
    writer: &Writer,
    jobs: &[JobId],
    (worker, lease_ms): (&str, Millis),
) -> Option<Vec<Claimed>> {
    let (sender, answer) = oneshot::channel();
    let (ids, worker, now, due) = (id_list(jobs), worker.to_owned(), domain.now(), simulated(domain));
    writer.write(Box::new(move |connection| {
        let claims = connection.prepare_cached(CLAIM_SQLITE).and_then(|mut claim| {
            // SQLite numbers `$n` parameters by their first occurrence.
            let rows = claim
                .query_map(params![lease_ms, worker, now, ids, due], |row| read_claimed(row, &worker))?;
            rows.filter_map(Result::transpose).collect::<rusqlite::Result<Vec<Claimed>>>()
        });
        if let Err(error) = &claims {
            tracing::debug!(%error, "failed to claim jobs on writer thread");
        }
        Box::new(move |is_committed| drop(sender.send(claims.ok().filter(|_| is_committed))))
    }));
    answer.await.ok().flatten()
}

/// Reads a claimed row. `None` if this build does not know its kind.
fn read_claimed(row: &Row<'_>, worker: &str) -> rusqlite::Result<Option<Claimed>> {
    let Some(kind) = JobKind::parse(&row.get::<_, String>(1)?) else { return Ok(None) };
    let id: [u8; 16] = row.get(0)?;
    Ok(Some(Claimed {
        id: JobId::from_u128(u128::from_be_bytes(id)),
        kind,
        key: row.get(2)?,
        payload: row.get(3)?,
        priority: Priority::from_i16(row.get(4)?),
        attempt: row.get(5)?,
        fence: row.get(6)?,
        worker: worker.to_owned(),
        run_at: row.get(7)?,
        created_at: row.get(8)?,
        request_id: row.get(9)?,
        lost_starts: row.get(10)?,
        slot: SlotPermit::default(),
    }))
}

/// Result of an insert that is not committed yet.
#[derive(Clone, Copy)]
enum InsertOutcome {
    Inserted(Inserted),
    /// The queue is full.
    Full,
    /// A live job has the same key, or the row is invalid.
    NotInserted,
}

/// A job to insert on the writer thread.
struct PendingInsert {
    row: NewRow,
    capacity: Option<u32>,
    due: Option<Millis>,
    batches: Arc<Batches>,
}

impl PendingInsert {
    fn write(mut self, connection: &Connection, sender: oneshot::Sender<JobBatchItemResult>) -> AfterCommit {
        let inserted = self.insert(connection).unwrap_or_else(|error| {
            tracing::debug!(%error, kind = %self.row.kind, "failed to insert job on writer thread");
            InsertOutcome::NotInserted
        });
        Box::new(move |is_committed| {
            let result = match inserted {
                InsertOutcome::Inserted(inserted) if is_committed => start(&mut self.row, inserted),
                InsertOutcome::Full => InsertResult::Failed(capacity_exhausted()),
                InsertOutcome::Inserted(_) | InsertOutcome::NotInserted => InsertResult::NotInserted,
            };
            // Sending fails if the caller was cancelled.
            let _ = sender.send(JobBatchItemResult::Submitted(result));
        })
    }

    fn insert(&mut self, connection: &Connection) -> rusqlite::Result<InsertOutcome> {
        let has_capacity = self.has_capacity(connection)?;
        let row = &mut self.row;
        if !has_capacity {
            // Joining a live job is never refused.
            let is_live = connection.prepare_cached(IS_LIVE)?.exists(params![row.kind.as_str(), row.key])?;
            return Ok(if is_live { InsertOutcome::NotInserted } else { InsertOutcome::Full });
        }
        if row.may_start && !is_paused(connection, row.kind)? {
            row.slot = self.batches.workers.reserve(row.kind);
        }
        let (id, (worker, lease_ms)) = (row.id.as_uuid(), claim_of(row).unzip());
        let mut insert = connection.prepare_cached(INSERT)?;
        let values = params![
            id.as_bytes(),
            row.kind.as_str(),
            row.key,
            row.payload,
            row.priority.as_i16(),
            row.run_at.or(self.due),
            worker,
            FIRST_CLAIM,
            row.is_pushed,
            row.created_at,
            row.request_id,
            lease_ms,
            row.in_turn,
        ];
        let run_at = insert.query_row(values, |row| row.get(0)).optional()?;
        let inserted = |run_at| Inserted { is_running: worker.is_some(), run_at: Some(run_at) };
        Ok(run_at.map_or(InsertOutcome::NotInserted, |run_at| InsertOutcome::Inserted(inserted(run_at))))
    }

    fn has_capacity(&self, connection: &Connection) -> rusqlite::Result<bool> {
        let Some(capacity) = self.capacity else { return Ok(true) };
        let counts = &self.batches.waiting;
        if counts.has_ample_capacity(self.row.kind, capacity) {
            return Ok(true);
        }
        if counts.was_full(self.row.kind, capacity) {
            return Ok(false);
        }
        let waiting = count_waiting(connection, self.row.kind, (capacity, self.due))?;
        let fits = waiting < u64::from(capacity);
        counts.counted(self.row.kind, waiting + u64::from(fits));
        Ok(fits)
    }
}

fn is_paused(connection: &Connection, kind: JobKind) -> rusqlite::Result<bool> {
    connection.prepare_cached(IS_PAUSED)?.exists([kind.as_str()])
}

fn count_waiting(
    connection: &Connection,
    kind: JobKind,
    (most, due): (u32, Option<Millis>),
) -> rusqlite::Result<u64> {
    let due = due.map_or_else(|| database_now(sea_orm::DbBackend::Sqlite).to_owned(), |due| due.to_string());
    let sql = format!("SELECT COUNT(*) FROM ({})", WAITING.replace("{due}", &due));
    let [urgent, high, normal, low] = Priority::ALL.map(Priority::as_i16);
    let values = params![kind.as_str(), urgent, high, normal, low, most];
    let waiting: i64 = connection.query_row(&sql, values, |row| row.get(0))?;
    Ok(waiting.unsigned_abs())
}

/// Returns the callback that reports the result of one completion.
fn report_completion(
    changed: rusqlite::Result<usize>,
    sender: oneshot::Sender<JobBatchItemResult>,
) -> AfterCommit {
    Box::new(move |is_committed| {
        let result = match changed {
            Ok(1) if is_committed => CompletionResult::Committed,
            Ok(_) if is_committed => CompletionResult::LeaseLost,
            Ok(_) | Err(_) => CompletionResult::NotCommitted,
        };
        let _ = sender.send(JobBatchItemResult::Completed(result));
    })
}
