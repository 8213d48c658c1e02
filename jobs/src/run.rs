//! One job's run: claim, heartbeat, handler, end. Whatever happens in between, the row says in the
//! end what became of it, or its lease runs out and the sweep finds it.

use std::any::Any;
use std::future::pending;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use domain::JobId;
use domain::jobs::{self, Claimed, JobOutcome};
use domain::{Class, Code, Error, Millis};
use futures_util::{FutureExt, TryFutureExt};
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;

use crate::completion::JobEnd;
use crate::duration::millis;
use crate::engine::Engine;
use crate::handler::{Handler, JobContext, JobError};
use crate::kinds::after_failure;
use crate::metric;

/// The first pause while the database is away; it doubles.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// The longest pause while the database is away.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How often a step is repeated that meets an error of our own.
const MOST_FAULTS: u32 = 3;

/// What the runs of one worker share.
#[derive(Clone)]
pub(crate) struct Runner {
    pub(crate) engine: Engine,
    pub(crate) handler: Handler,
    pub(crate) worker: Arc<str>,
    /// The longest that one run may take.
    pub(crate) max_run: Duration,
    /// The grace time is over: hand back what still runs.
    pub(crate) release_now: CancellationToken,
}

/// How the handler's future came to its end.
enum Finish {
    Returned(Result<JobOutcome, JobError>),
    Panicked(String),
    TimedOut,
    LeaseLost,
    Released,
}

impl Runner {
    /// Runs the job if it can be claimed. Never panics and never fails: a worker must outlive any job.
    pub(crate) async fn run(self, id: JobId) {
        let Some(claimed) = self.claim(id).await else { return };
        let started = Instant::now();
        tracing::debug!(job = %claimed.id, kind = %claimed.kind, attempt = claimed.attempt, "job started");
        let finish = self.execute(&claimed).await;
        let outcome = self.close(&claimed, finish).await;
        metric::job_ended(claimed.kind, outcome, started.elapsed());
        self.engine.completion().count_run();
    }

    async fn claim(&self, id: JobId) -> Option<Claimed> {
        let (domain, lease) = (self.engine.domain(), self.engine.settings().lease_ms);
        // One name a claim: what a broken connection left unknown can be asked for by it.
        let name = format!("{}.{:08x}", self.worker, u32::from_le_bytes(domain.random::<4>()));
        let is_repeated = AtomicBool::new(false);
        let claim = || async {
            match jobs::claim(domain, id, &name, lease).await? {
                None if is_repeated.load(Ordering::Relaxed) => {
                    jobs::resume_claim(domain, id, &name, lease).await
                }
                claimed => Ok(claimed),
            }
        };
        let claim = || claim().inspect_err(|_| is_repeated.store(true, Ordering::Relaxed));
        match self.retry_while_unavailable("claim", claim).await {
            Ok(claimed) => claimed,
            Err(error) => {
                tracing::error!(%error, job = %id, "the job cannot be claimed");
                None
            }
        }
    }

    async fn execute(&self, claimed: &Claimed) -> Finish {
        let context = JobContext { engine: self.engine.clone() };
        // The handler's own code before its first await may panic too.
        let running = async { self.handler.call(context, claimed.clone()).await };
        tokio::select! {
            biased;
            result = AssertUnwindSafe(running).catch_unwind() => match result {
                Ok(result) => Finish::Returned(result),
                Err(panic) => Finish::Panicked(panic_text(panic.as_ref())),
            },
            () = pause(self.max_run) => Finish::TimedOut,
            () = self.keep_lease(claimed) => Finish::LeaseLost,
            // Cancelled, or ended by another worker after this one was believed dead.
            () = self.engine.completion().wait_for_notification(claimed.id) => Finish::LeaseLost,
            () = self.release_now.cancelled() => Finish::Released,
        }
    }

    /// Renews the lease at a third of its length; returns when it is lost. A database that is away for
    /// a while does not end the run: the fence decides when the effect is written.
    async fn keep_lease(&self, claimed: &Claimed) {
        let lease = self.engine.settings().lease_ms;
        let mut beat = interval(millis((lease / 3).max(1)));
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        beat.tick().await;
        loop {
            beat.tick().await;
            match jobs::renew(self.engine.domain(), claimed, lease).await {
                Ok(()) => {}
                Err(error) if jobs::is_lease_lost(&error) => return,
                Err(error) => tracing::warn!(%error, job = %claimed.id, "the lease could not be renewed"),
            }
        }
    }

    /// Writes what became of the run; returns the word for the metric.
    async fn close(&self, claimed: &Claimed, finish: Finish) -> &'static str {
        match finish {
            Finish::Returned(Ok(outcome)) => {
                self.check_closed(claimed).await;
                self.report(claimed, outcome).await
            }
            Finish::Returned(Err(JobError::Retry { code, message, after_ms })) => {
                self.close_with_retry(claimed, after_ms, (code, &message)).await
            }
            Finish::Returned(Err(JobError::Fail { code, message })) => {
                self.close_with_failure(claimed, (code, &message)).await
            }
            Finish::Panicked(text) => {
                tracing::error!(job = %claimed.id, kind = %claimed.kind, panic = text, "a handler panicked");
                self.close_with_retry(claimed, None, (Code::Internal, "The job's handler panicked.")).await
            }
            Finish::TimedOut => {
                tracing::error!(job = %claimed.id, kind = %claimed.kind, "a run took too long and was stopped");
                self.close_with_retry(claimed, None, (Code::RunTimeout, "The run took longer than it may."))
                    .await
            }
            Finish::Released => self.release(claimed).await,
            Finish::LeaseLost | Finish::Returned(Err(JobError::Lost)) => {
                tracing::warn!(job = %claimed.id, kind = %claimed.kind, "the lease was lost; nothing was written");
                "lost"
            }
        }
    }

    async fn close_with_retry(
        &self,
        claimed: &Claimed,
        after_ms: Option<Millis>,
        error: (Code, &str),
    ) -> &'static str {
        let domain = self.engine.domain();
        let write = || jobs::retry_in(domain.db().write(), domain, claimed, after_ms, error);
        match self.retry_while_unavailable("retry", write).await {
            Ok(outcome) => self.report(claimed, outcome).await,
            Err(fault) => not_closed(claimed, &fault),
        }
    }

    async fn close_with_failure(&self, claimed: &Claimed, error: (Code, &str)) -> &'static str {
        let domain = self.engine.domain();
        let write = || jobs::fail_in(domain.db().write(), domain, claimed, error);
        match self.retry_while_unavailable("fail", write).await {
            Ok(outcome) => self.report(claimed, outcome).await,
            Err(fault) => not_closed(claimed, &fault),
        }
    }

    /// Tells what the row says now; returns the word for the metric.
    async fn report(&self, claimed: &Claimed, outcome: JobOutcome) -> &'static str {
        match outcome {
            JobOutcome::Completed => {
                self.engine.notify(&JobEnd::complete(claimed.id)).await;
                "complete"
            }
            JobOutcome::Retried { run_at } => {
                tracing::info!(job = %claimed.id, kind = %claimed.kind, run_at, "job will be retried");
                "retry"
            }
            JobOutcome::Failed { code, message } => {
                tracing::info!(job = %claimed.id, kind = %claimed.kind, %code, message, "job failed");
                let domain = self.engine.domain();
                if let Err(error) = after_failure(domain, claimed.kind, &claimed.key).await {
                    tracing::warn!(%error, job = %claimed.id, "what a failed job was about does not know of it");
                }
                self.engine.notify(&JobEnd::failed(claimed.id, code, &message)).await;
                "failed"
            }
        }
    }

    async fn release(&self, claimed: &Claimed) -> &'static str {
        let release = jobs::release(self.engine.domain(), claimed);
        match timeout(LONGEST_PAUSE, release).await {
            Ok(Ok(())) => {
                // Another process may take it at once; without one the next start's sweep does.
                self.engine.push_again(claimed).await;
                "released"
            }
            Ok(Err(error)) => not_closed(claimed, &error),
            Err(_) => "lost",
        }
    }

    /// Repeats `step` while the database is away, until the grace time is over. An error that is no
    /// passing state is met again a few times only: the worker's place is needed by other jobs.
    async fn retry_while_unavailable<T, F>(&self, what: &str, mut step: impl FnMut() -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let (mut pause, mut faults) = (FIRST_PAUSE, 0);
        loop {
            let error = match step().await {
                Ok(done) => return Ok(done),
                Err(error) => error,
            };
            match error.class() {
                Class::Unavailable => tracing::warn!(%error, what, "the database is away; trying again"),
                Class::Internal if faults < MOST_FAULTS => faults += 1,
                _ => return Err(error),
            }
            if self.release_now.is_cancelled() {
                return Err(error);
            }
            let _ = timeout(pause, self.release_now.cancelled()).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// A handler that forgets to close its job would have it run again when the lease runs out: worth
    /// a look while developing, too dear in production.
    async fn check_closed(&self, claimed: &Claimed) {
        if !cfg!(debug_assertions) {
            return;
        }
        let Ok(Some(job)) = jobs::get(self.engine.domain(), claimed.id).await else { return };
        if job.state == jobs::State::Running && job.fence == claimed.fence {
            tracing::error!(job = %claimed.id, kind = %claimed.kind, "the handler returned without closing its job");
        }
    }
}

fn not_closed(claimed: &Claimed, error: &Error) -> &'static str {
    if !jobs::is_lease_lost(error) {
        tracing::error!(%error, job = %claimed.id, "the job's end could not be written; its lease will run out");
    }
    "lost"
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    if let Some(text) = panic.downcast_ref::<&str>() {
        return (*text).to_owned();
    }
    panic.downcast_ref::<String>().cloned().unwrap_or_else(|| "not a text".to_owned())
}

async fn pause(time: Duration) {
    let _ = timeout(time, pending::<()>()).await;
}
