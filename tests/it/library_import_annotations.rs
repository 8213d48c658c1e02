//! Notes and highlights in repeated imports: after edits in another service, and after deletions in the library.

use kernel::tiers::Tier;
use serde_json::json;

use crate::library_imports::import_now;
use crate::support::person::Person;
use crate::support::{TestApp, on_each_world};

const NOTES: &str = "/v1/library/notes";

/// Returns the texts of all notes, in alphabetical order.
async fn note_texts(app: &TestApp, who: &Person) -> Vec<String> {
    let list = who.get(app, NOTES).await.expect(200).json()["notes"].clone();
    let mut texts: Vec<String> =
        list.as_array().unwrap().iter().map(|note| note["text"].as_str().unwrap().to_owned()).collect();
    texts.sort();
    texts
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
