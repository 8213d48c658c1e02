//! Further actions on the pages of monitors: bulk changes, tags, charts and CSV of values, and suggestions.

use kernel::tiers::Tier;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::support::browser::{Browser, between};
use crate::support::monitoring::{advance_minute, create_monitor, get_monitor, page, run_now, watch_page};
use crate::support::person::Person;
use crate::support::{Reply, TestApp, on_each_world};

fn lamp(price: &str) -> Reply {
    Reply::html(format!("<html><body><h1>Lamp</h1><b class=price>{price}</b></body></html>"))
}

fn id_of(monitor: &Value) -> &str {
    monitor["id"].as_str().unwrap()
}

#[test]
fn selected_monitors_are_paused_and_resumed() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let mut monitors = Vec::new();
        for name in ["one", "two", "three"] {
            let url = app.site.put(&format!("/{name}"), page(name));
            monitors.push(watch_page(&app, &who, &url).await);
        }
        browser.open("/monitors").await.expect(200);
        let (first, third) = (id_of(&monitors[0]), id_of(&monitors[2]));
        let selected = [("id", first), ("id", third), ("id", "nonsense"), ("act", "pause")];
        let sent = browser.submit("/monitors/selected", &selected).await.expect(303);
        let text = browser.open(sent.header("location")).await.expect(200).text();
        assert!(text.contains("2 monitors were updated."), "{text}");
        let mut states = Vec::new();
        for monitor in &monitors {
            states.push(get_monitor(&app, &who, monitor).await["status"].clone());
        }
        assert_eq!(states, ["paused", "active", "paused"]);
        browser.submit("/monitors/selected", &[("id", first), ("act", "resume")]).await.expect(303);
        assert_eq!(get_monitor(&app, &who, &monitors[0]).await["status"], "active");
        let mut other = Browser::new(&app);
        other.sign_in(&Person::free(&app).await.email).await;
        other.open("/settings").await.expect(200);
        let sent = other.submit("/monitors/selected", &[("id", first), ("act", "pause")]).await.expect(303);
        assert!(sent.header("location").contains("done=0&left=1"));
        assert_eq!(get_monitor(&app, &who, &monitors[0]).await["status"], "active");
    });
}

#[test]
fn monitors_can_be_listed_and_paused_by_tag() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let mut monitors = Vec::new();
        for (name, tags) in [("one", "Home,  prices "), ("two", "home, HOME"), ("three", "")] {
            let url = app.site.put(&format!("/{name}"), page(name));
            let monitor = watch_page(&app, &who, &url).await;
            let edit = format!("/monitors/{}/edit", id_of(&monitor));
            browser.open(&edit).await.expect(200);
            let fields = [("name", name), ("targetUrl", url.as_str()), ("tags", tags), ("act", "save")];
            browser.submit(&edit, &fields).await.expect(303);
            monitors.push(monitor);
        }
        let edit = format!("/monitors/{}/edit", id_of(&monitors[1]));
        let form = browser.open(&edit).await.expect(200).text();
        assert!(form.contains("value=\"Home\""), "equal tags are merged in their first spelling: {form}");
        let many: Vec<String> = (0..13).map(|number| format!("tag{number}")).collect();
        let url = monitors[1]["targetUrl"].as_str().unwrap();
        for (tags, words) in [(many.join(","), "too many tags"), ("x".repeat(33), "too long")] {
            let fields = [("name", "two"), ("targetUrl", url), ("tags", tags.as_str()), ("act", "save")];
            let text = browser.submit(&edit, &fields).await.expect(422).text();
            assert!(text.contains(words) && text.contains(&tags), "{text}");
        }
        let list = browser.open("/monitors?tag=HOME").await.expect(200).text();
        let names = ["one", "two", "three"].map(|name| list.contains(&format!(">{name}</a>")));
        assert_eq!(names, [true, true, false]);
        let sent =
            browser.submit("/monitors/selected", &[("tag", "home"), ("act", "pause-tag")]).await.expect(303);
        let text = browser.open(sent.header("location")).await.expect(200).text();
        assert!(text.contains("2 monitors were updated.") && text.contains("Resume all 2"), "{text}");
        let mut states = Vec::new();
        for monitor in &monitors {
            states.push(get_monitor(&app, &who, monitor).await["status"].clone());
        }
        assert_eq!(states, ["paused", "paused", "active"]);
        let none = browser.open("/monitors?tag=unknown").await.expect(200).text();
        assert!(none.contains("No monitors have this tag."), "{none}");
    });
}

/// Creates a monitor of a lamp's price, which is 120 €.
async fn create_price_monitor(app: &TestApp, who: &Person) -> Value {
    let url = app.site.put("/lamp", lamp("120 €"));
    let body = json!({"name": "Lamp", "targetUrl": url, "targetType": "extract",
        "fields": [{"name": "price", "selector": ".price"}]});
    create_monitor(app, who, &body).await
}

#[test]
fn monitored_number_has_a_chart_and_csv() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let monitor = create_price_monitor(&app, &who).await;
        advance_minute(&app).await;
        for price in ["90 €", "150 €"] {
            app.site.put("/lamp", lamp(price));
            run_now(&app, &who, &monitor).await;
        }
        let at = format!("/monitors/{}", id_of(&monitor));
        let text = browser.open(&at).await.expect(200).text();
        assert!(text.contains("price: 150 EUR now, between 90 EUR and 150 EUR in 3 readings."), "{text}");
        let chart = text.find("<polyline points=").expect("the page has a chart");
        assert!(chart < text.find("<dt>Target</dt>").unwrap(), "the chart comes first: {text}");
        assert!(text.contains("Values as a table") && text.contains("<td>90 EUR</td>"), "{text}");
        let csv = browser.open(&format!("{at}/values.csv")).await.expect(200);
        assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
        let text = csv.text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines.len(), lines[0]), (4, "time,item,field,text,number,currency"));
        assert!(lines[2].ends_with(",\"\",\"price\",\"90 €\",90,EUR"), "{text}");
        let mut other = Browser::new(&app);
        other.sign_in(&Person::free(&app).await.email).await;
        other.open(&format!("{at}/values.csv")).await.expect(404);
    });
}

/// The snapshots are read in several pages, newest first.
#[test]
fn csv_contains_the_values_of_all_snapshots() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let monitor = create_price_monitor(&app, &who).await;
        advance_minute(&app).await;
        let writer = app.app.domain.db().write();
        for n in 1..=45 {
            let columns = "started_at, finished_at, outcome, added, removed, modified, credits";
            for sql in [
                format!(
                    "INSERT INTO monitor_snapshot (account_id, monitor_id, hash, content, seen_at) SELECT account_id, \
                     monitor_id, 'copy {n}', content, seen_at FROM monitor_snapshot WHERE hash NOT LIKE 'copy %' LIMIT 1"
                ),
                format!(
                    "INSERT INTO monitor_run (id, account_id, monitor_id, due_at, {columns}, content_hash) \
                     SELECT '00000000-0000-7000-8000-{n:012}', account_id, monitor_id, due_at - {n}, {columns}, 'copy {n}' \
                     FROM monitor_run WHERE content_hash IS NOT NULL AND content_hash NOT LIKE 'copy %' LIMIT 1"
                ),
            ] {
                writer.execute_unprepared(&sql).await.unwrap();
            }
        }
        let csv = browser.open(&format!("/monitors/{}/values.csv", id_of(&monitor))).await.expect(200).text();
        assert_eq!(
            csv.lines().filter(|line| line.contains("\"price\",\"120 €\",120,EUR")).count(),
            46,
            "{csv}"
        );
    });
}

#[test]
fn preview_suggestion_fills_in_the_form() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let jobs: String = [1, 2, 3, 4, 5].map(|n| format!("<li><a href=/{n}>Job {n}</a></li>")).concat();
        let body = format!(
            "<html><body><main><h1>Lamp</h1><p>A lamp for the desk, with a shade of paper.</p><b class=price>120 €</b>\
             <span class=stock>Sold out</span><ul id=jobs>{jobs}</ul></main></body></html>"
        );
        let url = app.site.put("/shop", Reply::html(body));
        browser.open("/monitors/new").await.expect(200);
        let preview_fields = [("targetUrl", url.as_str()), ("targetType", "page"), ("act", "preview")];
        let text = browser.submit("/monitors/new", &preview_fields).await.expect(200).text();
        for words in
            ["The price falls", "120 €", "In stock, or sold out", "Sold out", "New items in this list"]
        {
            assert!(text.contains(words), "{words} is missing in {text}");
        }
        let link = between(&text, "<li><a href=\"", "\">The price falls").replace("&amp;", "&");
        let form = browser.open(&link).await.expect(200).text();
        for filled in [
            format!("value=\"{url}\""),
            "value=\"extract\" checked".to_owned(),
            "price = .price".to_owned(),
            "value=\"below\" selected".to_owned(),
            "value=\"120\"".to_owned(),
        ] {
            assert!(form.contains(&filled), "{filled} is missing in {form}");
        }
        let fields = [
            ("name", "Lamp"),
            ("targetUrl", url.as_str()),
            ("targetType", "extract"),
            ("fields", "price = .price"),
            ("trigger", "below"),
            ("value", "120"),
            ("act", "make"),
        ];
        browser.submit("/monitors/new", &fields).await.expect(303);
    });
}
