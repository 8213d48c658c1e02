//! A consumer acknowledges at random positions while the process is killed at random moments. Each event is
//! delivered, none is skipped, and the order is correct. `CARREL_TEST_EVENTS` sets the number of events for
//! longer runs.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fastrand::Rng;
use feeds::{Follow, follow};
use kernel::Backend;
use kernel::testing::series;
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::support::killable_process::KillableProcess;
use crate::support::run;

/// Maximum number of answers between two kills. It grows with the number of events, so that the kills take
/// only a few minutes.
const ROUND: u64 = 25;
const EVENTS_A_ROUND: u64 = 800;
/// Limits that the test never reaches.
const PLAN: &str = "[pro]\noperations_per_minute = 1000000\noperations_per_day = 100000000\n";

#[expect(clippy::disallowed_methods, reason = "the environment of the test sets the length of the run")]
fn events() -> u32 {
    std::env::var("CARREL_TEST_EVENTS").ok().and_then(|count| count.parse().ok()).unwrap_or(1_500)
}

/// Inserts this number of feed entries with their events, and returns the events' sequence numbers.
async fn fill(carrel: &KillableProcess, count: u32) -> Vec<i64> {
    let domain = carrel.domain().await;
    let new = Follow { feed_url: "https://feeds.example/drill.xml".into(), ..Follow::default() };
    let feed_id = follow(&domain, carrel.who.id, new).await.unwrap().subscription.feed_id;
    let (first, series) = (domain.now() * 1000, series(domain.db().backend(), count));
    let writer = domain.db().write();
    for sql in [
        format!("UPDATE feed SET last_fetched_at = {0}, next_poll_at = {0} + 86400000", domain.now()),
        format!(
            "INSERT INTO feed_entry (feed_id, entry_key, mark_guid, mark_url, mark_title, mark_published, fingerprint, \
             url, title, discovered_us) SELECT {feed_id}, n, n, 0, 0, 0, 0, 'https://example.org/', 'Note', \
             {first} + n FROM {series}"
        ),
        "INSERT INTO feed_event (sequence, kind, feed_id, entry_id) \
         SELECT discovered_us, 'entry.discovered', feed_id, id FROM feed_entry"
            .to_owned(),
    ] {
        writer.execute_unprepared(&sql).await.unwrap();
    }
    (1..=i64::from(count)).map(|n| first + n).collect()
}

async fn drill(backend: Backend) {
    let folder = tempfile::tempdir().unwrap();
    let tiers = folder.path().join("tiers.toml");
    std::fs::write(&tiers, PLAN).unwrap();
    let tiers = tiers.display().to_string();
    let carrel = KillableProcess::start_with(backend, &[("CARREL_TIERS_FILE", &tiers)]).await;
    let begun = Instant::now();
    let post = async |path: &str, body: Value| carrel.send(Method::POST, path, Some(&body)).await;
    let (status, made) = post("/v1/feeds/consumers", json!({"name": "drill"})).await;
    assert_eq!(status, 201, "{made}");
    let id = made["consumer"]["id"].clone();
    let expected = fill(&carrel, events()).await;
    let consuming = async {
        let mut rng = Rng::with_seed(15);
        let (mut acknowledged, mut pages) = (0, 0);
        while acknowledged < expected.len() {
            let limit = rng.u32(1..=200);
            let (status, page) =
                post("/v1/feeds/changes", json!({"consumerId": id, "limit": limit, "fields": ["id"]})).await;
            assert_eq!(status, 200, "{page}");
            let events = page["events"].as_array().unwrap();
            let sequences: Vec<i64> =
                events.iter().map(|event| event["sequence"].as_i64().unwrap()).collect();
            // The events directly follow the acknowledged events: none is skipped or out of order.
            assert_eq!(sequences, expected[acknowledged..acknowledged + sequences.len()]);
            assert!(!sequences.is_empty() && page["gapDetected"] == false, "{page}");
            pages += 1;
            let (path, upto) = (format!("/v1/feeds/consumers/{id}/ack"), rng.usize(0..sequences.len() + 20));
            let upto = upto.min(sequences.len());
            if upto > 0 {
                // If the process was killed before its answer arrived, the request is repeated.
                let (status, answer) = post(&path, json!({"cursor": events[upto - 1]["cursor"]})).await;
                assert_eq!(status, 200, "{answer}");
                acknowledged += upto;
            }
        }
        pages
    };
    let kills = AtomicU64::new(0);
    let killing = async {
        let mut rng = Rng::with_seed(16);
        let round = ROUND.max(u64::from(events()) / EVENTS_A_ROUND);
        loop {
            carrel.wait_for_answers(carrel.answered_requests() + rng.u64(1..=round)).await;
            carrel.kill().await;
            carrel.restart().await;
            kills.fetch_add(1, Ordering::SeqCst);
        }
    };
    let pages = tokio::select! {
        pages = tokio::time::timeout(Duration::from_mins(30), consuming) => pages.expect("the consumer reaches the end"),
        () = killing => unreachable!("it goes on for ever"),
    };
    assert!(pages > 5, "{pages} pages");
    let (kills, took) = (kills.load(Ordering::SeqCst), begun.elapsed().as_secs());
    eprintln!("{} events in {pages} pages through {kills} kills in {took} s on {backend:?}", expected.len());
}

#[test]
fn consumer_receives_every_event_despite_kills_on_sqlite() {
    run(drill(Backend::Sqlite));
}

#[test]
fn consumer_receives_every_event_despite_kills_on_postgres() {
    run(drill(Backend::Postgres));
}
