//! Submits, claims and completions in an embedded database. Each is a statement of its own on the writer
//! thread and shares its commit with others that arrive meanwhile. A failing statement does not affect the
//! others.

use std::sync::Arc;

use entities::ids::JobId;
use rusqlite::{Connection, OptionalExtension, Row, params};
use tokio::sync::oneshot;

use super::batches::{Batches, Done, Ended, Member, NewRow, Written};
use super::capacity::capacity_of;
use super::carriers::begin;
use super::insert::{FIRST_CLAIM, Inserted, claim_of};
use super::kind::{JobKind, Priority};
use super::place::Place;
use super::run::{COMPLETE_HELD, DELETE_HELD};
use super::sql::{CLAIM_SQLITE, id_list, sqlite_now};
use super::submit::full;
use super::sweep::WAITING;
use super::{Claimed, database_now, simulated};
use kernel::batcher::Answer;
use kernel::clock::Millis;
use kernel::db::{AfterCommit, Writer};
use kernel::handle::Domain;

/// Inserts a row; with a claim name it is inserted as `running`.
const INSERT: &str = concat!(
    "INSERT INTO job (id, kind, key, payload, priority, run_at, state, attempts, fence, pushed_at, created_at, request_id, \
       worker, lease_until, started_at) \
     SELECT ?1, ?2, ?3, ?4, ?5, COALESCE(?6, ",
    sqlite_now!(),
    "), CASE WHEN ?7 IS NULL THEN 'ready' ELSE 'running' END, IIF(?7 IS NULL, 0, 1), IIF(?7 IS NULL, 0, ?8), \
     CASE WHEN ?9 AND ?7 IS NULL THEN ",
    sqlite_now!(),
    " END, ?10, ?11, ?7, ",
    sqlite_now!(),
    " + ?12, IIF(?7 IS NULL, NULL, ?10) WHERE TRUE ON CONFLICT DO NOTHING RETURNING run_at"
);

const IS_LIVE: &str = "SELECT 1 FROM job WHERE kind = ?1 AND key = ?2 AND finished_at IS NULL";
const IS_PAUSED: &str = "SELECT 1 FROM job_pause WHERE kind = ?1";

/// Queues an item for the writer thread; it is queued when this returns.
pub(super) fn join(domain: &Domain, writer: &Writer, member: Member) -> Answer<Done> {
    let (tell, answer) = oneshot::channel();
    match member {
        Member::Submit(row) => {
            let submit = Submit {
                capacity: capacity_of(domain, row.kind, row.priority),
                due: simulated(domain),
                batches: super::batches::of(domain),
                row,
            };
            writer.write(Box::new(move |connection| submit.write(connection, tell)));
        }
        Member::Goes(end) => writer.write(Box::new(move |connection| {
            let (id, held) = (end.id.as_uuid(), connection.prepare_cached(DELETE_HELD));
            let marks = params![id.as_bytes(), end.fence, end.worker];
            ended(held.and_then(|mut delete| delete.execute(marks)), tell)
        })),
        Member::Stays(end) => writer.write(Box::new(move |connection| {
            // SQLite numbers `$n` parameters by their first occurrence, so `$4` is the first.
            let (id, held) = (end.id.as_uuid(), connection.prepare_cached(COMPLETE_HELD));
            let marks = params![end.finished_at, id.as_bytes(), end.fence, end.worker];
            ended(held.and_then(|mut update| update.execute(marks)), tell)
        })),
    }
    answer
}

/// Claims those jobs that are ready and due. `None` if the thread could not; the caller then claims them on
/// its own.
pub(super) async fn claim(
    domain: &Domain,
    writer: &Writer,
    jobs: &[JobId],
    (worker, lease_ms): (&str, Millis),
) -> Option<Vec<Claimed>> {
    let (tell, answer) = oneshot::channel();
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
        Box::new(move |is_committed| drop(tell.send(claims.ok().filter(|_| is_committed))))
    }));
    answer.await.ok().flatten()
}

/// `None` for a kind unknown to this build.
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
        place: Place::default(),
    }))
}

/// Result of an insert before its commit.
#[derive(Clone, Copy)]
enum Outcome {
    Inserted(Inserted),
    /// The queue is full.
    Full,
    /// The same work is live, or the row is invalid.
    Not,
}

/// A job to insert on the writer thread.
struct Submit {
    row: NewRow,
    capacity: Option<u32>,
    due: Option<Millis>,
    batches: Arc<Batches>,
}

impl Submit {
    fn write(mut self, connection: &Connection, tell: oneshot::Sender<Done>) -> AfterCommit {
        let inserted = self.insert(connection).unwrap_or_else(|error| {
            tracing::debug!(%error, kind = %self.row.kind, "failed to insert job on writer thread");
            Outcome::Not
        });
        Box::new(move |is_committed| {
            let written = match inserted {
                Outcome::Inserted(inserted) if is_committed => begin(&mut self.row, inserted),
                Outcome::Full => Written::Failed(full()),
                Outcome::Inserted(_) | Outcome::Not => Written::Not,
            };
            // Fails if the caller was cancelled.
            let _ = tell.send(Done::Submitted(written));
        })
    }

    fn insert(&mut self, connection: &Connection) -> rusqlite::Result<Outcome> {
        let has_room = self.has_room(connection)?;
        let row = &mut self.row;
        if !has_room {
            // Joining a live job is never refused.
            let is_live = connection.prepare_cached(IS_LIVE)?.exists(params![row.kind.as_str(), row.key])?;
            return Ok(if is_live { Outcome::Not } else { Outcome::Full });
        }
        if row.may_begin && !is_paused(connection, row.kind)? {
            row.opening = self.batches.workers.opening(row.kind);
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
        ];
        let run_at = insert.query_row(values, |row| row.get(0)).optional()?;
        let inserted = |run_at| Inserted { is_running: worker.is_some(), run_at: Some(run_at) };
        Ok(run_at.map_or(Outcome::Not, |run_at| Outcome::Inserted(inserted(run_at))))
    }

    fn has_room(&self, connection: &Connection) -> rusqlite::Result<bool> {
        let Some(capacity) = self.capacity else { return Ok(true) };
        let counts = &self.batches.waiting;
        if counts.has_ample_room(self.row.kind, capacity) {
            return Ok(true);
        }
        if counts.was_full(self.row.kind, capacity) {
            return Ok(false);
        }
        let waiting = count_waiting(connection, self.row.kind, (capacity, self.due))?;
        let has_room = waiting < u64::from(capacity);
        counts.counted(self.row.kind, waiting + u64::from(has_room));
        Ok(has_room)
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

/// Callback that reports the result of one completion.
fn ended(changed: rusqlite::Result<usize>, tell: oneshot::Sender<Done>) -> AfterCommit {
    Box::new(move |is_committed| {
        let ended = match changed {
            Ok(1) if is_committed => Ended::Written,
            Ok(_) if is_committed => Ended::LeaseLost,
            Ok(_) | Err(_) => Ended::Not,
        };
        let _ = tell.send(Done::Ended(ended));
    })
}
