//! Tests of entries and their read state.

use sea_orm::ConnectionTrait;

use super::*;
use entities::ids::EntryId;
use kernel::Code;

#[tokio::test]
async fn entries_are_unique_newest_first_and_keep_read_state() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=3)).await;
        arrives(domain, mine.feed_id, &items(2..=4)).await;
        let page = entries(domain, who, EntryFilter::default()).await;
        let titles: Vec<&str> = page.entries.iter().map(|entry| entry.title.as_str()).collect();
        assert_eq!(titles, ["Note 4", "Note 3", "Note 2", "Note 1"]);
        assert_eq!((page.unread_total, page.next_after), (4, None));
        let second = page.entries[2].clone();
        assert_eq!(mark_entries(domain, who, &[second.id, 99_999.into()], false).await.unwrap(), (1, 1));
        arrives(domain, mine.feed_id, &items(2..=4).replace("Note 2", "Better 2")).await;
        let (changed, content) = get_entry(domain, who, second.id, 500).await.unwrap();
        assert_eq!((changed.title.as_str(), changed.unread), ("Better 2", false));
        assert_eq!(content.unwrap().text, "Words of 2");
        assert_eq!(unread(domain, who, mine.id).await, 3);
    }
}

#[tokio::test]
async fn new_feed_starts_with_its_newest_hundred_entries() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(0..300)).await;
        let page = entries(domain, who, EntryFilter::default()).await;
        assert_eq!((page.entries.len(), page.entries[0].title.as_str()), (100, "Note 299"));
        arrives(domain, mine.feed_id, &items(300..320)).await;
        let late = person(domain, Tier::Free).await;
        assert_eq!(follows(domain, late, FEED).await.unread_count, 100);
        assert_eq!(unread(domain, who, mine.id).await, 120);
    }
}

#[tokio::test]
async fn filters_combine_and_pages_neither_repeat_nor_skip_entries() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let (a, b) =
            (follows(domain, who, FEED).await, follows(domain, who, "https://b.example.org/f").await);
        arrives(domain, a.feed_id, &items(1..=30)).await;
        arrives(domain, b.feed_id, &items(31..=40)).await;
        let mut seen = Vec::new();
        let mut after = None;
        loop {
            let page = list_entries(domain, who, &EntryFilter::default(), after, 7).await.unwrap();
            seen.extend(page.entries.iter().map(|entry| entry.id));
            // Entries that arrive in the meantime neither displace nor repeat other entries.
            arrives(domain, b.feed_id, &items(31..=u32::try_from(41 + seen.len()).unwrap())).await;
            after = page.next_after;
            if after.is_none() {
                break;
            }
        }
        assert_eq!(seen.len(), 40);
        assert!(seen.windows(2).all(|pair| pair[0] > pair[1]));
        let filter = EntryFilter {
            feed_id: Some(a.feed_id),
            query: Some("note WORDS 99%".into()),
            ..EntryFilter::default()
        };
        assert_eq!(entries(domain, who, filter).await.entries.len(), 0);
        let filter = EntryFilter {
            feed_id: Some(a.feed_id),
            query: Some("WORDS 30".into()),
            ..EntryFilter::default()
        };
        assert_eq!(entries(domain, who, filter).await.entries.len(), 1);
        let oldest = EntryFilter { order: Order::Oldest, ..EntryFilter::default() };
        assert_eq!(entries(domain, who, oldest).await.entries[0].title, "Note 1");
        let late = EntryFilter { discovered_after: Some(domain.now()), ..EntryFilter::default() };
        assert!(entries(domain, who, late).await.entries.is_empty());
    }
}

#[tokio::test]
async fn mark_read_excludes_entries_discovered_after_the_bound() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=5)).await;
        let oldest = entries(domain, who, EntryFilter::default()).await.entries[4].id;
        db.clock.advance(1000);
        let line = domain.now();
        arrives(domain, mine.feed_id, &items(6..=8)).await;
        let request =
            MarkRead { scope: ReadScope::Feed(mine.feed_id), bound: ReadBound::DiscoveredBefore(line) };
        assert_eq!(mark_read(domain, who, request).await.unwrap(), 5);
        assert_eq!(mark_read(domain, who, request).await.unwrap(), 0);
        assert_eq!(unread(domain, who, mine.id).await, 3);
        mark_entries(domain, who, &[oldest], true).await.unwrap();
        assert_eq!(unread(domain, who, mine.id).await, 4);
        let only = EntryFilter { unread: Some(true), ..EntryFilter::default() };
        assert_eq!(entries(domain, who, only).await.entries.len(), 4);
        let all = MarkRead { scope: ReadScope::All, bound: ReadBound::DiscoveredBefore(i64::MAX) };
        assert_eq!(mark_read(domain, who, all).await.unwrap(), 4);
        let foreign =
            MarkRead { scope: ReadScope::Feed(99_999.into()), bound: ReadBound::DiscoveredBefore(line) };
        assert_eq!(mark_read(domain, who, foreign).await.unwrap_err().code, Code::NotFound);
    }
}

#[tokio::test]
async fn entries_of_another_account_are_not_visible() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, stranger) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=3)).await;
        let id = entries(domain, who, EntryFilter::default()).await.entries[0].id;
        assert_eq!(get_entry(domain, stranger, id, 500).await.unwrap_err().code, Code::NotFound);
        assert_eq!(get_subscription(domain, stranger, mine.id).await.unwrap_err().code, Code::NotFound);
        assert_eq!(mark_entries(domain, stranger, &[id], false).await.unwrap(), (0, 1));
        assert!(entries(domain, stranger, EntryFilter::default()).await.entries.is_empty());
        assert_eq!(unread(domain, who, mine.id).await, 3);
    }
}

#[tokio::test]
async fn unread_counts_are_exact_under_concurrency() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=60)).await;
        let ids: Vec<EntryId> =
            entries(domain, who, EntryFilter::default()).await.entries.iter().map(|entry| entry.id).collect();
        let mut tasks = tokio::task::JoinSet::new();
        for (n, chunk) in ids.chunks(10).enumerate() {
            let (domain, chunk) = (db.second_handle().await, chunk.to_vec());
            tasks.spawn(async move {
                for round in 0..6 {
                    mark_entries(&domain, who, &chunk, (round + n) % 2 == 0).await.unwrap();
                    if n == 3 {
                        let all = MarkRead {
                            scope: ReadScope::All,
                            bound: ReadBound::DiscoveredBefore(domain.now()),
                        };
                        mark_read(&domain, who, all).await.unwrap();
                    }
                }
            });
        }
        let writer = db.second_handle().await;
        let feed_id = mine.feed_id;
        tasks.spawn(async move {
            for n in 0..5 {
                arrives(&writer, feed_id, &items(61..=62 + n)).await;
            }
        });
        while let Some(ended) = tasks.join_next().await {
            ended.unwrap();
        }
        let everything = entries(domain, who, EntryFilter::default()).await;
        let counted = everything.entries.iter().filter(|entry| entry.unread).count();
        assert_eq!(unread(domain, who, mine.id).await, i64::try_from(counted).unwrap());
        assert_eq!(everything.unread_total, i64::try_from(counted).unwrap());
        assert_eq!(everything.entries.len(), 66);
    }
}

#[tokio::test]
async fn old_entries_beyond_the_newest_thousand_are_deleted() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        for step in 0..4 {
            db.clock.advance(90 * MINUTE);
            arrives(domain, mine.feed_id, &items(step * 300..(step + 1) * 300)).await;
        }
        let old = entries(domain, who, EntryFilter::default()).await.unread_total;
        assert_eq!(old, 1_000);
        db.clock.advance(366 * DAY);
        for step in 4..7 {
            db.clock.advance(90 * MINUTE);
            arrives(domain, mine.feed_id, &items(step * 300..step * 300 + 300)).await;
        }
        // There were 1900 entries. Of the entries older than a year, only those among the newest thousand are
        // retained.
        db.clock.advance(90 * MINUTE);
        arrives(domain, mine.feed_id, &items(2_100..2_110)).await;
        assert_eq!(entries(domain, who, EntryFilter::default()).await.unread_total, 1_000);
    }
}

/// The ids of a page are selected from an index, however many entries are visible to the account. Only the
/// rows on the page are read.
#[tokio::test]
async fn page_of_entries_is_selected_from_an_index() {
    let db = TestDatabase::create(kernel::Backend::Sqlite).await;
    let who = person(&db.domain, Tier::Pro).await;
    for (unread, order) in [
        (None, Order::Newest),
        (None, Order::Oldest),
        (Some(true), Order::Newest),
        (Some(true), Order::Oldest),
        (Some(false), Order::Newest),
    ] {
        let filter = EntryFilter { unread, order, ..EntryFilter::default() };
        let bounds = (EntryId::new(1_000_000), None);
        let (sql, values) = entries::page_query(
            sea_orm::DbBackend::Sqlite,
            who,
            entry_scope::EntryScope::default(),
            &filter,
            bounds,
            50,
        )
        .unwrap();
        let read = db.domain.db().read();
        let explain = kernel::statement::statement(read, &format!("EXPLAIN QUERY PLAN {sql}"), values);
        let rows = read.query_all_raw(explain).await.unwrap();
        let plan: Vec<String> = rows.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
        let of_entries: Vec<&String> =
            plan.iter().filter(|line| line.starts_with("SEARCH e ") || line.starts_with("SCAN e")).collect();
        let is_bounded =
            |line: &str| line.contains("COVERING INDEX") || line.contains("PRIMARY KEY (rowid=?)");
        assert!(
            of_entries.len() > 1 && of_entries.iter().all(|line| is_bounded(line)),
            "{filter:?}: {plan:#?}"
        );
        if unread == Some(true) {
            assert!(plan.iter().any(|line| line.contains("(feed_id=? AND id>? AND id<?)")), "{plan:#?}");
        }
    }
}
