//! Wake-up signals for the workers of one process, and counters that show whether a queue is still empty.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::rows::JobKind;
use tokio::sync::watch;

/// Per-kind wake-up signal for the workers of this process. A signal between a worker's claim and its wait is
/// not lost.
pub(crate) struct Bells(HashMap<JobKind, Bell>);

#[derive(Default)]
struct Bell {
    rings: watch::Sender<u64>,
    pushes: Pushes,
}

/// Number of pushes of one kind that this process knows of: its own, and those it was notified of.
#[derive(Clone, Default)]
pub(super) struct Pushes(Arc<AtomicU64>);

impl Pushes {
    /// Changes with every push. A push of this process is counted at its start and at its end.
    pub(super) fn count(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }

    fn count_one(&self) {
        self.0.fetch_add(1, Ordering::AcqRel);
    }
}

impl Default for Bells {
    fn default() -> Self {
        Self(JobKind::ALL.iter().map(|kind| (*kind, Bell::default())).collect())
    }
}

impl Bells {
    pub(crate) fn ring(&self, kind: JobKind) {
        if let Some(bell) = self.0.get(&kind) {
            bell.pushes.count_one();
            bell.rings.send_modify(|count| *count = count.wrapping_add(1));
        }
    }

    pub(crate) fn ring_all(&self) {
        for kind in JobKind::ALL {
            self.ring(*kind);
        }
    }

    pub(super) fn listen(&self, kind: JobKind) -> watch::Receiver<u64> {
        self.0.get(&kind).map_or_else(|| watch::Sender::new(0).subscribe(), |bell| bell.rings.subscribe())
    }

    pub(super) fn pushes(&self, kind: JobKind) -> Pushes {
        self.0.get(&kind).map(|bell| bell.pushes.clone()).unwrap_or_default()
    }

    pub(super) fn count_push(&self, kind: JobKind) {
        if let Some(bell) = self.0.get(&kind) {
            bell.pushes.count_one();
        }
    }
}
