//! Tests of pauses of hosts. Tests with rows run on both databases.

use std::time::Duration;

use super::*;
use kernel::Domain;
use kernel::statement::scalar;
use kernel::testing::TestDatabase;

#[test]
fn host_is_paused_only_by_responses_that_request_a_pause() {
    let status = |status, seconds: Option<u64>| fetch::Error::Status {
        status,
        retry_after: seconds.map(Duration::from_secs),
    };
    let pauses = [
        (status(429, None), Some(DEFAULT_PAUSE)),
        (status(429, Some(1)), Some(MINUTE)),
        (status(503, Some(600)), Some(10 * MINUTE)),
        (status(503, None), None),
        (status(500, Some(600)), None),
        (fetch::Error::RateLimited { retry_after: Some(Duration::from_hours(400)) }, Some(DAY)),
        (fetch::Error::Timeout { reason: "late", answered: true }, None),
    ];
    for (error, pause) in pauses {
        assert_eq!(pause_after(&error), pause, "{error:?}");
    }
}

fn request(url: &str, length: Millis) -> Pause<'_> {
    Pause { url, length, account_id: Some(AccountId::from_u128(1)) }
}

#[tokio::test]
async fn shorter_pause_does_not_replace_a_longer_pause() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let (connection, now) = (domain.db().write(), domain.now());
        for (url, length) in [
            ("https://one.example/a", 2 * MINUTE),
            ("https://one.example/a", MINUTE),
            ("https://one.example/b", MINUTE),
            ("https://two.example:8443/", MINUTE),
        ] {
            pause(connection, now, request(url, length)).await.unwrap();
        }
        let hosts = || ["one.example", "two.example:8443", "two.example"].map(str::to_owned);
        let active = paused(connection, hosts(), now + MINUTE).await.unwrap();
        assert_eq!(active, HashMap::from([("one.example".to_owned(), now + 2 * MINUTE)]));
        assert_eq!(paused(connection, [], now).await.unwrap(), HashMap::new());
        assert_eq!(delete_expired(connection, now + MINUTE).await.unwrap(), 2);
        assert_eq!(paused(connection, hosts(), now).await.unwrap().len(), 1);
    }
}

#[tokio::test]
async fn long_host_pause_needs_two_accounts_within_an_hour() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let (connection, now) = (domain.db().write(), domain.now());
        let page = |number| format!("https://shared.example/{number}");
        let pause_of = async |at: Millis| {
            let active = paused(connection, ["shared.example".to_owned()], at).await.unwrap();
            active.get("shared.example").map(|until| until - now)
        };
        for number in 1..=4 {
            pause(connection, now, request(&page(number), DAY)).await.unwrap();
        }
        assert_eq!(
            pause_of(now).await,
            Some(MAX_SINGLE_PAUSE),
            "a single account can pause a host only for the maximum"
        );
        assert_eq!(pause_of(now + MAX_SINGLE_PAUSE).await, None);
        let other = |number: u128| Some(AccountId::from_u128(number));
        let late = Pause { url: &page(5), length: DAY, account_id: other(2) };
        pause(connection, now + 2 * HOUR, late).await.unwrap();
        assert_eq!(
            pause_of(now + 2 * HOUR).await,
            Some(2 * HOUR + MAX_SINGLE_PAUSE),
            "pauses of two accounts must be within an hour"
        );
        let second = Pause { url: &page(6), length: DAY / 4, account_id: other(3) };
        pause(connection, now + 2 * HOUR, second).await.unwrap();
        assert_eq!(
            pause_of(now + 2 * HOUR).await,
            Some(2 * HOUR + DAY / 4),
            "the shorter pause of two accounts applies"
        );
    }
}

/// Adds a due row of `host`, and saves its queue. Returns the decision.
async fn queue_row(domain: &Domain, host: &str) -> QueueDecision {
    let connection = domain.db().write();
    let mut queue = HostQueue::new(domain.now(), 50);
    queue.load(connection, [host]).await.unwrap();
    let decision = queue.decide(host, DueReason::Due);
    queue.decide(host, DueReason::Due);
    queue.save(connection).await.unwrap();
    decision
}

#[tokio::test]
async fn queue_of_a_clock_that_was_ahead_delays_no_row() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        database.clock.advance(40 * DAY);
        assert_eq!(queue_row(domain, "one.example").await, QueueDecision::Now);
        database.clock.advance(-40 * DAY);
        assert_eq!(queue_row(domain, "one.example").await, QueueDecision::Now);
        let queued = queue_row(domain, "one.example").await;
        assert!(matches!(queued, QueueDecision::Queued(at) if at < domain.now() + MINUTE), "{queued:?}");
    }
}

#[tokio::test]
async fn pauses_and_queues_of_a_clock_that_was_ahead_are_deleted() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let (connection, now) = (domain.db().write(), domain.now());
        pause(connection, now, request("https://one.example/", DAY)).await.unwrap();
        pause(connection, now + 40 * DAY, request("https://two.example/", MINUTE)).await.unwrap();
        database.clock.advance(40 * DAY);
        queue_row(domain, "two.example").await;
        delete_expired(connection, now).await.unwrap();
        let hosts = ["one.example", "two.example"].map(str::to_owned);
        let active = paused(connection, hosts, now).await.unwrap();
        assert_eq!(active.into_keys().collect::<Vec<_>>(), ["one.example"]);
        assert_eq!(scalar(connection, "SELECT COUNT(*) FROM host_turn", []).await.unwrap(), 0);
    }
}
