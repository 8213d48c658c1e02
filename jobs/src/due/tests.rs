//! Tests of claims of due rows, on both databases.

use std::sync::Arc;

use super::*;
use kernel::clock::HOUR;
use kernel::testing::TestDatabase;
use kernel::{Backend, Clock, SeededIds, SystemClock};

/// Clock that is an hour fast.
struct FastClock;

impl Clock for FastClock {
    fn now(&self) -> Millis {
        SystemClock.now() + HOUR
    }
}

#[tokio::test]
async fn fast_process_clock_does_not_change_the_current_time() {
    let db = TestDatabase::create(Backend::Postgres).await;
    let fast = Domain::with(db.domain.db().clone(), Arc::new(FastClock), Arc::new(SeededIds::new(3)));
    let present = current_time(fast.db().write(), &fast).await.unwrap();
    assert!(present < fast.now() - HOUR / 2, "the time is that of the database");
    for simulated in TestDatabase::each().await {
        let domain = &simulated.domain;
        assert_eq!(super::current_time(domain.db().write(), domain).await.unwrap(), domain.now());
    }
}

#[tokio::test]
async fn batches_without_jobs_do_not_count_towards_the_round_limit() {
    let db = TestDatabase::create(Backend::Sqlite).await;
    let limits =
        RoundLimits { kind: JobKind::MonitorRun, max_waiting_jobs: 80, jobs_per_batch: 1, batches: 2 };
    let calls = std::cell::Cell::new(0);
    let jobs = claim_batches(&db.domain, limits, async |domain| {
        calls.set(calls.get() + 1);
        let new = crate::rows::NewJob::new(limits.kind, calls.get().to_string());
        let makes_a_job = calls.get() > 10;
        let job =
            if makes_a_job { vec![crate::rows::submit_batched(domain, new).await?] } else { Vec::new() };
        Ok((job, true))
    });
    assert_eq!((jobs.await.unwrap().len(), calls.get()), (2, 12));
    calls.set(0);
    let none = claim_batches(&db.domain, limits, async |_| {
        calls.set(calls.get() + 1);
        Ok((Vec::new(), true))
    });
    assert_eq!((none.await.unwrap().len(), calls.get()), (0, MAX_BATCHES));
}
