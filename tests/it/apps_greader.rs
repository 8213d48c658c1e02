//! Google Reader API, called as feed apps call it: sign-in, lists, formats of ids, changes, and refusals.

use data_encoding::BASE64;
use extract::feed::{FeedInput, parse};
use kernel::Scopes;
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::feed_app::{FeedApp, app_key, fever, follow_feed, form};
use crate::support::person::Person;
use crate::support::rss::{document, feed, poll};
use crate::support::{Reply, Setup, TestApp, World, on_each_world};

const ALL: &str = "user/-/state/com.google/reading-list";
const READ: &str = "user/-/state/com.google/read";
const STARRED: &str = "user/-/state/com.google/starred";

#[test]
fn app_token_is_stable_and_revoked_with_its_key() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let first = FeedApp::log_in(&app, &who.email, &who.key).await.expect(200).text();
        assert!(first.starts_with("SID=svf_") && first.contains("\nAuth=svf_"), "{first}");
        let again = FeedApp::log_in(&app, &who.email.to_uppercase(), &who.key).await.expect(200).text();
        assert_eq!(again, first, "a second sign-in returns the same token");
        for (email, key) in [
            (who.email.as_str(), "wrong"),
            ("other@example.org", who.key.as_str()),
            (who.email.as_str(), "correct horse battery"),
        ] {
            let refused = FeedApp::log_in(&app, email, key).await.expect(401).text();
            assert_eq!(refused, "Error=BadAuthentication\n");
        }
        let body = form(&[("Email", &who.email), ("Passwd", &who.key)]);
        app.get(&format!("/accounts/ClientLogin?{body}")).await.expect(405);
        let posted = app.send(Method::POST, &format!("/accounts/ClientLogin?{body}"), &[], None).await;
        posted.expect(405);

        let reader = FeedApp::sign_in(&app, &who).await;
        assert_eq!(reader.get("user-info").await["userEmail"], who.email);
        assert_eq!(reader.request("token").await.expect(200).text().len(), 57);
        app.get("/reader/api/0/user-info").await.expect(401);
        let key = format!("GoogleLogin auth={}", who.key);
        app.get_with("/reader/api/0/user-info", &[("authorization", &key)]).await.expect(401);
        let path = format!("/v1/keys/{}", who.key_id);
        who.send(&app, Method::DELETE, &path).await.expect(204);
        reader.request("user-info").await.expect(401);
    });
}

#[test]
fn wrong_passwords_throttle_the_network_but_correct_passwords_are_accepted() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        for _ in 0..60 {
            FeedApp::log_in(&app, &who.email, "wrong").await.expect(401);
        }
        let refused = FeedApp::log_in(&app, &who.email, "wrong").await.expect(429);
        assert!(!refused.header("retry-after").is_empty());
        FeedApp::log_in(&app, &who.email, &who.key).await.expect(200);
        who.get(&app, "/v1/me").await.expect(200);
        let opds = async |key: &str| {
            let credentials = BASE64.encode(format!("{}:{key}", who.email).as_bytes());
            app.get_with("/opds", &[("authorization", &format!("Basic {credentials}"))]).await
        };
        opds("wrong").await.expect(429);
        opds(&who.key).await.expect(200);
        let wrong = form(&[("api_key", "wrong")]);
        let fever_form = [("content-type", "application/x-www-form-urlencoded")];
        app.send(Method::POST, "/fever/?api", &fever_form, Some(wrong)).await.expect(429);
        let (_, digest) = app_key(&app, &who, Scopes::ALL).await;
        assert_eq!(fever(&app, &digest, "", &[]).await["auth"], 1);
    });
}

#[test]
fn every_spelling_of_ids_and_streams_is_accepted() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let reader = FeedApp::sign_in(&app, &who).await;
        let number = follow_feed(&app, &who, "/feed.xml", 1..=3).await;
        let ids = reader.ids(&format!("s={ALL}")).await;
        assert_eq!(ids.len(), 3);
        let id = ids[1];
        let long = format!("tag:google.com,2005:reader/item/{id:016x}");
        let (decimal, hex) = (id.to_string(), format!("{id:016x}"));
        for form in [&long, &decimal, &hex] {
            let answer =
                reader.post("stream/items/contents", &[("i", form), ("i", "999999"), ("i", "x")]).await;
            let answer = answer.expect(200).json();
            assert_eq!(answer["items"].as_array().unwrap().len(), 1, "{form}");
            assert_eq!(answer["items"][0]["id"], long);
        }
        let address = app.site.url("/feed.xml");
        let encoded: String = url::form_urlencoded::byte_serialize(address.as_bytes()).collect();
        for stream in [
            format!("feed/{number}"),
            format!("feed/{address}"),
            format!("feed/{encoded}"),
            "user/1/state/com.google/reading-list".to_owned(),
        ] {
            let query: String = url::form_urlencoded::byte_serialize(stream.as_bytes()).collect();
            assert_eq!(reader.ids(&format!("s={query}")).await, ids, "{stream}");
        }
        for nothing in ["feed/999", "user/-/label/None", "user/-/state/com.google/broadcast", "nonsense"] {
            assert!(reader.ids(&format!("s={nothing}")).await.is_empty(), "{nothing}");
            reader.change("edit-tag", &[("i", &decimal), ("a", nothing)]).await;
        }
        let contents = reader.get(&format!("stream/contents/feed%2F{number}?n=2")).await;
        let item = &contents["items"][0];
        assert_eq!(item["title"], "Note 3");
        assert_eq!(item["alternate"][0]["href"], "https://example.org/3");
        assert_eq!(item["summary"]["content"], "<p>Words of 3</p>");
        assert_eq!(item["origin"]["streamId"], format!("feed/{number}"));
        assert_eq!(item["categories"], json!([ALL]));
        assert!(contents["continuation"].is_string());
    });
}

#[test]
fn marking_entries_between_list_pages_skips_no_entry() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let reader = FeedApp::sign_in(&app, &who).await;
        follow_feed(&app, &who, "/feed.xml", 1..=9).await;
        let all = reader.ids(&format!("s={ALL}&n=99999999")).await;
        assert_eq!(all.len(), 9);
        for order in ["n", "o"] {
            let (mut listed_ids, mut rest) = (Vec::new(), String::new());
            loop {
                let page =
                    reader.get(&format!("stream/items/ids?s={ALL}&xt={READ}&n=4&r={order}{rest}")).await;
                for one in page["itemRefs"].as_array().unwrap() {
                    let id = one["id"].as_str().unwrap();
                    listed_ids.push(id.parse::<i64>().unwrap());
                    reader.change("edit-tag", &[("i", id), ("a", READ)]).await;
                }
                let Some(next) = page["continuation"].as_str() else { break };
                let other = reader.request(&format!("stream/items/ids?s={STARRED}&c={next}")).await;
                other.expect(400);
                rest = format!("&c={next}");
            }
            listed_ids.sort_unstable_by(|a, b| b.cmp(a));
            assert_eq!(listed_ids, all);
            for id in &all {
                reader.change("edit-tag", &[("i", &id.to_string()), ("r", READ)]).await;
            }
        }
        reader.request(&format!("stream/items/ids?s={ALL}&c=broken")).await.expect(400);
        let stranger = Person::free(&app).await;
        assert!(FeedApp::sign_in(&app, &stranger).await.ids(&format!("s={ALL}")).await.is_empty());
    });
}

/// Newsboat requests each stream as an Atom document with the states of entries as categories.
#[test]
fn stream_is_a_paged_atom_document() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let reader = FeedApp::sign_in(&app, &who).await;
        let number = follow_feed(&app, &who, "/feed.xml", 1..=5).await;
        let ids = reader.ids(&format!("s={ALL}")).await;
        let long = |id: i64| format!("<id>tag:google.com,2005:reader/item/{id:016x}</id>");
        reader.change("edit-tag", &[("i", &ids[0].to_string()), ("a", READ)]).await;
        let (mut documents, mut rest) = (String::new(), String::new());
        for page in 0..3 {
            let answer = reader.atom(&format!("feed%2F{number}?n=2{rest}")).await.expect(200);
            assert!(answer.header("content-type").starts_with("application/atom+xml"));
            let text = answer.text();
            let parsed = parse(&FeedInput { body: answer.body.clone(), ..FeedInput::default() });
            assert!(!parsed.repaired && parsed.entries.len() == 2 - page / 2, "{text}");
            let next = text.split_once("<gr:continuation>").and_then(|(_, rest)| rest.split_once('<'));
            assert_eq!(next.is_some(), page < 2, "{text}");
            rest = next.map(|(next, _)| format!("&c={next}")).unwrap_or_default();
            documents.push_str(&text);
        }
        let positions: Vec<usize> = ids.iter().map(|id| documents.find(&long(*id)).unwrap()).collect();
        assert!(positions.is_sorted(), "every entry is listed, newest first: {documents}");
        assert_eq!(documents.matches("label=\"read\"").count(), 1);
        assert_eq!(documents.matches("label=\"fresh\"").count(), 4);
        assert!(documents.contains(&format!("gr:stream-id=\"feed/{number}\"")), "{documents}");
        let unread = reader.atom(&format!("{ALL}?xt={READ}&r=o&n=1")).await.expect(200).text();
        assert!(
            unread.contains(&long(ids[4])) && !unread.contains(&long(ids[0])),
            "only the oldest entry is listed: {unread}"
        );
        let none = reader.atom("user%2F-%2Flabel%2Fnone").await.expect(200).text();
        assert!(!none.contains("<entry"), "{none}");
        reader.atom(&format!("{ALL}?c=broken")).await.expect(400);
        app.get("/reader/atom/feed%2F1").await.expect(401);
    });
}

#[test]
fn mark_all_as_read_ignores_entries_after_the_time_the_app_sends() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let reader = FeedApp::sign_in(&app, &who).await;
        follow_feed(&app, &who, "/feed.xml", 1..=2).await;
        app.site.put("/feed.xml", feed(1..=4));
        app.clock.advance(26 * 60 * 60 * 1000);
        poll(&app).await;
        let list = reader.get(&format!("stream/items/ids?s={ALL}")).await;
        let times: Vec<i64> = list["itemRefs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["timestampUsec"].as_str().unwrap().parse().unwrap())
            .collect();
        assert_eq!(times.len(), 4);
        let at = |us: i64, unit: i64| (us / unit).to_string();
        for (ts, left) in [
            (at(times[2], 1), 2),
            (at(times[2] - 1, 1), 3),
            (at(times[2], 1_000), 2),
            (at(times[2], 1_000_000), 2),
            (i64::MAX.to_string(), 0),
            ("99999999999999999999999".to_owned(), 0),
        ] {
            reader.change("mark-all-as-read", &[("s", ALL), ("ts", &ts)]).await;
            assert_eq!(reader.unread().await, left, "{ts}");
            for id in reader.ids(&format!("s={ALL}")).await {
                reader.change("edit-tag", &[("i", &id.to_string()), ("r", READ)]).await;
            }
        }
        let since = reader.ids(&format!("s={ALL}&ot={}", times[1] / 1_000_000)).await;
        assert_eq!(since.len(), 2, "the second of ot is included");
        assert_eq!(reader.ids(&format!("s={ALL}&nt={}", times[2])).await.len(), 2);
        reader.change("mark-all-as-read", &[("s", ALL)]).await;
        assert_eq!(reader.unread().await, 0);
        reader.post("mark-all-as-read", &[]).await.expect(400);
    });
}

#[test]
fn unreadable_time_marks_nothing_as_read() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let reader = FeedApp::sign_in(&app, &who).await;
        follow_feed(&app, &who, "/feed.xml", 1..=4).await;
        for ts in ["1.5", "soon", "2026-11-20"] {
            reader.post("mark-all-as-read", &[("s", ALL), ("ts", ts)]).await.expect(400);
            assert_eq!(reader.unread().await, 4, "{ts}");
        }
    });
}

#[test]
fn starred_entry_is_saved_and_outlives_its_feed() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let reader = FeedApp::sign_in(&app, &who).await;
        let number = follow_feed(&app, &who, "/feed.xml", 1..=3).await;
        let ids = reader.ids(&format!("s={ALL}")).await;
        let (one, two) = (ids[0].to_string(), ids[1].to_string());
        reader.change("edit-tag", &[("i", &one), ("i", &two), ("a", STARRED), ("a", READ)]).await;
        assert_eq!(reader.ids(&format!("s={STARRED}")).await, ids[..2]);
        assert_eq!(reader.ids(&format!("s={ALL}&it={STARRED}")).await, ids[..2]);
        assert_eq!(reader.ids(&format!("s={ALL}&xt={STARRED}")).await, ids[2..]);
        assert!(reader.ids(&format!("s={STARRED}&xt={READ}")).await.is_empty());
        let list = who.get(&app, "/v1/library/items").await.expect(200).json();
        assert_eq!(list["items"].as_array().unwrap().len(), 2);
        assert_eq!(list["items"][0]["captureMethod"], "rss");
        let unsubscribe = [("ac", "unsubscribe"), ("s", &format!("feed/{number}") as &str)];
        reader.change("subscription/edit", &unsubscribe).await;
        assert!(reader.ids(&format!("s={ALL}")).await.is_empty());
        let starred = reader.get(&format!("stream/contents/{STARRED}")).await;
        assert_eq!(starred["items"].as_array().unwrap().len(), 2);
        assert_eq!(starred["items"][0]["origin"]["title"], "Harbour");
        assert!(starred["items"][0]["categories"].as_array().unwrap().contains(&json!(STARRED)));
        reader.change("edit-tag", &[("i", &one), ("r", STARRED)]).await;
        assert_eq!(reader.ids(&format!("s={STARRED}")).await, ids[1..2]);
        let list = who.get(&app, "/v1/library/items").await.expect(200).json();
        assert_eq!(list["items"].as_array().unwrap().len(), 1);
    });
}

fn named<'a>(list: &'a Value, id: &str) -> &'a Value {
    let matching = list.as_array().unwrap().iter().find(|one| one["id"] == id);
    matching.unwrap_or_else(|| panic!("{id} in {list}"))
}

#[test]
fn feed_with_a_label_that_is_refused_is_not_followed() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let reader = FeedApp::sign_in(&app, &who).await;
        let url = app.site.put("/mine/entries", feed(1..=3));
        let stream = format!("feed/{url}");
        let long = format!("user/-/label/{}", "x".repeat(81));
        for label in [long.as_str(), "user/-/label/Unsorted"] {
            let labelled = [("ac", "subscribe"), ("s", stream.as_str()), ("a", label)];
            let refused = reader.post("subscription/edit", &labelled).await;
            assert!((400..500).contains(&refused.status), "{label}: {}", refused.text());
        }
        assert_eq!(reader.get("subscription/list").await["subscriptions"], json!([]));
        let collections = who.get(&app, "/v1/rss/collections").await.expect(200).json();
        assert_eq!(collections["collections"].as_array().unwrap().len(), 1, "{collections}");
    });
}

#[test]
fn feeds_are_followed_renamed_and_labelled() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let reader = FeedApp::sign_in(&app, &who).await;
        // Feed discovery would not try this URL.
        let url = app.site.put("/mine/entries", feed(1..=3));
        let stream = format!("feed/{url}");
        let labelled = [
            ("ac", "subscribe"),
            ("s", stream.as_str()),
            ("t", "Mine"),
            ("a", "user/-/label/First"),
            ("a", "user/-/label/Tech"),
        ];
        reader.change("subscription/edit", &labelled).await;
        poll(&app).await;
        let list = reader.get("subscription/list").await;
        let own = &list["subscriptions"][0];
        assert_eq!((&own["title"], &own["url"]), (&json!("Mine"), &json!(url)));
        assert_eq!(own["htmlUrl"], "https://example.org/");
        assert_eq!(
            own["categories"],
            json!([{"id": "user/-/label/Tech", "label": "Tech"}]),
            "the last category replaces the others"
        );
        let id = own["id"].as_str().unwrap().to_owned();
        let counts = reader.get("unread-count").await["unreadcounts"].clone();
        for name in [id.as_str(), "user/-/label/Tech", ALL] {
            assert_eq!(named(&counts, name)["count"], 3, "{name}");
            assert_ne!(named(&counts, name)["newestItemTimestampUsec"], "0", "{name}");
        }
        assert_eq!(reader.ids("s=user/-/label/tech").await.len(), 3);
        let rename = [("s", "user/-/label/Tech"), ("dest", "user/-/label/Rust & Co")];
        reader.change("rename-tag", &rename).await;
        let tags = reader.get("tag/list").await["tags"].clone();
        assert_eq!((named(&tags, "user/-/label/Rust & Co")["type"].as_str()), Some("folder"));
        named(&tags, STARRED);
        let edit = [("ac", "edit"), ("s", id.as_str()), ("r", "user/-/label/Rust & Co"), ("t", "Yours")];
        reader.change("subscription/edit", &edit).await;
        let own = reader.get("subscription/list").await["subscriptions"][0].clone();
        assert_eq!((&own["title"], &own["categories"]), (&json!("Yours"), &json!([])));
        reader.change("disable-tag", &[("s", "user/-/label/Rust & Co")]).await;
        reader.post("disable-tag", &[("s", "user/-/label/Rust & Co")]).await.expect(404);
        reader.change("subscription/edit", &[("ac", "unsubscribe"), ("s", &id)]).await;
        let added = reader.post("subscription/quickadd", &[("quickadd", &url)]).await.expect(200).json();
        assert_eq!((&added["numResults"], &added["streamId"]), (&json!(1), &json!(id)));
        let nothing = app.site.put("/page", crate::support::Reply::html("<p>No feed</p>"));
        let added = reader.post("subscription/quickadd", &[("quickadd", &nothing)]).await.expect(200).json();
        assert_eq!(added["numResults"], 0);
        let inside = reader.post("subscription/quickadd", &[("quickadd", "http://10.0.0.1/")]).await;
        assert_eq!(inside.expect(200).json()["numResults"], 0, "the guard applies to quickadd");
    });
}

#[test]
fn every_path_is_served_below_the_freshrss_prefix() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let number = follow_feed(&app, &who, "/feed.xml", 1..=2).await;
        let prefix = "/api/greader.php";
        let signed_in = FeedApp::log_in_below(&app, prefix, &who.email, &who.key).await.expect(200).text();
        assert!(signed_in.lines().any(|line| line.starts_with("Auth=")));
        let reader = FeedApp::sign_in(&app, &who).await;
        let list = reader.request_path(&format!("{prefix}/reader/api/0/subscription/list")).await.expect(200);
        assert_eq!(list.json()["subscriptions"][0]["id"], format!("feed/{number}"));
        reader.request_path(&format!("{prefix}/reader/atom/feed%2F{number}")).await.expect(200);
        reader.request_path(&format!("{prefix}/opds")).await.expect(404);
        app.get(&format!("{prefix}/reader/api/0/token")).await.expect(401);
    });
}

#[test]
fn subscription_list_is_imported() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let reader = FeedApp::sign_in(&app, &who).await;
        let url = app.site.put("/feed.xml", feed(1..=2));
        let list = format!(
            "<opml version=\"2.0\"><body><outline text=\"News\"><outline type=\"rss\" text=\"A\" xmlUrl=\"{url}\"/>\
             </outline><outline type=\"rss\" text=\"B\" xmlUrl=\"http://10.0.0.1/feed\"/></body></opml>"
        );
        for _ in 0..2 {
            let answer = reader.import(&list).await.expect(200).text();
            assert_eq!(answer, "OK\nError=url_not_allowed http://10.0.0.1/feed");
        }
        let followed = reader.get("subscription/list").await["subscriptions"].clone();
        assert_eq!(followed.as_array().map(Vec::len), Some(1));
        assert_eq!(followed[0]["categories"][0]["label"], "News");
        reader.import("no list").await.expect(400);
        reader.request("subscription/import").await.expect(405);
        let (key, _) = who.create_key(&app, Scopes::READ, None).await;
        FeedApp::with_key(&app, &who, &key).await.import(&list).await.expect(403);
    });
}

#[test]
fn ids_of_all_entries_are_listed_if_no_stream_is_requested() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let reader = FeedApp::sign_in(&app, &who).await;
        follow_feed(&app, &who, "/feed.xml", 1..=3).await;
        assert_eq!(reader.ids("n=10").await, reader.ids(&format!("s={ALL}&n=10")).await);
        assert_eq!(reader.ids(&format!("xt={READ}")).await.len(), 3);
    });
}

#[test]
fn entry_without_publication_time_has_the_date_of_its_last_change() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let reader = FeedApp::sign_in(&app, &who).await;
        let body = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Releases</title><id>urn:f</id>\
                    <updated>2019-01-01T00:00:00Z</updated><entry><title>v1</title><id>r1</id>\
                    <updated>2019-01-01T00:00:00Z</updated></entry></feed>";
        let url = app.site.put("/releases.atom", Reply::bytes("application/atom+xml", body.into()));
        who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
        poll(&app).await;
        let listed = reader.get(&format!("stream/contents/{ALL}")).await;
        assert_eq!(listed["items"][0]["published"], 1_546_300_800);
        let recent = who.get(&app, "/v1/rss/entries?publishedAfter=2026-11-01").await.expect(200).json();
        assert_eq!(recent["entries"], json!([]));
    });
}

#[test]
fn read_only_key_changes_nothing() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let number = follow_feed(&app, &who, "/feed.xml", 1..=1).await.to_string();
        let (create_key, _) = who.create_key(&app, Scopes::READ, None).await;
        let reader = FeedApp::with_key(&app, &who, &create_key).await;
        let id = reader.ids(&format!("s={ALL}")).await[0].to_string();
        let feed = format!("feed/{number}");
        for (path, pairs) in [
            ("edit-tag", vec![("i", id.as_str()), ("a", READ)]),
            ("mark-all-as-read", vec![("s", ALL)]),
            ("subscription/edit", vec![("ac", "unsubscribe"), ("s", feed.as_str())]),
            ("subscription/quickadd", vec![("quickadd", "https://example.org/")]),
            ("rename-tag", vec![("s", "user/-/label/a"), ("dest", "user/-/label/b")]),
            ("disable-tag", vec![("s", "user/-/label/a")]),
        ] {
            reader.post(path, &pairs).await.expect(403);
        }
        assert_eq!(reader.unread().await, 1);
        let owner = FeedApp::sign_in(&app, &who).await;
        owner.request(&format!("edit-tag?i={id}&a={READ}")).await.expect(405);
        let bad = owner.post("edit-tag", &[("i", &id), ("a", READ), ("T", "guess")]).await.expect(401);
        assert_eq!(bad.header("x-reader-google-bad-token"), "true");
        let token = owner.request("token").await.expect(200).text();
        owner.change("edit-tag", &[("i", &id), ("a", READ), ("T", &token)]).await;
        assert_eq!(owner.unread().await, 0);
        for missing in ["", "null"] {
            owner.change("edit-tag", &[("i", &id), ("a", STARRED), ("T", missing)]).await;
        }
    });
}

#[test]
fn apps_have_a_separate_minute_limit_and_share_the_daily_limit() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let reader = FeedApp::sign_in(&app, &who).await;
        for _ in 0..299 {
            reader.request("preference/list").await.expect(200);
        }
        let refused = reader.request("preference/list").await.expect(429);
        assert_eq!(refused.header("retry-after"), "60");
        // The Developer API has a separate limit per minute, but shares the limit per day.
        let me = who.get(&app, "/v1/me").await.expect(200);
        assert_eq!(me.rate_limit("minute").0, 59);
        assert_eq!(me.rate_limit("day").0, 2_000 - 300 - 1);
        app.clock.advance(61_000);
        reader.request("preference/list").await.expect(200);
    });
}

#[test]
fn monitor_is_listed_with_its_page_url_not_its_secret_url() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let page = app.site.put("/price", crate::support::Reply::html("<p>120 EUR</p>"));
        let made = who.post(&app, "/v1/monitors", &json!({"name": "Price", "targetUrl": page})).await;
        let secret = made.expect(201).json()["monitor"]["feedUrl"].as_str().unwrap().to_owned();
        let reader = FeedApp::sign_in(&app, &who).await;
        let list = reader.get("subscription/list").await;
        assert_eq!(
            (&list["subscriptions"][0]["title"], &list["subscriptions"][0]["url"]),
            (&json!("Price"), &json!(page))
        );
        assert!(!list.to_string().contains(&secret));
        let (_, digest) = app_key(&app, &who, Scopes::ALL).await;
        let listed = fever(&app, &digest, "feeds", &[]).await;
        assert_eq!(listed["feeds"][0]["url"], page);
        assert!(!listed.to_string().contains(&secret));
    });
}

#[test]
fn operator_can_disable_app_protocols() {
    crate::support::run(async {
        let app = Setup::on(World::Small).set("CARREL_APPS", "fever").spawn().await;
        let who = Person::free(&app).await;
        FeedApp::log_in(&app, &who.email, &who.key).await.expect(404);
        app.get("/reader/api/0/token").await.expect(404);
        app.get("/opds").await.expect(404);
        let app: TestApp = Setup::on(World::Small).set("CARREL_APPS", "off").spawn().await;
        app.send(Method::POST, "/fever/?api", &[], None).await.expect(404);
    });
}

#[test]
fn enclosures_of_an_entry_are_listed_for_callers_and_apps() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let reader = FeedApp::sign_in(&app, &who).await;
        let (_, digest) = app_key(&app, &who, Scopes::ALL).await;
        let item = "<item><title>Episode</title><guid isPermaLink=\"false\">1</guid>\
            <enclosure url=\"https://media.example.org/notes.pdf\" type=\"application/pdf\"/>\
            <enclosure url=\"https://media.example.org/1.mp3?a=1&amp;b=2\" length=\"9\"/></item>";
        let body = format!("<rss version=\"2.0\"><channel><title>Radio</title>{item}</channel></rss>");
        let url = app.site.put("/radio.xml", Reply::bytes("application/rss+xml", body.into_bytes()));
        who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
        poll(&app).await;
        let (audio, notes) =
            ("https://media.example.org/1.mp3?a=1&b=2", "https://media.example.org/notes.pdf");
        let list = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        let entry = &list["entries"][0];
        let expected = json!([
            {"url": audio, "mediaType": "audio/mpeg", "sizeBytes": 9},
            {"url": notes, "mediaType": "application/pdf", "sizeBytes": null},
        ]);
        assert_eq!(entry["enclosures"], expected);
        assert_eq!(entry["url"], audio, "without a link, the first file is the link");
        let items = reader.get(&format!("stream/contents/{ALL}?output=json")).await;
        let expected = json!([
            {"href": audio, "type": "audio/mpeg", "length": 9},
            {"href": notes, "type": "application/pdf"},
        ]);
        assert_eq!(items["items"][0]["enclosure"], expected);
        let answer = fever(&app, &digest, "items", &[]).await;
        let html = answer["items"][0]["html"].as_str().unwrap();
        assert!(html.contains("<audio controls") && html.contains("1.mp3?a=1&amp;b=2\""), "{html}");
        assert!(html.contains(&format!("<a href=\"{notes}\">")), "{html}");
    });
}

#[test]
fn entry_categories_are_listed_after_its_states() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let reader = FeedApp::sign_in(&app, &who).await;
        let categories = format!("<category>{STARRED}</category><category>Sea &amp; trade</category></item>");
        let body = document(1..=1).replace("</item>", &categories);
        let url = app.site.put("/f.xml", Reply::bytes("application/rss+xml", body.into_bytes()));
        who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
        poll(&app).await;
        let items = reader.get(&format!("stream/contents/{ALL}?output=json")).await;
        assert_eq!(items["items"][0]["categories"], json!([ALL, "Sea & trade"]), "a feed sets no state");
        let document = reader.atom(ALL).await.expect(200).text();
        assert!(document.contains("<category term=\"Sea &amp; trade\"/>"), "{document}");
    });
}

#[test]
fn request_with_more_than_a_thousand_ids_changes_all_entries() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        follow_feed(&app, &who, "/feed.xml", 1..=2).await;
        let reader = FeedApp::sign_in(&app, &who).await;
        let ids: Vec<String> =
            reader.ids(&format!("s={ALL}")).await.iter().map(ToString::to_string).collect();
        // The app remembers entries that the service has deleted.
        let mut all: Vec<String> =
            (0..1_500).map(|number| (9_000_000_000_i64 + number).to_string()).collect();
        all.extend(ids);
        let mut pairs: Vec<(&str, &str)> = all.iter().map(|id| ("i", id.as_str())).collect();
        let contents = reader.post("stream/items/contents", &pairs).await.expect(200).json();
        assert_eq!(contents["items"].as_array().unwrap().len(), 2);
        pairs.push(("a", READ));
        reader.change("edit-tag", &pairs).await;
        assert_eq!(reader.unread().await, 0);
        assert_eq!(reader.ids(&format!("s={ALL}&it=user/-/state/com.google/unread")).await.len(), 0);
        assert_eq!(reader.ids(&format!("s={ALL}&xt=user/-/state/com.google/unread")).await.len(), 2);
    });
}

#[test]
fn several_labels_are_deleted_by_one_request() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let number = follow_feed(&app, &who, "/feed.xml", 1..=1).await;
        let reader = FeedApp::sign_in(&app, &who).await;
        let feed = format!("feed/{number}");
        for label in ["user/-/label/Sea", "user/-/label/Port"] {
            reader.change("subscription/edit", &[("ac", "edit"), ("s", &feed), ("a", label)]).await;
        }
        let both = [("s", "user/-/label/Sea"), ("s", "user/-/label/Port")];
        reader.post("disable-tag", &[both[0], ("s", "user/-/label/Other")]).await.expect(404);
        assert_eq!(reader.get("tag/list").await["tags"].as_array().unwrap().len(), 3);
        reader.change("disable-tag", &both).await;
        assert_eq!(reader.get("tag/list").await["tags"].as_array().unwrap().len(), 1);
    });
}
