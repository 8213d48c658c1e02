//! Jobs on the way from their claim to their run.

use std::sync::Arc;

use domain::jobs::{self, JobKind};
use domain::{Backend, JobId};
use sea_orm::ConnectionTrait;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::support::*;
use crate::drawn::{Claimer, Drawn};
use crate::transport::QueueItem;

#[tokio::test]
async fn of_jobs_that_cannot_be_claimed_only_those_that_somebody_holds_come_again() {
    let setup = Setup::memory(Backend::Postgres).await;
    let (engine, kind) = (setup.engine(), JobKind::ReadJob);
    let mut submitted = Vec::new();
    for key in ["held", "over", "free"] {
        submitted.push(jobs::submit_by_itself(engine.domain(), read_job(key)).await.unwrap());
    }
    jobs::cancel(engine.domain(), submitted[1].id).await.unwrap();
    let holder = engine.domain().db().begin().await.unwrap();
    holder.execute_unprepared("SELECT id FROM job WHERE key = 'held' FOR UPDATE").await.unwrap();
    let (worker, release_now) = (Arc::from("worker"), CancellationToken::new());
    let claimer = Claimer { engine: engine.clone(), kind, worker, release_now };
    let places = Arc::new(Semaphore::new(3));
    let permits = (0..3).map(|_| places.clone().try_acquire_owned().unwrap()).collect();
    let drawn = claimer.claim(submitted.iter().map(QueueItem::from).collect(), permits).await;
    let claimed: Vec<JobId> = drawn.into_iter().filter_map(Drawn::begin).map(|claimed| claimed.id).collect();
    assert_eq!(claimed, [submitted[2].id]);
    eventually("the held one comes again", || async { engine.depth(kind).await.unwrap() > 0 }).await;
    let again = engine.transport().pop(kind, 10).await.unwrap();
    assert_eq!(again.iter().map(|item| item.id()).collect::<Vec<_>>(), [submitted[0].id]);
    holder.rollback().await.unwrap();
}
