//! Tests of the categories of stored entries, on both databases.

use super::*;

/// Returns a feed with entries that have these numbers and categories.
fn categorized(numbers: impl IntoIterator<Item = u32>, categories: &[&str]) -> String {
    let elements = categories.iter().map(|name| format!("<category>{name}</category>"));
    let elements = elements.collect::<Vec<String>>().concat();
    items(numbers).replace("</item>", &format!("{elements}</item>"))
}

async fn matches(domain: &Domain, who: AccountId, query: &str) -> usize {
    let filter = EntryFilter { query: Some(query.to_owned()), ..EntryFilter::default() };
    entries(domain, who, filter).await.entries.len()
}

#[tokio::test]
async fn categories_of_an_unchanged_entry_are_stored_and_searched_without_an_event() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=3)).await;
        let first = entries(domain, who, EntryFilter::default()).await.entries;
        assert!(first.iter().all(|entry| entry.categories.is_empty()));
        let ids: Vec<EntryId> = first.iter().map(|entry| entry.id).collect();
        mark_entries(domain, who, &ids, false).await.unwrap();
        let before = crate::log::last(domain.db().read()).await.unwrap();
        for (categories, query, expected) in [
            (&["Trade", "Open source"][..], "category:\"open SOURCE\" category:trad*", 3),
            (&["Trade", "Open source"][..], "category:source", 0),
            (&["Fish"][..], "category:trade", 0),
            (&["Fish"][..], "category:fish words", 3),
            (&["Fish"][..], "-category:fish", 0),
        ] {
            db.clock.advance(90 * MINUTE);
            arrives(domain, mine.feed_id, &categorized(1..=3, categories)).await;
            assert_eq!(matches(domain, who, query).await, expected, "{query}");
            let stored = entries(domain, who, EntryFilter::default()).await.entries;
            assert_eq!(stored.iter().map(|entry| entry.id).collect::<Vec<_>>(), ids);
            assert!(stored.iter().all(|entry| entry.categories.names == categories), "{stored:?}");
        }
        assert_eq!(unread(domain, who, mine.id).await, 0, "the entries stay read");
        let after = crate::log::last(domain.db().read()).await.unwrap();
        assert_eq!(after, before, "readers see no change of the entries");
    }
}

#[tokio::test]
async fn categories_of_new_and_changed_entries_are_stored() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        let many: Vec<String> = (1..=40).map(|number| format!("Topic {number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        arrives(domain, mine.feed_id, &categorized(1..=2, &many)).await;
        let stored = entries(domain, who, EntryFilter::default()).await.entries;
        assert_eq!((stored[0].categories.names.len(), stored[0].categories.omitted), (32, 8));
        assert_eq!(matches(domain, who, "category:\"topic 32\"").await, 2);
        assert_eq!(matches(domain, who, "category:\"topic 33\"").await, 0);
        db.clock.advance(90 * MINUTE);
        let changed = categorized(1..=2, &["C++", "C#"]).replace("Words of 1", "Other words");
        arrives(domain, mine.feed_id, &changed).await;
        assert_eq!(matches(domain, who, "other category:c++ category:c#").await, 1);
        assert_eq!(matches(domain, who, "category:c").await, 0);
    }
}

#[tokio::test]
async fn categories_that_a_feed_withdraws_are_removed_from_unchanged_entries() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &categorized(1..=3, &["Trade"])).await;
        assert_eq!(matches(domain, who, "category:trade words").await, 3);
        db.clock.advance(90 * MINUTE);
        arrives(domain, mine.feed_id, &items(1..=3)).await;
        assert_eq!(matches(domain, who, "category:trade").await, 0);
        assert_eq!(matches(domain, who, "words").await, 3);
        let stored = entries(domain, who, EntryFilter::default()).await.entries;
        assert!(stored.iter().all(|entry| entry.categories.is_empty()), "{stored:?}");
    }
}

#[tokio::test]
async fn categories_are_retained_if_the_format_of_a_body_has_none() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        let item = |version: &str, text: &str| {
            format!(
                "<item><title>carrel {version}</title><link>https://www.npmjs.com/package/carrel/v/{version}</link>\
                 <guid isPermaLink=\"false\">carrel@{version}</guid><pubDate>2026-01-01T00:00:00Z</pubDate>\
                 <category>Trade</category>{text}</item>"
            )
        };
        let releases = [item("1.0.0", ""), item("2.0.0", "<description>Words</description>")].concat();
        let body = format!("<rss version=\"2.0\"><channel><title>News</title>{releases}</channel></rss>");
        arrives(domain, mine.feed_id, &body).await;
        assert_eq!(matches(domain, who, "category:trade").await, 2);
        db.clock.advance(90 * MINUTE);
        let time = "2026-01-01T00:00:00Z";
        let package = format!(r#"{{"name":"carrel","time":{{"1.0.0":"{time}","2.0.0":"{time}"}}}}"#);
        let converted =
            read(domain, mine.feed_id, answer("https://registry.npmjs.org/carrel", &package)).await;
        polled(domain, mine.feed_id, converted).await;
        assert_eq!(matches(domain, who, "words").await, 0, "the second entry has changed");
        assert_eq!(matches(domain, who, "category:trade").await, 2);
        let stored = entries(domain, who, EntryFilter::default()).await.entries;
        assert_eq!(stored.len(), 2, "{stored:?}");
        assert!(stored.iter().all(|entry| entry.categories.names == ["Trade"]), "{stored:?}");
    }
}
