//! Free slots of this process's workers. If a slot is free and no job is waiting for it, a submitted job is
//! inserted as running in that slot: its id is not transported and it is not claimed separately.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::claimed::Claimed;
use super::kind::JobKind;
use super::place::Place;
use kernel::clock::Millis;

/// A slot reserved for one job. Dropping it frees the slot.
pub struct Opening {
    /// Name of the claim; unique to it.
    pub worker: String,
    pub lease_ms: Millis,
    pub place: Place,
    /// Starts the job once its row is durable.
    pub begin: Box<dyn FnOnce(Claimed) + Send + Sync>,
}

/// The slots of one worker.
pub trait Openings: Send + Sync {
    /// Reserves a free slot. `None` if other jobs are waiting for it or the worker is stopping.
    fn take(&self) -> Option<Opening>;
}

/// Workers of this process by job kind.
#[derive(Default)]
pub(super) struct Workers(Mutex<HashMap<JobKind, Vec<Arc<dyn Openings>>>>);

impl Workers {
    pub(super) fn offer_places(self: &Arc<Self>, kind: JobKind, worker: Arc<dyn Openings>) -> PlacesOffer {
        self.lock().entry(kind).or_default().push(Arc::clone(&worker));
        PlacesOffer { workers: Arc::clone(self), kind, worker }
    }

    pub(super) fn opening(&self, kind: JobKind) -> Option<Opening> {
        self.lock().get(&kind)?.iter().find_map(|worker| worker.take())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<JobKind, Vec<Arc<dyn Openings>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Registration of a worker that offers its slots. Dropping it ends the offer.
pub struct PlacesOffer {
    workers: Arc<Workers>,
    kind: JobKind,
    worker: Arc<dyn Openings>,
}

impl Drop for PlacesOffer {
    fn drop(&mut self) {
        if let Some(workers) = self.workers.lock().get_mut(&self.kind) {
            workers.retain(|worker| !Arc::ptr_eq(worker, &self.worker));
        }
    }
}

impl fmt::Debug for Opening {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Opening").field("worker", &self.worker).finish_non_exhaustive()
    }
}

impl fmt::Debug for PlacesOffer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PlacesOffer").field("kind", &self.kind).finish_non_exhaustive()
    }
}
