//! The one place that knows Redis from memory: ids out, ids in, bounded depth, and a wake-up.
//!
//! A transport may lose or repeat ids: rows are the truth, and claiming decides who runs. Each kind has
//! one queue ordered by priority and due time, in which an id stands once; apalis' workers draw from it
//! through [`Source`].

mod bells;
mod memory;
mod queue_item;
mod redis;
mod source;

#[cfg(test)]
mod tests;

use domain::JobId;
use domain::jobs::JobKind;
use tokio::sync::watch;

pub(crate) use self::memory::Memory;
pub(crate) use self::queue_item::{QueueItem, Unavailable};
pub(crate) use self::redis::Redis;
pub(crate) use self::source::{Places, Source};

/// Carries ids of one process, or between processes.
pub(crate) enum Transport {
    /// Inside this process.
    Memory(Memory),
    /// Through Redis.
    Redis(Redis),
}

impl Transport {
    /// Puts ids into the queue of `kind`. Returns the ids that found no room: those of this call, or
    /// less urgent ones that had to leave for them.
    pub(crate) async fn push(&self, kind: JobKind, items: &[QueueItem]) -> Result<Vec<JobId>, Unavailable> {
        match self {
            Self::Memory(memory) => Ok(memory.push(kind, items)),
            Self::Redis(redis) => redis.push(kind, items).await,
        }
    }

    /// Takes the first ids out of the queue of `kind`, at most so many; none when it is empty.
    pub(crate) async fn pop(&self, kind: JobKind, most: usize) -> Result<Vec<QueueItem>, Unavailable> {
        match self {
            Self::Memory(memory) => Ok(memory.pop(kind, most)),
            Self::Redis(redis) => redis.pop(kind, most).await,
        }
    }

    /// How many ids wait in the queue of `kind`.
    pub(crate) async fn depth(&self, kind: JobKind) -> Result<u64, Unavailable> {
        match self {
            Self::Memory(memory) => Ok(memory.depth(kind)),
            Self::Redis(redis) => redis.depth(kind).await,
        }
    }

    /// Tells the other processes of an end. In memory there are none.
    pub(crate) async fn announce(&self, message: String) -> Result<(), Unavailable> {
        match self {
            Self::Memory(_) => Ok(()),
            Self::Redis(redis) => redis.announce(message).await,
        }
    }

    /// Changes whenever something was put into the queue of `kind`.
    pub(crate) fn wake(&self, kind: JobKind) -> watch::Receiver<u64> {
        match self {
            Self::Memory(memory) => memory.bells.listen(kind),
            Self::Redis(redis) => redis.bells.listen(kind),
        }
    }
}
