//! Free places of this process's workers. A job that is submitted where one is free, and before which nothing waits, is
//! written as running in it: no id travels, and no claim is asked for.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::claimed::Claimed;
use super::kind::JobKind;
use super::place::Place;
use kernel::clock::Millis;

/// A free place that was taken for one job. Dropped, it is free again.
pub struct Opening {
    /// Names the claim, and no other.
    pub worker: String,
    /// How long its lease is.
    pub lease_ms: Millis,
    /// The place.
    pub place: Place,
    /// Takes the job once its row is durable.
    pub begin: Box<dyn FnOnce(Claimed) + Send + Sync>,
}

/// The places of one worker.
pub trait Openings: Send + Sync {
    /// A place that is free now; none while other jobs wait for it, or once the worker stops.
    fn take(&self) -> Option<Opening>;
}

/// Workers of this process, by what they work on.
#[derive(Default)]
pub struct Workers(Mutex<HashMap<JobKind, Vec<Arc<dyn Openings>>>>);

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

/// A worker that offers its places, until this is dropped.
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
