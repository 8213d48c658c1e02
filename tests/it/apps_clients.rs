//! Requests of feed apps. The requests of `NetNewsWire`, Read You, Capy Reader, and Fluent Reader follow the public
//! source code of the apps. The requests of `NewsFlash`, Reeder, `FeedMe`, and `ReadKit` follow the published
//! documentation of their libraries and server logs; each test names its sources. Feeder supports neither protocol: it
//! synchronizes only with its own server (spacecowboy/Feeder `feeder/sync/SyncRestClient.kt`, issue 866).

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

/// True if a JSON value is a text that consists of digits.
fn is_number_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Asserts the types that the `Stream` and `Item` of `NewsFlash` require (docs.rs `greader_api` 0.6.0
/// `src/models/stream.rs`), which the other apps also require.
fn assert_stream_types(stream: &Value, count: usize) {
    assert!(stream["id"].is_string() && stream["updated"].is_i64(), "{stream}");
    let items = stream["items"].as_array().unwrap();
    assert_eq!(items.len(), count);
    for item in items {
        let id = item["id"].as_str().unwrap().strip_prefix("tag:google.com,2005:reader/item/").unwrap();
        assert!(id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
        assert!(is_number_text(&item["timestampUsec"]) && is_number_text(&item["crawlTimeMsec"]), "{item}");
        assert!(item["published"].is_i64() && item["updated"].is_i64(), "{item}");
        assert!(item["origin"]["streamId"].is_string() && item["origin"]["title"].is_string(), "{item}");
        assert!(item["summary"]["content"].is_string() && item["alternate"][0]["href"].is_string(), "{item}");
        assert!(item["categories"].as_array().unwrap().iter().all(Value::is_string), "{item}");
    }
}

/// Sources: docs.rs `greader_api` 0.6.0 (parameters of `items_ids`, `items_contents` and `tag_edit`; types of
/// answers) and `news-flash` 3.0.1 `src/util/greader.rs` (streams).
#[test]
fn newsflash_synchronizes_over_google_reader() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let client = Client::sign_in(&app, &who, &[]).await;
        let user = client.get("user-info?output=json").await.json();
        assert!(is_number_text(&user["userId"]) && user["userName"] == who.email.as_str(), "{user}");
        let tags = client.get("tag/list?output=json").await.json();
        assert!(tags["tags"].as_array().unwrap().iter().all(|tag| tag["id"].is_string()), "{tags}");
        let own = client.get("subscription/list?output=json").await.json()["subscriptions"][0].clone();
        for field in ["id", "title", "url", "htmlUrl", "iconUrl"] {
            assert!(own[field].is_string(), "{field}: {own}");
        }
        // Pages are requested until an answer has no continuation.
        let query = form(&[("s", ALL), ("xt", READ), ("n", "2"), ("includeAllDirectStreamIds", "false")]);
        let first = client.get(&format!("stream/items/ids?output=json&{query}")).await.json();
        let next = form(&[("c", first["continuation"].as_str().unwrap())]);
        let last = client.get(&format!("stream/items/ids?output=json&{query}&{next}")).await.json();
        assert!(last.get("continuation").is_none(), "{last}");
        let refs = [&first, &last].map(|page| page["itemRefs"].as_array().unwrap().clone()).concat();
        let ids: Vec<&str> = refs.iter().map(|one| one["id"].as_str().unwrap()).collect();
        assert!(ids.len() == 3 && refs.iter().all(|one| is_number_text(&one["id"])), "{refs:?}");
        let token = client.token.as_str();
        let items = form(&[("i", ids[0]), ("i", ids[1]), ("i", ids[2]), ("T", token)]);
        let contents = client.post("stream/items/contents?output=json", &items).await.json();
        assert_stream_types(&contents, 3);
        // The parameters of changes are accepted in the body and in the query.
        client.post("edit-tag?output=json", &form(&[("i", ids[0]), ("a", READ), ("T", token)])).await;
        let changes = form(&[("i", ids[1]), ("a", STARRED), ("T", token)]);
        client.post(&format!("edit-tag?output=json&{changes}"), "").await;
        let number = |text: &str| text.parse::<i64>().unwrap();
        assert_eq!(client.ids(&format!("output=json&s={STARRED}&n=1000")).await, [number(ids[1])]);
        assert_eq!(client.ids(&format!("output=json&s={READ}&n=1000")).await, [number(ids[0])]);
        let feed = format!("feed/{}", client.feed);
        client.post("mark-all-as-read?output=json", &form(&[("s", &feed), ("T", token)])).await;
        assert!(client.ids(&format!("output=json&s={ALL}&xt={READ}&n=1000")).await.is_empty());
    });
}

/// Sources: FreshRSS issues 4105 (sign-in below `/api/greader.php`, `user-info`) and 2956 (`token`, contents by ids
/// of sixteen digits without a prefix); FreshRSS `p/api/greader.php` (`T=x`, `timestampUsec`); miniflux issue 1350
/// (10,000 ids).
#[test]
fn reeder_synchronizes_over_google_reader() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let login = FeedApp::log_in_below(&app, "/api/greader.php", &who.email, &who.key).await.expect(200);
        assert!(login.header("content-type").starts_with("text/plain"), "{}", login.header("content-type"));
        let client = Client::sign_in(&app, &who, &[]).await;
        let headers = [("authorization", client.authorization.as_str())];
        let user = app.get_with("/api/greader.php/reader/api/0/user-info?output=json", &headers).await;
        let user = user.expect(200);
        assert!(user.header("content-type").starts_with("application/json"));
        assert_eq!(user.json()["userEmail"], who.email.as_str());
        client.get("tag/list?output=json").await;
        client.get("subscription/list?output=json").await;
        let query = format!("output=json&n=10000&s={ALL}&xt={READ}");
        let list = client.get(&format!("stream/items/ids?{query}")).await.json();
        assert!(list.get("continuation").is_none(), "{list}");
        let ids = client.ids(&query).await;
        let digits: Vec<String> = ids.iter().map(|id| format!("{id:016x}")).collect();
        let items = form(&[("i", &digits[0]), ("i", &digits[1]), ("i", &digits[2]), ("T", "x")]);
        assert_stream_types(&client.post("stream/items/contents", &items).await.json(), 3);
        let edit = |more: &[(&'static str, &'static str)]| {
            let pairs: Vec<(&str, &str)> =
                [("i", digits[0].as_str()), ("T", "x")].into_iter().chain(more.iter().copied()).collect();
            form(&pairs)
        };
        client.post("edit-tag", &edit(&[("a", READ)])).await;
        assert_eq!(client.ids(&query).await, ids[1..]);
        client.post("edit-tag", &edit(&[("r", READ), ("a", "user/-/state/com.google/kept-unread")])).await;
        assert_eq!(client.ids(&query).await, ids);
        client.post("edit-tag", &edit(&[("a", STARRED)])).await;
        assert_eq!(client.ids(&format!("output=json&n=10000&s={STARRED}")).await, ids[..1]);
        client.post("edit-tag", &edit(&[("r", STARRED)])).await;
        client.post("mark-all-as-read", &form(&[("s", ALL), ("T", "x")])).await;
        assert!(client.ids(&query).await.is_empty());
    });
}

/// Sources: FreshRSS issue 4618 (lists, starred ids); miniflux issue 2129 (`user-info` without a format,
/// `stream/contents`); `FeedMe` issue 20 (numbers in `unread-count`); FreshRSS `p/api/greader.php` (contents by
/// ids, changes without a token).
#[test]
fn feedme_synchronizes_over_google_reader() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let client = Client::sign_in(&app, &who, &[]).await;
        let feed = client.feed;
        assert!(is_number_text(&client.get("user-info").await.json()["userId"]));
        let edit = format!("s=feed/{feed}&ac=edit&a=user/-/label/Don't%20miss&T=");
        client.post("subscription/edit", &edit).await;
        client.get("tag/list?output=json").await;
        client.get("subscription/list?output=json").await;
        let counts = client.get("unread-count?output=json").await.json();
        let listed = counts["unreadcounts"].as_array().unwrap();
        assert!(listed.iter().any(|one| one["id"] == "user/-/label/Don't miss"), "{counts}");
        for one in listed {
            assert!(is_number_text(&one["newestItemTimestampUsec"]) && one["count"].is_u64(), "{one}");
        }
        let starred = "output=json&n=500&ot=0&s=user%2F-%2Fstate%2Fcom.google%2Fstarred";
        assert!(client.ids(starred).await.is_empty());
        let unread = form(&[("output", "json"), ("n", "100"), ("xt", READ), ("ot", "0"), ("s", ALL)]);
        let contents = client.get(&format!("stream/contents?{unread}")).await.json();
        assert_stream_types(&contents, 3);
        assert!(contents.get("continuation").is_none());
        let ids = client.ids(&unread).await;
        let id = ids[0].to_string();
        let one = client.post("stream/items/contents", &form(&[("output", "json"), ("i", &id)])).await.json();
        assert_stream_types(&one, 1);
        client.post("edit-tag", &form(&[("i", &id), ("a", STARRED), ("T", "")])).await;
        client.post("edit-tag", &form(&[("i", &id), ("a", READ), ("T", "")])).await;
        assert_eq!(client.ids(starred).await, ids[..1]);
        assert_eq!(client.ids(&unread).await, ids[1..]);
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

/// Sends a Fever request as `NewsFlash` does: the key is a field of a multipart form and a header, and all
/// parameters are in the query (docs.rs `fever_api` 0.1.0 and 0.6.0 `src/lib.rs`).
async fn newsflash_fever(app: &TestApp, digest: &str, query: &str) -> Value {
    let body =
        format!("--b\r\nContent-Disposition: form-data; name=\"api_key\"\r\n\r\n{digest}\r\n--b--\r\n");
    let headers = [("content-type", "multipart/form-data; boundary=b"), ("api_key", digest)];
    app.send(Method::POST, &format!("/fever/?api&{query}"), &headers, Some(body)).await.expect(200).json()
}

/// Types: docs.rs `fever_api` 0.6.0 `src/models/item.rs`.
#[test]
fn newsflash_synchronizes_over_fever() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let (_, digest) = app_key(&app, &who, Scopes::ALL).await;
        let feed = follow_feed(&app, &who, "/feed.xml", 1..=3).await;
        let ask = async |query: &str| newsflash_fever(&app, &digest, query).await;
        let version = ask("").await;
        assert_eq!((&version["api_version"], &version["auth"]), (&json!(3), &json!(1)));
        assert!(ask("groups").await["feeds_groups"].is_array());
        let feeds = ask("feeds").await;
        assert!(feeds["feeds_groups"].is_array() && feeds["feeds"][0]["last_updated_on_time"].is_i64());
        assert!(ask("favicons").await["favicons"].is_array());
        let items = ask("items&since_id=0").await;
        assert!(items["total_items"].is_u64() && is_number_text(&items["last_refreshed_on_time"]), "{items}");
        let listed = items["items"].as_array().unwrap();
        assert_eq!(listed.len(), 3);
        for item in listed {
            assert!(item["id"].is_u64() && item["feed_id"] == json!(feed), "{item}");
            assert!(item["is_read"].is_u64() && item["is_saved"].is_u64(), "{item}");
            assert!(item["created_on_time"].is_i64(), "{item}");
            for field in ["title", "author", "html", "url"] {
                assert!(item[field].is_string(), "{field}: {item}");
            }
        }
        let ids: Vec<u64> = listed.iter().map(|item| item["id"].as_u64().unwrap()).collect();
        let two = ask(&format!("items&with_ids={},{}", ids[0], ids[2])).await;
        assert_eq!(two["items"].as_array().unwrap().len(), 2);
        assert_eq!(ask(&format!("items&max_id={}", ids[1])).await["items"].as_array().unwrap().len(), 1);
        ask(&format!("mark=item&as=saved&id={}", ids[0])).await;
        assert_eq!(ask("saved_item_ids").await["saved_item_ids"], ids[0].to_string());
        ask(&format!("mark=item&as=unsaved&id={}", ids[0])).await;
        assert_eq!(ask("saved_item_ids").await["saved_item_ids"], "");
        ask(&format!("mark=item&as=read&id={}", ids[0])).await;
        assert_eq!(ask("unread_item_ids").await["unread_item_ids"], format!("{},{}", ids[1], ids[2]));
        let before = app.app.domain.now() / 1000 + 86_400;
        ask(&format!("mark=feed&as=read&id={feed}&before={before}")).await;
        assert_eq!(ask("unread_item_ids").await["unread_item_ids"], "");
    });
}

/// Sources: `CommaFeed` issue 1176 and miniflux issue 618 (`POST ?api`), dasmurphy/tinytinyrss-fever-plugin issue 34
/// (`api`, `api_key`), stringer pull request 158 (`since_id`, ids as one text, marks of items).
#[test]
fn reeder_synchronizes_over_fever() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let (_, digest) = app_key(&app, &who, Scopes::ALL).await;
        follow_feed(&app, &who, "/feed.xml", 1..=3).await;
        let signed_in = fever(&app, &digest, "api", "").await;
        assert_eq!(
            (&signed_in["auth"], is_number_text(&signed_in["last_refreshed_on_time"])),
            (&json!(1), true)
        );
        for part in ["groups", "feeds", "favicons"] {
            assert!(fever(&app, &digest, &format!("api&{part}"), "").await[part].is_array(), "{part}");
        }
        let items = fever(&app, &digest, "api&items&since_id=0", "").await;
        let ids: Vec<i64> =
            items["items"].as_array().unwrap().iter().map(|item| item["id"].as_i64().unwrap()).collect();
        assert!(ids.len() == 3 && ids.is_sorted(), "{ids:?}");
        let more = fever(&app, &digest, &format!("api&items&since_id={}", ids[2]), "").await;
        assert_eq!(more["items"], json!([]));
        let unread = fever(&app, &digest, "api&unread_item_ids&saved_item_ids", "").await;
        assert_eq!(unread["unread_item_ids"], format!("{},{},{}", ids[0], ids[1], ids[2]));
        assert_eq!(unread["saved_item_ids"], "");
        for (state, left) in [("read", 2), ("unread", 3), ("saved", 3), ("unsaved", 3)] {
            fever(&app, &digest, "api", &format!("&mark=item&as={state}&id={}", ids[1])).await;
            let unread = fever(&app, &digest, "api&unread_item_ids", "").await;
            assert_eq!(unread["unread_item_ids"].as_str().unwrap().split(',').count(), left, "{state}");
        }
    });
}

/// `ReadKit` publishes no requests. These are the requests in the documentation of Fever (kwo/rakewire
/// `fever-api.md`), sent as a multipart form; FreshRSS tested them with `ReadKit`
/// (`docs/en/users/06_Fever_API.md`).
#[test]
fn readkit_synchronizes_over_fever() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let (_, digest) = app_key(&app, &who, Scopes::ALL).await;
        let feed = follow_feed(&app, &who, "/feed.xml", 1..=3).await;
        let made = who.post(&app, "/v1/rss/collections", &json!({ "name": "Sea", "feedIds": [feed] })).await;
        made.expect(201);
        let ask = async |query: &str, fields: &[(&str, &str)]| {
            let fields = [("api_key", digest.as_str())].into_iter().chain(fields.iter().copied());
            let part = |(name, value): (&str, &str)| {
                format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
            };
            let body = fields.map(part).collect::<String>() + "--b--\r\n";
            let kind = [("content-type", "multipart/form-data; boundary=b")];
            app.send(Method::POST, &format!("/fever/?{query}"), &kind, Some(body)).await.expect(200).json()
        };
        let all = ask("api&groups&feeds&favicons&unread_item_ids&saved_item_ids", &[]).await;
        let group = all["feeds_groups"][0]["group_id"].to_string();
        assert_eq!((&all["groups"][0]["title"], &all["feeds"][0]["id"]), (&json!("Sea"), &json!(feed)));
        assert_eq!(all["feeds_groups"][0]["feed_ids"], feed.to_string());
        assert_eq!(ask("api&links&offset=0&range=7&page=1", &[]).await["links"], json!([]));
        let ids = all["unread_item_ids"].as_str().unwrap().to_owned();
        let some = ask(&format!("api&items&with_ids={ids}"), &[]).await;
        assert_eq!(some["items"].as_array().unwrap().len(), 3);
        let first = ids.split(',').next().unwrap();
        ask("api", &[("mark", "item"), ("as", "saved"), ("id", first)]).await;
        assert_eq!(ask("api&saved_item_ids", &[]).await["saved_item_ids"], first);
        // Entries that arrive after the app's last request stay unread.
        let group_read = [("mark", "group"), ("as", "read"), ("id", group.as_str()), ("before", "1")];
        ask("api", &group_read).await;
        assert_eq!(ask("api&unread_item_ids", &[]).await["unread_item_ids"], ids.as_str());
        let now = (app.app.domain.now() / 1000 + 86_400).to_string();
        let group_read =
            [("mark", "group"), ("as", "read"), ("id", group.as_str()), ("before", now.as_str())];
        ask("api", &group_read).await;
        assert_eq!(ask("api&unread_item_ids", &[]).await["unread_item_ids"], "");
        ask("api", &[("mark", "item"), ("as", "unread"), ("id", first)]).await;
        ask("api", &[("mark", "group"), ("as", "read"), ("id", "0"), ("before", &now)]).await;
        assert_eq!(ask("api&unread_item_ids", &[]).await["unread_item_ids"], "");
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
