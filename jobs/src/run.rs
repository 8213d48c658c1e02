//! One job's run: heartbeat, handler, end. Whatever happens in between, the row says in the
//! end what became of it, or its lease runs out and the sweep finds it.

use std::any::Any;
use std::future::pending;
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use crate::rows::{self, Claimed, JobKind, JobOutcome};
use futures_util::FutureExt;
use kernel::{Code, Error, Millis, request_id};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, Span};

use crate::completion::JobEnd;
use crate::drawn::hand_back;
use crate::duration::millis;
use crate::engine::Engine;
use crate::handler::{Handler, Hooks, JobContext, JobError};
use crate::metric;
use crate::patience::retry_while_unavailable;
use crate::trace;

/// How long a job that is handed back may take to be written so.
const HANDING_BACK: Duration = Duration::from_secs(5);
/// The word for a run whose claim did not hold to its end.
const LOST: &str = "lost";
/// The word for a run after which the job is ready again.
const RETRY: &str = "retry";

/// What the runs of one worker share.
#[derive(Clone)]
pub(crate) struct Runner {
    pub(crate) engine: Engine,
    pub(crate) handler: Handler,
    /// The longest that one run may take, where no operator has set it.
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
    /// Connections fell silent, and it may wait for an answer on one of them.
    Silent,
    Released,
}

impl Runner {
    /// Runs the job to its end. Never panics and never fails: a worker must outlive any job. Every line that is logged
    /// on its behalf says which job it was, and which request asked for it.
    pub(crate) async fn run(self, claimed: Claimed) {
        let request = claimed.request_id.clone();
        let span =
            tracing::info_span!("job", id = %claimed.id, kind = %claimed.kind, request = request.as_deref());
        trace::begin_job(&span, request.as_deref(), claimed.attempt);
        request_id::with(request, self.run_claimed(claimed)).instrument(span).await;
    }

    async fn run_claimed(self, claimed: Claimed) {
        let started = Instant::now();
        let waited = waited(self.engine.domain().now(), claimed.run_at);
        metric::job_started(claimed.kind, claimed.attempt, waited);
        tracing::debug!(job = %claimed.id, kind = %claimed.kind, attempt = claimed.attempt, "job started");
        let finish = self.execute(&claimed).await;
        let outcome = self.close(&claimed, finish).await;
        trace::end_job(&Span::current(), outcome);
        claimed.place.give_back();
        if outcome == LOST {
            self.find_forgotten(&claimed).await;
        }
        metric::job_ended(claimed.kind, outcome, started.elapsed());
        self.engine.count_end(claimed.kind, outcome);
        self.engine.completion().count_run();
    }

    async fn execute(&self, claimed: &Claimed) -> Finish {
        let context = JobContext { engine: self.engine.clone() };
        let lease = self.engine.keep_lease(claimed);
        let max_run = self.engine.max_run_set(claimed.kind).map_or(self.max_run, millis);
        // The handler's own code before its first await may panic too.
        let running = async { self.handler.call(context, claimed.clone()).await };
        tokio::select! {
            biased;
            result = AssertUnwindSafe(running).catch_unwind() => match result {
                Ok(result) => Finish::Returned(result),
                Err(panic) => Finish::Panicked(panic_text(panic.as_ref())),
            },
            () = pause(max_run) => Finish::TimedOut,
            () = lease.lost() => Finish::LeaseLost,
            // Cancelled; or ended by another worker after this one was believed dead, where this process hears of ends.
            () = self.engine.completion().wait_for_notification(claimed.id) => Finish::LeaseLost,
            () = kernel::fallen_silent() => Finish::Silent,
            () = self.release_now.cancelled() => Finish::Released,
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
                if after_ms.is_none() && met_an_absence(claimed.kind, claimed.attempt, code) {
                    // Seldom, and larger than the rest: it is no part of every run.
                    Box::pin(self.begin_again(claimed, (code, &message))).await
                } else {
                    self.close_with_retry(claimed, after_ms, (code, &message)).await
                }
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
            Finish::Silent => {
                tracing::warn!(job = %claimed.id, kind = %claimed.kind, "the database fell silent; the job is handed back");
                self.release(claimed).await
            }
            Finish::Released => self.release(claimed).await,
            Finish::LeaseLost | Finish::Returned(Err(JobError::Lost)) => {
                tracing::warn!(job = %claimed.id, kind = %claimed.kind, "the lease was lost; nothing was written");
                LOST
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
        let write = || rows::retry_in(domain.db().write(), domain, claimed, after_ms, error);
        match retry_while_unavailable(&self.release_now, "retry", write).await {
            Ok(outcome) => self.report(claimed, outcome).await,
            Err(fault) => not_closed(claimed, &fault),
        }
    }

    /// Somebody may wait, and what was away is back when this is written: the job need not wait as well.
    async fn begin_again(&self, claimed: &Claimed, error: (Code, &str)) -> &'static str {
        let outcome = self.close_with_retry(claimed, Some(0), error).await;
        if outcome == RETRY {
            self.engine.push_again(claimed).await;
        }
        outcome
    }

    async fn close_with_failure(&self, claimed: &Claimed, error: (Code, &str)) -> &'static str {
        let domain = self.engine.domain();
        let write = || rows::fail_in(domain.db().write(), domain, claimed, error);
        match retry_while_unavailable(&self.release_now, "fail", write).await {
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
                RETRY
            }
            JobOutcome::Failed { code, message } => {
                tracing::info!(job = %claimed.id, kind = %claimed.kind, %code, message, "job failed");
                let domain = self.engine.domain();
                if let Some(hooks) = Hooks::installed(domain).get(claimed.kind)
                    && let Err(error) = (hooks.on_failure)(domain, &claimed.key).await
                {
                    tracing::warn!(%error, job = %claimed.id, "what a failed job was about does not know of it");
                }
                self.engine.notify(&JobEnd::failed(claimed.id, code, &message)).await;
                "failed"
            }
        }
    }

    async fn release(&self, claimed: &Claimed) -> &'static str {
        match timeout(HANDING_BACK, hand_back(&self.engine, claimed)).await {
            Ok(true) => "released",
            Ok(false) | Err(_) => LOST,
        }
    }

    /// A claim is not durable at once, and a database that was killed may have forgotten it: then the job waits as one
    /// that is on its way to a worker, which it is not. It is sent again.
    async fn find_forgotten(&self, claimed: &Claimed) {
        // Who forgot it may not be back yet.
        let look = || rows::get(self.engine.domain(), claimed.id);
        let Ok(Some(job)) = retry_while_unavailable(&self.release_now, "look", look).await else { return };
        if job.state == rows::State::Ready && job.fence < claimed.fence {
            tracing::info!(job = %claimed.id, kind = %claimed.kind, "the database has forgotten the claim");
            self.engine.push_again(claimed).await;
        }
    }

    /// A handler that forgets to close its job would have it run again when the lease runs out: worth
    /// a look while developing, too dear in production.
    async fn check_closed(&self, claimed: &Claimed) {
        if !cfg!(debug_assertions) {
            return;
        }
        let Ok(Some(job)) = rows::get(self.engine.domain(), claimed.id).await else { return };
        if job.state == rows::State::Running && job.fence == claimed.fence {
            tracing::error!(job = %claimed.id, kind = %claimed.kind, "the handler returned without closing its job");
        }
    }
}

/// How long a job was due before it was claimed, by this process's clock, which may be behind.
fn waited(now: Millis, run_at: Millis) -> Millis {
    (now - run_at).max(0)
}

/// Whether somebody may wait for a run that met a database that was away, for the first time: from the second on it waits
/// as its kind says. Of other kinds the same code tells of mail servers and stores of files, which want their time.
fn met_an_absence(kind: JobKind, attempt: u32, code: Code) -> bool {
    kind.rules().retries_at_once && attempt == 1 && code == Code::ServiceUnavailable
}

fn not_closed(claimed: &Claimed, error: &Error) -> &'static str {
    if !rows::is_lease_lost(error) {
        tracing::error!(%error, job = %claimed.id, "the job's end could not be written; its lease will run out");
    }
    LOST
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_waits_from_when_it_is_due() {
        assert_eq!((waited(9_000, 7_000), waited(7_000, 9_000)), (2_000, 0));
    }

    #[test]
    fn what_met_a_database_that_was_away_begins_anew_at_once_the_first_time() {
        let page = |attempt, code| met_an_absence(JobKind::Extraction, attempt, code);
        assert!(page(1, Code::ServiceUnavailable));
        assert!(!page(2, Code::ServiceUnavailable) && !page(1, Code::Internal));
        assert!(!met_an_absence(JobKind::Mail, 1, Code::ServiceUnavailable), "a mail server wants its time");
    }

    #[test]
    fn what_a_handler_says_when_it_panics_is_told() {
        assert_eq!(panic_text(&"in the middle"), "in the middle");
        assert_eq!(panic_text(&String::from("at 3")), "at 3");
        assert_eq!(panic_text(&7_i32), "not a text");
    }
}
