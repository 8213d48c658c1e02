//! WebSub through HTTP: subscription at a feed's hub, verification, notifications, and renewal.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::time::Duration;

use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::Method;
use serde_json::json;
use sha2::Sha256;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::person::Person;
use crate::support::rss::{feed, poll};
use crate::support::{Reply, Setup, TestApp, World, eventually, on_each_world, run};

const HOUR: i64 = 60 * 60 * 1000;
const ORIGIN: &str = "https://carrel.example.org";
const TOPIC: &str = "https://feeds.example.org/pushed";

/// Subscription request that the hub received: callback path and secret.
struct HubRequest {
    callback: String,
    secret: String,
}

fn hub_requests(app: &TestApp) -> Vec<HubRequest> {
    let forms = app.site.requests().into_iter().filter(|seen| seen.path == "/hub");
    forms
        .map(|seen| {
            let form: HashMap<String, String> =
                url::form_urlencoded::parse(seen.body.as_bytes()).into_owned().collect();
            assert_eq!((form["hub.mode"].as_str(), form["hub.topic"].as_str()), ("subscribe", TOPIC));
            assert_eq!(form["hub.lease_seconds"], "604800");
            let callback = form["hub.callback"].strip_prefix(ORIGIN).unwrap().to_owned();
            assert!(callback.starts_with("/websub/"));
            HubRequest { callback, secret: form["hub.secret"].clone() }
        })
        .collect()
}

fn feed_with_hub(app: &TestApp, numbers: RangeInclusive<u32>) -> Reply {
    let hub = app.site.url("/hub");
    feed(numbers).with("link", &format!("<{hub}>; rel=\"hub\", <{TOPIC}>; rel=\"self\""))
}

async fn deliver(app: &TestApp, request: &HubRequest, body: &str, secret: &str) -> u16 {
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap().chain_update(body);
    let signature = format!("sha256={}", HEXLOWER.encode(&mac.finalize().into_bytes()));
    let headers = [("x-hub-signature", signature.as_str())];
    app.send(Method::POST, &request.callback, &headers, Some(body.to_owned())).await.status
}

async fn unread(app: &TestApp, who: &Person) -> i64 {
    who.get(app, "/v1/rss/entries").await.expect(200).json()["unreadTotal"].as_i64().unwrap()
}

async fn follow(app: &TestApp, numbers: RangeInclusive<u32>) -> Person {
    let who = Person::free(app).await;
    app.site.put("/hub", Reply::status(202));
    let url = app.site.put("/pushed.xml", feed_with_hub(app, numbers));
    who.post(app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
    for _ in 0..3 {
        poll(app).await;
    }
    who
}

#[test]
fn hub_subscription_is_verified_notified_and_renewed() {
    run(async {
        for world in World::ALL {
            let app = Setup::on(world).with_callback_origin(ORIGIN).spawn().await;
            let who = follow(&app, 1..=3).await;
            let first = hub_requests(&app).remove(0);

            // The service confirms only the subscription that it requested.
            let verification = |mode: &str, topic: &str| {
                format!(
                    "{}?hub.mode={mode}&hub.topic={topic}&hub.challenge=say%20this&hub.lease_seconds=604800",
                    first.callback
                )
            };
            assert_eq!(
                app.get(&verification("subscribe", "https://feeds.example.org/other")).await.status,
                404
            );
            assert_eq!(app.get(&verification("unsubscribe", TOPIC)).await.status, 404);
            assert_eq!(app.get(&verification("subscribe", TOPIC)).await.expect(200).text(), "say this");

            // During the hub's lease, the feed is polled only once a day.
            app.clock.advance(27 * HOUR);
            poll(&app).await;
            let hits = app.site.hits("/pushed.xml");
            for _ in 0..22 {
                app.clock.advance(HOUR);
                poll(&app).await;
            }
            assert_eq!(
                app.site.hits("/pushed.xml"),
                hits,
                "the feed is not polled while a hub is subscribed"
            );

            // A notification with an invalid signature is ignored. A valid one triggers an immediate poll.
            app.site.put("/pushed.xml", feed_with_hub(&app, 1..=5));
            assert_eq!(deliver(&app, &first, "<rss/>", "not the secret").await, 202);
            poll(&app).await;
            assert_eq!((app.site.hits("/pushed.xml"), unread(&app, &who).await), (hits, 3));
            assert_eq!(deliver(&app, &first, "<rss/>", &first.secret).await, 202);
            poll(&app).await;
            assert_eq!((app.site.hits("/pushed.xml"), unread(&app, &who).await), (hits + 1, 5));

            // The subscription is renewed a day before the lease expires, with the same callback.
            let before = hub_requests(&app).len();
            app.clock.advance(5 * 24 * HOUR);
            poll(&app).await;
            assert_eq!(hub_requests(&app).len(), before + 1);
            assert_eq!(hub_requests(&app)[before].callback, first.callback);
        }
    });
}

#[test]
fn hubs_are_not_used_without_a_public_url() {
    on_each_world(async |app| {
        let who = follow(&app, 1..=3).await;
        assert_eq!((app.site.hits("/hub"), unread(&app, &who).await), (0, 3));
    });
}

#[test]
fn unknown_callback_path_returns_404() {
    on_each_world(async |app| {
        let path = "/websub/aaaaaaaaaaaaaaaa?hub.mode=subscribe&hub.topic=x&hub.challenge=c";
        assert_eq!(app.get(path).await.status, 404);
        assert_eq!(app.get("/websub/x").await.status, 400);
        let headers = [("x-hub-signature", "sha256=00")];
        assert_eq!(app.send(Method::POST, "/websub/guess", &headers, Some("x".into())).await.status, 404);
        assert_eq!(app.send(Method::PUT, "/websub/guess", &[], None).await.status, 405);
    });
}

#[test]
fn unknown_callback_is_refused_before_its_body_is_received() {
    run(async {
        let app = TestApp::spawn().await;
        let authority = app.origin.trim_start_matches("http://");
        let mut hub = TcpStream::connect(authority).await.unwrap();
        let head =
            format!("POST /websub/guess HTTP/1.1\r\nhost: {authority}\r\ncontent-length: 9000000\r\n\r\n");
        hub.write_all(head.as_bytes()).await.unwrap();
        let mut answer = [0; 12];
        hub.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 404");
    });
}

/// Sends the request head of a hub's notification. Returns when the service requests the body.
async fn begin_delivery(app: &TestApp, callback: &str) -> TcpStream {
    let authority = app.origin.trim_start_matches("http://");
    let mut hub = TcpStream::connect(authority).await.unwrap();
    let head = format!(
        "POST {callback} HTTP/1.1\r\nhost: {authority}\r\nx-hub-signature: sha256=00\r\n\
         content-length: 9000000\r\nexpect: 100-continue\r\n\r\n"
    );
    hub.write_all(head.as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    hub.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 100");
    hub
}

#[test]
fn third_concurrent_delivery_for_a_feed_is_refused() {
    run(async {
        let app = Setup::on(World::Small).with_callback_origin(ORIGIN).spawn().await;
        follow(&app, 1..=3).await;
        let callback = hub_requests(&app).remove(0).callback;
        let running = [begin_delivery(&app, &callback).await, begin_delivery(&app, &callback).await];
        let send = async || app.send(Method::POST, &callback, &[], Some("<rss/>".to_owned())).await;
        assert_eq!(send().await.expect(429).header("retry-after"), "30");
        drop(running);
        let status = async || send().await.status;
        eventually("a delivery is received again", status, |status| *status == 202).await;
    });
}

#[test]
fn unknown_callback_is_refused_during_a_write() {
    run(async {
        let app = TestApp::spawn().await;
        let write = app.app.domain.db().begin().await.unwrap();
        let question = app.get("/websub/guess?hub.mode=subscribe&hub.topic=x&hub.challenge=c");
        let message = app.send(Method::POST, "/websub/guess", &[], Some("<rss/>".to_owned()));
        let both = async { (question.await.status, message.await.status) };
        let answered = tokio::time::timeout(Duration::from_mins(1), both).await;
        write.rollback().await.unwrap();
        assert_eq!(answered.ok(), Some((404, 404)), "strangers do not wait for the only write connection");
    });
}
