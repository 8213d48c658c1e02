//! Saved searches on pages: saving from a list, links next to the lists, renaming, deletion, and limits.

use kernel::tiers::Tier;
use library::{NewSearch, SearchTarget};
use serde_json::json;

use crate::support::browser::{Browser, between};
use crate::support::on_each_world;
use crate::support::person::Person;
use crate::support::rss::{feed, poll};

const PATH: &str = "/library/searches";

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
