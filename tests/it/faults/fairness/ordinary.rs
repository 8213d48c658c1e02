//! Nine ordinary accounts, each in a separate network, that send a few requests to save, list, search, and
//! read.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use kernel::tiers::Tier;
use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::service::Service;
use crate::support::app::{client_from, read_path};
use crate::support::monitoring::query_number;
use crate::support::person::Person;
use crate::support::rss::feed;
use crate::support::site::article;
use crate::support::{Reply, Site, eventually};

const ACCOUNTS: u8 = 9;
/// Number of items that each account has before the first measurement.
const ITEMS: u64 = 5;
/// Timeout of a request, which then counts as failed.
const TIMEOUT: Duration = Duration::from_secs(90);
const TEXT: &str = "# The harbour in winter\n\nBoats and tide, and the people who come every morning.\n\n\
    ## The market\n\nBread and prices, and the light over the town when it begins to fade.";

/// Ordinary accounts, and the site that they read.
pub(super) struct OrdinaryAccounts {
    accounts: Vec<OrdinaryAccount>,
    site: Site,
    /// URL of a page whose text is cached.
    cached: String,
    /// Number of requests so far. It makes titles and URLs unique.
    requests: AtomicU64,
    /// Number of answered requests.
    completed: watch::Sender<u64>,
}

struct OrdinaryAccount {
    person: Person,
    client: Client,
    origin: String,
}

/// Results of several rounds.
#[derive(Default)]
pub(super) struct Measurement {
    /// Names and latencies of the requests.
    latencies: Vec<(&'static str, Duration)>,
    /// Descriptions of requests that were neither answered as expected nor refused by a limit of their
    /// account.
    pub(super) failures: Vec<String>,
    /// Number of requests that were refused by a limit of their account.
    pub(super) limited: usize,
}

impl Measurement {
    /// Returns the 99th percentile of the latencies.
    pub(super) fn p99(&self) -> Duration {
        let mut sorted: Vec<Duration> = self.latencies.iter().map(|(_, latency)| *latency).collect();
        sorted.sort_unstable();
        let rank = (sorted.len() * 99).div_ceil(100);
        sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
    }

    /// Returns the highest latency for each name.
    pub(super) fn slowest(&self) -> BTreeMap<&'static str, Duration> {
        let mut slowest = BTreeMap::new();
        for (name, latency) in &self.latencies {
            let known: &mut Duration = slowest.entry(*name).or_default();
            *known = (*known).max(*latency);
        }
        slowest
    }

    fn merge(mut self, other: Self) -> Self {
        self.latencies.extend(other.latencies);
        self.failures.extend(other.failures);
        self.limited += other.limited;
        self
    }
}

impl OrdinaryAccounts {
    /// Creates the accounts with several items each, and one feed that all accounts follow.
    pub(super) async fn create(service: &Service) -> Self {
        let site = Site::start();
        site.put_prefix("/fresh/", |_| Reply::html(article()));
        let (cached, followed) = (site.article("/cached"), site.put("/feed.xml", feed(1..=30)));
        let mut accounts = Vec::new();
        for number in 1..=ACCOUNTS {
            let person = Person::in_domain(&service.domain, Tier::Pro).await;
            let client = client_from([127, 0, 1, number].into());
            accounts.push(OrdinaryAccount { person, client, origin: service.origin() });
        }
        let (requests, completed) = (AtomicU64::new(0), watch::Sender::new(0));
        let all = Self { accounts, site, cached, requests, completed };
        join_all(all.accounts.iter().map(|account| all.fill(account, &followed))).await;
        let entries =
            async || query_number(&service.domain, "SELECT CAST(COUNT(*) AS bigint) FROM feed_entry").await;
        eventually("the feed is polled", entries, |count| *count == 30).await;
        all
    }

    async fn fill(&self, account: &OrdinaryAccount, followed: &str) {
        for _ in 0..ITEMS {
            account.expect(account.save(self.requests.fetch_add(1, Ordering::Relaxed))).await;
        }
        account.expect(account.post("/v1/rss/subscriptions", &json!({ "url": followed }))).await;
        account.expect(account.read(&self.cached)).await;
    }

    /// Returns a counter of the answered requests.
    pub(super) fn completed(&self) -> watch::Receiver<u64> {
        self.completed.subscribe()
    }

    /// Runs this number of rounds with all accounts concurrently. Each account sends its requests one after
    /// the other.
    pub(super) async fn run(&self, rounds: usize) -> Measurement {
        let all = join_all(self.accounts.iter().map(|account| self.run_account(account, rounds))).await;
        all.into_iter().fold(Measurement::default(), Measurement::merge)
    }

    async fn run_account(&self, account: &OrdinaryAccount, rounds: usize) -> Measurement {
        let mut measurement = Measurement::default();
        for _ in 0..rounds {
            for (name, request) in self.round(account) {
                let begin = Instant::now();
                let (status, body) = answer(request).await;
                measurement.latencies.push((name, begin.elapsed()));
                match status {
                    200 | 201 => {}
                    429 => measurement.limited += 1,
                    _ => measurement.failures.push(format!("{name}: {status} {body}")),
                }
                self.completed.send_modify(|count| *count += 1);
            }
        }
        measurement
    }

    /// Returns the requests of one round, with their names.
    fn round(&self, account: &OrdinaryAccount) -> [(&'static str, RequestBuilder); 6] {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        let fresh = json!({ "url": self.site.url(&format!("/fresh/{number}")) });
        [
            ("save", account.save(number)),
            ("list", account.get("/v1/library/items?limit=20")),
            ("search", account.get("/v1/library/items?query=harbour&limit=20")),
            ("read of a stored page", account.read(&self.cached)),
            ("read of a fresh page", account.post("/v1/articles/read", &fresh)),
            ("entries", account.get("/v1/rss/entries?limit=20")),
        ]
    }
}

impl OrdinaryAccount {
    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.origin)).timeout(TIMEOUT);
        request.header("accept", "application/json")
    }

    fn get(&self, path: &str) -> RequestBuilder {
        self.request(Method::GET, path).header("x-api-key", &self.person.key)
    }

    fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        let request = self.request(Method::POST, path).header("x-api-key", &self.person.key);
        request.header("content-type", "application/json").body(body.to_string())
    }

    /// Creates a request that saves a short text.
    fn save(&self, number: u64) -> RequestBuilder {
        let item = json!({"title": format!("Note {number}"), "content": TEXT, "mimeType": "text/markdown"});
        self.post("/v1/library/items", &item)
    }

    /// Creates a public read of a page.
    fn read(&self, url: &str) -> RequestBuilder {
        self.request(Method::GET, &read_path(url, &[]))
    }

    async fn expect(&self, request: RequestBuilder) {
        let (status, body) = answer(request).await;
        assert!(matches!(status, 200 | 201), "{}: {status} {body}", self.person.email);
    }
}

/// Sends a request. Returns the status and the start of the body. The status is 0 if the request failed.
async fn answer(request: RequestBuilder) -> (u16, String) {
    let received = async {
        let answer = request.send().await?;
        let status = answer.status().as_u16();
        reqwest::Result::Ok((status, answer.bytes().await?))
    };
    match received.await {
        Ok((status, body)) => (status, String::from_utf8_lossy(&body).chars().take(300).collect()),
        Err(error) => (0, error.to_string()),
    }
}
