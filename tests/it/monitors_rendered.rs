//! Monitors of pages whose content needs scripts, with a real Chromium. Without it, the tests are skipped
//! with a message.

use kernel::tiers::Tier;
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::monitors_lists::{browser_backup, import};
use crate::renderer::with_browser;
use crate::support::browser::{Browser, between};
use crate::support::monitoring::{
    advance_minute, changes, create_monitor, credits, get_monitor, outcomes, page, path, run_now, runs, send,
    watch_page,
};
use crate::support::on_each_world;
use crate::support::person::Person;
use crate::support::{ReceivedRequest, Reply, Site, TestApp};

/// Page whose paragraphs are created by a script. The last paragraph is `words`.
fn scripted(words: &str) -> Reply {
    Reply::html(format!(
        "<!doctype html><html lang=en><head><title>Harbour</title></head><body>\
         <noscript>Enable JavaScript to read this page.</noscript><div id=root></div><script>\
         const lines = [1, 2, 3, 4, 5, 6].map((n) => '<p>Paragraph ' + n + ' tells of boats and tide, and of the ' +\
         'people who come to the harbour every morning.</p>').join('');\
         document.getElementById('root').innerHTML = '<main><h1>Harbour</h1>' + lines + '<p>{words}</p></main>';\
         </script></body></html>"
    ))
}

/// Page whose result appears after a search.
const SEARCH_PAGE: &str = "<!doctype html><html lang=en><head><title>Search</title></head><body><main><h1>Harbour</h1>\
    <p>The harbour wall was repaired in autumn and the boats came back before the first storm of the year.</p>\
    <input id=query><input id=code type=password><button id=search>Search</button><div id=list></div></main><script>\
    const query = document.getElementById('query');\
    document.getElementById('search').onclick = () => {\
      document.getElementById('list').innerHTML = '<p id=result>Boats for ' + query.value + '</p>'; };\
    </script></body></html>";

async fn rendered_monitor(app: &TestApp, who: &Person, url: &str) -> Value {
    create_monitor(app, who, &json!({"name": "Harbour", "targetUrl": url, "render": true})).await
}

#[test]
fn rendered_monitor_reports_script_content_and_charges_every_run() {
    with_browser("off", async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.put("/tide", scripted("The tide is low."));
        let monitor = rendered_monitor(&app, &who, &url).await;
        assert_eq!((&monitor["render"], &monitor["creditsPerRun"]), (&json!(true), &json!(3)));
        let plain = watch_page(&app, &who, &app.site.put("/plain", page("Two boats."))).await;
        advance_minute(&app).await;
        assert_eq!(outcomes(&app, &who, &monitor).await, ["baseline"]);
        assert_eq!(outcomes(&app, &who, &plain).await, ["baseline"]);
        assert_eq!(runs(&app, &who, &monitor).await[0]["warnings"], json!([]));
        assert_eq!(credits(&app, &who).await.0, 4);
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "unchanged");
        assert_eq!(credits(&app, &who).await.0, 7);
        app.site.put("/tide", scripted("The tide is high."));
        let changed = run_now(&app, &who, &monitor).await;
        assert_eq!((&changed["outcome"], &changed["credits"]), (&json!("changed"), &json!(3)));
        let reported = changes(&app, &who, &monitor).await;
        assert!(reported[0].to_string().contains("The tide is high."), "{reported:?}");
    });
}

#[test]
fn preview_of_a_rendered_page_costs_five_fresh_extractions() {
    with_browser("off", async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/tide", scripted("The tide is low."));
        let body = json!({"targetUrl": url, "render": true});
        let answer = who.post(&app, "/v1/monitors/preview", &body).await.expect(200);
        assert!(
            answer.header("ratelimit").contains("\"fresh-minute\";r=5;"),
            "{}",
            answer.header("ratelimit")
        );
        let preview = answer.json();
        assert!(preview["blocks"].to_string().contains("The tide is low."), "{preview}");
        assert_eq!(preview["warnings"], json!([]));
        let monitor = rendered_monitor(&app, &who, &url).await;
        for (request, field) in [
            (json!({"post": {"body": "boats"}}), "/request/post"),
            (json!({"proxy": "north"}), "/request/proxy"),
        ] {
            let change = json!({"request": request});
            let refused = send(&app, &who, Method::PATCH, &path(&monitor), &change).await;
            let refused = refused.api_error(422, "invalid_request");
            assert!(refused["details"].to_string().contains(field), "{refused}");
        }
    });
}

/// Page that repeats its credentials and loads a script from another site.
fn inside(secret: &str, other: &str) -> Reply {
    let words = format!("The harbour master wrote {secret} on the wall of the harbour. ").repeat(8);
    Reply::html(format!(
        "<!doctype html><html lang=en><head><title>Inside</title></head><body><main><h1>Inside</h1><p>{words}</p>\
         <p id=at></p></main><script src=\"{other}\"></script><script>\
         document.getElementById('at').textContent = 'Read at ' + location.pathname;</script></body></html>"
    ))
    .with("set-cookie", "visit=first")
}

#[test]
fn headers_credentials_and_cookies_of_a_rendered_monitor_are_sent_to_its_origin_only() {
    with_browser("off", async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let other = Site::start();
        let script = other.put("/other.js", Reply::bytes("text/javascript", b"window.other = 1;".to_vec()));
        let url = app.site.put("/inside", inside("brass lamp", &script));
        let body = json!({"name": "Inside", "targetUrl": url, "render": true, "selector": "main",
            "request": {"headers": [{"name": "X-Region", "value": "north"}], "userAgent": "Harbour/1", "cookies": true},
            "credentials": {"basic": {"username": "ada", "password": "brass lamp"}}});
        let monitor = create_monitor(&app, &who, &body).await;
        assert_eq!(monitor["request"]["credentials"], "basic", "{monitor}");
        assert!(!monitor.to_string().contains("brass"), "{monitor}");
        advance_minute(&app).await;
        assert_eq!(outcomes(&app, &who, &monitor).await, ["baseline"]);
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "unchanged");
        let pages: Vec<ReceivedRequest> =
            app.site.requests().into_iter().filter(|request| request.path == "/inside").collect();
        let sent = |request: &ReceivedRequest, name: &str| {
            request.headers.get(name).map(|value| value.to_str().unwrap().to_owned())
        };
        for (name, value) in [
            ("authorization", "Basic YWRhOmJyYXNzIGxhbXA="),
            ("x-region", "north"),
            ("user-agent", "Harbour/1"),
        ] {
            assert_eq!(sent(&pages[0], name).as_deref(), Some(value), "{name}");
        }
        assert_eq!(sent(&pages[0], "cookie"), None);
        assert_eq!(sent(pages.last().unwrap(), "cookie").as_deref(), Some("visit=first"));
        let scripts = other.requests();
        assert!(scripts.iter().any(|request| request.path == "/other.js"), "{scripts:?}");
        for request in &scripts {
            assert_eq!((sent(request, "authorization"), sent(request, "x-region")), (None, None));
        }
        app.site.put("/inside", inside("the tide", &script));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed");
        let reported = json!(changes(&app, &who, &monitor).await).to_string();
        assert!(reported.contains("•••") && !reported.contains("brass"), "{reported}");
        let preview =
            who.post(&app, "/v1/monitors/preview", &body_of_preview(&body)).await.expect(200).json();
        assert!(preview["blocks"].to_string().contains("the tide"), "{preview}");
    });
}

/// Request body for the preview of a new monitor.
fn body_of_preview(body: &Value) -> Value {
    let mut body = body.clone();
    body.as_object_mut().unwrap().remove("name");
    body
}

#[test]
fn error_page_of_a_rendered_monitor_is_content_if_the_request_accepts_it() {
    with_browser("off", async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.put("/closed", scripted("The harbour is closed.").with_status(503));
        let monitor = rendered_monitor(&app, &who, &url).await;
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "error");
        let accepted = json!({"request": {"anyStatus": true}});
        send(&app, &who, Method::PATCH, &path(&monitor), &accepted).await.expect(200);
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "baseline");
    });
}

#[test]
fn rendered_monitor_is_exported_and_its_rendering_can_be_switched_off() {
    with_browser("off", async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let monitor =
            rendered_monitor(&app, &who, &app.site.put("/tide", scripted("The tide is low."))).await;
        let export = who.get(&app, "/v1/monitors/export").await.expect(200).text();
        let headers = [("x-api-key", other.key.as_str()), ("content-type", "application/json")];
        let report = app.send(Method::POST, "/v1/monitors/import", &headers, Some(export)).await.expect(200);
        let copy = json!({"id": report.json()["monitors"][0]["monitorId"]});
        assert_eq!(get_monitor(&app, &other, &copy).await["render"], true);
        let plain = json!({"render": false});
        send(&app, &other, Method::PATCH, &path(&monitor), &plain).await.api_error(404, "not_found");
        let updated = send(&app, &who, Method::PATCH, &path(&monitor), &plain).await.expect(200).json();
        let updated = &updated["monitor"];
        assert_eq!((&updated["render"], &updated["creditsPerRun"]), (&json!(false), &json!(1)));
    });
}

#[test]
fn browser_watches_of_another_program_are_imported_as_rendered_monitors() {
    with_browser("off", async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.put("/search", Reply::html(SEARCH_PAGE));
        let report = import(&app, &who, &browser_backup(&url)).await.expect(200).json();
        let (text, screenshot) = (&report["monitors"][0], &report["monitors"][1]);
        let missing =
            json!(["step 2: Click element if exists", "step 5: Press Enter", "step 6: Click element"]);
        assert_eq!(text["notImported"], missing, "{report}");
        assert_eq!(screenshot["notImported"], json!(["ignored content Updated"]), "{report}");
        let search = get_monitor(&app, &who, &json!({"id": text["monitorId"]})).await;
        assert_eq!((&search["render"], &search["selector"]), (&json!(true), &json!("#result")));
        let kinds: Vec<&Value> =
            search["steps"].as_array().unwrap().iter().map(|step| &step["kind"]).collect();
        assert_eq!(kinds, ["wait", "type", "click"]);
        let wall = get_monitor(&app, &who, &json!({"id": screenshot["monitorId"]})).await;
        assert_eq!((&wall["targetType"], &wall["selector"]), (&json!("visual"), &json!("main")));
        advance_minute(&app).await;
        assert_eq!(outcomes(&app, &who, &search).await, ["baseline"]);
        assert_eq!(outcomes(&app, &who, &wall).await, ["baseline"]);
    });
}

#[test]
fn steps_of_a_rendered_monitor_are_performed_and_an_impossible_step_fails() {
    with_browser("off", async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.put("/search", Reply::html(SEARCH_PAGE));
        let steps = json!([{"kind": "type", "selector": "#query", "text": "Ada"},
            {"kind": "click", "selector": "#search"}, {"kind": "wait", "waitMs": 100}]);
        let body = json!({"name": "Search", "targetUrl": url, "render": true, "selector": "#result",
            "waitFor": "#search", "steps": steps});
        let monitor = create_monitor(&app, &who, &body).await;
        assert_eq!(
            (&monitor["waitFor"], &monitor["steps"][1]["selector"]),
            (&json!("#search"), &json!("#search"))
        );
        advance_minute(&app).await;
        assert_eq!(outcomes(&app, &who, &monitor).await, ["baseline"]);
        let preview = json!({"targetUrl": url, "render": true, "selector": "#result", "steps": steps});
        let preview = who.post(&app, "/v1/monitors/preview", &preview).await.expect(200).json();
        assert!(preview["blocks"].to_string().contains("Boats for Ada"), "{preview}");
        let absent = json!({"steps": [{"kind": "click", "selector": "#absent"}]});
        send(&app, &who, Method::PATCH, &path(&monitor), &absent).await.expect(200);
        let run = run_now(&app, &who, &monitor).await;
        assert_eq!((&run["errorCode"], &run["credits"]), (&json!("step_failed"), &json!(0)), "{run}");
        let secret = json!({"targetUrl": url, "render": true,
            "steps": [{"kind": "type", "selector": "#code", "text": "1234"}]});
        let refused = who.post(&app, "/v1/monitors/preview", &secret).await.api_error(422, "step_failed");
        assert!(refused["error"].as_str().unwrap().contains("secrets"), "{refused}");
    });
}

/// Page with a cookie notice and a form. Buttons and fields write their effect into the page.
const NOTICE_PAGE: &str = "<!doctype html><html lang=en><head><title>Notice</title></head><body><main><h1>Harbour</h1>\
    <p>The harbour wall was repaired in autumn and the boats came back before the first storm of the year.</p>\
    <form id=form><input id=query></form><select id=sort><option value=1>Ferry<option value=2>Sail boat</select><div id=out></div></main>\
    <div id=onetrust-consent-sdk><div id=onetrust-banner-sdk><p>We use cookies.</p><button id=onetrust-accept-btn-handler>Accept</button>\
    <button id=onetrust-reject-all-handler>Reject</button></div></div><script>\
    const byId = (id) => document.getElementById(id);\
    const say = (text) => { const line = document.createElement('p'); line.textContent = text; byId('out').append(line); };\
    byId('onetrust-accept-btn-handler').onclick = () => say('The cookies were accepted');\
    byId('onetrust-reject-all-handler').onclick = () => { say('The cookies were rejected'); byId('onetrust-consent-sdk').remove(); };\
    byId('sort').onchange = () => say('Boats of sort ' + byId('sort').value);\
    byId('form').onsubmit = (event) => { event.preventDefault(); say('The form was sent'); };\
    </script></body></html>";

#[test]
fn steps_and_dismissed_cookie_notices_are_reported_and_exported() {
    with_browser("off", async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let url = app.site.put("/notice", Reply::html(NOTICE_PAGE));
        let steps = json!([{"kind": "click", "selector": "#absent", "optional": true},
            {"kind": "select", "selector": "#sort", "text": "Sail boat"},
            {"kind": "press", "selector": "#query", "key": "enter"}, {"kind": "wait_text", "text": "the form was sent"}]);
        let watched = json!({"targetUrl": url, "render": true, "selector": "#out", "steps": steps,
            "dismissCookieNotices": true});
        let expected = json!(["step_skipped:1", "cookie_notice_rejected:OneTrust"]);
        let preview = who.post(&app, "/v1/monitors/preview", &watched).await.expect(200).json();
        let blocks = preview["blocks"].to_string();
        for line in ["The cookies were rejected", "Boats of sort 2", "The form was sent"] {
            assert!(blocks.contains(line), "{line}: {preview}");
        }
        assert!(!blocks.contains("accepted") && preview["warnings"] == expected, "{preview}");
        let mut named = watched.clone();
        named["name"] = json!("Notice");
        let monitor = create_monitor(&app, &who, &named).await;
        assert_eq!(
            (&monitor["dismissCookieNotices"], &monitor["steps"][2]["key"], &monitor["steps"][0]["optional"]),
            (&json!(true), &json!("enter"), &json!(true))
        );
        advance_minute(&app).await;
        let first = runs(&app, &who, &monitor).await.remove(0);
        assert_eq!((&first["outcome"], &first["warnings"]), (&json!("baseline"), &expected), "{first}");
        let again = run_now(&app, &who, &monitor).await;
        assert_eq!((&again["outcome"], &again["warnings"]), (&json!("unchanged"), &expected), "{again}");
        let mut browser = Browser::signed_in(&app, &who).await;
        let text = browser.open(&path(&monitor).replace("/v1", "")).await.expect(200).text();
        assert!(text.contains("The OneTrust cookie notice was rejected."), "{text}");
        let edit =
            browser.open(&format!("{}/edit", path(&monitor).replace("/v1", ""))).await.expect(200).text();
        assert!(between(&edit, "name=\"dismissCookieNotices\"", ">").contains("checked"), "{edit}");
        assert!(
            edit.contains("click? #absent\nselect #sort =&gt; Sail boat\npress #query =&gt; enter"),
            "{edit}"
        );
        let export = who.get(&app, "/v1/monitors/export").await.expect(200).text();
        let headers = [("x-api-key", other.key.as_str()), ("content-type", "application/json")];
        let report = app.send(Method::POST, "/v1/monitors/import", &headers, Some(export)).await.expect(200);
        let copy = json!({"id": report.json()["monitors"][0]["monitorId"]});
        let copy = get_monitor(&app, &other, &copy).await;
        assert_eq!(
            (&copy["dismissCookieNotices"], &copy["steps"]),
            (&json!(true), &monitor["steps"]),
            "{copy}"
        );
        let impossible = json!({"steps": [{"kind": "check", "selector": "#query"}]});
        send(&app, &who, Method::PATCH, &path(&monitor), &impossible).await.expect(200);
        let failed = run_now(&app, &who, &monitor).await;
        assert_eq!(
            (&failed["errorCode"], &failed["warnings"]),
            (&json!("step_failed"), &json!(["step_failed:1"])),
            "{failed}"
        );
        let elsewhere = json!({"steps": [{"kind": "open", "url": "https://other.example/"}]});
        let refused = send(&app, &who, Method::PATCH, &path(&monitor), &elsewhere).await;
        let refused = refused.api_error(422, "invalid_request");
        assert!(refused["details"].to_string().contains("/steps/0/url"), "{refused}");
    });
}

#[test]
fn secret_text_of_a_step_is_typed_and_never_returned() {
    with_browser("off", async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let url = app.site.put("/search", Reply::html(SEARCH_PAGE));
        let steps = json!([{"kind": "type", "selector": "#query", "text": "oil lamp", "secret": true},
            {"kind": "click", "selector": "#search"}, {"kind": "wait", "selector": "#result"}]);
        let body = json!({"name": "Sign in", "targetUrl": url, "render": true, "selector": "#result", "steps": steps});
        let monitor = create_monitor(&app, &who, &body).await;
        let step =
            |monitor: &Value| (monitor["steps"][0]["secret"].clone(), monitor["steps"][0]["text"].clone());
        assert_eq!(step(&monitor), (json!(true), Value::Null), "{monitor}");
        advance_minute(&app).await;
        assert_eq!(outcomes(&app, &who, &monitor).await, ["baseline"]);
        let preview = json!({"targetUrl": url, "render": true, "selector": "#result", "steps": steps});
        let preview = who.post(&app, "/v1/monitors/preview", &preview).await.expect(200).json();
        let blocks = preview["blocks"].to_string();
        assert!(blocks.contains("Boats for •••") && !blocks.contains("oil lamp"), "{preview}");
        let unchanged = json!({"steps": [{"kind": "type", "selector": "#query", "secret": true}]});
        let edited = send(&app, &who, Method::PATCH, &path(&monitor), &unchanged).await.expect(200);
        let edited = edited.json()["monitor"].clone();
        assert_eq!(step(&edited), (json!(true), Value::Null), "{edited}");
        for (change, field) in [
            (json!({"steps": [{"kind": "type", "selector": "#code", "secret": true}]}), "/steps/0/text"),
            (json!({"steps": [{"kind": "click", "selector": "#code", "secret": true}]}), "/steps/0/secret"),
            (json!({"targetUrl": "https://other.example/search"}), "steps"),
        ] {
            let refused = send(&app, &who, Method::PATCH, &path(&monitor), &change).await;
            let refused = refused.api_error(422, "invalid_request");
            assert!(refused["details"].to_string().contains(field), "{refused}");
        }
        let change = json!({"steps": []});
        send(&app, &other, Method::PATCH, &path(&monitor), &change).await.api_error(404, "not_found");
        let mut browser = Browser::signed_in(&app, &who).await;
        let edit = format!("/monitors/{}/edit", monitor["id"].as_str().unwrap());
        let form = browser.open(&edit).await.expect(200).text();
        assert!(form.contains("A secret is set") && !form.contains("oil lamp"), "{form}");
        let typed =
            [("name", "Sign in"), ("targetUrl", url.as_str()), ("intervalMinutes", "1440"), ("render", "1")];
        let more = [("selector", "#result"), ("act", "save"), ("steps", "secret #query\nsecret #code")];
        let missing = browser.submit(&edit, &[&typed[..], &more[..]].concat()).await.expect(422).text();
        assert!(between(&missing, "role=\"alert\"", "</div>").contains("enter the secret"), "{missing}");
        let secret = [("secretSelector", "#code"), ("secretText", "brass lamp")];
        let carried = [&typed[..], &more[..], &secret[..], &[("notifyFailures", "none")]].concat();
        let form = browser.submit(&edit, &carried).await.expect(422).text();
        assert!(form.contains("name=\"sealedText\"") && !form.contains("brass lamp"), "{form}");
        browser.submit(&edit, &[&typed[..], &more[..], &secret[..]].concat()).await.expect(303);
        let stored = get_monitor(&app, &who, &monitor).await;
        assert_eq!(stored["steps"][1]["secret"], json!(true), "{stored}");
    });
}

/// Page with a dark box of this height in pixels.
fn boxed(height: u32) -> Reply {
    Reply::html(format!(
        "<!doctype html><html lang=en><head><title>Map</title></head><body><h1>Map of the harbour</h1>\
         <p>The harbour wall was repaired in autumn and the boats returned before the first storm.</p>\
         <div id=map style=\"width:400px;height:400px;background:#eee\">\
         <div style=\"width:400px;height:{height}px;background:#036\"></div></div></body></html>"
    ))
}

/// Checks the enclosure of the feed, the page of the change, and its screenshots. Returns the URL of a screenshot.
async fn expect_screenshots(app: &TestApp, monitor: &Value) -> String {
    let feed = app.get(monitor["feedUrl"].as_str().unwrap()).await.expect(200).text();
    let enclosure = between(&feed, "<enclosure ", ">");
    assert!(enclosure.contains("type=\"image/png\""), "{feed}");
    let after = between(enclosure, "url=\"", "\"");
    let picture = app.get(after).await.expect(200);
    assert_eq!(picture.header("content-type"), "image/png");
    assert!(picture.body.starts_with(b"\x89PNG"));
    let change = after.strip_suffix("/after.png").unwrap();
    assert_ne!(app.get(&format!("{change}/before.png")).await.expect(200).body, picture.body);
    let text = app.get(change).await.expect(200).text();
    assert!(text.contains("alt=\"After: 400x400 pixels, 25 % of them changed\""), "{text}");
    assert!(text.contains("alt=\"Before: 400x400 pixels\""), "{text}");
    app.get("/changes/AAAA/after.png").await.expect(404);
    for ending in [".atom", ".json"] {
        let url = monitor["feedUrl"].as_str().unwrap().replace(".xml", ending);
        assert!(app.get(&url).await.expect(200).text().contains("/after.png"));
    }
    after.to_owned()
}

#[test]
fn visual_monitor_reports_the_share_of_changed_pixels_above_its_threshold() {
    with_browser("off", async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.put("/map", boxed(0));
        let body = json!({"name": "Map", "targetUrl": url, "targetType": "visual", "selector": "#map"});
        let monitor = create_monitor(&app, &who, &body).await;
        assert_eq!((&monitor["render"], &monitor["creditsPerRun"]), (&json!(true), &json!(3)));
        let coarse = json!({"name": "Coarse", "targetUrl": url, "targetType": "visual", "selector": "#map",
            "trigger": {"kind": "share", "value": 50}});
        let coarse = create_monitor(&app, &who, &coarse).await;
        advance_minute(&app).await;
        assert_eq!(outcomes(&app, &who, &monitor).await, ["baseline"]);
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "unchanged");
        app.site.put("/map", boxed(100));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed");
        let reported = changes(&app, &who, &monitor).await;
        assert!(reported[0].to_string().contains("400x400 pixels, 25 % of them changed"), "{reported:?}");
        let screenshot = expect_screenshots(&app, &monitor).await;
        let missed = run_now(&app, &who, &coarse).await;
        assert_eq!(
            (&missed["outcome"], &missed["decision"]),
            (&json!("unchanged"), &json!("condition_not_met"))
        );
        let preview = json!({"targetUrl": url, "targetType": "visual", "selector": "#map"});
        let preview = who.post(&app, "/v1/monitors/preview", &preview).await.expect(200).json();
        assert_eq!(preview["items"][0]["fields"]["picture"], "400x400 pixels", "{preview}");
        let plain = json!({"render": false});
        send(&app, &who, Method::PATCH, &path(&monitor), &plain).await.api_error(422, "invalid_request");
        let words = json!({"trigger": {"kind": "text_appears", "value": "boats"}});
        send(&app, &who, Method::PATCH, &path(&monitor), &words).await.api_error(422, "invalid_request");
        who.send(&app, Method::POST, &format!("{}/rotate-feed", path(&monitor))).await.expect(200);
        app.get(&screenshot).await.expect(410);
    });
}

#[test]
fn steps_are_validated_and_require_a_rendered_page() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/search", page("The tide is low."));
        let refused = async |more: Value| {
            let mut body = json!({"targetUrl": url});
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let refused =
                who.post(&app, "/v1/monitors/preview", &body).await.api_error(422, "invalid_request");
            refused["details"].to_string()
        };
        let click = json!({"kind": "click", "selector": "#more"});
        assert!(refused(json!({"steps": [click]})).await.contains("/steps"));
        assert!(refused(json!({"waitFor": "#more"})).await.contains("/waitFor"));
        let many = vec![click.clone(); 11];
        assert!(refused(json!({"render": true, "steps": many})).await.contains("/steps"));
        let bare = json!({"render": true, "steps": [click, {"kind": "click"}]});
        assert!(refused(bare).await.contains("/steps/1/selector"));
        assert!(refused(json!({"dismissCookieNotices": true})).await.contains("/dismissCookieNotices"));
        for (step, field) in [
            (json!({"kind": "press"}), "/steps/0/key"),
            (json!({"kind": "press", "key": "f5"}), "/steps/0/key"),
            (json!({"kind": "open", "url": "javascript:alert(1)"}), "/steps/0/url"),
            (json!({"kind": "back", "optional": true}), "/steps/0/optional"),
            (json!({"kind": "wait_text", "selector": "#list"}), "/steps/0/text"),
        ] {
            let reason = refused(json!({"render": true, "steps": [step]})).await;
            assert!(reason.contains(field), "{reason}");
        }
        let secret = json!({"kind": "type", "selector": "input[type=password]", "text": "1234"});
        assert!(refused(json!({"render": true, "steps": [secret]})).await.contains("/steps/0/selector"));
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open("/monitors/new").await.expect(200);
        let typed = [
            ("name", "Search"),
            ("targetUrl", url.as_str()),
            ("render", "1"),
            ("steps", "click #more\njump Enter"),
            ("act", "make"),
        ];
        let form = browser.submit("/monitors/new", &typed).await.expect(422).text();
        let summary = between(&form, "role=\"alert\"", "</div>");
        assert!(summary.contains("href=\"#steps\"") && summary.contains("Line 2 is not a step"), "{summary}");
    });
}

#[test]
fn rendering_is_refused_without_a_browser() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/tide", page("The tide is low."));
        let body = json!({"name": "Harbour", "targetUrl": url, "render": true});
        let refused = who.post(&app, "/v1/monitors", &body).await.api_error(422, "renderer_unavailable");
        assert!(refused["error"].as_str().unwrap().contains("apt-get install chromium"), "{refused}");
        let preview = json!({"targetUrl": url, "render": true});
        who.post(&app, "/v1/monitors/preview", &preview).await.api_error(422, "renderer_unavailable");
        let visual = json!({"name": "Look", "targetUrl": url, "targetType": "visual"});
        who.post(&app, "/v1/monitors", &visual).await.api_error(422, "renderer_unavailable");
        let plain = watch_page(&app, &who, &url).await;
        let change = json!({"render": true});
        send(&app, &who, Method::PATCH, &path(&plain), &change).await.api_error(422, "renderer_unavailable");
        let list = json!({"name": "List", "targetUrl": url, "targetType": "sitemap", "render": true});
        who.post(&app, "/v1/monitors", &list).await.api_error(422, "invalid_request");
        let own =
            json!({"name": "Own", "targetUrl": url, "render": true, "request": {"post": {"body": "boats"}}});
        who.post(&app, "/v1/monitors", &own).await.api_error(422, "invalid_request");
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open("/monitors/new").await.expect(200);
        let typed = [("name", "Harbour"), ("targetUrl", url.as_str()), ("render", "1"), ("act", "make")];
        let form = browser.submit("/monitors/new", &typed).await.expect(422).text();
        assert!(between(&form, "role=\"alert\"", "</div>").contains("no browser"), "{form}");
        assert!(between(&form, "name=\"render\"", ">").contains("checked"), "{form}");
    });
}

#[test]
fn rendered_monitor_fails_with_a_reason_and_sends_no_request_without_a_browser() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let monitor = watch_page(&app, &who, &app.site.put("/tide", page("The tide is low."))).await;
        let rendered = "UPDATE monitor SET definition = '{\"rendering\":{},' || substr(definition, 2)";
        app.app.domain.db().write().execute_unprepared(rendered).await.unwrap();
        advance_minute(&app).await;
        let run = runs(&app, &who, &monitor).await.remove(0);
        assert_eq!((&run["outcome"], &run["credits"]), (&json!("error"), &json!(0)), "{run}");
        assert_eq!(run["errorCode"], "renderer_unavailable");
        assert_eq!((app.site.hits("/tide"), credits(&app, &who).await.0), (0, 0));
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let text = browser.open(&path(&monitor).replace("/v1", "")).await.expect(200).text();
        assert!(text.contains("The page could not be opened in a browser"), "{text}");
        let renamed = json!({"name": "Pier"});
        let updated = send(&app, &who, Method::PATCH, &path(&monitor), &renamed).await.expect(200).json();
        assert_eq!(
            (&updated["monitor"]["name"], &updated["monitor"]["render"]),
            (&json!("Pier"), &json!(true))
        );
    });
}
