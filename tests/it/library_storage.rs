//! The storage limit of a library and the free space of the disk, through HTTP.

use futures_util::future::join_all;
use kernel::Backend;
use reqwest::Method;
use serde_json::json;

use crate::library_items::{ITEMS, item_path, save_item, send};
use crate::support::form::{Field, with_form};
use crate::support::killable_process::KillableProcess;
use crate::support::person::Person;
use crate::support::{on_each_world, run};

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

#[test]
fn concurrent_uploads_do_not_exceed_the_storage_limit() {
    const FILE_BYTES: usize = 4_000;
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut paths = Vec::new();
        for _ in 0..8 {
            let item = save_item(&app, &who, &json!({"fileName": "a.bin"})).await;
            paths.push(format!("{}/file", item_path(&item)));
        }
        let limits = async || who.get(&app, "/v1/me").await.expect(200).json()["limits"].clone();
        let limit = limits().await["libraryStorageBytes"].as_i64().unwrap();
        // The remaining storage is enough for three files.
        let sql = format!("UPDATE library_account SET stored_bytes = {limit} - {}", 3 * FILE_BYTES);
        sea_orm::ConnectionTrait::execute_unprepared(app.app.domain.db().write(), &sql).await.unwrap();
        let uploads = paths.iter().map(|path| {
            let request = app.request(Method::PUT, path).header("x-api-key", &who.key);
            request.body(vec![0_u8; FILE_BYTES]).send()
        });
        let statuses: Vec<u16> =
            join_all(uploads).await.into_iter().map(|answer| answer.unwrap().status().as_u16()).collect();
        let count = |status: u16| statuses.iter().filter(|known| **known == status).count();
        assert_eq!((count(201), count(403)), (3, 5), "{statuses:?}");
        assert_eq!(limits().await["libraryStorageUsedBytes"], limit);
    });
}

#[test]
fn uploads_to_an_almost_full_disk_are_refused() {
    run(async {
        // No disk has this much free space.
        let settings = [("CARREL_FILES_MIN_FREE_MB", "1073741824")];
        let carrel = KillableProcess::start_with(Backend::Sqlite, &settings).await;
        let (status, saved) = carrel.send(Method::POST, ITEMS, Some(&json!({"fileName": "a.txt"}))).await;
        assert_eq!(status, 201, "{saved}");
        let before = carrel.get("/v1/me").await["limits"]["libraryStorageUsedBytes"].clone();
        let file = carrel.request(Method::PUT, &format!("{}/file", item_path(&saved["item"]))).body("Words.");
        let import = carrel.request(Method::POST, "/v1/library/imports");
        let table = b"title,url,time_added,tags,status\n";
        let import =
            with_form(import, &[Field { name: "file", file: Some(("a.csv", "text/csv")), body: table }]);
        for upload in [file, import] {
            let answer = upload.send().await.unwrap();
            assert_eq!((answer.status().as_u16(), answer.headers().get("retry-after")), (507, None));
            let body: serde_json::Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
            assert_eq!(body["code"], "store_full");
        }
        let after = carrel.get("/v1/me").await["limits"]["libraryStorageUsedBytes"].clone();
        assert_eq!(after, before, "a refused upload reserves no storage");
    });
}
