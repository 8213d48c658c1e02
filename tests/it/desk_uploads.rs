//! Upload of files on pages: each file becomes an item or is refused with its reason.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::browser::{Browser, between};
use crate::support::monitoring::query_number;
use crate::support::person::Person;
use crate::support::{Setup, TestApp, World, eventually, on_each_world, run};

const UPLOAD: &str = "/library/files";
const NOTES: &[u8] = b"# The harbour\n\nWords about boats and a long winter.";
const PAGE: &[u8] = b"<!doctype html><html><head><title>A page</title></head><body><article><h1>A page</h1>\
    <p>A paragraph about lighthouses, which is long enough to be the text of the page.</p></article></body></html>";

/// Returns the addresses of the items that the page with the outcomes lists.
fn items_of(outcomes: &str) -> Vec<String> {
    let list = between(outcomes, "<ul id=\"upload-outcomes\"", "</ul>");
    list.split("href=\"/library/")
        .skip(1)
        .map(|rest| format!("/library/{}", between(rest, "", "\"")))
        .collect()
}

#[test]
fn files_of_a_form_become_items_with_their_texts() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let mut browser = Browser::signed_in(&app, &who).await;
        for path in ["/save", "/library"] {
            let page = browser.open(path).await.expect(200).text();
            assert!(page.contains("action=\"/library/files\"") && page.contains(" multiple"), "{page}");
        }
        let files: [(&str, &[u8]); 2] = [("Notes.md", NOTES), ("page.html", PAGE)];
        let page = browser.upload_files(UPLOAD, &files).await.expect(200).text();
        let items = items_of(&page);
        assert_eq!((items.len(), page.matches(" · Saved").count()), (2, 2), "{page}");
        app.tick().await;
        app.run_jobs().await;
        for (item, words) in items.iter().zip(["a long winter", "about lighthouses"]) {
            let text = browser.open(item).await.expect(200).text();
            assert!(text.contains(words), "{text}");
        }
        let mut stranger = Browser::signed_in(&app, &other).await;
        for item in &items {
            stranger.open(item).await.expect(404);
        }
        assert!(stranger.open("/library").await.expect(200).text().contains("Your library is empty"));
    });
}

#[test]
fn refused_files_leave_no_item_and_do_not_block_other_files() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        browser.open("/library").await.expect(200);
        let files: [(&str, &[u8]); 3] = [("a<b>.pdf", b"no PDF"), ("empty.txt", b""), ("Notes.md", NOTES)];
        let page = browser.upload_files(UPLOAD, &files).await.expect(200).text();
        assert!(page.contains("a&lt;b&gt;.pdf") && !page.contains("a<b>.pdf"), "{page}");
        assert!(page.contains("does not match its file type"), "{page}");
        assert!(page.contains("The file is empty."), "{page}");
        assert_eq!(items_of(&page).len(), 1, "{page}");
        let list = browser.open("/library").await.expect(200).text();
        assert!(list.contains("Inbox 1") && list.contains("Notes"), "{list}");
        let page = browser.upload_files(UPLOAD, &[("b.epub", b"no EPUB")]).await.expect(422).text();
        assert!(page.contains("<title>Error: "), "{page}");
        let page = browser.upload_files(UPLOAD, &[("", b"")]).await.expect(422).text();
        assert!(page.contains("Choose at least one file."), "{page}");
        browser.upload_with(UPLOAD, "Notes.md", NOTES, &[("other", "x")]).await.expect(422);
        assert!(browser.open("/library").await.expect(200).text().contains("Inbox 1"));
    });
}

/// Begins to upload a file of a million bytes. The caller sends its content.
async fn begin_upload(app: &TestApp, browser: &Browser<'_>) -> TcpStream {
    let authority = app.origin.trim_start_matches("http://");
    let field = "--b\r\ncontent-disposition: form-data; name=";
    let text = format!(
        "POST {UPLOAD} HTTP/1.1\r\nhost: {authority}\r\norigin: {}\r\ncookie: {}\r\n\
         content-type: multipart/form-data; boundary=b\r\ncontent-length: 1000000\r\n\r\n\
         {field}\"token\"\r\n\r\n{}\r\n{field}\"file\"; filename=\"Notes.md\"\r\n\r\n",
        browser.origin,
        browser.cookie_header(),
        browser.token()
    );
    let mut client = TcpStream::connect(authority).await.unwrap();
    client.write_all(text.as_bytes()).await.unwrap();
    client
}

#[test]
fn interrupted_upload_leaves_neither_item_nor_file_nor_reserved_storage() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        browser.open("/library").await.expect(200);
        let mut client = begin_upload(&app, &browser).await;
        client.write_all(&vec![b'a'; 100_000]).await.unwrap();
        let files = async || query_number(&app.app.domain, "SELECT COUNT(*) FROM library_blob").await;
        eventually("the upload has begun", files, |files| *files == 1).await;
        drop(client);
        eventually("the file is deleted", files, |files| *files == 0).await;
        let reserved = "SELECT reserved_bytes FROM library_account";
        assert_eq!(query_number(&app.app.domain, reserved).await, 0);
        assert_eq!(query_number(&app.app.domain, "SELECT COUNT(*) FROM library_item").await, 0);
        assert_eq!(query_number(&app.app.domain, "SELECT COUNT(*) FROM library_change").await, 0);
        browser.upload_files(UPLOAD, &[("Notes.md", NOTES)]).await.expect(200);
        assert!(browser.open("/library").await.expect(200).text().contains("Inbox 1"));
    });
}

#[test]
fn file_above_the_size_limit_of_the_plan_is_refused() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        browser.open("/library").await.expect(200);
        let large = vec![b'a'; 26_214_401];
        let files: [(&str, &[u8]); 2] = [("large.txt", &large), ("Notes.md", NOTES)];
        let page = browser.upload_files(UPLOAD, &files).await.expect(200).text();
        assert!(page.contains("the file is larger than 26 MB"), "{page}");
        assert_eq!(items_of(&page).len(), 1, "{page}");
        assert!(browser.open("/library").await.expect(200).text().contains("Inbox 1"));
    });
}

#[test]
fn upload_beyond_the_size_of_fifty_files_is_not_read_to_its_end() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let plans = folder.path().join("plans.toml");
        std::fs::write(&plans, "[free]\nfile_bytes = 100\n").unwrap();
        let app = Setup::on(World::Small).set("CARREL_TIERS_FILE", plans.to_str().unwrap()).spawn().await;
        let who = Person::free(&app).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        browser.open("/library").await.expect(200);
        let mut client = begin_upload(&app, &browser).await;
        // The service closes the connection without waiting for the rest. It may do so before all of this is sent.
        let _is_sent = client.write_all(&vec![b'a'; 100_000]).await.is_ok();
        let _is_answered = client.read_to_end(&mut Vec::new()).await.is_ok();
        let page = browser.upload_files(UPLOAD, &[("Notes.md", NOTES)]).await.expect(200).text();
        assert_eq!(items_of(&page).len(), 1, "{page}");
    });
}

#[test]
fn form_with_too_many_files_reports_the_outcomes_of_the_first_files() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        browser.open("/library").await.expect(200);
        let names: Vec<String> = (0..501).map(|number| format!("{number}.md")).collect();
        let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), NOTES)).collect();
        let page = browser.upload_files(UPLOAD, &files).await.expect(200).text();
        let outcomes = between(&page, "<ul id=\"upload-outcomes\"", "</ul>").matches("<li>").count();
        assert_eq!((outcomes, items_of(&page).len()), (500, 50), "{page}");
    });
}

#[test]
fn full_storage_refuses_only_files_that_do_not_fit() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        browser.open("/library").await.expect(200);
        browser.upload_files(UPLOAD, &[("Notes.md", NOTES)]).await.expect(200);
        let limits = async || who.get(&app, "/v1/me").await.expect(200).json()["limits"].clone();
        let limit = limits().await["libraryStorageBytes"].as_i64().unwrap();
        let set = async |free: i64| {
            let sql = format!("UPDATE library_account SET stored_bytes = {limit} - {free}");
            sea_orm::ConnectionTrait::execute_unprepared(app.app.domain.db().write(), &sql).await.unwrap();
        };
        set(20_000).await;
        let (small, large) = (vec![b'a'; 4_000], vec![b'b'; 30_000]);
        let files: [(&str, &[u8]); 3] = [("a.txt", &small), ("b.txt", &large), ("c.txt", &small)];
        let page = browser.upload_files(UPLOAD, &files).await.expect(200).text();
        assert!(page.contains("your storage is full"), "{page}");
        assert_eq!(items_of(&page).len(), 2, "{page}");
        let used = limits().await["libraryStorageUsedBytes"].as_i64().unwrap();
        assert!((limit - 12_000..limit).contains(&used), "{used} of {limit}");
        set(0).await;
        let page = browser.upload_files(UPLOAD, &[("d.txt", &small)]).await.expect(422).text();
        assert!(page.contains("your storage is full"), "{page}");
    });
}

#[test]
fn upload_without_a_session_or_a_token_is_refused() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        browser.open("/library").await.expect(200);
        let token = browser.token();
        browser.page = browser.page.replace(&token, "x");
        browser.upload_files(UPLOAD, &[("Notes.md", NOTES)]).await.expect(403);
        browser.page.clear();
        browser.upload_files(UPLOAD, &[("Notes.md", NOTES)]).await.expect(403);
        assert!(browser.open("/library").await.expect(200).text().contains("Your library is empty"));
        browser.open(UPLOAD).await.expect(200);
        let mut visitor = Browser::new(&app);
        visitor.page = browser.page.clone();
        let sent = visitor.upload_files(UPLOAD, &[("Notes.md", NOTES)]).await.expect(303);
        assert!(sent.header("location").starts_with("/sign-in"), "{}", sent.header("location"));
    });
}
