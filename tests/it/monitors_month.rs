//! Simulated month on each of the three plans: intervals, credits and their monthly renewal, pauses, and
//! failures.

use std::collections::BTreeSet;

use kernel::MonitorId;
use kernel::tiers::Tier;
use serde_json::{Value, json};

use crate::support::clock::{DAY, HOUR, SECOND};
use crate::support::monitoring::{
    changes, create_monitor, credits, get_monitor, page, path, query_number, runs, send,
};
use crate::support::person::Person;
use crate::support::{Reply, TestApp, on_each_world};

/// Ten days of a shop, with sales, a sold-out product, a robot check, and an outage.
const LAMP: [(&str, &str); 10] = [
    ("120 €", "In stock"),
    ("120 €", "In stock"),
    ("90 €", "In stock"),
    ("", "Sold out"),
    ("90 €", "In stock"),
    ("wall", ""),
    ("150 €", "Sold out"),
    ("80 €", "Sold out"),
    ("down", ""),
    ("80 €", "In stock"),
];

fn lamp((price, stock): (&str, &str)) -> Reply {
    match price {
        "down" => Reply::status(503),
        "wall" => {
            Reply::html("<html><head><title>Robot Check</title></head><body><p>Are you?</p></body></html>")
        }
        _ => {
            let price = if price.is_empty() { String::new() } else { format!("<b class=price>{price}</b>") };
            Reply::html(format!("<html><body><h1>Lamp</h1>{price}<p>{stock}</p></body></html>"))
        }
    }
}

/// Simulates one day, in which each monitor runs at its due time.
async fn simulate_day(app: &TestApp) {
    let domain = &app.app.domain;
    let end = domain.now() + DAY;
    let next = "SELECT CAST(COALESCE(MIN(next_run_at), 0) AS bigint) FROM monitor";
    loop {
        let next = query_number(domain, next).await;
        if next == 0 || next >= end {
            break;
        }
        app.clock.advance((next - domain.now()).max(20 * SECOND));
        app.tick().await;
        app.run_jobs().await;
    }
    app.clock.advance((end - domain.now()).max(0));
}

/// Returns the start times of a monitor's runs in milliseconds, oldest first.
async fn run_start_times(app: &TestApp, who: &Person, monitor: &Value) -> Vec<i64> {
    let id: MonitorId = monitor["id"].as_str().unwrap().parse().unwrap();
    let (domain, mut all, mut after) = (&app.app.domain, Vec::new(), None);
    loop {
        let page =
            monitors::list_runs(domain, who.id, id, monitors::ListRange { after, limit: 100 }).await.unwrap();
        all.extend(page.runs.iter().map(|run| run.started_at));
        after = page.next_after;
        if after.is_none() {
            all.reverse();
            return all;
        }
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a month is one story, told in its order")]
fn simulated_month_respects_intervals_credits_and_pauses() {
    on_each_world(async |app| {
        let free = Person::on(&app, Tier::Free).await;
        let premium = Person::on(&app, Tier::Premium).await;
        let pro = Person::on(&app, Tier::Pro).await;
        let mut watched = Vec::new();
        for (who, name, minutes) in [(&free, "free", 1440), (&premium, "premium", 720), (&pro, "pro", 360)] {
            let url = app.site.put(&format!("/{name}"), page("It begins."));
            let body = json!({"name": name, "targetUrl": url, "intervalMinutes": minutes});
            watched.push((who, create_monitor(&app, who, &body).await, i64::from(minutes) * 60 * SECOND));
        }
        let broken = app.site.put("/broken", Reply::status(503));
        let failing = create_monitor(
            &app,
            &pro,
            &json!({"name": "broken", "targetUrl": broken, "intervalMinutes": 360}),
        )
        .await;
        let lamp = app.site.put("/lamp", lamp(LAMP[0]));
        let below = json!({"name": "lamp", "targetUrl": lamp, "targetType": "extract", "intervalMinutes": 360,
            "fields": [{"name": "price", "selector": ".price"}], "trigger": {"kind": "below", "value": 100}});
        let restock = json!({"name": "stock", "targetUrl": lamp, "intervalMinutes": 360,
            "trigger": {"kind": "text_appears", "value": "in stock"}});
        let (below, restock) =
            (create_monitor(&app, &pro, &below).await, create_monitor(&app, &pro, &restock).await);
        // The credits of the free plan run out in the first days.
        application::credit_grants::grant(&app.app.domain, &free.email, -95, "").await.unwrap();
        let mut exhausted_until = None;
        for day in 0..30 {
            for (_, monitor, _) in &watched {
                let page_path = format!("/{}", monitor["name"].as_str().unwrap());
                app.site.put(&page_path, page(&format!("Day {day} of the month begins.")));
            }
            app.site.put("/lamp", self::lamp(LAMP[day % LAMP.len()]));
            if day == 3 {
                let paused = json!({"status": "paused"});
                send(&app, &premium, reqwest::Method::PATCH, &path(&watched[1].1), &paused).await.expect(200);
            }
            if day == 6 {
                let active = json!({"status": "active"});
                send(&app, &premium, reqwest::Method::PATCH, &path(&watched[1].1), &active).await.expect(200);
            }
            if day == 8 {
                exhausted_until = Some(get_monitor(&app, &free, &watched[0].1).await["nextRunAt"].clone());
            }
            self::simulate_day(&app).await;
        }
        let exhausted_until = exhausted_until.unwrap();
        assert!(exhausted_until.as_str().unwrap().starts_with("2026-12-01T00:"), "{exhausted_until}");
        let wall = "The page now shows a robot check";
        let all_titles = |changes: Vec<Value>| -> Vec<String> {
            changes.iter().rev().map(|change| change["title"].as_str().unwrap().to_owned()).collect()
        };
        let change_titles = |changes: Vec<Value>| -> Vec<String> {
            all_titles(changes).into_iter().filter(|title| title != wall).collect()
        };
        let walls =
            all_titles(changes(&app, &pro, &restock).await).iter().filter(|title| *title == wall).count();
        assert_eq!(walls, 3, "a robot check that lasts a day is reported each time it begins");
        let falls =
            ["price: 120 € → 90 €", "price: 150 € → 80 €", "price: 120 € → 90 €", "price: 150 € → 80 €"];
        assert_eq!(change_titles(changes(&app, &pro, &below).await)[..4], falls);
        let restocks = change_titles(changes(&app, &pro, &restock).await);
        assert_eq!(restocks.len(), 6, "restocks in the last days of each round: {restocks:?}");
        for (who, monitor, interval) in &watched {
            let times = run_start_times(&app, who, monitor).await;
            let short: Vec<i64> =
                times.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| gap < interval).collect();
            assert_eq!(short, [0_i64; 0], "no two runs are closer than the interval");
        }
        let november: BTreeSet<i64> = run_start_times(&app, &free, &watched[0].1).await.into_iter().collect();
        assert!(
            (20..=26).contains(&november.len()),
            "5 in November, then daily from December on: {}",
            november.len()
        );
        assert_eq!(credits(&app, &free).await.0, i64::try_from(november.len()).unwrap() - 5);
        let failed = get_monitor(&app, &pro, &failing).await;
        assert_eq!((&failed["status"], &failed["lastError"]), (&json!("failed"), &json!("source_error")));
        assert_eq!(runs(&app, &pro, &failing).await.len(), 5);
        let resumed = run_start_times(&app, &premium, &watched[1].1).await;
        let pause = resumed.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
        assert!(pause >= 72 * HOUR - 12 * HOUR, "the monitor was paused for three days: {pause}");
        assert_eq!(identity::credits::audit(&app.app.domain).await.unwrap(), []);
    });
}
