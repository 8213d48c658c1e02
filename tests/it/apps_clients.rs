//! Requests of feed apps, as the apps' public sources build them: `NetNewsWire`, Read You, Capy Reader, and
//! Fluent Reader with the Google Reader API, Read You and Fluent Reader with Fever.

use kernel::Scopes;
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::feed_app::{FeedApp, app_key, follow_feed, form};
use crate::support::person::Person;
use crate::support::rss::feed;
use crate::support::{HttpAnswer, TestApp, on_each_world};

const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
const ALL: &str = "user/-/state/com.google/reading-list";
const READ: &str = "user/-/state/com.google/read";
const STARRED: &str = "user/-/state/com.google/starred";

/// App that is signed in to the Google Reader API, with a followed feed that has three entries.
struct Client<'a> {
    app: &'a TestApp,
    authorization: String,
    /// Token that the app sends with changes.
    token: String,
    feed: i64,
}

impl<'a> Client<'a> {
    /// Signs in with a form that also contains the fields `more`.
    async fn sign_in(app: &'a TestApp, who: &Person, more: &[(&str, &str)]) -> Self {
        let feed = follow_feed(app, who, "/feed.xml", 1..=3).await;
        let credentials = [("Email", who.email.as_str()), ("Passwd", who.key.as_str())];
        let pairs: Vec<(&str, &str)> = credentials.into_iter().chain(more.iter().copied()).collect();
        let answer = app.send(Method::POST, "/accounts/ClientLogin", &[FORM], Some(form(&pairs))).await;
        let text = answer.expect(200).text();
        let auth = match serde_json::from_str::<Value>(&text) {
            Ok(object) => object["Auth"].as_str().unwrap().to_owned(),
            Err(_) => text.lines().find_map(|line| line.strip_prefix("Auth=")).unwrap().to_owned(),
        };
        crate::support::secret_scan::record_secret(&auth);
        let mut client =
            Self { app, authorization: format!("GoogleLogin auth={auth}"), token: String::new(), feed };
        client.token = client.get("token").await.text();
        client
    }

    async fn get(&self, path: &str) -> HttpAnswer {
        let headers = [("authorization", self.authorization.as_str())];
        self.app.get_with(&format!("/reader/api/0/{path}"), &headers).await.expect(200)
    }

    /// Posts a body exactly as the app encodes it, which may escape fewer characters than a form.
    async fn post(&self, path: &str, body: &str) -> HttpAnswer {
        let headers = [("authorization", self.authorization.as_str()), FORM];
        let path = format!("/reader/api/0/{path}");
        self.app.send(Method::POST, &path, &headers, Some(body.to_owned())).await.expect(200)
    }

    /// Returns the ids of a list in decimal form.
    async fn ids(&self, query: &str) -> Vec<i64> {
        let list = self.get(&format!("stream/items/ids?{query}")).await.json();
        let ids = list["itemRefs"].as_array().unwrap().iter();
        ids.map(|one| one["id"].as_str().unwrap().parse().unwrap()).collect()
    }
}

#[test]
fn netnewswire_synchronizes() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let client = Client::sign_in(&app, &who, &[]).await;
        let Client { token, feed, .. } = &client;
        client.get("tag/list?output=json").await;
        let listed = client.get("subscription/list?output=json").await.json();
        assert_eq!(listed["subscriptions"][0]["id"], format!("feed/{feed}"));
        let since = app.app.domain.now() / 1000 - 90 * 86_400;
        let all = client.ids(&format!("n=1000&output=json&ot={since}&s={ALL}")).await;
        assert_eq!(all.len(), 3);
        assert_eq!(client.ids(&format!("n=1000&output=json&s={ALL}&xt={READ}")).await, all);
        assert_eq!(client.ids(&format!("n=1000&output=json&ot={since}&s=feed/{feed}")).await, all);
        // Ids are sent in hexadecimal without leading zeros.
        let body: Vec<String> =
            all.iter().map(|id| format!("i=tag:google.com,2005:reader/item/{id:x}")).collect();
        let body = format!("T={token}&output=json&{}", body.join("&"));
        let contents = client.post("stream/items/contents", &body).await.json();
        assert_eq!(contents["items"].as_array().unwrap().len(), 3);
        let item = format!("i=tag:google.com,2005:reader/item/{:016x}", all[0]);
        client.post("edit-tag", &format!("T={token}&{item}&a={READ}")).await;
        client.post("edit-tag", &format!("T={token}&{item}&a={STARRED}")).await;
        assert_eq!(client.ids(&format!("n=1000&output=json&s={ALL}&xt={READ}")).await, all[1..]);
        assert_eq!(client.ids(&format!("n=1000&output=json&s={STARRED}")).await, all[..1]);
        let edit = format!("T={token}&s=feed/{feed}&ac=edit&a=user/-/label/Harbour news&t=Port");
        client.post("subscription/edit", &edit).await;
        let rename = format!("T={token}&s=user/-/label/Harbour news&dest=user/-/label/Sea");
        client.post("rename-tag", &rename).await;
        let own = client.get("subscription/list?output=json").await.json()["subscriptions"][0].clone();
        assert_eq!((&own["title"], &own["categories"][0]["label"]), (&json!("Port"), &json!("Sea")));
        client.post("disable-tag", &format!("T={token}&s=user/-/label/Sea")).await;
        client.post("subscription/edit", &format!("T={token}&s=feed/{feed}&ac=unsubscribe")).await;
        let url = app.site.put("/other.xml", self::feed(1..=2));
        let added = client.post("subscription/quickadd", &format!("T={token}&quickadd={url}")).await.json();
        assert_eq!(added["numResults"], 1);
    });
}

#[test]
fn read_you_synchronizes_over_google_reader() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let more = [
            ("output", "json"),
            ("client", "ReadYou / 0.14"),
            ("accountType", "HOSTED_OR_GOOGLE"),
            ("service", "reader"),
        ];
        let client = Client::sign_in(&app, &who, &more).await;
        let Client { token, feed, .. } = &client;
        assert_eq!(client.get("user-info?output=json").await.json()["userName"], who.email);
        client.get("subscription/list?output=json").await;
        let unread = client.ids(&format!("output=json&s={ALL}&xt={READ}&n=10000")).await;
        assert_eq!(unread.len(), 3);
        let since = app.app.domain.now() / 1000 - 86_400;
        assert!(client.ids(&format!("output=json&s={READ}&ot={since}&n=10000")).await.len() <= 3);
        assert!(client.ids(&format!("output=json&s={STARRED}&n=10000")).await.is_empty());
        let mut pairs: Vec<(String, String)> =
            unread.iter().map(|id| ("i".to_owned(), format!("{id:016x}"))).collect();
        pairs.push(("T".to_owned(), token.clone()));
        let pairs: Vec<(&str, &str)> =
            pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let contents = client.post("stream/items/contents?output=json", &form(&pairs)).await.json();
        assert_eq!(contents["items"].as_array().unwrap().len(), 3);
        let item = format!("tag:google.com,2005:reader/item/{:016x}", unread[0]);
        let edit = |state: &'static str, tag: &'static str| form(&[("i", &item), (state, tag), ("T", token)]);
        client.post("edit-tag?output=json", &edit("a", READ)).await;
        client.post("edit-tag?output=json", &edit("r", READ)).await;
        client.post("edit-tag?output=json", &edit("a", STARRED)).await;
        assert_eq!(client.ids(&format!("output=json&s={STARRED}&n=10000")).await, unread[..1]);
        let stream = format!("feed/{feed}");
        let marked = form(&[("s", &stream), ("T", token)]);
        client.post("mark-all-as-read?output=json", &marked).await;
        assert!(client.ids(&format!("output=json&s={ALL}&xt={READ}&n=10000")).await.is_empty());
        let url = app.site.put("/other.xml", self::feed(1..=2));
        let added = client
            .post(&format!("subscription/quickadd?output=json&quickadd={url}"), &form(&[("quickadd", &url)]))
            .await;
        assert_eq!(added.json()["numResults"], 1);
    });
}

#[test]
fn capy_reader_synchronizes_after_its_sign_in() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let client = Client::sign_in(&app, &who, &[]).await;
        let Client { token, feed, .. } = &client;
        // Capy Reader sends the password in the query of its sign-in. The service refuses this, because the
        // query may be logged.
        let query = form(&[("Email", &who.email), ("Passwd", "x")]);
        app.send(Method::POST, &format!("/accounts/ClientLogin?{query}"), &[], None).await.expect(405);
        let ids = client.ids(&format!("s={ALL}&n=10000&xt={READ}&output=json")).await;
        let (one, two) = (ids[0].to_string(), ids[1].to_string());
        let body = form(&[("i", &one), ("i", &two), ("T", token)]);
        let contents = client.post("stream/items/contents?output=json", &body).await.json();
        assert_eq!(contents["items"].as_array().unwrap().len(), 2);
        client
            .post("edit-tag?output=json", &form(&[("i", &one), ("i", &two), ("T", token), ("a", READ)]))
            .await;
        assert_eq!(client.ids(&format!("s={ALL}&n=10000&xt={READ}&output=json")).await, ids[2..]);
        let stream = format!("feed/{feed}");
        let edit = [
            ("s", stream.as_str()),
            ("ac", "edit"),
            ("a", "user/-/label/Sea"),
            ("t", "Port"),
            ("T", token.as_str()),
        ];
        client.post("subscription/edit", &form(&edit)).await;
        let own = client.get("subscription/list?output=json").await.json()["subscriptions"][0].clone();
        assert_eq!((&own["title"], &own["categories"][0]["label"]), (&json!("Port"), &json!("Sea")));
    });
}

#[test]
fn fluent_reader_synchronizes_over_google_reader() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let client = Client::sign_in(&app, &who, &[]).await;
        client.get("user-info").await;
        client.get("subscription/list?output=json").await;
        let unread = client.ids(&format!("output=json&s={ALL}&xt={READ}&n=1000")).await;
        assert!(client.ids(&format!("output=json&s={STARRED}&n=1000")).await.is_empty());
        let contents = client.get("stream/contents?output=json&n=125").await.json();
        let items = contents["items"].as_array().unwrap();
        let last: Vec<&str> =
            items.iter().map(|item| item["id"].as_str().unwrap().rsplit('/').next().unwrap()).collect();
        assert_eq!(last.len(), 3);
        let fetched_at = items[0]["crawlTimeMsec"].as_str().unwrap().parse::<i64>().unwrap() / 1000;
        client.get(&format!("stream/contents?output=json&n=125&ot={fetched_at}")).await;
        // Ids are sent without a token, either as the last part of their long form or in decimal.
        client.post("edit-tag", &form(&[("i", last[0]), ("a", READ)])).await;
        client.post("edit-tag", &format!("i={}&a={STARRED}", unread[1])).await;
        assert_eq!(client.ids(&format!("output=json&s={ALL}&xt={READ}&n=1000")).await, unread[1..]);
        assert_eq!(client.ids(&format!("output=json&s={STARRED}&n=1000")).await, unread[1..2]);
        let stream = format!("feed/{}", client.feed);
        client.post("mark-all-as-read", &form(&[("s", &stream)])).await;
        assert!(client.ids(&format!("output=json&s={ALL}&xt={READ}&n=1000")).await.is_empty());
    });
}

/// Sends a Fever request with parameters in the query and in the body.
async fn fever(app: &TestApp, digest: &str, query: &str, more: &str) -> Value {
    let body = format!("api_key={digest}{more}");
    app.send(Method::POST, &format!("/fever/?{query}"), &[FORM], Some(body)).await.expect(200).json()
}

#[test]
fn read_you_synchronizes_over_fever() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let (_, digest) = app_key(&app, &who, Scopes::ALL).await;
        let feed = follow_feed(&app, &who, "/feed.xml", 1..=3).await;
        let ask = async |query: &str| {
            let answer = fever(&app, &digest, &format!("api=&{query}"), "").await;
            assert_eq!(answer["auth"], 1, "{query}");
            answer
        };
        ask("").await;
        assert!(ask("groups").await["groups"].is_array());
        assert_eq!(ask("feeds").await["feeds"][0]["id"], json!(feed));
        assert!(ask("favicons").await["favicons"].is_array());
        let items = ask("items&since_id=0").await;
        let ids: Vec<i64> =
            items["items"].as_array().unwrap().iter().map(|item| item["id"].as_i64().unwrap()).collect();
        assert_eq!(ids.len(), 3);
        let some = ask(&format!("items&with_ids={},{}", ids[0], ids[1])).await;
        assert_eq!(some["items"].as_array().unwrap().len(), 2);
        ask(&format!("&mark=item&as=read&id={}", ids[0])).await;
        let unread = ask("unread_item_ids").await["unread_item_ids"].as_str().unwrap().to_owned();
        assert!(!unread.split(',').any(|id| id == ids[0].to_string()), "{unread}");
        ask(&format!("&mark=item&as=saved&id={}", ids[1])).await;
        assert_eq!(ask("saved_item_ids").await["saved_item_ids"], ids[1].to_string());
        let before = app.app.domain.now() / 1000 + 86_400;
        ask(&format!("&mark=feed&as=read&id={feed}&before={before}")).await;
        assert_eq!(ask("unread_item_ids").await["unread_item_ids"], "");
    });
}

#[test]
fn fluent_reader_synchronizes_over_fever() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let (_, digest) = app_key(&app, &who, Scopes::ALL).await;
        let feed = follow_feed(&app, &who, "/feed.xml", 1..=3).await;
        assert_eq!(fever(&app, &digest, "api", "").await["auth"], 1);
        let feeds = fever(&app, &digest, "api&feeds", "").await;
        assert!(feeds["feeds_groups"].is_array() && feeds["feeds"][0]["id"] == json!(feed));
        assert!(fever(&app, &digest, "api&groups", "").await["groups"].is_array());
        let items = fever(&app, &digest, "api&items&max_id=9007199254740991", "").await;
        let first = items["items"].as_array().unwrap().iter().map(|item| item["id"].as_i64().unwrap()).min();
        let before = fever(&app, &digest, &format!("api&items&max_id={}", first.unwrap()), "").await;
        assert_eq!((items["items"].as_array().unwrap().len(), &before["items"]), (3, &json!([])));
        let id = first.unwrap();
        fever(&app, &digest, "api", &format!("&mark=item&as=saved&id={id}")).await;
        assert_eq!(fever(&app, &digest, "api&saved_item_ids", "").await["saved_item_ids"], id.to_string());
        let now = app.app.domain.now() / 1000 + 86_400;
        fever(&app, &digest, "api", &format!("&mark=feed&as=read&id={feed}&before={now}")).await;
        assert_eq!(fever(&app, &digest, "api&unread_item_ids", "").await["unread_item_ids"], "");
    });
}

#[test]
fn google_reader_token_is_refused_by_fever() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let token = FeedApp::log_in(&app, &who.email, &who.key).await.expect(200).text();
        let token = token.lines().find_map(|line| line.strip_prefix("Auth=")).unwrap();
        crate::support::secret_scan::record_secret(token);
        assert_eq!(fever(&app, token, "api", "").await["auth"], 0);
    });
}
