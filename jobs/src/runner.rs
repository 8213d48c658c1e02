//! The run of one job: heartbeat, handler, completion. Either the row records the outcome, or the lease
//! expires and the sweep finds the job.

use std::any::Any;
use std::future::pending;
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use crate::rows::{self, Claimed, JobKind, JobOutcome, JobRow, JobState};
use futures_util::FutureExt;
use kernel::{Code, Error, Millis, request_id};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, Span};

use crate::claim::release_claim;
use crate::completion::JobCompletion;
use crate::duration::millis;
use crate::engine::Engine;
use crate::handler::{Handler, Hooks, JobContext, JobError};
use crate::metric;
use crate::retry::retry_while_unavailable;
use crate::trace;

/// Timeout of releasing a claim.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(5);
/// Outcome of a run whose claim was lost before it ended.
const LOST: &str = "lost";
/// Outcome of a run that failed and whose job waits for another attempt.
const RETRY: &str = "retry";

/// Shared parts of the runs of one worker.
#[derive(Clone)]
pub(crate) struct Runner {
    pub(crate) engine: Engine,
    pub(crate) handler: Handler,
    /// Run limit, unless an operator has set another limit.
    pub(crate) max_run: Duration,
    /// Cancelled when the grace period is over: running jobs are released.
    pub(crate) release_now: CancellationToken,
}

/// Reason why the handler's future ended.
enum RunEnd {
    Returned(Result<JobOutcome, JobError>),
    Panicked(String),
    TimedOut,
    /// The lease expired, the job was cancelled, or another worker completed it.
    ClaimLost,
    /// The database connections are unresponsive, and the handler may wait for a response on one of them.
    Unresponsive,
    Released,
}

impl Runner {
    /// Runs the job to its end. Never panics or fails, because a worker must survive every job. All log lines
    /// of the run contain the job and the request that submitted it.
    pub(crate) async fn run(self, claimed: Claimed) {
        let request = claimed.request_id.clone();
        let span =
            tracing::info_span!("job", id = %claimed.id, kind = %claimed.kind, request = request.as_deref());
        trace::begin_job(&span, request.as_deref(), claimed.attempt);
        request_id::with(request, self.run_claimed(claimed)).instrument(span).await;
    }

    async fn run_claimed(self, claimed: Claimed) {
        let started = Instant::now();
        let wait_ms = wait_ms(self.engine.domain().now(), claimed.run_at);
        metric::job_started(claimed.kind, claimed.attempt, wait_ms);
        tracing::debug!(job = %claimed.id, kind = %claimed.kind, attempt = claimed.attempt, "job started");
        let finish = self.execute(&claimed).await;
        let outcome = self.close(&claimed, finish).await;
        trace::end_job(&Span::current(), outcome);
        claimed.slot.release();
        if outcome == LOST {
            self.report_lost_claim(&claimed).await;
        }
        metric::job_ended(claimed.kind, outcome, started.elapsed());
        self.engine.count_completion(claimed.kind, outcome);
        self.engine.completion_waiters().count_run();
    }

    async fn execute(&self, claimed: &Claimed) -> RunEnd {
        let context = JobContext { engine: self.engine.clone() };
        let lease = self.engine.register_lease(claimed);
        let max_run = self.engine.max_run_override(claimed.kind).map_or(self.max_run, millis);
        // The handler may also panic before its first await.
        let running = async { self.handler.call(context, claimed.clone()).await };
        tokio::select! {
            biased;
            result = AssertUnwindSafe(running).catch_unwind() => match result {
                Ok(result) => RunEnd::Returned(result),
                Err(panic) => RunEnd::Panicked(panic_text(panic.as_ref())),
            },
            () = pause(max_run) => RunEnd::TimedOut,
            () = lease.lost() => RunEnd::ClaimLost,
            // The job was cancelled, or another worker completed it after this worker was presumed dead.
            // Completions are received only by some processes.
            () = self.engine.completion_waiters().wait_for_notification(claimed.id) => RunEnd::ClaimLost,
            () = kernel::connection_unresponsive() => RunEnd::Unresponsive,
            () = self.release_now.cancelled() => RunEnd::Released,
        }
    }

    /// Writes the outcome of the run. Returns its label for metrics.
    async fn close(&self, claimed: &Claimed, finish: RunEnd) -> &'static str {
        match finish {
            RunEnd::Returned(Ok(outcome)) => {
                self.check_closed(claimed).await;
                self.report(claimed, outcome).await
            }
            RunEnd::Returned(Err(JobError::Retry { code, message, after_ms })) => {
                if after_ms.is_none() && is_first_outage(claimed.kind, claimed.attempt, code) {
                    // This branch is rare, and larger than the other branches. It is boxed to keep the future
                    // of every run small.
                    Box::pin(self.retry_immediately(claimed, (code, &message))).await
                } else {
                    self.close_with_retry(claimed, after_ms, (code, &message)).await
                }
            }
            RunEnd::Returned(Err(JobError::Fail { code, message })) => {
                self.close_with_failure(claimed, (code, &message)).await
            }
            RunEnd::Panicked(text) => {
                tracing::error!(job = %claimed.id, kind = %claimed.kind, panic = text, "handler panicked");
                self.close_with_retry(claimed, None, (Code::Internal, "The job's handler panicked.")).await
            }
            RunEnd::TimedOut => {
                tracing::error!(job = %claimed.id, kind = %claimed.kind, "run exceeded its limit and was stopped");
                self.close_with_retry(claimed, None, (Code::RunTimeout, "The run exceeded its time limit."))
                    .await
            }
            RunEnd::Unresponsive => {
                tracing::warn!(job = %claimed.id, kind = %claimed.kind, "database connection unresponsive, releasing job");
                self.release(claimed).await
            }
            RunEnd::Released => self.release(claimed).await,
            RunEnd::ClaimLost | RunEnd::Returned(Err(JobError::Lost)) => LOST,
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

    /// Makes the job due immediately, because a caller may wait for it. If this write succeeds, the database
    /// is available again.
    async fn retry_immediately(&self, claimed: &Claimed, error: (Code, &str)) -> &'static str {
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

    /// Reports the outcome that the row records. Returns its label for metrics.
    async fn report(&self, claimed: &Claimed, outcome: JobOutcome) -> &'static str {
        match outcome {
            JobOutcome::Completed => {
                self.engine.notify(&JobCompletion::complete(claimed.id)).await;
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
                    tracing::warn!(%error, job = %claimed.id, "failed to record job failure on its subject");
                }
                self.engine.notify(&JobCompletion::failed(claimed.id, code, &message)).await;
                "failed"
            }
        }
    }

    async fn release(&self, claimed: &Claimed) -> &'static str {
        match timeout(RELEASE_TIMEOUT, release_claim(&self.engine, claimed)).await {
            Ok(true) => "released",
            Ok(false) | Err(_) => LOST,
        }
    }

    /// Logs why a run had no effect, and pushes the id of a claim that the database lost. A claim is not durable
    /// immediately, so a crash of the database may have lost it. The row is then marked as pushed although its
    /// id is no longer in the transport.
    async fn report_lost_claim(&self, claimed: &Claimed) {
        // The database may still be unavailable.
        let load = || rows::get(self.engine.domain(), claimed.id);
        let job = retry_while_unavailable(&self.release_now, "load", load).await;
        let reason = job.as_ref().map_or("database unavailable", |job| loss_reason(claimed, job.as_ref()));
        tracing::warn!(job = %claimed.id, kind = %claimed.kind, reason, "run had no effect");
        let Ok(Some(job)) = job else { return };
        if job.state == JobState::Ready && job.fence < claimed.fence {
            tracing::info!(job = %claimed.id, kind = %claimed.kind, "database lost the claim, pushing job again");
            self.engine.push_again(claimed).await;
        }
    }

    /// In debug builds, reports a handler that did not complete its job, which would run again when its lease expires.
    /// The query is too expensive for production.
    async fn check_closed(&self, claimed: &Claimed) {
        if !cfg!(debug_assertions) {
            return;
        }
        let Ok(Some(job)) = rows::get(self.engine.domain(), claimed.id).await else { return };
        if job.state == JobState::Running && job.fence == claimed.fence {
            tracing::error!(job = %claimed.id, kind = %claimed.kind, "handler returned without completing its job");
        }
    }
}

/// Returns the reason why a run of `claimed` had no effect, from the row after the run. The rows of some kinds are
/// deleted on completion.
pub(crate) fn loss_reason(claimed: &Claimed, job: Option<&JobRow>) -> &'static str {
    let Some(job) = job else { return "completed by another worker" };
    match job.state {
        JobState::Failed if job.error_code == Some(rows::CANCELLED) => "cancelled",
        JobState::Complete | JobState::Failed | JobState::Dead => "ended by another worker",
        _ if job.fence < claimed.fence => "claim lost by the database",
        _ if job.fence > claimed.fence => "claimed by another worker",
        JobState::Ready => "lease expired",
        JobState::Running => "outcome not written",
    }
}

/// Returns the time for which a job was due before its claim, in milliseconds. Not negative, because this
/// process's clock may be slow.
fn wait_ms(now: Millis, run_at: Millis) -> Millis {
    (now - run_at).max(0)
}

/// Returns true if the job is retried without back-off, because a caller may wait for it and its first attempt failed
/// because the database was unavailable. Other kinds are not, because failures of mail servers and file stores have the
/// same code and need the back-off.
fn is_first_outage(kind: JobKind, attempt: u32, code: Code) -> bool {
    kind.rules().retries_immediately && attempt == 1 && code == Code::ServiceUnavailable
}

fn not_closed(claimed: &Claimed, error: &Error) -> &'static str {
    if !rows::is_lease_lost(error) {
        tracing::error!(%error, job = %claimed.id, "failed to write job completion, its lease will expire");
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
    fn wait_is_measured_from_the_due_time() {
        assert_eq!((wait_ms(9_000, 7_000), wait_ms(7_000, 9_000)), (2_000, 0));
    }

    #[test]
    fn extraction_is_retried_immediately_after_first_database_outage() {
        let page = |attempt, code| is_first_outage(JobKind::Extraction, attempt, code);
        assert!(page(1, Code::ServiceUnavailable));
        assert!(!page(2, Code::ServiceUnavailable) && !page(1, Code::Internal));
        assert!(
            !is_first_outage(JobKind::Mail, 1, Code::ServiceUnavailable),
            "mail jobs use the back-off after the first outage"
        );
    }

    #[test]
    fn panic_text_is_extracted_from_the_payload() {
        assert_eq!(panic_text(&"in the middle"), "in the middle");
        assert_eq!(panic_text(&String::from("at 3")), "at 3");
        assert_eq!(panic_text(&7_i32), "not a text");
    }
}
