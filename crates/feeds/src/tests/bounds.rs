//! Tests of limits: a feed cannot restore dropped entries, fill the disk, flood its followers, report a
//! change at every poll, or pause a host that also serves feeds of other accounts.

use sea_orm::ConnectionTrait;

use super::*;
use entities::ids::{AccountId, FeedId};
use jobs::hosts;
use kernel::statement::scalar;

async fn titles(domain: &Domain, who: AccountId) -> Vec<String> {
    let page = entries(domain, who, EntryFilter::default()).await;
    page.entries.into_iter().map(|entry| entry.title).collect()
}

async fn stored(domain: &Domain, feed_id: FeedId) -> i64 {
    let sql = "SELECT COUNT(*) FROM feed_entry WHERE feed_id = $1";
    scalar(domain.db().write(), sql, [feed_id.into()]).await.unwrap()
}

#[tokio::test]
async fn entries_dropped_by_first_poll_never_arrive_as_new() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(0..300)).await;
        assert_eq!(stored(domain, mine.feed_id).await, 100);
        for newest in [301, 302] {
            db.clock.advance(2 * HOUR);
            arrives(domain, mine.feed_id, &items(0..newest)).await;
        }
        assert_eq!(
            stored(domain, mine.feed_id).await,
            102,
            "the two new entries are stored, and none of the two hundred old ones"
        );
        assert_eq!(titles(domain, who).await[..3], ["Note 301", "Note 300", "Note 299"]);
        // Dropped entries are remembered for a month after they left the body, and are then forgotten.
        arrives(domain, mine.feed_id, &items(290..303)).await;
        db.clock.advance(29 * DAY);
        arrives(domain, mine.feed_id, &items(5..303)).await;
        assert_eq!(stored(domain, mine.feed_id).await, 103);
        arrives(domain, mine.feed_id, &items(290..304)).await;
        db.clock.advance(31 * DAY);
        arrives(domain, mine.feed_id, &items(290..305)).await;
        arrives(domain, mine.feed_id, &items(5..305)).await;
        assert_eq!(stored(domain, mine.feed_id).await, 105 + 195);
    }
}

#[tokio::test]
async fn dropped_entries_are_recognised_under_new_guids() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(0..150)).await;
        db.clock.advance(2 * HOUR);
        arrives(domain, mine.feed_id, &items(0..150).replace(">g", ">other-g")).await;
        assert_eq!(stored(domain, mine.feed_id).await, 100);
    }
}

#[tokio::test]
async fn entries_beyond_the_parse_limit_never_arrive_as_new() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(0..800)).await;
        db.clock.advance(2 * HOUR);
        // The body loses 300 entries, so that older entries move into the parsed part.
        arrives(domain, mine.feed_id, &items(0..500)).await;
        assert_eq!(stored(domain, mine.feed_id).await, 100);
    }
}

#[tokio::test]
async fn entries_deleted_by_retention_never_arrive_as_new() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(0..100)).await;
        for step in 1..=4 {
            db.clock.advance(2 * HOUR);
            arrives(domain, mine.feed_id, &items(step * 300..step * 300 + 300)).await;
        }
        db.clock.advance(366 * DAY);
        arrives(domain, mine.feed_id, &items(1_400..1_501)).await;
        let retained = stored(domain, mine.feed_id).await;
        assert_eq!(retained, 1_000, "the newest thousand entries are retained");
        db.clock.advance(2 * HOUR);
        arrives(domain, mine.feed_id, &items((0..50).chain(1_400..1_501))).await;
        assert_eq!(stored(domain, mine.feed_id).await, retained);
    }
}

#[tokio::test]
async fn feed_stores_at_most_three_hundred_new_entries_per_hour() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(0..10)).await;
        let flood = items(0..450);
        for (after, count) in [(2 * HOUR, 310), (MINUTE, 310), (2 * HOUR, 450), (HOUR, 450)] {
            db.clock.advance(after);
            arrives(domain, mine.feed_id, &flood).await;
            assert_eq!(stored(domain, mine.feed_id).await, count);
            let feed = row(domain, mine.feed_id).await;
            assert_eq!(
                feed.body_hash == 0,
                count == 310,
                "the body is processed again as long as entries are pending"
            );
        }
        assert_eq!(titles(domain, who).await[0], "Note 449", "the oldest pending entries are stored first");
    }
}

#[tokio::test]
async fn entry_changes_are_reported_at_most_every_six_hours() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        let body = |words: &str| {
            format!(
                "<rss version=\"2.0\"><channel><title>Blog</title><item><title>One</title><guid>1</guid>\
                 <description>&lt;p&gt;{words}&lt;/p&gt;&lt;p&gt;1,234 views&lt;/p&gt;</description></item></channel></rss>"
            )
        };
        arrives(domain, mine.feed_id, &body("Words")).await;
        let entry = async || {
            let model = entities::feed_entry::Entity::find().one(domain.db().write()).await;
            model.unwrap().unwrap()
        };
        let first = entry().await;
        db.clock.advance(HOUR);
        let counted = body("Words").replace("1,234", "1,250").replace("<p>", "<p class=\"x\">");
        arrives(domain, mine.feed_id, &counted).await;
        assert_eq!(entry().await, first);
        let mut hours_since_report = Vec::new();
        for (hours, words) in [(1, "Better words"), (3, "Best words"), (4, "Last words")] {
            db.clock.advance(hours * HOUR);
            arrives(domain, mine.feed_id, &body(words)).await;
            assert!(entry().await.content.unwrap().contains(words), "the stored entry is updated every time");
            hours_since_report.push((domain.now() - entry().await.changed_at.unwrap()) / HOUR);
        }
        assert_eq!(hours_since_report, [0, 3, 0]);
        let listed = entries(domain, who, EntryFilter::default()).await;
        assert!(listed.entries[0].unread);
        mark_entries(domain, who, &[first.id], false).await.unwrap();
        arrives(domain, mine.feed_id, &body("Other words")).await;
        arrives(domain, mine.feed_id, &items(1..=1)).await;
        let after = entries(domain, who, EntryFilter { unread: Some(false), ..EntryFilter::default() }).await;
        assert_eq!(
            after.entries.len(),
            1,
            "a changed entry stays read, and an entry missing from the body is retained"
        );
    }
}

#[tokio::test]
async fn one_account_cannot_pause_a_host_with_feeds_of_other_accounts() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, thief) = (person(domain, Tier::Pro).await, person(domain, Tier::Free).await);
        let theirs = follows(domain, who, "https://shared.example/good").await;
        let aside = follows(domain, who, "https://www.shared.example/good").await;
        let pause = PollFailure {
            code: kernel::code::Code::SourceError,
            host_pause_ms: Some(DAY),
            gone: false,
            not_found: false,
            is_local: false,
        };
        let mut evil = Vec::new();
        for n in 0..3 {
            let one = follows(domain, thief, &format!("https://shared.example/503/{n}")).await;
            fails(domain, one.feed_id, pause).await;
            evil.push(one.feed_id);
        }
        let until = async |host: &str| {
            let paused = hosts::paused(domain.db().write(), [host.to_owned()], domain.now()).await.unwrap();
            paused.get(host).map(|until| until - domain.now())
        };
        assert_eq!(until("shared.example").await, Some(15 * MINUTE));
        assert_eq!(until("www.shared.example").await, None, "only the host is paused, not its domain");
        let wait = row(domain, evil[0]).await.next_poll_at.unwrap() - domain.now();
        assert!(wait >= DAY, "the feed waits as long as the server requested");
        db.clock.advance(16 * MINUTE);
        let due = due::claim_batch(domain).await.unwrap().job.unwrap();
        let batch: due::PollBatch =
            serde_json::from_str(&jobs::get(domain, due.id).await.unwrap().unwrap().payload).unwrap();
        assert!(batch.feeds.contains(&theirs.feed_id) || batch.feeds.contains(&aside.feed_id));
        fails(domain, theirs.feed_id, PollFailure { host_pause_ms: Some(6 * HOUR), ..pause }).await;
        assert_eq!(until("shared.example").await, Some(6 * HOUR), "feeds of two accounts confirm the pause");
    }
}

#[tokio::test]
async fn republished_feed_creates_no_duplicates() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=50)).await;
        let again = |body: &str, round: u32| body.replace(">g", &format!(">cms{round}-"));
        // The guids change; then the guids, titles, and times change while the URLs remain the same; then the
        // guids and URLs change.
        let guids = again(&items(1..=50), 1);
        let words = again(&items(1..=50).replace("Note", "Edited").replace("2026-01-01", "2026-02-02"), 2);
        let moved = again(&items(1..=50).replace("Note", "Edited").replace("2026-01-01", "2026-02-02"), 3)
            .replace("https://example.org/", "https://example.org/new/");
        for body in [guids, words, moved] {
            db.clock.advance(DAY);
            arrives(domain, mine.feed_id, &body).await;
            assert_eq!(stored(domain, mine.feed_id).await, 50);
        }
        let page = entries(domain, who, EntryFilter::default()).await;
        assert!(page.entries.iter().all(|entry| entry.url.starts_with("https://example.org/new/")));
    }
}

#[tokio::test]
async fn entries_that_share_a_url_are_stored_separately() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        for n in 1..=4 {
            let body = format!(
                "<rss version=\"2.0\"><channel><title>Status</title><item><title>State {n}</title>\
                 <link>https://status.example/now</link><guid isPermaLink=\"false\">s{n}</guid>\
                 <pubDate>2026-11-0{n}T10:00:00Z</pubDate></item></channel></rss>"
            );
            arrives(domain, mine.feed_id, &body).await;
        }
        assert_eq!(titles(domain, who).await, ["State 4", "State 3", "State 2", "State 1"]);
    }
}

#[tokio::test]
async fn feed_is_bounded_by_number_and_size_of_entries() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let feed_id = follows(domain, who, FEED).await.feed_id;
        arrives(domain, feed_id, &items(1..=1)).await;
        let connection = domain.db().write();
        let fill = |from: u32, to: u32, bytes: usize| {
            let (content, feed, at) = ("x".repeat(bytes), feed_id.as_i64(), domain.now() * 1000);
            let rows: Vec<String> =
                (from..to).map(|key| format!("({feed}, {key}, 0, 0, 0, 0, 0, {at}, '{content}')")).collect();
            format!(
                "INSERT INTO feed_entry (feed_id, entry_key, mark_guid, mark_url, mark_title, mark_published, \
                 fingerprint, discovered_us, content) VALUES {}",
                rows.join(", ")
            )
        };
        for from in (10_000..20_400).step_by(1_300) {
            connection.execute_unprepared(&fill(from, from + 1_300, 1)).await.unwrap();
        }
        db.clock.advance(2 * HOUR);
        arrives(domain, feed_id, &items(1..=3)).await;
        assert_eq!(stored(domain, feed_id).await, 10_000, "the newest 10000 entries are retained");
        for from in (30_000..30_090).step_by(10) {
            connection.execute_unprepared(&fill(from, from + 10, 1 << 20)).await.unwrap();
        }
        // Each arrival deletes some hundreds of the oldest entries.
        for newest in 4..=26 {
            db.clock.advance(2 * HOUR);
            arrives(domain, feed_id, &items(1..=newest)).await;
        }
        let size = "SELECT CAST(SUM(size_bytes) AS bigint) FROM feed_entry WHERE feed_id = $1";
        let retained = scalar(connection, size, [feed_id.into()]).await.unwrap();
        assert!((60 << 20..=64 << 20).contains(&retained), "{retained} bytes");
    }
}

#[tokio::test]
async fn new_entry_with_the_title_of_an_old_entry_is_stored() {
    let notes = |texts: &[&str]| {
        let note =
            |text: &&str| format!("<item><title>Weather</title><description>{text}</description></item>");
        let items: String = texts.iter().map(note).collect();
        format!("<rss version=\"2.0\"><channel><title>Notes</title>{items}</channel></rss>")
    };
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let feed_id = follows(domain, who, FEED).await.feed_id;
        arrives(domain, feed_id, &notes(&["Rain"])).await;
        insert_entries(domain, feed_id, 10_000..11_000).await;
        for texts in [&["Sun"][..], &["Sun", "Rain"][..]] {
            db.clock.advance(2 * HOUR);
            arrives(domain, feed_id, &notes(texts)).await;
            assert_eq!(stored(domain, feed_id).await, 1_002, "{texts:?}");
        }
    }
}

/// Returns a feed whose oldest entry comes first. The seventh entry has no valid date.
fn oldest_first(count: u32) -> String {
    items(1..=count).replacen("<pubDate>2026-01-01T00:07:00Z</pubDate>", "<pubDate>Invalid Date</pubDate>", 1)
}

#[tokio::test]
async fn new_entries_of_a_large_body_are_stored_regardless_of_its_order() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &oldest_first(600)).await;
        assert_eq!(titles(domain, who).await[..2], ["Note 600", "Note 599"]);
        assert_eq!(get_subscription(domain, who, mine.id).await.unwrap().left_out, 100);
        db.clock.advance(2 * HOUR);
        arrives(domain, mine.feed_id, &oldest_first(601)).await;
        assert_eq!(titles(domain, who).await[..2], ["Note 601", "Note 600"]);
        assert_eq!(stored(domain, mine.feed_id).await, 101);
        for expected in [401, 701, 900, 900] {
            db.clock.advance(2 * HOUR);
            arrives(domain, mine.feed_id, &oldest_first(1_400)).await;
            assert_eq!(stored(domain, mine.feed_id).await, expected);
        }
        assert_eq!(titles(domain, who).await[..2], ["Note 1400", "Note 1399"]);
        assert_ne!(row(domain, mine.feed_id).await.body_hash, 0);
    }
}

#[tokio::test]
async fn new_entries_of_a_large_body_without_dates_are_stored() {
    let undated = |numbers: std::ops::RangeInclusive<u32>| items(numbers).replace("pubDate>", "odd>");
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &undated(1..=600)).await;
        assert_eq!(stored(domain, mine.feed_id).await, 100);
        db.clock.advance(2 * HOUR);
        arrives(domain, mine.feed_id, &undated(1..=602)).await;
        assert_eq!(titles(domain, who).await[..2], ["Note 602", "Note 601"]);
    }
}

#[tokio::test]
async fn entries_with_equal_titles_and_different_texts_are_both_stored() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        let body = include_str!("data/same-title.xml");
        let west = body.replace("In the north", "In the west");
        for (body, count) in [(body, 2), (body, 2), (west.as_str(), 3), (body, 3)] {
            arrives(domain, mine.feed_id, body).await;
            assert_eq!(stored(domain, mine.feed_id).await, count);
        }
    }
}

#[tokio::test]
async fn changed_url_query_without_guids_creates_no_duplicates() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        let (one, two) = (include_str!("data/no-guid-1.xml"), include_str!("data/no-guid-2.xml"));
        for body in [one, two, one, two] {
            db.clock.advance(2 * HOUR);
            arrives(domain, mine.feed_id, body).await;
            assert_eq!(stored(domain, mine.feed_id).await, 1);
        }
    }
}
