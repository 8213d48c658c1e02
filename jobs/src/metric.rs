//! Metrics of the engine. The only labels are kinds and outcomes, so their number is small.

use std::time::Duration;

use crate::rows::JobKind;
use kernel::Millis;

/// Outcomes of runs.
pub const OUTCOMES: [&str; 6] = ["complete", "retry", "failed", "released", "lost", "dead"];

/// Creates the counters of every kind and outcome with the value zero, so that the first event is an
/// increase.
pub fn create_job_counters() {
    for kind in JobKind::ALL {
        for outcome in OUTCOMES {
            metrics::counter!("carrel_jobs_total", "kind" => kind.as_str(), "outcome" => outcome)
                .increment(0);
        }
        for attempt in ["first", "again"] {
            metrics::counter!("carrel_job_starts_total", "kind" => kind.as_str(), "attempt" => attempt)
                .increment(0);
        }
    }
}

/// Records the start of a job that has been due for `waited_ms`. Every recorded start is followed by
/// [`job_ended`].
pub(crate) fn job_started(kind: JobKind, attempt: u32, waited_ms: Millis) {
    let (kind, attempt) = (kind.as_str(), if attempt > 1 { "again" } else { "first" });
    metrics::counter!("carrel_job_starts_total", "kind" => kind, "attempt" => attempt).increment(1);
    metrics::histogram!("carrel_job_wait_seconds", "kind" => kind).record(seconds(waited_ms));
    metrics::gauge!("carrel_jobs_running", "kind" => kind).increment(1.0);
}

/// Records the end of a run, with one of [`OUTCOMES`].
pub(crate) fn job_ended(kind: JobKind, outcome: &'static str, took: Duration) {
    job_counted(kind, outcome);
    metrics::histogram!("carrel_job_duration_seconds", "kind" => kind.as_str()).record(took.as_secs_f64());
    metrics::gauge!("carrel_jobs_running", "kind" => kind.as_str()).decrement(1.0);
}

/// Records an outcome of a job that did not run.
pub(crate) fn job_counted(kind: JobKind, outcome: &'static str) {
    debug_assert!(OUTCOMES.contains(&outcome), "no counter of the outcome {outcome} is created at the start");
    metrics::counter!("carrel_jobs_total", "kind" => kind.as_str(), "outcome" => outcome).increment(1);
}

/// Records the length of a queue, and the age of its oldest job.
#[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
pub(crate) fn queue(kind: JobKind, depth: u64, age_ms: Millis) {
    metrics::gauge!("carrel_queue_depth", "kind" => kind.as_str()).set(depth as f64);
    metrics::gauge!("carrel_queue_age_seconds", "kind" => kind.as_str()).set(seconds(age_ms));
}

/// Records the duration of a tick, and the number of jobs that each step moved.
pub(crate) fn tick(moved: [(&'static str, u64); 4], now: Millis, took: Duration) {
    metrics::histogram!("carrel_tick_duration_seconds").record(took.as_secs_f64());
    metrics::gauge!("carrel_tick_last_timestamp_seconds").set(seconds(now));
    for (step, count) in moved {
        metrics::counter!("carrel_tick_jobs_total", "step" => step).increment(count);
    }
}

/// Records a successful cleanup round.
pub(crate) fn cleanup(what: &'static str, deleted: u64, now: Millis, took: Duration) {
    metrics::counter!("carrel_cleanup_deleted_total", "what" => what).increment(deleted);
    metrics::histogram!("carrel_cleanup_duration_seconds", "what" => what).record(took.as_secs_f64());
    metrics::gauge!("carrel_cleanup_last_success_timestamp_seconds", "what" => what).set(seconds(now));
}

#[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
fn seconds(ms: Millis) -> f64 {
    ms as f64 / 1_000.0
}
