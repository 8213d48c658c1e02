//! What travels: ids with their place in the queue; how they come out of it; and the fault that nothing does.

use std::sync::Arc;

use crate::rows::{DueJob, Priority, Submitted};
use kernel::{JobId, Millis};

/// The queue cannot be reached.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the queue cannot be reached: {0}")]
pub(crate) struct Unavailable(Arc<dyn std::error::Error + Send + Sync>);

impl Unavailable {
    /// For this reason.
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

/// How jobs come out of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drawing {
    /// Ids are taken out, and claimed after.
    Ids,
    /// The rows are claimed as they stand.
    Rows,
}

/// An id on its way, with its place in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct QueueItem {
    /// Lower is taken first: the priority's level in the high bits, the due time in the low ones.
    /// Stays below 2^53, so that Redis holds it exactly.
    pub(super) score: i64,
    pub(super) id: JobId,
}

/// Bits for the due time within a score: milliseconds up to the year 2109.
const TIME_BITS: u32 = 42;

impl QueueItem {
    pub(crate) fn new(id: JobId, priority: Priority, run_at: Millis) -> Self {
        let level = i64::from(Priority::Urgent.as_i16() - priority.as_i16());
        let time = run_at.clamp(0, (1 << TIME_BITS) - 1);
        Self { score: (level << TIME_BITS) | time, id }
    }

    /// The job.
    pub(crate) fn id(self) -> JobId {
        self.id
    }

    /// The level of its priority, 0 for the most urgent.
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
