//! The places of a worker whose queue is empty, in which a job may begin as it is submitted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::rows::{Opening, Openings, Place};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use super::bells::Pushes;
use crate::drawn::{Claimer, Drawn};

/// The places of a worker.
pub(crate) type Places = Arc<Semaphore>;

/// Whether a worker has found its queue empty, and nothing was pushed since.
#[derive(Clone)]
pub(super) struct Idle {
    pushes: Pushes,
    /// The count of pushes before the look that found nothing; [`BUSY`] while there is no such look.
    looked_at: Arc<AtomicU64>,
}

/// No count of pushes comes to it.
const BUSY: u64 = u64::MAX;

impl Idle {
    pub(super) fn new(pushes: Pushes) -> Self {
        Self { pushes, looked_at: Arc::new(AtomicU64::new(BUSY)) }
    }

    /// The count of pushes, before a look.
    pub(super) fn before_look(&self) -> u64 {
        self.pushes.count()
    }

    /// The look found nothing, and the worker waits until what this returns is dropped.
    pub(super) fn begin(&self, before_look: u64) -> IdleTime {
        self.looked_at.store(before_look, Ordering::Release);
        IdleTime(self.clone())
    }

    fn holds(&self) -> bool {
        self.looked_at.load(Ordering::Acquire) == self.pushes.count()
    }
}

/// As long as it is there the worker waits.
pub(super) struct IdleTime(Idle);

impl Drop for IdleTime {
    fn drop(&mut self) {
        self.0.looked_at.store(BUSY, Ordering::Release);
    }
}

/// The places of one worker. What waits in the queue is drawn first: while there is anything, none is given away, and
/// none where claims must count.
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
            // Where the worker stops meanwhile, the job is handed back as it is dropped.
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
    fn what_another_process_pushed_waits_also_while_nobody_draws() {
        let (bells, kind) = (Bells::default(), JobKind::ReadJob);
        let idle = Idle::new(bells.pushes(kind));
        assert!(!idle.holds(), "nobody has looked");
        let waits = idle.begin(idle.before_look());
        bells.ring(JobKind::Mail);
        assert!(idle.holds());
        bells.ring(kind);
        assert!(!idle.holds(), "the worker has not yet heard the ring");
        drop(waits);
        let before = idle.before_look();
        bells.count_push(kind);
        let waits = idle.begin(before);
        assert!(!idle.holds(), "it was pushed during the look");
        drop(waits);
    }
}
