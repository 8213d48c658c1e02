//! Reader sandbox: constant example answers and problem scenarios.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::clock::DAY;
use crate::support::{Setup, TestApp, World, on_each_world, run};

const SANDBOX: &str = "/api/v1/sandbox/read";

#[test]
fn sandbox_answer_is_constant() {
    on_each_world(async |app| {
        let path = format!("{SANDBOX}?format=json");
        let first = app.get(&path).await.expect(200);
        insta::assert_snapshot!(
            "sandbox",
            serde_json::to_string_pretty(&first.json()).unwrap().replace(&app.origin, "http://reader.test")
        );
        app.clock.advance(9 * DAY);
        let second = app.get(&path).await.expect(200);
        assert_eq!((second.text(), second.header("etag")), (first.text(), first.header("etag")));
        assert_eq!(first.header("cache-control"), "no-cache");
        assert_eq!(first.header("x-svc-sandbox"), "true");
        let unchanged = app.get_with(&path, &[("if-none-match", first.header("etag"))]).await;
        unchanged.expect(304);
        let head = app.send(Method::HEAD, &path, &[], None).await.expect(200);
        assert_eq!((head.header("etag"), head.body.len()), (first.header("etag"), 0));
    });
}

#[test]
fn sandbox_answer_has_the_fields_of_a_read() {
    run(async {
        let app = TestApp::spawn().await;
        let read = app.read(&app.site.article("/town"), &[]).await.expect(200).json();
        let sandbox = app.get(&format!("{SANDBOX}?format=json")).await.expect(200).json();
        let names = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&sandbox), names(&read));
        assert_eq!(names(&sandbox["blocks"][0]), names(&read["blocks"][0]));
        assert_eq!(sandbox["blocks"][0]["section"], sandbox["blocks"][0]["text"]);
    });
}

#[test]
fn sandbox_supports_selections_and_formats() {
    run(async {
        let app = TestApp::spawn().await;
        let json = async |query: &str| app.get(&format!("{SANDBOX}?format=json&{query}")).await;
        let (mut next, mut blocks) = (Some(app.url(&format!("{SANDBOX}?format=json&limit=3"))), Vec::new());
        while let Some(url) = next {
            let answer = app.get(&url).await.expect(200);
            blocks.extend(answer.json()["blocks"].as_array().unwrap().clone());
            next = answer.link("next");
            assert!(next.iter().all(|url| url.contains(SANDBOX)));
        }
        assert_eq!(json!(blocks), json("").await.json()["blocks"]);
        assert_eq!(json("lines=2-3").await.expect(200).json()["returned_blocks"], 2);
        assert_eq!(json("query=scenario&passages=1").await.expect(200).json()["returned_blocks"], 1);
        json("lines=5").await.problem(400, "lines_out_of_range");
        json("limit=0").await.problem(400, "invalid_parameter");
        json("cursor=x").await.problem(400, "invalid_cursor");
        json("limit=1&query=x").await.problem(400, "conflicting_parameters");
        for (accept, start) in
            [("*/*", "Title: "), ("text/markdown", "---\n"), ("text/html", "<!DOCTYPE html>")]
        {
            let answer = app.get_with(SANDBOX, &[("accept", accept)]).await.expect(200);
            assert!(answer.text().starts_with(start), "{accept}");
        }
    });
}

#[test]
fn sandbox_scenario_returns_its_problem() {
    run(async {
        let app = TestApp::spawn().await;
        for (entry, status) in http_kit::problem::ErrorGroup::Reader.codes() {
            let answer = app.get(&format!("{SANDBOX}?scenario={}", entry.code)).await;
            let body = answer.problem(status, entry.code.as_str());
            match status {
                429 => assert_eq!(body["violated-policies"], json!(["burst"])),
                405 => assert_eq!(answer.header("allow"), "GET, HEAD, OPTIONS"),
                _ => {}
            }
            if [429, 503].contains(&status) {
                assert!(body["retry_after"].as_u64().unwrap() > 0, "{body}");
            }
        }
        app.get(&format!("{SANDBOX}?scenario=nothing")).await.problem(400, "invalid_parameter");
    });
}

#[test]
fn sandbox_is_free_and_has_limit_headers() {
    run(async {
        let app = Setup::on(World::Small).spawn().await;
        for _ in 0..20 {
            let answer = app.get(SANDBOX).await.expect(200);
            assert_eq!(answer.header("ratelimit"), "\"burst\";r=5;t=0, \"sustained\";r=60;t=0");
        }
        assert_eq!(app.site.requests().len(), 0);
    });
}
