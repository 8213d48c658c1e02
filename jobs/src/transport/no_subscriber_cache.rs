//! Cache that skips publishing completions if the last `PUBLISH` reached no subscriber.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Time for which a publish that reached no subscriber is remembered. A new subscriber rechecks its rows
/// after this time, because unpublished completions are visible in the rows by then.
pub(super) const NO_SUBSCRIBER_TTL: Duration = Duration::from_millis(100);

/// Time of the last publish, if it reached no subscriber.
#[derive(Default)]
pub(super) struct NoSubscriberCache(Mutex<Option<Instant>>);

impl NoSubscriberCache {
    /// Returns true if publishing a committed completion can be skipped.
    pub(super) fn is_fresh(&self) -> bool {
        self.lock().is_some_and(|published_at| published_at.elapsed() < NO_SUBSCRIBER_TTL)
    }

    /// Records a publish and its number of subscribers.
    pub(super) fn record(&self, published_at: Instant, subscribers: u64) {
        *self.lock() = (subscribers == 0).then_some(published_at);
    }

    fn lock(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn publish_without_subscribers_is_remembered_for_a_short_time() {
        let cache = NoSubscriberCache::default();
        assert!(!cache.is_fresh(), "nothing was published yet");
        cache.record(Instant::now(), 0);
        assert!(cache.is_fresh());
        tokio::time::advance(NO_SUBSCRIBER_TTL).await;
        assert!(!cache.is_fresh(), "the cached result has expired");
        cache.record(Instant::now(), 0);
        cache.record(Instant::now(), 1);
        assert!(!cache.is_fresh(), "there is a subscriber");
    }
}
