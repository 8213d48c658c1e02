//! Monitor targets other than page text (extracted values, JSON, sitemaps) and previews.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::monitoring::{
    advance_minute, changes, create_monitor, credits, page, path, run_now, send,
};
use crate::support::person::Person;
use crate::support::{Reply, on_each_world};

fn shop(prices: &[(&str, &str)]) -> Reply {
    let item = |(name, price): &(&str, &str)| {
        format!("<li class=item><a href=/i/{name}>{name}</a> <b class=price>{price} EUR</b></li>")
    };
    let items: String = prices.iter().map(item).collect();
    Reply::html(format!("<html><body><h1>Shop</h1><ul>{items}</ul></body></html>"))
}

#[test]
fn value_changes_are_reported_by_item_and_field() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/shop", shop(&[("Lamp", "10"), ("Desk", "90"), ("Chair", "40")]));
        let body = json!({"name": "Prices", "targetUrl": url, "targetType": "extract", "items": ".item",
            "fields": [{"name": "name", "selector": "a", "key": true}, {"name": "price", "selector": ".price"}]});
        let monitor = create_monitor(&app, &who, &body).await;
        assert_eq!((&monitor["creditsPerRun"], &monitor["fields"][0]["key"]), (&json!(3), &json!(true)));
        advance_minute(&app).await;
        app.site.put("/shop", shop(&[("Chair", "40"), ("Lamp", "12"), ("Shelf", "70")]));
        let run = run_now(&app, &who, &monitor).await;
        assert_eq!((&run["outcome"], &run["credits"]), (&json!("changed"), &json!(3)));
        assert_eq!((&run["added"], &run["removed"]), (&json!(1), &json!(1)));
        let recorded = changes(&app, &who, &monitor).await;
        let price = recorded[0]["diff"]
            .as_array()
            .unwrap()
            .iter()
            .find(|one| one["field"] == "price")
            .unwrap()
            .clone();
        assert_eq!(
            (&price["item"], &price["before"], &price["after"]),
            (&json!("Lamp"), &json!("10 EUR"), &json!("12 EUR"))
        );
        assert_eq!(price["difference"], "+2");
        assert_eq!(credits(&app, &who).await.0, 6);
    });
}

#[test]
fn only_crossing_the_threshold_is_a_change() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/shop", shop(&[("Lamp", "10")]));
        let body = json!({"name": "Cheap", "targetUrl": url, "targetType": "extract",
            "fields": [{"name": "price", "selector": ".price"}],
            "trigger": {"kind": "below", "value": 8, "field": "price"}});
        let monitor = create_monitor(&app, &who, &body).await;
        assert_eq!(monitor["trigger"]["value"], "8");
        advance_minute(&app).await;
        for (price, outcome) in [("9", "unchanged"), ("12", "unchanged"), ("7", "changed")] {
            app.site.put("/shop", shop(&[("Lamp", price)]));
            assert_eq!(run_now(&app, &who, &monitor).await["outcome"], outcome, "{price}");
        }
        assert_eq!(changes(&app, &who, &monitor).await[0]["diff"][0]["before"], "10 EUR");
    });
}

#[test]
fn condition_over_several_fields_is_reported_when_it_becomes_true() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/shop", shop(&[("Lamp", "100"), ("Desk", "90")]));
        let tests = json!([
            {"test": "falls", "field": "price", "value": "10%"},
            {"test": "contains", "field": "name", "value": "desk", "not": true},
        ]);
        let body = json!({"name": "Sale", "targetUrl": url, "targetType": "extract", "items": ".item",
            "fields": [{"name": "name", "selector": "a", "key": true}, {"name": "price", "selector": ".price"}],
            "trigger": {"kind": "condition", "condition": {"groups": [{"tests": tests}]}, "repeatHours": null}});
        let monitor = create_monitor(&app, &who, &body).await;
        let condition = &monitor["trigger"]["condition"];
        assert_eq!((&condition["join"], &condition["groups"][0]["join"]), (&json!("all"), &json!("all")));
        assert_eq!(
            condition["groups"][0]["tests"][1],
            json!({"test": "contains", "field": "name", "value": "desk", "upTo": null, "not": true})
        );
        advance_minute(&app).await;
        for (lamp, desk, outcome) in
            [("95", "80", "unchanged"), ("89", "70", "changed"), ("88", "60", "unchanged")]
        {
            app.site.put("/shop", shop(&[("Lamp", lamp), ("Desk", desk)]));
            assert_eq!(run_now(&app, &who, &monitor).await["outcome"], outcome, "{lamp}");
        }
    });
}

#[test]
fn filtered_lines_are_monitored_and_previewed_after_each_filter() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let list = |lines: &[&str]| {
            let lines = lines.iter().map(|line| format!("<p>{line}</p>")).collect::<Vec<_>>().concat();
            Reply::html(format!("<html><body><main><h1>Harbour news</h1>{lines}</main></body></html>"))
        };
        let url =
            app.site.put("/news", list(&["Advert: buy a boat", "The ferry leaves at nine, seen by 12"]));
        let filters = json!([
            {"kind": "drop", "pattern": "^Advert"},
            {"kind": "replace", "pattern": "seen by \\d+", "with": "seen"},
        ]);
        let body = json!({"name": "News", "targetUrl": url, "filters": filters});
        let preview = send(&app, &who, Method::POST, "/v1/monitors/preview", &body).await.expect(200).json();
        assert_eq!(preview["steps"][0]["total"], 2, "{preview}");
        assert_eq!(preview["steps"][1]["lines"][1], "The ferry leaves at nine, seen");
        assert_eq!(preview["blocks"][1]["text"], "The ferry leaves at nine, seen");
        let monitor = create_monitor(&app, &who, &body).await;
        assert_eq!(
            monitor["filters"][1],
            json!({"kind": "replace", "pattern": "seen by \\d+", "with": "seen"})
        );
        advance_minute(&app).await;
        for (lines, outcome) in [
            (["Advert: rent a boat", "The ferry leaves at nine, seen by 15"], "unchanged"),
            (["Advert: rent a boat", "The ferry leaves at ten, seen by 15"], "changed"),
        ] {
            app.site.put("/news", list(&lines));
            assert_eq!(run_now(&app, &who, &monitor).await["outcome"], outcome, "{lines:?}");
        }
    });
}

#[test]
fn product_is_monitored_by_its_structured_data() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let lamp = |price: &str, stock: &str| {
            let data = json!({"@type": "Product", "name": "Lamp", "offers": {"@type": "Offer", "price": price,
                "priceCurrency": "EUR", "availability": format!("https://schema.org/{stock}")}});
            Reply::html(format!(
                "<html><head><script type=application/ld+json>{data}</script></head><body><h1>Lamp</h1></body></html>"
            ))
        };
        let url = app.site.put("/lamp", lamp("90.00", "OutOfStock"));
        let test = json!({"test": "contains", "field": "availability", "value": "in stock"});
        let body = json!({"name": "Lamp", "targetUrl": url, "targetType": "product",
            "trigger": {"kind": "condition", "condition": {"groups": [{"tests": [test]}]}}});
        let preview = send(&app, &who, Method::POST, "/v1/monitors/preview", &body).await.expect(200).json();
        assert_eq!(
            preview["items"][0]["fields"],
            json!({"name": "Lamp", "price": "90.00 EUR", "currency": "EUR", "availability": "out of stock"})
        );
        let monitor = create_monitor(&app, &who, &body).await;
        assert_eq!((&monitor["targetType"], &monitor["creditsPerRun"]), (&json!("product"), &json!(3)));
        advance_minute(&app).await;
        for (price, stock, outcome) in [("80.00", "OutOfStock", "unchanged"), ("80.00", "InStock", "changed")]
        {
            app.site.put("/lamp", lamp(price, stock));
            assert_eq!(run_now(&app, &who, &monitor).await["outcome"], outcome, "{stock}");
        }
        let mut odd = body.clone();
        odd["selector"] = json!(".price");
        send(&app, &who, Method::POST, "/v1/monitors", &odd).await.expect(422);
    });
}

#[test]
fn calendar_is_monitored_by_event() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let calendar = |events: &[(&str, &str, &str)]| {
            let event = |(uid, title, time): &(&str, &str, &str)| {
                format!(
                    "BEGIN:VEVENT\r\nUID:{uid}\r\nDTSTAMP:2026{}Z\r\nSUMMARY:{title}\r\nDTSTART:20260504T{time}00Z\r\n\
                     LOCATION:Town hall\r\nEND:VEVENT\r\n",
                    events.len()
                )
            };
            let events = events.iter().map(event).collect::<Vec<_>>().concat();
            let text = format!("BEGIN:VCALENDAR\r\n{events}END:VCALENDAR\r\n");
            Reply::bytes("text/calendar", text.into_bytes())
        };
        let url = app.site.put("/club.ics", calendar(&[("1", "Choir", "1800"), ("2", "Chess", "1900")]));
        let body = json!({"name": "Club", "targetUrl": url, "targetType": "calendar"});
        let preview = send(&app, &who, Method::POST, "/v1/monitors/preview", &body).await.expect(200).json();
        assert_eq!(
            preview["items"][0]["fields"],
            json!({"title": "Choir", "start": "2026-05-04 18:00 UTC", "end": null, "location": "Town hall",
                "status": null, "repeats": null})
        );
        let monitor = create_monitor(&app, &who, &body).await;
        assert_eq!((&monitor["targetType"], &monitor["creditsPerRun"]), (&json!("calendar"), &json!(2)));
        advance_minute(&app).await;
        app.site.put("/club.ics", calendar(&[("3", "Dance", "2000"), ("1", "Choir", "1830")]));
        let run = run_now(&app, &who, &monitor).await;
        let counts = ["added", "removed", "modified"].map(|name| run[name].clone());
        assert_eq!(counts, [json!(1), json!(1), json!(1)], "{run}");
        let recorded = changes(&app, &who, &monitor).await;
        let diff = recorded[0]["diff"].as_array().unwrap();
        let moved = diff.iter().find(|one| one["field"] == "start").unwrap();
        assert_eq!((&moved["item"], &moved["after"]), (&json!("Choir"), &json!("2026-05-04 18:30 UTC")));
        app.site
            .put("/club.ics", Reply::html("<html><body><p>Sign in to see the calendar</p></body></html>"));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "error", "a page is no empty calendar");
    });
}

#[test]
fn file_is_monitored_by_size_and_hash() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let zip = |content: &[u8]| Reply::bytes("application/zip", content.to_vec());
        let url = app.site.put("/tool.zip", zip(b"PK\x03\x04 one"));
        let body = json!({"name": "Tool", "targetUrl": url, "targetType": "file"});
        let preview = send(&app, &who, Method::POST, "/v1/monitors/preview", &body).await.expect(200).json();
        assert_eq!(preview["items"][0]["fields"]["size"], "8");
        let monitor = create_monitor(&app, &who, &body).await;
        assert_eq!((&monitor["targetType"], &monitor["creditsPerRun"]), (&json!("file"), &json!(1)));
        advance_minute(&app).await;
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "unchanged");
        app.site.put("/tool.zip", zip(b"PK\x03\x04 three"));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed");
        let recorded = changes(&app, &who, &monitor).await;
        let diff = recorded[0]["diff"].as_array().unwrap();
        let fields: Vec<&Value> = diff.iter().map(|one| &one["field"]).collect();
        assert_eq!(fields, [&json!("size"), &json!("sha256")]);
        assert_eq!((&diff[0]["before"], &diff[0]["after"]), (&json!("8"), &json!("10")));
        assert!(recorded[0]["title"].as_str().unwrap().starts_with("File, size: 8 → 10"), "{recorded:?}");
    });
}

#[test]
fn picture_is_monitored_by_its_appearance() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let picture = |bytes: &[u8]| Reply::bytes("image/jpeg", bytes.to_vec());
        let first = picture(include_bytes!("../../extract/tests/pictures/baseline.jpg"));
        let alike = picture(include_bytes!("../../extract/tests/pictures/progressive.jpg"));
        let other = picture(include_bytes!("../../extract/tests/pictures/other.jpg"));
        let url = app.site.put("/cam.jpg", first);
        let body = json!({"name": "Webcam", "targetUrl": url, "targetType": "image"});
        let monitor = create_monitor(&app, &who, &body).await;
        let mut half = body.clone();
        half["trigger"] = json!({"kind": "share", "value": 50});
        let large = create_monitor(&app, &who, &half).await;
        assert_eq!((&monitor["targetType"], &monitor["creditsPerRun"]), (&json!("image"), &json!(2)));
        advance_minute(&app).await;
        for (answer, outcomes) in [(alike, ["unchanged", "unchanged"]), (other, ["changed", "unchanged"])] {
            app.site.put("/cam.jpg", answer);
            let results = [run_now(&app, &who, &monitor).await, run_now(&app, &who, &large).await];
            assert_eq!(results.map(|run| run["outcome"].clone()), outcomes);
        }
        let recorded = changes(&app, &who, &monitor).await;
        assert!(recorded[0]["summary"].as_str().unwrap().ends_with("of 64 bits differ)”"), "{recorded:?}");
    });
}

#[test]
fn status_and_headers_are_monitored() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let reply = |etag: &str, id: &str| {
            Reply::bytes("application/zip", vec![0; 100]).with("etag", etag).with("x-request-id", id)
        };
        let url = app.site.put("/disk.iso", reply("a", "1"));
        let all = json!({"name": "Disk", "targetUrl": url, "targetType": "headers"});
        let monitor = create_monitor(&app, &who, &all).await;
        let named = json!({"name": "Status", "targetUrl": url, "targetType": "headers",
            "fields": [{"name": "size", "selector": "Content-Length"}]});
        let preview = send(&app, &who, Method::POST, "/v1/monitors/preview", &named).await.expect(200).json();
        assert_eq!(preview["items"][0]["fields"], json!({"status": "200", "size": "100"}));
        let sized = create_monitor(&app, &who, &named).await;
        assert_eq!((&sized["creditsPerRun"], &sized["fields"][0]["name"]), (&json!(1), &json!("size")));
        advance_minute(&app).await;
        for (answer, outcomes) in [
            (reply("a", "2"), ["unchanged", "unchanged"]),
            (reply("b", "3"), ["changed", "unchanged"]),
            (Reply::status(503), ["changed", "changed"]),
        ] {
            app.site.put("/disk.iso", answer);
            let results = [run_now(&app, &who, &monitor).await, run_now(&app, &who, &sized).await];
            assert_eq!(results.map(|run| run["outcome"].clone()), outcomes);
        }
        let recorded = changes(&app, &who, &monitor).await;
        assert_eq!(recorded[1]["summary"], "Etag changed from “a” to “b”");
        let mut odd = named.clone();
        odd["fields"][0]["selector"] = json!("h1 > b");
        send(&app, &who, Method::POST, "/v1/monitors", &odd).await.expect(422);
    });
}

#[test]
fn json_document_is_monitored_by_path() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let release = |version: &str| {
            let body =
                json!({"version": version, "noise": version.len(), "files": [{"name": "a"}]}).to_string();
            Reply::bytes("application/json", body.into_bytes())
        };
        let url = app.site.put("/release.json", release("1.0"));
        let body = json!({"name": "Release", "targetUrl": url, "selector": "$.version"});
        let monitor = create_monitor(&app, &who, &body).await;
        advance_minute(&app).await;
        app.site.put("/release.json", release("1.1"));
        let run = run_now(&app, &who, &monitor).await;
        assert_eq!(run["outcome"], "changed", "{run}");
        let text = changes(&app, &who, &monitor).await[0]["diff"].to_string();
        assert!(text.contains("1.0") && text.contains("1.1"), "{text}");
    });
}

#[test]
fn preview_supports_xpath_and_jq_and_reports_why_a_selector_fails() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let ask = async |url: &str, selector: &str| {
            who.post(&app, "/v1/monitors/preview", &json!({"targetUrl": url, "selector": selector})).await
        };
        let texts = |seen: &Value| -> Vec<String> {
            let blocks = seen["blocks"].as_array().unwrap();
            blocks.iter().map(|block| block["text"].as_str().unwrap().to_owned()).collect()
        };
        let harbour = app.site.put("/harbour", page("The ferry leaves at nine."));
        let seen = ask(&harbour, "//h2\n.tides").await.expect(200).json();
        assert_eq!(texts(&seen), ["//h2: present", "News", ".tides: missing"]);
        let body =
            json!({"items": [{"name": "Lamp", "price": 12}, {"name": "Desk", "price": 80}]}).to_string();
        let shop = app.site.put("/shop.json", Reply::bytes("application/json", body.into_bytes()));
        let seen = ask(&shop, "jq:.items[] | select(.price > 20) | .name").await.expect(200).json();
        assert_eq!(texts(&seen), ["Desk"]);
        ask(&shop, "jq:.items.name").await.api_error(422, "selector_failed");
        let problem = ask(&harbour, "//h2[").await.api_error(422, "invalid_request");
        assert!(problem.to_string().contains("at character 6"), "{problem:?}");
    });
}

#[test]
fn sitemap_index_beyond_fifty_parts_has_a_warning() {
    on_each_world(async |app| {
        let who = Person::on(&app, kernel::tiers::Tier::Pro).await;
        let part = |number: usize| {
            let body = format!("<urlset><url><loc>https://example.com/{number}</loc></url></urlset>");
            let url = app
                .site
                .put(&format!("/part{number}.xml"), Reply::bytes("application/xml", body.into_bytes()));
            format!("<sitemap><loc>{url}</loc></sitemap>")
        };
        let parts: Vec<String> = (0..51).map(part).collect();
        for (count, warned) in [(51, json!(["parts_not_watched"])), (50, json!([]))] {
            let index = format!("<sitemapindex>{}</sitemapindex>", parts[..count].concat());
            let reply = Reply::bytes("application/xml", index.into_bytes());
            let url = app.site.put(&format!("/index{count}.xml"), reply);
            let body = json!({"name": "Index", "targetUrl": url, "targetType": "sitemap"});
            let preview = who.post(&app, "/v1/monitors/preview", &body).await.expect(200).json();
            assert_eq!((&preview["total"], &preview["warnings"]), (&json!(count), &warned));
            let monitor = create_monitor(&app, &who, &body).await;
            let run = run_now(&app, &who, &monitor).await;
            assert_eq!((&run["outcome"], &run["warnings"]), (&json!("baseline"), &warned));
            let mut browser = Browser::new(&app);
            browser.sign_in(&who.email).await;
            let page = browser.open(&path(&monitor).replace("/v1", "")).await.expect(200).text();
            let says_so = page.contains("Only part of the sitemap is watched: the first 50");
            assert_eq!(says_so, count > 50, "{page}");
        }
        let inner = app.site.url("/index50.xml");
        let outer = format!("<sitemapindex><sitemap><loc>{inner}</loc></sitemap></sitemapindex>");
        let url = app.site.put("/outer.xml", Reply::bytes("application/xml", outer.into_bytes()));
        let monitor =
            create_monitor(&app, &who, &json!({"name": "Outer", "targetUrl": url, "targetType": "sitemap"}))
                .await;
        let run = run_now(&app, &who, &monitor).await;
        assert_eq!(run["warnings"], json!(["parts_not_watched"]), "{run}");
    });
}

#[test]
fn sitemap_index_includes_its_parts() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let part = |count: usize| {
            let url = |n| format!("<url><loc>https://example.org/{n}</loc></url>");
            let urls: String = (0..count).map(url).collect();
            Reply::bytes("application/xml", format!("<urlset>{urls}</urlset>").into_bytes())
        };
        let first = app.site.put("/part.xml", part(2));
        let index = format!("<sitemapindex><sitemap><loc>{first}</loc></sitemap></sitemapindex>");
        let url = app
            .site
            .put("/index.xml", Reply::bytes("application/xml", index.into_bytes()).with("etag", "\"i\""));
        let body = json!({"name": "Index", "targetUrl": url, "targetType": "sitemap", "exclude": ["*/3"]});
        let monitor = create_monitor(&app, &who, &body).await;
        advance_minute(&app).await;
        app.site.put("/part.xml", part(5));
        let run = run_now(&app, &who, &monitor).await;
        assert_eq!((&run["outcome"], &run["added"]), (&json!("changed"), &json!(2)), "{run}");
        app.site.put("/part.xml", Reply::status(404));
        let run = run_now(&app, &who, &monitor).await;
        assert_eq!(
            (&run["outcome"], &run["errorCode"]),
            (&json!("error"), &json!("source_invalid_response"))
        );
    });
}

#[test]
fn preview_returns_the_observed_content_without_credits() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/harbour", page("The ferry leaves at nine."));
        let ask = async |body: Value| who.post(&app, "/v1/monitors/preview", &body).await;
        let seen = ask(json!({"name": "x", "targetUrl": url})).await.expect(200);
        assert!(seen.header("ratelimit").contains("\"fresh-day\";r=99"), "{}", seen.header("ratelimit"));
        let seen = seen.json();
        assert_eq!(
            (&seen["title"], &seen["urls"], &seen["warnings"]),
            (&json!("Harbour"), &Value::Null, &json!([]))
        );
        assert!(seen["blocks"].to_string().contains("The ferry leaves at nine."));
        let part = ask(json!({"name": "x", "targetUrl": url, "selector": "h2"})).await.expect(200).json();
        assert_eq!(
            part["blocks"],
            json!([{"anchor": 1, "kind": "heading", "text": "News", "unwatched": null}])
        );
        let none =
            ask(json!({"name": "x", "targetUrl": url, "selector": "#nothing"})).await.expect(200).json();
        assert_eq!((&none["blocks"], &none["warnings"]), (&Value::Null, &json!(["selector_not_found"])));
        let shop = app.site.put("/shop", shop(&[("Lamp", "10")]));
        let items = ask(json!({"name": "x", "targetUrl": shop, "targetType": "extract", "items": ".item",
            "fields": [{"name": "price", "selector": ".price"}]}))
        .await
        .expect(200)
        .json();
        assert_eq!(items["items"][0]["fields"], json!({"price": "10 EUR"}));
        ask(json!({"name": "x", "targetUrl": app.site.url("/missing")}))
            .await
            .api_error(422, "source_not_found");
        let broken = app.site.put("/broken", Reply::status(500));
        ask(json!({"name": "x", "targetUrl": broken})).await.api_error(502, "source_error");
        ask(json!({"name": "x", "targetUrl": url, "selector": "p:has("}))
            .await
            .api_error(422, "invalid_request");
        assert_eq!(credits(&app, &who).await, (0, 100));
        assert_eq!(who.get(&app, "/v1/monitors").await.expect(200).json()["monitors"], json!([]));
    });
}

#[test]
fn preview_applies_new_settings_to_past_changes() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/harbour", page("It begins."));
        let monitor = create_monitor(&app, &who, &json!({"name": "Harbour", "targetUrl": url})).await;
        advance_minute(&app).await;
        for words in ["The weather is fine.", "The ferry is late.", "The weather is bad."] {
            app.site.put("/harbour", page(words));
            assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed");
        }
        let at = format!("{}/preview", path(&monitor));
        let tried = async |body: Value| send(&app, &who, Method::POST, &at, &body).await.expect(200).json();
        let all = tried(json!({})).await;
        assert_eq!((&all["remaining"], &all["dropped"], &all["unknown"]), (&json!(3), &json!(0), &json!(0)));
        let late = tried(json!({"trigger": {"kind": "text_appears", "value": "ferry"}})).await;
        assert_eq!((&late["remaining"], &late["dropped"]), (&json!(1), &json!(2)), "{late}");
        assert_eq!(
            (&late["changes"][1]["remains"], &late["changes"][1]["differences"]),
            (&json!(true), &json!(2))
        );
        let part = tried(json!({"selector": "h2"})).await;
        assert_eq!(part["unknown"], 3);
        send(&app, &who, Method::POST, &at, &json!({"colour": 1})).await.api_error(422, "invalid_request");
        assert_eq!(changes(&app, &who, &monitor).await.len(), 3, "nothing was changed");
    });
}
