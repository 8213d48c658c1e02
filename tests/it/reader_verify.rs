//! Verification of quotations by the reader.

use serde_json::{Value, json};

use crate::support::{Setup, TestApp, World, on_each_world, run};

const VERIFY: &str = "/api/v1/read/verify";

#[test]
fn quote_matches_exactly_approximately_or_not_at_all() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let quotes = json!([
            "tells of bread and  prices, of the people",
            "Paragraph 2 of Market tells of bread and costs, of the people who come every morning, and of what they carry home",
            "Nobody ever wrote these words in any town.",
        ]);
        let body = app.post(VERIFY, &json!({"url": url, "quotes": quotes})).await.expect(200).json();
        let read = app.read(&url, &[]).await.json();
        assert_eq!(body["content_hash"], read["content_hash"]);
        let results = body["results"].as_array().unwrap();
        let statuses: Vec<&Value> = results.iter().map(|result| &result["status"]).collect();
        assert_eq!(statuses, ["exact", "close", "absent"]);
        assert_eq!((&results[0]["anchor"], &results[0]["similarity"]), (&json!(7), &json!(1.0)));
        assert_eq!(results[0]["context"], read["blocks"][6]["text"]);
        assert_eq!(results[1]["anchor"], 8);
        let close = results[1]["similarity"].as_f64().unwrap();
        assert!((0.8..1.0).contains(&close), "{close}");
        assert_eq!((&results[2]["anchor"], &results[2]["context"]), (&Value::Null, &Value::Null));
        assert_eq!(results[2]["quote"], quotes[2]);
    });
}

#[test]
fn quotes_beyond_their_bounds_are_refused() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        let verify = async |body: Value| app.post(VERIFY, &body).await;
        let (good, long) = ("long enough", "x".repeat(1001));
        for quotes in [
            json!([]),
            json!(vec![good; 21]),
            json!(["short"]),
            json!(["a ".repeat(201)]),
            json!([long]),
            json!([7]),
            json!("x"),
            Value::Null,
        ] {
            verify(json!({"url": url, "quotes": quotes})).await.problem(400, "invalid_parameter");
        }
        verify(json!({"url": url, "quotes": [good], "more": 1})).await.problem(400, "invalid_parameter");
        verify(json!({"quotes": [good]})).await.problem(400, "missing_url");
        verify(json!({"url": "http://10.0.0.1/", "quotes": [good]})).await.problem(400, "url_not_allowed");
        verify(json!({"url": app.site.url("/gone"), "quotes": [good]}))
            .await
            .problem(422, "source_not_found");
        verify(json!({"url": url, "quotes": vec!["x".repeat(1000); 20]})).await.expect(200);
    });
}

#[test]
fn each_quote_costs_one_read() {
    run(async {
        let app = Setup::on(World::Small).spawn().await;
        let url = app.site.article("/town");
        let quotes = json!(["a quote of some words", "another of some words", "and a third of them"]);
        let answer = app.post(VERIFY, &json!({"url": url, "quotes": quotes})).await.expect(200);
        assert_eq!(answer.header("ratelimit"), "\"burst\";r=4;t=10, \"sustained\";r=57;t=60");
    });
}
