//! The engine's front: submit, wait, look, cancel, retry. Rows are written first and pushed after, so
//! that no id is on its way whose row is not there.

use std::sync::Arc;
use std::time::Duration;

use crate::rows::{self, Claimed, JobKind, JobRow, NewJob, Pending, Progress, Submitted, WaitOutcome};
use kernel::Code;
use kernel::JobId;
use kernel::{Backend, Domain, Error, Millis, Result};
use tokio::time::Instant;

use crate::activity::Activity;
use crate::completion::{Completion, FirstLook, JobEnd};
use crate::duration::millis;
use crate::heartbeat::{Heartbeat, Lease};
use crate::kind_limits::KnownLimits;
use crate::transport::{Drawing, Memory, QueueItem, Redis, Rows, Transport};

/// How the engine is set up; the default fits one process.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// Where Redis is. Without it processes on PostgreSQL draw jobs from their rows; an embedded database has one process,
    /// and ids travel inside it.
    pub redis_url: Option<String>,
    /// What all keys and channels in Redis begin with.
    pub redis_prefix: String,
    /// How long a worker is believed to be alive without a sign, in milliseconds.
    pub lease_ms: Millis,
    /// Most ids of one kind in the transport; more wait as rows.
    pub depth: usize,
    /// Milliseconds after which an id that was pushed and not claimed is pushed again.
    pub lost_after_ms: Millis,
    /// Milliseconds between looks at the row of a job that is waited for.
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

/// The engine cannot be set up. The message names what to change.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The URL of Redis is none.
    #[error("REDIS_URL is not a usable address: {0}")]
    RedisUrl(#[from] redis::RedisError),
}

/// The engine of one process. Cheap to clone.
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

struct Inner {
    domain: Domain,
    settings: EngineSettings,
    transport: Arc<Transport>,
    completion: Arc<Completion>,
    heartbeat: Heartbeat,
    activity: Activity,
    limits: KnownLimits,
}

impl Engine {
    /// Sets the engine up; must be called inside a tokio runtime. Redis need not be there yet.
    ///
    /// # Errors
    /// When `redis_url` is not an address.
    pub fn new(domain: Domain, settings: EngineSettings) -> Result<Self, ConnectError> {
        let completion = Arc::new(Completion::default());
        let transport = match (&settings.redis_url, domain.db().backend()) {
            (None, Backend::Sqlite) => Transport::Memory(Memory::new(settings.depth)),
            (None, Backend::Postgres) => {
                Transport::Rows(Box::new(Rows::open(domain.clone(), completion.clone())))
            }
            (Some(url), _) => Transport::Redis(Redis::open(
                url,
                &settings.redis_prefix,
                settings.depth,
                completion.clone(),
            )?),
        };
        Ok(Self::with(domain, settings, transport, completion))
    }

    fn with(
        domain: Domain,
        settings: EngineSettings,
        transport: Transport,
        completion: Arc<Completion>,
    ) -> Self {
        let (transport, heartbeat) = (Arc::new(transport), Heartbeat::default());
        let (activity, limits) = (Activity::default(), KnownLimits::default());
        Self(Arc::new(Inner { domain, settings, transport, completion, heartbeat, activity, limits }))
    }

    /// The domain's handle.
    pub fn domain(&self) -> &Domain {
        &self.0.domain
    }

    /// How the engine was set up.
    pub fn settings(&self) -> &EngineSettings {
        &self.0.settings
    }

    /// Has this process go by the limits of kinds as they are set now. Its workers do so every few seconds by themselves;
    /// while the database is away those that were known hold.
    pub async fn learn_limits(&self) {
        if let Err(error) = self.0.limits.learn(self.domain()).await {
            tracing::debug!(%error, "limits of kinds are as they were");
        }
    }

    /// Whether claims of a kind must count, as far as this process knows.
    pub(crate) fn is_limited(&self, kind: JobKind) -> bool {
        self.0.limits.bound_claims(kind)
    }

    /// The longest run that an operator has set for a kind, as far as this process knows.
    pub(crate) fn max_run_set(&self, kind: JobKind) -> Option<Millis> {
        self.0.limits.max_run_ms(kind)
    }

    /// Writes the job down, together with what others submit meanwhile, and pushes its id; where a worker of this process has
    /// a place and nothing waits before it, it begins at once. The row is durable when this answers.
    ///
    /// # Errors
    /// `Unavailable` with code `capacity_exhausted` when too much waits already; with
    /// `service_unavailable` when the queue cannot be reached (the row is written nonetheless, and the
    /// sweep will bring it to a worker).
    pub async fn submit(&self, job: NewJob) -> Result<Submitted> {
        let submitted = rows::submit_by_itself(self.domain(), job.begin_at_once()).await?;
        self.push(&submitted).await?;
        Ok(submitted)
    }

    /// Pushes the id of a job that was written down.
    ///
    /// # Errors
    /// `Unavailable` when the queue cannot be reached; the sweep will push it later.
    pub async fn push(&self, submitted: &Submitted) -> Result<()> {
        if !submitted.to_push {
            return Ok(());
        }
        self.push_items(submitted.kind, &[QueueItem::from(submitted)]).await
    }

    /// Pushes the ids of jobs of one kind that were written down, all at once; returns how many there are.
    /// Those that the queue cannot take now are brought to a worker by the sweep.
    pub async fn hand_over(&self, submitted: &[Submitted]) -> u64 {
        if let Some(first) = submitted.first() {
            let to_push = submitted.iter().filter(|job| job.to_push && job.kind == first.kind);
            let items: Vec<QueueItem> = to_push.map(QueueItem::from).collect();
            if let Err(error) = self.push_items(first.kind, &items).await {
                tracing::warn!(%error, kind = %first.kind, count = items.len(), "jobs wait for the sweep");
            }
        }
        submitted.len() as u64
    }

    /// What was accepted, its job on the way to a worker.
    pub async fn dispatch<T>(&self, (accepted, job): (T, Submitted)) -> T {
        self.hand_over(&[job]).await;
        accepted
    }

    /// What was asked for: at once when it is there, else when the job that makes it is over, or when
    /// `deadline` comes first.
    ///
    /// # Errors
    /// What the rule makes of the job's end; `Unavailable` when the queue cannot be reached.
    pub async fn await_result<P: Pending>(
        &self,
        progress: Progress<P>,
        deadline: Instant,
    ) -> Result<P::Answer> {
        let (job, pending) = match progress {
            Progress::Done(answer) => return Ok(answer),
            Progress::Waiting { job, pending } => (job, pending),
        };
        self.transport().hear_ends().await;
        let listener = self.completion().listener(job.id);
        // A job that is new ends after it was pushed, whoever takes it. One that was joined may be over already, and so may
        // one that began as it was written, or stands in a row from which it is drawn: no worker waits for the push.
        let may_be_over = job.joined || !job.to_push || self.transport().drawing() == Drawing::Rows;
        let first = if may_be_over { FirstLook::AtOnce } else { FirstLook::Later };
        let ended = match self.push(&job).await {
            Ok(()) => listener.wait(self.domain(), deadline, self.look(), first).await,
            Err(error) => Err(error),
        };
        let outcome = match ended {
            Ok(Some(ended)) => WaitOutcome::Ended(ended.state),
            Ok(None) => WaitOutcome::TimedOut,
            Err(error) => WaitOutcome::Failed(error),
        };
        pending.resume(self.domain(), outcome).await
    }

    /// Waits for the job's end; `None` when the deadline comes first. A row that is gone counts as
    /// complete, for the kinds whose rows are deleted then.
    pub async fn wait(&self, id: JobId, deadline: Duration) -> Result<Option<JobEnd>> {
        let until = Instant::now() + deadline;
        self.transport().hear_ends().await;
        self.completion().listener(id).wait(self.domain(), until, self.look(), FirstLook::AtOnce).await
    }

    /// How long whoever waits relies on being told before the row is looked at.
    fn look(&self) -> Duration {
        millis(self.settings().poll_interval_ms.max(1))
    }

    /// The job as it stands, if its row is still there.
    pub async fn status(&self, id: JobId) -> Result<Option<JobRow>> {
        rows::get(self.domain(), id).await
    }

    /// Ends a live job as failed with code `cancelled`; a worker that runs it stops when it
    /// hears of it, at its next heartbeat at the latest, and can write no effect.
    ///
    /// # Errors
    /// `NotFound`, or `Conflict` when it is over already.
    pub async fn cancel(&self, id: JobId) -> Result<JobRow> {
        let job = rows::cancel(self.domain(), id).await?;
        let end = JobEnd::failed(id, rows::CANCELLED, "Cancelled.");
        self.completion().notify(&end);
        if let Err(error) = self.transport().announce_cancelled(&end).await {
            tracing::debug!(%error, job = %id, "other processes will find the end in the database");
        }
        Ok(job)
    }

    /// Gives a failed or dead job a fresh set of starts, at once.
    ///
    /// # Errors
    /// `NotFound`, or `Conflict` when it is live, complete, or submitted again since.
    pub async fn retry(&self, id: JobId) -> Result<JobRow> {
        let job = rows::retry_by_hand(self.domain(), id).await?;
        self.push_items(job.kind, &[QueueItem::new(job.id, job.priority, job.run_at)]).await?;
        Ok(job)
    }

    /// Answers when the queue does.
    ///
    /// # Errors
    /// `Unavailable` when it cannot be reached.
    pub async fn ping(&self) -> Result<()> {
        self.transport().ping().await.map_err(|error| unavailable(&error))
    }

    /// How many ids of `kind` are in the transport.
    pub async fn depth(&self, kind: JobKind) -> Result<u64> {
        self.transport().depth(kind).await.map_err(|error| unavailable(&error))
    }

    pub(crate) fn transport(&self) -> &Arc<Transport> {
        &self.0.transport
    }

    /// Counts an end for metrics and charts.
    pub(crate) fn count_end(&self, kind: JobKind, outcome: &'static str) {
        self.0.activity.count(kind, outcome, self.domain().now());
    }

    /// Adds what ended in this process lately to what charts are drawn from.
    pub async fn write_activity(&self) {
        self.0.activity.write(self.domain()).await;
    }

    pub(crate) fn completion(&self) -> &Arc<Completion> {
        &self.0.completion
    }

    /// Keeps the lease of a job that runs here.
    pub(crate) fn keep_lease(&self, claimed: &Claimed) -> Lease {
        self.0.heartbeat.keep(self.domain(), claimed, self.settings().lease_ms)
    }

    /// Pushes ids; those without room are unmarked, so that the next sweep finds them.
    pub(crate) async fn push_items(&self, kind: JobKind, items: &[QueueItem]) -> Result<()> {
        let refused = self.transport().push(kind, items).await.map_err(|error| unavailable(&error))?;
        rows::unmark_pushed(self.domain(), &refused).await
    }

    /// Pushes a job that was handed back, if the queue can be reached.
    pub(crate) async fn push_again(&self, claimed: &Claimed) {
        let item = QueueItem::new(claimed.id, claimed.priority, claimed.run_at);
        if let Err(error) = self.push_items(claimed.kind, &[item]).await {
            tracing::debug!(%error, job = %claimed.id, "handed back, for the sweep to find");
        }
    }

    /// Tells everybody who waits for the job, here and in other processes.
    pub(crate) async fn notify(&self, ended: &JobEnd) {
        self.completion().notify(ended);
        if let Err(error) = self.transport().announce(ended).await {
            tracing::debug!(%error, job = %ended.id, "other processes will find the end in the database");
        }
    }
}

fn unavailable(error: &crate::transport::Unavailable) -> Error {
    tracing::warn!(%error, "the queue is away");
    Error::new(Code::ServiceUnavailable, "The job queue cannot be reached at the moment.").retry_after(5)
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Engine").field("settings", &self.0.settings).finish_non_exhaustive()
    }
}
