//! Measures durations over many iterations, and the processor time and memory of the process.

use std::time::Instant;

/// Sorted durations in milliseconds: the elapsed time of each iteration, and the processor time of the service and its
/// PostgreSQL backends. The latter estimates the duration on an idle machine, independent of other load.
pub(crate) struct Times {
    elapsed: Vec<f64>,
    at_work: Vec<f64>,
}

impl Times {
    /// Measures `iterations` iterations, after some warm-up iterations that are not measured.
    pub(crate) async fn measure(
        iterations: usize,
        backends: &[i32],
        mut operation: impl AsyncFnMut(usize),
    ) -> Self {
        for number in 0..(iterations / 10).max(8) {
            operation(number).await;
        }
        let (mut elapsed, mut at_work) = (Vec::with_capacity(iterations), Vec::with_capacity(iterations));
        for number in 0..iterations {
            let worked = work(backends);
            let begun = Instant::now();
            operation(number).await;
            elapsed.push(begun.elapsed().as_secs_f64() * 1000.0);
            at_work.push(work(backends) - worked);
        }
        elapsed.sort_by(f64::total_cmp);
        at_work.sort_by(f64::total_cmp);
        Self { elapsed, at_work }
    }

    /// Returns the 95th percentile of the processor time, in milliseconds.
    pub(crate) fn p95(&self) -> f64 {
        at(&self.at_work, 95)
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shares = [0, 50, 95].map(|share| format!("{:.2}", at(&self.elapsed, share)));
        let work = [0, 50, 95].map(|share| format!("{:.2}", at(&self.at_work, share)));
        write!(formatter, "{} | {}", shares.join(" | "), work.join(" | "))
    }
}

fn at(sorted: &[f64], share: usize) -> f64 {
    sorted[(sorted.len() * share / 100).min(sorted.len() - 1)]
}

/// Returns the processor time of all threads of this process and of the processes `others`, in milliseconds.
fn work(others: &[i32]) -> f64 {
    let own =
        std::fs::read_dir("/proc/self/task").unwrap().map(|task| task.unwrap().path().join("schedstat"));
    let others = others.iter().map(|pid| format!("/proc/{pid}/schedstat").into());
    let ran = |path: std::path::PathBuf| {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.split(' ').next().and_then(|run| run.parse::<f64>().ok()).unwrap_or(0.0)
    };
    own.chain(others).map(ran).sum::<f64>() / 1e6
}

/// Returns the load average of the last minute.
pub(crate) fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or_default().to_owned()
}

/// Returns the processor time of this process in seconds.
pub(crate) fn processor() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = text.rsplit(") ").next().unwrap().split(' ').collect();
    let ticks = |at: usize| fields[at].parse::<u64>().unwrap();
    (ticks(11) + ticks(12)) as f64 / 100.0
}

/// Returns the resident memory of this process in bytes: the current value, and the peak since
/// [`reset_peak`].
pub(crate) fn memory() -> (u64, u64) {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let field = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
    };
    (field("VmRSS:"), field("VmHWM:"))
}

/// Resets the peak of the resident memory.
pub(crate) fn reset_peak() {
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
}

/// Converts bytes to MiB.
pub(crate) fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
