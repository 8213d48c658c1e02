//! Loads from request bodies and connections: large JSON bodies, MCP messages, deliveries of hubs, and
//! connections with incomplete request heads.

use std::sync::Arc;

use bytes::Bytes;
use reqwest::Method;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::text::text;
use crate::faults::fairness::greedy::{Greedy, Traffic, expect_success, status};
use crate::support::monitoring::query_number;
use crate::support::rss::feed;
use crate::support::{Reply, eventually};

/// Small JSON values that need many times their length in memory when they are parsed.
const UNITS: [&str; 3] = ["0,", "{},", "{\"a\":0},"];
/// Sizes of bodies, in bytes: of items, of feed changes, and of MCP messages. Each is just below a limit.
const ITEM_BYTES: usize = 7_500_000;
const CHANGES_BYTES: usize = 900_000;
const MESSAGE_BYTES: usize = 15_900_000;
/// Length of a saved text in bytes. The limit is 2,000,000 characters.
const TEXT_BYTES: usize = 1_900_000;
/// Number of feeds with a hub, and number of concurrent deliveries.
const HUBS: u16 = 20;
const DELIVERIES: usize = 100;
/// Sent bytes of a delivery, and announced bytes of a delivery that remains incomplete.
const SENT_BYTES: usize = 9_900_000;
const ANNOUNCED_BYTES: usize = 10_000_000;
/// Number of connections. A network may have at most 256.
const CONNECTIONS: usize = 300;

/// Returns a body of about `bytes` bytes that consists of small values.
fn many_values(start: &str, unit: &str, bytes: usize, end: &str) -> Bytes {
    format!("{start}{}0{end}", unit.repeat(bytes / unit.len())).into()
}

/// Sends items with much metadata, feed changes, and items with a long text.
pub(super) fn json_bodies(greedy: Arc<Greedy>) -> Traffic {
    let (start, end) = ("{\"url\":\"https://example.invalid/\",\"metadata\":{\"a\":[", "]}}");
    let (items, changes) = ("/v1/library/items", "/v1/feeds/mutate");
    let mut bodies = Vec::new();
    for unit in UNITS {
        bodies.push((items, many_values(start, unit, ITEM_BYTES, end)));
        bodies.push((changes, many_values(start, unit, CHANGES_BYTES, end)));
        let item = json!({"title": "A long text", "content": text(1, TEXT_BYTES), "mimeType": "text/plain"});
        bodies.push((items, item.to_string().into()));
    }
    Traffic::new(8, move |number| {
        let (path, body) = &bodies[number % bodies.len()];
        status(greedy.post_bytes(path, body.clone()))
    })
}

/// Sends messages with very many values, and calls that save a long text.
pub(super) fn mcp_messages(greedy: Arc<Greedy>) -> Traffic {
    let call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":";
    let start = format!("{call}{{\"name\":\"x\",\"arguments\":{{\"a\":[");
    let save = json!({"name": "save_library_item",
        "arguments": {"title": "A long text", "content": text(1, TEXT_BYTES)}});
    let save = Bytes::from(format!("{call}{save}}}"));
    let messages = UNITS.map(|unit| [many_values(&start, unit, MESSAGE_BYTES, "]}}}"), save.clone()]);
    let messages = messages.concat();
    Traffic::new(8, move |number| {
        let request = greedy.post_bytes("/mcp", messages[number % messages.len()].clone());
        status(request.header("accept", "application/json, text/event-stream"))
    })
}

/// Sends deliveries to the callbacks of the account's own feeds. Every second delivery remains incomplete.
pub(super) async fn hub_deliveries(greedy: Arc<Greedy>) -> Traffic {
    greedy.site.put_prefix("/hub", |_| Reply::status(202));
    for number in 0..HUBS {
        let (path, hub) = (format!("/pushed/{number}"), greedy.site.url_at(number, "/hub"));
        let url = greedy.site.url_at(number, &path);
        let links = format!("<{hub}>; rel=\"hub\", <{url}>; rel=\"self\"");
        greedy.site.put(&path, feed(1..=3).with("link", &links));
        expect_success(greedy.post("/v1/rss/subscriptions", &json!({ "url": url }))).await;
    }
    let count = "SELECT CAST(COUNT(*) AS bigint) FROM feed_hub";
    let hubs = async || query_number(&greedy.domain, count).await;
    eventually("the feeds have hubs", hubs, |count| *count == i64::from(HUBS)).await;
    let tokens: Arc<[String]> = hub_tokens(&greedy).await.into();
    let body = Bytes::from(vec![b'x'; SENT_BYTES]);
    Traffic::new(DELIVERIES, move |number| {
        let (greedy, tokens, body) = (Arc::clone(&greedy), Arc::clone(&tokens), body.clone());
        async move {
            let mut connection = greedy.connect().await.ok()?;
            let length = if number.is_multiple_of(2) { SENT_BYTES } else { ANNOUNCED_BYTES };
            let head = format!(
                "POST /websub/{} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-hub-signature: sha256={}\r\n\
                 content-length: {length}\r\n\r\n",
                tokens[number % tokens.len()],
                "00".repeat(32),
            );
            connection.write_all(head.as_bytes()).await.ok()?;
            // The service may answer and close the connection before it has received the whole body.
            let _ = connection.write_all(&body).await;
            read_status(&mut connection).await
        }
    })
}

/// Returns the callback tokens of all hubs.
async fn hub_tokens(greedy: &Greedy) -> Vec<String> {
    let connection = greedy.domain.db().write();
    let sql = "SELECT token FROM feed_hub ORDER BY feed_id".to_owned();
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    let rows = connection.query_all_raw(statement).await.expect("the hubs can be read");
    rows.iter().map(|row| row.try_get_by_index(0).expect("the token is a text")).collect()
}

/// Reads the status of the answer. `None` if the connection is closed without an answer.
async fn read_status(connection: &mut TcpStream) -> Option<u16> {
    let mut start = [0; 12];
    connection.read_exact(&mut start).await.ok()?;
    std::str::from_utf8(&start[9..]).ok()?.parse().ok()
}

/// Opens idle connections, sends incomplete request heads, and sends a complete request on every third
/// connection.
pub(super) fn connections(greedy: Arc<Greedy>) -> Traffic {
    Traffic::new(CONNECTIONS, move |number| {
        let greedy = Arc::clone(&greedy);
        async move {
            if number.is_multiple_of(3) {
                return status(greedy.request(Method::GET, "/v1/me")).await;
            }
            let mut connection = greedy.connect().await.ok()?;
            if number % 3 == 1 {
                connection.write_all(b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-h").await.ok()?;
            }
            read_status(&mut connection).await
        }
    })
}
