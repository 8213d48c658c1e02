//! Limits of accounts: exact under load, announced in headers, and charged once per download.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::clock::{HOUR, SECOND};
use crate::support::person::Person;
use crate::support::servers::{PrivateRedis, Process, free_port};
use crate::support::{HttpAnswer, Reply, Setup, TestApp, World, eventually, on_each_world, run};

/// Creates a file with small limits. The file is deleted when the returned folder is dropped.
fn tiers(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiers.toml");
    std::fs::write(&path, text).unwrap();
    (folder, path.display().to_string())
}

async fn small(world: World, text: &str) -> (TestApp, tempfile::TempDir) {
    let (folder, path) = tiers(text);
    (Setup::on(world).set("CARREL_READER_LIMITS", "off").set("CARREL_TIERS_FILE", path).spawn().await, folder)
}

fn on_small_worlds(text: &str, test: impl AsyncFn(TestApp)) {
    run(async {
        for world in World::ALL {
            let (app, _folder) = small(world, text).await;
            test(app).await;
        }
    });
}

#[test]
fn headers_announce_the_remaining_limits() {
    on_small_worlds("[free]\noperations_per_minute = 3\noperations_per_day = 5\n", async |app| {
        let person = Person::free(&app).await;
        for left in [2, 1, 0] {
            let answer = person.get(&app, "/v1/me").await.expect(200);
            assert_eq!(answer.rate_limit("minute"), (left, 60));
            assert_eq!(answer.header("ratelimit-remaining"), left.to_string());
            assert_eq!(answer.header("x-ratelimit-limit"), "3");
        }
        let refused = person.get(&app, "/v1/me").await;
        let body = refused.api_error(429, "rate_limited");
        assert_eq!(
            (&body["retryAfter"], &body["details"]),
            (&json!(60), &json!("limit=3 used=3 policy=minute"))
        );
        app.clock.advance(59 * SECOND);
        assert_eq!(person.get(&app, "/v1/me").await.api_error(429, "rate_limited")["retryAfter"], 1);
        app.clock.advance(SECOND);
        person.get(&app, "/v1/me").await.expect(200);
        person.post(&app, "/v1/articles/read", &json!({})).await.api_error(400, "invalid_request");
        let refused = person.get(&app, "/v1/me").await;
        assert_eq!(refused.api_error(429, "daily_limit_reached")["retryAfter"], 12 * 3600 - 60);
        app.clock.advance(12 * HOUR);
        person.get(&app, "/v1/me").await.expect(200);
    });
}

#[test]
fn restart_does_not_reset_the_daily_limit() {
    on_small_worlds("[free]\noperations_per_day = 3\n", async |app| {
        let person = Person::free(&app).await;
        for _ in 0..3 {
            person.get(&app, "/v1/me").await.expect(200);
        }
        let app = app.restart().await;
        person.get(&app, "/v1/me").await.api_error(429, "daily_limit_reached");
    });
}

#[test]
fn operation_outside_the_plan_is_refused() {
    on_small_worlds("[free]\nfresh_extractions_per_day = 0\n", async |app| {
        let person = Person::free(&app).await;
        let url = app.site.article("/town");
        person.post(&app, "/v1/articles/read", &json!({"url": url})).await.api_error(403, "plan_required");
    });
}

#[test]
fn stale_text_is_served_if_fresh_extractions_are_used_up() {
    on_small_worlds("[free]\nfresh_extractions_per_day = 1\n", async |app| {
        let person = Person::free(&app).await;
        let (known, new) = (app.site.article("/known"), app.site.article("/new"));
        let read = async |url: &str| person.post(&app, "/v1/articles/read", &json!({"url": url})).await;
        let first = read(&known).await.expect(200);
        assert_eq!(first.rate_limit("fresh-day").0, 0);
        assert_eq!(first.json()["cacheHit"], false);
        assert_eq!(first.header("age"), "");
        let refused = read(&new).await;
        refused.api_error(429, "fresh_extraction_limit");
        assert_eq!(app.site.hits("/new"), 0);
        app.clock.advance(2 * HOUR);
        let older = read(&known).await.expect(200);
        assert_eq!((older.json()["cacheHit"].clone(), older.header("age")), (json!(true), "7200"));
        assert_eq!(app.site.hits("/known"), 1);
    });
}

#[test]
fn requests_without_a_download_are_not_charged() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let fresh = async || {
            let answer = person.post(&app, "/v1/articles/read", &json!({})).await;
            answer.rate_limit("fresh-day").0
        };
        assert_eq!(fresh().await, 100);
        let dead = json!({"url": format!("http://127.0.0.1:{}/", free_port())});
        person.post(&app, "/v1/articles/read", &dead).await.api_error(502, "source_unreachable");
        assert_eq!(fresh().await, 100, "an unreachable source is refunded");
        let url = app.site.put("/page", Reply::html(crate::support::site::article()).with("etag", "\"1\""));
        person.post(&app, "/v1/articles/read", &json!({"url": url})).await.expect(200);
        assert_eq!(fresh().await, 99, "one download is charged");
        app.clock.advance(2 * HOUR);
        app.site.put("/page", Reply::status(304).with("etag", "\"1\""));
        let again = person.post(&app, "/v1/articles/read", &json!({"url": url})).await.expect(200).json();
        assert_eq!(again["cacheHit"], true);
        assert_eq!(app.site.hits("/page"), 2);
        assert_eq!(fresh().await, 99, "a 304 of the source is refunded");
    });
}

#[test]
fn fifty_callers_of_two_processes_are_charged_one_download() {
    on_each_world(async |app| {
        let second = app.second_front().await;
        let (one, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let url = app.site.article("/town");
        let gate = app.site.hold("/town");
        let body = json!({"url": url});
        let fronts = if app.world() == World::Large { [&app, &second] } else { [&app, &app] };
        let calls = (0..50).map(|call| {
            let person = if call % 4 < 2 { &one } else { &other };
            person.post(fronts[call % 2], "/v1/articles/read", &body)
        });
        let calls = futures_util::future::join_all(calls);
        let (answers, ()) = tokio::join!(calls, async {
            gate.wait_for_requests(1).await;
            gate.open();
        });
        for answer in answers {
            answer.expect(200);
        }
        assert_eq!(app.site.hits("/town"), 1);
        let (mut used, mut operations) = (0, 0);
        for person in [&one, &other] {
            let answer = person.post(&app, "/v1/articles/read", &json!({})).await;
            used += 10_000 - answer.rate_limit("fresh-day").0;
            operations += 1200 - answer.rate_limit("minute").0;
        }
        assert_eq!(used, 1, "one download is charged once");
        assert_eq!(operations, 50 + 2, "each read and each lookup is one operation");
    });
}

#[test]
fn four_processes_never_exceed_a_shared_limit() {
    run(async {
        let (app, folder) = small(World::Large, "[free]\noperations_per_minute = 60\n").await;
        let redis = PrivateRedis::start().await;
        let person = Person::free(&app).await;
        let tiers = folder.path().join("tiers.toml").display().to_string();
        let ports: Vec<u16> = (0..4).map(|_| free_port()).collect();
        let processes: Vec<Process> = ports
            .iter()
            .map(|port| {
                let settings = [
                    ("DATABASE_URL", app.database_url().to_owned()),
                    ("REDIS_URL", redis.url()),
                    ("CARREL_LISTEN", format!("127.0.0.1:{port}")),
                    ("CARREL_TIERS_FILE", tiers.clone()),
                ];
                Process::start(&["web"], &settings)
            })
            .collect();
        for process in &processes {
            process.wait_for_log("answering").await;
        }
        let headers = [("x-api-key", person.key.as_str())];
        let paths: Vec<String> =
            (0..200).map(|call| format!("http://127.0.0.1:{}/v1/me", ports[call % 4])).collect();
        for port in &ports {
            let path = format!("http://127.0.0.1:{port}/healthz");
            eventually("the process answers", async || app.get(&path).await.status, |status| *status == 200)
                .await;
        }
        let answers = futures_util::future::join_all(
            paths.iter().map(|path| app.send(Method::GET, path, &headers, None)),
        )
        .await;
        let of = |status: u16| answers.iter().filter(|answer| answer.status == status).count();
        assert_eq!((of(200), of(429)), (60, 140));
        let mut left: Vec<u32> = answers
            .iter()
            .filter(|answer| answer.status == 200)
            .map(|answer| answer.rate_limit("minute").0)
            .collect();
        left.sort_unstable();
        assert_eq!(left, (0..60).collect::<Vec<u32>>(), "each response reports a different remainder");
    });
}

#[test]
fn downgrade_retains_keys_beyond_the_plan() {
    on_each_world(async |app| {
        let person = Person::on(&app, Tier::Premium).await;
        for _ in 0..4 {
            person.create_key(&app, kernel::Scopes::READ, None).await;
        }
        identity::accounts::set_tier(&app.app.domain, &person.email, Tier::Free).await.unwrap();
        let me = person.get(&app, "/v1/me").await.expect(200).json();
        assert_eq!((&me["tier"], &me["limits"]["activeApiKeys"]), (&json!("free"), &json!(2)));
        let listed: Value = person.get(&app, "/v1/keys").await.expect(200).json();
        assert_eq!(listed["keys"].as_array().unwrap().len(), 5);
    });
}

#[test]
fn call_to_an_unknown_operation_is_counted_if_its_key_is_valid() {
    on_small_worlds("[free]\noperations_per_minute = 4\n", async |app| {
        let person = Person::free(&app).await;
        let left = |answer: &HttpAnswer| answer.rate_limit("minute").0;
        assert_eq!(left(&person.get(&app, "/v1/nothing").await.expect(404)), 3);
        assert_eq!(left(&person.send(&app, Method::PUT, "/v1/me").await.expect(405)), 2);
        assert_eq!(left(&person.get(&app, "/v1/monitors/none").await.expect(404)), 1);
        assert_eq!(left(&person.get(&app, "/v1/rss/entries?limit=0").await.expect(422)), 0);
        for path in ["/v1/nothing", "/v1/me"] {
            person.get(&app, path).await.api_error(429, "rate_limited");
        }
        person.send(&app, Method::PUT, "/v1/me").await.api_error(429, "rate_limited");
        let unknown = app.get_with("/v1/nothing", &[("x-api-key", "svc_nobody")]).await;
        unknown.api_error(404, "not_found");
        assert_eq!(unknown.header("ratelimit"), "", "an unknown caller has no limits to report");
        assert_eq!(app.get("/v1/me").await.expect(401).header("ratelimit"), "");
    });
}
