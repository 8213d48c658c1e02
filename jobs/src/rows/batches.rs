//! Shared state of the job statements of one process: the batcher, and counts of waiting jobs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use entities::ids::JobId;
use tokio::sync::Semaphore;

use super::kind::{JobKind, Priority};
use super::openings::{Opening, Workers};
use kernel::batcher::Groups;
use kernel::clock::Millis;
use kernel::error::Error;
use kernel::handle::Domain;

/// Maximum number of items per statement.
const MOST: usize = 256;
/// Maximum number of queued completions that are not committed yet. Beyond it a job keeps its worker's slot.
const UNENDED: usize = 256;
/// Time after which a count is renewed.
const FRESH: Duration = Duration::from_millis(200);
/// Time for which a full queue counts as full, so that repeated submits do not cause a count each.
const STILL_FULL: Duration = Duration::from_millis(5);

/// A job row to insert.
#[derive(Debug)]
pub(super) struct NewRow {
    pub(super) id: JobId,
    pub(super) kind: JobKind,
    pub(super) key: String,
    pub(super) payload: String,
    pub(super) priority: Priority,
    pub(super) run_at: Option<Millis>,
    pub(super) is_pushed: bool,
    pub(super) created_at: Millis,
    pub(super) request_id: Option<String>,
    /// Whether the job may be inserted as running if a slot is free.
    pub(super) may_begin: bool,
    /// Worker slot reserved for the job.
    pub(super) opening: Option<Opening>,
}

/// Result of inserting a row in a batch.
#[derive(Debug)]
pub(super) enum Written {
    /// Inserted as ready.
    New,
    /// Inserted and already running in this process.
    Begun,
    /// Not inserted: the same work is live, there may be no capacity, or the row is invalid. The caller
    /// submits the job on its own to get the error.
    Not,
    /// The database is unavailable.
    Failed(Error),
}

/// Completion of a claim without an effect of its own.
#[derive(Clone, Debug)]
pub(super) struct End {
    pub(super) id: JobId,
    pub(super) fence: i64,
    pub(super) worker: String,
    pub(super) finished_at: Millis,
}

/// Result of a completion in a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// The completion is committed.
    Written,
    /// Another worker has claimed the job, or the claim was released.
    LeaseLost,
    /// The batch failed, because of this completion or another.
    Not,
}

/// Item of a batch; all items are written in one statement.
#[derive(Debug)]
pub(super) enum Member {
    /// A new job.
    Submit(NewRow),
    /// Completion of a job whose row is deleted.
    Goes(End),
    /// Completion of a job whose row is retained.
    Stays(End),
}

/// Result of an item.
#[derive(Debug)]
pub(super) enum Done {
    Submitted(Written),
    Ended(Ended),
}

/// The batches of this process.
pub(super) fn of(domain: &Domain) -> Arc<Batches> {
    domain.shared(Batches::default)
}

/// Batches of one handle.
pub struct Batches {
    pub(super) rounds: Groups<Member, Done>,
    pub(super) unended: Semaphore,
    pub(super) waiting: WaitingCounts,
    pub(super) workers: Arc<Workers>,
}

impl Default for Batches {
    fn default() -> Self {
        Self {
            rounds: Groups::of_at_most(MOST),
            unended: Semaphore::new(UNENDED),
            waiting: WaitingCounts::default(),
            workers: Arc::default(),
        }
    }
}

/// Number of waiting jobs per kind at the last count, plus those submitted by this process since. Shows
/// whether a queue has ample capacity or must be counted.
#[derive(Default)]
pub(super) struct WaitingCounts(Mutex<HashMap<JobKind, Counted>>);

struct Counted {
    waiting: u64,
    at: Instant,
}

impl WaitingCounts {
    /// Whether another job certainly fits, because less than half of `capacity` is used. If so, the job is
    /// added to the count.
    pub(super) fn has_ample_room(&self, kind: JobKind, capacity: u32) -> bool {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(counted) = counts.get_mut(&kind).filter(|counted| counted.at.elapsed() < FRESH) else {
            return false;
        };
        let has_room = counted.waiting < u64::from(capacity / 2);
        counted.waiting += u64::from(has_room);
        has_room
    }

    /// Whether the queue was full a moment ago.
    pub(super) fn was_full(&self, kind: JobKind, capacity: u32) -> bool {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.get(&kind).is_some_and(|counted| {
            counted.waiting >= u64::from(capacity) && counted.at.elapsed() < STILL_FULL
        })
    }

    /// Records a new count.
    pub(super) fn counted(&self, kind: JobKind, waiting: u64) {
        let counted = Counted { waiting, at: Instant::now() };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(kind, counted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queue_has_ample_capacity_if_a_recent_count_is_below_half() {
        let (counts, kind) = (WaitingCounts::default(), JobKind::Extraction);
        let counted = |at: Instant| {
            counts.0.lock().unwrap().insert(kind, Counted { waiting: 3, at });
        };
        let fits = || counts.has_ample_room(kind, 10);
        assert!(!fits(), "there is no count yet");
        counts.counted(kind, 5);
        assert!(!fits(), "half of the capacity is used");
        counted(Instant::now().checked_sub(FRESH).unwrap());
        assert!(!fits(), "the count is too old");
        // In the future, so that the count stays valid on a slow machine.
        counted(Instant::now() + Duration::from_mins(1));
        assert_eq!([fits(), fits(), fits()], [true, true, false]);
        assert!(counts.was_full(kind, 5) && !counts.was_full(kind, 6));
        counted(Instant::now().checked_sub(STILL_FULL).unwrap());
        assert!(!counts.was_full(kind, 3), "a job may have started since");
    }
}
