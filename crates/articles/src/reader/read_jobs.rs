//! Asynchronous reads. A read job is created and acknowledged immediately, executed by a worker, and retained for a day
//! after it has finished. Its "work" is the job of the job engine that executes it.

use async_recursion::async_recursion as boxed;
use entities::ids::{JobId, ReadJobId, SnapshotId};
use entities::read_job;
use hmac::{Hmac, KeyInit, Mac};
use identity::limits::Network;
use sea_orm::sea_query::{Expr, Func};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use uuid::Builder;

use super::idempotency::IdempotencyScope;
use crate::{Address, Article, Render, SourceFailure};
use jobs::{Claimed, JobOutcome};
use kernel::clock::DAY;
use kernel::retention::ExpiredRows;
use kernel::writes::Effect;
use kernel::{Code, Domain, Error, Millis, Result};

/// Retention of an unfinished job, in milliseconds.
const UNFINISHED_MS: Millis = 7 * DAY;
/// Delays before the second and the third attempt, in milliseconds.
const RETRY_MS: [Millis; 2] = [2_000, 8_000];
/// Recommended polling interval for an unfinished job, in seconds.
const POLL_AFTER: u32 = 2;
/// Read jobs whose retention has expired.
const EXPIRED: ExpiredRows = ExpiredRows { table: "read_job", key: "id", condition: "expires_at <= $1" };
/// Error message for a dead job, and for a job whose last attempt had an internal error.
const NOT_COMPLETED: &str = "The job was given up after several attempts that did not complete.";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadJobState {
    /// Waiting for a worker.
    Queued,
    /// Claimed by a worker.
    Running,
    /// Completed; the text is stored.
    Complete,
    /// Failed; the error is stored.
    Failed,
}

impl ReadJobState {
    pub const ALL: &'static [Self] = &[Self::Queued, Self::Running, Self::Complete, Self::Failed];

    /// Name in the API and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Complete => "complete",
            Self::Failed => "failed",
        }
    }

    /// True if the state is final.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Complete | Self::Failed)
    }

    fn parse(word: &str) -> Self {
        [Self::Queued, Self::Running, Self::Complete]
            .into_iter()
            .find(|state| state.as_str() == word)
            .unwrap_or(Self::Failed)
    }
}

/// Request for a read job.
#[derive(Debug, Clone)]
pub struct NewReadJob {
    /// URL as the caller sent it.
    pub url: String,
    /// Query that selects passages of the text. `None` for the whole text.
    pub query: Option<String>,
    /// Requested format of the result.
    pub format: Option<String>,
    /// Maximum age of a cached text, in seconds.
    pub max_age: u32,
    pub render: Render,
    /// Network that is charged for a rendering, as returned by [`Network::hashed`]. `None` if renderings are not
    /// limited.
    pub network: Option<Network>,
}

/// Payload of the job that executes a read job.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ReadJobArguments {
    /// Caller for whom the work runs, as in [`kernel::caller`]. `None` if it is unknown.
    pub(crate) caller: Option<String>,
    /// Network that is charged for a rendering. `None` in jobs that an earlier version submitted.
    #[serde(default)]
    pub(crate) network: Option<Network>,
}

/// Read job as reported to its caller.
#[derive(Debug, Clone)]
pub struct ReadJob {
    pub id: ReadJobId,
    /// URL as the caller sent it.
    pub url: String,
    /// Query that selects passages of the text. `None` for the whole text.
    pub query: Option<String>,
    /// Requested format of the result.
    pub format: Option<String>,
    /// Maximum age of a cached text, in seconds.
    pub max_age: u32,
    pub render: Render,
    pub state: ReadJobState,
    /// Creation time in milliseconds since the epoch, like all times in this module.
    pub created_at: Millis,
    /// Start time of the first attempt.
    pub started_at: Option<Millis>,
    pub finished_at: Option<Millis>,
    /// Time at which the job is deleted.
    pub expires_at: Millis,
    /// Number of started attempts.
    pub attempts: u32,
    /// Snapshot of the result. `None` unless the job is complete.
    pub snapshot_id: Option<SnapshotId>,
    /// Error of a failed job.
    pub error: Option<SourceFailure>,
}

impl ReadJob {
    /// Returns the number of seconds to wait before the next poll. 0 if the job has finished.
    pub fn poll_after(&self) -> u32 {
        if self.state.is_final() { 0 } else { POLL_AFTER }
    }
}

/// Derives a job id from an idempotent request. Repetitions of the request get the same id, and other callers
/// cannot guess it.
///
/// # Errors
/// If the database fails.
pub async fn id_of(domain: &Domain, scope: IdempotencyScope<'_>) -> Result<ReadJobId> {
    let secret = domain.read_job_secret().await?;
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).map_err(Error::internal)?;
    for part in [scope.caller, scope.key, scope.request] {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part.as_bytes());
    }
    let mut bytes = [0_u8; 16];
    bytes.copy_from_slice(&mac.finalize().into_bytes()[..16]);
    Ok(ReadJobId::from_u128(Builder::from_custom_bytes(bytes).into_uuid().as_u128()))
}

/// Creates a read job and submits its work in one transaction. The caller must push the work. If `id` is an
/// id from [`id_of`] and an earlier attempt of the same request has created the job, returns that job,
/// because the response of the earlier attempt never reached the caller.
///
/// # Errors
/// `capacity_exhausted` if too many jobs are waiting.
#[boxed]
pub async fn create(
    domain: &Domain,
    new: NewReadJob,
    id: Option<ReadJobId>,
) -> Result<(ReadJob, jobs::Submitted)> {
    let Some(id) = id else { return write(domain, new, domain.new_id()).await };
    let find_existing = async || read_job::Entity::find_by_id(id).one(domain.db().write()).await;
    match find_existing().await? {
        // An `Idempotency-Key` is valid for a day. An older row belongs to an earlier request and retains the id.
        Some(row) if row.created_at <= domain.now() - DAY => write(domain, new, domain.new_id()).await,
        Some(row) => resume_existing(domain, row).await,
        None => match write(domain, new, id).await {
            Ok(written) => Ok(written),
            // The transaction of an earlier attempt was still being committed.
            Err(error) => match find_existing().await? {
                Some(row) => resume_existing(domain, row).await,
                None => Err(error),
            },
        },
    }
}

/// Returns an existing job with its work. The work is pushed again if no worker has claimed it.
async fn resume_existing(domain: &Domain, row: read_job::Model) -> Result<(ReadJob, jobs::Submitted)> {
    let work = jobs::get(domain, row.work_id).await?.ok_or_else(no_job)?;
    let submitted = jobs::Submitted {
        id: work.id,
        joined: true,
        kind: work.kind,
        priority: work.priority,
        run_at: work.run_at,
        to_push: work.state == jobs::JobState::Ready && work.run_at <= domain.now(),
    };
    let mut job = of_row(row);
    if !job.state.is_final() {
        apply_work_state(domain, work, &mut job);
    }
    Ok((job, submitted))
}

async fn write(domain: &Domain, new: NewReadJob, id: ReadJobId) -> Result<(ReadJob, jobs::Submitted)> {
    let now = domain.now();
    let job = ReadJob {
        id,
        url: new.url,
        query: new.query,
        format: new.format,
        max_age: new.max_age,
        render: new.render,
        state: ReadJobState::Queued,
        created_at: now,
        started_at: None,
        finished_at: None,
        expires_at: now + UNFINISHED_MS,
        attempts: 0,
        snapshot_id: None,
        error: None,
    };
    let row = |work_id: JobId| Effect {
        sql: "INSERT INTO read_job (id, work_id, url, query, format, max_age, render, state, created_at, expires_at, attempts) \
              SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0 WHERE {done}",
        values: vec![
            job.id.into(),
            work_id.into(),
            job.url.as_str().into(),
            job.query.clone().into(),
            job.format.clone().into(),
            i32::try_from(job.max_age).unwrap_or(i32::MAX).into(),
            job.render.as_str().into(),
            job.state.as_str().into(),
            job.created_at.into(),
            job.expires_at.into(),
        ],
    };
    let caller = kernel::caller::current();
    let work = jobs::NewJob::new(jobs::JobKind::ReadJob, job.id.to_string()).caller(caller.clone());
    let work = work.payload(&ReadJobArguments { caller, network: new.network })?;
    let submitted = jobs::submit_with(domain, work, row).await?;
    Ok((job, submitted))
}

/// Returns the current state of a read job.
///
/// # Errors
/// `job_not_found` if the job is unknown or has expired.
#[boxed]
pub async fn get(domain: &Domain, id: ReadJobId) -> Result<ReadJob> {
    let row = read_job::Entity::find_by_id(id).one(domain.db().read()).await?;
    let row = row.filter(|row| row.expires_at > domain.now()).ok_or_else(no_job)?;
    let work_id = row.work_id;
    let mut job = of_row(row);
    if !job.state.is_final() {
        // Both rows are written in one transaction, and the row of the work is retained for a day after its
        // completion.
        let work = jobs::get(domain, work_id).await?.ok_or_else(no_job)?;
        apply_work_state(domain, work, &mut job);
    }
    Ok(job)
}

/// Updates a job from the row of its work. If the worker was lost, the row of the job says `running` until the
/// work starts again or is dead.
fn apply_work_state(domain: &Domain, work: jobs::JobRow, job: &mut ReadJob) {
    match work.state {
        jobs::JobState::Ready => job.state = ReadJobState::Queued,
        jobs::JobState::Running | jobs::JobState::Complete => {}
        jobs::JobState::Failed | jobs::JobState::Dead => {
            let ended = work.finished_at.unwrap_or_else(|| domain.now());
            job.state = ReadJobState::Failed;
            job.finished_at = Some(ended);
            job.expires_at = ended + DAY;
            // Internal errors are reported only to operators.
            let is_internal = work.error_code == Some(Code::Internal);
            let message =
                work.error_message.filter(|_| !is_internal).unwrap_or_else(|| NOT_COMPLETED.to_owned());
            job.error = Some(SourceFailure::new(Code::ServiceUnavailable, message));
        }
    }
}

fn no_job() -> Error {
    Error::new(Code::JobNotFound, "There is no such read job, or it ended more than 24 hours ago.")
}

/// Records the start of an attempt and returns the job to read. `None` if the job does not exist or has
/// finished.
#[boxed]
pub async fn start(domain: &Domain, claimed: &Claimed) -> Result<Option<ReadJob>> {
    let Ok(id) = claimed.key.parse::<ReadJobId>() else { return Ok(None) };
    let now = domain.now();
    let change = read_job::ActiveModel {
        state: Set(ReadJobState::Running.as_str().to_owned()),
        attempts: Set(i32::try_from(claimed.attempt).unwrap_or(i32::MAX)),
        finished_at: Set(None),
        expires_at: Set(now + UNFINISHED_MS),
        error_code: Set(None),
        error_message: Set(None),
        ..Default::default()
    };
    let first_start = Func::coalesce([read_job::Column::StartedAt.into_expr(), Expr::value(now)]);
    // A failed job is claimed again only if an operator retries it.
    let rows = read_job::Entity::update_many()
        .set(change)
        .col_expr(read_job::Column::StartedAt, first_start.into())
        .filter(read_job::Column::Id.eq(id))
        .filter(read_job::Column::State.ne(ReadJobState::Complete.as_str()))
        .exec_with_returning(domain.db().write())
        .await?;
    Ok(rows.into_iter().next().map(of_row))
}

/// Returns the address that a job reads.
///
/// # Errors
/// Same as for [`Address::parse`]. Fails only if the guard's settings changed after the job was created.
pub fn address(domain: &Domain, job: &ReadJob) -> Result<Address> {
    Address::parse(domain, &job.url)
}

/// Stores the result of an attempt in the transaction that completes the work or schedules its next attempt.
#[boxed]
pub async fn finish(
    domain: &Domain,
    claimed: &Claimed,
    id: ReadJobId,
    result: Result<Article>,
) -> Result<JobOutcome> {
    let now = domain.now();
    let error = match result {
        Ok(article) => {
            let effect = Effect {
                sql: "UPDATE read_job SET state = $1, finished_at = $2, expires_at = $3, snapshot_id = $4 \
                      WHERE id = $5 AND {done}",
                values: vec![
                    ReadJobState::Complete.as_str().into(),
                    now.into(),
                    (now + DAY).into(),
                    article.snapshot_id.into(),
                    id.into(),
                ],
            };
            jobs::complete_with_effect(domain, claimed, effect).await?;
            return Ok(JobOutcome::Completed);
        }
        Err(error) => error,
    };
    let mut change = read_job::ActiveModel { id: Set(id), ..Default::default() };
    let transaction = domain.db().begin().await?;
    let outcome = match error {
        // Exhausted capacity of this installation does not count as a failed attempt.
        error if error.code == Code::CapacityExhausted => {
            change.state = Set(ReadJobState::Queued.as_str().to_owned());
            let seconds = error.retry_after.unwrap_or(5);
            jobs::snooze_in(&transaction, domain, claimed, Millis::from(seconds) * 1000).await?
        }
        error if error.is_transient() && !claimed.is_last_attempt() => {
            let retry = (claimed.attempt.max(1) as usize - 1).min(RETRY_MS.len() - 1);
            change.state = Set(ReadJobState::Queued.as_str().to_owned());
            let message = error.to_string();
            jobs::retry_in(&transaction, domain, claimed, Some(RETRY_MS[retry]), (error.code, &message))
                .await?
        }
        error => {
            change.state = Set(ReadJobState::Failed.as_str().to_owned());
            change.error_code = Set(Some(error.code.as_str().to_owned()));
            change.error_message = Set(Some(error.to_string()));
            change.finished_at = Set(Some(now));
            change.expires_at = Set(now + DAY);
            jobs::fail_in(&transaction, domain, claimed, (error.code, &error.to_string())).await?
        }
    };
    change.update(&transaction).await?;
    transaction.commit().await?;
    Ok(outcome)
}

/// Deletes jobs that finished more than 24 hours ago, in small steps. Returns the number of deleted jobs.
#[boxed]
pub async fn remove_expired(domain: &Domain) -> Result<u64> {
    EXPIRED.delete(domain.db().write(), &[domain.now().into()]).await
}

fn of_row(row: read_job::Model) -> ReadJob {
    ReadJob {
        id: row.id,
        url: row.url,
        query: row.query,
        format: row.format,
        max_age: u32::try_from(row.max_age).unwrap_or(0),
        render: row.render.unwrap_or_default(),
        state: ReadJobState::parse(&row.state),
        created_at: row.created_at,
        started_at: row.started_at,
        finished_at: row.finished_at,
        expires_at: row.expires_at,
        attempts: u32::try_from(row.attempts).unwrap_or(0),
        snapshot_id: row.snapshot_id,
        error: row
            .error_code
            .map(|code| SourceFailure::from_stored(&code, row.error_message.unwrap_or_default(), None)),
    }
}
