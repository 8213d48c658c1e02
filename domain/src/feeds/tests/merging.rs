//! A feed that moved for good to an address that is another known feed's.

use super::*;
use entities::ids::{AccountId, FeedId};

const THERE: &str = "https://new.example.net/feed";

/// The feed at `FEED` is asked, and sent on for good to `THERE`, which gives this body.
async fn sent_on(domain: &Domain, feed_id: FeedId, body: &str) {
    let mut fetched = answer(THERE, body);
    fetched.permanent_url = Some(Url::parse(THERE).unwrap());
    let outcome = read(domain, feed_id, fetched).await;
    polled(domain, feed_id, outcome).await;
}

async fn titles(domain: &Domain, account_id: AccountId, unread: bool) -> Vec<String> {
    let filter = EntryFilter { unread: Some(unread), ..EntryFilter::default() };
    let mut titles: Vec<String> =
        entries(domain, account_id, filter).await.entries.into_iter().map(|entry| entry.title).collect();
    titles.sort();
    titles
}

async fn mark(domain: &Domain, account_id: AccountId, feed_id: FeedId, title: &str) {
    let filter = EntryFilter { feed_id: Some(feed_id), ..EntryFilter::default() };
    let page = entries(domain, account_id, filter).await;
    let id = page.entries.iter().find(|entry| entry.title == title).unwrap().id;
    assert_eq!(mark_entries(domain, account_id, &[id], false).await.unwrap(), (1, 0));
}

#[tokio::test]
async fn followers_of_a_feed_that_moved_to_a_known_one_follow_that_one() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (old, both, new) = (
            person(domain, Tier::Free).await,
            person(domain, Tier::Free).await,
            person(domain, Tier::Free).await,
        );
        let here = follows(domain, old, FEED).await;
        let own = NewCollection { name: "Mine".into(), feed_ids: vec![here.feed_id] };
        let collection = create_collection(domain, old, own).await.unwrap();
        follows(domain, both, FEED).await;
        let there = follows(domain, new, THERE).await;
        let both_there = follows(domain, both, THERE).await;
        // Notes 1 and 2 are the moved feed's alone, 3 and 4 in both, 5 and 6 the other's alone.
        arrives(domain, here.feed_id, &items(1..=4)).await;
        arrives(domain, there.feed_id, &items(3..=6)).await;
        mark(domain, old, here.feed_id, "Note 1").await;
        mark(domain, old, here.feed_id, "Note 3").await;
        mark(domain, both, here.feed_id, "Note 2").await;
        mark(domain, both, here.feed_id, "Note 4").await;
        mark(domain, both, there.feed_id, "Note 5").await;
        mark(domain, new, there.feed_id, "Note 6").await;
        for _ in 0..3 {
            assert_eq!(get_subscription(domain, old, here.id).await.unwrap().feed_id, here.feed_id);
            sent_on(domain, here.feed_id, &items(3..=4)).await;
        }

        let moved = get_subscription(domain, old, here.id).await.unwrap();
        assert_eq!((moved.feed_id, moved.collection_id), (there.feed_id, collection.id));
        assert_eq!(moved.feed_url, THERE);
        assert_eq!(titles(domain, old, true).await, ["Note 2", "Note 4"]);
        assert_eq!(titles(domain, old, false).await, ["Note 1", "Note 3", "Note 5", "Note 6"]);
        assert_eq!(moved.unread_count, 2);

        let page = list_subscriptions(domain, both, None, None, 10).await.unwrap();
        assert_eq!(page.subscriptions.iter().map(|one| one.id).collect::<Vec<_>>(), [both_there.id]);
        assert_eq!(titles(domain, both, true).await, ["Note 1", "Note 3", "Note 6"]);
        assert_eq!(titles(domain, both, false).await, ["Note 2", "Note 4", "Note 5"]);
        assert_eq!(page.subscriptions[0].unread_count, 3);

        assert_eq!(titles(domain, new, false).await, ["Note 6"]);
        assert_eq!(titles(domain, new, true).await.len(), 5);
        assert_eq!(unread(domain, new, there.id).await, 5);

        // Both addresses lead to the one feed, and only that one is polled from now on.
        assert_eq!(follows(domain, new, FEED).await.feed_id, there.feed_id);
        assert_eq!(row(domain, here.feed_id).await.next_poll_at, None);
        arrives(domain, there.feed_id, &items(3..=7)).await;
        for who in [old, both, new] {
            assert!(titles(domain, who, true).await.contains(&"Note 7".to_owned()));
        }
        db.clock.advance(31 * DAY);
        assert_eq!(delete_unfollowed(domain).await.unwrap(), 1);
        assert_eq!(titles(domain, old, false).await.len(), 4);
    }
}

#[tokio::test]
async fn feeds_that_told_entries_apart_in_different_ways_still_merge_without_doubles() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (old, new) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let here = follows(domain, old, FEED).await;
        let there = follows(domain, new, THERE).await;
        arrives(domain, there.feed_id, &items(1..=3)).await;
        // Here the guids were once seen to be worth nothing, so that entries go by address and text.
        let mut broken = row(domain, here.feed_id).await.into_active_model();
        broken.trust_guid = Set(false);
        broken.update(domain.db().write()).await.unwrap();
        arrives(domain, here.feed_id, &items(1..=3)).await;
        for _ in 0..3 {
            sent_on(domain, here.feed_id, &items(1..=3)).await;
        }
        assert_eq!(titles(domain, old, true).await, ["Note 1", "Note 2", "Note 3"]);
        assert_eq!(titles(domain, new, true).await, ["Note 1", "Note 2", "Note 3"]);
    }
}

#[tokio::test]
async fn a_merge_that_is_done_twice_changes_nothing_more() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let (here, there) = (follows(domain, who, FEED).await, follows(domain, who, THERE).await);
        arrives(domain, here.feed_id, &items(1..=3)).await;
        arrives(domain, there.feed_id, &items(2..=4)).await;
        let one = redirects::Merge { from: here.feed_id, into: there.feed_id };
        merge::merge(domain, one).await.unwrap();
        let first = entries(domain, who, EntryFilter::default()).await;
        merge::merge(domain, one).await.unwrap();
        assert_eq!(entries(domain, who, EntryFilter::default()).await, first);
        assert_eq!(first.entries.len(), 4);
        let gone = redirects::Merge { from: 99_999.into(), into: there.feed_id };
        merge::merge(domain, gone).await.unwrap();
    }
}
