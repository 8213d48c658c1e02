//! Loads from monitors: large pages that differ at each check, and notices about their changes.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use super::text::{large_page, large_paragraphs};
use crate::faults::fairness::greedy::{Greedy, Traffic, expect_success, status};
use crate::support::browser::{Browser, between};
use crate::support::monitoring::{page, query_number};
use crate::support::{Reply, Setup, World, eventually, secret_scan};

/// Number of hosts that serve the pages. Monitors of one host are checked one after the other.
const HOSTS: u16 = 200;
/// Number of monitors that notify a channel.
const NOTIFYING: usize = 40;

/// Paths of monitors that the load created.
type Paths = Arc<Mutex<Vec<String>>>;

/// Publishes large pages that differ at each request, at all paths that start with `/watched/`.
fn publish_pages(greedy: &Greedy) {
    let paragraphs = large_paragraphs();
    greedy.site.put_prefix("/watched/", move |number| large_page(&paragraphs, number));
}

fn path_of(body: &Value) -> Option<String> {
    Some(format!("/v1/monitors/{}", body["monitor"]["id"].as_str()?))
}

/// Creates monitors, and requests previews and manual runs.
pub(super) fn monitors(greedy: Arc<Greedy>) -> Traffic {
    publish_pages(&greedy);
    let paths = Paths::default();
    Traffic::new(16, move |number| {
        let (greedy, paths) = (Arc::clone(&greedy), Arc::clone(&paths));
        async move {
            let url = greedy.url("/watched/", number, HOSTS);
            match number % 3 {
                0 => create(&greedy, &paths, &url).await,
                1 => status(greedy.post("/v1/monitors/preview", &json!({ "targetUrl": url }))).await,
                _ => {
                    let all = paths.lock().unwrap_or_else(PoisonError::into_inner).clone();
                    let path = all.get(number % all.len().max(1))?;
                    status(greedy.post(&format!("{path}/run"), &json!({}))).await
                }
            }
        }
    })
}

async fn create(greedy: &Greedy, paths: &Paths, url: &str) -> Option<u16> {
    let body = json!({"name": "Harbour", "targetUrl": url});
    let answer = greedy.post("/v1/monitors", &body).send().await.ok()?;
    let (status, body) = (answer.status().as_u16(), answer.bytes().await.ok()?);
    let path = serde_json::from_slice(&body).ok().and_then(|body| path_of(&body));
    paths.lock().unwrap_or_else(PoisonError::into_inner).extend(path);
    Some(status)
}

/// Requests manual runs of monitors that notify a webhook of each change.
pub(super) async fn notices(greedy: Arc<Greedy>) -> Traffic {
    greedy.site.put_prefix("/notified/", |number| page(&format!("News {number} of the harbour.")));
    greedy.site.put_prefix("/hook", |_| Reply::bytes("text/plain", vec![b'x'; 8 << 10]));
    let channel = add_webhook(&greedy).await;
    let mut paths = Vec::new();
    for number in 0..NOTIFYING {
        let url = greedy.url("/notified/", number, HOSTS);
        let body = json!({"name": "Harbour", "targetUrl": url, "notify": [channel]});
        let made = expect_success(greedy.post("/v1/monitors", &body)).await.json();
        paths.push(path_of(&made).expect("the monitor has an id"));
    }
    let count = "SELECT CAST(COUNT(*) AS bigint) FROM monitor_run WHERE outcome = 'baseline'";
    let baselines = async || query_number(&greedy.domain, count).await;
    let all = i64::try_from(NOTIFYING).expect("the number fits");
    eventually("all monitors have a baseline", baselines, |count| *count >= all).await;
    Traffic::new(16, move |number| {
        status(greedy.post(&format!("{}/run", paths[number % paths.len()]), &json!({})))
    })
}

/// Adds a webhook channel in a browser and returns its id.
async fn add_webhook(greedy: &Greedy) -> String {
    // The browser needs the HTTP client of an app.
    let app = Setup::on(World::Small).idle().spawn().await;
    let mut browser = Browser::at(&app, &greedy.origin);
    browser.sign_in(&greedy.person.email).await;
    browser.open("/settings/channels?kind=webhook").await.expect(200);
    let hook = greedy.site.url_at(0, "/hook");
    let fields = [("kind", "webhook"), ("address", hook.as_str()), ("name", "My program")];
    let made = browser.submit("/settings/channels", &fields).await.expect(200).text();
    secret_scan::record_secret(between(&made, "aria-label=\"Secret\">", "<"));
    between(&made, "href=\"/settings/channels/", "\"").to_owned()
}
