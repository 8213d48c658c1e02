//! Saves after the plan's daily quota of fresh extractions, or its storage quota, is used up.

use kernel::tiers::Tier;
use library::LibraryTransaction;
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::library_imports::send;
use crate::library_items::{ITEMS, item_path, save_item};
use crate::support::person::Person;
use crate::support::{Setup, TestApp, World, on_each_world, run};

const DAY: i64 = 86_400_000;

/// Runs `test` with a free plan that allows `count` fresh extractions per day.
fn with_daily_extractions(count: u32, test: impl AsyncFn(TestApp)) {
    run(async {
        for world in World::ALL {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("tiers.toml");
            std::fs::write(&path, format!("[free]\nfresh_extractions_per_day = {count}\n")).unwrap();
            let path = path.display().to_string();
            test(Setup::on(world).set("CARREL_TIERS_FILE", path).spawn().await).await;
        }
    });
}

async fn statuses(app: &TestApp, who: &Person) -> Vec<Value> {
    let list = who.get(app, ITEMS).await.expect(200).json();
    let mut all: Vec<Value> =
        list["items"].as_array().unwrap().iter().map(|item| item["articleStatus"].clone()).collect();
    all.sort_by_key(ToString::to_string);
    all
}

#[test]
fn save_beyond_the_daily_quota_is_extracted_the_next_day() {
    with_daily_extractions(1, async |app| {
        let who = Person::free(&app).await;
        let first = save_item(&app, &who, &json!({"url": app.site.article("/one")})).await;
        let second = save_item(&app, &who, &json!({"url": app.site.article("/two")})).await;
        assert_eq!((&first["articleStatus"], &second["articleStatus"]), (&json!("ready"), &json!("queued")));
        app.clock.advance(61_000);
        let refresh = who.post(&app, &format!("{}/refresh", item_path(&first)), &json!({})).await;
        refresh.api_error(429, "fresh_extraction_limit");
        app.tick().await;
        app.run_jobs().await;
        assert_eq!(statuses(&app, &who).await, [json!("queued"), json!("ready")]);
        app.clock.advance(DAY);
        app.tick().await;
        app.run_jobs().await;
        assert_eq!(statuses(&app, &who).await, [json!("ready"), json!("ready")]);
    });
}

#[test]
fn imports_leave_half_of_the_daily_quota_to_manual_saves() {
    with_daily_extractions(4, async |app| {
        let who = Person::free(&app).await;
        let rows =
            (0..4).map(|n| format!("T{n},{},1704067200,,unread\n", app.site.article(&format!("/{n}"))));
        let file: String =
            std::iter::once("title,url,time_added,tags,status\n".to_owned()).chain(rows).collect();
        send(&app, &who, file.into_bytes(), &[("dryRun", "false")]).await.expect(202);
        app.run_jobs().await;
        for _ in 0..2 {
            app.tick().await;
            app.run_jobs().await;
        }
        let [queued, ready] = [json!("queued"), json!("ready")];
        assert_eq!(statuses(&app, &who).await, [&queued, &queued, &ready, &ready].map(Clone::clone));
        for name in ["/a", "/b"] {
            let item = save_item(&app, &who, &json!({"url": app.site.article(name)})).await;
            assert_eq!(item["articleStatus"], "ready", "{name}");
        }
    });
}

#[test]
fn text_beyond_the_storage_limit_fails_and_can_be_refreshed() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Free).await;
        drop(LibraryTransaction::begin(&app.app.domain, who.id).await.unwrap().commit().await);
        let set = async |sql: &str| app.app.domain.db().write().execute_unprepared(sql).await.unwrap();
        let me = who.get(&app, "/v1/me").await.expect(200).json();
        let limit = me["limits"]["libraryStorageBytes"].as_i64().unwrap();
        set(&format!("UPDATE library_account SET stored_bytes = {}", limit - 1_200)).await;
        let item = save_item(&app, &who, &json!({"url": app.site.article("/town")})).await;
        assert_eq!(
            (&item["articleStatus"], &item["articleError"]),
            (&json!("failed"), &json!("storage_limit_reached"))
        );
        set("UPDATE library_account SET stored_bytes = 1024").await;
        app.clock.advance(61_000);
        who.post(&app, &format!("{}/refresh", item_path(&item)), &json!({})).await.expect(202);
        app.run_jobs().await;
        assert_eq!(statuses(&app, &who).await, [json!("ready")]);
    });
}

#[test]
fn user_title_overrides_page_title_which_overrides_url() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.put("/town", crate::support::site::Reply::status(404));
        let item = save_item(&app, &who, &json!({ "url": url })).await;
        assert!(item["title"].as_str().unwrap().ends_with("/town"), "{item}");
        app.site.article("/town");
        app.clock.advance(61_000);
        let again = who.post(&app, ITEMS, &json!({ "url": url })).await.expect(200).json()["item"].clone();
        assert_eq!((&again["id"], &again["title"]), (&item["id"], &json!("A town by the sea")));
        let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
        let change = json!({"title": "My town"}).to_string();
        app.send(Method::PATCH, &item_path(&item), &headers, Some(change)).await.expect(200);
        app.clock.advance(61_000);
        who.post(&app, &format!("{}/refresh", item_path(&item)), &json!({})).await.expect(202);
        app.run_jobs().await;
        let refreshed = who.get(&app, &item_path(&item)).await.expect(200).json()["item"].clone();
        assert_eq!((&refreshed["title"], &refreshed["articleStatus"]), (&json!("My town"), &json!("ready")));
    });
}
