//! Number of rows per batch of an import. It is derived from the time that previous batches took to write: on
//! SQLite, the writes of all other accounts wait while the transaction of a batch is open.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use kernel::Backend;

/// Numbers of rows are multiples of this number, so that most statements of a batch equal those of the
/// previous batch, which are already prepared.
const STEP: usize = 16;
const MAX_ROWS: usize = 400;

/// Bounds for the batches on a database.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// Duration of a transaction above which subsequent transactions have fewer rows.
    target: Duration,
    /// Minimum number of rows. The fixed cost of a transaction is divided among its rows.
    min_rows: usize,
    first_rows: usize,
}

impl Bounds {
    const fn of(backend: Backend) -> Self {
        match backend {
            Backend::Sqlite => Self { target: Duration::from_millis(14), min_rows: 16, first_rows: 48 },
            // Only other writes of the account wait for the transaction.
            Backend::Postgres => Self { target: Duration::from_millis(50), min_rows: 48, first_rows: 96 },
        }
    }
}

/// Number of rows of the next batch. The reader and the writer of an import share it.
#[derive(Clone, Debug)]
pub(super) struct BatchSize {
    bounds: Bounds,
    rows: Arc<AtomicUsize>,
}

impl BatchSize {
    pub(super) fn of(backend: Backend) -> Self {
        let bounds = Bounds::of(backend);
        Self { bounds, rows: Arc::new(AtomicUsize::new(bounds.first_rows)) }
    }

    pub(super) fn rows(&self) -> usize {
        self.rows.load(Ordering::Relaxed)
    }

    /// Records how long the transaction of a batch was open. `rows` is the number of its rows.
    pub(super) fn record(&self, rows: usize, open: Duration) {
        self.rows.store(next_rows(self.bounds, self.rows(), (rows, open)), Ordering::Relaxed);
    }
}

/// Returns the number of rows that take the target duration at the speed of the last batch. The result is between half
/// and twice the current number, so that one slow commit does not change it much.
fn next_rows(bounds: Bounds, current: usize, (written, open): (usize, Duration)) -> usize {
    if written == 0 {
        return current;
    }
    let fitting = bounds.target.as_micros().saturating_mul(written as u128) / open.as_micros().max(1);
    let fitting = usize::try_from(fitting).unwrap_or(MAX_ROWS);
    let near = fitting.clamp(current / 2, current.saturating_mul(2));
    (near / STEP * STEP).clamp(bounds.min_rows, MAX_ROWS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batch_size_is_limited_by_the_target_duration() {
        let (millis, bounds) = (Duration::from_millis, Bounds::of(Backend::Sqlite));
        let next = |current, written, open| next_rows(bounds, current, (written, open));
        assert_eq!(next(96, 96, millis(14)), 96);
        assert_eq!(next(96, 96, millis(11)), 112, "rounded down to a step");
        assert_eq!(next(96, 96, millis(1)), 192, "at most twice as many");
        assert_eq!(next(96, 96, millis(5_000)), 48, "at least half as many");
        assert_eq!(next(16, 16, millis(5_000)), 16);
        assert_eq!(next(400, 400, Duration::ZERO), 400);
        assert_eq!(next(96, 0, millis(50)), 96);
        assert_eq!(next(192, 16, millis(14)), 96, "a batch with large rows is full before");
        let postgres = Bounds::of(Backend::Postgres);
        assert_eq!(next_rows(postgres, 96, (96, millis(5_000))), 48);
        assert_eq!(next_rows(postgres, 192, (192, millis(48))), 192);
    }

    #[test]
    fn batch_size_converges_to_the_speed_of_the_database() {
        let size = BatchSize::of(Backend::Sqlite);
        assert_eq!(size.rows(), 48);
        for (rows_per_second, expected) in [(1_500, 16), (4_500, 48), (40_000, 400), (100, 16)] {
            for _ in 0..10 {
                let rows = size.rows();
                let micros = 1_000_000 * rows / rows_per_second;
                size.clone().record(rows, Duration::from_micros(micros as u64));
            }
            assert_eq!(size.rows(), expected, "{rows_per_second} rows per second");
        }
    }
}
