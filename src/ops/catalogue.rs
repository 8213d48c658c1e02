//! Catalogue of all metrics: name, kind, labels, and help text. Documents and dashboards name only metrics in
//! this list. A test compares the list with the code.

use metrics::counter;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MetricKind {
    /// Monotonic counter, named `…_total`.
    Counter,
    Gauge,
    /// Cumulative histogram with these bucket bounds.
    Histogram(&'static [f64]),
}

/// Metric definition.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Name. The last word of the name, before `total`, is the unit.
    pub name: &'static str,
    pub kind: MetricKind,
    /// Names of the labels. No label has values that grow with usage.
    pub labels: &'static [&'static str],
    /// Help text: one sentence.
    pub help: &'static str,
}

/// Bucket bounds for the latency of responses, in seconds.
const RESPONSE_BUCKETS: &[f64] =
    &[0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 60.0];
/// Bucket bounds for background work, in seconds.
const JOB_BUCKETS: &[f64] =
    &[0.001, 0.005, 0.02, 0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1_800.0, 7_200.0];

const fn counter(name: &'static str, labels: &'static [&'static str], help: &'static str) -> Metric {
    Metric { name, kind: MetricKind::Counter, labels, help }
}

const fn gauge(name: &'static str, labels: &'static [&'static str], help: &'static str) -> Metric {
    Metric { name, kind: MetricKind::Gauge, labels, help }
}

const fn histogram(
    name: &'static str,
    bounds: &'static [f64],
    labels: &'static [&'static str],
    help: &'static str,
) -> Metric {
    Metric { name, kind: MetricKind::Histogram(bounds), labels, help }
}

/// All metrics, grouped by subject.
pub const METRICS: &[Metric] = &[
    gauge("carrel_build_info", &["version"], "Always 1; the version is a label."),
    counter("process_cpu_seconds_total", &[], "CPU time of the process, in whole seconds."),
    gauge("process_resident_memory_bytes", &[], "Resident memory of the process."),
    gauge("process_open_fds", &[], "Open file descriptors of the process."),
    gauge(
        "carrel_database_connections",
        &["pool", "state"],
        "Database connections by pool and state, used or idle.",
    ),
    gauge("carrel_database_connections_max", &["pool"], "Maximum number of connections of a pool."),
    gauge("carrel_extract_processes_busy", &[], "Busy extraction processes."),
    gauge("carrel_extract_processes_max", &[], "Maximum number of extraction processes."),
    gauge("carrel_extract_waiting", &[], "Pages and feeds that wait for an extraction process."),
    counter(
        "carrel_requests_total",
        &["surface", "status"],
        "Answered requests by surface and status class.",
    ),
    histogram(
        "carrel_request_duration_seconds",
        RESPONSE_BUCKETS,
        &["surface"],
        "Time from the head of a request to the response.",
    ),
    counter("carrel_reader_problems_total", &["code"], "Problems returned by the reader, by code."),
    counter("carrel_cache_total", &["outcome"], "Reads by outcome: served from the cache, or fetched."),
    counter("carrel_fetch_total", &["code"], "Requests to other servers by outcome."),
    counter("carrel_render_total", &["outcome"], "Rendered pages by outcome: `ok`, `cut`, or the failure."),
    histogram("carrel_render_seconds", RESPONSE_BUCKETS, &[], "Duration of renderings, without their wait."),
    gauge("carrel_render_running", &[], "Pages that the browser of this process renders."),
    gauge("carrel_render_waiting", &[], "Pages that wait for the browser of this process."),
    counter("carrel_renderer_restarts_total", &[], "Replaced browsers: old, large, or broken."),
    counter(
        "carrel_page_proxy_total",
        &["outcome"],
        "Requests of rendered pages by outcome: `ok`, or why they were refused or failed.",
    ),
    counter(
        "carrel_pictures_total",
        &["outcome"],
        "Fetched pictures by outcome: `ok`, `smaller` for a smaller version of a fetched picture, or the reason why there is none.",
    ),
    counter("carrel_source_failures_total", &["code"], "Pages that could not be read, by code."),
    counter(
        "carrel_jobs_total",
        &["kind", "outcome"],
        "Ended runs by outcome: complete, retry, failed, released, lost, dead.",
    ),
    counter(
        "carrel_job_starts_total",
        &["kind", "attempt"],
        "Started runs: first attempts, and attempts after a start that failed.",
    ),
    histogram("carrel_job_wait_seconds", JOB_BUCKETS, &["kind"], "Time from a job's due time to its start."),
    histogram("carrel_job_duration_seconds", JOB_BUCKETS, &["kind"], "Duration of runs."),
    gauge("carrel_jobs_running", &["kind"], "Jobs claimed by this process."),
    gauge(
        "carrel_queue_depth",
        &["kind"],
        "Due jobs that wait, counted up to 10,000; reported by schedulers.",
    ),
    gauge("carrel_queue_age_seconds", &["kind"], "Age of the oldest due job; reported by schedulers."),
    histogram("carrel_tick_duration_seconds", JOB_BUCKETS, &[], "Duration of scheduler ticks."),
    gauge("carrel_tick_last_timestamp_seconds", &[], "End of the last tick, as Unix time."),
    counter(
        "carrel_tick_jobs_total",
        &["step"],
        "Jobs that ticks submitted, requeued after a lost lease, marked as dead, or pushed.",
    ),
    histogram("carrel_cleanup_duration_seconds", JOB_BUCKETS, &["what"], "Duration of cleanup rounds."),
    counter("carrel_cleanup_deleted_total", &["what"], "Old rows deleted by cleanups."),
    gauge(
        "carrel_cleanup_last_success_timestamp_seconds",
        &["what"],
        "End of the last complete cleanup round, as Unix time: the time since then is how far retention lags.",
    ),
    counter("carrel_feed_polls_total", &["outcome"], "Feed polls by outcome."),
    counter("carrel_feed_entries_total", &[], "New feed entries."),
    counter("carrel_websub_total", &["outcome"], "Hub deliveries by outcome."),
    counter(
        "carrel_inbox_messages_total",
        &["outcome"],
        "Received mail by outcome: accepted, duplicate, muted, or the reason of a refusal.",
    ),
    counter("carrel_inbox_received_bytes_total", &[], "Bytes of accepted mail."),
    histogram(
        "carrel_inbox_receive_duration_seconds",
        RESPONSE_BUCKETS,
        &[],
        "Time from the last byte of a message until it is durable or refused.",
    ),
    counter(
        "carrel_model_requests_total",
        &["outcome"],
        "Requests to the language model by outcome: answered, busy, refused, unusable, or failed.",
    ),
    counter("carrel_monitor_runs_total", &["outcome"], "Monitor runs by outcome."),
    counter(
        "carrel_monitor_looks_total",
        &["outcome"],
        "Observations of monitored sources by origin of the body.",
    ),
];

/// Counters with one label whose values are known. They are created at startup, so that they exist before
/// their first event.
const COUNTER_VALUES: &[(&str, &str, &[&str])] = &[
    ("carrel_feed_polls_total", "outcome", &["read", "same_body", "not_modified", "failed"]),
    ("carrel_websub_total", "outcome", &["received", "bad_signature", "refused"]),
    ("carrel_monitor_looks_total", "outcome", &["read", "same_body", "not_modified", "shared", "failed"]),
    (
        "carrel_inbox_messages_total",
        "outcome",
        &[
            "accepted", "duplicate", "muted", "unknown_address", "too_large", "daily_limit", "storage",
            "unavailable",
        ],
    ),
    ("carrel_model_requests_total", "outcome", &["answered", "busy", "refused", "unusable", "failed"]),
];

/// Counters without labels that are created at startup.
const PLAIN_COUNTERS: &[&str] = &["carrel_inbox_received_bytes_total"];

/// Registers the help texts with the metrics recorder, and creates the counters whose label values are known,
/// so that their first event is an increase from zero.
pub fn describe() {
    jobs::metric::create_job_counters();
    for (name, label, values) in COUNTER_VALUES {
        for value in *values {
            counter!(*name, *label => *value).increment(0);
        }
    }
    for name in PLAIN_COUNTERS {
        counter!(*name).increment(0);
    }
    for metric in METRICS {
        match metric.kind {
            MetricKind::Counter => metrics::describe_counter!(metric.name, metric.help),
            MetricKind::Gauge => metrics::describe_gauge!(metric.name, metric.help),
            MetricKind::Histogram(_) => metrics::describe_histogram!(metric.name, metric.help),
        }
    }
}
