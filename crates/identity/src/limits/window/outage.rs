//! Outage of a shared counter store.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Time in milliseconds for which the store is not used after a failure, so that callers do not each wait for its
/// timeout.
const BACKOFF_MS: u64 = 1000;

/// State of a shared store: in use, or skipped for a time after a failure.
pub(super) struct Outage {
    store: &'static str,
    started: Instant,
    /// Milliseconds since `started` until which the store is skipped.
    away_until: AtomicU64,
}

impl Outage {
    /// Creates the state of an available store with this name.
    pub(super) fn of(store: &'static str) -> Self {
        Self { store, started: Instant::now(), away_until: AtomicU64::new(0) }
    }

    /// Returns whether to skip the store now.
    pub(super) fn is_active(&self) -> bool {
        self.elapsed() < self.away_until.load(Ordering::Relaxed)
    }

    /// Records that the store failed.
    pub(super) fn record_failure(&self, error: &str) {
        let elapsed = self.elapsed();
        // Only the caller that moves the deadline logs, so that an outage does not flood the log.
        if self.away_until.fetch_max(elapsed + BACKOFF_MS, Ordering::Relaxed) <= elapsed {
            tracing::warn!(
                error,
                "{} is unavailable for rate limits, counting in this process only",
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
    fn store_is_skipped_for_a_second_after_a_failure() {
        let mut outage = Outage::of("Redis");
        assert!(!outage.is_active());
        outage.record_failure("away");
        assert!(outage.is_active());
        outage.started = outage.started.checked_sub(Duration::from_millis(BACKOFF_MS)).unwrap();
        assert!(!outage.is_active());
    }
}
