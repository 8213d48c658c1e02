//! Processes that share only PostgreSQL: notifications reach every process, and no process depends on them.

use std::time::Duration;

use crate::rows::{self, JobKind, JobState, NewJob, Priority, Progress, WaitOutcome};
use sea_orm::ConnectionTrait;
use tokio::time::Instant;

use super::support::*;
use crate::{Engine, scheduler};

const LONG: Duration = Duration::from_mins(1);
const NEVER_MS: i64 = 3_600_000;
const CUT_LISTENERS: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
     WHERE datname = current_database() AND query LIKE 'LISTEN%'";
const LISTENERS: &str = "SELECT COUNT(*) AS n FROM pg_stat_activity \
     WHERE datname = current_database() AND query LIKE 'LISTEN%'";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiter_gets_completion_of_a_job_claimed_before_its_push() {
    let mut setup = Setup::rows().await;
    setup.settings.poll_interval_ms = NEVER_MS;
    let (web, worker) = (setup.engine(), setup.second_engine().await);
    let workers = start(&worker, effect_handler(JobKind::ReadJob)).await;
    let job = rows::submit_batched(web.domain(), read_job("quick")).await.unwrap();
    // The push of another job wakes the worker, which also claims this row.
    worker.push_items(JobKind::ReadJob, &[]).await.unwrap();
    eventually("the job is done", || async { state_of(&web, job.id).await == JobState::Complete }).await;
    let waiting =
        web.await_result(Progress::Waiting { job, pending: ReturnWaitOutcome }, Instant::now() + LONG);
    assert!(matches!(waiting.await, Ok(WaitOutcome::Ended(JobState::Complete))));
    workers.stop().await;
}

async fn spawn_waiter(engine: &Engine, id: kernel::JobId) -> tokio::task::JoinHandle<JobState> {
    let waiting = tokio::spawn({
        let engine = engine.clone();
        async move { engine.wait(id, LONG).await.unwrap().unwrap().state }
    });
    eventually("somebody waits", || async { engine.completion_waiters().waiting() == 1 }).await;
    waiting
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn completions_and_cancellations_reach_other_processes() {
    let mut setup = Setup::rows().await;
    setup.settings.poll_interval_ms = NEVER_MS;
    let (web, worker) = (setup.engine(), setup.second_engine().await);
    let mut gate = Gate::new(JobKind::Extraction);
    let workers = start(&worker, gate.handler.clone()).await;
    worker.ping().await.unwrap();
    for round in 0..10 {
        let id = web.submit(NewJob::new(JobKind::Extraction, format!("{round}"))).await.unwrap().id;
        gate.next().await;
        let waiting = spawn_waiter(&web, id).await;
        gate.let_through(1);
        assert_eq!(waiting.await.unwrap(), JobState::Complete);
    }
    let id = web.submit(NewJob::new(JobKind::Extraction, "cancelled")).await.unwrap().id;
    gate.next().await;
    web.cancel(id).await.unwrap();
    // The lease is renewed only every ten seconds; so the worker stops because of the notification.
    eventually("the worker lets go of it", || async { worker.completion_waiters().waiting() == 0 }).await;
    assert_eq!(setup.effects().await, 10);
    gate.let_through(1);
    workers.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn process_reconnects_and_rechecks_rows_after_losing_its_listener() {
    let mut setup = Setup::rows().await;
    setup.settings.poll_interval_ms = NEVER_MS;
    let (web, worker) = (setup.engine(), setup.second_engine().await);
    let workers = start(&worker, effect_handler(JobKind::ReadJob)).await;
    for round in 0..5 {
        let id = web.submit(read_job(format!("{round}"))).await.unwrap().id;
        // Committed while no listener receives the notification.
        setup.domain().db().write().execute_unprepared(CUT_LISTENERS).await.unwrap();
        eventually("the job is done", || async { state_of(&web, id).await == JobState::Complete }).await;
        eventually("both listen again", || async { setup.count(LISTENERS).await == 2 }).await;
    }
    workers.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn most_urgent_job_starts_first_and_deferred_job_when_due() {
    let setup = Setup::rows().await;
    let (web, worker) = (setup.engine(), setup.second_engine().await);
    for (key, priority) in
        [("low", Priority::Low), ("urgent", Priority::Urgent), ("normal", Priority::Normal)]
    {
        web.submit(read_job(key).priority(priority)).await.unwrap();
    }
    let due_at = setup.domain().now() + 60_000;
    web.submit(read_job("later").priority(Priority::Urgent).run_at(due_at)).await.unwrap();
    let mut gate = Gate::new(JobKind::ReadJob);
    let workers = start_with(&worker, gate.handler.clone(), &one_at_a_time(JobKind::ReadJob)).await;
    for key in ["urgent", "normal", "low"] {
        assert_eq!(gate.next().await, key);
        gate.let_through(1);
    }
    eventually("three are done", || async { setup.effects().await == 3 }).await;
    setup.db.clock.advance(60_000);
    scheduler::sweep(&web).await.unwrap();
    assert_eq!(gate.next().await, "later");
    gate.let_through(1);
    workers.stop().await;
    assert_eq!(setup.effects().await, 4);
}
