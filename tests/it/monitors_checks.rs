//! Checks of monitors: failed observations, missing values, pauses, changed definitions, and manual runs.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::clock::{DAY, HOUR, SECOND};
use crate::support::monitoring::{
    advance_day, advance_minute, changes, create_monitor, credits, get_monitor, outcomes, page, path,
    remaining_extractions, run_now, runs, send, watch_page,
};
use crate::support::person::Person;
use crate::support::{Reply, TestApp, on_each_world};

/// Creates a shop page with a stock status and, optionally, a price.
fn lamp(price: Option<&str>, stock: &str) -> Reply {
    let price = price.map(|price| format!("<b class=price>{price}</b>")).unwrap_or_default();
    Reply::html(format!("<html lang=de><body><h1>Lamp</h1>{price}<p class=stock>{stock}</p></body></html>"))
}

fn below_100(url: &str) -> Value {
    json!({"name": "Lamp", "targetUrl": url, "targetType": "extract",
        "fields": [{"name": "price", "selector": ".price"}], "trigger": {"kind": "below", "value": 100}})
}

fn bot_check() -> Reply {
    Reply::html(
        "<html><head><title>Just a moment...</title></head><body><p>Checking your browser before you \
         can go on.</p></body></html>",
    )
}

async fn patch(app: &TestApp, who: &Person, monitor: &Value, body: Value) -> Value {
    send(app, who, Method::PATCH, &path(monitor), &body).await.expect(200).json()
}

#[test]
fn failed_observation_records_no_change() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/lamp", page("The lamp is in stock."));
        let body = json!({"name": "Lamp", "targetUrl": url, "trigger": {"kind": "text_disappears", "value": "in stock"}});
        let gone = create_monitor(&app, &who, &body).await;
        let any = create_monitor(&app, &who, &json!({"name": "Any", "targetUrl": url})).await;
        advance_minute(&app).await;
        for reply in [bot_check(), Reply::status(503), page("The lamp is in stock.")] {
            app.site.put("/lamp", reply);
            run_now(&app, &who, &gone).await;
            run_now(&app, &who, &any).await;
        }
        for monitor in [&gone, &any] {
            let seen = runs(&app, &who, monitor).await;
            let codes: Vec<&str> = seen.iter().filter_map(|run| run["errorCode"].as_str()).collect();
            assert_eq!(codes, ["source_error", "source_invalid_response"]);
            assert_eq!(changes(&app, &who, monitor).await, [] as [Value; 0]);
        }
    });
}

#[test]
fn sitemap_with_a_missing_part_records_no_change() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let part = |numbers: std::ops::Range<u32>| {
            let url = |n: u32| format!("<url><loc>https://example.org/{n}</loc></url>");
            let urls = numbers.map(url).collect::<Vec<_>>().concat();
            Reply::bytes("application/xml", format!("<urlset>{urls}</urlset>").into_bytes())
        };
        let (one, two) = (app.site.put("/one.xml", part(0..5)), app.site.put("/two.xml", part(5..9)));
        let index = format!(
            "<sitemapindex><sitemap><loc>{one}</loc></sitemap><sitemap><loc>{two}</loc></sitemap></sitemapindex>"
        );
        let url = app.site.put("/index.xml", Reply::bytes("application/xml", index.into_bytes()));
        let body = json!({"name": "Index", "targetUrl": url, "targetType": "sitemap"});
        let monitor = create_monitor(&app, &who, &body).await;
        advance_minute(&app).await;
        for broken in [Reply::status(404), Reply::bytes("application/xml", b"<urlset><url><loc>".to_vec())] {
            app.site.put("/two.xml", broken);
            let run = run_now(&app, &who, &monitor).await;
            assert_eq!((&run["errorCode"], &run["credits"]), (&json!("source_invalid_response"), &json!(0)));
        }
        app.site.put("/two.xml", part(5..9));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "unchanged");
    });
}

#[test]
fn missing_price_is_an_observation_not_a_failure() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.put("/lamp", lamp(Some("120 €"), "In stock"));
        let monitor = create_monitor(&app, &who, &below_100(&url)).await;
        advance_minute(&app).await;
        app.site.put("/lamp", lamp(None, "Sold out"));
        for _ in 0..4 {
            app.clock.advance(12 * HOUR);
            assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "unchanged");
        }
        assert_eq!(get_monitor(&app, &who, &monitor).await["status"], "active");
        app.site.put("/lamp", lamp(Some("90 €"), "In stock"));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed", "the restock is reported");
        assert_eq!(get_monitor(&app, &who, &monitor).await["triggered"], true);
    });
}

#[test]
fn condition_true_at_the_first_run_is_reported_when_it_becomes_true_again() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.put("/lamp", lamp(Some("90 €"), "In stock"));
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let typed = [
            ("name", "Lamp"),
            ("targetUrl", url.as_str()),
            ("targetType", "extract"),
            ("fields", "price = .price"),
            ("trigger", "below"),
            ("value", "100"),
            ("triggerField", "price"),
            ("act", "preview"),
        ];
        browser.open("/monitors/new").await.expect(200);
        let preview = browser.submit("/monitors/new", &typed).await.expect(200).text();
        assert!(
            preview.contains("already true. The first run reports nothing: you will be notified"),
            "{preview}"
        );
        let repeated = [&typed[..], &[("repeatHours", "24")]].concat();
        let preview = browser.submit("/monitors/new", &repeated).await.expect(200).text();
        assert!(preview.contains("number of hours in “Report again after”."), "{preview}");

        let monitor = create_monitor(&app, &who, &below_100(&url)).await;
        advance_minute(&app).await;
        let at = format!("/monitors/{}", monitor["id"].as_str().unwrap());
        let notice = "The condition was already true in the first run";
        for (price, outcome, is_explained) in
            [("80 €", "unchanged", true), ("120 €", "unchanged", false), ("90 €", "changed", false)]
        {
            app.site.put("/lamp", lamp(Some(price), "In stock"));
            assert_eq!(run_now(&app, &who, &monitor).await["outcome"], outcome, "{price}");
            let page = browser.open(&at).await.expect(200).text();
            assert_eq!(page.contains(notice), is_explained, "{price} {page}");
        }
    });
}

#[test]
fn list_counts_as_empty_after_two_consecutive_empty_checks() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let list = |items: &[&str]| {
            let item = |item: &&str| format!("<li><a href=/{item}>{item}</a></li>");
            let items = items.iter().map(item).collect::<Vec<_>>().concat();
            Reply::html(format!("<html><body><h1>Appointments</h1><ul>{items}</ul></body></html>"))
        };
        let url = app.site.put("/list", list(&["monday", "friday"]));
        let mut body = json!({"name": "List", "targetUrl": url, "targetType": "extract", "items": "li",
            "fields": [{"name": "day", "selector": "a", "key": true}]});
        let monitor = create_monitor(&app, &who, &body).await;
        advance_minute(&app).await;
        app.site.put("/list", list(&[]));
        assert_eq!(
            run_now(&app, &who, &monitor).await["outcome"],
            "unchanged",
            "a single empty list is not reported"
        );
        let run = run_now(&app, &who, &monitor).await;
        assert_eq!((&run["outcome"], &run["removed"]), (&json!("changed"), &json!(2)));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "unchanged");
        app.site.put("/list", list(&["sunday"]));
        assert_eq!(run_now(&app, &who, &monitor).await["added"], 1);
        let free = app.site.put("/free", list(&[]));
        (body["targetUrl"], body["allowEmpty"]) = (json!(free), json!(true));
        let appointments = create_monitor(&app, &who, &body).await;
        assert_eq!(appointments["allowEmpty"], true);
        assert_eq!(
            run_now(&app, &who, &appointments).await["outcome"],
            "baseline",
            "an empty list is accepted as baseline"
        );
        app.site.put("/free", list(&["tuesday"]));
        assert_eq!(run_now(&app, &who, &appointments).await["added"], 1);
        body["allowEmpty"] = json!(false);
        body["targetUrl"] = json!(app.site.put("/none", list(&[])));
        let unknown = create_monitor(&app, &who, &body).await;
        assert_eq!(run_now(&app, &who, &unknown).await["errorCode"], "selector_not_found");
    });
}

#[test]
fn selector_without_match_fails_the_monitor_after_a_day() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/lamp", lamp(Some("120 €"), "In stock"));
        let body = json!({"name": "Price", "targetUrl": url, "selector": ".price"});
        let monitor = create_monitor(&app, &who, &body).await;
        advance_minute(&app).await;
        app.site.put("/lamp", lamp(None, "Sold out"));
        for _ in 0..4 {
            let run = run_now(&app, &who, &monitor).await;
            assert_eq!((&run["errorCode"], &run["credits"]), (&json!("selector_not_found"), &json!(0)));
        }
        assert_eq!(
            get_monitor(&app, &who, &monitor).await["status"],
            "active",
            "four failures within a minute do not stop the monitor"
        );
        app.clock.advance(DAY);
        run_now(&app, &who, &monitor).await;
        assert_eq!(get_monitor(&app, &who, &monitor).await["status"], "failed");
        let entries = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        assert_eq!(entries["entries"][0]["title"], "Stopped: the selector matches nothing");
        assert_eq!(changes(&app, &who, &monitor).await, [] as [Value; 0], "a notice is not a change");
        let text = json!({"name": "Button", "targetUrl": url, "selector": ".price", "trigger": {"kind": "text_appears", "value": "€"}});
        let waiting = create_monitor(&app, &who, &text).await;
        assert_eq!(
            run_now(&app, &who, &waiting).await["outcome"],
            "baseline",
            "an empty text is accepted as baseline"
        );
        app.site.put("/lamp", lamp(Some("120 €"), "In stock"));
        assert_eq!(run_now(&app, &who, &waiting).await["outcome"], "changed");
    });
}

#[test]
fn emptied_part_is_an_empty_text_for_a_trigger_with_a_text() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        for (kind, stock) in [
            ("text_disappears", ["Sold out", "", "Sold out", "Ships today"]),
            ("text_appears", ["Ships today", "Sold out", "", "Sold out"]),
        ] {
            let path = format!("/{kind}");
            let url = app.site.put(&path, lamp(Some("90 €"), stock[0]));
            let body = json!({"name": "Lamp", "targetUrl": url, "selector": ".stock",
                "trigger": {"kind": kind, "value": "Sold out"}});
            let monitor = create_monitor(&app, &who, &body).await;
            for text in stock {
                app.site.put(&path, lamp(Some("90 €"), text));
                let run = run_now(&app, &who, &monitor).await;
                assert_eq!(run["errorCode"], Value::Null, "{kind} {text:?}: {run}");
            }
            assert_eq!(changes(&app, &who, &monitor).await.len(), 2, "{kind}");
        }
    });
}

#[test]
fn page_without_any_text_is_an_error_for_a_trigger_with_a_text() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/lamp", lamp(None, "Sold out"));
        let body = json!({"name": "Lamp", "targetUrl": url, "selector": "body",
            "trigger": {"kind": "text_disappears", "value": "Sold out"}});
        let monitor = create_monitor(&app, &who, &body).await;
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "baseline");
        app.site.put("/lamp", Reply::html("<html><body><div id=app></div></body></html>"));
        assert_eq!(run_now(&app, &who, &monitor).await["errorCode"], "no_readable_text");
        assert_eq!(changes(&app, &who, &monitor).await, [] as [Value; 0]);
    });
}

#[test]
fn preview_returns_the_parsed_number() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/lamp", lamp(Some("1.299 €, neu 999 €"), "In stock"));
        let ask = async |body: Value| who.post(&app, "/v1/monitors/preview", &body).await;
        let mut body = below_100(&url);
        let seen = ask(body.clone()).await.expect(200).json();
        let reading = &seen["readings"][0];
        assert_eq!((&reading["number"], &reading["currency"]), (&json!("1299"), &json!("EUR")));
        assert_eq!((&reading["numbers"], &seen["triggered"]), (&json!(2), &json!(false)));
        assert_eq!(seen["warnings"], json!(["several_numbers"]));
        app.site.put("/lamp", lamp(Some("statt 1.299 € nur 999 €"), "In stock"));
        let seen = ask(body.clone()).await.expect(200).json();
        assert_eq!(seen["readings"][0]["number"], "999", "the price before is not to be paid");
        body["fields"][0]["number"] = json!("last");
        let seen = ask(body.clone()).await.expect(200).json();
        assert_eq!(seen["readings"][0]["number"], "999");
        body["fields"][0]["selector"] = json!(".stock");
        assert_eq!(ask(body.clone()).await.expect(200).json()["warnings"], json!(["no_number"]));
        body["fields"].as_array_mut().unwrap().push(json!({"name": "stock", "selector": ".stock"}));
        let refused = ask(body.clone()).await.api_error(422, "invalid_request");
        assert!(refused["details"].as_str().unwrap().starts_with("/trigger:"), "{refused}");
        body["trigger"]["field"] = json!("price");
        ask(body).await.expect(200);
        let whole = json!({"targetUrl": url, "trigger": {"kind": "above", "value": 5}});
        ask(whole).await.api_error(422, "invalid_request");
    });
}

#[test]
fn preview_warns_of_an_ambiguous_number() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/lamp", lamp(Some("1.799 €"), "In stock"));
        for (limit, number, warnings) in
            [(json!(1.7), "1.799", json!(["ambiguous_number"])), (json!(1500), "1799", json!([]))]
        {
            let mut body = below_100(&url);
            body["trigger"]["value"] = limit;
            let seen = who.post(&app, "/v1/monitors/preview", &body).await.expect(200).json();
            assert_eq!((&seen["readings"][0]["number"], &seen["warnings"]), (&json!(number), &warnings));
        }
    });
}

#[test]
fn preview_returns_current_matches_of_a_text_trigger() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/lamp", page("The lamp is NOT in stock."));
        let trigger = json!({"kind": "text_appears", "value": "in stock"});
        let body = json!({"targetUrl": url, "trigger": trigger});
        let seen = who.post(&app, "/v1/monitors/preview", &body).await.expect(200).json();
        assert_eq!((&seen["matches"], &seen["triggered"]), (&json!([]), &json!(false)));
        assert_eq!(seen["warnings"], json!(["denied_text"]));
        let body = json!({"targetUrl": url, "trigger": {"kind": "text_appears", "value": "not in stoc*"}});
        let seen = who.post(&app, "/v1/monitors/preview", &body).await.expect(200).json();
        assert_eq!(
            (&seen["matches"], &seen["triggered"]),
            (&json!(["The lamp is NOT in stock."]), &json!(true))
        );
        let body = json!({"targetUrl": url, "trigger": {"kind": "text_appears", "value": "stockings"}});
        let seen = who.post(&app, "/v1/monitors/preview", &body).await.expect(200).json();
        assert_eq!((&seen["matches"], &seen["triggered"]), (&json!([]), &json!(false)));
    });
}

#[test]
fn pause_retains_the_baseline() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/lamp", lamp(Some("120 €"), "In stock"));
        let monitor = create_monitor(&app, &who, &below_100(&url)).await;
        advance_minute(&app).await;
        let last_run_at = get_monitor(&app, &who, &monitor).await["lastRunAt"].clone();
        patch(&app, &who, &monitor, json!({"status": "paused"})).await;
        app.site.put("/lamp", lamp(Some("90 €"), "In stock"));
        app.clock.advance(10 * DAY);
        patch(&app, &who, &monitor, json!({"status": "active"})).await;
        advance_minute(&app).await;
        let recorded = changes(&app, &who, &monitor).await;
        assert_eq!((recorded.len(), &recorded[0]["diff"][0]["before"]), (1, &json!("120 €")));
        assert_eq!(
            recorded[0]["previousLookAt"].as_str().unwrap()[..16],
            last_run_at.as_str().unwrap()[..16]
        );
        assert!(
            recorded[0]["summary"].as_str().unwrap().contains("(since the check on 20 November 2026"),
            "{}",
            recorded[0]
        );
        app.site.put("/lamp", lamp(Some("80 €"), "In stock"));
        patch(&app, &who, &monitor, json!({"baseline": "reset"})).await;
        assert_eq!(
            run_now(&app, &who, &monitor).await["outcome"],
            "baseline",
            "a reset takes a new baseline"
        );
        let bad = json!({"baseline": "keep"});
        send(&app, &who, Method::PATCH, &path(&monitor), &bad).await.api_error(422, "invalid_request");
    });
}

#[test]
fn changed_url_resets_the_baseline() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/lamp", lamp(Some("120 €"), "In stock"));
        let other = app.site.put("/vase", lamp(Some("60 €"), "In stock"));
        let monitor = create_monitor(&app, &who, &below_100(&url)).await;
        advance_minute(&app).await;
        let moved = patch(&app, &who, &monitor, json!({"targetUrl": other})).await["monitor"].clone();
        assert_eq!((&moved["targetUrl"], &moved["triggered"]), (&json!(other), &Value::Null));
        advance_minute(&app).await;
        assert_eq!(outcomes(&app, &who, &monitor).await, ["baseline", "baseline"]);
        assert_eq!(changes(&app, &who, &monitor).await, [] as [Value; 0]);
        patch(&app, &who, &monitor, json!({"name": "Vase", "intervalMinutes": 2000})).await;
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "unchanged");
        create_monitor(&app, &who, &below_100(&url)).await;
        let clash = send(&app, &who, Method::PATCH, &path(&monitor), &json!({"targetUrl": url})).await;
        clash.api_error(409, "name_taken");
        let bad = json!({"targetUrl": "http://10.0.0.1/"});
        send(&app, &who, Method::PATCH, &path(&monitor), &bad).await.api_error(422, "url_not_allowed");
    });
}

#[test]
fn run_is_superseded_if_the_definition_changes_during_the_run() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/harbour", page("The ferry leaves at nine."));
        let monitor = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        app.site.put("/harbour", page("The ferry leaves at ten."));
        let gate = app.site.hold("/harbour");
        app.clock.advance(15 * SECOND);
        let accepted =
            who.send(&app, Method::POST, &format!("{}/run", path(&monitor))).await.expect(202).json();
        gate.wait_for_requests(2).await;
        patch(&app, &who, &monitor, json!({"selector": "h2"})).await;
        gate.open();
        app.run_jobs().await;
        let run = runs(&app, &who, &monitor).await[0].clone();
        assert_eq!(run["id"], accepted["run"]["id"]);
        assert_eq!(
            (&run["outcome"], &run["errorCode"], &run["credits"]),
            (&json!("error"), &json!("superseded"), &json!(0))
        );
        let now = get_monitor(&app, &who, &monitor).await;
        assert_eq!((&now["failureCount"], &now["lastError"]), (&json!(0), &Value::Null));
        advance_minute(&app).await;
        assert_eq!(
            runs(&app, &who, &monitor).await[0]["outcome"],
            "baseline",
            "a lost baseline is taken again immediately"
        );
    });
}

#[test]
fn run_is_reevaluated_if_the_trigger_changes_during_the_run() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/lamp", lamp(Some("120 €"), "In stock"));
        let monitor = create_monitor(&app, &who, &below_100(&url)).await;
        advance_minute(&app).await;
        app.site.put("/lamp", lamp(Some("90 €"), "In stock"));
        let gate = app.site.hold("/lamp");
        app.clock.advance(15 * SECOND);
        who.send(&app, Method::POST, &format!("{}/run", path(&monitor))).await.expect(202);
        gate.wait_for_requests(2).await;
        patch(&app, &who, &monitor, json!({"trigger": {"kind": "below", "value": 50}})).await;
        gate.open();
        app.run_jobs().await;
        let run = runs(&app, &who, &monitor).await[0].clone();
        assert_eq!(run["outcome"], "unchanged", "the current trigger applies");
        patch(&app, &who, &monitor, json!({"trigger": {"kind": "below", "value": 100}})).await;
        assert_eq!(
            run_now(&app, &who, &monitor).await["outcome"],
            "unchanged",
            "the price of 90 was already observed"
        );
    });
}

#[test]
fn manual_run_is_charged_and_delays_the_next_check() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/harbour", page("x").with("etag", "\"a\""));
        let monitor = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        app.site.put("/harbour", Reply::status(304));
        let before = remaining_extractions(&app, &who).await;
        assert_eq!(run_now(&app, &who, &monitor).await["credits"], 0);
        assert_eq!(
            remaining_extractions(&app, &who).await,
            before - 2,
            "a run with 304 and a preview cost one extraction each"
        );
        let next = get_monitor(&app, &who, &monitor).await["nextRunAt"].as_str().unwrap().to_owned();
        assert!(next.starts_with("2026-11-21T12:0"), "the next run is one interval from now: {next}");
        patch(&app, &who, &monitor, json!({"status": "paused"})).await;
        app.site.put("/harbour", page("The ferry leaves at ten."));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed");
        assert_eq!(get_monitor(&app, &who, &monitor).await["status"], "paused");
        advance_day(&app).await;
        assert_eq!(credits(&app, &who).await.0, 2);
    });
}

#[test]
fn preview_applies_new_triggers_to_stored_snapshots() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/lamp", lamp(Some("120 €"), "In stock"));
        let monitor = create_monitor(&app, &who, &below_100(&url)).await;
        advance_minute(&app).await;
        for price in ["110 €", "90 €", "130 €", "105 €"] {
            app.site.put("/lamp", lamp(Some(price), "In stock"));
            run_now(&app, &who, &monitor).await;
        }
        let at = format!("{}/preview", path(&monitor));
        let tried = async |body: Value| send(&app, &who, Method::POST, &at, &body).await.expect(200).json();
        let same = tried(json!({})).await;
        assert_eq!((&same["remaining"], &same["dropped"], &same["new"]), (&json!(1), &json!(0), &json!([])));
        let more = tried(json!({"trigger": {"kind": "below", "value": 115}})).await;
        assert_eq!(more["new"].as_array().unwrap().len(), 2, "110 and 105 are new: {more}");
        assert_eq!(more["new"][0]["title"], "price: 130 € → 105 €");
        assert_eq!(
            (&more["remaining"], &more["dropped"]),
            (&json!(0), &json!(1)),
            "the price was already below at 90"
        );
    });
}
