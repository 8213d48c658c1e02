//! How workers of one process are woken, and how they know that nothing waits.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::rows::JobKind;
use tokio::sync::watch;

/// One bell a kind; ringing it wakes whoever draws from that queue in this process. A ring between
/// looking and listening is not lost.
pub(crate) struct Bells(HashMap<JobKind, Bell>);

#[derive(Default)]
struct Bell {
    rings: watch::Sender<u64>,
    pushes: Pushes,
}

/// How often a job of one kind was pushed, as far as this process knows: its own pushes, and those that it heard of.
#[derive(Clone, Default)]
pub(super) struct Pushes(Arc<AtomicU64>);

impl Pushes {
    /// Changes with every push: with one of this process at its beginning and at its end.
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
