//! The worker pool: one apalis worker a kind, restarted when it ends before the shutdown, and the
//! shutdown itself: stop taking work, let what runs finish, hand back what does not.
//!
//! apalis drives the loop alone: it draws claimed jobs from our queue (`transport::Source`) and runs them; claim, lease,
//! retry and the job's end are ours (`run`).

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::rows::JobKind;
use apalis::layers::WorkerBuilderExt;
use apalis_core::error::{BoxDynError, WorkerError};
use apalis_core::worker::builder::WorkerBuilder;
use apalis_core::worker::context::WorkerContext;
use apalis_core::worker::ext::parallelize::ParallelizeExt;
use futures_util::future::{BoxFuture, FutureExt};
use kernel::Millis;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::drawn::{Claimer, Drawn};
use crate::duration::millis;
use crate::engine::Engine;
use crate::handler::{Handler, Handlers};
use crate::owner::worker_name;
use crate::run::Runner;
use crate::scheduler;
use crate::transport::{Places, Source};

/// Before a worker that ended by itself is started again.
const RESTART_AFTER: Duration = Duration::from_millis(250);
/// Runs that have queued their end, and given their place to the next job, stand beside those that have a place.
const ENDING: usize = 256;
/// How long a pool waits for jobs that are being handed back.
const HANDING_BACK: Duration = Duration::from_secs(5);

/// Between two times at which it is written what ended, and looked which limits are set.
const ACTIVITY: Duration = Duration::from_secs(5);

/// Which kinds a process works on, and how.
#[derive(Clone, Debug)]
pub struct WorkerSettings {
    /// Only these kinds; all that have a handler when not given (`--kinds`).
    pub kinds: Option<Vec<JobKind>>,
    /// How many of a kind run at once, where it differs from the kind's rule.
    pub concurrency: HashMap<JobKind, usize>,
    /// How long a run of a kind may take in milliseconds, where it differs from the kind's rule.
    pub max_run_ms: HashMap<JobKind, Millis>,
    /// Milliseconds that running jobs get at shutdown before they are handed back.
    pub grace_ms: Millis,
}

impl Default for WorkerSettings {
    fn default() -> Self {
        Self { kinds: None, concurrency: HashMap::new(), max_run_ms: HashMap::new(), grace_ms: 25_000 }
    }
}

/// A running pool.
#[derive(Debug)]
pub struct Workers {
    engine: Engine,
    tasks: JoinSet<()>,
    shutdown: CancellationToken,
    release_now: CancellationToken,
    grace: Duration,
}

impl Workers {
    /// Starts the pool; it takes no more work once `shutdown` is cancelled. What is due and not on its
    /// way is pushed first.
    ///
    /// The future is boxed, so that the workers are compiled here and not in the program that starts them.
    pub fn start<'a>(
        engine: &'a Engine,
        handlers: &'a Handlers,
        settings: &'a WorkerSettings,
        shutdown: CancellationToken,
    ) -> BoxFuture<'a, Self> {
        Self::start_all(engine, handlers, settings, shutdown).boxed()
    }

    async fn start_all(
        engine: &Engine,
        handlers: &Handlers,
        settings: &WorkerSettings,
        shutdown: CancellationToken,
    ) -> Self {
        let release_now = CancellationToken::new();
        let mut tasks = JoinSet::new();
        engine.learn_limits().await;
        for handler in handlers.iter() {
            let kind = handler.kind();
            if settings.kinds.as_ref().is_some_and(|kinds| !kinds.contains(&kind)) {
                continue;
            }
            let pool = Pool {
                engine: engine.clone(),
                handler: handler.clone(),
                concurrency: settings
                    .concurrency
                    .get(&kind)
                    .copied()
                    .unwrap_or(kind.rules().concurrency)
                    .max(1),
                max_run: millis(settings.max_run_ms.get(&kind).copied().unwrap_or(kind.rules().max_run_ms)),
                shutdown: shutdown.clone(),
                release_now: release_now.clone(),
            };
            tasks.spawn(pool.keep_running());
        }
        tasks.spawn(write_activity(engine.clone(), shutdown.clone()));
        if let Err(error) = scheduler::sweep_at_start(engine).await {
            tracing::warn!(%error, "nothing could be swept at the start; the scheduler will");
        }
        Self { engine: engine.clone(), tasks, shutdown, release_now, grace: millis(settings.grace_ms) }
    }

    /// Waits for the shutdown and for running jobs to end; those that outlast the grace time are handed
    /// back. Returns when no job runs any more.
    pub async fn finish(mut self) {
        self.shutdown.cancelled().await;
        let all = async { while self.tasks.join_next().await.is_some() {} };
        if timeout(self.grace, all).await.is_err() {
            tracing::warn!("the grace time is over; unfinished jobs are handed back");
            self.release_now.cancel();
            while self.tasks.join_next().await.is_some() {}
        }
        self.engine.write_activity().await;
    }

    /// Shuts the pool down and waits for it.
    pub async fn stop(self) {
        self.shutdown.cancel();
        self.finish().await;
    }
}

/// One kind's worker.
struct Pool {
    engine: Engine,
    handler: Handler,
    concurrency: usize,
    max_run: Duration,
    shutdown: CancellationToken,
    release_now: CancellationToken,
}

impl Pool {
    async fn keep_running(self) {
        while !self.shutdown.is_cancelled() {
            let name = worker_name(&self.engine, self.handler.kind());
            match self.run(&name).await {
                Err(error) => tracing::error!(%error, name, "a worker ended with an error"),
                Ok(()) if !self.shutdown.is_cancelled() => tracing::error!(name, "a worker ended by itself"),
                Ok(()) => {}
            }
            let _ = timeout(RESTART_AFTER, self.shutdown.cancelled()).await;
        }
    }

    fn run(&self, name: &str) -> BoxFuture<'static, Result<(), WorkerError>> {
        let places: Places = Arc::new(Semaphore::new(self.concurrency));
        let source = Source::new(self.claimer(name), Places::clone(&places), self.shutdown.clone());
        let runner = Runner {
            engine: self.engine.clone(),
            handler: self.handler.clone(),
            max_run: self.max_run,
            release_now: self.release_now.clone(),
        };
        let (context, shutdown) = (WorkerContext::new(name), self.shutdown.clone());
        let worker = WorkerBuilder::new(context.clone())
            .backend(source)
            .concurrency(self.concurrency + ENDING)
            .parallelize(tokio::spawn)
            .build(move |drawn: Drawn| {
                let runner = runner.clone();
                async move {
                    if let Some(claimed) = drawn.begin() {
                        runner.run(claimed).await;
                    }
                    Ok::<(), BoxDynError>(())
                }
            });
        let mut running = worker.run().boxed();
        let all = u32::try_from(self.concurrency).unwrap_or(u32::MAX);
        async move {
            let ended = tokio::select! {
                ended = &mut running => ended,
                // Refused only when the worker has not begun yet: then nothing runs.
                () = shutdown.cancelled() => match context.stop() {
                    Ok(()) => running.await,
                    Err(_) => Ok(()),
                },
            };
            // A place that was taken and is not free again belongs to a job that is being handed back.
            let _ = timeout(HANDING_BACK, places.acquire_many(all)).await;
            ended
        }
        .boxed()
    }

    fn claimer(&self, name: &str) -> Claimer {
        Claimer {
            engine: self.engine.clone(),
            kind: self.handler.kind(),
            worker: Arc::from(name),
            release_now: self.release_now.clone(),
        }
    }
}

/// Adds what ended to what charts are drawn from, and learns which limits are set, every few seconds.
async fn write_activity(engine: Engine, shutdown: CancellationToken) {
    while timeout(ACTIVITY, shutdown.cancelled()).await.is_err() {
        engine.write_activity().await;
        engine.learn_limits().await;
    }
}
