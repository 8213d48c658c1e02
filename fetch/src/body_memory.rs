//! Memory for large bodies: few of them are in memory at once, whatever number of sources sends them.
//!
//! Most pages are small and never ask. A body that passes [`SMALL_BYTES`] goes on only under one of a few
//! permits, and keeps it until whoever fetched it has let go of the body. Without this, every fetch in flight could
//! hold a body as long as the cap.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::error::Error;
use crate::settings::Settings;

/// Bodies up to this size need no permit.
pub(crate) const SMALL_BYTES: usize = 512 * 1024;
/// Mebibytes in which all streams together look back while their compression is undone. Few bytes can ask for 16
/// of them, so that without a bound every fetch in flight could hold that much.
const WINDOWS_MIB: usize = 256;
/// What a refused caller is told to wait.
const BUSY_RETRY: Duration = Duration::from_secs(5);

/// All permits.
pub(crate) struct BodyMemory {
    permits: Arc<Semaphore>,
    windows: Arc<Semaphore>,
    max_wait: Duration,
}

/// One permit, given back when the last clone is dropped.
#[derive(Debug, Clone)]
pub struct Permit {
    _permit: Arc<OwnedSemaphorePermit>,
}

/// The memory in which one stream looks back; given back when dropped.
pub(crate) struct WindowPermit {
    _permit: OwnedSemaphorePermit,
}

impl BodyMemory {
    /// As many permits as the settings say, and at least one.
    pub(crate) fn new(settings: &Settings) -> Self {
        let permits = settings.large_bodies.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            permits: Arc::new(Semaphore::new(permits)),
            windows: Arc::new(Semaphore::new(WINDOWS_MIB)),
            max_wait: settings.max_wait,
        }
    }

    /// A permit, waiting for one as long as for a host's.
    ///
    /// # Errors
    /// `Busy` when none becomes free in time.
    pub(crate) async fn acquire(&self) -> Result<Permit, Error> {
        let permit = timeout(self.max_wait, Arc::clone(&self.permits).acquire_owned()).await;
        match permit {
            Ok(Ok(permit)) => Ok(Permit { _permit: Arc::new(permit) }),
            Ok(Err(_)) | Err(_) => Err(Error::Busy { retry_after: BUSY_RETRY }),
        }
    }

    /// So many mebibytes to look back in, or nothing when none are needed.
    ///
    /// # Errors
    /// `Busy` when so many do not become free in time.
    pub(crate) async fn window(&self, size_mib: u32) -> Result<Option<WindowPermit>, Error> {
        if size_mib == 0 {
            return Ok(None);
        }
        match timeout(self.max_wait, Arc::clone(&self.windows).acquire_many_owned(size_mib)).await {
            Ok(Ok(permit)) => Ok(Some(WindowPermit { _permit: permit })),
            Ok(Err(_)) | Err(_) => Err(Error::Busy { retry_after: BUSY_RETRY }),
        }
    }
}
