//! Tests of entry streams for feed apps, on both databases.

use entities::ids::EntryId;

use super::*;

fn all() -> StreamQuery {
    StreamQuery {
        scope: StreamScope::All,
        unread: None,
        starred: None,
        since: None,
        through: None,
        order: Order::Newest,
    }
}

async fn ids(domain: &Domain, account_id: AccountId, query: StreamQuery) -> Vec<EntryId> {
    let page = stream(domain, account_id, &query, None, 100).await.unwrap();
    assert!(page.next_after.is_none());
    page.entries.iter().map(|entry| entry.id).collect()
}

#[tokio::test]
async fn stream_pages_are_stable_while_entries_are_marked() {
    for db in TestDatabase::each().await {
        let domain = &with_library(&db.domain);
        let who = person(domain, Tier::Premium).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=9)).await;
        let newest = ids(domain, who, all()).await;
        assert!(newest.is_sorted_by(|a, b| a > b) && newest.len() == 9);
        for order in [Order::Newest, Order::Oldest] {
            let query = StreamQuery { order, unread: Some(true), ..all() };
            let (mut collected, mut after) = (Vec::new(), None);
            loop {
                let page = stream(domain, who, &query, after, 4).await.unwrap();
                let ids: Vec<EntryId> = page.entries.iter().map(|entry| entry.id).collect();
                let times: Vec<i64> = page.entries.iter().map(|entry| entry.discovered_us).collect();
                assert!(times.windows(2).all(|two| two[0] != two[1]), "no two entries have the same time");
                mark_entries(domain, who, &ids, false).await.unwrap();
                collected.extend(ids);
                after = page.next_after;
                if after.is_none() {
                    break;
                }
            }
            if order == Order::Oldest {
                collected.reverse();
            }
            assert_eq!(collected, newest);
            mark_entries(domain, who, &newest, true).await.unwrap();
        }
    }
}

#[tokio::test]
async fn stream_filters_by_unread_star_and_time() {
    for db in TestDatabase::each().await {
        let domain = &with_library(&db.domain);
        let who = person(domain, Tier::Premium).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=3)).await;
        db.clock.advance(HOUR);
        arrives(domain, mine.feed_id, &items(1..=5)).await;
        let newest = ids(domain, who, all()).await;
        let [e5, e4, e3, e2, e1] = newest[..] else { panic!("{newest:?}") };
        mark_entries(domain, who, &[e1, e5], false).await.unwrap();
        library::star(domain, who, &[e1, e4]).await.unwrap();
        let unread = StreamQuery { unread: Some(true), ..all() };
        assert_eq!(ids(domain, who, unread).await, [e4, e3, e2]);
        assert_eq!(ids(domain, who, StreamQuery { unread: Some(false), ..all() }).await, [e5, e1]);
        assert_eq!(ids(domain, who, StreamQuery { starred: Some(false), ..unread }).await, [e3, e2]);
        let starred = StreamQuery { scope: StreamScope::Starred, ..all() };
        assert_eq!(ids(domain, who, starred).await, [e4, e1]);
        assert_eq!(ids(domain, who, StreamQuery { unread: Some(true), ..starred }).await, [e4]);
        assert_eq!(ids(domain, who, StreamQuery { unread: Some(false), ..starred }).await, [e1]);
        let hour_ago = (domain.now() - HOUR / 2) * 1000;
        let since = last_discovered_before(domain, hour_ago).await.unwrap();
        assert_eq!(since, e3);
        assert_eq!(ids(domain, who, StreamQuery { since: Some(since), ..all() }).await, [e5, e4]);
        assert_eq!(ids(domain, who, StreamQuery { through: Some(e2), ..all() }).await, [e2, e1]);
        unfollow(domain, who, mine.id).await.unwrap();
        assert!(ids(domain, who, all()).await.is_empty());
        assert_eq!(ids(domain, who, starred).await, [e4, e1]);
        assert!(ids(domain, who, StreamQuery { unread: Some(true), ..starred }).await.is_empty());
        let loaded = app_entries(domain, who, &[e4, e2, e1]).await.unwrap();
        let titles: Vec<&str> = loaded.iter().map(|entry| entry.entry.title.as_str()).collect();
        assert_eq!(titles, ["Note 4", "Note 1"]);
        assert!(loaded[0].html.contains("Words of 4"), "{}", loaded[0].html);
    }
}
