//! Loads from a large library: searches, and exports with their downloads.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{interval, timeout};

use super::files::{new_file_path, random_files};
use super::text::text;
use crate::faults::fairness::greedy::{Greedy, Traffic, expect_success, status};
use crate::support::monitoring::query_number;

/// Number of items with a long text, and length of each text in bytes.
const TEXTS: u64 = 80;
const TEXT_BYTES: usize = 150_000;
/// Number of concurrent exports and downloads. An account can have only one export in progress.
const EXPORTERS: usize = 4;
/// Maximum time for an export to complete.
const EXPORT_TIME: Duration = Duration::from_secs(50);
/// Searches with many matches: prefixes, phrases of frequent words, and exclusions.
const QUERIES: [&str; 6] = [
    "a* b* c* d* e* f* g* h* i* j* k* l*",
    "anchor1* harbour2* island3* -nothing",
    "\"anchor1 boat2\" \"boat2 chart3\" \"dock4 engine5\"",
    "anchor1 boat2 chart3 dock4 engine5 ferry6 gull7 harbour8 island9 jetty10 keel11 lamp12",
    "harbour* -harbour1 -harbour2 -harbour3 -harbour4 -harbour5",
    "harbor1 islnad2 jety3",
];

async fn save_texts(greedy: &Greedy) {
    for number in 0..TEXTS {
        let (title, content) = (format!("Text {number}"), text(number, TEXT_BYTES));
        let item = json!({"title": title, "content": content, "mimeType": "text/plain"});
        expect_success(greedy.post("/v1/library/items", &item)).await;
    }
}

/// Searches long texts and requests the longest excerpts of the results.
pub(super) async fn search(greedy: Arc<Greedy>) -> Traffic {
    save_texts(&greedy).await;
    Traffic::new(32, move |number| {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.append_pair("query", QUERIES[number % QUERIES.len()]).append_pair("limit", "100");
        query.append_pair("includeContent", "true").append_pair("contentMaxCharacters", "12000");
        status(greedy.get(&format!("/v1/library/items?{}", query.finish())))
    })
}

/// Exports a library with large files. The first export is deleted after its download. When no further export
/// is allowed, the last export is downloaded again.
pub(super) async fn exports(greedy: Arc<Greedy>) -> Traffic {
    save_texts(&greedy).await;
    for file in random_files() {
        let path = new_file_path(&greedy).await;
        let upload = greedy.request(Method::PUT, &path).header("content-type", "application/octet-stream");
        expect_success(upload.body(file)).await;
    }
    let last = Arc::new(watch::Sender::new(None));
    Traffic::new(EXPORTERS, move |number| {
        let (greedy, last) = (Arc::clone(&greedy), Arc::clone(&last));
        async move { export(&greedy, &last, number).await }
    })
}

/// Requests an export, waits for it, and downloads it. `last` is the path of the last complete export.
async fn export(greedy: &Greedy, last: &watch::Sender<Option<String>>, number: usize) -> Option<u16> {
    let request = greedy.post("/v1/library/exports", &json!({}));
    let answer = request.send().await.ok()?;
    let (requested, body) = (answer.status().as_u16(), answer.bytes().await.ok()?);
    if requested != 202 {
        let complete = last.borrow().clone();
        let downloaded = match complete {
            Some(path) => status(greedy.get(&format!("{path}/file"))).await,
            None => None,
        };
        return downloaded.or(Some(requested));
    }
    let body: Value = serde_json::from_slice(&body).ok()?;
    let path = format!("/v1/library/exports/{}", body["export"]["id"].as_str()?);
    timeout(EXPORT_TIME, wait_for_exports(greedy)).await.ok()?;
    let downloaded = status(greedy.get(&format!("{path}/file"))).await;
    if number == 0 {
        status(greedy.request(Method::DELETE, &path)).await;
    } else {
        last.send_replace(Some(path));
    }
    downloaded
}

/// Waits until no export is in progress. Reads the database, because requests for the state would use up the
/// account's operations.
async fn wait_for_exports(greedy: &Greedy) {
    let sql = "SELECT CAST(COUNT(*) AS bigint) FROM library_export WHERE state IN ('queued', 'running')";
    let mut tick = interval(Duration::from_millis(20));
    while query_number(&greedy.domain, sql).await > 0 {
        tick.tick().await;
    }
}
