//! Wake-up signals for the workers of one process, and counters that show whether a queue is still empty.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::rows::JobKind;
use tokio::sync::watch;

/// Per-kind wake-up signal for the workers of this process. A signal between a worker's claim and its wait is
/// not lost.
pub(crate) struct Wakeups(HashMap<JobKind, Wakeup>);

#[derive(Default)]
struct Wakeup {
    signals: watch::Sender<u64>,
    pushes: PushCount,
}

/// Number of known pushes of one kind: pushes of this process, and pushes of which it was notified.
#[derive(Clone, Default)]
pub(crate) struct PushCount(Arc<AtomicU64>);

impl PushCount {
    /// Returns a number that changes with every push. A push of this process is counted at its start and at
    /// its end.
    pub(crate) fn count(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }

    fn increment(&self) {
        self.0.fetch_add(1, Ordering::AcqRel);
    }
}

impl Default for Wakeups {
    fn default() -> Self {
        Self(JobKind::ALL.iter().map(|kind| (*kind, Wakeup::default())).collect())
    }
}

impl Wakeups {
    pub(crate) fn notify(&self, kind: JobKind) {
        if let Some(wakeup) = self.0.get(&kind) {
            wakeup.pushes.increment();
            wakeup.signals.send_modify(|count| *count = count.wrapping_add(1));
        }
    }

    pub(crate) fn notify_all(&self) {
        for kind in JobKind::ALL {
            self.notify(*kind);
        }
    }

    pub(crate) fn subscribe(&self, kind: JobKind) -> watch::Receiver<u64> {
        self.0
            .get(&kind)
            .map_or_else(|| watch::Sender::new(0).subscribe(), |wakeup| wakeup.signals.subscribe())
    }

    pub(crate) fn pushes(&self, kind: JobKind) -> PushCount {
        self.0.get(&kind).map(|wakeup| wakeup.pushes.clone()).unwrap_or_default()
    }

    pub(crate) fn count_push(&self, kind: JobKind) {
        if let Some(wakeup) = self.0.get(&kind) {
            wakeup.pushes.increment();
        }
    }
}
