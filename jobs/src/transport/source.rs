//! A queue as apalis' in-memory backend sees it: a stream of ids that never fails and never ends.

use std::sync::Arc;
use std::time::Duration;

use apalis_core::backend::memory::{MemorySink, MemoryStorage, MemoryStorageError};
use apalis_core::task::Task;
use domain::work::Kind;
use futures_util::lock::Mutex;
use futures_util::{Sink, SinkExt, StreamExt, sink, stream};
use tokio::sync::watch;
use tokio::time::timeout;
use uuid::Uuid;

use super::Transport;

/// Looks even without being woken this often: a wake-up that Redis lost costs no more than this.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// The longest pause between attempts while the queue is away.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// What an apalis worker draws ids from.
pub(crate) type Source = MemoryStorage<Uuid>;

/// The ids of `kind` as a backend for one apalis worker. The worker asks for the next id only when it
/// has a free place, so nothing is buffered here.
pub(crate) fn source(transport: Arc<Transport>, kind: Kind) -> Source {
    let bell = transport.wake(kind);
    let ids = stream::unfold((transport, bell), move |(transport, mut bell)| async move {
        let id = next(&transport, kind, &mut bell).await;
        Some((Task::new(id), (transport, bell)))
    });
    MemoryStorage::new_with(nowhere(), ids.boxed())
}

async fn next(transport: &Transport, kind: Kind, bell: &mut watch::Receiver<u64>) -> Uuid {
    let mut pause = Duration::from_millis(50);
    loop {
        bell.mark_unchanged();
        match transport.pop(kind).await {
            Ok(Some(item)) => return item.id,
            Ok(None) => {
                let _ = timeout(LOOK_AGAIN, bell.changed()).await;
            }
            Err(error) => {
                tracing::debug!(%error, kind = kind.as_str(), "waiting for the queue");
                let _ = timeout(pause, std::future::pending::<()>()).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        }
    }
}

/// Ids are pushed through [`Transport::push`], never through the backend.
fn nowhere() -> MemorySink<Uuid> {
    let drain = sink::drain::<Task<Uuid>>().sink_map_err(|never| match never {});
    let boxed: Box<dyn Sink<Task<Uuid>, Error = MemoryStorageError> + Send + Sync + Unpin> = Box::new(drain);
    MemorySink::new(Arc::new(Mutex::new(boxed)))
}
