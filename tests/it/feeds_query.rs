//! Queries over the entries, sources, and collections of an account, through HTTP.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::monitoring::{self, page};
use crate::support::person::Person;
use crate::support::rss::{document, feed, poll};
use crate::support::{Reply, TestApp, on_each_world};

const QUERY: &str = "/v1/feeds/query";

async fn follow(app: &TestApp, who: &Person, path: &str, reply: Reply) -> Value {
    let url = app.site.put(path, reply);
    let made = who.post(app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201).json();
    poll(app).await;
    made["subscription"].clone()
}

async fn ask(app: &TestApp, who: &Person, body: &Value) -> Value {
    who.post(app, QUERY, body).await.expect(200).json()
}

fn titles(page: &Value, what: &str) -> Vec<String> {
    let all = page[what].as_array().unwrap_or_else(|| panic!("{what} is missing in {page}")).iter();
    all.map(|one| one["title"].as_str().or(one["name"].as_str()).unwrap().to_owned()).collect()
}

/// Returns filters on the entries of two feeds, with the number of the six entries that each filter matches.
/// All entries of the feed `first` were discovered at `first_at`.
fn filters(first: &Value, first_at: &Value) -> Vec<(Value, usize)> {
    vec![
        (json!({"collection": ["SEA"]}), 3),
        (json!({"source": {"include": [first]}}), 3),
        (json!({"source": {"exclude": [first]}}), 3),
        (json!({"source": {"include": [999_999]}}), 0),
        (json!({"kind": ["feed"]}), 6),
        (json!({"kind": ["monitor"]}), 0),
        (json!({"text": "words 13"}), 1),
        (json!({"author": "ada"}), 1),
        (json!({"author": "words"}), 0),
        (json!({"unread": true}), 5),
        (json!({"unread": false}), 1),
        (json!({"publishedAfter": "2026-11-10"}), 3),
        (json!({"publishedBefore": "2026-11-10"}), 3),
        (json!({"discoveredAfter": first_at}), 3),
        (json!({"discoveredBefore": first_at}), 0),
        (json!({"collection": ["Sea"], "unread": true, "text": "words"}), 2),
    ]
}

#[test]
fn entries_are_filtered_by_every_field_and_sorted_in_every_order() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let first = follow(&app, &who, "/a.xml", feed(1..=3)).await;
        let named = document(11..=13).replace(
            "<title>Note 12</title>",
            "<title>Words words words</title><author>ada@x.example (Ada Reader)</author>",
        );
        let second =
            follow(&app, &who, "/b.xml", Reply::bytes("application/rss+xml", named.into_bytes())).await;
        let body = json!({"name": "Sea", "feedIds": [second["feedId"]]});
        who.post(&app, "/v1/rss/collections", &body).await.expect(201);
        let all = ask(&app, &who, &json!({})).await;
        assert_eq!(
            (&all["total"], &all["partial"], &all["nextCursor"]),
            (&json!(6), &json!(false), &Value::Null)
        );
        assert!(all.get("sources").is_none() && all.get("collections").is_none());
        let read = json!({"ids": [all["entries"][0]["id"]], "unread": false});
        let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
        app.send(Method::PATCH, "/v1/rss/entries", &headers, Some(read.to_string())).await.expect(200);
        let first_at = all["entries"][5]["discoveredAt"].clone();
        for (filter, count) in filters(&first["feedId"], &first_at) {
            let page = ask(&app, &who, &json!({"where": filter})).await;
            assert_eq!(page["entries"].as_array().unwrap().len(), count, "{filter}");
            let is_about = filter.get("author").is_some();
            assert_eq!(page["partial"], is_about, "{filter}");
            assert!(is_about || page["total"] == count, "{filter}");
        }
        let oldest = ask(&app, &who, &json!({"order": "oldest", "limit": 1, "fields": ["title"]})).await;
        assert_eq!(
            oldest["entries"][0].as_object().unwrap().len(),
            2,
            "only the id and the title are returned"
        );
        assert_eq!(titles(&oldest, "entries"), ["Note 1"]);
        let best = json!({"where": {"text": "words"}, "order": "relevance", "limit": 2});
        let page = ask(&app, &who, &best).await;
        assert_eq!(titles(&page, "entries")[0], "Words words words");
        let mut seen = titles(&page, "entries").len();
        let mut cursor = page["nextCursor"].clone();
        while cursor.is_string() {
            let mut more = best.clone();
            more["cursor"] = cursor;
            let page = ask(&app, &who, &more).await;
            seen += titles(&page, "entries").len();
            cursor = page["nextCursor"].clone();
        }
        assert_eq!(seen, 6);
    });
}

#[test]
fn query_pages_continue_and_cursors_are_bound_to_their_query() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        follow(&app, &who, "/a.xml", feed(1..=5)).await;
        for order in ["newest", "oldest"] {
            let (mut seen, mut cursor) = (Vec::new(), Value::from(""));
            while cursor.is_string() {
                let page = ask(&app, &who, &json!({"order": order, "limit": 2, "cursor": cursor})).await;
                seen.extend(titles(&page, "entries"));
                cursor = page["nextCursor"].clone();
            }
            let mut expected: Vec<String> = (1..=5).map(|n| format!("Note {n}")).collect();
            if order == "newest" {
                expected.reverse();
            }
            assert_eq!(seen, expected);
        }
        let page = ask(&app, &who, &json!({"limit": 2})).await;
        let cursor = &page["nextCursor"];
        let post = async |whose: &Person, body: Value| whose.post(&app, QUERY, &body).await;
        post(&other, json!({"cursor": cursor})).await.api_error(422, "invalid_cursor");
        post(&who, json!({"cursor": cursor, "order": "oldest"})).await.api_error(422, "cursor_mismatch");
        for wrong in [
            json!({"order": "relevance"}),
            json!({"having": {"unreadMin": 1}}),
            json!({"select": "sources", "where": {"unread": true}}),
            json!({"select": "sources", "order": "relevance"}),
            json!({"select": "collections", "where": {"kind": ["feed"]}}),
            json!({"fields": ["health"]}),
        ] {
            post(&who, wrong).await.api_error(422, "conflicting_changes");
        }
        for wrong in [json!({"fields": ["colour"]}), json!({"limit": 101}), json!({"where": {"colour": 1}})] {
            post(&who, wrong).await.api_error(422, "invalid_request");
        }
        post(&who, json!({"where": {"collection": ["Land"]}})).await.api_error(404, "not_found");
    });
}

#[test]
fn sources_are_filtered_by_health_and_collections_by_name() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let first = follow(&app, &who, "/a.xml", feed(1..=3)).await;
        follow(&app, &who, "/b.xml", feed(11..=11)).await;
        monitoring::watch_page(&app, &who, &app.site.put("/town", page("x"))).await;
        let all = ask(&app, &who, &json!({"select": "sources"})).await;
        assert_eq!((&all["total"], all["sources"].as_array().unwrap().len()), (&json!(3), 3));
        let monitor = &all["sources"][0];
        assert_eq!((&monitor["kind"], &monitor["feedUrl"]), (&json!("monitor"), &Value::Null));
        assert_eq!((&monitor["siteUrl"], &monitor["health"]), (&json!(app.site.url("/town")), &json!("ok")));
        let oldest = json!({"select": "sources", "order": "oldest", "limit": 1, "fields": ["unreadCount"]});
        let one = ask(&app, &who, &oldest).await;
        assert_eq!(one["sources"], json!([{"id": first["feedId"], "unreadCount": 3}]));
        let mut more = oldest.clone();
        more["cursor"] = one["nextCursor"].clone();
        assert_eq!(ask(&app, &who, &more).await["sources"][0]["unreadCount"], 1);
        for (body, count) in [
            (json!({"having": {"unreadMin": 2}}), 1),
            (json!({"having": {"health": ["ok"]}}), 3),
            (json!({"having": {"health": ["failing", "stale", "never"]}}), 0),
            (json!({"where": {"kind": ["monitor"]}}), 1),
            (json!({"where": {"source": {"exclude": [first["feedId"]]}}}), 2),
        ] {
            let mut body = body;
            body["select"] = "sources".into();
            assert_eq!(ask(&app, &who, &body).await["total"], count, "{body}");
        }
        let body = json!({"name": "Sea", "feedIds": [first["feedId"]]});
        who.post(&app, "/v1/rss/collections", &body).await.expect(201);
        let all = ask(&app, &who, &json!({"select": "collections"})).await;
        assert_eq!(titles(&all, "collections"), ["Sea", "Unsorted"]);
        let sea = json!({"select": "collections", "where": {"collection": ["sea"]}, "fields": ["feedIds"]});
        let sea = ask(&app, &who, &sea).await;
        assert_eq!(sea["collections"][0]["feedIds"], json!([first["feedId"]]));
        assert_eq!(sea["collections"][0].as_object().unwrap().len(), 2);
    });
}
