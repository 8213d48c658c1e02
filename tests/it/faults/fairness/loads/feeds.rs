//! Loads from feeds: large feeds that are followed and polled, and the protocols of feed apps and e-readers.

use std::sync::Arc;

use data_encoding::BASE64;
use identity::keys::{self, AppAccess, NewKey};
use kernel::Scopes;
use reqwest::{Method, RequestBuilder};
use serde_json::json;

use super::text::{large_feed, text};
use crate::faults::fairness::greedy::{Greedy, Traffic, expect_success, status};
use crate::support::feed_app::form;
use crate::support::monitoring::query_number;
use crate::support::{Reply, eventually};

/// Number of hosts that serve the feeds.
const HOSTS: u16 = 200;
/// Number of feeds in an imported list. A plan allows 2,500.
const LISTED: usize = 2_000;
/// Number of feeds that the apps display, number of items in the catalogue, and length of their texts in
/// bytes.
const APP_FEEDS: u16 = 3;
const APP_ITEMS: u64 = 20;
const APP_TEXT_BYTES: usize = 300_000;
const FORM: &str = "application/x-www-form-urlencoded";
const READING_LIST: &str = "user/-/state/com.google/reading-list";

fn publish_feeds(greedy: &Greedy) {
    let feed = Reply::bytes("application/rss+xml", large_feed());
    greedy.site.put_prefix("/feed/", move |_| feed.clone());
}

/// Follows large feeds, imports a list of 2,000 feeds that are polled during the load, and queries the
/// entries.
pub(super) async fn feeds(greedy: Arc<Greedy>) -> Traffic {
    publish_feeds(&greedy);
    let url = greedy.url("/feed/", 0, HOSTS);
    expect_success(greedy.post("/v1/rss/subscriptions", &json!({ "url": url }))).await;
    let outline = |number| format!("<outline xmlUrl=\"{}\"/>", greedy.url("/feed/", number, HOSTS));
    let outlines: String = (1..=LISTED).map(outline).collect();
    let list = format!("<opml version=\"2.0\"><body>{outlines}</body></opml>");
    Traffic::new(16, move |number| {
        let request = match number {
            0 => {
                let request = greedy.request(Method::POST, "/v1/rss/opml");
                request.header("content-type", "text/x-opml").body(list.clone())
            }
            _ if number.is_multiple_of(4) => {
                let url = greedy.url("/feed/", LISTED + number, HOSTS);
                greedy.post("/v1/rss/subscriptions", &json!({ "url": url }))
            }
            _ if number % 4 == 1 => {
                greedy.post("/v1/feeds/query", &json!({"where": {"text": "words harbour people"}}))
            }
            _ if number % 4 == 2 => greedy.get("/v1/rss/entries?limit=100&query=w*%20h*%20p*%20-nothing"),
            _ => greedy.get("/v1/rss/entries?limit=100&order=oldest"),
        };
        status(request)
    })
}

/// Credentials of the account's apps.
struct Apps {
    /// Values of the `Authorization` header for the Google Reader API and for the catalogue.
    reader: String,
    catalogue: String,
    /// Digest that Fever apps send.
    digest: String,
}

impl Apps {
    async fn sign_in(greedy: &Greedy) -> Self {
        let person = &greedy.person;
        let login = greedy.anonymous(Method::POST, "/accounts/ClientLogin").header("content-type", FORM);
        let login = login.body(form(&[("Email", &person.email), ("Passwd", &person.key)]));
        let answer = expect_success(login).await.text();
        let token = answer.lines().find_map(|line| line.strip_prefix("Auth=")).expect("the app has a token");
        let new = NewKey {
            name: "app".into(),
            scopes: Scopes::ALL,
            expires_in_days: None,
            app_access: AppAccess::Digest,
        };
        let (_, secret) = keys::create(&greedy.domain, person.id, new).await.expect("the key is created");
        let password = BASE64.encode(format!("{}:{}", person.email, person.key).as_bytes());
        Self {
            reader: format!("GoogleLogin auth={token}"),
            catalogue: format!("Basic {password}"),
            digest: keys::feed_apps::digest(&person.email, secret.expose()),
        }
    }

    fn reader(&self, greedy: &Greedy, path: &str) -> RequestBuilder {
        let request = greedy.anonymous(Method::GET, &format!("/reader/api/0/{path}"));
        request.header("authorization", &self.reader)
    }

    fn catalogue(&self, greedy: &Greedy, path: &str) -> RequestBuilder {
        greedy.anonymous(Method::GET, path).header("authorization", &self.catalogue)
    }

    fn fever(&self, greedy: &Greedy, query: &str) -> RequestBuilder {
        let request = greedy.anonymous(Method::POST, &format!("/fever/?api&{query}"));
        request.header("content-type", FORM).body(form(&[("api_key", &self.digest)]))
    }
}

/// Requests the longest lists of the Google Reader API, of Fever, and of OPDS, and books of long texts.
pub(super) async fn app_protocols(greedy: Arc<Greedy>) -> Traffic {
    publish_feeds(&greedy);
    for number in 0..APP_FEEDS {
        let url = greedy.url("/feed/", number.into(), HOSTS);
        expect_success(greedy.post("/v1/rss/subscriptions", &json!({ "url": url }))).await;
    }
    let mut books = Vec::new();
    for number in 0..APP_ITEMS {
        let content = text(number, APP_TEXT_BYTES);
        let item = json!({"title": format!("Book {number}"), "content": content, "mimeType": "text/plain"});
        let saved = expect_success(greedy.post("/v1/library/items", &item)).await.json();
        books.push(format!("/opds/items/{}.epub", saved["item"]["id"].as_str().expect("the item has an id")));
    }
    let count = "SELECT CAST(COUNT(DISTINCT feed_id) AS bigint) FROM feed_entry";
    let polled = async || query_number(&greedy.domain, count).await;
    // The ordinary accounts follow another feed.
    eventually("the feeds are polled", polled, |count| *count > i64::from(APP_FEEDS)).await;
    let apps = Apps::sign_in(&greedy).await;
    Traffic::new(16, move |number| {
        status(match number % 6 {
            0 => apps.reader(&greedy, &format!("stream/contents/{READING_LIST}?n=1000&output=json")),
            1 => apps.reader(&greedy, &format!("stream/items/ids?s={READING_LIST}&n=10000&output=json")),
            2 => apps.fever(&greedy, "feeds&groups&unread_item_ids&items&since_id=0"),
            3 => apps.catalogue(&greedy, "/opds/search?q=h*+i*+j*"),
            4 => apps.catalogue(&greedy, "/opds/all"),
            _ => apps.catalogue(&greedy, &books[number / 6 % books.len()]),
        })
    })
}
