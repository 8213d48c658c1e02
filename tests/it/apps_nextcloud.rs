//! Nextcloud News API. The requests follow the public source code of the apps: Fluent Reader
//! (yang991178/fluent-reader `src/scripts/models/services/nextcloud.ts`) and Nextcloud News for Android
//! (nextcloud/news-android `reader/nextcloud/NewsAPI.java` and `RssItemObservable.java`).

use std::collections::BTreeSet;

use data_encoding::BASE64;
use kernel::Scopes;
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::feed_app::{follow_feed, form};
use crate::support::person::Person;
use crate::support::rss::{document, feed, poll};
use crate::support::{HttpAnswer, Reply, TestApp, on_each_world};

const JSON: (&str, &str) = ("content-type", "application/json; charset=utf-8");
/// Greatest number that JavaScript represents exactly.
const MAX_NUMBER: i64 = 9_007_199_254_740_991;

/// App with the credentials of a person.
struct NewsApp<'a> {
    app: &'a TestApp,
    authorization: String,
    version: &'static str,
}

impl<'a> NewsApp<'a> {
    fn new(app: &'a TestApp, who: &Person, version: &'static str) -> Self {
        Self::with_key(app, &who.email, &who.key, version)
    }

    fn with_key(app: &'a TestApp, email: &str, key: &str, version: &'static str) -> Self {
        let authorization = format!("Basic {}", BASE64.encode(format!("{email}:{key}").as_bytes()));
        Self { app, authorization, version }
    }

    async fn request(&self, method: Method, path: &str, body: Option<&Value>) -> HttpAnswer {
        let path = format!("/index.php/apps/news/api/{}/{path}", self.version);
        let headers = [("authorization", self.authorization.as_str()), JSON];
        self.app.send(method, &path, &headers, body.map(Value::to_string)).await
    }

    async fn get(&self, path: &str) -> Value {
        self.request(Method::GET, path, None).await.expect(200).json()
    }

    async fn items(&self, path: &str) -> Vec<Value> {
        self.get(path).await["items"].as_array().unwrap().clone()
    }

    async fn ids(&self, path: &str) -> Vec<i64> {
        self.items(path).await.iter().map(id_of).collect()
    }

    /// Returns the ids of all items whose read state is `unread`.
    async fn unread(&self) -> Vec<i64> {
        self.ids("items?getRead=false&type=3&batchSize=-1").await
    }

    async fn put(&self, path: &str, body: &Value) {
        self.request(Method::PUT, path, Some(body)).await.expect(200);
    }

    async fn post(&self, path: &str, body: &Value) {
        self.request(Method::POST, path, Some(body)).await.expect(200);
    }
}

fn id_of(item: &Value) -> i64 {
    item["id"].as_i64().unwrap()
}

/// Returns the greatest `lastModified`, as apps store it.
fn last_modified(items: &[Value]) -> i64 {
    items.iter().map(|item| item["lastModified"].as_i64().unwrap()).max().unwrap()
}

#[test]
fn operations_require_the_address_and_a_key() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let client = NewsApp::new(&app, &who, "v1-3");
        assert_eq!(client.get("version").await["version"], "25.0.0");
        assert_eq!(client.get("status").await["warnings"]["improperlyConfiguredCron"], false);
        assert_eq!(client.get("user").await["userId"], who.email);
        let versions = app.get("/index.php/apps/news/api").await.expect(200).json();
        assert_eq!(versions["apiLevels"], json!(["v1-2", "v1-3"]));
        let refused = app.get("/index.php/apps/news/api/v1-3/version").await.expect(401);
        assert_eq!(refused.header("www-authenticate"), "Basic realm=\"Carrel\"");
        for (email, key) in [(who.email.as_str(), "wrong"), ("nobody@example.org", who.key.as_str())] {
            let wrong = NewsApp::with_key(&app, email, key, "v1-2");
            wrong.request(Method::GET, "feeds", None).await.expect(401);
        }
        let (key, _) = who.create_key(&app, Scopes::READ, None).await;
        let reading = NewsApp::with_key(&app, &who.email, &key, "v1-2");
        reading.get("folders").await;
        let body = json!({ "name": "Sea" });
        reading.request(Method::POST, "folders", Some(&body)).await.expect(403);
        for path in ["/index.php/apps/news/api/v1-1/feeds", "/index.php/apps/news/api/v1-3/nothing"] {
            app.get_with(path, &[("authorization", &client.authorization)]).await.expect(404);
        }
    });
}

#[test]
fn fluent_reader_synchronizes_over_nextcloud_news() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let feed_id = follow_feed(&app, &who, "/feed.xml", 1..=3).await;
        let client = NewsApp::new(&app, &who, "v1-3");
        client.get("version").await;
        let listed = client.get("feeds").await;
        let own = &listed["feeds"][0];
        assert_eq!((own["id"].as_i64(), &own["folderId"]), (Some(feed_id), &Value::Null));
        assert!(own["url"].is_string() && own["title"] == "Harbour", "{own}");
        assert_eq!(client.get("folders").await, json!({ "folders": [] }));
        let first =
            client.items(&format!("items?getRead=true&type=3&batchSize=125&offset={MAX_NUMBER}")).await;
        assert_eq!(first.len(), 3);
        for item in &first {
            assert!(item["body"].as_str().unwrap().starts_with("<p>Words of"), "{item}");
            assert!(item["url"].is_string() && item["pubDate"].is_i64() && item["unread"] == true, "{item}");
        }
        // The app requests the second after the last change that it knows.
        let since = last_modified(&first) + 1;
        assert!(client.items(&format!("items/updated?lastModified={since}&type=3")).await.is_empty());
        let (one, two) = (id_of(&first[0]), id_of(&first[1]));
        client.post("items/read/multiple", &json!({ "itemIds": [one, two] })).await;
        client.post("items/unread/multiple", &json!({ "itemIds": [two] })).await;
        client.post("items/star/multiple", &json!({ "itemIds": [one, two] })).await;
        client.post("items/unstar/multiple", &json!({ "itemIds": [two] })).await;
        assert_eq!(client.unread().await.len(), 2);
        assert_eq!(client.ids("items?getRead=true&type=2&batchSize=-1").await, [one]);
        let changed = client.items(&format!("items/updated?lastModified={since}&type=3")).await;
        assert_eq!(changed.iter().map(id_of).collect::<Vec<_>>(), [one]);
        assert!(changed[0]["unread"] == false && changed[0]["starred"] == true, "{changed:?}");
        assert_eq!(client.get("feeds").await["starredCount"], 1);
    });
}

#[test]
fn android_app_synchronizes_over_nextcloud_news() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let feed_id = follow_feed(&app, &who, "/feed.xml", 1..=5).await;
        let client = NewsApp::new(&app, &who, "v1-2");
        client.get("status").await;
        client.get("folders").await;
        assert!(client.get("feeds").await["newestItemId"].is_i64());
        let page =
            |offset| format!("items?batchSize=3&offset={offset}&type=3&id=0&getRead=false&oldestFirst=true");
        let first = client.items(&page(0)).await;
        let second = client.items(&page(id_of(&first[2]))).await;
        let items = [first, second].concat();
        assert!(items.len() == 5 && items.iter().map(id_of).is_sorted_by(|one, next| one < next));
        for field in ["guid", "guidHash", "fingerprint", "title", "author", "body", "url"] {
            assert!(items.iter().all(|item| item[field].is_string()), "{field}");
        }
        let item = |at: usize| json!({ "feedId": feed_id, "guidHash": items[at]["guidHash"] });
        client.put("items/read/multiple", &json!({ "items": [id_of(&items[0]), id_of(&items[1])] })).await;
        client.put("items/unread/multiple", &json!({ "items": [id_of(&items[1]).to_string()] })).await;
        client.put("items/star/multiple", &json!({ "items": [item(0), item(4)] })).await;
        client.put("items/unstar/multiple", &json!({ "items": [item(4)] })).await;
        let since = last_modified(&items) + 1;
        let newest = id_of(&items[4]);
        let changed = client.items(&format!("items/updated?lastModified={since}&type=3&id={newest}")).await;
        assert_eq!(changed.iter().map(id_of).collect::<Vec<_>>(), [id_of(&items[0])]);
        assert!(changed[0]["unread"] == false && changed[0]["starred"] == true, "{changed:?}");
        let folder = json!({ "name": "Sea" });
        let made = client.request(Method::POST, "folders", Some(&folder)).await.expect(200).json();
        let folder = made["folders"][0]["id"].as_i64().unwrap();
        client.put(&format!("folders/{folder}"), &json!({ "name": "Port" })).await;
        client.put(&format!("feeds/{feed_id}/move"), &json!({ "folderId": folder })).await;
        client.put(&format!("feeds/{feed_id}/rename"), &json!({ "feedTitle": "Boats" })).await;
        let own = client.get("feeds").await["feeds"][0].clone();
        assert_eq!((&own["folderId"], &own["title"]), (&json!(folder), &json!("Boats")));
        assert_eq!(client.ids(&format!("items?type=1&id={folder}&getRead=true")).await.len(), 5);
        client.request(Method::DELETE, &format!("folders/{folder}"), None).await.expect(200);
        assert_eq!(client.get("feeds").await["feeds"][0]["folderId"], Value::Null);
        client.request(Method::DELETE, &format!("feeds/{feed_id}"), None).await.expect(200);
        assert_eq!(client.get("feeds").await["feeds"], json!([]));
        let url = app.site.put("/other.xml", feed(1..=2));
        let body = Some(form(&[("url", &url), ("folderId", "0")]));
        let form_type = ("content-type", "application/x-www-form-urlencoded");
        let headers = [("authorization", client.authorization.as_str()), form_type];
        let path = "/index.php/apps/news/api/v1-2/feeds";
        let made = app.send(Method::POST, path, &headers, body.clone()).await.expect(200).json();
        assert_eq!(made["feeds"][0]["title"], "Harbour");
        app.send(Method::POST, path, &headers, body).await.expect(409);
    });
}

#[test]
fn changes_of_other_apps_and_pages_are_listed_without_gaps() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let feed_id = follow_feed(&app, &who, "/feed.xml", 1..=4).await;
        let client = NewsApp::new(&app, &who, "v1-3");
        let items = client.items("items?type=3").await;
        let mut since = last_modified(&items) + 1;
        let mut changed = async || {
            let items = client.items(&format!("items/updated?lastModified={since}&type=3")).await;
            since = items.iter().map(|item| item["lastModified"].as_i64().unwrap() + 1).fold(since, i64::max);
            items.iter().map(id_of).collect::<BTreeSet<i64>>()
        };
        let ids: BTreeSet<i64> = items.iter().map(id_of).collect();
        let oldest = *ids.first().unwrap();
        // Several changes within the same second are listed by the requests that follow them.
        client.post(&format!("items/{oldest}/read"), &json!({})).await;
        assert_eq!(changed().await, BTreeSet::from([oldest]));
        client.post(&format!("items/{oldest}/star"), &json!({})).await;
        assert_eq!(changed().await, BTreeSet::from([oldest]));
        client.post(&format!("items/{oldest}/unstar"), &json!({})).await;
        assert_eq!(changed().await, BTreeSet::from([oldest]));
        assert!(changed().await.is_empty());
        client.post("items/read", &json!({ "newestItemId": MAX_NUMBER })).await;
        assert!(changed().await.is_superset(&ids.iter().copied().skip(1).collect()));
        assert!(client.unread().await.is_empty());
        app.site.put("/feed.xml", feed(1..=6));
        app.clock.advance(24 * 3_600_000);
        poll(&app).await;
        assert_eq!(changed().await, client.unread().await.into_iter().collect());
        let other = follow_feed(&app, &who, "/other.xml", 1..=2).await;
        let of_other = client.ids(&format!("items?type=0&id={other}")).await;
        assert_eq!(changed().await, of_other.into_iter().collect());
        // A time before the start of the record lists all items.
        let all = client.ids("items/updated?lastModified=0&type=3").await;
        assert_eq!(all, client.ids("items?type=3").await);
        let of_feed = client.ids(&format!("items/updated?lastModified=0&type=0&id={feed_id}")).await;
        assert_eq!(of_feed.len(), 6);
    });
}

#[test]
fn mark_as_read_stops_at_the_newest_item_that_the_app_knows() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let feed_id = follow_feed(&app, &who, "/feed.xml", 1..=3).await;
        let client = NewsApp::new(&app, &who, "v1-3");
        let ids = client.unread().await;
        let through = json!({ "newestItemId": ids[1] });
        client.post(&format!("feeds/{feed_id}/read"), &through).await;
        assert_eq!(client.unread().await, ids[..1]);
        client.post("folders/0/read", &json!({ "newestItemId": ids[0] })).await;
        assert!(client.unread().await.is_empty());
        for path in [format!("feeds/{feed_id}/read"), "items/read".to_owned()] {
            client.request(Method::POST, &path, Some(&json!({}))).await.expect(400);
        }
    });
}

#[test]
fn objects_of_other_accounts_and_invalid_values_are_refused() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Premium).await, Person::on(&app, Tier::Premium).await);
        let feed_id = follow_feed(&app, &who, "/feed.xml", 1..=2).await;
        let client = NewsApp::new(&app, &who, "v1-3");
        let made = client.request(Method::POST, "folders", Some(&json!({ "name": "Sea" }))).await.expect(200);
        let folder = made.json()["folders"][0]["id"].as_i64().unwrap();
        let items = client.items("items?type=3").await;
        let (id, hash) = (id_of(&items[0]), items[0]["guidHash"].as_str().unwrap());
        let stranger = NewsApp::new(&app, &other, "v1-3");
        for (method, path) in [
            (Method::DELETE, format!("folders/{folder}")),
            (Method::PUT, format!("folders/{folder}")),
            (Method::POST, format!("folders/{folder}/read")),
            (Method::DELETE, format!("feeds/{feed_id}")),
            (Method::POST, format!("feeds/{feed_id}/move")),
            (Method::POST, format!("feeds/{feed_id}/rename")),
            (Method::POST, format!("feeds/{feed_id}/read")),
            (Method::POST, "feeds/0/read".to_owned()),
            (Method::POST, format!("items/{id}/read")),
            (Method::POST, format!("items/{id}/star")),
            (Method::PUT, format!("items/{feed_id}/{hash}/star")),
        ] {
            let body = json!({ "name": "x", "newestItemId": id, "feedTitle": "x" });
            stranger.request(method, &path, Some(&body)).await.expect(404);
        }
        stranger.post("items/star/multiple", &json!({ "itemIds": [id] })).await;
        stranger.post("items/read/multiple", &json!({ "items": [id] })).await;
        for list in
            ["items?type=3".to_owned(), "items?type=2".to_owned(), format!("items?type=0&id={feed_id}")]
        {
            assert!(stranger.items(&list).await.is_empty(), "{list}");
        }
        stranger.request(Method::GET, &format!("items?type=1&id={folder}"), None).await.expect(404);
        assert!(stranger.items("items/updated?lastModified=0&type=3").await.is_empty());
        assert_eq!(client.unread().await.len(), 2);
        for path in ["items?type=9", "items?type=x", "items?getRead=maybe", "items?type=0", "items?offset=x"]
        {
            client.request(Method::GET, path, None).await.expect(400);
        }
        for (path, body, status) in [
            ("folders", json!({}), 422),
            ("folders", json!({ "name": "x".repeat(81) }), 422),
            ("folders", json!({ "name": "Sea" }), 409),
            ("feeds", json!({}), 422),
            ("feeds", json!({ "url": "ftp://example.org/" }), 422),
            ("feeds", json!({ "url": app.site.put("/more.xml", feed(1..=1)), "folderId": 999_999 }), 404),
            ("items/x/read", json!({}), 404),
            ("items/999999/read", json!({}), 404),
        ] {
            client.request(Method::POST, path, Some(&body)).await.expect(status);
        }
        client.request(Method::PUT, &format!("items/999/{hash}/star"), None).await.expect(404);
        client.put(&format!("items/{feed_id}/{hash}/star"), &json!({})).await;
        assert_eq!(client.ids("items?type=2&getRead=false").await, [id]);
    });
}

#[test]
fn pages_of_many_items_have_no_gaps_and_no_repetitions() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        for number in 0..5 {
            // The first poll of a feed stores a hundred entries.
            let entries = number * 100 + 1..=(number + 1) * 100;
            let long = document(entries).replace("Words of", &format!("{}of", "Words ".repeat(500)));
            let reply = Reply::bytes("application/rss+xml", long.into_bytes());
            let url = app.site.put(&format!("/{number}.xml"), reply);
            who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
            poll(&app).await;
        }
        let client = NewsApp::new(&app, &who, "v1-3");
        let whole = client.request(Method::GET, "items?type=3&getRead=true&batchSize=-1", None).await;
        assert!(whole.expect(200).body.len() > 1024 * 1024, "the list is sent in parts");
        let all = client.unread().await;
        assert_eq!((all.len(), all.iter().collect::<BTreeSet<_>>().len()), (500, 500));
        for (first, order) in [(MAX_NUMBER, "false"), (0, "true")] {
            let (mut collected, mut offset) = (Vec::new(), first);
            loop {
                let page =
                    format!("items?getRead=true&type=3&batchSize=60&offset={offset}&oldestFirst={order}");
                let ids = client.ids(&page).await;
                collected.extend_from_slice(&ids);
                if ids.len() < 60 {
                    break;
                }
                offset = ids[59];
            }
            if order == "true" {
                collected.reverse();
            }
            assert_eq!(collected, all);
        }
    });
}
