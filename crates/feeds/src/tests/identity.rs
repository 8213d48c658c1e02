//! Tests of entry identity from parsing to storage, on both databases. Regardless of how a feed changes its
//! entries, no entry is duplicated or lost, and each entry retains its read state.

use super::*;

/// One entry of a body.
#[derive(Clone, Debug, Default)]
struct Item {
    guid: String,
    link: String,
    title: String,
    date: String,
}

fn item(n: u32) -> Item {
    Item {
        guid: format!("g{n}"),
        link: format!("https://example.org/{n}"),
        title: format!("Note {n}"),
        date: format!("2026-10-{:02}T10:00:00Z", n % 28 + 1),
    }
}

fn body(items: &[Item]) -> String {
    let element = |name: &str, text: &str| {
        if text.is_empty() {
            String::new()
        } else {
            format!("<{name}>{}</{name}>", text.replace('&', "&amp;"))
        }
    };
    let items: Vec<String> = items
        .iter()
        .map(|item| {
            let guid = element("guid", &item.guid).replacen("<guid>", "<guid isPermaLink=\"false\">", 1);
            let (link, title) = (element("link", &item.link), element("title", &item.title));
            let date = element("pubDate", &item.date);
            format!("<item>{title}{link}{guid}{date}<description>Words</description></item>")
        })
        .collect();
    format!("<rss version=\"2.0\"><channel><title>News</title>{}</channel></rss>", items.concat())
}

fn three(change: impl Fn(u32) -> Item) -> Vec<Item> {
    (1..=3).map(change).collect()
}

/// Stores the bodies one after the other, and marks the oldest entry as read after the first body. Asserts
/// that there are exactly `expected` entries and that all other entries are unread.
async fn assert_entry_count(bodies: &[Vec<Item>], expected: usize) {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &body(&bodies[0])).await;
        let first = entries(domain, who, EntryFilter::default()).await.entries;
        let read_id = first.last().unwrap().id;
        assert_eq!(mark_entries(domain, who, &[read_id], false).await.unwrap(), (1, 0));
        for next in &bodies[1..] {
            db.clock.advance(90 * MINUTE);
            arrives(domain, mine.feed_id, &body(next)).await;
        }
        let last = entries(domain, who, EntryFilter::default()).await;
        let listed: Vec<String> = last.entries.iter().map(|e| format!("{} {}", e.id, e.title)).collect();
        assert_eq!(last.entries.len(), expected, "{listed:?}");
        assert!(first.iter().all(|old| last.entries.iter().any(|new| new.id == old.id)), "{listed:?}");
        let is_read = |entry: &Entry| !entry.unread;
        let read: Vec<_> = last.entries.iter().filter(|e| is_read(e)).map(|e| e.id).collect();
        assert_eq!(read, [read_id], "{listed:?}");
        assert_eq!(usize::try_from(last.unread_total).unwrap(), expected - 1);
    }
}

#[tokio::test]
async fn repeated_entries_create_no_duplicates() {
    assert_entry_count(&[three(item), three(item), three(item)], 3).await;
}

#[tokio::test]
async fn changing_guids_create_no_duplicates() {
    let round = |round: u32| three(move |n| Item { guid: format!("g{n}-{round}"), ..item(n) });
    assert_entry_count(&[round(0), round(1), round(2), round(3)], 3).await;
}

#[tokio::test]
async fn edited_title_creates_no_new_entry() {
    let edited = three(|n| Item { title: format!("Better {n}"), ..item(n) });
    assert_entry_count(&[three(item), edited], 3).await;
}

#[tokio::test]
async fn switch_to_https_creates_no_new_entry() {
    let on = |scheme: &'static str| {
        three(move |n| {
            let link = format!("{scheme}://example.org/{n}");
            Item { guid: link.clone(), link, ..item(n) }
        })
    };
    assert_entry_count(&[on("http"), on("https"), on("http")], 3).await;
}

#[tokio::test]
async fn redirect_to_another_host_creates_no_new_entries() {
    let on = |host: &'static str| {
        three(move |n| {
            let link = format!("https://{host}/{n}");
            Item { guid: link.clone(), link, ..item(n) }
        })
    };
    assert_entry_count(&[on("old.example.org"), on("new.example.net")], 3).await;
}

#[tokio::test]
async fn tracking_parameters_create_no_new_entry() {
    let from = |source: &'static str| {
        three(move |n| {
            let link = format!("https://example.org/{n}?utm_source={source}&utm_medium=rss&fbclid={source}");
            Item { guid: String::new(), link, ..item(n) }
        })
    };
    assert_entry_count(&[from("rss"), from("mail"), from("app")], 3).await;
}

#[tokio::test]
async fn entry_without_guid_is_identified_by_url() {
    let bare = |word: &'static str| {
        three(move |n| Item { guid: String::new(), title: format!("{word} {n}"), ..item(n) })
    };
    assert_entry_count(&[bare("Note"), bare("Better"), bare("Best")], 3).await;
}

#[tokio::test]
async fn entry_without_guid_and_url_is_identified_by_title_and_time() {
    let bare = three(|n| Item { guid: String::new(), link: String::new(), ..item(n) });
    let mut more = bare.clone();
    more.insert(0, Item { guid: String::new(), link: String::new(), ..item(4) });
    assert_entry_count(&[bare.clone(), bare, more], 4).await;
}

#[tokio::test]
async fn guid_shared_by_all_entries_loses_no_entry() {
    let shared = |n| Item { guid: "https://example.org/".to_owned(), ..item(n) };
    let mut more = three(shared);
    more.insert(0, shared(4));
    assert_entry_count(&[three(shared), more.clone(), more], 4).await;
}

#[tokio::test]
async fn reordered_entries_create_no_duplicates() {
    let mut reversed = three(item);
    reversed.reverse();
    let turned = vec![item(2), item(3), item(1)];
    assert_entry_count(&[three(item), reversed, turned], 3).await;
}

#[tokio::test]
async fn corrected_future_date_creates_no_new_entry() {
    let ahead = three(|n| Item { date: "2031-01-01T00:00:00Z".to_owned(), ..item(n) });
    let corrected = three(|n| Item { date: "2026-11-20T12:30:00Z".to_owned(), ..item(n) });
    assert_entry_count(&[ahead.clone(), ahead, corrected], 3).await;
}

#[tokio::test]
async fn dates_that_always_change_create_no_new_entries() {
    let at = |hour: u32| three(move |n| Item { date: format!("2026-11-20T{hour:02}:00:00Z"), ..item(n) });
    assert_entry_count(&[at(10), at(11), at(12)], 3).await;
}

#[tokio::test]
async fn entry_that_left_and_returned_creates_no_duplicate() {
    assert_entry_count(&[three(item), vec![item(3)], three(item)], 3).await;
}

#[tokio::test]
async fn entries_with_equal_urls_and_different_guids_stay_separate() {
    let page = |n| Item { link: "https://example.org/log".to_owned(), ..item(n) };
    let mut more = three(page);
    more.insert(0, page(4));
    assert_entry_count(&[three(page), more.clone(), more], 4).await;
}

#[tokio::test]
async fn guid_that_moves_to_a_new_entry_loses_no_entry() {
    let renamed = Item { guid: "g9".to_owned(), ..item(1) };
    let heir = Item { guid: "g1".to_owned(), ..item(2) };
    assert_entry_count(&[vec![item(1)], vec![renamed.clone()], vec![heir, renamed]], 2).await;
}

#[tokio::test]
async fn identity_marks_that_change_successively_create_no_duplicates() {
    let guid = |n| Item { guid: format!("new-{n}"), ..item(n) };
    let link = |n| Item { link: format!("https://example.org/new/{n}"), ..guid(n) };
    let date = |n| Item { date: format!("2026-11-{:02}T10:00:00Z", n + 1), ..link(n) };
    let title = |n| Item { title: format!("Better {n}"), ..date(n) };
    assert_entry_count(&[three(item), three(guid), three(link), three(date), three(title)], 3).await;
    let bare = |item: Item| Item { guid: String::new(), ..item };
    let bodies = [
        three(|n| bare(item(n))),
        three(|n| bare(link(n))),
        three(|n| bare(Item { link: item(n).link, ..link(n) })),
        three(|n| bare(Item { link: item(n).link, ..date(n) })),
        three(|n| bare(date(n))),
    ];
    assert_entry_count(&bodies, 3).await;
}

#[tokio::test]
async fn old_entry_beyond_the_compared_entries_is_not_stored_again() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(0..90)).await;
        for step in 1..=4 {
            db.clock.advance(90 * MINUTE);
            arrives(domain, mine.feed_id, &items(step * 300..step * 300 + 300)).await;
        }
        let count = async || entries(domain, who, EntryFilter::default()).await.unread_total;
        let before = count().await;
        assert_eq!(before, 1290);
        let last_new = row(domain, mine.feed_id).await.last_new_at;
        db.clock.advance(90 * MINUTE);
        arrives(domain, mine.feed_id, &items(0..10)).await;
        assert_eq!(count().await, before);
        assert_eq!(row(domain, mine.feed_id).await.last_new_at, last_new);
    }
}
