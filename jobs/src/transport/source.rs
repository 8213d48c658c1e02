//! Queue as a backend of apalis: a stream of claimed jobs that never fails and never ends.
//!
//! Jobs are popped and claimed for as many slots as are free, with one command and one statement. No job is
//! popped without a slot. A slot is a permit of the worker's semaphore, which is attached to the job.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use crate::rows::{self, PlacesOffer};
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

use super::free_places::{FreePlaces, Idle, Places};
use super::queue_item::Drawing;
use crate::drawn::{Claimer, Drawn};
use crate::scheduler;

/// Maximum pause between attempts while the queue is unavailable.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// If this many ids in a row were popped before the queue became empty, there was a backlog. The queue is
/// then refilled immediately instead of at the next tick, which would limit it to a thousand ids per second.
const BACKLOG: usize = 100;
/// Interval of checks for free slots within the limits of a kind, which completions in other processes also
/// release.
const ROOM: Duration = Duration::from_millis(250);
/// Maximum number of jobs per claim. More jobs bring no gain and delay the first ones.
const MOST: usize = 32;

/// Backend from which an apalis worker takes its jobs.
pub(crate) struct Source {
    groups: BoxStream<'static, Vec<Drawn>>,
    ready: VecDeque<Drawn>,
    /// Jobs that started on submission.
    begun: mpsc::UnboundedReceiver<Drawn>,
    _offer: PlacesOffer,
}

impl Source {
    /// Creates a source of jobs of the claimer's kind, as slots become free. Ends with `shutdown`.
    pub(crate) fn new(claimer: Claimer, places: Places, shutdown: CancellationToken) -> Self {
        let transport = claimer.engine.transport();
        let bell = transport.wake(claimer.kind);
        let idle = Idle::new(transport.pushes(claimer.kind));
        let (begin, begun) = mpsc::unbounded_channel();
        let free = FreePlaces::new(&claimer, &places, &shutdown, (idle.clone(), begin));
        let offer = rows::offer_places(claimer.engine.domain(), claimer.kind, Arc::new(free));
        let draw = Draw { claimer, places, shutdown, bell, idle, in_a_row: 0 };
        let groups = stream::unfold(draw, |mut draw| async move {
            let group = draw.next().await;
            Some((group, draw))
        });
        Self { groups: groups.boxed(), ready: VecDeque::new(), begun, _offer: offer }
    }
}

impl Backend for Source {
    type Task = Task<Drawn>;
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
            if let Some(drawn) = self.ready.pop_front() {
                return Poll::Ready(Some(Ok(Task::new(drawn))));
            }
            if let Poll::Ready(Some(drawn)) = self.begun.poll_recv(context) {
                return Poll::Ready(Some(Ok(Task::new(drawn))));
            }
            match ready!(self.groups.poll_next_unpin(context)) {
                Some(group) => self.ready = group.into(),
                None => return Poll::Ready(None),
            }
        }
    }

    /// Claimed jobs that have not started are dropped, which releases them.
    fn poll_close(&mut self, _: &mut Context<'_>, _: &WorkerContext) -> Poll<Result<(), Infallible>> {
        self.ready.clear();
        self.begun.close();
        while self.begun.try_recv().is_ok() {}
        self.groups = stream::empty().boxed();
        Poll::Ready(Ok(()))
    }
}

impl BackendConfig for Source {
    type Id = RandomId;
    type Args = Drawn;
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

struct Draw {
    claimer: Claimer,
    places: Places,
    shutdown: CancellationToken,
    bell: watch::Receiver<u64>,
    idle: Idle,
    in_a_row: usize,
}

/// Result of a claim.
enum Look {
    /// Number of popped ids, and the jobs of them that were claimed.
    Taken(usize, Vec<Drawn>),
    Empty,
    /// The kind's limits leave no free slots.
    Full,
    Away,
}

impl Draw {
    /// Next claimed jobs, at least one.
    async fn next(&mut self) -> Vec<Drawn> {
        let mut pause = Duration::from_millis(50);
        loop {
            let Some(places) = self.free_places().await else { return pending().await };
            self.bell.mark_unchanged();
            let before_look = self.idle.before_look();
            match look(self.claimer.clone(), places).await {
                Look::Taken(count, jobs) => {
                    self.in_a_row = self.in_a_row.saturating_add(count);
                    if !jobs.is_empty() {
                        return jobs;
                    }
                }
                Look::Empty => {
                    if !self.refill().await {
                        let often = self.claimer.engine.transport().poll_interval();
                        let wait = timeout(often, self.bell.changed());
                        // Until the next push, a submitted job is the first in the queue.
                        let _idle = self.idle.begin(before_look);
                        let _ = self.shutdown.run_until_cancelled(wait).await;
                    }
                }
                Look::Full => {
                    let _ = timeout(ROOM, self.shutdown.cancelled()).await;
                }
                Look::Away => {
                    let _ = timeout(pause, self.shutdown.cancelled()).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
        }
    }

    /// Acquires all free slots, at least one. `None` when the worker stops.
    async fn free_places(&self) -> Option<Vec<OwnedSemaphorePermit>> {
        let first = self.shutdown.run_until_cancelled(self.places.clone().acquire_owned()).await?.ok()?;
        if self.shutdown.is_cancelled() {
            return None;
        }
        let mut places = vec![first];
        while places.len() < MOST
            && let Ok(place) = self.places.clone().try_acquire_owned()
        {
            places.push(place);
        }
        Some(places)
    }

    /// Refills the queue after a backlog. Returns whether ids were pushed. Not needed if workers claim the
    /// rows.
    async fn refill(&mut self) -> bool {
        let is_of_rows = self.claimer.engine.transport().drawing() == Drawing::Rows;
        if std::mem::take(&mut self.in_a_row) < BACKLOG || is_of_rows {
            return false;
        }
        let pushed = scheduler::refill(&self.claimer.engine, self.claimer.kind).await;
        pushed.is_ok_and(|count| count > 0)
    }
}

/// Claims jobs, by ids from the queue or from the rows, in a task of its own: a worker that stops meanwhile
/// leaves no unknown claim behind.
async fn look(claimer: Claimer, mut places: Vec<OwnedSemaphorePermit>) -> Look {
    let looking = tokio::spawn(async move {
        match claimer.room().await {
            Ok(0) => return Look::Full,
            Ok(room) => places.truncate(room),
            Err(error) => {
                tracing::debug!(%error, kind = claimer.kind.as_str(), "failed to check kind limits");
                return Look::Away;
            }
        }
        match claimer.engine.transport().drawing() {
            Drawing::Ids => look_for_ids(claimer, places).await,
            Drawing::Rows => look_for_rows(&claimer, places).await,
        }
    });
    looking.await.unwrap_or(Look::Away)
}

async fn look_for_ids(claimer: Claimer, places: Vec<OwnedSemaphorePermit>) -> Look {
    match claimer.engine.transport().pop(claimer.kind, places.len()).await {
        Ok(items) if items.is_empty() => Look::Empty,
        Ok(items) => Look::Taken(items.len(), claimer.claim(items, places).await),
        Err(error) => {
            tracing::debug!(%error, kind = claimer.kind.as_str(), "queue unavailable, waiting");
            Look::Away
        }
    }
}

async fn look_for_rows(claimer: &Claimer, places: Vec<OwnedSemaphorePermit>) -> Look {
    match claimer.claim_next(places).await {
        Ok(drawn) if drawn.is_empty() => Look::Empty,
        Ok(drawn) => Look::Taken(drawn.len(), drawn),
        Err(error) => {
            tracing::warn!(%error, kind = %claimer.kind, "failed to claim jobs");
            Look::Away
        }
    }
}
