//! The place in a worker that a job takes up.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OwnedSemaphorePermit;

/// A worker's place for one job. It is free again when the job is over, or as soon as its end is queued: the next job
/// then starts while the end is being written. Whoever runs a job without a worker has none.
#[derive(Clone, Debug, Default)]
pub struct Place(Arc<Mutex<Option<OwnedSemaphorePermit>>>);

impl Place {
    /// The place that `permit` stands for.
    pub fn taken(permit: OwnedSemaphorePermit) -> Self {
        Self(Arc::new(Mutex::new(Some(permit))))
    }

    /// Gives the place to the next job. Nothing happens the second time.
    pub fn give_back(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// Where a job runs says nothing about which claim it is.
impl PartialEq for Place {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Place {}
