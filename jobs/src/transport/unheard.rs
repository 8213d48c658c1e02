//! What a process knows of whether anybody hears of ends: while nobody does, it need not tell of them.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// How long a process goes by what Redis answered: that nobody heard. Who begins to hear looks at the rows once more when
/// that time is over, since an end that nobody was told of stands there by then.
pub(super) const GOES_BY: Duration = Duration::from_millis(100);

/// When Redis was last asked to tell of an end and had nobody to tell.
#[derive(Default)]
pub(super) struct Unheard(Mutex<Option<Instant>>);

impl Unheard {
    /// Whether nobody need be told of an end that stands in its row now.
    pub(super) fn holds(&self) -> bool {
        self.lock().is_some_and(|asked| asked.elapsed() < GOES_BY)
    }

    /// Redis was asked at `asked`, and so many heard it.
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
    async fn that_nobody_hears_is_believed_for_a_moment() {
        let unheard = Unheard::default();
        assert!(!unheard.holds(), "nobody was asked yet");
        unheard.learn(Instant::now(), 0);
        assert!(unheard.holds());
        tokio::time::advance(GOES_BY).await;
        assert!(!unheard.holds(), "somebody may hear by now");
        unheard.learn(Instant::now(), 0);
        unheard.learn(Instant::now(), 1);
        assert!(!unheard.holds(), "somebody hears");
    }
}
