//! Tests of concurrent writers of the same rows on PostgreSQL. They lock rows in the same order and never
//! deadlock.

use sea_orm::ConnectionTrait;

use super::super::order::lock_order;
use super::*;
use ::identity::accounts;
use kernel::{Backend, Code};

const ROUNDS: usize = 20;

#[tokio::test]
async fn batches_that_pause_the_same_hosts_do_not_deadlock() {
    let database = TestDatabase::create(Backend::Postgres).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Pro).await;
    let mut batches = [Vec::new(), Vec::new()];
    for (number, batch) in batches.iter_mut().enumerate() {
        for host in ["a", "b", "c"] {
            batch.push(
                follows(domain, who, &format!("https://{host}.example/feed{number}.xml")).await.feed_id,
            );
        }
    }
    batches[1].reverse();
    let failed = PollFailure { host_pause_ms: Some(HOUR), ..PollFailure::other(Code::SourceRateLimited) };
    let round = async |ids: &[FeedId]| {
        let mut results = Vec::new();
        for id in ids {
            let mut result = result_of(domain, row(domain, *id).await, PollOutcome::Failed(failed)).await;
            // Each host has one URL and therefore one pause row, which both batches write.
            result.feed.url = format!("https://{}/feed.xml", result.feed.host);
            results.push(result);
        }
        let transaction = domain.db().begin().await.unwrap();
        store::write(&transaction, domain, results).await.unwrap();
        transaction.commit().await.unwrap();
    };
    for _ in 0..ROUNDS {
        database.clock.advance(MINUTE);
        tokio::join!(round(&batches[0]), round(&batches[1]));
    }
}

#[tokio::test]
async fn monitor_run_waiting_for_the_order_lock_does_not_block_the_lock_owner() {
    let database = TestDatabase::create(Backend::Postgres).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Pro).await;
    let mine = follows(domain, who, FEED).await;
    arrives(domain, mine.feed_id, &items(0..2)).await;
    let entry = entities::feed_entry::Entity::find().one(domain.db().read()).await.unwrap().unwrap();
    let mark = entities::rss_entry_mark::Model {
        account_id: who,
        feed_id: mine.feed_id,
        entry_id: entry.id,
        unread: true,
        muted_by: None,
    };
    // A monitor run locks its account and then takes the order lock. The transaction that has the order lock
    // writes rows that reference the account.
    let (run, moving) = (domain.db().begin().await.unwrap(), domain.db().begin().await.unwrap());
    accounts::lock(&run, who).await.unwrap();
    lock_order(&moving).await.unwrap();
    let run = async {
        lock_order(&run).await.unwrap();
        run.commit().await.unwrap();
    };
    let moving = async {
        moving.execute_unprepared("SET LOCAL lock_timeout = 5000").await.unwrap();
        mark.into_active_model().insert(&moving).await.unwrap();
        moving.commit().await.unwrap();
    };
    tokio::join!(run, moving);
}

#[tokio::test]
async fn unfollow_waits_for_a_concurrent_follow() {
    let database = TestDatabase::create(Backend::Postgres).await;
    let domain = &database.domain;
    let (last, first) = (person(domain, Tier::Pro).await, person(domain, Tier::Pro).await);
    let theirs = follows(domain, last, FEED).await;
    let (following, letting_go) = (domain.db().begin().await.unwrap(), domain.db().begin().await.unwrap());
    let new = Follow { feed_url: FEED.to_owned(), ..Follow::default() };
    follow::follow_in(&following, domain, first, new).await.unwrap();
    letting_go.execute_unprepared("SET LOCAL lock_timeout = 50").await.unwrap();
    assert!(
        sql::stop_polling_unfollowed(&letting_go, &[theirs.feed_id]).await.is_err(),
        "the statement waits for the lock"
    );
    following.commit().await.unwrap();
    drop(letting_go);
    unfollow(domain, last, theirs.id).await.unwrap();
    assert!(row(domain, theirs.feed_id).await.next_poll_at.is_some());
}
