//! Job rows: the source of truth for all submitted work.
//!
//! [`fn@submit`] inserts a job in the same transaction as the reason for it. A worker [`claim`]s the row,
//! renews its lease while it runs ([`renew_all`]), and completes it with [`complete_in`] in the transaction
//! that writes the effect. The fence guarantees that only the newest claim can do so. This module does not
//! use queues: the transports of the crate move ids, and [`due_batch`] recovers jobs that a queue has lost.

mod admin;
mod batch_executor;
mod batched;
mod batches;
mod caller_share;
mod capacity;
mod claim_id;
mod claimed;
mod completion_stats;
mod database_clock;
mod embedded;
mod failures;
mod fair_share;
mod insert;
mod job_batch;
mod job_row;
mod kind;
mod leader;
mod limits;
mod lost_workers;
mod next;
mod pauses;
mod progress;
mod run;
mod slot_permit;
mod sql;
mod statement;
mod submit;
mod sweep;
mod worker_slots;

#[cfg(test)]
mod tests;

pub use admin::{JobFilter, cancel, cancel_in, count_in_state, delete_finished, get, list, retry_manually};
pub use batched::{
    claim_all, complete, offer_slots, renew_all, resume_claims, still_in_transport, submit_batched,
};
pub use batches::Batches;
pub use claim_id::ClaimId;
pub use claimed::Claimed;
pub use completion_stats::{
    CompletionBucket, add_completions, delete_old_minutes, minute_of, recent_completions,
};
pub use database_clock::{database_now, database_time, due_now};
pub use entities::job::JobState;
pub use failures::AttemptFailure;
pub use job_row::JobRow;
pub use kind::{JobKind, KindRules, Priority};
pub use leader::{lead, resign};
pub use limits::{
    Candidates, HIGHEST_LIMIT, KindLimits, claim_within_limits, count_running, free_slots, limits, set_limits,
};
pub use lost_workers::{DeadJob, ExpiredLeases, expire_leases};
pub use next::{claim_next, resume_next};
pub use pauses::{KindPause, pause, paused, resume};
pub use progress::{Pending, Progress, WaitOutcome};
pub use progress::{no_result, timed_out};
pub use run::{
    CANCELLED, JobOutcome, LEASE_LOST, WORKER_LOST, claim, complete_in, fail_in, is_lease_lost,
    lock_claim_in, release, retry_in, snooze_in,
};
pub use run::{add_completion, complete_with_effect};
pub use slot_permit::SlotPermit;
pub use submit::{NewJob, Submitted, live_submission, submit, submit_all};
pub use submit::{live_count, live_keys, submit_with, withdraw, withdraw_ready};
#[cfg(any(test, feature = "testing"))]
pub use sweep::is_any_due_or_running;
pub use sweep::{
    DueJob, Survey, due_batch, lost_batch, oldest_due, revoke_leases, running, running_claims, survey,
    unmark_pushed, waiting,
};
pub use worker_slots::{ReservedSlot, SlotOffer, WorkerSlots};
