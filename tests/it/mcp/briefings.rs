//! A week of briefings: an agent follows 60 feeds and 30 watched pages with a consumer, while its client drops
//! answers, stops between any two steps, and the process restarts.

use fastrand::Rng;
use feeds::Follow;
use kernel::tiers::Tier;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use super::Agent;
use crate::support::briefing::{
    Briefing, CONSUMER, COUNT_UPDATES, FEEDS, MONITORS, ROUNDS, Sources, TOOLS, feed_document, feed_name,
    monitor_name, watched_page,
};
use crate::support::clock::{DAY, HOUR, SECOND};
use crate::support::monitoring::{create_monitor, query_number, run_now};
use crate::support::person::Person;
use crate::support::rss::poll;
use crate::support::{TestApp, on_each_world};

/// Minutes between scheduled runs of the watched pages: longer than the week, because the test runs them.
const MINUTES: u32 = 30 * 24 * 60;
/// Maximum number of steps until every new source is fetched.
const MAX_STEPS: usize = 200;

/// Ids of the feeds, and the watched pages.
struct Followed {
    feed_ids: Vec<i64>,
    monitors: Vec<Value>,
}

async fn execute(app: &TestApp, sql: &str) {
    app.app.domain.db().write().execute_unprepared(sql).await.unwrap();
}

/// Runs `step` until a count is zero.
async fn repeat_until_none(app: &TestApp, count: &str, step: impl AsyncFn()) {
    for _ in 0..MAX_STEPS {
        if query_number(&app.app.domain, count).await == 0 {
            return;
        }
        step().await;
    }
    panic!("{count} is not zero after {MAX_STEPS} steps");
}

async fn follow_all(app: &TestApp, who: &Person) -> Followed {
    let mut feed_ids = Vec::new();
    for feed in 0..FEEDS {
        let feed_url = app.site.put(&format!("/{feed}.xml"), feed_document(feed, 0));
        let new = Follow { feed_url, title: Some(feed_name(feed)), ..Follow::default() };
        let followed = feeds::follow(&app.app.domain, who.id, new).await.unwrap();
        feed_ids.push(followed.subscription.feed_id.as_i64());
    }
    let unfetched = "SELECT COUNT(*) FROM feed WHERE last_fetched_at IS NULL";
    repeat_until_none(app, unfetched, async || poll(app).await).await;
    let mut monitors = Vec::new();
    for monitor in 0..MONITORS {
        let url = app.site.put(&format!("/pier{monitor}"), watched_page(monitor, 0));
        let new = json!({"name": monitor_name(monitor), "targetUrl": url, "intervalMinutes": MINUTES});
        monitors.push(create_monitor(app, who, &new).await);
    }
    let unwatched = "SELECT COUNT(*) FROM monitor WHERE last_run_at IS NULL";
    let run = async || {
        app.clock.advance(15 * SECOND);
        app.tick().await;
        app.run_jobs().await;
    };
    repeat_until_none(app, unwatched, run).await;
    Followed { feed_ids, monitors }
}

/// Publishes the updates of a round. Only these feeds are polled.
async fn publish(app: &TestApp, who: &Person, followed: &Followed, sources: &mut Sources, round: usize) {
    app.clock.advance(4 * HOUR);
    let before = query_number(&app.app.domain, COUNT_UPDATES).await - sources.total();
    let now = app.app.domain.now();
    execute(
        app,
        &format!("UPDATE feed SET next_poll_at = {} WHERE last_fetched_at IS NOT NULL", now + 365 * DAY),
    )
    .await;
    let (feeds, monitors) = Sources::of_round(round);
    for feed in feeds {
        app.site.put(&format!("/{feed}.xml"), sources.publish_entry(feed));
        let id = followed.feed_ids[feed];
        execute(app, &format!("UPDATE feed SET next_poll_at = {now} WHERE id = {id}")).await;
    }
    for monitor in monitors {
        app.site.put(&format!("/pier{monitor}"), sources.publish_change(monitor));
        assert_eq!(run_now(app, who, &followed.monitors[monitor]).await["outcome"], "changed");
    }
    let missing = format!("SELECT {} - ({COUNT_UPDATES})", before + sources.total());
    repeat_until_none(app, &missing, async || poll(app).await).await;
}

/// Returns the ids of the updates in an answer.
fn ids(answer: &Value) -> Vec<&Value> {
    answer["results"].as_array().unwrap().iter().map(|row| &row["id"]).collect()
}

/// Reads and marks updates, until there are none or the agent is stopped.
async fn brief(agent: &Agent<'_>, briefing: &mut Briefing, rng: &mut Rng) {
    loop {
        if let Some(mark) = briefing.mark_arguments() {
            agent.call("mark", mark.clone()).await;
            if rng.bool() {
                // The answer was dropped.
                agent.call("mark", mark).await;
            }
            briefing.set_marked();
        }
        let list = json!({"consumer": CONSUMER, "limit": rng.u32(1..=30)});
        let mut answer = agent.call("list_updates", list.clone()).await;
        if rng.bool() {
            let repeated = agent.call("list_updates", list).await;
            assert_eq!(ids(&repeated), ids(&answer));
            answer = repeated;
        }
        // The agent is stopped before or after it writes, and continues in the next round.
        if rng.u8(..8) == 0 || briefing.write(&answer) == 0 || rng.u8(..8) == 0 {
            return;
        }
    }
}

#[test]
fn week_of_briefings_misses_nothing_and_repeats_nothing() {
    on_each_world(async |mut app| {
        let who = Person::on(&app, Tier::Pro).await;
        let followed = follow_all(&app, &who).await;
        let (mut sources, mut briefing, mut rng) =
            (Sources::default(), Briefing::default(), Rng::with_seed(43));
        Agent::of(&app, &who).at(TOOLS).call("mark", json!({"consumer": CONSUMER})).await;
        for round in 0..ROUNDS {
            publish(&app, &who, &followed, &mut sources, round).await;
            if rng.u8(..6) == 0 {
                app = app.restart().await;
            }
            brief(&Agent::of(&app, &who).at(TOOLS), &mut briefing, &mut rng).await;
        }
        let written = |briefing: &Briefing| i64::try_from(briefing.count()).unwrap();
        while written(&briefing) < sources.total() || briefing.mark_arguments().is_some() {
            brief(&Agent::of(&app, &who).at(TOOLS), &mut briefing, &mut rng).await;
        }
        briefing.assert_complete(&sources);
        let rest = Agent::of(&app, &who).at(TOOLS).call("list_updates", json!({"consumer": CONSUMER})).await;
        assert!(ids(&rest).is_empty(), "{rest}");
    });
}
