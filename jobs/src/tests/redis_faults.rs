//! Redis that is emptied, killed, unavailable, or filled with invalid data: no job is lost, and workers
//! resume automatically.

use std::time::Duration;

use crate::rows::{JobKind, JobState};
use kernel::{Backend, Code};

use super::support::*;
use crate::{Handlers, cleanup, scheduler};

const JOBS: u32 = 120;

async fn setup_on(redis: &PrivateRedis) -> Setup {
    let mut setup = Setup::with(Backend::Postgres, Some(redis.url())).await;
    setup.settings.lost_after_ms = 0;
    setup
}

async fn all_done(setup: &Setup) -> bool {
    setup.effects().await == u64::from(JOBS)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn flushed_redis_does_not_lose_jobs() {
    let redis = PrivateRedis::start();
    let setup = setup_on(&redis).await;
    let engine = setup.engine();
    for number in 0..JOBS {
        engine.submit(read_job(number.to_string())).await.unwrap();
    }
    redis.command(&["FLUSHALL"]);
    assert_eq!(engine.depth(JobKind::ReadJob).await.unwrap(), 0);
    let workers = start(&engine, effect_handler(JobKind::ReadJob)).await;
    redis.command(&["FLUSHALL"]);
    engine.idle().await;
    workers.stop().await;
    assert!(all_done(&setup).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_redis_does_not_lose_jobs_and_workers_resume() {
    let mut redis = PrivateRedis::start();
    let setup = setup_on(&redis).await;
    let engine = setup.engine();
    let mut gate = Gate::new(JobKind::ReadJob);
    let workers = start_with(&engine, gate.handler.clone(), &one_at_a_time(JobKind::ReadJob)).await;
    for number in 0..JOBS - 1 {
        engine.submit(read_job(number.to_string())).await.unwrap();
    }
    gate.next().await;
    redis.kill();
    // Running jobs continue without Redis, and new submits are stored as rows.
    gate.let_through(1);
    let error = engine.submit(read_job("while away")).await.unwrap_err();
    assert_eq!(error.code, Code::ServiceUnavailable);
    eventually("the running job ends", || async { setup.effects().await == 1 }).await;

    redis.restart();
    gate.let_through(JOBS as usize);
    eventually("the queue answers again", || async { scheduler::sweep(&engine).await.is_ok() }).await;
    engine.idle().await;
    workers.stop().await;
    assert!(all_done(&setup).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiter_rechecks_its_row_when_redis_is_available_again() {
    let mut redis = PrivateRedis::start();
    let mut setup = setup_on(&redis).await;
    setup.settings.poll_interval_ms = 3_600_000;
    let (web, worker) = (setup.engine(), setup.second_engine().await);
    let mut gate = Gate::new(JobKind::ReadJob);
    let workers = start(&worker, gate.handler.clone()).await;
    let id = web.submit(read_job("a")).await.unwrap().id;
    gate.next().await;
    let waiting = tokio::spawn({
        let web = web.clone();
        async move { web.wait(id, Duration::from_mins(1)).await.unwrap().unwrap() }
    });
    eventually("somebody waits", || async { web.completion_waiters().waiting() == 1 }).await;
    eventually("both processes listen", || async { listeners(&setup) == 2 }).await;
    redis.kill();
    gate.let_through(1);
    eventually("the job ends", || async { setup.effects().await == 1 }).await;
    redis.restart();
    assert_eq!(waiting.await.unwrap().state, JobState::Complete);
    workers.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_start_before_redis_is_available() {
    let mut redis = PrivateRedis::start();
    redis.kill();
    let setup = setup_on(&redis).await;
    let engine = setup.engine();
    let workers = start(&engine, effect_handler(JobKind::ReadJob)).await;
    assert!(engine.submit(read_job("early")).await.is_err());
    assert_eq!(engine.ping().await.unwrap_err().code, Code::ServiceUnavailable);
    assert_eq!(setup.count("SELECT COUNT(*) AS n FROM job WHERE state = 'ready'").await, 1);
    redis.restart();
    eventually("the queue answers", || async { scheduler::sweep(&engine).await.is_ok() }).await;
    engine.ping().await.unwrap();
    engine.idle().await;
    assert_eq!(setup.effects().await, 1);
    // The listener has reconnected as well, so a push wakes the worker.
    eventually("the engine listens", || async { listeners(&setup) == 1 }).await;
    let id = engine.submit(read_job("late")).await.unwrap().id;
    let ended = engine.wait(id, std::time::Duration::from_mins(1)).await.unwrap().unwrap();
    assert_eq!(ended.state, JobState::Complete);
    workers.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invalid_queue_entries_and_messages_are_dropped() {
    let redis = PrivateRedis::start();
    let setup = setup_on(&redis).await;
    let engine = setup.engine();
    let queue = format!("{}:queue:read_job", setup.settings.redis_prefix);
    redis.command(&["ZADD", &queue, "0", "rubbish", "1", "j:not-an-id", "2", ""]);
    redis.command(&["PUBLISH", &format!("{}:ended", setup.settings.redis_prefix), "{rubbish"]);
    redis.command(&["PUBLISH", &format!("{}:pushed", setup.settings.redis_prefix), "no kind"]);
    engine.submit(read_job("a")).await.unwrap();
    engine.run_until_idle(&Handlers::new().with(effect_handler(JobKind::ReadJob))).await;
    assert_eq!(setup.effects().await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tick_without_redis_does_not_mark_jobs_as_pushed_but_cleanup_runs() {
    let mut redis = PrivateRedis::start();
    let mut setup = setup_on(&redis).await;
    setup.settings.lost_after_ms = 10_000;
    let engine = setup.engine();
    let old = engine.submit(read_job("old")).await.unwrap().id;
    engine.cancel(old).await.unwrap();
    let due = engine.submit(read_job("due").run_at(setup.domain().now() + 1)).await.unwrap().id;
    setup.db.clock.advance(48 * 60 * 60 * 1_000);
    redis.kill();
    assert_eq!(scheduler::tick(&engine).await.unwrap_err().code, Code::ServiceUnavailable);
    assert_eq!(cleanup::run_all(engine.domain()).await.unwrap(), 1);
    assert_eq!(engine.status(old).await.unwrap(), None);
    redis.restart();
    eventually("the queue answers", || async { engine.depth(JobKind::ReadJob).await.is_ok() }).await;
    assert_eq!(scheduler::tick(&engine).await.unwrap().pushed, 1);
    assert_eq!(state_of(&engine, due).await, JobState::Ready);
}
