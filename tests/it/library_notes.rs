//! Notes, highlights, tags, library sync, and saving feed entries through HTTP.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::library_items::{item_path, save_item, send};
use crate::support::person::Person;
use crate::support::rss::poll;
use crate::support::{Reply, TestApp, on_each_world};

const NOTES: &str = "/v1/library/notes";
const HIGHLIGHTS: &str = "/v1/library/highlights";
const SYNC: &str = "/v1/library/sync";

/// Returns the references in a page of changes. Deleted objects start with `-`.
fn refs(page: &Value) -> Vec<String> {
    let changes = page["changes"].as_array().unwrap().iter();
    let signed_ref = |change: &Value| {
        let sign = if change["op"] == "delete" { "-" } else { "" };
        assert_eq!(change["op"] == "delete", change["object"].is_null());
        format!("{sign}{}", change["ref"].as_str().unwrap())
    };
    changes.map(signed_ref).collect()
}

#[test]
fn note_is_stored_in_full_and_patched_by_version() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let item = save_item(&app, &who, &json!({"content": "Words."})).await;
        let text = "長い".repeat(50_000);
        let body = json!({"text": text, "itemId": item["id"], "tags": ["A"], "externalId": "n1"});
        let made = who.post(&app, NOTES, &body).await.expect(201).json();
        let again = who.post(&app, NOTES, &body).await.expect(200).json();
        assert_eq!(again["ref"], made["ref"], "a repeated request returns the same note");
        let path = format!("{NOTES}/{}", made["object"]["id"].as_str().unwrap());
        let whole = who.get(&app, &path).await.expect(200);
        assert_eq!(
            (&whole.json()["object"]["text"], &whole.json()["object"]["truncated"]),
            (&json!(text), &json!(false))
        );
        let part = format!("/v1/library/objects/{}?contentMaxCharacters=500", made["ref"].as_str().unwrap());
        let part = who.get(&app, &part).await.expect(200).json();
        assert_eq!(
            (&part["object"]["returnedCharacters"], &part["object"]["truncated"]),
            (&json!(500), &json!(true))
        );
        let headers = [
            ("x-api-key", who.key.as_str()),
            ("content-type", "application/json"),
            ("if-match", whole.header("etag")),
        ];
        let change = json!({"title": "Mine", "itemId": null}).to_string();
        let changed = app.send(Method::PATCH, &path, &headers, Some(change.clone())).await.expect(200).json();
        assert_eq!(
            (&changed["object"]["title"], &changed["object"]["itemId"]),
            (&json!("Mine"), &Value::Null)
        );
        app.send(Method::PATCH, &path, &headers, Some(change)).await.api_error(412, "precondition_failed");
        let list = who.get(&app, &format!("{NOTES}?tag=a")).await.expect(200).json();
        assert_eq!(list["notes"].as_array().unwrap().len(), 1);
        other.get(&app, &path).await.api_error(404, "not_found");
        other
            .post(&app, NOTES, &json!({"text": "x", "itemId": item["id"]}))
            .await
            .api_error(404, "not_found");
        who.post(&app, NOTES, &json!({"text": "  "})).await.api_error(422, "invalid_request");
        let matches = who.get(&app, "/v1/library/objects?query=mine&types=note").await.expect(200).json();
        assert_eq!(matches["objects"][0]["ref"], made["ref"]);
        who.send(&app, Method::DELETE, &path).await.expect(204);
        who.get(&app, &path).await.api_error(404, "not_found");
    });
}

#[test]
fn deletion_requires_the_version_that_it_names() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let item = save_item(&app, &who, &json!({"content": "Words of a text that a person reads."})).await;
        let create = async |list: &str, body: Value| {
            let made = who.post(&app, list, &body).await.expect(201).json();
            format!("{list}/{}", made["object"]["id"].as_str().unwrap())
        };
        let note = create(NOTES, json!({"text": "Mine.", "itemId": item["id"]})).await;
        let highlight = create(HIGHLIGHTS, json!({"itemId": item["id"], "quote": "a person reads"})).await;
        // Another device changes the object after this device has read it.
        for (path, change) in [
            (note, json!({"text": "Rewritten."})),
            (highlight, json!({"note": "Rewritten."})),
            (item_path(&item), json!({"title": "Rewritten"})),
        ] {
            let stale = who.get(&app, &path).await.expect(200).header("etag").to_owned();
            let changed = send(&app, &who, Method::PATCH, &path, &change).await.expect(200);
            let delete = async |version: &str| {
                let headers = [("x-api-key", who.key.as_str()), ("if-match", version)];
                app.send(Method::DELETE, &path, &headers, None).await
            };
            delete(&stale).await.api_error(412, "precondition_failed");
            who.get(&app, &path).await.expect(200);
            delete(changed.header("etag")).await.expect(204);
            who.get(&app, &path).await.api_error(404, "not_found");
            delete("*").await.api_error(404, "not_found");
        }
    });
}

#[test]
fn highlights_are_anchored_to_their_quote() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.article("/town");
        let item = save_item(&app, &who, &json!({ "url": url })).await;
        let body = json!({"itemId": item["id"], "quote": "paragraph 2 of  market tells", "color": "green", "note": "Bread."});
        let made = who.post(&app, HIGHLIGHTS, &body).await.expect(201).json();
        let one = &made["object"];
        assert_eq!(
            (&one["anchorStatus"], &one["color"], &one["itemTitle"]),
            (&json!("exact"), &json!("green"), &item["title"])
        );
        assert!(one["startOffset"].as_i64().unwrap() > 0 && one["anchor"].is_i64());
        who.post(&app, HIGHLIGHTS, &body).await.expect(200);
        let lost = json!({"itemId": item["id"], "quote": "words that nobody wrote here"});
        let lost = who.post(&app, HIGHLIGHTS, &lost).await.expect(201).json();
        assert_eq!(
            (&lost["object"]["anchorStatus"], &lost["object"]["anchor"]),
            (&json!("orphaned"), &Value::Null)
        );
        let first = json!({"itemId": item["id"], "quote": "Paragraph 1 of Harbour"});
        who.post(&app, HIGHLIGHTS, &first).await.expect(201);
        let list = who.get(&app, &format!("{HIGHLIGHTS}?itemId={}", item["id"].as_str().unwrap())).await;
        let list = list.expect(200).json();
        let quotes: Vec<&str> =
            list["highlights"].as_array().unwrap().iter().map(|one| one["quote"].as_str().unwrap()).collect();
        assert_eq!(
            quotes,
            ["Paragraph 1 of Harbour", "paragraph 2 of  market tells", "words that nobody wrote here"]
        );
        // A new text of the item re-anchors its highlights. The quotes never change.
        let mark = who.get(&app, SYNC).await.expect(200).json()["nextCursor"].as_str().unwrap().to_owned();
        let newer = crate::support::site::article()
            .replace("<h1>A town", "<p>A new opening of some words stands here now.</p><h1>A town");
        app.site
            .put("/town", Reply::html(newer.replace("Paragraph 1 of Harbour", "Paragraph one of the Port")));
        app.clock.advance(61_000);
        who.post(&app, &format!("{}/refresh", item_path(&item)), &json!({})).await.expect(202);
        app.run_jobs().await;
        let path = format!("{HIGHLIGHTS}/{}", one["id"].as_str().unwrap());
        let moved = who.get(&app, &path).await.expect(200).json()["object"].clone();
        assert_eq!((&moved["anchorStatus"], &moved["quote"]), (&json!("exact"), &one["quote"]));
        let page = who.get(&app, &format!("{SYNC}?cursor={mark}")).await.expect(200).json();
        assert!(
            !refs(&page).contains(&lost["ref"].as_str().unwrap().to_owned()),
            "an unchanged highlight is not synchronized"
        );
        // Highlights remain when their item is deleted, and are attached again when it is saved again.
        who.send(&app, Method::DELETE, &item_path(&item)).await.expect(204);
        let alone = who.get(&app, &path).await.expect(200).json()["object"].clone();
        assert_eq!(
            (&alone["itemId"], &alone["itemTitle"], &alone["sourceUrl"]),
            (&Value::Null, &item["title"], &json!(url))
        );
        let again = save_item(&app, &who, &json!({ "url": url })).await;
        assert_ne!(again["id"], item["id"]);
        let back = who.get(&app, &path).await.expect(200).json()["object"].clone();
        assert_eq!((&back["itemId"], &back["anchorStatus"]), (&again["id"], &json!("exact")));
        let gone = format!("{}?annotations=delete", item_path(&again));
        who.send(&app, Method::DELETE, &gone).await.expect(204);
        who.get(&app, &path).await.api_error(404, "not_found");
    });
}

/// Saves a page, adds a highlight and a note to it, and deletes the item. Returns the paths of the highlight and the
/// note.
async fn annotate_and_delete(app: &TestApp, who: &Person, url: &str) -> [String; 2] {
    let item = save_item(app, who, &json!({ "url": url })).await;
    let highlight = json!({"itemId": item["id"], "quote": "Paragraph 1 of Harbour"});
    let highlight = who.post(app, HIGHLIGHTS, &highlight).await.expect(201).json()["object"].clone();
    assert_eq!(highlight["anchorStatus"], "exact");
    let note = json!({"itemId": item["id"], "text": "About the harbour."});
    let note = who.post(app, NOTES, &note).await.expect(201).json()["object"].clone();
    who.send(app, Method::DELETE, &item_path(&item)).await.expect(204);
    let path = |list: &str, object: &Value| format!("{list}/{}", object["id"].as_str().unwrap());
    [path(HIGHLIGHTS, &highlight), path(NOTES, &note)]
}

/// Asserts that the highlight and the note belong to the item, and that the highlight is anchored in its text.
async fn assert_attached(app: &TestApp, who: &Person, [highlight, note]: &[String; 2], item: &Value) {
    let highlight = who.get(app, highlight).await.expect(200).json()["object"].clone();
    assert_eq!((&highlight["itemId"], &highlight["anchorStatus"]), (&item["id"], &json!("exact")));
    let note = who.get(app, note).await.expect(200).json()["object"].clone();
    assert_eq!(note["itemId"], item["id"]);
}

#[test]
fn annotations_return_to_an_item_that_receives_the_url_of_a_deleted_item() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        // The item receives the URL from a redirect.
        let page = app.site.article("/harbour");
        let annotations = annotate_and_delete(&app, &who, &page).await;
        let link = app.site.put("/link", Reply::redirect("/harbour"));
        let item = save_item(&app, &who, &json!({ "url": link })).await;
        assert_eq!(item["url"], json!(page));
        assert_attached(&app, &who, &annotations, &item).await;
        // The item receives the URL from another save.
        let page = app.site.article("/old");
        let annotations = annotate_and_delete(&app, &who, &page).await;
        let moved = json!({"url": app.site.article("/new"), "externalId": "X"});
        let item = save_item(&app, &who, &moved).await;
        let again = who.post(&app, "/v1/library/items", &json!({"url": page, "externalId": "X"})).await;
        assert_eq!(again.expect(200).json()["item"]["id"], item["id"]);
        assert_attached(&app, &who, &annotations, &item).await;
    });
}

#[test]
fn tags_are_counted_renamed_and_deleted() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let one = save_item(&app, &who, &json!({"content": "One.", "tags": ["Desk", "Quiet"]})).await;
        save_item(&app, &who, &json!({"content": "Two.", "tags": ["desk", "Desks"]})).await;
        who.post(&app, NOTES, &json!({"text": "Three.", "tags": ["DESK"]})).await.expect(201);
        let list = who.get(&app, "/v1/library/tags").await.expect(200).json();
        let tags = json!([{"name": "Desk", "count": 2}, {"name": "Desks", "count": 1}, {"name": "Quiet", "count": 1}]);
        assert_eq!(list, json!({"tags": tags, "nextCursor": null}));
        let page = who.get(&app, "/v1/library/tags?limit=1&prefix=DE").await.expect(200).json();
        let cursor = page["nextCursor"].as_str().unwrap();
        let page = who.get(&app, &format!("/v1/library/tags?limit=1&prefix=DE&cursor={cursor}")).await;
        assert_eq!(page.expect(200).json()["tags"][0]["name"], "Desks");
        let renamed =
            who.post(&app, "/v1/library/tags/rename", &json!({"from": "desk", "to": "desks"})).await;
        assert_eq!(renamed.expect(200).json(), json!({"updated": 3}));
        let list = who.get(&app, "/v1/library/tags").await.expect(200).json();
        assert_eq!(list["tags"], json!([{"name": "Desks", "count": 2}, {"name": "Quiet", "count": 1}]));
        let matches = who.get(&app, "/v1/library/objects?query=tag:desks").await.expect(200).json();
        assert_eq!(matches["total"], 3);
        let matches = who.get(&app, "/v1/library/objects?query=desks").await.expect(200).json();
        assert_eq!(matches["total"], 3, "the new word is found");
        who.post(&app, "/v1/library/tags/delete", &json!({"name": "DESKS"})).await.expect(200);
        let item = who.get(&app, &item_path(&one)).await.expect(200).json();
        assert_eq!(item["item"]["tags"], json!(["Quiet"]));
    });
}

#[test]
fn sync_client_misses_no_change_between_pages() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let mut items = Vec::new();
        for number in 0..5 {
            app.clock.advance(5);
            items.push(
                save_item(
                    &app,
                    &who,
                    &json!({"content": format!("Text {number}."), "metadata": {"n": number}}),
                )
                .await,
            );
        }
        who.send(&app, Method::DELETE, &item_path(&items[4])).await.expect(204);
        let reference = |item: &Value| format!("item:{}", item["id"].as_str().unwrap());
        let first = who.get(&app, &format!("{SYNC}?limit=2&includeContent=true")).await.expect(200).json();
        assert_eq!(refs(&first), [reference(&items[0]), reference(&items[1])]);
        assert_eq!(first["changes"][0]["object"]["article"]["textContent"], "Text 0.");
        assert_eq!(first["changes"][0]["object"]["metadata"], json!({"n": 0}));
        // During the walk, an item that was already delivered changes, and an item that was not yet delivered
        // is deleted.
        send(&app, &who, Method::PATCH, &item_path(&items[0]), &json!({"status": "later"})).await.expect(200);
        who.send(&app, Method::DELETE, &item_path(&items[2])).await.expect(204);
        let cursor = first["nextCursor"].as_str().unwrap();
        let rest = who.get(&app, &format!("{SYNC}?cursor={cursor}")).await.expect(200).json();
        assert_eq!(
            refs(&rest),
            [reference(&items[3]), reference(&items[0]), format!("-{}", reference(&items[2]))]
        );
        assert_eq!(rest["hasMore"], false);
        let cursor = rest["nextCursor"].as_str().unwrap().to_owned();
        let none = who.get(&app, &format!("{SYNC}?cursor={cursor}")).await.expect(200).json();
        assert_eq!((refs(&none), &none["hasMore"]), (vec![], &json!(false)));
        other.get(&app, &format!("{SYNC}?cursor={cursor}")).await.api_error(422, "invalid_cursor");
        who.get(&app, &format!("{SYNC}?cursor={cursor}&types=note")).await.api_error(422, "cursor_mismatch");
        // Deletions are recorded for half a year. Older cursors are refused.
        app.clock.advance(181 * 86_400_000);
        save_item(&app, &who, &json!({"content": "Much later."})).await;
        app.clean_up().await;
        let old = first["nextCursor"].as_str().unwrap();
        who.get(&app, &format!("{SYNC}?cursor={old}")).await.api_error(410, "cursor_expired");
        library::sync::begin_new_history(&app.app.domain).await.unwrap();
        who.get(&app, &format!("{SYNC}?cursor={cursor}")).await.api_error(410, "cursor_expired");
        let restarted = who.get(&app, SYNC).await.expect(200).json();
        assert_eq!(restarted["changes"].as_array().unwrap().len(), 4);
    });
}

async fn entry_of(app: &TestApp, who: &Person) -> Value {
    let item = format!(
        "<item><title>Note 1</title><link>{}</link><guid>g1</guid></item>",
        app.site.article("/note")
    );
    let list = format!("<rss version=\"2.0\"><channel><title>Harbour</title>{item}</channel></rss>");
    let url = app.site.put("/feed.xml", Reply::bytes("application/rss+xml", list.into_bytes()));
    who.post(app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
    poll(app).await;
    who.get(app, "/v1/rss/entries").await.expect(200).json()["entries"][0].clone()
}

#[test]
fn feed_entry_is_saved_as_an_item() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let entry = entry_of(&app, &who).await;
        let path = format!("/v1/rss/entries/{}/save", entry["id"]);
        let made = who.send(&app, Method::POST, &path).await.expect(201).json();
        let item = &made["item"];
        assert_eq!(
            (&item["title"], &item["captureMethod"], &item["url"]),
            (&json!("Note 1"), &json!("rss"), &entry["url"])
        );
        let again = who.send(&app, Method::POST, &path).await.expect(200).json();
        assert_eq!(again["item"]["id"], item["id"]);
        other.send(&app, Method::POST, &path).await.api_error(404, "not_found");
    });
}
