//! Batch reads.

use serde_json::{Value, json};

use crate::support::{Reply, Setup, TestApp, World, on_each_world, run};

const BATCH: &str = "/api/v1/read/batch";

#[test]
fn batch_results_are_ordered_and_fail_independently() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let gone = app.site.url("/gone");
        let requests = json!([
            {"url": gone},
            {"url": url, "format": "text"},
            {"url": "http://10.0.0.1/"},
            {"url": url, "query": "bread"},
            {"url": url, "format": "markdown"},
            {"url": "no url"},
        ]);
        let answer = app.post(BATCH, &json!({"requests": requests})).await.expect(200);
        let body = answer.json();
        let results = body["results"].as_array().unwrap();
        let summaries: Vec<(u64, u64, &str)> = results
            .iter()
            .map(|result| {
                let number = |name: &str| result[name].as_u64().unwrap();
                (number("index"), number("status"), result["content_type"].as_str().unwrap())
            })
            .collect();
        let problem = "application/problem+json";
        assert_eq!(
            summaries,
            [
                (0, 422, problem),
                (1, 200, "text/plain; charset=utf-8"),
                (2, 400, problem),
                (3, 200, "application/json"),
                (4, 200, "text/markdown; charset=utf-8"),
                (5, 400, problem),
            ]
        );
        let codes: Vec<&Value> = [0, 2, 5].iter().map(|index| &results[*index]["output"]["code"]).collect();
        assert_eq!(codes, ["source_not_found", "url_not_allowed", "invalid_url"]);
        assert_eq!((&results[0]["url"], &results[1]["url"]), (&json!(gone), &json!(url)));
        assert!(results[1]["output"].as_str().unwrap().starts_with("Title: A town by the sea"));
        assert_eq!(results[3]["output"]["query"], "bread");
        assert_eq!((&body["succeeded"], &body["failed"]), (&json!(3), &json!(3)));
        assert_eq!(results[0]["output"]["request_id"], answer.header("x-request-id"));
    });
}

#[test]
fn equal_items_share_one_fetch() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let requests = vec![json!({"url": url}); 10];
        let body = app.post(BATCH, &json!({"requests": requests})).await.expect(200).json();
        assert_eq!(body["succeeded"], 10);
        assert_eq!(app.site.hits("/town"), 1);
    });
}

#[test]
fn batch_accepts_one_to_ten_reads() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        for requests in [json!([]), json!(vec![json!({"url": url}); 11])] {
            app.post(BATCH, &json!({"requests": requests})).await.problem(400, "batch_size");
        }
        app.post(BATCH, &json!({})).await.problem(400, "batch_size");
        app.post(BATCH, &json!({"requests": "x"})).await.problem(400, "invalid_parameter");
        app.post(BATCH, &json!({"requests": [{"url": url}], "url": url}))
            .await
            .problem(400, "invalid_parameter");
        assert_eq!(app.site.hits("/town"), 0);
    });
}

#[test]
fn invalid_batch_item_does_not_fail_other_items() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        for (item, code) in [
            (json!({"nothing": 1}), "missing_url"),
            (json!({"url": ""}), "missing_url"),
            (json!({"url": 7}), "invalid_url"),
            (json!({"url": url, "passages": 3}), "invalid_parameter"),
            (json!({"url": url, "format": "pdf"}), "invalid_parameter"),
            (json!(7), "invalid_parameter"),
        ] {
            let body = json!({"requests": [{"url": url}, item]});
            let body = app.post(BATCH, &body).await.expect(200).json();
            assert_eq!((&body["succeeded"], &body["failed"]), (&json!(1), &json!(1)), "{body}");
            let failed = &body["results"][1];
            assert_eq!((&failed["status"], &failed["output"]["code"]), (&json!(400), &json!(code)));
            assert!(failed["output"]["detail"].as_str().unwrap().contains("/requests/1"), "{failed}");
        }
    });
}

#[test]
fn timed_out_item_has_status_504_in_its_result() {
    on_each_world(async |app| {
        let mut statuses = Vec::new();
        // A busy machine may not read the other page in two seconds.
        for seconds in ["2", "30"] {
            let setup = Setup::on(app.world()).set("CARREL_READER_LIMITS", "off");
            let app = setup.set("CARREL_BATCH_SECONDS", seconds).spawn().await;
            let (town, slow) = (app.site.article("/town"), app.site.article("/slow"));
            let gate = app.site.hold("/slow");
            let requests = json!([{"url": slow}, {"url": town}]);
            let body = app.post(BATCH, &json!({"requests": requests})).await.expect(200).json();
            assert_eq!(body["results"][0]["output"]["code"], "read_timeout");
            gate.open();
            app.run_jobs().await;
            statuses = (0..2).map(|item| body["results"][item]["status"].clone()).collect();
            if statuses[1] == 200 {
                break;
            }
        }
        assert_eq!(statuses, [504, 200]);
    });
}

#[test]
fn batch_costs_one_burst_unit_and_a_sustained_unit_per_read() {
    run(async {
        for world in World::ALL {
            let app = Setup::on(world).set("CARREL_READER_LIMITS", "3/10,8/60").spawn().await;
            let url = app.site.article("/town");
            let batch = |reads: usize| json!({"requests": vec![json!({"url": url}); reads]});
            let answer = app.post(BATCH, &batch(3)).await.expect(200);
            assert_eq!(answer.header("ratelimit"), "\"burst\";r=2;t=10, \"sustained\";r=5;t=60", "{world:?}");
            app.site.put("/new", Reply::html(crate::support::site::article()));
            let many = json!({"requests": vec![json!({"url": app.site.url("/new")}); 6]});
            let refused = app.post(BATCH, &many).await;
            let problem = refused.problem(429, "rate_limited");
            assert_eq!(problem["violated-policies"], json!(["sustained"]));
            assert_eq!(app.site.hits("/new"), 0);
            let answer = app.post(BATCH, &batch(5)).await.expect(200);
            assert_eq!(answer.header("ratelimit"), "\"burst\";r=1;t=10, \"sustained\";r=0;t=60", "{world:?}");
        }
    });
}
