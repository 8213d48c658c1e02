//! State that monitors with the same URL share, and conditional requests to the source.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::clock::SECOND;
use crate::support::monitoring::{
    advance_day, advance_minute, changes, create_monitor, outcomes, page, path, query_number, run_now, send,
    watch_page,
};
use crate::support::person::Person;
use crate::support::{Reply, on_each_world};

fn tagged(words: &str, tag: &str) -> Reply {
    page(words).with("etag", tag)
}

#[test]
fn validator_is_sent_only_for_a_body_the_monitor_has_evaluated() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.put("/tide", tagged("The tide is low.", "\"low\""));
        let one = watch_page(&app, &who, &url).await;
        let other =
            create_monitor(&app, &who, &json!({"name": "Main", "targetUrl": url, "selector": "main"})).await;
        advance_minute(&app).await;
        app.site.put("/tide", tagged("The tide is high.", "\"high\""));
        assert_eq!(run_now(&app, &who, &other).await["outcome"], "changed");
        app.site.put("/tide", tagged("The tide is low.", "\"low\""));
        assert_eq!(
            run_now(&app, &who, &one).await["outcome"],
            "unchanged",
            "the monitor has evaluated that body"
        );
        let again = run_now(&app, &who, &other).await;
        let seen = app.site.requests();
        let last = seen.iter().rfind(|seen| seen.path == "/tide").unwrap();
        assert!(
            !last.headers.contains_key("if-none-match"),
            "the monitor has evaluated another body: {:?}",
            last.headers
        );
        assert_eq!(again["outcome"], "changed");
    });
}

#[test]
fn age_of_a_shared_body_starts_with_its_download() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.put("/tide", page("The tide is low."));
        let slow = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        let gate = app.site.hold("/tide");
        app.clock.advance(15 * SECOND);
        let begun = app.app.domain.now();
        who.send(&app, Method::POST, &format!("{}/run", path(&slow))).await.expect(202);
        gate.wait_for_requests(2).await;
        app.clock.advance(20 * SECOND);
        gate.open();
        app.run_jobs().await;
        assert_eq!(outcomes(&app, &who, &slow).await, ["baseline", "unchanged"]);
        let sql = "SELECT checked_at FROM monitor_target";
        assert_eq!(
            query_number(&app.app.domain, sql).await,
            begun,
            "the age of a shared body starts at its request"
        );
    });
}

#[test]
fn change_after_unchanged_checks_is_compared_with_the_latest_check() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/tide", page("The tide is low."));
        let monitor = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        for _ in 0..5 {
            advance_day(&app).await;
        }
        app.site.put("/tide", page("The tide is high."));
        advance_day(&app).await;
        let recorded = changes(&app, &who, &monitor).await;
        assert_eq!(recorded.len(), 1, "{recorded:?}");
        let summary = recorded[0]["summary"].as_str().unwrap();
        assert!(!summary.contains("since the check on"), "the previous run was a day ago: {summary}");
    });
}

#[test]
fn noise_is_detected_only_on_whole_pages_with_enabled_masks() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let whole = |path: &str| json!({"name": path, "targetUrl": app.site.put(path, page("Low."))});
        let mut chosen = whole("/chosen");
        chosen["selector"] = json!("main");
        let learns = create_monitor(&app, &who, &whole("/learns")).await;
        let chosen = create_monitor(&app, &who, &chosen).await;
        let dropped = create_monitor(&app, &who, &whole("/dropped")).await;
        let reset = create_monitor(&app, &who, &whole("/reset")).await;
        advance_minute(&app).await;
        for (monitor, body) in
            [(&dropped, json!({"masks": []})), (&reset, json!({"masks": [], "baseline": "reset"}))]
        {
            let patched: Value =
                send(&app, &who, Method::PATCH, &path(monitor), &body).await.expect(200).json();
            assert_eq!(patched["monitor"]["masks"], json!([]));
        }
        advance_minute(&app).await;
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
