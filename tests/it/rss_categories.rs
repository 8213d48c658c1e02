//! Categories of entries: in the API, on pages, in searches, in rules, and in feed apps.

use kernel::clock::HOUR;
use kernel::tiers::Tier;
use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::person::Person;
use crate::support::rss::{document, poll};
use crate::support::{Reply, TestApp, on_each_world};

/// Publishes a feed with the entries `Note 1` to `Note COUNT`. The first entries have these categories, each
/// a list separated by `|`.
fn publish(app: &TestApp, count: u32, categories: &[&str]) -> String {
    let with_categories = |text: String, (number, names): (usize, &&str)| {
        let elements = names.split('|').map(|name| format!("<category>{name}</category>"));
        let elements = elements.collect::<Vec<String>>().concat();
        let title = format!("<title>Note {}</title>", number + 1);
        text.replace(&title, &format!("{title}{elements}"))
    };
    let body = categories.iter().enumerate().fold(document(1..=count), with_categories);
    app.site.put("/categories.xml", Reply::bytes("application/rss+xml", body.into_bytes()))
}

async fn entries(app: &TestApp, who: &Person, query: &str) -> Vec<Value> {
    let query: String = url::form_urlencoded::byte_serialize(query.as_bytes()).collect();
    let list = who.get(app, &format!("/v1/rss/entries?limit=100&query={query}")).await.expect(200).json();
    list["entries"].as_array().unwrap().clone()
}

/// Returns the titles of the entries that match a query, sorted and joined by commas.
async fn titles(app: &TestApp, who: &Person, query: &str) -> String {
    let entries = entries(app, who, query).await;
    let mut titles: Vec<&str> = entries.iter().map(|entry| entry["title"].as_str().unwrap()).collect();
    titles.sort_unstable();
    titles.join(", ")
}

#[test]
fn categories_are_listed_linked_and_searched() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let url = publish(&app, 3, &["Trade|R&amp;D &quot;lab&quot;", "TRADE|Trade|open source"]);
        who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
        poll(&app).await;
        for (title, expected) in [
            ("title:1", json!(["Trade", "R&D \"lab\""])),
            ("title:2", json!(["TRADE", "open source"])),
            ("title:3", json!([])),
        ] {
            assert_eq!(entries(&app, &who, title).await[0]["categories"], expected, "{title}");
        }
        for (query, expected) in [
            ("category:trade", "Note 1, Note 2"),
            ("-category:trade", "Note 3"),
            ("category:\"Open Source\"", "Note 2"),
            ("category:open", ""),
            ("category:open*", "Note 2"),
            ("category:open* OR title:3", "Note 2, Note 3"),
            ("words -(category:open-source OR title:3)", "Note 1"),
        ] {
            assert_eq!(titles(&app, &who, query).await, expected, "{query}");
            assert_eq!(titles(&app, &other, query).await, "", "{query}");
            let body = json!({"select": "entries", "where": {"text": query}});
            let answer = who.post(&app, "/v1/feeds/query", &body).await.expect(200).json();
            assert_eq!(answer["total"], expected.matches("Note").count(), "{query}: {answer}");
        }
        who.get(&app, "/v1/rss/entries?query=category:*").await.expect(422);
        let items = who.get(&app, "/v1/library/items?query=category:trade").await.expect(200).json();
        assert_eq!(items["items"], json!([]), "items have no categories");

        let mut browser = Browser::signed_in(&app, &who).await;
        let id = entries(&app, &who, "title:1").await[0]["id"].as_i64().unwrap();
        let page = browser.open(&format!("/entries/{id}")).await.expect(200).text();
        let links: Vec<&str> = page.split("class=\"tag\" href=\"").skip(1).collect();
        assert_eq!(links.len(), 2, "{page}");
        assert!(links[1].contains("<bdi>R&amp;D &quot;lab&quot;</bdi>"), "{}", links[1]);
        let listed: [&[&str]; 2] = [&["Note 1", "Note 2"], &["Note 1"]];
        for (link, expected) in links.iter().zip(listed) {
            let path = link.split('"').next().unwrap().replace("&amp;", "&");
            let list = browser.open(&path).await.expect(200).text();
            for title in ["Note 1", "Note 2", "Note 3"] {
                assert_eq!(list.contains(&format!("{title}<")), expected.contains(&title), "{path} {title}");
            }
        }
    });
}

#[test]
fn further_categories_are_counted_on_the_page_of_the_entry() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let many: Vec<String> = (1..=35).map(|number| format!("Topic {number}")).collect();
        let url = publish(&app, 1, &[many.join("|").as_str()]);
        who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
        poll(&app).await;
        let list = entries(&app, &who, "").await;
        assert_eq!(list[0]["categories"].as_array().unwrap().len(), 32);
        let mut browser = Browser::signed_in(&app, &who).await;
        let page = browser.open(&format!("/entries/{}", list[0]["id"])).await.expect(200).text();
        assert!(
            page.contains("Topic 32") && !page.contains("Topic 33") && page.contains("and 3 more"),
            "{page}"
        );
    });
}

#[test]
fn rules_match_categories_and_dates_in_the_future() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        for (action, part, words) in [("mute", "category", "TRADE"), ("read", "published", "future")] {
            browser.open("/subscriptions/rules").await.expect(200);
            let fields =
                [("act", "create"), ("action", action), ("part", part), ("kind", "words"), ("words", words)];
            browser.submit("/subscriptions/rules", &fields).await.expect(303);
        }
        let url = publish(&app, 2, &["Foreign trade|News"]);
        who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
        poll(&app).await;
        assert_eq!(titles(&app, &who, "").await, "Note 2");
        let ahead = document(1..=3).replacen("<pubDate>2026-11-04", "<pubDate>2099-11-04", 1);
        app.site.put("/categories.xml", Reply::bytes("application/rss+xml", ahead.into_bytes()));
        app.clock.advance(27 * HOUR);
        poll(&app).await;
        assert_eq!(titles(&app, &who, "").await, "Note 2, Note 3");
        assert_eq!(titles(&app, &who, "is:read").await, "Note 3", "the feed states a time in the future");
    });
}

#[test]
fn stored_entries_get_categories_when_the_feed_changes_and_remain_read() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = publish(&app, 2, &[]);
        who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
        poll(&app).await;
        who.post(
            &app,
            "/v1/rss/mark-read",
            &json!({ "all": true, "discoveredBefore": "2030-01-01T00:00:00Z" }),
        )
        .await
        .expect(200);
        publish(&app, 2, &["Trade", "Trade"]);
        app.clock.advance(27 * HOUR);
        poll(&app).await;
        assert_eq!(titles(&app, &who, "category:trade").await, "Note 1, Note 2");
        assert_eq!(titles(&app, &who, "is:unread").await, "");
    });
}
