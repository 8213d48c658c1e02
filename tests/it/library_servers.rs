//! Imports from servers of other services, with an address and a token. The answers have the format that each
//! API's documentation describes.

use kernel::tiers::Tier;
use kernel::{Backend, rfc3339};
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::support::browser::{Browser, between};
use crate::support::clock::MINUTE;
use crate::support::killable_process::KillableProcess;
use crate::support::person::Person;
use crate::support::{Reply, Setup, Site, TestApp, World, eventually, on_each_world, run};

const PATH: &str = "/v1/library/import-servers";

fn answer(body: &Value) -> Reply {
    Reply::bytes("application/json", body.to_string().into_bytes())
}

/// Adds a server on the fixture site and returns its id.
async fn add(app: &TestApp, who: &Person, body: &Value) -> String {
    let added = who.post(app, PATH, body).await.expect(202).json()["server"].clone();
    assert_eq!((&added["state"], &added["finishedAt"]), (&json!("queued"), &Value::Null), "{added}");
    added["id"].as_str().unwrap().to_owned()
}

/// Runs all jobs and returns the server.
async fn server(app: &TestApp, who: &Person, id: &str) -> Value {
    app.run_jobs().await;
    let list = who.get(app, PATH).await.expect(200).json();
    list["servers"].as_array().unwrap().iter().find(|server| server["id"] == id).unwrap().clone()
}

/// Returns the import of the server's latest run.
async fn import(app: &TestApp, who: &Person, server: &Value) -> Value {
    let path = format!("/v1/library/imports/{}", server["importId"].as_str().unwrap());
    who.get(app, &path).await.expect(200).json()["import"].clone()
}

/// Returns the rows of the latest run's import.
async fn rows_of(app: &TestApp, who: &Person, server: &Value, query: &str) -> Value {
    let path = format!("/v1/library/imports/{}/rows{query}", server["importId"].as_str().unwrap());
    who.get(app, &path).await.expect(200).json()["rows"].clone()
}

fn counts(import: &Value) -> [i64; 4] {
    ["created", "existing", "skipped", "failed"].map(|name| import[name].as_i64().unwrap())
}

async fn items(app: &TestApp, who: &Person) -> Vec<Value> {
    let list = who.get(app, "/v1/library/items?includeMetadata=true").await.expect(200).json();
    list["items"].as_array().unwrap().clone()
}

/// Returns a header of the request for a path.
fn sent_header(site: &Site, path: &str, name: &str) -> String {
    let requests = site.requests();
    let request = requests.iter().find(|request| request.path == path);
    let request = request.unwrap_or_else(|| panic!("{path} was not requested: {requests:?}"));
    request.headers.get(name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
}

/// Creates a bookmark of a page that the guard refuses, so that its text is not fetched.
fn bookmark(id: &str, modified_at: &str) -> Value {
    json!({"id": id, "createdAt": "2024-01-01T00:00:00.000Z", "modifiedAt": modified_at, "title": format!("Page {id}"),
        "archived": false, "favourited": false, "taggingStatus": "success", "note": null, "summary": null, "userId": "u1",
        "tags": [{"id": "t1", "name": "a", "attachedBy": "human"}], "assets": [],
        "content": {"type": "link", "url": format!("http://10.0.0.1/{id}"), "title": "Inner", "htmlContent": null}})
}

const OLD: &str = "2024-01-02T00:00:00.000Z";

/// Publishes the pages of a Karakeep server for its first run.
pub(crate) fn put_karakeep(site: &Site) {
    site.put(
        "/keep/api/v1/lists",
        answer(&json!({"lists": [{"id": "l1", "name": "Work", "icon": "x", "parentId": null}]})),
    );
    let first = "/keep/api/v1/bookmarks?limit=30&includeContent=true";
    site.put(first, answer(&json!({"bookmarks": [bookmark("b1", OLD)], "nextCursor": "c2"})));
    let second = json!({"bookmarks": [bookmark("b2", OLD)], "nextCursor": null});
    site.put(&format!("{first}&cursor=c2"), answer(&second));
    let highlight = json!({"id": "h1", "bookmarkId": "b1", "startOffset": 0, "endOffset": 5, "color": "yellow", "text": "marked",
        "note": "mine", "userId": "u1", "createdAt": OLD});
    let highlights = json!({"highlights": [highlight], "nextCursor": null});
    site.put("/keep/api/v1/highlights?limit=100", answer(&highlights));
    let listed = json!({"bookmarks": [bookmark("b1", OLD)], "nextCursor": null});
    site.put("/keep/api/v1/lists/l1/bookmarks?limit=100&includeContent=false", answer(&listed));
}

#[test]
fn karakeep_lists_and_highlights_are_imported_and_the_next_run_imports_only_changes() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        put_karakeep(&app.site);
        let address = app.site.url("/keep/api/v1/");
        let id =
            add(&app, &who, &json!({"service": "karakeep", "address": address, "token": "ak-s3cret"})).await;
        let done = server(&app, &who, &id).await;
        assert_eq!((&done["state"], &done["errorCode"]), (&json!("complete"), &Value::Null), "{done}");
        assert_eq!(done["address"], json!(app.site.url("/keep")));
        let report = import(&app, &who, &done).await;
        assert_eq!((counts(&report), &report["highlights"]), ([2, 1, 0, 0], &json!(1)), "{report}");
        assert_eq!((&report["format"], &report["total"]), (&json!("karakeep_json"), &json!(4)));
        let list = items(&app, &who).await;
        let first = list.iter().find(|item| item["title"] == "Page b1").unwrap();
        assert_eq!(first["tags"], json!(["a", "Work"]));
        assert_eq!(first["savedAt"], "2024-01-01T00:00:00.000Z");
        for request in app.site.requests() {
            assert_eq!(request.headers["authorization"], "Bearer ak-s3cret", "{}", request.path);
        }
        assert!(!who.get(&app, PATH).await.text().contains("s3cret"));

        // The second run imports the changes since the start of the first run.
        let new = bookmark("b3", &rfc3339(app.app.domain.now()));
        let changed = json!({"bookmarks": [bookmark("b1", OLD), new], "nextCursor": null});
        app.site.put("/keep/api/v1/bookmarks?limit=30&includeContent=false", answer(&changed));
        who.post(&app, &format!("{PATH}/{id}/run"), &json!({})).await.expect(202);
        let again = server(&app, &who, &id).await;
        let report = import(&app, &who, &again).await;
        assert_eq!((counts(&report), &report["highlights"]), ([1, 1, 0, 0], &json!(0)), "{report}");
        assert_ne!(again["importId"], done["importId"]);
        assert_eq!(items(&app, &who).await.len(), 3);

        // After an undo, the next run reads all bookmarks again.
        let path = format!("/v1/library/imports/{}?undo=true", again["importId"].as_str().unwrap());
        who.send(&app, Method::DELETE, &path).await.expect(204);
        assert_eq!(items(&app, &who).await.len(), 2);
        who.post(&app, &format!("{PATH}/{id}/run"), &json!({})).await.expect(202);
        let report = import(&app, &who, &server(&app, &who, &id).await).await;
        assert_eq!(counts(&report), [0, 4, 0, 0], "{report}");
    });
}

/// Adds a Karakeep server, runs it, and publishes a page without changes for its next run.
async fn imported_karakeep(app: &TestApp, who: &Person) -> (String, Value) {
    put_karakeep(&app.site);
    let body = json!({"service": "karakeep", "address": app.site.url("/keep"), "token": "s3cret"});
    let id = add(app, who, &body).await;
    let done = server(app, who, &id).await;
    assert_eq!(done["state"], "complete", "{done}");
    let unchanged = answer(&json!({"bookmarks": [], "nextCursor": null}));
    app.site.put("/keep/api/v1/bookmarks?limit=30&includeContent=false", unchanged);
    (id, done)
}

#[test]
fn items_of_an_undone_earlier_run_are_imported_again_by_the_next_run() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (id, first) = imported_karakeep(&app, &who).await;
        let run = format!("{PATH}/{id}/run");
        who.post(&app, &run, &json!({})).await.expect(202);
        let second = server(&app, &who, &id).await;
        assert_eq!(second["state"], "complete", "{second}");
        let has_second_page = async || items(&app, &who).await.iter().any(|item| item["title"] == "Page b2");
        assert!(has_second_page().await);

        let path = format!("/v1/library/imports/{}?undo=true", first["importId"].as_str().unwrap());
        who.send(&app, Method::DELETE, &path).await.expect(204);
        assert!(!has_second_page().await);
        who.post(&app, &run, &json!({})).await.expect(202);
        let third = server(&app, &who, &id).await;
        assert_eq!(third["state"], "complete", "{third}");
        assert!(has_second_page().await);
    });
}

#[test]
fn undo_during_a_run_of_the_same_server_starts_the_run_again() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (id, first) = imported_karakeep(&app, &who).await;
        // The job of the second run has read its position when the first run is undone.
        let list = "/keep/api/v1/lists";
        let (gate, hits) = (app.site.hold(list), app.site.hits(list));
        who.post(&app, &format!("{PATH}/{id}/run"), &json!({})).await.expect(202);
        gate.wait_for_requests(hits + 1).await;
        let path = format!("/v1/library/imports/{}?undo=true", first["importId"].as_str().unwrap());
        who.send(&app, Method::DELETE, &path).await.expect(204);
        gate.open();
        let second = server(&app, &who, &id).await;
        assert_eq!(second["state"], "complete", "{second}");
        let titles: Vec<Value> = items(&app, &who).await.iter().map(|item| item["title"].clone()).collect();
        assert!(titles.contains(&json!("Page b1")) && titles.contains(&json!("Page b2")), "{titles:?}");
    });
}

#[test]
fn run_deletes_the_rows_of_earlier_runs_that_need_too_much_storage() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (id, first) = imported_karakeep(&app, &who).await;
        assert_eq!(rows_of(&app, &who, &first, "").await.as_array().unwrap().len(), 4);
        let large = "UPDATE library_import_report SET bytes = 200000000";
        app.app.domain.db().write().execute_unprepared(large).await.unwrap();
        who.post(&app, &format!("{PATH}/{id}/run"), &json!({})).await.expect(202);
        let second = server(&app, &who, &id).await;
        assert_eq!(rows_of(&app, &who, &first, "").await, json!([]));
        assert_ne!(rows_of(&app, &who, &second, "").await, json!([]));
    });
}

/// Server of one service: its credential, its pages, and the header or the path that contains the token.
struct Service {
    body: Value,
    pages: Vec<(&'static str, Value)>,
    /// Path of a request, and the header with its value.
    sent: (&'static str, &'static str, &'static str),
    url: &'static str,
}

fn with_token(service: &str, address: &str) -> Value {
    json!({"service": service, "address": address, "token": "s3cret"})
}

fn wallabag() -> Service {
    let page = "/wb/api/entries.json?page=1&perPage=30&sort=created&order=asc&detail=full";
    let entry = json!({"id": 1, "title": "Entry", "url": "https://example.org/wallabag", "is_archived": 0, "is_starred": 1,
        "tags": [{"id": 1, "label": "a", "slug": "a"}], "content": null, "created_at": "2024-01-01T00:00:00+0000",
        "updated_at": "2024-01-02T00:00:00+0000", "published_by": ["Ada"], "annotations": [], "mimetype": "text/html",
        "user_name": "ada", "user_email": "ada@example.org"});
    let token = json!({"access_token": "N2Zj", "expires_in": 3600, "token_type": "bearer", "scope": null});
    Service {
        body: json!({"service": "wallabag", "address": "/wb", "username": "ada", "password": "pass",
            "clientId": "1_a", "clientSecret": "b"}),
        pages: vec![
            ("/wb/oauth/v2/token", token),
            (page, json!({"page": 1, "limit": 30, "pages": 1, "total": 1, "_embedded": {"items": [entry]}})),
        ],
        sent: (page, "authorization", "Bearer N2Zj"),
        url: "https://example.org/wallabag",
    }
}

fn linkding() -> Service {
    let archive = "/ld/api/bookmarks/archived/?limit=100";
    let link = json!({"id": 1, "url": "https://example.org/linkding", "title": "Link", "description": "", "notes": "",
        "is_archived": false, "unread": true, "shared": false, "tag_names": ["a"], "date_added": OLD, "date_modified": OLD});
    let results = |links: Value| json!({"count": 1, "next": null, "previous": null, "results": links});
    Service {
        body: with_token("linkding", "/ld"),
        pages: vec![("/ld/api/bookmarks/?limit=100", results(json!([link]))), (archive, results(json!([])))],
        sent: (archive, "authorization", "Token s3cret"),
        url: "https://example.org/linkding",
    }
}

fn readeck() -> Service {
    let annotations = "/rd/api/bookmarks/annotations?limit=100";
    let page = json!({"id": "r1", "href": "https://r.example/api/bookmarks/r1", "created": OLD, "updated": OLD, "state": 0,
        "loaded": true, "url": "https://example.org/readeck", "title": "Readeck", "authors": ["Ada"], "labels": ["a"],
        "is_deleted": false, "is_marked": true, "is_archived": false, "read_progress": 0});
    let marked = json!({"id": "h1", "href": "x", "text": "marked", "created": OLD, "bookmark_id": "r1", "bookmark_href": "x",
        "bookmark_url": "https://example.org/readeck", "bookmark_title": "Readeck"});
    Service {
        body: with_token("readeck", "/rd"),
        pages: vec![
            ("/rd/api/bookmarks?limit=100&sort=created", json!([page])),
            (annotations, json!([marked])),
        ],
        sent: (annotations, "authorization", "Bearer s3cret"),
        url: "https://example.org/readeck",
    }
}

fn miniflux() -> Service {
    let page = "/mf/v1/entries?starred=true&order=id&direction=asc&limit=50";
    let entry = json!({"id": 7, "user_id": 1, "feed_id": 2, "status": "unread", "hash": "x", "title": "Entry",
        "url": "https://example.org/entry", "published_at": OLD, "created_at": OLD, "changed_at": OLD, "content": "<p>short</p>",
        "author": "Ada", "starred": true, "reading_time": 1, "enclosures": null, "tags": [],
        "feed": {"id": 2, "title": "Feed", "username": "ada", "password": "hidden"}});
    Service {
        body: json!({"service": "miniflux", "address": "/mf", "token": "s3cret", "subscriptions": false}),
        pages: vec![(page, json!({"total": 1, "entries": [entry]}))],
        sent: (page, "x-auth-token", "s3cret"),
        url: "https://example.org/entry",
    }
}

fn readwise() -> Service {
    let page = "/rw/api/v2/export/";
    let highlight = json!({"id": 3, "text": "marked", "note": "", "location": 1, "location_type": "order", "color": "yellow",
        "highlighted_at": OLD, "updated_at": OLD, "tags": []});
    let book = json!({"user_book_id": 1, "is_deleted": false, "title": "Article", "readable_title": "Article", "author": "Ada",
        "source": "instapaper", "source_url": "https://example.org/article", "book_tags": [], "document_note": "",
        "highlights": [highlight]});
    Service {
        body: with_token("readwise", "/rw"),
        pages: vec![(page, json!({"count": 1, "nextPageCursor": null, "results": [book]}))],
        sent: (page, "authorization", "Token s3cret"),
        url: "https://example.org/article",
    }
}

fn readwise_reader() -> Service {
    let page = "/rr/api/v3/list/";
    let document = json!({"id": "01g", "url": "https://read.readwise.io/read/01g", "source_url": "https://example.org/document",
        "title": "Document", "author": "Ada", "category": "article", "location": "later", "tags": {}, "created_at": OLD,
        "updated_at": OLD, "saved_at": OLD, "notes": "", "parent_id": null, "reading_progress": 0.5});
    Service {
        body: with_token("readwise_reader", "/rr"),
        pages: vec![(page, json!({"count": 1, "nextPageCursor": null, "results": [document]}))],
        sent: (page, "authorization", "Token s3cret"),
        url: "https://example.org/document",
    }
}

fn raindrop() -> Service {
    let page = "/rn/rest/v1/raindrops/0?perpage=50&sort=created";
    let link = json!({"_id": 5, "link": "https://example.org/raindrop", "title": "Drop", "excerpt": "", "note": "", "tags": ["a"],
        "important": false, "created": OLD, "lastUpdate": OLD, "collection": {"$id": 2}, "highlights": []});
    let list = |items: Value| json!({"result": true, "items": items});
    Service {
        body: with_token("raindrop", "/rn"),
        pages: vec![
            ("/rn/rest/v1/collections", list(json!([{"_id": 1, "title": "Reading"}]))),
            (
                "/rn/rest/v1/collections/childrens",
                list(json!([{"_id": 2, "title": "Deep", "parent": {"$id": 1}}])),
            ),
            (page, list(json!([link]))),
        ],
        sent: (page, "authorization", "Bearer s3cret"),
        url: "https://example.org/raindrop",
    }
}

fn pinboard() -> Service {
    let page = "/pb/v1/posts/all?format=json&results=10000&auth_token=s3cret";
    let post = json!({"href": "https://example.org/pinboard", "description": "Pin", "extended": "", "meta": "m", "hash": "h",
        "time": OLD, "shared": "no", "toread": "yes", "tags": "a b"});
    Service {
        body: with_token("pinboard", "/pb"),
        pages: vec![(page, json!([post]))],
        sent: (page, "accept", "application/json, */*"),
        url: "https://example.org/pinboard",
    }
}

fn services() -> [Service; 8] {
    [wallabag(), linkding(), readeck(), miniflux(), readwise(), readwise_reader(), raindrop(), pinboard()]
}

#[test]
fn items_of_each_service_are_imported_from_its_api() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        for Service { mut body, pages, sent: (path, name, value), url } in services() {
            for (path, page) in &pages {
                app.site.put(path, answer(page));
            }
            body["address"] = app.site.url(body["address"].as_str().unwrap()).into();
            let id = add(&app, &who, &body).await;
            let done = server(&app, &who, &id).await;
            assert_eq!(done["state"], "complete", "{done}");
            let report = import(&app, &who, &done).await;
            assert_eq!((&report["created"], &report["failed"]), (&json!(1), &json!(0)), "{report}");
            assert_eq!(sent_header(&app.site, path, name), value, "{url}");
            assert!(items(&app, &who).await.iter().any(|item| item["url"] == url), "{url}");
            who.send(&app, Method::DELETE, &format!("{PATH}/{id}")).await.expect(204);
        }
        let list = items(&app, &who).await;
        let tags_of = |url: &str| list.iter().find(|item| item["url"] == url).unwrap()["tags"].clone();
        assert_eq!(tags_of("https://example.org/raindrop"), json!(["a", "Reading/Deep"]));
        assert!(
            !Value::from(list.clone()).to_string().contains("hidden"),
            "passwords of feeds are not imported"
        );
    });
}

#[test]
fn starred_entries_and_feeds_of_freshrss_are_imported() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let login = "/fr/api/greader.php/accounts/ClientLogin";
        app.site.put(login, Reply::bytes("text/plain", b"SID=ada/x1\nLSID=null\nAuth=ada/x1\n".to_vec()));
        let stream = "/fr/api/greader.php/reader/api/0/stream/contents/user/-/state/com.google/starred?output=json&n=50";
        let item = |number: u32| {
            json!({"id": format!("tag:google.com,2005:reader/item/{number:016x}"), "crawlTimeMsec": "1704067200000", "published": 1_704_067_200,
                "title": format!("Entry {number}"), "canonical": [{"href": format!("https://example.org/{number}")}],
                "categories": ["user/-/state/com.google/reading-list", "user/-/state/com.google/starred", "user/-/label/Tech"],
                "origin": {"streamId": "feed/5", "title": "Feed"}, "summary": {"content": "<p>short</p>"}, "author": "Ada"})
        };
        app.site
            .put(stream, answer(&json!({"id": "x", "updated": 1, "items": [item(1)], "continuation": "99"})));
        app.site
            .put(&format!("{stream}&c=99"), answer(&json!({"id": "x", "updated": 1, "items": [item(2)]})));
        let feed = app.site.put("/feed.xml", crate::support::rss::feed(1..=2));
        let opml = format!(
            "<opml version=\"2.0\"><body><outline text=\"Tech\"><outline type=\"rss\" text=\"Feed\" xmlUrl=\"{feed}\"/><outline type=\"rss\" xmlUrl=\"http://10.0.0.1/feed\"/></outline></body></opml>"
        );
        let export = "/fr/api/greader.php/reader/api/0/subscription/export";
        app.site.put(export, Reply::bytes("application/xml", opml.into_bytes()));
        let body = json!({"service": "freshrss", "address": app.site.url("/fr"), "username": "ada", "password": "api-pass"});
        let id = add(&app, &who, &body).await;
        let done = server(&app, &who, &id).await;
        let report = import(&app, &who, &done).await;
        assert_eq!((&done["state"], counts(&report)), (&json!("complete"), [2, 0, 0, 1]), "{done} {report}");
        let failed = rows_of(&app, &who, &done, "?outcome=failed").await;
        assert_eq!(
            (&failed[0]["row"], &failed[0]["title"], &failed[0]["problems"][0]["code"]),
            (&json!(3), &json!("http://10.0.0.1/feed"), &json!("url_not_allowed")),
            "{failed}"
        );
        assert_eq!(sent_header(&app.site, stream, "authorization"), "GoogleLogin auth=ada/x1");
        let requests = app.site.requests();
        let form = requests.iter().find(|request| request.path == login).unwrap();
        assert_eq!(form.body, "Email=ada&Passwd=api-pass");
        let followed = who.get(&app, "/v1/rss/subscriptions").await.expect(200).json();
        assert_eq!(followed["subscriptions"].as_array().unwrap().len(), 1, "{followed}");
        let tags = items(&app, &who).await[0]["tags"].clone();
        assert_eq!(tags, json!(["favorite", "Tech"]));
    });
}

#[test]
fn rate_limited_run_continues_at_its_page_after_the_requested_pause() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        put_karakeep(&app.site);
        let first = "/keep/api/v1/bookmarks?limit=30&includeContent=true";
        let second = json!({"bookmarks": [bookmark("b2", OLD)], "nextCursor": null});
        let limited = Reply::status(429).with("retry-after", "0");
        app.site.put_sequence(&format!("{first}&cursor=c2"), [limited, answer(&second)]);
        let body = json!({"service": "karakeep", "address": app.site.url("/keep"), "token": "s3cret"});
        let id = add(&app, &who, &body).await;
        let waiting = server(&app, &who, &id).await;
        assert_eq!(
            (&waiting["state"], &waiting["errorCode"], &waiting["retryAt"]),
            (
                &json!("waiting"),
                &json!("source_rate_limited"),
                &json!(rfc3339(app.app.domain.now() + MINUTE))
            ),
            "{waiting}"
        );
        assert_eq!(items(&app, &who).await.len(), 1, "the first page is committed");
        app.clock.advance(2 * MINUTE);
        app.tick().await;
        let done = server(&app, &who, &id).await;
        let report = import(&app, &who, &done).await;
        assert_eq!((&done["state"], counts(&report)), (&json!("complete"), [2, 1, 0, 0]), "{done} {report}");
        assert_eq!(app.site.hits(first), 1, "a page that was committed is not fetched again");
    });
}

/// Adds a Karakeep server whose run waits after its first page.
async fn waiting_karakeep(app: &TestApp, who: &Person) -> (String, Value) {
    put_karakeep(&app.site);
    let page = json!({"bookmarks": [bookmark("b2", OLD)], "nextCursor": null});
    let limited = Reply::status(429).with("retry-after", "0");
    let second = "/keep/api/v1/bookmarks?limit=30&includeContent=true&cursor=c2";
    app.site.put_sequence(second, [limited, answer(&page)]);
    let body = json!({"service": "karakeep", "address": app.site.url("/keep"), "token": "s3cret"});
    let id = add(app, who, &body).await;
    let waiting = server(app, who, &id).await;
    assert_eq!(waiting["state"], "waiting", "{waiting}");
    (id, waiting)
}

#[test]
fn stopped_import_that_has_added_items_is_undone_on_its_page() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (_, waiting) = waiting_karakeep(&app, &who).await;
        let page = format!("/library/import/{}", waiting["importId"].as_str().unwrap());
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open(&page).await.expect(200);
        let stopped = browser.submit(&page, &[("act", "cancel")]).await.expect(303);
        let text = browser.open(stopped.header("location")).await.expect(200).text();
        assert!(text.contains("Import stopped") && text.contains("Undo import"), "{text}");
        assert_eq!(items(&app, &who).await.len(), 1);
        browser.submit(&page, &[("act", "undo")]).await.expect(303);
        app.run_jobs().await;
        let text = browser.open(&page).await.expect(200).text();
        assert!(text.contains("was removed") && !text.contains("Undo import"), "{text}");
        assert_eq!(items(&app, &who).await, Vec::<Value>::new());
    });
}

#[test]
fn cancelled_import_stops_its_waiting_run_and_the_next_run_starts_a_new_import() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (id, waiting) = waiting_karakeep(&app, &who).await;
        let path = format!("/v1/library/imports/{}", waiting["importId"].as_str().unwrap());
        who.send(&app, Method::DELETE, &path).await.expect(204);
        let cancelled = server(&app, &who, &id).await;
        assert_eq!(
            (&cancelled["state"], &cancelled["errorCode"], &cancelled["retryAt"]),
            (&json!("failed"), &json!("cancelled"), &Value::Null)
        );
        let next = who.post(&app, &format!("{PATH}/{id}/run"), &json!({})).await.expect(202).json();
        assert_ne!(next["server"]["importId"], waiting["importId"]);
        app.clock.advance(2 * MINUTE);
        app.tick().await;
        let done = server(&app, &who, &id).await;
        let report = import(&app, &who, &done).await;
        assert_eq!((&done["state"], counts(&report)), (&json!("complete"), [1, 1, 0, 0]), "{done} {report}");
    });
}

#[test]
fn run_requested_while_a_cancelled_run_stops_is_completed() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        put_karakeep(&app.site);
        let gate = app.site.hold("/keep/api/v1/bookmarks?limit=30&includeContent=true&cursor=c2");
        let body = json!({"service": "karakeep", "address": app.site.url("/keep"), "token": "s3cret"});
        let id = add(&app, &who, &body).await;
        gate.wait_for_requests(1).await;
        let running = who.get(&app, PATH).await.expect(200).json()["servers"][0].clone();
        let path = format!("/v1/library/imports/{}", running["importId"].as_str().unwrap());
        who.send(&app, Method::DELETE, &path).await.expect(204);
        who.post(&app, &format!("{PATH}/{id}/run"), &json!({})).await.expect(202);
        gate.open();
        let done = server(&app, &who, &id).await;
        let report = import(&app, &who, &done).await;
        assert_eq!((&done["state"], counts(&report)), (&json!("complete"), [1, 1, 0, 0]), "{done} {report}");
    });
}

async fn killed_run_continues(backend: Backend) {
    let site = Site::start();
    put_karakeep(&site);
    let first = "/keep/api/v1/bookmarks?limit=30&includeContent=true";
    let gate = site.hold(&format!("{first}&cursor=c2"));
    let process = KillableProcess::start_with(backend, &[("CARREL_FETCH_ALLOW", "127.0.0.1/32")]).await;
    let body = json!({"service": "karakeep", "address": site.url("/keep"), "token": "s3cret"});
    let (status, added) = process.send(Method::POST, PATH, Some(&body)).await;
    assert_eq!(status, 202, "{added}");
    gate.wait_for_requests(1).await;
    process.kill().await;
    gate.open();
    process.restart().await;
    let servers = async || process.get(PATH).await["servers"][0].clone();
    let done = eventually("the run ends", servers, |server| server["finishedAt"].is_string()).await;
    assert_eq!(done["state"], "complete", "{done}");
    let path = format!("/v1/library/imports/{}", done["importId"].as_str().unwrap());
    let report = process.get(&path).await["import"].clone();
    assert_eq!((counts(&report), &report["highlights"]), ([2, 1, 0, 0], &json!(1)), "{report}");
    assert_eq!(site.hits(first), 1, "the page before the kill was committed with its position");
}

#[test]
fn killed_run_continues_at_its_page_on_sqlite() {
    run(killed_run_continues(Backend::Sqlite));
}

#[test]
fn killed_run_continues_at_its_page_on_postgres() {
    run(killed_run_continues(Backend::Postgres));
}

#[test]
fn refused_token_fails_the_run_and_the_next_run_continues() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let path = "/ld/api/bookmarks/?limit=100";
        app.site.put(path, Reply::status(401));
        let body = json!({"service": "linkding", "address": app.site.url("/ld"), "token": "wrong"});
        let id = add(&app, &who, &body).await;
        for (reply, code) in [
            (Reply::status(401), "login_required"),
            (Reply::status(403), "source_forbidden"),
            (Reply::html("<p>Sign in</p>"), "source_invalid_response"),
            (Reply::status(404), "source_not_found"),
        ] {
            app.site.put(path, reply);
            who.post(&app, &format!("{PATH}/{id}/run"), &json!({})).await.expect(202);
            let failed = server(&app, &who, &id).await;
            assert_eq!(
                (&failed["state"], &failed["errorCode"]),
                (&json!("failed"), &json!(code)),
                "{failed}"
            );
            let report = import(&app, &who, &failed).await;
            assert_eq!((&report["state"], &report["errorCode"]), (&json!("failed"), &json!(code)));
        }
        app.site.put(path, Reply::status(500));
        who.post(&app, &format!("{PATH}/{id}/run"), &json!({})).await.expect(202);
        let waiting = server(&app, &who, &id).await;
        assert_eq!((&waiting["state"], &waiting["errorCode"]), (&json!("waiting"), &json!("source_error")));
        let none = json!({"count": 0, "next": null, "previous": null, "results": []});
        app.site.put(path, answer(&none));
        app.site.put("/ld/api/bookmarks/archived/?limit=100", answer(&none));
        app.clock.advance(2 * MINUTE);
        app.tick().await;
        let done = server(&app, &who, &id).await;
        assert_eq!((&done["state"], &done["errorCode"]), (&json!("complete"), &Value::Null), "{done}");
    });
}

#[test]
fn token_is_not_sent_to_the_target_of_a_redirect() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let other = Site::start();
        let path = "/pb/v1/posts/all?format=json&results=10000&auth_token=s3cret";
        app.site.put(path, Reply::redirect(&other.url("/v1/posts/all?auth_token=s3cret")));
        let body = json!({"service": "pinboard", "address": app.site.url("/pb"), "token": "s3cret"});
        let id = add(&app, &who, &body).await;
        let failed = server(&app, &who, &id).await;
        assert_eq!((&failed["state"], &failed["errorCode"]), (&json!("failed"), &json!("url_not_allowed")));
        assert!(other.requests().is_empty());
    });
}

#[test]
fn deleting_a_server_stops_its_run() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        put_karakeep(&app.site);
        let gate = app.site.hold("/keep/api/v1/bookmarks?limit=30&includeContent=true&cursor=c2");
        let body = json!({"service": "karakeep", "address": app.site.url("/keep"), "token": "s3cret"});
        let id = add(&app, &who, &body).await;
        gate.wait_for_requests(1).await;
        who.send(&app, Method::DELETE, &format!("{PATH}/{id}")).await.expect(204);
        gate.open();
        app.run_jobs().await;
        assert_eq!(who.get(&app, PATH).await.expect(200).json()["servers"], json!([]));
        assert_eq!(items(&app, &who).await.len(), 1, "the second page is not imported");
    });
}

#[test]
fn invalid_servers_and_servers_of_other_accounts_are_refused() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Free).await, Person::on(&app, Tier::Free).await);
        let address = app.site.url("/ld");
        let valid = json!({"service": "linkding", "address": address, "token": "s3cret"});
        app.post_with(PATH, &[], &valid).await.expect(401);
        for (body, code) in [
            (json!({"service": "linkding", "address": address}), "conflicting_changes"),
            (json!({"service": "linkding", "token": "s3cret"}), "conflicting_changes"),
            (
                json!({"service": "linkding", "address": address, "token": "s3cret", "password": "x"}),
                "conflicting_changes",
            ),
            (json!({"service": "linkding", "address": address, "token": "two words"}), "invalid_request"),
            (
                json!({"service": "linkding", "address": "http://192.168.0.1/", "token": "s3cret"}),
                "url_not_allowed",
            ),
            (
                json!({"service": "linkding", "address": format!("{address}?a=b"), "token": "s3cret"}),
                "invalid_request",
            ),
            (json!({"service": "unknown", "address": address, "token": "s3cret"}), "invalid_request"),
        ] {
            who.post(&app, PATH, &body).await.api_error(422, code);
        }
        let id = add(&app, &who, &valid).await;
        other.post(&app, &format!("{PATH}/{id}/run"), &json!({})).await.api_error(404, "not_found");
        other.send(&app, Method::DELETE, &format!("{PATH}/{id}")).await.api_error(404, "not_found");
        assert_eq!(other.get(&app, PATH).await.expect(200).json()["servers"], json!([]));
        for _ in 1..10 {
            add(&app, &who, &valid).await;
        }
        who.post(&app, PATH, &valid).await.api_error(403, "limit_reached");
        app.run_jobs().await;
    });
}

#[test]
fn unencrypted_connection_to_a_server_is_reported() {
    run(async {
        // Without workers, no request is sent to these hosts.
        let app = Setup::on(World::Small).idle().spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        let loopback = app.site.url("/ld");
        for (address, warnings) in [
            ("http://links.example.org", json!(["unencrypted_connection"])),
            ("https://links.example.org", json!([])),
            (loopback.as_str(), json!([])),
        ] {
            let body = with_token("linkding", address);
            let added = who.post(&app, PATH, &body).await.expect(202).json();
            assert_eq!(added["server"]["warnings"], warnings, "{added}");
        }
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let page = browser.open("/library/import-servers").await.expect(200).text();
        assert_eq!(page.matches("is not encrypted").count(), 1, "{page}");
    });
}

#[test]
fn server_is_added_run_and_deleted_on_its_page() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        app.site.put("/ld/api/bookmarks/?limit=100", Reply::status(401));
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        assert!(
            browser
                .open("/library/import")
                .await
                .expect(200)
                .text()
                .contains("href=\"/library/import-servers\"")
        );
        let wallabag = browser.open("/library/import-servers?service=wallabag").await.expect(200).text();
        assert!(
            wallabag.contains("name=\"clientSecret\"") && wallabag.contains("name=\"address\""),
            "{wallabag}"
        );
        let raindrop = browser.open("/library/import-servers?service=raindrop").await.expect(200).text();
        assert!(
            raindrop.contains("name=\"apiToken\"") && !raindrop.contains("name=\"address\""),
            "{raindrop}"
        );
        let path = "/library/import-servers";
        browser.open("/library/import-servers?service=linkding").await.expect(200);
        let refused =
            browser.submit(path, &[("service", "linkding"), ("apiToken", "s3cret")]).await.expect(422).text();
        assert!(refused.contains("Enter the URL of your server."), "{refused}");
        assert!(!refused.contains("s3cret"));
        let address = app.site.url("/ld");
        let fields = [
            ("service", "linkding"),
            ("address", address.as_str()),
            ("apiToken", "s3cret"),
            ("folders", "tags"),
        ];
        browser.submit(path, &fields).await.expect(303);
        app.run_jobs().await;
        let list = browser.open(path).await.expect(200).text();
        assert!(list.contains("did not accept the token") && !list.contains("s3cret"), "{list}");
        assert!(!list.contains("is not encrypted"), "the server is on a loopback address: {list}");
        let import = between(&list, "href=\"/library/import/", "\"");
        let failed = browser.open(&format!("/library/import/{import}")).await.expect(200).text();
        assert!(
            failed.contains("href=\"/library/import-servers\"") && !failed.contains("Choose another file"),
            "{failed}"
        );
        let id = between(&list, "action=\"/library/import-servers/", "\"").to_owned();
        let none = json!({"count": 0, "next": null, "previous": null, "results": []});
        app.site.put("/ld/api/bookmarks/?limit=100", answer(&none));
        app.site.put("/ld/api/bookmarks/archived/?limit=100", answer(&none));
        browser.open(path).await.expect(200);
        browser.submit(&format!("{path}/{id}"), &[("act", "run")]).await.expect(303);
        app.run_jobs().await;
        let list = browser.open(path).await.expect(200).text();
        assert!(list.contains("Imported") && list.contains(&address) && !list.contains("s3cret"), "{list}");
        browser.submit(&format!("{path}/{id}"), &[("act", "delete")]).await.expect(303);
        assert!(!browser.open(path).await.expect(200).text().contains(&address));
    });
}
