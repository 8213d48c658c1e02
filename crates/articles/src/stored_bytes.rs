//! One process's estimate of the size of all stored texts, so that the database is not queried every time a text is
//! stored.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use tokio::sync::{Mutex, MutexGuard};

/// Divisor of the budget. After a process has stored 1/64 of the budget itself, it counts all texts again,
/// because other processes also store texts.
pub(super) const SHARE: i64 = 64;

/// This process's estimate of the size of all stored texts. Clones share the state.
#[derive(Clone, Debug, Default)]
pub(super) struct StoredBytes {
    shared: Arc<SharedCount>,
}

#[derive(Debug, Default)]
struct SharedCount {
    /// True after the first count.
    is_known: AtomicBool,
    /// Bytes at the last count, plus the bytes that this process stored and minus the bytes that it evicted
    /// since then.
    counted: AtomicI64,
    /// Bytes that this process stored since the last count.
    since: AtomicI64,
    /// Locked while a task counts or evicts.
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

    /// Returns the bytes that this process stored since the last count.
    pub(super) fn stored_since(&self) -> i64 {
        self.shared.since.load(Ordering::Relaxed)
    }

    /// Applies the result `total` of a count that began when `stored_since` returned `before`. Texts are
    /// stored before they are recorded in this estimate, so the count includes all texts recorded before it
    /// began.
    pub(super) fn apply_count(&self, total: i64, before: i64) {
        let during = self.shared.since.fetch_sub(before, Ordering::Relaxed) - before;
        self.shared.counted.store(total + during, Ordering::Relaxed);
        self.shared.is_known.store(true, Ordering::Relaxed);
    }

    /// Returns the lock for counting and evicting. `None` if another task of this process holds it.
    pub(super) fn try_lock(&self) -> Option<MutexGuard<'_, ()>> {
        self.shared.counting.try_lock().ok()
    }

    /// Waits for the lock for counting and evicting.
    pub(super) async fn lock(&self) -> MutexGuard<'_, ()> {
        self.shared.counting.lock().await
    }
}
