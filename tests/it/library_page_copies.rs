//! Copies of the pages of items without a browser: import, list, download, display, export, and deletion. The tests
//! with a browser are in `renderer`.

use kernel::tiers::Tier;
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::library_items::{ITEMS, item_path, save_item};
use crate::support::browser::Browser;
use crate::support::page_copy::{COPY, checksum, import, import_copy};
use crate::support::person::Person;
use crate::support::{TestApp, on_each_world};

const POLICY: &str = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:";

async fn saved(app: &TestApp, who: &Person) -> Value {
    save_item(app, who, &json!({"url": "https://example.org/harbour", "content": "Words."})).await
}

/// Used storage without released files, which count until they are deleted.
pub(crate) async fn used_bytes(app: &TestApp, who: &Person) -> i64 {
    let sql = "UPDATE library_blob SET delete_at = 1 WHERE reserved_bytes > 0";
    app.app.domain.db().write().execute_unprepared(sql).await.unwrap();
    library::files::delete_released(&app.app.domain).await.unwrap();
    let limits = who.get(app, "/v1/me").await.expect(200).json()["limits"].clone();
    limits["libraryStorageUsedBytes"].as_i64().unwrap()
}

#[test]
fn copy_counts_towards_the_storage_until_it_is_deleted() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let item = saved(&app, &who).await;
        let copies = format!("{}/copies", item_path(&item));
        let before = used_bytes(&app, &who).await;
        let id = item["id"].as_str().unwrap();
        for _ in 0..2 {
            import_copy(&app, &who, id).await;
            assert_eq!(used_bytes(&app, &who).await, before + i64::try_from(COPY.len()).unwrap());
        }
        let listed = who.get(&app, &copies).await.expect(200).json();
        let copy = &listed["copies"][0];
        assert_eq!((&copy["format"], &copy["state"]), (&json!("html"), &json!("ready")), "{listed}");
        assert_eq!((&copy["size"], &copy["statement"]), (&json!(COPY.len()), &json!("Left out: 1 picture.")));
        assert_eq!(copy["checksum"], checksum(COPY.as_bytes()));
        let file = who.get(&app, &format!("{copies}/html")).await.expect(200);
        assert_eq!(file.text(), COPY);
        assert_eq!(file.header("content-type"), "application/octet-stream");
        assert!(file.header("content-disposition").starts_with("attachment"));
        who.send(&app, Method::DELETE, &format!("{copies}/html")).await.expect(204);
        who.send(&app, Method::DELETE, &format!("{copies}/html")).await.api_error(404, "not_found");
        who.get(&app, &format!("{copies}/html")).await.api_error(404, "not_found");
        assert_eq!(used_bytes(&app, &who).await, before);
        import_copy(&app, &who, id).await;
        who.send(&app, Method::DELETE, &item_path(&item)).await.expect(204);
        assert!(used_bytes(&app, &who).await < before);
        let sql = "UPDATE library_page_copy SET state = state";
        let left = app.app.domain.db().write().execute_unprepared(sql).await.unwrap();
        assert_eq!(left.rows_affected(), 0);
    });
}

#[test]
fn exported_copy_is_imported_into_another_account() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let item = saved(&app, &who).await;
        import_copy(&app, &who, item["id"].as_str().unwrap()).await;
        let made = who.post(&app, "/v1/library/exports", &json!({"format": "svc_jsonl"})).await.expect(202);
        app.run_jobs().await;
        let path = format!("/v1/library/exports/{}/file", made.json()["export"]["id"].as_str().unwrap());
        let archive = who.get(&app, &path).await.expect(200).body;
        import(&app, &other, &archive).await;
        let items = other.get(&app, ITEMS).await.expect(200).json();
        let copies = format!("{}/copies", item_path(&items["items"][0]));
        let copy = other.get(&app, &copies).await.expect(200).json()["copies"][0].clone();
        assert_eq!(copy["statement"], "Left out: 1 picture.", "{copy}");
        assert_eq!(other.get(&app, &format!("{copies}/html")).await.expect(200).text(), COPY);
        assert_eq!(used_bytes(&app, &other).await, used_bytes(&app, &who).await);
    });
}

#[test]
fn requests_for_copies_are_refused_without_a_browser_an_address_or_a_right() {
    on_each_world(async |app| {
        let (who, stranger) = (Person::free(&app).await, Person::free(&app).await);
        let item = saved(&app, &who).await;
        let copies = format!("{}/copies", item_path(&item));
        let request = json!({"format": "html"});
        let refused = who.post(&app, &copies, &request).await.api_error(422, "unsupported_content");
        assert!(refused["error"].as_str().unwrap().contains("install Chromium"), "{refused}");
        let invalid = who.post(&app, &copies, &json!({"format": "gif"})).await;
        assert!(matches!(invalid.status, 400 | 422), "{}", invalid.text());
        assert_eq!(invalid.json()["code"], "invalid_request");
        for path in [copies.clone(), format!("{copies}/html")] {
            app.get(&path).await.expect(401);
            stranger.get(&app, &path).await.api_error(404, "not_found");
        }
        stranger.post(&app, &copies, &request).await.api_error(404, "not_found");
        assert_eq!(who.get(&app, &copies).await.expect(200).json(), json!({"copies": []}));
    });
}

#[test]
fn displayed_copy_is_sandboxed_and_only_for_its_owner() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let item = saved(&app, &who).await;
        let id = item["id"].as_str().unwrap();
        import_copy(&app, &who, id).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let at = format!("/library/{id}");
        assert!(browser.open(&at).await.expect(200).text().contains(&format!("{at}/copies\"")));
        let page = browser.open(&format!("{at}/copies")).await.expect(200).text();
        assert!(page.contains("Open the copy") && page.contains("Left out: 1 picture."), "{page}");
        assert!(page.contains("install Chromium") && !page.contains(">Replace<"), "{page}");
        let copy = browser.load(&format!("{at}/copies/html")).await.expect(200);
        assert_eq!(copy.text(), COPY);
        for (name, value) in [
            ("content-security-policy", POLICY),
            ("content-type", "text/html; charset=utf-8"),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(copy.header(name), value, "{name}");
        }
        browser.load(&format!("{at}/copies/pdf")).await.expect(404);
        let mut stranger = Browser::new(&app);
        stranger.sign_in(&other.email).await;
        for path in ["copies", "copies/html"] {
            stranger.open(&format!("{at}/{path}")).await.expect(404);
        }
        let deletion = [("format", "html"), ("act", "delete")];
        browser.open(&format!("{at}/copies")).await.expect(200);
        let deleted = browser.submit(&format!("{at}/copies"), &deletion).await.expect(303);
        assert!(browser.follow(&deleted).await.contains("Copy deleted."));
        browser.load(&format!("{at}/copies/html")).await.expect(404);
    });
}
