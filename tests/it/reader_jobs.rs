//! Read jobs of the public reader.

use articles::reader::read_jobs::{ReadJob, ReadJobState};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

use crate::support::clock::{DAY, SECOND};
use crate::support::monitoring::query_number;
use crate::support::{HttpAnswer, Reply, Setup, TestApp, World, eventually, on_each_world, run};

const JOBS: &str = "/api/v1/read/jobs";

async fn create(app: &TestApp, body: Value) -> HttpAnswer {
    app.post(JOBS, &body).await.expect(202)
}

async fn poll(app: &TestApp, id: &Value) -> Value {
    app.get(&format!("{JOBS}/{}", id.as_str().unwrap())).await.expect(200).json()
}

/// Ticks until the job has this state. Reads the database, because polls are rate-limited.
async fn wait_for_state(app: &TestApp, id: &Value, state: &str) -> Value {
    wait_for_job(app, id, |job| job.state.as_str() == state).await;
    poll(app, id).await
}

async fn wait_for_job(app: &TestApp, id: &Value, condition: impl Fn(&ReadJob) -> bool) {
    let id = id.as_str().unwrap().parse().unwrap();
    let tick_and_read = async || {
        app.tick().await;
        articles::reader::read_jobs::get(&app.app.domain, id).await.expect("the read job is stored")
    };
    eventually("the job settles", tick_and_read, condition).await;
}

#[test]
fn job_is_first_queued_then_running_then_complete() {
    run(async {
        for world in World::ALL {
            let mut app = Setup::on(world).set("CARREL_READER_LIMITS", "off").idle().spawn().await;
            let url = app.site.article("/town");
            let gate = app.site.hold("/town");
            let created = create(&app, json!({"url": url, "query": "bread"})).await;
            let job = created.json();
            let id = job["job_id"].clone();
            assert_eq!(created.header("location"), format!("{}{JOBS}/{}", app.origin, id.as_str().unwrap()));
            assert_eq!(created.header("retry-after"), "2");
            let expected = json!({
                "job_id": id, "state": "queued", "url": url, "query": "bread",
                "created_at": "2026-11-20T12:00:00.000Z", "started_at": null, "finished_at": null,
                "expires_at": job["expires_at"], "attempts": 0, "poll_after": 2, "result_url": null, "error": null,
            });
            assert_eq!(job, expected);
            assert_eq!(poll(&app, &id).await, expected);
            app.clock.advance(5 * SECOND);
            app.start_workers().await;
            gate.wait_for_requests(1).await;
            let running = poll(&app, &id).await;
            assert_eq!((&running["state"], &running["attempts"]), (&json!("running"), &json!(1)));
            assert_eq!(running["started_at"], "2026-11-20T12:00:05.000Z");
            app.clock.advance(5 * SECOND);
            gate.open();
            let done = wait_for_state(&app, &id, "complete").await;
            assert_eq!(done["finished_at"], "2026-11-20T12:00:10.000Z");
            assert_eq!(done["expires_at"], "2026-11-21T12:00:10.000Z");
            assert_eq!((&done["poll_after"], &done["error"]), (&json!(0), &Value::Null));
            let answer = app.get(&format!("{JOBS}/{}", id.as_str().unwrap())).await;
            assert_eq!(answer.header("retry-after"), "");
            let result =
                app.get_with(done["result_url"].as_str().unwrap(), &[("accept", "application/json")]).await;
            let result = result.expect(200).json();
            assert_eq!((&result["query"], &result["title"]), (&json!("bread"), &json!("A town by the sea")));
            assert_eq!(app.site.hits("/town"), 1);
        }
    });
}

#[test]
fn stored_job_does_not_contain_the_address_of_its_caller() {
    run(async {
        let app = Setup::on(World::Small).idle().spawn().await;
        create(&app, json!({"url": app.site.article("/town")})).await;
        let write = app.app.domain.db().write();
        let sql = "SELECT payload FROM job WHERE kind = 'read_job'";
        let query = Statement::from_string(write.get_database_backend(), sql.to_owned());
        let row = write.query_one_raw(query).await.unwrap().unwrap();
        let payload: String = row.try_get_by_index(0).unwrap();
        let caller = serde_json::from_str::<Value>(&payload).unwrap()["caller"].clone();
        let is_hash = |caller: &str| caller.len() == 16 && caller.bytes().all(|b| b.is_ascii_hexdigit());
        assert!(caller.as_str().is_some_and(is_hash), "{payload}");
    });
}

#[test]
fn job_is_accepted_if_the_text_is_cached() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        app.read(&url, &[]).await.expect(200);
        let job = create(&app, json!({"url": url, "format": "markdown"})).await.json();
        let done = wait_for_state(&app, &job["job_id"], "complete").await;
        let result = app.get(done["result_url"].as_str().unwrap()).await.expect(200);
        assert_eq!(result.header("content-type"), "text/markdown; charset=utf-8");
        assert_eq!(app.site.hits("/town"), 1);
        let job = create(&app, json!({"url": url, "max_age": 0})).await.json();
        wait_for_state(&app, &job["job_id"], "complete").await;
        assert_eq!(app.site.hits("/town"), 2);
    });
}

#[test]
fn repeated_request_returns_a_job_whose_answer_was_lost() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let post = async |key: &str, url: &str| {
            let headers = [("idempotency-key", key)];
            let answer = app.post_with("/api/v1/read/jobs", &headers, &json!({"url": url})).await.expect(202);
            assert_eq!(answer.header("idempotency-replayed"), "", "the request was executed, not replayed");
            answer.json()["job_id"].clone()
        };
        // Simulates a killed process, or a lost database response, before the answer was stored.
        let forget = async || {
            let write = app.app.domain.db().write();
            write.execute_unprepared("DELETE FROM idempotency").await.unwrap();
        };
        let first = post("k-1", &url).await;
        forget().await;
        assert_eq!(post("k-1", &url).await, first, "the job is waiting");
        wait_for_state(&app, &first, "complete").await;
        forget().await;
        assert_eq!(post("k-1", &url).await, first, "the job is complete");
        assert_ne!(post("k-2", &url).await, first, "another key creates another job");
        forget().await;
        assert_ne!(post("k-1", &format!("{url}?page=2")).await, first, "another request creates another job");
        app.clock.advance(DAY);
        assert_ne!(post("k-1", &url).await, first, "a key is valid for a day");
        assert_eq!(query_number(&app.app.domain, "SELECT COUNT(*) FROM read_job").await, 4);
    });
}

#[test]
fn job_retains_its_text_if_the_page_changes() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let job = create(&app, json!({"url": url})).await.json();
        let done = wait_for_state(&app, &job["job_id"], "complete").await;
        app.site
            .put("/town", Reply::html("<h1>Moved</h1><p>All of this town has moved to the hills now.</p>"));
        assert_eq!(app.read(&url, &[("max_age", "0")]).await.expect(200).json()["title"], "Moved");
        let id = job["job_id"].as_str().unwrap();
        assert_eq!(app.read(&url, &[("job_id", id)]).await.expect(200).json()["title"], "A town by the sea");
        app.get(done["result_url"].as_str().unwrap()).await.expect(200);
        let other = app.site.article("/other");
        app.read(&other, &[("job_id", id)]).await.problem(400, "invalid_parameter");
    });
}

#[test]
fn permanent_failure_fails_the_job_immediately() {
    on_each_world(async |app| {
        let url = app.site.url("/gone");
        let job = create(&app, json!({"url": url})).await.json();
        let failed = wait_for_state(&app, &job["job_id"], "failed").await;
        assert_eq!((&failed["attempts"], &failed["result_url"]), (&json!(1), &Value::Null));
        assert_eq!(
            (&failed["error"]["code"], &failed["error"]["status"]),
            (&json!("source_not_found"), &json!(422))
        );
        for field in ["type", "title", "detail", "resolution"] {
            assert!(failed["error"][field].is_string(), "{field}");
        }
        let id = job["job_id"].as_str().unwrap();
        app.read(&url, &[("job_id", id)]).await.problem(422, "source_not_found");
    });
}

#[test]
fn transient_failure_is_retried_after_two_and_eight_seconds() {
    on_each_world(async |app| {
        let url = app.site.put("/ill", Reply::status(503));
        let job = create(&app, json!({"url": url})).await.json();
        let id = &job["job_id"];
        let wait_for_retry = async |attempts: u32| {
            wait_for_job(&app, id, |job| job.state == ReadJobState::Queued && job.attempts == attempts).await;
            poll(&app, id).await
        };
        for (attempts, wait) in [(1, 2), (2, 8)] {
            let waiting = wait_for_retry(attempts).await;
            assert_eq!((&waiting["error"], &waiting["poll_after"]), (&Value::Null, &json!(2)));
            app.clock.advance(wait * SECOND - 1);
            app.tick().await;
            app.run_jobs().await;
            assert_eq!(app.site.hits("/ill"), usize::try_from(attempts).unwrap());
            app.clock.advance(1);
            app.tick().await;
        }
        let failed = wait_for_state(&app, id, "failed").await;
        assert_eq!((&failed["attempts"], &failed["error"]["code"]), (&json!(3), &json!("source_error")));
        assert_eq!(app.site.hits("/ill"), 3);
    });
}

#[test]
fn job_completes_if_the_source_recovers() {
    on_each_world(async |app| {
        let url = app.site.put("/ill", Reply::status(500));
        let job = create(&app, json!({"url": url})).await.json();
        wait_for_job(&app, &job["job_id"], |job| job.state == ReadJobState::Queued && job.attempts == 1)
            .await;
        app.site.article("/ill");
        app.clock.advance(2 * SECOND);
        let done = wait_for_state(&app, &job["job_id"], "complete").await;
        assert_eq!((&done["attempts"], &done["started_at"]), (&json!(2), &json!("2026-11-20T12:00:00.000Z")));
    });
}

#[test]
fn job_expires_a_day_after_completion() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let job = create(&app, json!({"url": url})).await.json();
        let done = wait_for_state(&app, &job["job_id"], "complete").await;
        app.clock.advance(DAY - 1);
        app.clean_up().await;
        poll(&app, &job["job_id"]).await;
        app.clock.advance(1);
        let path = format!("{JOBS}/{}", job["job_id"].as_str().unwrap());
        app.get(&path).await.problem(404, "job_not_found");
        app.get(done["result_url"].as_str().unwrap()).await.problem(404, "job_not_found");
        app.clean_up().await;
        app.get(&path).await.problem(404, "job_not_found");
    });
}

#[test]
fn job_survives_a_restart() {
    run(async {
        for world in World::ALL {
            let app = Setup::on(world).set("CARREL_READER_LIMITS", "off").idle().spawn().await;
            let url = app.site.article("/town");
            let job = create(&app, json!({"url": url})).await.json();
            let app = app.restart().await;
            wait_for_state(&app, &job["job_id"], "complete").await;
        }
    });
}

#[test]
fn unknown_job_returns_404() {
    run(async {
        let app = TestApp::spawn().await;
        let unknown = "01940000-0000-7000-8000-000000000000";
        for id in [unknown, "x", "%20", "..%2f"] {
            app.get(&format!("{JOBS}/{id}")).await.problem(404, "job_not_found");
        }
        let url = app.site.article("/town");
        app.read(&url, &[("job_id", unknown)]).await.problem(404, "job_not_found");
    });
}

#[test]
fn unfinished_job_has_no_text() {
    run(async {
        let app = Setup::on(World::Small).set("CARREL_READER_LIMITS", "off").idle().spawn().await;
        let url = app.site.article("/town");
        let job = create(&app, json!({"url": url})).await.json();
        app.read(&url, &[("job_id", job["job_id"].as_str().unwrap())]).await.problem(404, "job_not_found");
    });
}

#[test]
fn invalid_job_is_refused_immediately() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        for (body, code) in [
            (json!({}), "missing_url"),
            (json!({"url": "town"}), "invalid_url"),
            (json!({"url": "http://10.0.0.1/"}), "url_not_allowed"),
            (json!({"url": url, "lines": "1"}), "invalid_parameter"),
            (json!({"url": url, "max_age": 86_401}), "invalid_parameter"),
            (json!({"url": url, "format": "pdf"}), "invalid_parameter"),
        ] {
            app.post(JOBS, &body).await.problem(400, code);
        }
    });
}

#[test]
fn polls_have_a_separate_limit() {
    run(async {
        for world in World::ALL {
            let app = Setup::on(world).idle().spawn().await;
            let created = create(&app, json!({"url": app.site.article("/town")})).await;
            assert_eq!(created.header("ratelimit"), "\"burst\";r=4;t=10, \"sustained\";r=59;t=60");
            let path = format!("{JOBS}/{}", created.json()["job_id"].as_str().unwrap());
            for left in (0..120).rev() {
                let answer = app.get(&path).await.expect(200);
                let policies = "\"burst\";q=5;w=10, \"sustained\";q=60;w=60, \"poll\";q=120;w=60";
                assert_eq!(answer.header("ratelimit-policy"), policies);
                let reads = "\"burst\";r=4;t=10, \"sustained\";r=59;t=60";
                assert_eq!(answer.header("ratelimit"), format!("{reads}, \"poll\";r={left};t=60"));
            }
            let refused = app.get(&path).await;
            refused.problem(429, "rate_limited");
            assert_eq!(refused.header("retry-after"), "60");
            let read = app.get("/api/v1/sandbox/read").await.expect(200);
            assert_eq!(read.header("ratelimit"), "\"burst\";r=4;t=10, \"sustained\";r=59;t=60");
        }
    });
}

#[test]
fn polls_are_unlimited_if_limits_are_off() {
    run(async {
        let app = Setup::on(World::Small).set("CARREL_READER_LIMITS", "off").idle().spawn().await;
        let created = create(&app, json!({"url": app.site.article("/town")})).await;
        let path = format!("{JOBS}/{}", created.json()["job_id"].as_str().unwrap());
        for _ in 0..125 {
            assert_eq!(app.get(&path).await.expect(200).header("ratelimit"), "");
        }
    });
}

#[test]
fn job_text_can_be_paged_and_polled_with_head() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let job = create(&app, json!({"url": url})).await.json();
        wait_for_state(&app, &job["job_id"], "complete").await;
        let id = job["job_id"].as_str().unwrap();
        let head = app.send(reqwest::Method::HEAD, &format!("{JOBS}/{id}"), &[], None).await.expect(200);
        assert!(head.body.is_empty());
        let whole = app.read(&url, &[("job_id", id)]).await.expect(200).json();
        app.site.put("/town", Reply::status(404));
        app.read(&url, &[("max_age", "0")]).await.expect(422);
        let parameters = [("job_id", id), ("limit", "5"), ("format", "json")];
        let mut next = Some(crate::support::app::read_path(&url, &parameters));
        let mut blocks = Vec::new();
        while let Some(path) = next {
            let answer = app.get(&path).await.expect(200);
            blocks.extend(answer.json()["blocks"].as_array().unwrap().clone());
            next = answer.link("next");
        }
        assert_eq!(json!(blocks), whole["blocks"]);
    });
}
