//! Feed polling through HTTP: validators, host pauses, permanent redirects, and full texts.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::person::Person;
use crate::support::rss::{feed, poll};
use crate::support::{Reply, TestApp, on_each_world};

const MINUTE: i64 = 60 * 1000;
const DAY: i64 = 24 * 60 * MINUTE;

async fn follow(app: &TestApp, who: &Person, url: &str) -> Value {
    let answer = who.post(app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
    answer.json()["subscription"].clone()
}

async fn titles(app: &TestApp, who: &Person, query: &str) -> Vec<String> {
    let list = who.get(app, &format!("/v1/rss/entries?limit=100&{query}")).await.expect(200).json();
    let entries = list["entries"].as_array().unwrap();
    entries.iter().map(|entry| entry["title"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn poll_sends_validators_and_a_304_changes_nothing() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let modified = "Thu, 19 Nov 2026 10:00:00 GMT";
        let reply = feed(1..=3).with("etag", "\"v1\"").with("last-modified", modified);
        let url = app.site.put("/f.xml", reply);
        follow(&app, &who, &url).await;
        poll(&app).await;
        app.site.put("/f.xml", Reply::status(304));
        for _ in 0..2 {
            // Both polls are within the days in which validators are sent.
            app.clock.advance(DAY + 60 * MINUTE);
            poll(&app).await;
            let last = app.site.requests().pop().unwrap();
            assert_eq!(last.headers["if-none-match"], "\"v1\"");
            assert_eq!(last.headers["if-modified-since"], modified);
            assert!(last.headers["user-agent"].to_str().unwrap().starts_with("CarrelBot/"));
        }
        assert_eq!(titles(&app, &who, "").await.len(), 3);
        let list = who.get(&app, "/v1/rss/subscriptions").await.expect(200).json();
        assert_eq!(list["subscriptions"][0]["lastError"], Value::Null);
    });
}

#[test]
fn host_receives_no_request_during_its_retry_after() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (one, two) = (app.site.put("/one.xml", feed(1..=3)), app.site.put("/two.xml", feed(4..=6)));
        let subscription = follow(&app, &who, &one).await;
        follow(&app, &who, &two).await;
        for _ in 0..3 {
            poll(&app).await;
        }
        for path in ["/one.xml", "/two.xml"] {
            app.site.put(path, Reply::status(429).with("retry-after", "7200"));
        }
        let path = format!("/v1/rss/subscriptions/{}/refresh", subscription["id"]);
        app.clock.advance(5 * MINUTE);
        who.send(&app, Method::POST, &path).await.expect(202);
        poll(&app).await;
        let request_count = app.site.requests().len();
        for _ in 0..23 {
            app.clock.advance(5 * MINUTE);
            who.send(&app, Method::POST, &path).await.expect(202);
            poll(&app).await;
        }
        assert_eq!(app.site.requests().len(), request_count, "the feed is not polled within the pause");
        let refreshed = who.get(&app, &path.replace("/refresh", "")).await.expect(200).json();
        let last_error = refreshed["subscription"]["lastError"].as_str().unwrap();
        assert!(last_error.starts_with("source_rate_limited: next try 2026-11-20T"), "{last_error}");
    });
}

#[test]
fn permanent_redirect_moves_followers_to_the_new_feed() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let (old, new) = (app.site.put("/old.xml", feed(1..=3)), app.site.put("/new.xml", feed(2..=4)));
        let mine = follow(&app, &who, &old).await;
        let theirs = follow(&app, &other, &new).await;
        poll(&app).await;
        poll(&app).await;
        assert_eq!(titles(&app, &who, "").await, ["Note 3", "Note 2", "Note 1"]);
        let list = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        let body = json!({"ids": [list["entries"][0]["id"]], "unread": false});
        let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
        app.send(Method::PATCH, "/v1/rss/entries", &headers, Some(body.to_string())).await.expect(200);

        app.site.put("/old.xml", Reply::status(301).with("location", &new));
        for n in 5..=7 {
            app.site.put("/new.xml", feed(2..=n));
            app.clock.advance(2 * DAY);
            poll(&app).await;
            poll(&app).await;
        }
        let path = format!("/v1/rss/subscriptions/{}", mine["id"]);
        let moved = who.get(&app, &path).await.expect(200).json()["subscription"].clone();
        assert_eq!((&moved["feedId"], &moved["feedUrl"]), (&theirs["feedId"], &json!(new)));
        let mut all = titles(&app, &who, "").await;
        all.sort();
        assert_eq!(all, ["Note 1", "Note 2", "Note 3", "Note 4", "Note 5", "Note 6", "Note 7"]);
        assert_eq!(titles(&app, &who, "unread=false").await, ["Note 3"]);

        // From this point on, one poll serves both followers.
        let hits = (app.site.hits("/old.xml"), app.site.hits("/new.xml"));
        app.clock.advance(2 * DAY);
        poll(&app).await;
        poll(&app).await;
        assert_eq!((app.site.hits("/old.xml"), app.site.hits("/new.xml")), (hits.0, hits.1 + 1));
    });
}

#[test]
fn full_text_is_fetched_for_subscriptions_that_enable_it() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let article = app.site.article("/town");
        let body = format!(
            "<rss version=\"2.0\"><channel><title>Town</title><item><title>A town</title><link>{article}</link>\
             <guid>t1</guid><description>Only a teaser.</description></item></channel></rss>"
        );
        let url = app.site.put("/town.xml", Reply::bytes("application/rss+xml", body.into_bytes()));
        let request = json!({"url": url, "fullText": true});
        let made = who.post(&app, "/v1/rss/subscriptions", &request).await.expect(201).json();
        assert_eq!(made["subscription"]["fullText"], true);
        follow(&app, &other, &url).await;
        poll(&app).await;
        let list = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        let path = format!("/v1/rss/entries/{}", list["entries"][0]["id"]);
        let teaser = who.get(&app, &path).await.expect(200).json();
        assert_eq!(
            (&teaser["content"]["source"], &teaser["content"]["pending"]),
            (&json!("feed"), &json!(true))
        );
        poll(&app).await;
        let whole = who.get(&app, &path).await.expect(200).json();
        let text = whole["content"]["text"].as_str().unwrap();
        assert!(text.contains("Paragraph 3 of Library tells of books and lamps"), "{text}");
        assert_eq!((&whole["content"]["source"], app.site.hits("/town")), (&json!("article"), 1));
        let cut = who.get(&app, &format!("{path}?contentMaxCharacters=500")).await.expect(200).json();
        let text = cut["content"]["text"].as_str().unwrap();
        assert_eq!((&cut["content"]["truncated"], text.chars().count()), (&json!(true), 500));
        // A follower without `fullText` receives the feed's own text.
        let teaser = other.get(&app, &path).await.expect(200).json();
        assert_eq!(teaser["content"]["text"], "Only a teaser.");
    });
}
