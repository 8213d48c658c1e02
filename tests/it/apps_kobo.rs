//! Store API for a Kobo whose `api_endpoint` was changed: initialization, synchronization, downloads, and
//! progress.

use kernel::tiers::Tier;
use kernel::{Scopes, millis_of_rfc3339, rfc3339};
use reqwest::Method;
use serde_json::{Value, json};

use crate::library_items::{item_path, save_item, send};
use crate::support::clock::DAY;
use crate::support::feed_app::FeedApp;
use crate::support::person::Person;
use crate::support::{HttpAnswer, TestApp, on_each_world};

/// Device that uses the token of a key.
struct Kobo<'a> {
    app: &'a TestApp,
    token: String,
}

impl<'a> Kobo<'a> {
    async fn of(app: &'a TestApp, who: &Person, key: &str) -> Self {
        let answer = FeedApp::log_in(app, &who.email, key).await.expect(200).text();
        let token = answer.lines().find_map(|line| line.strip_prefix("Auth=")).unwrap().to_owned();
        crate::support::secret_scan::record_secret(&token);
        Self { app, token }
    }

    async fn send(&self, method: Method, path: &str, body: Option<Value>) -> HttpAnswer {
        let headers = [("content-type", "application/json")];
        let path = format!("/kobo/{}/v1/{path}", self.token);
        self.app.send(method, &path, &headers, body.map(|body| body.to_string())).await
    }

    async fn get(&self, path: &str) -> HttpAnswer {
        self.send(Method::GET, path, None).await
    }

    /// Synchronizes all pages of changes since `token`. Returns the changes and the next token.
    async fn sync(&self, token: &str) -> (Vec<Value>, String) {
        let (mut changes, mut token) = (Vec::new(), token.to_owned());
        loop {
            let path = format!("/kobo/{}/v1/library/sync", self.token);
            let answer = self.app.get_with(&path, &[("x-kobo-synctoken", &token)]).await.expect(200);
            changes.extend(answer.json().as_array().unwrap().iter().cloned());
            token = answer.header("x-kobo-synctoken").to_owned();
            if answer.header("x-kobo-sync") != "continue" {
                return (changes, token);
            }
        }
    }
}

async fn save(app: &TestApp, who: &Person, title: &str, status: &str) -> Value {
    let body = json!({"title": title, "content": format!("Words of {title}."), "mimeType": "text/plain",
        "author": "Ana Lima, Bo", "status": status});
    save_item(app, who, &body).await
}

/// Returns the titles of the books that a synchronization adds.
fn added(changes: &[Value]) -> Vec<&str> {
    let books = changes.iter().map(|change| &change["NewEntitlement"]["BookMetadata"]["Title"]);
    books.filter_map(Value::as_str).collect()
}

#[test]
fn device_receives_books_and_removals_and_sends_its_progress() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let one = save(&app, &who, "One", "inbox").await;
        save(&app, &who, "Archived", "archive").await;
        let device = Kobo::of(&app, &who, &who.key).await;
        let resources = device.get("initialization").await.expect(200);
        assert_eq!(resources.header("x-kobo-apitoken"), "e30=");
        let sync = resources.json()["Resources"]["library_sync"].as_str().unwrap().to_owned();
        assert!(sync.ends_with(&format!("/kobo/{}/v1/library/sync", device.token)), "{sync}");
        let body = Some(json!({"UserKey": "x"}));
        device.send(Method::POST, "auth/device", body).await.expect(200);
        for rest in ["user/profile", "user/loyalty/benefits", "products/books/x", "deals"] {
            assert_eq!(device.get(rest).await.expect(200).json(), json!({}));
        }

        // A device that previously synchronized with the original store sends the store's token.
        let (changes, token) = device.sync("eyJ0eXAiOjF9.of-the-store").await;
        assert_eq!((added(&changes), changes.len()), (vec!["One"], 1));
        let book = &changes[0]["NewEntitlement"];
        assert_eq!(book["BookMetadata"]["Contributors"], json!(["Ana Lima", "Bo"]));
        assert_eq!(book["ReadingState"]["StatusInfo"]["Status"], "ReadyToRead");
        let url = book["BookMetadata"]["DownloadUrls"][0]["Url"].as_str().unwrap();
        let file = app.get(url).await.expect(200);
        assert_eq!(file.header("content-type"), "application/epub+zip");
        let id = one["id"].as_str().unwrap();
        let metadata = device.get(&format!("library/{id}/metadata")).await.expect(200).json();
        assert_eq!(metadata[0]["Title"], "One");
        assert_eq!(device.sync(&token).await.0, Vec::<Value>::new());

        let state = |status: &str, percent: f64| {
            json!({"ReadingStates": [{"EntitlementId": id, "StatusInfo": {"Status": status},
                "CurrentBookmark": {"ProgressPercent": percent}}]})
        };
        let path = format!("library/{id}/state");
        let sent = device.send(Method::PUT, &path, Some(state("Reading", 41.7))).await.expect(200).json();
        assert_eq!(sent["UpdateResults"][0]["StatusInfoResult"]["Result"], "Success");
        let item = who.get(&app, &item_path(&one)).await.expect(200).json();
        assert_eq!(item["item"]["readProgress"], 41);
        let listed = device.get(&path).await.expect(200).json();
        assert_eq!(listed[0]["CurrentBookmark"]["ProgressPercent"], 41);
        device.send(Method::PUT, &path, Some(state("Finished", 100.0))).await.expect(200);
        assert_eq!(device.get(&path).await.expect(200).json()[0]["StatusInfo"]["Status"], "Finished");

        let two = save(&app, &who, "Two", "later").await;
        send(&app, &who, Method::PATCH, &item_path(&one), &json!({"status": "archive"})).await.expect(200);
        let (changes, token) = device.sync(&token).await;
        assert_eq!(added(&changes), ["Two"]);
        let gone = changes.iter().find(|change| change["ChangedEntitlement"].is_object()).unwrap();
        let gone = &gone["ChangedEntitlement"]["BookEntitlement"];
        assert_eq!((&gone["Id"], &gone["IsRemoved"]), (&json!(id), &json!(true)));
        who.send(&app, Method::DELETE, &item_path(&two)).await.expect(204);
        let (changes, _) = device.sync(&token).await;
        assert_eq!(changes[0]["ChangedEntitlement"]["BookEntitlement"]["Id"], two["id"]);
    });
}

#[test]
fn state_of_a_device_that_is_older_than_the_read_mark_is_ignored() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let one = save(&app, &who, "One", "inbox").await;
        app.clock.advance(10 * DAY);
        let device = Kobo::of(&app, &who, &who.key).await;
        let path = format!("library/{}/state", one["id"].as_str().unwrap());
        let put = async |at: &str| {
            let state = json!({"ReadingStates": [{"EntitlementId": one["id"], "LastModified": at,
                "StatusInfo": {"Status": "Reading", "LastModified": at},
                "CurrentBookmark": {"ProgressPercent": 35, "LastModified": at}}]});
            let sent = device.send(Method::PUT, &path, Some(state)).await.expect(200).json();
            sent["UpdateResults"][0]["StatusInfoResult"]["Result"].clone()
        };
        for slow_clock in ["2020-01-01T10:00:00Z", "2020-01-01T11:00:00Z"] {
            assert_eq!(put(slow_clock).await, "Success");
        }
        let read = json!({"markRead": true});
        let read = send(&app, &who, Method::PATCH, &item_path(&one), &read).await.expect(200).json();
        let finished_at = read["item"]["finishedAt"].clone();
        let now = millis_of_rfc3339(finished_at.as_str().unwrap()).unwrap();
        assert_eq!(put(&rfc3339(now - 9 * DAY)).await, "Ignored");
        let item = who.get(&app, &item_path(&one)).await.expect(200).json()["item"].clone();
        assert_eq!((&item["finishedAt"], &item["lastReadAt"]), (&finished_at, &finished_at));

        app.clock.advance(DAY);
        let at = rfc3339(now + DAY / 2);
        assert_eq!(put(&at).await, "Success");
        let item = who.get(&app, &item_path(&one)).await.expect(200).json()["item"].clone();
        assert_eq!((&item["readProgress"], &item["lastReadAt"]), (&json!(35), &json!(at)));
        let future = rfc3339(now + 30 * DAY);
        assert_eq!(put(&future).await, "Success");
        let item = who.get(&app, &item_path(&one)).await.expect(200).json()["item"].clone();
        assert!(item["lastReadAt"].as_str().unwrap() < future.as_str(), "{item}");
    });
}

#[test]
fn large_library_is_synchronized_in_pages() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        for number in 0..60 {
            save(&app, &who, &format!("Piece {number}"), "inbox").await;
        }
        let device = Kobo::of(&app, &who, &who.key).await;
        let first = device.get("library/sync").await.expect(200);
        assert_eq!(first.header("x-kobo-sync"), "continue");
        assert!(first.json().as_array().unwrap().len() <= 50);
        let (changes, _) = device.sync("").await;
        assert_eq!(added(&changes).len(), 60);
    });
}

#[test]
fn book_that_is_removed_from_a_device_is_archived() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let one = save(&app, &who, "One", "inbox").await;
        let device = Kobo::of(&app, &who, &who.key).await;
        let path = format!("library/{}", one["id"].as_str().unwrap());
        device.send(Method::DELETE, &path, None).await.expect(204);
        let item = who.get(&app, &item_path(&one)).await.expect(200).json();
        assert_eq!(item["item"]["status"], "archive");
    });
}

#[test]
fn device_without_a_valid_token_or_of_another_account_is_refused() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let one = save(&app, &who, "One", "inbox").await;
        let id = one["id"].as_str().unwrap();
        for token in ["wrong", who.key.as_str()] {
            app.get(&format!("/kobo/{token}/v1/library/sync")).await.expect(401);
        }
        app.get("/kobo").await.expect(404);
        let stranger = Person::free(&app).await;
        let other = Kobo::of(&app, &stranger, &stranger.key).await;
        assert!(other.sync("").await.0.is_empty());
        other.get(&format!("library/{id}/metadata")).await.expect(404);
        other.get(&format!("books/{id}/file.epub")).await.expect(404);
        let state = json!({"ReadingStates": [{"EntitlementId": id, "StatusInfo": {"Status": "Finished"}}]});
        let path = format!("library/{id}/state");
        let sent = other.send(Method::PUT, &path, Some(state.clone())).await.expect(200).json();
        assert_eq!(sent["UpdateResults"][0]["StatusInfoResult"]["Result"], "Ignored");
        let item = who.get(&app, &item_path(&one)).await.expect(200).json();
        assert_eq!(item["item"]["lastReadAt"], Value::Null);
        for odd in [json!({}), json!({"ReadingStates": []}), json!([1])] {
            other.send(Method::PUT, &path, Some(odd)).await.expect(400);
        }
        other.get("nothing").await.expect(404);
        let (key, _) = who.create_key(&app, Scopes::READ, None).await;
        let reading = Kobo::of(&app, &who, &key).await;
        reading.get("library/sync").await.expect(200);
        reading.send(Method::PUT, &path, Some(state)).await.expect(403);
        reading.send(Method::DELETE, &format!("library/{id}"), None).await.expect(403);
    });
}
