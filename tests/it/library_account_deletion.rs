//! Deletion of an account with a full library: none of its data remains in any table or on the disk.

use std::path::Path;

use kernel::clock::LocalDay;
use kernel::tiers::Tier;
use library::{NewSearch, SearchTarget};
use reqwest::Method;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

use crate::support::form::{Field, with_form};
use crate::support::page_copy::import_copy;
use crate::support::person::Person;
use crate::support::{HttpAnswer, Setup, TestApp, World, run};

/// Creates objects of every kind that a library can contain.
async fn fill(app: &TestApp, who: &Person) {
    let save = async |body: Value| {
        who.post(app, "/v1/library/items", &body).await.expect(201).json()["item"]["id"].clone()
    };
    let read = save(json!({"url": app.site.article("/town"), "tags": ["One", "Two"]})).await;
    let long = "Words of a long text that stands in several rows of the index. ".repeat(1_200);
    save(json!({"content": long, "url": "https://example.org/long", "externalId": "x"})).await;
    let gone = save(json!({"content": "It goes.", "tags": ["Gone"]})).await;
    who.post(app, "/v1/library/public-tags", &json!({"name": "One"})).await.expect(200);
    let search =
        NewSearch { target: SearchTarget::Library, name: "Notes".into(), query: "note OR words".into() };
    library::save_search(&app.app.domain, who.id, search).await.unwrap();
    who.post(app, "/v1/library/notes", &json!({"text": "A note.", "itemId": gone, "tags": ["One"]}))
        .await
        .expect(201);
    let path = format!("/v1/library/items/{}", gone.as_str().unwrap());
    who.send(app, Method::DELETE, &path).await.expect(204);
    let marked = json!({"itemId": read, "quote": "Paragraph 1 of Harbour", "tags": ["Three"], "note": "Why"});
    let marked = who.post(app, "/v1/library/highlights", &marked).await.expect(201).json();
    let marked = marked["object"]["id"].as_str().unwrap().parse().unwrap();
    let pending = save(json!({"fileName": "words.txt"})).await;
    let path = format!("/v1/library/items/{}/file", pending.as_str().unwrap());
    let request = app.request(Method::PUT, &path).header("x-api-key", &who.key);
    HttpAnswer::of(request.body("Words in a file.").send().await.unwrap()).await.expect(201);
    let request = app.request(Method::PUT, &path).header("x-api-key", &who.key);
    HttpAnswer::of(request.body("Other words in a file.").send().await.unwrap()).await.expect(200);
    let bookmarks = b"title,url,time_added,tags,status\nOne,https://example.org/one,1704067200,a|b,archive\n";
    let parts = [
        Field { name: "dryRun", file: None, body: b"false" },
        Field { name: "file", file: Some(("file", "text/csv")), body: bookmarks },
    ];
    let request = app.request(Method::POST, "/v1/library/imports").header("x-api-key", &who.key);
    HttpAnswer::of(with_form(request, &parts).send().await.unwrap()).await.expect(202);
    let server = json!({"service": "linkding", "address": app.site.url("/links"), "token": "secret"});
    who.post(app, "/v1/library/import-servers", &server).await.expect(202);
    let item = read.as_str().unwrap().parse().unwrap();
    library::numbers_of(&app.app.domain, who.id, &[item]).await.unwrap();
    app.tick().await;
    app.run_jobs().await;
    import_copy(app, who, read.as_str().unwrap()).await;
    who.post(app, "/v1/library/exports", &json!({})).await.expect(202);
    app.run_jobs().await;
    let domain = &app.app.domain;
    library::publish_highlight(domain, who.id, marked, library::PublicNote::Included).await.unwrap();
    let marked_tag = "INSERT INTO library_model_tag (item_id, tag_key, account_id, is_attached, attached_at) \
                      SELECT id, 'one', account_id, TRUE, 0 FROM library_item i WHERE NOT EXISTS \
                      (SELECT 1 FROM library_model_tag m WHERE m.account_id = i.account_id) LIMIT 1";
    app.app.domain.db().write().execute_unprepared(marked_tag).await.unwrap();
    let rule = json!({"name": "Notes", "query": "waiting"});
    who.post(app, "/v1/library/rules", &rule).await.expect(201);
    save(json!({"fileName": "waiting.txt"})).await;
    let review = json!({"name": "One", "highlightsPerDay": 5, "tag": "one"});
    who.post(app, "/v1/library/reviews", &review).await.expect(201);
    // A day on which every highlight is due.
    let day = LocalDay { number: 1_000_000, begins_at: i64::MAX };
    let answer = library::ReviewAnswer::Later;
    let given = library::GivenAnswer { highlight_id: marked, answer, theme: None };
    assert!(library::answer_review(domain, who.id, given, day).await.unwrap());
    library::schedule_deletion(&app.app.domain, who.id, &[item], library::Annotations::Keep).await.unwrap();
}

/// Counts the rows in each table of libraries, including the full-text index of SQLite.
async fn rows(app: &TestApp) -> Vec<(String, i64)> {
    let db = app.app.domain.db().write();
    let tables = match app.world() {
        World::Small => "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'library%'",
        World::Large => "SELECT CAST(tablename AS text) FROM pg_tables WHERE tablename LIKE 'library%'",
    };
    let ask = |sql: &str| Statement::from_string(db.get_database_backend(), sql.to_owned());
    let mut counts = Vec::new();
    for row in db.query_all_raw(ask(tables)).await.unwrap() {
        let name: String = row.try_get_by_index(0).unwrap();
        // Skips internal tables of the full-text index. Its rows are counted in `library_found_docsize`.
        if name.starts_with("library_found") && name != "library_found_docsize" {
            continue;
        }
        let row = db.query_one_raw(ask(&format!("SELECT COUNT(*) FROM {name}"))).await.unwrap().unwrap();
        counts.push((name, row.try_get_by_index(0).unwrap()));
    }
    counts.sort();
    counts
}

fn files(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries.map(|entry| entry.unwrap().path()).map(|path| if path.is_dir() { files(&path) } else { 1 }).sum()
}

#[test]
fn deleted_account_leaves_no_library_data() {
    run(async {
        for world in World::ALL {
            let folder = tempfile::tempdir().unwrap();
            let app = Setup::on(world).with_files_in(folder.path()).spawn().await;
            let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
            fill(&app, &other).await;
            let (before, files_before) = (rows(&app).await, files(folder.path()));
            assert!(before.iter().all(|(_, count)| *count > 0), "the test fills every table: {before:?}");
            // The file of the item, the replaced file, the files of two imports, the copy of a page, and the export.
            assert_eq!(files_before, 6);
            fill(&app, &who).await;
            assert_eq!(files(folder.path()), 12);
            identity::accounts::delete_by_email(&app.app.domain, &who.email).await.unwrap();
            app.run_jobs().await;
            assert_eq!(rows(&app).await, before);
            assert_eq!(files(folder.path()), files_before);
            identity::accounts::delete_by_email(&app.app.domain, &other.email).await.unwrap();
            app.run_jobs().await;
            let left = rows(&app).await;
            assert!(left.iter().all(|(_, count)| *count == 0), "{left:?}");
            assert_eq!(files(folder.path()), 0);
            app.clean_up().await;
        }
    });
}
