//! Pages of the library: saving, views, tags, search, an item with its highlights and notes, and bulk
//! actions.

use kernel::tiers::Tier;

use crate::support::browser::{Browser, between};
use crate::support::person::{PASSWORD, Person};
use crate::support::{Reply, TestApp, on_each_world, run};

/// Returns a signed-in browser that saved the article of the site, and the path of the item's page.
async fn with_article<'a>(app: &'a TestApp, who: &Person) -> (Browser<'a>, String) {
    let mut browser = Browser::new(app);
    browser.sign_in(&who.email).await;
    let url = app.site.article("/town");
    browser.open(&format!("/save?url={url}")).await.expect(200);
    let saved = browser.submit("/save", &[("url", &url), ("tags", "coast, to read")]).await.expect(303);
    let at = saved.header("location").split('?').next().unwrap().to_owned();
    (browser, at)
}

#[test]
fn address_that_is_not_utf_8_is_refused() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open("/save?url=https%3A%2F%2Fexample.org%2Fcaf%C3%A9").await.expect(200);
        browser.open("/save?url=https%3A%2F%2Fexample.org%2Fcaf%e9").await.expect(422);
    });
}

#[test]
fn item_is_saved_read_tagged_moved_and_deleted() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let (mut browser, at) = with_article(&app, &who).await;
        let page = browser.open(&at).await.expect(200).text();
        assert!(
            page.contains("<h1><bdi>A town by the sea</bdi></h1>") && page.contains(">coast</bdi>"),
            "{page}"
        );
        assert!(page.contains("id=\"p2\"") && page.contains("class=\"pil\" href=\"#p2\""), "{page}");
        assert!(page.contains("/assets/reading-") && page.contains("id=\"listen\""), "{page}");
        assert!(page.contains("id=\"share-page\" type=\"button\" data-url=\"http"), "{page}");
        let list = browser.open("/library").await.expect(200).text();
        assert!(list.contains("Inbox 1") && list.contains("A town by the sea"), "{list}");
        let moved = browser.submit(&format!("{at}/change"), &[("status", "later")]).await.expect(303);
        assert!(browser.follow(&moved).await.contains("Moved."));
        browser.submit(&format!("{at}/change"), &[("progress", "40")]).await.expect(303);
        let moved_list = browser.open("/library?shelf=later&tag=to+read").await.expect(200).text();
        assert!(moved_list.contains("Later 1") && moved_list.contains("40 percent read"), "{moved_list}");
        let results = browser.open("/library?shelf=all&q=harbour").await.expect(200).text();
        assert!(results.contains("<mark>Harbour</mark>"), "{results}");
        browser.open(&format!("{at}/edit")).await.expect(200);
        let fields = [("title", "The town"), ("author", ""), ("tags", "coast"), ("kind", "book")];
        let edited = browser.submit(&format!("{at}/edit"), &fields).await.expect(303);
        let page = browser.follow(&edited).await;
        assert!(page.contains("The town") && page.contains("Book") && !page.contains("to read"), "{page}");
        let text = browser.open(&format!("{at}/markdown")).await.expect(200);
        assert!(text.header("content-disposition").contains("The town.md"));
        assert!(text.text().starts_with("# The town\n"), "{}", text.text());

        let mut stranger = Browser::new(&app);
        stranger.sign_in(&other.email).await;
        for path in ["", "/edit", "/markdown", "/delete", "/file"] {
            stranger.open(&format!("{at}{path}")).await.expect(404);
        }
        stranger.open("/library").await.expect(200);
        stranger.submit(&format!("{at}/change"), &[("status", "archive")]).await.expect(404);
        let own = ("item", at.rsplit('/').next().unwrap());
        stranger.open("/library").await.expect(200);
        stranger.submit("/library/delete", &[own]).await.expect(303);

        let confirmation = browser.open(&format!("{at}/delete")).await.expect(200).text();
        assert!(
            confirmation.contains("Delete this item?") && confirmation.contains("The town"),
            "{confirmation}"
        );
        browser.submit("/library/delete", &[own]).await.expect(303);
        browser.open(&at).await.expect(404);
    });
}

#[test]
fn save_error_is_reported_at_the_field_and_retains_the_input() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        for wrong in ["nonsense words", "ftp://example.org/a", "http://192.168.0.1/x"] {
            browser.open("/library").await.expect(200);
            let page = browser.submit("/library", &[("url", wrong)]).await.expect(422).text();
            assert!(page.contains("<title>Error: Library") && page.contains("href=\"#url\""), "{page}");
            assert!(
                page.contains("id=\"url-error\"") && page.contains(&format!("value=\"{wrong}\"")),
                "{page}"
            );
        }
        browser.open("/library").await.expect(200);
        let secret = format!("https://example.org/?key={}", who.key);
        browser.submit("/library", &[("url", &secret)]).await.expect(422);
    });
}

/// Opens the page that shares the quote of a highlight. Returns its path.
async fn assert_quote_is_shared(browser: &mut Browser<'_>, item: &str, id: &str) -> String {
    let path = format!("/library/highlights/{id}/quote");
    let share = browser.open(&path).await.expect(200).text();
    assert!(share.contains("“ferry leaves the harbour at nine &amp; comes”\n— Ferry"), "{share}");
    assert!(share.contains("#:~:text=ferry%20leaves%20the%20harbour%20at%20nine%20%26%20comes"), "{share}");
    assert!(share.contains(&format!("{item}#mark-{id}")) && share.contains("/assets/reading-"), "{share}");
    assert!(
        share.contains("data-quote=\"ferry leaves the harbour at nine &amp; comes\" data-title=\"Ferry\""),
        "{share}"
    );
    assert!(share.contains("data-host=\"") && share.contains("/assets/quote-picture-"), "{share}");
    path
}

#[test]
fn highlights_are_rendered_in_the_text_and_notes_are_saved() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/ferry", Reply::html(
            "<title>Ferry</title><article><h1>Ferry</h1><p>The ferry <em>leaves the harbour</em> at nine &amp; comes back at ten, \
             which is later than people think when they stand on the pier.</p><p>A second paragraph with enough words to be a text of its own, about the sea.</p></article>",
        ));
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open("/save").await.expect(200);
        let saved = browser.submit("/save", &[("url", &url)]).await.expect(303);
        let at = saved.header("location").split('?').next().unwrap().to_owned();
        browser.open(&at).await.expect(200);
        let fields = [("quote", "ferry leaves the harbour at nine & comes"), ("note", "When? <b>")];
        let marked = browser.submit(&format!("{at}/highlights"), &fields).await.expect(303);
        assert!(marked.header("location").contains("#mark-"));
        let page = browser.follow(&marked).await;
        assert!(page.contains("<em><mark>leaves the harbour</mark></em>"), "{page}");
        assert!(page.contains("When? &lt;b&gt;") && !page.contains("When? <b>"), "{page}");
        let id = between(&page, "/library/highlights/", "\"").to_owned();
        assert!(
            browser
                .open(&format!("/library/highlights/{id}"))
                .await
                .expect(303)
                .header("location")
                .starts_with(&at)
        );
        browser.open(&at).await.expect(200);
        let wrong = browser.submit(&format!("{at}/highlights"), &[("quote", "  ")]).await.expect(422).text();
        assert!(wrong.contains("quote-error"), "{wrong}");
        let noted = browser.submit(&format!("{at}/notes"), &[("text", "Ask the captain.")]).await.expect(303);
        let page = browser.follow(&noted).await;
        assert!(page.contains("Ask the captain."), "{page}");
        let long = "n".repeat(kernel::bounds::NOTE_CHARS + 1);
        let refused = browser.submit(&format!("{at}/notes"), &[("text", &long)]).await.expect(422).text();
        assert!(
            refused.contains("text-error") && refused.contains(&long),
            "the refused text is shown completely"
        );
        let note = between(&page, "/library/notes/", "\"").to_owned();
        let edit = format!("/library/notes/{note}");
        browser.open(&edit).await.expect(200);
        browser.submit(&edit, &[("text", &long)]).await.expect(422);
        let edited = browser.submit(&edit, &[("text", "Ask the mate.")]).await.expect(303);
        assert!(browser.follow(&edited).await.contains("Ask the mate."));
        let quote = assert_quote_is_shared(&mut browser, &at, &id).await;
        let changed = [("act", "delete")];
        browser.open(&at).await.expect(200);
        browser.submit(&format!("/library/highlights/{id}"), &changed).await.expect(303);
        assert!(!browser.open(&at).await.expect(200).text().contains("<mark"), "the highlight is deleted");
        let other = Person::free(&app).await;
        let mut stranger = Browser::new(&app);
        stranger.sign_in(&other.email).await;
        stranger.open(&edit).await.expect(404);
        stranger.open(&quote).await.expect(404);
        browser.open(&quote).await.expect(404);
        browser.open("/library/highlights/none/quote").await.expect(404);
    });
}

#[test]
fn highlight_that_is_too_long_is_refused_and_retained_in_the_form() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let (mut browser, at) = with_article(&app, &who).await;
        browser.open(&at).await.expect(200);
        let path = format!("{at}/highlights");
        let most = "n".repeat(kernel::bounds::HIGHLIGHT_CHARS);
        let long = format!("{most}n");
        let refused = browser.submit(&path, &[("quote", &long)]).await.expect(422).text();
        assert!(refused.contains("quote-error") && refused.contains(&format!(">{long}</textarea>")));
        let listed = who.get(&app, "/v1/library/highlights").await.expect(200).json();
        assert!(listed["highlights"].as_array().unwrap().is_empty(), "{listed}");
        browser.submit(&path, &[("quote", &most)]).await.expect(303);
        let listed = who.get(&app, "/v1/library/highlights").await.expect(200).json();
        assert_eq!(listed["highlights"][0]["quote"], most);
    });
}

#[test]
fn refused_change_of_a_highlight_is_retained_in_the_form() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let (mut browser, at) = with_article(&app, &who).await;
        browser.open(&at).await.expect(200);
        let fields = [("quote", "A quote that is not in the text."), ("note", "Short.")];
        browser.submit(&format!("{at}/highlights"), &fields).await.expect(303);
        let page = browser.open(&at).await.expect(200).text();
        let id = between(&page, "action=\"/library/highlights/", "\"");
        let path = format!("/library/highlights/{id}");
        let most = "n".repeat(kernel::bounds::NOTE_CHARS);
        let long = format!("{most}n");
        let changed = [("note", long.as_str()), ("color", "green")];
        let retained = [format!(">{long}</textarea>"), "value=\"green\" selected".to_owned()];
        let refused = browser.submit(&path, &changed).await.expect(422).text();
        assert!(refused.contains("note-error") && retained.iter().all(|part| refused.contains(part)));
        let stored = who.get(&app, &format!("/v1{path}")).await.expect(200).json();
        assert_eq!(stored["object"]["note"], "Short.");
        assert_eq!(stored["object"]["color"], "yellow");
        browser.submit(&path, &[("note", &most), ("color", "green")]).await.expect(303);
        let stored = who.get(&app, &format!("/v1{path}")).await.expect(200).json();
        assert_eq!(stored["object"]["note"], most);
        assert_eq!(stored["object"]["color"], "green");

        let item = at.rsplit('/').next().unwrap().parse().unwrap();
        library::delete(&app.app.domain, who.id, item, library::ItemDeletion::default()).await.unwrap();
        browser.open(&path).await.expect(200);
        let refused = browser.submit(&path, &changed).await.expect(422).text();
        assert!(retained.iter().all(|part| refused.contains(part)), "the item is deleted");
    });
}

#[test]
fn note_that_is_saved_unchanged_in_a_browser_stays_the_same() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let (mut browser, at) = with_article(&app, &who).await;
        let item = at.rsplit('/').next().unwrap();
        let text = "line one\nline two\n\nline four";
        let as_sent = text.replace('\n', "\r\n");
        let body = serde_json::json!({"itemId": item, "text": text});
        let made = who.post(&app, "/v1/library/notes", &body).await.expect(201).json();
        let path = format!("/library/notes/{}", made["object"]["id"].as_str().unwrap());
        browser.open(&path).await.expect(200);
        browser.submit(&path, &[("text", &as_sent)]).await.expect(303);
        let stored = who.get(&app, &format!("/v1{path}")).await.expect(200).json();
        assert_eq!(stored["object"], made["object"], "text, size and time of the last change");

        browser.open(&at).await.expect(200);
        browser.submit(&format!("{at}/notes"), &[("text", &as_sent)]).await.expect(303);
        browser.open(&at).await.expect(200);
        let quote = [("quote", "A quote that is not in the text."), ("note", as_sent.as_str())];
        browser.submit(&format!("{at}/highlights"), &quote).await.expect(303);
        let listed = who.get(&app, "/v1/library/notes").await.expect(200).json();
        assert!(listed["notes"].as_array().unwrap().iter().all(|note| note["text"] == text), "{listed}");
        let listed = who.get(&app, "/v1/library/highlights").await.expect(200).json();
        assert_eq!(listed["highlights"][0]["note"], text);
    });
}

#[test]
fn form_that_is_sent_twice_adds_its_note_one_time() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let (mut browser, at) = with_article(&app, &who).await;
        let url = app.site.article("/town");
        let count = async || {
            let listed = who.get(&app, "/v1/library/notes").await.expect(200).json();
            listed["notes"].as_array().unwrap().len()
        };
        let (item_notes, ask) = (format!("{at}/notes"), format!("/save?url={url}"));
        let mut expected = 0;
        for (page, action, name) in
            [(at.as_str(), item_notes.as_str(), "text"), (ask.as_str(), "/save", "note")]
        {
            for _ in 0..2 {
                let form = browser.open(page).await.expect(200).text();
                let form_id = between(&form, "name=\"formId\" value=\"", "\"").to_owned();
                for text in ["Ask the captain.", "Ask the captain.", "Ask the mate."] {
                    // The redirect has no form; the browser sends the displayed form again.
                    browser.page.clone_from(&form);
                    let fields = [("url", url.as_str()), (name, text), ("formId", form_id.as_str())];
                    browser.submit(action, &fields).await.expect(303);
                }
                expected += 2;
                assert_eq!(count().await, expected, "{action}: one note for each form and text");
            }
        }
    });
}

#[test]
fn unedited_tags_are_retained_and_invalid_tags_are_refused() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let body = serde_json::json!({
            "url": "https://example.org/1", "title": "Text", "content": "Some words.", "tags": ["sea, deep", "b"],
        });
        let made = who.post(&app, "/v1/library/items", &body).await.expect(201).json();
        let at = format!("/library/{}", made["item"]["id"].as_str().unwrap());
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let edit = format!("{at}/edit");
        browser.open(&edit).await.expect(200);
        let fields = [("title", "New"), ("tags", "sea, deep, b"), ("kind", "article")];
        let edited = browser.submit(&edit, &fields).await.expect(303);
        assert!(browser.follow(&edited).await.contains("<bdi>sea, deep</bdi>"));
        let (long, many) = ("t".repeat(33), (0..13).map(|n| n.to_string()).collect::<Vec<_>>().join(","));
        for tags in [&long, &many] {
            browser.open(&edit).await.expect(200);
            let page = browser.submit(&edit, &[("title", "New"), ("tags", tags)]).await.expect(422).text();
            assert!(page.contains("tags-error"), "{page}");
        }
        browser.open("/library/tags").await.expect(200);
        browser.submit("/library/tags", &[("from", "b"), ("to", &long), ("act", "rename")]).await.expect(422);
    });
}

#[test]
fn form_of_an_ended_session_returns_to_its_page_with_a_notice() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let (mut browser, at) = with_article(&app, &who).await;
        browser.open(&at).await.expect(200);
        browser.submit("/sign-out", &[]).await.expect(303);
        let notes = format!("{at}/notes");
        let sent = browser.submit(&notes, &[("text", "A note.")]).await.expect(303);
        assert_eq!(sent.header("location"), "/sign-in?unsaved&signed-out", "the page is unknown");
        browser.proxy_headers.push(("referer", format!("{}{at}?done=noted", app.origin)));
        let sent = browser.submit(&notes, &[("text", "A note.")]).await.expect(303);
        let page = browser.follow(&sent).await;
        assert!(page.contains("your last change was not saved"), "{page}");
        assert_eq!(between(&page, "name=\"next\" value=\"", "\""), at);
        let fields = [("email", who.email.as_str()), ("password", PASSWORD), ("next", at.as_str())];
        let signed_in = browser.submit("/sign-in", &fields).await.expect(303);
        assert!(browser.follow(&signed_in).await.contains("A town by the sea"));
        assert!(!browser.open("/sign-in?signed-out").await.text().contains("was not saved"));
    });
}

#[test]
fn item_with_many_notes_says_that_only_the_newest_are_listed() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let id = who.save_texts(&app, 1).await.remove(0);
        let mut browser = Browser::signed_in(&app, &who).await;
        for number in 1..=201 {
            let note = library::NewNote {
                title: None,
                text: format!("Note {number}."),
                item_id: Some(id.parse().unwrap()),
                tags: Vec::new(),
                external_id: None,
            };
            library::create_note(&app.app.domain, who.id, note).await.unwrap();
            if number == 200 {
                let page = browser.open(&format!("/library/{id}")).await.expect(200).text();
                assert!(!page.contains("newest 200 notes"), "{page}");
            }
        }
        let page = browser.open(&format!("/library/{id}")).await.expect(200).text();
        assert!(page.contains("These are the newest 200 notes."), "{page}");
    });
}

#[test]
fn refused_saved_search_is_displayed_again_with_its_values() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        let path = "/library/searches";
        let list = "/library?shelf=all&q=harbour";
        let search = |name: &'static str, query: &'static str| {
            [("target", "library"), ("back", list), ("name", name), ("query", query)]
        };
        for (name, query) in [("Boats", "harbour"), ("Ships", "quay")] {
            browser.open(list).await.expect(200);
            browser.submit(path, &search(name, query)).await.expect(303);
        }
        browser.open(list).await.expect(200);
        let refused = browser.submit(path, &search("Boats", "\"high water\"")).await.expect(422).text();
        assert!(refused.contains("href=\"#name\"") && refused.contains("id=\"name-error\""), "{refused}");
        let query = "id=\"query\" name=\"query\" type=\"text\" value=\"&quot;high water&quot;\"";
        assert!(
            refused.contains(query) && refused.contains("name=\"name\" type=\"text\" value=\"Boats\""),
            "{refused}"
        );
        assert!(refused.contains("name=\"back\" value=\"/library?shelf=all&amp;q=harbour\""), "{refused}");
        let saved = browser.submit(path, &search("Tides", "\"high water\"")).await.expect(303);
        assert_eq!(saved.header("location"), format!("{list}&done=search-saved"));

        let page = browser.open(path).await.expect(200).text();
        let ships = page.split("<li>").find(|row| row.contains("<bdi>Ships</bdi>")).unwrap();
        let ships = format!("{path}/{}", between(ships, "action=\"/library/searches/", "\""));
        let renamed = browser.submit(&ships, &[("name", "boats")]).await.expect(422).text();
        assert!(renamed.contains("id=\"name\" type=\"text\" name=\"name\" value=\"boats\""), "{renamed}");
        assert_eq!(renamed.matches("id=\"name-error\"").count(), 1, "{renamed}");
    });
}

#[test]
fn items_are_moved_tagged_and_deleted_in_bulk() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let ids = who.save_texts(&app, 3).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let chosen = [("item", ids[0].as_str()), ("item", ids[1].as_str())];
        let with = |act: &'static str| {
            [&chosen[..], &[("act", act), ("tag", "sea"), ("back", "/library?shelf=inbox")]].concat()
        };
        let list = browser.open("/library").await.expect(200).text();
        let first = between(&list, "name=\"act\" value=\"", "\"");
        assert_eq!(first, "tag", "Enter in the tag field adds the tag");
        let none = browser.submit("/library/bulk", &[("act", "later")]).await.expect(303);
        assert!(browser.follow(&none).await.contains("Nothing was selected"));
        let tagged = browser.submit("/library/bulk", &with("tag")).await.expect(303);
        assert!(tagged.header("location").starts_with("/library?shelf=inbox&done=tagged&undo=untag_"));
        browser.open("/library").await.expect(200);
        browser.submit("/library/bulk", &with("later")).await.expect(303);
        let moved_list = browser.open("/library?shelf=later").await.expect(200).text();
        assert!(moved_list.contains("Later 2") && moved_list.contains("tag=sea"), "{moved_list}");
        let elsewhere = [&chosen[..], &[("act", "read"), ("back", "//evil.example/")]].concat();
        let led = browser.submit("/library/bulk", &elsewhere).await.expect(303);
        assert!(
            led.header("location").starts_with("/library?done=read&undo=unread__"),
            "only pages of the desk are redirect targets"
        );
        let tags = browser.open("/library/tags").await.expect(200).text();
        assert!(tags.contains("sea") && tags.contains("2 items"), "{tags}");
        browser
            .submit("/library/tags", &[("from", "sea"), ("to", "coast"), ("act", "rename")])
            .await
            .expect(303);
        assert!(browser.open("/library?shelf=all&tag=coast").await.expect(200).text().contains("Text 1"));
        let confirmation = browser.submit("/library/bulk", &with("delete")).await.expect(200).text();
        assert!(confirmation.contains("Delete these 2 items?"), "{confirmation}");
        browser.submit("/library/delete", &chosen).await.expect(303);
        let left = browser.open("/library?shelf=all").await.expect(200).text();
        assert!(left.contains("Text 3") && !left.contains("Text 1"), "{left}");
    });
}
