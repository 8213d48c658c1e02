//! What belongs to another account is not there: for every operation of the Developer API's description that takes an id or a
//! cursor, wherever it takes it. The tables are made from the description, so that no operation can be forgotten.

use std::collections::BTreeMap;

use domain::limits::Tier;
use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::support::described::{Operation, named, parameters};
use crate::support::form::{Field, with_form};
use crate::support::person::Person;
use crate::support::rss::{feed, poll};
use crate::support::watch::{self, page};
use crate::support::{Answer, TestApp, on_each_world};

const METHODS: [Method; 6] =
    [Method::GET, Method::HEAD, Method::PUT, Method::POST, Method::PATCH, Method::DELETE];
/// Where what somebody has is shown.
const SHELVES: &[&str] = &[
    "/v1/keys",
    "/v1/library/sync?limit=500&includeContent=true",
    "/v1/library/tags",
    "/v1/rss/subscriptions",
    "/v1/rss/collections",
    "/v1/rss/entries",
    "/v1/monitors",
];

/// One of everything, by the beginning of the paths that lead to it.
struct Belongings {
    ids: BTreeMap<&'static str, String>,
}

impl Belongings {
    /// Gives somebody one of everything.
    async fn of(app: &TestApp, who: &Person, name: &str) -> Self {
        let post = async |path: &str, body: Value| {
            let answer = who.post(app, path, &body).await;
            assert!(matches!(answer.status, 200..=202), "{path}: {}", answer.text());
            answer.json()
        };
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let url = format!("https://example.org/{name}");
        let item =
            post("/v1/library/items", json!({"url": url, "content": "Words of a desk.", "tags": ["mine"]}))
                .await;
        let item = text(&item["item"]["id"]);
        let file = app.request(Method::PUT, &format!("/v1/library/items/{item}/file"));
        let file = file.header("x-api-key", &who.key).body("A file.").send().await.unwrap();
        assert_eq!(file.status(), 201);
        let note = post("/v1/library/notes", json!({"text": "A note.", "itemId": item})).await;
        let highlight = post("/v1/library/highlights", json!({"itemId": item, "quote": "a desk"})).await;
        let table = Field {
            name: "file",
            file: Some(("a.csv", "text/csv")),
            body: b"title,url,time_added,tags,status\nA,https://a.example/,1,,\n",
        };
        let import = with_form(
            app.request(Method::POST, "/v1/library/imports").header("x-api-key", &who.key),
            &[table],
        );
        let import = Answer::of(import.send().await.unwrap()).await.expect(202).json();
        let export = post("/v1/library/exports", json!({"format": "csv"})).await;
        let feed_url = app.site.put(&format!("/{name}.xml"), feed(1..=2));
        let subscription = post("/v1/rss/subscriptions", json!({"url": feed_url})).await;
        poll(app).await;
        let subscription = text(&subscription["subscription"]["id"]);
        let collection = post("/v1/rss/collections", json!({"name": name, "feedIds": []})).await;
        let entries = who.get(app, "/v1/rss/entries").await.expect(200).json();
        let monitor = watch::watched(app, who, &app.site.put(&format!("/{name}"), page("x"))).await;
        watch::run_now(app, who, &monitor).await;
        let keys = who.get(app, "/v1/keys").await.expect(200).json();
        let ids = [
            ("/v1/keys/", text(&keys["keys"][0]["id"])),
            ("/v1/library/items/", item.clone()),
            ("/v1/library/objects/", format!("item:{item}")),
            ("/v1/library/notes/", text(&note["object"]["id"])),
            ("/v1/library/highlights/", text(&highlight["object"]["id"])),
            ("/v1/library/imports/", text(&import["import"]["id"])),
            ("/v1/library/exports/", text(&export["export"]["id"])),
            ("/v1/rss/subscriptions/", subscription),
            ("/v1/rss/collections/", text(&collection["collection"]["id"])),
            ("/v1/rss/entries/", text(&entries["entries"][0]["id"])),
            ("/v1/monitors/", text(&monitor["id"])),
        ];
        for (path, id) in &ids {
            assert!(!id.is_empty() && id != "null", "{path}");
        }
        app.run_jobs().await;
        Self { ids: ids.into() }
    }

    /// The path of an operation with the id of what it is about.
    fn path(&self, template: &str) -> String {
        let (_, id) = self
            .ids
            .iter()
            .find(|(front, _)| template.starts_with(**front))
            .unwrap_or_else(|| panic!("{template}: one of what it is about is to be made above"));
        let (front, rest) = template.split_once('{').unwrap();
        format!("{front}{id}{}", rest.split_once('}').unwrap().1)
    }

    fn id(&self, front: &str) -> Value {
        let id = &self.ids[front];
        id.parse::<u64>().map_or_else(|_| id.as_str().into(), Value::from)
    }
}

async fn document(app: &TestApp) -> Value {
    app.get("/v1/openapi.json").await.expect(200).json()
}

/// Everything that somebody has, as they see it.
async fn shown(app: &TestApp, who: &Person, own: &Belongings) -> Vec<String> {
    let mut shown = Vec::new();
    let details = ["/v1/library/imports/", "/v1/library/exports/", "/v1/monitors/"];
    let details = details.iter().map(|front| format!("{front}{}", own.ids[front]));
    for path in SHELVES.iter().map(|path| (*path).to_owned()).chain(details) {
        let mut body = who.get(app, &path).await.expect(200).json();
        // Of a key it is told when it was used last.
        for key in body["keys"].as_array_mut().into_iter().flatten() {
            key.as_object_mut().unwrap().remove("lastUsedAt");
        }
        shown.push(format!("{path} {body}"));
    }
    shown
}

/// A body that the operation takes, from its description.
fn example(document: &Value, operation: &Operation) -> Option<(String, String)> {
    let body = named(document, &operation.described["requestBody"]);
    let contents = body["content"].as_object()?;
    if let Some(media) = contents.get("application/json") {
        return Some(("application/json".to_owned(), media["example"].to_string()));
    }
    if contents.contains_key("multipart/form-data") {
        let part =
            "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nBytes\r\n--x--\r\n";
        return Some(("multipart/form-data; boundary=x".to_owned(), part.to_owned()));
    }
    Some(("text/plain".to_owned(), "Bytes".to_owned()))
}

async fn send(
    app: &TestApp,
    who: &Person,
    method: Method,
    path: &str,
    body: Option<(String, String)>,
) -> Answer {
    // Nobody is held back by how much is asked for.
    app.clock.advance(1_000);
    let mut headers = vec![("x-api-key", who.key.clone())];
    let body = body.map(|(kind, body)| {
        headers.push(("content-type", kind));
        body
    });
    let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    app.send(method, path, &headers, body).await
}

#[test]
fn what_belongs_to_another_account_is_not_there() {
    on_each_world(async |app| {
        let (owner, stranger) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let own = Belongings::of(&app, &owner, "owner").await;
        let before = shown(&app, &owner, &own).await;
        let document = document(&app).await;
        let mut tried = 0;
        for operation in Operation::all(&document).iter().filter(|one| one.template.contains('{')) {
            let path = own.path(&operation.template);
            let body = example(&document, operation);
            let answer = send(&app, &stranger, operation.method.clone(), &path, body.clone()).await;
            assert_eq!(answer.status, 404, "{}: {}", operation.id, answer.text());
            assert_eq!(answer.json()["code"], "not_found", "{}", operation.id);
            for method in METHODS {
                let answer = send(&app, &stranger, method.clone(), &path, body.clone()).await;
                assert!(matches!(answer.status, 404 | 405), "{method} {path}: {}", answer.status);
            }
            if operation.method == Method::GET {
                // It is there for its owner: the test looks in the right place.
                let answer = send(&app, &owner, Method::GET, &path, None).await;
                assert_eq!(answer.status, 200, "{}: {}", operation.id, answer.text());
            }
            tried += 1;
        }
        assert!(tried >= 40, "{tried}");
        assert_eq!(shown(&app, &owner, &own).await, before, "nothing was changed");
    });
}

/// What an operation takes beside its path that may name something: fields of its query, and of its body.
fn naming(document: &Value, operation: &Operation) -> Vec<String> {
    let is_name = |name: &str| {
        let name = name.to_lowercase();
        ["id", "ids", "ref", "refs", "cursor"].iter().any(|ending| name.ends_with(ending))
            && name != "externalid"
    };
    let query = parameters(&operation.described, "query").map(|one| one["name"].as_str().unwrap().to_owned());
    let schema = operation.media().map(|media| named(document, &media["schema"]));
    let fields = schema.and_then(|schema| schema["properties"].as_object()).into_iter().flat_map(Map::keys);
    query.chain(fields.cloned()).filter(|name| is_name(name)).collect()
}

/// What a stranger sends with something of the owner's, and what comes of it: a status, and a part of the answer.
fn attempts(
    own: &Belongings,
    mine: &Belongings,
) -> Vec<(&'static str, &'static str, Method, String, Value, u16, Value)> {
    let item = own.id("/v1/library/items/");
    let (subscription, collection) = (own.id("/v1/rss/subscriptions/"), own.id("/v1/rss/collections/"));
    let entry = own.id("/v1/rss/entries/");
    let my = |front: &str| format!("{front}{}", mine.ids[front]);
    let (post, patch, get) = (Method::POST, Method::PATCH, Method::GET);
    let at = str::to_owned;
    let query =
        |path: &str, name: &str, id: &Value| format!("{path}?{name}={}", id.to_string().trim_matches('"'));
    vec![
        (
            "bulkUpdateLibraryItems",
            "ids",
            patch.clone(),
            at("/v1/library/items"),
            json!({"ids": [item], "changes": {"status": "archive"}}),
            200,
            json!({"updated": 0, "missing": 1, "items": []}),
        ),
        (
            "bulkDeleteLibraryItems",
            "ids",
            post.clone(),
            at("/v1/library/items/delete"),
            json!({"ids": [item]}),
            200,
            json!({"deleted": 0, "missing": 1}),
        ),
        (
            "createNote",
            "itemId",
            post.clone(),
            at("/v1/library/notes"),
            json!({"text": "x", "itemId": item}),
            404,
            json!({}),
        ),
        (
            "updateNote",
            "itemId",
            patch.clone(),
            my("/v1/library/notes/"),
            json!({"itemId": item}),
            404,
            json!({}),
        ),
        (
            "createHighlight",
            "itemId",
            post.clone(),
            at("/v1/library/highlights"),
            json!({"quote": "x", "itemId": item}),
            404,
            json!({}),
        ),
        (
            "listNotes",
            "itemId",
            get.clone(),
            query("/v1/library/notes", "itemId", &item),
            Value::Null,
            200,
            json!({"notes": []}),
        ),
        (
            "listHighlights",
            "itemId",
            get.clone(),
            query("/v1/library/highlights", "itemId", &item),
            Value::Null,
            200,
            json!({"highlights": []}),
        ),
        (
            "createRssSubscription",
            "collectionId",
            post.clone(),
            at("/v1/rss/subscriptions"),
            json!({"url": "https://example.org/feed", "collectionId": collection}),
            404,
            json!({}),
        ),
        (
            "updateRssSubscription",
            "collectionId",
            patch.clone(),
            my("/v1/rss/subscriptions/"),
            json!({"collectionId": collection}),
            404,
            json!({}),
        ),
        (
            "createRssCollection",
            "feedIds",
            post.clone(),
            at("/v1/rss/collections"),
            json!({"name": "stolen", "feedIds": [subscription]}),
            404,
            json!({}),
        ),
        (
            "updateRssCollection",
            "feedIds",
            patch.clone(),
            my("/v1/rss/collections/"),
            json!({"feedIds": [subscription]}),
            404,
            json!({}),
        ),
        (
            "listRssSubscriptions",
            "collectionId",
            get.clone(),
            query("/v1/rss/subscriptions", "collectionId", &collection),
            Value::Null,
            404,
            json!({}),
        ),
        (
            "listRssEntries",
            "feedId",
            get.clone(),
            query("/v1/rss/entries", "feedId", &subscription),
            Value::Null,
            404,
            json!({}),
        ),
        (
            "listRssEntries",
            "collectionId",
            get,
            query("/v1/rss/entries", "collectionId", &collection),
            Value::Null,
            404,
            json!({}),
        ),
        (
            "updateRssEntries",
            "ids",
            patch,
            at("/v1/rss/entries"),
            json!({"ids": [entry], "unread": false}),
            200,
            json!({}),
        ),
        (
            "markRssRead",
            "feedId",
            post.clone(),
            at("/v1/rss/mark-read"),
            json!({"feedId": subscription, "throughId": entry}),
            404,
            json!({}),
        ),
        (
            "markRssRead",
            "collectionId",
            post.clone(),
            at("/v1/rss/mark-read"),
            json!({"collectionId": collection, "throughId": entry}),
            404,
            json!({}),
        ),
        (
            "markRssRead",
            "throughId",
            post,
            at("/v1/rss/mark-read"),
            json!({"all": true, "throughId": entry}),
            200,
            json!({}),
        ),
    ]
}

#[test]
fn nothing_of_another_account_is_taken_in_a_body_or_a_query() {
    on_each_world(async |app| {
        let (owner, stranger) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let own = Belongings::of(&app, &owner, "owner").await;
        let mine = Belongings::of(&app, &stranger, "stranger").await;
        let before = shown(&app, &owner, &own).await;
        let document = document(&app).await;
        let attempts = attempts(&own, &mine);
        for operation in Operation::all(&document) {
            for name in naming(&document, &operation) {
                let is_tried = attempts.iter().any(|one| one.0 == operation.id && one.1 == name);
                assert!(is_tried || name == "cursor", "{} {name} is to be tried above", operation.id);
            }
        }
        for (id, name, method, path, body, status, part) in attempts {
            let body = (!body.is_null()).then(|| ("application/json".to_owned(), body.to_string()));
            let answer = send(&app, &stranger, method, &path, body).await;
            assert_eq!(answer.status, status, "{id} {name}: {}", answer.text());
            let answer = answer.json();
            for (field, value) in part.as_object().unwrap() {
                assert_eq!(answer[field], *value, "{id} {name}: {answer}");
            }
        }
        assert_eq!(shown(&app, &owner, &own).await, before, "nothing was changed");
    });
}

#[test]
fn a_cursor_of_another_account_is_refused_wherever_one_is_taken() {
    on_each_world(async |app| {
        let (owner, stranger) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let own = Belongings::of(&app, &owner, "owner").await;
        let mine = Belongings::of(&app, &stranger, "stranger").await;
        // A second of each, so that there is a second page.
        let post = async |path: &str, body: Value| drop(owner.post(&app, path, &body).await);
        let item = own.id("/v1/library/items/");
        post("/v1/library/items", json!({"content": "More words.", "tags": ["more"]})).await;
        post("/v1/library/notes", json!({"text": "Another."})).await;
        post("/v1/library/highlights", json!({"itemId": item, "quote": "Words of"})).await;
        post("/v1/rss/subscriptions", json!({"url": app.site.put("/second.xml", feed(3..=4))})).await;
        let monitor = json!({"id": own.id("/v1/monitors/")});
        watch::watched(&app, &owner, &app.site.put("/second", page("y"))).await;
        for words in ["y", "z"] {
            app.site.put("/owner", page(words));
            watch::run_now(&app, &owner, &monitor).await;
        }
        let document = document(&app).await;
        let mut refused = 0;
        for operation in Operation::all(&document).iter().filter(|one| one.method == Method::GET) {
            if !parameters(&operation.described, "query").any(|one| one["name"] == "cursor") {
                continue;
            }
            let of = |whose: &Belongings| {
                if operation.template.contains('{') {
                    whose.path(&operation.template)
                } else {
                    operation.template.clone()
                }
            };
            let page = send(&app, &owner, Method::GET, &format!("{}?limit=1", of(&own)), None)
                .await
                .expect(200)
                .json();
            let cursor =
                page["nextCursor"].as_str().unwrap_or_else(|| panic!("{} has one page", operation.id));
            let cursor = format!("?limit=1&cursor={cursor}");
            send(&app, &owner, Method::GET, &format!("{}{cursor}", of(&own)), None).await.expect(200);
            let answer = send(&app, &stranger, Method::GET, &format!("{}{cursor}", of(&mine)), None).await;
            assert_eq!(answer.status, 422, "{}: {}", operation.id, answer.text());
            assert_eq!(answer.json()["code"], "invalid_cursor", "{}", operation.id);
            refused += 1;
        }
        assert!(refused >= 10, "{refused}");
    });
}
