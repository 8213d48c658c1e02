//! What a worker does with a job of one kind, and how it may end.
//!
//! A handler holds no rule: it takes the arguments apart, makes one domain call, and that call ends the
//! job with `domain::jobs::complete_in` in the transaction that writes the effect.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use domain::jobs::{self, Claimed, JobKind};
use domain::{Class, Domain, Millis};
use futures_util::future::{BoxFuture, FutureExt};
use tokio_util::sync::CancellationToken;

use crate::engine::Engine;

/// What every handler receives beside its job.
#[derive(Clone, Debug)]
pub struct Context {
    /// For jobs that need other jobs.
    pub engine: Engine,
    /// Cancelled when the process begins to shut down; a long handler may hurry or return early with
    /// [`JobError::HandBack`].
    pub shutdown: CancellationToken,
}

impl Context {
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
        /// Stable word.
        code: Cow<'static, str>,
        /// Sentence for people.
        message: String,
        /// Milliseconds to wait; the kind's exponential backoff when not given.
        after_ms: Option<Millis>,
    },
    /// Another start would end the same way.
    #[error("{code}: {message}")]
    Fail {
        /// Stable word.
        code: Cow<'static, str>,
        /// Sentence for people.
        message: String,
    },
    /// Stopped for the shutdown; somebody else goes on, and the start is not counted.
    #[error("handed back for the shutdown")]
    HandBack,
    /// Another worker has the job now, or nobody: nothing is to be written.
    #[error("the lease was lost")]
    Lost,
}

impl JobError {
    /// Another start after the kind's own backoff.
    pub fn retry(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::Retry { code: code.into(), message: message.into(), after_ms: None }
    }

    /// No other start.
    pub fn fail(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::Fail { code: code.into(), message: message.into() }
    }

    /// The same error with this delay before the next start, where it is a retry.
    #[must_use]
    pub fn after_ms(self, delay: Millis) -> Self {
        match self {
            Self::Retry { code, message, .. } => Self::Retry { code, message, after_ms: Some(delay) },
            other => other,
        }
    }
}

/// Transient errors are retried, after the time the source asked for if it did; others fail the job.
impl From<domain::Error> for JobError {
    fn from(error: domain::Error) -> Self {
        if jobs::is_lease_lost(&error) {
            return Self::Lost;
        }
        let (code, message) = (Cow::Borrowed(error.code.as_str()), error.report());
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

type Run = dyn Fn(Context, Claimed) -> BoxFuture<'static, Result<(), JobError>> + Send + Sync;

/// A kind and what is done for it.
#[derive(Clone)]
pub struct Handler {
    kind: JobKind,
    run: Arc<Run>,
}

impl Handler {
    /// `run` ends the job itself through `domain::jobs::complete_in`, in the transaction that writes
    /// its effect.
    pub fn new<F, Fut>(kind: JobKind, run: F) -> Self
    where
        F: Fn(Context, Claimed) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<(), JobError>> + Send + 'static,
    {
        Self { kind, run: Arc::new(move |context, job| run(context, job).boxed()) }
    }

    /// For work that writes nothing: the job is completed when `run` returns.
    pub fn without_effect<F, Fut>(kind: JobKind, run: F) -> Self
    where
        F: Fn(Context, Claimed) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<(), JobError>> + Send + 'static,
    {
        Self::new(kind, move |context, job| {
            let running = run(context.clone(), job.clone());
            async move {
                running.await?;
                Ok(jobs::complete(context.domain(), &job).await?)
            }
        })
    }

    /// What it is for.
    pub fn kind(&self) -> JobKind {
        self.kind
    }

    pub(crate) fn call(&self, context: Context, job: Claimed) -> BoxFuture<'static, Result<(), JobError>> {
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
