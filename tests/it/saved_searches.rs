//! Saved searches on pages: saving from a list, links next to the lists, renaming, deletion, limits, and private
//! feeds.

use extract::feed::{FeedInput, parse};
use kernel::tiers::Tier;
use library::{NewSearch, SearchTarget};
use reqwest::Method;
use serde_json::json;

use crate::support::browser::{Browser, between};
use crate::support::clock::DAY;
use crate::support::person::Person;
use crate::support::rss::{document, feed, poll};
use crate::support::{Reply, TestApp, on_each_world};

const PATH: &str = "/library/searches";

/// Saves a search, and returns the path of its form.
async fn saved(app: &TestApp, who: &Person, target: SearchTarget, query: &str) -> String {
    let new = NewSearch { target, name: "Mine & all".into(), query: query.into() };
    let search = library::save_search(&app.app.domain, who.id, new).await.unwrap();
    format!("{PATH}/{}", search.id)
}

/// Creates a feed on the page of saved searches, and returns its address.
async fn with_feed(browser: &mut Browser<'_>, action: &str) -> String {
    browser.open(PATH).await.expect(200);
    let created = browser.submit(action, &[("act", "feed")]).await.expect(303);
    let page = browser.follow(&created).await;
    assert!(page.contains("The feed has a new address."), "{page}");
    let start = page.find("/feeds/searches/").unwrap();
    let url = page[..start].rfind('>').map(|before| &page[before + 1..]).unwrap();
    url[..url.find('<').unwrap()].trim().to_owned()
}

/// Returns the titles of the entries of the feed at an address.
async fn feed_titles(app: &TestApp, url: &str) -> Vec<String> {
    let answer = app.get(url).await.expect(200);
    let feed = parse(&FeedInput { body: answer.body.clone(), ..FeedInput::default() });
    assert_eq!(feed.title.as_deref(), Some("Mine & all"), "{}", answer.text());
    feed.entries.iter().filter_map(|entry| entry.title.clone()).collect()
}

#[test]
fn feed_of_a_search_has_its_newest_items_without_private_texts() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        for (name, text) in [("First", "boats boats private-words"), ("Second", "Old boats.")] {
            let url = format!("https://example.org/{name}?access_token=private-token");
            let item = json!({"url": url, "title": name, "content": text, "tags": ["private-tag"]});
            who.post(&app, "/v1/library/items", &item).await.expect(201);
            app.clock.advance(DAY);
        }
        let item = json!({"title": "File", "content": "No web page has these boats."});
        who.post(&app, "/v1/library/items", &item).await.expect(201);
        let action = saved(&app, &who, SearchTarget::Library, "boats saved:5d -tag:private-query").await;
        let mut browser = Browser::signed_in(&app, &who).await;
        let url = with_feed(&mut browser, &action).await;
        assert_eq!(feed_titles(&app, &url).await, ["File", "Second", "First"], "newest first");
        let answer = app.get(&url).await.expect(200);
        assert_eq!(
            (answer.header("x-robots-tag"), answer.header("cache-control")),
            ("noindex", "private, no-cache")
        );
        assert!(!answer.text().contains("private-"), "{}", answer.text());
        let etag = answer.header("etag").to_owned();
        app.get_with(&url, &[("if-none-match", &etag)]).await.expect(304);
        for ending in ["atom", "json"] {
            app.get(&url.replace(".xml", &format!(".{ending}"))).await.expect(200);
        }
        app.send(Method::POST, &url, &[], None).await.expect(405);
        app.clock.advance(4 * DAY);
        app.get_with(&url, &[("if-none-match", &etag)]).await.expect(200);
        assert_eq!(feed_titles(&app, &url).await, ["File", "Second"], "the age counts from today");
    });
}

#[test]
fn feed_of_an_entry_search_contains_no_copies_of_its_entries() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.put("/f.xml", feed(1..=60));
        who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
        poll(&app).await;
        let action = saved(&app, &who, SearchTarget::Entries, "is:unread words").await;
        let mut browser = Browser::signed_in(&app, &who).await;
        let url = with_feed(&mut browser, &action).await;
        let titles = feed_titles(&app, &url).await;
        assert_eq!(titles.len(), 50, "{titles:?}");
        let body = app.get(&url).await.expect(200).body;
        let ids = |body: &[u8]| -> Vec<String> {
            let text = String::from_utf8_lossy(body).into_owned();
            text.split("urn:sha256:").skip(1).map(|rest| rest[..64].to_owned()).collect()
        };
        let before = ids(&body);
        assert_eq!(before.len(), 50, "{before:?}");
        // The copy of an entry in a followed feed of the search has the id of the original.
        let copy =
            app.site.put("/copy.xml", crate::support::Reply::bytes("application/rss+xml", body.clone()));
        who.post(&app, "/v1/rss/subscriptions", &json!({ "url": copy })).await.expect(201);
        poll(&app).await;
        let after = ids(&app.get(&url).await.expect(200).body);
        assert!(!after.is_empty() && after.iter().all(|id| before.contains(id)), "{after:?}");
        let mut distinct = after.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), after.len(), "an entry and its copy are one: {after:?}");
    });
}

#[test]
fn feed_of_an_entry_search_has_the_categories_of_its_entries() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let body = document(1..=1).replace("</item>", "<category>Sea &amp; trade</category></item>");
        let url = app.site.put("/f.xml", Reply::bytes("application/rss+xml", body.into_bytes()));
        who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
        poll(&app).await;
        let query = "category:\"sea & trade\"";
        let action = saved(&app, &who, SearchTarget::Entries, query).await;
        let url = with_feed(&mut Browser::signed_in(&app, &who).await, &action).await;
        for ending in [".xml", ".atom", ".json"] {
            let body = app.get(&url.replace(".xml", ending)).await.expect(200).body;
            let feed = parse(&FeedInput { body, ..FeedInput::default() });
            let names: Vec<&[String]> =
                feed.entries.iter().map(|entry| entry.categories.names.as_slice()).collect();
            assert_eq!(names, [["Sea & trade"]], "{ending}");
        }
    });
}

#[test]
fn search_feed_address_is_replaced_and_revoked_by_its_account_only() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::free(&app).await);
        let action = saved(&app, &who, SearchTarget::Library, "boats").await;
        let (mut browser, mut stranger) =
            (Browser::signed_in(&app, &who).await, Browser::signed_in(&app, &other).await);
        let first = with_feed(&mut browser, &action).await;
        for act in ["feed", "no-feed"] {
            stranger.open("/settings").await.expect(200);
            stranger.submit(&action, &[("act", act)]).await.expect(404);
        }
        app.get(&first).await.expect(200);
        let second = with_feed(&mut browser, &action).await;
        assert_ne!(first, second);
        app.get(&first).await.expect(404);
        for wrong in
            [second.replace(".xml", ".pdf"), second.replace(".xml", "x.xml"), second.replace(".xml", "")]
        {
            app.get(&wrong).await.expect(404);
        }
        browser.open(PATH).await.expect(200);
        let deleted = browser.submit(&action, &[("act", "no-feed")]).await.expect(303);
        let page = browser.follow(&deleted).await;
        assert!(page.contains("Feed deleted.") && !page.contains("/feeds/searches/"), "{page}");
        app.get(&second).await.expect(404);
        let third = with_feed(&mut browser, &action).await;
        app.get(&third).await.expect(200);
        browser.open(PATH).await.expect(200);
        browser.submit(&action, &[("act", "delete")]).await.expect(303);
        app.get(&third).await.expect(404);
    });
}

#[test]
fn search_is_saved_from_lists_and_opened_from_links_next_to_them() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let item = json!({"url": "https://example.org/a", "title": "Harbour", "content": "Boats."});
        who.post(&app, "/v1/library/items", &item).await.expect(201);
        let url = app.site.put("/f.xml", feed(1..=2));
        who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
        poll(&app).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        let page = browser.open("/library?shelf=inbox&q=boats+OR+ships").await.expect(200).text();
        let query = between(&page, "name=\"query\" value=\"", "\"");
        assert_eq!(query, "(boats OR ships) status:inbox", "{page}");
        let fields = [
            ("target", "library"),
            ("query", query),
            ("name", " Sea & <b>land</b> "),
            ("back", "/library?shelf=inbox&q=boats+OR+ships"),
        ];
        let saved = browser.submit(PATH, &fields).await.expect(303);
        let page = browser.follow(&saved).await;
        assert!(page.contains("Search saved.") && page.contains("Sea &amp; &lt;b&gt;land"), "{page}");
        let link = "/library?shelf=all&amp;q=%28boats+OR+ships%29+status%3Ainbox";
        assert!(page.contains(&format!("href=\"{link}\"")), "{page}");
        let page = browser.open(&link.replace("&amp;", "&")).await.expect(200).text();
        assert!(page.contains("<bdi>Harbour</bdi>"), "{page}");
        assert!(page.contains(&format!("href=\"{link}\" aria-current=\"true\"")), "{page}");
        browser.open("/entries?show=all&q=words").await.expect(200);
        let fields = [
            ("target", "entries"),
            ("query", "words -2"),
            ("name", "Sea & <b>land</b>"),
            ("back", "/entries?q=words"),
        ];
        let saved = browser.submit(PATH, &fields).await.expect(303);
        let page = browser.follow(&saved).await;
        assert!(page.contains("href=\"/entries?show=all&amp;q=words+-2\""), "{page}");
        assert!(!page.contains("boats"), "searches of the library are not in the list of entries: {page}");
        let page = browser.open("/entries?show=all&q=words+-2").await.expect(200).text();
        assert!(page.contains("Note 1") && !page.contains("Note 2"), "{page}");
    });
}

#[test]
fn saved_search_is_renamed_and_deleted_by_its_account_only() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        for name in ["Zulu", "Yankee"] {
            let new = NewSearch { target: SearchTarget::Library, name: name.into(), query: "a OR b".into() };
            library::save_search(&app.app.domain, who.id, new).await.unwrap();
        }
        let refused = app.get(PATH).await;
        assert!(refused.header("location").starts_with("/sign-in"), "{}", refused.text());
        let (mut browser, mut stranger) =
            (Browser::signed_in(&app, &who).await, Browser::signed_in(&app, &other).await);
        let page = browser.open(PATH).await.expect(200).text();
        let action = format!("{PATH}/{}", between(&page, "action=\"/library/searches/", "\""));
        for path in [PATH, &action] {
            browser.submit_from("https://evil.example", path, &[("act", "delete")]).await.expect(403);
            browser.open(PATH).await.expect(200);
        }
        let page = stranger.open(PATH).await.expect(200).text();
        assert!(page.contains("You have no saved searches.") && !page.contains("Yankee"), "{page}");
        for fields in [("name", "Mine"), ("act", "delete")] {
            let page = stranger.open("/library").await.expect(200).text();
            assert!(!page.contains("Yankee"), "{page}");
            stranger.submit(&action, &[fields]).await.expect(404);
        }
        for (name, reason) in [("zulu", "already exists"), (" ", "must have 1 to 60 characters")] {
            let wrong = browser.submit(&action, &[("name", name)]).await.expect(422).text();
            assert!(wrong.contains(reason), "{wrong}");
        }
        let renamed = browser.submit(&action, &[("name", "YANKEE")]).await.expect(303);
        let page = browser.follow(&renamed).await;
        assert!(page.contains("Search renamed.") && page.contains("<bdi>YANKEE</bdi>"), "{page}");
        let deleted = browser.submit(&action, &[("act", "delete")]).await.expect(303);
        let page = browser.follow(&deleted).await;
        assert!(page.contains("Search deleted.") && !page.contains("YANKEE"), "{page}");
        assert!(page.contains("<bdi>Zulu</bdi>"), "{page}");
        browser.submit(&action, &[("act", "delete")]).await.expect(404);
    });
}

#[test]
fn invalid_searches_and_more_than_a_hundred_are_refused() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        let long = "a".repeat(501);
        for (query, reason) in [
            ("a (b", "parenthesis at character 3"),
            ("", "must have 1 to 500 characters"),
            (long.as_str(), "must have 1 to 500 characters"),
        ] {
            let fields = [("target", "library"), ("name", "Wrong"), ("query", query)];
            browser.open("/library").await.expect(200);
            let wrong = browser.submit(PATH, &fields).await.expect(422).text();
            assert!(wrong.contains(reason), "{wrong}");
        }
        browser.open("/library").await.expect(200);
        for number in 0..100 {
            let new = NewSearch {
                target: SearchTarget::Entries,
                name: format!("Search {number}"),
                query: format!("word{number}"),
            };
            library::save_search(&app.app.domain, who.id, new).await.unwrap();
        }
        let fields = [("target", "library"), ("name", "More"), ("query", "words")];
        let wrong = browser.submit(PATH, &fields).await.expect(422).text();
        assert!(wrong.contains("at most 100 saved searches"), "{wrong}");
    });
}
