//! Schedules of monitors, and notices of failures, through the API and the form.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::clock::{DAY, HOUR};
use crate::support::monitoring::{
    advance_minute, create_monitor, get_monitor, outcomes, page, path, run_now, send, watch_page,
};
use crate::support::person::Person;
use crate::support::{Reply, on_each_world};

/// Returns the times of the next runs, without seconds.
fn next_runs(monitor: &Value) -> Vec<String> {
    let runs = monitor["nextRuns"].as_array().expect("the answer lists runs");
    runs.iter().map(|time| time.as_str().unwrap()[..16].to_owned()).collect()
}

#[test]
fn monitor_runs_at_its_times_of_day() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/tide", page("The tide is low."));
        let schedule = json!({"times": ["09:00"], "timeZone": "Europe/Berlin", "jitterMinutes": 0});
        let body = json!({"name": "Tide", "targetUrl": url, "schedule": schedule});
        let monitor = create_monitor(&app, &who, &body).await;
        assert_eq!(
            (&monitor["schedule"]["times"], &monitor["schedule"]["week"]),
            (&json!(["09:00"]), &Value::Null)
        );
        advance_minute(&app).await;
        let now = get_monitor(&app, &who, &monitor).await;
        // It is 12:00 UTC. The run of the next day is skipped, because the interval has not elapsed then, so
        // the next run is on the day after.
        assert_eq!(next_runs(&now), ["2026-11-22T08:00", "2026-11-23T08:00", "2026-11-24T08:00"]);
        app.clock.advance(DAY + 19 * HOUR);
        advance_minute(&app).await;
        assert_eq!(outcomes(&app, &who, &monitor).await, ["baseline"]);
        app.clock.advance(HOUR);
        advance_minute(&app).await;
        assert_eq!(outcomes(&app, &who, &monitor).await, ["baseline", "unchanged"]);
        assert_eq!(next_runs(&get_monitor(&app, &who, &monitor).await)[0], "2026-11-23T08:00");
    });
}

#[test]
fn schedule_is_replaced_and_reset_by_an_update() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let monitor = watch_page(&app, &who, &app.site.put("/tide", page("x"))).await;
        advance_minute(&app).await;
        let patch = async |schedule: Value| {
            let body = json!({ "schedule": schedule });
            send(&app, &who, Method::PATCH, &path(&monitor), &body).await.expect(200).json()["monitor"]
                .clone()
        };
        let first = json!({"weekdays": ["monday"], "week": "first", "times": ["09:00"], "jitterMinutes": 0});
        let patched = patch(first).await;
        assert_eq!(next_runs(&patched), ["2026-12-07T09:00", "2027-01-04T09:00", "2027-02-01T09:00"]);
        assert_eq!(patched["creditsPerMonth"], 1);
        let paused = patch(json!({"pausedUntil": "2026-12-24T08:00:00Z"})).await;
        assert!(paused["nextRunAt"].as_str().unwrap().starts_with("2026-12-24T08:00"), "{paused}");
        let plain = patch(json!({})).await;
        assert_eq!(
            (&plain["schedule"]["times"], plain["schedule"]["pausedUntil"].is_null()),
            (&json!([]), true)
        );
        assert!(plain["nextRunAt"].as_str().unwrap() < "2026-11-22", "{plain}");
    });
}

#[test]
fn malformed_schedule_is_refused_with_its_path() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/tide", page("x"));
        for (schedule, code, pointer) in [
            (json!({"timeZone": "Mars/Olympus"}), "invalid_request", "/schedule/timeZone"),
            (json!({"times": ["24:00"]}), "invalid_request", "/schedule/times/0"),
            (
                json!({"muteHours": {"from": "22:00", "to": "22:00"}}),
                "invalid_request",
                "/schedule/muteHours/to",
            ),
            (json!({"times": ["09:00", "18:00"]}), "interval_too_short", "/schedule/times"),
        ] {
            let body = json!({"name": "Tide", "targetUrl": url, "schedule": schedule});
            let refused = who.post(&app, "/v1/monitors", &body).await.expect(422).json();
            assert_eq!(refused["code"], code);
            assert!(refused["details"].as_str().unwrap().starts_with(pointer), "{refused}");
        }
    });
}

#[test]
fn failures_are_reported_when_the_configured_number_is_reached() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.put("/harbour", page("x"));
        let body = json!({"name": "Harbour", "targetUrl": url, "notifyFailures": 2});
        let monitor = create_monitor(&app, &who, &body).await;
        advance_minute(&app).await;
        app.site.put("/harbour", Reply::status(500));
        let mut counts = Vec::new();
        for _ in 0..4 {
            run_now(&app, &who, &monitor).await;
            let entries = who.get(&app, "/v1/rss/entries").await.expect(200).json();
            counts.push(entries["entries"].as_array().unwrap().len());
        }
        assert_eq!(counts, [0, 1, 1, 1], "the failures are reported once");
        let entries = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        assert_eq!(entries["entries"][0]["title"], "Failing: the page cannot be read (source_error)");
    });
}

#[test]
fn schedule_is_set_in_the_form_and_described_on_the_page() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let url = app.site.put("/tide", page("x"));
        let typed = [
            ("name", "Tide"),
            ("targetUrl", url.as_str()),
            ("targetType", "page"),
            ("weekdays", "monday"),
            ("weekdays", "friday"),
            ("times", "09:00"),
            ("timeZone", "Europe/Berlin"),
            ("muteFrom", "22:00"),
            ("muteTo", "07:00"),
            ("notifyFailures", "3"),
            ("act", "make"),
        ];
        browser.open("/monitors/new").await.expect(200);
        let made = browser.submit("/monitors/new", &typed).await.expect(303);
        let at = made.header("location").split('?').next().unwrap().to_owned();
        let monitor = json!({"id": at.rsplit('/').next().unwrap()});
        let now = get_monitor(&app, &who, &monitor).await;
        assert_eq!(now["schedule"]["weekdays"], json!(["monday", "friday"]));
        assert_eq!(
            (&now["schedule"]["muteHours"]["to"], &now["notifyFailures"]),
            (&json!("07:00"), &json!(3))
        );
        let detail = browser.open(&at).await.expect(200).text();
        assert!(detail.contains("at 09:00 on Monday, Friday (Europe/Berlin)"), "{detail}");
        let form = browser.open(&format!("{at}/edit")).await.expect(200).text();
        assert!(form.contains("value=\"Europe/Berlin\"") && form.contains("value=\"22:00\""), "{form}");
        let wrong = [typed[0], typed[1], ("times", "9 o'clock"), ("act", "save")];
        let wrong = browser.submit(&format!("{at}/edit"), &wrong).await.expect(422).text();
        assert!(wrong.contains("href=\"#times\""), "{wrong}");
        let cleared = [typed[0], typed[1], ("act", "save")];
        browser.open(&format!("{at}/edit")).await.expect(200);
        browser.submit(&format!("{at}/edit"), &cleared).await.expect(303);
        let now = get_monitor(&app, &who, &monitor).await;
        assert_eq!((&now["schedule"]["times"], &now["notifyFailures"]), (&json!([]), &Value::Null));
    });
}
