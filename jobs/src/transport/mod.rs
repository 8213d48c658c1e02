//! Transport of job ids: push, pop, bounded depth, and wake-ups, through memory, Redis, or the rows
//! themselves.
//!
//! A transport may lose or repeat ids: rows are the source of truth, and the claim decides which worker runs
//! a job. Each kind has one queue ordered by priority and due time, in which an id is unique. If the rows are
//! the queue, no ids are transported: workers claim the rows directly ([`Dequeue`]).

mod memory;
mod no_subscriber_cache;
mod queue_item;
mod redis;
mod rows;
mod subscriptions;
mod wakeups;

#[cfg(test)]
mod tests;

use std::time::Duration;

use crate::rows::JobKind;
use kernel::JobId;
use tokio::sync::watch;

pub(crate) use self::memory::MemoryTransport;
pub(crate) use self::queue_item::{Dequeue, QueueItem, Unavailable};
pub(crate) use self::redis::Redis;
pub(crate) use self::rows::RowTransport;
pub(crate) use self::wakeups::{PushCount, Wakeups};
use crate::completion::JobCompletion;

/// Maximum delay caused by a lost wake-up of Redis.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// Carries ids within one process or between processes.
pub(crate) enum Transport {
    /// Queues in the memory of this process.
    Memory(MemoryTransport),
    /// Queues in Redis.
    Redis(Redis),
    /// Queues in the rows of a PostgreSQL database.
    Rows(Box<RowTransport>),
}

impl Transport {
    /// Returns the method by which workers take jobs from the queue.
    pub(crate) fn dequeue(&self) -> Dequeue {
        match self {
            Self::Memory(_) | Self::Redis(_) => Dequeue::Ids,
            Self::Rows(_) => Dequeue::Rows,
        }
    }

    /// Pushes ids into the queue of `kind`. Returns the ids for which there was no capacity: ids of this
    /// call, or less urgent ids that were evicted.
    pub(crate) async fn push(&self, kind: JobKind, items: &[QueueItem]) -> Result<Vec<JobId>, Unavailable> {
        self.wakeups().count_push(kind);
        let result = match self {
            Self::Memory(memory) => Ok(memory.push(kind, items)),
            Self::Redis(redis) => redis.push(kind, items).await,
            Self::Rows(rows) => {
                rows.push(kind);
                Ok(Vec::new())
            }
        };
        self.wakeups().count_push(kind);
        result
    }

    /// Pops the first ids of the queue of `kind`, at most `most`. Always returns an empty list if workers
    /// claim the rows.
    pub(crate) async fn pop(&self, kind: JobKind, most: usize) -> Result<Vec<QueueItem>, Unavailable> {
        match self {
            Self::Memory(memory) => Ok(memory.pop(kind, most)),
            Self::Redis(redis) => redis.pop(kind, most).await,
            Self::Rows(_) => Ok(Vec::new()),
        }
    }

    /// Returns the number of ids in the queue of `kind`.
    pub(crate) async fn depth(&self, kind: JobKind) -> Result<u64, Unavailable> {
        match self {
            Self::Memory(memory) => Ok(memory.depth(kind)),
            Self::Redis(redis) => redis.depth(kind).await,
            Self::Rows(rows) => rows.depth(kind).await,
        }
    }

    /// Publishes a completion to other processes. Does nothing in memory.
    pub(crate) async fn announce(&self, end: &JobCompletion) -> Result<(), Unavailable> {
        match self {
            Self::Memory(_) => Ok(()),
            Self::Redis(redis) => redis.announce(end).await,
            Self::Rows(rows) => rows.announce(end).await,
        }
    }

    /// Publishes a cancellation to other processes, including the worker that runs the job.
    pub(crate) async fn announce_cancelled(&self, end: &JobCompletion) -> Result<(), Unavailable> {
        match self {
            Self::Memory(_) => Ok(()),
            Self::Redis(redis) => redis.announce_cancelled(end).await,
            Self::Rows(rows) => rows.announce_cancelled(end).await,
        }
    }

    /// Subscribes this process to completions, before a caller waits for one.
    pub(crate) async fn subscribe_completions(&self) {
        match self {
            Self::Memory(_) => {}
            Self::Redis(redis) => redis.subscribe_completions().await,
            Self::Rows(rows) => rows.subscribe_completions().await,
        }
    }

    /// Checks that the queue responds.
    pub(crate) async fn ping(&self) -> Result<(), Unavailable> {
        match self {
            Self::Memory(_) => Ok(()),
            Self::Redis(redis) => redis.depth(JobKind::Extraction).await.map(|_| ()),
            Self::Rows(rows) => rows.ping().await,
        }
    }

    /// Returns the interval at which workers check the queue without a wake-up.
    pub(crate) fn poll_interval(&self) -> Duration {
        match self {
            Self::Memory(_) | Self::Redis(_) => POLL_INTERVAL,
            Self::Rows(rows) => rows.poll_interval(),
        }
    }

    /// Returns a receiver that changes when ids are pushed into the queue of `kind`.
    pub(crate) fn wakeup(&self, kind: JobKind) -> watch::Receiver<u64> {
        self.wakeups().subscribe(kind)
    }

    /// Returns the push counter of the queue of `kind`.
    pub(crate) fn push_count(&self, kind: JobKind) -> PushCount {
        self.wakeups().pushes(kind)
    }

    fn wakeups(&self) -> &Wakeups {
        match self {
            Self::Memory(memory) => &memory.wakeups,
            Self::Redis(redis) => &redis.wakeups,
            Self::Rows(rows) => &rows.wakeups,
        }
    }
}
