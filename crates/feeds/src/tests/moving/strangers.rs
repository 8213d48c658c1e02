//! Tests that the owner of an address cannot insert entries into the lists of accounts that follow another
//! feed.

use super::*;

#[tokio::test]
async fn move_to_a_known_feed_exposes_no_foreign_entries() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (victim, thief) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let theirs = follows(domain, victim, FEED).await;
        arrives(domain, theirs.feed_id, &items(1..=3)).await;
        let own = follows(domain, thief, "https://evil.example/f").await;
        arrives(domain, own.feed_id, &evil(&["a", "b", "g1"])).await;
        moves(&db, own.feed_id, FEED, &items(1..=3)).await;
        arrives(domain, theirs.feed_id, &items(1..=4)).await;
        assert_eq!(all_titles(domain, victim).await, ["Note 1", "Note 2", "Note 3", "Note 4"]);
        assert_eq!(get_subscription(domain, thief, own.id).await.unwrap().feed_id, theirs.feed_id);
        assert!(
            all_titles(domain, thief).await.contains(&"URGENT a".to_owned()),
            "the thief keeps the entries of the own feed"
        );
        let third = person(domain, Tier::Free).await;
        follows(domain, third, FEED).await;
        assert_eq!(all_titles(domain, third).await.len(), 4);
        let title = get_subscription(domain, victim, theirs.id).await.unwrap().title;
        assert_eq!(title, "News");
    }
}

#[tokio::test]
async fn move_to_an_unknown_feed_exposes_no_foreign_entries() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (victim, thief) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let own = follows(domain, thief, "https://evil.example/f").await;
        arrives(domain, own.feed_id, &evil(&["a", "b"])).await;
        moves(&db, own.feed_id, FEED, &items(1..=3)).await;
        let theirs = follows(domain, victim, FEED).await;
        assert_ne!(theirs.feed_id, own.feed_id);
        assert!(all_titles(domain, victim).await.is_empty());
        arrives(domain, theirs.feed_id, &items(1..=3)).await;
        assert_eq!(all_titles(domain, victim).await, ["Note 1", "Note 2", "Note 3"]);
        assert_eq!(unread(domain, victim, theirs.id).await, 3);
    }
}

#[tokio::test]
async fn new_owner_of_an_expired_domain_exposes_no_foreign_entries() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, thief) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        // A site moved long ago. Then a stranger buys its old domain.
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=3)).await;
        moves(&db, mine.feed_id, THERE, &items(2..=3)).await;
        let there = get_subscription(domain, who, mine.id).await.unwrap().feed_id;
        let bought = follows(domain, thief, FEED).await;
        assert_eq!(bought.feed_id, mine.feed_id);
        // The stranger publishes new entries, and old guids with other words.
        arrives(domain, bought.feed_id, &evil(&["x", "y"])).await;
        arrives(domain, bought.feed_id, &items(1..=3).replace("Note", "URGENT")).await;
        arrives(domain, there, &items(2..=4)).await;
        assert_eq!(all_titles(domain, who).await, ["Note 1", "Note 2", "Note 3", "Note 4"]);
        // A second redirect to the new feed inserts no entries there either.
        moves(&db, bought.feed_id, THERE, &items(2..=4)).await;
        assert_eq!(all_titles(domain, who).await, ["Note 1", "Note 2", "Note 3", "Note 4"]);
        let third = person(domain, Tier::Free).await;
        follows(domain, third, THERE).await;
        assert_eq!(all_titles(domain, third).await, ["Note 2", "Note 3", "Note 4"]);
    }
}

#[tokio::test]
async fn moves_back_and_forth_expose_no_foreign_entries() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (reader, there, watcher) = (
            person(domain, Tier::Free).await,
            person(domain, Tier::Free).await,
            person(domain, Tier::Free).await,
        );
        let first = follows(domain, reader, FEED).await;
        let second = follows(domain, there, THERE).await;
        arrives(domain, first.feed_id, &items(1..=3)).await;
        arrives(domain, second.feed_id, &evil(&["a", "b"])).await;
        moves(&db, first.feed_id, THERE, &evil(&["a", "b"])).await;
        assert_eq!(get_subscription(domain, reader, first.id).await.unwrap().feed_id, second.feed_id);
        assert_eq!(all_titles(domain, there).await, ["URGENT a", "URGENT b"]);
        assert_eq!(
            titles(domain, reader, true).await.len(),
            5,
            "all five entries were visible through the redirect"
        );
        moves(&db, second.feed_id, FEED, &items(2..=4)).await;
        // The first feed is polled again, and both accounts follow it.
        let back = get_subscription(domain, reader, first.id).await.unwrap();
        assert_eq!((back.feed_id, back.moved_from.unwrap().feed_url.as_str()), (first.feed_id, THERE));
        assert_eq!(row(domain, first.feed_id).await.successor_id, None);
        assert!(row(domain, first.feed_id).await.next_poll_at.is_some());
        arrives(domain, first.feed_id, &items(2..=5)).await;
        let seen = all_titles(domain, reader).await;
        assert_eq!(seen, ["Note 1", "Note 2", "Note 3", "Note 4", "Note 5", "URGENT a", "URGENT b"]);
        let moved = all_titles(domain, there).await;
        assert_eq!(moved, seen, "they follow the first feed and keep their entries");
        assert!(
            !titles(domain, there, true).await.contains(&"Note 1".to_owned()),
            "an entry older than the move stays read"
        );
        follows(domain, watcher, FEED).await;
        assert!(!all_titles(domain, watcher).await.is_empty());
        assert!(
            all_titles(domain, watcher).await.iter().filter(|title| title.starts_with("URGENT")).count() <= 2
        );
    }
}
