//! Claims of due rows, on both databases.

use std::sync::Arc;

use super::*;
use kernel::Backend;
use kernel::clock::{Clock, HOUR, SystemClock};
use kernel::ids::SeededIds;
use kernel::testing::TestDatabase;

/// A clock that is an hour fast.
struct Fast;

impl Clock for Fast {
    fn now(&self) -> Millis {
        SystemClock.now() + HOUR
    }
}

#[tokio::test]
async fn fast_process_clock_does_not_change_the_current_time() {
    let db = TestDatabase::create(Backend::Postgres).await;
    let fast = Domain::with(db.domain.db().clone(), Arc::new(Fast), Arc::new(SeededIds::new(3)));
    let present = present(fast.db().write(), &fast).await.unwrap();
    assert!(present < fast.now() - HOUR / 2, "the database knows the time");
    for simulated in TestDatabase::each().await {
        let domain = &simulated.domain;
        assert_eq!(super::present(domain.db().write(), domain).await.unwrap(), domain.now());
    }
}

#[tokio::test]
async fn batches_without_jobs_do_not_use_up_the_round() {
    let db = TestDatabase::create(Backend::Sqlite).await;
    let limits = RoundLimits { kind: JobKind::MonitorRun, waiting_jobs: 80, jobs_a_batch: 1, batches: 2 };
    let asked = std::cell::Cell::new(0);
    let jobs = claim_batches(&db.domain, limits, async |domain| {
        asked.set(asked.get() + 1);
        let new = crate::rows::NewJob::new(limits.kind, asked.get().to_string());
        let makes_a_job = asked.get() > 10;
        let job =
            if makes_a_job { vec![crate::rows::submit_by_itself(domain, new).await?] } else { Vec::new() };
        Ok((job, true))
    });
    assert_eq!((jobs.await.unwrap().len(), asked.get()), (2, 12));
    asked.set(0);
    let none = claim_batches(&db.domain, limits, async |_| {
        asked.set(asked.get() + 1);
        Ok((Vec::new(), true))
    });
    assert_eq!((none.await.unwrap().len(), asked.get()), (0, MOST_BATCHES));
}
