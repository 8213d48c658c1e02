//! Offline reading: the choice of a browser, the service worker, the stored pages, and their removal.

use serde_json::{Value, json};

use crate::desk_lists::following;
use crate::support::browser::Browser;
use crate::support::person::Person;
use crate::support::{TestApp, on_each_world, run};

const STORAGE: &str = "\"storage\"";

/// Returns a signed-in browser that stores texts: three unread entries, and an article on the reading list.
async fn storing<'a>(app: &'a TestApp, who: &Person) -> (Browser<'a>, String) {
    let mut browser = following(app, who).await;
    let article = app.site.article("/town");
    browser.open("/save").await.expect(200);
    let saved = browser.submit("/save", &[("url", &article), ("status", "later")]).await.expect(303);
    let item = saved.header("location").split('?').next().unwrap().to_owned();
    browser.open("/settings/look").await.expect(200);
    let chosen = browser.submit("/settings/offline", &[("store", "on")]).await.expect(303);
    assert_eq!(chosen.header("location"), "/offline");
    (browser, item)
}

/// Returns the value of the cookie that stores the choice.
fn chosen<'b>(browser: &'b Browser<'_>) -> Option<&'b str> {
    browser.cookies.iter().find(|(name, _)| name == "carrel_offline").map(|(_, value)| value.as_str())
}

/// Asserts that a stored page contains nothing about the person.
#[track_caller]
fn assert_storable(page: &str, who: &Person) {
    for private in ["name=\"token\"", "<form", who.email.as_str(), "type=\"password\""] {
        assert!(!page.contains(private), "{private} in {page}");
    }
    assert!(page.contains("/assets/offline-") && page.contains("href=\"/offline\""), "{page}");
}

#[test]
fn browser_stores_nothing_without_opt_in() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        for path in ["/offline", "/offline/list", "/offline/texts?text=entry.1", "/offline/no-connection"] {
            assert!(
                app.get(path).await.expect(303).header("location").starts_with("/sign-in?next=%2Foffline")
            );
        }
        let removal = app.get("/offline/worker.js").await.expect(200).text();
        assert!(removal.contains("unregister()") && !removal.contains("const SETTINGS"), "{removal}");
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        assert_eq!(browser.open("/offline/worker.js").await.expect(200).text(), removal);
        for path in ["/offline/list", "/offline/texts?text=entry.1", "/offline/no-connection"] {
            browser.open(path).await.expect(404);
        }
        let page = browser.open("/offline").await.expect(200).text();
        assert!(page.contains("Offline reading is off") && !page.contains("<script"), "{page}");
        assert!(!browser.open("/entries").await.expect(200).text().contains("/assets/offline-"));
        browser.open("/settings/look").await.expect(200);
        browser.submit("/settings/offline", &[("store", "maybe")]).await.expect(422);
        browser.open("/settings/look").await.expect(200);
        browser
            .submit_from("https://evil.example", "/settings/offline", &[("store", "on")])
            .await
            .expect(403);
        assert_eq!(chosen(&browser), None);
    });
}

#[test]
fn browser_with_offline_reading_gets_service_worker_list_and_texts() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let (mut browser, item) = storing(&app, &who).await;
        let key = chosen(&browser).unwrap().to_owned();
        assert!(key.len() == 32 && !key.contains(&who.id.to_string()), "{key}");

        let worker = browser.load("/offline/worker.js").await.expect(200);
        assert_eq!(worker.header("service-worker-allowed"), "/");
        assert_eq!(worker.header("content-type"), "text/javascript; charset=utf-8");
        assert_eq!(worker.header("cache-control"), "private, no-store");
        assert!(worker.header("content-security-policy").contains("default-src 'none'; connect-src 'self'"));
        assert!(worker.text().starts_with("const SETTINGS = {") && worker.text().contains(&key));

        let page = browser.open("/offline").await.expect(200);
        let policy = page.header("content-security-policy").to_owned();
        assert!(policy.contains("form-action 'none'") && policy.contains("worker-src 'self'"), "{policy}");
        let page = page.text();
        assert_storable(&page, &who);
        assert!(page.contains(&format!("data-text=\"{item}\"")) && page.contains("Note 3"), "{page}");
        assert_storable(&browser.open("/offline/no-connection").await.expect(200).text(), &who);
        let desk = browser.open("/entries").await.expect(200);
        assert!(desk.header("content-security-policy").contains("worker-src 'self'"));
        assert!(desk.text().contains("/assets/offline-") && desk.text().len() < 40 * 1024);

        let list = browser.load("/offline/list").await.expect(200).json();
        assert_eq!(list["account"], key.as_str());
        for file in list["files"].as_array().unwrap() {
            app.get(file.as_str().unwrap()).await.expect(200);
        }
        let texts = list["texts"].as_array().unwrap();
        assert_eq!(texts.len(), 4);
        assert_eq!(texts[0]["path"], item.as_str(), "items are first");
        let query: Vec<String> =
            texts.iter().map(|text| format!("text={}", text["id"].as_str().unwrap())).collect();
        let stored =
            browser.load(&format!("/offline/texts?{}&text=feed.1", query.join("&"))).await.expect(200);
        assert_eq!(stored.header("cache-control"), "private, no-store");
        let stored = stored.json();
        let pages: Vec<&Value> = stored["texts"].as_array().unwrap().iter().collect();
        assert_eq!(pages.len(), 4);
        for page in &pages {
            assert_storable(page["html"].as_str().unwrap(), &who);
        }
        assert!(pages[0]["html"].as_str().unwrap().contains("Paragraph 3 of Library"));
        let unread = browser.open("/entries").await.expect(200).text();
        assert!(unread.contains("Unread 3"), "a stored text is not marked as read: {unread}");

        let mut stranger = Browser::new(&app);
        stranger.sign_in(&other.email).await;
        stranger.open("/settings/look").await.expect(200);
        stranger.submit("/settings/offline", &[("store", "on")]).await.expect(303);
        assert!(
            stranger.load("/offline/list").await.expect(200).json()["texts"].as_array().unwrap().is_empty()
        );
        let stored = stranger.load(&format!("/offline/texts?{}", query.join("&"))).await.expect(200).json();
        assert_eq!(stored["texts"][0]["html"], Value::Null, "{stored}");
        assert!(!stored.to_string().contains("Paragraph 3 of Library"));
    });
}

#[test]
fn number_and_size_of_stored_texts_are_configurable() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let (mut browser, _) = storing(&app, &who).await;
        let worker = browser.load("/offline/worker.js").await.expect(200).text();
        assert!(worker.contains("\"textBytes\":12582912") && worker.contains("\"allPictures\":false"));
        let key = chosen(&browser).unwrap().to_owned();
        let page = browser.open("/settings/look").await.expect(200).text();
        assert!(page.contains("value=\"s\" checked") && page.contains("Up to 500 texts"), "{page}");
        let fields = [("store", "on"), ("size", "m"), ("pictures", "all")];
        browser.submit("/settings/offline", &fields).await.expect(303);
        assert_eq!(chosen(&browser), Some(format!("{key}.m.all").as_str()));
        let worker = browser.load("/offline/worker.js").await.expect(200).text();
        assert!(worker.contains("\"textBytes\":50331648") && worker.contains("\"allPictures\":true"));
        assert!(worker.contains(&format!("\"account\":\"{key}\"")), "{worker}");
        let page = browser.open("/settings/look").await.expect(200).text();
        assert!(page.contains("value=\"m\" checked") && page.contains("value=\"all\" checked"), "{page}");
        let list = browser.load("/offline/list").await.expect(200).json();
        assert_eq!(list["account"], key.as_str());
        assert_eq!(list["texts"].as_array().unwrap().len(), 4);
    });
}

/// Returns an action on a text that the person performed `seconds` seconds ago.
fn action(act: &str, text: &str, seconds: i64) -> String {
    let quote = "Paragraph 3 of Library";
    json!({ "act": act, "text": text, "age": seconds * 1_000, "quote": quote }).to_string()
}

/// Sends actions with the token of a fresh page. Returns their results.
async fn send(browser: &mut Browser<'_>, actions: &[String]) -> Vec<Value> {
    browser.open("/settings/look").await.expect(200);
    let fields: Vec<(&str, &str)> = actions.iter().map(|action| ("action", action.as_str())).collect();
    let sent = browser.submit("/offline/actions", &fields).await.expect(200).json();
    sent["results"].as_array().unwrap().clone()
}

#[test]
fn queued_actions_are_applied_unless_the_item_was_changed_since() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let (mut browser, item) = storing(&app, &who).await;
        let list = browser.load("/offline/list").await.expect(200).json();
        let ids: Vec<&str> =
            list["texts"].as_array().unwrap().iter().map(|text| text["id"].as_str().unwrap()).collect();
        app.clock.advance(60_000);
        let actions = [
            action("read", ids[1], 9),
            action("star", ids[2], 8),
            action("highlight", ids[0], 7),
            action("read", ids[0], 6),
            action("archive", ids[0], 5),
            action("delete", ids[0], 4),
            action("read", "entry.999999", 3),
        ];
        let states = ["applied", "applied", "applied", "applied", "applied", "failed", "failed"];
        for _ in 0..2 {
            let results = send(&mut browser, &actions).await;
            let outcomes: Vec<&str> =
                results.iter().map(|result| result["state"].as_str().unwrap()).collect();
            assert_eq!(outcomes, states, "{results:?}");
        }
        assert!(browser.open("/entries").await.expect(200).text().contains("Unread 2"));
        let starred = browser.open("/entries?show=starred").await.expect(200).text();
        assert_eq!(starred.matches("name=\"entry\"").count(), 1, "{starred}");
        let page = browser.open(&item).await.expect(200).text();
        assert_eq!(page.matches("/quote\"").count(), 1, "one highlight: {page}");
        assert!(!page.contains("value=\"archive\"") && page.contains("Mark as unread"), "{page}");

        browser.submit(&format!("{item}/change"), &[("status", "later")]).await.expect(303);
        app.clock.advance(1_000);
        let results = send(&mut browser, &[action("archive", ids[0], 60)]).await;
        assert_eq!(results[0]["state"], "failed");
        assert!(results[0]["message"].as_str().unwrap().contains("changed elsewhere"), "{results:?}");
        let page = browser.open(&item).await.expect(200).text();
        assert!(page.contains("value=\"archive\""), "{page}");
        assert_eq!(send(&mut browser, &[action("archive", ids[0], 0)]).await[0]["state"], "applied");

        let mut stranger = Browser::new(&app);
        stranger.sign_in(&other.email).await;
        stranger.open("/settings/look").await.expect(200);
        let one = action("read", ids[1], 1);
        stranger.submit("/offline/actions", &[("action", &one)]).await.expect(404);
        stranger.open("/settings/look").await.expect(200);
        stranger.submit("/settings/offline", &[("store", "on")]).await.expect(303);
        for refused in [one.clone(), action("archive", ids[0], 1), action("star", ids[2], 1)] {
            assert_eq!(send(&mut stranger, &[refused]).await[0]["state"], "failed");
        }
        stranger.open("/settings/look").await.expect(200);
        let elsewhere = [("action", one.as_str())];
        stranger.submit_from("https://evil.example", "/offline/actions", &elsewhere).await.expect(403);
        let signed_out = Browser::new(&app).submit("/offline/actions", &elsewhere).await.expect(303);
        assert!(signed_out.header("location").starts_with("/sign-in"));
    });
}

#[test]
fn stored_texts_are_deleted_on_switch_off_sign_out_and_account_change() {
    run(async {
        let app = TestApp::spawn().await;
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let (mut browser, _) = storing(&app, &who).await;
        browser.open("/settings/look").await.expect(200);
        let off = browser.submit("/settings/offline", &[("store", "off")]).await.expect(303);
        assert_eq!((off.header("clear-site-data"), chosen(&browser)), (STORAGE, None));
        assert!(browser.follow(&off).await.contains("Offline reading is off."));
        assert!(!browser.load("/offline/worker.js").await.text().contains("const SETTINGS"));

        browser.open("/settings/look").await.expect(200);
        browser.submit("/settings/offline", &[("store", "on")]).await.expect(303);
        let key = chosen(&browser).unwrap().to_owned();
        browser.open("/settings/look").await.expect(200);
        let out = browser.submit("/sign-out", &[]).await.expect(303);
        assert_eq!((out.header("clear-site-data"), chosen(&browser)), (STORAGE, None));

        // The session of the first account expired, and another account signs in.
        let mut shared = Browser::new(&app);
        shared.cookies.push(("carrel_offline".to_owned(), key));
        assert!(!shared.load("/offline/worker.js").await.text().contains("const SETTINGS"));
        shared.sign_in(&other.email).await;
        shared.load("/offline/list").await.expect(404);
        let today = shared.open("/today").await.expect(200);
        assert_eq!((today.header("clear-site-data"), chosen(&shared)), (STORAGE, None));
        assert!(!today.text().contains("/assets/offline-"));
        assert_eq!(shared.open("/today").await.expect(200).header("clear-site-data"), "");
    });
}
