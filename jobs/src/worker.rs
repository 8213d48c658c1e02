//! Worker pool: one apalis worker per kind, which is restarted if it stops before the shutdown. At shutdown the pool
//! stops claiming jobs, lets running jobs finish, and releases claimed jobs that have not started.
//!
//! apalis only runs the loop: it takes claimed jobs from our queue (`source`) and runs them. Claims, leases,
//! retries, and completions are implemented in this crate (`runner`).

mod free_slots;
mod source;

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

use crate::claim::{ClaimGuard, Claimer};
use crate::duration::millis;
use crate::engine::Engine;
use crate::handler::{Handler, Handlers};
use crate::runner::Runner;
use crate::scheduler;
use crate::worker_id::worker_name;

use self::free_slots::SlotSemaphore;
use self::source::ClaimSource;

/// Delay before a worker that ended unexpectedly is restarted.
const RESTART_AFTER: Duration = Duration::from_millis(250);
/// Maximum number of runs that have queued their completion and released their slot, in addition to the runs
/// that occupy a slot.
const MAX_COMPLETING: usize = 256;
/// Maximum time for which a pool waits for its jobs to be released.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(5);

/// Interval at which completion counts are written and kind limits are loaded.
const ACTIVITY_INTERVAL: Duration = Duration::from_secs(5);

/// Kinds on which a process works, and their settings.
#[derive(Clone, Debug)]
pub struct WorkerSettings {
    /// Kinds to work on (`--kinds`). `None` for all kinds with a handler.
    pub kinds: Option<Vec<JobKind>>,
    /// Number of concurrent jobs per kind, where it differs from the kind's rule.
    pub concurrency: HashMap<JobKind, usize>,
    /// Run limit per kind in milliseconds, where it differs from the kind's rule.
    pub max_run_ms: HashMap<JobKind, Millis>,
    /// Grace period in milliseconds: time for running jobs at shutdown before they are released.
    pub grace_ms: Millis,
}

impl Default for WorkerSettings {
    fn default() -> Self {
        Self { kinds: None, concurrency: HashMap::new(), max_run_ms: HashMap::new(), grace_ms: 25_000 }
    }
}

/// A running worker pool.
#[derive(Debug)]
pub struct Workers {
    engine: Engine,
    tasks: JoinSet<()>,
    shutdown: CancellationToken,
    release_now: CancellationToken,
    grace: Duration,
}

impl Workers {
    /// Starts the pool. It claims no more jobs after `shutdown` is cancelled. Due jobs that are not in the
    /// transport are pushed first.
    ///
    /// The future is boxed, so that the workers are compiled in this crate and not in the program that starts
    /// them.
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
        engine.refresh_limits().await;
        for handler in handlers.iter() {
            let kind = handler.kind();
            if settings.kinds.as_ref().is_some_and(|kinds| !kinds.contains(&kind)) {
                continue;
            }
            let pool = KindWorker {
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
        tasks.spawn(write_completion_counts(engine.clone(), shutdown.clone()));
        if let Err(error) = scheduler::sweep_at_start(engine).await {
            tracing::warn!(%error, "sweep at worker start failed, waiting for the scheduler");
        }
        Self { engine: engine.clone(), tasks, shutdown, release_now, grace: millis(settings.grace_ms) }
    }

    /// Waits for the shutdown and for running jobs to end. Jobs that exceed the grace period are released. No
    /// job of the pool runs when this returns.
    pub async fn finish(mut self) {
        self.shutdown.cancelled().await;
        let all = async { while self.tasks.join_next().await.is_some() {} };
        if timeout(self.grace, all).await.is_err() {
            tracing::warn!("grace period is over, releasing unfinished jobs");
            self.release_now.cancel();
            while self.tasks.join_next().await.is_some() {}
        }
        self.engine.write_completion_counts().await;
    }

    /// Shuts the pool down and waits until its jobs have stopped.
    pub async fn stop(self) {
        self.shutdown.cancel();
        self.finish().await;
    }
}

struct KindWorker {
    engine: Engine,
    handler: Handler,
    concurrency: usize,
    max_run: Duration,
    shutdown: CancellationToken,
    release_now: CancellationToken,
}

impl KindWorker {
    async fn keep_running(self) {
        while !self.shutdown.is_cancelled() {
            let name = worker_name(&self.engine, self.handler.kind());
            match self.run(&name).await {
                Err(error) => tracing::error!(%error, name, "worker failed"),
                Ok(()) if !self.shutdown.is_cancelled() => tracing::error!(name, "worker ended unexpectedly"),
                Ok(()) => {}
            }
            let _ = timeout(RESTART_AFTER, self.shutdown.cancelled()).await;
        }
    }

    fn run(&self, name: &str) -> BoxFuture<'static, Result<(), WorkerError>> {
        let slots: SlotSemaphore = Arc::new(Semaphore::new(self.concurrency));
        let source =
            ClaimSource::new(self.claimer(name), SlotSemaphore::clone(&slots), self.shutdown.clone());
        let runner = Runner {
            engine: self.engine.clone(),
            handler: self.handler.clone(),
            max_run: self.max_run,
            release_now: self.release_now.clone(),
        };
        let (context, shutdown) = (WorkerContext::new(name), self.shutdown.clone());
        let worker = WorkerBuilder::new(context.clone())
            .backend(source)
            .concurrency(self.concurrency + MAX_COMPLETING)
            .parallelize(tokio::spawn)
            .build(move |guard: ClaimGuard| {
                let runner = runner.clone();
                async move {
                    if let Some(claimed) = guard.start() {
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
                // This fails only if the worker has not started yet; then no job is running.
                () = shutdown.cancelled() => match context.stop() {
                    Ok(()) => running.await,
                    Err(_) => Ok(()),
                },
            };
            // If a slot is acquired and not free yet, its job is being released.
            let _ = timeout(RELEASE_TIMEOUT, slots.acquire_many(all)).await;
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

/// Writes completion counts and loads kind limits every few seconds.
async fn write_completion_counts(engine: Engine, shutdown: CancellationToken) {
    while timeout(ACTIVITY_INTERVAL, shutdown.cancelled()).await.is_err() {
        engine.write_completion_counts().await;
        engine.refresh_limits().await;
    }
}
