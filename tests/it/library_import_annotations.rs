//! Notes and highlights in repeated imports: after edits in another service, and after deletions in the library.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::library_imports::{counts, import_now, items};
use crate::library_items::{ITEMS, item_path};
use crate::support::person::Person;
use crate::support::{TestApp, on_each_world};

const NOTES: &str = "/v1/library/notes";
const HIGHLIGHTS: &str = "/v1/library/highlights";
const RESTORED: [(&str, &str); 1] = [("includeDeleted", "true")];

/// Returns the texts of all notes, in alphabetical order.
async fn note_texts(app: &TestApp, who: &Person) -> Vec<String> {
    let list = who.get(app, NOTES).await.expect(200).json()["notes"].clone();
    let mut texts: Vec<String> =
        list.as_array().unwrap().iter().map(|note| note["text"].as_str().unwrap().to_owned()).collect();
    texts.sort();
    texts
}

/// Returns the ids of the items to which the objects of a list belong.
async fn item_ids(app: &TestApp, who: &Person, list: &str) -> Vec<Value> {
    let name = list.rsplit('/').next().unwrap();
    let objects = who.get(app, list).await.expect(200).json()[name].clone();
    objects.as_array().unwrap().iter().map(|object| object["itemId"].clone()).collect()
}

/// Exports the library in the native format.
async fn export(app: &TestApp, who: &Person) -> Vec<u8> {
    let made = who.post(app, "/v1/library/exports", &json!({})).await.expect(202).json();
    app.run_jobs().await;
    let path = format!("/v1/library/exports/{}/file", made["export"]["id"].as_str().unwrap());
    who.get(app, &path).await.expect(200).body
}

/// Saves an item with a note and a highlight of its text. Returns the item.
async fn save_annotated(app: &TestApp, who: &Person) -> Value {
    let body = json!({"url": "https://desks.example/1", "content": "<p>A desk for one quiet reader.</p>"});
    let item = who.post(app, ITEMS, &body).await.expect(201).json()["item"].clone();
    let note = json!({"itemId": item["id"], "text": "Of the desk."});
    who.post(app, NOTES, &note).await.expect(201);
    let marked = json!({"itemId": item["id"], "quote": "one quiet reader"});
    let marked = who.post(app, HIGHLIGHTS, &marked).await.expect(201).json();
    assert_eq!(marked["object"]["anchorStatus"], "exact", "{marked}");
    item
}

#[test]
fn import_matches_the_item_that_was_saved_again_after_its_deletion() {
    on_each_world(async |app| {
        let (who, heir) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        save_annotated(&app, &who).await;
        let file = export(&app, &who).await;
        let first = import_now(&app, &heir, &file, &[]).await;
        assert_eq!((counts(&first), &first["highlights"]), ([1, 0, 0, 0], &json!(2)), "{first}");
        let item = items(&app, &heir).await[0].clone();
        heir.send(&app, Method::DELETE, &item_path(&item)).await.expect(204);
        let body =
            json!({"url": "https://desks.example/1", "content": "<p>A desk for one quiet reader.</p>"});
        let saved = heir.post(&app, ITEMS, &body).await.expect(201).json()["item"].clone();
        for fields in [&[][..], &RESTORED[..]] {
            let again = import_now(&app, &heir, &file, fields).await;
            assert_eq!((counts(&again), &again["problems"]), ([0, 1, 0, 0], &json!([])), "{again}");
            assert_eq!(items(&app, &heir).await.len(), 1, "{fields:?}");
            for list in [NOTES, HIGHLIGHTS] {
                assert_eq!(item_ids(&app, &heir, list).await, [saved["id"].clone()], "{list}");
            }
        }
    });
}

#[test]
fn highlight_of_a_page_that_was_saved_again_is_not_doubled() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let table = "id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite\n\
            7,On desks,,,https://desks.example/1,,,2024-01-01T00:00:00.000Z,,Highlight:quiet reader,false\n";
        let first = import_now(&app, &who, table.as_bytes(), &[]).await;
        assert_eq!((counts(&first), &first["highlights"]), ([1, 0, 0, 0], &json!(1)), "{first}");
        let item = items(&app, &who).await[0].clone();
        who.send(&app, Method::DELETE, &item_path(&item)).await.expect(204);
        let body =
            json!({"url": "https://desks.example/1", "content": "<p>A desk for one quiet reader.</p>"});
        let saved = who.post(&app, ITEMS, &body).await.expect(201).json()["item"].clone();
        let again = import_now(&app, &who, table.as_bytes(), &[]).await;
        assert_eq!((counts(&again), &again["highlights"]), ([0, 1, 0, 0], &json!(0)), "{again}");
        assert_eq!(item_ids(&app, &who, HIGHLIGHTS).await, [saved["id"].clone()]);
    });
}

#[test]
fn restored_item_gets_its_notes_and_anchored_highlights_back() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let item = save_annotated(&app, &who).await;
        let file = export(&app, &who).await;
        who.send(&app, Method::DELETE, &item_path(&item)).await.expect(204);
        let restored = import_now(&app, &who, &file, &RESTORED).await;
        assert_eq!((counts(&restored), &restored["highlights"]), ([1, 0, 0, 0], &json!(0)), "{restored}");
        let item = items(&app, &who).await[0].clone();
        for list in [NOTES, HIGHLIGHTS] {
            assert_eq!(item_ids(&app, &who, list).await, [item["id"].clone()], "{list}");
        }
        let marked = who.get(&app, HIGHLIGHTS).await.expect(200).json()["highlights"][0].clone();
        assert_eq!(marked["anchorStatus"], "exact", "{marked}");
        assert!(marked["startOffset"].is_i64(), "{marked}");
    });
}

#[test]
fn restored_book_gets_its_highlights_back() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let table = "Highlight,Book Title,Book Author,Amazon Book ID\nQuiet words,Desks,Ada,B1\n";
        import_now(&app, &who, table.as_bytes(), &[]).await;
        let book = items(&app, &who).await[0].clone();
        who.send(&app, Method::DELETE, &item_path(&book)).await.expect(204);
        assert_eq!(item_ids(&app, &who, HIGHLIGHTS).await, [Value::Null]);
        let restored = import_now(&app, &who, table.as_bytes(), &RESTORED).await;
        assert_eq!((counts(&restored), &restored["highlights"]), ([1, 0, 0, 0], &json!(0)), "{restored}");
        let book = items(&app, &who).await[0].clone();
        assert_eq!(item_ids(&app, &who, HIGHLIGHTS).await, [book["id"].clone()]);
    });
}

#[test]
fn note_that_was_edited_in_another_service_is_added() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let table = |note: &str| {
            format!(
                "id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite\n\
                 7,On desks,{note},,https://desks.example/1,,,2024-01-01T00:00:00.000Z,,,false\n"
            )
        };
        for (note, highlights) in [("Old words", 1), ("New words", 1), ("Old words", 0), ("New words", 0)] {
            let done = import_now(&app, &who, table(note).as_bytes(), &[]).await;
            assert_eq!((&done["format"], &done["problems"]), (&json!("raindrop_csv"), &json!([])), "{done}");
            assert_eq!(done["highlights"], json!(highlights), "{note}: {done}");
        }
        assert_eq!(note_texts(&app, &who).await, ["New words", "Old words"]);
    });
}
