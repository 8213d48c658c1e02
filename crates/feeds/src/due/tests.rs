//! Tests of claims of due feeds, on both databases.

use jobs::hosts;
use kernel::clock::{HOUR, SECOND};
use kernel::statement::{execute, scalar};
use kernel::testing::{TestDatabase, series};
use kernel::{Domain, Millis};

/// Inserts due feeds on a thousand servers, and `hot` feeds on a single server that are due before them.
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

/// Returns the number of ticks until the last feed of the thousand servers is claimed.
async fn ticks_of_the_others(db: &TestDatabase) -> u32 {
    for tick in 1..=20 {
        crate::claim_due(&db.domain).await.unwrap();
        let waiting = format!("feed WHERE host <> 'hot.example' AND next_poll_at <= {}", db.domain.now());
        if count(&db.domain, &waiting).await == 0 {
            return tick;
        }
        db.clock.advance(SECOND);
    }
    panic!("some feeds are never claimed");
}

#[tokio::test]
async fn ten_thousand_due_feeds_of_one_server_hardly_delay_other_servers() {
    for (alone, crowded) in TestDatabase::each().await.into_iter().zip(TestDatabase::each().await) {
        due_feeds(&alone.domain, 0).await;
        due_feeds(&crowded.domain, 10_000).await;
        let (without, with) = (ticks_of_the_others(&alone).await, ticks_of_the_others(&crowded).await);
        assert!(with <= 2 * without, "{with} ticks with the crowded server, {without} without it");
        let lines = count(&crowded.domain, "host_turn").await;
        assert_eq!(lines, 1, "only the crowded host has a queue");
    }
}

#[tokio::test]
async fn rows_of_a_busy_host_get_distinct_positions() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        due_feeds(domain, 3_000).await;
        ticks_of_the_others(&db).await;
        assert_eq!(count(domain, "feed WHERE turn_at IS NOT NULL").await, 2_999);
        let positions = "(SELECT DISTINCT turn_at FROM feed WHERE turn_at IS NOT NULL) AS turns";
        assert_eq!(count(domain, positions).await, 2_999, "each feed has its own slot");
        execute(domain.db().write(), "UPDATE feed SET gap_ms = turn_at", []).await.unwrap();
        for _ in 0..20 {
            db.clock.advance(SECOND);
            crate::claim_due(domain).await.unwrap();
        }
        assert_eq!(count(domain, "feed WHERE turn_at <> gap_ms").await, 0, "no slot was moved");
        let claimed = count(domain, "feed WHERE host = 'hot.example' AND next_poll_at <> turn_at").await;
        assert_eq!(claimed, 40, "two feeds per second are claimed");
    }
}

#[tokio::test]
async fn empty_host_queues_are_deleted() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        due_feeds(domain, 10).await;
        crate::claim_due(domain).await.unwrap();
        let connection = domain.db().write();
        hosts::delete_expired(connection, domain.now() + SECOND).await.unwrap();
        assert_eq!(count(domain, "host_turn").await, 1);
        hosts::delete_expired(connection, domain.now() + 5 * SECOND).await.unwrap();
        assert_eq!(count(domain, "host_turn").await, 0);
    }
}
