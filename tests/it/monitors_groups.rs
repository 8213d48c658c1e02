//! Groups of monitors: shared settings through the API and the pages, the public page and its feeds, and
//! export.

use extract::feed::{FeedInput, parse};
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::browser::{Browser, between};
use crate::support::monitoring::{
    advance_minute, create_monitor, get_monitor, page, path, run_now, send, watch_page,
};
use crate::support::person::Person;
use crate::support::{TestApp, on_each_world};

async fn create_group(app: &TestApp, who: &Person, name: &str) -> Value {
    who.post(app, "/v1/monitor-groups", &json!({"name": name})).await.expect(201).json()["group"].clone()
}

fn at(group: &Value) -> String {
    format!("/v1/monitor-groups/{}", group["id"].as_str().expect("the group has an id"))
}

async fn update_group(app: &TestApp, who: &Person, group: &Value, body: &Value) -> Value {
    send(app, who, Method::PATCH, &at(group), body).await.expect(200).json()["group"].clone()
}

fn number_of(list: &Value) -> usize {
    list["monitors"].as_array().expect("the response lists monitors").len()
}

#[test]
fn group_change_applies_to_its_monitors_except_overridden_settings() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let group = create_group(&app, &who, "Ferries").await;
        assert_eq!((&group["intervalMinutes"], &group["pageUrl"]), (&Value::Null, &Value::Null));
        let of = |number: u32, more: Value| {
            let url = format!("https://example.org/{number}");
            let mut body = json!({"name": format!("M{number}"), "targetUrl": url, "groupId": group["id"]});
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            body
        };
        let follower = create_monitor(&app, &who, &of(1, json!({}))).await;
        let own = create_monitor(&app, &who, &of(2, json!({"intervalMinutes": 720}))).await;
        assert_eq!((&follower["groupId"], &follower["ownSettings"]), (&group["id"], &json!([])));
        assert_eq!(own["ownSettings"], json!(["interval"]));

        let settings =
            json!({"intervalMinutes": 60, "schedule": {"muteHours": {"from": "22:00", "to": "07:00"}}});
        let changed = update_group(&app, &who, &group, &settings).await;
        assert_eq!((&changed["intervalMinutes"], &changed["monitorCount"]), (&json!(60), &json!(2)));
        let (follower, own) = (get_monitor(&app, &who, &follower).await, get_monitor(&app, &who, &own).await);
        assert_eq!((&follower["intervalMinutes"], &own["intervalMinutes"]), (&json!(60), &json!(720)));
        for monitor in [&follower, &own] {
            assert_eq!(monitor["schedule"]["muteHours"], json!({"from": "22:00", "to": "07:00"}));
        }
        let follow = json!({"ownSettings": []});
        let own = send(&app, &who, Method::PATCH, &path(&own), &follow).await.expect(200).json();
        assert_eq!(own["monitor"]["intervalMinutes"], 60, "{own}");
        let short = json!({"intervalMinutes": 1});
        send(&app, &who, Method::PATCH, &at(&group), &short).await.expect(422);

        let other =
            create_monitor(&app, &who, &json!({"name": "X", "targetUrl": "https://example.org/x"})).await;
        let many = json!({"ids": [other["id"]], "changes": {"groupId": group["id"]}});
        let moved = send(&app, &who, Method::PATCH, "/v1/monitors", &many).await.expect(200).json();
        assert_eq!(moved["monitors"][0]["intervalMinutes"], 60, "{moved}");
        let filtered = format!("/v1/monitors?groupId={}", group["id"].as_str().unwrap());
        assert_eq!(number_of(&who.get(&app, &filtered).await.expect(200).json()), 3);

        who.send(&app, Method::DELETE, &at(&group)).await.expect(204);
        let left = get_monitor(&app, &who, &follower).await;
        assert_eq!((&left["groupId"], &left["intervalMinutes"]), (&Value::Null, &json!(60)));
        assert_eq!(left["schedule"]["muteHours"]["from"], "22:00");
        assert_eq!(who.get(&app, "/v1/monitor-groups").await.expect(200).json()["groups"], json!([]));
        who.send(&app, Method::DELETE, &at(&group)).await.expect(404);
    });
}

/// Creates two monitors in a published group, each with one change.
async fn published(app: &TestApp, who: &Person) -> (Value, Vec<Value>) {
    let group = create_group(app, who, "Harbours & <Towns>").await;
    let mut monitors = Vec::new();
    for name in ["north", "south"] {
        let url = app.site.put(&format!("/{name}"), page("It begins."));
        let body = json!({"name": name, "targetUrl": url, "groupId": group["id"],
            "request": {"headers": [{"name": "X-Desk", "value": "private-desk"}]}});
        monitors.push(create_monitor(app, who, &body).await);
    }
    let outside = watch_page(app, who, &app.site.put("/outside", page("It begins."))).await;
    advance_minute(app).await;
    for (name, monitor) in ["north", "south", "outside"].iter().zip(monitors.iter().chain([&outside])) {
        app.site.put(&format!("/{name}"), page(&format!("Ships reach the {name} pier.")));
        assert_eq!(run_now(app, who, monitor).await["outcome"], "changed", "{name}");
    }
    let group = update_group(app, who, &group, &json!({"published": true})).await;
    (group, monitors)
}

#[test]
fn published_group_has_a_page_and_feeds_of_its_changes() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (group, monitors) = published(&app, &who).await;
        let page_url = group["pageUrl"].as_str().unwrap();
        let answer = app.get(page_url).await.expect(200);
        assert_eq!(
            (answer.header("x-robots-tag"), answer.header("cache-control")),
            ("noindex", "private, no-store")
        );
        let text = answer.text();
        assert!(text.contains("Harbours &amp; &lt;Towns&gt;") && text.contains("north pier"), "{text}");
        assert!(!text.contains("private-desk") && !text.contains("outside pier"), "{text}");
        for (ending, kind) in [
            ("xml", "application/rss+xml"),
            ("atom", "application/atom+xml"),
            ("json", "application/feed+json"),
        ] {
            let url = format!("{page_url}.{ending}");
            let answer = app.get(&url).await.expect(200);
            assert_eq!(answer.header("content-type"), format!("{kind}; charset=utf-8"));
            assert_eq!(answer.header("cache-control"), "private, no-cache");
            let parsed = parse(&FeedInput { body: answer.body.clone(), ..FeedInput::default() });
            assert_eq!(parsed.title.as_deref(), Some("Harbours & <Towns>"), "{}", answer.text());
            let titles: Vec<&str> =
                parsed.entries.iter().filter_map(|entry| entry.title.as_deref()).collect();
            assert!(titles.len() == 2 && titles[0].starts_with("south: "), "{titles:?}");
            assert!(titles[1].starts_with("north: "), "{titles:?}");
            let again = app.get_with(&url, &[("if-none-match", answer.header("etag"))]).await.expect(304);
            assert!(again.body.is_empty());
        }
        assert_eq!(group["feedUrl"], format!("{page_url}.xml"));
        let etag = app.get(&format!("{page_url}.json")).await.expect(200).header("etag").to_owned();
        let renamed = json!({"name": "Northern pier"});
        send(&app, &who, Method::PATCH, &path(&monitors[0]), &renamed).await.expect(200);
        let url = format!("{page_url}.json");
        let feed = app.get_with(&url, &[("if-none-match", &etag)]).await.expect(200).json();
        assert!(feed["items"][1]["title"].as_str().unwrap().starts_with("Northern pier: "), "{feed}");
        app.get(feed["items"][1]["url"].as_str().unwrap()).await.expect(200);
        app.get(&format!("{page_url}.pdf")).await.expect(404);
        app.get(&format!("{}/feeds/groups/{}", app.origin, "a".repeat(32))).await.expect(404);
        app.get(&format!("{}/feeds/groups/{}.xml", app.origin, "a".repeat(32))).await.expect(404);
        app.send(Method::POST, &url, &[], None).await.expect(405);
    });
}

#[test]
fn unpublished_or_deleted_group_and_its_links_return_410() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (group, _) = published(&app, &who).await;
        let old = group["pageUrl"].as_str().unwrap();
        let feed = app.get(&format!("{old}.json")).await.expect(200).json();
        let link = feed["items"][0]["url"].as_str().unwrap().to_owned();
        app.get(&link).await.expect(200);
        let unchanged = update_group(&app, &who, &group, &json!({"published": true})).await;
        assert_eq!(unchanged["pageUrl"], group["pageUrl"]);

        let withdrawn = update_group(&app, &who, &group, &json!({"published": false})).await;
        assert_eq!((&withdrawn["pageUrl"], &withdrawn["feedUrl"]), (&Value::Null, &Value::Null));
        for url in [old.to_owned(), format!("{old}.xml"), format!("{old}.atom"), link.clone()] {
            app.get(&url).await.expect(410);
        }
        let renewed = update_group(&app, &who, &group, &json!({"published": true})).await;
        let new = renewed["pageUrl"].as_str().unwrap();
        assert_ne!(new, old);
        app.get(old).await.expect(410);
        app.get(&link).await.expect(410);
        app.get(new).await.expect(200);

        who.send(&app, Method::DELETE, &at(&group)).await.expect(204);
        app.get(new).await.expect(410);
        app.get(&format!("{new}.xml")).await.expect(410);
    });
}

#[test]
fn groups_are_exported_and_imported_with_their_monitors() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let group = create_group(&app, &who, "Ferries").await;
        let of = |number: u32| {
            json!({"name": format!("M{number}"), "targetUrl": format!("https://example.org/{number}"),
                "groupId": group["id"]})
        };
        create_monitor(&app, &who, &of(1)).await;
        let own = create_monitor(&app, &who, &of(2)).await;
        update_group(&app, &who, &group, &json!({"intervalMinutes": 60})).await;
        send(&app, &who, Method::PATCH, &path(&own), &json!({"intervalMinutes": 720})).await.expect(200);
        let export = who.get(&app, "/v1/monitors/export").await.expect(200).text();
        let headers = [("x-api-key", other.key.as_str()), ("content-type", "application/octet-stream")];
        for created in [2, 0] {
            let report = app.send(Method::POST, "/v1/monitors/import", &headers, Some(export.clone())).await;
            let report = report.expect(200).json();
            assert_eq!(report["created"], created, "{report}");
            assert_eq!(report["monitors"][0]["notImported"], json!([]), "{report}");
        }
        let groups = other.get(&app, "/v1/monitor-groups").await.expect(200).json()["groups"].clone();
        assert_eq!(groups.as_array().unwrap().len(), 1, "{groups}");
        assert_eq!((&groups[0]["name"], &groups[0]["intervalMinutes"]), (&json!("Ferries"), &json!(60)));
        let list = other.get(&app, "/v1/monitors").await.expect(200).json();
        for monitor in list["monitors"].as_array().unwrap() {
            let (minutes, settings) =
                if monitor["name"] == "M2" { (720, json!(["interval"])) } else { (60, json!([])) };
            assert_eq!((&monitor["groupId"], &monitor["ownSettings"]), (&groups[0]["id"], &settings));
            assert_eq!(monitor["intervalMinutes"], minutes, "{monitor}");
        }
    });
}

#[test]
fn groups_are_created_and_selected_on_pages() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open("/monitors/groups").await.expect(200);
        browser.submit("/monitors/groups", &[("name", " ")]).await.expect(422);
        browser.open("/monitors/groups").await.expect(200);
        let made = browser.submit("/monitors/groups", &[("name", "Ferries")]).await.expect(303);
        let target = made.header("location").split('?').next().unwrap().to_owned();
        browser.open("/monitors/groups").await.expect(200);
        browser.submit("/monitors/groups", &[("name", "ferries")]).await.expect(422);
        let id = target.rsplit('/').next().unwrap();

        let form = browser.open(&format!("/monitors/new?groupId={id}")).await.expect(200).text();
        assert!(between(&form, &format!("value=\"{id}\""), ">").contains("selected"), "{form}");
        let url = app.site.put("/ferry", page("It begins."));
        let typed = [
            ("name", "Ferry"),
            ("targetUrl", url.as_str()),
            ("targetType", "page"),
            ("trigger", "any"),
            ("intervalMinutes", "1440"),
            ("groupId", id),
            ("act", "make"),
        ];
        let made = browser.submit("/monitors/new", &typed).await.expect(303);
        let monitor_page = made.header("location").split('?').next().unwrap().to_owned();
        let monitor = json!({"id": monitor_page.rsplit('/').next().unwrap()});
        browser.open(&target).await.expect(200);
        let settings = [
            ("name", "Ferries"),
            ("intervalMinutes", "60"),
            ("hasSchedule", "1"),
            ("muteFrom", "22:00"),
            ("muteTo", "07:00"),
            ("published", "1"),
        ];
        let saved = browser.submit(&target, &settings).await.expect(303);
        let text = browser.follow(&saved).await;
        assert!(text.contains("Group saved.") && text.contains("/feeds/groups/"), "{text}");
        let now = get_monitor(&app, &who, &monitor).await;
        assert_eq!(
            (&now["intervalMinutes"], &now["schedule"]["muteHours"]["to"]),
            (&json!(60), &json!("07:00"))
        );
        let detail = browser.open(&monitor_page).await.expect(200).text();
        assert!(detail.contains("<bdi>Ferries</bdi>"), "{detail}");
    });
}

#[test]
fn group_form_allows_rename_and_unpublish_after_a_downgrade() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let group = create_group(&app, &who, "Ferries").await;
        let settings =
            json!({"intervalMinutes": 60, "schedule": {"times": ["08:00", "12:00"]}, "published": true});
        update_group(&app, &who, &group, &settings).await;
        identity::accounts::set_tier(&app.app.domain, &who.email, Tier::Free).await.unwrap();
        let target = format!("/monitors/groups/{}", group["id"].as_str().unwrap());
        browser.open(&target).await.expect(200);
        let mut typed =
            [("name", "Ships"), ("intervalMinutes", "60"), ("hasSchedule", "1"), ("times", "08:00, 12:00")];
        browser.submit(&target, &typed).await.expect(303);
        let now = who.get(&app, "/v1/monitor-groups").await.expect(200).json()["groups"][0].clone();
        assert_eq!((&now["name"], &now["pageUrl"]), (&json!("Ships"), &Value::Null));
        assert_eq!(now["schedule"]["times"], json!(["08:00", "12:00"]), "{now}");
        browser.open(&target).await.expect(200);
        typed[3].1 = "08:00, 13:00";
        browser.submit(&target, &typed).await.expect(422);
    });
}

#[test]
fn setting_changed_in_the_monitor_form_overrides_the_group() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let group = create_group(&app, &who, "Ferries").await;
        let id = group["id"].as_str().unwrap();
        let hourly =
            json!({"intervalMinutes": 60, "schedule": {"muteHours": {"from": "22:00", "to": "07:00"}}});
        update_group(&app, &who, &group, &hourly).await;
        let url = app.site.put("/ferry", page("It begins."));
        let body = json!({"name": "Ferry", "targetUrl": url, "groupId": id});
        let monitor = create_monitor(&app, &who, &body).await;
        let edit = format!("/monitors/{}/edit", monitor["id"].as_str().unwrap());
        browser.open(&edit).await.expect(200);
        let changed = [
            ("name", "Ferry"),
            ("targetUrl", url.as_str()),
            ("trigger", "any"),
            ("intervalMinutes", "360"),
            ("muteFrom", "22:00"),
            ("muteTo", "07:00"),
            ("groupId", id),
            ("act", "save"),
        ];
        browser.submit(&edit, &changed).await.expect(303);
        let now = get_monitor(&app, &who, &monitor).await;
        assert_eq!((&now["intervalMinutes"], &now["ownSettings"]), (&json!(360), &json!(["interval"])));

        let list = browser.open(&format!("/monitors?group={id}")).await.expect(200).text();
        assert!(list.contains(">Ferry</a>") && list.contains("aria-current=\"true\""), "{list}");
        let out = [("id", monitor["id"].as_str().unwrap()), ("act", "change"), ("groupId", "none")];
        browser.submit("/monitors/selected", &out).await.expect(303);
        assert_eq!(get_monitor(&app, &who, &monitor).await["groupId"], Value::Null);
        let delete = format!("/monitors/groups/{id}/delete");
        browser.open(&delete).await.expect(200);
        let deleted = browser.submit(&delete, &[]).await.expect(303);
        assert!(browser.follow(&deleted).await.contains("Group deleted."));
    });
}
