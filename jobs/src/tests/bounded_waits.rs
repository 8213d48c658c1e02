//! Tests that no worker slot, key, or source is blocked forever.

use std::time::Duration;

use crate::rows::{self, JobKind, JobState};
use kernel::{Backend, Code, DatabaseSettings, Domain};
use sea_orm::{ConnectionTrait, DatabaseTransaction};

use super::support::*;
use crate::{Engine, Handler, JobContext, JobError, WorkerSettings};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn endless_handler_is_stopped_and_its_key_is_released() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let handler = Handler::new(JobKind::ReadJob, |_, _| std::future::pending::<Result<(), JobError>>());
        let settings =
            WorkerSettings { max_run_ms: [(JobKind::ReadJob, 20)].into(), ..WorkerSettings::default() };
        let workers = start_with(&engine, handler, &settings).await;
        let id = engine.submit(read_job("a")).await.unwrap().id;
        for _ in 0..3 {
            engine.idle().await;
            setup.db.clock.advance(60_000);
        }
        engine.idle().await;
        workers.stop().await;
        let job = engine.status(id).await.unwrap().unwrap();
        assert_eq!((job.state, job.attempts), (JobState::Failed, 3));
        assert_eq!(job.error_code, Some(Code::RunTimeout));
        assert_ne!(engine.submit(read_job("a")).await.unwrap().id, id);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn embedded_restart_immediately_runs_pushed_jobs() {
    let setup = Setup::memory(Backend::Sqlite).await;
    let id = setup.engine().submit(read_job("a")).await.unwrap().id;
    // The queue of the previous process is lost.
    let engine = setup.engine();
    let workers = start(&engine, effect_handler(JobKind::ReadJob)).await;
    let ended = engine.wait(id, Duration::from_mins(1)).await.unwrap().unwrap();
    assert_eq!(ended.state, JobState::Complete);
    workers.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn permanent_error_releases_the_slot() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let mut gate = Gate::new(JobKind::ReadJob);
        let workers = start_with(&engine, gate.handler.clone(), &one_at_a_time(JobKind::ReadJob)).await;
        engine.submit(read_job("a")).await.unwrap();
        gate.next().await;
        let mut runs = engine.completion_waiters().runs();
        runs.mark_unchanged();
        let write = setup.domain().db().write();
        write.execute_unprepared("ALTER TABLE job RENAME TO elsewhere").await.unwrap();
        gate.let_through(1);
        let freed = tokio::time::timeout(Duration::from_mins(1), runs.changed()).await;
        freed.expect("the run ends").unwrap();
        write.execute_unprepared("ALTER TABLE elsewhere RENAME TO job").await.unwrap();
        workers.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn handler_blocked_by_a_locked_row_is_retried() {
    let setup = Setup::redis(Backend::Postgres).await;
    let short_timeouts =
        DatabaseSettings { lock_timeout: Duration::from_millis(500), ..DatabaseSettings::default() };
    let engine = Engine::new(setup.db.handle_with(&short_timeouts).await, setup.settings.clone()).unwrap();
    let handler = Handler::new(JobKind::ReadJob, async |context: JobContext, job| {
        let sql = "UPDATE effect SET job_key = 'b' WHERE job_key = 'a'";
        context.domain().db().write().execute_unprepared(sql).await.map_err(kernel::Error::from)?;
        Ok(rows::complete(context.domain(), &job).await?)
    });
    let write = setup.domain().db().write();
    write.execute_unprepared("INSERT INTO effect (job_key) VALUES ('a')").await.unwrap();
    let holder = setup.domain().db().begin().await.unwrap();
    holder.execute_unprepared("SELECT 1 FROM effect FOR UPDATE").await.unwrap();
    let id = engine.submit(read_job("a")).await.unwrap().id;
    let workers = start(&engine, handler).await;
    engine.idle().await;
    let job = engine.status(id).await.unwrap().unwrap();
    assert_eq!((job.state, job.attempts), (JobState::Ready, 1));
    assert_eq!(job.error_code, Some(Code::ServiceUnavailable));
    holder.rollback().await.unwrap();
    setup.db.clock.advance(60_000);
    engine.idle().await;
    workers.stop().await;
    assert_eq!(state_of(&engine, id).await, JobState::Complete);
}

#[tokio::test]
async fn slow_statements_and_idle_transactions_time_out() {
    let setup = Setup::memory(Backend::Postgres).await;
    let short_statements =
        DatabaseSettings { statement_timeout: Duration::from_millis(500), ..DatabaseSettings::default() };
    let domain = setup.db.handle_with(&short_statements).await;
    let endless = "SELECT COUNT(*) FROM generate_series(1, 1000000000)";
    let slow = domain.db().write().execute_unprepared(endless).await.unwrap_err();
    assert_eq!(kernel::Error::from(slow).code, Code::ServiceUnavailable);
    let short_transactions = DatabaseSettings {
        idle_transaction_timeout: Duration::from_millis(500),
        ..DatabaseSettings::default()
    };
    let domain = setup.db.handle_with(&short_transactions).await;
    let idle = transaction_with_lock(&domain).await;
    // The idle transaction was rolled back, so this statement gets the lock.
    assert_eq!(setup.effects().await, 0);
    let ended = idle.execute_unprepared("SELECT 1").await.unwrap_err();
    assert_eq!(kernel::Error::from(ended).code, Code::ServiceUnavailable);
    assert!(domain.db().ping().await.is_ok());
}

/// Begins a transaction and locks the table `effect`.
async fn transaction_with_lock(domain: &Domain) -> DatabaseTransaction {
    let lock = "LOCK TABLE effect IN ACCESS EXCLUSIVE MODE";
    for _ in 0..10 {
        let transaction = domain.db().begin().await.unwrap();
        // On a busy machine, the transaction may be idle for too long before its first statement.
        if transaction.execute_unprepared(lock).await.is_ok() {
            return transaction;
        }
    }
    panic!("no transaction has the lock")
}
