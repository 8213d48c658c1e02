//! API of wallabag, called as `KOReader` and the apps for Android and iOS call it.

use kernel::Scopes;
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::library_items::save_item;
use crate::support::feed_app::form;
use crate::support::person::Person;
use crate::support::{HttpAnswer, TestApp, on_each_world};

const JSON: (&str, &str) = ("content-type", "application/json");
const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

/// Sends the sign-in request of an app and returns the answer.
async fn sign_in(app: &TestApp, email: &str, key: &str) -> HttpAnswer {
    let body = json!({"grant_type": "password", "client_id": "1_any", "client_secret": "any", "username": email,
        "password": key});
    app.post("/oauth/v2/token", &body).await
}

/// App that is signed in.
struct Wallabag<'a> {
    app: &'a TestApp,
    authorization: String,
}

impl<'a> Wallabag<'a> {
    async fn of(app: &'a TestApp, email: &str, key: &str) -> Self {
        let token = sign_in(app, email, key).await.expect(200).json();
        let token = token["access_token"].as_str().unwrap();
        crate::support::secret_scan::record_secret(token);
        Self { app, authorization: format!("Bearer {token}") }
    }

    async fn get(&self, path: &str) -> HttpAnswer {
        let headers = [("authorization", self.authorization.as_str())];
        self.app.get_with(&format!("/api/{path}"), &headers).await
    }

    async fn list(&self, query: &str) -> Value {
        self.get(&format!("entries.json?{query}")).await.expect(200).json()
    }

    /// Returns the titles of a list, in its order.
    async fn titles(&self, query: &str) -> String {
        let list = self.list(query).await;
        let items = list["_embedded"]["items"].as_array().unwrap().iter();
        items.map(|item| item["title"].as_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    async fn send(&self, method: Method, path: &str, body: &Value) -> HttpAnswer {
        let headers = [("authorization", self.authorization.as_str()), JSON];
        self.app.send(method, &format!("/api/{path}"), &headers, Some(body.to_string())).await
    }
}

async fn save(app: &TestApp, who: &Person, title: &str, more: &Value) -> Value {
    let mut body = json!({"title": title, "url": format!("https://{title}.example.org/text"),
        "content": format!("# {title}\n\nWords of {title}."), "mimeType": "text/markdown"});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    app.clock.advance(1_000);
    save_item(app, who, &body).await
}

#[test]
fn token_is_issued_for_a_key_and_is_valid_as_long_as_the_key() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let first = sign_in(&app, &who.email, &who.key).await.expect(200).json();
        assert_eq!((&first["token_type"], &first["expires_in"]), (&json!("bearer"), &json!(3600)));
        let refresh = [
            ("grant_type", "refresh_token"),
            ("client_id", "1_any"),
            ("client_secret", "any"),
            ("refresh_token", first["refresh_token"].as_str().unwrap()),
        ];
        let again = app.send(Method::POST, "/oauth/v2/token", &[FORM], Some(form(&refresh))).await;
        assert_eq!(again.expect(200).json()["access_token"], first["access_token"]);
        for (email, key) in [
            (who.email.as_str(), "wrong"),
            ("other@example.org", who.key.as_str()),
            (who.email.as_str(), "correct horse battery"),
        ] {
            let refused = sign_in(&app, email, key).await.expect(400).json();
            assert_eq!(refused["error"], "invalid_grant");
        }
        let query = form(&[("grant_type", "password"), ("username", &who.email), ("password", "x")]);
        app.get(&format!("/oauth/v2/token?{query}")).await.expect(405);
        let odd = app.post("/oauth/v2/token", &json!({"grant_type": "client_credentials"})).await;
        assert_eq!(odd.expect(400).json()["error"], "unsupported_grant_type");

        let reader = Wallabag::of(&app, &who.email.to_uppercase(), &who.key).await;
        assert_eq!(reader.get("user.json").await.expect(200).json()["email"], who.email);
        assert_eq!(app.get("/api/version").await.expect(200).json(), "2.6.9");
        assert_eq!(app.get("/api/info.json").await.expect(200).json()["appname"], "wallabag");
        let refused = app.get("/api/entries.json").await.expect(401);
        assert_eq!(refused.json()["error"], "invalid_grant");
        let key = format!("Bearer {}", who.key);
        app.get_with("/api/entries.json", &[("authorization", &key)]).await.expect(401);
        who.send(&app, Method::DELETE, &format!("/v1/keys/{}", who.key_id)).await.expect(204);
        reader.get("entries.json").await.expect(401);
    });
}

#[test]
fn wrong_keys_throttle_the_network_but_correct_keys_are_accepted() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        for _ in 0..60 {
            sign_in(&app, &who.email, "wrong").await.expect(400);
        }
        let refused = sign_in(&app, &who.email, "wrong").await.expect(429);
        assert!(!refused.header("retry-after").is_empty());
        sign_in(&app, &who.email, &who.key).await.expect(200);
    });
}

/// Sends the requests of `KOReader`: list until a page does not exist, download, archive, delete, add.
#[test]
fn koreader_synchronizes_unread_entries() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        save(&app, &who, "Archived", &json!({"status": "archive"})).await;
        for title in ["One", "Two", "Three"] {
            save(&app, &who, title, &json!({"tags": ["koreader"]})).await;
        }
        let reader = Wallabag::of(&app, &who.email, &who.key).await;
        let first = reader.list("archive=0&page=1&perPage=2&tags=koreader").await;
        assert_eq!((&first["page"], &first["pages"], &first["total"]), (&json!(1), &json!(2), &json!(3)));
        let item = &first["_embedded"]["items"][0];
        assert_eq!((&item["title"], &item["tags"][0]["label"]), (&json!("Three"), &json!("koreader")));
        assert!(item["updated_at"].as_str().unwrap().ends_with("+0000"));
        assert_eq!(reader.titles("archive=0&page=2&perPage=2&tags=koreader").await, "One");
        reader.get("entries.json?archive=0&page=3&perPage=2&tags=koreader").await.expect(404);
        let next = first["_links"]["next"]["href"].as_str().unwrap();
        assert!(next.contains("archive=0") && next.ends_with("page=2"), "{next}");

        let number = item["id"].as_i64().unwrap();
        let book = reader.get(&format!("entries/{number}/export.epub")).await.expect(200);
        assert_eq!(book.header("content-type"), "application/epub+zip");
        reader.get(&format!("entries/{number}/export.pdf")).await.expect(400);
        let path = format!("entries/{number}.json");
        let archived = reader.send(Method::PATCH, &path, &json!({"archive": 1})).await.expect(200).json();
        assert_eq!((&archived["is_archived"], &archived["id"]), (&json!(1), &json!(number)));
        assert_eq!(reader.titles("archive=0").await, "Two One");
        let tags = json!({"tags": "read, koreader"});
        let tagged = reader.send(Method::POST, &format!("entries/{number}/tags.json"), &tags).await;
        assert_eq!(tagged.expect(200).json()["tags"].as_array().unwrap().len(), 2);
        let deleted = reader.send(Method::DELETE, &path, &json!({})).await.expect(200).json();
        assert_eq!(deleted["title"], "Three");
        reader.get(&path).await.expect(404);

        let url = app.site.article("/town");
        let body = json!({"url": url, "tags": "one,two"});
        let added = reader.send(Method::POST, "entries.json", &body).await.expect(200).json();
        assert_eq!((&added["url"], &added["tags"][1]["label"]), (&json!(url), &json!("two")));
        assert!(added["content"].as_str().unwrap().contains("<p id=\"p3\">"), "{added}");
        let again = reader.send(Method::POST, "entries.json", &json!({"url": url, "starred": 1})).await;
        let again = again.expect(200).json();
        assert_eq!((&again["id"], &again["is_starred"]), (&added["id"], &json!(1)));
        assert_ne!(again["id"], json!(number), "the number of a deleted entry is not assigned again");
    });
}

#[test]
fn tag_that_contains_a_comma_is_listed_and_not_split() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        save(&app, &who, "One", &json!({"tags": ["Travel, south"]})).await;
        save(&app, &who, "Two", &json!({"tags": ["Travel"]})).await;
        let reader = Wallabag::of(&app, &who.email, &who.key).await;
        assert_eq!(reader.titles("tags=Travel%2C%20south").await, "One");
        assert_eq!(reader.titles("tags=Travel").await, "Two");
        let number = reader.list("tags=travel%2Csouth").await["_embedded"]["items"][0]["id"].clone();
        let change = json!({"tags": "Travel, south, boat"});
        let changed = reader.send(Method::PATCH, &format!("entries/{number}.json"), &change).await;
        let changed = changed.expect(200).json();
        let labels = changed["tags"].as_array().unwrap().iter().map(|tag| tag["label"].as_str().unwrap());
        let mut labels: Vec<&str> = labels.collect();
        labels.sort_unstable();
        assert_eq!(labels, ["Travel, south", "boat"]);
    });
}

/// Sends the requests of the Android app: changes since the last synchronization, changes of one entry,
/// annotations.
#[test]
fn entries_are_filtered_changed_and_annotated() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        save(&app, &who, "One", &json!({"tags": ["sea"]})).await;
        save(&app, &who, "Two", &json!({})).await;
        let reader = Wallabag::of(&app, &who.email, &who.key).await;
        assert_eq!(reader.titles("sort=created&order=asc&perPage=30&page=1").await, "One Two");
        let without_text = reader.list("detail=metadata").await;
        assert_eq!(without_text["_embedded"]["items"][0]["content"], "");
        let since = app.app.domain.now() / 1000 + 3600;
        assert_eq!(reader.titles(&format!("since={since}&sort=updated&order=asc")).await, "");
        assert_eq!(reader.titles("since=1&domain_name=two.example.org").await, "Two");
        assert_eq!(reader.titles("public=1").await, "");
        let entries = reader.list("tags=sea").await;
        let number = entries["_embedded"]["items"][0]["id"].as_i64().unwrap();
        let path = format!("entries/{number}.json");
        let change = json!({"starred": true, "title": "First", "tags": ["Sea", "boat"]});
        let changed = reader.send(Method::PATCH, &path, &change).await.expect(200).json();
        assert_eq!((&changed["title"], &changed["is_starred"]), (&json!("First"), &json!(1)));
        assert_eq!(reader.titles("starred=1").await, "First");
        assert_eq!(reader.titles("starred=0").await, "Two");
        let tag = changed["tags"].as_array().unwrap().iter().find(|tag| tag["label"] == "boat").unwrap();
        let tag_path = format!("entries/{number}/tags/{}.json", tag["id"]);
        reader.send(Method::DELETE, &tag_path, &json!({})).await.expect(200);
        reader.send(Method::DELETE, &tag_path, &json!({})).await.expect(404);
        let tags = reader.get("tags.json").await.expect(200).json();
        let labels: Vec<&str> =
            tags.as_array().unwrap().iter().map(|tag| tag["label"].as_str().unwrap()).collect();
        assert_eq!(labels, ["favorite", "sea"]);

        let annotation = json!({"quote": "Words of One", "text": "Mine.", "ranges": [{"start": "/p"}]});
        let path = format!("annotations/{number}.json");
        let made = reader.send(Method::POST, &path, &annotation).await.expect(200).json();
        assert_eq!((&made["quote"], &made["text"]), (&json!("Words of One"), &json!("Mine.")));
        let listed = reader.get(&path).await.expect(200).json();
        assert_eq!((&listed["total"], &listed["rows"][0]["id"]), (&json!(1), &made["id"]));
        let entry = reader.get(&format!("entries/{number}.json")).await.expect(200).json();
        assert_eq!(
            (&entry["annotations"][0]["id"], &entry["annotations_truncated"]),
            (&made["id"], &json!(false))
        );
        let exists = reader.get("entries/exists.json?url=https%3A%2F%2Ftwo.example.org%2Ftext").await;
        assert_eq!(exists.expect(200).json(), json!({"exists": true}));
        let exists = reader.get("entries/exists?return_id=1&url=https%3A%2F%2Fone.example.org%2Ftext").await;
        assert_eq!(exists.expect(200).json(), json!({"exists": number}));
    });
}

#[test]
fn request_that_is_invalid_or_from_another_account_is_refused() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        save(&app, &who, "One", &json!({})).await;
        let reader = Wallabag::of(&app, &who.email, &who.key).await;
        let number = reader.list("").await["_embedded"]["items"][0]["id"].as_i64().unwrap();
        let path = format!("entries/{number}.json");
        let many_tags = format!("tags={}", vec!["x"; 13].join(","));
        let odd = ["archive=2", "page=0", "perPage=x", "since=soon", "domain_name=a%00b", many_tags.as_str()];
        for query in odd {
            reader.get(&format!("entries?{query}")).await.expect(400);
        }
        for (method, path, body) in [
            (Method::POST, "entries", json!({})),
            (Method::POST, "entries", json!({"url": "ftp://example.org/"})),
            (Method::POST, "entries", json!({"url": "https://example.org/", "tags": "x".repeat(33)})),
            (Method::PATCH, path.as_str(), json!({"archive": "perhaps"})),
            (Method::PATCH, path.as_str(), json!({"content": "Other words."})),
            (Method::POST, "annotations/1", json!({"text": "without quote"})),
        ] {
            reader.send(method, path, &body).await.expect(400);
        }
        let headers = [("authorization", reader.authorization.as_str()), JSON];
        app.send(Method::POST, "/api/entries", &headers, Some("[1".into())).await.expect(400);
        for lost in ["entries/x", "entries/999999", "tags/1", "annotations/999999", "entries/1/nothing"] {
            reader.get(lost).await.expect(404);
        }
        let stranger = Person::free(&app).await;
        let other = Wallabag::of(&app, &stranger.email, &stranger.key).await;
        other.get(&path).await.expect(404);
        other.send(Method::PATCH, &path, &json!({"archive": 1})).await.expect(404);
        other.send(Method::DELETE, &path, &json!({})).await.expect(404);
        assert_eq!(other.titles("").await, "");
        let (key, _) = who.create_key(&app, Scopes::READ, None).await;
        let reading = Wallabag::of(&app, &who.email, &key).await;
        reading.get(&path).await.expect(200);
        reading.send(Method::PATCH, &path, &json!({"archive": 1})).await.expect(403);
    });
}
