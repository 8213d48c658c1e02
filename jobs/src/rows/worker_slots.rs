//! Free slots of this process's workers. If a slot is free and no job is waiting for it, a submitted job is
//! inserted as running in that slot: its id is not pushed, and no separate claim is needed.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::claimed::Claimed;
use super::kind::JobKind;
use super::slot_permit::SlotPermit;
use kernel::Millis;

/// A slot reserved for one job. Dropping it frees the slot.
pub struct ReservedSlot {
    /// Unique name of the claim.
    pub worker: String,
    pub lease_ms: Millis,
    pub permit: SlotPermit,
    /// Starts the job. Called when the row is durable.
    pub begin: Box<dyn FnOnce(Claimed) + Send + Sync>,
}

/// The slots of one worker.
pub trait WorkerSlots: Send + Sync {
    /// Reserves a free slot. `None` if other jobs are waiting for it or the worker is stopping.
    fn reserve(&self) -> Option<ReservedSlot>;
}

/// Workers of this process by job kind.
#[derive(Default)]
pub(super) struct LocalWorkers(Mutex<HashMap<JobKind, Vec<Arc<dyn WorkerSlots>>>>);

impl LocalWorkers {
    pub(super) fn offer_slots(self: &Arc<Self>, kind: JobKind, worker: Arc<dyn WorkerSlots>) -> SlotOffer {
        self.lock().entry(kind).or_default().push(Arc::clone(&worker));
        SlotOffer { workers: Arc::clone(self), kind, worker }
    }

    pub(super) fn reserve(&self, kind: JobKind) -> Option<ReservedSlot> {
        self.lock().get(&kind)?.iter().find_map(|worker| worker.reserve())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<JobKind, Vec<Arc<dyn WorkerSlots>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Registration of a worker's offer of slots. Dropping it withdraws the offer.
pub struct SlotOffer {
    workers: Arc<LocalWorkers>,
    kind: JobKind,
    worker: Arc<dyn WorkerSlots>,
}

impl Drop for SlotOffer {
    fn drop(&mut self) {
        if let Some(workers) = self.workers.lock().get_mut(&self.kind) {
            workers.retain(|worker| !Arc::ptr_eq(worker, &self.worker));
        }
    }
}

impl fmt::Debug for ReservedSlot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Opening").field("worker", &self.worker).finish_non_exhaustive()
    }
}

impl fmt::Debug for SlotOffer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PlacesOffer").field("kind", &self.kind).finish_non_exhaustive()
    }
}
