//! Submission of jobs: at most one live row per kind and key. A job is refused immediately if too much work
//! is already waiting.

use std::collections::HashSet;

use entities::ids::{AccountId, JobId};
use entities::job::JobState;
use sea_orm::{ConnectionTrait, Value};
use serde::Serialize;

use super::capacity::has_capacity;
use super::fair_share::{FairShare, ShareKey};
use super::job_row::{JobRow, read_row};
use super::kind::{JobKind, Priority};
use super::statement::{statement, statement_about_due};
use kernel::statement::{execute, placeholders, scalar};
use kernel::writes::{self, Effect};
use kernel::{Code, Domain, Error, Millis, Result, request_id};

/// Maximum size of a payload, 64 KiB: one URL of the maximum length, and ids and due times.
const MAX_PAYLOAD_BYTES: usize = fetch::MAX_URL_BYTES + 16 * 1024;
/// `Retry-After` in seconds, for a refused submission.
const CAPACITY_RETRY_SECONDS: u32 = 5;
/// Maximum number of attempts to insert a row if a job with the same key completes between the two
/// statements.
const MAX_INSERT_ATTEMPTS: usize = 4;
const ROWS_PER_STATEMENT: usize = 100;

/// A job to be submitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewJob {
    pub(super) kind: JobKind,
    pub(super) key: String,
    pub(super) payload: String,
    pub(super) priority: Priority,
    pub(super) run_at: Option<Millis>,
    pub(super) request_id: Option<String>,
    pub(super) owner: Option<AccountId>,
    pub(super) caller: Option<String>,
    pub(super) may_begin: bool,
}

/// Result of a submission. Pass it to the engine's `push` after the transaction is committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submitted {
    /// Id of the live job.
    pub id: JobId,
    /// True if a live job with the same kind and key already existed.
    pub joined: bool,
    pub kind: JobKind,
    /// Current priority of the live job.
    pub priority: Priority,
    /// Due time.
    pub run_at: Millis,
    /// True if the id should be pushed to the transport now.
    pub to_push: bool,
}

impl NewJob {
    /// Creates a job of `kind` for the subject `key`, due now, with the kind's default priority, an empty
    /// payload, and the id of the current request.
    pub fn new(kind: JobKind, key: impl Into<String>) -> Self {
        Self {
            kind,
            key: key.into(),
            payload: "{}".to_owned(),
            priority: kind.rules().priority,
            run_at: None,
            request_id: request_id::current(),
            owner: None,
            caller: None,
            may_begin: false,
        }
    }

    /// Sets the payload that the handler needs: ids, due times, or a URL, never bodies.
    ///
    /// # Errors
    /// `Internal` if it cannot be serialized as JSON or is longer than 64 KiB.
    pub fn payload(mut self, payload: &impl Serialize) -> Result<Self> {
        self.payload = serde_json::to_string(payload).map_err(Error::internal)?;
        if self.payload.len() > MAX_PAYLOAD_BYTES {
            return Err(Error::internal(format!("the payload of a {} job is too long", self.kind)));
        }
        Ok(self)
    }

    /// Overrides the kind's default priority.
    #[must_use]
    pub fn priority(mut self, priority: Priority) -> Self {
        self.priority = priority;
        self
    }

    /// Sets the due time.
    #[must_use]
    pub fn run_at(mut self, run_at: Millis) -> Self {
        self.run_at = Some(run_at);
        self
    }

    /// Sets the account that owns the job. The fair share among accounts then applies to the job.
    #[must_use]
    pub fn owner(mut self, account_id: AccountId) -> Self {
        self.owner = Some(account_id);
        self
    }

    /// Sets the caller for whom the job runs: an account or a network. The jobs of one caller are spread over
    /// time, so that jobs of other callers precede them. Applies to [`submit_batched`](super::submit_batched)
    /// and [`submit_with`].
    #[must_use]
    pub fn caller(mut self, caller: Option<String>) -> Self {
        self.caller = caller;
        self
    }

    /// Allows a job that is submitted with [`submit_batched`](super::submit_batched) to start immediately if
    /// a worker of this process has a free slot. Must not be used for jobs that may be withdrawn.
    #[must_use]
    pub fn start_immediately(mut self) -> Self {
        self.may_begin = true;
        self
    }

    /// Sets the id of the request for which the job runs, if another task submits it.
    #[must_use]
    pub fn for_request(mut self, request_id: Option<String>) -> Self {
        self.request_id = request_id;
        self
    }

    /// Returns the key of the fair share that applies to the job. `None` if the job has no owner or a given
    /// due time.
    pub(super) fn share_key(&self) -> Option<ShareKey> {
        let owner = self.owner.filter(|_| self.run_at.is_none())?;
        Some((self.kind, self.priority, owner))
    }

    /// Returns the due time according to the caller's share. `None` if the job has no caller or a given due
    /// time, or is due now.
    pub(super) fn caller_delay(&self, domain: &Domain) -> Option<Millis> {
        let caller = self.caller.clone().filter(|_| self.run_at.is_none())?;
        super::batches::of(domain).caller_shares.next((self.kind, self.priority, caller), domain.now())
    }

    pub fn kind(&self) -> JobKind {
        self.kind
    }
}

/// Inserts the job, or joins the live job with the same kind and key and raises the priority of that job to
/// at least the given one. Takes part in the caller's transaction if `connection` is a transaction.
///
/// # Errors
/// `Unavailable` with code `capacity_exhausted` if waiting jobs use up the kind's capacity. Joining is never
/// refused.
pub async fn submit(connection: &impl ConnectionTrait, domain: &Domain, job: NewJob) -> Result<Submitted> {
    let now = domain.now();
    let share_key = job.share_key();
    let mut fair_share = FairShare::load(connection, domain, share_key.into_iter()).await?;
    let delayed_until = share_key.and_then(|share_key| fair_share.next(share_key, now));
    for _ in 0..MAX_INSERT_ATTEMPTS {
        let has_capacity = has_capacity(connection, domain, (job.kind, job.priority)).await?;
        if has_capacity
            && let Some(submitted) = insert(connection, domain, &job, (now, delayed_until)).await?
        {
            return Ok(submitted);
        }
        match find_live(connection, job.kind, &job.key).await? {
            Some(live) => return join(connection, domain, live, job.priority).await,
            None if !has_capacity => return Err(capacity_exhausted()),
            // The live job ended between the two statements, so the insert is tried again.
            None => {}
        }
    }
    Err(submit_conflict())
}

fn submit_conflict() -> Error {
    let message = "Jobs with this key are submitted and finished too quickly to be joined.";
    Error::new(Code::ServiceUnavailable, message).retry_after(1)
}

/// Inserts many jobs, all due now, in the given order. Returns `None` for a job whose key already has a live
/// job; that job is not changed. Capacity is not checked.
pub async fn submit_all(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    jobs: &[NewJob],
) -> Result<Vec<Option<Submitted>>> {
    let now = domain.now();
    let mut all = Vec::with_capacity(jobs.len());
    let lines = jobs.iter().filter_map(NewJob::share_key);
    let mut fair_share = FairShare::load(connection, domain, lines).await?;
    for chunk in jobs.chunks(ROWS_PER_STATEMENT) {
        let ids: Vec<JobId> = chunk.iter().map(|_| domain.new_id()).collect();
        let mut rows = Vec::with_capacity(chunk.len());
        let due_at: Vec<Option<Millis>> =
            chunk.iter().map(|job| fair_share.next(job.share_key()?, now)).collect();
        let mut values: Vec<Value> = vec![now.into()];
        for ((job, id), delayed_until) in chunk.iter().zip(&ids).zip(&due_at) {
            let at = values.len() + 1;
            let run_at =
                delayed_until.map_or_else(|| "{due}".to_owned(), |delayed_until| delayed_until.to_string());
            let is_delayed = if delayed_until.is_some() { "TRUE" } else { "FALSE" };
            rows.push(format!(
                "(${}, ${}, ${}, ${}, ${}, {run_at}, 'ready', 0, 0, {{now}}, $1, ${}, ${}, {is_delayed})",
                at,
                at + 1,
                at + 2,
                at + 3,
                at + 4,
                at + 5,
                at + 6
            ));
            values.extend([
                (*id).into(),
                job.kind.as_str().into(),
                job.key.as_str().into(),
                job.payload.as_str().into(),
                job.priority.as_i16().into(),
                job.request_id.clone().into(),
                job.owner.into(),
            ]);
        }
        let sql = format!(
            "INSERT INTO job (id, kind, key, payload, priority, run_at, state, attempts, fence, pushed_at, created_at, \
             request_id, owner_id, in_turn) VALUES {} ON CONFLICT DO NOTHING RETURNING id",
            rows.join(", ")
        );
        let result_rows =
            connection.query_all_raw(statement_about_due(connection, domain, &sql, values)).await?;
        let inserted_ids =
            result_rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect::<Result<HashSet<JobId>>>()?;
        all.extend(chunk.iter().zip(ids).zip(due_at).map(|((job, id), delayed_until)| {
            let (kind, priority, run_at) = (job.kind, job.priority, delayed_until.unwrap_or(now));
            let submitted = Submitted { id, joined: false, kind, priority, run_at, to_push: true };
            inserted_ids.contains(&id).then_some(submitted)
        }));
    }
    Ok(all)
}

/// Returns the live job of `kind` and `key`, as a submission that joined it. `None` if there is no such job.
pub async fn live_submission(
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

/// Returns the keys among `keys` that have a live job of `kind`.
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

/// Returns the number of live jobs of this kind and priority that the account owns, at most `max`.
pub async fn live_count(
    connection: &impl ConnectionTrait,
    (kind, priority): (JobKind, Priority),
    owner: AccountId,
    max: u32,
) -> Result<u64> {
    let sql = "SELECT COUNT(*) FROM (SELECT 1 FROM job WHERE kind = $1 AND owner_id = $2 AND priority = $3 \
               AND finished_at IS NULL LIMIT $4) AS live";
    let values = [kind.as_str().into(), owner.into(), priority.as_i16().into(), i64::from(max).into()];
    Ok(scalar(connection, sql, values).await?.unsigned_abs())
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
    if priority > live.priority && live.state == JobState::Ready {
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

pub(super) fn capacity_exhausted() -> Error {
    Error::new(Code::CapacityExhausted, "Too much work is already waiting. Try again later.")
        .retry_after(CAPACITY_RETRY_SECONDS)
}

/// Inserts the row. Returns `None` if a live job has the same kind and key.
async fn insert(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    job: &NewJob,
    (now, delayed_until): (Millis, Option<Millis>),
) -> Result<Option<Submitted>> {
    let (sql, values, submitted) = insert_statement(domain, job, (now, delayed_until));
    let result = connection.execute_raw(statement_about_due(connection, domain, &sql, values)).await?;
    Ok((result.rows_affected() > 0).then_some(submitted))
}

/// Builds the statement that inserts the row, marked as pushed if it is due: the caller pushes right after
/// the commit, and the sweep recovers jobs whose push is lost.
fn insert_statement(
    domain: &Domain,
    job: &NewJob,
    (now, delayed_until): (Millis, Option<Millis>),
) -> (String, Vec<Value>, Submitted) {
    let id: JobId = domain.new_id();
    let to_push = job.run_at.is_none_or(|at| at <= now);
    let pushed_at = if to_push { "{now}" } else { "NULL" };
    let run_at = job.run_at.or(delayed_until).map_or_else(|| "{due}".to_owned(), |at| at.to_string());
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
        delayed_until.is_some().into(),
    ];
    let (kind, priority, run_at) = (job.kind, job.priority, job.run_at.or(delayed_until).unwrap_or(now));
    (sql, values, Submitted { id, joined: false, kind, priority, run_at, to_push })
}

/// Submits a job with a new key and no owner along with the row that is the reason for it. `row` builds the
/// write of that row from the job id.
///
/// # Errors
/// Same as for [`submit`]; also `Unavailable` if a live job has the same key. In this case, nothing is written.
pub async fn submit_with(
    domain: &Domain,
    job: NewJob,
    row: impl FnOnce(JobId) -> Effect,
) -> Result<Submitted> {
    let connection = domain.db().write();
    if !has_capacity(connection, domain, (job.kind, job.priority)).await? {
        return Err(capacity_exhausted());
    }
    let delayed_until = job.caller_delay(domain);
    let (sql, values, submitted) = insert_statement(domain, &job, (domain.now(), delayed_until));
    let first = statement_about_due(connection, domain, &sql, values);
    let row = row(submitted.id);
    writes::execute_with_effect(domain.db(), first, row, submit_conflict).await?;
    Ok(submitted)
}

/// Deletes the live job of `kind` and `key` unless a worker runs it, because the reason for the job no longer exists.
/// Returns true if the row was deleted.
pub async fn withdraw_ready(connection: &impl ConnectionTrait, kind: JobKind, key: &str) -> Result<bool> {
    let sql = "DELETE FROM job WHERE kind = $1 AND key = $2 AND finished_at IS NULL AND state = 'ready'";
    Ok(execute(connection, sql, [kind.as_str().into(), key.into()]).await? > 0)
}

/// Withdraws a job that was submitted and not yet pushed, because its work was done in the meantime. Returns
/// true if the row was deleted. A claimed job is not withdrawn. Callers that joined the job find no row, as
/// after a successful completion.
pub async fn withdraw(domain: &Domain, id: JobId) -> Result<bool> {
    let sql = "DELETE FROM job WHERE id = $1 AND state = 'ready' AND attempts = 0";
    Ok(execute(domain.db().write(), sql, [id.into()]).await? > 0)
}
