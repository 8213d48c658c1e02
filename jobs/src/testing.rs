//! Test support: waits until the engine is idle, without sleeping. Also measures the queue without a
//! database, for the benchmark.

use std::time::{Duration, Instant};

use crate::rows::{self, Claimed, JobKind, Priority};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::engine::Engine;
use crate::handler::{Handler, Handlers, JobContext, JobError};
use crate::scheduler;
use crate::transport::QueueItem;
use crate::worker::{WorkerSettings, Workers};

/// Maximum time to wait until the engine is idle.
const LIMIT: Duration = Duration::from_mins(2);

impl Handler {
    /// Creates a handler for work that writes nothing. The job is completed when `run` returns.
    pub fn without_effect<F, Fut>(kind: JobKind, run: F) -> Self
    where
        F: Fn(JobContext, Claimed) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<(), JobError>> + Send + 'static,
    {
        Self::new(kind, move |context, job| {
            let running = run(context.clone(), job.clone());
            async move {
                running.await?;
                Ok(rows::complete(context.domain(), &job).await?)
            }
        })
    }
}

impl Engine {
    /// Runs all due jobs with `handlers`, and the jobs they submit, until no job is due or running.
    ///
    /// # Panics
    /// After two minutes.
    pub async fn run_until_idle(&self, handlers: &Handlers) {
        let settings = WorkerSettings::default();
        let workers = Workers::start(self, handlers, &settings, CancellationToken::new()).await;
        self.idle().await;
        workers.stop().await;
    }

    /// Waits until no job is due or running. Sweeps while it waits. Workers must be running in some process.
    ///
    /// # Panics
    /// After two minutes.
    pub async fn idle(&self) {
        timeout(LIMIT, self.idle_unlimited()).await.expect("the engine becomes idle within two minutes");
    }

    async fn idle_unlimited(&self) {
        let mut runs = self.completion_waiters().runs();
        loop {
            runs.mark_unchanged();
            scheduler::sweep(self).await.expect("the sweep succeeds");
            let is_busy = rows::is_any_due_or_running(self.domain()).await;
            if !is_busy.expect("jobs can be counted") {
                return;
            }
            // Runs of other processes are not counted, so the wait has a timeout.
            let _ = timeout(Duration::from_millis(50), runs.changed()).await;
        }
    }
}

/// Measures the queue without a database: pushes `pings` ids one by one to measure the time from push to start, then
/// `jobs` ids with `callers` concurrent callers. Returns jobs per second and the times of the pings.
///
/// # Panics
/// If the queue is unavailable.
pub async fn measure_queue(
    engine: &Engine,
    jobs: usize,
    pings: usize,
    callers: usize,
) -> (f64, Vec<Duration>) {
    let kind = JobKind::ReadJob;
    let (sender, mut started) = mpsc::unbounded_channel();
    let consumer = engine.clone();
    let running = tokio::spawn(async move {
        let mut wakeup = consumer.transport().wakeup(kind);
        loop {
            wakeup.mark_unchanged();
            let items = consumer.transport().pop(kind, callers).await.expect("ids can be popped");
            if items.is_empty() {
                let _ = wakeup.changed().await;
            }
            for _ in items {
                let _ = sender.send(Instant::now());
            }
        }
    });
    let mut starts = Vec::with_capacity(pings);
    for _ in 0..pings {
        let begin = Instant::now();
        push_one(engine, kind).await;
        starts.push(started.recv().await.expect("a worker receives the id") - begin);
    }
    let begin = Instant::now();
    for caller in 0..callers {
        let engine = engine.clone();
        tokio::spawn(async move {
            for _ in (caller..jobs).step_by(callers) {
                while !push_one(&engine, kind).await {
                    tokio::task::yield_now().await;
                }
            }
        });
    }
    for _ in 0..jobs {
        started.recv().await.expect("a worker receives the id");
    }
    let took = begin.elapsed().as_secs_f64();
    running.abort();
    #[expect(clippy::cast_precision_loss, reason = "a rate for display")]
    let rate = jobs as f64 / took;
    (rate, starts)
}

/// Pushes one id. Returns true if the queue had capacity.
async fn push_one(engine: &Engine, kind: JobKind) -> bool {
    let domain = engine.domain();
    let item = QueueItem::new(domain.new_id(), Priority::Normal, domain.now());
    engine.transport().push(kind, &[item]).await.expect("the id can be pushed").is_empty()
}
