//! Duplicate pushes, zombie workers, poison jobs, cancellation, and backlogs: effects happen exactly
//! once, and no job is lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::rows::{self, JobKind, JobState, NewJob};
use kernel::testing::{random_id, series};
use kernel::{Backend, Code};
use sea_orm::ConnectionTrait;
use tokio::task::JoinSet;

use super::support::*;
use crate::transport::{Dequeue, QueueItem};
use crate::worker_id::{tests::claim_of_ended_process, worker_name};
use crate::{Handler, Handlers, JobError, scheduler};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn job_pushed_repeatedly_to_four_workers_is_not_run_twice() {
    for setup in Setup::each().await {
        let mut gate = Gate::new(JobKind::ReadJob);
        let mut engines = vec![setup.engine()];
        for _ in 0..3 {
            engines.push(setup.second_engine().await);
        }
        let mut pools = Vec::new();
        for engine in &engines {
            pools.push(start(engine, gate.handler.clone()).await);
        }
        let id = engines[0].submit(read_job("a")).await.unwrap().id;
        gate.next().await;
        let item = QueueItem::new(id, JobKind::ReadJob.rules().priority, setup.domain().now());
        for engine in engines.iter().cycle().take(20) {
            engine.transport().push(JobKind::ReadJob, &[item]).await.unwrap();
            eventually("the copy is drawn", || async { engine.depth(JobKind::ReadJob).await.unwrap() == 0 })
                .await;
        }
        gate.let_through(20);
        engines[0].idle().await;
        for pool in pools {
            pool.stop().await;
        }
        assert_eq!((gate.runs.load(Ordering::SeqCst), setup.effects().await), (1, 1));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn zombie_worker_cannot_write_an_effect() {
    for setup in Setup::each().await {
        let (first, second) = (setup.engine(), setup.second_engine().await);
        let mut slow = Gate::new(JobKind::ReadJob);
        // A single slot, so that the worker cannot claim its own job again.
        let zombie = start_with(&first, slow.handler.clone(), &one_at_a_time(JobKind::ReadJob)).await;
        let id = first.submit(read_job("a")).await.unwrap().id;
        slow.next().await;

        setup.expire_all_leases().await;
        let quick = start(&second, effect_handler(JobKind::ReadJob)).await;
        // The sweep at the start of the second worker has recovered the job.
        let ended = second.wait(id, std::time::Duration::from_mins(1)).await.unwrap().unwrap();
        assert_eq!(ended.state, JobState::Complete);
        slow.let_through(1);
        zombie.stop().await;
        quick.stop().await;
        let job = first.status(id).await.unwrap().unwrap();
        assert_eq!((job.state, job.attempts, job.fence), (JobState::Complete, 2, 2));
        assert_eq!(setup.effects().await, 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn job_of_ended_process_is_requeued_before_its_lease_expires() {
    for setup in Setup::each().await {
        let (engine, (gone, _child)) = (setup.engine(), claim_of_ended_process());
        let lost = engine.submit(read_job("lost")).await.unwrap().id;
        let running = engine.submit(read_job("kept")).await.unwrap().id;
        let claim = async |id, worker: &str| {
            rows::claim(setup.domain(), id, worker, 3_600_000).await.unwrap().unwrap();
        };
        claim(lost, &gone).await;
        claim(running, &worker_name(&engine, JobKind::ReadJob)).await;
        let counts = scheduler::sweep(&engine).await.unwrap();
        assert_eq!((counts.requeued, counts.dead), (1, 0));
        let workers = start(&engine, effect_handler(JobKind::ReadJob)).await;
        let ended = engine.wait(lost, std::time::Duration::from_mins(1)).await.unwrap().unwrap();
        assert_eq!(ended.state, JobState::Complete);
        assert_eq!(
            state_of(&engine, running).await,
            JobState::Running,
            "the process of the running job is alive"
        );
        workers.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn claim_lost_by_the_database_is_repeated_immediately() {
    for setup in Setup::each_with_ids().await {
        let engine = setup.engine();
        let mut gate = Gate::new(JobKind::ReadJob);
        let workers = start(&engine, gate.handler.clone()).await;
        let id = engine.submit(read_job("a")).await.unwrap().id;
        gate.next().await;
        // Simulates a crash that lost the commit of the claim. No sweep runs.
        let sql = "UPDATE job SET state = 'ready', fence = 0, attempts = 0, worker = NULL, lease_until = NULL, \
                   pushed_at = created_at";
        setup.domain().db().write().execute_unprepared(sql).await.unwrap();
        gate.let_through(2);
        let ended = engine.wait(id, std::time::Duration::from_mins(1)).await.unwrap().unwrap();
        assert_eq!(ended.state, JobState::Complete);
        workers.stop().await;
        assert_eq!((gate.runs.load(Ordering::SeqCst), setup.effects().await), (2, 1));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lease_of_a_long_job_is_renewed() {
    for mut setup in Setup::each().await {
        // A process without processor time may lose the short lease.
        let mut runs = 0;
        for lease_ms in [1_500, 20_000] {
            setup.settings.lease_ms = lease_ms;
            runs = runs_beyond_first_lease(&setup).await;
            if runs == 1 {
                break;
            }
        }
        assert_eq!(runs, 1);
    }
}

/// Holds a job until its first lease would have expired. Returns the number of its runs.
async fn runs_beyond_first_lease(setup: &Setup) -> usize {
    let (engine, effects) = (setup.engine(), setup.effects().await);
    let mut gate = Gate::new(JobKind::ReadJob);
    let workers = start(&engine, gate.handler.clone()).await;
    let key = format!("lease of {} ms", setup.settings.lease_ms);
    engine.submit(read_job(key.clone())).await.unwrap();
    gate.next().await;
    let lease = format!("SELECT COALESCE(lease_until, 0) AS n FROM job WHERE key = '{key}'");
    let lease_ms = u64::try_from(setup.settings.lease_ms).unwrap();
    let first = setup.count(&lease).await;
    eventually("the lease is moved on beyond its first end", || async {
        scheduler::sweep(&engine).await.unwrap();
        setup.count(&lease).await > first + lease_ms
    })
    .await;
    gate.let_through(10);
    engine.idle().await;
    workers.stop().await;
    assert_eq!(setup.effects().await, effects + 1);
    gate.runs.load(Ordering::SeqCst)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn poison_job_is_dead_after_four_lost_workers_and_other_jobs_complete() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let poison = engine.submit(read_job("poison")).await.unwrap().id;
        for _ in 0..4 {
            // The attempts never complete, like the attempts of a process that aborts.
            rows::claim(setup.domain(), poison, "aborts", 30_000).await.unwrap().unwrap();
            setup.expire_all_leases().await;
            scheduler::sweep(&engine).await.unwrap();
            setup.make_all_due().await;
        }
        let other = engine.submit(read_job("other")).await.unwrap().id;
        engine.run_until_idle(&Handlers::new().with(effect_handler(JobKind::ReadJob))).await;
        assert_eq!(state_of(&engine, other).await, JobState::Complete);
        let dead = engine.wait(poison, std::time::Duration::from_mins(1)).await.unwrap().unwrap();
        assert_eq!((dead.state, dead.error_code), (JobState::Dead, Some(Code::WorkerLost)));

        engine.retry(poison).await.unwrap();
        engine.run_until_idle(&Handlers::new().with(effect_handler(JobKind::ReadJob))).await;
        assert_eq!((state_of(&engine, poison).await, setup.effects().await), (JobState::Complete, 2));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelled_job_stops_at_the_next_heartbeat() {
    for mut setup in Setup::each().await {
        setup.settings.lease_ms = 300;
        let engine = setup.engine();
        let mut gate = Gate::new(JobKind::ReadJob);
        let workers = start_with(&engine, gate.handler.clone(), &one_at_a_time(JobKind::ReadJob)).await;
        let running = engine.submit(read_job("running")).await.unwrap().id;
        gate.next().await;
        let waiting = engine.submit(read_job("waiting")).await.unwrap().id;
        // The job is cancelled without a notification, as if Redis were unavailable.
        rows::cancel(setup.domain(), waiting).await.unwrap();
        rows::cancel(setup.domain(), running).await.unwrap();
        // The only slot is free again although the gate was never opened.
        engine.submit(read_job("next")).await.unwrap();
        assert_eq!(gate.next().await, "next");
        gate.let_through(1);
        engine.idle().await;
        workers.stop().await;
        for id in [running, waiting] {
            let job = engine.status(id).await.unwrap().unwrap();
            assert_eq!((job.state, job.error_code), (JobState::Failed, Some(Code::Cancelled)));
        }
        assert_eq!(setup.effects().await, 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelled_job_stops_immediately_on_notification() {
    for mut setup in Setup::each().await {
        setup.settings.lease_ms = 24 * 60 * 60 * 1_000;
        let (web, worker) = match setup.settings.redis_url {
            None => (setup.engine(), None),
            Some(_) => (setup.engine(), Some(setup.second_engine().await)),
        };
        let mut gate = Gate::new(JobKind::ReadJob);
        let pool = worker.as_ref().unwrap_or(&web);
        let workers = start_with(pool, gate.handler.clone(), &one_at_a_time(JobKind::ReadJob)).await;
        if worker.is_some() {
            eventually("both processes listen", || async { listeners(&setup) == 2 }).await;
        }
        let running = web.submit(read_job("running")).await.unwrap().id;
        gate.next().await;
        web.cancel(running).await.unwrap();
        let next = web.submit(read_job("next")).await.unwrap().id;
        assert_eq!(gate.next().await, "next");
        gate.let_through(1);
        assert_eq!(
            web.wait(next, std::time::Duration::from_mins(1)).await.unwrap().unwrap().state,
            JobState::Complete
        );
        workers.stop().await;
        assert_eq!((setup.effects().await, state_of(&web, running).await), (1, JobState::Failed));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_sweeps_do_not_push_a_job_twice() {
    for setup in Setup::each_with_ids().await {
        let (one, two) = (setup.engine(), setup.second_engine().await);
        insert_backlog(&setup, 700).await;
        let (first, second) = tokio::join!(scheduler::sweep(&one), scheduler::sweep(&two));
        assert_eq!(first.unwrap().pushed + second.unwrap().pushed, 700);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn large_backlog_drains_within_the_depth_limit() {
    for setup in Setup::each_with_ids().await {
        let engine = setup.engine();
        insert_backlog(&setup, 20_000).await;
        let deepest = Arc::new(AtomicU64::new(0));
        let seen = deepest.clone();
        let handler = Handler::without_effect(JobKind::Extraction, move |context, _| {
            let seen = seen.clone();
            async move {
                if fastrand::u8(..) == 0 {
                    let depth = context.engine.depth(JobKind::Extraction).await.map_err(JobError::from)?;
                    seen.fetch_max(depth, Ordering::SeqCst);
                }
                Ok(())
            }
        });
        engine.run_until_idle(&Handlers::new().with(handler)).await;
        assert_eq!(setup.count("SELECT COUNT(*) AS n FROM job").await, 0);
        assert!(deepest.load(Ordering::SeqCst) <= 1_000, "{deepest:?} ids were in the queue");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_refill_their_queue_between_ticks() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        insert_backlog(&setup, 2_500).await;
        // The sweep at the start fills the queue. No tick follows.
        let workers =
            start(&engine, Handler::without_effect(JobKind::Extraction, |_, _| async { Ok(()) })).await;
        eventually("the whole backlog is done", || async {
            setup.count("SELECT COUNT(*) AS n FROM job").await == 0
        })
        .await;
        workers.stop().await;
    }
}

async fn insert_backlog(setup: &Setup, jobs: u32) {
    let backend = setup.domain().db().backend();
    let (source, id) = (series(backend, jobs), random_id(backend));
    let sql = format!(
        "INSERT INTO job (id, kind, key, payload, priority, run_at, state, attempts, fence, created_at) \
         SELECT {id}, 'extraction', CAST(n AS TEXT), '{{}}', 0, n, 'ready', 0, 0, 0 FROM {source}"
    );
    setup.domain().db().write().execute_unprepared(&sql).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn broken_connections_under_load_do_not_lose_jobs() {
    for setup in [Setup::redis(Backend::Postgres).await, Setup::rows().await] {
        Box::pin(connections_cut_under_load(&setup)).await;
    }
}

async fn connections_cut_under_load(setup: &Setup) {
    let engine = setup.engine();
    for number in 0..300 {
        engine.submit(read_job(number.to_string())).await.unwrap();
    }
    let admin = setup.db.second_handle().await;
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let workers = start(&engine, effect_handler(JobKind::ReadJob)).await;
    let mut cuts = JoinSet::new();
    cuts.spawn(async move {
        for _ in 0..10 {
            // The statement does not terminate its own connection. An error only means that the pool detected
            // the broken connection late.
            let _ = admin.db().write().execute_unprepared(cut).await;
            tokio::task::yield_now().await;
        }
    });
    cuts.join_all().await;
    eventually("every job has its effect", || async {
        // A job interrupted between effect and response waits for the end of its lease or for its retry.
        let lapse = "UPDATE job SET lease_until = 1 WHERE state = 'running' AND attempts < 3";
        let _ = setup.domain().db().write().execute_unprepared(lapse).await;
        setup.db.clock.advance(60_000);
        let _ = scheduler::sweep(&engine).await;
        let completed = rows::count_in_state(setup.domain(), JobKind::ReadJob, JobState::Complete).await;
        completed.is_ok_and(|complete| complete == 300)
    })
    .await;
    workers.stop().await;
    assert_eq!(setup.effects().await, 300);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn job_committed_without_a_push_is_pushed_by_the_sweep() {
    for mut setup in Setup::each().await {
        setup.settings.lost_after_ms = 0;
        let engine = setup.engine();
        let transaction = setup.domain().db().begin().await.unwrap();
        let job = crate::rows::submit(&transaction, setup.domain(), NewJob::new(JobKind::ReadJob, "a"))
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        let in_queue = u64::from(engine.transport().dequeue() == Dequeue::Rows);
        assert_eq!(
            engine.depth(JobKind::ReadJob).await.unwrap(),
            in_queue,
            "no id was pushed before the crash"
        );
        engine.run_until_idle(&Handlers::new().with(effect_handler(JobKind::ReadJob))).await;
        assert_eq!(state_of(&engine, job.id).await, JobState::Complete);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn write_lock_of_another_process_does_not_fail_jobs_or_block_readers() {
    let setup = Setup::memory(Backend::Sqlite).await;
    let engine = setup.engine();
    let workers = start(&engine, effect_handler(JobKind::ReadJob)).await;
    let other = setup.db.second_handle().await;
    for round in 0..5 {
        let lock = other.db().begin().await.unwrap();
        let submitting = tokio::spawn({
            let engine = engine.clone();
            async move { engine.submit(read_job(format!("{round}"))).await.unwrap().id }
        });
        // The lock is taken while the statements of the worker and the caller queue up.
        tokio::task::yield_now().await;
        let waiting = rows::waiting(setup.domain().db().read(), setup.domain(), JobKind::ReadJob, 10).await;
        assert_eq!(waiting.unwrap(), 0, "reads do not wait for the lock");
        lock.commit().await.unwrap();
        let id = submitting.await.unwrap();
        let ended = engine.wait(id, std::time::Duration::from_mins(1)).await.unwrap().unwrap();
        assert_eq!(ended.state, JobState::Complete);
    }
    workers.stop().await;
    assert_eq!(setup.effects().await, 5);
}
