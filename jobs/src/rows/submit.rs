//! Writing work down: one live row per kind and key, refused at once when too much waits already.

use std::collections::HashSet;

use entities::ids::{AccountId, JobId};
use sea_orm::{ConnectionTrait, Value};
use serde::Serialize;

use super::capacity::has_room;
use super::turns::{Line, Turns};
use super::{JobKind, Priority, State, read_row, statement, statement_about_due};
use crate::rows::JobRow;
use kernel::clock::Millis;
use kernel::code::Code;
use kernel::error::{Error, Result};
use kernel::handle::Domain;
use kernel::request_id;
use kernel::statement::{execute, placeholders};
use kernel::writes::{self, Effect};

/// Payloads are ids and due times; anything near this size is a mistake.
const MAX_PAYLOAD_BYTES: usize = 16 * 1024;
/// Whole seconds after which a refused caller may try again.
const CAPACITY_RETRY_SECONDS: u32 = 5;
/// How often a submission that met a row just ending is written again.
const RACES: usize = 4;
/// Rows of one statement.
const ROWS_AT_ONCE: usize = 100;

/// Work to be written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewJob {
    pub(super) kind: JobKind,
    pub(super) key: String,
    pub(super) payload: String,
    pub(super) priority: Priority,
    pub(super) run_at: Option<Millis>,
    pub(super) request_id: Option<String>,
    pub(super) owner: Option<AccountId>,
    pub(super) may_begin: bool,
}

/// What became of a submission. Hand it to the engine's `push` once the transaction is committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submitted {
    /// The live job's id.
    pub id: JobId,
    /// Whether the job was there already.
    pub joined: bool,
    /// What kind of work.
    pub kind: JobKind,
    /// How urgent it is now.
    pub priority: Priority,
    /// Not before this time.
    pub run_at: Millis,
    /// Whether its id should be handed to the transport now.
    pub to_push: bool,
}

impl NewJob {
    /// Work of `kind` about `key`, due now, with the kind's own priority and an empty payload. It bears
    /// the id of the request in which it is made.
    pub fn new(kind: JobKind, key: impl Into<String>) -> Self {
        Self {
            kind,
            key: key.into(),
            payload: "{}".to_owned(),
            priority: kind.rules().priority,
            run_at: None,
            request_id: request_id::current(),
            owner: None,
            may_begin: false,
        }
    }

    /// What the handler will need: ids and due times, never bodies.
    ///
    /// # Errors
    /// `Internal` when it cannot be written as JSON or is longer than 16 KiB.
    pub fn payload(mut self, payload: &impl Serialize) -> Result<Self> {
        self.payload = serde_json::to_string(payload).map_err(Error::internal)?;
        if self.payload.len() > MAX_PAYLOAD_BYTES {
            return Err(Error::internal(format!("a {} job's payload is too long", self.kind)));
        }
        Ok(self)
    }

    /// Another priority than the kind's own.
    #[must_use]
    pub fn priority(mut self, priority: Priority) -> Self {
        self.priority = priority;
        self
    }

    /// Not before this time.
    #[must_use]
    pub fn run_at(mut self, run_at: Millis) -> Self {
        self.run_at = Some(run_at);
        self
    }

    /// Whose work it is: it has its turn among the account's other jobs of the kind.
    #[must_use]
    pub fn owner(mut self, account_id: AccountId) -> Self {
        self.owner = Some(account_id);
        self
    }

    /// Submitted [by itself](super::submit_by_itself), it may begin in the same moment, where a worker of this process
    /// has a place for it. Not for what may be withdrawn.
    #[must_use]
    pub fn begin_at_once(mut self) -> Self {
        self.may_begin = true;
        self
    }

    /// The line in which the job has its turn, where it has an owner and is due now.
    pub(super) fn line(&self) -> Option<Line> {
        let owner = self.owner.filter(|_| self.run_at.is_none())?;
        Some((self.kind, self.priority, owner))
    }

    /// What kind of work this is.
    pub fn kind(&self) -> JobKind {
        self.kind
    }
}

/// Writes the job down, or joins the live one with the same kind and key (and raises its priority to
/// this one's). Takes part in the caller's transaction when `connection` is one.
///
/// # Errors
/// `Unavailable` with code `capacity_exhausted` when the kind's capacity is used up by waiting jobs;
/// joining is never refused.
pub async fn submit(connection: &impl ConnectionTrait, domain: &Domain, job: NewJob) -> Result<Submitted> {
    let now = domain.now();
    let line = job.line();
    let mut turns = Turns::load(connection, domain, line.into_iter()).await?;
    let turn = line.and_then(|line| turns.next(line, now));
    for _ in 0..RACES {
        let has_room = has_room(connection, domain, (job.kind, job.priority)).await?;
        if has_room && let Some(submitted) = insert(connection, domain, &job, (now, turn)).await? {
            return Ok(submitted);
        }
        match find_live(connection, job.kind, &job.key).await? {
            Some(live) => return join(connection, domain, live, job.priority).await,
            None if !has_room => return Err(full()),
            // It ended between the two statements.
            None => {}
        }
    }
    Err(too_quick())
}

fn too_quick() -> Error {
    let message = "The same work is being submitted and finished too quickly to be joined.";
    Error::new(Code::ServiceUnavailable, message).retry_after(1)
}

/// Writes many jobs down by one statement, all due now, in the order given. `None` stands for those whose
/// work is under way already; nothing of that is changed. For kinds that the scheduler feeds: no capacity
/// is looked at.
pub async fn submit_all(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    jobs: &[NewJob],
) -> Result<Vec<Option<Submitted>>> {
    let now = domain.now();
    let mut all = Vec::with_capacity(jobs.len());
    let lines = jobs.iter().filter_map(NewJob::line);
    let mut turns = Turns::load(connection, domain, lines).await?;
    for chunk in jobs.chunks(ROWS_AT_ONCE) {
        let ids: Vec<JobId> = chunk.iter().map(|_| domain.new_id()).collect();
        let mut rows = Vec::with_capacity(chunk.len());
        let due_at: Vec<Option<Millis>> = chunk.iter().map(|job| turns.next(job.line()?, now)).collect();
        let mut values: Vec<Value> = vec![now.into()];
        for ((job, id), turn) in chunk.iter().zip(&ids).zip(&due_at) {
            let at = values.len() + 1;
            let run_at = turn.map_or_else(|| "{due}".to_owned(), |turn| turn.to_string());
            let in_turn = if turn.is_some() { "TRUE" } else { "FALSE" };
            rows.push(format!(
                "(${}, ${}, ${}, ${}, ${}, {run_at}, 'ready', 0, 0, {{now}}, $1, ${}, {in_turn})",
                at,
                at + 1,
                at + 2,
                at + 3,
                at + 4,
                at + 5
            ));
            values.extend([
                (*id).into(),
                job.kind.as_str().into(),
                job.key.as_str().into(),
                job.payload.as_str().into(),
                job.priority.as_i16().into(),
                job.owner.into(),
            ]);
        }
        let sql = format!(
            "INSERT INTO job (id, kind, key, payload, priority, run_at, state, attempts, fence, pushed_at, created_at, \
             owner_id, in_turn) VALUES {} ON CONFLICT DO NOTHING RETURNING id",
            rows.join(", ")
        );
        let written = connection.query_all_raw(statement_about_due(connection, domain, &sql, values)).await?;
        let written =
            written.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect::<Result<HashSet<JobId>>>()?;
        all.extend(chunk.iter().zip(ids).zip(due_at).map(|((job, id), turn)| {
            let (kind, priority, run_at) = (job.kind, job.priority, turn.unwrap_or(now));
            let submitted = Submitted { id, joined: false, kind, priority, run_at, to_push: true };
            written.contains(&id).then_some(submitted)
        }));
    }
    Ok(all)
}

/// The live job of `kind` about `key`, if there is one, as if it had been submitted again.
pub async fn under_way(
    connection: &impl ConnectionTrait,
    kind: JobKind,
    key: &str,
) -> Result<Option<Submitted>> {
    let live = find_live(connection, kind, key).await?;
    Ok(live.map(|job| Submitted {
        id: job.id,
        joined: true,
        kind,
        priority: job.priority,
        run_at: job.run_at,
        to_push: false,
    }))
}

/// Those of these keys under which work of `kind` is under way or waits.
pub async fn live_keys(
    connection: &impl ConnectionTrait,
    kind: JobKind,
    keys: &[String],
) -> Result<HashSet<String>> {
    if keys.is_empty() {
        return Ok(HashSet::new());
    }
    let sql = format!(
        "SELECT key FROM job WHERE kind = $1 AND finished_at IS NULL AND key IN ({})",
        placeholders(2, keys.len())
    );
    let values = std::iter::once(kind.as_str().into()).chain(keys.iter().map(|key| key.as_str().into()));
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect()
}

async fn find_live(connection: &impl ConnectionTrait, kind: JobKind, key: &str) -> Result<Option<JobRow>> {
    let sql = "SELECT * FROM job WHERE kind = $1 AND key = $2 AND finished_at IS NULL";
    let query = statement(connection, sql, [kind.as_str().into(), key.into()]);
    connection.query_one_raw(query).await?.as_ref().map(read_row).transpose()
}

async fn join(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    live: JobRow,
    priority: Priority,
) -> Result<Submitted> {
    let mut to_push = false;
    if priority > live.priority && live.state == State::Ready {
        let sql = "UPDATE job SET priority = $1 WHERE id = $2 AND state = 'ready' AND priority < $1 \
                   RETURNING CASE WHEN run_at <= {due} THEN 1 ELSE 0 END";
        let values = [priority.as_i16().into(), live.id.into()];
        let raised = connection.query_one_raw(statement_about_due(connection, domain, sql, values)).await?;
        to_push = raised.map(|row| row.try_get_by_index::<i32>(0)).transpose()? == Some(1);
    }
    Ok(Submitted {
        id: live.id,
        joined: true,
        kind: live.kind,
        priority: priority.max(live.priority),
        run_at: live.run_at,
        to_push,
    })
}

pub(super) fn full() -> Error {
    Error::new(Code::CapacityExhausted, "Too much work is waiting already.")
        .retry_after(CAPACITY_RETRY_SECONDS)
}

/// Inserts the row; `None` when the same work is under way.
async fn insert(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    job: &NewJob,
    (now, turn): (Millis, Option<Millis>),
) -> Result<Option<Submitted>> {
    let (sql, values, submitted) = insertion(domain, job, (now, turn));
    let result = connection.execute_raw(statement_about_due(connection, domain, &sql, values)).await?;
    Ok((result.rows_affected() > 0).then_some(submitted))
}

/// What inserts the row, already marked as on its way when it is due: the caller pushes right after the commit, and what
/// is lost in between is found by the sweep.
fn insertion(
    domain: &Domain,
    job: &NewJob,
    (now, turn): (Millis, Option<Millis>),
) -> (String, Vec<Value>, Submitted) {
    let id: JobId = domain.new_id();
    let to_push = job.run_at.is_none_or(|at| at <= now);
    let pushed_at = if to_push { "{now}" } else { "NULL" };
    let run_at = job.run_at.or(turn).map_or_else(|| "{due}".to_owned(), |at| at.to_string());
    let sql = format!(
        "INSERT INTO job (id, kind, key, payload, priority, run_at, state, attempts, fence, pushed_at, created_at, \
         request_id, owner_id, in_turn) VALUES ($1, $2, $3, $4, $5, {run_at}, 'ready', 0, 0, {pushed_at}, $6, $7, $8, $9) \
         ON CONFLICT DO NOTHING"
    );
    let values = vec![
        id.into(),
        job.kind.as_str().into(),
        job.key.as_str().into(),
        job.payload.as_str().into(),
        job.priority.as_i16().into(),
        now.into(),
        job.request_id.clone().into(),
        job.owner.into(),
        turn.is_some().into(),
    ];
    let (kind, priority, run_at) = (job.kind, job.priority, job.run_at.or(turn).unwrap_or(now));
    (sql, values, Submitted { id, joined: false, kind, priority, run_at, to_push })
}

/// Writes a job down whose key is new and that nobody owns, together with a row of what asked for it, which `row` gives
/// for the job's id.
///
/// # Errors
/// As [`submit`]; `Unavailable` too when the same work is under way, and then nothing is written.
pub async fn submit_with(
    domain: &Domain,
    job: NewJob,
    row: impl FnOnce(JobId) -> Effect,
) -> Result<Submitted> {
    let connection = domain.db().write();
    if !has_room(connection, domain, (job.kind, job.priority)).await? {
        return Err(full());
    }
    let (sql, values, submitted) = insertion(domain, &job, (domain.now(), None));
    let first = statement_about_due(connection, domain, &sql, values);
    let row = row(submitted.id);
    writes::one_after_the_other(domain.db(), first, row, too_quick).await?;
    Ok(submitted)
}

/// Takes a job back that was submitted and not pushed yet, because what it is to do was done meanwhile; tells whether it
/// is gone. A worker may have it already: then it stays. Whoever joined it finds its row gone, as after a good end.
pub async fn withdraw(domain: &Domain, id: JobId) -> Result<bool> {
    let sql = "DELETE FROM job WHERE id = $1 AND state = 'ready' AND attempts = 0";
    Ok(execute(domain.db().write(), sql, [id.into()]).await? > 0)
}
