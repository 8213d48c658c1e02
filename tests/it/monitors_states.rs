//! States of a monitor: failing, failed, paused, resumed, without credits, and over the plan limit.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::clock::{DAY, HOUR};
use crate::support::monitoring::{
    advance_day, advance_minute, changes, create_monitor, credits, get_monitor, outcomes, page, path,
    run_now, runs, send, watch_page,
};
use crate::support::person::Person;
use crate::support::{Reply, Setup, World, on_each_world, run};

async fn set_status(app: &crate::support::TestApp, who: &Person, monitor: &Value, status: &str) -> Value {
    let answer = send(app, who, Method::PATCH, &path(monitor), &json!({ "status": status })).await;
    answer.expect(200).json()["monitor"].clone()
}

/// Returns the hours from the start of November 2026 to an RFC 3339 time.
fn hours(time: &Value) -> Option<i64> {
    let time = time.as_str()?;
    let (day, hour) = (time[8..10].parse::<i64>().ok()?, time[11..13].parse::<i64>().ok()?);
    let month = if &time[..7] == "2026-11" { 0 } else { 30 };
    Some((month + day) * 24 + hour)
}

#[test]
fn failures_back_off_and_the_fifth_fails_the_monitor() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let url = app.site.put("/harbour", page("x"));
        let body = json!({"name": "Harbour", "targetUrl": url, "intervalMinutes": 240});
        let monitor = create_monitor(&app, &who, &body).await;
        advance_minute(&app).await;
        app.site.put("/harbour", Reply::status(500));
        let mut waits = Vec::new();
        for failures in 1..=5 {
            app.clock.advance(33 * HOUR);
            advance_minute(&app).await;
            let now = get_monitor(&app, &who, &monitor).await;
            assert_eq!((&now["failureCount"], &now["lastError"]), (&json!(failures), &json!("source_error")));
            let status = now["status"].as_str().unwrap().to_owned();
            let wait = hours(&now["nextRunAt"]).zip(hours(&now["lastRunAt"])).map(|(next, last)| next - last);
            waits.push((status, wait));
        }
        let active = |hours| ("active".to_owned(), Some(hours));
        assert_eq!(waits, [active(8), active(16), active(24), active(24), ("failed".to_owned(), None)]);
        assert_eq!(credits(&app, &who).await.0, 1, "a failed run costs nothing");
        let entries = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        assert_eq!(entries["entries"][0]["title"], "Stopped: the page cannot be read (source_error)");
        app.site.put("/harbour", page("y"));
        let run = run_now(&app, &who, &monitor).await;
        assert_eq!(run["outcome"], "changed");
        let now = get_monitor(&app, &who, &monitor).await;
        assert_eq!((&now["status"], &now["failureCount"]), (&json!("active"), &json!(0)));
        assert!(now["nextRunAt"].is_string());
    });
}

#[test]
fn missing_page_is_reported_when_it_appears() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/soon", Reply::status(404));
        let monitor = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        for _ in 0..5 {
            app.clock.advance(8 * HOUR);
            assert_eq!(run_now(&app, &who, &monitor).await["errorCode"], "source_not_found");
        }
        let now = get_monitor(&app, &who, &monitor).await;
        assert_eq!(now["status"], "active", "a page that never existed is awaited for longer than a day");
        app.site.put("/soon", page("Tickets are on sale."));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed");
        let title = changes(&app, &who, &monitor).await[0]["title"].clone();
        assert!(title.as_str().unwrap().starts_with("The page exists now: "), "{title}");
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "unchanged");
    });
}

#[test]
fn gone_source_fails_immediately_and_blocked_url_after_a_day() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let gone = app.site.put("/gone", Reply::status(410));
        let monitor = watch_page(&app, &who, &gone).await;
        advance_minute(&app).await;
        let now = get_monitor(&app, &who, &monitor).await;
        assert_eq!((&now["status"], &now["lastError"]), (&json!("failed"), &json!("source_not_found")));
        assert_eq!((&now["nextRunAt"], &now["pauseReason"]), (&Value::Null, &Value::Null));
        assert_eq!(set_status(&app, &who, &monitor, "paused").await["status"], "paused");
        assert_eq!(set_status(&app, &who, &monitor, "active").await["status"], "active");
        let inside = app.site.put("/inside", Reply::redirect("http://10.0.0.1/"));
        let monitor = watch_page(&app, &who, &inside).await;
        advance_minute(&app).await;
        for _ in 0..3 {
            assert_eq!(run_now(&app, &who, &monitor).await["errorCode"], "url_not_allowed");
        }
        assert_eq!(
            get_monitor(&app, &who, &monitor).await["status"],
            "active",
            "the monitor is still active within the first hours"
        );
        app.site.put("/inside", page("x"));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "baseline");
        app.site.put("/inside", Reply::redirect("http://10.0.0.1/"));
        for _ in 0..2 {
            run_now(&app, &who, &monitor).await;
        }
        app.clock.advance(DAY);
        run_now(&app, &who, &monitor).await;
        assert_eq!(get_monitor(&app, &who, &monitor).await["status"], "failed");
        let feed = monitor["feedUrl"].as_str().unwrap().rsplit_once('/').unwrap().1.to_owned();
        let rss = app.get(&format!("/feeds/monitors/{feed}")).await.expect(200);
        assert_eq!(rss.text().matches("<title>Stopped: the address is not public</title>").count(), 1);
        assert_eq!(credits(&app, &who).await.0, 1);
    });
}

#[test]
fn robots_txt_is_obeyed_without_charge() {
    run(async {
        let app = Setup::on(World::Small).set("CARREL_READER_LIMITS", "off").spawn().await;
        app.site
            .put("/robots.txt", Reply::bytes("text/plain", b"User-agent: *\nDisallow: /private".to_vec()));
        let who = Person::free(&app).await;
        let url = app.site.put("/private", page("x"));
        let monitor = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        let now = get_monitor(&app, &who, &monitor).await;
        assert_eq!((&now["status"], &now["lastError"]), (&json!("active"), &json!("robots_disallowed")));
        for _ in 0..2 {
            advance_day(&app).await;
        }
        assert_eq!(get_monitor(&app, &who, &monitor).await["status"], "failed");
        assert_eq!((credits(&app, &who).await.0, app.site.hits("/private")), (0, 0));
    });
}

#[test]
fn retry_after_delays_all_monitors_of_the_host() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let busy = app.site.put("/busy", Reply::status(429).with("retry-after", "7200"));
        let calm = app.site.put("/calm", page("x"));
        let first = watch_page(&app, &who, &busy).await;
        advance_minute(&app).await;
        let run = runs(&app, &who, &first).await[0].clone();
        assert_eq!((&run["errorCode"], &run["credits"]), (&json!("source_rate_limited"), &json!(0)));
        let second = watch_page(&app, &who, &calm).await;
        advance_minute(&app).await;
        assert_eq!(outcomes(&app, &who, &second).await, [] as [String; 0]);
        assert_eq!(app.site.hits("/calm"), 0);
        assert_eq!(get_monitor(&app, &who, &first).await["status"], "active");
    });
}

#[test]
fn paused_monitor_runs_only_manually() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/harbour", page("x"));
        let monitor = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        let paused = set_status(&app, &who, &monitor, "paused").await;
        assert_eq!((&paused["status"], &paused["pauseReason"]), (&json!("paused"), &json!("user")));
        assert_eq!(paused["nextRunAt"], Value::Null);
        advance_day(&app).await;
        assert_eq!(outcomes(&app, &who, &monitor).await, ["baseline"]);
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "unchanged");
        assert_eq!(get_monitor(&app, &who, &monitor).await["status"], "paused");
        let active = set_status(&app, &who, &monitor, "active").await;
        assert_eq!((&active["status"], &active["pauseReason"]), (&json!("active"), &Value::Null));
        advance_minute(&app).await;
        assert_eq!(outcomes(&app, &who, &monitor).await.len(), 3);
    });
}

#[test]
fn monitors_without_credits_wait_for_the_next_month() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/harbour", page("x"));
        let monitor = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        application::credit_grants::grant(&app.app.domain, &who.email, -98, "").await.unwrap();
        assert_eq!(credits(&app, &who).await, (1, 1));
        app.site.put("/harbour", page("y"));
        run_now(&app, &who, &monitor).await;
        assert_eq!(credits(&app, &who).await, (2, 0));
        let waits = |monitor: &Value| {
            let next = monitor["nextRunAt"].as_str().unwrap().to_owned();
            assert!(
                next.starts_with("2026-12-01T00:"),
                "the next run is in the first hour of the month: {next}"
            );
            next
        };
        let first = waits(&get_monitor(&app, &who, &monitor).await);
        let refused = who.send(&app, Method::POST, &format!("{}/run", path(&monitor))).await;
        refused.api_error(429, "monitor_credits_exhausted");
        advance_day(&app).await;
        assert_eq!(outcomes(&app, &who, &monitor).await.len(), 2);
        let other = app.site.put("/other", page("y"));
        let late = watch_page(&app, &who, &other).await;
        assert_ne!(waits(&late), first, "the runs are spread over the hour");
        let entries = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        let titles: Vec<&str> = entries["entries"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|entry| entry["title"].as_str())
            .collect();
        let waiting = "Waiting until 1 December 2026: this month's monitor credits are used up";
        assert_eq!(titles.iter().filter(|title| **title == waiting).count(), 1, "{titles:?}");
        application::credit_grants::grant(&app.app.domain, &who.email, 10, "sorry").await.unwrap();
        advance_minute(&app).await;
        assert_eq!(outcomes(&app, &who, &late).await, ["baseline"]);
        assert_eq!(get_monitor(&app, &who, &monitor).await["lastError"], Value::Null);
        app.site.put("/harbour", page("z"));
        app.clock.advance(12 * DAY);
        advance_minute(&app).await;
        assert_eq!(credits(&app, &who).await.1, 99, "the run in the new month costs one credit");
        assert_eq!(identity::credits::audit(&app.app.domain).await.unwrap(), []);
    });
}

#[test]
fn monitor_beyond_the_monthly_credits_has_a_warning() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let body = |page_path: &str| {
            let url = app.site.put(page_path, page("x"));
            json!({"name": "Prices", "targetUrl": url, "targetType": "extract",
                "items": "li", "fields": [{"name": "price", "selector": "b"}]})
        };
        let first = who.post(&app, "/v1/monitors", &body("/a")).await.expect(201).json();
        assert_eq!(first["monitor"]["creditsPerMonth"], 93);
        assert_eq!(first["warnings"], json!(["items_without_key"]));
        let mut tried = body("/b");
        tried["intervalMinutes"] = json!(1440);
        let preview = who.post(&app, "/v1/monitors/preview", &tried).await.expect(200).json();
        assert!(preview["warnings"].to_string().contains("monthly_credits_exceeded"), "{preview}");
        let second = who.post(&app, "/v1/monitors", &body("/b")).await.expect(201).json();
        assert_eq!(second["warnings"], json!(["monthly_credits_exceeded", "items_without_key"]));
        let seldom = json!({"intervalMinutes": 20_000});
        let calm =
            send(&app, &who, Method::PATCH, &path(&second["monitor"]), &seldom).await.expect(200).json();
        assert_eq!(
            (&calm["warnings"], &calm["monitor"]["creditsPerMonth"]),
            (&json!(["items_without_key"]), &json!(6))
        );
    });
}

#[test]
fn downgrade_pauses_the_newest_monitors_and_retains_intervals() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let mut all = Vec::new();
        for index in 0..5 {
            app.clock.advance(1_000);
            let url = app.site.put(&format!("/p{index}"), page("x"));
            all.push(
                create_monitor(&app, &who, &json!({"name": "M", "targetUrl": url, "intervalMinutes": 60}))
                    .await,
            );
        }
        let domain = &app.app.domain;
        identity::accounts::set_tier(domain, &who.email, Tier::Free).await.unwrap();
        let mut reasons = Vec::new();
        for monitor in &all {
            reasons.push(get_monitor(&app, &who, monitor).await["pauseReason"].clone());
        }
        assert_eq!(
            reasons,
            [Value::Null, Value::Null, Value::Null, json!("plan_limit"), json!("plan_limit")]
        );
        let refused = send(&app, &who, Method::PATCH, &path(&all[4]), &json!({"status": "active"})).await;
        refused.api_error(403, "limit_reached");
        advance_minute(&app).await;
        app.clock.advance(2 * HOUR);
        advance_minute(&app).await;
        assert_eq!(
            outcomes(&app, &who, &all[0]).await,
            ["baseline"],
            "the shortest interval of the plan is a day"
        );
        assert_eq!(get_monitor(&app, &who, &all[0]).await["intervalMinutes"], 1440);
        let chosen = set_status(&app, &who, &all[4], "paused").await;
        assert_eq!(chosen["pauseReason"], "user", "the owner paused the monitor");
        set_status(&app, &who, &all[0], "paused").await;
        advance_minute(&app).await;
        assert_eq!(
            get_monitor(&app, &who, &all[3]).await["status"],
            "paused",
            "capacity that the owner freed is not used automatically"
        );
        identity::accounts::set_tier(domain, &who.email, Tier::Premium).await.unwrap();
        let mut now = Vec::new();
        for monitor in &all {
            now.push(get_monitor(&app, &who, monitor).await);
        }
        let states: Vec<&str> = now.iter().filter_map(|monitor| monitor["status"].as_str()).collect();
        assert_eq!(states, ["paused", "active", "active", "active", "paused"]);
        assert_eq!(now[1]["intervalMinutes"], 60, "the requested interval is retained");
        let next = hours(&now[1]["nextRunAt"]).unwrap() - hours(&now[1]["lastRunAt"]).unwrap();
        assert!(next <= 4, "an upgrade applies immediately: {next}");
    });
}

#[test]
fn shorter_interval_does_not_cancel_back_off_or_credit_wait() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.put("/harbour", page("x"));
        let monitor = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        let hourly = json!({"intervalMinutes": 60});
        let patched = send(&app, &who, Method::PATCH, &path(&monitor), &hourly).await.expect(200).json();
        assert_eq!(hours(&patched["monitor"]["nextRunAt"]), hours(&monitor["createdAt"]).map(|at| at + 1));
        let longer = json!({"intervalMinutes": 1440});
        let patched = send(&app, &who, Method::PATCH, &path(&monitor), &longer).await.expect(200).json();
        assert_eq!(hours(&patched["monitor"]["nextRunAt"]), hours(&monitor["createdAt"]).map(|at| at + 1));
        app.site.put("/harbour", Reply::status(500));
        run_now(&app, &who, &monitor).await;
        let backed_off = get_monitor(&app, &who, &monitor).await["nextRunAt"].clone();
        let quarter = json!({"intervalMinutes": 15});
        let patched = send(&app, &who, Method::PATCH, &path(&monitor), &quarter).await.expect(200).json();
        assert_eq!(
            patched["monitor"]["nextRunAt"], backed_off,
            "a shorter interval does not cancel the back-off"
        );
        let poor = Person::free(&app).await;
        let url = app.site.put("/lamp", page("x"));
        let waiting =
            create_monitor(&app, &poor, &json!({"name": "Lamp", "targetUrl": url, "intervalMinutes": 2880}))
                .await;
        advance_minute(&app).await;
        application::credit_grants::grant(&app.app.domain, &poor.email, -200, "").await.unwrap();
        let before = get_monitor(&app, &poor, &waiting).await["nextRunAt"].clone();
        assert!(before.as_str().unwrap().starts_with("2026-12-01T00:"), "{before}");
        let daily = json!({"intervalMinutes": 1440});
        let patched = send(&app, &poor, Method::PATCH, &path(&waiting), &daily).await.expect(200).json();
        assert_eq!(
            patched["monitor"]["nextRunAt"], before,
            "a longer interval does not cancel the wait for credits"
        );
    });
}
