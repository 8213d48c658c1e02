//! Shutdown of the worker pool: it claims no more jobs, finishes running jobs, and releases jobs that exceed
//! the grace period.

use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::rows::{JobKind, JobState};
use tokio_util::sync::CancellationToken;

use super::support::*;
use crate::{Handlers, WorkerSettings, Workers};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn running_job_finishes_in_the_grace_period_and_no_other_job_starts() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let mut gate = Gate::new(JobKind::ReadJob);
        let shutdown = CancellationToken::new();
        let handlers = Handlers::new().with(gate.handler.clone());
        let settings = one_at_a_time(JobKind::ReadJob);
        let workers = Workers::start(&engine, &handlers, &settings, shutdown.clone()).await;
        for number in 0..5 {
            engine.submit(read_job(number.to_string())).await.unwrap();
        }
        gate.next().await;
        shutdown.cancel();
        gate.let_through(5);
        workers.finish().await;
        assert_eq!((gate.runs.load(Ordering::SeqCst), setup.effects().await), (1, 1));
        assert_eq!(setup.count("SELECT COUNT(*) AS n FROM job WHERE state = 'ready'").await, 4);
        engine.run_until_idle(&Handlers::new().with(effect_handler(JobKind::ReadJob))).await;
        assert_eq!(setup.effects().await, 5);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn job_exceeding_the_grace_period_is_released_without_an_attempt() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let mut gate = Gate::new(JobKind::ReadJob);
        let settings = WorkerSettings { grace_ms: 20, ..WorkerSettings::default() };
        let workers = start_with(&engine, gate.handler.clone(), &settings).await;
        let id = engine.submit(read_job("a")).await.unwrap().id;
        gate.next().await;
        workers.stop().await;
        let job = engine.status(id).await.unwrap().unwrap();
        assert_eq!((job.state, job.attempts), (JobState::Ready, 0));
        assert_eq!(engine.depth(JobKind::ReadJob).await.unwrap(), 1, "the released job is pushed again");
        engine.run_until_idle(&Handlers::new().with(effect_handler(JobKind::ReadJob))).await;
        assert_eq!((setup.effects().await, state_of(&engine, id).await), (1, JobState::Complete));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_pool_stops_immediately() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let settings = WorkerSettings { grace_ms: 24 * 60 * 60 * 1_000, ..WorkerSettings::default() };
        let workers = start_with(&engine, effect_handler(JobKind::ReadJob), &settings).await;
        let stopped = tokio::time::timeout(Duration::from_mins(1), workers.stop()).await;
        stopped.expect("an idle pool does not wait for its grace period");
    }
}
