//! Google Reader API for whole lists: export, verification of a subscription, and counts.

use std::collections::BTreeSet;

use kernel::Scopes;
use kernel::tiers::Tier;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::support::feed_app::{FeedApp, app_key, fever, follow_feed};
use crate::support::on_each_world;
use crate::support::person::Person;
use crate::support::rss::{feed, poll};

const ALL: &str = "user/-/state/com.google/reading-list";
const READ: &str = "user/-/state/com.google/read";
const STARRED: &str = "user/-/state/com.google/starred";

#[test]
fn subscriptions_are_exported_checked_and_counted() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let reader = FeedApp::sign_in(&app, &who).await;
        let number = follow_feed(&app, &who, "/feed.xml", 1..=5).await;
        let (feed, address) = (format!("feed/{number}"), format!("feed/{}", app.site.url("/feed.xml")));
        reader
            .change("subscription/edit", &[("ac", "edit"), ("s", &feed), ("a", "user/-/label/Coast")])
            .await;
        let list = reader.request("subscription/export").await.expect(200);
        assert_eq!(list.header("content-type"), "text/xml; charset=utf-8");
        let list = extract::feed::opml::read(list.text().as_bytes()).unwrap();
        assert_eq!((list.len(), &list[0].folders), (1, &vec!["Coast".to_owned()]));
        assert_eq!(list[0].feed_url, app.site.url("/feed.xml"));

        let query =
            |stream: &str| url::form_urlencoded::byte_serialize(stream.as_bytes()).collect::<String>();
        for (stream, word) in [
            (feed.as_str(), "true"),
            (&address, "true"),
            ("feed/999", "false"),
            ("feed/https://other.example.org/", "false"),
            (ALL, "false"),
        ] {
            let answer = reader.request(&format!("subscribed?s={}", query(stream))).await.expect(200).text();
            assert_eq!(answer, word, "{stream}");
        }
        reader.request("subscribed").await.expect(400);

        let id = reader.ids(&format!("s={ALL}")).await[0].to_string();
        reader.change("edit-tag", &[("i", &id), ("a", READ), ("a", STARRED)]).await;
        let count = async |query: &str| {
            reader.request(&format!("stream/items/count?{query}")).await.expect(200).text()
        };
        for (asked, number) in [
            (format!("s={ALL}"), "5"),
            (format!("s={ALL}&xt={READ}"), "4"),
            (format!("s={STARRED}"), "1"),
            (format!("s={}", query(&feed)), "5"),
            ("s=user/-/label/Coast".to_owned(), "5"),
            ("s=user/-/label/None&a=true".to_owned(), "0"),
        ] {
            assert_eq!(count(&asked).await, number, "{asked}");
        }
        let dated = count(&format!("s={ALL}&a=true")).await;
        let (number, day) = dated.split_once('#').unwrap();
        assert!(number == "5" && day.contains(", 20"), "{dated}");
        reader.request("stream/items/count").await.expect(400);
        let stranger = Person::free(&app).await;
        let other = FeedApp::sign_in(&app, &stranger).await;
        assert_eq!(other.request(&format!("subscribed?s={feed}")).await.expect(200).text(), "false");
        assert_eq!(other.request(&format!("stream/items/count?s={ALL}")).await.expect(200).text(), "0");
    });
}

#[test]
fn entries_by_id_are_complete_beyond_the_size_of_one_step() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let url = app.site.put("/feed.xml", feed(1..=35));
        who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
        poll(&app).await;
        // Texts of this size would take the processes of a debug build minutes.
        let long = format!("UPDATE feed_entry SET content = '<p>{}</p>'", "Words ".repeat(83_000));
        app.app.domain.db().write().execute_unprepared(&long).await.unwrap();
        let reader = FeedApp::sign_in(&app, &who).await;
        let ids = reader.ids(&format!("s={ALL}&n=1000")).await;
        let texts: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let pairs: Vec<(&str, &str)> = texts.iter().map(|id| ("i", id.as_str())).collect();
        let answer = reader.post("stream/items/contents", &pairs).await.expect(200);
        assert!(answer.body.len() > 16 << 20, "the texts exceed one step: {}", answer.body.len());
        let list = answer.json();
        assert_eq!((&list["id"], list["items"].as_array().unwrap().len()), (&json!(ALL), 35));
        let own = |item: &Value| item["id"].as_str().unwrap().to_owned();
        let distinct: BTreeSet<String> = list["items"].as_array().unwrap().iter().map(own).collect();
        assert_eq!(distinct.len(), 35);

        let (_, digest) = app_key(&app, &who, Scopes::ALL).await;
        let list = fever(&app, &digest, &format!("items&with_ids={}", texts.join(",")), &[]).await;
        let number = |item: &Value| item["id"].as_i64().unwrap();
        let listed: Vec<i64> = list["items"].as_array().unwrap().iter().map(number).collect();
        assert_eq!(listed, ids);
    });
}

/// Returns the parameters of `subscription/edit` for these feeds. An edit adds the label `All`.
fn edit_of<'a>(action: &'a str, feeds: impl Iterator<Item = &'a String>) -> Vec<(&'a str, &'a str)> {
    let label = (action == "edit").then_some(("a", "user/-/label/All"));
    let streams = feeds.map(|feed| ("s", feed.as_str()));
    std::iter::once(("ac", action)).chain(label).chain(streams).collect()
}

#[test]
fn edits_of_many_subscriptions_are_complete_or_refused() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let reader = FeedApp::sign_in(&app, &who).await;
        let outline = |n: u32| format!("<outline type=\"rss\" xmlUrl=\"https://feeds.example.org/{n}\"/>");
        let outlines: String = (0..150).map(outline).collect();
        let list = format!("<opml version=\"2.0\"><body>{outlines}</body></opml>");
        assert_eq!(reader.import(&list).await.expect(200).text(), "OK");
        let listed = async || {
            let list = reader.get("subscription/list").await;
            list["subscriptions"].as_array().unwrap().clone()
        };
        let id = |one: &Value| one["id"].as_str().unwrap().to_owned();
        let feeds: Vec<String> = listed().await.iter().map(id).collect();
        assert_eq!(feeds.len(), 150);
        for (action, most) in [("edit", 500), ("unsubscribe", 500), ("subscribe", 100)] {
            let pairs = edit_of(action, feeds.iter().cycle().take(most + 1));
            reader.post("subscription/edit", &pairs).await.expect(400);
        }
        let unlabelled = |one: &Value| one["categories"] == json!([]);
        let now = listed().await;
        assert!(now.len() == 150 && now.iter().all(unlabelled), "a refused request changes nothing");
        reader.change("subscription/edit", &edit_of("edit", feeds.iter())).await;
        assert!(!listed().await.iter().any(unlabelled));
        reader.change("subscription/edit", &edit_of("unsubscribe", feeds.iter())).await;
        assert!(listed().await.is_empty());
    });
}
