//! A queue as apalis' in-memory backend sees it: a stream of ids that never fails and never ends.

use std::sync::Arc;
use std::time::Duration;

use apalis_core::backend::memory::{MemorySink, MemoryStorage, MemoryStorageError};
use apalis_core::task::Task;
use domain::JobId;
use domain::jobs::JobKind;
use futures_util::lock::Mutex;
use futures_util::{Sink, SinkExt, StreamExt, sink, stream};
use tokio::sync::watch;
use tokio::time::timeout;

use crate::engine::Engine;
use crate::scheduler;

/// Looks even without being woken this often: a wake-up that Redis lost costs no more than this.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The longest pause between attempts while the queue is away.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// A queue that runs dry after this many ids in a row had a backlog behind it: it is filled at once
/// then, where it would otherwise wait for the next tick, a thousand ids a second.
const BACKLOG: u32 = 100;

/// What an apalis worker draws ids from.
pub(crate) type Source = MemoryStorage<JobId>;

/// The ids of `kind` as a backend for one apalis worker. The worker asks for the next id only when it
/// has a free place, so nothing is buffered here.
pub(crate) fn source(engine: &Engine, kind: JobKind) -> Source {
    let bell = engine.transport().wake(kind);
    let draw = Draw { engine: engine.clone(), kind, bell, in_a_row: 0 };
    let ids = stream::unfold(draw, |mut draw| async move {
        let id = draw.next().await;
        Some((Task::new(id), draw))
    });
    MemoryStorage::new_with(no_sink(), ids.boxed())
}

struct Draw {
    engine: Engine,
    kind: JobKind,
    bell: watch::Receiver<u64>,
    in_a_row: u32,
}

impl Draw {
    async fn next(&mut self) -> JobId {
        let mut pause = Duration::from_millis(50);
        loop {
            self.bell.mark_unchanged();
            match self.engine.transport().pop(self.kind).await {
                Ok(Some(item)) => {
                    self.in_a_row = self.in_a_row.saturating_add(1);
                    return item.id;
                }
                Ok(None) => {
                    if !self.refill().await {
                        let _ = timeout(POLL_INTERVAL, self.bell.changed()).await;
                    }
                }
                Err(error) => {
                    tracing::debug!(%error, kind = self.kind.as_str(), "waiting for the queue");
                    let _ = timeout(pause, std::future::pending::<()>()).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
        }
    }

    /// Whether there was a backlog, and ids of it are in the queue now.
    async fn refill(&mut self) -> bool {
        if std::mem::take(&mut self.in_a_row) < BACKLOG {
            return false;
        }
        let pushed = scheduler::refill(&self.engine, self.kind).await;
        pushed.is_ok_and(|count| count > 0)
    }
}

/// Ids are pushed through `Transport::push`, never through the backend.
fn no_sink() -> MemorySink<JobId> {
    let drain = sink::drain::<Task<JobId>>().sink_map_err(|never| match never {});
    let boxed: Box<dyn Sink<Task<JobId>, Error = MemoryStorageError> + Send + Sync + Unpin> = Box::new(drain);
    MemorySink::new(Arc::new(Mutex::new(boxed)))
}
