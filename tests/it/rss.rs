//! RSS operations through HTTP: subscriptions, discovery, collections, entries, and read states.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::feed_app::FeedApp;
use crate::support::person::Person;
use crate::support::rss::{feed, poll};
use crate::support::{HttpAnswer, Reply, TestApp, on_each_world};

async fn send(app: &TestApp, who: &Person, method: Method, path: &str, body: &Value) -> HttpAnswer {
    let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
    app.send(method, path, &headers, Some(body.to_string())).await
}

/// Follows a feed of the site and polls it. Returns the subscription.
async fn follow_feed(
    app: &TestApp,
    who: &Person,
    path: &str,
    numbers: std::ops::RangeInclusive<u32>,
) -> Value {
    let url = app.site.put(path, feed(numbers));
    let answer = who.post(app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
    poll(app).await;
    answer.json()["subscription"].clone()
}

#[test]
fn page_url_is_resolved_to_its_feed_and_entries_are_polled() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/feed.xml", feed(1..=3));
        let page = app.site.put(
            "/blog",
            Reply::html("<link rel=alternate type=application/rss+xml href=/feed.xml><p>Hello</p>"),
        );
        let discovered = who.post(&app, "/v1/rss/discover", &json!({ "url": page })).await.expect(200).json();
        assert_eq!(discovered, json!({"feeds": [{"feedUrl": url, "title": "Harbour", "type": "rss"}]}));
        let made = who.post(&app, "/v1/rss/subscriptions", &json!({ "url": page })).await.expect(201).json();
        assert_eq!((&made["alreadySubscribed"], made.get("candidates")), (&json!(false), None));
        assert_eq!(made["subscription"]["feedUrl"], url);
        let again = who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(200).json();
        assert_eq!(again["alreadySubscribed"], true);
        poll(&app).await;

        let list = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        assert_eq!((&list["unreadTotal"], &list["nextCursor"]), (&json!(3), &Value::Null));
        let first = &list["entries"][0];
        assert_eq!((&first["title"], &first["feedTitle"]), (&json!("Note 3"), &json!("Harbour")));
        assert_eq!(first["url"], "https://example.org/3");
        assert_eq!((&first["summary"], &first["unread"]), (&json!("Words of 3"), &json!(true)));
        let path = format!("/v1/rss/entries/{}", first["id"]);
        let one = who.get(&app, &path).await.expect(200).json();
        let content = json!({"text": "Words of 3", "characters": 10, "truncated": false, "source": "feed", "pending": false, "warnings": []});
        assert_eq!(one["content"], content);

        let path = format!("/v1/rss/subscriptions/{}", made["subscription"]["id"]);
        let current = who.get(&app, &path).await.expect(200).json();
        assert_eq!(
            (&current["subscription"]["unreadCount"], &current["subscription"]["title"]),
            (&json!(3), &json!("Harbour"))
        );
        let used = who.get(&app, "/v1/me").await.expect(200).json();
        assert_eq!(used["limits"]["rssSubscriptionsUsed"], 1);
    });
}

#[test]
fn feed_with_the_longest_url_is_discovered_and_followed() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let start = app.site.url("/");
        // Each character has two bytes, and six when the URL is percent-encoded.
        let path = "\u{fc}".repeat(4096 - start.len());
        let encoded: String = url::form_urlencoded::byte_serialize(path.as_bytes()).collect();
        let feed_url = app.site.put(&format!("/{encoded}"), feed(1..=3));
        let body = json!({ "url": format!("{start}{path}") });
        let discovered = who.post(&app, "/v1/rss/discover", &body).await.expect(200).json();
        assert_eq!(discovered["feeds"][0]["feedUrl"], feed_url);
        let made = who.post(&app, "/v1/rss/subscriptions", &body).await.expect(201).json();
        assert_eq!(made["subscription"]["feedUrl"], feed_url);
        poll(&app).await;
        let list = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        assert_eq!(list["unreadTotal"], 3);
    });
}

#[test]
fn followers_of_one_feed_share_one_poll_per_interval() {
    on_each_world(async |app| {
        let url = app.site.put("/shared.xml", feed(1..=3));
        for _ in 0..5 {
            let who = Person::free(&app).await;
            who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
        }
        let before = app.site.hits("/shared.xml");
        assert_eq!(before, 1, "one discovery serves all followers");
        for _ in 0..5 {
            poll(&app).await;
        }
        assert_eq!(app.site.hits("/shared.xml") - before, 1, "one poll serves all followers");
        app.clock.advance(27 * 60 * 60 * 1000);
        poll(&app).await;
        assert_eq!(app.site.hits("/shared.xml") - before, 2);
    });
}

#[test]
fn entries_are_marked_read_by_id_feed_and_time() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let one = follow_feed(&app, &who, "/a.xml", 1..=5).await;
        let list = who.get(&app, "/v1/rss/entries?limit=2").await.expect(200).json();
        let ids: Vec<i64> =
            list["entries"].as_array().unwrap().iter().map(|entry| entry["id"].as_i64().unwrap()).collect();
        let body = json!({"ids": [ids[0], ids[1].to_string(), 999_999], "unread": false});
        let marked = send(&app, &who, Method::PATCH, "/v1/rss/entries", &body).await.expect(200).json();
        assert_eq!(marked, json!({"updated": 2, "missing": 1}));
        let left = who.get(&app, "/v1/rss/entries?unread=true").await.expect(200).json();
        assert_eq!((left["entries"].as_array().unwrap().len(), &left["unreadTotal"]), (3, &json!(3)));
        let body = json!({"feedId": one["feedId"], "discoveredBefore": "2030-01-01T00:00:00Z"});
        let marked = who.post(&app, "/v1/rss/mark-read", &body).await.expect(200).json();
        assert_eq!(marked, json!({"updated": 3}));
        for bad in [
            json!({"discoveredBefore": "2030-01-01T00:00:00Z"}),
            json!({"all": true, "feedId": 1, "discoveredBefore": "2030-01-01T00:00:00Z"}),
            json!({"all": true}),
            json!({"all": true, "discoveredBefore": "soon"}),
            json!({"all": true, "discoveredBefore": "2030-01-01T00:00:00Z", "more": 1}),
        ] {
            who.post(&app, "/v1/rss/mark-read", &bad).await.api_error(422, "invalid_request");
        }
        let bad = json!({"ids": [], "unread": true});
        send(&app, &who, Method::PATCH, "/v1/rss/entries", &bad).await.api_error(422, "invalid_request");
    });
}

#[test]
fn cursor_continues_and_is_bound_to_account_and_filter() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        follow_feed(&app, &who, "/a.xml", 1..=7).await;
        let first = who.get(&app, "/v1/rss/entries?limit=3").await.expect(200).json();
        let cursor = first["nextCursor"].as_str().unwrap();
        let path = format!("/v1/rss/entries?limit=3&cursor={cursor}");
        let second = who.get(&app, &path).await.expect(200).json();
        assert_eq!(second["entries"][0]["title"], "Note 4");
        other.get(&app, &path).await.api_error(422, "invalid_cursor");
        who.get(&app, "/v1/rss/entries?cursor=broken").await.api_error(422, "invalid_cursor");
        who.get(&app, &format!("{path}&unread=true")).await.api_error(422, "cursor_mismatch");
        who.get(&app, &format!("/v1/rss/subscriptions?cursor={cursor}"))
            .await
            .api_error(422, "invalid_cursor");
        who.get(&app, "/v1/rss/entries?limit=101").await.api_error(422, "invalid_request");
        who.get(&app, "/v1/rss/entries?query=caf%e9").await.api_error(422, "invalid_request");
        who.get(&app, "/v1/rss/entries?cursor=&query=&more=1").await.expect(200);
        let words = who.get(&app, "/v1/rss/entries?query=words%20OF%207").await.expect(200).json();
        assert_eq!(words["entries"].as_array().unwrap().len(), 1);
        let oldest = who.get(&app, "/v1/rss/entries?order=oldest&limit=1").await.expect(200).json();
        assert_eq!(oldest["entries"][0]["title"], "Note 1");
    });
}

#[test]
fn feed_is_in_exactly_one_collection() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let one = follow_feed(&app, &who, "/a.xml", 1..=2).await;
        let body = json!({"name": "Sea", "feedIds": [one["feedId"]]});
        let made =
            who.post(&app, "/v1/rss/collections", &body).await.expect(201).json()["collection"].clone();
        assert_eq!((&made["kind"], &made["feedIds"]), (&json!("custom"), &json!([one["feedId"]])));
        who.post(&app, "/v1/rss/collections", &json!({"name": "sea"})).await.api_error(409, "name_taken");
        let all = who.get(&app, "/v1/rss/collections").await.expect(200).json();
        let unsorted = &all["collections"][0];
        assert_eq!((&unsorted["kind"], &unsorted["feedIds"]), (&json!("unsorted"), &json!([])));
        let path = format!("/v1/rss/collections/{}", unsorted["id"]);
        send(&app, &who, Method::DELETE, &path, &json!({})).await.api_error(422, "collection_immutable");
        let path = format!("/v1/rss/collections/{}", made["id"]);
        send(&app, &other, Method::PATCH, &path, &json!({"name": "Mine"})).await.api_error(404, "not_found");
        let list =
            who.get(&app, &format!("/v1/rss/entries?collectionId={}", made["id"])).await.expect(200).json();
        assert_eq!(list["unreadTotal"], 2);
        who.send(&app, Method::DELETE, &path).await.expect(204);
        let path = format!("/v1/rss/subscriptions/{}", one["id"]);
        let current = who.get(&app, &path).await.expect(200).json();
        assert_eq!(current["subscription"]["folderId"], unsorted["id"]);
    });
}

#[test]
fn collections_are_sorted_by_name_in_natural_order() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        for name in ["10 birds", "boats", "Anchors", "2 birds"] {
            who.post(&app, "/v1/rss/collections", &json!({"name": name})).await.expect(201);
        }
        let order = ["2 birds", "10 birds", "Anchors", "boats"];
        let all = who.get(&app, "/v1/rss/collections").await.expect(200).json();
        let names: Vec<&str> =
            all["collections"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
        assert_eq!((names[0], &names[1..]), ("Unsorted", &order[..]));
        let tags = FeedApp::sign_in(&app, &who).await.get("tag/list").await;
        let labels = tags["tags"].as_array().unwrap().iter().skip(1);
        let labels: Vec<&str> = labels.map(|tag| tag["id"].as_str().unwrap()).collect();
        assert_eq!(labels, order.map(|name| format!("user/-/label/{name}")));
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        for path in ["/entries", "/collections"] {
            let page = browser.open(path).await.expect(200).text();
            let positions =
                order.map(|name| page.find(name).unwrap_or_else(|| panic!("{name} is missing on {path}")));
            assert!(positions.is_sorted(), "{path}: {positions:?}");
        }
    });
}

#[test]
fn subscription_is_changed_refreshed_and_deleted() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Premium).await, Person::free(&app).await);
        let one = follow_feed(&app, &who, "/a.xml", 1..=2).await;
        let path = format!("/v1/rss/subscriptions/{}", one["id"]);
        let body = json!({"title": "Mine", "intervalMinutes": "30", "fullText": true});
        let changed = send(&app, &who, Method::PATCH, &path, &body).await.expect(200).json();
        let changed = &changed["subscription"];
        assert_eq!(
            (&changed["title"], &changed["intervalMinutes"], &changed["fullText"]),
            (&json!("Mine"), &json!(30), &json!(true))
        );
        let body = json!({"title": null, "intervalMinutes": null, "fullText": false});
        let changed = send(&app, &who, Method::PATCH, &path, &body).await.expect(200).json();
        assert_eq!(
            (&changed["subscription"]["title"], &changed["subscription"]["intervalMinutes"]),
            (&json!("Harbour"), &Value::Null)
        );
        let short = json!({"intervalMinutes": 5});
        send(&app, &who, Method::PATCH, &path, &short).await.api_error(422, "interval_too_short");
        send(&app, &who, Method::PATCH, &path, &json!({"colour": 1})).await.api_error(422, "invalid_request");
        let hits = app.site.hits("/a.xml");
        who.send(&app, Method::POST, &format!("{path}/refresh")).await.expect(202);
        who.send(&app, Method::POST, &format!("{path}/refresh")).await.api_error(429, "rate_limited");
        poll(&app).await;
        assert_eq!(app.site.hits("/a.xml"), hits + 1);
        for method in [Method::GET, Method::DELETE] {
            other.send(&app, method, &path).await.api_error(404, "not_found");
        }
        who.send(&app, Method::DELETE, &path).await.expect(204);
        who.get(&app, &path).await.api_error(404, "not_found");
        who.get(&app, "/v1/rss/subscriptions/x").await.api_error(404, "not_found");
    });
}

#[test]
fn invalid_subscription_is_refused_with_a_code() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let plain = app.site.put("/plain", Reply::html("<p>No feed here</p>"));
        let follow = |url: String| {
            let (app, who) = (&app, &who);
            async move { who.post(app, "/v1/rss/subscriptions", &json!({ "url": url })).await }
        };
        follow(plain).await.api_error(422, "no_feed_found");
        follow(app.site.url("/missing")).await.api_error(422, "source_not_found");
        follow("http://10.0.0.1/feed".into()).await.api_error(422, "url_not_allowed");
        follow("not a url".into()).await.api_error(422, "invalid_url");
        follow("feed://10.0.0.1/feed ".into()).await.api_error(422, "url_not_allowed");
        follow("feed:ftp://example.org/".into()).await.api_error(422, "invalid_url");
        follow(format!("https://example.org/?k={}", who.key)).await.api_error(422, "invalid_url");
        let broken = app.site.put("/broken", Reply::status(500));
        follow(broken).await.api_error(502, "source_error");
        who.post(&app, "/v1/rss/subscriptions", &json!({})).await.api_error(422, "invalid_request");
    });
}

#[test]
fn rate_limit_of_a_source_is_returned_with_its_delay() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/limited.xml", Reply::status(429).with("retry-after", "120"));
        for path in ["/v1/rss/subscriptions", "/v1/rss/discover"] {
            let refused = who.post(&app, path, &json!({ "url": url })).await;
            let delay = refused.api_error(502, "source_rate_limited")["retryAfter"].as_i64();
            assert!(delay.is_some_and(|seconds| (60..=120).contains(&seconds)), "{path}: {delay:?}");
        }
        assert_eq!(app.site.hits("/limited.xml"), 1);
    });
}

#[test]
fn feed_is_discovered_by_link_headers_and_by_a_redirect_in_markup() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let discover = async |url: &str| {
            let answer = who.post(&app, "/v1/rss/discover", &json!({ "url": url })).await;
            answer.expect(200).json()["feeds"].clone()
        };
        let feed_url = app.site.put("/a,b.xml", feed(1..=3));
        let feeds = json!([{"feedUrl": feed_url, "title": "Harbour", "type": "rss"}]);
        let link = "</style.css>; rel=preload, <a,b.xml>; rel=\"alternate\"; type=\"application/rss+xml\"";
        let named = app.site.put("/named", Reply::html("<p>Hello</p>").with("link", link));
        assert_eq!(discover(&named).await, feeds);

        let refresh = |to: &str| Reply::html(format!("<meta http-equiv=refresh content='0; url={to}'>"));
        let to_page = app.site.put("/to-page", refresh("/named"));
        assert_eq!(discover(&to_page).await, feeds);
        let to_feed = app.site.put("/to-feed", refresh("/a,b.xml"));
        assert_eq!(discover(&to_feed).await, feeds);
        app.site.put("/ping", refresh("/pong"));
        let endless = app.site.put("/pong", refresh("/ping"));
        assert_eq!(discover(&endless).await, json!([]));
        assert_eq!(app.site.hits("/ping") + app.site.hits("/pong"), 4);
    });
}

#[test]
fn feed_with_a_login_is_fetched_with_the_login_and_not_shared() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let url = app.site.put("/private.xml", feed(1..=3));
        let follow = async |who: &Person, url: &str| {
            who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201).json()
        };
        let with_login = url.replacen("http://", "http://ada:first@", 1);
        let own = follow(&who, &with_login).await["subscription"].clone();
        assert_eq!(own["feedUrl"], url);
        poll(&app).await;
        let sent = || app.site.requests().last().unwrap().headers.get("authorization").cloned();
        assert_eq!(sent().unwrap(), "Basic YWRhOmZpcnN0");
        assert_eq!(
            who.get(&app, "/v1/rss/entries").await.expect(200).json()["entries"][2]["title"],
            "Note 1"
        );
        let shared = follow(&other, &url).await["subscription"].clone();
        assert_ne!(shared["feedId"], own["feedId"]);
        poll(&app).await;
        assert_eq!(sent(), None);
        let newer = json!({ "url": url.replacen("http://", "http://ada:second@", 1) });
        let again = who.post(&app, "/v1/rss/subscriptions", &newer).await.expect(200).json();
        assert_eq!(again["subscription"]["feedId"], own["feedId"]);
        let path = format!("/v1/rss/subscriptions/{}/refresh", own["id"]);
        send(&app, &who, Method::POST, &path, &json!({})).await.expect(202);
        poll(&app).await;
        assert_eq!(sent().unwrap(), "Basic YWRhOnNlY29uZA==");
    });
}
