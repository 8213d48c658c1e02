//! Fever API, called as feed apps call it.

use identity::keys;
use kernel::Scopes;
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::json;

use crate::support::feed_app::{app_key, fever, follow_feed, form};
use crate::support::person::Person;
use crate::support::rss::poll;
use crate::support::{Reply, Setup, World, on_each_world};

#[test]
fn fever_sign_in_requires_an_app_key_in_the_body() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let (id, digest) = app_key(&app, &who, Scopes::ALL).await;
        let answer = fever(&app, &digest, "", &[]).await;
        assert_eq!((&answer["api_version"], &answer["auth"]), (&json!(3), &json!(1)));
        assert!(answer["last_refreshed_on_time"].is_string());
        assert_eq!(fever(&app, &digest.to_uppercase(), "", &[]).await["auth"], 1);
        let unmarked = keys::feed_apps::digest(&who.email, &who.key);
        for wrong in ["", "x", &who.key, &unmarked] {
            assert_eq!(fever(&app, wrong, "feeds", &[]).await, json!({"api_version": 3, "auth": 0}));
        }
        let path = format!("/fever/?api&feeds&api_key={digest}");
        let in_address = app.send(Method::POST, &path, &[], None).await.expect(200).json();
        assert_eq!(in_address["auth"], 0, "keys in URLs are refused, because URLs are logged");
        keys::revoke(&app.app.domain, who.id, id).await.unwrap();
        assert_eq!(fever(&app, &digest, "", &[]).await["auth"], 0);
    });
}

#[test]
fn digest_over_plain_http_is_refused_if_the_service_uses_https() {
    crate::support::run(async {
        let setup = Setup::on(World::Small).set("CARREL_BASE_URL", "https://carrel.example");
        let app = setup.set("CARREL_TRUSTED_PROXIES", "127.0.0.1").spawn().await;
        let who = Person::free(&app).await;
        let (_, digest) = app_key(&app, &who, Scopes::ALL).await;
        let body = form(&[("api_key", &digest)]);
        let auth = async |scheme: &str| {
            let headers = [
                ("content-type", "application/x-www-form-urlencoded"),
                ("host", "carrel.example"),
                ("x-forwarded-proto", scheme),
            ];
            app.send(Method::POST, "/fever/?api", &headers, Some(body.clone())).await.expect(200).json()
        };
        assert_eq!(auth("http").await["auth"], 0);
        assert_eq!(auth("https").await["auth"], 1);
    });
}

#[test]
fn groups_feeds_items_and_ids_are_listed() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let (_, digest) = app_key(&app, &who, Scopes::ALL).await;
        let feed = follow_feed(&app, &who, "/feed.xml", 1..=60).await;
        let made = json!({"name": "Tech", "feedIds": [feed]});
        let made = who.post(&app, "/v1/rss/collections", &made).await.expect(201).json();
        let group = made["collection"]["id"].clone();
        let listed = fever(&app, &digest, "groups&feeds&favicons&links", &[]).await;
        assert_eq!(listed["groups"], json!([{"id": group, "title": "Tech"}]));
        assert_eq!(listed["feeds_groups"], json!([{"group_id": group, "feed_ids": feed.to_string()}]));
        assert_eq!((&listed["favicons"], &listed["links"]), (&json!([]), &json!([])));
        let own = &listed["feeds"][0];
        assert_eq!(
            (&own["id"], &own["title"], &own["is_spark"]),
            (&json!(feed), &json!("Harbour"), &json!(0))
        );
        let numbers = |answer: &serde_json::Value| -> Vec<i64> {
            answer["items"].as_array().unwrap().iter().map(|item| item["id"].as_i64().unwrap()).collect()
        };
        let first = fever(&app, &digest, "items&since_id=0", &[]).await;
        assert_eq!(first["total_items"], 60);
        let ids = numbers(&first);
        assert!(ids.len() == 50 && ids.is_sorted());
        let rest = numbers(&fever(&app, &digest, &format!("items&since_id={}", ids[49]), &[]).await);
        assert_eq!(rest.len(), 10);
        let before = numbers(&fever(&app, &digest, &format!("items&max_id={}", ids[10]), &[]).await);
        assert_eq!(before.len(), 10);
        let some = fever(&app, &digest, &format!("items&with_ids={},{},999999,x", ids[3], ids[1]), &[]).await;
        assert_eq!(numbers(&some), [ids[3], ids[1]]);
        let item = &some["items"][0];
        assert!(item["html"].as_str().unwrap().starts_with("<p>Words of"));
        assert_eq!((&item["is_read"], &item["is_saved"]), (&json!(0), &json!(0)));
        let unread = fever(&app, &digest, "unread_item_ids", &[]).await;
        assert_eq!(unread["unread_item_ids"].as_str().unwrap().split(',').count(), 60);
        assert_eq!(fever(&app, &digest, "saved_item_ids", &[]).await["saved_item_ids"], "");
    });
}

#[test]
fn creation_time_falls_back_to_last_change_and_discovery() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let (_, digest) = app_key(&app, &who, Scopes::ALL).await;
        let body = "<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\"><channel><title>T</title>\
                    <item><title>Both</title><guid>1</guid><pubDate>Wed, 02 Jan 2019 00:00:00 GMT</pubDate>\
                    <atom:updated>2020-01-01T00:00:00Z</atom:updated></item>\
                    <item><title>Changed</title><guid>2</guid>\
                    <atom:updated>2019-01-01T00:00:00Z</atom:updated></item>\
                    <item><title>Undated</title><guid>3</guid></item></channel></rss>";
        let url = app.site.put("/dates.xml", Reply::bytes("application/rss+xml", body.into()));
        let before = app.app.domain.now() / 1000;
        who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
        poll(&app).await;
        let listed = fever(&app, &digest, "items", &[]).await;
        let time = |title: &str| {
            let items = listed["items"].as_array().unwrap();
            items.iter().find(|item| item["title"] == title).unwrap()["created_on_time"].as_i64().unwrap()
        };
        assert_eq!((time("Both"), time("Changed")), (1_546_387_200, 1_546_300_800));
        assert!(time("Undated") >= before);
    });
}

#[test]
fn items_feeds_and_groups_can_be_marked() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let (_, digest) = app_key(&app, &who, Scopes::ALL).await;
        let feed = follow_feed(&app, &who, "/feed.xml", 1..=3).await.to_string();
        let list = fever(&app, &digest, "unread_item_ids", &[]).await["unread_item_ids"].clone();
        let ids: Vec<&str> = list.as_str().unwrap().split(',').collect();
        let mark = async |pairs: &[(&str, &str)]| fever(&app, &digest, "", pairs).await;
        let item = |state| [("mark", "item"), ("as", state), ("id", ids[0])];
        assert_eq!(mark(&item("read")).await["unread_item_ids"], ids[1..].join(","));
        assert_eq!(mark(&item("unread")).await["unread_item_ids"], list);
        assert_eq!(mark(&item("saved")).await["saved_item_ids"], ids[0]);
        assert_eq!(mark(&item("unsaved")).await["saved_item_ids"], "");
        let now = app.app.domain.now() / 1000;
        let (early, late) = ((now - 86_400).to_string(), (now + 86_400).to_string());
        let of_feed = |before| [("mark", "feed"), ("as", "read"), ("id", feed.as_str()), ("before", before)];
        assert_eq!(mark(&of_feed(&early)).await["unread_item_ids"], list);
        for unreadable in ["x", "1.5"] {
            assert_eq!(mark(&of_feed(unreadable)).await["unread_item_ids"], list);
        }
        assert_eq!(mark(&of_feed(&late)).await["unread_item_ids"], "");
        mark(&item("unread")).await;
        let all = [("mark", "group"), ("as", "read"), ("id", "0"), ("before", "9223372036854775807")];
        assert_eq!(mark(&all).await["unread_item_ids"], "");
        for odd in [
            [("mark", "feed"), ("as", "read"), ("id", "999999")],
            [("mark", "group"), ("as", "read"), ("id", "-1")],
            [("mark", "item"), ("as", "read"), ("id", "x")],
            [("mark", "x"), ("as", "y"), ("id", "z")],
        ] {
            assert_eq!(mark(&odd).await["auth"], 1);
        }
        let (_, reading) = app_key(&app, &who, Scopes::READ).await;
        mark(&item("unread")).await;
        assert_eq!(fever(&app, &reading, "", &item("read")).await["auth"], 1);
        let left = fever(&app, &digest, "unread_item_ids", &[]).await;
        assert_eq!(left["unread_item_ids"], ids[0], "a read-only key marks nothing");
    });
}
