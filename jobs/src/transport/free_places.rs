//! Free slots of a worker whose queue is empty. A submitted job may start in them immediately.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::rows::{Opening, Openings, Place};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use super::bells::Pushes;
use crate::drawn::{Claimer, Drawn};

/// Slots of a worker.
pub(crate) type Places = Arc<Semaphore>;

/// Whether a worker found its queue empty and no job was pushed since.
#[derive(Clone)]
pub(super) struct Idle {
    pushes: Pushes,
    /// Push count before the claim that found the queue empty. [`BUSY`] while the worker is not idle.
    looked_at: Arc<AtomicU64>,
}

/// Value that no push count reaches.
const BUSY: u64 = u64::MAX;

impl Idle {
    pub(super) fn new(pushes: Pushes) -> Self {
        Self { pushes, looked_at: Arc::new(AtomicU64::new(BUSY)) }
    }

    /// Current push count, to be read before a claim.
    pub(super) fn before_look(&self) -> u64 {
        self.pushes.count()
    }

    /// Marks the worker as idle until the returned guard is dropped, because its claim found nothing.
    pub(super) fn begin(&self, before_look: u64) -> IdleTime {
        self.looked_at.store(before_look, Ordering::Release);
        IdleTime(self.clone())
    }

    fn holds(&self) -> bool {
        self.looked_at.load(Ordering::Acquire) == self.pushes.count()
    }
}

/// Guard of an idle worker.
pub(super) struct IdleTime(Idle);

impl Drop for IdleTime {
    fn drop(&mut self) {
        self.0.looked_at.store(BUSY, Ordering::Release);
    }
}

/// Free slots of one worker. Jobs in the queue go first: no slot is given away while any job waits, or while
/// claims must be counted.
pub(super) struct FreePlaces {
    claimer: Claimer,
    places: Places,
    shutdown: CancellationToken,
    idle: Idle,
    begin: UnboundedSender<Drawn>,
}

impl FreePlaces {
    pub(super) fn new(
        claimer: &Claimer,
        places: &Places,
        shutdown: &CancellationToken,
        (idle, begin): (Idle, UnboundedSender<Drawn>),
    ) -> Self {
        Self {
            claimer: claimer.clone(),
            places: Places::clone(places),
            shutdown: shutdown.clone(),
            idle,
            begin,
        }
    }
}

impl Openings for FreePlaces {
    fn take(&self) -> Option<Opening> {
        if self.shutdown.is_cancelled() || !self.idle.holds() || self.claimer.is_limited() {
            return None;
        }
        let place = Places::clone(&self.places).try_acquire_owned().ok()?;
        let (engine, begin) = (self.claimer.engine.clone(), self.begin.clone());
        Some(Opening {
            worker: self.claimer.name(),
            lease_ms: engine.settings().lease_ms,
            place: Place::taken(place),
            // If the worker stops meanwhile, dropping the guard releases the claim.
            begin: Box::new(move |claimed| drop(begin.send(Drawn::new(&engine, claimed)))),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::rows::JobKind;

    use super::*;
    use crate::transport::bells::Bells;

    #[test]
    fn push_by_another_process_makes_the_worker_busy() {
        let (bells, kind) = (Bells::default(), JobKind::ReadJob);
        let idle = Idle::new(bells.pushes(kind));
        assert!(!idle.holds(), "no claim found the queue empty yet");
        let waits = idle.begin(idle.before_look());
        bells.ring(JobKind::Mail);
        assert!(idle.holds());
        bells.ring(kind);
        assert!(!idle.holds(), "the worker has not been woken yet");
        drop(waits);
        let before = idle.before_look();
        bells.count_push(kind);
        let waits = idle.begin(before);
        assert!(!idle.holds(), "pushed during the claim");
        drop(waits);
    }
}
