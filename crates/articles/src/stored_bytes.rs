//! Estimate of the size of all stored texts by one process, which does not query the database for each text.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use tokio::sync::{Mutex, MutexGuard};

/// Divisor of the budget: after a process has itself stored this fraction (1/64) of the budget, it counts all
/// texts again, because other processes store texts, too.
pub(super) const SHARE: i64 = 64;

/// This process's estimate of the size of all stored texts. Clones share the state.
#[derive(Clone, Debug, Default)]
pub(super) struct StoredBytes {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    /// True after the first count.
    is_known: AtomicBool,
    /// Size at the last count in bytes, plus the bytes that this process has stored and minus the bytes that
    /// it has evicted since then.
    counted: AtomicI64,
    /// Bytes that this process stored since the last count.
    since: AtomicI64,
    /// Locked while counting and evicting.
    counting: Mutex<()>,
}

impl StoredBytes {
    pub(super) fn record_stored(&self, bytes: i64) {
        self.shared.counted.fetch_add(bytes, Ordering::Relaxed);
        self.shared.since.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(super) fn record_freed(&self, bytes: i64) {
        self.shared.counted.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Returns whether the size of all texts may exceed `budget`.
    pub(super) fn may_exceed(&self, budget: i64) -> bool {
        !self.shared.is_known.load(Ordering::Relaxed)
            || self.shared.counted.load(Ordering::Relaxed) > budget
            || self.stored_since() > budget / SHARE
    }

    /// Bytes that this process stored since the last count.
    pub(super) fn stored_since(&self) -> i64 {
        self.shared.since.load(Ordering::Relaxed)
    }

    /// Applies the result `total` of a count that began when `stored_since` was `before`. Texts are stored
    /// before they are recorded, so the count includes all texts recorded before it began.
    pub(super) fn apply_count(&self, total: i64, before: i64) {
        let during = self.shared.since.fetch_sub(before, Ordering::Relaxed) - before;
        self.shared.counted.store(total + during, Ordering::Relaxed);
        self.shared.is_known.store(true, Ordering::Relaxed);
    }

    /// Returns the lock for counting and evicting. `None` if another task of this process has it.
    pub(super) fn try_lock(&self) -> Option<MutexGuard<'_, ()>> {
        self.shared.counting.try_lock().ok()
    }

    /// Waits for the lock for counting and evicting.
    pub(super) async fn lock(&self) -> MutexGuard<'_, ()> {
        self.shared.counting.lock().await
    }
}
