//! Claims of what is due, on both databases.

use std::sync::Arc;

use super::*;
use crate::Backend;
use crate::clock::{Clock, HOUR, SECOND, SystemClock};
use crate::ids::SeededIds;
use crate::statement::execute;
use crate::testing::{TestDatabase, series};

/// A machine's clock that is an hour fast.
struct Fast;

impl Clock for Fast {
    fn now(&self) -> Millis {
        SystemClock.now() + HOUR
    }
}

#[tokio::test]
async fn a_process_whose_clock_is_fast_finds_nothing_due_before_its_time() {
    let db = TestDatabase::create(Backend::Postgres).await;
    let fast = Domain::with(db.domain.db().clone(), Arc::new(Fast), Arc::new(SeededIds::new(3)));
    let present = present(fast.db().write(), &fast).await.unwrap();
    assert!(present < fast.now() - HOUR / 2, "the database knows the time");
    for simulated in TestDatabase::each().await {
        let domain = &simulated.domain;
        assert_eq!(super::present(domain.db().write(), domain).await.unwrap(), domain.now());
    }
}

/// Feeds of a thousand servers that are due, and as many as `hot` of one server that were due before them.
async fn due_feeds(domain: &Domain, hot: u32) {
    let (now, backend) = (domain.now(), domain.db().backend());
    let insert = |url: &str, host: &str, at: Millis, count: u32| {
        format!(
            "INSERT INTO feed (url, host, trust_guid, trust_url, gone, created_at, next_poll_at) \
             SELECT {url}, {host}, TRUE, TRUE, FALSE, {now}, {at} FROM {}",
            series(backend, count)
        )
    };
    let others = insert("'https://site' || n || '.example/'", "'site' || n || '.example'", now - 1, 1_000);
    let hot = insert("'https://hot.example/' || n", "'hot.example'", now - HOUR, hot);
    for sql in [hot, others] {
        execute(domain.db().write(), &sql, []).await.unwrap();
    }
}

async fn count(domain: &Domain, of: &str) -> i64 {
    scalar(domain.db().read(), &format!("SELECT COUNT(*) FROM {of}"), []).await.unwrap()
}

/// Ticks until the last feed of another server is claimed.
async fn ticks_of_the_others(db: &TestDatabase) -> u32 {
    for tick in 1..=20 {
        crate::feeds::claim_due(&db.domain).await.unwrap();
        let waiting = format!("feed WHERE host <> 'hot.example' AND next_poll_at <= {}", db.domain.now());
        if count(&db.domain, &waiting).await == 0 {
            return tick;
        }
        db.clock.advance(SECOND);
    }
    panic!("they are never claimed");
}

#[tokio::test]
async fn ten_thousand_due_at_one_server_do_not_delay_a_thousand_of_others() {
    for (alone, beside) in TestDatabase::each().await.into_iter().zip(TestDatabase::each().await) {
        due_feeds(&alone.domain, 0).await;
        due_feeds(&beside.domain, 10_000).await;
        let (without, with) = (ticks_of_the_others(&alone).await, ticks_of_the_others(&beside).await);
        assert!(with <= 2 * without, "{with} ticks, {without} without");
        let lines = count(&beside.domain, "host_turn").await;
        assert_eq!(lines, 1, "who asks a server alone stands in no line");
    }
}

#[tokio::test]
async fn a_row_of_a_busy_server_moves_once_to_a_turn_of_its_own() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        due_feeds(domain, 3_000).await;
        ticks_of_the_others(&db).await;
        assert_eq!(count(domain, "feed WHERE turn_at IS NOT NULL").await, 2_999);
        let turns = "(SELECT DISTINCT turn_at FROM feed WHERE turn_at IS NOT NULL) AS turns";
        assert_eq!(count(domain, turns).await, 2_999, "each has its own");
        execute(domain.db().write(), "UPDATE feed SET gap_ms = turn_at", []).await.unwrap();
        for _ in 0..20 {
            db.clock.advance(SECOND);
            crate::feeds::claim_due(domain).await.unwrap();
        }
        assert_eq!(count(domain, "feed WHERE turn_at <> gap_ms").await, 0, "nobody's turn was moved");
        let claimed = count(domain, "feed WHERE host = 'hot.example' AND next_poll_at <> turn_at").await;
        assert_eq!(claimed, 40, "two a second, as the server is asked");
    }
}

#[tokio::test]
async fn lines_in_which_nobody_waits_are_forgotten() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        due_feeds(domain, 10).await;
        crate::feeds::claim_due(domain).await.unwrap();
        let connection = domain.db().write();
        hosts::delete_ended(connection, domain.now() + SECOND).await.unwrap();
        assert_eq!(count(domain, "host_turn").await, 1);
        hosts::delete_ended(connection, domain.now() + 5 * SECOND).await.unwrap();
        assert_eq!(count(domain, "host_turn").await, 0);
    }
}

#[tokio::test]
async fn batches_that_make_no_job_leave_room_for_those_that_do() {
    let db = TestDatabase::create(Backend::Sqlite).await;
    let limits = RoundLimits { kind: JobKind::MonitorRun, waiting_jobs: 80, jobs_a_batch: 1, batches: 2 };
    let asked = std::cell::Cell::new(0);
    let jobs = claim_batches(&db.domain, limits, async |domain| {
        asked.set(asked.get() + 1);
        let new = jobs::NewJob::new(limits.kind, asked.get().to_string());
        let makes_a_job = asked.get() > 10;
        let job = if makes_a_job { vec![jobs::submit_by_itself(domain, new).await?] } else { Vec::new() };
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
