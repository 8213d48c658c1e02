//! Pending work: texts of imported items, and files that are never uploaded.

use jobs::{JobFilter, JobKind};
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::form::{Field, with_form};
use crate::support::person::Person;
use crate::support::{HttpAnswer, TestApp, on_each_world};

const DAY: i64 = 86_400_000;

/// Imports rows in the Omnivore format and returns the finished `import`.
async fn import(app: &TestApp, who: &Person, rows: &Value) -> Value {
    let file = rows.to_string();
    let parts = [
        Field { name: "dryRun", file: None, body: b"false" },
        Field { name: "format", file: None, body: b"omnivore_json" },
        Field { name: "file", file: Some(("file", "application/json")), body: file.as_bytes() },
    ];
    let request = app.request(Method::POST, "/v1/library/imports").header("x-api-key", &who.key);
    let made = HttpAnswer::of(with_form(request, &parts).send().await.unwrap()).await.expect(202).json();
    app.run_jobs().await;
    let path = format!("/v1/library/imports/{}", made["import"]["id"].as_str().unwrap());
    who.get(app, &path).await.expect(200).json()["import"].clone()
}

async fn list(app: &TestApp, who: &Person, query: &str) -> Vec<Value> {
    let list = who.get(app, &format!("/v1/library/items?limit=100&{query}")).await.expect(200).json();
    list["items"].as_array().unwrap().clone()
}

fn item_path(item: &Value) -> String {
    format!("/v1/library/items/{}", item["id"].as_str().unwrap())
}

#[test]
fn opened_imported_item_is_extracted_before_other_imported_items() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let row = |day: i64| {
            let month = 1 + day / 28;
            json!({"id": format!("u{day}"), "url": format!("https://example.org/{day}"), "readingProgress": 40,
                "savedAt": format!("2024-{month:02}-{:02}T00:00:00.000Z", 1 + day % 28)})
        };
        import(&app, &who, &(0..60).map(row).collect::<Value>()).await;
        let oldest = list(&app, &who, "").await.pop().unwrap();
        assert_eq!(
            (&oldest["url"], &oldest["articleStatus"]),
            (&json!("https://example.org/0"), &json!("queued"))
        );
        let cursor =
            who.get(&app, "/v1/library/sync?limit=500").await.expect(200).json()["nextCursor"].clone();
        who.post(&app, &format!("{}/read", item_path(&oldest)), &json!({})).await.api_error(409, "not_ready");
        // One tick claims fifty texts.
        let domain = &app.app.domain;
        assert_eq!(library::text_queue::claim_due(domain).await.unwrap().len(), 50);
        let filter = JobFilter { kind: Some(JobKind::LibraryText), state: None, after: None, limit: 100 };
        let keys: Vec<String> =
            jobs::list(domain, &filter).await.unwrap().into_iter().map(|job| job.key).collect();
        assert!(keys.contains(&oldest["id"].as_str().unwrap().to_owned()));
        let changes = who.get(&app, &format!("/v1/library/sync?cursor={}", cursor.as_str().unwrap())).await;
        assert_eq!(changes.expect(200).json()["changes"], json!([]), "the update is not visible to clients");

        // Imported progress adds an item to the history at the time when it was saved. Reading moves it to
        // the front.
        let history = list(&app, &who, "view=history").await;
        assert_eq!((history.len(), &history[59]["id"]), (60, &oldest["id"]));
        let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
        let change = json!({"readProgress": 60}).to_string();
        app.send(Method::PATCH, &item_path(&oldest), &headers, Some(change)).await.expect(200);
        assert_eq!(list(&app, &who, "view=history").await[0]["id"], oldest["id"]);
    });
}

#[test]
fn missing_upload_is_abandoned_after_a_week() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let save = async |body: Value| {
            who.post(&app, "/v1/library/items", &body).await.expect(201).json()["item"].clone()
        };
        let labelled = save(json!({"fileName": "a.pdf", "url": app.site.article("/town")})).await;
        let noted = save(json!({"fileName": "b.pdf"})).await;
        let bare = save(json!({"fileName": "c.pdf", "tags": ["one"]})).await;
        let note = json!({"text": "Mine.", "itemId": noted["id"]});
        who.post(&app, "/v1/library/notes", &note).await.expect(201);
        let cursor = who.get(&app, "/v1/library/sync").await.expect(200).json()["nextCursor"].clone();
        let status = async |item: &Value| {
            let answer = who.get(&app, &item_path(item)).await;
            if answer.status == 404 { Value::Null } else { answer.json()["item"]["articleStatus"].clone() }
        };
        app.clock.advance(7 * DAY - 1_000);
        app.tick().await;
        app.run_jobs().await;
        for item in [&labelled, &noted, &bare] {
            assert_eq!(status(item).await, "awaiting_upload");
        }
        let coming = save(json!({"fileName": "d.pdf"})).await;
        app.clock.advance(2_000);
        for _ in 0..2 {
            app.tick().await;
            app.run_jobs().await;
        }
        assert_eq!(status(&labelled).await, "ready", "the text is fetched from its URL");
        assert_eq!((status(&noted).await, status(&bare).await), (json!("not_applicable"), Value::Null));
        assert_eq!(status(&coming).await, "awaiting_upload");
        let changes = who.get(&app, &format!("/v1/library/sync?cursor={}", cursor.as_str().unwrap())).await;
        let changes = changes.expect(200).json();
        let gone: Vec<&Value> =
            changes["changes"].as_array().unwrap().iter().filter(|change| change["op"] == "delete").collect();
        assert_eq!(
            (gone.len(), &gone[0]["ref"]),
            (1, &json!(format!("item:{}", bare["id"].as_str().unwrap())))
        );
    });
}
