//! The states of a monitor: failing, given up, paused, going on, out of credits, beyond the plan.

use domain::limits::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::clock::{DAY, HOUR};
use crate::support::person::Person;
use crate::support::watch::{
    credits, day, made, minute, outcomes, page, path, run_now, runs, send, shown, watched,
};
use crate::support::{Reply, Setup, World, on_each_world, run};

async fn set(app: &crate::support::TestApp, who: &Person, monitor: &Value, status: &str) -> Value {
    let answer = send(app, who, Method::PATCH, &path(monitor), &json!({ "status": status })).await;
    answer.expect(200).json()["monitor"].clone()
}

/// Whole hours of an answer's time, from the first of the month on.
fn hours(time: &Value) -> Option<i64> {
    let time = time.as_str()?;
    let (day, hour) = (time[8..10].parse::<i64>().ok()?, time[11..13].parse::<i64>().ok()?);
    let month = if &time[..7] == "2026-11" { 0 } else { 30 };
    Some((month + day) * 24 + hour)
}

#[test]
fn failures_wait_longer_and_five_over_a_day_give_it_up() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let url = app.site.put("/harbour", page("x"));
        let body = json!({"name": "Harbour", "targetUrl": url, "intervalMinutes": 240});
        let monitor = made(&app, &who, &body).await;
        minute(&app).await;
        app.site.put("/harbour", Reply::status(500));
        let mut waits = Vec::new();
        for failures in 1..=5 {
            app.clock.advance(33 * HOUR);
            minute(&app).await;
            let now = shown(&app, &who, &monitor).await;
            assert_eq!((&now["failureCount"], &now["lastError"]), (&json!(failures), &json!("source_error")));
            let status = now["status"].as_str().unwrap().to_owned();
            let wait = hours(&now["nextRunAt"]).zip(hours(&now["lastRunAt"])).map(|(next, last)| next - last);
            waits.push((status, wait));
        }
        let active = |hours| ("active".to_owned(), Some(hours));
        assert_eq!(waits, [active(8), active(16), active(32), active(32), ("failed".to_owned(), None)]);
        assert_eq!(credits(&app, &who).await.0, 6, "a source that answers with an error is paid for");
        app.site.put("/harbour", page("y"));
        let run = run_now(&app, &who, &monitor).await;
        assert_eq!(run["outcome"], "changed");
        let now = shown(&app, &who, &monitor).await;
        assert_eq!((&now["status"], &now["failureCount"]), (&json!("active"), &json!(0)));
        assert!(now["nextRunAt"].is_string());
    });
}

#[test]
fn what_is_gone_or_forbidden_is_given_up_at_once() {
    on_each_world(async |app| {
        for (place, reply, code, cost) in [
            ("/gone", Reply::status(410), "source_not_found", 1),
            ("/inside", Reply::redirect("http://10.0.0.1/"), "url_not_allowed", 0),
        ] {
            let who = Person::free(&app).await;
            let url = app.site.put(place, reply);
            let monitor = watched(&app, &who, &url).await;
            minute(&app).await;
            let now = shown(&app, &who, &monitor).await;
            assert_eq!((&now["status"], &now["lastError"]), (&json!("failed"), &json!(code)));
            assert_eq!((&now["nextRunAt"], &now["pauseReason"]), (&Value::Null, &Value::Null));
            assert_eq!(credits(&app, &who).await.0, cost, "{code}");
            assert_eq!(set(&app, &who, &monitor, "paused").await["status"], "paused");
            assert_eq!(set(&app, &who, &monitor, "active").await["status"], "active");
        }
    });
}

#[test]
fn robots_are_obeyed_and_cost_nothing() {
    run(async {
        let app = Setup::on(World::Small).set("CARREL_READER_LIMITS", "off").spawn().await;
        app.site
            .put("/robots.txt", Reply::bytes("text/plain", b"User-agent: *\nDisallow: /private".to_vec()));
        let who = Person::free(&app).await;
        let url = app.site.put("/private", page("x"));
        let monitor = watched(&app, &who, &url).await;
        minute(&app).await;
        let now = shown(&app, &who, &monitor).await;
        assert_eq!((&now["status"], &now["lastError"]), (&json!("failed"), &json!("robots_disallowed")));
        assert_eq!((credits(&app, &who).await.0, app.site.hits("/private")), (0, 0));
    });
}

#[test]
fn a_selector_that_finds_nothing_three_times_gives_it_up() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put(
            "/shop",
            Reply::html("<html><body><p id=price>12 EUR</p><p>Some more text here.</p></body></html>"),
        );
        let monitor =
            made(&app, &who, &json!({"name": "Price", "targetUrl": url, "selector": "#price"})).await;
        minute(&app).await;
        app.site.put("/shop", Reply::html("<html><body><p>Some more text here.</p></body></html>"));
        for absent in 1..=3 {
            let run = run_now(&app, &who, &monitor).await;
            assert_eq!((&run["outcome"], &run["errorCode"]), (&json!("error"), &json!("selector_not_found")));
            let status = if absent < 3 { "active" } else { "failed" };
            assert_eq!(shown(&app, &who, &monitor).await["status"], status);
        }
    });
}

#[test]
fn a_server_that_says_wait_is_left_alone_with_all_its_monitors() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let busy = app.site.put("/busy", Reply::status(429).with("retry-after", "7200"));
        let calm = app.site.put("/calm", page("x"));
        let first = watched(&app, &who, &busy).await;
        minute(&app).await;
        let run = runs(&app, &who, &first).await[0].clone();
        assert_eq!((&run["errorCode"], &run["credits"]), (&json!("source_rate_limited"), &json!(0)));
        let second = watched(&app, &who, &calm).await;
        minute(&app).await;
        assert_eq!(outcomes(&app, &who, &second).await, [] as [String; 0]);
        assert_eq!(app.site.hits("/calm"), 0);
        assert_eq!(shown(&app, &who, &first).await["status"], "active");
    });
}

#[test]
fn a_paused_monitor_runs_by_hand_only() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/harbour", page("x"));
        let monitor = watched(&app, &who, &url).await;
        minute(&app).await;
        let paused = set(&app, &who, &monitor, "paused").await;
        assert_eq!((&paused["status"], &paused["pauseReason"]), (&json!("paused"), &json!("user")));
        assert_eq!(paused["nextRunAt"], Value::Null);
        day(&app).await;
        assert_eq!(outcomes(&app, &who, &monitor).await, ["baseline"]);
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "unchanged");
        assert_eq!(shown(&app, &who, &monitor).await["status"], "paused");
        let active = set(&app, &who, &monitor, "active").await;
        assert_eq!((&active["status"], &active["pauseReason"]), (&json!("active"), &Value::Null));
        minute(&app).await;
        assert_eq!(outcomes(&app, &who, &monitor).await.len(), 3);
    });
}

#[test]
fn without_credits_everything_waits_for_the_month() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/harbour", page("x"));
        let monitor = watched(&app, &who, &url).await;
        minute(&app).await;
        domain::credits::grant(&app.app.domain, &who.email, -98, "").await.unwrap();
        assert_eq!(credits(&app, &who).await, (1, 1));
        run_now(&app, &who, &monitor).await;
        assert_eq!(credits(&app, &who).await, (2, 0));
        assert_eq!(shown(&app, &who, &monitor).await["nextRunAt"], "2026-12-01T00:00:00.000Z");
        let refused = who.send(&app, Method::POST, &format!("{}/run", path(&monitor))).await;
        refused.api_error(429, "monitor_credits_exhausted");
        day(&app).await;
        assert_eq!(outcomes(&app, &who, &monitor).await.len(), 2);
        let other = app.site.put("/other", page("y"));
        let late = watched(&app, &who, &other).await;
        assert_eq!(late["nextRunAt"], "2026-12-01T00:00:00.000Z");
        domain::credits::grant(&app.app.domain, &who.email, 10, "sorry").await.unwrap();
        minute(&app).await;
        assert_eq!(outcomes(&app, &who, &late).await, ["baseline"]);
        app.clock.advance(12 * DAY);
        minute(&app).await;
        assert_eq!(credits(&app, &who).await.1, 98, "a new month, and a run of each");
        assert_eq!(domain::credits::audit(&app.app.domain).await.unwrap(), []);
    });
}

#[test]
fn a_downgrade_pauses_the_newest_and_stretches_the_rest() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let mut all = Vec::new();
        for place in 0..5 {
            app.clock.advance(1_000);
            let url = app.site.put(&format!("/p{place}"), page("x"));
            all.push(made(&app, &who, &json!({"name": "M", "targetUrl": url, "intervalMinutes": 60})).await);
        }
        let domain = &app.app.domain;
        domain::accounts::set_tier(domain, &who.email, Tier::Free).await.unwrap();
        let mut reasons = Vec::new();
        for monitor in &all {
            reasons.push(shown(&app, &who, monitor).await["pauseReason"].clone());
        }
        assert_eq!(
            reasons,
            [Value::Null, Value::Null, Value::Null, json!("plan_limit"), json!("plan_limit")]
        );
        let refused = send(&app, &who, Method::PATCH, &path(&all[4]), &json!({"status": "active"})).await;
        refused.api_error(403, "limit_reached");
        minute(&app).await;
        app.clock.advance(2 * HOUR);
        minute(&app).await;
        assert_eq!(outcomes(&app, &who, &all[0]).await, ["baseline"], "a day is the least on this plan");
    });
}
