//! What the job statements of one process have in common: the groups that they go in, and what is known of how much
//! waits.

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

/// Most members of one statement.
const MOST: usize = 256;
/// Most ends that are queued and not written yet. Beyond them a job keeps its worker's place.
const UNENDED: usize = 256;
/// After this a count is made anew.
const FRESH: Duration = Duration::from_millis(200);
/// So long a queue that was full counts as full: who asks again and again costs no count each time.
const STILL_FULL: Duration = Duration::from_millis(5);

/// A row to be written.
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
    /// Whether it begins as it is written, where there is a place.
    pub(super) may_begin: bool,
    /// The place.
    pub(super) opening: Option<Opening>,
}

/// What became of a row in its group.
#[derive(Debug)]
pub(super) enum Written {
    /// It is there.
    New,
    /// It is there, and runs here already.
    Begun,
    /// The group could not write it: the same work is under way, there may be no room, or something about this row
    /// is not as it should be. Its caller goes on alone and learns what.
    Not,
    /// The database is away.
    Failed(Error),
}

/// The end of a claim without an effect of its own.
#[derive(Clone, Debug)]
pub(super) struct End {
    pub(super) id: JobId,
    pub(super) fence: i64,
    pub(super) worker: String,
    pub(super) finished_at: Millis,
}

/// What became of an end in its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// It is written.
    Written,
    /// Another worker has the job now, or nobody.
    LeaseLost,
    /// The group could not be written, for this end's sake or another's.
    Not,
}

/// What a group carries: all of it goes in one statement.
#[derive(Debug)]
pub(super) enum Member {
    /// A new job.
    Submit(NewRow),
    /// The end of a job whose row goes.
    Goes(End),
    /// The end of a job whose row stays.
    Stays(End),
}

/// What became of a member.
#[derive(Debug)]
pub(super) enum Done {
    /// Of a new job.
    Submitted(Written),
    /// Of an end.
    Ended(Ended),
}

/// The batches of this process.
pub(super) fn of(domain: &Domain) -> Arc<Batches> {
    domain.shared(Batches::default)
}

/// The groups of one handle.
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

/// How many jobs of a kind waited when they were last counted, and how many were submitted here since. That is enough
/// to tell a queue with ample room from one that must be counted.
#[derive(Default)]
pub(super) struct WaitingCounts(Mutex<HashMap<JobKind, Counted>>);

struct Counted {
    waiting: u64,
    at: Instant,
}

impl WaitingCounts {
    /// Whether one more surely fits: less than half of `capacity` waits. It counts as submitted then.
    pub(super) fn has_ample_room(&self, kind: JobKind, capacity: u32) -> bool {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(counted) = counts.get_mut(&kind).filter(|counted| counted.at.elapsed() < FRESH) else {
            return false;
        };
        let has_room = counted.waiting < u64::from(capacity / 2);
        counted.waiting += u64::from(has_room);
        has_room
    }

    /// Whether there was no room a moment ago.
    pub(super) fn was_full(&self, kind: JobKind, capacity: u32) -> bool {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.get(&kind).is_some_and(|counted| {
            counted.waiting >= u64::from(capacity) && counted.at.elapsed() < STILL_FULL
        })
    }

    /// Takes note of a count that was just made.
    pub(super) fn counted(&self, kind: JobKind, waiting: u64) {
        let counted = Counted { waiting, at: Instant::now() };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(kind, counted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_has_ample_room_while_less_than_half_of_it_waits_by_a_count_just_made() {
        let (counts, kind) = (WaitingCounts::default(), JobKind::Extraction);
        let counted = |at: Instant| {
            counts.0.lock().unwrap().insert(kind, Counted { waiting: 3, at });
        };
        let fits = || counts.has_ample_room(kind, 10);
        assert!(!fits(), "nothing was counted yet");
        counts.counted(kind, 5);
        assert!(!fits(), "half of it waits");
        counted(Instant::now().checked_sub(FRESH).unwrap());
        assert!(!fits(), "that was too long ago");
        // However slow this machine is, that is not over yet.
        counted(Instant::now() + Duration::from_mins(1));
        assert_eq!([fits(), fits(), fits()], [true, true, false]);
        assert!(counts.was_full(kind, 5) && !counts.was_full(kind, 6));
        counted(Instant::now().checked_sub(STILL_FULL).unwrap());
        assert!(!counts.was_full(kind, 3), "somebody may have begun since");
    }
}
