//! Memory for large bodies: bounds the number of bodies that are in memory at the same time, across all
//! sources.
//!
//! Most pages are small and need no permit. A body larger than [`SMALL_BYTES`] continues only with one of a
//! few permits and holds it until the fetched body is dropped. Without this bound, every fetch in flight
//! could hold a body as large as the cap. Callers get permits in rotation, and the last permit goes only to
//! an interactive request of a caller without a permit.

use std::sync::Arc;
use std::time::Duration;

use permits::{FairPermit, FairSemaphore, Pace};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use crate::error::Error;
use crate::settings::FetcherSettings;

/// Bodies up to this size need no permit.
pub(crate) const SMALL_BYTES: usize = 512 * 1024;
/// Memory for the decompression windows of all streams, in mebibytes. A few bytes can request a window of 16
/// MiB, so without a bound every fetch in flight could use that much.
const WINDOWS_MIB: usize = 256;
/// `retry_after` of a refused caller.
const BUSY_RETRY: Duration = Duration::from_secs(5);

pub(crate) struct LargeBodyMemory {
    permits: Arc<FairSemaphore>,
    windows: Arc<Semaphore>,
    max_wait: Duration,
}

/// Share of the memory for large bodies that one request uses.
#[derive(Clone, Copy)]
pub(crate) struct BodyShare<'a> {
    pub(crate) memory: &'a LargeBodyMemory,
    pub(crate) pace: Pace,
    /// Caller of the request: an account or a network. Requests without a caller are counted in the share of
    /// their site.
    pub(crate) caller: &'a str,
    /// Time at which the request must end.
    pub(crate) deadline: Instant,
}

/// Permit for one large body. Released when the last clone is dropped.
#[derive(Debug, Clone)]
pub struct LargeBodyPermit {
    _permit: Arc<FairPermit>,
}

/// Permit for the decompression window of one stream. Released on drop.
pub(crate) struct WindowPermit {
    _permit: OwnedSemaphorePermit,
}

impl LargeBodyMemory {
    /// Creates as many permits as configured, at least one.
    pub(crate) fn new(settings: &FetcherSettings) -> Self {
        Self {
            permits: FairSemaphore::reserving_one(settings.large_bodies),
            windows: Arc::new(Semaphore::new(WINDOWS_MIB)),
            max_wait: settings.max_wait,
        }
    }
}

impl BodyShare<'_> {
    /// Waits for a permit.
    ///
    /// # Errors
    /// `Busy` if no permit becomes free in time.
    pub(crate) async fn acquire(&self) -> Result<LargeBodyPermit, Error> {
        let permit = self.memory.permits.acquire(self.pace, self.caller);
        match timeout(self.max_wait(), permit).await {
            Ok(Some(permit)) => Ok(LargeBodyPermit { _permit: Arc::new(permit) }),
            Ok(None) | Err(_) => Err(Error::Busy { retry_after: BUSY_RETRY }),
        }
    }

    /// Reserves memory for a decompression window of `size_mib` MiB. `None` if the size is 0.
    ///
    /// # Errors
    /// `Busy` if the memory does not become free in time.
    pub(crate) async fn window(&self, size_mib: u32) -> Result<Option<WindowPermit>, Error> {
        if size_mib == 0 {
            return Ok(None);
        }
        let window = Arc::clone(&self.memory.windows).acquire_many_owned(size_mib);
        match timeout(self.max_wait(), window).await {
            Ok(Ok(permit)) => Ok(Some(WindowPermit { _permit: permit })),
            Ok(Err(_)) | Err(_) => Err(Error::Busy { retry_after: BUSY_RETRY }),
        }
    }

    /// Maximum wait for memory. It is shorter than the time until the deadline, so that the error is not a timeout, for
    /// which the source would be blamed.
    fn max_wait(&self) -> Duration {
        let left = self.deadline.saturating_duration_since(Instant::now());
        self.memory.max_wait.min(left / 4 * 3)
    }
}
