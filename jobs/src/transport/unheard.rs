//! Skips publishing completions while the last `PUBLISH` reached no subscriber.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Time for which a publish without subscribers is remembered. A new subscriber rechecks its rows after this
/// time, because unpublished completions are visible in the rows by then.
pub(super) const GOES_BY: Duration = Duration::from_millis(100);

/// Time of the last publish, if it reached no subscriber.
#[derive(Default)]
pub(super) struct Unheard(Mutex<Option<Instant>>);

impl Unheard {
    /// Whether publishing a committed completion can be skipped.
    pub(super) fn holds(&self) -> bool {
        self.lock().is_some_and(|asked| asked.elapsed() < GOES_BY)
    }

    /// Records a publish and its number of subscribers.
    pub(super) fn learn(&self, asked: Instant, heard: u64) {
        *self.lock() = (heard == 0).then_some(asked);
    }

    fn lock(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn missing_subscribers_are_remembered_for_a_short_time() {
        let unheard = Unheard::default();
        assert!(!unheard.holds(), "nothing was published yet");
        unheard.learn(Instant::now(), 0);
        assert!(unheard.holds());
        tokio::time::advance(GOES_BY).await;
        assert!(!unheard.holds(), "there may be a subscriber by now");
        unheard.learn(Instant::now(), 0);
        unheard.learn(Instant::now(), 1);
        assert!(!unheard.holds(), "there is a subscriber");
    }
}
