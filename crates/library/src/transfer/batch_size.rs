//! Number of rows per batch of an import. It follows from the time that the batches before took to write: on
//! SQLite, the writes of all other accounts wait while the transaction of a batch is open.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Duration of a transaction from which its successors have fewer rows.
const TARGET: Duration = Duration::from_millis(50);
/// Minimum number of rows. The cost of a transaction itself is divided among its rows.
const MIN_ROWS: usize = 25;
const FIRST_ROWS: usize = 100;
const MAX_ROWS: usize = 400;

/// Number of rows of the next batch. The reader and the writer of an import share it.
#[derive(Clone, Debug)]
pub(super) struct BatchSize(Arc<AtomicUsize>);

impl Default for BatchSize {
    fn default() -> Self {
        Self(Arc::new(AtomicUsize::new(FIRST_ROWS)))
    }
}

impl BatchSize {
    pub(super) fn rows(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Records how long the transaction of a batch was open. `rows` is the number of its rows.
    pub(super) fn record(&self, rows: usize, open: Duration) {
        self.0.store(next_rows(self.rows(), rows, open), Ordering::Relaxed);
    }
}

/// Returns the number of rows that take [`TARGET`] at the speed of the last batch: at most twice and at least
/// half of the current number, so that one slow commit does not change it much.
fn next_rows(current: usize, written: usize, open: Duration) -> usize {
    if written == 0 {
        return current;
    }
    let fitting = TARGET.as_micros().saturating_mul(written as u128) / open.as_micros().max(1);
    let fitting = usize::try_from(fitting).unwrap_or(MAX_ROWS);
    fitting.clamp(current / 2, current.saturating_mul(2)).clamp(MIN_ROWS, MAX_ROWS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batch_has_the_rows_that_the_target_duration_allows() {
        let millis = Duration::from_millis;
        assert_eq!(next_rows(100, 100, millis(50)), 100);
        assert_eq!(next_rows(100, 100, millis(40)), 125);
        assert_eq!(next_rows(100, 100, millis(1)), 200, "at most twice as many");
        assert_eq!(next_rows(100, 100, millis(5_000)), 50, "at least half as many");
        assert_eq!(next_rows(30, 30, millis(5_000)), 25);
        assert_eq!(next_rows(400, 400, Duration::ZERO), 400);
        assert_eq!(next_rows(100, 0, millis(50)), 100);
        assert_eq!(next_rows(200, 10, millis(50)), 100, "a batch with large rows is full before");
    }

    #[test]
    fn size_converges_to_the_speed_of_the_database() {
        let size = BatchSize::default();
        for (rows_per_second, expected) in [(1_000, 50), (4_000, 200), (20_000, 400), (100, 25)] {
            for _ in 0..10 {
                let rows = size.rows();
                let micros = 1_000_000 * rows / rows_per_second;
                size.clone().record(rows, Duration::from_micros(micros as u64));
            }
            assert_eq!(size.rows(), expected, "{rows_per_second} rows per second");
        }
    }
}
