//! Source of a worker's jobs, a backend of apalis: an infinite stream of claimed jobs that never fails.
//!
//! Jobs are popped and claimed for as many slots as are free, with one command and one statement. No job is
//! popped without a slot. A slot is a permit of the worker's semaphore, which is attached to the job.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use crate::rows::{self, SlotOffer};
use apalis_core::backend::finalize::Ephemeral;
use apalis_core::backend::{Backend, BackendConfig};
use apalis_core::layers::Identity;
use apalis_core::task::Task;
use apalis_core::task::task_id::RandomId;
use apalis_core::worker::context::WorkerContext;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, stream};
use tokio::sync::{OwnedSemaphorePermit, mpsc, watch};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::free_slots::{FreeSlots, IdleState, SlotSemaphore};
use crate::claim::{ClaimGuard, Claimer};
use crate::scheduler;
use crate::transport::Dequeue;

/// Maximum pause between attempts while the queue is unavailable.
const MAX_PAUSE: Duration = Duration::from_secs(2);
/// If this many ids in a row were popped before the queue became empty, there was a backlog. The queue is
/// then refilled immediately instead of at the next tick, which would limit the kind to a thousand jobs per
/// second.
const BACKLOG_THRESHOLD: usize = 100;
/// Interval at which a worker checks for free slots within the kind's limits. Completions in other processes
/// release slots without a signal.
const LIMIT_CHECK_INTERVAL: Duration = Duration::from_millis(250);
/// Maximum number of jobs per claim. Larger claims are not faster and delay the first jobs.
const MAX_BATCH: usize = 32;

/// Backend from which an apalis worker takes its jobs.
pub(super) struct ClaimSource {
    batches: BoxStream<'static, Vec<ClaimGuard>>,
    ready: VecDeque<ClaimGuard>,
    /// Jobs that started on submission.
    started: mpsc::UnboundedReceiver<ClaimGuard>,
    _offer: SlotOffer,
}

impl ClaimSource {
    /// Creates a source that yields jobs of the claimer's kind as slots become free. Stops with `shutdown`.
    pub(super) fn new(claimer: Claimer, slots: SlotSemaphore, shutdown: CancellationToken) -> Self {
        let transport = claimer.engine.transport();
        let wakeup = transport.wakeup(claimer.kind);
        let idle = IdleState::new(transport.push_count(claimer.kind));
        let (sender, started) = mpsc::unbounded_channel();
        let free = FreeSlots::new(&claimer, &slots, &shutdown, (idle.clone(), sender));
        let offer = rows::offer_slots(claimer.engine.domain(), claimer.kind, Arc::new(free));
        let claim_loop = ClaimLoop { claimer, slots, shutdown, wakeup, idle, in_a_row: 0 };
        let batches = stream::unfold(claim_loop, |mut claim_loop| async move {
            let batch = claim_loop.next().await;
            Some((batch, claim_loop))
        });
        Self { batches: batches.boxed(), ready: VecDeque::new(), started, _offer: offer }
    }
}

impl Backend for ClaimSource {
    type Task = Task<ClaimGuard>;
    type Error = Infallible;

    fn poll_ready(&mut self, _: &mut Context<'_>, _: &WorkerContext) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn poll_next(
        &mut self,
        context: &mut Context<'_>,
        _: &WorkerContext,
    ) -> Poll<Option<Result<Self::Task, Infallible>>> {
        loop {
            if let Some(guard) = self.ready.pop_front() {
                return Poll::Ready(Some(Ok(Task::new(guard))));
            }
            if let Poll::Ready(Some(guard)) = self.started.poll_recv(context) {
                return Poll::Ready(Some(Ok(Task::new(guard))));
            }
            match ready!(self.batches.poll_next_unpin(context)) {
                Some(batch) => self.ready = batch.into(),
                None => return Poll::Ready(None),
            }
        }
    }

    /// Drops claimed jobs that have not started, which releases them.
    fn poll_close(&mut self, _: &mut Context<'_>, _: &WorkerContext) -> Poll<Result<(), Infallible>> {
        self.ready.clear();
        self.started.close();
        while self.started.try_recv().is_ok() {}
        self.batches = stream::empty().boxed();
        Poll::Ready(Ok(()))
    }
}

impl BackendConfig for ClaimSource {
    type Id = RandomId;
    type Args = ClaimGuard;
    type Kind = Ephemeral;
    type Config = ();
    type Layer = Identity;

    fn config(&self) -> &() {
        &()
    }

    fn middleware(&mut self, _: &mut WorkerContext) -> Identity {
        Identity::new()
    }
}

struct ClaimLoop {
    claimer: Claimer,
    slots: SlotSemaphore,
    shutdown: CancellationToken,
    wakeup: watch::Receiver<u64>,
    idle: IdleState,
    in_a_row: usize,
}

/// Result of a claim.
enum ClaimAttempt {
    /// Number of popped ids, and the jobs that were claimed.
    Claimed(usize, Vec<ClaimGuard>),
    Empty,
    /// The kind's limits leave no free slots.
    Full,
    Unavailable,
}

impl ClaimLoop {
    /// Returns the next claimed jobs, at least one. Pending forever after the worker stops.
    async fn next(&mut self) -> Vec<ClaimGuard> {
        let mut pause = Duration::from_millis(50);
        loop {
            let Some(slots) = self.acquire_slots().await else { return pending().await };
            self.wakeup.mark_unchanged();
            let push_count = self.idle.push_count();
            match claim_jobs(self.claimer.clone(), slots).await {
                ClaimAttempt::Claimed(count, jobs) => {
                    self.in_a_row = self.in_a_row.saturating_add(count);
                    if !jobs.is_empty() {
                        return jobs;
                    }
                }
                ClaimAttempt::Empty => {
                    if !self.refill().await {
                        let often = self.claimer.engine.transport().poll_interval();
                        let wait = timeout(often, self.wakeup.changed());
                        // Until the next push, a submitted job would be the first in the queue.
                        let _idle = self.idle.enter(push_count);
                        let _ = self.shutdown.run_until_cancelled(wait).await;
                    }
                }
                ClaimAttempt::Full => {
                    let _ = timeout(LIMIT_CHECK_INTERVAL, self.shutdown.cancelled()).await;
                }
                ClaimAttempt::Unavailable => {
                    let _ = timeout(pause, self.shutdown.cancelled()).await;
                    pause = (pause * 2).min(MAX_PAUSE);
                }
            }
        }
    }

    /// Acquires all free slots, at least one. `None` when the worker stops.
    async fn acquire_slots(&self) -> Option<Vec<OwnedSemaphorePermit>> {
        let first = self.shutdown.run_until_cancelled(self.slots.clone().acquire_owned()).await?.ok()?;
        if self.shutdown.is_cancelled() {
            return None;
        }
        let mut slots = vec![first];
        while slots.len() < MAX_BATCH
            && let Ok(permit) = self.slots.clone().try_acquire_owned()
        {
            slots.push(permit);
        }
        Some(slots)
    }

    /// Refills the queue after a backlog. Returns true if ids were pushed. Does nothing if workers claim the
    /// rows.
    async fn refill(&mut self) -> bool {
        let claims_rows = self.claimer.engine.transport().dequeue() == Dequeue::Rows;
        if std::mem::take(&mut self.in_a_row) < BACKLOG_THRESHOLD || claims_rows {
            return false;
        }
        let pushed = scheduler::refill(&self.claimer.engine, self.claimer.kind).await;
        pushed.is_ok_and(|count| count > 0)
    }
}

/// Claims jobs, by ids from the queue or from the rows, in a separate task, so that no claim is lost if the worker
/// stops in the meantime.
async fn claim_jobs(claimer: Claimer, mut slots: Vec<OwnedSemaphorePermit>) -> ClaimAttempt {
    let task = tokio::spawn(async move {
        match claimer.free_slots().await {
            Ok(0) => return ClaimAttempt::Full,
            Ok(free) => slots.truncate(free),
            Err(error) => {
                tracing::debug!(%error, kind = claimer.kind.as_str(), "failed to check kind limits");
                return ClaimAttempt::Unavailable;
            }
        }
        match claimer.engine.transport().dequeue() {
            Dequeue::Ids => claim_queued_ids(claimer, slots).await,
            Dequeue::Rows => claim_rows(&claimer, slots).await,
        }
    });
    task.await.unwrap_or(ClaimAttempt::Unavailable)
}

async fn claim_queued_ids(claimer: Claimer, slots: Vec<OwnedSemaphorePermit>) -> ClaimAttempt {
    match claimer.engine.transport().pop(claimer.kind, slots.len()).await {
        Ok(items) if items.is_empty() => ClaimAttempt::Empty,
        Ok(items) => ClaimAttempt::Claimed(items.len(), claimer.claim(items, slots).await),
        Err(error) => {
            tracing::debug!(%error, kind = claimer.kind.as_str(), "queue unavailable, waiting");
            ClaimAttempt::Unavailable
        }
    }
}

async fn claim_rows(claimer: &Claimer, slots: Vec<OwnedSemaphorePermit>) -> ClaimAttempt {
    match claimer.claim_next(slots).await {
        Ok(guards) if guards.is_empty() => ClaimAttempt::Empty,
        Ok(guards) => ClaimAttempt::Claimed(guards.len(), guards),
        Err(error) => {
            tracing::warn!(%error, kind = %claimer.kind, "failed to claim jobs");
            ClaimAttempt::Unavailable
        }
    }
}
