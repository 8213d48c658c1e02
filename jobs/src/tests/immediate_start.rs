//! Tests of jobs that start on submission. They start only if no other job waits before them, and are never lost or run
//! twice.

use std::sync::Arc;
use std::time::Duration;

use crate::rows::{self, JobKind, JobState, Progress, Submitted, WaitOutcome};
use sea_orm::ConnectionTrait;
use tokio::time::Instant;

use super::support::*;
use crate::{Engine, scheduler};

const NEVER_MS: i64 = 3_600_000;
const LONG: Duration = Duration::from_mins(1);

/// Submits jobs one by one until one starts immediately, which shows that its worker is idle.
async fn submit_until_one_starts(engine: &Engine, name: &str) -> Submitted {
    for number in 0.. {
        let submitted = engine.submit(read_job(format!("{name}-{number}"))).await.unwrap();
        if !submitted.to_push {
            return submitted;
        }
        engine.wait(submitted.id, LONG).await.unwrap().unwrap();
    }
    unreachable!("the numbers have no end")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn job_for_an_idle_worker_is_inserted_as_running_without_a_push() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let mut gate = Gate::new(JobKind::ReadJob);
        gate.let_through(1_000);
        let workers = start(&engine, gate.handler.clone()).await;
        let begun = submit_until_one_starts(&engine, "idle").await;
        engine.wait(begun.id, LONG).await.unwrap().unwrap();
        let job = engine.status(begun.id).await.unwrap().unwrap();
        assert_eq!((job.state, job.attempts, job.fence), (JobState::Complete, 1, 1));
        assert_eq!(job.started_at, Some(job.created_at));
        assert!(gate.next().await.starts_with("idle-"));
        workers.stop().await;
        let waiting = engine.submit(read_job("nobody works any more")).await.unwrap();
        assert!(waiting.to_push, "without free slots the job must be pushed");
        assert_eq!(state_of(&engine, waiting.id).await, JobState::Ready);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiting_jobs_start_before_newly_submitted_jobs() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let mut gate = Gate::new(JobKind::ReadJob);
        let workers = start_with(&engine, gate.handler.clone(), &one_at_a_time(JobKind::ReadJob)).await;
        let mut keys = Vec::new();
        for number in 0..6 {
            let key = number.to_string();
            engine.submit(read_job(key.clone())).await.unwrap();
            keys.push(key);
            setup.db.clock.advance(1);
        }
        for key in keys {
            assert_eq!(gate.next().await, key);
            gate.let_through(1);
        }
        eventually("all are done", async || setup.effects().await == 6).await;
        workers.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn paused_kind_does_not_start_jobs_on_submission() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let workers = start(&engine, effect_handler(JobKind::ReadJob)).await;
        let begun = submit_until_one_starts(&engine, "before").await;
        engine.wait(begun.id, LONG).await.unwrap().unwrap();
        rows::pause(setup.domain(), JobKind::ReadJob, "the test").await.unwrap();
        let paused = engine.submit(read_job("paused")).await.unwrap();
        assert_eq!(state_of(&engine, paused.id).await, JobState::Ready);
        assert_eq!(engine.status(paused.id).await.unwrap().unwrap().attempts, 0);
        rows::resume(setup.domain(), JobKind::ReadJob).await.unwrap();
        scheduler::tick(&engine).await.unwrap();
        assert_eq!(engine.wait(paused.id, LONG).await.unwrap().unwrap().state, JobState::Complete);
        workers.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelled_caller_does_not_lose_its_job() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let workers = start(&engine, effect_handler(JobKind::ReadJob)).await;
        let begun = submit_until_one_starts(&engine, "first").await;
        engine.wait(begun.id, LONG).await.unwrap().unwrap();
        let before = setup.effects().await;
        for number in 0..20 {
            let caller = engine.submit(read_job(format!("left-{number}")));
            // The future is polled once, which queues the job, and then dropped.
            let _ = futures_util::FutureExt::now_or_never(caller);
        }
        let query = "SELECT COUNT(*) AS n FROM job WHERE key LIKE 'left-%'";
        eventually("all are written", async || setup.count(query).await == 20).await;
        // Jobs that did not start were not pushed either, because their caller was dropped. They count as
        // lost after a while.
        let lost = "UPDATE job SET pushed_at = 1 WHERE state = 'ready'";
        setup.domain().db().write().execute_unprepared(lost).await.unwrap();
        scheduler::tick(&engine).await.unwrap();
        eventually("all are done", async || setup.effects().await == before + 20).await;
        workers.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jobs_submitted_during_worker_shutdown_complete_or_wait() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        for round in 0..5 {
            let workers = start(&engine, effect_handler(JobKind::ReadJob)).await;
            submit_until_one_starts(&engine, &format!("round-{round}")).await;
            let submits = (0..40).map(|number| engine.submit(read_job(format!("{round}-{number}"))));
            let (submitted, ()) = tokio::join!(futures_util::future::join_all(submits), workers.stop());
            assert!(submitted.iter().all(Result::is_ok));
        }
        // Claims are released in the background.
        let running = "SELECT COUNT(*) AS n FROM job WHERE state = 'running'";
        eventually("none is left running", async || setup.count(running).await == 0).await;
        let counted = "SELECT COUNT(*) AS n FROM job WHERE state = 'ready' AND attempts <> 0";
        assert_eq!(setup.count(counted).await, 0, "a job that did not start has no attempt");
        let done = setup.count("SELECT COUNT(*) AS n FROM job WHERE state = 'complete'").await;
        assert_eq!(setup.effects().await, done);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn job_started_in_a_killed_process_is_restarted_by_another_process() {
    for setup in Setup::each().await {
        let setup = Arc::new(setup);
        let doomed = process();
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let process_setup = setup.clone();
        doomed.spawn(async move {
            let engine = process_setup.second_engine().await;
            let gate = Gate::new(JobKind::ReadJob);
            let workers = start(&engine, gate.handler.clone()).await;
            // Lets jobs run until one starts immediately.
            let begun = loop {
                let submitted = engine.submit(read_job(fresh_key(&engine))).await.unwrap();
                if !submitted.to_push {
                    break submitted;
                }
                gate.let_through(1);
                engine.wait(submitted.id, LONG).await.unwrap().unwrap();
            };
            let _ = sender.send(begun.id);
            std::future::pending::<()>().await;
            workers.stop().await;
        });
        let id = receiver.await.unwrap();
        doomed.shutdown_background();
        setup.expire_all_leases().await;
        let engine = setup.engine();
        let workers = start(&engine, effect_handler(JobKind::ReadJob)).await;
        scheduler::tick(&engine).await.unwrap();
        setup.db.clock.advance(60_000);
        scheduler::tick(&engine).await.unwrap();
        assert_eq!(engine.wait(id, LONG).await.unwrap().unwrap().state, JobState::Complete);
        assert_eq!(engine.status(id).await.unwrap().unwrap().attempts, 2);
        workers.stop().await;
    }
}

fn fresh_key(engine: &Engine) -> String {
    engine.domain().new_id::<kernel::JobId>().to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiter_gets_completion_of_a_job_that_ended_before_it_listened() {
    for mut setup in Setup::each().await {
        setup.settings.poll_interval_ms = NEVER_MS;
        let engine = setup.engine();
        let workers = start(&engine, effect_handler(JobKind::ReadJob)).await;
        let job = submit_until_one_starts(&engine, "quick").await;
        eventually("it is over", async || state_of(&engine, job.id).await == JobState::Complete).await;
        let waiting =
            engine.await_result(Progress::Waiting { job, pending: ReturnWaitOutcome }, Instant::now() + LONG);
        assert!(matches!(waiting.await, Ok(WaitOutcome::Ended(JobState::Complete))));
        workers.stop().await;
    }
}
