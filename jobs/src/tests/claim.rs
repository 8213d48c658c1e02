//! Tests of claimed jobs that have not started.

use std::sync::Arc;
use std::time::Duration;

use crate::rows::{self, JobKind, JobState, Submitted};
use kernel::{Backend, JobId};
use sea_orm::ConnectionTrait;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::support::*;
use crate::claim::{ClaimGuard, Claimer};
use crate::transport::QueueItem;
use crate::{Engine, Handlers};

/// Claims jobs as a worker with one slot for each does.
async fn claim(engine: &Engine, submitted: &[Submitted]) -> Vec<ClaimGuard> {
    let (kind, worker, release_now) = (JobKind::ReadJob, Arc::from("worker"), CancellationToken::new());
    let claimer = Claimer { engine: engine.clone(), kind, worker, release_now };
    let slots = Arc::new(Semaphore::new(submitted.len()));
    let permits = submitted.iter().map(|_| slots.clone().try_acquire_owned().unwrap()).collect();
    claimer.claim(submitted.iter().map(QueueItem::from).collect(), permits).await
}

#[tokio::test]
async fn only_unclaimed_jobs_with_locked_rows_are_pushed_again() {
    let setup = Setup::redis(Backend::Postgres).await;
    let (engine, kind) = (setup.engine(), JobKind::ReadJob);
    let mut submitted = Vec::new();
    for key in ["held", "over", "free"] {
        submitted.push(rows::submit_batched(engine.domain(), read_job(key)).await.unwrap());
    }
    rows::cancel(engine.domain(), submitted[1].id).await.unwrap();
    let holder = engine.domain().db().begin().await.unwrap();
    holder.execute_unprepared("SELECT id FROM job WHERE key = 'held' FOR UPDATE").await.unwrap();
    let guards = claim(&engine, &submitted).await;
    let claimed: Vec<JobId> =
        guards.into_iter().filter_map(ClaimGuard::start).map(|claimed| claimed.id).collect();
    assert_eq!(claimed, [submitted[2].id]);
    eventually("the job of the held slot is pushed again", || async {
        engine.depth(kind).await.unwrap() > 0
    })
    .await;
    let items = engine.transport().pop(kind, 10).await.unwrap();
    assert_eq!(items.iter().map(|item| item.id()).collect::<Vec<_>>(), [submitted[0].id]);
    holder.rollback().await.unwrap();
}

#[tokio::test]
async fn claimed_job_that_never_starts_is_released() {
    let setup = Setup::memory(Backend::Sqlite).await;
    let engine = setup.engine();
    let submitted = engine.submit(read_job("a")).await.unwrap();
    let id = submitted.id;
    let guards = claim(&engine, &[submitted]).await;
    assert_eq!(state_of(&engine, id).await, JobState::Running);
    drop(guards);
    eventually("it is ready again", || async { state_of(&engine, id).await == JobState::Ready }).await;
    assert_eq!(engine.status(id).await.unwrap().unwrap().attempts, 0, "a released claim counts no attempt");
}

#[tokio::test]
async fn run_inline_runs_the_job_without_a_worker() {
    for setup in Setup::each().await {
        let (engine, kind) = (setup.engine(), JobKind::ReadJob);
        let id = engine.submit(read_job("a")).await.unwrap().id;
        let (handlers, stop) = (Handlers::new().with(effect_handler(kind)), CancellationToken::new());
        let running = engine.run_inline(&handlers, (kind, id), &stop);
        timeout(Duration::from_mins(1), Box::pin(running)).await.expect("the run completes").unwrap();
        assert_eq!((state_of(&engine, id).await, setup.effects().await), (JobState::Complete, 1));
    }
}
