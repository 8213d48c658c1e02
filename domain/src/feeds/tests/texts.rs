//! Articles behind entries: who pays, how much, and what waits.

use super::*;
use crate::jobs::Priority;
use crate::limits::FRESH_DAY;
use entities::feed_text_request;
use entities::ids::{AccountId, FeedId};
use sea_orm::PaginatorTrait;

async fn wants_texts(domain: &Domain, who: AccountId) -> Subscription {
    let new = Follow { feed_url: FEED.to_owned(), full_text: true, ..Follow::default() };
    follow(domain, who, new).await.unwrap().subscription
}

async fn waiting(domain: &Domain) -> u64 {
    feed_text_request::Entity::find().count(domain.db().write()).await.unwrap()
}

/// What is used of the day's downloads.
async fn used(domain: &Domain, who: AccountId, tier: Tier) -> u32 {
    let states = domain.limits().states(domain, who, tier).await.unwrap();
    states.iter().find(|state| state.name == FRESH_DAY).unwrap().used
}

async fn holds(domain: &Domain, feed_id: FeedId, count: u32) {
    arrives(domain, feed_id, &items(1..=count)).await;
}

#[tokio::test]
async fn texts_take_half_of_a_followers_day_and_the_rest_waits_for_a_week_at_most() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = wants_texts(domain, who).await;
        holds(domain, mine.feed_id, 50).await;
        let jobs = claim_texts(domain).await.unwrap();
        assert_eq!(jobs.len(), 50);
        assert!(
            jobs.iter().all(|job| job.priority == Priority::Low),
            "behind everything that somebody waits for"
        );
        assert_eq!((used(domain, who, Tier::Free).await, waiting(domain).await), (50, 0));
        db.clock.advance(MINUTE);
        holds(domain, mine.feed_id, 60).await;
        assert_eq!(claim_texts(domain).await.unwrap().len(), 0, "the other half is the follower's own");
        assert_eq!((used(domain, who, Tier::Free).await, waiting(domain).await), (50, 10));
        db.clock.advance(DAY);
        assert_eq!(claim_texts(domain).await.unwrap().len(), 10, "the next day has room");
        holds(domain, mine.feed_id, 70).await;
        db.clock.advance(8 * DAY);
        delete_unfollowed(domain).await.unwrap();
        assert_eq!(waiting(domain).await, 0);
    }
}

#[tokio::test]
async fn one_follower_pays_for_a_shared_text_the_one_with_most_left() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (small, large) = (person(domain, Tier::Free).await, person(domain, Tier::Premium).await);
        let reader = person(domain, Tier::Pro).await;
        let mine = wants_texts(domain, small).await;
        wants_texts(domain, large).await;
        follows(domain, reader, FEED).await;
        holds(domain, mine.feed_id, 5).await;
        assert_eq!(claim_texts(domain).await.unwrap().len(), 5);
        assert_eq!(used(domain, small, Tier::Free).await, 0);
        assert_eq!(used(domain, large, Tier::Premium).await, 5);
        assert_eq!(used(domain, reader, Tier::Pro).await, 0, "who wants summaries pays nothing");
    }
}

#[tokio::test]
async fn texts_of_what_is_there_are_wanted_when_a_follower_begins_to_want_them() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, later) = (person(domain, Tier::Free).await, person(domain, Tier::Premium).await);
        let mine = follows(domain, who, FEED).await;
        holds(domain, mine.feed_id, 80).await;
        assert_eq!(waiting(domain).await, 0);
        let update = SubscriptionUpdate { full_text: Some(true), ..SubscriptionUpdate::default() };
        update_subscription(domain, who, mine.id, update).await.unwrap();
        assert_eq!(waiting(domain).await, 50, "the newest fifty");
        claim_texts(domain).await.unwrap();
        wants_texts(domain, later).await;
        assert_eq!(waiting(domain).await, 50);
        let entry = entries(domain, who, EntryFilter::default()).await.entries[79].clone();
        let (_, content) = get_entry(domain, who, entry.id, 500).await.unwrap();
        let content = content.unwrap();
        assert_eq!((content.source, content.pending), (ContentSource::Feed, true));
        assert_eq!(waiting(domain).await, 51, "a text that is not there is asked for when its entry is read");
        let other = person(domain, Tier::Free).await;
        follows(domain, other, FEED).await;
        let (_, content) = get_entry(domain, other, entry.id, 500).await.unwrap();
        assert!(!content.unwrap().pending);
    }
}

#[tokio::test]
async fn looking_for_feeds_costs_one_fresh_extraction() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let payer = crate::articles::Payer { account_id: who, tier: Tier::Free };
        let site =
            |n: u32| crate::articles::Address::parse(domain, &format!("https://site{n}.example/")).unwrap();
        for n in 0..10 {
            let progress = request_discovery(domain, payer, &site(n)).await.unwrap();
            assert!(matches!(progress, crate::jobs::Progress::Waiting { .. }));
        }
        assert_eq!(used(domain, who, Tier::Free).await, 10);
        assert!(request_discovery(domain, payer, &site(11)).await.is_err(), "ten a minute");
        let other = person(domain, Tier::Free).await;
        let other = crate::articles::Payer { account_id: other, tier: Tier::Free };
        let joined = request_discovery(domain, other, &site(3)).await.unwrap();
        assert!(matches!(joined, crate::jobs::Progress::Waiting { .. }));
        assert_eq!(used(domain, other.account_id, Tier::Free).await, 0, "who joins a search pays nothing");
    }
}
