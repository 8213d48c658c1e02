//! Batched submits, claims, and completions: acknowledged submits are durable, interrupted work is repeated,
//! and no caller waits for the completion of another caller.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::rows::{self, JobKind, JobState};
use kernel::{Backend, JobId};
use sea_orm::ConnectionTrait;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use super::support::*;
use crate::{Engine, Handler, Handlers, WorkerSettings, Workers, scheduler};

const CALLERS: usize = 16;
const KILLS: usize = 6;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_submit_survives_a_kill() {
    for setup in Setup::each().await {
        let setup = Arc::new(setup);
        let answered: Arc<Mutex<Vec<JobId>>> = Arc::default();
        for kill in 1..=KILLS {
            let doomed = process();
            let (process_setup, acknowledged) = (setup.clone(), answered.clone());
            doomed.spawn(async move {
                // Engine with its own id generator.
                let engine = process_setup.engine_with_clock(0).await;
                let callers = (0..CALLERS)
                    .map(|caller| submit_forever(&engine, format!("{kill}-{caller}"), &acknowledged));
                futures_util::future::join_all(callers).await;
            });
            eventually("some are answered", || async { answered.lock().unwrap().len() >= kill * 40 }).await;
            doomed.shutdown_background();
        }
        let answered: Vec<JobId> = answered.lock().unwrap().clone();
        for id in &answered {
            assert!(
                rows::get(setup.domain(), *id).await.unwrap().is_some(),
                "{id} was confirmed and is lost"
            );
        }
        let keys = setup.count("SELECT COUNT(DISTINCT key) AS n FROM job").await;
        assert_eq!(keys, setup.count("SELECT COUNT(*) AS n FROM job").await);
    }
}

async fn submit_forever(engine: &Engine, name: String, answered: &Mutex<Vec<JobId>>) {
    for number in 0.. {
        // A submit of a killed process is not acknowledged.
        let Ok(submitted) = engine.submit(read_job(format!("{name}-{number}"))).await else { return };
        answered.lock().unwrap().push(submitted.id);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jobs_of_workers_killed_during_batches_are_completed() {
    for mut setup in Setup::each().await {
        setup.settings.lease_ms = 1_000;
        let (setup, total) = (Arc::new(setup), 400);
        let engine = setup.engine();
        let submits = (0..total).map(|number| engine.submit(read_job(number.to_string())));
        for submitted in futures_util::future::join_all(submits).await {
            submitted.unwrap();
        }
        for kill in 1..=KILLS {
            let runs = Arc::new(AtomicUsize::new(0));
            let doomed = killable_workers(&setup, runs.clone());
            eventually("the process gets somewhere", || async {
                let left = "SELECT COUNT(*) AS n FROM job WHERE finished_at IS NULL";
                runs.load(Ordering::SeqCst) >= kill * 7 || setup.count(left).await == 0
            })
            .await;
            doomed.shutdown_background();
            setup.expire_all_leases().await;
            scheduler::sweep_lost_after(&engine, 0).await.unwrap();
            setup.make_all_due().await;
        }
        let handlers =
            Handlers::new().with(Handler::without_effect(JobKind::ReadJob, |_, _| async { Ok(()) }));
        // Tasks of the last killed process may have claimed jobs after its leases were expired.
        setup.expire_all_leases().await;
        scheduler::sweep_lost_after(&engine, 0).await.unwrap();
        setup.make_all_due().await;
        engine.run_until_idle(&handlers).await;
        let filter = rows::JobFilter { state: Some(JobState::Dead), limit: 1_000, ..Default::default() };
        for job in rows::list(setup.domain(), &filter).await.unwrap() {
            engine.retry(job.id).await.unwrap();
        }
        engine.run_until_idle(&handlers).await;
        assert_eq!(
            rows::count_in_state(setup.domain(), JobKind::ReadJob, JobState::Complete).await.unwrap(),
            total
        );
    }
}

fn killable_workers(setup: &Arc<Setup>, runs: Arc<AtomicUsize>) -> Runtime {
    let (runtime, setup) = (process(), setup.clone());
    runtime.spawn(async move {
        let engine = setup.second_engine().await;
        let handler = Handler::without_effect(JobKind::ReadJob, move |_, _| {
            runs.fetch_add(1, Ordering::SeqCst);
            async { Ok(()) }
        });
        let (handlers, settings) = (Handlers::new().with(handler), WorkerSettings::default());
        let _workers = Workers::start(&engine, &handlers, &settings, CancellationToken::new()).await;
        let mut ticks = tokio::time::interval(Duration::from_millis(50));
        loop {
            ticks.tick().await;
            // The process may be killed during the sweep.
            let _ = scheduler::sweep_lost_after(&engine, 0).await;
        }
    });
    runtime
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slot_is_released_before_completion_is_committed() {
    let setup = Setup::redis(Backend::Postgres).await;
    let engine = setup.engine();
    let (sender, mut ran) = tokio::sync::mpsc::unbounded_channel();
    let open = Arc::new(tokio::sync::Semaphore::new(0));
    let gate = open.clone();
    let handler = Handler::without_effect(JobKind::ReadJob, move |_, job| {
        let (sender, gate) = (sender.clone(), gate.clone());
        async move {
            let _ = sender.send(job.key);
            gate.acquire().await.unwrap().forget();
            Ok(())
        }
    });
    let workers = start_with(&engine, handler, &one_at_a_time(JobKind::ReadJob)).await;
    let first = engine.submit(read_job("first")).await.unwrap().id;
    assert_eq!(ran.recv().await.as_deref(), Some("first"));
    // The completion of the first job must wait for this transaction.
    let holder = setup.domain().db().begin().await.unwrap();
    holder.execute_unprepared("SELECT id FROM job WHERE key = 'first' FOR UPDATE").await.unwrap();
    open.add_permits(2);
    engine.submit(read_job("second")).await.unwrap();
    let second = tokio::time::timeout(Duration::from_mins(1), ran.recv()).await;
    assert_eq!(
        second.expect("the second job does not wait for the completion of the first").as_deref(),
        Some("second")
    );
    assert_eq!(state_of(&engine, first).await, JobState::Running);
    holder.rollback().await.unwrap();
    engine.idle().await;
    workers.stop().await;
    assert_eq!(state_of(&engine, first).await, JobState::Complete);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn claimed_jobs_that_did_not_start_are_released_at_shutdown() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let begun: Arc<Mutex<BTreeSet<String>>> = Arc::default();
        let seen = begun.clone();
        let handler = Handler::without_effect(JobKind::ReadJob, move |_, job| {
            seen.lock().unwrap().insert(job.key);
            async { Ok(()) }
        });
        let submits = (0..300).map(|number| engine.submit(read_job(number.to_string())));
        for submitted in futures_util::future::join_all(submits).await {
            submitted.unwrap();
        }
        for _ in 0..5 {
            let workers = start(&engine, handler.clone()).await;
            tokio::task::yield_now().await;
            workers.stop().await;
            let running = "SELECT COUNT(*) AS n FROM job WHERE state = 'running'";
            assert_eq!(setup.count(running).await, 0, "a stopped worker has no running jobs");
        }
        engine.run_until_idle(&Handlers::new().with(handler)).await;
        assert_eq!(begun.lock().unwrap().len(), 300);
        let started_twice = "SELECT COUNT(*) AS n FROM job WHERE attempts > 1";
        assert_eq!(setup.count(started_twice).await, 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn second_scheduler_takes_over_when_the_leader_stops() {
    let setup = Setup::redis(Backend::Postgres).await;
    let (one, two) = (setup.engine(), setup.second_engine().await);
    let (stop_one, stop_two) = (CancellationToken::new(), CancellationToken::new());
    let leader = tokio::spawn(scheduler::run(one, stop_one.clone()));
    let leaders = "SELECT COUNT(*) AS n FROM scheduler_leader";
    eventually("the first one leads", || async { setup.count(leaders).await == 1 }).await;
    let next = tokio::spawn(scheduler::run(two.clone(), stop_two.clone()));
    stop_one.cancel();
    leader.await.unwrap().unwrap();
    two.submit(read_job("later").run_at(setup.domain().now() + 5_000)).await.unwrap();
    setup.db.clock.advance(5_000);
    eventually("the second one pushes what is due", || async {
        two.depth(JobKind::ReadJob).await.unwrap() == 1
    })
    .await;
    assert_eq!(setup.count(leaders).await, 1);
    stop_two.cancel();
    next.await.unwrap().unwrap();
    assert_eq!(setup.count(leaders).await, 0, "the leader resigns when it stops");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tick_without_work_executes_at_most_three_statements() {
    for setup in Setup::each().await {
        let (db, statements) = setup.db.second_handle().await.db().clone().counted();
        let domain = kernel::Domain::with(db, setup.db.clock.clone(), Arc::new(kernel::RandomIds));
        let engine = Engine::new(domain, setup.settings.clone()).unwrap();
        scheduler::tick(&engine).await.unwrap();
        let before = statements.load(Ordering::Relaxed);
        scheduler::tick(&engine).await.unwrap();
        let executed = statements.load(Ordering::Relaxed) - before;
        assert!((1..=3).contains(&executed), "{executed} statements");
    }
}
