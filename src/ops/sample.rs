//! Measurements at scrape time: memory and CPU time of the process, and usage of its pools.

use std::fs;

use http_kit::app::App;

/// Unit of CPU time in `/proc` (`USER_HZ`).
const TICKS_PER_SECOND: u64 = 100;

/// Sets the gauges whose values are measured at scrape time.
#[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
pub fn sample(app: Option<&App>) {
    metrics::gauge!("carrel_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    let process = ProcessStats::read();
    if let Some(seconds) = process.cpu_seconds {
        metrics::counter!("process_cpu_seconds_total").absolute(seconds);
    }
    if let Some(bytes) = process.resident_bytes {
        metrics::gauge!("process_resident_memory_bytes").set(bytes as f64);
    }
    if let Some(files) = process.open_files {
        metrics::gauge!("process_open_fds").set(files as f64);
    }
    let Some(app) = app else { return };
    for pool in app.domain.db().pools() {
        let used = pool.open.saturating_sub(pool.idle);
        metrics::gauge!("carrel_database_connections", "pool" => pool.name, "state" => "used")
            .set(f64::from(used));
        metrics::gauge!("carrel_database_connections", "pool" => pool.name, "state" => "idle")
            .set(f64::from(pool.idle));
        metrics::gauge!("carrel_database_connections_max", "pool" => pool.name).set(f64::from(pool.most));
    }
    let children = app.sandbox.usage();
    metrics::gauge!("carrel_extract_processes_busy").set(children.busy as f64);
    metrics::gauge!("carrel_extract_processes_max").set(children.max as f64);
    metrics::gauge!("carrel_extract_waiting").set(children.waiting as f64);
}

/// Process statistics of the kernel. Empty on systems without `/proc`.
#[derive(Debug, Default, PartialEq, Eq)]
struct ProcessStats {
    cpu_seconds: Option<u64>,
    resident_bytes: Option<u64>,
    open_files: Option<u64>,
}

impl ProcessStats {
    fn read() -> Self {
        let text = |path| fs::read_to_string(path).unwrap_or_default();
        Self {
            cpu_seconds: cpu_seconds(&text("/proc/self/stat")),
            resident_bytes: resident_bytes(&text("/proc/self/status")),
            open_files: fs::read_dir("/proc/self/fd").ok().map(|files| files.count() as u64),
        }
    }
}

/// Returns user plus system time in seconds. These are the twelfth and thirteenth fields after the process
/// name, which may contain any characters and is closed by a parenthesis.
fn cpu_seconds(stat: &str) -> Option<u64> {
    let (_, behind) = stat.rsplit_once(')')?;
    let mut words = behind.split_whitespace().skip(11).map(str::parse::<u64>);
    let (user, system) = (words.next()?.ok()?, words.next()?.ok()?);
    Some((user + system) / TICKS_PER_SECOND)
}

fn resident_bytes(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn process_stats_are_parsed_if_the_process_name_contains_parentheses() {
        let stat = "42 (a ) name) S 1 2 3 4 5 6 7 8 9 10 1250 250 0 0";
        assert_eq!(cpu_seconds(stat), Some(15));
        assert_eq!(resident_bytes("Name:\tx\nVmRSS:\t  1024 kB\n"), Some(1_048_576));
        assert_eq!((cpu_seconds(""), resident_bytes("")), (None, None));
    }
}
