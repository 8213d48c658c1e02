//! Monitors that are due at the same time run as one job. Unchanged sources cost almost no statements.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use articles::worker_tools::Tools;
use identity::limits::window::Windows;
use kernel::tiers::Tier;
use kernel::{Domain, RandomIds};
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::Value;

use crate::support::clock::{DAY, SECOND};
use crate::support::monitoring::{
    changes, credits, get_monitor, outcomes, page, path, query_number, runs, send, watch_page,
};
use crate::support::person::Person;
use crate::support::{Reply, Setup, TestApp, World, on_each_world, run};

/// One monitor less than a full claim. After a full claim, the worker would check for further due monitors.
const MONITORS: usize = 49;

/// Worker that counts its SQL statements. It does not pause between requests to one host, so that the single
/// test server behaves like many hosts.
struct Worker {
    domain: Domain,
    tools: Tools,
    statements: Arc<AtomicU64>,
}

impl Worker {
    fn of(app: &TestApp) -> Self {
        let (database, statements) = app.app.domain.db().clone().counted();
        let policy = app.app.domain.policy().clone();
        let settings = fetch::FetcherSettings { per_host_gap: Duration::ZERO, ..policy.fetch.clone() };
        let domain = Domain::with(database, app.clock.clone(), Arc::new(RandomIds)).with_policy(policy);
        let domain = application::compose(identity::limits::install(domain, Windows::memory()));
        let fetcher = fetch::Fetcher::new(settings).unwrap();
        Self { domain, tools: Tools { fetcher, ..app.app.tools().unwrap() }, statements }
    }

    /// Makes all monitors due, runs them as one job, and returns the number of statements.
    async fn run_all(&self, app: &TestApp) -> u64 {
        let (claim, run) = self.claim_and_run(app).await;
        claim + run
    }

    /// Does the same as [`run_all`](Self::run_all), but returns the statements of the claim and of the run separately.
    async fn claim_and_run(&self, app: &TestApp) -> (u64, u64) {
        app.clock.advance(DAY);
        let due = format!("UPDATE monitor SET host = identity, next_run_at = {}", self.domain.now());
        self.domain.db().write().execute_unprepared(&due).await.unwrap();
        let statement_count = || self.statements.load(Ordering::Relaxed);
        let before = statement_count();
        let claimed = monitors::claim_due(&self.domain).await.unwrap();
        assert_eq!(claimed.len(), 1);
        let job = jobs::claim(&self.domain, claimed[0].id, "counted", 60_000).await.unwrap().unwrap();
        let begun = statement_count();
        assert_eq!(monitors::run(&self.domain, &self.tools, &job).await.unwrap(), []);
        let ended = statement_count();
        assert_eq!(jobs::get(&self.domain, job.id).await.unwrap(), None);
        (begun - before, ended - begun)
    }
}

/// Creates monitors for the pages and runs their first check.
async fn watch_pages(
    app: &TestApp,
    who: &Person,
    worker: &Worker,
    indices: std::ops::Range<usize>,
) -> Vec<Value> {
    let mut monitors = Vec::new();
    for index in indices {
        app.clock.advance(SECOND);
        let reply = page("The tide is low.").with("etag", "\"low\"");
        monitors.push(watch_page(app, who, &app.site.put(&format!("/page-{index}"), reply)).await);
    }
    worker.run_all(app).await;
    monitors
}

fn respond_not_modified(app: &TestApp, indices: std::ops::Range<usize>) {
    for number in indices {
        app.site.put(&format!("/page-{number}"), Reply::status(304));
    }
}

#[test]
fn monitors_due_simultaneously_share_a_job_with_separate_results() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let worker = Worker::of(&app);
        let all = watch_pages(&app, &who, &worker, 0..MONITORS).await;
        let (used, _) = credits(&app, &who).await;
        assert_eq!(used, 49, "each first run costs one credit");
        respond_not_modified(&app, 0..46);
        app.site.put("/page-46", page("The tide is low.").with("etag", "\"other\""));
        app.site.put("/page-47", page("The tide is high."));
        app.site.put("/page-48", Reply::status(404));
        worker.run_all(&app).await;
        for (index, monitor) in all.iter().enumerate() {
            let last = match index {
                47 => "changed",
                48 => "error",
                _ => "unchanged",
            };
            app.clock.advance(SECOND);
            assert_eq!(outcomes(&app, &who, monitor).await, ["baseline", last], "{index}");
            assert_eq!(changes(&app, &who, monitor).await.len(), usize::from(index == 47));
        }
        assert_eq!(credits(&app, &who).await.0, used + 1, "unchanged monitors cost nothing");
        let failed = get_monitor(&app, &who, &all[48]).await;
        assert_eq!((&failed["failureCount"], &failed["status"]), (&1.into(), &"active".into()));
        let one = &runs(&app, &who, &all[0]).await[0];
        assert_eq!((&one["credits"], &one["modified"]), (&0.into(), &0.into()));
        let waiting =
            "SELECT count(*) FROM monitor WHERE next_run_at > last_run_at AND last_run_at > created_at";
        assert_eq!(query_number(&app.app.domain, waiting).await, 49);
        let sql = "SELECT count(*) FROM monitor_target WHERE etag = '\"other\"'";
        assert_eq!(query_number(&app.app.domain, sql).await, 1, "the validator of a known body is stored");
    });
}

async fn assert_constant_statements_if_unchanged(world: World) {
    let mut counts = Vec::new();
    for count in [5, MONITORS] {
        let app = Setup::on(world).set("CARREL_READER_LIMITS", "off").spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        let worker = Worker::of(&app);
        watch_pages(&app, &who, &worker, 0..count).await;
        respond_not_modified(&app, 0..count);
        counts.push(worker.run_all(&app).await);
        let runs = "SELECT count(*) FROM monitor_run WHERE outcome = 'unchanged'";
        assert_eq!(query_number(&app.app.domain, runs).await, i64::try_from(count).unwrap());
    }
    eprintln!("statements of a batch: {counts:?}");
    assert_eq!(counts[0], counts[1], "5 monitors need as many statements as {MONITORS}");
    // Excludes `BEGIN` and `COMMIT` of two transactions, and one query of the database clock.
    assert!(counts[1] + 5 <= 29, "at most 0.6 statements per monitor: {counts:?}");
}

#[test]
fn unchanged_monitors_need_a_constant_number_of_statements_on_sqlite() {
    run(assert_constant_statements_if_unchanged(World::Small));
}

#[test]
fn unchanged_monitors_need_a_constant_number_of_statements_on_postgresql() {
    run(assert_constant_statements_if_unchanged(World::Large));
}

/// Counts the statements of runs in which every monitor changed. `is_followed` defines whether the owner
/// follows the monitors' feeds.
async fn assert_few_statements_per_change(world: World, is_followed: bool) {
    let mut counts = Vec::new();
    for count in [5, MONITORS] {
        let app = Setup::on(world).set("CARREL_READER_LIMITS", "off").spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        let worker = Worker::of(&app);
        for monitor in watch_pages(&app, &who, &worker, 0..count).await {
            let follow = serde_json::json!({"follow": is_followed});
            send(&app, &who, Method::PATCH, &path(&monitor), &follow).await.expect(200);
        }
        let mut least = u64::MAX;
        // At its first difference, each page is fetched again to detect noise.
        for round in 1..=3 {
            for number in 0..count {
                app.site.put(&format!("/page-{number}"), page(&format!("Tide {round} of {number}.")));
            }
            least = least.min(worker.claim_and_run(&app).await.1);
        }
        counts.push(least);
        let all = 3 * i64::try_from(count).unwrap();
        let changed = "SELECT count(*) FROM monitor_run WHERE outcome = 'changed'";
        assert_eq!(query_number(&app.app.domain, changed).await, all);
        let sql = "SELECT count(*) FROM feed_event v JOIN feed_entry e ON e.id = v.entry_id";
        assert_eq!(query_number(&app.app.domain, sql).await, if is_followed { all } else { 0 });
    }
    eprintln!("statements of a batch in which everything changed, followed {is_followed}: {counts:?}");
    // Slow checks are committed in a second batch.
    assert!(counts.iter().all(|count| *count <= 45), "less than one statement per change: {counts:?}");
}

#[test]
fn changed_monitors_share_statements_on_sqlite() {
    run(assert_few_statements_per_change(World::Small, false));
}

#[test]
fn changed_monitors_share_statements_on_postgresql() {
    run(assert_few_statements_per_change(World::Large, false));
}

#[test]
fn changed_followed_monitors_share_statements_on_sqlite() {
    run(assert_few_statements_per_change(World::Small, true));
}

#[test]
fn changed_followed_monitors_share_statements_on_postgresql() {
    run(assert_few_statements_per_change(World::Large, true));
}

#[test]
fn changes_of_a_batch_are_recorded_and_charged_without_duplicates() {
    on_each_world(async |app| {
        let (one, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let worker = Worker::of(&app);
        let ones = watch_pages(&app, &one, &worker, 0..12).await;
        let others = watch_pages(&app, &other, &worker, 12..24).await;
        let follow = serde_json::json!({"follow": false});
        send(&app, &one, Method::PATCH, &path(&ones[3]), &follow).await.expect(200);
        let before = (credits(&app, &one).await.0, credits(&app, &other).await.0);
        for (round, paid) in [(1, 12), (2, 24)] {
            for number in 0..24 {
                app.site.put(&format!("/page-{number}"), page(&format!("Tide {round} of {number}.")));
            }
            worker.run_all(&app).await;
            for (who, monitors) in [(&one, &ones), (&other, &others)] {
                for monitor in monitors {
                    app.clock.advance(SECOND);
                    let recorded = changes(&app, who, monitor).await;
                    assert_eq!(recorded.len(), round, "{recorded:?}");
                }
            }
            let used = (credits(&app, &one).await.0, credits(&app, &other).await.0);
            assert_eq!(used, (before.0 + paid, before.1 + paid));
        }
        let unpaid = "SELECT count(*) FROM monitor_run r WHERE r.outcome = 'changed' AND 1 <> \
             (SELECT count(*) FROM credit_entry c WHERE c.run_id = r.id)";
        assert_eq!(query_number(&app.app.domain, unpaid).await, 0);
        let recorded = "SELECT count(*) FROM feed_entry e WHERE 1 = (SELECT count(*) FROM feed_event v \
             WHERE v.entry_id = e.id AND v.feed_id = e.feed_id AND v.kind = 'entry.discovered')";
        assert_eq!(
            query_number(&app.app.domain, recorded).await,
            2 * 23,
            "each entry has one event in its owner's feed"
        );
        let order = "SELECT count(*) FROM feed_entry e JOIN feed_entry f ON f.id > e.id AND f.discovered_us <= e.discovered_us";
        assert_eq!(query_number(&app.app.domain, order).await, 0, "times increase with ids");
    });
}

/// Asserts that each of three runs with a change executes at most `most` statements.
async fn assert_statements_per_changed_run(world: World, is_followed: bool, most: u64) {
    let app = Setup::on(world).set("CARREL_READER_LIMITS", "off").spawn().await;
    let who = Person::on(&app, Tier::Pro).await;
    let worker = Worker::of(&app);
    let monitor = watch_pages(&app, &who, &worker, 0..1).await.remove(0);
    let follow = serde_json::json!({"follow": is_followed});
    send(&app, &who, Method::PATCH, &path(&monitor), &follow).await.expect(200);
    let mut counts = Vec::new();
    for words in ["The tide is high.", "The bridge is closed.", "A ship came in."] {
        app.site.put("/page-0", page(words));
        // Includes `BEGIN` and `COMMIT`.
        counts.push(worker.claim_and_run(&app).await.1 + 2);
    }
    eprintln!("statements of runs that find a change, followed {is_followed}: {counts:?}");
    assert_eq!(outcomes(&app, &who, &monitor).await, ["baseline", "changed", "changed", "changed"]);
    assert_eq!(changes(&app, &who, &monitor).await.len(), 3);
    assert_eq!(credits(&app, &who).await.0, 4, "each evaluated run costs one credit");
    assert!(counts.iter().all(|count| *count <= most), "at most {most}: {counts:?}");
}

#[test]
fn changed_run_executes_at_most_nine_statements_on_postgresql() {
    run(assert_statements_per_changed_run(World::Large, false, 9));
}

#[test]
fn changed_run_of_followed_monitor_executes_few_statements_on_postgresql() {
    run(assert_statements_per_changed_run(World::Large, true, 16));
}
