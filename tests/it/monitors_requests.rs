//! Requests of monitors: headers, bodies, credentials, and error statuses as content.

use kernel::tiers::Tier;
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::clock::HOUR;
use crate::support::monitoring::{
    advance_minute, changes, create_monitor, get_monitor, outcomes, page, path, query_number, run_now, send,
};
use crate::support::person::Person;
use crate::support::{ReceivedRequest, Reply, Setup, Site, TestApp, World, on_each_world, run};

const BASIC: &str = "Basic YWRhOm9wZW5lZA==";

fn last_request(site: &Site, path: &str) -> ReceivedRequest {
    site.requests().into_iter().rfind(|seen| seen.path == path).expect("the path was requested")
}

fn header(seen: &ReceivedRequest, name: &str) -> Option<String> {
    seen.headers.get(name).map(|value| value.to_str().unwrap().to_owned())
}

async fn patch(app: &TestApp, who: &Person, monitor: &Value, body: &Value) -> Value {
    send(app, who, Method::PATCH, &path(monitor), body).await.expect(200).json()["monitor"].clone()
}

#[test]
fn request_is_sent_as_configured_and_credentials_are_never_returned() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/search", page("Two boats."));
        let monitor = create_monitor(
            &app,
            &who,
            &json!({"name": "Search", "targetUrl": url,
                "request": {"post": {"method": "put", "body": "{\"q\": 1}", "contentType": "application/json"},
                    "userAgent": "Harbour/1", "headers": [{"name": "X-Region", "value": "north"}]},
                "credentials": {"basic": {"username": "ada", "password": "opened"}}}),
        )
        .await;
        let expected = json!({"post": {"method": "put", "body": "{\"q\": 1}", "contentType": "application/json"},
            "userAgent": "Harbour/1", "headers": [{"name": "X-Region", "value": "north"}],
            "anyStatus": false, "cookies": false, "credentials": "basic", "proxy": null});
        assert_eq!(monitor["request"], expected);
        advance_minute(&app).await;
        let seen = last_request(&app.site, "/search");
        assert_eq!(
            (seen.body.as_str(), header(&seen, "authorization").as_deref()),
            ("{\"q\": 1}", Some(BASIC))
        );
        let headers = ["content-type", "user-agent", "x-region"].map(|name| header(&seen, name).unwrap());
        assert_eq!(headers, ["application/json", "Harbour/1", "north"]);
        app.site.put("/search", page("Three boats.").with("etag", "\"three\""));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed");
        run_now(&app, &who, &monitor).await;
        let again = last_request(&app.site, "/search");
        assert_eq!(header(&again, "if-none-match"), None, "a request with a body is never conditional");
        let answer = who.get(&app, &path(&monitor)).await.expect(200).text();
        assert!(!answer.contains("opened") && !answer.contains("YWRh"), "{answer}");
        let sql = "SELECT count(*) FROM monitor WHERE definition LIKE '%opened%' OR definition LIKE '%YWRh%'";
        assert_eq!(query_number(&app.app.domain, sql).await, 0);
    });
}

#[test]
fn preview_sends_the_request_with_its_credentials() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let body = json!({"targetUrl": app.site.put("/search", page("x")),
            "request": {"post": {"body": "a=b"}}, "credentials": {"bearer": "opened"}});
        let answer = who.post(&app, "/v1/monitors/preview", &body).await.expect(200).text();
        assert!(!answer.contains("opened"), "{answer}");
        let seen = last_request(&app.site, "/search");
        assert_eq!(
            (seen.body.as_str(), header(&seen, "authorization").as_deref()),
            ("a=b", Some("Bearer opened"))
        );
        assert_eq!(header(&seen, "content-type").as_deref(), Some("application/x-www-form-urlencoded"));
        let sql = "SELECT count(*) FROM monitor_preview WHERE asked LIKE '%opened%'";
        assert_eq!(query_number(&app.app.domain, sql).await, 0);
    });
}

#[test]
fn credentials_are_sent_only_to_their_origin() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let other = Site::start();
        let elsewhere = other.put("/in", page("Another site."));
        let url = app.site.put("/in", Reply::redirect(&elsewhere));
        let body = json!({"name": "In", "targetUrl": url,
            "request": {"headers": [{"name": "X-Region", "value": "north"}]},
            "credentials": {"header": {"name": "Cookie", "value": "session=opened"}}});
        let monitor = create_monitor(&app, &who, &body).await;
        advance_minute(&app).await;
        assert_eq!(header(&last_request(&app.site, "/in"), "cookie").as_deref(), Some("session=opened"));
        let redirected = last_request(&other, "/in");
        assert_eq!(["cookie", "x-region"].map(|name| header(&redirected, name)), [None, None]);

        let moved = json!({ "targetUrl": elsewhere });
        let refused = send(&app, &who, Method::PATCH, &path(&monitor), &moved).await.expect(422).json();
        assert!(refused["details"].as_str().unwrap().starts_with("/credentials"), "{refused}");
        let moved = json!({"targetUrl": elsewhere, "credentials": {"remove": true}});
        assert_eq!(patch(&app, &who, &monitor, &moved).await["request"]["credentials"], Value::Null);
        run_now(&app, &who, &monitor).await;
        assert_eq!(header(&last_request(&other, "/in"), "cookie"), None);
    });
}

#[test]
fn new_password_retains_the_baseline_and_new_headers_reset_it() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.put("/status", page("All is well."));
        let body = json!({"name": "Status", "targetUrl": url, "credentials": {"bearer": "one"}});
        let monitor = create_monitor(&app, &who, &body).await;
        advance_minute(&app).await;
        patch(&app, &who, &monitor, &json!({"credentials": {"bearer": "two"}})).await;
        app.site.put("/status", page("A storm."));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed");
        let seen = last_request(&app.site, "/status");
        assert_eq!(header(&seen, "authorization").as_deref(), Some("Bearer two"));
        let patched = patch(&app, &who, &monitor, &json!({"request": {"userAgent": "Harbour/1"}})).await;
        assert_eq!(patched["request"]["credentials"], "bearer");
        app.site.put("/status", page("The storm is over."));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "baseline");
    });
}

#[test]
fn response_to_a_custom_request_is_not_shared() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.put("/tide", page("The tide is low.").with("etag", "\"low\""));
        create_monitor(&app, &who, &json!({"name": "Plain", "targetUrl": url})).await;
        let own = json!({"name": "Own", "targetUrl": url, "credentials": {"bearer": "one"}});
        let own = create_monitor(&app, &who, &own).await;
        advance_minute(&app).await;
        assert_eq!(outcomes(&app, &who, &own).await, ["baseline"]);
        assert_eq!(app.site.hits("/tide"), 2, "each monitor sends its own request");
        assert_eq!(header(&last_request(&app.site, "/tide"), "if-none-match"), None);
    });
}

#[test]
fn error_status_counts_as_content_if_enabled() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.put("/health", page("All is well."));
        let body = json!({"name": "Health", "targetUrl": url, "request": {"anyStatus": true}});
        let monitor = create_monitor(&app, &who, &body).await;
        advance_minute(&app).await;
        app.site.put("/health", Reply::status(500));
        let mut seen = Vec::new();
        for _ in 0..3 {
            seen.push(run_now(&app, &who, &monitor).await["outcome"].clone());
        }
        assert!(seen.contains(&json!("changed")) && !seen.contains(&json!("error")), "{seen:?}");
        let recorded = changes(&app, &who, &monitor).await;
        assert!(recorded[0].to_string().contains("HTTP status 500"), "{recorded:?}");
        assert_eq!(get_monitor(&app, &who, &monitor).await["lastError"], Value::Null);
    });
}

#[test]
fn cookies_are_stored_between_runs_until_the_request_changes() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let set = page("x").with("set-cookie", "visit=first; Max-Age=3600");
        let url = app.site.put("/visit", set);
        let body = json!({"name": "Visit", "targetUrl": url, "request": {"cookies": true}});
        let monitor = create_monitor(&app, &who, &body).await;
        advance_minute(&app).await;
        let cookie = || header(&last_request(&app.site, "/visit"), "cookie");
        assert_eq!(cookie(), None);
        app.site.put("/visit", page("y"));
        run_now(&app, &who, &monitor).await;
        assert_eq!(cookie().as_deref(), Some("visit=first"));
        let sql = "SELECT count(*) FROM monitor_cookies";
        assert_eq!(query_number(&app.app.domain, sql).await, 1);
        app.clock.advance(HOUR);
        run_now(&app, &who, &monitor).await;
        assert_eq!(cookie(), None, "the cookie has expired");
        patch(&app, &who, &monitor, &json!({"request": {}})).await;
        assert_eq!(query_number(&app.app.domain, sql).await, 0);
        run_now(&app, &who, &monitor).await;
        assert_eq!(query_number(&app.app.domain, sql).await, 0);
    });
}

#[test]
fn connection_headers_are_refused_with_their_path() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/page", page("x"));
        for (request, pointer) in [
            (json!({"headers": [{"name": "Host", "value": "x"}]}), "/request/headers/0/name"),
            (json!({"headers": [{"name": "X-A", "value": "b\r\nc: d"}]}), "/request/headers/0/value"),
            (json!({"userAgent": "a\nb"}), "/request/userAgent"),
            (json!({"post": {"body": "", "contentType": "json"}}), "/request/post/contentType"),
            (json!({"post": {"body": "", "method": "delete"}}), "/request/post/method"),
        ] {
            let body = json!({"name": "Page", "targetUrl": url, "request": request});
            let refused = who.post(&app, "/v1/monitors", &body).await.expect(422).json();
            assert!(refused["details"].as_str().unwrap().starts_with(pointer), "{refused}");
        }
    });
}

#[test]
fn form_displays_the_request_but_never_the_secret() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let url = app.site.put("/inside", page("x"));
        let typed = [
            ("name", "Inside"),
            ("targetUrl", url.as_str()),
            ("targetType", "page"),
            ("userAgent", "Harbour/1"),
            ("headers", "X-Region: north\nAccept-Language: de"),
            ("post", "1"),
            ("body", "a=b"),
            ("credentials", "basic"),
            ("credentialName", "ada"),
            ("act", "make"),
        ];
        browser.open("/monitors/new").await.expect(200);
        let unfinished = browser.submit("/monitors/new", &typed).await.expect(422).text();
        assert!(unfinished.contains("href=\"#credentialSecret\""), "{unfinished}");
        let whole = [&typed[..], &[("credentialSecret", "opened")]].concat();
        browser.open("/monitors/new").await.expect(200);
        let made = browser.submit("/monitors/new", &whole).await.expect(303);
        let at = made.header("location").split('?').next().unwrap().to_owned();
        let monitor = json!({"id": at.rsplit('/').next().unwrap()});
        let set = get_monitor(&app, &who, &monitor).await["request"].clone();
        assert_eq!(set["headers"][1], json!({"name": "Accept-Language", "value": "de"}));
        assert_eq!((&set["post"]["body"], &set["credentials"]), (&json!("a=b"), &json!("basic")));

        let form = browser.open(&format!("{at}/edit")).await.expect(200).text();
        assert!(form.contains("X-Region: north\nAccept-Language: de") && !form.contains("opened"), "{form}");
        let changed = [typed[0], typed[1], typed[3], ("credentials", "keep"), ("act", "save")];
        browser.submit(&format!("{at}/edit"), &changed).await.expect(303);
        let set = get_monitor(&app, &who, &monitor).await["request"].clone();
        assert_eq!((&set["post"], &set["credentials"]), (&Value::Null, &json!("basic")));
        let detail = browser.open(&at).await.expect(200).text();
        assert!(detail.contains("GET, as Harbour/1, with credentials"), "{detail}");
        let wrong = [typed[0], typed[1], ("headers", "no header"), ("credentials", "none"), ("act", "save")];
        browser.open(&format!("{at}/edit")).await.expect(200);
        let wrong = browser.submit(&format!("{at}/edit"), &wrong).await.expect(422).text();
        assert!(wrong.contains("href=\"#headers\""), "{wrong}");
    });
}

#[test]
fn monitor_is_fetched_only_through_its_proxy() {
    run(async {
        for world in World::ALL {
            let proxy = Site::start();
            let address = format!("north=http://me:tide-pass@{}", proxy.address());
            let app = Setup::on(world).set("CARREL_PROXIES", address).spawn().await;
            let who = Person::on(&app, Tier::Pro).await;
            proxy.put("/tide", page("The tide is low."));
            let url = app.site.put("/tide", page("Seen from here."));
            let body = json!({"name": "Tide", "targetUrl": url, "request": {"proxy": "north"}});
            let monitor = create_monitor(&app, &who, &body).await;
            assert_eq!(monitor["request"]["proxy"], "north");
            advance_minute(&app).await;
            assert_eq!(outcomes(&app, &who, &monitor).await, ["baseline"]);
            assert_eq!((proxy.hits("/tide"), proxy.hits("/robots.txt")), (1, 1));
            who.post(&app, "/v1/monitors/preview", &body).await.expect(200);
            assert_eq!(proxy.hits("/tide"), 2);
            // The monitor's proxy is no longer offered, as if the operator had removed it.
            let removal = "UPDATE monitor SET definition = replace(definition, 'north', 'south')";
            app.app.domain.db().write().execute_unprepared(removal).await.unwrap();
            assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "error");
            assert_eq!(get_monitor(&app, &who, &monitor).await["lastError"], "proxy_not_offered");
            patch(&app, &who, &monitor, &json!({"name": "Renamed"})).await;
            let unknown = json!({"request": {"proxy": "west"}});
            let refused = send(&app, &who, Method::PATCH, &path(&monitor), &unknown).await.expect(422).json();
            assert!(refused["details"].as_str().unwrap().starts_with("/request/proxy"), "{refused}");
            assert!(refused.to_string().contains("north"), "the offered proxies are listed: {refused}");
            assert_eq!((app.site.hits("/tide"), app.site.hits("/robots.txt")), (0, 0));

            let mut browser = Browser::new(&app);
            browser.sign_in(&who.email).await;
            let form = browser.open("/monitors/new").await.expect(200).text();
            assert!(form.contains("<option value=\"north\"") && !form.contains("tide-pass"), "{form}");
            let form = browser.open(&format!("/monitors/{}/edit", monitor["id"].as_str().unwrap())).await;
            assert!(form.expect(200).text().contains("south (no longer offered)"));
        }
    });
}

#[test]
fn proxy_is_refused_and_not_offered_without_the_setting() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/tide", page("x"));
        let body = json!({"name": "Tide", "targetUrl": url, "request": {"proxy": "north"}});
        for operation in ["/v1/monitors", "/v1/monitors/preview"] {
            let refused = who.post(&app, operation, &body).await.expect(422).json();
            assert!(refused["details"].as_str().unwrap().starts_with("/request/proxy"), "{refused}");
        }
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let form = browser.open("/monitors/new").await.expect(200).text();
        assert!(!form.contains("name=\"proxy\""), "{form}");
    });
}
