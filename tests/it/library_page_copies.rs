//! Page copies that need no browser: copies that clients send, their import, list, download, display, export, and
//! deletion, and requests for automatic copies. The tests with a browser are in `renderer`.

use data_encoding::BASE64;
use identity::limits::{AccountLimits, FRESH_DAY};
use jobs::{Job, JobKind, NewJob, Priority};
use kernel::Scopes;
use kernel::tiers::Tier;
use library::job_kinds::LibraryPageCopyJob;
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::desk_lists::undo;
use crate::language_model;
use crate::library_account_export;
use crate::library_imports;
use crate::library_items::{self, ITEMS, item_path, save_item};
use crate::support::browser::Browser;
use crate::support::clock::{DAY, HOUR, MINUTE, SECOND};
use crate::support::page_copy::{COPY, checksum, import, import_copy, try_import};
use crate::support::person::Person;
use crate::support::{HttpAnswer, Setup, TestApp, World, eventually, on_each_world, run};

const POLICY: &str = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; \
                      form-action 'none'; base-uri 'none'";

/// Picture of one pixel.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0";
/// Maximum size of a page that a client sends, in bytes.
const MAX_SENT_BYTES: usize = 20 << 20;

async fn saved(app: &TestApp, who: &Person) -> Value {
    save_item(app, who, &json!({"url": "https://example.org/harbour", "content": "Words."})).await
}

/// Used storage without released files, which count until they are deleted.
pub(crate) async fn used_bytes(app: &TestApp, who: &Person) -> i64 {
    let sql = "UPDATE library_blob SET delete_at = 1 WHERE reserved_bytes > 0";
    app.app.domain.db().write().execute_unprepared(sql).await.unwrap();
    library::files::delete_released(&app.app.domain).await.unwrap();
    let limits = who.get(app, "/v1/me").await.expect(200).json()["limits"].clone();
    limits["libraryStorageUsedBytes"].as_i64().unwrap()
}

#[test]
fn copy_counts_towards_the_storage_limit_until_it_is_deleted() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let item = saved(&app, &who).await;
        let copies = format!("{}/copies", item_path(&item));
        let before = used_bytes(&app, &who).await;
        let id = item["id"].as_str().unwrap();
        for _ in 0..2 {
            import_copy(&app, &who, id).await;
            assert_eq!(used_bytes(&app, &who).await, before + i64::try_from(COPY.len()).unwrap());
        }
        let listed = who.get(&app, &copies).await.expect(200).json();
        let copy = &listed["copies"][0];
        assert_eq!((&copy["format"], &copy["state"]), (&json!("html"), &json!("ready")), "{listed}");
        assert_eq!((&copy["size"], &copy["statement"]), (&json!(COPY.len()), &json!("Left out: 1 picture.")));
        assert_eq!(copy["checksum"], checksum(COPY.as_bytes()));
        let file = who.get(&app, &format!("{copies}/html")).await.expect(200);
        assert_eq!(file.text(), COPY);
        assert_eq!(file.header("content-type"), "application/octet-stream");
        assert!(file.header("content-disposition").starts_with("attachment"));
        who.send(&app, Method::DELETE, &format!("{copies}/html")).await.expect(204);
        who.send(&app, Method::DELETE, &format!("{copies}/html")).await.api_error(404, "not_found");
        who.get(&app, &format!("{copies}/html")).await.api_error(404, "not_found");
        assert_eq!(used_bytes(&app, &who).await, before);
        import_copy(&app, &who, id).await;
        who.send(&app, Method::DELETE, &item_path(&item)).await.expect(204);
        assert!(used_bytes(&app, &who).await < before);
        let sql = "UPDATE library_page_copy SET state = state";
        let left = app.app.domain.db().write().execute_unprepared(sql).await.unwrap();
        assert_eq!(left.rows_affected(), 0);
    });
}

#[test]
fn exported_copy_is_imported_into_another_account() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let item = saved(&app, &who).await;
        import_copy(&app, &who, item["id"].as_str().unwrap()).await;
        let made = who.post(&app, "/v1/library/exports", &json!({"format": "svc_jsonl"})).await.expect(202);
        app.run_jobs().await;
        let path = format!("/v1/library/exports/{}/file", made.json()["export"]["id"].as_str().unwrap());
        let archive = who.get(&app, &path).await.expect(200).body;
        // A dry run does not unpack files and reports no file as missing.
        try_import(&app, &other, &archive).await;
        import(&app, &other, &archive).await;
        let items = other.get(&app, ITEMS).await.expect(200).json();
        let copies = format!("{}/copies", item_path(&items["items"][0]));
        let copy = other.get(&app, &copies).await.expect(200).json()["copies"][0].clone();
        assert_eq!(copy["statement"], "Left out: 1 picture.", "{copy}");
        assert_eq!(other.get(&app, &format!("{copies}/html")).await.expect(200).text(), COPY);
        assert_eq!(used_bytes(&app, &other).await, used_bytes(&app, &who).await);
    });
}

#[test]
fn copy_request_without_a_browser_an_address_or_a_permission_is_refused() {
    on_each_world(async |app| {
        let (who, stranger) = (Person::free(&app).await, Person::free(&app).await);
        let item = saved(&app, &who).await;
        let copies = format!("{}/copies", item_path(&item));
        let request = json!({"format": "html"});
        let refused = who.post(&app, &copies, &request).await.api_error(422, "unsupported_content");
        assert!(refused["error"].as_str().unwrap().contains("install Chromium"), "{refused}");
        let invalid = who.post(&app, &copies, &json!({"format": "gif"})).await;
        assert!(matches!(invalid.status, 400 | 422), "{}", invalid.text());
        assert_eq!(invalid.json()["code"], "invalid_request");
        for path in [copies.clone(), format!("{copies}/html")] {
            app.get(&path).await.expect(401);
            stranger.get(&app, &path).await.api_error(404, "not_found");
        }
        stranger.post(&app, &copies, &request).await.api_error(404, "not_found");
        assert_eq!(who.get(&app, &copies).await.expect(200).json(), json!({"copies": []}));
    });
}

#[test]
fn displayed_copy_is_sandboxed_and_visible_only_to_its_owner() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let item = saved(&app, &who).await;
        let id = item["id"].as_str().unwrap();
        import_copy(&app, &who, id).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let at = format!("/library/{id}");
        assert!(browser.open(&at).await.expect(200).text().contains(&format!("{at}/copies\"")));
        let page = browser.open(&format!("{at}/copies")).await.expect(200).text();
        assert!(page.contains("Open the copy") && page.contains("Left out: 1 picture."), "{page}");
        assert!(page.contains("install Chromium") && !page.contains(">Replace<"), "{page}");
        browser.choose_language("de").await;
        let german = browser.open(&format!("{at}/copies")).await.expect(200).text();
        assert!(german.contains("Ausgelassen: 1 Bild.") && !german.contains("lang=\"en\""), "{german}");
        browser.choose_language("en").await;
        let copy = browser.load(&format!("{at}/copies/html")).await.expect(200);
        assert_eq!(copy.text(), COPY);
        for (name, value) in [
            ("content-security-policy", POLICY),
            ("content-type", "text/html; charset=utf-8"),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-resource-policy", "same-origin"),
            ("x-dns-prefetch-control", "off"),
            ("x-frame-options", "DENY"),
        ] {
            assert_eq!(copy.header(name), value, "{name}");
        }
        browser.load(&format!("{at}/copies/pdf")).await.expect(404);
        let mut stranger = Browser::new(&app);
        stranger.sign_in(&other.email).await;
        for path in ["copies", "copies/html"] {
            stranger.open(&format!("{at}/{path}")).await.expect(404);
        }
        let deletion = [("format", "html"), ("act", "delete")];
        browser.open(&format!("{at}/copies")).await.expect(200);
        let deleted = browser.submit(&format!("{at}/copies"), &deletion).await.expect(303);
        assert!(browser.follow(&deleted).await.contains("Copy deleted."));
        browser.load(&format!("{at}/copies/html")).await.expect(404);
    });
}

/// Page as a hostile client sends it, with a shadow root and a picture.
fn sent_page(heading: &str) -> String {
    format!(
        "<!doctype html><html><head><meta http-equiv=refresh content=\"0;url=https://evil.example/\">\
         <base href=https://evil.example/><script>document.title = 'ran'</script></head>\
         <body onload=alert(1)><h1>{heading}</h1><div><template shadowrootmode=open><p>Words of the root.</p></template></div>\
         <img alt=Quay src=\"data:image/png;base64,{}\"><img alt=Far src=https://evil.example/p.png>\
         <iframe srcdoc=\"<script>alert(1)</script>\"></iframe><a href=javascript:alert(1)>Go</a>\
         <form action=https://evil.example/><input type=password value=heron></form></body></html>",
        BASE64.encode(PNG)
    )
}

async fn send(app: &TestApp, key: &str, path: &str, page: &[u8]) -> HttpAnswer {
    let request = app.request(Method::PUT, path).header("content-type", "text/html; charset=utf-8");
    HttpAnswer::of(request.header("x-api-key", key).body(page.to_vec()).send().await.unwrap()).await
}

async fn blobs(app: &TestApp) -> u64 {
    let sql = "UPDATE library_blob SET delete_at = delete_at";
    app.app.domain.db().write().execute_unprepared(sql).await.unwrap().rows_affected()
}

#[test]
fn sent_copy_is_rewritten_and_replaced_and_counts_towards_the_storage_limit() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Free).await;
        let item = saved(&app, &who).await;
        let path = format!("{}/copies/html", item_path(&item));
        let (before, blobs_before) = (used_bytes(&app, &who).await, blobs(&app).await);
        let first = send(&app, &who.key, &path, sent_page("The quay").as_bytes()).await.expect(201).json();
        let copy = &first["copy"];
        assert_eq!((&copy["format"], &copy["state"]), (&json!("html"), &json!("ready")), "{first}");
        assert_eq!(copy["statement"], "Left out: 1 picture, 1 frame or object.");
        let file = who.get(&app, &path).await.expect(200);
        assert_eq!(
            (&copy["size"], &copy["checksum"]),
            (&json!(file.body.len()), &json!(checksum(&file.body)))
        );
        let html = file.text();
        let picture = format!("src=\"data:image/png;base64,{}\"", BASE64.encode(PNG));
        for part in ["The quay", "<template shadowrootmode=\"open\"><p>Words of the root.", picture.as_str()]
        {
            assert!(html.contains(part), "{part}: {html}");
        }
        for part in
            ["<script", "onload", "refresh", "<base", "evil.example", "<iframe", "javascript:", "heron"]
        {
            assert!(!html.contains(part), "{part}: {html}");
        }
        let again = send(&app, &who.key, &path, sent_page("The quay").as_bytes()).await.expect(200).json();
        assert_eq!(again, first);
        let at = format!("{path}?incomplete=true");
        let second = send(&app, &who.key, &at, sent_page("The pier").as_bytes()).await.expect(200).json();
        let statement = second["copy"]["statement"].as_str().unwrap();
        assert!(
            statement.ends_with("The page may be incomplete, because it reached a limit."),
            "{statement}"
        );
        assert!(who.get(&app, &path).await.expect(200).text().contains("The pier"));
        let size = second["copy"]["size"].as_i64().unwrap();
        assert_eq!(used_bytes(&app, &who).await, before + size);
        assert_eq!(blobs(&app).await, blobs_before + 1, "the replaced file is deleted");
        who.send(&app, Method::DELETE, &path).await.expect(204);
        assert_eq!((used_bytes(&app, &who).await, blobs(&app).await), (before, blobs_before));
    });
}

#[test]
fn sent_copy_without_a_permission_a_page_or_storage_is_refused() {
    on_each_world(async |app| {
        let (who, stranger) = (Person::free(&app).await, Person::free(&app).await);
        let (reading, _) = who.create_key(&app, Scopes::READ, None).await;
        let item = saved(&app, &who).await;
        let copies = format!("{}/copies", item_path(&item));
        let path = format!("{copies}/html");
        let page = sent_page("The quay");
        send(&app, "svc_wrong", &path, page.as_bytes()).await.expect(401);
        send(&app, &reading, &path, page.as_bytes()).await.expect(403);
        send(&app, &stranger.key, &path, page.as_bytes()).await.api_error(404, "not_found");
        let longest = vec![b'x'; MAX_SENT_BYTES];
        send(&app, &stranger.key, &path, &longest).await.api_error(404, "not_found");
        send(&app, &who.key, &format!("{copies}/gif"), page.as_bytes()).await.api_error(404, "not_found");
        let picture = send(&app, &who.key, &format!("{copies}/screenshot"), PNG).await;
        picture.api_error(422, "unsupported_content");
        let broken = send(&app, &who.key, &path, b"<p>\xff\xfe</p>").await;
        assert!(matches!(broken.status, 400 | 422), "{}", broken.text());
        assert_eq!(broken.json()["code"], "invalid_request");
        let nested = format!("<p>{}", "<b>".repeat(600));
        send(&app, &who.key, &path, nested.as_bytes()).await.api_error(422, "unsupported_content");
        let long = vec![b'x'; MAX_SENT_BYTES + 1];
        send(&app, &who.key, &path, &long).await.api_error(413, "payload_too_large");
        for (name, value) in [("content-type", "application/pdf"), ("content-encoding", "gzip")] {
            let request = app.request(Method::PUT, &path).header("x-api-key", &who.key).header(name, value);
            let refused = HttpAnswer::of(request.body(page.clone()).send().await.unwrap()).await;
            refused.api_error(415, "unsupported_media_type");
        }
        let file = save_item(&app, &who, &json!({"fileName": "Notes.md"})).await;
        let without_page = format!("{}/copies/html", item_path(&file));
        send(&app, &who.key, &without_page, page.as_bytes()).await.api_error(422, "unsupported_content");
        let me = who.get(&app, "/v1/me").await.expect(200).json();
        let limit = me["limits"]["libraryStorageBytes"].as_i64().unwrap();
        let full = format!("UPDATE library_account SET stored_bytes = {}", limit - 10);
        app.app.domain.db().write().execute_unprepared(&full).await.unwrap();
        send(&app, &who.key, &path, page.as_bytes()).await.api_error(403, "storage_limit_reached");
        assert_eq!(who.get(&app, &copies).await.expect(200).json(), json!({"copies": []}));
        assert_eq!(blobs(&app).await, 0, "no file is stored");
    });
}

#[test]
fn sent_copy_is_displayed_in_a_sandbox_and_exported() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let item = saved(&app, &who).await;
        let path = format!("{}/copies/html", item_path(&item));
        send(&app, &who.key, &path, sent_page("The quay").as_bytes()).await.expect(201);
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let at = format!("/library/{}/copies", item["id"].as_str().unwrap());
        let page = browser.open(&at).await.expect(200).text();
        assert!(page.contains("Left out: 1 picture, 1 frame or object."), "{page}");
        let copy = browser.load(&format!("{at}/html")).await.expect(200);
        assert_eq!(copy.header("content-security-policy"), POLICY);
        assert!(copy.text().contains("The quay") && !copy.text().contains("<script"), "{}", copy.text());
        let made = who.post(&app, "/v1/library/exports", &json!({"format": "svc_jsonl"})).await.expect(202);
        app.run_jobs().await;
        let archive = format!("/v1/library/exports/{}/file", made.json()["export"]["id"].as_str().unwrap());
        let archive = who.get(&app, &archive).await.expect(200).body;
        import(&app, &other, &archive).await;
        let items = other.get(&app, ITEMS).await.expect(200).json();
        let imported = format!("{}/copies/html", item_path(&items["items"][0]));
        let (sent, imported) = (who.get(&app, &path).await, other.get(&app, &imported).await);
        assert_eq!(imported.expect(200).text(), sent.expect(200).text());
    });
}

const SETTINGS: &str = "/v1/library/page-copy-settings";

/// Returns the formats and states of the copies of an item's page.
async fn copies_of(app: &TestApp, who: &Person, item: &Value) -> Vec<(String, String)> {
    let listed = who.get(app, &format!("{}/copies", item_path(item))).await.expect(200).json();
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let copies = listed["copies"].as_array().unwrap().iter();
    copies.map(|copy| (word(&copy["format"]), word(&copy["state"]))).collect()
}

fn waiting(formats: &[&str]) -> Vec<(String, String)> {
    formats.iter().map(|format| ((*format).to_owned(), "waiting".to_owned())).collect()
}

#[test]
fn page_of_each_new_item_is_copied_until_automatic_copies_are_switched_off() {
    run(async {
        for world in World::ALL {
            let app = with_remote_browser(world).await;
            let (who, other) = (Person::on(&app, Tier::Pro).await, Person::free(&app).await);
            let mut browser = Browser::signed_in(&app, &who).await;
            let earlier = save_item(&app, &who, &json!({"url": app.site.article("/earlier")})).await;
            let account = browser.open("/settings").await.expect(200).text();
            assert!(account.contains("href=\"/library/copies\""), "{account}");
            let page = browser.open("/library/copies").await.expect(200).text();
            assert!(page.contains("value=\"html\"") && !page.contains(" checked"), "{page}");
            let chosen = [("format", "pdf"), ("format", "html")];
            let saved = browser.submit("/library/copies", &chosen).await.expect(303);
            let page = browser.follow(&saved).await;
            assert!(page.contains("Automatic page copies saved."), "{page}");
            assert!(page.contains("value=\"html\" checked") && page.contains("value=\"pdf\" checked"));
            let settings = who.get(&app, SETTINGS).await.expect(200).json();
            let expected = json!({"formats": ["html", "pdf"], "copiesImports": false, "available": true});
            assert_eq!(settings, expected);
            let settings = other.get(&app, SETTINGS).await.expect(200).json();
            let none = json!({"formats": [], "copiesImports": false, "available": true});
            assert_eq!(settings, none, "another account");

            let body = json!({"url": app.site.article("/town")});
            let item = save_item(&app, &who, &body).await;
            assert_eq!(copies_of(&app, &who, &item).await, waiting(&["html", "pdf"]));
            let page = browser.open(&format!("/library/{}/copies", item["id"].as_str().unwrap())).await;
            assert!(page.expect(200).text().contains("The page is being copied."));
            let copy = format!("{}/copies/html", item_path(&item));
            who.send(&app, Method::DELETE, &copy).await.expect(204);
            who.post(&app, ITEMS, &body).await.expect(200);
            assert_eq!(copies_of(&app, &who, &item).await, waiting(&["pdf"]), "the item exists");
            who.post(&app, ITEMS, &json!({"url": earlier["url"]})).await.expect(200);
            assert_eq!(copies_of(&app, &who, &earlier).await, waiting(&[]));
            let sent = saved_with_content(&app, &who).await;
            assert_eq!(copies_of(&app, &who, &sent).await, waiting(&[]), "its content was sent");
            let imported = import_row(&app, &who).await;
            assert_eq!(copies_of(&app, &who, &imported).await, waiting(&[]), "it was imported");

            let change = json!({"formats": ["gif"]});
            let refused = library_items::send(&app, &who, Method::PATCH, SETTINGS, &change).await;
            assert_eq!(refused.json()["code"], "invalid_request");
            let change = json!({"formats": []});
            let off = library_items::send(&app, &who, Method::PATCH, SETTINGS, &change).await.expect(200);
            assert_eq!(off.json(), none);
            let after = save_item(&app, &who, &json!({"url": app.site.article("/later")})).await;
            assert_eq!(copies_of(&app, &who, &after).await, waiting(&[]));
        }
    });
}

async fn saved_with_content(app: &TestApp, who: &Person) -> Value {
    save_item(app, who, &json!({"url": "https://example.org/sent", "content": "Words of the quay."})).await
}

/// Imports a row with an address, and returns its item.
async fn import_row(app: &TestApp, who: &Person) -> Value {
    let rows = b"title,url\nImported,https://example.org/imported\n".to_vec();
    let made = library_imports::send(app, who, rows, &[("dryRun", "false")]).await.expect(202).json();
    let done = library_imports::state(app, who, made["import"]["id"].as_str().unwrap()).await;
    assert_eq!((&done["state"], &done["created"]), (&json!("complete"), &json!(1)), "{done}");
    let items = who.get(app, ITEMS).await.expect(200).json();
    let mut items = items["items"].as_array().unwrap().iter();
    items.find(|item| item["title"] == "Imported").unwrap().clone()
}

#[test]
fn pending_automatic_copies_are_limited_to_a_share_of_the_queue() {
    run(async {
        let setup = Setup::on(World::Small).set("CARREL_READER_LIMITS", "off");
        let app = setup.set("CARREL_RENDERER", "workers").spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        let change = json!({"formats": ["html", "screenshot", "pdf"]});
        library_items::send(&app, &who, Method::PATCH, SETTINGS, &change).await.expect(200);
        let (domain, account) = (&app.app.domain, who.id);
        let first = save_item(&app, &who, &json!({"url": app.site.article("/town")})).await;
        assert_eq!(copies_of(&app, &who, &first).await.len(), 3);
        for number in 0..149 {
            let job = NewJob::new(JobKind::LibraryPageCopy, format!("other:{number}"));
            let job = job.owner(account).priority(Priority::Low).run_at(domain.now() + HOUR);
            jobs::submit(domain.db().write(), domain, job).await.unwrap();
        }
        let second = save_item(&app, &who, &json!({"url": app.site.article("/quay")})).await;
        let refused = copies_of(&app, &who, &second).await;
        assert!(refused.iter().all(|(_, state)| state == "failed"), "{refused:?}");
        let mut browser = Browser::signed_in(&app, &who).await;
        let page = browser.open(&format!("/library/{}/copies", second["id"].as_str().unwrap())).await;
        assert!(page.expect(200).text().contains("too many copies were waiting"));
    });
}

/// Returns the fresh extractions that a person has used today.
async fn used_extractions(app: &TestApp, who: &Person) -> u32 {
    let domain = &app.app.domain;
    let states = domain.limits().states(domain, who.id, Tier::Pro).await.unwrap();
    states.iter().find(|state| state.name == FRESH_DAY).unwrap().used
}

#[test]
fn charge_for_a_requested_copy_is_refunded_a_single_time_unless_a_worker_runs_it() {
    run(async {
        for world in World::ALL {
            let app = with_remote_browser(world).await;
            let who = Person::on(&app, Tier::Pro).await;
            let item = saved(&app, &who).await;
            let (copies, domain) = (format!("{}/copies", item_path(&item)), &app.app.domain);
            let key = |format: &str| format!("{}:{format}", item["id"].as_str().unwrap());
            let request = async |format: &str| {
                app.clock.advance(MINUTE);
                who.post(&app, &copies, &json!({"format": format})).await.expect(202);
            };
            let delete = async |path: &str| {
                who.send(&app, Method::DELETE, path).await.expect(204);
            };
            request("html").await;
            request("html").await;
            assert_eq!(used_extractions(&app, &who).await, 5, "the second request joins the first one");
            delete(&format!("{copies}/html")).await;
            assert_eq!(used_extractions(&app, &who).await, 0, "the request is withdrawn");

            request("html").await;
            let page = sent_page("The quay");
            send(&app, &who.key, &format!("{copies}/html"), page.as_bytes()).await.expect(201);
            assert_eq!(used_extractions(&app, &who).await, 0, "a browser sent the copy");

            request("pdf").await;
            LibraryPageCopyJob::on_failure(domain, &key("pdf")).await.unwrap();
            assert_eq!(used_extractions(&app, &who).await, 0, "the service was unavailable");
            request("screenshot").await;
            LibraryPageCopyJob::on_failure(domain, &key("pdf")).await.unwrap();
            assert_eq!(used_extractions(&app, &who).await, 5, "the failed copy is not refunded again");

            let kind = JobKind::LibraryPageCopy;
            let job = jobs::live_submission(domain.db().write(), kind, &key("screenshot")).await.unwrap();
            jobs::claim(domain, job.unwrap().id, "worker", HOUR).await.unwrap().unwrap();
            delete(&format!("{copies}/screenshot")).await;
            assert_eq!(used_extractions(&app, &who).await, 5, "a worker runs the job");

            delete(&format!("{copies}/html")).await;
            request("html").await;
            assert_eq!(used_extractions(&app, &who).await, 10);
            delete(&item_path(&item)).await;
            assert_eq!(used_extractions(&app, &who).await, 5, "the item is deleted");
        }
    });
}

#[test]
fn imported_copy_replaces_a_failed_request() {
    run(async {
        for world in World::ALL {
            let app = with_remote_browser(world).await;
            let who = Person::on(&app, Tier::Pro).await;
            let item = saved(&app, &who).await;
            let (id, domain) = (item["id"].as_str().unwrap(), &app.app.domain);
            let copies = format!("{}/copies", item_path(&item));
            who.post(&app, &copies, &json!({"format": "html"})).await.expect(202);
            let key = format!("{id}:html");
            let kind = JobKind::LibraryPageCopy;
            let job = jobs::live_submission(domain.db().write(), kind, &key).await.unwrap();
            assert!(jobs::withdraw(domain, job.unwrap().id).await.unwrap());
            LibraryPageCopyJob::on_failure(domain, &key).await.unwrap();
            let failed = [("html".to_owned(), "failed".to_owned())];
            assert_eq!(copies_of(&app, &who, &item).await, failed);
            import_copy(&app, &who, id).await;
            assert_eq!(who.get(&app, &format!("{copies}/html")).await.expect(200).text(), COPY);
        }
    });
}

#[test]
fn charge_for_an_automatic_copy_is_refunded_a_single_time_after_its_last_attempt() {
    run(async {
        for world in World::ALL {
            let app = with_remote_browser(world).await;
            let who = Person::on(&app, Tier::Pro).await;
            let domain = &app.app.domain;
            let change = json!({"formats": ["html"]});
            library_items::send(&app, &who, Method::PATCH, SETTINGS, &change).await.expect(200);
            let save = async |page: &str| {
                let item = save_item(&app, &who, &json!({"url": app.site.article(page)})).await;
                let id = item["id"].as_str().unwrap().to_owned();
                (format!("{id}:html"), format!("{}/copies/html", item_path(&item)))
            };
            let left = async || domain.limits().background_extractions_left(domain, who.id, Tier::Pro).await;
            let used = async || (used_extractions(&app, &who).await, left().await.unwrap());
            // Charges the copy as the first run of its job does, a minute after the request.
            let charge = async || {
                app.clock.advance(MINUTE);
                let limits = domain.limits();
                drop(limits.reserve_background_extractions(domain, (who.id, Tier::Pro), 5).await.unwrap());
                let marked = format!(
                    "UPDATE library_page_copy SET charged_at = {} WHERE state = 'waiting'",
                    domain.now()
                );
                domain.db().write().execute_unprepared(&marked).await.unwrap();
            };
            let (first, _) = save("/town").await;
            let before = used().await;
            LibraryPageCopyJob::on_failure(domain, &first).await.unwrap();
            assert_eq!(used().await, before, "it was not charged");

            let (second, _) = save("/quay").await;
            let before = used().await;
            charge().await;
            assert_eq!(used().await, (before.0 + 5, before.1 - 5));
            for _ in 0..2 {
                LibraryPageCopyJob::on_failure(domain, &second).await.unwrap();
                assert_eq!(used().await, before, "the service was unavailable");
            }

            let (_, third) = save("/harbour").await;
            let before = used().await;
            charge().await;
            who.send(&app, Method::DELETE, &third).await.expect(204);
            assert_eq!(used().await, before, "it is withdrawn between two attempts");
        }
    });
}

#[test]
fn automatic_copies_without_a_browser_are_explained_and_exported_with_the_appearance() {
    on_each_world(async |app| {
        let (who, heir) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let change = json!({"formats": ["screenshot"], "copiesImports": true});
        let expected = json!({"formats": ["screenshot"], "copiesImports": true, "available": false});
        let changed = library_items::send(&app, &who, Method::PATCH, SETTINGS, &change).await.expect(200);
        assert_eq!(changed.json(), expected);
        let item = save_item(&app, &who, &json!({"url": app.site.article("/town")})).await;
        assert_eq!(copies_of(&app, &who, &item).await, waiting(&[]));
        let mut browser = Browser::signed_in(&app, &who).await;
        let page = browser.open("/library/copies").await.expect(200).text();
        assert!(page.contains("install Chromium") && !page.contains("name=\"format\""), "{page}");
        let account = browser.open("/settings").await.expect(200).text();
        assert!(!account.contains("/library/copies"), "{account}");
        browser.open("/settings/look").await.expect(200);
        browser.submit("/settings/look", &[("theme", "sepia")]).await.expect(303);

        let archive = library_account_export::export(&app, &who).await;
        let fields = [("dryRun", "false"), ("include", "settings")];
        let made = library_imports::send(&app, &heir, archive, &fields).await.expect(202).json();
        let done = library_imports::state(&app, &heir, made["import"]["id"].as_str().unwrap()).await;
        assert_eq!((&done["state"], &done["problems"]), (&json!("complete"), &json!([])), "{done}");
        assert_eq!(heir.get(&app, SETTINGS).await.expect(200).json(), expected);
        let mut browser = Browser::signed_in(&app, &heir).await;
        let page = browser.open("/today").await.expect(200).text();
        assert!(page.contains("data-theme=\"sepia\""), "{page}");
    });
}

/// Starts a service whose browser is in workers on other machines, so that requests stay waiting.
async fn with_remote_browser(world: World) -> TestApp {
    let setup = Setup::on(world).set("CARREL_READER_LIMITS", "off");
    setup.set("CARREL_RENDERER", "workers").spawn().await
}

#[test]
fn copying_pages_of_selected_items_can_be_undone_and_explains_omissions() {
    run(async {
        for world in World::ALL {
            let app = with_remote_browser(world).await;
            let who = Person::on(&app, Tier::Pro).await;
            let copied = saved(&app, &who).await;
            import_copy(&app, &who, copied["id"].as_str().unwrap()).await;
            let town = save_item(&app, &who, &json!({"url": app.site.article("/town")})).await;
            let quay = save_item(&app, &who, &json!({"url": app.site.article("/quay")})).await;
            let note = save_item(&app, &who, &json!({"content": "Words without a page."})).await;
            let ids = [&copied, &town, &quay, &note].map(|item| item["id"].as_str().unwrap());
            let mut browser = Browser::signed_in(&app, &who).await;
            let page = browser.open("/library").await.expect(200).text();
            assert!(page.contains(">Copy pages</button>"), "{page}");
            let mut fields: Vec<(&str, &str)> = ids.iter().map(|id| ("item", *id)).collect();
            fields.push(("act", "copy"));
            let done = browser.submit("/library/bulk", &fields).await.expect(303);
            let page = browser.follow(&done).await;
            assert!(page.contains("The pages are being copied."), "{page}");
            let reasons = "Not copied: copied before or waiting (1), no web address (1).";
            assert!(page.contains(reasons), "{page}");
            for item in [&town, &quay] {
                assert_eq!(copies_of(&app, &who, item).await, waiting(&["html"]));
            }
            let again = browser.submit("/library/bulk", &fields).await.expect(303);
            let page = browser.follow(&again).await;
            assert!(page.contains("No page is being copied.") && !page.contains(">Undo<"), "{page}");

            // A copy that is sent after the request remains.
            app.clock.advance(SECOND);
            let path = format!("{}/copies/html", item_path(&quay));
            send(&app, &who.key, &path, sent_page("The quay").as_bytes()).await.expect(201);
            let page = undo(&mut browser, &done, "/library/undo").await;
            assert!(!page.contains("Not copied"), "{page}");
            assert_eq!(copies_of(&app, &who, &town).await, waiting(&[]));
            let ready = [("html".to_owned(), "ready".to_owned())];
            for item in [&quay, &copied] {
                assert_eq!(copies_of(&app, &who, item).await, ready);
            }
        }
    });
}

#[test]
fn copies_of_many_items_are_requested_up_to_a_share_of_the_queue() {
    const COPIES: &str = "/v1/library/items/copies";
    run(async {
        for world in World::ALL {
            let app = with_remote_browser(world).await;
            let (who, other) = (Person::on(&app, Tier::Pro).await, Person::free(&app).await);
            let town = save_item(&app, &who, &json!({"url": app.site.article("/town")})).await;
            let request = json!({"ids": [town["id"], town["id"]], "formats": ["pdf", "html"]});
            app.post(COPIES, &request).await.expect(401);
            let foreign = other.post(&app, COPIES, &request).await.expect(202).json();
            assert_eq!(foreign, json!({"copies": [], "missing": 1}));
            for invalid in [json!({"ids": []}), json!({"ids": [town["id"]], "formats": []})] {
                assert_eq!(who.post(&app, COPIES, &invalid).await.json()["code"], "invalid_request");
            }
            let domain = &app.app.domain;
            for number in 0..149 {
                let job = NewJob::new(JobKind::LibraryPageCopy, format!("other:{number}"));
                let job = job.owner(who.id).priority(Priority::Low).run_at(domain.now() + HOUR);
                jobs::submit(domain.db().write(), domain, job).await.unwrap();
            }
            let requested = |html: Value| {
                let copy = |format: &str, code: &Value| json!({"itemId": town["id"], "format": format, "errorCode": code});
                json!({"copies": [copy("html", &html), copy("pdf", &json!("capacity_exhausted"))], "missing": 0})
            };
            let made = who.post(&app, COPIES, &request).await.expect(202).json();
            assert_eq!(made, requested(Value::Null));
            let again = who.post(&app, COPIES, &request).await.expect(202).json();
            assert_eq!(again, requested(json!("conflict")));
            assert_eq!(copies_of(&app, &who, &town).await, waiting(&["html"]));
        }
    });
}

/// Returns the titles of the items with copies, in alphabetical order.
async fn copied_titles(app: &TestApp, who: &Person) -> Vec<String> {
    let items = who.get(app, ITEMS).await.expect(200).json();
    let mut titles = Vec::new();
    for item in items["items"].as_array().unwrap() {
        if !copies_of(app, who, item).await.is_empty() {
            titles.push(item["title"].as_str().unwrap().to_owned());
        }
    }
    titles.sort();
    titles
}

#[test]
fn pages_of_imported_items_are_copied_if_chosen_up_to_a_daily_limit() {
    run(async {
        for world in World::ALL {
            let app = with_remote_browser(world).await;
            let who = Person::free(&app).await;
            let mut browser = Browser::signed_in(&app, &who).await;
            let page = browser.open("/library/copies").await.expect(200).text();
            assert!(page.contains("the newest first, up to 5 copies a day"), "{page}");
            let chosen = [("format", "html"), ("imports", "1")];
            browser.submit("/library/copies", &chosen).await.expect(303);
            let settings = who.get(&app, SETTINGS).await.expect(200).json();
            assert_eq!(settings, json!({"formats": ["html"], "copiesImports": true, "available": true}));
            let mut table = "title,url,time_added,tags,status\n".to_owned();
            for number in 1..=7 {
                let url = app.site.article(&format!("/import/{number}"));
                table += &format!("Page {number},{url},{},,unread\n", 1_704_067_200 + number);
            }
            let fields = [("dryRun", "false")];
            let made = library_imports::send(&app, &who, table.into_bytes(), &fields).await;
            let made = made.expect(202).json();
            let done = library_imports::state(&app, &who, made["import"]["id"].as_str().unwrap()).await;
            assert_eq!(done["created"], 7, "{done}");

            app.tick().await;
            app.run_jobs().await;
            let newest = ["Page 3", "Page 4", "Page 5", "Page 6", "Page 7"];
            assert_eq!(copied_titles(&app, &who).await, newest);
            // Switching the choice off and on again does not exceed the daily maximum.
            for copies_imports in [false, true] {
                let change = json!({"copiesImports": copies_imports});
                let changed = library_items::send(&app, &who, Method::PATCH, SETTINGS, &change).await;
                let settings = changed.expect(200).json();
                assert_eq!(settings["copiesImports"], copies_imports);
                assert_eq!(settings["formats"], json!(["html"]));
            }
            app.tick().await;
            app.run_jobs().await;
            assert_eq!(copied_titles(&app, &who).await, newest);
            app.clock.advance(DAY + SECOND);
            app.tick().await;
            // The jobs of the copies are due and stay waiting, so the queue does not become idle.
            let copies = async || language_model::count_rows(&app, "library_page_copy").await;
            eventually("other pages are copied", copies, |copies| *copies == 7).await;
        }
    });
}

#[test]
fn imported_copy_whose_job_was_lost_is_requested_again_on_the_next_day() {
    run(async {
        for world in World::ALL {
            let app = with_remote_browser(world).await;
            let who = Person::free(&app).await;
            let item = import_row(&app, &who).await;
            let choice = json!({"formats": ["html"], "copiesImports": true});
            library_items::send(&app, &who, Method::PATCH, SETTINGS, &choice).await.expect(200);
            app.tick().await;
            app.run_jobs().await;
            let key = format!("{}:html", item["id"].as_str().unwrap());
            let connection = app.app.domain.db().write();
            let job = async || {
                let live = jobs::live_submission(connection, JobKind::LibraryPageCopy, &key).await.unwrap();
                live.map(|job| job.id)
            };
            let lost = job().await.expect("the copy is requested");
            assert!(jobs::withdraw(&app.app.domain, lost).await.unwrap());
            app.clock.advance(DAY + SECOND);
            app.tick().await;
            eventually("the copy is requested again", job, Option::is_some).await;
            assert_eq!(copies_of(&app, &who, &item).await, waiting(&["html"]));
        }
    });
}
