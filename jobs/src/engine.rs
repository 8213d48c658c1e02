//! The engine's interface: submit, wait, query, cancel, retry. Rows are committed first and pushed
//! afterwards, so that no id is in the transport without its row.

use std::sync::Arc;
use std::time::Duration;

use crate::rows::{self, Claimed, JobKind, JobRow, NewJob, Pending, Progress, Submitted, WaitOutcome};
use kernel::{Backend, Code, Domain, Error, JobId, Millis, Result};
use tokio::time::Instant;

use crate::completion::{CompletionWaiters, FirstCheck, JobCompletion};
use crate::completion_counts::CompletionCounts;
use crate::duration::millis;
use crate::heartbeat::{Heartbeat, Lease};
use crate::kind_limits::LoadedLimits;
use crate::transport::{Dequeue, MemoryTransport, QueueItem, Redis, RowTransport, Transport};

/// Settings of the engine. The default fits a single process.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// URL of Redis. Without Redis, processes on PostgreSQL claim jobs from the rows. An embedded database
    /// has one process, whose queues are in memory.
    pub redis_url: Option<String>,
    /// Prefix of the names of all keys and channels in Redis.
    pub redis_prefix: String,
    /// Length of a lease in milliseconds: time after which a worker without a heartbeat counts as lost.
    pub lease_ms: Millis,
    /// Maximum number of ids per kind in the transport. Further jobs wait as rows.
    pub depth: usize,
    /// Time in milliseconds after which a pushed but unclaimed id is pushed again.
    pub lost_after_ms: Millis,
    /// Interval in milliseconds at which the row of an awaited job is queried.
    pub poll_interval_ms: Millis,
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            redis_url: None,
            redis_prefix: "carrel".to_owned(),
            lease_ms: 30_000,
            depth: 1_000,
            lost_after_ms: 10_000,
            poll_interval_ms: 2_000,
        }
    }
}

/// Error of the engine's setup. The message names the setting to change.
#[derive(Debug, thiserror::Error)]
pub enum EngineSetupError {
    /// The URL of Redis is invalid.
    #[error("REDIS_URL is not a valid URL: {0}")]
    RedisUrl(#[from] redis::RedisError),
}

/// The engine of one process. Cheap to clone.
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

struct Inner {
    domain: Domain,
    settings: EngineSettings,
    transport: Arc<Transport>,
    completion_waiters: Arc<CompletionWaiters>,
    heartbeat: Heartbeat,
    completion_counts: CompletionCounts,
    limits: LoadedLimits,
}

impl Engine {
    /// Creates the engine. Must be called within a tokio runtime. Redis may be unavailable.
    ///
    /// # Errors
    /// If `redis_url` is not a valid URL.
    pub fn new(domain: Domain, settings: EngineSettings) -> Result<Self, EngineSetupError> {
        let waiters = Arc::new(CompletionWaiters::default());
        let transport = match (&settings.redis_url, domain.db().backend()) {
            (None, Backend::Sqlite) => Transport::Memory(MemoryTransport::new(settings.depth)),
            (None, Backend::Postgres) => {
                Transport::Rows(Box::new(RowTransport::open(domain.clone(), waiters.clone())))
            }
            (Some(url), _) => {
                Transport::Redis(Redis::open(url, &settings.redis_prefix, settings.depth, waiters.clone())?)
            }
        };
        Ok(Self::with(domain, settings, transport, waiters))
    }

    fn with(
        domain: Domain,
        settings: EngineSettings,
        transport: Transport,
        completion_waiters: Arc<CompletionWaiters>,
    ) -> Self {
        let (transport, heartbeat) = (Arc::new(transport), Heartbeat::default());
        let (completion_counts, limits) = (CompletionCounts::default(), LoadedLimits::default());
        Self(Arc::new(Inner {
            domain,
            settings,
            transport,
            completion_waiters,
            heartbeat,
            completion_counts,
            limits,
        }))
    }

    pub fn domain(&self) -> &Domain {
        &self.0.domain
    }

    pub fn settings(&self) -> &EngineSettings {
        &self.0.settings
    }

    /// Loads the current limits of job kinds. Workers do this every few seconds. While the database is
    /// unavailable, the previous limits apply.
    pub async fn refresh_limits(&self) {
        if let Err(error) = self.0.limits.refresh(self.domain()).await {
            tracing::debug!(%error, "failed to refresh kind limits, keeping the previous ones");
        }
    }

    /// Returns true if claims of a kind must be counted, according to the loaded limits.
    pub(crate) fn is_limited(&self, kind: JobKind) -> bool {
        self.0.limits.bounds_claims(kind)
    }

    /// Returns the run limit of a kind that an operator has set, according to the loaded limits. `None` if no
    /// limit is set.
    pub(crate) fn max_run_override(&self, kind: JobKind) -> Option<Millis> {
        self.0.limits.max_run_ms(kind)
    }

    /// Inserts the job in a batch with concurrent submits, and pushes its id. If a worker of this process has a free
    /// slot and no other job is waiting for it, the job starts immediately. The row is durable when this returns.
    ///
    /// # Errors
    /// `Unavailable` with code `capacity_exhausted` if too many jobs are waiting, or with code `service_unavailable` if
    /// the queue is unavailable (the row still exists, and a subsequent sweep pushes it).
    pub async fn submit(&self, job: NewJob) -> Result<Submitted> {
        let submitted = rows::submit_batched(self.domain(), job.start_immediately()).await?;
        self.push(&submitted).await?;
        Ok(submitted)
    }

    /// Pushes the id of an inserted job.
    ///
    /// # Errors
    /// `Unavailable` if the queue is unavailable; a subsequent sweep pushes the id.
    pub async fn push(&self, submitted: &Submitted) -> Result<()> {
        if !submitted.to_push {
            return Ok(());
        }
        self.push_items(submitted.kind, &[QueueItem::from(submitted)]).await
    }

    /// Pushes the ids of inserted jobs in a batch. Jobs whose kind differs from that of the first job are
    /// skipped. A subsequent sweep pushes them, and ids that the queue cannot accept. Returns the number of
    /// inserted jobs, including those that were skipped.
    pub async fn push_all(&self, submitted: &[Submitted]) -> u64 {
        if let Some(first) = submitted.first() {
            let to_push = submitted.iter().filter(|job| job.to_push && job.kind == first.kind);
            let items: Vec<QueueItem> = to_push.map(QueueItem::from).collect();
            if let Err(error) = self.push_items(first.kind, &items).await {
                tracing::warn!(%error, kind = %first.kind, count = items.len(), "failed to push jobs, waiting for the sweep");
            }
        }
        submitted.len() as u64
    }

    /// Pushes the job of an accepted request. Returns the accepted value.
    pub async fn dispatch<T>(&self, (accepted, job): (T, Submitted)) -> T {
        self.push_all(&[job]).await;
        accepted
    }

    /// Returns the requested result: immediately if it is available, otherwise when the job that produces it
    /// has ended or `deadline` has passed.
    ///
    /// # Errors
    /// `Unavailable` if the queue is unavailable. Other errors are chosen by the capability, depending on the
    /// job's completion.
    pub async fn await_result<P: Pending>(
        &self,
        progress: Progress<P>,
        deadline: Instant,
    ) -> Result<P::Answer> {
        let (job, pending) = match progress {
            Progress::Done(answer) => return Ok(answer),
            Progress::Waiting { job, pending } => (job, pending),
        };
        self.transport().subscribe_completions().await;
        let listener = self.completion_waiters().listener(job.id);
        // A new job completes only after its push, on any worker. The job may have ended already if it joined
        // a live job, if it started on insertion, or if workers claim jobs from the rows, because those
        // workers do not wait for the push.
        let may_be_over = job.joined || !job.to_push || self.transport().dequeue() == Dequeue::Rows;
        let first = if may_be_over { FirstCheck::Immediately } else { FirstCheck::AfterInterval };
        let ended = match self.push(&job).await {
            Ok(()) => listener.wait(self.domain(), deadline, self.check_interval(), first).await,
            Err(error) => Err(error),
        };
        let outcome = match ended {
            Ok(Some(ended)) => WaitOutcome::Ended(ended.state),
            Ok(None) => WaitOutcome::TimedOut,
            Err(error) => WaitOutcome::Failed(error),
        };
        pending.resume(self.domain(), outcome).await
    }

    /// Waits for the job's completion. `None` if the deadline passes first. A missing row counts as complete,
    /// for the kinds whose rows are deleted on completion.
    pub async fn wait(&self, id: JobId, deadline: Duration) -> Result<Option<JobCompletion>> {
        let until = Instant::now() + deadline;
        self.transport().subscribe_completions().await;
        self.completion_waiters()
            .listener(id)
            .wait(self.domain(), until, self.check_interval(), FirstCheck::Immediately)
            .await
    }

    /// Returns the interval at which a waiting caller queries the row in case no notification arrives.
    fn check_interval(&self) -> Duration {
        millis(self.settings().poll_interval_ms.max(1))
    }

    /// Returns the current state of the job. `None` if its row does not exist.
    pub async fn status(&self, id: JobId) -> Result<Option<JobRow>> {
        rows::get(self.domain(), id).await
    }

    /// Cancels a live job: it fails with code `cancelled`. A worker that runs it stops when it receives the
    /// notification, or at the latest at its next heartbeat, and cannot write any effect.
    ///
    /// # Errors
    /// `NotFound` if the job does not exist; `Conflict` if it has already ended.
    pub async fn cancel(&self, id: JobId) -> Result<JobRow> {
        let job = rows::cancel(self.domain(), id).await?;
        let end = JobCompletion::failed(id, rows::CANCELLED, "Cancelled.");
        self.completion_waiters().notify(&end);
        if let Err(error) = self.transport().announce_cancelled(&end).await {
            tracing::debug!(%error, job = %id, "failed to announce cancellation, other processes will query the row");
        }
        Ok(job)
    }

    /// Makes a failed or dead job due now, and resets its attempts.
    ///
    /// # Errors
    /// `NotFound` if the job does not exist; `Conflict` if it is live or complete, or the same work was
    /// submitted again.
    pub async fn retry(&self, id: JobId) -> Result<JobRow> {
        let job = rows::retry_manually(self.domain(), id).await?;
        self.push_items(job.kind, &[QueueItem::new(job.id, job.priority, job.run_at)]).await?;
        Ok(job)
    }

    /// Checks that the queue responds.
    ///
    /// # Errors
    /// `Unavailable` if it does not.
    pub async fn ping(&self) -> Result<()> {
        self.transport().ping().await.map_err(|error| unavailable(&error))
    }

    /// Returns the number of ids of `kind` in the transport.
    pub async fn depth(&self, kind: JobKind) -> Result<u64> {
        self.transport().depth(kind).await.map_err(|error| unavailable(&error))
    }

    pub(crate) fn transport(&self) -> &Arc<Transport> {
        &self.0.transport
    }

    /// Counts a completion for charts.
    pub(crate) fn count_completion(&self, kind: JobKind, outcome: &'static str) {
        self.0.completion_counts.count(kind, outcome, self.domain().now());
    }

    /// Adds the recent completions of this process to the table behind the charts.
    pub async fn write_completion_counts(&self) {
        self.0.completion_counts.write(self.domain()).await;
    }

    pub(crate) fn completion_waiters(&self) -> &Arc<CompletionWaiters> {
        &self.0.completion_waiters
    }

    /// Renews the lease of a running job until the returned lease is dropped.
    pub(crate) fn register_lease(&self, claimed: &Claimed) -> Lease {
        self.0.heartbeat.register(self.domain(), claimed, self.settings().lease_ms)
    }

    /// Pushes ids. If the queue has no capacity for an id, the mark of its row as pushed is removed, so that
    /// the next sweep pushes it.
    pub(crate) async fn push_items(&self, kind: JobKind, items: &[QueueItem]) -> Result<()> {
        let rejected_ids = self.transport().push(kind, items).await.map_err(|error| unavailable(&error))?;
        rows::unmark_pushed(self.domain(), &rejected_ids).await
    }

    /// Pushes a released job, if the queue is available.
    pub(crate) async fn push_again(&self, claimed: &Claimed) {
        let item = QueueItem::new(claimed.id, claimed.priority, claimed.run_at);
        if let Err(error) = self.push_items(claimed.kind, &[item]).await {
            tracing::debug!(%error, job = %claimed.id, "failed to push released job, waiting for the sweep");
        }
    }

    /// Notifies all callers that wait for the job, in this and other processes.
    pub(crate) async fn notify(&self, ended: &JobCompletion) {
        self.completion_waiters().notify(ended);
        if let Err(error) = self.transport().announce(ended).await {
            tracing::debug!(%error, job = %ended.id, "failed to announce completion, other processes will query the row");
        }
    }
}

fn unavailable(error: &crate::transport::Unavailable) -> Error {
    tracing::warn!(%error, "queue unavailable");
    Error::new(
        Code::ServiceUnavailable,
        "The job queue is currently unavailable. Try again in a few seconds.",
    )
    .retry_after(5)
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Engine").field("settings", &self.0.settings).finish_non_exhaustive()
    }
}
