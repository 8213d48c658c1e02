//! Markdown files of items: exports, the operation that renders them, and `carrel notes`, which keeps a folder in
//! step with a library.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::path::Path;
use std::process::{Command, Output};

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::library_items::{item_path, save_item, send};
use crate::support::person::Person;
use crate::support::servers::CARREL;
use crate::support::{TestApp, on_each_world};

const NOTES: &str = "/v1/library/notes";
const HIGHLIGHTS: &str = "/v1/library/highlights";
const RENDER: &str = "/v1/library/items/markdown";
const TEXT: &str = "The ferry leaves at dawn.\n\nThe harbour wakes slowly.";
const EVIL: &str = "---\nid: x\n---\n# \"Evil\" %% ../..";

/// Returns the files of an export by their names.
async fn exported(app: &TestApp, who: &Person, format: &str) -> BTreeMap<String, String> {
    let made = who.post(app, "/v1/library/exports", &json!({"format": format})).await.expect(202).json();
    app.run_jobs().await;
    let path = format!("/v1/library/exports/{}/file", made["export"]["id"].as_str().unwrap());
    let answer = who.get(app, &path).await.expect(200);
    assert!(answer.header("content-disposition").contains("markdown.zip"));
    let mut archive = zip::ZipArchive::new(Cursor::new(answer.body)).unwrap();
    (0..archive.len())
        .map(|index| {
            let mut entry = archive.by_index(index).unwrap();
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            (entry.name().unwrap().into_owned(), text)
        })
        .collect()
}

/// Saves an item with two highlights and a note. Returns the item and its last highlight.
async fn annotated_item(app: &TestApp, who: &Person) -> (Value, Value) {
    let body = json!({"url": "https://example.org/ferries", "title": "Ferries", "content": TEXT, "author": "Ada Quill",
        "tags": ["to read"]});
    let item = save_item(app, who, &body).await;
    let late =
        json!({"itemId": item["id"], "quote": "The harbour wakes", "note": "Slowly.", "tags": ["sea side"]});
    let late = who.post(app, HIGHLIGHTS, &late).await.expect(201).json()["object"].clone();
    let early = json!({"itemId": item["id"], "quote": "The ferry leaves", "color": "green"});
    who.post(app, HIGHLIGHTS, &early).await.expect(201);
    who.post(app, NOTES, &json!({"text": "About boats.", "itemId": item["id"]})).await.expect(201);
    (item, late)
}

fn short_id(item: &Value) -> &str {
    item["id"].as_str().unwrap().rsplit('-').next().unwrap()
}

#[test]
fn export_has_a_file_per_item_with_highlights_in_the_order_of_the_text() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (item, _) = annotated_item(&app, &who).await;
        let plain =
            save_item(&app, &who, &json!({"content": "Words of the plain item.", "title": EVIL})).await;
        let files = exported(&app, &who, "markdown").await;
        let name = format!("ferries-{}.md", short_id(&item));
        assert_eq!(files.keys().collect::<Vec<_>>(), [&name]);
        let text = &files[&name];
        let id = item["id"].as_str().unwrap();
        assert!(
            text.starts_with("---\ntitle: \"Ferries\"\nurl: \"https://example.org/ferries\"\n"),
            "{text}"
        );
        assert!(text.contains(&format!("\ntags:\n  - \"to-read\"\nid: {id}\ncarrel: ")), "{text}");
        let parts =
            ["About boats.", "> The ferry leaves\n>\n> [green](", "> The harbour wakes\n>\n> [yellow]("];
        let positions: Vec<usize> = parts.iter().map(|part| text.find(part).expect(part)).collect();
        assert!(positions.is_sorted(), "{text}");
        assert!(text.contains(" #sea-side\n\nSlowly.\n") && !text.contains("at dawn"), "{text}");
        let last = format!("\n<!-- carrel {id}: everything below this line is yours -->\n");
        assert!(text.ends_with(&last), "{text}");

        let files = exported(&app, &who, "markdown_texts").await;
        assert!(files[&name].contains("\n***\n\nThe ferry leaves at dawn."), "{}", files[&name]);
        let evil = &files[&format!("id-x-evil-{}.md", short_id(&plain))];
        assert_eq!(evil.lines().filter(|line| *line == "---").count(), 2, "{evil}");
        let (_, body) = evil.split_once("\n---\n").unwrap();
        assert!(!body.contains("%%") && body.contains("Words of the plain item."), "{evil}");

        // The id, not the title, identifies the file.
        send(&app, &who, Method::PATCH, &item_path(&item), &json!({"title": "Boats"})).await.expect(200);
        let files = exported(&app, &who, "markdown_items").await;
        assert_eq!(files.len(), 2);
        assert!(files.contains_key(&format!("boats-{}.md", short_id(&item))), "{:?}", files.keys());
    });
}

#[test]
fn items_are_rendered_for_their_owner_only() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::free(&app).await);
        let (item, _) = annotated_item(&app, &who).await;
        let body = json!({"ids": [item["id"], item["id"]], "texts": true});
        let answer = who.post(&app, RENDER, &body).await.expect(200).json();
        assert_eq!((&answer["remaining"], answer["files"].as_array().unwrap().len()), (&json!([]), 1));
        let file = &answer["files"][0];
        assert_eq!(
            (&file["itemId"], &file["name"]),
            (&item["id"], &json!(format!("ferries-{}.md", short_id(&item))))
        );
        assert!(file["markdown"].as_str().unwrap().contains("at dawn"), "{file}");
        let answer = other.post(&app, RENDER, &body).await.expect(200).json();
        assert_eq!(answer, json!({"files": [], "remaining": []}));
        who.post(&app, RENDER, &json!({"ids": []})).await.api_error(422, "invalid_request");
        app.post(RENDER, &body).await.expect(401);
    });
}

/// Runs `carrel notes`.
async fn notes(app: &TestApp, who: &Person, folder: &Path, options: &[&str]) -> Output {
    let mut command = Command::new(CARREL);
    command.arg("notes").arg(folder).args(options).env_clear().current_dir(folder);
    command.env("CARREL_URL", &app.origin).env("CARREL_API_KEY", &who.key);
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

const NOTHING: &str = "created 0, updated 0, unchanged 0, marked as deleted 0, not written 0\n";

#[test]
fn folder_is_synchronized_with_the_library_and_added_text_remains() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (item, late) = annotated_item(&app, &who).await;
        save_item(&app, &who, &json!({"content": "Words.", "title": "Plain"})).await;
        let folder = tempfile::tempdir().unwrap();
        let run = async |options: &'static [&'static str]| notes(&app, &who, folder.path(), options).await;
        let first = printed(&run(&[]).await);
        assert_eq!(first, "created 1, updated 0, unchanged 0, marked as deleted 0, not written 0\n");
        assert_eq!(printed(&run(&[]).await), NOTHING);

        // A new highlight is added, and the person's text is retained.
        let path = folder.path().join(format!("ferries-{}.md", short_id(&item)));
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{text}\nMy own words.\n")).unwrap();
        let body = json!({"itemId": item["id"], "quote": "leaves at dawn"});
        who.post(&app, HIGHLIGHTS, &body).await.expect(201);
        let second = printed(&run(&[]).await);
        assert_eq!(second, "created 0, updated 1, unchanged 0, marked as deleted 0, not written 0\n");
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("> leaves at dawn\n") && text.ends_with("\nMy own words.\n"), "{text}");

        // A deleted highlight disappears; a new title does not rename the file.
        who.send(&app, Method::DELETE, &format!("{HIGHLIGHTS}/{}", late["id"].as_str().unwrap()))
            .await
            .expect(204);
        send(&app, &who, Method::PATCH, &item_path(&item), &json!({"title": "Boats"})).await.expect(200);
        assert!(printed(&run(&[]).await).starts_with("created 0, updated 1, "));
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains("wakes") && text.contains("\n# Boats\n"), "{text}");

        // With other options or a lost state, the same files are written from the start.
        assert!(printed(&run(&["--all"]).await).starts_with("created 1, updated 0, unchanged 1, "));
        std::fs::remove_file(folder.path().join(".carrel-notes.json")).unwrap();
        assert!(printed(&run(&["--all"]).await).starts_with("created 0, updated 0, unchanged 2, "));

        who.send(&app, Method::DELETE, &item_path(&item)).await.expect(204);
        let deleted = printed(&run(&["--all"]).await);
        assert!(deleted.contains("marked as deleted 1, not written 0"), "{deleted}");
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("---\ndeleted: true\n") && text.ends_with("\nMy own words.\n"), "{text}");
        assert_eq!(printed(&run(&["--all"]).await), NOTHING);

        // The service was restored from a backup: the cursor is not valid any more.
        library::sync::begin_new_history(&app.app.domain).await.unwrap();
        let again = printed(&run(&["--all"]).await);
        assert_eq!(again, "created 0, updated 0, unchanged 1, marked as deleted 0, not written 0\n");
    });
}

#[test]
fn file_of_a_deleted_item_is_marked_even_without_stored_state() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (item, _) = annotated_item(&app, &who).await;
        let folder = tempfile::tempdir().unwrap();
        printed(&notes(&app, &who, folder.path(), &[]).await);
        std::fs::remove_file(folder.path().join(".carrel-notes.json")).unwrap();
        who.send(&app, Method::DELETE, &item_path(&item)).await.expect(204);
        // A note of the person with the same suffix as an item's file.
        let own = folder.path().join("meeting-202401011200.md");
        std::fs::write(&own, "Mine only.").unwrap();
        let output = notes(&app, &who, folder.path(), &[]).await;
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(std::fs::read_to_string(&own).unwrap(), "Mine only.");
        let answer = printed(&output);
        assert_eq!(answer, "created 0, updated 0, unchanged 0, marked as deleted 1, not written 0\n");
    });
}

#[test]
fn damaged_file_and_wrong_folder_are_reported() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (item, _) = annotated_item(&app, &who).await;
        let folder = tempfile::tempdir().unwrap();
        let name = format!("ferries-{}.md", short_id(&item));
        let path = folder.path().join(&name);
        std::fs::write(&path, "Mine only.").unwrap();
        for _ in 0..2 {
            let output = notes(&app, &who, folder.path(), &[]).await;
            assert!(printed(&output).ends_with("not written 1\n"));
            let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(complaint.starts_with(&format!("{name} is not written")), "{complaint}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), "Mine only.");
        }
        std::fs::remove_file(&path).unwrap();
        assert!(printed(&notes(&app, &who, folder.path(), &[]).await).starts_with("created 1, "));

        // Marking the file of a deleted item is retried until the person deletes the file.
        std::fs::write(&path, "Mine only.").unwrap();
        who.send(&app, Method::DELETE, &item_path(&item)).await.expect(204);
        for _ in 0..2 {
            let output = notes(&app, &who, folder.path(), &[]).await;
            assert!(printed(&output).ends_with("marked as deleted 0, not written 1\n"));
            assert!(String::from_utf8_lossy(&output.stderr).contains("is not written"));
        }
        std::fs::remove_file(&path).unwrap();
        assert_eq!(printed(&notes(&app, &who, folder.path(), &[]).await), NOTHING);

        let stranger = Person::free(&app).await;
        let output = notes(&app, &stranger, folder.path(), &["--all"]).await;
        assert!(!output.status.success());
        let refused = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(refused.contains("belongs to another account"), "{refused}");

        let complained = async |options: &'static [&'static str]| {
            let output = notes(&app, &who, folder.path(), options).await;
            assert!(!output.status.success());
            String::from_utf8(output.stderr).unwrap()
        };
        let other = complained(&["--server", "http://127.0.0.1:9"]).await;
        assert!(other.contains("belongs to the library at"), "{other}");
        std::fs::write(folder.path().join("key"), "svc_wrong").unwrap();
        let key = complained(&["--key-file", "key"]).await;
        assert!(key.contains("the service answered 401"), "{key}");
    });
}
