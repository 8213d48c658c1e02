//! Fair share: many jobs of an account do not delay the few jobs of another account.

use std::sync::{Arc, Mutex};

use crate::rows::{self, JobKind, JobState, NewJob};
use kernel::{AccountId, JobId};

use super::support::*;
use crate::{Engine, Handler};

const MANY: usize = 10_000;
const FEW: usize = 10;

/// Submits and pushes `count` jobs of an account. Returns their ids.
async fn submit_many(engine: &Engine, owner: u128, count: usize) -> Vec<JobId> {
    let job = |number: usize| read_job(format!("{owner}-{number}")).owner(AccountId::from_u128(owner));
    let jobs: Vec<NewJob> = (0..count).map(job).collect();
    let write = engine.domain().db().write();
    let submitted = rows::submit_all(write, engine.domain(), &jobs).await.unwrap();
    let submitted: Vec<_> = submitted.into_iter().flatten().collect();
    assert_eq!(submitted.len(), count);
    engine.push_all(&submitted).await;
    submitted.iter().map(|job| job.id).collect()
}

/// Submits and pushes `count` jobs of a caller one by one. Returns their ids.
async fn submit_for_caller(engine: &Engine, caller: u128, count: usize) -> Vec<JobId> {
    let mut ids = Vec::with_capacity(count);
    for number in 0..count {
        let job = read_job(format!("{caller}-{number}")).caller(Some(caller.to_string()));
        let submitted = rows::submit_batched(engine.domain(), job).await.unwrap();
        engine.push(&submitted).await.unwrap();
        ids.push(submitted.id);
    }
    ids
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_jobs_of_one_account_do_not_delay_few_jobs_of_another_account() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        submit_many(&engine, 1, MANY).await;
        let few = submit_many(&engine, 2, FEW).await;
        assert_few_run_among_many(&engine, &few).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_jobs_of_one_caller_do_not_delay_few_jobs_of_another_caller() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        submit_for_caller(&engine, 1, 10 * FEW).await;
        let few = submit_for_caller(&engine, 2, FEW).await;
        assert_few_run_among_many(&engine, &few).await;
    }
}

/// Runs one job at a time until `few`, the jobs of the second account or caller, have completed. Asserts that
/// they did not wait for most of the other jobs.
async fn assert_few_run_among_many(engine: &Engine, few: &[JobId]) {
    let order: Arc<Mutex<Vec<String>>> = Arc::default();
    let ran = order.clone();
    let handler = Handler::new(JobKind::ReadJob, move |context, job| {
        ran.lock().unwrap().push(job.key.clone());
        write_effect(context, job)
    });
    let workers = start_with(engine, handler, &one_at_a_time(JobKind::ReadJob)).await;
    eventually("the few are done", || async {
        let mut done = 0;
        for id in few {
            done += usize::from(state_of(engine, *id).await == JobState::Complete);
        }
        done == FEW
    })
    .await;
    workers.stop().await;
    let order = order.lock().unwrap();
    let last = order.iter().rposition(|key| key.starts_with("2-")).unwrap();
    let before = order[..last].iter().filter(|key| key.starts_with("1-")).count();
    assert!((FEW - 1..=2 * FEW).contains(&before), "{before} of the many ran before the last of the few");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fair_share_does_not_delay_jobs_while_workers_are_idle() {
    for setup in Setup::each().await {
        let engine = setup.engine();
        let ids = submit_many(&engine, 1, 50).await;
        let workers = start(&engine, effect_handler(JobKind::ReadJob)).await;
        for id in ids {
            eventually("it is done", || async { state_of(&engine, id).await == JobState::Complete }).await;
        }
        workers.stop().await;
    }
}
