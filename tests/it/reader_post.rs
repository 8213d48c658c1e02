//! Single read with `POST`: its body and its default format.

use reqwest::Method;
use serde_json::json;

use crate::support::{TestApp, on_each_world, run};

#[test]
fn post_answers_in_json_unless_another_format_is_requested() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let answer = app.post("/api/v1/read", &json!({"url": url, "query": "bread"})).await.expect(200);
        assert_eq!(answer.header("content-type"), "application/json");
        assert_eq!(answer.json()["query"], "bread");
        for (accept, format, content_type) in [
            ("*/*", json!(null), "application/json"),
            ("text/markdown", json!(null), "text/markdown; charset=utf-8"),
            ("application/json", json!("text"), "text/plain; charset=utf-8"),
        ] {
            let body = json!({"url": url, "format": format});
            let answer = app.post_with("/api/v1/read", &[("accept", accept)], &body).await.expect(200);
            assert_eq!(answer.header("content-type"), content_type, "{accept}");
        }
    });
}

#[test]
fn body_accepts_all_read_parameters_except_paging() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        let read = async |body: serde_json::Value| app.post("/api/v1/read", &body).await;
        assert_eq!(read(json!({"url": url, "lines": "2-3"})).await.expect(200).json()["returned_blocks"], 2);
        assert_eq!(
            read(json!({"url": url, "query": "bread", "passages": "1"})).await.expect(200).json()["returned_blocks"],
            1
        );
        let cut = read(json!({"url": url, "max_tokens": 100, "max_age": 60})).await.expect(200).json();
        assert_eq!(cut["has_more"], true);
        for body in [
            json!({"url": url, "limit": 3}),
            json!({"url": url, "cursor": "x"}),
            json!({"url": url, "colour": "red"}),
            json!({"url": url, "passages": 0}),
            json!({"url": url, "passages": 1.5}),
            json!({"url": url, "max_tokens": "many"}),
            json!({"url": url, "max_age": 86_401}),
            json!({"url": url, "query": "x".repeat(501)}),
            json!({"url": url, "query": 7}),
            json!({"url": url, "format": "pdf"}),
            json!({"url": url, "lines": "0"}),
            json!({"url": url, "lines": []}),
        ] {
            let problem = read(body.clone()).await.problem(400, "invalid_parameter");
            assert!(
                problem["detail"].as_str().unwrap().starts_with('/'),
                "the detail starts with a pointer: {problem}"
            );
        }
        read(json!({"url": url, "query": "x", "lines": "1"})).await.problem(400, "conflicting_parameters");
        read(json!({"query": "x"})).await.problem(400, "missing_url");
        read(json!({"url": ""})).await.problem(400, "missing_url");
        read(json!({"url": 7})).await.problem(400, "invalid_url");
    });
}

#[test]
fn body_must_be_one_json_object_of_at_most_64_kib() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        let json = ("content-type", "application/json");
        for path in ["/api/v1/read", "/api/v1/read/batch", "/api/v1/read/jobs", "/api/v1/read/verify"] {
            for wrong in ["", "{", "[]", "7", "\"x\"", "{\"url\": }"] {
                let answer = app.send(Method::POST, path, &[json], Some(wrong.to_owned())).await;
                answer.problem(400, "invalid_json");
            }
            let body = json!({"url": url, "query": "x".repeat(64 * 1024)}).to_string();
            app.send(Method::POST, path, &[json], Some(body)).await.problem(413, "payload_too_large");
            for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
                let answer = app.send(Method::POST, path, &[("content-type", kind)], Some("{}".into())).await;
                answer.problem(415, "unsupported_media_type");
            }
        }
        let kind = [("content-type", "application/json; charset=utf-8")];
        let body = Some(json!({"url": url}).to_string());
        app.send(Method::POST, "/api/v1/read", &kind, body).await.expect(200);
    });
}
