//! Every metric of every process, once: its name, what it is, its labels, and what it counts. What Prometheus is told
//! stands here, the documents and the dashboard name nothing else, and a test compares the list with the code.

/// What a metric is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MetricKind {
    /// Only rises; its name ends in `_total`.
    Counter,
    /// Rises and falls.
    Gauge,
    /// Counts how many were below each of these bounds.
    Histogram(&'static [f64]),
}

/// One metric.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Its name, with the unit as its last word but `total`.
    pub name: &'static str,
    /// What it is.
    pub kind: MetricKind,
    /// The names of its labels. None has values that grow with what people do.
    pub labels: &'static [&'static str],
    /// What it tells, in a sentence.
    pub help: &'static str,
}

/// Bounds for what somebody waits for, in seconds.
const ANSWERS: &[f64] = &[0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 60.0];
/// Bounds for work in the background, in seconds.
const WORK: &[f64] =
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

/// All of them, by what they are about.
pub const METRICS: &[Metric] = &[
    gauge("carrel_build_info", &["version"], "Always 1; the version stands in the label."),
    counter("process_cpu_seconds_total", &[], "Processor time of the process, in whole seconds."),
    gauge("process_resident_memory_bytes", &[], "Memory of the process that is not paged out."),
    gauge("process_open_fds", &[], "Files and sockets that the process has open."),
    gauge(
        "carrel_database_connections",
        &["pool", "state"],
        "Connections to the database by pool, used or idle.",
    ),
    gauge("carrel_database_connections_max", &["pool"], "The most connections that a pool may open."),
    gauge("carrel_extract_processes_busy", &[], "Extraction processes that read something."),
    gauge("carrel_extract_processes_max", &[], "Extraction processes that may run at once."),
    gauge("carrel_extract_waiting", &[], "Pages and feeds that wait for an extraction process."),
    counter(
        "carrel_requests_total",
        &["surface", "status"],
        "Requests that were answered, by surface and class of status.",
    ),
    histogram(
        "carrel_request_duration_seconds",
        ANSWERS,
        &["surface"],
        "How long answers took, from the head of the request to the answer.",
    ),
    counter("carrel_reader_problems_total", &["code"], "Problems that the reader answered, by code."),
    counter(
        "carrel_cache_total",
        &["outcome"],
        "Reads by what became of them: served from here, or fetched.",
    ),
    counter("carrel_fetch_total", &["code"], "Requests to other servers by how they ended."),
    counter(
        "carrel_pictures_total",
        &["outcome"],
        "Pictures that were fetched, by what came of it: `ok`, or why one is not shown.",
    ),
    counter("carrel_source_failures_total", &["code"], "Pages that could not be read, by code."),
    counter(
        "carrel_jobs_total",
        &["kind", "outcome"],
        "Ends of runs: complete, retry, failed, released, lost, dead.",
    ),
    counter(
        "carrel_job_starts_total",
        &["kind", "attempt"],
        "Runs that were started: a job's first, or one after a start that did not end well.",
    ),
    histogram("carrel_job_wait_seconds", WORK, &["kind"], "Between the time a job was due and its start."),
    histogram("carrel_job_duration_seconds", WORK, &["kind"], "How long runs took."),
    gauge("carrel_jobs_running", &["kind"], "Jobs in the hands of this process."),
    gauge(
        "carrel_queue_depth",
        &["kind"],
        "Jobs that are due and wait, counted to 10,000; told by schedulers.",
    ),
    gauge("carrel_queue_age_seconds", &["kind"], "How long the oldest of them is due; told by schedulers."),
    histogram("carrel_tick_duration_seconds", WORK, &[], "How long ticks of the scheduler took."),
    gauge("carrel_tick_last_timestamp_seconds", &[], "When the last tick was over, since 1970."),
    counter(
        "carrel_tick_jobs_total",
        &["step"],
        "Jobs that ticks submitted, requeued after a lost lease, gave up as dead, or pushed.",
    ),
    histogram(
        "carrel_cleanup_duration_seconds",
        WORK,
        &["what"],
        "How long rounds of deleting old rows took.",
    ),
    counter("carrel_cleanup_deleted_total", &["what"], "Old rows that were deleted."),
    gauge(
        "carrel_cleanup_last_success_timestamp_seconds",
        &["what"],
        "When the last whole round was over, since 1970: the present less this is how far retention lags.",
    ),
    counter("carrel_feed_polls_total", &["outcome"], "Polls of feeds by what came of them."),
    counter("carrel_feed_entries_total", &[], "Entries that were new."),
    counter("carrel_websub_total", &["outcome"], "Deliveries of hubs by what came of them."),
    counter("carrel_monitor_runs_total", &["outcome"], "Runs of monitors by what came of them."),
    counter(
        "carrel_monitor_looks_total",
        &["outcome"],
        "Looks at what monitors watch, by where the body came from.",
    ),
];

/// Tells the recorder what each metric is about, so that a scrape says it too.
pub fn describe() {
    for metric in METRICS {
        match metric.kind {
            MetricKind::Counter => metrics::describe_counter!(metric.name, metric.help),
            MetricKind::Gauge => metrics::describe_gauge!(metric.name, metric.help),
            MetricKind::Histogram(_) => metrics::describe_histogram!(metric.name, metric.help),
        }
    }
}
