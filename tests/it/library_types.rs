//! JSON types of the library's objects in all answers that contain them, as the specification defines them:
//! arrays are arrays, numbers are numbers, and a value that does not exist is null.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::person::Person;
use crate::support::{HttpAnswer, on_each_world};

const ITEM: &str = "id:string url:string originalUrl:string? title:string domain:string contentKind:string \
    classification:object captureMethod:string format:string mimeType:string? fileName:string? asset:object? \
    externalId:string? status:string tags:strings savedAt:string updatedAt:string lastReadAt:string? \
    readProgress:integer? articleStatus:string";
const CLASSIFICATION: &str = "method:string confidence:integer version:string updatedAt:string";
const ASSET: &str = "itemId:string fileName:string mimeType:string size:integer checksum:string updatedAt:string \
    resourceUri:string downloadUrl:string";
const ARTICLE: &str = "title:string textContent:string contentCharacters:integer returnedCharacters:integer \
    truncated:boolean author:string? publisher:string? publishedAt:string? language:string? cachedAt:string";
const SUMMARY: &str = "ref:string type:string title:string snippet:string sourceUrl:string? updatedAt:string \
    mimeType:string? hasAsset:boolean score:number";
const NOTE: &str = "id:string title:string? text:string textCharacters:integer returnedCharacters:integer \
    truncated:boolean itemId:string? tags:strings createdAt:string updatedAt:string";
const HIGHLIGHT: &str = "id:string itemId:string? itemTitle:string? sourceUrl:string? quote:string prefix:string \
    suffix:string note:string? color:string tags:strings anchor:integer? endAnchor:integer? \
    startOffset:integer? endOffset:integer? page:integer? anchorStatus:string createdAt:string updatedAt:string";
const CHANGE: &str = "op:string ref:string type:string updatedAt:string";

fn is_of(value: &Value, kind: &str) -> bool {
    if let Some(kind) = kind.strip_suffix('?') {
        return value.is_null() || is_of(value, kind);
    }
    match kind {
        "string" => value.is_string(),
        "strings" => value.as_array().is_some_and(|all| all.iter().all(Value::is_string)),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        other => panic!("{other} is no type"),
    }
}

/// Asserts that an object has all of these members with their types.
fn assert_types(object: &Value, members: &str) {
    for member in members.split_whitespace() {
        let (name, kind) = member.split_once(':').unwrap();
        let value = object.get(name).unwrap_or_else(|| panic!("{name} is missing in {object}"));
        assert!(is_of(value, kind), "{name} is no {kind} in {object}");
    }
}

fn assert_item(item: &Value) {
    assert_types(item, ITEM);
    assert_types(&item["classification"], CLASSIFICATION);
    if item["asset"].is_object() {
        assert_types(&item["asset"], ASSET);
    }
    if let Some(article) = item.get("article").filter(|article| !article.is_null()) {
        assert_types(article, ARTICLE);
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "one object of each type, created and then listed")]
fn members_of_library_objects_have_the_types_of_the_specification() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let items = "/v1/library/items";
        let full = json!({"url": "https://example.org/t", "title": "Typed", "content": "Words of a text.", "tags": ["a"],
            "author": "Ada", "externalId": "x-1", "metadata": {"a": 1}});
        let saved = who.post(&app, items, &full).await.expect(201).json();
        assert_types(&saved, "item:object alreadySaved:boolean");
        let again = who.post(&app, items, &full).await.expect(200).json();
        assert_eq!(again["alreadySaved"], true);
        let bare = who.post(&app, items, &json!({"content": "Words."})).await.expect(201).json();
        let pending = json!({"fileName": "a.md", "mimeType": "text/markdown"});
        let file = who.post(&app, items, &pending).await.expect(201).json();
        let path = format!("{items}/{}/file", file["item"]["id"].as_str().unwrap());
        let upload = app.request(Method::PUT, &path).header("x-api-key", &who.key);
        let upload = upload.header("content-type", "text/markdown").body("# Words\n\nOf a file.");
        let uploaded = HttpAnswer::of(upload.send().await.unwrap()).await.expect(201).json();
        assert!(uploaded["item"]["asset"].is_object(), "{uploaded}");
        app.run_jobs().await;
        let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
        let change =
            json!({"ids": [saved["item"]["id"]], "changes": {"readProgress": 40, "tags": ["a", "b"]}});
        let changed = app.send(Method::PATCH, items, &headers, Some(change.to_string())).await;
        let changed = changed.expect(200).json();
        assert_types(&changed, "updated:integer missing:integer");
        assert_eq!(changed["items"][0]["readProgress"], 40);
        for item in [&saved["item"], &again["item"], &bare["item"], &uploaded["item"], &changed["items"][0]] {
            assert_item(item);
        }
        let note = json!({"itemId": saved["item"]["id"], "text": "Mine.", "tags": ["n"]});
        let note = who.post(&app, "/v1/library/notes", &note).await.expect(201).json();
        assert_types(&note["object"], NOTE);
        let quote = json!({"itemId": saved["item"]["id"], "quote": "Words of a", "note": "Mine."});
        let highlight = who.post(&app, "/v1/library/highlights", &quote).await.expect(201).json();
        assert_types(&highlight["object"], HIGHLIGHT);

        let list = who.get(&app, "/v1/library/items?includeContent=true&includeMetadata=true").await;
        let list = list.expect(200).json();
        assert_types(&list, "nextCursor:string?");
        let listed = list["items"].as_array().unwrap();
        assert_eq!(listed.len(), 3);
        assert!(listed.iter().any(|item| item["article"].is_object()), "{list}");
        for item in listed {
            assert_item(item);
        }
        let objects = who.get(&app, "/v1/library/objects?limit=100").await.expect(200).json();
        assert_types(&objects, "nextCursor:string? total:integer partial:boolean");
        for summary in objects["objects"].as_array().unwrap() {
            assert_types(summary, SUMMARY);
            let path = format!("/v1/library/objects/{}", summary["ref"].as_str().unwrap());
            let object = who.get(&app, &path).await.expect(200).json();
            assert_types(&object, "ref:string type:string object:object");
        }
        let sync = who.get(&app, "/v1/library/sync").await.expect(200).json();
        assert_types(&sync, "nextCursor:string hasMore:boolean");
        let changes = sync["changes"].as_array().unwrap();
        assert_eq!(changes.len(), 5, "{sync}");
        for change in changes {
            assert_types(change, CHANGE);
            match change["type"].as_str().unwrap() {
                "item" => assert_item(&change["object"]),
                "note" => assert_types(&change["object"], NOTE),
                _ => assert_types(&change["object"], HIGHLIGHT),
            }
        }
    });
}
