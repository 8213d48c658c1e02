//! Tests of claims, poll outcomes, moves, and pauses.

use articles::worker_tools::{ToolSettings, Tools};
use extract::sandbox::{Pool, PoolSettings};
use sea_orm::ConnectionTrait;

use super::*;
use kernel::{Code, Policy};

const GONE: PollFailure = PollFailure {
    code: Code::SourceNotFound,
    host_pause_ms: None,
    gone: true,
    not_found: true,
    is_local: false,
};
const NOT_FOUND: PollFailure = PollFailure { gone: false, ..GONE };
const BROKEN: PollFailure = PollFailure {
    code: Code::SourceError,
    host_pause_ms: None,
    gone: false,
    not_found: false,
    is_local: false,
};

#[test]
fn unchanged_outcome_releases_its_body() {
    let PollOutcome::Unchanged(fetched) = PollOutcome::unchanged(answer("https://a.example/f", &busy()))
    else {
        panic!("the outcome has no news")
    };
    assert!(fetched.body.is_empty() && fetched.body_permit.is_none());
}

#[tokio::test]
async fn concurrent_schedulers_claim_no_feed_twice() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Pro).await;
        for n in 0..120 {
            follows(domain, who, &format!("https://host{n}.example{n}.org/f")).await;
        }
        db.clock.advance(MINUTE);
        let (one, two) = (db.second_handle().await, db.second_handle().await);
        let (first, second) = tokio::join!(claim_due(&one), claim_due(&two));
        let mut feeds = Vec::new();
        for job in first.unwrap().into_iter().chain(second.unwrap()) {
            let row = jobs::get(domain, job.id).await.unwrap().unwrap();
            assert_eq!(row.state, JobState::Ready);
            let batch: due::PollBatch = serde_json::from_str(&row.payload).unwrap();
            feeds.extend(batch.feeds);
        }
        feeds.sort_unstable();
        let claimed = feeds.len();
        feeds.dedup();
        assert_eq!((claimed, feeds.len()), (120, 120));
    }
}

#[tokio::test]
async fn host_gets_one_request_at_a_time() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Pro).await;
        for n in 0..10 {
            follows(domain, who, &format!("https://www{n}.example.org/f")).await;
        }
        follows(domain, who, "https://other.example.net/f").await;
        db.clock.advance(MINUTE);
        let mut sizes = Vec::new();
        for _ in 0..12 {
            let job = due::claim_batch(domain).await.unwrap().job;
            let Some(job) = job else {
                db.clock.advance(500);
                continue;
            };
            let payload = jobs::get(domain, job.id).await.unwrap().unwrap().payload;
            let batch: due::PollBatch = serde_json::from_str(&payload).unwrap();
            sizes.push(batch.feeds.len());
        }
        assert_eq!(sizes[0], 2);
        assert!(sizes[1..].iter().all(|size| *size == 1), "{sizes:?}");
    }
}

#[tokio::test]
async fn feeds_of_a_paused_host_are_not_claimed() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Pro).await;
        let one = follows(domain, who, "https://a.example.org/f").await;
        follows(domain, who, "https://a.example.org/g").await;
        let pause = PollFailure { code: Code::SourceRateLimited, host_pause_ms: Some(5 * MINUTE), ..BROKEN };
        fails(domain, one.feed_id, pause).await;
        let until = domain.now() + 5 * MINUTE;
        for _ in 0..4 {
            db.clock.advance(MINUTE);
            let job = due::claim_batch(domain).await.unwrap().job;
            assert!(job.is_none(), "no feed is claimed within the pause");
        }
        db.clock.advance(3 * MINUTE);
        let job = due::claim_batch(domain).await.unwrap().job;
        assert!(job.is_some() && domain.now() >= until);
    }
}

#[tokio::test]
async fn refresh_and_new_follower_do_not_shorten_a_requested_pause() {
    // Nothing is fetched, so no process is started.
    let sandbox = Pool::new(PoolSettings::new("/bin/false".into(), Vec::new()));
    let tools = Tools::new(&Policy::default(), sandbox, ToolSettings::default()).unwrap();
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Pro).await;
        let mine = follows(domain, who, FEED).await;
        let pause = PollFailure { code: Code::SourceRateLimited, host_pause_ms: Some(2 * HOUR), ..BROKEN };
        fails(domain, mine.feed_id, pause).await;
        let until = domain.now() + 2 * HOUR;
        db.clock.advance(20 * MINUTE);
        refresh(domain, who, mine.id).await.unwrap();
        follows(domain, person(domain, Tier::Pro).await, FEED).await;
        db.clock.advance(MINUTE);
        let job = due::claim_batch(domain).await.unwrap().job.expect("the pause of the host is over");
        let claimed = jobs::claim(domain, job.id, "w", MINUTE).await.unwrap().unwrap();
        poll_batch(domain, &tools, &claimed).await.unwrap();
        let feed = row(domain, mine.feed_id).await;
        assert_eq!((feed.failures, feed.next_poll_at >= Some(until)), (1, true), "nothing was fetched");
    }
}

#[tokio::test]
async fn gone_feed_is_polled_monthly_and_missing_feed_weekly() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let wait = async |feed_id| row(domain, feed_id).await.next_poll_at.unwrap() - domain.now();
        let gone = follows(domain, who, "https://a.example.org/f").await;
        fails(domain, gone.feed_id, GONE).await;
        assert!((30 * DAY..=33 * DAY).contains(&wait(gone.feed_id).await));
        let subscription = get_subscription(domain, who, gone.id).await.unwrap();
        assert!(subscription.last_error.unwrap().starts_with("source_not_found: next try 20"));
        let missing = follows(domain, who, "https://b.example.org/f").await;
        let start = domain.now();
        let mut times = 0;
        while !row(domain, missing.feed_id).await.gone {
            db.clock.advance(wait(missing.feed_id).await.max(0));
            fails(domain, missing.feed_id, NOT_FOUND).await;
            times += 1;
            assert!(times < 50);
        }
        assert!(times >= 5 && domain.now() - start >= 3 * DAY);
        assert!((7 * DAY..=8 * DAY).contains(&wait(missing.feed_id).await));
        // A refresh and a new follower each cause an immediate poll. A feed whose server responds again is
        // scheduled normally.
        refresh(domain, who, missing.id).await.unwrap();
        assert_eq!(wait(missing.feed_id).await, 0);
        follows(domain, person(domain, Tier::Free).await, "https://a.example.org/f").await;
        assert!(wait(gone.feed_id).await <= MINUTE);
        arrives(domain, missing.feed_id, &items(1..=3)).await;
        let back = row(domain, missing.feed_id).await;
        assert_eq!((back.gone, back.not_found, back.last_error_code), (false, 0, None));
        assert!(wait(missing.feed_id).await <= DAY);
    }
}

#[tokio::test]
async fn failures_back_off_and_reset_on_success() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        let mut waits = Vec::new();
        for _ in 0..14 {
            fails(domain, mine.feed_id, BROKEN).await;
            let next = row(domain, mine.feed_id).await.next_poll_at.unwrap();
            waits.push(next - domain.now());
            db.clock.advance(next - domain.now());
        }
        assert!(waits.windows(2).all(|pair| pair[1] >= pair[0]), "{waits:?}");
        assert!(*waits.last().unwrap() <= 53 * HOUR);
        assert!(get_subscription(domain, who, mine.id).await.unwrap().last_error.is_some());
        arrives(domain, mine.feed_id, &items(1..=3)).await;
        let subscription = get_subscription(domain, who, mine.id).await.unwrap();
        assert_eq!((subscription.last_error, subscription.last_fetched_at), (None, Some(domain.now())));
        assert_eq!((subscription.title.as_str(), row(domain, mine.feed_id).await.failures), ("News", 0));
    }
}

#[tokio::test]
async fn result_of_an_expired_claim_changes_nothing() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        let late = row(domain, mine.feed_id).await;
        let outcome = read(domain, mine.feed_id, answer(FEED, &items(1..=3))).await;
        arrives(domain, mine.feed_id, &items(1..=3)).await;
        let result = result_of(domain, late, outcome).await;
        write(domain, result).await;
        assert_eq!(entries(domain, who, EntryFilter::default()).await.entries.len(), 3);
    }
}

#[tokio::test]
async fn best_plan_of_followers_sets_the_minimum_interval() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (slow, fast) = (person(domain, Tier::Free).await, person(domain, Tier::Pro).await);
        let mine = follows(domain, slow, FEED).await;
        let pause = |domain: Domain| async move {
            let feed = row(&domain, mine.feed_id).await;
            feed.next_poll_at.unwrap() - domain.now()
        };
        let body = busy();
        arrives(domain, mine.feed_id, &body).await;
        assert!(pause(domain.clone()).await >= 60 * MINUTE);
        follows(domain, fast, FEED).await;
        arrives(domain, mine.feed_id, &body).await;
        let with_pro = pause(domain.clone()).await;
        assert!((5 * MINUTE..6 * MINUTE).contains(&with_pro), "{with_pro}");
    }
}

#[tokio::test]
async fn batch_that_crashed_its_worker_is_split_into_single_feeds() {
    for (db, feeds) in TestDatabase::each().await.into_iter().zip([2, 3]) {
        let domain = &db.domain;
        let who = person(domain, Tier::Pro).await;
        for n in 0..feeds {
            follows(domain, who, &format!("https://www.site{n}.org/f")).await;
        }
        db.clock.advance(MINUTE);
        let job = due::claim_batch(domain).await.unwrap().job.unwrap();
        let claimed = jobs::claim(domain, job.id, "w", 60_000).await.unwrap().unwrap();
        let single = split_batch(domain, &claimed).await.unwrap().unwrap();
        assert_eq!(single.len(), feeds);
        assert_eq!(jobs::get(domain, job.id).await.unwrap(), None);
        for job in single {
            let claimed = jobs::claim(domain, job.id, "w", 60_000).await.unwrap().unwrap();
            assert_eq!(claimed.arguments::<due::PollBatch>().unwrap().feeds.len(), 1);
            assert_eq!(split_batch(domain, &claimed).await.unwrap(), None);
        }
    }
}

#[tokio::test]
async fn feed_followed_during_its_last_poll_is_still_polled() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        polled(domain, mine.feed_id, PollOutcome::Unfollowed).await;
        assert!(row(domain, mine.feed_id).await.next_poll_at.is_some());
        unfollow(domain, who, mine.id).await.unwrap();
        polled(domain, mine.feed_id, PollOutcome::Unfollowed).await;
        assert_eq!(row(domain, mine.feed_id).await.next_poll_at, None);
    }
}

/// Starts the only due job, and loses its worker, until the job is dead.
async fn crashes(domain: &Domain, job: &jobs::Submitted) -> jobs::DeadJob {
    loop {
        jobs::claim(domain, job.id, "worker", 30_000).await.unwrap().expect("the job can be started again");
        let lapse = "UPDATE job SET lease_until = 1 WHERE state = 'running'";
        domain.db().write().execute_unprepared(lapse).await.unwrap();
        if let Some(dead) = jobs::expire_leases(domain).await.unwrap().dead.pop() {
            return dead;
        }
        let make_due = "UPDATE job SET run_at = 0 WHERE state = 'ready'";
        domain.db().write().execute_unprepared(make_due).await.unwrap();
    }
}

#[tokio::test]
async fn feed_that_crashes_its_workers_backs_off() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Pro).await;
        let feed_id = follows(domain, who, FEED).await.feed_id;
        let mut pauses = Vec::new();
        for failures in 1..=4 {
            let next = row(domain, feed_id).await.next_poll_at.unwrap();
            db.clock.advance((next - domain.now()).max(0));
            let job = due::claim_batch(domain).await.unwrap().job.expect("a feed is due");
            let dead = crashes(domain, &job).await;
            give_up_poll(domain, &dead).await.unwrap();
            let feed = row(domain, feed_id).await;
            assert_eq!(feed.failures, failures);
            assert_eq!(feed.last_error_code.as_deref(), Some("unsupported_content"));
            // If the dead job is reported again, as after a crash of the reporting process, it is not counted
            // again.
            give_up_poll(domain, &dead).await.unwrap();
            assert_eq!(row(domain, feed_id).await.failures, failures);
            pauses.push(feed.next_poll_at.unwrap() - domain.now());
        }
        assert!(pauses.windows(2).all(|pair| pair[0] < pair[1]), "{pauses:?}");
        assert!(pauses[3] > HOUR, "{pauses:?}");
    }
}

#[tokio::test]
async fn dead_batch_is_not_counted_as_a_failure_of_its_feeds() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Pro).await;
        let ids = [
            follows(domain, who, "https://a.example.org/f").await.feed_id,
            follows(domain, who, "https://b.example.net/f").await.feed_id,
        ];
        db.clock.advance(MINUTE);
        let job = due::claim_batch(domain).await.unwrap().job.unwrap();
        give_up_poll(domain, &crashes(domain, &job).await).await.unwrap();
        for id in ids {
            assert_eq!(row(domain, id).await.failures, 0);
        }
    }
}
