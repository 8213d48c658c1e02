//! Import of monitors from other programs, and export, through the API and the page.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::person::Person;
use crate::support::{HttpAnswer, TestApp, on_each_world};

const LIST: &str = "name: Ferry\nurl: https://example.org/a\nfilter:\n  - css: main\n  - shellpipe: cat\ntags: [Boats]\n\
    ---\nname: Local\nurl: http://192.168.0.1/\n---\nname: Paused\nurl: https://example.org/b\nenabled: false\n";

/// Backup of changedetection.io with two watches of a page that need a browser. One compares texts after
/// steps, and the other compares screenshots.
pub(crate) fn browser_backup(url: &str) -> String {
    let step = |operation: &str, selector: &str, value: &str| {
        let (selector, value) = (json!(selector), json!(value));
        json!({"operation": operation, "selector": selector, "optional_value": value})
    };
    let steps = [
        step("Goto site", "", ""),
        step("Click element if exists", "#accept", ""),
        step("Enter text in field", "#query", "Ada"),
        step("Click element", "#search", ""),
        step("Press Enter", "", ""),
        step("Click element", "#next", ""),
    ];
    let text = json!({"url": url, "title": "Search", "fetch_backend": "system", "webdriver_delay": 1,
        "browser_steps": steps, "include_filters": ["#result"], "processor": "text_json_diff"});
    let screenshot = json!({"url": url, "title": "Wall", "fetch_backend": "html_webdriver", "browser_steps": [],
        "include_filters": ["main"], "ignore_text": ["Updated"], "processor": "image_ssim_diff"});
    let settings = json!({"application": {"fetch_backend": "html_webdriver"}});
    json!({"settings": settings, "watching": {"u1": text, "u2": screenshot}}).to_string()
}

pub(crate) async fn import(app: &TestApp, who: &Person, file: &str) -> HttpAnswer {
    let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/octet-stream")];
    app.send(Method::POST, "/v1/monitors/import", &headers, Some(file.to_owned())).await
}

/// Returns the names of the monitors in alphabetical order, because all monitors of an import have the same
/// creation time.
async fn names(app: &TestApp, who: &Person) -> Vec<String> {
    let list = who.get(app, "/v1/monitors").await.expect(200).json();
    let mut names: Vec<String> =
        list["monitors"].as_array().unwrap().iter().map(|monitor| monitor["name"].to_string()).collect();
    names.sort();
    names
}

#[test]
fn export_of_another_program_is_imported_with_a_report() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let report = import(&app, &who, LIST).await.expect(200).json();
        assert_eq!((&report["format"], &report["created"]), (&json!("urlwatch"), &json!(2)), "{report}");
        let monitors = report["monitors"].as_array().unwrap();
        assert_eq!(monitors[0]["notImported"], json!(["filter shellpipe"]));
        assert_eq!(
            (&monitors[1]["outcome"], &monitors[1]["code"]),
            (&json!("refused"), &json!("url_not_allowed"))
        );
        let ferry = who
            .get(&app, &format!("/v1/monitors/{}", monitors[0]["monitorId"].as_str().unwrap()))
            .await
            .expect(200)
            .json();
        assert_eq!(ferry["monitor"]["selector"], "main");
        let paused = who
            .get(&app, &format!("/v1/monitors/{}", monitors[2]["monitorId"].as_str().unwrap()))
            .await
            .expect(200)
            .json();
        assert_eq!(paused["monitor"]["status"], "paused");

        let again = import(&app, &who, LIST).await.expect(200).json();
        assert_eq!((&again["created"], &again["existing"]), (&json!(0), &json!(2)), "{again}");
        import(&app, &who, "no list").await.expect(422);
    });
}

#[test]
fn exported_monitors_are_imported_into_another_account() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        import(&app, &who, LIST).await.expect(200);
        let export = who.get(&app, "/v1/monitors/export").await.expect(200).text();
        let report = import(&app, &other, &export).await.expect(200).json();
        assert_eq!((&report["format"], &report["created"]), (&json!("carrel"), &json!(2)), "{report}");
        assert_eq!(names(&app, &other).await, names(&app, &who).await);

        let target = json!({"type": "page", "selector": null});
        let filters = json!([{"kind": "drop", "pattern": "^Advert"}]);
        let entry = json!([{"name": "Inside", "targetUrl": "https://example.org/inside", "intervalMinutes": 1440,
            "definition": {"target": target, "filters": filters, "request": {"user_agent": "Harbour/1"}},
            "status": "active", "schedule": {"weekdays": ["monday"]}, "notifyFailures": 3, "needsCredentials": true}]);
        let report = import(&app, &who, &entry.to_string()).await.expect(200).json();
        let imported = &report["monitors"][0];
        assert!(imported["notImported"][0].as_str().unwrap().starts_with("credentials"), "{report}");
        let monitor = format!("/v1/monitors/{}", imported["monitorId"].as_str().unwrap());
        let monitor = who.get(&app, &monitor).await.expect(200).json()["monitor"].clone();
        assert_eq!((&monitor["status"], &monitor["notifyFailures"]), (&json!("paused"), &json!(3)));
        assert_eq!(monitor["request"]["userAgent"], "Harbour/1");
        assert_eq!(monitor["filters"][0]["pattern"], "^Advert");
        assert_eq!(monitor["schedule"]["weekdays"], json!(["monday"]));
    });
}

#[test]
fn plan_limit_refuses_further_monitors_and_raises_intervals() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let watch = |number: u32| json!({"url": format!("https://example.org/{number}"), "time_between_check": {"minutes": 5}});
        let watching: serde_json::Map<String, Value> =
            (0..400).map(|number| (number.to_string(), watch(number))).collect();
        let report = import(&app, &who, &json!({"watching": watching}).to_string()).await.expect(200).json();
        let monitors = report["monitors"].as_array().unwrap();
        assert_eq!(monitors[0]["outcome"], "created");
        assert_eq!(monitors[0]["notImported"], json!(["interval of 5 minutes: set to 1440"]));
        assert_eq!(
            (&monitors[399]["outcome"], &monitors[399]["code"]),
            (&json!("refused"), &json!("limit_reached"))
        );
    });
}

#[test]
fn browser_watch_is_imported_as_a_served_page_if_the_service_has_no_browser() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let backup = browser_backup("https://example.org/harbour");
        let report = import(&app, &who, &backup).await.expect(200).json();
        assert_eq!(report["created"], 2, "{report}");
        let none = "loading with a browser: this service has none";
        let text = &report["monitors"][0];
        assert_eq!(text["notImported"], json!([none, "browser steps"]));
        let screenshot = &report["monitors"][1];
        assert_eq!(screenshot["notImported"], json!([none, "detection image_ssim_diff"]));
        for (imported, selector) in [(text, "#result"), (screenshot, "main")] {
            let path = format!("/v1/monitors/{}", imported["monitorId"].as_str().unwrap());
            let monitor = who.get(&app, &path).await.expect(200).json()["monitor"].clone();
            let expected = (&json!("page"), &json!(false), &json!(selector));
            assert_eq!((&monitor["targetType"], &monitor["render"], &monitor["selector"]), expected);
        }
        let again = import(&app, &who, &backup).await.expect(200).json();
        assert_eq!(again["existing"], 2, "{again}");
    });
}

#[test]
fn page_imports_a_file_and_lists_omitted_settings() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open("/monitors/lists").await.expect(200);
        let page = browser.upload("/monitors/lists", "urls.yaml", LIST.as_bytes()).await.expect(200).text();
        assert!(
            page.contains("<dt>New</dt><dd>2</dd>") && page.contains("Without: <bdi>filter shellpipe</bdi>"),
            "{page}"
        );
        browser.open("/monitors/lists").await.expect(200);
        let page = browser.upload("/monitors/lists", "urls.yaml", b"no list").await.expect(422).text();
        assert!(page.contains("The file is not a list of monitors."), "{page}");
        let file = browser.open("/monitors/lists/file").await.expect(200);
        assert!(file.header("content-disposition").contains("carrel-monitors-"));
        assert!(file.text().contains("\"name\": \"Ferry\""));
    });
}
