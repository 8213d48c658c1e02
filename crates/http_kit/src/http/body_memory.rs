//! The memory that large bodies of requests may take together in one process: whoever is allowed to send them could send
//! many at once.

use std::sync::Arc;

use poem::Request;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bodies up to here are small: what they take together is bounded by the number of connections.
const SMALL_BYTES: usize = 1024 * 1024;
/// What is counted in one piece, in bytes.
const PIECE_BYTES: usize = 1024;

/// What is left for large bodies. Clones share it.
#[derive(Clone, Debug)]
pub struct BodyMemory(Arc<Semaphore>);

/// The memory of one body, until this is dropped; none for a small one.
#[derive(Debug)]
pub struct Held {
    _permit: Option<OwnedSemaphorePermit>,
}

impl BodyMemory {
    /// Room for so many bytes.
    pub fn new(bytes: usize) -> Self {
        Self(Arc::new(Semaphore::new((bytes / PIECE_BYTES).min(Semaphore::MAX_PERMITS))))
    }

    /// The memory that the body of `request` may need, of which it is known that it has at most `most` bytes; none when
    /// others have it.
    pub fn hold(request: &Request, most: usize) -> Option<Held> {
        let length = request.header("content-length").and_then(|length| length.parse().ok());
        let bytes = length.unwrap_or(most).min(most);
        let Some(Self(left)) = request.data().filter(|_| bytes > SMALL_BYTES) else {
            return Some(Held { _permit: None });
        };
        let pieces = u32::try_from(bytes.div_ceil(PIECE_BYTES)).ok()?;
        let permit = Arc::clone(left).try_acquire_many_owned(pieces).ok()?;
        Some(Held { _permit: Some(permit) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: usize = 1024 * 1024;

    fn of(length: Option<usize>, memory: &BodyMemory) -> Option<Held> {
        let mut request = Request::builder().extension(memory.clone());
        if let Some(length) = length {
            request = request.header("content-length", length.to_string());
        }
        BodyMemory::hold(&request.finish(), 25 * MIB)
    }

    #[test]
    fn large_bodies_share_what_there_is_and_small_ones_need_none() {
        let memory = BodyMemory::new(40 * MIB);
        let first = of(Some(20 * MIB), &memory).unwrap();
        let unknown = of(None, &memory);
        assert!(unknown.is_none(), "one of unknown length may be as large as any");
        let second = of(Some(20 * MIB), &memory).unwrap();
        assert!(of(Some(2 * MIB), &memory).is_none());
        assert!(of(Some(MIB), &memory).is_some());
        drop(first);
        assert!(of(Some(20 * MIB), &memory).is_some());
        drop(second);
        assert!(of(None, &memory).is_some(), "what was held is given back");
    }
}
