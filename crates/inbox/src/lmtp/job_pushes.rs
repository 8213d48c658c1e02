//! Pushes the jobs of received messages to the queue. The response to a message does not wait for the push: the row of
//! the job is durable, and the sweep repeats a lost push. Waiting jobs are pushed as a batch, because pushes to a full
//! queue are recorded in the rows of the jobs.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use jobs::{Engine, Submitted};
use kernel::batcher::Batcher;

/// Maximum number of jobs in a batch.
const MAX_BATCH: usize = 256;

/// Jobs that wait to be pushed. Clones share them.
#[derive(Clone)]
pub(super) struct JobPushes(Arc<Batcher<Submitted, ()>>);

impl Default for JobPushes {
    fn default() -> Self {
        Self(Arc::new(Batcher::new(MAX_BATCH)))
    }
}

impl JobPushes {
    /// Pushes a job in the background.
    pub(super) fn add(&self, engine: &Engine, job: Submitted) {
        drop(self.0.add(engine, job, push_batch));
    }
}

fn push_batch(engine: Engine, jobs: Vec<Submitted>) -> BoxFuture<'static, Vec<()>> {
    Box::pin(async move {
        engine.push_all(&jobs).await;
        vec![(); jobs.len()]
    })
}
