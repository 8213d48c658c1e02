//! Edit forms that were opened before something else changed the same object. Only edited values are written.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::browser::{Browser, between};
use crate::support::person::Person;
use crate::support::rss::feed;
use crate::support::{TestApp, on_each_world};

async fn patch(app: &TestApp, who: &Person, path: &str, body: &Value) {
    let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
    app.send(Method::PATCH, path, &headers, Some(body.to_string())).await.expect(200);
}

/// Returns the hidden fields with the displayed values of a form, without character references.
fn displayed_fields(page: &str) -> Vec<(String, String)> {
    let fields = page.split("type=\"hidden\" name=\"was-").skip(1);
    let pair = |field: &str| {
        let name = format!("was-{}", field.split('"').next().unwrap());
        (name, between(field, "value=\"", "\"").replace("&amp;", "&"))
    };
    fields.map(pair).collect()
}

/// Returns the fields of a form: the displayed values, and the typed ones.
fn with_displayed<'a>(
    displayed: &'a [(String, String)],
    typed: &[(&'a str, &'a str)],
) -> Vec<(&'a str, &'a str)> {
    let displayed = displayed.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    displayed.chain(typed.iter().copied()).collect()
}

#[test]
fn details_that_changed_after_the_form_was_opened_are_not_overwritten() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let body = json!({
            "url": "https://example.org/1", "title": "Address", "content": "Some words.",
            "tags": ["sea, deep", "gone", "stays"],
        });
        let made = who.post(&app, "/v1/library/items", &body).await.expect(201).json();
        let id = made["item"]["id"].as_str().unwrap();
        let (path, edit) = (format!("/v1/library/items/{id}"), format!("/library/{id}/edit"));
        let mut browser = Browser::signed_in(&app, &who).await;
        let displayed = displayed_fields(&browser.open(&edit).await.expect(200).text());
        assert_eq!(displayed.len(), 4, "{displayed:?}");
        patch(&app, &who, &path, &json!({"title": "Fetched", "addTags": ["second"]})).await;
        let typed = [("title", "Address"), ("tags", "sea, deep, stays, third"), ("kind", "article")];
        browser.submit(&edit, &with_displayed(&displayed, &typed)).await.expect(303);
        let item = who.get(&app, &path).await.expect(200).json()["item"].clone();
        assert_eq!(item["title"], "Fetched");
        assert_eq!(item["tags"], json!(["sea, deep", "stays", "second", "third"]));

        browser.open(&edit).await.expect(200);
        let many: Vec<String> = (1..=9).map(|number| format!("t{number}")).collect();
        let many = format!("sea, deep, stays, {}", many.join(", "));
        let fields = with_displayed(&displayed, &[("title", "Own"), ("tags", &many)]);
        let page = browser.submit(&edit, &fields).await.expect(422).text();
        assert!(page.contains("tags-error") && page.contains("t9"), "{page}");
        assert!(page.contains("name=\"was-title\" value=\"Address\""), "{page}");
    });
}

#[test]
fn tags_of_an_item_are_reordered_and_removed() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let body = json!({
            "url": "https://example.org/1", "title": "Text", "content": "Some words.", "tags": ["a, b", "c", "d"],
        });
        let made = who.post(&app, "/v1/library/items", &body).await.expect(201).json();
        let id = made["item"]["id"].as_str().unwrap();
        let (path, edit) = (format!("/v1/library/items/{id}"), format!("/library/{id}/edit"));
        let mut browser = Browser::signed_in(&app, &who).await;
        for (typed, expected) in [
            ("c, d", json!(["c", "d"])),
            ("d, c", json!(["d", "c"])),
            ("f, d, c", json!(["f", "d", "c"])),
            ("D, e", json!(["d", "e"])),
            ("", json!([])),
        ] {
            let displayed = displayed_fields(&browser.open(&edit).await.expect(200).text());
            let fields = with_displayed(&displayed, &[("title", "Text"), ("tags", typed)]);
            browser.submit(&edit, &fields).await.expect(303);
            let item = who.get(&app, &path).await.expect(200).json()["item"].clone();
            assert_eq!(item["tags"], expected, "{typed}");
        }
    });
}

#[test]
fn feed_settings_that_changed_after_the_form_was_opened_are_not_overwritten() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/feed.xml", feed(1..=2));
        let made = who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201).json();
        let id = &made["subscription"]["id"];
        let (api, page) = (format!("/v1/rss/subscriptions/{id}"), format!("/subscriptions/{id}"));
        let mut browser = Browser::signed_in(&app, &who).await;
        let displayed = displayed_fields(&browser.open(&page).await.expect(200).text());
        assert_eq!(displayed.len(), 10, "{displayed:?}");
        let title = displayed.iter().find(|(name, _)| name == "was-title").unwrap().1.clone();
        let settings = format!("{api}/settings");
        let newer = json!({"readAfterDays": 9, "textSelector": "main", "showOriginal": true});
        patch(&app, &who, &api, &json!({"title": "Newer"})).await;
        patch(&app, &who, &settings, &newer).await;
        let typed = [("title", title.as_str()), ("textRemovals", "aside\r\n.office")];
        browser.submit(&page, &with_displayed(&displayed, &typed)).await.expect(303);
        assert_eq!(who.get(&app, &api).await.expect(200).json()["subscription"]["title"], "Newer");
        let settings = who.get(&app, &settings).await.expect(200).json();
        assert_eq!(settings["textRemovals"], json!(["aside", ".office"]));
        for (name, value) in newer.as_object().unwrap() {
            assert_eq!(settings[name], *value, "{name}");
        }
    });
}

#[test]
fn rule_that_changed_after_the_form_was_opened_is_not_overwritten() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let rule = json!({"name": "Boats", "query": "boats", "addTags": ["Sea"], "status": "later"});
        let rule = who.post(&app, "/v1/library/rules", &rule).await.expect(201).json()["rule"].clone();
        let id = rule["id"].as_str().unwrap();
        let page = format!("/library/rules/{id}");
        let mut browser = Browser::signed_in(&app, &who).await;
        let displayed = displayed_fields(&browser.open(&page).await.expect(200).text());
        assert_eq!(displayed.len(), 4, "{displayed:?}");
        let newer = json!({"query": "ships", "addTags": ["Port"], "status": "archive"});
        patch(&app, &who, &format!("/v1/library/rules/{id}"), &newer).await;
        let typed = [("name", "Vessels"), ("query", "boats"), ("tags", "Sea"), ("status", "later")];
        browser.submit(&page, &with_displayed(&displayed, &typed)).await.expect(303);
        let rule = who.get(&app, "/v1/library/rules").await.expect(200).json()["rules"][0].clone();
        assert_eq!(rule["name"], "Vessels");
        for (name, value) in newer.as_object().unwrap() {
            assert_eq!(rule[name], *value, "{name}");
        }
    });
}
