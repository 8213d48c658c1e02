//! How workers of one process are woken.

use std::collections::HashMap;

use domain::jobs::JobKind;
use tokio::sync::watch;

/// One bell a kind; ringing it wakes whoever draws from that queue in this process. A ring between
/// looking and listening is not lost.
pub(crate) struct Bells(HashMap<JobKind, watch::Sender<u64>>);

impl Default for Bells {
    fn default() -> Self {
        Self(JobKind::ALL.iter().map(|kind| (*kind, watch::Sender::new(0))).collect())
    }
}

impl Bells {
    pub(crate) fn ring(&self, kind: JobKind) {
        if let Some(bell) = self.0.get(&kind) {
            bell.send_modify(|count| *count = count.wrapping_add(1));
        }
    }

    pub(crate) fn ring_all(&self) {
        for kind in JobKind::ALL {
            self.ring(*kind);
        }
    }

    pub(super) fn listen(&self, kind: JobKind) -> watch::Receiver<u64> {
        self.0.get(&kind).map_or_else(|| watch::Sender::new(0).subscribe(), watch::Sender::subscribe)
    }
}
