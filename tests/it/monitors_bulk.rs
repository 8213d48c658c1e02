//! Changes of many monitors in one request, and copies of a monitor.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::monitoring::{create_monitor, get_monitor, path, send};
use crate::support::person::Person;
use crate::support::{TestApp, on_each_world};

async fn monitors(app: &TestApp, who: &Person, count: u32) -> Vec<Value> {
    let mut made = Vec::new();
    for number in 0..count {
        let body =
            json!({"name": format!("M{number}"), "targetUrl": format!("https://example.org/{number}")});
        made.push(create_monitor(app, who, &body).await);
    }
    made
}

#[test]
fn many_monitors_are_changed_in_one_call() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let (own, foreign) = (monitors(&app, &who, 3).await, monitors(&app, &other, 1).await);
        let ids = [&own[0]["id"], &own[1]["id"], &own[0]["id"], &foreign[0]["id"]];
        let body = json!({"ids": ids, "changes": {"status": "paused", "intervalMinutes": 60, "addTags": ["Boats", "boats"]}});
        let answer = send(&app, &who, Method::PATCH, "/v1/monitors", &body).await.expect(200).json();
        assert_eq!(answer["updated"], 2, "{answer}");
        assert_eq!(answer["refused"][0]["code"], "not_found");
        let changed = get_monitor(&app, &who, &own[1]).await;
        assert_eq!((&changed["status"], &changed["intervalMinutes"]), (&json!("paused"), &json!(60)));
        assert_eq!(changed["tags"], json!(["Boats"]));
        assert_eq!(get_monitor(&app, &who, &own[2]).await["status"], "active");
        assert_eq!(get_monitor(&app, &other, &foreign[0]).await["status"], "active");

        let body = json!({"ids": ids, "changes": {"addTags": ["Sea"], "removeTags": ["BOATS"]}});
        send(&app, &who, Method::PATCH, "/v1/monitors", &body).await.expect(200);
        assert_eq!(get_monitor(&app, &who, &own[0]).await["tags"], json!(["Sea"]));
        let nothing = json!({"ids": ids, "changes": {}});
        send(&app, &who, Method::PATCH, "/v1/monitors", &nothing).await.expect(422);
        let many: Vec<String> = (0..101).map(|n| format!("0193a0b2-7c00-7000-8000-{n:012}")).collect();
        let body = json!({"ids": many, "changes": {"status": "paused"}});
        send(&app, &who, Method::PATCH, "/v1/monitors", &body).await.expect(422);
    });
}

#[test]
fn copy_has_the_settings_of_the_original() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let body = json!({"name": "Ferry", "targetUrl": "https://example.org/a", "selector": "main", "intervalMinutes": 30,
            "trigger": {"kind": "text_appears", "value": "open"}, "follow": false});
        let original = create_monitor(&app, &who, &body).await;
        let duplicate = format!("{}/duplicate", path(&original));
        who.post(&app, &duplicate, &json!({})).await.expect(409);
        let copy = who
            .post(&app, &duplicate, &json!({"targetUrl": "https://example.org/b"}))
            .await
            .expect(201)
            .json();
        let copy = &copy["monitor"];
        assert_eq!(
            (&copy["name"], &copy["targetUrl"]),
            (&json!("Ferry (copy)"), &json!("https://example.org/b"))
        );
        for field in ["selector", "intervalMinutes", "trigger", "follow"] {
            assert_eq!(copy[field], original[field], "{field}");
        }
        let changed = json!({"name": "Main text", "selector": null});
        let copy = who.post(&app, &duplicate, &changed).await.expect(201).json();
        assert_eq!(
            (&copy["monitor"]["name"], &copy["monitor"]["selector"]),
            (&json!("Main text"), &Value::Null)
        );
    });
}

#[test]
fn copy_for_another_site_lacks_the_credentials_and_is_paused() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let body = json!({"name": "Ferry", "targetUrl": "https://example.org/a", "notifyFailures": 3,
            "request": {"userAgent": "Harbour/1"}, "credentials": {"bearer": "opened"},
            "schedule": {"weekdays": ["monday"], "times": ["09:00"]}});
        let original = create_monitor(&app, &who, &body).await;
        let duplicate = format!("{}/duplicate", path(&original));
        let near = json!({"targetUrl": "https://example.org/b"});
        let near = who.post(&app, &duplicate, &near).await.expect(201).json()["monitor"].clone();
        for field in ["request", "schedule", "notifyFailures", "status"] {
            assert_eq!(near[field], original[field], "{field}");
        }
        assert_eq!(near["request"]["credentials"], "bearer");
        let far = json!({"targetUrl": "https://example.net/a"});
        let far = who.post(&app, &duplicate, &far).await.expect(201).json()["monitor"].clone();
        assert_eq!((&far["request"]["credentials"], &far["status"]), (&Value::Null, &json!("paused")));
        let given = json!({"targetUrl": "https://example.net/b", "credentials": {"bearer": "other"}});
        let given = who.post(&app, &duplicate, &given).await.expect(201).json()["monitor"].clone();
        assert_eq!(
            (&given["request"]["credentials"], &given["status"]),
            (&json!("bearer"), &json!("active"))
        );
    });
}

#[test]
fn selected_monitors_are_changed_and_copied_on_pages() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let own = monitors(&app, &who, 2).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open("/monitors").await.expect(200);
        let id = own[0]["id"].as_str().unwrap();
        let fields = [("id", id), ("act", "change"), ("intervalMinutes", "60"), ("addTags", "Boats, Sea")];
        let sent = browser.submit("/monitors/selected", &fields).await.expect(303);
        assert!(sent.header("location").contains("done=1&left=0"));
        let changed = get_monitor(&app, &who, &own[0]).await;
        assert_eq!((&changed["intervalMinutes"], &changed["tags"]), (&json!(60), &json!(["Boats", "Sea"])));
        assert_eq!(changed["status"], "active");
        let copy = format!("/monitors/{id}/duplicate");
        let form = browser.open(&copy).await.expect(200).text();
        assert!(form.contains("https://example.org/0") && form.contains("M0 (copy)"), "{form}");
        let fields = [("name", "Second"), ("targetUrl", "https://example.org/0")];
        let same = browser.submit(&copy, &fields).await.expect(422).text();
        assert!(same.contains("You already have a monitor with this address"), "{same}");
        let fields = [("name", "Second"), ("targetUrl", "https://example.org/second")];
        let made = browser.submit(&copy, &fields).await.expect(303).header("location").to_owned();
        let page = browser.open(&made).await.expect(200).text();
        assert!(page.contains("Second") && page.contains("Boats"), "{page}");
    });
}
