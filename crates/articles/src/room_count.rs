//! What one process knows of the room that stored texts take, without asking the database for each text.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use tokio::sync::{Mutex, MutexGuard};

/// A process counts again when it has stored this share of the budget itself: others store as well.
pub(super) const SHARE: i64 = 64;

/// Bytes of stored texts, as far as this process knows. Clones share what is known.
#[derive(Clone, Debug, Default)]
pub(super) struct RoomCount {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    /// There was a count.
    is_known: AtomicBool,
    /// Bytes at the last count, less what was freed and more what this process stored since.
    counted: AtomicI64,
    /// Bytes that this process stored since the last count.
    since: AtomicI64,
    /// Held by whoever counts and makes room.
    counting: Mutex<()>,
}

impl RoomCount {
    /// Notes a text that was stored.
    pub(super) fn note_stored(&self, bytes: i64) {
        self.shared.counted.fetch_add(bytes, Ordering::Relaxed);
        self.shared.since.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Notes texts that were removed.
    pub(super) fn note_freed(&self, bytes: i64) {
        self.shared.counted.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Whether all texts may take more than `budget`.
    pub(super) fn may_exceed(&self, budget: i64) -> bool {
        !self.shared.is_known.load(Ordering::Relaxed)
            || self.shared.counted.load(Ordering::Relaxed) > budget
            || self.stored_since() > budget / SHARE
    }

    /// Bytes that this process stored since the last count.
    pub(super) fn stored_since(&self) -> i64 {
        self.shared.since.load(Ordering::Relaxed)
    }

    /// Takes a count in that began when `stored_since` was `before`: what is noted is stored, so the count has it.
    pub(super) fn take_in(&self, total: i64, before: i64) {
        let during = self.shared.since.fetch_sub(before, Ordering::Relaxed) - before;
        self.shared.counted.store(total + during, Ordering::Relaxed);
        self.shared.is_known.store(true, Ordering::Relaxed);
    }

    /// The right to count and to make room, unless somebody else in this process has it.
    pub(super) fn try_lock(&self) -> Option<MutexGuard<'_, ()>> {
        self.shared.counting.try_lock().ok()
    }

    /// Waits until nobody else in this process counts.
    pub(super) async fn lock(&self) -> MutexGuard<'_, ()> {
        self.shared.counting.lock().await
    }
}
