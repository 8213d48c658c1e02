//! Management of feeds through HTTP and on the pages: statistics, icons, custom headers, the selected and removed
//! parts of articles, dropped entries, old unread entries, stories, and links to the publisher's pages.

use kernel::Scopes;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::browser::{Browser, between};
use crate::support::feed_app::{FeedApp, app_key, fever};
use crate::support::person::Person;
use crate::support::rss::{document, feed, poll};
use crate::support::{Reply, TestApp, on_each_world};

#[test]
fn statistics_of_feeds_are_listed_for_their_account_only() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let url = app.site.put("/feed.xml", feed(1..=4));
        let made = who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201).json();
        poll(&app).await;
        let entries = who.get(&app, "/v1/rss/entries?limit=1").await.expect(200).json();
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open(&format!("/entries/{}", entries["entries"][0]["id"])).await.expect(200);

        let list = who.get(&app, "/v1/rss/statistics").await.expect(200).json();
        let one = &list["statistics"][0];
        assert_eq!(one["subscriptionId"], made["subscription"]["id"]);
        assert_eq!((&one["title"], &one["readShare"]), (&json!("Harbour"), &json!(0.25)));
        assert!(one["lastPostAt"].is_string() && one["lastReadAt"].is_string(), "{one}");
        assert_eq!((&one["neverRead"], &list["nextCursor"]), (&json!(false), &json!(null)));
        let none = who.get(&app, "/v1/rss/statistics?neverRead=true").await.expect(200).json();
        assert_eq!(none["statistics"], json!([]));
        let others = other.get(&app, "/v1/rss/statistics").await.expect(200).json();
        assert_eq!(others["statistics"], json!([]));
        app.get("/v1/rss/statistics").await.api_error(401, "missing_credential");
        who.get(&app, "/v1/rss/statistics?limit=101").await.api_error(422, "invalid_request");

        let page = browser.open("/subscriptions/statistics").await.expect(200).text();
        assert!(page.contains("Harbour") && page.contains("25 % read"), "{page}");
        let page = browser.open("/subscriptions/statistics?show=never-read").await.expect(200).text();
        assert!(page.contains("None of your feeds go unread."), "{page}");
        let id = &made["subscription"]["id"];
        let page = browser.open(&format!("/subscriptions/{id}")).await.expect(200).text();
        assert!(page.contains("<dt>Read</dt><dd class=\"dots\"><span>25 %"), "{page}");
    });
}

/// ICO file with one picture of 16 by 16 pixels.
const ICON: &[u8] = b"\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0\x04\0\0\0\x16\0\0\0data";

#[test]
fn icon_of_a_feed_is_proxied_for_pages_and_apps() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        app.site.put("/favicon.ico", Reply::bytes("image/x-icon", ICON.to_vec()));
        let body =
            document(1..=2).replace("https://example.org/</link>", &format!("{}</link>", app.site.url("/")));
        let url = app.site.put("/feed.xml", Reply::bytes("application/rss+xml", body.into_bytes()));
        let made = who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201).json();
        poll(&app).await;
        let feed_id = &made["subscription"]["feedId"];
        let (_, digest) = app_key(&app, &who, Scopes::ALL).await;
        let first = fever(&app, &digest, "feeds&favicons", &[]).await;
        assert_eq!((&first["favicons"], &first["feeds"][0]["favicon_id"]), (&json!([]), &json!(0)));
        app.run_jobs().await;
        let next = fever(&app, &digest, "feeds&favicons", &[]).await;
        let icon = "image/x-icon;base64,AAABAAEAEBAAAAEAIAAEAAAAFgAAAGRhdGE=";
        assert_eq!(next["favicons"], json!([{ "id": feed_id, "data": icon }]));
        assert_eq!(&next["feeds"][0]["favicon_id"], feed_id);

        let list = FeedApp::sign_in(&app, &who).await.get("subscription/list").await;
        let icon_url = list["subscriptions"][0]["iconUrl"].as_str().unwrap();
        let path = &icon_url[icon_url.find("/pictures/").expect("the icon is proxied")..];
        assert_eq!(app.get(path).await.expect(200).body, ICON, "an app needs no session");

        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        for at in ["/entries", "/subscriptions"] {
            let page = browser.open(at).await.expect(200).text();
            assert!(page.contains("<img class=\"favicon\" src=\"/pictures/"), "{page}");
            let path = format!("/pictures/{}", between(&page, "src=\"/pictures/", "\""));
            let answer = browser.load(&path).await.expect(200);
            assert_eq!((answer.header("content-type"), answer.body.as_slice()), ("image/x-icon", ICON));
            assert_eq!(app.get(&path).await.expect(404).body, b"", "an icon that is not valid is empty");
        }
        assert_eq!(app.site.hits("/favicon.ico"), 1);
    });
}

#[test]
fn feed_is_fetched_with_the_headers_of_its_account_only() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let url = app.site.put("/feed.xml", feed(1..=2));
        let mut ids = Vec::new();
        for follower in [&who, &other] {
            let made = follower.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
            ids.push(made.json()["subscription"]["id"].clone());
        }
        poll(&app).await;
        let path = format!("/v1/rss/subscriptions/{}/settings", ids[0]);
        let change = async |key: &str, body: Value| {
            let headers = [("x-api-key", key), ("content-type", "application/json")];
            app.send(Method::PATCH, &path, &headers, Some(body.to_string())).await
        };
        let body =
            json!({"userAgent": "Reader/1", "headers": [{"name": "X-Feed-Key", "value": "seal-7731"}]});
        let settings = change(&who.key, body.clone()).await.expect(200).json();
        assert_eq!(
            (&settings["userAgent"], &settings["headerNames"]),
            (&json!("Reader/1"), &json!(["X-Feed-Key"]))
        );
        let stored = who.get(&app, &path).await.expect(200);
        assert!(!stored.text().contains("seal-7731"), "{}", stored.text());
        poll(&app).await;
        let sent = app.site.requests().into_iter().rfind(|request| request.path == "/feed.xml").unwrap();
        assert_eq!(sent.headers["x-feed-key"], "seal-7731");
        assert_eq!(sent.headers["user-agent"], "Reader/1");
        let list = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        assert_eq!((list["entries"].as_array().unwrap().len(), &list["unreadTotal"]), (2, &json!(2)));

        change(&other.key, body).await.api_error(404, "not_found");
        other.get(&app, &path).await.api_error(404, "not_found");
        app.get(&path).await.api_error(401, "missing_credential");
        for bad in [json!({"headers": [{"name": "Host", "value": "x"}]}), json!({"userAgent": "\n"})] {
            change(&who.key, bad).await.api_error(422, "invalid_request");
        }
        let own =
            other.get(&app, &format!("/v1/rss/subscriptions/{}/settings", ids[1])).await.expect(200).json();
        assert_eq!(own["headerNames"], json!([]));

        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let at = format!("/subscriptions/{}", ids[0]);
        let page = browser.open(&at).await.expect(200).text();
        assert!(page.contains("Stored: X-Feed-Key") && !page.contains("seal-7731"), "{page}");
        browser.submit(&at, &[("userAgent", ""), ("removeHeaders", "on")]).await.expect(303);
        let settings = who.get(&app, &path).await.expect(200).json();
        assert_eq!((&settings["userAgent"], &settings["headerNames"]), (&json!(null), &json!([])));
        let page = browser.open(&at).await.expect(200).text();
        assert!(page.contains("Harbour"), "{page}");
        let wrong = browser.submit(&at, &[("headers", "no colon")]).await.expect(422).text();
        assert!(wrong.contains("Enter each header as: Name: value."), "{wrong}");
    });
}

const LONG_WORDS: &str =
    "of boats and tide, of the people who work every morning, and of what they bring home. ";

/// Follows a feed with full articles, whose only entry has this page. Returns the path of the first person's
/// subscription.
async fn follow_full_articles(app: &TestApp, people: [&Person; 2], page: Reply) -> String {
    let page = app.site.put("/page", page);
    let body = document(1..=1).replace("https://example.org/1?utm_source=rss", &page);
    let url = app.site.put("/feed.xml", Reply::bytes("application/rss+xml", body.into_bytes()));
    let body = json!({ "url": url, "fullText": true });
    let made = people[0].post(app, "/v1/rss/subscriptions", &body).await.expect(201).json();
    people[1].post(app, "/v1/rss/subscriptions", &body).await.expect(201);
    poll(app).await;
    format!("/subscriptions/{}", made["subscription"]["id"])
}

/// Creates a page whose automatically detected main part is not the text that the person selects.
fn page_with_parts() -> Reply {
    let words = LONG_WORDS.repeat(6);
    Reply::html(format!(
        "<html><head><title>Harbour</title></head><body><article><p>Automatic {words}</p></article>\
         <div class=\"story\"><p>Selected words.</p></div></body></html>"
    ))
}

#[test]
fn article_text_is_the_selected_part_after_a_preview() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let at = follow_full_articles(&app, [&who, &other], page_with_parts()).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open(&at).await.expect(200);
        let preview = [("act", "preview"), ("fullText", "on"), ("textSelector", ".story")];
        let preview = browser.submit(&at, &preview).await.expect(200).text();
        assert!(preview.contains("Selected words.") && !preview.contains("Automatic of boats"), "{preview}");
        let wrong = [("act", "preview"), ("fullText", "on"), ("textSelector", ".other")];
        let wrong = browser.submit(&at, &wrong).await.expect(422).text();
        assert!(wrong.contains("Nothing on the page matches the selector."), "{wrong}");
        browser.submit(&at, &[("fullText", "on"), ("textSelector", "p[")]).await.expect(422);
        browser.submit(&at, &[("fullText", "on"), ("textSelector", ".story")]).await.expect(303);
        let settings = who.get(&app, &format!("/v1/rss{at}/settings")).await.expect(200).json();
        assert_eq!(settings["textSelector"], ".story");

        poll(&app).await;
        let content = async |reader: &Person| {
            let list = reader.get(&app, "/v1/rss/entries").await.expect(200).json();
            let path = format!("/v1/rss/entries/{}", list["entries"][0]["id"]);
            reader.get(&app, &path).await.expect(200).json()["content"].clone()
        };
        assert_eq!(content(&who).await["text"], "Selected words.");
        let text = content(&other).await["text"].as_str().unwrap().to_owned();
        assert!(text.contains("Automatic of boats"), "another follower reads the main part: {text}");
        let list = browser.open("/entries?show=all").await.expect(200).text();
        let entry = format!("/entries/{}", between(&list, "href=\"/entries/", "\""));
        let article = browser.open(&entry).await.expect(200).text();
        assert!(article.contains("Selected words.") && article.contains("Text from the feed"), "{article}");
        let feed_text = browser.open(&format!("{entry}?text=feed")).await.expect(200).text();
        assert!(feed_text.contains("Words of 1") && feed_text.contains("Full article"), "{feed_text}");
    });
}

fn page_with_repeated_part() -> Reply {
    let words = LONG_WORDS.repeat(6);
    Reply::html(format!(
        "<html><head><title>Harbour</title></head><body><article><p>Automatic {words}</p>\
         <p class=\"office\">The office repeats that passengers wait at the pier, where the ferry leaves at nine.</p>\
         <p>Further {words}</p></article></body></html>"
    ))
}

#[test]
fn parts_are_removed_from_article_text_after_a_preview() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let at = follow_full_articles(&app, [&who, &other], page_with_repeated_part()).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        browser.open(&at).await.expect(200);
        let preview = [("act", "preview"), ("fullText", "on"), ("textRemovals", ".office\r\n\r\n.none")];
        let preview = browser.submit(&at, &preview).await.expect(200).text();
        let (after, before) = preview.split_once("Before removing parts").expect("both texts");
        assert!(after.contains("Further of boats") && !after.contains("The office repeats"), "{after}");
        assert!(before.contains("The office repeats"), "{before}");
        let wrong = browser.submit(&at, &[("fullText", "on"), ("textRemovals", ".office\np[")]).await;
        assert!(wrong.expect(422).text().contains("id=\"textRemovals-error\""), "the field has the error");
        browser.submit(&at, &[("fullText", "on"), ("textRemovals", ".office\n.none")]).await.expect(303);

        let path = format!("/v1/rss{at}/settings");
        let settings = who.get(&app, &path).await.expect(200).json();
        assert_eq!(settings["textRemovals"], json!([".office", ".none"]));
        poll(&app).await;
        let text = async |reader: &Person| {
            let list = reader.get(&app, "/v1/rss/entries").await.expect(200).json();
            let path = format!("/v1/rss/entries/{}", list["entries"][0]["id"]);
            let entry = reader.get(&app, &path).await.expect(200).json();
            entry["content"]["text"].as_str().unwrap().to_owned()
        };
        let (own, foreign) = (text(&who).await, text(&other).await);
        assert!(own.contains("Further of boats") && !own.contains("The office repeats"), "{own}");
        assert!(foreign.contains("The office repeats"), "another follower reads all parts: {foreign}");
    });
}

#[test]
fn removed_parts_are_validated_and_changed_by_their_account_only() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let url = app.site.put("/feed.xml", feed(1..=1));
        let made = who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201).json();
        let path = format!("/v1/rss/subscriptions/{}/settings", made["subscription"]["id"]);
        let patch = async |person: &Person, body: Value| {
            let headers = [("x-api-key", person.key.as_str()), ("content-type", "application/json")];
            app.send(Method::PATCH, &path, &headers, Some(body.to_string())).await
        };
        let long = "a".repeat(5_000);
        for wrong in [
            json!(["p["]),
            json!([long]),
            json!(["a\u{1f}b"]),
            json!(vec![".a"; 21]),
            json!(".a"),
            json!(null),
        ] {
            patch(&who, json!({ "textRemovals": wrong })).await.api_error(422, "invalid_request");
        }
        patch(&other, json!({"textRemovals": [".a"]})).await.api_error(404, "not_found");
        let most: Vec<String> = (0..20).map(|number| format!(".part{number}")).collect();
        let set =
            patch(&who, json!({"textRemovals": most, "textSelector": "article"})).await.expect(200).json();
        assert_eq!((&set["textRemovals"], &set["textSelector"]), (&json!(most), &json!("article")));
        let other_field = patch(&who, json!({"textSelector": null})).await.expect(200).json();
        assert_eq!(other_field["textRemovals"], json!(most), "an omitted field stays unchanged");
        let cleared = patch(&who, json!({"textRemovals": []})).await.expect(200).json();
        assert_eq!(cleared["textRemovals"], json!([]));
    });
}

#[test]
fn dropped_entries_are_counted_and_listed_only_for_other_followers() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let url = app.site.put("/feed.xml", feed(1..=2));
        let made = who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201).json();
        other.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
        poll(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let rules = format!("/subscriptions/{}/rules", made["subscription"]["id"]);
        browser.open(&rules).await.expect(200);
        let fields = [
            ("act", "create"),
            ("action", "drop"),
            ("part", "title"),
            ("kind", "words"),
            ("words", "note 3"),
        ];
        browser.submit(&rules, &fields).await.expect(303);
        app.site.put("/feed.xml", feed(1..=4));
        app.clock.advance(27 * 60 * 60 * 1000);
        poll(&app).await;
        let count = async |reader: &Person| {
            let list = reader.get(&app, "/v1/rss/entries").await.expect(200).json();
            list["entries"].as_array().unwrap().len()
        };
        assert_eq!((count(&who).await, count(&other).await), (3, 4));
        let page = browser.open(&rules).await.expect(200).text();
        assert!(page.contains("1 dropped"), "{page}");
    });
}

#[test]
fn old_unread_entries_count_as_read_after_the_days_set_for_their_collection() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let url = app.site.put("/feed.xml", feed(1..=3));
        let made = who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201).json();
        poll(&app).await;
        let path = format!("/v1/rss/collections/{}/settings", made["subscription"]["folderId"]);
        let change = async |key: &str, body: Value| {
            let headers = [("x-api-key", key), ("content-type", "application/json")];
            app.send(Method::PATCH, &path, &headers, Some(body.to_string())).await
        };
        let set = change(&who.key, json!({"readAfterDays": 7})).await.expect(200).json();
        assert_eq!(set, json!({"readAfterDays": 7, "notify": []}));
        change(&other.key, json!({"readAfterDays": 1})).await.api_error(404, "not_found");
        change(&who.key, json!({"readAfterDays": 366})).await.api_error(422, "invalid_request");
        app.get(&path).await.api_error(401, "missing_credential");
        app.clock.advance(8 * 24 * 60 * 60 * 1000);
        feeds::age_out(&app.app.domain).await.unwrap();
        let list = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        assert_eq!(list["unreadTotal"], 0);

        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        assert!(browser.open("/collections").await.expect(200).text().contains("value=\"7\""));
        let at = format!("/collections/{}", made["subscription"]["folderId"]);
        browser.submit(&at, &[("act", "age"), ("readAfterDays", "")]).await.expect(303);
        let settings = who.get(&app, &path).await.expect(200).json();
        assert_eq!(settings["readAfterDays"], Value::Null);
        let at = format!("/subscriptions/{}", made["subscription"]["id"]);
        browser.open(&at).await.expect(200);
        browser.submit(&at, &[("readAfterDays", "soon")]).await.expect(422);
        browser.submit(&at, &[("readAfterDays", "0")]).await.expect(303);
        let settings = who.get(&app, &format!("/v1/rss{at}/settings")).await.expect(200).json();
        assert_eq!(settings["readAfterDays"], 0);
    });
}

#[test]
fn same_entry_of_two_feeds_is_one_row_and_marked_as_one_story() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        for (path, numbers) in [("/a.xml", 1..=2), ("/b.xml", 2..=3)] {
            let body = document(numbers).replace("Harbour", &format!("Harbour {path}"));
            let url = app.site.put(path, Reply::bytes("application/rss+xml", body.into_bytes()));
            who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
            poll(&app).await;
        }
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let list = browser.open("/entries").await.expect(200).text();
        assert!(list.contains("Unread 4"), "{list}");
        assert_eq!(list.matches("Also in").count(), 1, "{list}");
        assert_eq!(list.matches("<h3>").count(), 3, "{list}");
        let story = between(&list, "name=\"story\" value=\"", "\"").to_owned();
        assert_eq!(story.split(',').count(), 2);
        browser.submit("/entries/mark", &[("story", &story), ("back", "/entries")]).await.expect(303);
        let left = browser.open("/entries").await.expect(200).text();
        assert!(left.contains("Unread 2") && !left.contains(">Note 2<"), "{left}");
        browser.submit("/entries/mark", &[("story", "x"), ("back", "/entries")]).await.expect(303);
    });
}

#[test]
fn entries_open_on_the_publishers_page_if_the_setting_is_on() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let url = app.site.put("/feed.xml", feed(1..=2));
        let body = json!({ "url": url });
        let made = who.post(&app, "/v1/rss/subscriptions", &body).await.expect(201).json();
        other.post(&app, "/v1/rss/subscriptions", &body).await.expect(201);
        poll(&app).await;
        let at = format!("/subscriptions/{}", made["subscription"]["id"]);
        let path = format!("/v1/rss{at}/settings");
        let list = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        let entry = &list["entries"][0];
        let entry_page = format!("/entries/{}", entry["id"]);
        let original_page = format!("{entry_page}?open=original");

        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        assert!(!browser.open("/entries").await.expect(200).text().contains(&original_page));
        browser.open(&at).await.expect(200);
        browser.submit(&at, &[("showOriginal", "on")]).await.expect(303);
        assert_eq!(who.get(&app, &path).await.expect(200).json()["showOriginal"], true);
        let page = browser.open("/entries").await.expect(200).text();
        assert!(page.contains(&original_page) && page.contains("Read here"), "{page}");
        let opened = browser.open(&original_page).await.expect(303);
        assert_eq!(opened.header("location"), entry["url"].as_str().unwrap());
        let unread = who.get(&app, "/v1/rss/entries").await.expect(200).json()["unreadTotal"].clone();
        assert_eq!(unread, 1, "opening the page marks the entry as read");
        assert!(browser.open(&entry_page).await.expect(200).text().contains("Words of"));

        let mut stranger = Browser::new(&app);
        stranger.sign_in(&other.email).await;
        assert!(
            !stranger.open("/entries").await.expect(200).text().contains(&original_page),
            "one account's choice"
        );
        // The address leads elsewhere only for the account that chose it.
        stranger.open(&original_page).await.expect(200);

        let change = async |key: &str, body: Value| {
            let headers = [("x-api-key", key), ("content-type", "application/json")];
            app.send(Method::PATCH, &path, &headers, Some(body.to_string())).await
        };
        change(&other.key, json!({"showOriginal": true})).await.api_error(404, "not_found");
        change(&who.key, json!({"showOriginal": "perhaps"})).await.api_error(422, "invalid_request");
        app.get(&path).await.api_error(401, "missing_credential");
        let set = change(&who.key, json!({"showOriginal": false})).await.expect(200).json();
        assert_eq!(set["showOriginal"], false);
        browser.open(&original_page).await.expect(200);
        assert!(!browser.open("/entries").await.expect(200).text().contains(&original_page));
    });
}

#[test]
fn entry_without_a_page_opens_its_text() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let bare = "<item><title>Bare</title><guid isPermaLink=\"false\">bare</guid>\
                    <description>Words</description></item></channel>";
        let body = document(1..=1).replace("</channel>", bare);
        let url = app.site.put("/feed.xml", Reply::bytes("application/rss+xml", body.into_bytes()));
        let made = who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201).json();
        poll(&app).await;
        let path = format!("/v1/rss/subscriptions/{}/settings", made["subscription"]["id"]);
        let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
        let choice = json!({ "showOriginal": true }).to_string();
        app.send(Method::PATCH, &path, &headers, Some(choice)).await.expect(200);
        let list = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        let original_page = |title: &str| {
            let entries = list["entries"].as_array().unwrap();
            let entry = entries.iter().find(|entry| entry["title"] == title).unwrap();
            format!("/entries/{}?open=original", entry["id"])
        };

        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let page = browser.open("/entries").await.expect(200).text();
        // The shortcut for the publisher's page takes external links before the address of the row.
        let link = format!("href=\"{}\" rel=\"noopener nofollow\"", original_page("Note 1"));
        assert!(page.contains(&link), "{page}");
        assert!(!page.contains(&original_page("Bare")), "{page}");
        browser.open(&original_page("Bare")).await.expect(200);
    });
}
