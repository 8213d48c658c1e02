//! Operations of monitors through HTTP: create, run, change, delete, and refused requests.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::clock::{DAY, SECOND};
use crate::support::monitoring::{
    advance_minute, changes, create_monitor, credits, get_monitor, outcomes, page, path, run_now, runs, send,
    watch_page,
};
use crate::support::person::Person;
use crate::support::{Reply, on_each_world};

#[test]
fn change_of_a_monitored_page_is_recorded() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/harbour", page("The ferry leaves at nine."));
        let monitor = watch_page(&app, &who, &url).await;
        assert_eq!((&monitor["name"], &monitor["targetType"]), (&json!("Harbour"), &json!("page")));
        assert_eq!((&monitor["status"], &monitor["intervalMinutes"]), (&json!("active"), &json!(1440)));
        assert_eq!((&monitor["creditsPerRun"], &monitor["lastRunAt"]), (&json!(1), &Value::Null));
        assert!(monitor["nextRunAt"].is_string() && monitor["targetUrl"] == url.as_str());

        advance_minute(&app).await;
        assert_eq!(outcomes(&app, &who, &monitor).await, ["baseline"]);
        assert_eq!(changes(&app, &who, &monitor).await, [] as [Value; 0]);
        assert_eq!(credits(&app, &who).await, (1, 99));

        let same = run_now(&app, &who, &monitor).await;
        assert_eq!(
            (&same["outcome"], &same["credits"]),
            (&json!("unchanged"), &json!(0)),
            "an equal body is unchanged and free"
        );
        app.site.put("/harbour", page("The ferry leaves at ten."));
        let run = run_now(&app, &who, &monitor).await;
        assert_eq!((&run["outcome"], &run["modified"]), (&json!("changed"), &json!(1)), "{run}");
        let recorded = changes(&app, &who, &monitor).await;
        assert_eq!(recorded.len(), 1);
        let (change, difference) = (&recorded[0], &recorded[0]["diff"][0]);
        assert_eq!((&change["runId"], &change["kind"]), (&run["id"], &json!("changed")));
        assert_eq!((&change["url"], &difference["op"]), (&json!(url), &json!("changed")));
        assert_eq!(difference["before"], "The ferry leaves at nine.");
        assert_eq!(difference["after"], "The ferry leaves at ten.");
        assert_eq!(difference["section"], "News");
        assert!(change["beforeHash"].is_string() && change["beforeHash"] != change["afterHash"]);
        assert_eq!(credits(&app, &who).await, (2, 98));

        let now = get_monitor(&app, &who, &monitor).await;
        assert!(now["lastChangeAt"].is_string() && now["lastRunAt"].is_string());
        assert_eq!((&now["failureCount"], &now["lastError"]), (&json!(0), &Value::Null));
        let entries = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        assert_eq!((&entries["unreadTotal"], &entries["entries"][0]["title"]), (&json!(1), &change["title"]));
        assert_eq!(entries["entries"][0]["feedTitle"], "Harbour");
        let limits = who.get(&app, "/v1/me").await.expect(200).json()["limits"].clone();
        assert_eq!((&limits["webMonitorsUsed"], &limits["rssSubscriptionsUsed"]), (&json!(1), &json!(0)));
    });
}

#[test]
fn duplicate_monitor_returns_the_existing_monitor() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let url = app.site.put("/harbour", page("x"));
        let first = watch_page(&app, &who, &url).await;
        let again = json!({"name": "Other", "targetUrl": format!("{url}#part"), "intervalMinutes": 90});
        let same = who.post(&app, "/v1/monitors", &again).await.expect(200).json();
        assert_eq!((&same["monitor"]["id"], &same["monitor"]["name"]), (&first["id"], &json!("Harbour")));
        assert_eq!(same["monitor"]["intervalMinutes"], 1440, "the existing monitor is returned unchanged");
        let part =
            create_monitor(&app, &who, &json!({"name": "Part", "targetUrl": url, "selector": "h2"})).await;
        assert_ne!(part["id"], first["id"]);
        let body = json!({"name": "Map", "targetUrl": url, "targetType": "sitemap"});
        assert_eq!(create_monitor(&app, &who, &body).await["creditsPerRun"], 2);
        let other = Person::free(&app).await;
        assert_ne!(watch_page(&app, &other, &url).await["id"], first["id"]);
        let clash = send(&app, &who, Method::PATCH, &path(&part), &json!({"selector": null})).await;
        clash.api_error(409, "name_taken");
    });
}

#[expect(clippy::too_many_lines, reason = "one table of what is wrong")]
#[test]
fn invalid_monitor_is_refused_with_a_pointer_to_the_field() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/harbour", page("x"));
        let with = |more: Value| {
            let mut body = json!({"name": "Harbour", "targetUrl": url});
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            body
        };
        for (body, code, pointer) in [
            (json!({"targetUrl": url}), "invalid_request", "/name"),
            (json!({"name": "x"}), "invalid_request", "/targetUrl"),
            (with(json!({"name": "x".repeat(121)})), "invalid_request", "/name"),
            (with(json!({"targetUrl": "ftp://example.org/"})), "invalid_url", "/targetUrl"),
            (with(json!({"targetUrl": "http://10.0.0.1/"})), "url_not_allowed", "/targetUrl"),
            (with(json!({"targetUrl": format!("{url}?k={}", who.key)})), "invalid_url", "/targetUrl"),
            (with(json!({"targetType": "picture"})), "invalid_request", "/targetType"),
            (with(json!({"intervalMinutes": 60})), "interval_too_short", "/intervalMinutes"),
            (with(json!({"intervalMinutes": 43_201})), "invalid_request", "/intervalMinutes"),
            (with(json!({"selector": "p:has("})), "invalid_request", "/selector"),
            (with(json!({"selector": "//p["})), "invalid_request", "/selector"),
            (with(json!({"selector": "jq:.a | env"})), "invalid_request", "/selector"),
            (with(json!({"selector": "h2\n//p["})), "invalid_request", "/selector"),
            (with(json!({"include": ["/a"]})), "invalid_request", "/include"),
            (with(json!({"targetType": "extract"})), "invalid_request", "/fields"),
            (
                with(
                    json!({"targetType": "extract", "fields": [{"name": "a"}, {"name": "a", "selector": "b"}]}),
                ),
                "invalid_request",
                "/fields/1/name",
            ),
            (
                with(json!({"targetType": "extract", "fields": [{"name": "a", "x": 1}]})),
                "invalid_request",
                "/fields/0/x",
            ),
            (with(json!({"ignore": [{"regex": "("}]})), "invalid_request", "/ignore/0/regex"),
            (with(json!({"ignore": [{"text": "a", "regex": "b"}]})), "invalid_request", "/ignore/0"),
            (with(json!({"trigger": {"kind": "above"}})), "invalid_request", "/trigger/value"),
            (with(json!({"trigger": {"kind": "sometimes"}})), "invalid_request", "/trigger/kind"),
            (with(json!({"trigger": {"kind": "any", "field": "x"}})), "invalid_request", "/trigger/field"),
            (with(json!({"filters": [{"kind": "keep"}]})), "invalid_request", "/filters/0/pattern"),
            (
                with(json!({"filters": [{"kind": "sort"}, {"kind": "drop", "pattern": "("}]})),
                "invalid_request",
                "/filters/1/pattern",
            ),
            (
                with(json!({"targetType": "sitemap", "filters": [{"kind": "sort"}]})),
                "invalid_request",
                "/filters",
            ),
            (with(json!({"trigger": {"kind": "condition"}})), "invalid_request", "/trigger/condition"),
            (
                with(json!({"trigger": {"kind": "any", "repeatHours": 1}})),
                "invalid_request",
                "/trigger/repeatHours",
            ),
            (
                with(json!({"trigger": {"kind": "condition", "condition": {"join": "any", "groups": [
                    {"tests": [{"test": "contains", "value": "storm"}]},
                    {"tests": [{"test": "contains", "value": "x"}, {"test": "matches", "value": "("}]},
                ]}}})),
                "invalid_request",
                "/trigger/condition/groups/1/tests/1/value",
            ),
            (
                with(json!({"trigger": {"kind": "condition", "condition": {"groups": [
                    {"tests": [{"test": "between", "value": 1, "upTo": 2}]}
                ]}}})),
                "invalid_request",
                "/trigger/condition/groups/0/tests/0",
            ),
            (with(json!({"follow": "perhaps"})), "invalid_request", "/follow"),
            (with(json!({"colour": 1})), "invalid_request", "/colour"),
        ] {
            let refused = who.post(&app, "/v1/monitors", &body).await.api_error(422, code);
            let details = refused["details"].as_str().unwrap_or_default();
            assert!(details.starts_with(pointer), "{body} was refused for {refused}");
        }
        assert_eq!(who.get(&app, "/v1/monitors").await.expect(200).json()["monitors"], json!([]));
    });
}

#[test]
fn changing_the_selector_resets_the_baseline() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.put("/harbour", page("The ferry leaves at nine."));
        let monitor = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        let body = json!({"name": "Ferry", "intervalMinutes": "15", "ordered": true, "trigger": {"kind": "text_appears", "value": "ten"}});
        let changed = send(&app, &who, Method::PATCH, &path(&monitor), &body).await.expect(200).json();
        let changed = &changed["monitor"];
        assert_eq!((&changed["name"], &changed["intervalMinutes"]), (&json!("Ferry"), &json!(15)));
        let trigger = json!({"kind": "text_appears", "value": "ten", "field": null, "condition": null, "repeatHours": null});
        assert_eq!(changed["trigger"], trigger);
        app.site.put("/harbour", page("The ferry leaves at eleven."));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "unchanged", "the filter matches nothing");
        app.site.put("/harbour", page("The ferry leaves at ten."));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed");
        let recorded = changes(&app, &who, &monitor).await;
        assert_eq!(recorded[0]["diff"][0]["before"], "The ferry leaves at nine.", "the baseline is retained");
        let body = json!({"selector": "h2"});
        send(&app, &who, Method::PATCH, &path(&monitor), &body).await.expect(200);
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "baseline");
        for bad in [json!({"intervalMinutes": 14}), json!({"status": "failed"}), json!({"fields": []})] {
            let refused = send(&app, &who, Method::PATCH, &path(&monitor), &bad).await;
            let code = if bad["intervalMinutes"] == 14 { "interval_too_short" } else { "invalid_request" };
            refused.api_error(422, code);
        }
    });
}

#[test]
fn monitors_beyond_the_plan_limit_are_refused() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        for index in 0..3 {
            let url = app.site.put(&format!("/p{index}"), page("x"));
            watch_page(&app, &who, &url).await;
        }
        let url = app.site.put("/p3", page("x"));
        let body = json!({"name": "Fourth", "targetUrl": url});
        let refused = who.post(&app, "/v1/monitors", &body).await.api_error(403, "limit_reached");
        assert_eq!(refused["details"], "limit=3 used=3");
        advance_minute(&app).await;
        assert_eq!(credits(&app, &who).await, (3, 97));
        let list = who.get(&app, "/v1/monitors?limit=2").await.expect(200).json();
        assert_eq!(list["monitors"].as_array().unwrap().len(), 2);
        let cursor = list["nextCursor"].as_str().unwrap();
        let rest = who.get(&app, &format!("/v1/monitors?limit=2&cursor={cursor}")).await.expect(200).json();
        assert_eq!((rest["monitors"].as_array().unwrap().len(), &rest["nextCursor"]), (1, &Value::Null));
        who.get(&app, &format!("/v1/monitors?cursor={cursor}&status=paused"))
            .await
            .api_error(422, "cursor_mismatch");
        who.get(&app, "/v1/monitors?status=asleep").await.api_error(422, "invalid_request");
        let paused = who.get(&app, "/v1/monitors?status=paused").await.expect(200).json();
        assert_eq!(paused["monitors"], json!([]));
    });
}

#[test]
fn not_modified_response_is_free_and_a_shared_download_is_charged() {
    on_each_world(async |app| {
        let (one, other) = (Person::free(&app).await, Person::free(&app).await);
        let url = app.site.put("/tagged", page("x").with("etag", "\"a\""));
        let first = watch_page(&app, &one, &url).await;
        advance_minute(&app).await;
        let second = watch_page(&app, &other, &url).await;
        // The first body was fetched before the page had two monitors. From the second run on, the body is
        // cached for both.
        advance_minute(&app).await;
        assert_eq!(outcomes(&app, &other, &second).await, ["baseline"]);
        let hits = app.site.hits("/tagged");
        let third = Person::free(&app).await;
        let late = watch_page(&app, &third, &url).await;
        advance_minute(&app).await;
        assert_eq!(outcomes(&app, &third, &late).await, ["baseline"]);
        assert_eq!(app.site.hits("/tagged"), hits, "one download serves all monitors");
        assert_eq!(credits(&app, &third).await, (1, 99), "the cost does not reveal other monitors");
        let seen = app.site.requests();
        let earlier_requests = seen.iter().filter(|seen| seen.path == "/tagged").count();
        app.site.put("/tagged", Reply::status(304));
        let run = run_now(&app, &one, &first).await;
        assert_eq!((&run["outcome"], &run["credits"]), (&json!("unchanged"), &json!(0)), "{run}");
        let seen = app.site.requests();
        let last = seen
            .iter()
            .filter(|seen| seen.path == "/tagged")
            .nth(earlier_requests)
            .expect("a request was sent");
        assert_eq!(last.headers["if-none-match"], "\"a\"");
    });
}

#[test]
fn other_accounts_are_refused_and_read_only_keys_may_preview() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let url = app.site.put("/harbour", page("x"));
        let monitor = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        let at = path(&monitor);
        for (method, tail) in [
            (Method::GET, ""),
            (Method::DELETE, ""),
            (Method::POST, "/run"),
            (Method::GET, "/runs"),
            (Method::GET, "/changes"),
            (Method::POST, "/rotate-feed"),
        ] {
            other.send(&app, method, &format!("{at}{tail}")).await.api_error(404, "not_found");
        }
        for tail in ["", "/preview"] {
            let method = if tail.is_empty() { Method::PATCH } else { Method::POST };
            send(&app, &other, method, &format!("{at}{tail}"), &json!({})).await.api_error(404, "not_found");
        }
        who.get(&app, "/v1/monitors/nothing").await.api_error(404, "not_found");
        let (key, _) = who.create_key(&app, kernel::Scopes::READ, None).await;
        let headers = [("x-api-key", key.as_str()), ("content-type", "application/json")];
        app.send(Method::POST, &format!("{at}/preview"), &headers, Some("{}".to_owned())).await.expect(200);
        who.send(&app, Method::DELETE, &at).await.expect(204);
        who.get(&app, &at).await.api_error(404, "not_found");
        let entries = who.get(&app, "/v1/rss/subscriptions").await.expect(200).json();
        assert_eq!(entries["subscriptions"], json!([]));
    });
}

#[test]
fn concurrent_run_requests_share_one_run() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/slow", page("x"));
        let monitor = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        let gate = app.site.hold("/slow");
        app.clock.advance(SECOND);
        let at = format!("{}/run", path(&monitor));
        let first = who.send(&app, Method::POST, &at).await.expect(202);
        assert!(first.header("ratelimit-policy").contains("fresh-day"));
        let first = first.json()["run"].clone();
        assert_eq!((&first["finishedAt"], &first["outcome"]), (&Value::Null, &Value::Null));
        let second = who.send(&app, Method::POST, &at).await.expect(202).json()["run"].clone();
        assert_eq!(first["id"], second["id"]);
        gate.open();
        app.run_jobs().await;
        assert_eq!(runs(&app, &who, &monitor).await.len(), 2);
        app.clock.advance(DAY);
        assert_eq!(credits(&app, &who).await.0, 1, "an equal body costs nothing");
    });
}

#[test]
fn monitors_of_one_page_with_different_selectors_are_distinct() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/shop", page("x"));
        let watch = |field: &str| {
            json!({"name": "Shop", "targetUrl": url, "targetType": "extract",
                   "fields": [{"name": field, "selector": format!(".{field}")}]})
        };
        let price = create_monitor(&app, &who, &watch("price")).await;
        let stock = create_monitor(&app, &who, &watch("stock")).await;
        assert_ne!(price["id"], stock["id"]);
        let same = who.post(&app, "/v1/monitors", &watch("stock")).await.expect(200).json();
        assert_eq!(same["monitor"]["id"], stock["id"]);
    });
}

#[test]
fn manual_runs_are_limited_to_one_in_fifteen_seconds() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/harbour", page("x"));
        let monitor = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        run_now(&app, &who, &monitor).await;
        app.clock.advance(14 * SECOND);
        let at = format!("{}/run", path(&monitor));
        let refused = who.send(&app, Method::POST, &at).await;
        assert_eq!(refused.header("retry-after"), "1");
        refused.api_error(429, "rate_limited");
        run_now(&app, &who, &monitor).await;
    });
}
