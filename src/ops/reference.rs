//! Page of the handbook about the metrics, generated from the catalogue.

use std::fmt::Write;

use super::catalogue::{METRICS, MetricKind};

/// Creates the page in Markdown.
pub fn metric_page() -> String {
    let mut page = "# Metrics\n\n\
        `/metrics` has these metrics in the text format of Prometheus. [Monitoring](monitoring.md) says how to collect \
        them. No label has values that grow with usage.\n\n| metric | kind | labels | meaning |\n|---|---|---|---|\n"
        .to_owned();
    for metric in METRICS {
        let kind = match metric.kind {
            MetricKind::Counter => "counter",
            MetricKind::Gauge => "gauge",
            MetricKind::Histogram(_) => "histogram",
        };
        let labels: Vec<String> = metric.labels.iter().map(|label| format!("`{label}`")).collect();
        let help = web::escape_markdown(metric.help);
        let _ = writeln!(page, "| `{}` | {kind} | {} | {help} |", metric.name, labels.join(", "));
    }
    page
}
