//! Addresses of known software and services, sources that are converted to feeds, and pages without a feed.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::monitoring::create_monitor;
use crate::support::person::Person;
use crate::support::rss::{feed, poll};
use crate::support::{Reply, TestApp, on_each_world};

/// Returns issues with these numbers in the format of Forgejo.
fn issues(numbers: std::ops::RangeInclusive<u32>) -> Reply {
    let issue = |n: u32| {
        json!({"id": n, "number": n, "title": format!("Leak {n}"), "user": {"login": "ann"},
            "html_url": format!("https://git.example/harbour/tide/issues/{n}"), "pull_request": null,
            "body": format!("It **leaks** {n}."), "created_at": format!("2026-11-{n:02}T10:00:00Z"),
            "updated_at": "2026-11-20T10:00:00Z", "state": "open"})
    };
    let list: Vec<Value> = numbers.rev().map(issue).collect();
    Reply::bytes("application/json; charset=utf-8", json!(list).to_string().into_bytes())
}

/// Creates a page with a list of posts and without a feed.
fn page_with_list() -> Reply {
    let post =
        |n: u32| format!("<li class=post><h2><a href=/posts/{n}>Post {n} about the tide</a></h2></li>");
    let posts: String = (1..=12).map(post).collect();
    Reply::html(format!("<title>Harbour news</title><main><ul id=posts>{posts}</ul></main>"))
}

async fn discover(app: &TestApp, who: &Person, url: &str) -> Value {
    who.post(app, "/v1/rss/discover", &json!({ "url": url })).await.expect(200).json()
}

#[test]
fn page_of_known_software_leads_to_its_feed() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        for (page, path) in [
            ("/c/boats", "/feeds/c/boats.xml?sort=New"),
            ("/@ann", "/@ann.rss"),
            ("/tags/tide", "/tags/tide.rss"),
            ("/c/harbour/videos", "/feeds/videos.xml?videoChannelName=harbour"),
            ("/harbour/tide/-/issues/3", "/harbour/tide/-/issues.atom"),
        ] {
            let url = app.site.put(path, feed(1..=2));
            let expected = json!({"feeds": [{"feedUrl": url, "title": "Harbour", "type": "rss"}]});
            assert_eq!(discover(&app, &who, &app.site.url(page)).await, expected);
            assert_eq!(app.site.hits(page), 0, "{page} is not needed");
        }
    });
}

#[test]
fn page_is_searched_for_feeds_if_its_derived_feed_is_missing() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/feed.xml", feed(1..=2));
        let link = "<link rel=alternate type=application/rss+xml href=/feed.xml><p>Hello</p>";
        let page = app.site.put("/tags/tide", Reply::html(link));
        let discovered = discover(&app, &who, &page).await;
        assert_eq!(discovered["feeds"][0]["feedUrl"], url);
        assert_eq!(app.site.hits("/tags/tide.rss"), 1);
    });
}

#[test]
fn candidates_of_a_page_are_fetched_in_parallel() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let urls = ["/one.xml", "/two.xml"].map(|path| app.site.put(path, feed(1..=2)));
        let gates = ["/one.xml", "/two.xml"].map(|path| app.site.hold(path));
        let link = |url: &String| format!("<link rel=alternate type=application/rss+xml href={url}>");
        let page = app.site.put("/news", Reply::html(urls.iter().map(link).collect::<String>()));
        let (discovered, ()) = tokio::join!(discover(&app, &who, &page), async {
            for gate in &gates {
                gate.wait_for_requests(1).await;
            }
            for gate in &gates {
                gate.open();
            }
        });
        for (at, url) in urls.iter().enumerate() {
            assert_eq!(discovered["feeds"][at]["feedUrl"], *url);
        }
    });
}

#[test]
fn api_of_a_service_without_feeds_is_converted_followed_and_polled() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let path = "/api/v1/repos/harbour/tide/issues?type=issues&state=all";
        let url = app.site.put(path, issues(1..=2));
        let expected =
            json!({"feeds": [{"feedUrl": url, "title": "harbour/tide: issues", "type": "converted"}]});
        assert_eq!(discover(&app, &who, &url).await, expected);
        let made = who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201).json();
        poll(&app).await;
        let list = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        assert_eq!(list["unreadTotal"], 2);
        let first = &list["entries"][0];
        assert_eq!((&first["title"], &first["author"]), (&json!("Leak 2"), &json!("ann")));
        assert_eq!(first["url"], "https://git.example/harbour/tide/issues/2");
        let one = who.get(&app, &format!("/v1/rss/entries/{}", first["id"])).await.expect(200).json();
        assert_eq!(one["content"]["text"], "It leaks 2.");
        other.get(&app, &format!("/v1/rss/entries/{}", first["id"])).await.api_error(404, "not_found");

        app.site.put(path, issues(1..=3));
        let subscription = format!("/v1/rss/subscriptions/{}", made["subscription"]["id"]);
        who.send(&app, Method::POST, &format!("{subscription}/refresh")).await.expect(202);
        poll(&app).await;
        let list = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        assert_eq!((&list["unreadTotal"], &list["entries"][0]["title"]), (&json!(3), &json!("Leak 3")));
    });
}

/// Path of a page, path of its feed, its answer, and the URL, title and author of the newest entry.
type RecordedAnswer = (&'static str, &'static str, &'static [u8], [Value; 3]);

/// Answers of software that many people host themselves.
fn recorded_answers() -> [RecordedAnswer; 4] {
    [
        (
            "/@ann",
            "/@ann.rss",
            include_bytes!("../../extract/tests/services/mastodon.xml"),
            [
                json!("https://social.example/@ann/113400000000000002"),
                json!("Low tide at ten. #boats"),
                json!(null),
            ],
        ),
        (
            "/c/boats",
            "/feeds/c/boats.xml?sort=New",
            include_bytes!("../../extract/tests/services/lemmy.xml"),
            [json!("https://news.example/low-tide"), json!("Low tide"), json!("ann")],
        ),
        (
            "/c/harbour/videos",
            "/feeds/videos.xml?videoChannelName=harbour",
            include_bytes!("../../extract/tests/services/peertube.xml"),
            [
                json!("https://tube.example/w/bUrNgv89egmbvC5Ht6z7G9"),
                json!("Low tide on film"),
                json!("Ann Quill"),
            ],
        ),
        (
            "/harbour/tide/-/releases",
            "/harbour/tide/-/releases.atom",
            include_bytes!("../../extract/tests/services/gitlab_releases.atom"),
            [
                json!("https://gitlab.com/harbour/tide/-/releases/v1.2.0"),
                json!("1.2.0: low tide"),
                json!("Ann Quill"),
            ],
        ),
    ]
}

#[test]
fn feeds_of_self_hosted_software_are_discovered_from_a_page_and_followed() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        for (page, path, body, newest) in recorded_answers() {
            let url = app.site.put(path, Reply::bytes("application/xml; charset=utf-8", body.to_vec()));
            let discovered = discover(&app, &who, &app.site.url(page)).await;
            assert_eq!(discovered["feeds"][0]["feedUrl"], url, "{discovered}");
            who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
            poll(&app).await;
            let list = who.get(&app, "/v1/rss/entries").await.expect(200).json();
            let entries = list["entries"].as_array().unwrap();
            let entry = entries.iter().find(|entry| entry["url"] == newest[0]).expect("the entry is listed");
            assert_eq!([&entry["title"], &entry["author"]], [&newest[1], &newest[2]], "{entry}");
        }
    });
}

#[test]
fn response_in_an_unexpected_format_is_not_a_feed() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let limited = json!({"message": "API rate limit exceeded"}).to_string();
        let path = "/api/v1/repos/harbour/tide/issues";
        let url = app.site.put(path, Reply::bytes("application/json", limited.into_bytes()));
        let refused = who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await;
        refused.api_error(422, "no_feed_found");
    });
}

#[test]
fn list_on_a_page_without_a_feed_is_watched_by_the_offered_monitor() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let page = app.site.put("/news", page_with_list());
        app.post("/v1/rss/discover", &json!({ "url": page })).await.api_error(401, "missing_credential");
        let discovered = discover(&app, &who, &page).await;
        let list = &discovered["pageList"];
        assert_eq!((&discovered["feeds"], &list["total"]), (&json!([]), &json!(12)));
        let first = json!({"title": "Post 1 about the tide", "url": app.site.url("/posts/1")});
        assert_eq!((&list["items"][0], list["items"].as_array().unwrap().len()), (&first, 10));
        let refused = who.post(&app, "/v1/rss/subscriptions", &json!({ "url": page })).await;
        refused.api_error(422, "no_feed_found");

        let monitor = create_monitor(&app, &who, &list["monitor"]).await;
        assert_eq!(
            (&monitor["name"], &monitor["targetUrl"], &monitor["items"]),
            (&json!("Harbour news"), &json!(page), &json!("#posts > li.post"))
        );
        let path = format!("/v1/monitors/{}", monitor["id"].as_str().unwrap());
        other.get(&app, &path).await.api_error(404, "not_found");
    });
}

#[test]
fn page_of_a_new_feed_offers_to_watch_a_list() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let page = app.site.put("/news", page_with_list());
        let form = "/subscriptions/new";
        let empty = browser.open(form).await.expect(200).text();
        assert!(empty.contains("Telegram") && empty.contains("post of a channel"), "{empty}");
        let offer = browser.submit(form, &[("url", &page)]).await.expect(200).text();
        assert!(offer.contains("no feed at this address") && offer.contains("a list of 12 items"), "{offer}");
        assert!(offer.contains("Post 1 about the tide") && offer.contains("Watch for new items"), "{offer}");
        let query =
            "targetType=extract&amp;items=%23posts+%3E+li.post&amp;fields=title+%3D+a&amp;trigger=added";
        let (_, link) = offer.rsplit_once("href=\"/monitors/new?").expect("a link to the form");
        let (link, _) = link.split_once('"').expect("the link is closed");
        assert!(link.ends_with(query), "{link}");
        let link = link.replace("&amp;", "&");
        let filled = browser.open(&format!("/monitors/new?{link}")).await.expect(200).text();
        assert!(filled.contains("#posts &gt; li.post") || filled.contains("#posts > li.post"), "{filled}");
    });
}
