//! Times of many turns, and what the machine did meanwhile.

use std::time::Instant;

/// Sorted milliseconds.
pub(crate) struct Times(Vec<f64>);

impl Times {
    /// How long each of `turns` takes, after some that are not counted.
    pub(crate) async fn of(turns: usize, mut turn: impl AsyncFnMut(usize)) -> Self {
        for number in 0..(turns / 10).max(8) {
            turn(number).await;
        }
        let mut times = Vec::with_capacity(turns);
        for number in 0..turns {
            let begun = Instant::now();
            turn(number).await;
            times.push(begun.elapsed().as_secs_f64() * 1000.0);
        }
        times.sort_by(f64::total_cmp);
        Self(times)
    }

    fn at(&self, share: usize) -> f64 {
        self.0[(self.0.len() * share / 100).min(self.0.len() - 1)]
    }

    pub(crate) fn p95(&self) -> f64 {
        self.at(95)
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (least, p50, p95, p99) = (self.at(0), self.at(50), self.at(95), self.at(99));
        write!(formatter, "{least:.2} | {p50:.2} | {p95:.2} | {p99:.2}")
    }
}

/// The load of the last minute.
pub(crate) fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or_default().to_owned()
}

/// Seconds of processor time of this process.
pub(crate) fn processor() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = text.rsplit(") ").next().unwrap().split(' ').collect();
    let ticks = |at: usize| fields[at].parse::<u64>().unwrap();
    (ticks(11) + ticks(12)) as f64 / 100.0
}

/// Bytes of memory: now, and at most since [`forget_peak`].
pub(crate) fn memory() -> (u64, u64) {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let field = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
    };
    (field("VmRSS:"), field("VmHWM:"))
}

/// Lets the peak begin anew.
pub(crate) fn forget_peak() {
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
}

/// Bytes in MiB.
pub(crate) fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
