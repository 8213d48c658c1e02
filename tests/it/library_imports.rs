//! Imports into the library through HTTP: dry run, import, repeated import, undo, and import of an export.

use std::io::{Cursor, Write};

use kernel::tiers::Tier;
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::support::browser::Browser;
use crate::support::form::{Field, with_form};
use crate::support::person::Person;
use crate::support::{HttpAnswer, Setup, TestApp, World, on_each_world, run};

const POCKET: &str = "title,url,time_added,tags,status\n\
    One,https://example.org/one,1704067200,a|b,archive\nTwo,https://example.org/two,1704153600,,unread\n\
    Bad,javascript:alert(1),1704153600,,unread\nInner,http://192.168.0.1/x,1704153600,,unread\n";

pub(crate) async fn send(
    app: &TestApp,
    who: &Person,
    body: Vec<u8>,
    fields: &[(&'static str, &'static str)],
) -> HttpAnswer {
    let mut parts: Vec<Field<'_>> =
        fields.iter().map(|(name, value)| Field { name, file: None, body: value.as_bytes() }).collect();
    parts.push(Field { name: "file", file: Some(("file", "application/octet-stream")), body: &body });
    let request = app.request(Method::POST, "/v1/library/imports").header("x-api-key", &who.key);
    let request = with_form(request, &parts);
    HttpAnswer::of(request.send().await.unwrap()).await
}

/// Starts a dry run and returns the id of the import.
pub(crate) async fn imported(app: &TestApp, who: &Person, text: &str) -> String {
    let made = send(app, who, text.as_bytes().to_vec(), &[]).await.expect(202).json();
    assert_eq!((&made["import"]["dryRun"], &made["import"]["total"]), (&json!(true), &Value::Null));
    made["import"]["id"].as_str().unwrap().to_owned()
}

pub(crate) async fn state(app: &TestApp, who: &Person, id: &str) -> Value {
    app.run_jobs().await;
    who.get(app, &format!("/v1/library/imports/{id}")).await.expect(200).json()["import"].clone()
}

pub(crate) fn counts(import: &Value) -> [i64; 4] {
    ["created", "existing", "skipped", "failed"].map(|name| import[name].as_i64().unwrap())
}

pub(crate) async fn items(app: &TestApp, who: &Person) -> Vec<Value> {
    let list =
        who.get(app, "/v1/library/items?includeMetadata=true&includeContent=true").await.expect(200).json();
    list["items"].as_array().unwrap().clone()
}

#[test]
fn import_runs_after_its_dry_run_and_can_be_undone() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let id = imported(&app, &who, POCKET).await;
        let tried = state(&app, &who, &id).await;
        assert_eq!(
            (&tried["state"], &tried["format"], &tried["total"]),
            (&json!("complete"), &json!("pocket_csv"), &json!(4))
        );
        assert_eq!(counts(&tried), [3, 0, 1, 0], "{tried}");
        assert_eq!(items(&app, &who).await, Vec::<Value>::new(), "a dry run writes nothing");

        let path = format!("/v1/library/imports/{id}");
        other.get(&app, &path).await.expect(404);
        other.post(&app, &format!("{path}/start"), &json!({})).await.expect(404);
        who.post(&app, &format!("{path}/start"), &json!({})).await.expect(202);
        let done = state(&app, &who, &id).await;
        assert_eq!((&done["dryRun"], &done["state"]), (&json!(false), &json!("complete")));
        assert_eq!(counts(&done), [3, 0, 1, 0], "{done}");
        let problems: Vec<&Value> =
            done["problems"].as_array().unwrap().iter().map(|problem| &problem["code"]).collect();
        assert_eq!(problems, [&json!("invalid_url"), &json!("url_not_allowed")]);
        let list = items(&app, &who).await;
        let one = list.iter().find(|item| item["title"] == "One").unwrap();
        assert_eq!(
            (&one["status"], &one["tags"], &one["savedAt"]),
            (&json!("archive"), &json!(["a", "b"]), &json!("2024-01-01T00:00:00.000Z"))
        );
        assert_eq!(
            (&one["captureMethod"], &one["classification"]["method"]),
            (&json!("import"), &json!("legacy"))
        );
        let inner = list.iter().find(|item| item["title"] == "Inner").unwrap();
        assert_eq!(
            (&inner["articleStatus"], &inner["articleError"]),
            (&json!("failed"), &json!("url_not_allowed"))
        );

        // A second import duplicates nothing. Deleted items are restored only if the request says so.
        let item = format!("/v1/library/items/{}", one["id"].as_str().unwrap());
        app.send(Method::DELETE, &item, &[("x-api-key", &who.key)], None).await.expect(204);
        let again = send(&app, &who, POCKET.into(), &[("dryRun", "false")]).await.expect(202).json();
        let again = state(&app, &who, again["import"]["id"].as_str().unwrap()).await;
        assert_eq!(counts(&again), [0, 2, 2, 0], "{again}");
        let back = send(&app, &who, POCKET.into(), &[("dryRun", "false"), ("includeDeleted", "true")]).await;
        let back = back.expect(202).json();
        let back = state(&app, &who, back["import"]["id"].as_str().unwrap()).await;
        assert_eq!(counts(&back), [1, 2, 1, 0], "{back}");

        // Undo deletes only items that have not changed since the import.
        let two = list.iter().find(|item| item["title"] == "Two").unwrap()["id"].clone();
        let change = json!({"ids": [two], "changes": {"status": "archive"}});
        let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
        app.send(Method::PATCH, "/v1/library/items", &headers, Some(change.to_string())).await.expect(200);
        app.send(Method::DELETE, &format!("{path}?undo=true"), &headers[..1], None).await.expect(204);
        let titles: Vec<Value> =
            items(&app, &who).await.into_iter().map(|item| item["title"].clone()).collect();
        assert_eq!(titles, [json!("Two"), json!("One")]);
    });
}

#[test]
fn export_can_be_imported_into_another_library() {
    on_each_world(async |app| {
        let (who, heir) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let text = json!({"url": "https://example.org/kept", "content": "<h1>Title</h1><p>Words that are <b>kept</b>, \u{fc}ber.</p>",
            "tags": ["One", "two"], "status": "archive", "externalId": "x-1", "metadata": {"a": {"b": [1, "c"]}}, "author": "Ada"});
        who.post(&app, "/v1/library/items", &text).await.expect(201);
        let file =
            who.post(&app, "/v1/library/items", &json!({"fileName": "n.txt"})).await.expect(201).json();
        let path = format!("/v1/library/items/{}/file", file["item"]["id"].as_str().unwrap());
        let request =
            app.request(Method::PUT, &path).header("x-api-key", &who.key).body("Some words in a file.");
        HttpAnswer::of(request.send().await.unwrap()).await.expect(201);
        app.tick().await;
        app.run_jobs().await;
        let export = who.post(&app, "/v1/library/exports", &json!({})).await.expect(202).json();
        app.run_jobs().await;
        let path = format!("/v1/library/exports/{}/file", export["export"]["id"].as_str().unwrap());
        let zip = app.send(Method::GET, &path, &[("x-api-key", &who.key)], None).await.expect(200).body;

        for counted in [[2, 0, 0, 0], [0, 2, 0, 0]] {
            let made = send(&app, &heir, zip.clone(), &[("dryRun", "false")]).await.expect(202).json();
            let done = state(&app, &heir, made["import"]["id"].as_str().unwrap()).await;
            assert_eq!((&done["format"], &done["problems"]), (&json!("svc_jsonl"), &json!([])), "{done}");
            assert_eq!(counts(&done), counted, "{done}");
        }
        let plain = |mut items: Vec<Value>| {
            for item in &mut items {
                let of = item.as_object_mut().unwrap();
                for name in ["id", "updatedAt"] {
                    of.remove(name);
                }
                if of["url"].as_str().unwrap().starts_with("urn:") {
                    of.remove("url");
                }
                for name in ["itemId", "resourceUri", "downloadUrl", "updatedAt"] {
                    of["asset"].as_object_mut().map(|asset| asset.remove(name));
                }
            }
            items.sort_by_key(|item| item["title"].to_string());
            items
        };
        let (mine, theirs) = (plain(items(&app, &who).await), plain(items(&app, &heir).await));
        assert_eq!(theirs, mine);
    });
}

#[test]
fn hostile_files_fail_and_leave_no_data() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        send(&app, &who, b"just words".to_vec(), &[]).await.expect(422);
        send(&app, &who, POCKET.into(), &[("format", "nothing")]).await.expect(422);
        send(&app, &who, POCKET.into(), &[("dryRun", "perhaps")]).await.expect(422);
        let zipped = |name: &str, bytes: &[u8]| {
            let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
            zip.finish().unwrap().into_inner()
        };
        let bomb = zipped("items/1.jsonl", &vec![b' '; 40 * 1024 * 1024]);
        let path = zipped("../manifest.json", b"{}");
        let odd = zipped("words.txt", b"words");
        for (file, code) in [
            (bomb, "content_too_large"),
            (path, "unreadable_file"),
            (odd, "unknown_format"),
            (b"PK\x03\x04".to_vec(), "unreadable_file"),
        ] {
            let made = send(&app, &who, file, &[("dryRun", "false")]).await.expect(202).json();
            let failed = state(&app, &who, made["import"]["id"].as_str().unwrap()).await;
            assert_eq!(
                (&failed["state"], &failed["errorCode"]),
                (&json!("failed"), &json!(code)),
                "{failed}"
            );
        }
        assert_eq!(items(&app, &who).await, Vec::<Value>::new());
    });
}

#[test]
fn undone_import_can_be_imported_again() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        for round in 0..2 {
            let made = send(&app, &who, POCKET.into(), &[("dryRun", "false")]).await.expect(202).json();
            let id = made["import"]["id"].as_str().unwrap().to_owned();
            assert_eq!(counts(&state(&app, &who, &id).await), [3, 0, 1, 0], "round {round}");
            let path = format!("/v1/library/imports/{id}?undo=true");
            who.send(&app, Method::DELETE, &path).await.expect(204);
            assert_eq!(items(&app, &who).await, Vec::<Value>::new());
        }
    });
}

#[test]
fn omnivore_archive_imports_texts_and_highlights() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let rows = json!([
            {"id": "u1", "slug": "desks", "title": "On desks", "url": "https://example.org/desks",
                "savedAt": "2024-01-01T00:00:00.000Z", "state": "Active", "labels": ["work"]},
            {"id": "u2", "slug": "none", "title": "Nothing", "url": "https://example.org/none", "savedAt": "2024-01-02"},
        ]);
        let html = "<html><body><ul><li><a href=\"https://example.org/x\">A list, and no bookmarks</a></li></ul>\
            <p>A carrel is a small desk for one quiet reader.</p><p>It stands in a library.</p></body></html>";
        let marks = "> small desk for one \n\n#to read\n\nMine is smaller.\n\n> not in the text \n\nOf the whole.\n\n";
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in [
            ("metadata_0_to_2.json", rows.to_string().as_str()),
            ("content/desks.html", html),
            ("highlights/desks.md", marks),
        ] {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        let file = zip.finish().unwrap().into_inner();
        for counted in [[2, 0, 0, 0], [0, 2, 0, 0]] {
            let made = send(&app, &who, file.clone(), &[("dryRun", "false")]).await.expect(202).json();
            let done = state(&app, &who, made["import"]["id"].as_str().unwrap()).await;
            assert_eq!((&done["format"], &done["problems"]), (&json!("omnivore_json"), &json!([])), "{done}");
            assert_eq!((counts(&done), &done["total"]), (counted, &json!(2)), "{done}");
            assert_eq!(done["highlights"], json!(if counted[0] == 2 { 3 } else { 0 }));
        }
        let list = items(&app, &who).await;
        let desks = list.iter().find(|item| item["title"] == "On desks").unwrap();
        assert!(
            desks["article"]["textContent"].as_str().unwrap().contains("A carrel is a small desk"),
            "{desks}"
        );
        assert_eq!((&desks["articleStatus"], &desks["tags"]), (&json!("ready"), &json!(["work"])));
        let path = format!("/v1/library/highlights?itemId={}", desks["id"].as_str().unwrap());
        let marked = who.get(&app, &path).await.expect(200).json()["highlights"].clone();
        let imported_highlights: Vec<[&Value; 4]> = marked
            .as_array()
            .unwrap()
            .iter()
            .map(|one| ["quote", "anchorStatus", "note", "tags"].map(|name| &one[name]))
            .collect();
        assert_eq!(
            imported_highlights,
            [
                [
                    &json!("small desk for one"),
                    &json!("exact"),
                    &json!("Mine is smaller."),
                    &json!(["to read"])
                ],
                [&json!("not in the text"), &json!("orphaned"), &Value::Null, &json!([])],
            ]
        );
        let notes = who.get(&app, "/v1/library/notes").await.expect(200).json();
        assert_eq!(notes["notes"][0]["text"], "Of the whole.", "{notes}");
    });
}

#[test]
fn dry_run_of_many_rows_counts_repeated_rows_like_the_import() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let row = |n: u32| format!("https://example.org/{},Title {n}\n", n % 130);
        let links: String = (0..250).map(row).collect();
        let clipping = |n: u32| {
            format!(
                "Desks (Ada)\n- Your Highlight on page {n} | Location {n} | Added on Monday, January 1, 2024\n\nWords {}\n==========\n",
                n % 180
            )
        };
        let clippings: String = (1..=240).map(clipping).collect();
        let files = [(format!("url,title\n{links}"), [130, 120, 0, 0], 0), (clippings, [1, 60, 0, 0], 180)];
        for (file, expected, highlights) in files {
            let tried = import_now(&app, &who, file.as_bytes(), &[("dryRun", "true")]).await;
            assert_eq!((counts(&tried), &tried["highlights"]), (expected, &json!(highlights)), "{tried}");
            let done = import_now(&app, &who, file.as_bytes(), &[("dryRun", "false")]).await;
            assert_eq!((counts(&done), &done["highlights"]), (expected, &json!(highlights)), "{done}");
        }
    });
}

#[test]
fn highlights_beyond_the_limit_are_reported() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let book = |words: &[&str]| {
            let rows: Vec<String> = words.iter().map(|word| format!("{word},Desks,Ada,B1\n")).collect();
            format!("Highlight,Book Title,Book Author,Amazon Book ID\n{}", rows.concat()).into_bytes()
        };
        let no_dry = [("dryRun", "false")];
        let made = send(&app, &who, book(&["One"]), &no_dry).await.expect(202).json();
        state(&app, &who, made["import"]["id"].as_str().unwrap()).await;
        let backend = app.app.domain.db().backend();
        let (id, series) = (kernel::testing::random_id(backend), kernel::testing::series(backend, 4_998));
        let columns = "account_id, sequence, item_id, quote, prefix, suffix, color, anchor_status, stored_bytes, \
            created_at, updated_at";
        let sql = format!(
            "INSERT INTO library_highlight (id, {columns}) SELECT {id}, {columns} FROM library_highlight, {series}"
        );
        app.app.domain.db().write().execute_unprepared(&sql).await.unwrap();
        let made = send(&app, &who, book(&["One", "Two", "Three", "Four"]), &no_dry).await.expect(202).json();
        let done = state(&app, &who, made["import"]["id"].as_str().unwrap()).await;
        assert_eq!((&done["state"], &done["highlights"]), (&json!("complete"), &json!(1)), "{done}");
        let problems: Vec<[&Value; 2]> = done["problems"]
            .as_array()
            .unwrap()
            .iter()
            .map(|problem| [&problem["row"], &problem["code"]])
            .collect();
        assert_eq!(problems, [[&json!(3), &json!("limit_reached")], [&json!(4), &json!("limit_reached")]]);

        // A retry reads only the rows that exceeded the limit.
        let id = made["import"]["id"].as_str().unwrap();
        let deleted = "DELETE FROM library_highlight WHERE quote = 'One'";
        app.app.domain.db().write().execute_unprepared(deleted).await.unwrap();
        who.post(&app, &format!("/v1/library/imports/{id}/retry"), &json!({})).await.expect(202);
        let done = state(&app, &who, id).await;
        assert_eq!((&done["highlights"], &done["problems"]), (&json!(3), &json!([])), "{done}");
        assert_eq!((&done["state"], counts(&done)), (&json!("complete"), [0, 1, 0, 0]), "{done}");
        let rows = rows_of(&app, &who, id, "?outcome=problems").await;
        assert_eq!(rows["rows"], json!([]));
    });
}

/// Returns a file with one item that has more tags than are allowed.
fn too_many_tags() -> String {
    let tags: Vec<String> = (0..=kernel::bounds::OBJECT_TAGS).map(|tag| format!("t{tag}")).collect();
    format!(
        "title,url,time_added,tags,status\nOne,https://example.org/one,1704067200,{},unread\n",
        tags.join("|")
    )
}

#[test]
fn retried_row_that_created_its_item_is_reported_as_created() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let made = import_now(&app, &who, too_many_tags().as_bytes(), &[]).await;
        assert_eq!((counts(&made), &made["problems"][0]["code"]), ([1, 0, 0, 0], &json!("limit_reached")));
        let id = made["id"].as_str().unwrap();
        for _ in 0..2 {
            who.post(&app, &format!("/v1/library/imports/{id}/retry"), &json!({})).await.expect(202);
            let done = state(&app, &who, id).await;
            assert_eq!((&done["state"], counts(&done)), (&json!("complete"), [1, 0, 0, 0]), "{done}");
            assert_eq!(done["problems"].as_array().unwrap().len(), 1, "{done}");
            let rows = rows_of(&app, &who, id, "").await;
            assert_eq!(rows["rows"][0]["outcome"], "created", "{rows}");
        }
    });
}

#[test]
fn retry_without_stored_results_is_refused_with_the_reason() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let made = import_now(&app, &who, too_many_tags().as_bytes(), &[]).await;
        let deleted = "DELETE FROM library_import_report";
        app.app.domain.db().write().execute_unprepared(deleted).await.unwrap();
        let id = made["id"].as_str().unwrap();
        let path = format!("/v1/library/imports/{id}/retry");
        let refused = who.post(&app, &path, &json!({})).await.api_error(404, "not_found");
        assert!(refused["error"].as_str().unwrap().contains("are no longer stored"), "{refused}");

        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let page = format!("/library/import/{id}");
        browser.open(&page).await.expect(200);
        let retried = browser.submit(&page, &[("act", "retry")]).await.expect(303);
        let text = browser.open(retried.header("location")).await.expect(200).text();
        assert!(text.contains("the list of its rows is no longer stored"), "{text}");
    });
}

/// Returns a page of an import's rows.
async fn rows_of(app: &TestApp, who: &Person, id: &str, query: &str) -> Value {
    who.get(app, &format!("/v1/library/imports/{id}/rows{query}")).await.expect(200).json()
}

#[test]
fn rows_of_an_import_are_listed_with_their_results() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let id = imported(&app, &who, POCKET).await;
        state(&app, &who, &id).await;
        let tried = rows_of(&app, &who, &id, "").await;
        let outcomes = |page: &Value| -> Vec<Value> {
            page["rows"].as_array().unwrap().iter().map(|row| row["outcome"].clone()).collect()
        };
        assert_eq!(outcomes(&tried), ["created", "created", "skipped", "created"]);
        assert_eq!(tried["rows"][0]["itemId"], Value::Null, "a dry run has no items");
        assert_eq!(
            (&tried["rows"][2]["title"], &tried["rows"][2]["url"], &tried["rows"][2]["problems"][0]["code"]),
            (&json!("Bad"), &json!("javascript:alert(1)"), &json!("invalid_url"))
        );

        let path = format!("/v1/library/imports/{id}");
        who.post(&app, &format!("{path}/start"), &json!({})).await.expect(202);
        state(&app, &who, &id).await;
        let first = rows_of(&app, &who, &id, "?limit=3").await;
        assert!(first["rows"][0]["itemId"].is_string() && first["rows"].as_array().unwrap().len() == 3);
        let next = format!("?limit=3&cursor={}", first["nextCursor"].as_str().unwrap());
        let last = rows_of(&app, &who, &id, &next).await;
        assert_eq!((&last["rows"][0]["row"], &last["nextCursor"]), (&json!(4), &Value::Null));
        let skipped = rows_of(&app, &who, &id, "?outcome=skipped").await;
        assert_eq!((outcomes(&skipped), &skipped["rows"][0]["row"]), (vec![json!("skipped")], &json!(3)));
        let report = who.get(&app, &format!("{path}/report")).await.expect(200);
        assert_eq!(report.header("content-type"), "text/csv; charset=utf-8");
        let text = report.text();
        assert_eq!(text.lines().count(), 5, "{text}");
        assert!(text.contains("3,skipped,Bad,javascript:alert(1),,invalid_url,"), "{text}");

        for operation in ["rows", "report"] {
            app.get(&format!("{path}/{operation}")).await.expect(401);
            other.get(&app, &format!("{path}/{operation}")).await.expect(404);
        }
        who.get(&app, &format!("{path}/rows?outcome=perhaps")).await.expect(422);
        who.get(&app, &format!("{path}/rows?cursor=none")).await.expect(422);
        other.post(&app, &format!("{path}/retry"), &json!({})).await.expect(404);
        // No row of this import can be retried.
        let same = who.post(&app, &format!("{path}/retry"), &json!({})).await.expect(202).json();
        assert_eq!(same["import"]["state"], "complete");
    });
}

#[test]
fn columns_of_a_table_can_be_chosen() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let table = "Seite;Inhalt;Themen\nhttps://example.org/1;One;a\n";
        let proposed = import_now(&app, &who, table.as_bytes(), &[("dryRun", "true")]).await;
        assert_eq!(counts(&proposed), [1, 0, 0, 0], "{proposed}");
        assert_eq!(proposed["columns"][0], json!({"name": "Seite", "field": "url"}));
        let map = [("map", "title=Inhalt,tags=Themen")];
        let done = import_now(&app, &who, table.as_bytes(), &map).await;
        assert_eq!((&done["format"], counts(&done)), (&json!("csv"), [1, 0, 0, 0]), "{done}");
        let list = items(&app, &who).await;
        assert_eq!((&list[0]["title"], &list[0]["tags"]), (&json!("One"), &json!(["a"])));
        for (file, map) in [(table, "link=Seite"), (table, "url"), (POCKET, "url=url")] {
            let fields = [("map", map), ("format", if file == POCKET { "pocket_csv" } else { "auto" })];
            send(&app, &who, file.as_bytes().to_vec(), &fields).await.expect(422);
        }
    });
}

#[test]
fn large_import_is_undone_by_a_job() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let rows: Vec<String> = (0..1_050).map(|row| format!("https://example.org/{row}\n")).collect();
        let done = import_now(&app, &who, rows.concat().as_bytes(), &[]).await;
        assert_eq!(counts(&done), [1_050, 0, 0, 0], "{done}");
        let path = format!("/v1/library/imports/{}", done["id"].as_str().unwrap());
        who.send(&app, Method::DELETE, &format!("{path}?undo=true")).await.expect(204);
        let undone = state(&app, &who, done["id"].as_str().unwrap()).await;
        assert_eq!(undone["undone"], json!(true));
        assert_eq!(items(&app, &who).await, Vec::<Value>::new());
        // Undoing an import twice has no further effect.
        who.send(&app, Method::DELETE, &format!("{path}?undo=true")).await.expect(204);
    });
}

#[test]
fn file_for_another_operation_is_refused_with_the_path_of_that_operation() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        for (file, words) in [
            ("<?xml version=\"1.0\"?><opml version=\"2.0\"><body/></opml>", "POST /v1/rss/opml"),
            ("<?xml version=\"1.0\"?><rss version=\"2.0\"></rss>", "POST /v1/rss/subscriptions"),
            ("%PDF-1.7\n1 0 obj", "POST /v1/library/items"),
        ] {
            for format in ["auto", "netscape"] {
                let fields = [("format", format)];
                let refused = send(&app, &who, file.as_bytes().to_vec(), &fields).await.expect(422).text();
                assert!(refused.contains(words), "{refused}");
            }
        }
    });
}

#[test]
fn dead_import_job_fails_its_import_and_the_next_import_runs() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let mut app = Setup::on(World::Small).with_files_in(folder.path()).idle().spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        let no_dry = [("dryRun", "false")];
        let lost = send(&app, &who, POCKET.into(), &no_dry).await.expect(202).json();
        for account in std::fs::read_dir(folder.path()).unwrap() {
            std::fs::remove_dir_all(account.unwrap().path()).unwrap();
        }
        app.start_workers().await;
        let id = lost["import"]["id"].as_str().unwrap();
        for _ in 0..6 {
            app.clock.advance(3_600_000);
            app.tick().await;
            app.run_jobs().await;
        }
        let failed = state(&app, &who, id).await;
        assert_eq!(
            (&failed["state"], &failed["errorCode"]),
            (&json!("failed"), &json!("service_unavailable"))
        );
        let next = send(&app, &who, POCKET.into(), &no_dry).await.expect(202).json();
        let done = state(&app, &who, next["import"]["id"].as_str().unwrap()).await;
        assert_eq!((&done["state"], &done["created"]), (&json!("complete"), &json!(3)), "{done}");
    });
}

#[test]
fn password_of_a_bookmark_is_not_stored() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let rows = json!([{"is_archived": 0, "id": 1, "url": "https://me:secret@example.org/x", "title": "https://me:secret@example.org/x",
            "given_url": "https://me:secret@example.org/x?utm_source=a", "origin_url": "https:me:secret@example.org"}]);
        let no_dry = [("dryRun", "false")];
        let made = send(&app, &who, rows.to_string().into_bytes(), &no_dry).await.expect(202).json();
        let done = state(&app, &who, made["import"]["id"].as_str().unwrap()).await;
        assert_eq!(
            (&done["created"], &done["problems"][0]["code"]),
            (&json!(1), &json!("invalid_url")),
            "{done}"
        );
        let list = items(&app, &who).await;
        assert_eq!(
            (&list[0]["url"], &list[0]["originalUrl"]),
            (&json!("https://example.org/x"), &Value::Null)
        );
        assert!(!list[0].to_string().contains("secret"), "{}", list[0]);

        // A migration removes passwords that an earlier version stored.
        let db = app.app.domain.db().write();
        let stored = "UPDATE library_item SET original_url = 'https://me:secret@example.org/x', \
            metadata = '{\"a\": {\"b\": \"https://me:se@cret@example.org/x?u=a@b\"}}'";
        db.execute_unprepared(stored).await.unwrap();
        let forgotten = "DELETE FROM seaql_migrations WHERE version = 'm20261126_000600_url_passwords'";
        db.execute_unprepared(forgotten).await.unwrap();
        migrations::run(db).await.unwrap();
        let list = items(&app, &who).await;
        assert_eq!(
            (&list[0]["originalUrl"], &list[0]["metadata"]["a"]["b"]),
            (&Value::Null, &json!("https://example.org/x?u=a@b"))
        );
    });
}

#[test]
fn password_in_the_metadata_of_an_exported_item_is_removed_and_reported() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let item = json!({"url": "https://example.org/1", "content": "Words.",
            "metadata": {"mirror": "https://me:secret@example.org/x"}});
        who.post(&app, "/v1/library/items", &item).await.expect(201);
        let body = json!({"format": "svc_jsonl"});
        let export = who.post(&app, "/v1/library/exports", &body).await.expect(202).json();
        app.run_jobs().await;
        let path = format!("/v1/library/exports/{}/file", export["export"]["id"].as_str().unwrap());
        let file = who.get(&app, &path).await.expect(200).body;
        let heir = Person::on(&app, Tier::Pro).await;
        let done = import_now(&app, &heir, &file, &[]).await;
        let problems = done["problems"].as_array().unwrap();
        assert_eq!((counts(&done), problems.len()), ([1, 0, 0, 0], 1), "{done}");
        assert_eq!(problems[0]["code"], "left_out", "{done}");
        let list = items(&app, &heir).await;
        assert_eq!(list[0]["metadata"]["mirror"], "https://example.org/x", "{}", list[0]);
    });
}

/// Imports a file without a dry run, and returns the finished import.
pub(crate) async fn import_now(
    app: &TestApp,
    who: &Person,
    file: &[u8],
    fields: &[(&'static str, &'static str)],
) -> Value {
    let fields: Vec<(&str, &str)> = [("dryRun", "false")].iter().chain(fields).copied().collect();
    let made = send(app, who, file.to_vec(), &fields).await.expect(202).json();
    state(app, who, made["import"]["id"].as_str().unwrap()).await
}

#[test]
fn exported_tables_and_bookmarks_can_be_imported_again() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let item = json!({"url": "https://example.org/1", "title": "=One", "tags": ["a,b", "c"], "status": "later", "content": "Words."});
        let made = who.post(&app, "/v1/library/items", &item).await.expect(201).json();
        let note = json!({"itemId": made["item"]["id"], "text": "First line\n\nSecond line"});
        who.post(&app, "/v1/library/notes", &note).await.expect(201);
        for format in ["csv", "netscape"] {
            let export =
                who.post(&app, "/v1/library/exports", &json!({"format": format})).await.expect(202).json();
            app.run_jobs().await;
            let path = format!("/v1/library/exports/{}/file", export["export"]["id"].as_str().unwrap());
            let file = app.send(Method::GET, &path, &[("x-api-key", &who.key)], None).await.expect(200).body;
            let heir = Person::on(&app, Tier::Pro).await;
            let done = import_now(&app, &heir, &file, &[]).await;
            assert_eq!((&done["format"], counts(&done)), (&json!(format), [1, 0, 0, 0]), "{done}");
            let list = items(&app, &heir).await;
            assert_eq!(
                (&list[0]["title"], &list[0]["status"], &list[0]["tags"]),
                (&json!("=One"), &json!("later"), &json!(["a,b", "c"]))
            );
            let notes = heir.get(&app, "/v1/library/notes").await.expect(200).json();
            assert_eq!(notes["notes"][0]["text"], "First line\n\nSecond line", "{notes}");
            // The exported library already contains the note.
            let again = import_now(&app, &who, &file, &[]).await;
            assert_eq!((counts(&again), &again["highlights"]), ([0, 1, 0, 0], &json!(0)), "{again}");
        }
    });
}

#[test]
fn tags_with_brackets_and_quotation_marks_survive_tables_and_bookmarks() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let tags = ["\"x\"", "'x", "[\"x\"]", "[x]", "say \"x\""];
        for (number, tag) in tags.iter().enumerate() {
            let item =
                json!({"url": format!("https://example.org/{number}"), "tags": [tag], "content": "Words."});
            who.post(&app, "/v1/library/items", &item).await.expect(201);
        }
        for format in ["csv", "netscape"] {
            let export =
                who.post(&app, "/v1/library/exports", &json!({"format": format})).await.expect(202).json();
            app.run_jobs().await;
            let path = format!("/v1/library/exports/{}/file", export["export"]["id"].as_str().unwrap());
            let file = app.send(Method::GET, &path, &[("x-api-key", &who.key)], None).await.expect(200).body;
            let heir = Person::on(&app, Tier::Pro).await;
            let done = import_now(&app, &heir, &file, &[]).await;
            assert_eq!(counts(&done), [5, 0, 0, 0], "{done}");
            let mut list = items(&app, &heir).await;
            list.sort_by_key(|item| item["url"].to_string());
            let imported: Vec<&Value> = list.iter().map(|item| &item["tags"]).collect();
            assert_eq!(imported, tags.map(|tag| json!([tag])).iter().collect::<Vec<_>>(), "{format}");
        }
    });
}

#[test]
fn exported_bookmarks_are_in_their_folders_with_their_status() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let bookmarks = "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>\
            <DT><H3>Work</H3><DL><p><DT><A HREF=\"https://example.org/1\">One</A>\
            <DT><H3>A &amp; B</H3><DL><p><DT><A HREF=\"https://example.org/2\" ARCHIVED=\"1\">Two</A></DL></DL>\
            <DT><A HREF=\"https://example.org/3\">Three</A><DT><H3>Work</H3><DL><p>\
            <DT><A HREF=\"https://example.org/4\" TOREAD=\"1\">Four\nlines</A></DL></DL>";
        import_now(&app, &who, bookmarks.as_bytes(), &[("folders", "ignore")]).await;
        let body = json!({"format": "netscape"});
        let export = who.post(&app, "/v1/library/exports", &body).await.expect(202).json();
        app.run_jobs().await;
        let path = format!("/v1/library/exports/{}/file", export["export"]["id"].as_str().unwrap());
        let file = app.send(Method::GET, &path, &[("x-api-key", &who.key)], None).await.expect(200).text();
        let markup = ["<H3>Work</H3>", "<H3>A &amp; B</H3>", "</DL><p>", "https://example.org/3"];
        assert_eq!(markup.map(|part| file.matches(part).count()), [1, 1, 3, 1], "{file}");
        assert!(file.find("https://example.org/3") < file.find("<H3>"), "{file}");

        let heir = Person::on(&app, Tier::Pro).await;
        let done = import_now(&app, &heir, file.as_bytes(), &[("folders", "ignore")]).await;
        assert_eq!(counts(&done), [4, 0, 0, 0], "{done}");
        let facts = |list: Vec<Value>| {
            let mut facts: Vec<[Value; 3]> = list
                .iter()
                .map(|item| {
                    let folder = item["metadata"]["netscape"]["folder"].clone();
                    [item["title"].clone(), item["status"].clone(), folder]
                })
                .collect();
            facts.sort_by_key(|fact| fact[0].to_string());
            facts
        };
        let expected = [
            [json!("Four lines"), json!("later"), json!("Work")],
            [json!("One"), json!("inbox"), json!("Work")],
            [json!("Three"), json!("inbox"), Value::Null],
            [json!("Two"), json!("archive"), json!("Work/A & B")],
        ];
        assert_eq!(facts(items(&app, &who).await), expected);
        assert_eq!(facts(items(&app, &heir).await), expected);
    });
}

#[test]
fn locations_of_all_highlights_of_a_book_are_stored() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let rows = "Highlight,Book Title,Book Author,Amazon Book ID,Note,Location Type,Location\n\
            First words,Desks,Ada,B1,,page,12\nMore words,Desks,Ada,B1,,location,340\n\
            ,Desks,Ada,B1,Only a note,page,14\n";
        import_now(&app, &who, rows.as_bytes(), &[]).await;
        let list = items(&app, &who).await;
        assert_eq!(
            (list.len(), &list[0]["metadata"]["readwise_csv"]["locations"]),
            (1, &json!({"First words": "page 12", "More words": "location 340", "Only a note": "page 14"}))
        );
    });
}

#[test]
fn placeholder_of_wallabag_is_replaced_by_the_fetched_text() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.article("/town");
        let rows = json!([{"id": 1, "is_archived": 0, "url": url, "title": null, "tags": [],
            "content": "wallabag can't retrieve contents for this article."}]);
        let done = import_now(&app, &who, rows.to_string().as_bytes(), &[]).await;
        assert_eq!((&done["format"], counts(&done)), (&json!("wallabag_json"), [1, 0, 0, 0]), "{done}");
        app.tick().await;
        app.run_jobs().await;
        let list = items(&app, &who).await;
        assert_eq!(
            (&list[0]["title"], &list[0]["articleStatus"]),
            (&json!("A town by the sea"), &json!("ready"))
        );
        assert!(!list[0].to_string().contains("retrieve contents"), "{}", list[0]);
    });
}

#[test]
fn charsets_are_detected_and_broken_rows_are_reported() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let latin = b"title,url,time_added,tags,status\nGr\xf6\xdfe und \xdcbung,https://example.org/l,1600000000,k\xe4se,unread\n";
        let done = import_now(&app, &who, latin, &[]).await;
        assert_eq!((counts(&done), &done["problems"]), ([1, 0, 0, 0], &json!([])), "{done}");
        let text = "\u{feff}<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF=\"https://example.org/w\" TAGS=\"x\">\u{5341}\u{516d}</A></DL>";
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(counts(&import_now(&app, &who, &wide, &[]).await), [1, 0, 0, 0]);
        let list = items(&app, &who).await;
        let titles: Vec<&str> = list.iter().map(|item| item["title"].as_str().unwrap()).collect();
        assert!(
            titles.contains(&"Gr\u{f6}\u{df}e und \u{dc}bung") && titles.contains(&"\u{5341}\u{516d}"),
            "{titles:?}"
        );
        assert!(list.iter().any(|item| item["tags"] == json!(["k\u{e4}se"]) && item["status"] == "later"));

        // The first character of the title, U+8868, has a backslash as its second byte in Shift_JIS.
        let mut japanese = b"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n\
            <META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html; charset=Shift_JIS\">\n<DL><p>\n\
            <DT><A HREF=\"https://example.org/j\" TAGS=\"\x93\xfa\x96\x7b\">\x95\x5c\x8e\xa6"
            .to_vec();
        japanese.extend(b"</A>\n<DD>\x93\xfa\x96\x7b\x8c\xea\n</DL><p>\n");
        let done = import_now(&app, &who, &japanese, &[]).await;
        assert_eq!((counts(&done), &done["problems"]), ([1, 0, 0, 0], &json!([])), "{done}");
        let list = items(&app, &who).await;
        let item = list.iter().find(|item| item["url"] == "https://example.org/j").unwrap();
        assert_eq!(
            (&item["title"], &item["tags"]),
            (&json!("\u{8868}\u{793a}"), &json!(["\u{65e5}\u{672c}"]))
        );
        let notes = who.get(&app, "/v1/library/notes").await.expect(200).json();
        assert_eq!(notes["notes"][0]["text"], "\u{65e5}\u{672c}\u{8a9e}");

        let mut damaged = "title,url,time_added,tags,status\n".to_owned().into_bytes();
        damaged.extend("\u{fc}".repeat(50).into_bytes());
        damaged.extend(b",https://example.org/d1,1,,\nbroken \xff,https://example.org/d2,1,,\n\"unclosed,,\nGood,https://example.org/d3,1,,\n");
        let done = import_now(&app, &who, &damaged, &[]).await;
        assert_eq!(counts(&done), [3, 0, 0, 1], "{done}");
        let problems: Vec<[&Value; 2]> =
            done["problems"].as_array().unwrap().iter().map(|one| [&one["row"], &one["code"]]).collect();
        assert!(problems.contains(&[&json!(2), &json!("undecodable_text")]), "{done}");
        assert!(problems.contains(&[&json!(3), &json!("malformed")]), "{done}");

        for (file, format) in [
            (b"\x89PNG\r\n\x1a\n\0\0\0\0".as_slice(), "netscape"),
            (br#"{"collections":[{"id":1,"name":"Tech","links":[]}]}"#.as_slice(), "karakeep_json"),
        ] {
            let failed = import_now(&app, &who, file, &[("format", format)]).await;
            assert_eq!(
                (&failed["state"], &failed["errorCode"]),
                (&json!("failed"), &json!("unknown_format")),
                "{failed}"
            );
        }
        let opml = b"<?xml version=\"1.0\"?><opml version=\"2.0\"><body/></opml>".to_vec();
        let refused = send(&app, &who, opml, &[]).await.expect(422).text();
        assert!(refused.contains("/v1/rss/opml"), "{refused}");
    });
}

#[test]
fn folders_are_converted_to_tags_as_selected() {
    on_each_world(async |app| {
        let file = "<!DOCTYPE NETSCAPE-Bookmark-file-1><H1>Bookmarks</H1><DL><p><DT><H3>Work</H3><DL><p><DT><H3>Design</H3><DL><p>\
            <DT><A HREF=\"https://example.org/1\" TAGS=\"x\">One</A></DL></DL></DL>";
        for (choice, tags) in [
            (&[][..], json!(["x", "Work/Design"])),
            (&[("folders", "tags")][..], json!(["x", "Work", "Design"])),
            (&[("folders", "ignore")][..], json!(["x"])),
        ] {
            let who = Person::on(&app, Tier::Pro).await;
            import_now(&app, &who, file.as_bytes(), choice).await;
            let list = items(&app, &who).await;
            assert_eq!(
                (&list[0]["tags"], &list[0]["metadata"]["netscape"]["folder"]),
                (&tags, &json!("Work/Design"))
            );
            app.tick().await;
            app.run_jobs().await;
            let matches = who.get(&app, "/v1/library/objects?query=design").await.expect(200).json();
            let is_tag = tags.to_string().contains("Design");
            assert_eq!(matches["total"], i64::from(is_tag), "the name of a folder is a word of its tag");
        }
        let who = Person::on(&app, Tier::Pro).await;
        send(&app, &who, file.into(), &[("folders", "perhaps")]).await.expect(422);
    });
}

#[test]
fn files_and_annotations_of_archives_are_imported() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let zipped = |entries: &[(&str, &[u8])]| {
            let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
            for (name, bytes) in entries {
                zip.start_file(*name, SimpleFileOptions::default()).unwrap();
                zip.write_all(bytes).unwrap();
            }
            zip.finish().unwrap().into_inner()
        };
        let rows: &[u8] = br#"[{"id":"u1","slug":"c-pdf","title":"A file","url":"https://example.org/c.pdf","savedAt":"2024-01-01T00:00:00.000Z",
            "state":"Active","labels":[]}]"#;
        // The first import creates the item without its file.
        assert_eq!(counts(&import_now(&app, &who, rows, &[]).await), [1, 0, 0, 0]);
        let omnivore =
            zipped(&[("metadata_0_to_1.json", rows), ("content/c-pdf.pdf", b"%PDF-1.4\nA file".as_slice())]);
        assert_eq!(counts(&import_now(&app, &who, &omnivore, &[]).await), [0, 1, 0, 0]);
        let list = items(&app, &who).await;
        assert_eq!(
            (&list[0]["asset"]["mimeType"], &list[0]["asset"]["size"]),
            (&json!("application/pdf"), &json!(15)),
            "{}",
            list[0]
        );

        let csv: &[u8] = b"title,url,time_added,tags,status\nA,https://example.org/a,1600000000,x,unread\n";
        let marks: &[u8] = br#"[{"url":"https://example.org/a","title":"A","highlights":[{"quote":"marked words","created_at":1600000100}]}]"#;
        let collection: &[u8] = br#"{"title":"Mine","items":[{"url":"https://example.org/a"}]}"#;
        let pocket = zipped(&[
            ("part_000000.csv", csv),
            ("annotations/part_000000.json", marks),
            ("collections/mine.json", collection),
            ("other.csv", b"nothing,of,use\n1,2,3\n".as_slice()),
        ]);
        let done = import_now(&app, &who, &pocket, &[]).await;
        assert_eq!((counts(&done), &done["highlights"]), ([1, 2, 1, 0], &json!(1)), "{done}");
        assert_eq!(
            (&done["format"], &done["problems"][0]["code"]),
            (&json!("pocket_csv"), &json!("unread_entry"))
        );
        let list = items(&app, &who).await;
        let item = list.iter().find(|item| item["title"] == "A").unwrap();
        assert_eq!((&item["tags"], &item["status"]), (&json!(["x", "Mine"]), &json!("later")));

        let vault = zipped(&[(
            "Vault/A page.md",
            b"---\nsource: https://example.org/md\ntags: [clip]\n---\n\nWords of a page.\n".as_slice(),
        )]);
        assert_eq!(counts(&import_now(&app, &who, &vault, &[]).await), [1, 0, 0, 0]);
        let list = items(&app, &who).await;
        let item = list.iter().find(|item| item["title"] == "A page").unwrap();
        assert_eq!(
            (&item["url"], &item["articleStatus"]),
            (&json!("https://example.org/md"), &json!("ready"))
        );
    });
}

#[test]
fn equal_ids_on_two_servers_create_two_items() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let entry = |url: &str, title: &str, note: &str| {
            json!([{"id": 7, "title": title, "url": url, "is_archived": 0, "tags": [title], "content": format!("<p>{title} words.</p>"),
                "annotations": [{"quote": format!("{title} words"), "text": note}]}])
        };
        let files =
            [entry("https://one.example/1", "One", "a"), entry("https://two.example/other", "Two", "b")];
        for expected in [[1, 0, 0, 0], [0, 1, 0, 0]] {
            for file in &files {
                let done = import_now(&app, &who, file.to_string().as_bytes(), &[]).await;
                assert_eq!((counts(&done), &done["problems"]), (expected, &json!([])), "{done}");
            }
        }
        let list = items(&app, &who).await;
        assert_eq!(list.len(), 2, "{list:?}");
        for (url, title) in [("https://one.example/1", "One"), ("https://two.example/other", "Two")] {
            let item = list.iter().find(|item| item["url"] == url).unwrap();
            assert_eq!((&item["title"], &item["tags"]), (&json!(title), &json!([title])));
        }
        let marked = who.get(&app, "/v1/library/highlights").await.expect(200).json();
        assert_eq!(marked["highlights"].as_array().unwrap().len(), 2, "{marked}");
    });
}

#[test]
fn repeated_highlight_gets_its_missing_values() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let head = "Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags\n";
        let rows = ["Same words,Desks,Ada,B1,,,\n", "Same words,Desks,Ada,B1,Mine,blue,t1\n"];
        let last = "Same words,Desks,Ada,B1,Other,,\n";
        let whole = format!("{head}{}{}", rows[0], rows[1]);
        let done = import_now(&app, &who, whole.as_bytes(), &[]).await;
        assert_eq!(done["highlights"], 1, "{done}");
        for file in [format!("{head}{last}"), format!("{head}{}{last}", rows[1])] {
            import_now(&app, &who, file.as_bytes(), &[]).await;
        }
        let marked = who.get(&app, "/v1/library/highlights").await.expect(200).json()["highlights"].clone();
        let values = ["quote", "note", "color", "tags"].map(|name| &marked[0][name]);
        assert_eq!(
            values,
            [&json!("Same words"), &json!("Mine"), &json!("blue"), &json!(["t1"])],
            "{marked}"
        );
        assert_eq!(marked.as_array().unwrap().len(), 1);
        let notes = who.get(&app, "/v1/library/notes").await.expect(200).json()["notes"].clone();
        assert_eq!(
            (notes.as_array().unwrap().len(), &notes[0]["text"]),
            (1, &json!("> Same words\n\nOther"))
        );
        let undo = format!("/v1/library/imports/{}?undo=true", done["id"].as_str().unwrap());
        who.send(&app, Method::DELETE, &undo).await.expect(204);
        app.run_jobs().await;
        let left = who.get(&app, "/v1/library/highlights").await.expect(200).json();
        assert_eq!(left["highlights"], json!([]), "values of other rows are no changes of a person");
    });
}

#[test]
fn values_that_do_not_fit_are_reported() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut row = json!({"url": "https://example.org/long", "title": "T".repeat(3000), "note": "n".repeat(100_001),
            "created": "2999-01-01T00:00:00Z", "large": "x".repeat(70_000), "stored": "y".repeat(20_000)});
        for number in 0..3000 {
            row[format!("member{number:04}")] = json!(number);
        }
        let done = import_now(&app, &who, json!([row]).to_string().as_bytes(), &[]).await;
        assert_eq!(counts(&done), [1, 0, 0, 0], "{done}");
        let reasons = done["problems"].to_string();
        for part in ["left out: large", "cut to the maximum length: title, note"] {
            assert!(reasons.contains(part), "{part}: {reasons}");
        }
        let item = &items(&app, &who).await[0];
        let metadata = item["metadata"]["json"].as_object().unwrap();
        assert_eq!(metadata["stored"].as_str().unwrap().len(), 20_000);
        assert!((400..=512).contains(&metadata.len()), "{}", metadata.len());
        assert_eq!(metadata["saved_at"], 32_472_144_000_000_i64);
        assert!(item["savedAt"].as_str().unwrap() < "2100");
    });
}

#[test]
fn highlights_beyond_the_limit_cause_one_problem_per_row() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let marked: Vec<Value> =
            (0..5_003).map(|number| json!({"quote": format!("words {number}"), "created_at": 1})).collect();
        let file = json!([{"url": "https://example.org/many", "title": "Many", "highlights": marked}]);
        let done = import_now(&app, &who, file.to_string().as_bytes(), &[]).await;
        assert_eq!((counts(&done), &done["highlights"]), ([1, 0, 0, 0], &json!(5_000)), "{done}");
        let problems = done["problems"].as_array().unwrap();
        assert_eq!(problems.len(), 1, "{done}");
        assert!(problems[0]["reason"].as_str().unwrap().ends_with("highlights: 3 more"), "{done}");
    });
}
