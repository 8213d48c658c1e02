//! Room for large bodies: few of them are in memory at once, whatever number of sources sends them.
//!
//! Most pages are small and never ask. A body that passes [`SMALL_BYTES`] goes on only when it has got one of a few
//! places, and keeps it until whoever fetched it has let go of the body. Without this, every fetch in flight could
//! hold a body as long as the cap.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::error::Error;
use crate::settings::Settings;

/// Bodies up to this size need no place.
pub(crate) const SMALL_BYTES: usize = 512 * 1024;
/// What a refused caller is told to wait.
const BUSY_RETRY: Duration = Duration::from_secs(5);

/// All places.
pub(crate) struct Room {
    places: Arc<Semaphore>,
    max_wait: Duration,
}

/// One place, given back when the last clone is dropped.
#[derive(Debug, Clone)]
pub struct Place {
    _permit: Arc<OwnedSemaphorePermit>,
}

impl Room {
    /// As many places as the settings say, and at least one.
    pub(crate) fn new(settings: &Settings) -> Self {
        let places = settings.large_bodies.clamp(1, Semaphore::MAX_PERMITS);
        Self { places: Arc::new(Semaphore::new(places)), max_wait: settings.max_wait }
    }

    /// A place, waiting for one as long as for a turn at a host.
    ///
    /// # Errors
    /// `Busy` when none becomes free in time.
    pub(crate) async fn enter(&self) -> Result<Place, Error> {
        let place = timeout(self.max_wait, Arc::clone(&self.places).acquire_owned()).await;
        match place {
            Ok(Ok(permit)) => Ok(Place { _permit: Arc::new(permit) }),
            Ok(Err(_)) | Err(_) => Err(Error::Busy { retry_after: BUSY_RETRY }),
        }
    }
}
