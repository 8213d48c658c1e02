//! What the engine tells about itself. Labels are kinds and outcomes only, so there are few of them.

use std::time::Duration;

use domain::Millis;
use domain::jobs::JobKind;

/// A run came to an end: `complete`, `retry`, `failed`, `released`, `lost` or `dead`.
pub(crate) fn job_ended(kind: JobKind, outcome: &'static str, took: Duration) {
    job_counted(kind, outcome);
    metrics::histogram!("carrel_job_duration_seconds", "kind" => kind.as_str()).record(took.as_secs_f64());
}

/// An end without a run.
pub(crate) fn job_counted(kind: JobKind, outcome: &'static str) {
    metrics::counter!("carrel_jobs_total", "kind" => kind.as_str(), "outcome" => outcome).increment(1);
}

/// How much waits, and since when.
#[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
pub(crate) fn queue(kind: JobKind, depth: u64, age_ms: Millis) {
    metrics::gauge!("carrel_queue_depth", "kind" => kind.as_str()).set(depth as f64);
    metrics::gauge!("carrel_queue_age_seconds", "kind" => kind.as_str()).set(age_ms as f64 / 1_000.0);
}
