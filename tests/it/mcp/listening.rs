//! Notifications: subscriptions of resources, streams that listen to them, and changed lists of tools.

use std::time::{Duration, Instant};

use kernel::Backend;
use reqwest::{Method, Response};
use serde_json::{Value, json};

use super::{Agent, NEWEST_REVISION};
use crate::support::clock::DAY;
use crate::support::killable_process::KillableProcess;
use crate::support::monitoring::{advance_minute, create_monitor, page, run_now};
use crate::support::person::Person;
use crate::support::rss::{feed, poll};
use crate::support::{TestApp, on_each_world, run};

/// Message that opens a stream in the newest revision.
fn listen_body(notifications: &Value) -> Value {
    let params = json!({ "notifications": notifications, "_meta": {
        "io.modelcontextprotocol/protocolVersion": NEWEST_REVISION,
        "io.modelcontextprotocol/clientCapabilities": {},
    }});
    json!({"jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": params})
}

/// Stream of notifications.
struct Notifications {
    response: Response,
    text: String,
}

impl Notifications {
    /// Opens a stream with GET, as clients of older revisions do.
    async fn open(app: &TestApp, who: &Person, last_event_id: Option<&str>) -> Self {
        let headers: Vec<(&str, &str)> = last_event_id.map(|id| ("last-event-id", id)).into_iter().collect();
        Self::open_with(app, who, &headers).await
    }

    /// Opens a stream with GET and these headers.
    async fn open_with(app: &TestApp, who: &Person, headers: &[(&str, &str)]) -> Self {
        let request = app.request(Method::GET, "/mcp").header("x-api-key", &who.key);
        let request = request.header("accept", "text/event-stream");
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { response, text: String::new() }
    }

    /// Opens a stream with `subscriptions/listen`.
    async fn listen(app: &TestApp, who: &Person, notifications: Value) -> Self {
        let body = listen_body(&notifications);
        let request = app.request(Method::POST, "/mcp").header("x-api-key", &who.key);
        let request = request.header("accept", "application/json, text/event-stream");
        let request = request.header("content-type", "application/json");
        let request = request.header("mcp-protocol-version", NEWEST_REVISION);
        let request = request.header("mcp-method", "subscriptions/listen");
        let response = request.body(body.to_string()).send().await.unwrap();
        assert_eq!(response.status(), 200);
        Self { response, text: String::new() }
    }

    /// Id of the first event, which has no message.
    async fn start(&mut self) -> String {
        let chunk = self.response.chunk().await.unwrap().expect("the stream is open");
        let text = std::str::from_utf8(&chunk).unwrap();
        let id = text.strip_prefix("id: ").and_then(|rest| rest.strip_suffix("\ndata: \n\n"));
        id.unwrap_or_else(|| panic!("{text}")).to_owned()
    }

    /// The next event: its message and its id.
    async fn next(&mut self) -> (Value, Option<String>) {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let (event, rest) = (event.to_owned(), rest.to_owned());
                self.text = rest;
                let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
                let Some(data) = field("data: ") else { continue };
                return (serde_json::from_str(data).unwrap(), field("id: ").map(str::to_owned));
            }
            let chunk = self.response.chunk().await.unwrap().expect("the stream is open");
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// URIs of the next updates, sorted.
    async fn updated(&mut self, count: usize) -> Vec<String> {
        let mut uris = Vec::new();
        while uris.len() < count {
            let (message, _) = self.next().await;
            assert_eq!(message["method"], "notifications/resources/updated", "{message}");
            uris.push(message["params"]["uri"].as_str().unwrap().to_owned());
        }
        uris.sort();
        uris
    }
}

/// URIs of a followed feed, a watched page, and a consumer, and the watched page.
async fn prepare(app: &TestApp, who: &Person) -> ([String; 3], Value) {
    let url = app.site.put("/feed.xml", feed(1..=2));
    let followed = who.post(app, "/v1/rss/subscriptions", &json!({"url": url})).await.expect(201).json();
    let watched = app.site.put("/watched", page("It begins."));
    let monitor = create_monitor(app, who, &json!({"name": "Pier", "targetUrl": watched})).await;
    poll(app).await;
    advance_minute(app).await;
    let consumer = who.post(app, "/v1/feeds/consumers", &json!({"name": "digest"})).await.expect(201).json();
    let uris = [
        format!("svc://feeds/consumers/{}", consumer["consumer"]["id"]),
        format!("svc://monitors/{}", monitor["id"].as_str().unwrap()),
        format!("svc://rss/feeds/{}", followed["subscription"]["feedId"]),
    ];
    (uris, monitor)
}

#[test]
fn subscribed_resources_are_notified_on_the_stream_of_the_connection() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let (uris, monitor) = prepare(&app, &who).await;
        let agent = Agent { revision: "2025-11-25", ..Agent::of(&app, &who).at("/mcp") };
        let stranger = agent.with_key(&other.key);
        for uri in &uris {
            assert_eq!(agent.request("resources/subscribe", json!({"uri": uri})).await, json!({}));
            agent.request("resources/subscribe", json!({"uri": uri})).await;
            let (_, error) = stranger.error("resources/subscribe", json!({"uri": uri})).await;
            assert_eq!((&error["code"], &error["data"]["uri"]), (&json!(-32602), &json!(uri)));
            assert_eq!(stranger.error("resources/read", json!({"uri": uri})).await.1["code"], -32602);
        }
        let padded = uris[2].replace("feeds/", &format!("feeds/{}", "0".repeat(5_000)));
        for wrong in ["svc://rss/entries/1", "svc://rss/feeds/99999", "file:///etc/passwd", &padded, ""] {
            let (_, error) = agent.error("resources/subscribe", json!({"uri": wrong})).await;
            assert_eq!(error["code"], -32602, "{wrong}");
        }
        assert_eq!(agent.error("resources/subscribe", json!({})).await.1["code"], -32602);
        let mut stream = Notifications::open(&app, &who, None).await;
        app.site.put("/watched", page("A storm comes."));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed");
        assert_eq!(stream.updated(2).await, uris[..2]);
        let read = agent.request("resources/read", json!({"uri": uris[1]})).await;
        assert!(read["contents"][0]["text"].as_str().unwrap().contains("storm"), "{read}");
        let read = agent.request("resources/read", json!({"uri": uris[0]})).await;
        assert!(read["contents"][0]["text"].as_str().unwrap().contains("storm"), "{read}");

        agent.request("resources/unsubscribe", json!({"uri": uris[0]})).await;
        app.site.put("/feed.xml", feed(1..=4));
        app.clock.advance(DAY);
        poll(&app).await;
        let (message, event_id) = stream.next().await;
        assert_eq!(message["params"]["uri"], uris[2].as_str());
        let read = agent.request("resources/read", json!({"uri": uris[2]})).await;
        assert!(read["contents"][0]["text"].as_str().unwrap().contains("Note 4"), "{read}");
        drop(stream);
        let mut repeated = Notifications::open(&app, &who, event_id.as_deref()).await;
        assert_eq!(repeated.updated(1).await, uris[2..]);

        agent.ask("more_tools", json!({"set": "library"})).await;
        assert_eq!(repeated.next().await.0["method"], "notifications/tools/list_changed");
    });
}

#[test]
fn stream_is_continued_from_its_start_if_it_is_lost_before_a_notification() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let (uris, monitor) = prepare(&app, &who).await;
        let agent = Agent { revision: "2025-11-25", ..Agent::of(&app, &who).at("/mcp") };
        agent.request("resources/subscribe", json!({"uri": uris[1]})).await;
        let version = |revision: &'static str| ("mcp-protocol-version", revision);
        let mut stream = Notifications::open_with(&app, &who, &[version("2025-11-25")]).await;
        let start = stream.start().await;
        drop(stream);
        app.site.put("/watched", page("A storm comes."));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed");
        let headers = [version("2025-06-18"), ("last-event-id", start.as_str())];
        let mut continued = Notifications::open_with(&app, &who, &headers).await;
        assert_eq!(continued.updated(1).await, uris[1..2], "older clients get no event without a message");
    });
}

#[test]
fn client_of_the_newest_revision_listens_to_named_resources() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let (uris, monitor) = prepare(&app, &who).await;
        let filter = json!({"toolsListChanged": true, "resourceSubscriptions": [uris[1], uris[1]]});
        let mut stream = Notifications::listen(&app, &who, filter).await;
        let (first, event_id) = stream.next().await;
        assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
        assert_eq!(
            first["params"],
            json!({
                "notifications": {"resourceSubscriptions": [uris[1]], "toolsListChanged": true},
                "_meta": {"io.modelcontextprotocol/subscriptionId": "l"},
            })
        );
        assert_eq!(event_id, None, "the newest revision does not resume streams");
        app.site.put("/watched", page("A storm comes."));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed");
        let (message, _) = stream.next().await;
        assert_eq!(message["params"]["uri"], uris[1].as_str());
        assert_eq!(message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "l");
        Agent::of(&app, &who).at("/mcp").ask("more_tools", json!({"set": "feeds"})).await;
        assert_eq!(stream.next().await.0["method"], "notifications/tools/list_changed");
    });
}

#[test]
fn streams_need_a_credential_and_their_number_is_limited() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let accept = ("accept", "text/event-stream");
        app.get_with("/mcp", &[accept]).await.expect(401);
        let newest = [("x-api-key", who.key.as_str()), accept, ("mcp-protocol-version", NEWEST_REVISION)];
        app.get_with("/mcp", &newest).await.expect(405);
        let mut streams = Vec::new();
        for _ in 0..8 {
            streams.push(Notifications::open(&app, &who, None).await);
        }
        let refused = app.get_with("/mcp", &newest[..2]).await.expect(429);
        assert_eq!(refused.header("retry-after"), "60");
        let unknown = listen_body(&json!({"resourceSubscriptions": ["svc://rss/feeds/99999"]}));
        let listen = [newest[0], newest[1], newest[2], ("mcp-method", "subscriptions/listen")];
        let refused = app.post_with("/mcp", &listen, &unknown).await.expect(429);
        assert_eq!(refused.json()["error"]["data"]["code"], "rate_limited", "resource lookups are limited");
        let other = Person::free(&app).await;
        Notifications::open(&app, &other, None).await;
    });
}

#[test]
fn listening_to_an_unknown_resource_of_any_kind_is_refused() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let (uris, monitor) = prepare(&app, &who).await;
        let accept = ("accept", "application/json, text/event-stream");
        let method = ("mcp-method", "subscriptions/listen");
        let version = ("mcp-protocol-version", NEWEST_REVISION);
        let unknown = [
            "svc://rss/feeds/99999",
            "svc://feeds/consumers/99999",
            "svc://monitors/0193-a",
            "svc://monitors/00000000-0000-7000-8000-000000000000",
            "svc://rss/entries/1",
        ];
        for wrong in unknown {
            let named: Vec<&str> = uris.iter().map(String::as_str).chain([wrong]).collect();
            let body = listen_body(&json!({"resourceSubscriptions": named}));
            let headers = [("x-api-key", who.key.as_str()), accept, version, method];
            let error = app.post_with("/mcp", &headers, &body).await.json()["error"].clone();
            assert_eq!((&error["code"], &error["data"]["uri"]), (&json!(-32602), &json!(wrong)));
        }
        let mut stream = Notifications::listen(&app, &who, json!({"resourceSubscriptions": uris})).await;
        assert_eq!(stream.next().await.0["method"], "notifications/subscriptions/acknowledged");
        app.site.put("/watched", page("A storm comes."));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed");
        assert_eq!(stream.updated(2).await, uris[..2]);
    });
}

#[test]
fn open_streams_do_not_delay_the_shutdown_of_the_process() {
    run(async {
        let settings = [("CARREL_SHUTDOWN_SECONDS", "600")];
        let process = KillableProcess::start_with(Backend::Sqlite, &settings).await;
        let request = process.request(Method::GET, "/mcp").header("accept", "text/event-stream");
        let stream = request.send().await.unwrap();
        assert_eq!(stream.status(), 200);
        let begin = Instant::now();
        assert!(process.stop().await.success());
        assert!(begin.elapsed() < Duration::from_mins(1), "{:?}", begin.elapsed());
        stream.bytes().await.expect("the stream has an end");
    });
}
