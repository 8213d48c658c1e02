//! Import of feed lists with a form. A job imports a list while a page displays the progress. Each feed is
//! imported only once, even if the file is sent again or the worker is killed. Errors of unreadable files are
//! explained.

use kernel::blobs::Blobs;
use kernel::{Backend, ImportId};
use library::TransferState;
use library::transfer::{self, NewImport};

use crate::support::browser::Browser;
use crate::support::killable_process::KillableProcess;
use crate::support::person::Person;
use crate::support::{HttpAnswer, Setup, TestApp, World, eventually, on_each_world, run};

const LIST: &str = "<opml version=\"2.0\"><body><outline text=\"Coast\"><outline type=\"rss\" text=\"Harbour\" \
    xmlUrl=\"https://example.org/feed.xml\"/><outline type=\"rss\" text=\"In\" xmlUrl=\"http://192.168.0.1/f\"/></outline>\
    <outline type=\"rss\" text=\"Nowhere\"/></body></opml>";

/// Uploads a file with the form.
async fn upload(browser: &mut Browser<'_>, file: &[u8]) -> HttpAnswer {
    browser.open("/subscriptions/opml").await.expect(200);
    browser.upload("/subscriptions/opml", "feeds.opml", file).await
}

/// Imports a file and returns the import's page after its completion.
async fn imported_page(browser: &mut Browser<'_>, app: &TestApp, file: &[u8]) -> String {
    let at = upload(browser, file).await.expect(303).header("location").to_owned();
    app.run_jobs().await;
    let page = browser.open(&at).await.expect(200);
    assert!(page.header("refresh").is_empty());
    page.text()
}

fn fact(name: &str, count: u32) -> String {
    format!("<dt>{name}</dt><dd>{count}</dd>")
}

#[test]
fn list_is_imported_by_a_job_and_its_page_reports_the_result() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let at = upload(&mut browser, LIST.as_bytes()).await.expect(303).header("location").to_owned();
        app.run_jobs().await;
        let ended = browser.open(&at).await.expect(200);
        assert!(ended.header("refresh").is_empty());
        let ended = ended.text();
        for (name, count) in
            [("New", 1), ("Already followed", 0), ("Not imported", 2), ("Collections created", 1)]
        {
            assert!(ended.contains(&fact(name, count)), "{name} is missing in {ended}");
        }
        assert!(
            ended.contains("Feed 2: ") && ended.contains("a network that this service may not access"),
            "{ended}"
        );
        assert!(ended.contains("Nowhere: the file contains no address for this feed."), "{ended}");
        assert!(browser.open("/entries").await.expect(200).text().contains("Coast"));
        let out = browser.open("/subscriptions/opml/file").await.expect(200).text();

        let again = imported_page(&mut browser, &app, LIST.as_bytes()).await;
        for (name, count) in [("New", 0), ("Already followed", 1), ("Collections created", 0)] {
            assert!(again.contains(&fact(name, count)), "{name} is missing in {again}");
        }
        assert_eq!(browser.open("/subscriptions/opml/file").await.expect(200).text(), out);

        // The import is not visible to other accounts, and it is not listed among the imports of the library.
        let mut stranger = Browser::new(&app);
        stranger.sign_in(&other.email).await;
        stranger.open(&at).await.expect(404);
        let id = at.rsplit('/').next().unwrap();
        browser.open(&format!("/library/import/{id}")).await.expect(404);
        who.get(&app, &format!("/v1/library/imports/{id}")).await.expect(404);
    });
}

#[test]
fn feed_in_two_folders_is_reported_with_the_collection_unchanged() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let feed = "<outline type=\"rss\" text=\"Harbour\" xmlUrl=\"https://example.org/feed.xml\"/>";
        let list = format!(
            "<opml version=\"2.0\"><body>{feed}<outline text=\"Coast\">{feed}</outline><outline text=\"Sea\">{feed}</outline>\
             </body></opml>"
        );
        let page = imported_page(&mut browser, &app, list.as_bytes()).await;
        for (name, count) in [("New", 1), ("Already followed", 2), ("Not imported", 0)] {
            assert!(page.contains(&fact(name, count)), "{name} is missing in {page}");
        }
        let reported =
            "Feed 3: <bdi>https://example.org/feed.xml: this feed is already followed in another collection";
        assert!(page.contains(reported) && !page.contains("Feed 2: "), "{page}");
        let exported = browser.open("/subscriptions/opml/file").await.expect(200).text();
        assert!(exported.contains("text=\"Coast\"") && exported.matches("xmlUrl").count() == 1, "{exported}");
    });
}

#[test]
fn file_without_a_feed_list_is_refused_with_the_reason() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        for (file, words) in [
            (&b"<html>no list</html>"[..], "To import bookmarks and saved pages, go to Library › Import."),
            (b"\x00\x01\x02", "The file is not an OPML list of feeds"),
            (b"<opml version=\"2.0\"><body/></opml>", "The file contains no feeds."),
        ] {
            let page = imported_page(&mut browser, &app, file).await;
            assert!(page.contains(words), "{page}");
        }
        for (file, words) in
            [(Vec::new(), "Choose a file."), (vec![b' '; 8 * 1024 * 1024 + 1], "the limit is 8 MiB")]
        {
            let page = upload(&mut browser, &file).await.expect(422).text();
            assert!(page.contains("id=\"file-error\"") && page.contains(words), "{page}");
        }
        // A truncated, deeply nested file whose encoding differs from the declared one. The feeds that it
        // contains are imported.
        let deep = "<outline text=\"x\">".repeat(40);
        let broken = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><opml><body><outline text=\"K\u{fc}che\" \
             xmlUrl=\"https://a.example.org/f\"/>{deep}<outline xmlUrl=\"https://b.example.org/f\"/><outline xmlU"
        );
        let latin: Vec<u8> = broken.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect();
        let page = imported_page(&mut browser, &app, &latin).await;
        assert!(page.contains(&fact("New", 2)), "{page}");
        assert!(browser.open("/subscriptions").await.expect(200).text().contains("K\u{fc}che"));
    });
}

#[test]
fn feeds_beyond_the_limit_are_reported_line_by_line() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let feed =
            |n| format!("<outline text=\"F\"><outline xmlUrl=\"https://{n}.example.org/f\"/></outline>");
        let list: String = (0..1_200).map(feed).collect();
        let page =
            imported_page(&mut browser, &app, format!("<opml><body>{list}</body></opml>").as_bytes()).await;
        assert!(page.contains(&fact("New", 50)) && page.contains("<dd>1,150</dd>"), "{page}");
        assert_eq!(page.matches("your plan, or a single file, allows no more feeds").count(), 1_000);
        assert!(page.contains("And 150 more."));
    });
}

#[test]
fn page_of_a_waiting_import_reloads_and_can_cancel_it() {
    run(async {
        for world in World::ALL {
            let mut app = Setup::on(world).idle().spawn().await;
            let who = Person::free(&app).await;
            let mut browser = Browser::new(&app);
            browser.sign_in(&who.email).await;
            let at = upload(&mut browser, LIST.as_bytes()).await.expect(303).header("location").to_owned();
            let form = browser.open("/subscriptions/opml").await.expect(200).text();
            assert!(form.contains("An import is in progress") && form.contains(&at), "{form}");
            let going = browser.open(&at).await.expect(200);
            assert!(going.header("refresh").ends_with(&at) && going.text().contains("Importing your feeds"));
            browser.submit(&at, &[]).await.expect(303);
            app.start_workers().await;
            app.run_jobs().await;
            let mut browser = Browser::new(&app);
            browser.sign_in(&who.email).await;
            let page = browser.open(&at).await.expect(200);
            assert!(page.header("refresh").is_empty() && page.text().contains("Import stopped"));
            assert!(!browser.open("/subscriptions").await.expect(200).text().contains("Harbour"));
        }
    });
}

/// Number of lines in the list. The process is killed during their import, which takes several batches.
const LINES: i64 = 900;

async fn killed(backend: Backend) {
    let carrel = KillableProcess::start(backend).await;
    let folder = carrel.folder().display().to_string().parse().unwrap();
    let domain = carrel.domain().await.with_blobs(Blobs::open(&folder).unwrap());
    let line = |n| format!("<outline text=\"{n}\" xmlUrl=\"https://example.org/{n}\"/>");
    let list: String = (0..LINES).map(line).collect();
    let mut upload = transfer::begin_list_import(&domain, carrel.who.id).await.unwrap();
    upload.push(format!("<opml><body>{list}</body></opml>").as_bytes()).await.unwrap();
    let (import, _) = upload.finish(NewImport::default()).await.unwrap();
    let state = async |id: ImportId| transfer::get_list_import(&domain, carrel.who.id, id).await.unwrap();
    for least in [1, LINES / 2] {
        eventually("lines are imported", async || state(import.id).await, |import| import.created >= least)
            .await;
        carrel.kill().await;
        carrel.restart().await;
    }
    let is_over = |import: &transfer::Import| import.state == TransferState::Complete;
    let ended = eventually("the import ends", async || state(import.id).await, is_over).await;
    // No line was imported twice, and no line is missing.
    assert_eq!((ended.total, ended.created, ended.existing, ended.failed), (Some(LINES), LINES, 0, 0));
}

#[test]
fn killed_list_import_continues_after_the_last_commit() {
    for backend in [Backend::Sqlite, Backend::Postgres] {
        run(killed(backend));
    }
}
