//! Measures claims of fifty due feeds among a million. After each claim, the results of the polls are
//! written, so that tables and indexes are as fragmented as in production.

use std::time::{Duration, Instant};

use kernel::testing::{START, TestDatabase};
use kernel::{Backend, Domain};
use sea_orm::ConnectionTrait;

use super::BACKENDS;
use super::rows::{execute, fill};

const FEEDS: usize = 1_000_000;
const ROUNDS: usize = 2_000;
/// Number of warm-up rounds, which are not measured.
const WARM_UP_ROUNDS: usize = 200;
/// Interval at which feeds become due, in milliseconds: fifty per second.
const DUE_INTERVAL_MS: i64 = 20;

pub(crate) async fn measure() {
    println!("\nclaim of 50 due among {FEEDS} feeds, {ROUNDS} claims in a row, milliseconds");
    println!("{:<12} {:>8} {:>8} {:>8} {:>8}", "", "p50", "p95", "p99", "most");
    for (name, backend) in BACKENDS {
        let database = TestDatabase::create(backend).await;
        let domain = &database.domain;
        insert_feeds(domain).await;
        let mut times = Vec::with_capacity(ROUNDS);
        for round in 0..WARM_UP_ROUNDS + ROUNDS {
            database.clock.advance(50 * DUE_INTERVAL_MS);
            let begin = Instant::now();
            let claim = feeds::claim_batch(domain).await.unwrap();
            if round >= WARM_UP_ROUNDS {
                times.push(begin.elapsed());
            }
            assert!(claim.is_full && claim.job.is_some(), "fifty feeds are due in every round");
            write_polls(domain).await;
            // In production, the scheduler tick also checkpoints.
            domain.db().checkpoint().await.unwrap();
        }
        times.sort_unstable();
        let at = |share: f64| ms(times[((times.len() as f64 * share) as usize).min(times.len() - 1)]);
        println!("{name:<12} {:>8.2} {:>8.2} {:>8.2} {:>8.2}", at(0.5), at(0.95), at(0.99), at(1.0));
        explain(domain).await;
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Inserts complete feeds with consecutive due times, in an order different from that of their ids.
async fn insert_feeds(domain: &Domain) {
    let insert = "feed (url, host, kind, site_url, title, description, etag, last_modified, body_hash, trust_guid, \
                  trust_url, next_poll_at, gap_ms, last_new_at, last_fetched_at, gone, created_at)";
    let row = format!(
        "'https://www.site' || n || '.example.org/blog/feed.xml', 'site' || n || '.example.org', 'rss', \
         'https://www.site' || n || '.example.org/blog/', 'The journal of site ' || n, \
         'Notes on boats, harbours and the weather, by the people of site ' || n, '\"5f3a-' || n || '\"', \
         'Thu, 19 Nov 2026 10:00:00 GMT', n, TRUE, FALSE, {START} + (CAST(n AS BIGINT) * 7919 % {FEEDS}) * {DUE_INTERVAL_MS} + 1, \
         21600000, {START} - 3600000, {START} - 3600000, FALSE, {START} - 86400000"
    );
    fill(domain, FEEDS, insert, &row, Vec::new()).await;
    let vacuum = match domain.db().backend() {
        Backend::Postgres => "VACUUM ANALYZE feed",
        Backend::Sqlite => "ANALYZE",
    };
    domain.db().write().execute_unprepared(vacuum).await.unwrap();
}

/// Writes the results of fifty polls without new entries, and completes their job.
async fn write_polls(domain: &Domain) {
    let now = domain.now();
    let text = "UPDATE feed SET next_poll_at = $1 + id % 1000000, last_fetched_at = $2, failures = 0 \
                WHERE next_poll_at = $3";
    let lease = now + 15 * 60 * 1000;
    let polled =
        execute(domain.db().write(), text, vec![(now + 20_000_000).into(), now.into(), lease.into()]);
    assert_eq!(polled.await, 50);
    execute(domain.db().write(), "DELETE FROM job", Vec::new()).await;
}

async fn explain(domain: &Domain) {
    if domain.db().backend() == Backend::Postgres {
        return;
    }
    let size =
        super::rows::count(domain, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size");
    println!("{:<12} {} MB in the file", "", size.await / 1_000_000);
}
