//! Types that all transports use: queue items, the dequeue method, and the error of an unavailable queue.

use std::sync::Arc;

use crate::rows::{DueJob, Priority, Submitted};
use kernel::{JobId, Millis};

/// Error of an unavailable queue.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the queue is unavailable: {0}")]
pub(crate) struct Unavailable(Arc<dyn std::error::Error + Send + Sync>);

impl Unavailable {
    pub(super) fn new(reason: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self(Arc::new(reason))
    }
}

impl From<::redis::RedisError> for Unavailable {
    fn from(error: ::redis::RedisError) -> Self {
        Self::new(error)
    }
}

impl From<kernel::Error> for Unavailable {
    fn from(error: kernel::Error) -> Self {
        Self::new(error)
    }
}

/// Method by which workers take jobs from a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dequeue {
    /// Ids are popped and then claimed.
    Ids,
    /// Rows are claimed directly.
    Rows,
}

/// A job id with its position in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct QueueItem {
    /// Sort key, lowest first: priority level in the high bits, due time in the low bits. Below 2^53, so that
    /// Redis represents it exactly.
    pub(super) score: i64,
    pub(super) id: JobId,
}

/// Number of bits for the due time: milliseconds up to the year 2109.
const TIME_BITS: u32 = 42;

impl QueueItem {
    pub(crate) fn new(id: JobId, priority: Priority, run_at: Millis) -> Self {
        let level = i64::from(Priority::Urgent.as_i16() - priority.as_i16());
        let time = run_at.clamp(0, (1 << TIME_BITS) - 1);
        Self { score: (level << TIME_BITS) | time, id }
    }

    pub(crate) fn id(self) -> JobId {
        self.id
    }

    /// Returns the priority level, 0 for the most urgent.
    #[cfg(test)]
    pub(super) fn level(self) -> i64 {
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
