//! What a worker does with a job of one kind, and how it may end.
//!
//! A handler holds no rule: it takes the arguments apart, makes one domain call, and that call ends the
//! job with `crate::rows::complete_in` in the transaction that writes the effect.

use std::collections::BTreeMap;
use std::future::{Future, ready};
use std::sync::Arc;

use crate::rows::{self, Claimed, DeadJob, JobKind, JobOutcome};
use futures_util::future::{BoxFuture, FutureExt, TryFutureExt};
use kernel::{Class, Code, Domain, Millis};

use crate::engine::Engine;

/// What every handler receives beside its job.
#[derive(Clone, Debug)]
pub struct JobContext {
    /// For jobs that need other jobs.
    pub engine: Engine,
}

impl JobContext {
    /// The domain's handle.
    pub fn domain(&self) -> &Domain {
        self.engine.domain()
    }
}

/// Why a run did not end well.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// Another start may go better.
    #[error("{code}: {message}")]
    Retry {
        /// Machine-readable code.
        code: Code,
        /// Human-readable message.
        message: String,
        /// Milliseconds to wait; the kind's exponential backoff when not given.
        after_ms: Option<Millis>,
    },
    /// Another start would end the same way.
    #[error("{code}: {message}")]
    Fail {
        /// Machine-readable code.
        code: Code,
        /// Human-readable message.
        message: String,
    },
    /// Another worker has the job now, or nobody: nothing is to be written.
    #[error("the lease was lost")]
    Lost,
}

/// Transient errors are retried, after the time the source asked for if it did; others fail the job.
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

/// A job kind: its run, and its hooks for the time when no run is under way. A run ends its row itself, in the transaction
/// that writes the effect.
pub trait Job: Clone + Send + Sync + 'static {
    /// The kind, whose rules are a row of the table of kinds.
    const KIND: JobKind;

    /// Carries out one claimed job and returns how it ended.
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

    /// The rows whose due time creates jobs of this kind; `None` for kinds that are submitted on request.
    fn due() -> Option<DueSource> {
        None
    }
}

/// Submits jobs for due rows, in batches; returns how many.
pub type ClaimDue = for<'a> fn(&'a Engine) -> BoxFuture<'a, kernel::Result<u64>>;

/// Rows that become jobs when their time comes.
#[derive(Clone, Copy, Debug)]
pub struct DueSource {
    /// SQL condition that is true if anything is due, answered from an index; `{due}` is the present.
    pub condition: &'static str,
    /// First claim of a tick.
    pub claim: ClaimDue,
    /// Further claims within the tick, as long as the queue has room; `None` if a tick claims once.
    pub further: Option<ClaimDue>,
}

type OnDead = for<'a> fn(&'a Domain, &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>>;
type OnFailure = for<'a> fn(&'a Domain, &'a str) -> BoxFuture<'a, kernel::Result<()>>;

/// The hooks of one kind.
#[derive(Clone, Copy, Debug)]
pub struct KindHooks {
    pub(crate) on_dead: OnDead,
    pub(crate) on_failure: OnFailure,
    pub(crate) due: Option<DueSource>,
}

impl KindHooks {
    /// The hooks of a job kind.
    pub fn of<J: Job>() -> Self {
        Self { on_dead: J::on_dead, on_failure: J::on_failure, due: J::due() }
    }
}

/// The hooks of every registered kind. Installed in the [`Domain`] handle; a kind without hooks has nothing to record.
#[derive(Clone, Debug, Default)]
pub struct Hooks(BTreeMap<JobKind, KindHooks>);

impl Hooks {
    /// With the hooks of another kind.
    #[must_use]
    pub fn with(mut self, kind: JobKind, hooks: KindHooks) -> Self {
        self.0.insert(kind, hooks);
        self
    }

    /// The hooks installed in `domain`.
    pub(crate) fn installed(domain: &Domain) -> Arc<Self> {
        domain.installed().unwrap_or_default()
    }

    pub(crate) fn get(&self, kind: JobKind) -> Option<KindHooks> {
        self.0.get(&kind).copied()
    }

    /// Kinds with due rows, in the order of their table.
    pub(crate) fn due_sources(&self) -> impl Iterator<Item = (JobKind, DueSource)> + '_ {
        self.0.iter().filter_map(|(kind, hooks)| Some((*kind, hooks.due?)))
    }
}

type Run = dyn Fn(JobContext, Claimed) -> BoxFuture<'static, Result<JobOutcome, JobError>> + Send + Sync;

/// A kind and what is done for it.
#[derive(Clone)]
pub struct Handler {
    kind: JobKind,
    run: Arc<Run>,
}

impl Handler {
    /// The handler of a kind.
    pub fn of<J: Job>(job: J) -> Self {
        Self::new(J::KIND, move |context, claimed| job.clone().run(context, claimed))
    }

    /// `run` ends the job itself through `crate::rows::complete_in`, in the transaction that writes
    /// its effect, and returns what became of it; `()` stands for an end that went well.
    pub fn new<F, Fut, O>(kind: JobKind, run: F) -> Self
    where
        F: Fn(JobContext, Claimed) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<O, JobError>> + Send + 'static,
        O: Into<JobOutcome> + 'static,
    {
        Self { kind, run: Arc::new(move |context, job| run(context, job).map_ok(Into::into).boxed()) }
    }

    /// What it is for.
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

/// The handlers of one process, one a kind.
#[derive(Clone, Debug, Default)]
pub struct Handlers(BTreeMap<JobKind, Handler>);

impl Handlers {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// With this one too; it takes the place of another one for the same kind.
    #[must_use]
    pub fn with(mut self, handler: Handler) -> Self {
        self.0.insert(handler.kind, handler);
        self
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Handler> {
        self.0.values()
    }
}
