//! Estimate by one process of the size of all stored texts, without a query for each text.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use tokio::sync::{Mutex, MutexGuard};

/// A process counts again after it has stored this fraction (1/64) of the budget itself, because other
/// processes store texts, too.
pub(super) const SHARE: i64 = 64;

/// Bytes of stored texts, as far as this process knows. Clones share the state.
#[derive(Clone, Debug, Default)]
pub(super) struct StoredBytes {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    /// True after the first count.
    is_known: AtomicBool,
    /// Bytes at the last count, minus the bytes evicted and plus the bytes stored by this process since.
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

    /// Whether all texts may exceed `budget`.
    pub(super) fn may_exceed(&self, budget: i64) -> bool {
        !self.shared.is_known.load(Ordering::Relaxed)
            || self.shared.counted.load(Ordering::Relaxed) > budget
            || self.stored_since() > budget / SHARE
    }

    /// Bytes that this process stored since the last count.
    pub(super) fn stored_since(&self) -> i64 {
        self.shared.since.load(Ordering::Relaxed)
    }

    /// Applies a count that began when `stored_since` was `before`. Recorded texts are already stored, so the
    /// count includes them.
    pub(super) fn apply_count(&self, total: i64, before: i64) {
        let during = self.shared.since.fetch_sub(before, Ordering::Relaxed) - before;
        self.shared.counted.store(total + during, Ordering::Relaxed);
        self.shared.is_known.store(true, Ordering::Relaxed);
    }

    /// Lock for counting and evicting; `None` if it is taken in this process.
    pub(super) fn try_lock(&self) -> Option<MutexGuard<'_, ()>> {
        self.shared.counting.try_lock().ok()
    }

    /// Waits for the lock for counting and evicting.
    pub(super) async fn lock(&self) -> MutexGuard<'_, ()> {
        self.shared.counting.lock().await
    }
}
