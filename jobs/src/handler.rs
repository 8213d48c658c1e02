//! Job handlers: the work that a worker performs for a job kind, and the possible results.
//!
//! A handler contains no rules: it parses the arguments and makes one domain call, which completes the job
//! with `jobs::complete_in` in the transaction that writes the effect.

use std::collections::BTreeMap;
use std::future::{Future, ready};
use std::sync::Arc;

use crate::rows::{self, Claimed, DeadJob, JobKind, JobOutcome};
use futures_util::future::{BoxFuture, FutureExt, TryFutureExt};
use kernel::{Class, Code, Domain, Millis};

use crate::engine::Engine;

/// Context passed to every handler.
#[derive(Clone, Debug)]
pub struct JobContext {
    /// Allows a handler to submit and await other jobs.
    pub engine: Engine,
}

impl JobContext {
    pub fn domain(&self) -> &Domain {
        self.engine.domain()
    }
}

/// Failure of a run.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// Another attempt may succeed.
    #[error("{code}: {message}")]
    Retry {
        /// Machine-readable code.
        code: Code,
        /// Human-readable message.
        message: String,
        /// Delay in milliseconds. `None` for the kind's exponential back-off.
        after_ms: Option<Millis>,
    },
    /// Another attempt would fail in the same way.
    #[error("{code}: {message}")]
    Fail {
        /// Machine-readable code.
        code: Code,
        /// Human-readable message.
        message: String,
    },
    /// The claim is no longer the newest, so nothing may be written.
    #[error("the lease was lost")]
    Lost,
}

/// Transient errors are retried, after the delay that the source requested, if any. Other errors fail the
/// job.
impl From<kernel::Error> for JobError {
    fn from(error: kernel::Error) -> Self {
        if rows::is_lease_lost(&error) {
            return Self::Lost;
        }
        let (code, message) = (error.code, error.report());
        if !error.is_transient() {
            return Self::Fail { code, message };
        }
        let after_ms = error
            .retry_after
            .filter(|_| error.class() == Class::Upstream)
            .map(|seconds| Millis::from(seconds) * 1_000);
        Self::Retry { code, message, after_ms }
    }
}

/// Implementation of a job kind: its run, and hooks for events outside of a run. A run completes its row in
/// the transaction that writes the effect.
pub trait Job: Clone + Send + Sync + 'static {
    /// The kind. Its rules are in [`JobKind::rules`].
    const KIND: JobKind;
    /// Tools of the worker that the job uses.
    type Tools;

    /// Creates the job for a worker with these tools.
    fn new(tools: &Self::Tools) -> Self;

    /// Runs one claimed job. Returns its outcome.
    fn run(
        self,
        context: JobContext,
        claimed: Claimed,
    ) -> impl Future<Output = Result<JobOutcome, JobError>> + Send;

    /// Records on the job's subject that the job is dead and will not be started again.
    fn on_dead<'a>(_domain: &'a Domain, _job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(ready(Ok(())))
    }

    /// Records on the job's subject that the last attempt failed, if the run itself has not done so.
    fn on_failure<'a>(_domain: &'a Domain, _key: &'a str) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(ready(Ok(())))
    }

    /// Returns the source of the due rows for which jobs of this kind are submitted. `None` for kinds that
    /// are submitted on request.
    fn due() -> Option<DueSource> {
        None
    }
}

/// Submits jobs for due rows in batches. Returns the number of jobs.
pub type ClaimDue = for<'a> fn(&'a Engine) -> BoxFuture<'a, kernel::Result<u64>>;

/// Source of due rows, for which the scheduler submits jobs.
#[derive(Clone, Copy, Debug)]
pub struct DueSource {
    /// SQL condition that is true if any row is due. It must use an index. `{due}` is replaced by the current
    /// time in milliseconds.
    pub condition: &'static str,
    /// Claim that starts each tick.
    pub claim: ClaimDue,
    /// Claim that is repeated within the tick as long as the queue has capacity. `None` if a tick claims only
    /// once.
    pub further: Option<ClaimDue>,
}

type OnDead = for<'a> fn(&'a Domain, &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>>;
type OnFailure = for<'a> fn(&'a Domain, &'a str) -> BoxFuture<'a, kernel::Result<()>>;

#[derive(Clone, Copy, Debug)]
pub struct KindHooks {
    pub(crate) on_dead: OnDead,
    pub(crate) on_failure: OnFailure,
    pub(crate) due: Option<DueSource>,
}

impl KindHooks {
    /// Returns the hooks of a job kind.
    pub fn of<J: Job>() -> Self {
        Self { on_dead: J::on_dead, on_failure: J::on_failure, due: J::due() }
    }
}

/// Hooks of every registered kind, installed in the [`Domain`] handle. A kind without an entry has no hooks.
#[derive(Clone, Debug, Default)]
pub struct Hooks(BTreeMap<JobKind, KindHooks>);

impl Hooks {
    /// Adds the hooks of a kind. Replaces existing hooks of the same kind.
    #[must_use]
    pub fn with(mut self, kind: JobKind, hooks: KindHooks) -> Self {
        self.0.insert(kind, hooks);
        self
    }

    /// Returns the hooks installed in the `Domain` handle.
    pub(crate) fn installed(domain: &Domain) -> Arc<Self> {
        domain.installed().unwrap_or_default()
    }

    pub(crate) fn get(&self, kind: JobKind) -> Option<KindHooks> {
        self.0.get(&kind).copied()
    }

    /// Returns the due sources of all kinds that have one, ordered by kind.
    pub(crate) fn due_sources(&self) -> impl Iterator<Item = (JobKind, DueSource)> + '_ {
        self.0.iter().filter_map(|(kind, hooks)| Some((*kind, hooks.due?)))
    }
}

type RunFunction =
    dyn Fn(JobContext, Claimed) -> BoxFuture<'static, Result<JobOutcome, JobError>> + Send + Sync;

/// Handler of one job kind.
#[derive(Clone)]
pub struct Handler {
    kind: JobKind,
    run: Arc<RunFunction>,
}

impl Handler {
    /// Creates the handler of a job kind for a worker with these tools.
    pub fn of<J: Job>(tools: &J::Tools) -> Self {
        let job = J::new(tools);
        Self::new(J::KIND, move |context, claimed| job.clone().run(context, claimed))
    }

    /// Creates a handler from a function. `run` completes the job with `jobs::complete_in` in the transaction
    /// that writes its effect, and returns the outcome; a `run` that returns `()` has completed successfully.
    pub fn new<F, Fut, O>(kind: JobKind, run: F) -> Self
    where
        F: Fn(JobContext, Claimed) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<O, JobError>> + Send + 'static,
        O: Into<JobOutcome> + 'static,
    {
        Self { kind, run: Arc::new(move |context, job| run(context, job).map_ok(Into::into).boxed()) }
    }

    pub fn kind(&self) -> JobKind {
        self.kind
    }

    pub(crate) fn call(
        &self,
        context: JobContext,
        job: Claimed,
    ) -> BoxFuture<'static, Result<JobOutcome, JobError>> {
        (self.run)(context, job)
    }
}

impl std::fmt::Debug for Handler {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Handler").field(&self.kind).finish()
    }
}

/// Handlers of one process, at most one per kind.
#[derive(Clone, Debug, Default)]
pub struct Handlers(BTreeMap<JobKind, Handler>);

impl Handlers {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a handler. Replaces an existing handler of the same kind.
    #[must_use]
    pub fn with(mut self, handler: Handler) -> Self {
        self.0.insert(handler.kind, handler);
        self
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Handler> {
        self.0.values()
    }
}

/// Job kind in the list of its crate. Its handler is created from the tools `T` of a worker.
#[derive(Debug)]
pub struct RegisteredKind<T> {
    pub kind: JobKind,
    pub handler: fn(&T) -> Handler,
    pub hooks: fn() -> KindHooks,
}

impl<T> RegisteredKind<T> {
    /// Registers a job kind.
    pub const fn of<J: Job<Tools = T>>() -> Self {
        Self { kind: J::KIND, handler: Handler::of::<J>, hooks: KindHooks::of::<J> }
    }
}
