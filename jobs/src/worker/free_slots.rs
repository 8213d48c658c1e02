//! Free slots of a worker whose queue is empty. A submitted job may start in them immediately.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::rows::{ReservedSlot, SlotPermit, WorkerSlots};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use crate::claim::{ClaimGuard, Claimer};
use crate::transport::PushCount;

/// Slots of a worker.
pub(super) type SlotSemaphore = Arc<Semaphore>;

/// Idle state of a worker: a worker is idle if its last claim saw an empty queue and no job was pushed
/// since then.
#[derive(Clone)]
pub(super) struct IdleState {
    pushes: PushCount,
    /// Push count before the claim that saw an empty queue. [`BUSY`] while the worker is not idle.
    empty_at: Arc<AtomicU64>,
}

/// Value that no push count reaches.
const BUSY: u64 = u64::MAX;

impl IdleState {
    pub(super) fn new(pushes: PushCount) -> Self {
        Self { pushes, empty_at: Arc::new(AtomicU64::new(BUSY)) }
    }

    /// Returns the current push count, to be read before a claim.
    pub(super) fn push_count(&self) -> u64 {
        self.pushes.count()
    }

    /// Marks the worker as idle until the returned guard is dropped. Called after a claim returned no job.
    pub(super) fn enter(&self, push_count: u64) -> IdleGuard {
        self.empty_at.store(push_count, Ordering::Release);
        IdleGuard(self.clone())
    }

    fn is_idle(&self) -> bool {
        self.empty_at.load(Ordering::Acquire) == self.pushes.count()
    }
}

/// Guard of a worker's idle state. Dropping it marks the worker as busy.
pub(super) struct IdleGuard(IdleState);

impl Drop for IdleGuard {
    fn drop(&mut self) {
        self.0.empty_at.store(BUSY, Ordering::Release);
    }
}

/// Free slots of one worker. Queued jobs go first: while any job is waiting, or while claims must be counted, no slot
/// is given to a submitted job.
pub(super) struct FreeSlots {
    claimer: Claimer,
    slots: SlotSemaphore,
    shutdown: CancellationToken,
    idle: IdleState,
    started: UnboundedSender<ClaimGuard>,
}

impl FreeSlots {
    pub(super) fn new(
        claimer: &Claimer,
        slots: &SlotSemaphore,
        shutdown: &CancellationToken,
        (idle, started): (IdleState, UnboundedSender<ClaimGuard>),
    ) -> Self {
        Self {
            claimer: claimer.clone(),
            slots: SlotSemaphore::clone(slots),
            shutdown: shutdown.clone(),
            idle,
            started,
        }
    }
}

impl WorkerSlots for FreeSlots {
    fn reserve(&self) -> Option<ReservedSlot> {
        if self.shutdown.is_cancelled() || !self.idle.is_idle() || self.claimer.is_limited() {
            return None;
        }
        let permit = SlotSemaphore::clone(&self.slots).try_acquire_owned().ok()?;
        let (engine, started) = (self.claimer.engine.clone(), self.started.clone());
        Some(ReservedSlot {
            worker: self.claimer.name(),
            lease_ms: engine.settings().lease_ms,
            permit: SlotPermit::new(permit),
            // If the worker stops in the meantime, dropping the guard releases the claim.
            begin: Box::new(move |claimed| drop(started.send(ClaimGuard::new(&engine, claimed)))),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::rows::JobKind;

    use super::*;
    use crate::transport::Wakeups;

    #[test]
    fn push_by_another_process_makes_the_worker_busy() {
        let (wakeups, kind) = (Wakeups::default(), JobKind::ReadJob);
        let idle = IdleState::new(wakeups.pushes(kind));
        assert!(!idle.is_idle(), "no claim found the queue empty yet");
        let guard = idle.enter(idle.push_count());
        wakeups.notify(JobKind::Mail);
        assert!(idle.is_idle());
        wakeups.notify(kind);
        assert!(!idle.is_idle(), "the worker has not been woken yet");
        drop(guard);
        let before = idle.push_count();
        wakeups.count_push(kind);
        let guard = idle.enter(before);
        assert!(!idle.is_idle(), "pushed during the claim");
        drop(guard);
    }
}
