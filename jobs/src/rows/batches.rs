//! Shared state of the job statements of one process: the batcher, and counts of waiting jobs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use entities::ids::JobId;
use tokio::sync::Semaphore;

use super::caller_share::CallerShares;
use super::kind::{JobKind, Priority};
use super::worker_slots::{LocalWorkers, ReservedSlot};
use kernel::batcher::Batcher;
use kernel::{Domain, Error, Millis};

/// Maximum number of items per statement.
const MAX_BATCH: usize = 256;
/// Maximum number of queued completions that are not committed yet. Beyond this number, a job occupies its
/// worker's slot until its completion is committed.
const MAX_PENDING_COMPLETIONS: usize = 256;
/// Time for which the count of a kind's waiting jobs is reused.
const COUNT_TTL: Duration = Duration::from_millis(200);
/// Time for which a full queue counts as full, so that repeated submits do not count the jobs each time.
const FULL_TTL: Duration = Duration::from_millis(5);

/// A job row to insert.
#[derive(Debug)]
pub(super) struct NewRow {
    pub(super) id: JobId,
    pub(super) kind: JobKind,
    pub(super) key: String,
    pub(super) payload: String,
    pub(super) priority: Priority,
    /// Due time; now if `None`.
    pub(super) run_at: Option<Millis>,
    /// True if the due time only orders jobs. The job may then start earlier on an idle worker.
    pub(super) in_turn: bool,
    pub(super) is_pushed: bool,
    pub(super) created_at: Millis,
    pub(super) request_id: Option<String>,
    /// True if the job may be inserted as running if a slot is free.
    pub(super) may_start: bool,
    /// Worker slot reserved for the job.
    pub(super) slot: Option<ReservedSlot>,
}

/// Result of inserting a row in a batch.
#[derive(Debug)]
pub(super) enum InsertResult {
    /// Inserted as ready.
    New,
    /// Inserted and already running in this process.
    Started,
    /// Not inserted: a live job has the same key, the queue may be full, or the row is invalid. The caller
    /// submits the job individually to get the error.
    NotInserted,
    /// The database is unavailable.
    Failed(Error),
}

/// Completion of a claim without an effect of its own.
#[derive(Clone, Debug)]
pub(super) struct CompletedClaim {
    pub(super) id: JobId,
    pub(super) fence: i64,
    pub(super) worker: String,
    pub(super) finished_at: Millis,
}

/// Result of a completion in a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CompletionResult {
    /// The completion is committed.
    Committed,
    /// Another worker has claimed the job, or the claim was released.
    LeaseLost,
    /// The batch failed, because of this completion or another.
    NotCommitted,
}

/// Item of a batch. All items are written with one statement.
#[derive(Debug)]
pub(super) enum JobBatchItem {
    /// A new job.
    Submit(NewRow),
    /// Completion of a job whose row is deleted.
    Delete(CompletedClaim),
    /// Completion of a job whose row is retained.
    Complete(CompletedClaim),
}

#[derive(Debug)]
pub(super) enum JobBatchItemResult {
    Submitted(InsertResult),
    Completed(CompletionResult),
}

/// Returns the batches of this process.
pub(super) fn of(domain: &Domain) -> Arc<Batches> {
    domain.shared(Batches::default)
}

/// Batcher and counts of one [`Domain`] handle.
pub struct Batches {
    pub(super) batcher: Batcher<JobBatchItem, JobBatchItemResult>,
    pub(super) pending_completions: Semaphore,
    pub(super) waiting: WaitingCounts,
    pub(super) caller_shares: CallerShares,
    pub(super) workers: Arc<LocalWorkers>,
}

impl Default for Batches {
    fn default() -> Self {
        Self {
            batcher: Batcher::new(MAX_BATCH),
            pending_completions: Semaphore::new(MAX_PENDING_COMPLETIONS),
            waiting: WaitingCounts::default(),
            caller_shares: CallerShares::default(),
            workers: Arc::default(),
        }
    }
}

/// Number of waiting jobs per kind at the last count, plus the jobs that this process submitted since then.
/// If a queue has ample capacity according to these numbers, its jobs are not counted again.
#[derive(Default)]
pub(super) struct WaitingCounts(Mutex<HashMap<JobKind, Counted>>);

struct Counted {
    waiting: u64,
    at: Instant,
}

impl WaitingCounts {
    /// Returns true if less than half of `capacity` is used, so that another job fits. The job is then added to the
    /// count.
    pub(super) fn has_ample_capacity(&self, kind: JobKind, capacity: u32) -> bool {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(record) = counts.get_mut(&kind).filter(|record| record.at.elapsed() < COUNT_TTL) else {
            return false;
        };
        let has_capacity = record.waiting < u64::from(capacity / 2);
        record.waiting += u64::from(has_capacity);
        has_capacity
    }

    /// Returns true if the queue was full a moment ago.
    pub(super) fn was_full(&self, kind: JobKind, capacity: u32) -> bool {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts
            .get(&kind)
            .is_some_and(|record| record.waiting >= u64::from(capacity) && record.at.elapsed() < FULL_TTL)
    }

    /// Records the result of a count.
    pub(super) fn counted(&self, kind: JobKind, waiting: u64) {
        let record = Counted { waiting, at: Instant::now() };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(kind, record);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queue_has_ample_capacity_if_a_recent_count_is_below_half() {
        let (counts, kind) = (WaitingCounts::default(), JobKind::Extraction);
        let record = |at: Instant| {
            counts.0.lock().unwrap().insert(kind, Counted { waiting: 3, at });
        };
        let fits = || counts.has_ample_capacity(kind, 10);
        assert!(!fits(), "nothing has been counted yet");
        counts.counted(kind, 5);
        assert!(!fits(), "half of the capacity is used");
        record(Instant::now().checked_sub(COUNT_TTL).unwrap());
        assert!(!fits(), "the count is too old");
        // The time is in the future, so that the count stays valid on a slow machine.
        record(Instant::now() + Duration::from_mins(1));
        assert_eq!([fits(), fits(), fits()], [true, true, false]);
        assert!(counts.was_full(kind, 5) && !counts.was_full(kind, 6));
        record(Instant::now().checked_sub(FULL_TTL).unwrap());
        assert!(!counts.was_full(kind, 3), "a job may have started since");
    }
}
