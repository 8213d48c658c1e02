//! Tests that limits set by an operator at runtime apply across all processes, on every transport.

use std::time::Duration;

use crate::rows::{self, JobKind, JobState, KindLimits};
use kernel::Code;

use super::support::*;
use crate::{Engine, Handler, JobError};

async fn set_limits(engine: &Engine, change: impl FnOnce(&mut KindLimits)) {
    let mut limits = KindLimits {
        kind: JobKind::ReadJob,
        max_run_ms: None,
        most_running: None,
        starts_a_minute: None,
        set_at: 0,
        set_by: "the test".to_owned(),
    };
    change(&mut limits);
    rows::set_limits(engine.domain(), &limits).await.unwrap();
    engine.refresh_limits().await;
}

async fn free_slots(setup: &Setup) -> usize {
    rows::free_slots(setup.domain(), JobKind::ReadJob).await.unwrap()
}

async fn running(setup: &Setup) -> u64 {
    setup.count("SELECT COUNT(*) AS n FROM job WHERE state = 'running'").await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrency_limit_applies_across_processes() {
    for setup in Setup::each().await {
        let (engine, other) = (setup.engine(), setup.engine());
        set_limits(&engine, |limits| limits.most_running = Some(2)).await;
        let mut gate = Gate::new(JobKind::ReadJob);
        let workers = [start(&engine, gate.handler.clone()).await, start(&other, gate.handler.clone()).await];
        for number in 0..6 {
            engine.submit(read_job(number.to_string())).await.unwrap();
        }
        for ended in 0..6 {
            gate.next().await;
            assert!(running(&setup).await <= 2, "at most two jobs run");
            if ended > 0 {
                gate.let_through(1);
            }
        }
        gate.let_through(1);
        eventually("all end", async || setup.effects().await == 6).await;
        for workers in workers {
            workers.stop().await;
        }
        assert_eq!(setup.count("SELECT COUNT(*) AS n FROM job WHERE attempts > 1").await, 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lowered_limit_does_not_stop_runs_and_removed_limit_starts_all_jobs() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        set_limits(&engine, |limits| limits.most_running = Some(3)).await;
        let mut gate = Gate::new(JobKind::ReadJob);
        let workers = start(&engine, gate.handler.clone()).await;
        for number in 0..8 {
            engine.submit(read_job(number.to_string())).await.unwrap();
        }
        for _ in 0..3 {
            gate.next().await;
        }
        set_limits(&engine, |limits| limits.most_running = Some(1)).await;
        assert_eq!((running(&setup).await, free_slots(&setup).await), (3, 0), "running jobs are not stopped");
        gate.let_through(3);
        eventually("those end", async || setup.effects().await == 3).await;
        gate.next().await;
        assert_eq!(running(&setup).await, 1, "one job runs at a time");
        set_limits(&engine, |_| {}).await;
        for _ in 0..4 {
            gate.next().await;
        }
        assert_eq!(running(&setup).await, 5, "all remaining jobs run");
        gate.let_through(5);
        eventually("all end", async || setup.effects().await == 8).await;
        workers.stop().await;
        assert_eq!(setup.count("SELECT COUNT(*) AS n FROM job_grant").await, 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn job_of_a_kind_at_its_limit_does_not_start_on_submission() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let mut gate = Gate::new(JobKind::ReadJob);
        set_limits(&engine, |limits| limits.most_running = Some(1)).await;
        let workers = start(&engine, gate.handler.clone()).await;
        for key in ["a", "b", "c"] {
            engine.submit(read_job(key)).await.unwrap();
        }
        for _ in 0..3 {
            gate.next().await;
            assert_eq!((running(&setup).await, free_slots(&setup).await), (1, 0));
            gate.let_through(1);
        }
        eventually("all end", async || setup.effects().await == 3).await;
        workers.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jobs_started_before_a_limit_was_known_are_counted_afterwards() {
    for setup in Setup::each().await {
        let (engine, other) = (setup.engine(), setup.engine());
        let mut gate = Gate::new(JobKind::ReadJob);
        let workers = start(&other, gate.handler.clone()).await;
        set_limits(&engine, |limits| limits.most_running = Some(1)).await;
        other.submit(read_job("a")).await.unwrap();
        gate.next().await;
        for _ in 0..2 {
            other.refresh_limits().await;
        }
        assert_eq!(free_slots(&setup).await, 0);
        gate.let_through(1);
        eventually("it ends", async || setup.effects().await == 1).await;
        assert_eq!(free_slots(&setup).await, 1);
        workers.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn starts_per_minute_are_paced_until_the_limit_is_removed() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        set_limits(&engine, |limits| limits.starts_a_minute = Some(60)).await;
        for number in 0..8 {
            engine.submit(read_job(number.to_string())).await.unwrap();
        }
        let workers = start(&engine, effect_handler(JobKind::ReadJob)).await;
        // The first two starts are immediate: the due start and the saved start.
        eventually("two begin", async || setup.effects().await == 2).await;
        for (second, ended) in [(1, 3), (2, 4)] {
            setup.db.clock.advance(1_000);
            eventually("one a second begins", async || setup.effects().await >= ended).await;
            assert_eq!(setup.effects().await, ended, "second {second}");
        }
        set_limits(&engine, |_| {}).await;
        setup.db.clock.advance(60_000);
        crate::scheduler::tick(&engine).await.unwrap();
        eventually("all end", async || setup.effects().await == 8).await;
        workers.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slot_of_a_lost_worker_is_free_when_its_lease_expires() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        set_limits(&engine, |limits| limits.most_running = Some(1)).await;
        let id = engine.submit(read_job("a")).await.unwrap().id;
        let ids = [id];
        let lost = rows::claim_within_limits(
            setup.domain(),
            JobKind::ReadJob,
            rows::Candidates::Ids(&ids),
            ("lost", 30_000),
        );
        assert_eq!(lost.await.unwrap().len(), 1);
        assert_eq!(free_slots(&setup).await, 0);
        setup.expire_all_leases().await;
        crate::scheduler::tick(&engine).await.unwrap();
        setup.db.clock.advance(60_000);
        assert_eq!(free_slots(&setup).await, 1);
        let workers = start(&engine, effect_handler(JobKind::ReadJob)).await;
        crate::scheduler::tick(&engine).await.unwrap();
        eventually("another has it", async || setup.effects().await == 1).await;
        workers.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn run_limit_can_be_changed_while_workers_run() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let handler = Handler::new(JobKind::ReadJob, |_, _| std::future::pending::<Result<(), JobError>>());
        let workers = start(&engine, handler).await;
        set_limits(&engine, |limits| limits.max_run_ms = Some(20)).await;
        let id = engine.submit(read_job("a")).await.unwrap().id;
        eventually("the run is stopped", async || {
            let job = engine.status(id).await.unwrap().unwrap();
            job.state == JobState::Ready && job.error_code == Some(Code::RunTimeout)
        })
        .await;
        let limits = rows::limits(setup.domain()).await.unwrap();
        assert_eq!((limits.len(), limits[0].max_run_ms), (1, Some(20)));
        let _ = tokio::time::timeout(Duration::from_mins(1), workers.stop()).await;
    }
}
