//! What a worker does with a job of one kind, and how it may end.
//!
//! A handler holds no rule: it takes the arguments apart, makes one domain call, and that call ends the
//! job with `domain::jobs::complete_in` in the transaction that writes the effect.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use domain::jobs::{self, Claimed, JobKind, JobOutcome, Rules};
use domain::{Class, Code, Domain, Millis};
use futures_util::future::{BoxFuture, FutureExt, TryFutureExt};

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
impl From<domain::Error> for JobError {
    fn from(error: domain::Error) -> Self {
        if jobs::is_lease_lost(&error) {
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

/// A kind of job: what it is called, by which rules it runs, and what is done for it.
pub trait Job: Clone + Send + Sync + 'static {
    /// Its kind.
    const KIND: JobKind;
    /// Its rules, as the table of kinds has them.
    const RULES: Rules = Self::KIND.rules();

    /// Carries one job out. Its row is ended by the domain call that writes the effect, in the same
    /// transaction; what is returned says how.
    fn run(
        self,
        context: JobContext,
        claimed: Claimed,
    ) -> impl Future<Output = Result<JobOutcome, JobError>> + Send;
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

    /// `run` ends the job itself through `domain::jobs::complete_in`, in the transaction that writes
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
