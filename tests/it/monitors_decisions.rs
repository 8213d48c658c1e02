//! Decisions of runs: why a change was or was not reported, and who was notified.

use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::monitoring::{advance_minute, create_monitor, page, run_now, runs};
use crate::support::person::Person;
use crate::support::{Reply, TestApp, on_each_world};

/// Runs a monitor and returns the decision of the run.
async fn decision(app: &TestApp, who: &Person, monitor: &Value) -> Value {
    run_now(app, who, monitor).await["decision"].clone()
}

#[test]
fn run_records_why_it_reported_nothing() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/shop", page("Currently sold out everywhere."));
        let body = json!({"name": "Shop", "targetUrl": url, "ignore": [{"text": "Visitors"}],
            "trigger": {"kind": "text_appears", "value": "Add to basket"}});
        let monitor = create_monitor(&app, &who, &body).await;
        advance_minute(&app).await;
        assert_eq!(runs(&app, &who, &monitor).await[0]["decision"], "first_check");
        assert_eq!(decision(&app, &who, &monitor).await, "same_source");
        app.site.put("/shop", page("The shop opens again on Monday."));
        assert_eq!(decision(&app, &who, &monitor).await, "condition_not_met");
        app.site.put("/shop", page("The shop is open. Add to basket"));
        assert_eq!(decision(&app, &who, &monitor).await, "reported_without_channel");
        app.site.put("/shop", Reply::status(503));
        assert_eq!(decision(&app, &who, &monitor).await, "failed");
    });
}

#[test]
fn ignored_difference_is_recorded_and_explained_on_the_page() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/news", page("Visitors today: many people."));
        let body = json!({"name": "News", "targetUrl": url, "ignore": [{"text": "Visitors"}]});
        let monitor = create_monitor(&app, &who, &body).await;
        advance_minute(&app).await;
        app.site.put("/news", page("Visitors today: only a few."));
        assert_eq!(decision(&app, &who, &monitor).await, "ignored_difference");
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let id = monitor["id"].as_str().unwrap();
        let page = browser.open(&format!("/monitors/{id}")).await.expect(200).text();
        assert!(page.contains("Only ignored content, dates, counters or known noise changed."), "{page}");
    });
}

#[test]
fn reported_run_lists_the_messages_of_its_channels() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let hook = app.site.put("/hook", Reply::bytes("text/plain", b"ok".to_vec()));
        browser.open("/settings/channels?kind=webhook").await.expect(200);
        let fields = [("kind", "webhook"), ("address", hook.as_str()), ("name", "My program")];
        browser.submit("/settings/channels", &fields).await.expect(200);
        let channels = who.get(&app, "/v1/channels").await.expect(200).json();
        let channel = channels["channels"][0]["id"].clone();
        let url = app.site.put("/news", page("The harbour opens at eight."));
        let body = json!({"name": "News", "targetUrl": url, "notify": [channel]});
        let monitor = create_monitor(&app, &who, &body).await;
        advance_minute(&app).await;
        app.site.put("/news", page("The harbour is closed because of the storm."));
        assert_eq!(decision(&app, &who, &monitor).await, "reported");
        advance_minute(&app).await;
        let run = runs(&app, &who, &monitor).await[0].clone();
        let sent = json!([{"channelId": channel, "channel": "My program", "state": "sent", "status": 200}]);
        assert_eq!(run["notices"], sent, "{run}");
    });
}
