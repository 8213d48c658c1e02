//! Results of the loads, formatted as a Markdown table.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use super::MAX_GROWTH_MB;
use super::service::FileBytes;
use crate::support::World;

/// Results of one load on one deployment type.
pub(super) struct Row {
    pub(super) load: &'static str,
    pub(super) world: World,
    /// 99th percentile of the ordinary requests' latencies, without and with the load.
    pub(super) alone: Duration,
    pub(super) loaded: Duration,
    /// Highest latency under load for each name of an ordinary request.
    pub(super) slowest: BTreeMap<&'static str, Duration>,
    pub(super) memory_before_mb: u64,
    pub(super) memory_peak_mb: u64,
    pub(super) slowest_health: Duration,
    pub(super) files: FileBytes,
    /// Number of ordinary requests that were refused by a limit of their account.
    pub(super) limited: usize,
    /// Number of answers to the greedy account by status. 0 means connections that were closed.
    pub(super) answers: BTreeMap<u16, usize>,
    pub(super) failures: Vec<String>,
}

impl Row {
    /// Adds a failure for each bound that was exceeded. No bound depends on a clock.
    pub(super) fn check_bounds(&mut self) {
        let growth = self.memory_peak_mb.saturating_sub(self.memory_before_mb);
        if growth > MAX_GROWTH_MB {
            self.failures.push(format!("the memory grew by {growth} MB, more than {MAX_GROWTH_MB} MB"));
        }
        if !self.files.are_counted() {
            let FileBytes { stored, counted } = self.files;
            self.failures.push(format!("{stored} bytes are on disk, and {counted} are counted"));
        }
        if !self.answers.keys().any(|status| (200..400).contains(status)) {
            self.failures.push(format!("no request of the load succeeded: {}", self.answers()));
        }
        if self.answers.contains_key(&500) {
            self.failures.push(format!("requests of the load were answered with 500: {}", self.answers()));
        }
        let label = format!("{}, {}: ", self.load, deployment(self.world));
        for failure in &mut self.failures {
            failure.insert_str(0, &label);
        }
    }

    /// Formats the slowest ordinary requests in milliseconds, and the answers to the greedy account.
    pub(super) fn details(&self) -> String {
        let slowest = |(name, latency): (&&str, &Duration)| format!("{name} {}", milliseconds(*latency));
        let slowest = self.slowest.iter().map(slowest).collect::<Vec<_>>().join(", ");
        format!("slowest: {slowest}; answers to the greedy account: {}", self.answers())
    }

    /// Formats the number of answers to the greedy account by status.
    fn answers(&self) -> String {
        let count = |(status, count): (&u16, &usize)| match status {
            0 => format!("closed × {count}"),
            status => format!("{status} × {count}"),
        };
        self.answers.iter().map(count).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Row {
    /// Formats the row as a row of a Markdown table.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "| {} | {} | {} | {} | {:.1} | {} | {} | {} | {} / {} | {} |",
            self.load,
            deployment(self.world),
            milliseconds(self.alone),
            milliseconds(self.loaded),
            self.loaded.div_duration_f64(self.alone),
            self.memory_before_mb,
            self.memory_peak_mb,
            milliseconds(self.slowest_health),
            megabytes(self.files.stored),
            megabytes(self.files.counted),
            self.limited,
        )
    }
}

/// Prints the rows as a Markdown table.
pub(super) fn print_table(rows: &[Row]) {
    println!(
        "\n| load | deployment | p99 alone ms | p99 loaded ms | ratio | memory before MB | memory peak MB | \
         slowest /healthz ms | MB on disk / counted | refused by own limits |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    );
    for row in rows {
        println!("{row}");
    }
    println!();
}

fn deployment(world: World) -> &'static str {
    match world {
        World::Small => "one process, SQLite",
        World::Large => "processes, PostgreSQL and Redis",
    }
}

fn milliseconds(duration: Duration) -> String {
    format!("{:.1}", duration.as_secs_f64() * 1000.0)
}

/// Formats bytes as megabytes with one decimal digit.
fn megabytes(bytes: u64) -> String {
    let tenths = bytes / 100_000;
    format!("{}.{}", tenths / 10, tenths % 10)
}
