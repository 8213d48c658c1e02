//! Identity across polls: no entry is duplicated or lost.

use super::{EntryState, Store, rss};

fn item(guid: &str, link: &str, title: &str, day: u32) -> String {
    let guid =
        if guid.is_empty() { String::new() } else { format!("<guid isPermaLink=\"false\">{guid}</guid>") };
    let link = if link.is_empty() { String::new() } else { format!("<link>{link}</link>") };
    format!(
        "<item><title>{title}</title>{link}{guid}<pubDate>{day:02} Oct 2026 10:00:00 GMT</pubDate>\
         <description>Text of {title}</description></item>"
    )
}

fn three(edit: impl Fn(u32) -> String) -> String {
    rss(&(1..=3).map(edit).collect::<String>())
}

fn plain(n: u32) -> String {
    item(&format!("g{n}"), &format!("https://example.org/{n}"), &format!("Note {n}"), n)
}

#[test]
fn unchanged_body_yields_unchanged_entries() {
    let mut store = Store::default();
    assert!(store.poll(&three(plain)).iter().all(|state| *state == EntryState::New));
    assert!(store.poll(&three(plain)).iter().all(|state| matches!(state, EntryState::Same { .. })));
    assert_eq!(store.count(), 3);
}

#[test]
fn changing_guids_do_not_create_duplicates() {
    let mut store = Store::default();
    for round in 0..4 {
        store.poll(&three(|n| {
            item(&format!("g{n}-{round}"), &format!("https://example.org/{n}"), &format!("Note {n}"), n)
        }));
    }
    assert_eq!(store.count(), 3);
}

#[test]
fn entry_with_an_edited_title_is_changed() {
    let mut store = Store::default();
    store.poll(&three(plain));
    let edited = store.poll(&three(|n| {
        item(&format!("g{n}"), &format!("https://example.org/{n}"), &format!("Better {n}"), n)
    }));
    assert_eq!(edited, (1..=3).map(|id| EntryState::Changed { id }).collect::<Vec<_>>());
}

#[test]
fn fixed_entry_does_not_change() {
    let mut store = Store::default();
    store.poll(&three(plain));
    store.fixed_through = 2;
    let edited = store.poll(&three(|n| {
        item(&format!("g{n}"), &format!("https://example.org/{n}"), &format!("Better {n}"), n)
    }));
    let expected = [EntryState::Same { id: 1 }, EntryState::Same { id: 2 }, EntryState::Changed { id: 3 }];
    assert_eq!(edited, expected);
}

#[test]
fn edited_title_without_guids_does_not_create_a_duplicate() {
    let mut store = Store::default();
    store.poll(&three(|n| item("", &format!("https://example.org/{n}"), &format!("Note {n}"), n)));
    store.poll(&three(|n| item("", &format!("https://example.org/{n}"), &format!("Better {n}"), n)));
    assert_eq!(store.count(), 3);
}

#[test]
fn change_to_https_does_not_create_duplicates() {
    let mut store = Store::default();
    let with = |scheme: &str| {
        three(|n| {
            let link = format!("{scheme}://example.org/{n}");
            item(&link, &link, &format!("Note {n}"), n)
        })
    };
    store.poll(&with("http"));
    store.poll(&with("https"));
    assert_eq!(store.count(), 3);
}

#[test]
fn change_of_host_does_not_create_duplicates() {
    let mut store = Store::default();
    let on = |host: &str| {
        three(|n| {
            let link = format!("https://{host}/{n}");
            item(&link, &link, &format!("Note {n}"), n)
        })
    };
    store.poll(&on("old.example.org"));
    store.poll(&on("new.example.net"));
    assert_eq!(store.count(), 3);
}

#[test]
fn tracking_parameters_do_not_create_a_duplicate() {
    let mut store = Store::default();
    for source in ["?utm_source=a&amp;id=4", "?id=4&amp;fbclid=xyz", "?id=4#:~", "?id=4"] {
        let link = format!("https://example.org/x{}", source.trim_end_matches("#:~"));
        store.poll(&rss(&item("", &link, "Note", 1)));
    }
    assert_eq!(store.count(), 1);
}

#[test]
fn temporarily_missing_guid_does_not_create_a_duplicate() {
    let mut store = Store::default();
    store.poll(&three(plain));
    store.poll(&three(|n| item("", &format!("https://example.org/{n}"), &format!("Note {n}"), n)));
    store.poll(&three(plain));
    assert_eq!(store.count(), 3);
}

#[test]
fn entries_with_a_shared_guid_are_all_stored() {
    let mut store = Store::default();
    let shared = || three(|n| item("home", &format!("https://example.org/{n}"), &format!("Note {n}"), n));
    store.poll(&shared());
    assert_eq!(store.count(), 3);
    store.poll(&shared());
    assert_eq!(store.count(), 3);
    // The feed contains only one of the entries. The others are no longer listed.
    store.poll(&rss(&item("home", "https://example.org/2", "Note 2", 2)));
    assert_eq!(store.count(), 3);
}

#[test]
fn entries_with_equal_guid_and_url_are_distinguished_by_text() {
    let mut store = Store::default();
    let shared = || three(|n| item("home", "https://example.org/", &format!("Note {n}"), n));
    store.poll(&shared());
    store.poll(&shared());
    assert_eq!(store.count(), 3);
}

#[test]
fn entries_with_the_same_url_and_different_guids_are_distinct() {
    let mut store = Store::default();
    store.poll(&rss(&item("a", "https://example.org/today", "Monday", 1)));
    store.poll(&rss(&item("b", "https://example.org/today", "Tuesday", 2)));
    assert_eq!(store.count(), 2);
}

#[test]
fn reordered_entries_are_unchanged() {
    let mut store = Store::default();
    store.poll(&rss(&(1..=5).map(plain).collect::<String>()));
    let states = store.poll(&rss(&(1..=5).rev().map(plain).collect::<String>()));
    assert!(states.iter().all(|state| matches!(state, EntryState::Same { .. })));
}

#[test]
fn entry_that_reappears_is_not_new() {
    let mut store = Store::default();
    store.poll(&three(plain));
    store.poll(&rss(&plain(3)));
    store.poll(&three(plain));
    assert_eq!(store.count(), 3);
}

#[test]
fn changed_future_date_does_not_create_a_duplicate() {
    let mut store = Store::default();
    let future = |year: u32| {
        format!(
            "<item><title>Soon</title><guid isPermaLink=\"false\">s</guid><pubDate>01 Jan {year} 00:00:00 GMT</pubDate></item>"
        )
    };
    store.poll(&rss(&future(2099)));
    store.poll(&rss(&future(2098)));
    assert_eq!(store.count(), 1);
}

#[test]
fn repeated_item_is_one_entry() {
    let mut store = Store::default();
    assert_eq!(store.poll(&rss(&format!("{}{}", plain(1), plain(1)))).len(), 1);
}

#[test]
fn entries_with_only_text_are_recognised() {
    let mut store = Store::default();
    let body = rss(
        "<item><description>One thing</description></item><item><description>Another</description></item>",
    );
    store.poll(&body);
    store.poll(&body);
    assert_eq!(store.count(), 2);
}

#[test]
fn truncated_body_does_not_create_duplicates() {
    let mut store = Store::default();
    let whole = rss(&(1..=5).map(plain).collect::<String>());
    store.poll(&whole);
    store.poll(&whole[..whole.len() - 200]);
    store.poll(&whole);
    assert_eq!(store.count(), 5);
}

fn oldest_first(count: u32, time: impl Fn(u32) -> Option<u32>) -> String {
    let item = |n: u32| {
        let time = time(n).map_or_else(
            || "Invalid Date".to_owned(),
            |hour| format!("2026-{:02}-{:02}T{:02}:00:00Z", hour / 672 + 1, hour / 24 % 28 + 1, hour % 24),
        );
        format!(
            "<item><title>T{n}</title><link>https://example.org/{n}</link><guid>g{n}</guid>\
             <pubDate>{time}</pubDate></item>"
        )
    };
    rss(&(1..=count).map(item).collect::<String>())
}

#[test]
fn newest_entries_are_retained_if_an_entry_has_no_date() {
    let body = oldest_first(600, |n| (n != 7).then_some(n));
    let feed = super::parse_body(&body);
    assert_eq!((feed.entries.len(), feed.dropped), (500, 100));
    assert_eq!(feed.entries[0].title.as_deref(), Some("T101"));
    let newest = feed.entries.iter().min_by_key(|entry| entry.rank).unwrap();
    assert_eq!(newest.title.as_deref(), Some("T600"));
}

#[test]
fn entry_that_appears_after_the_first_poll_is_new_at_any_position() {
    let one_without_date: fn(u32) -> Option<u32> = |n| (n != 7).then_some(n);
    for time in [one_without_date, |_| None, |n| Some(2_000 - n)] {
        let mut store = Store::default();
        store.poll(&oldest_first(600, time));
        assert_eq!(store.count(), 500);
        let states = store.poll(&oldest_first(601, time));
        assert_eq!(states.iter().filter(|state| **state == EntryState::New).count(), 1);
        store.poll(&oldest_first(1_500, time));
        store.poll(&oldest_first(1_500, time));
        assert_eq!(store.count(), 500 + 900, "too many new entries are read by subsequent polls");
    }
}

#[test]
fn changed_url_query_without_guids_does_not_create_duplicates() {
    let mut store = Store::default();
    store.poll(include_str!("data/no-guid-1.xml"));
    for _ in 0..2 {
        store.poll(include_str!("data/no-guid-2.xml"));
        store.poll(include_str!("data/no-guid-1.xml"));
    }
    assert_eq!(store.count(), 1);
}

#[test]
fn entries_with_equal_titles_and_different_texts_are_both_stored() {
    let mut store = Store::default();
    for _ in 0..2 {
        store.poll(include_str!("data/same-title.xml"));
        assert_eq!(store.count(), 2);
    }
}
