//! Tests of marking, counting, and searching listed entries, and of the read state after an unfollow.

use sea_orm::ConnectionTrait;

use super::*;
use entities::ids::{AccountId, EntryId};

async fn search_titles(domain: &Domain, who: AccountId, query: &str) -> Vec<String> {
    let filter = EntryFilter { query: Some(query.to_owned()), ..EntryFilter::default() };
    entries(domain, who, filter).await.entries.into_iter().map(|entry| entry.title).collect()
}

#[tokio::test]
async fn marking_a_listed_page_as_read_leaves_new_arrivals_unread() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=5)).await;
        let page = entries(domain, who, EntryFilter::default()).await;
        assert_eq!(page.as_of_id, page.entries[0].id);
        // These entries arrive after the listing, with a time before the mark.
        arrives(domain, mine.feed_id, &items(1..=8)).await;
        let all = MarkRead { scope: ReadScope::All, bound: ReadBound::Through(page.as_of_id) };
        assert_eq!(mark_read(domain, who, all).await.unwrap(), 5);
        assert_eq!(unread(domain, who, mine.id).await, 3);
        let future = MarkRead { scope: ReadScope::All, bound: ReadBound::Through(EntryId::new(i64::MAX)) };
        assert_eq!(mark_read(domain, who, future).await.unwrap(), 3);
        arrives(domain, mine.feed_id, &items(1..=9)).await;
        assert_eq!(unread(domain, who, mine.id).await, 1, "ids that are assigned later are not marked");
        let second = list_entries(domain, who, &EntryFilter::default(), Some(page.entries[2].id), 2).await;
        assert_eq!(
            second.unwrap().as_of_id.as_i64(),
            page.entries[2].id.as_i64() - 1,
            "a later page is bounded by its cursor"
        );
    }
}

#[tokio::test]
async fn ids_and_discovery_times_increase_despite_clock_skew() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let (one, two) =
            (follows(domain, who, FEED).await, follows(domain, who, "https://two.example/f").await);
        arrives(domain, one.feed_id, &items(1..=3)).await;
        // The clock of the next worker is five seconds behind.
        db.clock.advance(-5_000);
        arrives(domain, two.feed_id, &items(1..=3)).await;
        let rows = entities::feed_entry::Entity::find().all(domain.db().write()).await.unwrap();
        let mut times: Vec<(EntryId, i64)> = rows.iter().map(|row| (row.id, row.discovered_us)).collect();
        times.sort_unstable();
        assert!(times.windows(2).all(|pair| pair[0].1 < pair[1].1), "{times:?}");
        db.clock.advance(5_000);
        let line = MarkRead { scope: ReadScope::All, bound: ReadBound::DiscoveredBefore(domain.now()) };
        assert_eq!(mark_read(domain, who, line).await.unwrap(), 0);
        db.clock.advance(1);
        let line = MarkRead {
            scope: ReadScope::Feed(two.feed_id),
            bound: ReadBound::DiscoveredBefore(domain.now()),
        };
        assert_eq!(mark_read(domain, who, line).await.unwrap(), 3);
        assert_eq!(unread(domain, who, one.id).await, 3, "the other feed is not in the scope");
    }
}

#[tokio::test]
async fn unread_count_stops_at_its_bound_and_is_marked_as_partial() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        insert_entries(domain, mine.feed_id, 1..=1_000).await;
        let subscription = get_subscription(domain, who, mine.id).await.unwrap();
        assert_eq!((subscription.unread_count, subscription.unread_partial), (1_000, false));
        db.clock.advance(2 * HOUR);
        arrives(domain, mine.feed_id, &items(1..=2)).await;
        let subscription = get_subscription(domain, who, mine.id).await.unwrap();
        assert_eq!((subscription.unread_count, subscription.unread_partial), (1_000, true));
        let page = entries(domain, who, EntryFilter::default()).await;
        assert_eq!((page.unread_total, page.unread_partial), (1_002, false));
        let filter = EntryFilter {
            feed_id: Some(mine.feed_id),
            query: Some("nowhere".to_owned()),
            ..EntryFilter::default()
        };
        let page = entries(domain, who, filter).await;
        assert_eq!((page.entries.len(), page.unread_total, page.unread_partial), (0, 1_000, true));
        let second = follows(domain, who, "https://two.example/f").await;
        insert_entries(domain, second.feed_id, 1..=9_000).await;
        let page = entries(domain, who, EntryFilter::default()).await;
        assert_eq!((page.unread_total, page.unread_partial), (10_000, true));
        let all = MarkRead { scope: ReadScope::All, bound: ReadBound::Through(page.as_of_id) };
        assert_eq!(mark_read(domain, who, all).await.unwrap(), 10_002);
    }
}

#[tokio::test]
async fn newest_unread_page_equals_a_full_search() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let (rare, crowded) =
            (follows(domain, who, FEED).await, follows(domain, who, "https://two.example/f").await);
        insert_entries(domain, rare.feed_id, 1..=30).await;
        insert_entries(domain, crowded.feed_id, 1..=21_000).await;
        let listed = async |filter: EntryFilter, after| {
            let filter = EntryFilter { unread: Some(true), ..filter };
            list_entries(domain, who, &filter, after, 20).await.unwrap()
        };
        let first = listed(EntryFilter::default(), None).await;
        assert!(first.unread_partial);
        let ids: Vec<i64> = first.entries.iter().map(|entry| entry.id.as_i64()).collect();
        let newest = first.as_of_id.as_i64();
        assert_eq!(ids, (newest - 19..=newest).rev().collect::<Vec<_>>());
        // Entries beyond the newest entries are also listed, with their next page.
        let behind = EntryFilter { subscriptions: Some(vec![rare.id]), ..EntryFilter::default() };
        let one = listed(behind.clone(), None).await;
        let two = listed(behind, one.next_after).await;
        assert_eq!((one.entries.len(), two.entries.len(), two.next_after), (20, 10, None));
    }
}

#[tokio::test]
async fn read_state_survives_an_unfollow_for_thirty_days() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let mine = follows(domain, who, FEED).await;
        follows(domain, other, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=10)).await;
        let ids: Vec<EntryId> =
            entries(domain, who, EntryFilter::default()).await.entries.iter().map(|entry| entry.id).collect();
        mark_entries(domain, who, &ids[3..], false).await.unwrap();
        unfollow(domain, who, mine.id).await.unwrap();
        assert!(entries(domain, who, EntryFilter::default()).await.entries.is_empty());
        db.clock.advance(29 * DAY);
        arrives(domain, mine.feed_id, &items(1..=11)).await;
        delete_unfollowed(domain).await.unwrap();
        let again = follows(domain, who, FEED).await;
        assert_eq!(again.unread_count, 4, "the three unread entries are retained, and one is new");
        unfollow(domain, who, again.id).await.unwrap();
        db.clock.advance(31 * DAY);
        delete_unfollowed(domain).await.unwrap();
        assert_eq!(
            follows(domain, who, FEED).await.unread_count,
            11,
            "the read state is deleted, as for a new follower"
        );
    }
}

#[tokio::test]
async fn search_matches_words_in_every_script_and_case() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        let titles = [
            "Ärzte streiken", "Привет мир", "Über Größe", "ΟΔΥΣΣΕΥΣ", "plain 100% words", "ｆｕｌｌ width",
            "日本語の記事",
        ];
        let items: Vec<String> = titles
            .iter()
            .map(|title| {
                format!("<item><title>{title}</title><guid>{title}</guid><author>Łukasz</author></item>")
            })
            .collect();
        let body =
            format!("<rss version=\"2.0\"><channel><title>All</title>{}</channel></rss>", items.concat());
        arrives(domain, mine.feed_id, &body).await;
        for (query, title) in [
            ("Ärzte", titles[0]),
            ("ärzte", titles[0]),
            ("A\u{308}RZTE STREI*", titles[0]),
            ("arzte", titles[0]),
            ("привет", titles[1]),
            ("ПРИВЕТ МИР", titles[1]),
            ("über", titles[2]),
            ("GRÖSSE", titles[2]),
            ("grosse uber", titles[2]),
            ("οδυσσευς", titles[3]),
            ("PLAIN", titles[4]),
            ("100%", titles[4]),
            ("full", titles[5]),
            ("記事", titles[6]),
            ("日本語", titles[6]),
            ("語", titles[6]),
            ("\"日本語の\"", titles[6]),
        ] {
            assert_eq!(search_titles(domain, who, query).await, [title], "{query}");
        }
        assert_eq!(search_titles(domain, who, "łukasz").await.len(), titles.len());
        for query in ["10_%", "STREI", "rzte", "本日", "事記", "\"日語\"", "!?", "...", "мир Ärzte"]
        {
            assert!(search_titles(domain, who, query).await.is_empty(), "{query}");
        }
        let many: Vec<String> = (0..12).map(|n| format!("w{n}")).collect();
        assert!(
            search_titles(domain, who, &format!("plain {}", many.join(" "))).await.is_empty(),
            "every word of the query must match"
        );
    }
}

/// Returns a feed with three entries.
fn desks() -> String {
    let item = |title: &str, summary: &str, link: &str| {
        format!(
            "<item><title>{title}</title><guid>{title}</guid><link>{link}</link>\
             <description>{summary}</description></item>"
        )
    };
    let items = [
        item(
            "Quiet desks",
            "Two desks in a quiet room",
            "https://www.example.org/desks?id=7&amp;utm_source=feed",
        ),
        item("Desks, quiet", "A loud room", "https://blog.example.org/quiet"),
        item("Chairs", "日本 Rust 入門", "https://[2001:db8::1]/chairs"),
    ];
    format!("<rss version=\"2.0\"><channel><title>All</title>{}</channel></rss>", items.concat())
}

#[tokio::test]
async fn entry_search_supports_the_query_syntax() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        let body = desks();
        arrives(domain, mine.feed_id, &body).await;
        let (first, second, third) = ("Quiet desks", "Desks, quiet", "Chairs");
        for (query, titles) in [
            ("quiet desks", vec![second, first]),
            ("\"quiet desks\"", vec![first]),
            ("\"DESKS quiet\"", vec![second]),
            ("\"desks two\"", vec![]),
            ("\"two desks\"", vec![first]),
            ("desks -loud", vec![first]),
            ("desks -\"quiet desks\"", vec![second]),
            ("-desks", vec![third]),
            ("ro*", vec![second, first]),
            ("chai* -ro*", vec![third]),
            ("\"日本 rust 入門\"", vec![third]),
            ("\"本入\"", vec![]),
            ("本入", vec![]),
            ("domain:example.org", vec![second, first]),
            ("domain:www.example.org", vec![second, first]),
            ("-domain:blog.example.org room", vec![first]),
            ("domain:ample.org", vec![]),
            ("https://example.org/desks?id=7", vec![]),
            ("http://www.example.org/desks?id=7&utm_medium=x", vec![first]),
            ("https://www.example.org/desks?id=7&utm_medium=x", vec![first]),
            ("https://example.org/none", vec![]),
            ("tag:quiet", vec![]),
            ("quiet -tag:quiet -status:archive", vec![second, first]),
            ("author:nobody", vec![]),
            ("' or \" \\", vec![]),
        ] {
            let mut matched = search_titles(domain, who, query).await;
            matched.sort();
            let mut titles = titles;
            titles.sort_unstable();
            assert_eq!(matched, titles, "{query}");
        }
        // A changed entry matches its new words and no longer its old words.
        let changed = body.replace("A loud room", "A bright hall");
        arrives(domain, mine.feed_id, &changed).await;
        assert_eq!(search_titles(domain, who, "bright hall").await, [second]);
        assert!(search_titles(domain, who, "loud").await.is_empty());
        domain.db().write().execute_unprepared("DELETE FROM feed_entry").await.unwrap();
        assert!(search_titles(domain, who, "desks").await.is_empty());
    }
}

#[tokio::test]
async fn impossible_publication_times_are_ignored() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        let item = |name: &str, date: &str| {
            format!("<item><title>{name}</title><guid>{name}</guid><pubDate>{date}</pubDate></item>")
        };
        let body =
            [item("far", "2099-01-01T00:00:00Z"), item("none", ""), item("bare", "2026-11-19")].concat();
        let body = format!("<rss version=\"2.0\"><channel><title>Dates</title>{body}</channel></rss>");
        arrives(domain, mine.feed_id, &body).await;
        let page = entries(domain, who, EntryFilter::default()).await;
        let time = |name: &str| page.entries.iter().find(|entry| entry.title == name).unwrap().published_at;
        assert_eq!((time("far"), time("none")), (None, None));
        assert_eq!(time("bare").map(kernel::clock::rfc3339).as_deref(), Some("2026-11-19T00:00:00.000Z"));
        let filter = EntryFilter { published_after: Some(domain.now() - HOUR), ..EntryFilter::default() };
        let mut late: Vec<String> =
            entries(domain, who, filter).await.entries.into_iter().map(|entry| entry.title).collect();
        late.sort();
        assert_eq!(late, ["far", "none"], "an entry without a date is filtered by its discovery");
    }
}

#[tokio::test]
async fn migration_assigns_unique_increasing_discovery_times() {
    use migrations::{Migrator, MigratorTrait};
    for db in TestDatabase::each().await {
        let connection = db.domain.db().write();
        while connection.execute_unprepared("SELECT discovered_at FROM feed_entry").await.is_err() {
            Migrator::down(connection, Some(1)).await.unwrap();
        }
        let feed = "INSERT INTO feed (url, host, trust_guid, trust_url, gone, created_at) \
                    VALUES ('https://a.example/f', 'a.example', TRUE, TRUE, FALSE, 1)";
        connection.execute_unprepared(feed).await.unwrap();
        // Two entries of one poll, and two entries of a worker whose clock was behind.
        for (key, at) in [5000, 5000, 4000, 4000, 9000].into_iter().enumerate() {
            let entry = format!(
                "INSERT INTO feed_entry (feed_id, entry_key, mark_guid, mark_url, mark_title, mark_published, \
                 fingerprint, title, author, discovered_at) VALUES (1, {key}, 1, 1, 1, 1, 1, 'A Title', 'Ada', {at})"
            );
            connection.execute_unprepared(&entry).await.unwrap();
        }
        migrations::run(connection).await.unwrap();
        let entries = entities::feed_entry::Entity::find().order_by_id_asc().all(connection).await.unwrap();
        let times: Vec<i64> = entries.iter().map(|entry| entry.discovered_us).collect();
        assert_eq!(times, [5_000_000, 5_000_001, 5_000_002, 5_000_003, 9_000_000]);
        assert!(entries.iter().all(|entry| entry.search_text.contains("a title")));
    }
}
