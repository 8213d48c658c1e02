//! Benchmark of the feed queries that agents send: a page of changes, an empty page, and full-text queries,
//! each with few and with many stored entries.
//!
//! Run with `cargo bench -p carrel-feeds --bench feeds`. The option `postgres` (under `bin/with-servers`)
//! uses PostgreSQL instead of SQLite. `entries=100000` sets the number of entries (default: one million).

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::unwrap_used, reason = "a benchmark stops at the first fault")]
#![expect(clippy::cast_precision_loss, reason = "counts of a benchmark are small")]

#[path = "../../../library/benches/library/environment.rs"]
#[expect(dead_code, reason = "this benchmark never reuses a database")]
mod environment;
#[path = "../../../library/benches/library/measure.rs"]
#[expect(dead_code, reason = "only other benchmarks measure memory")]
mod measure;

use feeds::{EntryQuery, EventFilter, EventLimits, Follow, QueryOrder, changes, follow, query_entries};
use kernel::testing::series;
use kernel::tiers::Tier;
use kernel::{AccountId, Backend};
use sea_orm::{ConnectionTrait, Statement};

use crate::environment::Environment;
use crate::measure::{Times, load};

/// Number of feeds of the installation.
const FEEDS: u32 = 10_000;
/// Number of feeds that the account follows.
const FOLLOWED: u32 = 2_500;
/// Number of entries in the small installation.
const SMALL: u32 = 10_000;
/// Number of events per page.
const PAGE: u32 = 50;
/// Number of events after the position of the measured page.
const NEW: u32 = 400;
const ITERATIONS: usize = 200;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    if words.iter().any(|word| word == "extract-child") {
        extract::sandbox::child_main();
        return;
    }
    let backend =
        if words.iter().any(|word| word == "postgres") { Backend::Postgres } else { Backend::Sqlite };
    let count = words
        .iter()
        .find_map(|word| word.strip_prefix("entries="))
        .map_or(1_000_000, |count| count.parse().unwrap());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        println!(
            "| feeds ({backend:?}) | least ms | p50 | p95 | least ms at work | p50 | p95 |\n|---|---|---|---|---|---|---|"
        );
        let mut before = None;
        for entries in [SMALL, count] {
            let environment = Environment::open(backend, None).await;
            let who = fill(&environment, entries).await;
            let p95 = measure_queries(&environment, who, entries).await;
            println!("| ratio to {SMALL} entries | | | | | | {:.2} |", p95 / *before.get_or_insert(p95));
            environment.drop().await;
        }
    });
}

/// Creates an account that follows a quarter of the feeds, and `entries` entries distributed over all feeds.
async fn fill(environment: &Environment, entries: u32) -> AccountId {
    let domain = &environment.domain;
    let who = kernel::testing::person(domain, Tier::Pro).await;
    let first = Follow { feed_url: "https://h0.example/feed".into(), ..Follow::default() };
    let first = follow(domain, who, first).await.unwrap().subscription;
    let (feeds, others) = (series(environment.backend, FEEDS - 1), FEEDS / FOLLOWED);
    let now = domain.now();
    environment
        .execute(&format!(
            "INSERT INTO feed (url, host, trust_guid, trust_url, gone, created_at) \
             SELECT 'https://h' || n || '.example/feed', 'h' || n || '.example', TRUE, TRUE, FALSE, 0 FROM {feeds}"
        ))
        .await;
    environment.execute(&format!("UPDATE feed SET last_fetched_at = {now}, last_new_at = {now}")).await;
    environment
        .execute(&format!(
            "INSERT INTO rss_subscription (account_id, feed_id, collection_id, full_text, read_through, created_at) \
             SELECT s.account_id, f.id, s.collection_id, FALSE, 0, 0 FROM rss_subscription s JOIN feed f \
             ON f.id <> s.feed_id AND f.id % {others} = 0 WHERE s.id = {}",
            first.id
        ))
        .await;
    let first_us = (now - 86_400_000) * 1000;
    let numbers = series(environment.backend, entries);
    // The search words occur in a third, a tenth, and a thousandth of the entries. Each word starting with
    // `r` occurs in eight entries.
    environment
        .execute(&format!(
            "INSERT INTO feed_entry (feed_id, entry_key, mark_guid, mark_url, mark_title, mark_published, fingerprint, \
             url, title, summary, discovered_us, search_text) SELECT (SELECT MIN(id) FROM feed) + (n % {FEEDS}) * 7919 % {FEEDS}, \
             n, n, 0, 0, 0, 0, 'https://example.org/' || n, 'Title ' || n, 'A summary of some words', {first_us} + n, \
             ' title summary of words t' || (n % 10) || ' k' || (n % 1000) || ' r' || (n / 8) || \
             CASE WHEN n % 3 = 0 THEN ' common ' ELSE ' other ' END FROM {numbers}"
        ))
        .await;
    environment
        .execute(
            "INSERT INTO feed_event (sequence, kind, feed_id, entry_id) \
             SELECT discovered_us, 'entry.discovered', feed_id, id FROM feed_entry",
        )
        .await;
    environment.settle().await;
    who
}

/// Runs all measurements. Returns the 95th percentile of a page of changes, in milliseconds.
async fn measure_queries(environment: &Environment, who: AccountId, entries: u32) -> f64 {
    let domain = &environment.domain;
    let backends = environment.backends().await;
    let reading = EventLimits { limit: PAGE, attention_limit: 5 };
    let row = async |name: &str, times: Times| {
        println!("| {name}, {entries} entries | {times} | load {}", load());
        times.p95()
    };
    let near = position(environment, NEW).await;
    let all = EventFilter::default();
    let times = Times::measure(ITERATIONS, &backends, async |_| {
        let page = changes(domain, who, near, &all, reading).await.unwrap();
        assert_eq!(page.events.len(), PAGE as usize);
    })
    .await;
    let p95 = row("a page of 50 changes", times).await;
    let far = position(environment, entries.min(9_000)).await;
    let nothing = EventFilter { text: Some("unheard".into()), ..EventFilter::default() };
    let times = Times::measure(ITERATIONS, &backends, async |_| {
        assert!(changes(domain, who, far, &nothing, reading).await.unwrap().events.is_empty());
    })
    .await;
    row("an empty page of changes", times).await;
    for (name, text) in [
        ("a word in a third of the entries", "common"),
        ("a word in a tenth of the entries", "t7"),
        ("a word in a thousandth of the entries", "k77"),
        ("a rare word", "r100"),
        ("two words", "common t7"),
    ] {
        for order in [QueryOrder::Relevance, QueryOrder::Newest] {
            let query = EntryQuery { text: Some(text.into()), order, ..EntryQuery::default() };
            let mut total = 0;
            let times = Times::measure(ITERATIONS / 4, &backends, async |_| {
                total = query_entries(domain, who, &query, None, PAGE).await.unwrap().total;
            })
            .await;
            row(&format!("{name}, {order:?}: {total}"), times).await;
        }
    }
    p95
}

/// Returns the position in the event log after which `left` events remain.
async fn position(environment: &Environment, left: u32) -> i64 {
    let connection = environment.domain.db().write();
    let sql = format!("SELECT sequence FROM feed_event ORDER BY sequence DESC LIMIT 1 OFFSET {}", left - 1);
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    connection.query_one_raw(statement).await.unwrap().unwrap().try_get_by_index(0).unwrap()
}
