//! The one place that knows Redis from memory and from the rows themselves: ids out, ids in, bounded depth, and a
//! wake-up.
//!
//! A transport may lose or repeat ids: rows are the truth, and claiming decides who runs. Each kind has
//! one queue ordered by priority and due time, in which an id stands once; apalis' workers draw from it
//! through [`Source`]. Where the queue is the rows no id travels: who draws claims at once ([`Drawing`]).

mod bells;
mod free_places;
mod hearing;
mod memory;
mod queue_item;
mod redis;
mod rows;
mod source;
mod unheard;

#[cfg(test)]
mod tests;

use std::time::Duration;

use crate::rows::JobKind;
use kernel::JobId;
use tokio::sync::watch;

use self::bells::{Bells, Pushes};
pub(crate) use self::free_places::Places;
pub(crate) use self::memory::Memory;
pub(crate) use self::queue_item::{Drawing, QueueItem, Unavailable};
pub(crate) use self::redis::Redis;
pub(crate) use self::rows::Rows;
pub(crate) use self::source::Source;
use crate::completion::JobEnd;

/// A wake-up that Redis lost costs no more than this.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// Carries ids of one process, or between processes.
pub(crate) enum Transport {
    /// Inside this process.
    Memory(Memory),
    /// Through Redis.
    Redis(Redis),
    /// Through the rows of a PostgreSQL database.
    Rows(Box<Rows>),
}

impl Transport {
    /// How jobs come out of it.
    pub(crate) fn drawing(&self) -> Drawing {
        match self {
            Self::Memory(_) | Self::Redis(_) => Drawing::Ids,
            Self::Rows(_) => Drawing::Rows,
        }
    }

    /// Puts ids into the queue of `kind`. Returns the ids that found no room: those of this call, or
    /// less urgent ones that had to leave for them.
    pub(crate) async fn push(&self, kind: JobKind, items: &[QueueItem]) -> Result<Vec<JobId>, Unavailable> {
        self.bells().count_push(kind);
        let refused = match self {
            Self::Memory(memory) => Ok(memory.push(kind, items)),
            Self::Redis(redis) => redis.push(kind, items).await,
            Self::Rows(rows) => {
                rows.push(kind);
                Ok(Vec::new())
            }
        };
        self.bells().count_push(kind);
        refused
    }

    /// Takes the first ids out of the queue of `kind`, at most so many; none when it is empty, and where jobs are drawn
    /// from rows.
    pub(crate) async fn pop(&self, kind: JobKind, most: usize) -> Result<Vec<QueueItem>, Unavailable> {
        match self {
            Self::Memory(memory) => Ok(memory.pop(kind, most)),
            Self::Redis(redis) => redis.pop(kind, most).await,
            Self::Rows(_) => Ok(Vec::new()),
        }
    }

    /// How many ids wait in the queue of `kind`.
    pub(crate) async fn depth(&self, kind: JobKind) -> Result<u64, Unavailable> {
        match self {
            Self::Memory(memory) => Ok(memory.depth(kind)),
            Self::Redis(redis) => redis.depth(kind).await,
            Self::Rows(rows) => rows.depth(kind).await,
        }
    }

    /// Tells the other processes of an end. In memory there are none.
    pub(crate) async fn announce(&self, end: &JobEnd) -> Result<(), Unavailable> {
        match self {
            Self::Memory(_) => Ok(()),
            Self::Redis(redis) => redis.announce(end).await,
            Self::Rows(rows) => rows.announce(end).await,
        }
    }

    /// The same of a job that somebody ended by hand: its worker must hear of it too.
    pub(crate) async fn announce_cancelled(&self, end: &JobEnd) -> Result<(), Unavailable> {
        match self {
            Self::Memory(_) => Ok(()),
            Self::Redis(redis) => redis.announce_cancelled(end).await,
            Self::Rows(rows) => rows.announce_cancelled(end).await,
        }
    }

    /// Has this process hear of ends, before somebody waits for one.
    pub(crate) async fn hear_ends(&self) {
        match self {
            Self::Memory(_) => {}
            Self::Redis(redis) => redis.hear_ends().await,
            Self::Rows(rows) => rows.hear_ends().await,
        }
    }

    /// Answers when the queue does.
    pub(crate) async fn ping(&self) -> Result<(), Unavailable> {
        match self {
            Self::Memory(_) => Ok(()),
            Self::Redis(redis) => redis.depth(JobKind::Extraction).await.map(|_| ()),
            Self::Rows(rows) => rows.ping().await,
        }
    }

    /// How often who draws looks without being woken.
    pub(crate) fn poll_interval(&self) -> Duration {
        match self {
            Self::Memory(_) | Self::Redis(_) => POLL_INTERVAL,
            Self::Rows(rows) => rows.poll_interval(),
        }
    }

    /// Changes whenever something was put into the queue of `kind`.
    pub(crate) fn wake(&self, kind: JobKind) -> watch::Receiver<u64> {
        self.bells().listen(kind)
    }

    /// How often something was pushed into the queue of `kind`.
    fn pushes(&self, kind: JobKind) -> Pushes {
        self.bells().pushes(kind)
    }

    fn bells(&self) -> &Bells {
        match self {
            Self::Memory(memory) => &memory.bells,
            Self::Redis(redis) => &redis.bells,
            Self::Rows(rows) => &rows.bells,
        }
    }
}
