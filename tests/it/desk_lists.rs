//! Lists of entries and items: undo of actions, actions on selected entries, and density.

use kernel::tiers::Tier;
use reqwest::Method;

use crate::library_imports::{imported, state};
use crate::support::browser::{Browser, between};
use crate::support::person::Person;
use crate::support::rss::{feed, poll};
use crate::support::{HttpAnswer, Reply, TestApp, on_each_world, run};

/// Returns a signed-in browser that follows a feed with three entries.
pub(crate) async fn following<'a>(app: &'a TestApp, who: &Person) -> Browser<'a> {
    let mut browser = Browser::new(app);
    browser.sign_in(&who.email).await;
    let url = app.site.put("/feed.xml", feed(1..=3));
    browser.open("/subscriptions/new").await.expect(200);
    browser.submit("/subscriptions/new", &[("url", &url), ("feed", &url)]).await.expect(303);
    poll(app).await;
    browser
}

/// Returns the ids of the listed entries, newest first.
async fn listed(browser: &mut Browser<'_>) -> Vec<String> {
    let list = browser.open("/entries?show=all").await.expect(200).text();
    let picks = list.split("name=\"entry\" value=\"").skip(1);
    picks.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

/// Follows the redirect of an action, presses Undo, and returns the page after it.
pub(crate) async fn undo(browser: &mut Browser<'_>, answer: &HttpAnswer, action: &str) -> String {
    let page = browser.follow(answer).await;
    assert!(page.contains(&format!("action=\"{action}\"")) && page.contains(">Undo<"), "{page}");
    let code = between(&page, "name=\"undo\" value=\"", "\"").to_owned();
    let back =
        between(page.split(action).nth(1).unwrap(), "name=\"back\" value=\"", "\"").replace("&amp;", "&");
    assert!(!back.contains("undo=") && !back.contains("done="), "{back}");
    let undone = browser.submit(action, &[("undo", &code), ("back", &back)]).await.expect(303);
    let page = browser.follow(&undone).await;
    assert!(page.contains("Undone.") && !page.contains(">Undo<"), "{page}");
    page
}

#[test]
fn actions_on_entries_are_undone() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = following(&app, &who).await;
        let ids = listed(&mut browser).await;
        assert_eq!(ids.len(), 3);
        let back = ("back", "/entries");
        let actions: [&[(&str, &str)]; 4] = [
            &[("read", &ids[0]), back],
            &[("above", &ids[1]), back],
            &[("act", "read"), ("entry", &ids[0]), ("entry", &ids[2]), back],
            &[("story", &ids[1]), back],
        ];
        for fields in actions {
            let marked = browser.submit("/entries/mark", fields).await.expect(303);
            let page = undo(&mut browser, &marked, "/entries/undo").await;
            assert!(page.contains("Unread 3"), "{fields:?}: {page}");
        }
        let through =
            between(&browser.open("/entries").await.expect(200).text(), "name=\"through\" value=\"", "\"")
                .to_owned();
        let all = browser.submit("/entries/mark-all", &[("through", &through), back]).await.expect(303);
        assert!(undo(&mut browser, &all, "/entries/undo").await.contains("Unread 3"));
        let starred = browser.submit("/entries/mark", &[("star", &ids[0]), back]).await.expect(303);
        assert!(!undo(&mut browser, &starred, "/entries/undo").await.contains("Starred: "));
    });
}

#[test]
fn selected_entries_are_changed_and_only_changed_entries_are_undone() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = following(&app, &who).await;
        let ids = listed(&mut browser).await;
        let none =
            browser.submit("/entries/mark", &[("act", "read"), ("back", "/entries")]).await.expect(303);
        assert!(browser.follow(&none).await.contains("Nothing was selected"));
        browser.submit("/entries/mark", &[("read", &ids[0])]).await.expect(303);
        browser.open("/entries").await.expect(200);
        let both =
            [("act", "read"), ("entry", ids[0].as_str()), ("entry", ids[1].as_str()), ("back", "/entries")];
        let marked = browser.submit("/entries/mark", &both).await.expect(303);
        let page = undo(&mut browser, &marked, "/entries/undo").await;
        assert!(page.contains("Unread 2"), "the first entry was read before: {page}");
        let starred = [
            ("act", "star"),
            ("entry", ids[0].as_str()),
            ("entry", ids[1].as_str()),
            ("back", "/entries?show=starred"),
        ];
        let starred = browser.submit("/entries/mark", &starred).await.expect(303);
        assert_eq!(browser.follow(&starred).await.matches("Starred: ").count(), 2);
    });
}

#[test]
fn undo_changes_only_objects_of_the_account() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let mut browser = following(&app, &who).await;
        let ids = listed(&mut browser).await;
        let mut stranger = Browser::new(&app);
        stranger.open("/sign-in").await.expect(200);
        let code = format!("read__{}", ids.join("."));
        let anonymous = stranger.submit("/entries/undo", &[("undo", &code)]).await.expect(303);
        assert!(anonymous.header("location").starts_with("/sign-in"));
        stranger.sign_in(&other.email).await;
        stranger.open("/subscriptions/new").await.expect(200);
        stranger.submit_from("https://evil.example", "/entries/undo", &[("undo", &code)]).await.expect(403);
        stranger.open("/subscriptions/new").await.expect(200);
        stranger.submit("/entries/undo", &[("undo", &code)]).await.expect(303);
        assert!(browser.open("/entries").await.expect(200).text().contains("Unread 3"));
        for invalid in ["", "x", "delete__1", "read_zz_1", "read__no"] {
            browser.submit("/entries/undo", &[("undo", invalid)]).await.expect(303);
            assert!(browser.open("/entries").await.expect(200).text().contains("Unread 3"), "{invalid}");
            browser.submit("/library/undo", &[("undo", invalid)]).await.expect(303);
            browser.open("/entries").await.expect(200);
        }
    });
}

#[test]
fn actions_on_items_are_undone() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let ids = who.save_texts(&app, 2).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open("/library").await.expect(200);
        browser.submit(&format!("/library/{}/change", ids[0]), &[("progress", "40")]).await.expect(303);
        browser.open("/library").await.expect(200);
        browser.submit("/library/bulk", &[("item", &ids[1]), ("act", "later")]).await.expect(303);
        let all = [("item", ids[0].as_str()), ("item", ids[1].as_str()), ("back", "/library?shelf=all")];
        for (act, tag) in [("archive", ""), ("read", ""), ("tag", "sea")] {
            browser.open("/library").await.expect(200);
            let fields = [&all[..], &[("act", act), ("tag", tag)]].concat();
            let changed = browser.submit("/library/bulk", &fields).await.expect(303);
            let page = undo(&mut browser, &changed, "/library/undo").await;
            assert!(page.contains("Inbox 1") && page.contains("Later 1"), "{act}: {page}");
            let rows = between(&page, "<ul class=\"rows picks\">", "</ul>");
            assert!(rows.contains("40 percent read") && !rows.contains("tag=sea"), "{act}: {rows}");
        }
    });
}

#[test]
fn items_marked_as_unread_are_read_again_after_undo() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let ids = who.save_texts(&app, 2).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        let page = browser.open("/library").await.expect(200).text();
        assert!(page.contains("data-original=\"https://example.org/1\""), "{page}");
        browser.submit("/library/bulk", &[("item", &ids[0]), ("act", "read")]).await.expect(303);
        browser.open("/library").await.expect(200);
        let fields = [("item", ids[0].as_str()), ("item", ids[1].as_str()), ("act", "unread")];
        let changed = browser.submit("/library/bulk", &fields).await.expect(303);
        let page = browser.follow(&changed).await;
        assert!(page.contains("Items marked as unread.") && !page.contains("<li class=\"read\""), "{page}");
        let page = undo(&mut browser, &changed, "/library/undo").await;
        assert_eq!(page.matches("<li class=\"read\"").count(), 1, "only one was read before");
    });
}

#[test]
fn density_changes_the_rows_in_one_browser_only() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let body = "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel><title>H</title><link>https://example.org/</link>\
            <item><title>Boats</title><guid>1</guid><link>https://example.org/1</link><description>Words on boats</description>\
            <media:thumbnail url=\"https://example.org/boat.png\"/></item></channel></rss>";
        let url = app.site.put("/feed.xml", Reply::bytes("application/rss+xml", body.as_bytes().to_vec()));
        browser.open("/subscriptions/new").await.expect(200);
        browser.submit("/subscriptions/new", &[("url", &url), ("feed", &url)]).await.expect(303);
        poll(&app).await;
        let cosy = browser.open("/entries").await.expect(200).text();
        let rows = between(&cosy, "<ul class=\"rows entries\">", "</ul>");
        assert!(
            rows.contains("Words on boats") && rows.contains("class=\"favicon\" src=\"/pictures/"),
            "{rows}"
        );
        assert!(!rows.contains("class=\"thumb\"") && !rows.contains("https://example.org/favicon"), "{rows}");
        for (density, has_words, has_picture) in [("compact", false, false), ("magazine", true, true)] {
            let saved = browser
                .submit("/settings/density", &[("density", density), ("back", "/entries")])
                .await
                .expect(303);
            assert_eq!(saved.header("location"), "/entries");
            let page = browser.follow(&saved).await;
            assert!(page.contains(&format!("data-density=\"{density}\"")), "{page}");
            let rows = between(&page, "<ul class=\"rows entries\">", "</ul>");
            assert_eq!(rows.contains("Words on boats"), has_words, "{rows}");
            assert_eq!(rows.contains("class=\"thumb\" src=\"/pictures/"), has_picture, "{rows}");
        }
        let body = serde_json::json!({"title": "Light", "content": "The keeper of the light wrote a letter every day."});
        who.post(&app, "/v1/library/items", &body).await.expect(201);
        let magazine = browser.open("/library").await.expect(200).text();
        assert!(magazine.contains("<p class=\"say\"><bdi>The keeper of the light"), "{magazine}");
        let compact = [("density", "compact"), ("back", "/library")];
        let compact = browser.submit("/settings/density", &compact).await.expect(303);
        assert!(!browser.follow(&compact).await.contains("The keeper of the light"));
        let back =
            browser.submit("/settings/density", &[("density", "?"), ("back", "/library")]).await.expect(303);
        assert!(!browser.follow(&back).await.contains("data-density"), "an unknown value is the default");
    });
}

#[test]
fn adjacent_entries_and_items_are_linked() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = following(&app, &who).await;
        let ids = listed(&mut browser).await;
        let middle = browser.open(&format!("/entries/{}?show=all", ids[1])).await.expect(200).text();
        assert!(middle.contains("Previous: <bdi>Note 3") && middle.contains("Next: <bdi>Note 1"), "{middle}");
        let first = browser.open(&format!("/entries/{}?show=all", ids[0])).await.expect(200).text();
        assert!(!first.contains("Previous: ") && first.contains("Next: <bdi>Note 2"), "{first}");

        let mut items = Vec::new();
        for number in 1..=3 {
            let body = serde_json::json!({"title": format!("Text {number}"), "content": "Some words."});
            let made = who.post(&app, "/v1/library/items", &body).await.expect(201).json();
            items.push(made["item"]["id"].as_str().unwrap().to_owned());
            app.clock.advance(1_000);
        }
        let other = Person::free(&app).await;
        let body = serde_json::json!({"title": "Text of another", "content": "Some words."});
        other.post(&app, "/v1/library/items", &body).await.expect(201);
        let middle = browser.open(&format!("/library/{}", items[1])).await.expect(200).text();
        assert!(middle.contains("Previous: <bdi>Text 3") && middle.contains("Next: <bdi>Text 1"), "{middle}");
        assert!(middle.contains("data-minutes=\"0\""), "{middle}");
        let newest = browser.open(&format!("/library/{}", items[2])).await.expect(200).text();
        assert!(!newest.contains("Previous: ") && newest.contains("Next: <bdi>Text 2"), "{newest}");
    });
}

#[test]
fn deletion_can_be_undone_within_a_minute_and_is_then_final() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let body = serde_json::json!({"title": "Text of the harbour", "content": "Some words."});
        let made = who.post(&app, "/v1/library/items", &body).await.expect(201).json();
        let id = made["item"]["id"].as_str().unwrap().to_owned();
        let path = format!("/library/{id}");
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let item = [("item", id.as_str()), ("back", "/library?shelf=all")];
        browser.open("/library").await.expect(200);
        let deleted = browser.submit("/library/delete", &item).await.expect(303);
        let code = deleted.header("location").split("undo=").nth(1).unwrap().to_owned();
        browser.open(&path).await.expect(404);
        for list in ["/library?shelf=all", "/library?shelf=all&q=harbour", "/search?q=harbour", "/today"] {
            let page = browser.open(list).await.expect(200).text();
            assert!(!page.contains("Text of the harbour"), "{list}: {page}");
        }
        let mut stranger = Browser::new(&app);
        stranger.sign_in(&other.email).await;
        stranger.open("/library").await.expect(200);
        let refused = stranger.submit("/library/undo", &[("undo", &code)]).await.expect(303);
        assert!(stranger.follow(&refused).await.contains("already been permanently deleted"));
        browser.open(&path).await.expect(404);

        let page = undo(&mut browser, &deleted, "/library/undo").await;
        assert!(page.contains("Text of the harbour") && page.contains("Inbox 1"), "{page}");
        browser.open(&path).await.expect(200);
        app.clock.advance(61_000);
        library::delete_due(&app.app.domain).await.unwrap();
        browser.open(&path).await.expect(200);

        browser.open("/library").await.expect(200);
        browser.submit("/library/delete", &item).await.expect(303);
        who.get(&app, &format!("/v1/library/items/{id}")).await.expect(200);
        app.clock.advance(61_000);
        library::delete_due(&app.app.domain).await.unwrap();
        assert_eq!(library::delete_due(&app.app.domain).await.unwrap(), 0, "a second run finds nothing");
        who.get(&app, &format!("/v1/library/items/{id}")).await.api_error(404, "not_found");
        browser.open("/library").await.expect(200);
        let late = browser.submit("/library/undo", &[("undo", &code)]).await.expect(303);
        assert!(browser.follow(&late).await.contains("already been permanently deleted"));
    });
}

#[test]
fn new_entries_of_a_list_are_counted() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let mut browser = following(&app, &who).await;
        let list = browser.open("/entries?show=all").await.expect(200).text();
        let count = between(&list, "data-poll=\"", "\"").replace("&amp;", "&");
        assert!(count.starts_with("/entries/new?through=") && count.ends_with("&show=all"), "{count}");
        let today = browser.open("/today").await.expect(200).text();
        let unread = between(&today, "data-poll=\"", "\"").to_owned();
        assert!(today.contains("hidden><a href=\"/today\">New entries"), "{today}");
        let answer = browser.load(&count).await.expect(200);
        assert_eq!(answer.header("content-type"), "application/json");
        assert_eq!(answer.header("cache-control"), "private, no-store");
        assert_eq!(answer.json()["count"], 0);
        app.site.put("/feed.xml", feed(1..=5));
        let list = browser.open("/subscriptions").await.expect(200).text();
        let id = between(&list, "<h3><a href=\"/subscriptions/", "\"").to_owned();
        browser.open(&format!("/subscriptions/{id}")).await.expect(200);
        browser.submit(&format!("/subscriptions/{id}/refresh"), &[]).await.expect(303);
        poll(&app).await;
        for address in [&count, &unread] {
            assert_eq!(browser.load(address).await.expect(200).json()["count"], 2, "{address}");
        }
        let starred = browser.open("/entries?show=starred").await.expect(200).text();
        assert!(!starred.contains("data-poll"), "{starred}");
        browser.load("/entries/new?through=x").await.expect(422);
        app.get(&count).await.expect(303);
        let mut stranger = Browser::new(&app);
        stranger.sign_in(&other.email).await;
        assert_eq!(stranger.load(&count).await.expect(200).json()["count"], 0);
    });
}

/// Stream of a list, and the part of it that was received.
struct EntryStream {
    response: reqwest::Response,
    text: String,
}

impl EntryStream {
    /// Opens a stream with the cookies of a browser.
    async fn open(app: &TestApp, browser: &Browser<'_>, path: &str) -> Self {
        let request = app.request(Method::GET, &format!("{}{path}", browser.origin));
        let response = request.header("cookie", browser.cookie_header()).send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { response, text: String::new() }
    }

    /// Receives the rest of a stream that closes.
    async fn rest(mut self) -> String {
        while let Some(chunk) = self.response.chunk().await.unwrap() {
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
        self.text
    }

    /// Receives the number of the next event.
    async fn count(&mut self) -> u64 {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let data = event.strip_prefix("data: ").map(str::to_owned);
                self.text = rest.to_owned();
                let Some(data) = data else { continue };
                let arrival: serde_json::Value = serde_json::from_str(&data).unwrap();
                return arrival["count"].as_u64().unwrap();
            }
            let chunk = self.response.chunk().await.unwrap().expect("the stream is open");
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }
}

#[test]
fn stream_reports_new_entries_of_its_list_only() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let mut browser = following(&app, &who).await;
        let list = browser.open("/entries?show=all").await.expect(200).text();
        let poll_path = between(&list, "data-poll=\"", "\"").replace("&amp;", "&");
        let path = poll_path.replace("/entries/new", "/entries/live");
        let stranger = Browser::signed_in(&app, &other).await;
        let mut foreign = EntryStream::open(&app, &stranger, &path).await;
        let mut stream = EntryStream::open(&app, &browser, &path).await;
        app.site.put("/feed.xml", feed(1..=5));
        let page = browser.open("/subscriptions").await.expect(200).text();
        let id = between(&page, "<h3><a href=\"/subscriptions/", "\"").to_owned();
        browser.open(&format!("/subscriptions/{id}")).await.expect(200);
        browser.submit(&format!("/subscriptions/{id}/refresh"), &[]).await.expect(303);
        poll(&app).await;
        assert_eq!(stream.count().await, 2);
        // A stream that is opened afterwards begins with the number.
        assert_eq!(EntryStream::open(&app, &browser, &path).await.count().await, 2);
        app.app.begin_shutdown();
        while let Some(chunk) = foreign.response.chunk().await.unwrap() {
            assert!(!chunk.windows(5).any(|word| word == b"data:"), "{chunk:?}");
        }
    });
}

#[test]
fn additional_stream_replaces_the_oldest_and_requires_a_session() {
    run(async {
        let app = TestApp::spawn().await;
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let (browser, stranger) =
            (Browser::signed_in(&app, &who).await, Browser::signed_in(&app, &other).await);
        let path = "/entries/live?through=0";
        browser.load("/entries/live?through=x").await.expect(422);
        app.get(path).await.expect(303);
        let mut of_stranger = EntryStream::open(&app, &stranger, path).await;
        let mut open = Vec::new();
        for _ in 0..=4 {
            open.push(EntryStream::open(&app, &browser, path).await);
        }
        assert!(open.remove(0).rest().await.ends_with("event: replaced\ndata:\n\n"));
        app.app.begin_shutdown();
        for stream in open {
            assert!(!stream.rest().await.contains("replaced"));
        }
        assert!(of_stranger.response.chunk().await.unwrap().is_some_and(|chunk| chunk.starts_with(b"retry")));
    });
}

#[test]
fn item_that_is_saved_again_after_its_deletion_is_retained() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut paths = Vec::new();
        for number in 1..=3 {
            let body = serde_json::json!({
                "url": format!("https://example.org/{number}"), "title": format!("Text {number}"), "content": "Some words.",
            });
            let made = who.post(&app, "/v1/library/items", &body).await.expect(201).json();
            paths.push(format!("/library/{}", made["item"]["id"].as_str().unwrap()));
            app.clock.advance(1_000);
        }
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open("/library").await.expect(200);
        let id = paths[1].trim_start_matches("/library/").to_owned();
        browser.submit("/library/delete", &[("item", &id)]).await.expect(303);
        let newest = browser.open(&paths[2]).await.expect(200).text();
        assert!(newest.contains("Next: <bdi>Text 1") && !newest.contains("Text 2"), "{newest}");
        let first = paths[0].trim_start_matches("/library/").to_owned();
        browser.submit("/library/delete", &[("item", &first)]).await.expect(303);

        let again = serde_json::json!({"url": "https://example.org/2", "content": "Some words."});
        let saved = who.post(&app, "/v1/library/items", &again).await.expect(200).json();
        assert_eq!(saved["item"]["id"], id.as_str());
        assert_eq!(saved["alreadySaved"], true);
        browser.open(&paths[1]).await.expect(200);
        let table = "title,url,time_added,tags,status\nText 1,https://example.org/1,1704067200,,unread\n";
        let import = imported(&app, &who, table).await;
        state(&app, &who, &import).await;
        browser.open(&paths[0]).await.expect(404);
        who.post(&app, &format!("/v1/library/imports/{import}/start"), &serde_json::json!({}))
            .await
            .expect(202);
        state(&app, &who, &import).await;
        browser.open(&paths[0]).await.expect(200);
        app.clock.advance(61_000);
        assert_eq!(library::delete_due(&app.app.domain).await.unwrap(), 0);
        for path in &paths {
            browser.open(path).await.expect(200);
        }
    });
}

#[test]
fn feeds_of_a_list_are_refreshed_and_read_entries_are_listed() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = following(&app, &who).await;
        let ids = listed(&mut browser).await;
        browser.submit("/entries/mark", &[("read", &ids[0]), ("back", "/entries")]).await.expect(303);
        let read = browser.open("/entries?show=read").await.expect(200).text();
        let pick = |id: &str| format!("name=\"entry\" value=\"{id}\"");
        assert!(read.contains(&pick(&ids[0])) && !read.contains(&pick(&ids[1])), "{read}");
        assert!(!read.contains("action=\"/entries/mark-all\""), "{read}");

        app.site.put("/feed.xml", feed(1..=4));
        app.clock.advance(6 * 60_000);
        let list = browser.open("/entries").await.expect(200).text();
        assert!(list.contains("action=\"/subscriptions/refresh\"") && !list.contains("Note 4"), "{list}");
        let back = ("back", "/entries");
        browser.submit_from("https://evil.example", "/subscriptions/refresh", &[back]).await.expect(403);
        Browser::new(&app).submit("/subscriptions/refresh", &[back]).await.expect(303);
        browser.open("/entries").await.expect(200);
        let refreshed = browser.submit("/subscriptions/refresh", &[back]).await.expect(303);
        assert!(browser.follow(&refreshed).await.contains("fetched within two minutes"));
        let again = browser.submit("/subscriptions/refresh", &[back]).await.expect(303);
        assert!(browser.follow(&again).await.contains("fetched a moment ago"));
        poll(&app).await;
        let list = browser.open("/entries").await.expect(200).text();
        assert!(list.contains("Note 4"), "{list}");
        let feed_id = between(&list, "feed=", "\"").split('&').next().unwrap().to_owned();
        let of_feed = browser.open(&format!("/entries?feed={feed_id}")).await.expect(200).text();
        assert!(of_feed.contains("/delete\" data-key=\"#\">Unfollow…"), "{of_feed}");
    });
}
