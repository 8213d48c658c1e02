//! A queue as apalis sees it: a backend of claimed jobs that never fails and never ends.
//!
//! Ids are drawn and claimed for as many places as are free, by one command and one statement; nothing is drawn that has
//! no place. A place is a permit of the worker's semaphore, which goes along with the job.

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

/// The longest pause between attempts while the queue is away.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// A queue that runs dry after this many ids in a row had a backlog behind it: it is filled at once
/// then, where it would otherwise wait for the next tick, a thousand ids a second.
const BACKLOG: usize = 100;
/// How often it is looked whether there is room again within the limits of a kind: what ends elsewhere makes it, too.
const ROOM: Duration = Duration::from_millis(250);
/// Most jobs of one claim: more gain nothing, and hold the first ones up.
const MOST: usize = 32;

/// What an apalis worker draws jobs from.
pub(crate) struct Source {
    groups: BoxStream<'static, Vec<Drawn>>,
    ready: VecDeque<Drawn>,
    /// Jobs that began as they were submitted.
    begun: mpsc::UnboundedReceiver<Drawn>,
    _offer: PlacesOffer,
}

impl Source {
    /// Jobs of the claimer's kind, as places become free; none any more after `shutdown`.
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

    /// Jobs that were claimed and have not begun are handed back as they are dropped.
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

/// What a look into the queue gave.
enum Look {
    /// So many ids, of which these jobs could be claimed.
    Taken(usize, Vec<Drawn>),
    Empty,
    /// The kind's limits leave no room.
    Full,
    Away,
}

impl Draw {
    /// The next jobs, at least one.
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
                        // Until somebody pushes, whatever is submitted here is the first that waits.
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

    /// As many places as are free, at least one; `None` once the worker stops.
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

    /// Whether there was a backlog, and ids of it are in the queue now. Rows need no filling.
    async fn refill(&mut self) -> bool {
        let is_of_rows = self.claimer.engine.transport().drawing() == Drawing::Rows;
        if std::mem::take(&mut self.in_a_row) < BACKLOG || is_of_rows {
            return false;
        }
        let pushed = scheduler::refill(&self.claimer.engine, self.claimer.kind).await;
        pushed.is_ok_and(|count| count > 0)
    }
}

/// Takes ids and claims their jobs, or claims rows, in a task of its own: a worker that stops in the middle leaves nothing claimed that
/// nobody knows of.
async fn look(claimer: Claimer, mut places: Vec<OwnedSemaphorePermit>) -> Look {
    let looking = tokio::spawn(async move {
        match claimer.room().await {
            Ok(0) => return Look::Full,
            Ok(room) => places.truncate(room),
            Err(error) => {
                tracing::debug!(%error, kind = claimer.kind.as_str(), "limits cannot be looked at");
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
            tracing::debug!(%error, kind = claimer.kind.as_str(), "waiting for the queue");
            Look::Away
        }
    }
}

async fn look_for_rows(claimer: &Claimer, places: Vec<OwnedSemaphorePermit>) -> Look {
    match claimer.claim_next(places).await {
        Ok(drawn) if drawn.is_empty() => Look::Empty,
        Ok(drawn) => Look::Taken(drawn.len(), drawn),
        Err(error) => {
            tracing::warn!(%error, kind = %claimer.kind, "jobs cannot be claimed");
            Look::Away
        }
    }
}
