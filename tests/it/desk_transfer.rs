//! Pages of imports and exports: an import starts with a dry run, and an export lists its files.

use kernel::tiers::Tier;

use crate::support::browser::{Browser, between};
use crate::support::person::Person;
use crate::support::{TestApp, on_each_world, run};

const POCKET: &[u8] = b"title,url,time_added,tags,status\n\
    One,https://example.org/one,1704067200,a|b,archive\nTwo,https://example.org/two,1704153600,,unread\n\
    Bad,javascript:alert(1),1704153600,,unread\n";

#[test]
fn import_page_previews_the_dry_run_before_the_import() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let form = browser.open("/library/import").await.expect(200).text();
        assert!(form.contains("<option value=\"raindrop_csv\">Raindrop (CSV)</option>"), "{form}");
        assert!(form.contains("<option value=\"path-tags\">"), "{form}");
        assert!(form.contains("<dt>Pocket (CSV)</dt><dd>URL, title, save time, status, tags</dd>"), "{form}");
        let sent = browser.upload("/library/import", "part_000000.csv", POCKET).await.expect(303);
        let at = sent.header("location").to_owned();
        let going = browser.open(&at).await.expect(200);
        assert!(going.header("refresh").ends_with(&at) && going.text().contains("Checking the file"));
        app.run_jobs().await;
        let preview = browser.open(&at).await.expect(200);
        assert!(preview.header("refresh").is_empty());
        let preview = preview.text();
        assert!(
            preview.contains("Import preview") && preview.contains("<dt>To be added</dt><dd>2</dd>"),
            "{preview}"
        );
        assert!(preview.contains("Row 3") || preview.contains("Row 4"), "{preview}");
        assert!(browser.open("/library").await.expect(200).text().contains("Your library is empty"));
        browser.open(&at).await.expect(200);
        browser.submit(&at, &[("act", "start")]).await.expect(303);
        app.run_jobs().await;
        let finished = browser.open(&at).await.expect(200).text();
        assert!(finished.contains("Import finished") && finished.contains("Row 3 · Skipped"), "{finished}");
        let skipped = browser.open(&format!("{at}?outcome=skipped")).await.expect(200).text();
        assert!(skipped.contains("javascript:alert(1)") && !skipped.contains(">One<"), "{skipped}");
        let report = browser.open(&format!("{at}/report")).await.expect(200).text();
        assert!(report.contains("3,skipped,Bad,"), "{report}");
        // Rows that were skipped cannot be retried.
        assert!(finished.contains("1 problem") && !finished.contains("Retry failed rows"), "{finished}");
        browser.open(&at).await.expect(200);
        let retried = browser.submit(&at, &[("act", "retry")]).await.expect(303);
        let said = browser.open(retried.header("location")).await.expect(200).text();
        assert!(said.contains("There are no rows to retry."), "{said}");
        let list = browser.open("/library?shelf=all").await.expect(200).text();
        assert!(list.contains("Archive 1") && list.contains(">One<"), "{list}");
        let mut stranger = Browser::new(&app);
        stranger.sign_in(&other.email).await;
        stranger.open(&at).await.expect(404);
        browser.open(&at).await.expect(200);
        browser.submit(&at, &[("act", "undo")]).await.expect(303);
        assert!(!browser.open("/library?shelf=all").await.expect(200).text().contains(">One<"));
    });
}

#[test]
fn clippings_of_known_books_are_imported_as_annotations() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let clipping = |day: u32, about: &str, words: &str| {
            format!(
                "Desks (Ada)\r\n- {about} | Added on Monday, January {day}, 2024\r\n\r\n{words}\r\n==========\r\n"
            )
        };
        let first = clipping(2, "Your Highlight on page 1 | Location 10-12", "One");
        let more = [
            clipping(1, "Your Highlight on page 2 | Location 20-22", "Two"),
            clipping(1, "Your Bookmark on page 3 | Location 40", ""),
            clipping(1, "Your Note on page 2 | Location 22", "of two"),
        ];
        let fact = |name: &str, count: u32| format!("<dt>{name}</dt><dd>{count}</dd>");
        for (file, new, annotated, existing, skipped) in
            [(first.clone(), 1, 1, 0, 0), (more.concat(), 0, 1, 0, 1), (first + &more.concat(), 0, 0, 2, 1)]
        {
            browser.open("/library/import").await.expect(200);
            let sent =
                browser.upload("/library/import", "My Clippings.txt", file.as_bytes()).await.expect(303);
            let at = sent.header("location").to_owned();
            app.run_jobs().await;
            let preview = browser.open(&at).await.expect(200).text();
            assert!(preview.contains(&fact("To be added", new)), "{preview}");
            browser.submit(&at, &[("act", "start")]).await.expect(303);
            app.run_jobs().await;
            let page = browser.open(&at).await.expect(200).text();
            assert!(page.contains("Import finished"), "{page}");
            for (name, count) in
                [("New", new), ("Already in your library", existing), ("Skipped", skipped), ("Failed", 0)]
            {
                assert!(page.contains(&fact(name, count)), "{name} is missing in {page}");
            }
            let reported = page.contains(&fact("Notes and highlights", 1));
            assert_eq!(reported, annotated == 1, "{page}");
            assert_eq!(page.contains(" · Note or highlight"), new == 0 && annotated == 1, "{page}");
        }
        let list = who.get(&app, "/v1/library/highlights").await.expect(200).json();
        let noted = list["highlights"].as_array().unwrap().iter().map(|one| &one["note"]);
        assert_eq!(noted.filter(|note| *note == "of two").count(), 1, "{list}");
        // A book without a text has its highlights in the order of their creation.
        let id = list["highlights"][0]["itemId"].as_str().unwrap();
        let page = browser.open(&format!("/library/{id}")).await.expect(200).text();
        let position = |mark: &str| page.find(mark).unwrap();
        assert!(position("<mark>Two</mark>") < position("<mark>One</mark>"), "{page}");
        assert!(page.contains("This item has highlights, but no text."), "{page}");
        assert!(
            !page.contains("Not found in the current text") && !page.contains("Fetch text again"),
            "{page}"
        );
    });
}

#[test]
fn chosen_format_of_an_import_file_is_used() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        for (format, text) in [
            ("pocket_csv", "<dt>To be added</dt><dd>2</dd>"),
            ("netscape", "The file contains no data in this format."),
        ] {
            browser.open("/library/import").await.expect(200);
            let fields = [("format", format), ("folders", "ignore")];
            let sent = browser.upload_with("/library/import", "a.csv", POCKET, &fields).await.expect(303);
            app.run_jobs().await;
            let preview = browser.open(sent.header("location")).await.expect(200).text();
            assert!(preview.contains(text), "{preview}");
        }
    });
}

#[test]
fn start_without_the_stored_file_is_refused_with_the_reason() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open("/library/import").await.expect(200);
        let sent = browser.upload("/library/import", "part_000000.csv", POCKET).await.expect(303);
        let at = sent.header("location").to_owned();
        app.run_jobs().await;
        browser.open(&at).await.expect(200);
        // A form without a choice changes nothing.
        let same = browser.submit(&at, &[]).await.expect(303);
        assert_eq!(same.header("location"), at);
        browser.open(&at).await.expect(200);
        // Cancelling an import deletes its file.
        browser.submit(&at, &[("act", "cancel")]).await.expect(303);
        browser.open(&at).await.expect(200);
        let started = browser.submit(&at, &[("act", "start")]).await.expect(303);
        let text = browser.open(started.header("location")).await.expect(200).text();
        assert!(text.contains("is no longer stored. Import the file again"), "{text}");
    });
}

#[test]
fn columns_of_a_table_are_confirmed_before_the_import() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open("/library/import").await.expect(200);
        let table = b"Seite;Inhalt\nhttps://example.org/1;A heading\n";
        let sent = browser.upload("/library/import", "links.csv", table).await.expect(303);
        let at = sent.header("location").to_owned();
        app.run_jobs().await;
        let preview = browser.open(&at).await.expect(200).text();
        assert!(preview.contains("<bdi>Inhalt</bdi>") && preview.contains("Metadata only"), "{preview}");
        let fields = [("act", "columns"), ("column-0", "url"), ("column-1", "title")];
        browser.submit(&at, &fields).await.expect(303);
        app.run_jobs().await;
        let preview = browser.open(&at).await.expect(200).text();
        assert!(preview.contains("<bdi>A heading</bdi>"), "{preview}");
    });
}

#[test]
fn invalid_import_file_is_reported_at_the_field() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        for (body, reason) in [
            (&b""[..], "Choose a file."),
            (b"\x00\x01\x02 no list of anything", "The file is neither text nor a ZIP archive."),
            (b"just words", "The format of the file is unknown."),
            (b"<opml version=\"2.0\"><body/></opml>", "on the page Feeds › Import and export"),
        ] {
            browser.open("/library/import").await.expect(200);
            let page = browser.upload("/library/import", "a.bin", body).await.expect(422).text();
            assert!(page.contains("id=\"file-error\"") && page.contains("<title>Error: "), "{page}");
            assert!(page.contains(reason) && !page.contains("Known formats"), "{page}");
        }
    });
}

#[test]
fn export_files_are_visible_to_their_account_only() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let body =
            serde_json::json!({"url": "https://example.org/1", "title": "One", "content": "Some words."});
        who.post(&app, "/v1/library/items", &body).await.expect(201);
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open("/library/export").await.expect(200);
        let requested = browser.submit("/library/export", &[("format", "csv")]).await.expect(303);
        let at = requested.header("location").to_owned();
        // The page reloads itself until the export is complete. The export may be complete before the first
        // request.
        let first = browser.open(&at).await.expect(200);
        assert!(
            !first.header("refresh").is_empty() || first.text().contains("/file?part=1"),
            "{}",
            first.text()
        );
        app.run_jobs().await;
        let page = browser.open(&at).await.expect(200).text();
        let file = between(&page, "href=\"/library/export/", "\"").to_owned();
        assert!(page.contains("Your export") && page.contains("/file?part=1"), "{page} {file}");
        let file = browser.open(&format!("{at}/file?part=1")).await.expect(200);
        assert!(file.text().contains("https://example.org/1"), "{}", file.text());
        let mut stranger = Browser::new(&app);
        stranger.sign_in(&other.email).await;
        stranger.open(&at).await.expect(404);
        stranger.open(&format!("{at}/file?part=1")).await.expect(404);
        browser.open(&at).await.expect(200);
        browser.submit(&format!("{at}/delete"), &[]).await.expect(303);
        browser.open(&at).await.expect(404);
    });
}
