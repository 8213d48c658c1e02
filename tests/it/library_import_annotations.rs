//! Notes and highlights in repeated imports: after edits in another service, and after deletions in the library.

use std::io::{Cursor, Read};

use identity::accounts::set_quotas;
use kernel::quotas::AccountQuotas;
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::library_imports::{counts, import_now, items, state};
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

/// Returns a file with the notes and highlights of an export, and without its items.
fn annotations_of(zip: &[u8]) -> Vec<u8> {
    let mut archive = zip::ZipArchive::new(Cursor::new(zip)).unwrap();
    let mut text = String::new();
    for name in ["manifest.json", "notes.jsonl", "highlights.jsonl"] {
        archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
        text.push('\n');
    }
    text.into_bytes()
}

/// Returns the codes of the problems of an import.
fn codes(import: &Value) -> Vec<&Value> {
    import["problems"].as_array().unwrap().iter().map(|problem| &problem["code"]).collect()
}

#[test]
fn annotations_of_a_deleted_item_are_skipped_with_it() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let item = save_annotated(&app, &who).await;
        let file = export(&app, &who).await;
        // The other account deleted an item with the same URL, but with another id.
        let same = save_annotated(&app, &other).await;
        for (who, item) in [(&who, &item), (&other, &same)] {
            let deleted = format!("{}?annotations=delete", item_path(item));
            who.send(&app, Method::DELETE, &deleted).await.expect(204);
            for (file, skipped) in [(&file, 3), (&annotations_of(&file), 2)] {
                for dry in ["true", "false"] {
                    let done = import_now(&app, who, file, &[("dryRun", dry)]).await;
                    assert_eq!(counts(&done), [0, 0, skipped, 0], "{dry}: {done}");
                    assert!(codes(&done).iter().all(|code| *code == "deleted"), "{done}");
                }
            }
            assert_eq!(note_texts(&app, who).await, Vec::<String>::new());
            let restored = import_now(&app, who, &file, &RESTORED).await;
            assert_eq!((counts(&restored), &restored["highlights"]), ([1, 0, 0, 0], &json!(2)), "{restored}");
            let item = items(&app, who).await[0].clone();
            for list in [NOTES, HIGHLIGHTS] {
                assert_eq!(item_ids(&app, who, list).await, [item["id"].clone()], "{list}");
            }
        }
    });
}

#[test]
fn annotations_of_a_deleted_item_know_their_page_after_an_import() {
    on_each_world(async |app| {
        let (who, heir) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let third = Person::on(&app, Tier::Pro).await;
        let item = save_annotated(&app, &who).await;
        who.send(&app, Method::DELETE, &item_path(&item)).await.expect(204);
        let file = export(&app, &who).await;
        for highlights in [2, 0] {
            let done = import_now(&app, &heir, &file, &[]).await;
            assert_eq!((&done["highlights"], &done["problems"]), (&json!(highlights), &json!([])), "{done}");
        }
        let marked = heir.get(&app, HIGHLIGHTS).await.expect(200).json()["highlights"][0].clone();
        assert_eq!(marked["sourceUrl"], "https://desks.example/1", "{marked}");
        let inherited = export(&app, &heir).await;
        let done = import_now(&app, &third, &inherited, &[]).await;
        assert_eq!((&done["highlights"], &done["problems"]), (&json!(2), &json!([])), "{done}");
        let body =
            json!({"url": "https://desks.example/1", "content": "<p>A desk for one quiet reader.</p>"});
        for who in [&who, &heir, &third] {
            let saved = who.post(&app, ITEMS, &body).await.expect(201).json()["item"].clone();
            for list in [NOTES, HIGHLIGHTS] {
                assert_eq!(item_ids(&app, who, list).await, [saved["id"].clone()], "{list}");
            }
        }
    });
}

#[test]
fn page_that_another_library_deleted_is_imported_and_gets_the_annotations() {
    on_each_world(async |app| {
        let (who, heir) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let item = save_annotated(&app, &who).await;
        who.send(&app, Method::DELETE, &item_path(&item)).await.expect(204);
        let file = export(&app, &who).await;
        import_now(&app, &heir, &file, &[]).await;
        let table = "id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite\n\
            7,On desks,,,https://desks.example/1,,,2024-01-01T00:00:00.000Z,,,false\n";
        for dry in ["true", "false"] {
            let done = import_now(&app, &heir, table.as_bytes(), &[("dryRun", dry)]).await;
            assert_eq!(counts(&done), [1, 0, 0, 0], "{dry}: {done}");
        }
        let item = items(&app, &heir).await[0].clone();
        for list in [NOTES, HIGHLIGHTS] {
            assert_eq!(item_ids(&app, &heir, list).await, [item["id"].clone()], "{list}");
        }
        heir.send(&app, Method::DELETE, &item_path(&item)).await.expect(204);
        let done = import_now(&app, &heir, table.as_bytes(), &[]).await;
        assert_eq!(counts(&done), [0, 0, 1, 0], "{done}");
        assert_eq!(codes(&done), ["deleted"], "{done}");
    });
}

#[test]
fn imported_annotations_of_a_deleted_item_join_an_existing_item_and_release_its_keys_when_undone() {
    on_each_world(async |app| {
        let (who, heir) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let undone = Person::on(&app, Tier::Pro).await;
        let item = save_annotated(&app, &who).await;
        let whole = export(&app, &who).await;
        who.send(&app, Method::DELETE, &item_path(&item)).await.expect(204);
        let file = export(&app, &who).await;
        let body =
            json!({"url": "https://desks.example/1", "content": "<p>A desk for one quiet reader.</p>"});
        let saved = heir.post(&app, ITEMS, &body).await.expect(201).json()["item"].clone();
        import_now(&app, &heir, &file, &[]).await;
        for list in [NOTES, HIGHLIGHTS] {
            assert_eq!(item_ids(&app, &heir, list).await, [saved["id"].clone()], "{list}");
        }

        let done = import_now(&app, &undone, &file, &[]).await;
        let undo = format!("/v1/library/imports/{}?undo=true", done["id"].as_str().unwrap());
        undone.send(&app, Method::DELETE, &undo).await.expect(204);
        let done = import_now(&app, &undone, &whole, &[]).await;
        assert_eq!((counts(&done), &done["highlights"]), ([1, 0, 0, 0], &json!(2)), "{done}");
    });
}

#[test]
fn annotations_without_their_item_fail_until_it_is_imported() {
    on_each_world(async |app| {
        let (who, heir) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        save_annotated(&app, &who).await;
        let file = export(&app, &who).await;
        let part = import_now(&app, &heir, &annotations_of(&file), &[]).await;
        assert_eq!((counts(&part), &part["highlights"]), ([0, 0, 0, 2], &json!(0)), "{part}");
        assert_eq!(codes(&part), ["missing_item", "missing_item"], "{part}");
        for dry in ["true", "false"] {
            let whole = import_now(&app, &heir, &file, &[("dryRun", dry)]).await;
            assert_eq!((counts(&whole), &whole["highlights"]), ([1, 0, 0, 0], &json!(2)), "{whole}");
        }
        let item = items(&app, &heir).await[0].clone();
        for list in [NOTES, HIGHLIGHTS] {
            assert_eq!(item_ids(&app, &heir, list).await, [item["id"].clone()], "{list}");
        }
    });
}

#[test]
fn annotations_of_an_item_that_did_not_fit_are_imported_by_the_retry() {
    on_each_world(async |app| {
        let (who, heir) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let paragraphs: Vec<String> =
            (0..1_000).map(|desk| format!("<p>Desk {desk} has one quiet reader.</p>")).collect();
        let body = json!({"url": "https://desks.example/1", "content": paragraphs.concat()});
        let item = who.post(&app, ITEMS, &body).await.expect(201).json()["item"].clone();
        let note = json!({"itemId": item["id"], "text": "Of the desk."});
        who.post(&app, NOTES, &note).await.expect(201);
        let file = export(&app, &who).await;
        let quotas = AccountQuotas { library_storage_bytes: Some(8_000), ..AccountQuotas::default() };
        set_quotas(&app.app.domain, heir.id, quotas, "the test").await.unwrap();
        let full = import_now(&app, &heir, &file, &[]).await;
        assert_eq!(counts(&full), [0, 0, 0, 2], "{full}");
        assert_eq!(codes(&full), ["storage_limit_reached", "missing_item"], "{full}");
        set_quotas(&app.app.domain, heir.id, AccountQuotas::default(), "the test").await.unwrap();
        let id = full["id"].as_str().unwrap();
        heir.post(&app, &format!("/v1/library/imports/{id}/retry"), &json!({})).await.expect(202);
        let done = state(&app, &heir, id).await;
        assert_eq!((counts(&done), &done["problems"]), ([1, 0, 0, 0], &json!([])), "{done}");
        let item = items(&app, &heir).await[0].clone();
        assert_eq!(item_ids(&app, &heir, NOTES).await, [item["id"].clone()]);
    });
}

const READWISE: &str = "Highlight,Book Title,Book Author,Amazon Book ID\n\
    Quiet words,Desks,Ada,B1\nLoud words,Desks,Ada,B1\n";

/// Deletes the notes or highlights of a list one by one, up to `count`.
async fn delete_first(app: &TestApp, who: &Person, list: &str, count: usize) {
    let name = list.rsplit('/').next().unwrap();
    let objects = who.get(app, list).await.expect(200).json()[name].clone();
    for object in objects.as_array().unwrap().iter().take(count) {
        let path = format!("{list}/{}", object["id"].as_str().unwrap());
        who.send(app, Method::DELETE, &path).await.expect(204);
    }
}

#[test]
fn deleted_highlight_of_a_book_is_skipped_by_the_next_import() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        import_now(&app, &who, READWISE.as_bytes(), &[]).await;
        delete_first(&app, &who, HIGHLIGHTS, 1).await;
        for dry in ["true", "false"] {
            let again = import_now(&app, &who, READWISE.as_bytes(), &[("dryRun", dry)]).await;
            assert_eq!((counts(&again), &again["highlights"]), ([0, 1, 1, 0], &json!(0)), "{again}");
            assert_eq!(codes(&again), ["deleted"], "{again}");
        }
        assert_eq!(item_ids(&app, &who, HIGHLIGHTS).await.len(), 1);
        let restored = import_now(&app, &who, READWISE.as_bytes(), &RESTORED).await;
        assert_eq!((counts(&restored), &restored["highlights"]), ([0, 1, 0, 0], &json!(1)), "{restored}");
        assert_eq!(item_ids(&app, &who, HIGHLIGHTS).await.len(), 2);
    });
}

#[test]
fn deleted_annotations_of_an_export_are_skipped_by_its_import() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let item = save_annotated(&app, &who).await;
        let file = export(&app, &who).await;
        for list in [NOTES, HIGHLIGHTS] {
            delete_first(&app, &who, list, 1).await;
        }
        let again = import_now(&app, &who, &file, &[]).await;
        assert_eq!((counts(&again), codes(&again).len()), ([0, 1, 2, 0], 2), "{again}");
        let restored = import_now(&app, &who, &file, &RESTORED).await;
        assert_eq!((counts(&restored), &restored["highlights"]), ([0, 1, 0, 0], &json!(2)), "{restored}");
        for list in [NOTES, HIGHLIGHTS] {
            assert_eq!(item_ids(&app, &who, list).await, [item["id"].clone()], "{list}");
        }
    });
}

#[test]
fn annotations_are_not_doubled_by_the_export_of_another_library_that_has_them() {
    on_each_world(async |app| {
        let (first, second) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let third = Person::on(&app, Tier::Pro).await;
        let item = save_annotated(&app, &first).await;
        let detached = json!({"text": "Of nothing."});
        first.post(&app, NOTES, &detached).await.expect(201);
        let file = export(&app, &first).await;
        import_now(&app, &second, &file, &[]).await;
        let returned = export(&app, &second).await;
        for dry in ["true", "false"] {
            let done = import_now(&app, &first, &returned, &[("dryRun", dry)]).await;
            assert_eq!((counts(&done), &done["highlights"]), ([0, 1, 0, 0], &json!(0)), "{done}");
        }
        for (file, highlights) in [(&file, 3), (&returned, 0)] {
            let done = import_now(&app, &third, file, &[]).await;
            assert_eq!(done["highlights"], json!(highlights), "{done}");
        }
        assert_eq!(item_ids(&app, &first, HIGHLIGHTS).await, [item["id"].clone()]);
        for who in [&first, &second, &third] {
            assert_eq!(note_texts(&app, who).await, ["Of nothing.", "Of the desk."]);
        }
    });
}

#[test]
fn annotations_of_an_undone_import_can_be_imported_again() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        for _ in 0..2 {
            let done = import_now(&app, &who, READWISE.as_bytes(), &[]).await;
            assert_eq!((&done["highlights"], &done["problems"]), (&json!(2), &json!([])), "{done}");
            let undo = format!("/v1/library/imports/{}?undo=true", done["id"].as_str().unwrap());
            who.send(&app, Method::DELETE, &undo).await.expect(204);
            assert_eq!(item_ids(&app, &who, HIGHLIGHTS).await, Vec::<Value>::new());
        }
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
