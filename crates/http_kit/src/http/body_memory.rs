//! Memory budget of a process for large request bodies. Without it, a client that may send large bodies could
//! send many at the same time and exhaust the memory.

use std::sync::Arc;

use poem::Request;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bodies up to this size are not counted: their total is bounded by the number of connections.
const SMALL_BYTES: usize = 1024 * 1024;
/// Size of one semaphore permit, in bytes.
const PERMIT_BYTES: usize = 1024;

/// Memory budget for large bodies. Clones share it.
#[derive(Clone, Debug)]
pub struct BodyMemory(Arc<Semaphore>);

/// Reserved memory of one body, released on drop. Small bodies reserve nothing.
#[derive(Debug)]
pub struct BodyPermit {
    _permit: Option<OwnedSemaphorePermit>,
}

impl BodyMemory {
    /// Budget of `bytes`.
    pub fn new(bytes: usize) -> Self {
        Self(Arc::new(Semaphore::new((bytes / PERMIT_BYTES).min(Semaphore::MAX_PERMITS))))
    }

    /// Reserves memory for the body of `request`, which has at most `most` bytes. `None` if the budget is
    /// used up.
    pub fn reserve(request: &Request, most: usize) -> Option<BodyPermit> {
        let length = request.header("content-length").and_then(|length| length.parse().ok());
        let bytes = length.unwrap_or(most).min(most);
        let Some(Self(left)) = request.data().filter(|_| bytes > SMALL_BYTES) else {
            return Some(BodyPermit { _permit: None });
        };
        let pieces = u32::try_from(bytes.div_ceil(PERMIT_BYTES)).ok()?;
        let permit = Arc::clone(left).try_acquire_many_owned(pieces).ok()?;
        Some(BodyPermit { _permit: Some(permit) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: usize = 1024 * 1024;

    fn reserve_for(length: Option<usize>, memory: &BodyMemory) -> Option<BodyPermit> {
        let mut request = Request::builder().extension(memory.clone());
        if let Some(length) = length {
            request = request.header("content-length", length.to_string());
        }
        BodyMemory::reserve(&request.finish(), 25 * MIB)
    }

    #[test]
    fn large_bodies_share_budget_and_small_ones_are_not_counted() {
        let memory = BodyMemory::new(40 * MIB);
        let first = reserve_for(Some(20 * MIB), &memory).unwrap();
        let unknown = reserve_for(None, &memory);
        assert!(unknown.is_none(), "a body of unknown length reserves the maximum");
        let second = reserve_for(Some(20 * MIB), &memory).unwrap();
        assert!(reserve_for(Some(2 * MIB), &memory).is_none());
        assert!(reserve_for(Some(MIB), &memory).is_some());
        drop(first);
        assert!(reserve_for(Some(20 * MIB), &memory).is_some());
        drop(second);
        assert!(reserve_for(None, &memory).is_some(), "dropped permits are released");
    }
}
