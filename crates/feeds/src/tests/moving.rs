//! Tests of feeds that move: subscriptions and read state after a move, and isolation from entries of feeds
//! that an account did not follow.

mod strangers;

use super::*;
use entities::ids::{AccountId, FeedId};
use kernel::Code;

pub(super) const THERE: &str = "https://new.example.net/feed";

/// Polls the feed. The response is a permanent redirect to `to`, with this body.
async fn redirects_to(domain: &Domain, feed_id: FeedId, to: &str, body: &str) {
    let mut fetched = answer(to, body);
    fetched.permanent_url = Some(Url::parse(to).unwrap());
    let outcome = read(domain, feed_id, fetched).await;
    polled(domain, feed_id, outcome).await;
}

/// Redirects the feed permanently until the move is accepted.
pub(super) async fn moves(db: &TestDatabase, feed_id: FeedId, to: &str, body: &str) {
    for _ in 0..8 {
        redirects_to(&db.domain, feed_id, to, body).await;
        db.clock.advance(DAY);
    }
}

async fn titles(domain: &Domain, account_id: AccountId, unread: bool) -> Vec<String> {
    let filter = EntryFilter { unread: Some(unread), ..EntryFilter::default() };
    let mut titles: Vec<String> =
        entries(domain, account_id, filter).await.entries.into_iter().map(|entry| entry.title).collect();
    titles.sort();
    titles
}

/// Returns the titles of all entries that are visible to an account.
async fn all_titles(domain: &Domain, account_id: AccountId) -> Vec<String> {
    let page = entries(domain, account_id, EntryFilter::default()).await;
    let mut titles: Vec<String> = page.entries.into_iter().map(|entry| entry.title).collect();
    titles.sort();
    titles
}

async fn mark(domain: &Domain, account_id: AccountId, feed_id: FeedId, title: &str) {
    let filter = EntryFilter { feed_id: Some(feed_id), ..EntryFilter::default() };
    let page = entries(domain, account_id, filter).await;
    let id = page.entries.iter().find(|entry| entry.title == title).unwrap().id;
    assert_eq!(mark_entries(domain, account_id, &[id], false).await.unwrap(), (1, 0));
}

async fn take_back(
    domain: &Domain,
    account_id: AccountId,
    id: SubscriptionId,
    url: &str,
) -> kernel::error::Result<Subscription> {
    let update = SubscriptionUpdate { feed_url: Some(url.to_owned()), ..SubscriptionUpdate::default() };
    update_subscription(domain, account_id, id, update).await
}

fn evil(guids: &[&str]) -> String {
    let item = |guid: &&str| {
        format!(
            "<item><title>URGENT {guid}</title><link>https://evil.example/{guid}</link><guid>{guid}</guid></item>"
        )
    };
    let items: Vec<String> = guids.iter().map(item).collect();
    format!("<rss version=\"2.0\"><channel><title>Evil</title>{}</channel></rss>", items.concat())
}

#[tokio::test]
async fn feed_moves_after_equal_redirects_over_three_days() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        let (there, third) = ("https://www.example.org/feed", "https://www.example.org/x");
        for to in [there, there, there, there, third, there, there, there] {
            redirects_to(domain, mine.feed_id, to, &items(1..=3)).await;
            db.clock.advance(HOUR);
        }
        let still = get_subscription(domain, who, mine.id).await.unwrap();
        assert_eq!(
            (still.feed_id, still.moved_from),
            (mine.feed_id, None),
            "a redirect of three hours moves no subscription"
        );
        db.clock.advance(3 * DAY);
        redirects_to(domain, mine.feed_id, there, &items(1..=3)).await;
        let moved = get_subscription(domain, who, mine.id).await.unwrap();
        assert_eq!(moved.feed_url, there);
        let from = MovedFrom { feed_url: FEED.to_owned(), at: domain.now() };
        assert_eq!((moved.moved_from, moved.id), (Some(from), mine.id));
        assert_eq!(all_titles(domain, who).await, ["Note 1", "Note 2", "Note 3"]);
    }
}

#[tokio::test]
async fn redirect_to_another_domain_is_accepted_after_seven_days() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        redirects_to(domain, mine.feed_id, THERE, &items(1..=3)).await;
        for day in 1..=7 {
            assert_eq!(get_subscription(domain, who, mine.id).await.unwrap().feed_url, FEED, "day {day}");
            db.clock.advance(DAY);
            let mut same = answer(THERE, "");
            same.permanent_url = Some(Url::parse(THERE).unwrap());
            polled(domain, mine.feed_id, PollOutcome::Unchanged(Box::new(same))).await;
        }
        assert_eq!(get_subscription(domain, who, mine.id).await.unwrap().feed_url, THERE);
    }
}

#[tokio::test]
async fn followers_of_a_moved_feed_follow_the_known_target() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (old, both, new) = (
            person(domain, Tier::Free).await,
            person(domain, Tier::Free).await,
            person(domain, Tier::Free).await,
        );
        let origin = follows(domain, old, FEED).await;
        let own = NewCollection { name: "Mine".into(), feed_ids: vec![origin.feed_id] };
        let collection = create_collection(domain, old, own).await.unwrap();
        follows(domain, both, FEED).await;
        let there = follows(domain, new, THERE).await;
        let both_there = follows(domain, both, THERE).await;
        // Notes 1 and 2 are only in the moved feed, notes 3 and 4 in both feeds, and notes 5 and 6 only in
        // the other feed.
        arrives(domain, origin.feed_id, &items(1..=4)).await;
        arrives(domain, there.feed_id, &items(3..=6)).await;
        mark(domain, old, origin.feed_id, "Note 1").await;
        mark(domain, old, origin.feed_id, "Note 3").await;
        mark(domain, both, origin.feed_id, "Note 2").await;
        mark(domain, both, origin.feed_id, "Note 4").await;
        mark(domain, both, there.feed_id, "Note 5").await;
        mark(domain, new, there.feed_id, "Note 6").await;
        moves(&db, origin.feed_id, THERE, &items(3..=4)).await;

        let moved = get_subscription(domain, old, origin.id).await.unwrap();
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
        assert_eq!(titles(domain, new, true).await, ["Note 3", "Note 4", "Note 5"]);
        assert_eq!(unread(domain, new, there.id).await, 3);

        arrives(domain, there.feed_id, &items(3..=7)).await;
        for who in [old, both, new] {
            assert!(titles(domain, who, true).await.contains(&"Note 7".to_owned()));
        }
    }
}

#[tokio::test]
async fn id_of_a_moved_feed_resolves_to_the_new_feed() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let old = follows(domain, who, FEED).await.feed_id;
        arrives(domain, old, &items(1..=4)).await;
        moves(&db, old, THERE, &items(2..=4)).await;
        let filter = EntryFilter { feed_id: Some(old), ..EntryFilter::default() };
        let page = entries(domain, who, filter).await;
        assert_eq!((page.entries.len(), page.unread_total), (4, 4));
        let new = page.entries[0].feed_id;
        assert!(new != old && page.entries.iter().all(|entry| entry.feed_id == new));
        let made = NewCollection { name: "Moved".into(), feed_ids: vec![old] };
        assert_eq!(create_collection(domain, who, made).await.unwrap().feed_ids, [new]);
        let all = MarkRead { scope: ReadScope::Feed(old), bound: ReadBound::Through(page.as_of_id) };
        assert_eq!(mark_read(domain, who, all).await.unwrap(), 4);
        assert_eq!(entries(domain, who, EntryFilter::default()).await.unread_total, 0);
    }
}

#[tokio::test]
async fn known_entries_do_not_arrive_again_after_a_move() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let old = follows(domain, who, FEED).await;
        arrives(domain, old.feed_id, &items(1..=4)).await;
        mark(domain, who, old.feed_id, "Note 3").await;
        moves(&db, old.feed_id, THERE, &items(2..=5)).await;
        assert_eq!(all_titles(domain, who).await.len(), 5);
        // The first poll of the new feed also returns older entries that the old feed never had.
        let new = get_subscription(domain, who, old.id).await.unwrap().feed_id;
        arrives(domain, new, &items(0..=6)).await;
        assert_eq!(all_titles(domain, who).await.len(), 7, "each entry is listed once");
        assert_eq!(titles(domain, who, false).await, ["Note 0", "Note 3", "Note 6"]);
        arrives(domain, new, &items(0..=7)).await;
        assert_eq!(titles(domain, who, true).await, ["Note 1", "Note 2", "Note 4", "Note 5", "Note 7"]);
        assert_eq!(unread(domain, who, old.id).await, 5);
    }
}

#[tokio::test]
async fn setting_the_old_address_undoes_a_move_permanently() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let mine = follows(domain, who, FEED).await;
        let theirs = follows(domain, other, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=4)).await;
        moves(&db, mine.feed_id, THERE, &items(2..=4)).await;
        let there = get_subscription(domain, who, mine.id).await.unwrap().feed_id;
        arrives(domain, there, &items(2..=5)).await;
        mark(domain, who, there, "Note 3").await;
        let refused = take_back(domain, who, mine.id, "https://elsewhere.example/f").await.unwrap_err();
        assert_eq!(refused.code, Code::InvalidRequest);
        let back = take_back(domain, who, mine.id, FEED).await.unwrap();
        assert_eq!((back.feed_id, back.feed_url.as_str(), back.moved_from), (mine.feed_id, FEED, None));
        assert_eq!(all_titles(domain, who).await, ["Note 1", "Note 2", "Note 3", "Note 4"]);
        assert_eq!(
            titles(domain, who, false).await,
            ["Note 3"],
            "an entry that was read in the new feed is read in the old one"
        );
        assert!(row(domain, mine.feed_id).await.next_poll_at.unwrap() <= domain.now() + MINUTE);
        moves(&db, mine.feed_id, THERE, &items(2..=6)).await;
        assert_eq!(get_subscription(domain, who, mine.id).await.unwrap().feed_id, mine.feed_id);
        assert_eq!(get_subscription(domain, other, theirs.id).await.unwrap().feed_id, there);
    }
}

#[tokio::test]
async fn feed_that_stops_redirecting_becomes_independent_again() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, newcomer) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=3)).await;
        moves(&db, mine.feed_id, THERE, &items(1..=3)).await;
        let alias = row(domain, mine.feed_id).await;
        assert!(alias.successor_id.is_some());
        let wait = alias.next_poll_at.unwrap() - domain.now();
        assert!((20 * DAY..32 * DAY).contains(&wait), "the old address is polled monthly: {wait}");
        polled(domain, mine.feed_id, PollOutcome::StillRedirected).await;
        assert!(row(domain, mine.feed_id).await.successor_id.is_some());
        // A new follower causes an immediate poll and, if the feed still redirects, an immediate move.
        let theirs = follows(domain, newcomer, FEED).await;
        assert!(row(domain, mine.feed_id).await.next_poll_at.unwrap() <= domain.now() + MINUTE);
        redirects_to(domain, mine.feed_id, THERE, &items(1..=3)).await;
        assert_eq!(get_subscription(domain, newcomer, theirs.id).await.unwrap().feed_url, THERE);
        polled(domain, mine.feed_id, PollOutcome::RedirectEnded).await;
        assert_eq!(row(domain, mine.feed_id).await.successor_id, None);
        let third = person(domain, Tier::Free).await;
        assert_eq!(follows(domain, third, FEED).await.feed_id, mine.feed_id);
        arrives(domain, mine.feed_id, &items(1..=4)).await;
        assert_eq!(all_titles(domain, third).await.len(), 4);
        assert_eq!(all_titles(domain, who).await.len(), 3, "a moved subscription is not affected");
    }
}

#[tokio::test]
async fn feeds_with_a_shared_entry_can_move_to_the_same_feed() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let theirs = follows(domain, other, THERE).await;
        arrives(domain, theirs.feed_id, &items(1..=2)).await;
        let old = ["https://one.example.org/f", FEED];
        let mut ids = Vec::new();
        for url in old {
            let feed_id = follows(domain, who, url).await.feed_id;
            arrives(domain, feed_id, &items(1..=5)).await;
            ids.push(feed_id);
        }
        mark(domain, who, ids[0], "Note 4").await;
        for feed_id in ids {
            moves(&db, feed_id, THERE, &items(1..=5)).await;
        }
        // An entry that both old feeds have arrives in the new feed. It is read if it was read in one of
        // them, and polling continues.
        arrives(domain, theirs.feed_id, &items(1..=6)).await;
        assert_eq!(all_titles(domain, who).await.len(), 6, "each entry is listed once");
        assert_eq!(titles(domain, who, false).await, ["Note 4"]);
        assert_eq!(titles(domain, other, true).await.len(), 6);
    }
}

#[tokio::test]
async fn redirected_feed_without_previous_followers_is_deleted() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=3)).await;
        moves(&db, mine.feed_id, THERE, &items(1..=3)).await;
        polled(domain, mine.feed_id, PollOutcome::StillRedirected).await;
        assert!(
            row(domain, mine.feed_id).await.next_poll_at.is_some(),
            "the old feed is polled while a moved subscription exists"
        );
        unfollow(domain, who, mine.id).await.unwrap();
        db.clock.advance(31 * DAY);
        delete_unfollowed(domain).await.unwrap();
        polled(domain, mine.feed_id, PollOutcome::StillRedirected).await;
        assert_eq!(row(domain, mine.feed_id).await.next_poll_at, None);
        delete_unfollowed(domain).await.unwrap();
        assert!(feed::Entity::find().all(domain.db().write()).await.unwrap().is_empty());
        assert_eq!(follows(domain, who, FEED).await.unread_count, 0);
    }
}

#[tokio::test]
async fn repeated_move_changes_nothing() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let (origin, there) = (follows(domain, who, FEED).await, follows(domain, who, THERE).await);
        arrives(domain, origin.feed_id, &items(1..=3)).await;
        arrives(domain, there.feed_id, &items(2..=4)).await;
        moves(&db, origin.feed_id, THERE, &items(1..=3)).await;
        let first = entries(domain, who, EntryFilter::default()).await;
        let again = redirects::Move { from: origin.feed_id, to: THERE.to_owned() };
        relocation::relocate(domain, again).await.unwrap();
        assert_eq!(entries(domain, who, EntryFilter::default()).await, first);
        assert_eq!(first.entries.len(), 4);
        let gone = redirects::Move { from: 99_999.into(), to: THERE.to_owned() };
        relocation::relocate(domain, gone).await.unwrap();
    }
}

#[tokio::test]
async fn feeds_with_different_entry_identity_move_without_duplicates() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (old, new) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let origin = follows(domain, old, FEED).await;
        let there = follows(domain, new, THERE).await;
        arrives(domain, there.feed_id, &items(1..=3)).await;
        // The guids of this feed are marked as unreliable, so its entries are identified by URL and text.
        let mut broken = row(domain, origin.feed_id).await.into_active_model();
        broken.trust_guid = Set(false);
        broken.update(domain.db().write()).await.unwrap();
        arrives(domain, origin.feed_id, &items(1..=3)).await;
        moves(&db, origin.feed_id, THERE, &items(1..=3)).await;
        assert_eq!(titles(domain, old, true).await, ["Note 1", "Note 2", "Note 3"]);
        assert_eq!(titles(domain, new, true).await, ["Note 1", "Note 2", "Note 3"]);
    }
}
