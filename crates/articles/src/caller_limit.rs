//! Limits the number of extractions that a worker runs concurrently for one caller, so that slow pages of one
//! caller never occupy all slots of the worker.

use std::time::Duration;

use jobs::{Claimed, JobKind};
use permits::KeyedSemaphore;
use serde::{Deserialize, Serialize};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

/// Maximum time to wait for a permit. Without this bound, an extraction could wait until it exceeds its run
/// limit and is counted as failed.
const MAX_WAIT: Duration = Duration::from_mins(2);

/// Payload of the jobs that extract or render a page.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CallerArguments {
    /// Account or network for which the job runs. `None` if the job has no caller.
    pub(crate) caller: Option<String>,
    /// True if cookie notices of a rendered page are dismissed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) dismiss_cookie_notices: bool,
}

/// Running extractions per caller. Clones share the counts.
#[derive(Clone, Debug)]
pub struct CallerLimit(KeyedSemaphore);

impl CallerLimit {
    /// Creates a limit of `max_concurrent` concurrent extractions per caller.
    pub fn new(max_concurrent: usize) -> Self {
        Self(KeyedSemaphore::new(max_concurrent))
    }

    /// Creates a limit for jobs of a kind that uses a browser. As in the renderer, one caller may use all
    /// slots but one.
    pub fn of_browser(kind: JobKind) -> Self {
        Self::new(kind.rules().concurrency.saturating_sub(1))
    }

    /// Waits for a permit of the caller. Returns `None` after two minutes or if the job has no caller; the extraction
    /// then runs without a permit. While the job waits, its worker slot is released for jobs of other callers.
    pub async fn acquire(&self, claimed: &Claimed, caller: Option<&str>) -> Option<OwnedSemaphorePermit> {
        let caller = caller?;
        if let Some(permit) = self.0.try_acquire(caller) {
            return Some(permit);
        }
        claimed.slot.release();
        timeout(MAX_WAIT, self.0.acquire(caller)).await.ok()?
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::Arc;

    use futures_util::poll;
    use jobs::{Priority, SlotPermit};
    use kernel::JobId;
    use tokio::sync::Semaphore;
    use tokio::time::Instant;

    use super::*;

    fn claimed(slots: &Arc<Semaphore>) -> Claimed {
        Claimed {
            id: JobId::from_u128(1),
            kind: JobKind::Extraction,
            key: "key".to_owned(),
            payload: "{}".to_owned(),
            priority: Priority::Urgent,
            attempt: 1,
            lost_starts: 0,
            fence: 1,
            worker: "worker".to_owned(),
            run_at: 0,
            created_at: 0,
            request_id: None,
            slot: SlotPermit::new(slots.clone().try_acquire_owned().unwrap()),
        }
    }

    #[tokio::test]
    async fn extraction_beyond_the_limit_waits_without_a_slot() {
        let (limit, slots) = (CallerLimit::new(2), Arc::new(Semaphore::new(4)));
        let running: Vec<_> = (0..2).map(|_| claimed(&slots)).collect();
        let mut permits = Vec::new();
        for job in &running {
            permits.push(limit.acquire(job, Some("busy")).await);
        }
        let (further, other) = (claimed(&slots), claimed(&slots));
        let mut waiting = pin!(limit.acquire(&further, Some("busy")));
        assert!(poll!(&mut waiting).is_pending());
        assert_eq!(slots.available_permits(), 1, "the waiting job has released its slot");
        assert!(limit.acquire(&other, Some("other")).await.is_some());
        assert_eq!(slots.available_permits(), 1, "a job of another caller runs in its slot");
        permits.pop();
        assert!(waiting.await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn extraction_starts_without_a_permit_after_the_maximum_wait() {
        let (limit, slots) = (CallerLimit::new(1), Arc::new(Semaphore::new(2)));
        let _permit = limit.acquire(&claimed(&slots), Some("busy")).await;
        let begin = Instant::now();
        assert!(limit.acquire(&claimed(&slots), Some("busy")).await.is_none());
        let waited = begin.elapsed();
        for kind in [JobKind::Extraction, JobKind::Render, JobKind::MonitorRender] {
            let run_limit = Duration::from_millis(kind.rules().max_run_ms.unsigned_abs());
            assert!(waited * 2 < run_limit, "{kind}");
        }
    }
}
