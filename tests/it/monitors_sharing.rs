//! Shared state of monitors with the same URL, and conditional requests to its source.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::clock::SECOND;
use crate::support::person::Person;
use crate::support::watch::{
    changes, day, made, minute, number, outcomes, page, path, run_now, send, watched,
};
use crate::support::{Reply, on_each_world};

fn tagged(words: &str, tag: &str) -> Reply {
    page(words).with("etag", tag)
}

#[test]
fn validator_is_sent_only_for_a_body_the_monitor_has_evaluated() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.put("/tide", tagged("The tide is low.", "\"low\""));
        let one = watched(&app, &who, &url).await;
        let other = made(&app, &who, &json!({"name": "Main", "targetUrl": url, "selector": "main"})).await;
        minute(&app).await;
        app.site.put("/tide", tagged("The tide is high.", "\"high\""));
        assert_eq!(run_now(&app, &who, &other).await["outcome"], "changed");
        app.site.put("/tide", tagged("The tide is low.", "\"low\""));
        assert_eq!(run_now(&app, &who, &one).await["outcome"], "unchanged", "it has judged that body");
        let again = run_now(&app, &who, &other).await;
        let seen = app.site.seen();
        let last = seen.iter().rfind(|seen| seen.path == "/tide").unwrap();
        assert!(!last.headers.contains_key("if-none-match"), "this one saw another body: {:?}", last.headers);
        assert_eq!(again["outcome"], "changed");
    });
}

#[test]
fn shared_body_is_as_old_as_the_start_of_its_download() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.put("/tide", page("The tide is low."));
        let slow = watched(&app, &who, &url).await;
        minute(&app).await;
        let gate = app.site.hold("/tide");
        app.clock.advance(15 * SECOND);
        let begun = app.app.domain.now();
        who.send(&app, Method::POST, &format!("{}/run", path(&slow))).await.expect(202);
        gate.arrived(2).await;
        app.clock.advance(20 * SECOND);
        gate.open();
        app.run_jobs().await;
        assert_eq!(outcomes(&app, &who, &slow).await, ["baseline", "unchanged"]);
        let sql = "SELECT checked_at FROM monitor_target";
        assert_eq!(number(&app.app.domain, sql).await, begun, "others look at it by when it was had");
    });
}

#[test]
fn check_of_an_unchanged_body_counts_as_the_previous_check() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/tide", page("The tide is low."));
        let monitor = watched(&app, &who, &url).await;
        minute(&app).await;
        for _ in 0..5 {
            day(&app).await;
        }
        app.site.put("/tide", page("The tide is high."));
        day(&app).await;
        let told = changes(&app, &who, &monitor).await;
        assert_eq!(told.len(), 1, "{told:?}");
        let summary = told[0]["summary"].as_str().unwrap();
        assert!(!summary.contains("since the look of"), "it was looked at the day before: {summary}");
    });
}

#[test]
fn noise_detection_needs_a_whole_page_and_enabled_masks() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let whole = |path: &str| json!({"name": path, "targetUrl": app.site.put(path, page("Low."))});
        let mut chosen = whole("/chosen");
        chosen["selector"] = json!("main");
        let learns = made(&app, &who, &whole("/learns")).await;
        let chosen = made(&app, &who, &chosen).await;
        let dropped = made(&app, &who, &whole("/dropped")).await;
        let reset = made(&app, &who, &whole("/reset")).await;
        minute(&app).await;
        for (monitor, body) in
            [(&dropped, json!({"masks": []})), (&reset, json!({"masks": [], "baseline": "reset"}))]
        {
            let shown: Value =
                send(&app, &who, Method::PATCH, &path(monitor), &body).await.expect(200).json();
            assert_eq!(shown["monitor"]["masks"], json!([]));
        }
        minute(&app).await;
        let cases = [
            (&learns, "/learns", 3),
            (&chosen, "/chosen", 1),
            (&dropped, "/dropped", 1),
            (&reset, "/reset", 1),
        ];
        for (monitor, path, downloads) in cases {
            let before = app.site.hits(path);
            app.site.put(path, page("The tide is high, and the ferry leaves at nine."));
            assert_eq!(run_now(&app, &who, monitor).await["outcome"], "changed", "{path}");
            assert_eq!(app.site.hits(path) - before, downloads, "{path}");
        }
    });
}
