//! A store of shared counts that is away.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// After a failure the store is left alone for so long, so that callers do not all wait for it.
const LEAVE_ALONE_MS: u64 = 1000;

/// Whether a store is left alone at the moment.
pub(super) struct Outage {
    store: &'static str,
    started: Instant,
    /// Milliseconds since `started` until which the store is left alone.
    away_until: AtomicU64,
}

impl Outage {
    /// None so far, of this store.
    pub(super) fn of(store: &'static str) -> Self {
        Self { store, started: Instant::now(), away_until: AtomicU64::new(0) }
    }

    /// Whether the store is not to be asked now.
    pub(super) fn lasts(&self) -> bool {
        self.elapsed() < self.away_until.load(Ordering::Relaxed)
    }

    /// The store did not answer.
    pub(super) fn begins(&self, error: &str) {
        let elapsed = self.elapsed();
        // Whoever moves the mark writes the line, so that an outage fills no log.
        if self.away_until.fetch_max(elapsed + LEAVE_ALONE_MS, Ordering::Relaxed) <= elapsed {
            tracing::warn!(
                error,
                "{} does not count at the moment; this process counts for itself",
                self.store
            );
        }
    }

    fn elapsed(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_store_is_left_alone_for_a_second_after_it_failed() {
        let mut outage = Outage::of("Redis");
        assert!(!outage.lasts());
        outage.begins("away");
        assert!(outage.lasts());
        outage.started = outage.started.checked_sub(Duration::from_millis(LEAVE_ALONE_MS)).unwrap();
        assert!(!outage.lasts());
    }
}
