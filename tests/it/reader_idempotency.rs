//! `Idempotency-Key` header of the reader.

use serde_json::{Value, json};

use crate::support::clock::{DAY, SECOND};
use crate::support::monitoring::query_number;
use crate::support::{HttpAnswer, Reply, Setup, TestApp, World, on_each_world, run};

async fn post(app: &TestApp, key: &str, body: &Value) -> HttpAnswer {
    app.post_with("/api/v1/read", &[("idempotency-key", key)], body).await
}

#[test]
fn repeated_request_is_replayed_without_a_new_extraction() {
    on_each_world(async |app| {
        let body = json!({"url": app.site.article("/town"), "max_age": 0});
        let first = post(&app, "k-1", &body).await.expect(200);
        assert_eq!(first.header("idempotency-replayed"), "");
        app.site.put("/town", Reply::status(404));
        app.clock.advance(DAY - SECOND);
        let second = post(&app, "k-1", &body).await.expect(200);
        assert_eq!(second.header("idempotency-replayed"), "true");
        assert_eq!(second.text(), first.text());
        for name in ["content-type", "etag", "link", "content-location", "x-svc-total-tokens"] {
            assert_eq!(second.header(name), first.header(name), "{name}");
        }
        assert_ne!(second.header("x-request-id"), first.header("x-request-id"));
        assert_eq!(app.site.hits("/town"), 1);
    });
}

#[test]
fn replay_is_free_and_reports_current_limits() {
    run(async {
        for world in World::ALL {
            let app = Setup::on(world).spawn().await;
            let body = json!({"url": app.site.article("/town")});
            assert_eq!(post(&app, "k", &body).await.expect(200).header("ratelimit-remaining"), "4");
            for _ in 0..8 {
                let again = post(&app, "k", &body).await.expect(200);
                assert_eq!(again.header("ratelimit-remaining"), "4", "{world:?}");
                assert_eq!(again.header("idempotency-replayed"), "true");
            }
        }
    });
}

#[test]
fn quoted_key_and_reordered_body_match() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        post(&app, "abc", &json!({"url": url, "query": "bread"})).await.expect(200);
        let again = post(&app, "\"abc\"", &json!({"query": "bread", "url": url})).await.expect(200);
        assert_eq!(again.header("idempotency-replayed"), "true");
    });
}

#[test]
fn key_is_bound_to_one_request() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        post(&app, "k", &json!({"url": url})).await.expect(200);
        post(&app, "k", &json!({"url": url, "query": "bread"})).await.problem(409, "idempotency_key_reused");
        let headers = [("idempotency-key", "k"), ("accept", "text/plain")];
        app.post_with("/api/v1/read", &headers, &json!({"url": url}))
            .await
            .problem(409, "idempotency_key_reused");
        let headers = [("idempotency-key", "k")];
        app.post_with("/api/v1/read/jobs", &headers, &json!({"url": url}))
            .await
            .problem(409, "idempotency_key_reused");
        assert_eq!(
            post(&app, "k", &json!({"url": url})).await.expect(200).header("idempotency-replayed"),
            "true"
        );
    });
}

#[test]
fn key_in_progress_is_reported_by_every_process() {
    on_each_world(async |app| {
        let body = json!({"url": app.site.article("/town")});
        let gate = app.site.hold("/town");
        let other = app.second_front().await;
        let first = post(&app, "k", &body);
        let meanwhile = async {
            gate.wait_for_requests(1).await;
            for front in [&app, &other] {
                let answer = post(front, "k", &body).await;
                answer.problem(409, "idempotency_key_in_progress");
                assert_eq!(answer.header("retry-after"), "1");
            }
            gate.open();
        };
        let (first, ()) = tokio::join!(first, meanwhile);
        let first = first.expect(200);
        let again = post(&other, "k", &body).await.expect(200);
        assert_eq!((again.header("idempotency-replayed"), again.text()), ("true", first.text()));
    });
}

#[test]
fn stored_answer_survives_a_restart() {
    on_each_world(async |app| {
        let body = json!({"url": app.site.article("/town")});
        let first = post(&app, "k", &body).await.expect(200).text();
        let app = app.restart().await;
        let again = post(&app, "k", &body).await.expect(200);
        assert_eq!((again.header("idempotency-replayed"), again.text()), ("true", first));
    });
}

#[test]
fn answer_is_stored_if_the_caller_disconnects() {
    on_each_world(async |app| {
        let body = json!({"url": app.site.article("/town")});
        let gate = app.site.hold("/town");
        let request = app.request(reqwest::Method::POST, "/api/v1/read").header("idempotency-key", "k");
        let request = request.header("content-type", "application/json").body(body.to_string());
        let caller = tokio::spawn(request.send());
        gate.wait_for_requests(1).await;
        caller.abort();
        gate.open();
        let answered = async || post(&app, "k", &body).await;
        let answer =
            crate::support::eventually("the answer is kept", answered, |answer| answer.status != 409).await;
        assert_eq!((answer.status, answer.header("idempotency-replayed")), (200, "true"));
    });
}

#[test]
fn source_failure_releases_the_key() {
    on_each_world(async |app| {
        let url = app.site.put("/town", Reply::status(500));
        let body = json!({"url": url, "max_age": 0});
        post(&app, "k", &body).await.problem(502, "source_error");
        app.site.article("/town");
        let second = post(&app, "k", &body).await.expect(200);
        assert_eq!(second.header("idempotency-replayed"), "");
    });
}

#[test]
fn permanent_failure_is_stored() {
    on_each_world(async |app| {
        let body = json!({"url": app.site.url("/town"), "max_age": 0});
        let first = post(&app, "k", &body).await;
        first.problem(422, "source_not_found");
        app.site.article("/town");
        let second = post(&app, "k", &body).await;
        assert_eq!((second.status, second.header("idempotency-replayed")), (422, "true"));
        assert_eq!(second.text(), first.text());
        assert_eq!(second.header("content-type"), "application/problem+json");
        post(&app, "k2", &body).await.expect(200);
    });
}

#[test]
fn rate_limit_refusal_is_not_stored() {
    run(async {
        let app = Setup::on(World::Small).set("CARREL_READER_LIMITS", "1/10,60/60").spawn().await;
        let body = json!({"url": app.site.article("/town")});
        post(&app, "first", &body).await.expect(200);
        post(&app, "k", &body).await.problem(429, "rate_limited");
        app.clock.advance(10 * SECOND);
        assert_eq!(post(&app, "k", &body).await.expect(200).header("idempotency-replayed"), "");
    });
}

#[test]
fn key_expires_after_a_day() {
    on_each_world(async |app| {
        let body = json!({"url": app.site.article("/town")});
        post(&app, "k", &body).await.expect(200);
        app.clock.advance(DAY);
        assert_eq!(post(&app, "k", &body).await.expect(200).header("idempotency-replayed"), "");
        post(&app, "k", &json!({"url": body["url"], "query": "x"}))
            .await
            .problem(409, "idempotency_key_reused");
    });
}

#[test]
fn key_is_scoped_to_a_network() {
    run(async {
        let app = Setup::on(World::Small)
            .set("CARREL_READER_LIMITS", "off")
            .set("CARREL_TRUSTED_PROXIES", "127.0.0.1")
            .spawn()
            .await;
        let body = json!({"url": app.site.article("/town")});
        let from = async |address: &str| {
            let headers = [("idempotency-key", "k"), ("x-forwarded-for", address)];
            let answer = app.post_with("/api/v1/read", &headers, &body).await.expect(200);
            answer.header("idempotency-replayed").to_owned()
        };
        assert_eq!(from("198.51.100.1").await, "");
        assert_eq!(from("198.51.100.2").await, "");
        assert_eq!(from("198.51.100.1").await, "true");
        assert_eq!(from("2001:db8::1").await, "");
        assert_eq!(from("2001:db8::2").await, "true");
    });
}

#[test]
fn malformed_key_is_refused() {
    run(async {
        let app = TestApp::spawn().await;
        let body = json!({"url": app.site.article("/town")});
        let long = "k".repeat(256);
        for key in ["", "\"\"", "two words", "k\u{e4}", long.as_str()] {
            post(&app, key, &body).await.problem(400, "invalid_idempotency_key");
        }
        let twice = [("idempotency-key", "a"), ("idempotency-key", "b")];
        app.post_with("/api/v1/read", &twice, &body).await.problem(400, "invalid_idempotency_key");
        post(&app, &"k".repeat(255), &body).await.expect(200);
        assert_eq!(app.site.hits("/town"), 1);
    });
}

#[test]
fn batches_and_jobs_support_keys() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let twice = async |path: &str, body: Value| {
            let headers = [("idempotency-key", path)];
            let first = app.post_with(path, &headers, &body).await;
            let second = app.post_with(path, &headers, &body).await;
            assert_eq!(second.header("idempotency-replayed"), "true", "{path}");
            assert_eq!((second.status, second.text()), (first.status, first.text()));
            for name in ["location", "retry-after", "content-type"] {
                assert_eq!(second.header(name), first.header(name), "header {name} of {path}");
            }
            second
        };
        twice("/api/v1/read/batch", json!({"requests": [{"url": url}]})).await.expect(200);
        let job = twice("/api/v1/read/jobs", json!({"url": url})).await.expect(202);
        assert!(job.header("location").ends_with(job.json()["job_id"].as_str().unwrap()));
        app.run_jobs().await;
    });
}

#[test]
fn reused_key_with_an_invalid_body_is_a_conflict() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        post(&app, "k", &json!({"url": url})).await.expect(200);
        let wrong = json!({"url": url, "colour": "red"});
        post(&app, "k", &wrong).await.problem(409, "idempotency_key_reused");
        post(&app, "new", &wrong).await.problem(400, "invalid_parameter");
        let again = post(&app, "new", &wrong).await.expect(400);
        assert_eq!(again.header("idempotency-replayed"), "true");
    });
}

#[test]
fn replays_have_a_separate_limit() {
    run(async {
        let app = Setup::on(World::Small).spawn().await;
        let body = json!({"url": app.site.article("/town")});
        post(&app, "k", &body).await.expect(200);
        for _ in 0..120 {
            post(&app, "k", &body).await.expect(200);
        }
        let refused = post(&app, "k", &body).await;
        assert_eq!(refused.problem(429, "rate_limited")["violated-policies"], json!(["replay"]));
    });
}

#[test]
fn large_response_is_replayed_unchanged_after_its_page_changed() {
    on_each_world(async |app| {
        let page = |word: &str| {
            let paragraph =
                |number| format!("{word} {number} of a long text says little, but {number} times so.\n\n");
            Reply::bytes("text/plain", (0..20_000).map(paragraph).collect::<String>().into_bytes())
        };
        let url = app.site.put("/long.txt", page("Paragraph"));
        let body = json!({"url": url});
        let first = post(&app, "k", &body).await.expect(200).text();
        assert!(first.len() > 1 << 20);
        let changes = [(page("Chapter"), 200), (Reply::status(404), 422)];
        for (number, (reply, status)) in changes.into_iter().enumerate() {
            app.site.put("/long.txt", reply);
            // Another caller replaces the stored text.
            app.read(&url, &[("max_age", "0")]).await.expect(status);
            let hits = app.site.hits("/long.txt");
            let again = post(&app, "k", &body).await.expect(200);
            assert_eq!(again.header("idempotency-replayed"), "true");
            assert!(again.text() == first, "replay {number} equals the first response");
            assert_eq!(app.site.hits("/long.txt"), hits, "a replay requests nothing");
        }
        let stored_bytes =
            query_number(&app.app.domain, "SELECT CAST(SUM(stored_bytes) AS bigint) FROM idempotency").await;
        assert!(stored_bytes < 1 << 20, "the body is compressed: {stored_bytes}");
    });
}

#[test]
fn large_batch_is_replayed_with_its_failures() {
    on_each_world(async |app| {
        let paragraph =
            |number| format!("Paragraph {number} of a long text says little, but {number} times so.\n\n");
        let text: String = (0..20_000).map(paragraph).collect();
        let long = app.site.put("/long.txt", Reply::bytes("text/plain", text.into_bytes()));
        let missing = app.site.put("/missing", Reply::status(404));
        let body = json!({"requests": [{"url": long}, {"url": missing}]});
        let batch = async || app.post_with("/api/v1/read/batch", &[("idempotency-key", "k")], &body).await;
        let first = batch().await.expect(200);
        assert!(first.text().len() > 1 << 20);
        assert_eq!(first.json()["results"][1]["output"]["code"], "source_not_found");
        // The failure is no longer cached, so any other request would fetch the source again.
        app.clock.advance(3_600_000);
        app.site.article("/missing");
        let again = batch().await.expect(200);
        assert_eq!(again.header("idempotency-replayed"), "true");
        assert!(again.text() == first.text(), "the replay equals the first response");
        assert_eq!(app.site.hits("/missing"), 1);
    });
}
