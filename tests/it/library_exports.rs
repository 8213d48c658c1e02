//! Exports of the library through HTTP: created by a worker, and downloaded whole or in ranges.

use std::io::{Cursor, Read};

use kernel::{AccountId, ItemId};
use library::{LibraryTransaction, ObjectKind};
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::support::person::Person;
use crate::support::{HttpAnswer, Setup, TestApp, World, on_each_world, run};

/// Inserts an item without a text.
async fn item(app: &TestApp, account_id: AccountId, url: &str, title: &str) -> ItemId {
    let domain = &app.app.domain;
    let id: ItemId = domain.new_id();
    let mut transaction = LibraryTransaction::begin(domain, account_id).await.unwrap();
    let stamp = transaction.stamp(ObjectKind::Item, id.as_uuid().into());
    let value = |id: uuid::Uuid| match app.world() {
        World::Small => format!("x'{}'", id.simple()),
        World::Large => format!("'{id}'"),
    };
    let sql = format!(
        "INSERT INTO library_item (id, account_id, sequence, url, domain, title, title_rank, author_rank, \
         published_rank, content_kind, kind_method, kind_confidence, kind_at, capture_method, format, status, \
         saved_at, updated_at, article_status, stored_bytes, lane) VALUES ({}, {}, {}, '{url}', 'example.org', \
         '{title}', 3, 0, 0, 'article', 'fallback', 0, 0, 'api', 'html', 'inbox', 1704067200000, {}, \
         'not_applicable', 1024, 'person')",
        value(id.as_uuid()),
        value(account_id.as_uuid()),
        stamp.sequence,
        stamp.updated_at,
    );
    transaction.count(0, 1024);
    transaction.db().execute_unprepared(&sql).await.unwrap();
    transaction.commit().await.unwrap();
    id
}

async fn export(app: &TestApp, who: &Person, format: &str) -> String {
    let request = json!({ "format": format });
    let made = who.post(app, "/v1/library/exports", &request).await.expect(202).json();
    assert_eq!((&made["export"]["state"], &made["export"]["parts"]), (&json!("queued"), &json!([])));
    app.run_jobs().await;
    made["export"]["id"].as_str().unwrap().to_owned()
}

async fn bytes(app: &TestApp, who: &Person, path: &str, headers: &[(&str, &str)]) -> HttpAnswer {
    let mut all = vec![("x-api-key", who.key.as_str())];
    all.extend_from_slice(headers);
    app.send(Method::GET, path, &all, None).await
}

fn entries(zip: &[u8]) -> Vec<(String, String)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(zip)).unwrap();
    (0..archive.len())
        .map(|index| {
            let mut entry = archive.by_index(index).unwrap();
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            (entry.name().unwrap().into_owned(), text)
        })
        .collect()
}

#[test]
fn export_is_complete_and_supports_range_requests() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        item(&app, who.id, "https://example.org/1", "First").await;
        item(&app, other.id, "https://example.org/2", "Not mine").await;
        let id = export(&app, &who, "svc_jsonl").await;
        let path = format!("/v1/library/exports/{id}");
        let answer = who.get(&app, &path).await.expect(200).json();
        let export = &answer["export"];
        assert_eq!(json!([export["state"], export["total"], export["done"]]), json!(["complete", 1, 1]));
        assert_eq!((&export["errorCode"], &export["parts"][0]["number"]), (&Value::Null, &json!(1)));

        let file = format!("{path}/file");
        let whole = bytes(&app, &who, &file, &[]).await.expect(200);
        assert_eq!(json!(whole.body.len()), export["parts"][0]["size"]);
        assert_eq!(whole.header("content-type"), "application/zip");
        assert_eq!(whole.header("accept-ranges"), "bytes");
        assert_eq!(whole.header("x-content-type-options"), "nosniff");
        assert!(whole.header("content-security-policy").contains("sandbox"));
        assert!(whole.header("repr-digest").starts_with("sha-256=:"));
        assert!(whole.header("content-disposition").starts_with("attachment; filename=\"library.zip\""));
        assert_eq!(whole.header("etag"), format!("\"{}\"", export["parts"][0]["checksum"].as_str().unwrap()));
        let entries = entries(&whole.body);
        let names: Vec<&str> = entries.iter().map(|(name, _)| name.as_str()).collect();
        let head = [
            "manifest.json", "README", "subscriptions.opml", "monitors.json", "account/settings.json",
            "positions.json",
        ];
        let lines = ["items/000001.jsonl", "notes.jsonl", "highlights.jsonl", "account/starred.jsonl"];
        assert_eq!((&names[..6], &names[6..]), (&head[..], &lines[..]));
        let manifest: Value = serde_json::from_str(&entries[0].1).unwrap();
        assert_eq!((&manifest["format"], &manifest["part"]), (&json!("svc_jsonl"), &json!(1)));
        let line: Value = serde_json::from_str(&entries[6].1).unwrap();
        assert_eq!(
            (&line["type"], &line["title"], &line["savedAt"]),
            (&json!("item"), &json!("First"), &json!(1_704_067_200_000_i64))
        );

        let etag = whole.header("etag").to_owned();
        let part = bytes(&app, &who, &file, &[("range", "bytes=1-3"), ("if-range", &etag)]).await.expect(206);
        assert_eq!(part.body, whole.body[1..4]);
        assert_eq!(part.header("content-range"), format!("bytes 1-3/{}", whole.body.len()));
        assert_eq!(part.header("repr-digest"), whole.header("repr-digest"));
        bytes(&app, &who, &file, &[("range", "bytes=1-3"), ("if-range", "\"other\"")]).await.expect(200);
        bytes(&app, &who, &file, &[("range", "bytes=0-1,3-4")]).await.expect(200);
        bytes(&app, &who, &file, &[("if-none-match", &etag)]).await.expect(304);
        let behind = bytes(&app, &who, &file, &[("range", "bytes=999999999-")]).await;
        assert_eq!(behind.header("content-range"), format!("bytes */{}", whole.body.len()));
        assert_eq!(behind.expect(416).json()["code"], "range_not_satisfiable");

        bytes(&app, &who, &format!("{file}?part=2"), &[]).await.expect(404);
        bytes(&app, &other, &file, &[]).await.expect(404);
        other.get(&app, &path).await.expect(404);
        let delete = |who: &Person| {
            let key = who.key.clone();
            let (app, path) = (&app, path.clone());
            async move { app.send(Method::DELETE, &path, &[("x-api-key", key.as_str())], None).await }
        };
        delete(&other).await.expect(404);
        delete(&who).await.expect(204);
        delete(&who).await.expect(404);
        bytes(&app, &who, &file, &[]).await.expect(404);
    });
}

#[test]
fn bookmarks_and_tables_contain_all_items_and_no_formulas() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        item(&app, who.id, "https://example.org/1?a=1&b=2", "=cmd <b>").await;
        let id = export(&app, &who, "netscape").await;
        let answer = bytes(&app, &who, &format!("/v1/library/exports/{id}/file"), &[]).await.expect(200);
        // Browsers do not render this media type.
        assert_eq!(answer.header("content-type"), "application/octet-stream");
        let line =
            "<DT><A HREF=\"https://example.org/1?a=1&amp;b=2\" ADD_DATE=\"1704067200\">=cmd &lt;b&gt;</A>";
        assert!(answer.text().contains(line), "{}", answer.text());
        let id = export(&app, &who, "csv").await;
        let answer = bytes(&app, &who, &format!("/v1/library/exports/{id}/file"), &[]).await.expect(200);
        assert!(answer.text().contains(",\"'=cmd <b>\","), "{}", answer.text());
    });
}

#[test]
fn running_export_is_reported_as_not_ready() {
    run(async {
        let app = Setup::on(World::Small).idle().spawn().await;
        let who = Person::free(&app).await;
        let made = who.post(&app, "/v1/library/exports", &json!({})).await.expect(202).json();
        let again = who.post(&app, "/v1/library/exports", &json!({"format": "csv"})).await.expect(202).json();
        assert_eq!(
            (&made["export"]["id"], &again["export"]["format"]),
            (&again["export"]["id"], &json!("svc_jsonl"))
        );
        let file = format!("/v1/library/exports/{}/file", made["export"]["id"].as_str().unwrap());
        assert_eq!(bytes(&app, &who, &file, &[]).await.expect(409).json()["code"], "not_ready");
        who.post(&app, "/v1/library/exports", &json!({"format": "pdf"})).await.expect(422);
    });
}
