//! The one place that knows Redis from memory: ids out, ids in, bounded depth, and a wake-up.
//!
//! A transport may lose or repeat ids: rows are the truth, and claiming decides who runs. Each kind has
//! one queue ordered by priority and due time, in which an id stands once; apalis' workers draw from it
//! through [`mod@source`].

mod memory;
mod redis;
mod source;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use domain::JobId;
use domain::Millis;
use domain::jobs::{DueJob, JobKind, Priority, Submitted};
use tokio::sync::watch;

pub(crate) use self::memory::Memory;
pub(crate) use self::redis::Redis;
pub(crate) use self::source::source;

/// The queue cannot be reached.
#[derive(Debug, thiserror::Error)]
#[error("the queue cannot be reached: {0}")]
pub(crate) struct Unavailable(#[from] pub(crate) ::redis::RedisError);

/// Carries ids of one process, or between processes.
pub(crate) enum Transport {
    /// Inside this process.
    Memory(Memory),
    /// Through Redis.
    Redis(Redis),
}

/// An id on its way, with its place in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct QueueItem {
    /// Lower is taken first: the priority's level in the high bits, the due time in the low ones.
    /// Stays below 2^53, so that Redis holds it exactly.
    score: i64,
    id: JobId,
}

/// Bits for the due time within a score: milliseconds up to the year 2109.
const TIME_BITS: u32 = 42;

impl QueueItem {
    pub(crate) fn new(id: JobId, priority: Priority, run_at: Millis) -> Self {
        let level = i64::from(Priority::Urgent.as_i16() - priority.as_i16());
        let time = run_at.clamp(0, (1 << TIME_BITS) - 1);
        Self { score: (level << TIME_BITS) | time, id }
    }

    fn level(self) -> i64 {
        self.score >> TIME_BITS
    }
}

impl From<DueJob> for QueueItem {
    fn from(due: DueJob) -> Self {
        Self::new(due.id, due.priority, due.run_at)
    }
}

impl From<&Submitted> for QueueItem {
    fn from(submitted: &Submitted) -> Self {
        Self::new(submitted.id, submitted.priority, submitted.run_at)
    }
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

    /// Takes the first id out of the queue of `kind`.
    pub(crate) async fn pop(&self, kind: JobKind) -> Result<Option<QueueItem>, Unavailable> {
        match self {
            Self::Memory(memory) => Ok(memory.pop(kind)),
            Self::Redis(redis) => redis.pop(kind).await,
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
    pub(crate) async fn announce(&self, message: &str) -> Result<(), Unavailable> {
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

/// One bell a kind; ringing it wakes whoever draws from that queue in this process. A ring between
/// looking and listening is not lost.
pub(crate) struct Bells(HashMap<JobKind, watch::Sender<u64>>);

impl Default for Bells {
    fn default() -> Self {
        Self(JobKind::ALL.iter().map(|kind| (*kind, watch::Sender::new(0))).collect())
    }
}

impl Bells {
    pub(crate) fn ring(&self, kind: JobKind) {
        if let Some(bell) = self.0.get(&kind) {
            bell.send_modify(|count| *count = count.wrapping_add(1));
        }
    }

    pub(crate) fn ring_all(&self) {
        for kind in JobKind::ALL {
            self.ring(*kind);
        }
    }

    fn listen(&self, kind: JobKind) -> watch::Receiver<u64> {
        self.0.get(&kind).map_or_else(|| watch::Sender::new(0).subscribe(), watch::Sender::subscribe)
    }
}
