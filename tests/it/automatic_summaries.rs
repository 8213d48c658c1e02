//! Automatic summaries: their budget, and changes between the storage of a text and its summary.

use jobs::{JobKind, NewJob};
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::language_model::{
    COMPLETIONS, SETTINGS, answer, count_rows, save, summary_path, switch_on, with_model,
};
use crate::library_imports;
use crate::support::browser::Browser;
use crate::support::clock::MINUTE;
use crate::support::person::Person;
use crate::support::{Reply, Site, TestApp, World, run};

/// Starts a server that answers with a summary.
fn start_model() -> Site {
    let stub = Site::start();
    stub.put(COMPLETIONS, answer(&json!({"summary": "Lamps."})));
    stub
}

/// Switches the model and automatic summaries on. Returns the browser.
async fn switch_automatic_on<'a>(app: &'a TestApp, who: &Person) -> Browser<'a> {
    let mut browser = switch_on(app, who).await;
    let chosen = [("act", "choose"), ("automatic", "1"), ("excludedTags", "Private")];
    browser.submit(SETTINGS, &chosen).await.expect(303);
    browser
}

/// Runs the jobs that become due within two minutes.
async fn run_next_jobs(app: &TestApp) {
    app.clock.advance(2 * MINUTE);
    app.tick().await;
    app.run_jobs().await;
}

async fn summary_of(app: &TestApp, who: &Person, item: &str) -> Value {
    who.get(app, &summary_path(item)).await.expect(200).json()["summary"].clone()
}

#[test]
fn attempts_of_an_automatic_summary_count_as_one_request() {
    run(async {
        for world in World::ALL {
            let folder = tempfile::tempdir().unwrap();
            let plans = folder.path().join("plans.toml");
            std::fs::write(&plans, "[free]\nmodel_requests_per_day = 1\n").unwrap();
            let stub = Site::start();
            stub.put_sequence(COMPLETIONS, [Reply::status(503), answer(&json!({"summary": "Lamps."}))]);
            let setup = with_model(world, &stub).set("CARREL_TIERS_FILE", plans.to_str().unwrap());
            let app = setup.spawn().await;
            let who = Person::free(&app).await;
            let mut browser = switch_automatic_on(&app, &who).await;
            let first = save(&app, &who, &json!({"content": "The harbour gets lamps."})).await;
            run_next_jobs(&app).await;
            run_next_jobs(&app).await;
            assert_eq!(summary_of(&app, &who, &first).await["state"], "ready");
            assert_eq!(stub.hits(COMPLETIONS), 2, "two attempts");

            let second = save(&app, &who, &json!({"content": "The town gets bread."})).await;
            run_next_jobs(&app).await;
            let summary = summary_of(&app, &who, &second).await;
            assert_eq!((&summary["state"], &summary["reason"]), (&json!("failed"), &json!("rate_limited")));
            assert_eq!(stub.hits(COMPLETIONS), 2, "nothing is sent without a request of the day");
            let page = browser.open(&format!("/library/{second}")).await.expect(200).text();
            assert!(page.contains("all requests for today are used up"), "{page}");
        }
    });
}

#[test]
fn item_excluded_after_its_request_is_summarized_only_on_demand() {
    run(async {
        for world in World::ALL {
            let stub = start_model();
            let mut app = with_model(world, &stub).idle().spawn().await;
            let who = Person::on(&app, Tier::Pro).await;
            drop(switch_automatic_on(&app, &who).await);
            let mut items = Vec::new();
            for content in ["The harbour gets lamps.", "The town gets bread.", "The diary gets ink."] {
                items.push(save(&app, &who, &json!({ "content": content })).await);
            }
            let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
            let change = json!({"ids": items[1..], "changes": {"addTags": ["private"]}}).to_string();
            app.send(Method::PATCH, "/v1/library/items", &headers, Some(change)).await.expect(200);
            who.send(&app, Method::POST, &summary_path(&items[2])).await.expect(202);
            app.start_workers().await;
            run_next_jobs(&app).await;
            for item in [&items[0], &items[2]] {
                assert_eq!(summary_of(&app, &who, item).await["state"], "ready");
            }
            assert_eq!(summary_of(&app, &who, &items[1]).await, Value::Null);
            assert_eq!(stub.hits(COMPLETIONS), 2);
        }
    });
}

#[test]
fn withdrawn_consent_cancels_automatic_requests() {
    run(async {
        let stub = start_model();
        let mut app = with_model(World::Small, &stub).idle().spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = switch_automatic_on(&app, &who).await;
        let item = save(&app, &who, &json!({"content": "The harbour gets lamps."})).await;
        assert_eq!(summary_of(&app, &who, &item).await["state"], "requested");
        browser.open(SETTINGS).await.expect(200);
        browser.submit(SETTINGS, &[("act", "off")]).await.expect(303);
        drop(browser);
        app.start_workers().await;
        run_next_jobs(&app).await;
        assert_eq!(summary_of(&app, &who, &item).await, Value::Null);
        assert_eq!((count_rows(&app, "item_summary").await, stub.hits(COMPLETIONS)), (0, 0));
    });
}

#[test]
fn imported_item_is_not_summarized_after_a_refresh() {
    run(async {
        let stub = start_model();
        let app = with_model(World::Small, &stub).spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        drop(switch_automatic_on(&app, &who).await);
        let url = app.site.article("/town");
        let table = format!("title,url,time_added,tags,status\nTown,{url},4102444800,,unread\n");
        let made = library_imports::send(&app, &who, table.into_bytes(), &[("dryRun", "false")]).await;
        made.expect(202);
        app.run_jobs().await;
        run_next_jobs(&app).await;
        run_next_jobs(&app).await;
        let items = who.get(&app, "/v1/library/items").await.expect(200).json();
        assert_eq!(items["items"][0]["articleStatus"], "ready", "{items}");
        let item = items["items"][0]["id"].as_str().unwrap();
        who.post(&app, &format!("/v1/library/items/{item}/refresh"), &json!({})).await.expect(202);
        app.run_jobs().await;
        run_next_jobs(&app).await;
        assert_eq!(summary_of(&app, &who, item).await, Value::Null);
        assert_eq!(stub.hits(COMPLETIONS), 0);
    });
}

#[test]
fn text_is_stored_while_the_queue_of_summaries_is_full() {
    run(async {
        for world in World::ALL {
            let stub = start_model();
            let app = with_model(world, &stub).idle().spawn().await;
            let who = Person::on(&app, Tier::Pro).await;
            let mut browser = switch_automatic_on(&app, &who).await;
            let domain = &app.app.domain;
            // Jobs of low priority leave half of the capacity for requests of people.
            let waiting: Vec<NewJob> =
                (0..500).map(|number| NewJob::new(JobKind::Summary, format!("waiting {number}"))).collect();
            jobs::submit_all(domain.db().write(), domain, &waiting).await.unwrap();
            let item = save(&app, &who, &json!({"content": "The harbour gets lamps."})).await;
            let summary = summary_of(&app, &who, &item).await;
            let reason = json!("capacity_exhausted");
            assert_eq!((&summary["state"], &summary["reason"]), (&json!("failed"), &reason));
            let page = browser.open(&format!("/library/{item}")).await.expect(200).text();
            assert!(page.contains("too many requests were waiting"), "{page}");
            let again = who.send(&app, Method::POST, &summary_path(&item)).await.expect(202).json();
            assert_eq!(again["summary"]["state"], "requested");
        }
    });
}
