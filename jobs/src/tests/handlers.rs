//! Tests that handler results are recorded in the rows, and that priority, concurrency, and kind filters are respected.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::rows::{JobKind, JobState, NewJob, Priority};
use kernel::Code;

use tokio_util::sync::CancellationToken;

use super::support::*;
use crate::cleanup;
use crate::scheduler::{self, TickCounts};
use crate::transport::Dequeue;
use crate::{Handler, Handlers, WorkerSettings};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn effect_and_completion_are_committed_atomically() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let mut ids = Vec::new();
        for number in 0..40 {
            ids.push(engine.submit(read_job(number.to_string())).await.unwrap().id);
        }
        engine.run_until_idle(&Handlers::new().with(effect_handler(JobKind::ReadJob))).await;
        assert_eq!(setup.effects().await, 40);
        for id in ids {
            assert_eq!(state_of(&engine, id).await, JobState::Complete);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failure_is_final_and_records_its_code() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let handler = Handler::new(JobKind::ReadJob, |_, _| async {
            Err::<(), _>(fail(Code::UrlNotAllowed, "The address is not public."))
        });
        let id = engine.submit(read_job("a")).await.unwrap().id;
        engine.run_until_idle(&Handlers::new().with(handler)).await;
        let job = engine.status(id).await.unwrap().unwrap();
        assert_eq!((job.state, job.attempts), (JobState::Failed, 1));
        assert_eq!(job.error_code, Some(Code::UrlNotAllowed));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn retry_waits_for_the_requested_delay_and_then_succeeds() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let handler = Handler::new(JobKind::ReadJob, |context, job| async move {
            match job.attempt {
                1 => Err(retry_after(2_000)),
                2 => Err(retry_after(8_000)),
                _ => write_effect(context, job).await,
            }
        });
        let handlers = Handlers::new().with(handler);
        let id = engine.submit(read_job("a")).await.unwrap().id;
        for (wait, attempts) in [(1_999, 1), (1, 2), (7_999, 2), (1, 3)] {
            engine.run_until_idle(&handlers).await;
            setup.db.clock.advance(wait);
            engine.run_until_idle(&handlers).await;
            assert_eq!(engine.status(id).await.unwrap().unwrap().attempts, attempts);
        }
        assert_eq!((state_of(&engine, id).await, setup.effects().await), (JobState::Complete, 1));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn panic_counts_as_an_attempt_and_does_not_stop_the_worker() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let handler = Handler::new(JobKind::ReadJob, |context, job| {
            assert_ne!(job.key, "at once", "before the first await");
            async move {
                assert_ne!(job.key, "later", "in the middle");
                write_effect(context, job).await
            }
        });
        let handlers = Handlers::new().with(handler);
        let early_panic = engine.submit(read_job("at once")).await.unwrap().id;
        let late_panic = engine.submit(read_job("later")).await.unwrap().id;
        let well = engine.submit(read_job("well")).await.unwrap().id;
        for _ in 0..3 {
            engine.run_until_idle(&handlers).await;
            setup.db.clock.advance(60_000);
        }
        assert_eq!(state_of(&engine, well).await, JobState::Complete);
        for id in [early_panic, late_panic] {
            let job = engine.status(id).await.unwrap().unwrap();
            assert_eq!((job.state, job.attempts), (JobState::Failed, 3));
            assert_eq!(job.error_code, Some(Code::Internal));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrency_setting_is_respected() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let mut gate = Gate::new(JobKind::ReadJob);
        for number in 0..10 {
            engine.submit(read_job(number.to_string())).await.unwrap();
        }
        let settings =
            WorkerSettings { concurrency: [(JobKind::ReadJob, 3)].into(), ..WorkerSettings::default() };
        let workers = start_with(&engine, gate.handler.clone(), &settings).await;
        for _ in 0..3 {
            gate.next().await;
        }
        assert!(gate.started.try_recv().is_err());
        assert_eq!(setup.count("SELECT COUNT(*) AS n FROM job WHERE state = 'running'").await, 3);
        gate.let_through(1);
        gate.next().await;
        assert!(gate.started.try_recv().is_err());
        gate.let_through(9);
        engine.idle().await;
        workers.stop().await;
        assert_eq!(setup.effects().await, 10);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn most_urgent_job_runs_first() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let mut gate = Gate::new(JobKind::ReadJob);
        let workers = start_with(&engine, gate.handler.clone(), &one_at_a_time(JobKind::ReadJob)).await;
        engine.submit(read_job("running")).await.unwrap();
        gate.next().await;
        for priority in [Priority::Low, Priority::Normal, Priority::Urgent, Priority::High] {
            engine.submit(read_job(format!("{priority:?}")).priority(priority)).await.unwrap();
        }
        gate.let_through(5);
        let mut order = Vec::new();
        for _ in 0..4 {
            order.push(gate.next().await);
        }
        assert_eq!(order, ["Urgent", "High", "Normal", "Low"]);
        engine.idle().await;
        workers.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn worker_runs_only_its_kinds() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let read = engine.submit(read_job("a")).await.unwrap().id;
        let extraction = engine.submit(NewJob::new(JobKind::Extraction, "a")).await.unwrap().id;
        let handlers =
            Handlers::new().with(effect_handler(JobKind::ReadJob)).with(effect_handler(JobKind::Extraction));
        let settings = WorkerSettings { kinds: Some(vec![JobKind::ReadJob]), ..WorkerSettings::default() };
        let workers =
            crate::Workers::start(&engine, &handlers, &settings, CancellationToken::default()).await;
        assert_eq!(
            engine.wait(read, Duration::from_mins(1)).await.unwrap().unwrap().state,
            JobState::Complete
        );
        workers.stop().await;
        assert_eq!(state_of(&engine, extraction).await, JobState::Ready);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn job_can_submit_another_job_and_wait_for_it() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let outer = Handler::new(JobKind::ReadJob, |context, job| async move {
            let inner = context.engine.submit(NewJob::new(JobKind::Extraction, "inner")).await?;
            let ended = context.engine.wait(inner.id, Duration::from_mins(1)).await?;
            assert_eq!(ended.unwrap().state, JobState::Complete);
            write_effect(context, job).await
        });
        let handlers = Handlers::new().with(outer).with(effect_handler(JobKind::Extraction));
        engine.submit(read_job("outer")).await.unwrap();
        engine.run_until_idle(&handlers).await;
        assert_eq!(setup.effects().await, 2);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn submit_beyond_capacity_is_refused() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let capacity = JobKind::Extraction.rules().capacity.unwrap();
        let transaction = setup.domain().db().begin().await.unwrap();
        for number in 0..capacity {
            let job = NewJob::new(JobKind::Extraction, number.to_string());
            crate::rows::submit(&transaction, setup.domain(), job).await.unwrap();
        }
        transaction.commit().await.unwrap();
        let error = engine.submit(NewJob::new(JobKind::Extraction, "one more")).await.unwrap_err();
        assert_eq!(error.code, Code::CapacityExhausted);
        assert_eq!(error.retry_after, Some(5));
        engine.run_until_idle(&Handlers::new().with(effect_handler(JobKind::Extraction))).await;
        assert_eq!(setup.effects().await, u64::from(capacity));
        engine.submit(NewJob::new(JobKind::Extraction, "one more")).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn job_of_a_handler_without_effect_is_completed() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let runs = Arc::new(AtomicUsize::new(0));
        let counted = runs.clone();
        let handler = Handler::without_effect(JobKind::ReadJob, move |_, _| {
            counted.fetch_add(1, Ordering::SeqCst);
            async { Ok(()) }
        });
        let id = engine.submit(read_job("a")).await.unwrap().id;
        engine.run_until_idle(&Handlers::new().with(handler)).await;
        assert_eq!((state_of(&engine, id).await, runs.load(Ordering::SeqCst)), (JobState::Complete, 1));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tick_returns_its_counts_and_cleanup_deletes_old_rows() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let id = engine.submit(read_job("old")).await.unwrap().id;
        engine.run_until_idle(&Handlers::new().with(effect_handler(JobKind::ReadJob))).await;
        engine.submit(read_job("later").run_at(setup.domain().now() + 1)).await.unwrap();
        assert_eq!(scheduler::tick(&engine).await.unwrap(), TickCounts::default());

        setup.db.clock.advance(25 * 60 * 60 * 1_000);
        let counts = scheduler::tick(&engine).await.unwrap();
        // If workers claim from rows, only wake-ups are pushed.
        let pushed = u64::from(engine.transport().dequeue() == Dequeue::Ids);
        assert_eq!(counts, TickCounts { pushed, ..TickCounts::default() });
        // The two deleted rows are the job and the completion count of its minute.
        assert_eq!(cleanup::run_all(engine.domain()).await.unwrap(), 2);
        assert_eq!(engine.status(id).await.unwrap(), None);
        assert_eq!(scheduler::tick(&engine).await.unwrap(), TickCounts::default());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scheduler_ticks_until_it_is_stopped() {
    let setup = Setup::memory(kernel::Backend::Sqlite).await;
    let engine = setup.engine();
    engine.submit(read_job("later").run_at(setup.domain().now() + 5_000)).await.unwrap();
    let stop = CancellationToken::new();
    let ticking = tokio::spawn(scheduler::run(engine.clone(), stop.clone()));
    setup.db.clock.advance(5_000);
    eventually("the due job is pushed", || async { engine.depth(JobKind::ReadJob).await.unwrap() == 1 })
        .await;
    stop.cancel();
    ticking.await.unwrap().unwrap();
}

#[tokio::test]
async fn push_all_pushes_only_jobs_of_one_kind() {
    for mut setup in Setup::each_with_ids().await {
        setup.settings.poll_interval_ms = 1_234;
        let (engine, kind) = (setup.engine(), JobKind::ReadJob);
        assert_eq!(engine.settings().poll_interval_ms, 1_234);
        let deferred = read_job("later").run_at(setup.domain().now() + 5_000);
        let mut submitted = Vec::new();
        for job in [read_job("a"), deferred, NewJob::new(JobKind::Extraction, "b")] {
            submitted.push(crate::rows::submit_batched(setup.domain(), job).await.unwrap());
        }
        assert_eq!(engine.push_all(&submitted).await, 3);
        let queued = engine.transport().pop(kind, 10).await.unwrap();
        assert_eq!(queued.iter().map(|item| item.id()).collect::<Vec<_>>(), [submitted[0].id]);
        assert_eq!(engine.depth(JobKind::Extraction).await.unwrap(), 0);
    }
}
