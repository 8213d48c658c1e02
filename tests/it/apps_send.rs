//! Apps that send pages to a library with the APIs of Readeck and Instapaper.

use data_encoding::BASE64;
use kernel::Scopes;
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::library_items::{ITEMS, save_item};
use crate::support::feed_app::form;
use crate::support::person::Person;
use crate::support::{HttpAnswer, TestApp, on_each_world};

const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
const JSON: (&str, &str) = ("content-type", "application/json");

async fn readeck(app: &TestApp, token: &str, method: Method, path: &str, body: Option<Value>) -> HttpAnswer {
    let bearer = format!("Bearer {token}");
    let headers = [("authorization", bearer.as_str()), JSON];
    let body = body.map(|body| body.to_string());
    app.send(method, &format!("/readeck/api/{path}"), &headers, body).await
}

#[test]
fn readeck_app_saves_lists_reads_and_changes_bookmarks() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let credentials = json!({"application": "app", "username": who.email, "password": who.key});
        let token = app.post("/readeck/api/auth", &credentials).await.expect(201).json();
        let token = token["token"].as_str().unwrap();
        crate::support::secret_scan::record_secret(token);
        let profile = readeck(&app, token, Method::GET, "profile", None).await.expect(200).json();
        assert_eq!(profile["user"]["email"], who.email);
        app.get("/readeck/api/info").await.expect(200);

        let url = app.site.article("/town");
        let body = json!({"url": url, "title": "Town", "labels": ["one", "two"]});
        let saved = readeck(&app, &who.key, Method::POST, "bookmarks", Some(body)).await.expect(202);
        let path = format!("bookmarks/{}", saved.header("bookmark-id"));
        let bookmark = readeck(&app, token, Method::GET, &path, None).await.expect(200).json();
        assert_eq!((&bookmark["url"], &bookmark["labels"]), (&json!(url), &json!(["one", "two"])));
        let article = readeck(&app, token, Method::GET, &format!("{path}/article"), None).await.expect(200);
        assert!(article.text().contains("<p id=\"p"));
        readeck(&app, token, Method::GET, &format!("{path}/article.epub"), None).await.expect(200);

        let change =
            json!({"is_marked": true, "is_archived": true, "read_progress": 40, "remove_labels": ["one"]});
        let changed = readeck(&app, token, Method::PATCH, &path, Some(change)).await.expect(200).json();
        assert_eq!((&changed["is_marked"], &changed["is_archived"]), (&json!(true), &json!(true)));
        assert_eq!(
            (&changed["read_progress"], &changed["labels"]),
            (&json!(40), &json!(["two", "favorite"]))
        );
        for (query, count) in [("is_archived=true", 1), ("is_archived=false", 0), ("labels=two", 1)] {
            let list =
                readeck(&app, token, Method::GET, &format!("bookmarks?{query}"), None).await.expect(200);
            assert_eq!(list.header("total-count"), count.to_string());
            assert_eq!(list.json().as_array().unwrap().len(), count);
        }
        let labels = json!({"add_labels": ["Three", "one"], "remove_labels": ["TWO"], "is_marked": false});
        let changed = readeck(&app, token, Method::PATCH, &path, Some(labels)).await.expect(200).json();
        assert_eq!((&changed["labels"], &changed["is_marked"]), (&json!(["Three", "one"]), &json!(false)));
        let labels = json!({"labels": ["four", "five"], "add_labels": ["six"], "remove_labels": ["Five"]});
        let changed = readeck(&app, token, Method::PATCH, &path, Some(labels)).await.expect(200).json();
        assert_eq!(changed["labels"], json!(["four", "six"]));
        let many = vec!["labels=x"; 13].join("&");
        for query in [many.as_str(), "site=a%00b"] {
            let list = format!("bookmarks?{query}");
            readeck(&app, token, Method::GET, &list, None).await.expect(400);
        }
        let stranger = Person::free(&app).await;
        for method in [Method::GET, Method::PATCH, Method::DELETE] {
            readeck(&app, &stranger.key, method, &path, Some(json!({}))).await.expect(404);
        }
        let (reading, _) = who.create_key(&app, Scopes::READ, None).await;
        readeck(&app, &reading, Method::GET, &path, None).await.expect(200);
        readeck(&app, &reading, Method::DELETE, &path, None).await.expect(403);
        let odd = json!({"read_progress": 101});
        readeck(&app, token, Method::PATCH, &path, Some(odd)).await.expect(400);
        readeck(&app, token, Method::POST, "bookmarks", Some(json!({}))).await.expect(400);
        readeck(&app, "wrong", Method::GET, "bookmarks", None).await.expect(401);
        app.get("/readeck/api/bookmarks").await.expect(401);
        readeck(&app, token, Method::DELETE, &path, None).await.expect(204);
        readeck(&app, token, Method::GET, &path, None).await.expect(404);
    });
}

#[test]
fn readeck_filters_select_bookmarks_or_are_refused() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let save = async |title: &str, author: &str, tags: &[&str]| {
            let body = json!({"title": title, "content": format!("Words of {title}."), "mimeType": "text/plain",
                "author": author, "tags": tags});
            save_item(&app, &who, &body).await["id"].as_str().unwrap().to_owned()
        };
        let harbour = save("Harbour", "Ana Lima", &["sea"]).await;
        let desks = save("Quiet desks", "Bo Ek", &[]).await;
        for (id, progress) in [(&harbour, 100), (&desks, 40)] {
            let change = Some(json!({"read_progress": progress}));
            let path = format!("bookmarks/{id}");
            readeck(&app, &who.key, Method::PATCH, &path, change).await.expect(200);
        }
        let by_id = format!("id={harbour}&id=abc");
        for (query, expected) in [
            ("search=zzzznothing", ""),
            ("search=harbour", "Harbour"),
            ("search=%21%21%21", ""),
            ("title=quiet%20desks", "Quiet desks"),
            ("author=lima", "Harbour"),
            ("search=harbour&author=ek", ""),
            (by_id.as_str(), "Harbour"),
            ("id=abc", ""),
            ("type=video", ""),
            ("type=video&type=article", "Harbour, Quiet desks"),
            ("read_status=read", "Harbour"),
            ("read_status=reading", "Quiet desks"),
            ("read_status=unread", ""),
            ("read_status=unread&read_status=reading&read_status=read", "Harbour, Quiet desks"),
            ("has_errors=true", ""),
            ("has_labels=true", "Harbour"),
            ("updated_since=2100-01-01T00:00:00Z", ""),
            ("updated_since=2000-01-01&collection=&search=", "Harbour, Quiet desks"),
            (
                "limit=10&offset=0&sort=-created&is_archived=0&is_loaded=1&has_errors=0",
                "Harbour, Quiet desks",
            ),
        ] {
            let path = format!("bookmarks?{query}");
            let list = readeck(&app, &who.key, Method::GET, &path, None).await.expect(200);
            let bookmarks = list.json().as_array().unwrap().clone();
            let mut titles: Vec<&str> = bookmarks.iter().filter_map(|one| one["title"].as_str()).collect();
            titles.sort_unstable();
            assert_eq!(titles.join(", "), expected, "{query}");
            assert_eq!(list.header("total-count"), titles.len().to_string(), "{query}");
        }
        for refused in [
            "collection=a", "range_start=2030-01-01", "range_end=2030-01-01", "read_status=odd",
            "updated_since=odd", "title=%21",
        ] {
            let name = refused.split('=').next().unwrap().replace('_', " ");
            let path = format!("bookmarks?{refused}");
            let answer = readeck(&app, &who.key, Method::GET, &path, None).await.expect(400);
            assert!(answer.text().contains(&name), "{}", answer.text());
        }
        let stranger = Person::free(&app).await;
        let list = readeck(&app, &stranger.key, Method::GET, "bookmarks?search=harbour", None).await;
        assert_eq!(list.expect(200).json(), json!([]));
    });
}

#[test]
fn readeck_label_that_contains_a_comma_is_not_split() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.article("/town");
        save_item(&app, &who, &json!({"url": url, "tags": ["Travel, south", "sea"]})).await;
        let list = "bookmarks?labels=travel%2C%20south";
        let listed = readeck(&app, &who.key, Method::GET, list, None).await.expect(200).json();
        assert_eq!(listed[0]["labels"], json!(["Travel, south", "sea"]));
        let path = format!("bookmarks/{}", listed[0]["id"].as_str().unwrap());
        let change = json!({"labels": ["Travel, south", "boat, town"]});
        let changed = readeck(&app, &who.key, Method::PATCH, &path, Some(change)).await.expect(200).json();
        assert_eq!(changed["labels"], json!(["Travel, south", "boat", "town"]));
        let change = json!({"remove_labels": ["travel, south"], "add_labels": "boat"});
        let changed = readeck(&app, &who.key, Method::PATCH, &path, Some(change)).await.expect(200).json();
        assert_eq!(changed["labels"], json!(["boat", "town"]));
    });
}

#[test]
fn instapaper_app_checks_its_account_and_saves_a_url() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let post = async |path: &str, pairs: &[(&str, &str)]| {
            app.send(Method::POST, &format!("/api/{path}"), &[FORM], Some(form(pairs))).await
        };
        let (name, key) = (("username", who.email.as_str()), ("password", who.key.as_str()));
        post("authenticate", &[name, key]).await.expect(200);
        post("authenticate", &[name, ("password", "wrong")]).await.expect(403);
        post("authenticate", &[name]).await.expect(403);
        let basic = BASE64.encode(format!("{}:{}", who.email, who.key).as_bytes());
        let basic = format!("Basic {basic}");
        app.get_with("/api/authenticate", &[("authorization", &basic)]).await.expect(200);
        let query = form(&[name, ("password", "x")]);
        app.get(&format!("/api/authenticate?{query}")).await.expect(400);

        let url = app.site.article("/town");
        let item = [("url", url.as_str()), ("title", "Town"), ("selection", "A quoted sentence.")];
        let sent: Vec<(&str, &str)> = [name, key].into_iter().chain(item).collect();
        let saved = post("add", &sent).await.expect(201);
        assert_eq!(
            (saved.header("content-location"), saved.header("x-instapaper-title")),
            (url.as_str(), "Town")
        );
        let items = who.get(&app, ITEMS).await.expect(200).json();
        assert_eq!(items["items"][0]["url"], url);
        let notes = who.get(&app, "/v1/library/notes").await.expect(200).json();
        assert_eq!(notes["notes"][0]["text"], "A quoted sentence.");
        // An app that received no answer sends the page again.
        post("add", &sent).await.expect(201);
        let again = who.get(&app, "/v1/library/notes").await.expect(200).json();
        assert_eq!(again["notes"].as_array().unwrap().len(), 1);
        post("add", &[name, key]).await.expect(400);
        post("add", &[name, key, ("url", "no address")]).await.expect(400);
        let (reading, _) = who.create_key(&app, Scopes::READ, None).await;
        post("add", &[name, ("password", &reading), ("url", &url)]).await.expect(403);
    });
}

#[test]
fn disabled_protocol_returns_404() {
    crate::support::run(async {
        use crate::support::{Setup, World};
        let app = Setup::on(World::Small).set("CARREL_APPS", "opds,kosync").spawn().await;
        let who = Person::free(&app).await;
        save_item(&app, &who, &json!({"title": "One", "content": "Words."})).await;
        app.get("/kosync/healthcheck").await.expect(200);
        for path in ["/api/version", "/readeck/api/info", "/oauth/v2/token", "/api/authenticate"] {
            app.get(path).await.expect(404);
        }
    });
}
