//! Changes in followed feeds, read with cursors and by consumers through HTTP.

use kernel::Scopes;
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::clock::DAY;
use crate::support::monitoring::{self, page};
use crate::support::person::Person;
use crate::support::rss::{document, feed, poll};
use crate::support::{HttpAnswer, Reply, TestApp, on_each_world};

const HOUR: i64 = 60 * 60 * 1000;
const CHANGES: &str = "/v1/feeds/changes";
const CONSUMERS: &str = "/v1/feeds/consumers";

/// Follows a feed and polls it.
async fn follow(app: &TestApp, who: &Person, path: &str, numbers: std::ops::RangeInclusive<u32>) -> Value {
    let url = app.site.put(path, feed(numbers));
    let answer = who.post(app, "/v1/rss/subscriptions", &json!({ "url": url })).await;
    assert!(matches!(answer.status, 200 | 201), "{}", answer.text());
    poll(app).await;
    answer.json()["subscription"].clone()
}

/// Publishes a feed with these entries and polls it.
async fn arrive(app: &TestApp, path: &str, numbers: std::ops::RangeInclusive<u32>) {
    app.site.put(path, feed(numbers));
    app.clock.advance(25 * HOUR);
    poll(app).await;
    // The second feed of a host must wait until the host may be fetched again.
    app.clock.advance(HOUR);
    poll(app).await;
}

async fn changes(app: &TestApp, who: &Person, body: Value) -> Value {
    who.post(app, CHANGES, &body).await.expect(200).json()
}

async fn latest(app: &TestApp, who: &Person) -> String {
    let page = changes(app, who, json!({"cursor": "latest"})).await;
    assert_eq!((&page["events"], &page["hasMore"]), (&json!([]), &json!(false)));
    text(&page["nextCursor"])
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a string")).to_owned()
}

/// Returns the type of each event with the title of its entry or source.
fn summaries(page: &Value) -> Vec<String> {
    let name = |event: &Value| match &event["entry"]["title"] {
        Value::Null => event["source"]["title"].clone(),
        title => title.clone(),
    };
    let events = page["events"].as_array().unwrap().iter();
    events.map(|event| format!("{} {}", event["type"].as_str().unwrap(), name(event))).collect()
}

async fn consumer(app: &TestApp, who: &Person, body: Value) -> Value {
    who.post(app, CONSUMERS, &body).await.expect(201).json()["consumer"].clone()
}

async fn act(app: &TestApp, who: &Person, consumer: &Value, what: &str, body: Value) -> HttpAnswer {
    who.post(app, &format!("{CONSUMERS}/{}/{what}", consumer["id"]), &body).await
}

#[test]
fn new_and_changed_entries_are_reported_in_order() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mine = follow(&app, &who, "/a.xml", 1..=2).await;
        let cursor = latest(&app, &who).await;
        arrive(&app, "/a.xml", 1..=4).await;
        let page = changes(&app, &who, json!({ "cursor": cursor })).await;
        assert_eq!(summaries(&page), ["entry.discovered \"Note 3\"", "entry.discovered \"Note 4\""]);
        assert_eq!((&page["hasMore"], &page["gapDetected"]), (&json!(false), &json!(false)));
        let event = &page["events"][0];
        let entry = &event["entry"];
        assert_eq!((&entry["feedId"], &entry["kind"]), (&mine["feedId"], &json!("feed")));
        assert_eq!((&entry["unread"], &event["entryId"]), (&json!(true), &entry["id"]));
        assert_eq!((&event["source"], &event["fromFeedId"]), (&Value::Null, &Value::Null));
        assert_eq!(event["at"], entry["discoveredAt"]);
        assert!(event["sequence"].as_i64() < page["events"][1]["sequence"].as_i64());
        // The same cursor returns the same events, and the cursor of the first event returns the remaining
        // events.
        assert_eq!(summaries(&changes(&app, &who, json!({ "cursor": cursor })).await).len(), 2);
        let after_first = changes(&app, &who, json!({"cursor": event["cursor"]})).await;
        assert_eq!(summaries(&after_first), ["entry.discovered \"Note 4\""]);
        let next = changes(&app, &who, json!({"cursor": page["nextCursor"]})).await;
        assert!(summaries(&next).is_empty());

        let body = document(1..=4).replace("Note 4", "Note four");
        app.site.put("/a.xml", Reply::bytes("application/rss+xml", body.into_bytes()));
        app.clock.advance(25 * HOUR);
        poll(&app).await;
        let next = changes(&app, &who, json!({"cursor": next["nextCursor"]})).await;
        assert_eq!(summaries(&next), ["entry.updated \"Note four\""]);
    });
}

#[test]
fn only_entries_discovered_during_the_subscription_are_reported() {
    on_each_world(async |app| {
        let (early, late) = (Person::free(&app).await, Person::free(&app).await);
        let (mut before, theirs) = (latest(&app, &late).await, latest(&app, &early).await);
        follow(&app, &early, "/a.xml", 1..=2).await;
        assert!(
            summaries(&changes(&app, &early, json!({"cursor": theirs})).await).is_empty(),
            "entries of a first poll are not changes"
        );
        arrive(&app, "/a.xml", 1..=3).await;
        assert_eq!(summaries(&changes(&app, &early, json!({"cursor": theirs})).await).len(), 1);
        // Entries from before the subscription are not reported, even if the cursor is older.
        let own = follow(&app, &late, "/a.xml", 1..=3).await;
        assert!(summaries(&changes(&app, &late, json!({"cursor": before})).await).is_empty());
        arrive(&app, "/a.xml", 1..=4).await;
        let page = changes(&app, &late, json!({"cursor": before})).await;
        assert_eq!(summaries(&page), ["entry.discovered \"Note 4\""]);
        let path = format!("/v1/rss/subscriptions/{}", own["id"]);
        late.send(&app, Method::DELETE, &path).await.expect(204);
        arrive(&app, "/a.xml", 1..=5).await;
        assert!(summaries(&changes(&app, &late, json!({"cursor": before})).await).is_empty());
        before = text(&page["nextCursor"]);
        let own = follow(&app, &late, "/a.xml", 1..=5).await;
        let page = changes(&app, &late, json!({"cursor": before})).await;
        assert_eq!(
            summaries(&page),
            ["entry.discovered \"Note 5\""],
            "entries that are listed again as unread are reported"
        );
        let path = format!("/v1/rss/subscriptions/{}", own["id"]);
        late.send(&app, Method::DELETE, &path).await.expect(204);
        app.clock.advance(31 * DAY);
        before = latest(&app, &late).await;
        arrive(&app, "/a.xml", 1..=6).await;
        follow(&app, &late, "/a.xml", 1..=6).await;
        assert!(
            summaries(&changes(&app, &late, json!({"cursor": before})).await).is_empty(),
            "entries from before the subscription are not changes"
        );
        arrive(&app, "/a.xml", 1..=7).await;
        assert_eq!(summaries(&changes(&app, &late, json!({"cursor": before})).await).len(), 1);
    });
}

#[test]
fn pending_events_remain_when_a_feed_is_followed_again() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mine = follow(&app, &who, "/a.xml", 1..=3).await;
        let filter = json!({"source": {"include": [mine["feedId"]]}});
        let made = consumer(&app, &who, json!({"name": "Digest", "where": filter})).await;
        let cursor = latest(&app, &who).await;
        arrive(&app, "/a.xml", 1..=13).await;
        let pending = summaries(&changes(&app, &who, json!({"consumerId": made["id"]})).await);
        assert_eq!(pending.len(), 10);
        let path = format!("/v1/rss/subscriptions/{}", mine["id"]);
        who.send(&app, Method::DELETE, &path).await.expect(204);
        let again = follow(&app, &who, "/a.xml", 1..=13).await;
        assert_eq!(again["feedId"], mine["feedId"]);
        let page = changes(&app, &who, json!({"consumerId": made["id"]})).await;
        assert_eq!((summaries(&page), &page["gapDetected"]), (pending.clone(), &json!(false)));
        assert_eq!(summaries(&changes(&app, &who, json!({"cursor": cursor})).await), pending);
        let seen = who.get(&app, CONSUMERS).await.expect(200).json()["consumers"][0].clone();
        assert_eq!(seen["pending"], 10);
    });
}

#[test]
fn pending_events_remain_when_a_monitor_is_followed_again() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let monitor = monitoring::watch_page(&app, &who, &app.site.put("/town", page("Sold out."))).await;
        monitoring::run_now(&app, &who, &monitor).await;
        let cursor = latest(&app, &who).await;
        app.site.put("/town", page("In stock."));
        monitoring::run_now(&app, &who, &monitor).await;
        let pending = summaries(&changes(&app, &who, json!({"cursor": cursor})).await);
        assert_eq!(pending.len(), 1);
        let path = monitoring::path(&monitor);
        for is_followed in [false, true] {
            let body = json!({"follow": is_followed});
            monitoring::send(&app, &who, Method::PATCH, &path, &body).await.expect(200);
        }
        assert_eq!(summaries(&changes(&app, &who, json!({"cursor": cursor})).await), pending);
    });
}

#[test]
fn limit_fields_and_filters_are_applied() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let first = follow(&app, &who, "/a.xml", 1..=1).await;
        let second = follow(&app, &who, "/b.xml", 11..=11).await;
        let body = json!({"name": "Sea", "feedIds": [second["feedId"]]});
        let sea = who.post(&app, "/v1/rss/collections", &body).await.expect(201).json()["collection"].clone();
        let cursor = latest(&app, &who).await;
        app.site.put("/b.xml", feed(11..=13));
        arrive(&app, "/a.xml", 1..=3).await;
        let one = changes(&app, &who, json!({"cursor": cursor, "limit": 1, "fields": ["title"]})).await;
        let entry = one["events"][0]["entry"].as_object().unwrap();
        assert_eq!(entry.keys().collect::<Vec<_>>(), ["id", "title"]);
        assert_eq!(one["hasMore"], true);
        let rest = changes(&app, &who, json!({"cursor": one["nextCursor"]})).await;
        assert_eq!((summaries(&one).len(), summaries(&rest).len()), (1, 3));
        for (filter, count) in [
            (json!({"collection": ["sea"]}), 2),
            (json!({"collection": [sea["id"]]}), 2),
            (json!({"collection": ["Unsorted", "Sea"]}), 4),
            (json!({"source": {"include": [first["feedId"]]}}), 2),
            (json!({"source": {"exclude": [first["feedId"]]}}), 2),
            (json!({"source": {"include": [first["feedId"]], "exclude": [first["feedId"]]}}), 0),
            (json!({"kind": ["feed"]}), 4),
            (json!({"kind": ["monitor"]}), 0),
            (json!({"text": "words 13"}), 1),
            (json!({"text": "\"words of\" -13"}), 3),
            (json!({"author": "nobody"}), 0),
            (json!({}), 4),
        ] {
            let page = changes(&app, &who, json!({"cursor": cursor, "where": filter})).await;
            assert_eq!(summaries(&page).len(), count, "{filter}");
            let end = changes(&app, &who, json!({"cursor": page["nextCursor"]})).await;
            assert!(summaries(&end).is_empty(), "the cursor of a page is behind all examined events");
        }
        let wrong = async |body: Value| who.post(&app, CHANGES, &body).await;
        for body in [
            json!({}),
            json!({"cursor": "latest", "consumerId": 1}),
            json!({"cursor": "latest", "where": {"unread": true}}),
            json!({"cursor": "latest", "where": {"publishedAfter": "2026-11-20"}}),
            json!({"cursor": "latest", "fields": ["colour"]}),
            json!({"cursor": "latest", "limit": 201}),
            json!({"cursor": "latest", "attentionLimit": 501}),
            json!({"consumerId": 1, "where": {}}),
        ] {
            wrong(body).await.api_error(422, "invalid_request");
        }
        wrong(json!({"cursor": "latest", "where": {"collection": ["Land"]}}))
            .await
            .api_error(404, "not_found");
        wrong(json!({"cursor": "made up"})).await.api_error(422, "invalid_cursor");
        let other = Person::free(&app).await;
        other.post(&app, CHANGES, &json!({"cursor": cursor})).await.api_error(422, "invalid_cursor");
        wrong(json!({"consumerId": 999})).await.api_error(404, "not_found");
    });
}

#[test]
fn failure_and_recovery_of_a_feed_are_reported_as_events_and_in_the_attention_summary() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mine = follow(&app, &who, "/a.xml", 1..=2).await;
        let cursor = latest(&app, &who).await;
        app.site.put("/a.xml", Reply::status(500));
        for _ in 0..5 {
            app.clock.advance(49 * HOUR);
            poll(&app).await;
        }
        let page = changes(&app, &who, json!({"cursor": cursor, "fields": ["title", "health"]})).await;
        assert_eq!(summaries(&page), ["source.failed \"Harbour\""]);
        let source = json!({"id": mine["feedId"], "title": "Harbour", "health": "failing"});
        assert_eq!(page["events"][0]["source"], source);
        assert_eq!(page["attention"]["failing"], json!({"count": 1, "sources": [source]}));
        assert_eq!(page["attention"]["stale"], json!({"count": 0, "sources": []}));
        let counted = changes(&app, &who, json!({"cursor": "latest", "attentionLimit": 0})).await;
        assert_eq!(counted["attention"]["failing"], json!({"count": 1, "sources": []}));
        app.site.put("/a.xml", feed(1..=2));
        app.clock.advance(49 * HOUR);
        poll(&app).await;
        let page = changes(&app, &who, json!({"cursor": page["nextCursor"]})).await;
        assert_eq!(summaries(&page), ["source.recovered \"Harbour\""]);
        assert_eq!(page["attention"]["failing"]["count"], 0);
        app.clock.advance(200 * DAY);
        poll(&app).await;
        let page = changes(&app, &who, json!({"cursor": "latest"})).await;
        assert_eq!(page["attention"]["stale"]["sources"][0]["health"], "stale");
    });
}

#[test]
fn monitor_changes_are_in_the_same_log() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let monitor = monitoring::watch_page(&app, &who, &app.site.put("/town", page("Sold out."))).await;
        monitoring::run_now(&app, &who, &monitor).await;
        let cursor = latest(&app, &who).await;
        app.site.put("/town", page("In stock."));
        monitoring::run_now(&app, &who, &monitor).await;
        let page = changes(&app, &who, json!({"cursor": cursor, "where": {"kind": ["monitor"]}})).await;
        assert_eq!(page["events"][0]["entry"]["kind"], "monitor");
        assert_eq!(summaries(&page).len(), 1);
        let none = changes(&app, &who, json!({"cursor": cursor, "where": {"kind": ["feed"]}})).await;
        assert!(summaries(&none).is_empty());
    });
}

#[test]
fn failure_and_recovery_of_a_monitor_are_reported() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let monitor = monitoring::watch_page(&app, &who, &app.site.put("/town", page("Sold out."))).await;
        monitoring::run_now(&app, &who, &monitor).await;
        let cursor = latest(&app, &who).await;
        app.site.put("/town", Reply::status(404));
        for _ in 0..4 {
            monitoring::advance_day(&app).await;
        }
        let failed = changes(&app, &who, json!({ "cursor": cursor })).await;
        assert_eq!(summaries(&failed), ["source.failed \"Harbour\""], "{failed}");
        let event = &failed["events"][0];
        assert_eq!(
            (&event["source"]["kind"], &event["source"]["health"]),
            (&json!("monitor"), &json!("failing"))
        );
        assert_eq!(failed["attention"]["failing"]["count"], 1);
        app.site.put("/town", page("Sold out."));
        monitoring::advance_day(&app).await;
        monitoring::run_now(&app, &who, &monitor).await;
        let page = changes(&app, &who, json!({"cursor": failed["nextCursor"]})).await;
        assert_eq!(summaries(&page), ["source.recovered \"Harbour\""], "{page}");
        assert_eq!(page["attention"]["failing"]["count"], 0);
    });
}

#[test]
fn expired_cursor_is_refused_and_a_consumer_is_informed_of_the_gap() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        follow(&app, &who, "/a.xml", 1..=1).await;
        let slow = consumer(&app, &who, json!({"name": "slow"})).await;
        let cursor = latest(&app, &who).await;
        for last in 2..=5 {
            arrive(&app, "/a.xml", 1..=last).await;
        }
        app.clock.advance(40 * DAY);
        poll(&app).await;
        app.clean_up().await;
        who.post(&app, CHANGES, &json!({"cursor": cursor})).await.api_error(410, "cursor_expired");
        let page = changes(&app, &who, json!({"consumerId": slow["id"]})).await;
        assert_eq!(
            (&page["gapDetected"], summaries(&page).len()),
            (&json!(true), 1),
            "reading resumes with the oldest retained event"
        );
        let again = changes(&app, &who, json!({"consumerId": slow["id"]})).await;
        assert_eq!(again["gapDetected"], true, "the gap is reported until it is acknowledged");
        act(&app, &who, &slow, "ack", json!({"cursor": page["nextCursor"]})).await.expect(200);
        let after = changes(&app, &who, json!({"consumerId": slow["id"]})).await;
        assert_eq!((&after["gapDetected"], summaries(&after).len()), (&json!(false), 0));
    });
}

#[test]
fn consumer_receives_the_same_events_until_it_acknowledges() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        follow(&app, &who, "/a.xml", 1..=1).await;
        let made = consumer(&app, &who, json!({"name": "Digest"})).await;
        assert_eq!((&made["pending"], &made["acknowledgedAt"]), (&json!(0), &Value::Null));
        arrive(&app, "/a.xml", 1..=4).await;
        let read =
            async |limit: u32| changes(&app, &who, json!({"consumerId": made["id"], "limit": limit})).await;
        let (first, again) = (read(2).await, read(2).await);
        assert_eq!((summaries(&first), &first["hasMore"]), (summaries(&again), &json!(true)));
        let ack = async |cursor: &Value| act(&app, &who, &made, "ack", json!({ "cursor": cursor })).await;
        let acked = ack(&first["events"][0]["cursor"]).await.expect(200).json()["consumer"].clone();
        assert_eq!((&acked["pending"], &acked["pendingPartial"]), (&json!(2), &json!(false)));
        assert!(acked["acknowledgedAt"].is_string() && acked["lastDeliveredAt"].is_string());
        assert_eq!(summaries(&read(2).await)[0], summaries(&first)[1]);
        ack(&first["nextCursor"]).await.expect(200);
        // If an answer was lost, the request can be repeated. The position never moves back.
        let late = ack(&first["events"][0]["cursor"]).await.expect(200).json();
        assert_eq!(late["consumer"]["pending"], 1);
        let plain = latest(&app, &who).await;
        for wrong in [json!(plain), json!("made up")] {
            ack(&wrong).await.api_error(409, "cursor_not_deliverable");
        }
        let other = consumer(&app, &who, json!({"name": "Other"})).await;
        ack(&other["acknowledgedCursor"]).await.api_error(409, "cursor_not_deliverable");
        let last = read(2).await;
        let back = act(&app, &who, &made, "reset", json!({})).await.expect(200).json();
        assert_eq!(back["consumer"]["pending"], 3, "all events since the subscription are pending");
        ack(&last["nextCursor"]).await.api_error(409, "cursor_not_deliverable");
        let end = act(&app, &who, &made, "reset", json!({"to": "latest"})).await.expect(200).json();
        assert_eq!(end["consumer"]["pending"], 0);
        let path = format!("{CONSUMERS}/{}", made["id"]);
        who.send(&app, Method::DELETE, &path).await.expect(204);
        who.send(&app, Method::DELETE, &path).await.api_error(404, "not_found");
        who.post(&app, CHANGES, &json!({"consumerId": made["id"]})).await.api_error(404, "not_found");
        let left = who.get(&app, CONSUMERS).await.expect(200).json();
        assert_eq!(left["consumers"].as_array().unwrap().len(), 1);
    });
}

#[test]
fn consumer_is_created_idempotently_and_its_filter_is_stable() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mine = follow(&app, &who, "/a.xml", 1..=1).await;
        let body = json!({"name": "Sea", "feedIds": [mine["feedId"]]});
        let sea = who.post(&app, "/v1/rss/collections", &body).await.expect(201).json()["collection"].clone();
        let request = json!({"name": "Digest", "where": {"collection": ["sea"]}});
        let made = consumer(&app, &who, request).await;
        assert_eq!(made["where"]["collection"], json!([sea["id"]]));
        let same = json!({"name": "DIGEST", "where": {"collection": [sea["id"]]}});
        let again = who.post(&app, CONSUMERS, &same).await.expect(200).json();
        assert_eq!(again["consumer"]["id"], made["id"]);
        let other = json!({"name": "digest"});
        who.post(&app, CONSUMERS, &other).await.api_error(409, "consumer_conflict");
        // A renamed collection remains in the filter. A deleted collection is an error.
        let path = format!("/v1/rss/collections/{}", sea["id"]);
        let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
        let renamed = json!({"name": "Ocean"}).to_string();
        app.send(Method::PATCH, &path, &headers, Some(renamed)).await.expect(200);
        arrive(&app, "/a.xml", 1..=2).await;
        assert_eq!(summaries(&changes(&app, &who, json!({"consumerId": made["id"]})).await).len(), 1);
        who.send(&app, Method::DELETE, &path).await.expect(204);
        who.post(&app, CHANGES, &json!({"consumerId": made["id"]})).await.api_error(409, "consumer_conflict");
        let from = latest(&app, &who).await;
        arrive(&app, "/a.xml", 1..=3).await;
        for (name, from, pending) in
            [("a", json!(from), 1), ("b", json!("oldest"), 2), ("c", json!("latest"), 0)]
        {
            let made = consumer(&app, &who, json!({"name": name, "from": from})).await;
            assert_eq!(made["pending"], pending, "{name}");
        }
        let used = who.get(&app, "/v1/me").await.expect(200).json();
        assert_eq!(
            (&used["limits"]["feedConsumers"], &used["limits"]["feedConsumersUsed"]),
            (&json!(5), &json!(4))
        );
        consumer(&app, &who, json!({"name": "d"})).await;
        who.post(&app, CONSUMERS, &json!({"name": "e"})).await.api_error(403, "limit_reached");
        // A read-only key cannot create a consumer, so its client must store a cursor itself.
        let (key, _) = who.create_key(&app, Scopes::READ, None).await;
        let headers = [("x-api-key", key.as_str())];
        app.get_with(CONSUMERS, &headers).await.expect(200);
        app.post_with(CONSUMERS, &headers, &json!({"name": "f"})).await.api_error(403, "insufficient_scope");
        app.clock.advance(91 * DAY);
        who.post(&app, CHANGES, &json!({"consumerId": made["id"]})).await.api_error(410, "cursor_expired");
        consumer(&app, &who, json!({"name": "digest"})).await;
    });
}

#[test]
fn empty_page_advances_a_consumer() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        follow(&app, &who, "/a.xml", 1..=1).await;
        let made = consumer(&app, &who, json!({"name": "rare", "where": {"text": "unheard"}})).await;
        arrive(&app, "/a.xml", 1..=3).await;
        let page = changes(&app, &who, json!({"consumerId": made["id"]})).await;
        assert!(summaries(&page).is_empty());
        let seen = who.get(&app, CONSUMERS).await.expect(200).json()["consumers"][0].clone();
        assert_eq!(seen["acknowledgedCursor"], page["nextCursor"]);
        assert_eq!(seen["lastDeliveredAt"], Value::Null);
        // As a result, a consumer with rare matches does not fall behind the log.
        app.clock.advance(40 * DAY);
        poll(&app).await;
        app.clean_up().await;
        let page = changes(&app, &who, json!({"consumerId": made["id"]})).await;
        assert_eq!(page["gapDetected"], false);
    });
}
