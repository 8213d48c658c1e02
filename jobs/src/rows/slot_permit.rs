//! Permit for the worker slot that a job occupies.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OwnedSemaphorePermit;

/// A job's permit for a worker slot. The slot is released when the job has ended, or as soon as its
/// completion is queued, so that the next job starts while the completion is being written. A job that runs
/// without a worker has an empty permit.
#[derive(Clone, Debug, Default)]
pub struct SlotPermit(Arc<Mutex<Option<OwnedSemaphorePermit>>>);

impl SlotPermit {
    pub fn new(permit: OwnedSemaphorePermit) -> Self {
        Self(Arc::new(Mutex::new(Some(permit))))
    }

    /// Releases the slot for the next job. Idempotent.
    pub fn release(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// All permits compare equal, because the slot is not part of a claim's identity.
impl PartialEq for SlotPermit {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for SlotPermit {}
