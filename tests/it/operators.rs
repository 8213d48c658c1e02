//! Operator endpoints: `/healthz`, `/readyz`, `/metrics`.

use serde_json::json;

use crate::support::servers::PrivateRedis;
use crate::support::{Setup, TestApp, World, eventually, on_each_world, run};

#[test]
fn process_with_all_dependencies_is_ready() {
    on_each_world(async |app| {
        assert_eq!(app.get("/healthz").await.expect(200).json(), json!({"status": "ok"}));
        assert_eq!(
            app.get("/readyz").await.expect(200).json(),
            json!({"status": "ready", "renderer": "off (CARREL_RENDERER=off)"})
        );
        assert_eq!(app.get("/readyz").await.header("cache-control"), "no-store");
    });
}

#[test]
fn process_without_queue_serves_cached_texts_and_reports_the_queue() {
    run(async {
        let mut redis = PrivateRedis::start().await;
        let app = Setup::on(World::Large)
            .set("REDIS_URL", redis.url())
            .set("CARREL_READER_LIMITS", "off")
            .spawn()
            .await;
        let (cached, new) = (app.site.article("/kept"), app.site.article("/new"));
        app.read(&cached, &[]).await.expect(200);
        redis.kill();
        let not_ready = async || app.get("/readyz").await;
        let answer = eventually("the queue is missed", not_ready, |answer| answer.status == 503).await;
        assert_eq!(answer.json()["missing"], json!(["queue"]));
        app.get("/healthz").await.expect(200);
        app.read(&cached, &[]).await.expect(200);
        // A worker in the same process may start the job directly. Otherwise the request is refused.
        let read = app.read(&new, &[]).await;
        if read.status != 200 {
            assert_eq!(read.problem(503, "service_unavailable")["retry_after"], 5);
        }
        let job = app.post("/api/v1/read/jobs", &json!({"url": new})).await.expect(202);
        redis.restart().await;
        eventually("it is ready again", not_ready, |answer| answer.status == 200).await;
        let done = async || {
            app.clock.advance(1_000);
            let _ = jobs::scheduler::tick(&app.app.engine).await;
            let id = job.json()["job_id"].as_str().unwrap().parse().unwrap();
            articles::reader::read_jobs::get(&app.app.domain, id).await.unwrap().state.as_str()
        };
        eventually("the job is done", done, |state| *state == "complete").await;
    });
}

#[test]
fn process_without_database_is_alive_and_returns_503() {
    run(async {
        let app = TestApp::on(World::Large).await;
        let url = app.site.article("/town");
        app.drop_database().await;
        let check_ready = async || app.get("/readyz").await;
        let answer = eventually("the database is missed", check_ready, |answer| answer.status == 503).await;
        assert_eq!(answer.json()["missing"], json!(["database"]));
        app.get("/healthz").await.expect(200);
        app.get("/api/v1/sandbox/read").await.expect(200);
        app.read(&url, &[]).await.problem(503, "service_unavailable");
        app.post("/api/v1/read/jobs", &json!({"url": url})).await.problem(503, "service_unavailable");
    });
}

#[test]
fn metrics_require_the_admin_token_if_one_is_set() {
    run(async {
        carrel::health::install_recorder().unwrap();
        let app = Setup::on(World::Small).set("CARREL_ADMIN_TOKEN", "a-long-admin-token").spawn().await;
        app.read(&app.site.article("/town"), &[]).await.expect(200);
        let bearer = ("authorization", "Bearer a-long-admin-token");
        app.get("/metrics").await.expect(404);
        let page = app.get_with("/metrics", &[bearer]).await.expect(200);
        assert!(page.header("content-type").starts_with("text/plain; version=0.0.4"));
        for name in [
            "carrel_requests_total",
            "carrel_request_duration_seconds_bucket",
            "carrel_cache_total",
            "carrel_jobs_total",
        ] {
            assert!(page.text().contains(name), "{name}");
        }
        assert!(!page.text().contains("/town"), "no unbounded labels");
        let far = ("x-forwarded-for", "198.51.100.7");
        app.get_with("/metrics", &[far]).await.expect(404);
        app.get_with("/metrics", &[("forwarded", "for=198.51.100.7")]).await.expect(404);
        app.get_with("/metrics", &[far, ("authorization", "Bearer wrong")]).await.expect(404);
        app.get_with("/metrics", &[far, bearer]).await.expect(200);
        let closed = TestApp::spawn().await;
        closed.get("/metrics").await.expect(200);
        closed.get_with("/metrics", &[far, ("authorization", "Bearer ")]).await.expect(404);
    });
}

#[test]
fn every_response_has_a_unique_request_id() {
    run(async {
        let app = TestApp::spawn().await;
        let mut ids = Vec::new();
        for path in
            ["/", "/api/v1/read", "/nothing", "/healthz", "/docs", "/api/v1/sandbox/read", "/assets/icon.svg"]
        {
            let answer = app.get(path).await;
            assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
            ids.push(answer.header("x-request-id").to_owned());
        }
        assert!(ids.iter().all(|id| id.len() == 32), "{ids:?}");
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 7);
    });
}
