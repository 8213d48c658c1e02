//! Noise masks, flapping pages, and the baseline after pauses that the owner did not request.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::clock::{DAY, HOUR};
use crate::support::monitoring::{
    advance_minute, changes, create_monitor, get_monitor, page, path, remaining_extractions, run_now, send,
    watch_page,
};
use crate::support::person::Person;
use crate::support::{Reply, on_each_world};

fn below_100(url: &str) -> Value {
    json!({"name": "Lamp", "targetUrl": url, "targetType": "extract",
        "fields": [{"name": "price", "selector": ".price"}], "trigger": {"kind": "below", "value": 100}})
}

fn lamp(price: &str) -> Reply {
    Reply::html(format!("<html><body><h1>Lamp</h1><b class=price>{price}</b></body></html>"))
}

#[test]
fn noise_masks_are_listed_and_can_be_removed() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let story = |of: &str| page(&format!("Today we recommend the story of {of} to all readers"));
        let url = app.site.put("/harbour", story("Aldo"));
        let monitor = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        app.site.put_sequence("/harbour", ["Berta", "Cesar", "Dora"].map(story));
        run_now(&app, &who, &monitor).await;
        let masks = get_monitor(&app, &who, &monitor).await["masks"].clone();
        assert_eq!(masks.as_array().unwrap().len(), 1, "{masks}");
        app.site.put("/harbour", story("Emil"));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "unchanged");
        let dropped = send(&app, &who, Method::PATCH, &path(&monitor), &json!({"masks": []})).await;
        assert_eq!(dropped.expect(200).json()["monitor"]["masks"], json!([]));
        app.site.put("/harbour", story("Frida"));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed");
        // Extracted values are never noise, so the source is not fetched a second time.
        let shop = app.site.put("/lamp", lamp("120 €"));
        let any = json!({"name": "Any", "targetUrl": shop, "targetType": "extract",
            "fields": [{"name": "price", "selector": ".price"}]});
        let prices = create_monitor(&app, &who, &any).await;
        advance_minute(&app).await;
        let before = app.site.hits("/lamp");
        app.site.put("/lamp", lamp("110 €"));
        assert_eq!(run_now(&app, &who, &prices).await["outcome"], "changed");
        assert_eq!(app.site.hits("/lamp") - before, 1);
    });
}

#[test]
fn flapping_page_is_reported_as_muted() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (open, closed) = ("The museum is open.", "Today it stays shut.");
        let url = app.site.put("/museum", page(open));
        let monitor = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        let mut outcomes = Vec::new();
        for words in [closed, open, closed, open] {
            app.site.put("/museum", page(words));
            outcomes.push(run_now(&app, &who, &monitor).await["outcome"].clone());
        }
        assert_eq!(outcomes, ["changed", "changed", "unchanged", "unchanged"]);
        assert_eq!(get_monitor(&app, &who, &monitor).await["quiet"], "flips");
        // The page now stays closed. The change is recorded after a day, although the body does not change
        // during that day.
        app.site.put("/museum", page(closed));
        run_now(&app, &who, &monitor).await;
        app.clock.advance(DAY + HOUR);
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed");
        assert_eq!(get_monitor(&app, &who, &monitor).await["quiet"], Value::Null);
    });
}

#[test]
fn automatic_pauses_retain_the_baseline() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let mut watched = Vec::new();
        for index in 0..4 {
            app.clock.advance(1_000);
            let url = app.site.put(&format!("/lamp{index}"), lamp("120 €"));
            watched.push(create_monitor(&app, &who, &below_100(&url)).await);
        }
        advance_minute(&app).await;
        // The plan allows only three monitors, the credits are used up, and one monitor has failed.
        identity::accounts::set_tier(&app.app.domain, &who.email, Tier::Free).await.unwrap();
        application::credit_grants::grant(&app.app.domain, &who.email, -200, "").await.unwrap();
        app.site.put("/lamp2", Reply::status(410));
        application::credit_grants::grant(&app.app.domain, &who.email, 200, "").await.unwrap();
        run_now(&app, &who, &watched[2]).await;
        assert_eq!(get_monitor(&app, &who, &watched[2]).await["status"], "failed");
        assert_eq!(get_monitor(&app, &who, &watched[3]).await["pauseReason"], "plan_limit");
        application::credit_grants::grant(&app.app.domain, &who.email, -200, "").await.unwrap();
        for index in 0..4 {
            app.site.put(&format!("/lamp{index}"), lamp("90 €"));
        }
        identity::accounts::set_tier(&app.app.domain, &who.email, Tier::Premium).await.unwrap();
        application::credit_grants::grant(&app.app.domain, &who.email, 200, "").await.unwrap();
        let active = json!({"status": "active"});
        send(&app, &who, Method::PATCH, &path(&watched[2]), &active).await.expect(200);
        app.clock.advance(DAY);
        advance_minute(&app).await;
        for (index, monitor) in watched.iter().enumerate() {
            let recorded = changes(&app, &who, monitor).await;
            assert_eq!(recorded.len(), 1, "{index}: {recorded:?}");
            assert_eq!(recorded[0]["diff"][0]["before"], "120 €");
        }
    });
}

#[test]
fn early_resume_is_charged_like_a_manual_run() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/harbour", page("x").with("etag", "\"a\""));
        let monitor = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        app.site.put("/harbour", Reply::status(304));
        let set = async |status: &str| {
            let body = json!({ "status": status });
            send(&app, &who, Method::PATCH, &path(&monitor), &body).await.expect(200);
        };
        let before = remaining_extractions(&app, &who).await;
        set("paused").await;
        set("active").await;
        set("active").await;
        assert_eq!(remaining_extractions(&app, &who).await, before - 2, "a preview and a run are charged");
        set("paused").await;
        app.clock.advance(2 * DAY);
        let before = remaining_extractions(&app, &who).await;
        set("active").await;
        assert_eq!(
            remaining_extractions(&app, &who).await,
            before - 1,
            "an overdue run is charged only once"
        );
    });
}
