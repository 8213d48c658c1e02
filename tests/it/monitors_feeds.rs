//! Feeds of monitors: RSS, Atom, and JSON, validators, revoked feeds, and the change page.

use extract::feed::{FeedInput, parse};
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::clock::DAY;
use crate::support::feed_app::FeedApp;
use crate::support::monitoring::{
    advance_minute, changes, create_monitor, get_monitor, page, path, run_now, send, watch_page,
};
use crate::support::person::Person;
use crate::support::{HttpAnswer, Reply, TestApp, on_each_world};

const STARRED: &str = "user/-/state/com.google/starred";

fn stem(monitor: &Value) -> String {
    monitor["feedUrl"]
        .as_str()
        .expect("the monitor has a feed")
        .strip_suffix(".xml")
        .expect("the feed is RSS")
        .to_owned()
}

#[test]
fn five_changes_are_five_entries_in_each_format() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/harbour", page("It begins."));
        let body = json!({"name": "Harbour & <Town>", "targetUrl": url});
        let monitor = create_monitor(&app, &who, &body).await;
        advance_minute(&app).await;
        let news = [
            "A storm comes.",
            "The ferry is late \u{7}today.",
            "Fish & chips ]]> for <all>.",
            "海が静かです。",
            "It ends.",
        ];
        for words in news {
            app.site.put("/harbour", page(words));
            assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed", "{words}");
        }
        let stem = stem(&monitor);
        let mut guids: Vec<Vec<String>> = Vec::new();
        for (ending, kind) in [
            ("xml", "application/rss+xml"),
            ("atom", "application/atom+xml"),
            ("json", "application/feed+json"),
        ] {
            let answer = app.get(&format!("{stem}.{ending}")).await.expect(200);
            assert_eq!(answer.header("content-type"), format!("{kind}; charset=utf-8"));
            assert_eq!(
                (answer.header("x-robots-tag"), answer.header("cache-control")),
                ("noindex", "private, no-cache")
            );
            expect_validators(&app, &format!("{stem}.{ending}"), &answer).await;
            let parsed = parse(&FeedInput { body: answer.body.clone(), ..FeedInput::default() });
            assert_eq!(parsed.title.as_deref(), Some("Harbour & <Town>"), "{}", answer.text());
            assert_eq!(parsed.entries.len(), 5, "{}", answer.text());
            assert!(!answer.text().contains('\u{7}'));
            assert_eq!(answer.text().matches("<?xml").count(), usize::from(ending != "json"));
            guids.push(ids(&answer.text(), ending));
            let first = &parsed.entries[0];
            assert!(first.content_html.as_deref().is_some_and(|html| html.contains("It ends.")), "{first:?}");
            assert!(first.url.as_deref().is_some_and(|url| url.contains("/changes/")), "{first:?}");
        }
        assert_eq!(guids[0], guids[1]);
        assert_eq!(guids[0], guids[2]);
        let entries = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        assert_eq!(entries["unreadTotal"], 5);
        app.site.put("/harbour", page("One more thing."));
        run_now(&app, &who, &monitor).await;
        let updated = app.get(&format!("{stem}.json")).await.expect(200);
        assert_eq!(ids(&updated.text(), "json")[1..], guids[2][..], "the guids are unchanged");
    });
}

#[test]
fn name_with_characters_that_xml_forbids_leaves_the_feeds_well_formed() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let group = json!({"name": "G\u{fffe}\u{ffff}x"});
        let group = who.post(&app, "/v1/monitor-groups", &group).await.expect(201).json()["group"].clone();
        let url = app.site.put("/harbour", page("It begins."));
        let body = json!({"name": "M\u{fffe}\u{ffff}x", "targetUrl": url, "groupId": group["id"]});
        let monitor = create_monitor(&app, &who, &body).await;
        advance_minute(&app).await;
        app.site.put("/harbour", page("A storm comes."));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed");
        let at = format!("/v1/monitor-groups/{}", group["id"].as_str().unwrap());
        let group = send(&app, &who, Method::PATCH, &at, &json!({"published": true})).await;
        let group = group.expect(200).json()["group"].clone();
        for (stem, title) in [(stem(&monitor), "Mx"), (stem(&group), "Gx")] {
            for ending in ["xml", "atom"] {
                let text = app.get(&format!("{stem}.{ending}")).await.expect(200).text();
                assert!(!text.contains(['\u{fffe}', '\u{ffff}']), "{text}");
                assert!(text.contains(&format!("<title>{title}</title>")), "{text}");
                assert!(text.contains("A storm comes."), "{text}");
            }
        }
    });
}

/// Asserts that a feed responds 304 to its own validators, and 200 to other validators.
async fn expect_validators(app: &TestApp, path: &str, answer: &HttpAnswer) {
    let (etag, modified) = (answer.header("etag"), answer.header("last-modified"));
    assert!(etag.starts_with('"'), "{etag}");
    let again = app.get_with(path, &[("if-none-match", etag)]).await.expect(304);
    assert!(again.body.is_empty() && again.header("etag") == etag);
    for (headers, status) in [
        (vec![("if-modified-since", modified)], 304),
        (vec![("if-modified-since", "Mon, 05 Jan 2015 10:00:00 GMT")], 200),
        (vec![("if-modified-since", "yesterday")], 200),
        (vec![("if-modified-since", modified), ("if-none-match", "\"other\"")], 200),
    ] {
        app.get_with(path, &headers).await.expect(status);
    }
}

/// Returns the ids of a feed's entries, in order.
fn ids(text: &str, ending: &str) -> Vec<String> {
    if ending == "json" {
        let feed: Value = serde_json::from_str(text).expect("the feed is JSON");
        assert_eq!(feed["version"], "https://jsonfeed.org/version/1.1");
        return feed["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["id"].as_str().unwrap().to_owned())
            .collect();
    }
    let (open, close) = if ending == "xml" {
        ("<guid isPermaLink=\"false\">", "</guid>")
    } else {
        ("<id>urn:uuid:", "</id>")
    };
    let ids = text.split(open).skip(1).map(|rest| rest.split(close).next().unwrap());
    let prefix = if ending == "xml" { "" } else { "urn:uuid:" };
    ids.map(|id| format!("{prefix}{id}")).filter(|id| id.contains('#')).collect()
}

#[test]
fn entry_of_a_change_is_starred_and_saved_with_its_text() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.put("/harbour", page("It begins."));
        let monitor = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        app.site.put("/harbour", page("A storm comes."));
        run_now(&app, &who, &monitor).await;
        let entries = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        let entry = entries["entries"][0]["id"].to_string();
        let items = async || {
            let list = who.get(&app, "/v1/library/items").await.expect(200).json();
            list["items"].as_array().unwrap().clone()
        };
        let reader = FeedApp::sign_in(&app, &who).await;
        reader.change("edit-tag", &[("i", &entry), ("a", STARRED)]).await;
        assert_eq!(items().await.len(), 1);
        reader.change("edit-tag", &[("i", &entry), ("r", STARRED)]).await;
        assert!(items().await.is_empty(), "the untouched item of a star is deleted with the star");
        let path = format!("/v1/rss/entries/{entry}/save");
        who.post(&app, &path, &json!({})).await.expect(201);
        let again = who.post(&app, &path, &json!({})).await;
        assert!(again.status < 300, "{}", again.text());
        app.tick().await;
        app.run_jobs().await;
        let saved = items().await;
        assert_eq!(saved.len(), 1, "{saved:?}");
        let path = format!("/v1/library/items/{}?includeContent=true", saved[0]["id"].as_str().unwrap());
        let text = who.get(&app, &path).await.expect(200).text();
        assert!(text.contains("storm comes"), "{text}");
    });
}

#[test]
fn rotated_or_deleted_feed_and_its_links_return_410() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/harbour", page("It begins."));
        let monitor = watch_page(&app, &who, &url).await;
        let old = stem(&monitor);
        app.get(&format!("{old}.xml")).await.expect(200);
        advance_minute(&app).await;
        app.site.put("/harbour", page("It goes on."));
        run_now(&app, &who, &monitor).await;
        let feed = app.get(&format!("{old}.json")).await.expect(200).json();
        let link = feed["items"][0]["url"].as_str().unwrap().to_owned();
        app.get(&link).await.expect(200);
        let at = format!("{}/rotate-feed", path(&monitor));
        let rotated = who.send(&app, Method::POST, &at).await.expect(200).json()["monitor"].clone();
        assert_ne!(stem(&rotated), old);
        for ending in ["xml", "atom", "json"] {
            app.get(&format!("{old}.{ending}")).await.expect(410);
        }
        app.get(&link).await.expect(410);
        let feed = app.get(&format!("{}.json", stem(&rotated))).await.expect(200).json();
        assert_eq!(feed["items"].as_array().unwrap().len(), 1);
        let followed = who.get(&app, "/v1/rss/subscriptions").await.expect(200).json();
        assert_eq!(followed["subscriptions"][0]["feedUrl"], rotated["feedUrl"]);
        // The owner's entries link to the new address.
        let entries = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        assert_eq!(entries["entries"][0]["url"], feed["items"][0]["url"], "{entries}");
        app.get(feed["items"][0]["url"].as_str().unwrap()).await.expect(200);
        who.send(&app, Method::DELETE, &path(&monitor)).await.expect(204);
        app.get(&format!("{}.xml", stem(&rotated))).await.expect(410);
        app.get(&format!("{}/feeds/monitors/{}.xml", app.origin, "a".repeat(32))).await.expect(404);
        app.get(&format!("{old}.pdf")).await.expect(404);
        app.send(Method::POST, &format!("{old}.xml"), &[], None).await.expect(405);
    });
}

#[test]
fn change_page_is_accessible_by_its_secret_link_only() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/harbour", page("The ferry leaves at <b>nine</b> sharp &lt;script&gt;."));
        let monitor = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        app.site.put("/harbour", page("The ferry leaves at <b>ten</b> sharp &lt;script&gt;."));
        run_now(&app, &who, &monitor).await;
        let feed = app.get(&format!("{}.json", stem(&monitor))).await.expect(200).json();
        let link = feed["items"][0]["url"].as_str().unwrap();
        let sides = app.get(link).await.expect(200);
        assert_eq!(
            (sides.header("x-robots-tag"), sides.header("cache-control")),
            ("noindex", "private, no-store")
        );
        assert!(sides.header("content-security-policy").contains("default-src 'none'"));
        let text = sides.text();
        assert!(
            text.contains("<del>") && text.contains("nine") && text.contains("<ins>") && text.contains("ten")
        );
        assert!(text.contains("&lt;script&gt;") && !text.contains("<script"));
        assert!(app.get(&format!("{link}?view=inline")).await.expect(200).text().contains(">Changed<"));
        let mut forged = link.to_owned();
        let last = forged.pop().unwrap();
        forged.push(if last == 'A' { 'B' } else { 'A' });
        app.get(&forged).await.expect(404);
        let id = changes(&app, &who, &monitor).await[0]["id"].as_str().unwrap().to_owned();
        app.get(&format!("{}/changes/{id}", app.origin)).await.expect(404);
    });
}

#[test]
fn unfollowed_monitor_is_not_listed_as_a_subscription() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/harbour", page("It begins."));
        let monitor =
            create_monitor(&app, &who, &json!({"name": "Quiet", "targetUrl": url, "follow": false})).await;
        assert_eq!(monitor["follow"], false);
        let second = app.site.put("/town", page("It begins."));
        let loud = watch_page(&app, &who, &second).await;
        let list = who.get(&app, "/v1/rss/subscriptions").await.expect(200).json();
        let subscription = &list["subscriptions"][0];
        assert_eq!(
            (list["subscriptions"].as_array().unwrap().len(), &subscription["title"]),
            (1, &json!("Harbour"))
        );
        let at = format!("/v1/rss/subscriptions/{}", subscription["id"]);
        who.send(&app, Method::POST, &format!("{at}/refresh")).await.expect(202);
        who.send(&app, Method::DELETE, &at).await.expect(204);
        advance_minute(&app).await;
        app.site.put("/town", page("It goes on."));
        assert_eq!(
            run_now(&app, &who, &loud).await["outcome"],
            "changed",
            "the monitor runs without a subscription"
        );
        assert_eq!(who.get(&app, "/v1/rss/entries").await.expect(200).json()["entries"], json!([]));
        send(&app, &who, Method::PATCH, &path(&loud), &json!({"name": "Town"})).await.expect(200);
        assert_eq!(get_monitor(&app, &who, &loud).await["name"], "Town");
    });
}

#[test]
fn sitemap_change_has_an_entry_per_url_up_to_fifty() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let map = |count: usize| {
            let url = |n| format!("<url><loc>https://example.org/{n}</loc></url>");
            let urls: String = (0..count).map(url).collect();
            Reply::bytes("application/xml", format!("<urlset>{urls}</urlset>").into_bytes())
        };
        let url = app.site.put("/sitemap.xml", map(3));
        let body = json!({"name": "Map", "targetUrl": url, "targetType": "sitemap"});
        let monitor = create_monitor(&app, &who, &body).await;
        advance_minute(&app).await;
        app.site.put("/sitemap.xml", map(5));
        let run = run_now(&app, &who, &monitor).await;
        assert_eq!(
            (&run["outcome"], &run["added"], &run["credits"]),
            (&json!("changed"), &json!(2), &json!(2))
        );
        let items = app.get(&format!("{}.json", stem(&monitor))).await.expect(200).json()["items"].clone();
        let urls: Vec<&str> =
            items.as_array().unwrap().iter().map(|item| item["url"].as_str().unwrap()).collect();
        assert_eq!(urls, ["https://example.org/3", "https://example.org/4"]);
        let recorded = changes(&app, &who, &monitor).await;
        assert_eq!((recorded.len(), &recorded[0]["kind"]), (1, &json!("added")));
        app.site.put("/sitemap.xml", map(105));
        run_now(&app, &who, &monitor).await;
        let items = app.get(&format!("{}.json", stem(&monitor))).await.expect(200).json()["items"].clone();
        assert_eq!(items.as_array().unwrap().len(), 52);
        assert!(items[49]["title"].as_str().unwrap().contains("51 more"), "{}", items[49]);
    });
}

#[test]
fn new_url_among_300_updated_urls_is_an_entry_in_each_format() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let map = |shift: usize, more: &str| {
            let url = |n: usize| {
                let day = n % 27 + 1 + shift;
                format!("<url><loc>https://example.org/p/{n}</loc><lastmod>2026-10-{day:02}</lastmod></url>")
            };
            let urls: String = (0..300).map(url).collect();
            Reply::bytes("application/xml", format!("<urlset>{urls}{more}</urlset>").into_bytes())
        };
        let url = app.site.put("/sitemap.xml", map(0, ""));
        let body = json!({"name": "Map", "targetUrl": url, "targetType": "sitemap"});
        let monitor = create_monitor(&app, &who, &body).await;
        advance_minute(&app).await;
        app.site.put("/sitemap.xml", map(1, "<url><loc>https://example.org/p/new</loc></url>"));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed");
        for ending in ["xml", "atom", "json"] {
            let answer = app.get(&format!("{}.{ending}", stem(&monitor))).await.expect(200);
            let parsed = parse(&FeedInput { body: answer.body.clone(), ..FeedInput::default() });
            let titles: Vec<&str> =
                parsed.entries.iter().filter_map(|entry| entry.title.as_deref()).collect();
            assert_eq!(titles.len(), 2, "{titles:?}");
            assert!(titles.contains(&"New: https://example.org/p/new"), "{titles:?}");
            assert!(titles.contains(&"300 pages updated"), "{titles:?}");
            let is_linked =
                parsed.entries.iter().any(|entry| entry.url.as_deref() == Some("https://example.org/p/new"));
            assert!(is_linked, "{}", answer.text());
        }
        let recorded = changes(&app, &who, &monitor).await;
        assert!(recorded[0]["title"].as_str().unwrap().contains("/p/new"), "{}", recorded[0]["title"]);
    });
}

#[test]
fn entries_and_read_state_of_an_unfollowed_monitor_return_when_it_is_followed_again() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/harbour", page("It begins."));
        let monitor = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        for words in ["A storm comes.", "The ferry is late.", "It ends."] {
            app.site.put("/harbour", page(words));
            assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed", "{words}");
        }
        let list = async || who.get(&app, "/v1/rss/entries").await.expect(200).json();
        let reader = FeedApp::sign_in(&app, &who).await;
        let read = list().await["entries"][1]["id"].to_string();
        reader.change("edit-tag", &[("i", &read), ("a", "user/-/state/com.google/read")]).await;
        reader.change("edit-tag", &[("i", &read), ("a", STARRED)]).await;
        let before = list().await;
        assert_eq!((before["entries"].as_array().unwrap().len(), &before["unreadTotal"]), (3, &json!(2)));
        let follow = async |follow: bool| {
            let body = json!({"follow": follow});
            send(&app, &who, Method::PATCH, &path(&monitor), &body).await.expect(200);
        };
        follow(false).await;
        assert_eq!(list().await["entries"], json!([]));
        follow(true).await;
        assert_eq!(list().await, before);
        let feed = format!("feed/{}", before["entries"][0]["feedId"]);
        reader.change("subscription/edit", &[("ac", "unsubscribe"), ("s", &feed)]).await;
        assert_eq!(get_monitor(&app, &who, &monitor).await["follow"], false);
        follow(true).await;
        assert_eq!(list().await, before);
        follow(false).await;
        app.clock.advance(31 * DAY);
        follow(true).await;
        assert_eq!(list().await["entries"], json!([]), "the retention is over");
    });
}

#[test]
fn page_text_is_escaped_in_feeds() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/harbour", page("The ferry leaves at nine."));
        let monitor = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        app.site.put("/harbour", page("&lt;img src=x onerror=alert(1)&gt; leaves at ten."));
        run_now(&app, &who, &monitor).await;
        let text = app.get(&format!("{}.xml", stem(&monitor))).await.expect(200).text();
        let item = text.split("<item>").nth(1).expect("the feed has an item");
        assert!(!item.contains("<img") && item.contains("onerror"), "{item}");
        let description = item.split("<description>").nth(1).expect("the item has a description");
        assert!(description.split("</description>").next().unwrap().contains("lt;img"), "{item}");
    });
}

#[test]
fn unfollowed_monitor_can_be_followed_again() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/harbour", page("It begins."));
        let monitor = watch_page(&app, &who, &url).await;
        let followed = who.get(&app, "/v1/rss/subscriptions").await.expect(200).json();
        let at = format!("/v1/rss/subscriptions/{}", followed["subscriptions"][0]["id"]);
        who.send(&app, Method::DELETE, &at).await.expect(204);
        assert_eq!(get_monitor(&app, &who, &monitor).await["follow"], false);
        advance_minute(&app).await;
        app.site.put("/harbour", page("It goes on."));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed");
        for follow in [true, true, false, true] {
            let body = serde_json::json!({"follow": follow});
            let set = send(&app, &who, Method::PATCH, &path(&monitor), &body).await.expect(200).json();
            assert_eq!(set["monitor"]["follow"], follow);
        }
        app.site.put("/harbour", page("It ends."));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed");
        let entries = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        assert_eq!(entries["entries"].as_array().unwrap().len(), 1, "{entries}");
    });
}
