//! A week of briefings through `kill -9`: an agent follows 60 feeds and 30 watched pages with a consumer, while
//! the process, with its workers and scheduler, is killed at random moments, and answers are dropped.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use fastrand::Rng;
use feeds::Follow;
use kernel::{Backend, Domain};
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::support::briefing::{
    Briefing, CONSUMER, COUNT_UPDATES, FEEDS, MONITORS, ROUNDS, Sources, TOOLS, feed_document, feed_name,
    monitor_name, watched_page,
};
use crate::support::killable_process::KillableProcess;
use crate::support::monitoring::query_number;
use crate::support::{Site, eventually, run};

/// Answers between two kills.
const ANSWERS: std::ops::RangeInclusive<u64> = 100..=400;
/// Number of the host of the first watched page; feeds have the hosts before it.
const FIRST_PIER: u16 = 1_000;
/// Limits that the test never reaches.
const PLAN: &str = "[pro]\noperations_per_minute = 1000000\noperations_per_day = 100000000\n";

/// Result of a tool call; `None` if the process was killed before its answer.
async fn try_call(carrel: &KillableProcess, name: &str, arguments: &Value) -> Option<Value> {
    let params = json!({"name": name, "arguments": arguments});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let (status, answer) = carrel.try_send(Method::POST, TOOLS, Some(&body)).await?;
    if matches!(status, 429 | 503) {
        return None;
    }
    let result = &answer["result"];
    if result["isError"] == true {
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        assert!(text.contains("service_unavailable"), "{name} {arguments}: {text}");
        return None;
    }
    assert!(status == 200 && result["structuredContent"].is_object(), "{name} {arguments}: {answer}");
    Some(result["structuredContent"].clone())
}

/// Result of a tool call, which is repeated until it is answered.
async fn call(carrel: &KillableProcess, name: &str, arguments: &Value) -> Value {
    let attempt = async || try_call(carrel, name, arguments).await;
    eventually("a tool answers", attempt, Option::is_some).await.expect("an answer arrives")
}

async fn execute(domain: &Domain, sql: &str) {
    domain.db().write().execute_unprepared(sql).await.unwrap();
}

/// Waits until a query of the database returns this number.
async fn wait_for(domain: &Domain, sql: &str, number: i64) {
    eventually(sql, async || query_number(domain, sql).await, |current| *current == number).await;
}

/// Follows all feeds and watches all pages. Returns the ids of the feeds.
async fn follow_all(carrel: &KillableProcess, site: &Site, domain: &Domain) -> Vec<i64> {
    let mut feed_ids = Vec::new();
    for feed in 0..FEEDS {
        let path = format!("/{feed}.xml");
        site.put(&path, feed_document(feed, 0));
        let feed_url = site.url_at(u16::try_from(feed).unwrap(), &path);
        let new = Follow { feed_url, title: Some(feed_name(feed)), ..Follow::default() };
        let followed = feeds::follow(domain, carrel.who.id, new).await.unwrap();
        feed_ids.push(followed.subscription.feed_id.as_i64());
    }
    wait_for(domain, "SELECT COUNT(*) FROM feed WHERE last_fetched_at IS NULL", 0).await;
    for monitor in 0..MONITORS {
        let path = format!("/pier{monitor}");
        site.put(&path, watched_page(monitor, 0));
        let target = site.url_at(FIRST_PIER + u16::try_from(monitor).unwrap(), &path);
        let new =
            json!({"name": monitor_name(monitor), "targetUrl": target, "intervalMinutes": 30 * 24 * 60});
        let (status, made) = carrel.send(Method::POST, "/v1/monitors", Some(&new)).await;
        assert_eq!(status, 201, "{made}");
    }
    execute(domain, &format!("UPDATE monitor SET next_run_at = {}", domain.now())).await;
    wait_for(domain, "SELECT COUNT(*) FROM monitor WHERE last_run_at IS NULL", 0).await;
    feed_ids
}

/// Publishes the updates of the week, each round after those of the previous one were discovered.
async fn publish_all(site: &Site, domain: &Domain, feed_ids: &[i64], first: i64) -> Sources {
    let mut sources = Sources::default();
    for round in 0..ROUNDS {
        let (feeds, monitors) = Sources::of_round(round);
        for feed in feeds {
            site.put(&format!("/{feed}.xml"), sources.publish_entry(feed));
        }
        for monitor in monitors {
            site.put(&format!("/pier{monitor}"), sources.publish_change(monitor));
        }
        let ids = feeds.map(|feed| feed_ids[feed].to_string()).join(", ");
        let names = monitors.map(|monitor| format!("'{}'", monitor_name(monitor))).join(", ");
        let now = domain.now();
        execute(domain, &format!("UPDATE feed SET next_poll_at = {now} WHERE id IN ({ids})")).await;
        execute(domain, &format!("UPDATE monitor SET next_run_at = {now} WHERE name IN ({names})")).await;
        wait_for(domain, COUNT_UPDATES, first + sources.total()).await;
    }
    sources
}

/// Runs the briefing until `total` updates are written and marked.
async fn keep(carrel: &KillableProcess, briefing: &mut Briefing, total: usize) {
    let mut rng = Rng::with_seed(44);
    while briefing.count() < total || briefing.mark_arguments().is_some() {
        if let Some(mark) = briefing.mark_arguments() {
            call(carrel, "mark", &mark).await;
            briefing.set_marked();
        }
        let list = json!({"consumer": CONSUMER, "limit": rng.u32(1..=30)});
        if rng.u8(..4) == 0 {
            // An answer that the client drops.
            try_call(carrel, "list_updates", &list).await;
        }
        briefing.write(&call(carrel, "list_updates", &list).await);
    }
}

async fn drill(backend: Backend) {
    let folder = tempfile::tempdir().unwrap();
    let tiers = folder.path().join("tiers.toml");
    std::fs::write(&tiers, PLAN).unwrap();
    let tiers = tiers.display().to_string();
    let settings = [("CARREL_TIERS_FILE", tiers.as_str()), ("CARREL_FETCH_ALLOW", "127.0.0.0/8")];
    let carrel = KillableProcess::start_with(backend, &settings).await;
    let (site, domain) = (Site::start_on_many_hosts(), carrel.domain().await);
    let feed_ids = follow_all(&carrel, &site, &domain).await;
    call(&carrel, "mark", &json!({"consumer": CONSUMER})).await;
    let first = query_number(&domain, COUNT_UPDATES).await;
    let (mut briefing, kills) = (Briefing::default(), AtomicU64::new(0));
    let total = ROUNDS * 5;
    let killing = async {
        let mut rng = Rng::with_seed(45);
        loop {
            carrel.wait_for_answers(carrel.answered_requests() + rng.u64(ANSWERS)).await;
            carrel.kill().await;
            carrel.restart().await;
            kills.fetch_add(1, Ordering::SeqCst);
        }
    };
    let week = async {
        tokio::join!(publish_all(&site, &domain, &feed_ids, first), keep(&carrel, &mut briefing, total)).0
    };
    let sources = tokio::select! {
        sources = tokio::time::timeout(Duration::from_mins(20), week) => sources.expect("the week completes"),
        () = killing => unreachable!("processes are killed until the week is complete"),
    };
    briefing.assert_complete(&sources);
    // The process may have been killed last.
    carrel.restart().await;
    let rest = call(&carrel, "list_updates", &json!({"consumer": CONSUMER})).await;
    assert_eq!(rest["results"], json!([]));
    let kills = kills.load(Ordering::SeqCst);
    println!("{} updates through {kills} kills on {backend:?}: none missed, none doubled", briefing.count());
}

#[test]
fn week_of_briefings_survives_kills_on_sqlite() {
    run(drill(Backend::Sqlite));
}

#[test]
fn week_of_briefings_survives_kills_on_postgres() {
    run(drill(Backend::Postgres));
}
