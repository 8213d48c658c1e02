//! Tests of processes that are killed at random points: a separate runtime is dropped with everything in it, which
//! simulates `kill -9`. The seed is printed on failure.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::rows::{JobKind, JobState};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use super::support::*;
use crate::{Engine, Handler, Handlers, JobContext, JobError, WorkerSettings, Workers, scheduler};

const JOBS: u64 = 150;
const KILLS: usize = 12;
const LIVE: &str = "SELECT COUNT(*) AS n FROM job WHERE state IN ('ready', 'running')";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_killed_at_random_points_neither_lose_nor_duplicate_effects() {
    for (seed, mut setup) in (2026..).zip(Setup::each().await) {
        setup.settings.lease_ms = 1_000;
        let mut random = fastrand::Rng::with_seed(seed);
        let setup = Arc::new(setup);
        let engine = setup.engine();
        for number in 0..JOBS {
            engine.submit(read_job(number.to_string())).await.unwrap();
        }
        for _ in 0..KILLS {
            let steps = Arc::new(AtomicUsize::new(0));
            let doomed = killable_process(&setup, steps.clone());
            let until = random.usize(1..40);
            eventually("the process gets somewhere", || async {
                // Jobs that were alone in four lost workers are dead, so the last process may have few jobs
                // to run.
                steps.load(Ordering::SeqCst) >= until || setup.count(LIVE).await == 0
            })
            .await;
            doomed.shutdown_background();
            setup.expire_all_leases().await;
            scheduler::sweep_lost_after(&engine, 0).await.unwrap();
            setup.make_all_due().await;
        }
        revive_and_drain(&setup, &engine).await;
        assert_eq!(setup.effects().await, JOBS, "seed {seed}");
        let complete =
            crate::rows::count_in_state(setup.domain(), JobKind::ReadJob, JobState::Complete).await.unwrap();
        assert_eq!(complete, JOBS, "seed {seed}");
    }
}

/// Process with its own connections, engine, and workers. Counts each step between claim, effect, and
/// completion, so that it can be killed between any two steps.
fn killable_process(setup: &Arc<Setup>, steps: Arc<AtomicUsize>) -> Runtime {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let setup = setup.clone();
    runtime.spawn(async move {
        let engine = setup.second_engine().await;
        let handler = Handler::new(JobKind::ReadJob, move |context, job| {
            let steps = steps.clone();
            async move {
                steps.fetch_add(1, Ordering::SeqCst);
                tokio::task::yield_now().await;
                let result: Result<(), JobError> = write_effect(context, job).await;
                steps.fetch_add(1, Ordering::SeqCst);
                tokio::task::yield_now().await;
                result
            }
        });
        let settings = WorkerSettings::default();
        let _workers =
            Workers::start(&engine, &Handlers::new().with(handler), &settings, CancellationToken::new())
                .await;
        let mut ticks = tokio::time::interval(Duration::from_millis(50));
        loop {
            // A statement in flight when the previous process was killed may have claimed a job after the
            // leases were expired. The lease of that claim expires on its own.
            scheduler::sweep_lost_after(&engine, 0).await.unwrap();
            ticks.tick().await;
        }
    });
    runtime
}

/// Retries jobs that are dead, as an operator would.
async fn revive_and_drain(setup: &Setup, engine: &Engine) {
    let handlers = Handlers::new()
        .with(Handler::new(JobKind::ReadJob, |context: JobContext, job| write_effect(context, job)));
    engine.run_until_idle(&handlers).await;
    let filter = crate::rows::JobFilter { state: Some(JobState::Dead), limit: 1_000, ..Default::default() };
    for job in crate::rows::list(setup.domain(), &filter).await.unwrap() {
        engine.retry(job.id).await.unwrap();
    }
    engine.run_until_idle(&handlers).await;
}
