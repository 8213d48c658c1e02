//! The storage limit of a library, through HTTP.

use reqwest::Method;
use serde_json::json;

use crate::library_items::{ITEMS, item_path, save_item, send};
use crate::support::on_each_world;
use crate::support::person::Person;

#[test]
fn full_library_refuses_only_requests_that_grow_it() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let item = save_item(&app, &who, &json!({"content": "Short words."})).await;
        let limit = who.get(&app, "/v1/me").await.expect(200).json()["limits"]["libraryStorageBytes"]
            .as_i64()
            .unwrap();
        let sql = format!("UPDATE library_account SET stored_bytes = {limit}");
        sea_orm::ConnectionTrait::execute_unprepared(app.app.domain.db().write(), &sql).await.unwrap();
        let refused = who.post(&app, ITEMS, &json!({"content": "More."})).await;
        let refused = refused.api_error(403, "storage_limit_reached");
        assert!(refused["details"].as_str().unwrap().starts_with("limit="), "{refused}");
        let path = item_path(&item);
        who.get(&app, &path).await.expect(200);
        send(&app, &who, Method::PATCH, &path, &json!({"status": "archive"})).await.expect(200);
        let bigger =
            send(&app, &who, Method::PATCH, &path, &json!({"metadata": {"a": "x".repeat(100)}})).await;
        bigger.api_error(403, "storage_limit_reached");
        who.send(&app, Method::DELETE, &path).await.expect(204);
    });
}
