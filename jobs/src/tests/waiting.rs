//! Tests that waiting callers get completions without polling.

use std::time::Duration;

use crate::rows::{JobKind, JobState, NewJob};
use kernel::{Backend, Code};

use super::support::*;
use crate::Handlers;

const LONG: Duration = Duration::from_mins(1);
/// This interval is so long that only a notification can end the wait.
const NEVER_MS: i64 = 3_600_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiter_is_notified_in_its_process() {
    for mut setup in Setup::each().await {
        setup.settings.poll_interval_ms = NEVER_MS;
        let engine = setup.engine();
        let id = engine.submit(NewJob::new(JobKind::Extraction, "a")).await.unwrap().id;
        let waiting = tokio::spawn({
            let engine = engine.clone();
            async move { engine.wait(id, LONG).await.unwrap().unwrap() }
        });
        eventually("somebody waits", || async { engine.completion_waiters().waiting() == 1 }).await;
        let workers = start(&engine, effect_handler(JobKind::Extraction)).await;
        assert_eq!(waiting.await.unwrap().state, JobState::Complete);
        assert_eq!(engine.completion_waiters().waiting(), 0);
        workers.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiter_in_another_process_is_notified_through_redis() {
    let mut setup = Setup::redis(Backend::Postgres).await;
    setup.settings.poll_interval_ms = NEVER_MS;
    let (web, worker) = (setup.engine(), setup.second_engine().await);
    for round in 0..20 {
        let mut gate = Gate::new(JobKind::Extraction);
        let workers = start(&worker, gate.handler.clone()).await;
        let id = web.submit(NewJob::new(JobKind::Extraction, format!("{round}"))).await.unwrap().id;
        gate.next().await;
        let waiting = tokio::spawn({
            let web = web.clone();
            async move { web.wait(id, LONG).await.unwrap().unwrap() }
        });
        eventually("somebody waits", || async { web.completion_waiters().waiting() == 1 }).await;
        eventually("both processes listen", || async { listeners(&setup) == 2 }).await;
        gate.let_through(1);
        assert_eq!(waiting.await.unwrap().state, JobState::Complete);
        workers.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unpublished_completion_reaches_its_waiter() {
    let mut setup = Setup::redis(Backend::Postgres).await;
    setup.settings.poll_interval_ms = NEVER_MS;
    let worker = setup.engine();
    let mut gate = Gate::new(JobKind::Extraction);
    let workers = start(&worker, gate.handler.clone()).await;
    for round in 0..5 {
        let web = setup.second_engine().await;
        for (key, is_waited_for) in [("nobody waits", false), ("somebody waits", true)] {
            let key = format!("{key} {round}");
            let id = web.submit(NewJob::new(JobKind::Extraction, key)).await.unwrap().id;
            gate.next().await;
            let waiting = is_waited_for.then(|| {
                let web = web.clone();
                tokio::spawn(async move { web.wait(id, LONG).await.unwrap().unwrap() })
            });
            gate.let_through(1);
            match waiting {
                Some(waiting) => assert_eq!(waiting.await.unwrap().state, JobState::Complete),
                None => worker.idle().await,
            }
        }
    }
    workers.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiter_queries_the_row_if_no_notification_arrives() {
    for mut setup in [Setup::memory(Backend::Sqlite).await, Setup::rows().await] {
        setup.settings.poll_interval_ms = 20;
        let (web, worker) = (setup.engine(), setup.second_engine().await);
        let id = web.submit(NewJob::new(JobKind::Extraction, "a")).await.unwrap().id;
        let waiting = tokio::spawn({
            let web = web.clone();
            async move { web.wait(id, LONG).await.unwrap().unwrap() }
        });
        eventually("somebody waits", || async { web.completion_waiters().waiting() == 1 }).await;
        // The other process has its own queue and finds the job with its sweep.
        crate::rows::unmark_pushed(worker.domain(), &[id]).await.unwrap();
        worker.run_until_idle(&Handlers::new().with(effect_handler(JobKind::Extraction))).await;
        assert_eq!(waiting.await.unwrap().state, JobState::Complete);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn completion_before_the_wait_is_returned() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let id = engine.submit(read_job("a")).await.unwrap().id;
        engine.cancel(id).await.unwrap();
        let ended = engine.wait(id, LONG).await.unwrap().unwrap();
        assert_eq!((ended.state, ended.error_code), (JobState::Failed, Some(Code::Cancelled)));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deadline_stops_the_wait_and_removes_its_entry() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let id = engine.submit(read_job("a")).await.unwrap().id;
        assert_eq!(engine.wait(id, Duration::from_millis(30)).await.unwrap(), None);
        assert_eq!(engine.completion_waiters().waiting(), 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_callers_can_wait_for_one_job() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let id = engine.submit(read_job("a")).await.unwrap().id;
        let mut waiting = tokio::task::JoinSet::new();
        for number in 0..50 {
            let engine = engine.clone();
            // Some callers give up early, which must not remove the entry that the other callers use.
            let deadline = if number % 5 == 0 { Duration::from_millis(5) } else { LONG };
            waiting.spawn(async move { engine.wait(id, deadline).await.unwrap() });
        }
        let workers = start(&engine, effect_handler(JobKind::ReadJob)).await;
        let notified = waiting.join_all().await.into_iter().flatten().count();
        assert!(notified >= 40, "only {notified} waiters were notified");
        workers.stop().await;
    }
}
