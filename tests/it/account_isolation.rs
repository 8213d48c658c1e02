//! Every operation of the Developer API that accepts an id or a cursor reports objects of another account as
//! unknown, wherever the request contains the id. The operations are read from the OpenAPI document, so that
//! none is forgotten.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::support::monitoring::{self, page};
use crate::support::operations::{Operation, parameters, resolve_reference};
use crate::support::owned_objects::{OwnedObjects, deliver_message, visible_objects};
use crate::support::person::Person;
use crate::support::rss::feed;
use crate::support::{HttpAnswer, TestApp, on_each_world};

const METHODS: [Method; 6] =
    [Method::GET, Method::HEAD, Method::PUT, Method::POST, Method::PATCH, Method::DELETE];

async fn document(app: &TestApp) -> Value {
    app.get("/v1/openapi.json").await.expect(200).json()
}

/// Returns the media type and the example of an operation's request body. `None` if the operation has no
/// body.
fn example(document: &Value, operation: &Operation) -> Option<(String, String)> {
    let body = resolve_reference(document, &operation.description["requestBody"]);
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
) -> HttpAnswer {
    // Advances the clock so that no rate limit is exceeded.
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
fn objects_of_another_account_return_404() {
    on_each_world(async |app| {
        let (owner, stranger) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let own = Box::pin(OwnedObjects::create(&app, &owner, "owner")).await;
        let before = visible_objects(&app, &owner, &own).await;
        let document = document(&app).await;
        let mut tried = 0;
        for operation in Operation::all(&document).iter().filter(|one| one.template.contains('{')) {
            let path = own.path(&operation.template);
            let body = example(&document, operation);
            let answer = send(&app, &stranger, operation.method.clone(), &path, body.clone()).await;
            // A key cannot revoke other keys of its own account either.
            let refused =
                if operation.id == "revokeApiKey" { (403, "owner_required") } else { (404, "not_found") };
            assert_eq!(answer.status, refused.0, "{}: {}", operation.id, answer.text());
            assert_eq!(answer.json()["code"], refused.1, "{}", operation.id);
            for method in METHODS {
                let answer = send(&app, &stranger, method.clone(), &path, body.clone()).await;
                let is_refused = matches!(answer.status, 404 | 405 | 422) || answer.status == refused.0;
                assert!(is_refused, "{method} {path}: {}", answer.status);
            }
            if operation.method == Method::GET {
                // The owner can access the object, so the path is correct.
                let answer = send(&app, &owner, Method::GET, &path, None).await;
                assert_eq!(answer.status, 200, "{}: {}", operation.id, answer.text());
            }
            tried += 1;
        }
        assert!(tried >= 40, "{tried}");
        assert_eq!(visible_objects(&app, &owner, &own).await, before, "nothing was changed");
    });
}

#[test]
fn text_supplied_by_an_account_is_not_returned_to_other_accounts() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let url = app.site.article("/town");
        let supplied =
            json!({"url": url, "title": "Supplied", "content": "<p>Supplied words of the owner.</p>"});
        who.post(&app, "/v1/library/items", &supplied).await.expect(201);
        let body = json!({ "url": url });
        let mut texts = vec![app.read(&url, &[]).await.expect(200).text()];
        for (path, status) in
            [("/v1/articles/read", 200), ("/v1/articles/extract", 200), ("/v1/library/items", 201)]
        {
            texts.push(other.post(&app, path, &body).await.expect(status).text());
        }
        let saved = other.get(&app, "/v1/library/items?includeContent=true").await.expect(200);
        texts.push(saved.text());
        for text in texts {
            assert!(text.contains("A town by the sea") && !text.contains("Supplied"), "{text}");
        }
        assert!(app.site.hits("/town") > 0, "the page was fetched for others");
    });
}

/// Returns the parameters and body fields of an operation that may contain ids or cursors.
fn naming(document: &Value, operation: &Operation) -> Vec<String> {
    let is_name = |name: &str| {
        let name = name.to_lowercase();
        ["id", "ids", "ref", "refs", "cursor"].iter().any(|ending| name.ends_with(ending))
            // These ids are assigned by other services.
            && !["externalid", "clientid"].contains(&name.as_str())
    };
    let query =
        parameters(&operation.description, "query").map(|one| one["name"].as_str().unwrap().to_owned());
    let schema = operation.media().map(|media| resolve_reference(document, &media["schema"]));
    let fields = schema.and_then(|schema| schema["properties"].as_object()).into_iter().flat_map(Map::keys);
    query.chain(fields.cloned()).filter(|name| is_name(name)).collect()
}

/// Requests of another account that contain the id of an owner's object in a parameter or a body field, with
/// the expected status and a part of the expected answer.
const ATTEMPTS: &[[&str; 6]] = &[
    [
        "bulkUpdateLibraryItems",
        "ids",
        "PATCH /v1/library/items",
        r#"{"ids": [ITEM], "changes": {"status": "archive"}}"#,
        "200",
        r#"{"updated": 0, "missing": 1, "items": []}"#,
    ],
    [
        "bulkDeleteLibraryItems",
        "ids",
        "POST /v1/library/items/delete",
        r#"{"ids": [ITEM]}"#,
        "200",
        r#"{"deleted": 0, "missing": 1}"#,
    ],
    // The service of this test has no browser, so it refuses to copy pages. `library_page_copies` tests items
    // of another account.
    ["copyItemPages", "ids", "POST /v1/library/items/copies", r#"{"ids": [ITEM]}"#, "422", "{}"],
    [
        "renderLibraryItems",
        "ids",
        "POST /v1/library/items/markdown",
        r#"{"ids": [ITEM]}"#,
        "200",
        r#"{"files": [], "remaining": []}"#,
    ],
    [
        "bulkUpdateWebMonitors",
        "ids",
        "PATCH /v1/monitors",
        r#"{"ids": [MONITOR], "changes": {"status": "paused"}}"#,
        "200",
        r#"{"updated": 0, "monitors": []}"#,
    ],
    ["listWebMonitors", "groupId", "GET /v1/monitors?groupId=GROUP", "", "200", r#"{"monitors": []}"#],
    [
        "createWebMonitor",
        "groupId",
        "POST /v1/monitors",
        r#"{"name": "x", "targetUrl": "https://example.org/stolen", "groupId": GROUP}"#,
        "404",
        "{}",
    ],
    ["updateWebMonitor", "groupId", "PATCH /v1/monitors/", r#"{"groupId": GROUP}"#, "404", "{}"],
    [
        "duplicateWebMonitor",
        "groupId",
        "POST /v1/monitors/MINE/duplicate",
        r#"{"targetUrl": "https://example.org/copy", "groupId": GROUP}"#,
        "404",
        "{}",
    ],
    // A preview replays past changes, which groups do not affect.
    [
        "previewWebMonitorUpdate",
        "groupId",
        "POST /v1/monitors/MINE/preview",
        r#"{"groupId": GROUP}"#,
        "200",
        "{}",
    ],
    ["createNote", "itemId", "POST /v1/library/notes", r#"{"text": "x", "itemId": ITEM}"#, "404", "{}"],
    ["updateNote", "itemId", "PATCH /v1/library/notes/", r#"{"itemId": ITEM}"#, "404", "{}"],
    [
        "createHighlight",
        "itemId",
        "POST /v1/library/highlights",
        r#"{"quote": "x", "itemId": ITEM}"#,
        "404",
        "{}",
    ],
    ["listNotes", "itemId", "GET /v1/library/notes?itemId=ITEM", "", "200", r#"{"notes": []}"#],
    [
        "listHighlights",
        "itemId",
        "GET /v1/library/highlights?itemId=ITEM",
        "",
        "200",
        r#"{"highlights": []}"#,
    ],
    [
        "createRssSubscription",
        "collectionId",
        "POST /v1/rss/subscriptions",
        r#"{"url": "FEED", "collectionId": COLLECTION}"#,
        "404",
        "{}",
    ],
    [
        "updateRssSubscription",
        "collectionId",
        "PATCH /v1/rss/subscriptions/",
        r#"{"collectionId": COLLECTION}"#,
        "404",
        "{}",
    ],
    [
        "createInboxAddress",
        "collectionId",
        "POST /v1/inbox/addresses",
        r#"{"name": "stolen", "collectionId": COLLECTION}"#,
        "404",
        "{}",
    ],
    [
        "updateInboxAddress",
        "collectionId",
        "PATCH /v1/inbox/addresses/",
        r#"{"collectionId": COLLECTION}"#,
        "404",
        "{}",
    ],
    [
        "createThemedReview",
        "itemId",
        "POST /v1/library/reviews",
        r#"{"name": "stolen", "highlightsPerDay": 5, "itemId": ITEM}"#,
        "404",
        "{}",
    ],
    [
        "replaceThemedReview",
        "itemId",
        "PUT /v1/library/reviews/",
        r#"{"name": "stolen", "highlightsPerDay": 5, "itemId": ITEM}"#,
        "404",
        "{}",
    ],
    [
        "createRssCollection",
        "feedIds",
        "POST /v1/rss/collections",
        r#"{"name": "stolen", "feedIds": [SUBSCRIPTION]}"#,
        "404",
        "{}",
    ],
    [
        "updateRssCollection",
        "feedIds",
        "PATCH /v1/rss/collections/",
        r#"{"feedIds": [SUBSCRIPTION]}"#,
        "404",
        "{}",
    ],
    [
        "listRssSubscriptions",
        "collectionId",
        "GET /v1/rss/subscriptions?collectionId=COLLECTION",
        "",
        "200",
        r#"{"subscriptions": []}"#,
    ],
    ["listRssEntries", "feedId", "GET /v1/rss/entries?feedId=SUBSCRIPTION", "", "200", r#"{"entries": []}"#],
    [
        "listRssEntries",
        "collectionId",
        "GET /v1/rss/entries?collectionId=COLLECTION",
        "",
        "200",
        r#"{"entries": []}"#,
    ],
    ["updateRssEntries", "ids", "PATCH /v1/rss/entries", r#"{"ids": [ENTRY], "unread": false}"#, "200", "{}"],
    [
        "markRssRead",
        "feedId",
        "POST /v1/rss/mark-read",
        r#"{"feedId": SUBSCRIPTION, "throughId": ENTRY}"#,
        "404",
        "{}",
    ],
    [
        "markRssRead",
        "collectionId",
        "POST /v1/rss/mark-read",
        r#"{"collectionId": COLLECTION, "throughId": ENTRY}"#,
        "404",
        "{}",
    ],
    ["listSharedItems", "teamId", "GET /v1/shared/items?teamId=TEAM&tag=mine", "", "404", "{}"],
    [
        "addSharedItem",
        "teamId",
        "POST /v1/shared/items",
        r#"{"teamId": TEAM, "tag": "mine", "url": "https://example.org/new"}"#,
        "404",
        "{}",
    ],
    [
        "removeSharedItem",
        "teamId",
        "POST /v1/shared/items/remove",
        r#"{"teamId": TEAM, "tag": "mine", "itemId": ITEM}"#,
        "404",
        "{}",
    ],
    [
        "removeSharedItem",
        "itemId",
        "POST /v1/shared/items/remove",
        r#"{"teamId": TEAM, "tag": "mine", "itemId": ITEM}"#,
        "404",
        "{}",
    ],
    ["listSharedChanges", "teamId", "GET /v1/shared/changes?teamId=TEAM&monitorId=MONITOR", "", "404", "{}"],
    [
        "listSharedChanges",
        "monitorId",
        "GET /v1/shared/changes?teamId=TEAM&monitorId=MONITOR",
        "",
        "404",
        "{}",
    ],
    ["getFeedChanges", "consumerId", "POST /v1/feeds/changes", r#"{"consumerId": CONSUMER}"#, "404", "{}"],
    [
        "markRssRead",
        "throughId",
        "POST /v1/rss/mark-read",
        r#"{"all": true, "throughId": ENTRY}"#,
        "200",
        "{}",
    ],
];

/// Replaces placeholders for objects in a text with the ids of the owner's objects.
fn with_ids(text: &str, own: &OwnedObjects) -> String {
    let names = [
        ("SUBSCRIPTION", "/v1/rss/subscriptions/"),
        ("COLLECTION", "/v1/rss/collections/"),
        ("ENTRY", "/v1/rss/entries/"),
        ("CONSUMER", "/v1/feeds/consumers/"),
        ("ITEM", "/v1/library/items/"),
        ("MONITOR", "/v1/monitors/"),
        ("GROUP", "/v1/monitor-groups/"),
        ("TEAM", "/v1/teams/"),
    ];
    names.iter().fold(text.to_owned(), |text, (name, front)| text.replace(name, &own.id(front).to_string()))
}

#[test]
fn objects_of_another_account_are_refused_in_body_and_query() {
    on_each_world(async |app| {
        let (owner, stranger) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let own = Box::pin(OwnedObjects::create(&app, &owner, "owner")).await;
        let mine = Box::pin(OwnedObjects::create(&app, &stranger, "stranger")).await;
        let before = visible_objects(&app, &owner, &own).await;
        let document = document(&app).await;
        for operation in Operation::all(&document) {
            for name in naming(&document, &operation) {
                let is_tried = ATTEMPTS.iter().any(|one| one[0] == operation.id && one[1] == name);
                assert!(is_tried || name == "cursor", "{} {name} must be tried above", operation.id);
            }
        }
        for [id, name, target, body, status, part] in ATTEMPTS {
            let (method, path) = target.split_once(' ').unwrap();
            let path = path.replace("MINE", mine.id("/v1/monitors/").as_str().unwrap());
            let mut path = with_ids(&path, &own).replace('"', "");
            if path.ends_with('/') {
                path = mine.path(&format!("{path}{{id}}"));
            }
            let body = with_ids(body, &own).replace("FEED", &app.site.put("/new.xml", feed(1..=1)));
            let body = (!body.is_empty()).then(|| ("application/json".to_owned(), body));
            let answer = send(&app, &stranger, method.parse().unwrap(), &path, body).await;
            assert_eq!(answer.status.to_string(), *status, "{id} {name}: {}", answer.text());
            let (answer, part) = (answer.json(), serde_json::from_str::<Value>(part).unwrap());
            for (field, value) in part.as_object().unwrap() {
                assert_eq!(answer[field], *value, "{id} {name}: {answer}");
            }
        }
        assert_eq!(visible_objects(&app, &owner, &own).await, before, "nothing was changed");
    });
}

#[test]
fn cursor_of_another_account_is_refused_everywhere() {
    on_each_world(async |app| {
        let (owner, stranger) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let own = Box::pin(OwnedObjects::create(&app, &owner, "owner")).await;
        let mine = Box::pin(OwnedObjects::create(&app, &stranger, "stranger")).await;
        // Creates a second object of each type, so that lists have a second page.
        let post = async |path: &str, body: Value| drop(owner.post(&app, path, &body).await);
        let item = own.id("/v1/library/items/");
        post("/v1/library/items", json!({"content": "More words.", "tags": ["more"]})).await;
        post("/v1/library/notes", json!({"text": "Another."})).await;
        post("/v1/library/highlights", json!({"itemId": item, "quote": "Words of"})).await;
        post("/v1/rss/subscriptions", json!({"url": app.site.put("/second.xml", feed(3..=4))})).await;
        let list = owner.get(&app, "/v1/inbox/addresses").await.expect(200).json();
        deliver_message(&app, &owner, &list["addresses"][0]["address"], "Another letter.").await;
        let monitor = json!({"id": own.id("/v1/monitors/")});
        monitoring::watch_page(&app, &owner, &app.site.put("/second", page("y"))).await;
        for words in ["y", "z"] {
            app.site.put("/owner", page(words));
            monitoring::run_now(&app, &owner, &monitor).await;
        }
        let document = document(&app).await;
        let mut refused = 0;
        for operation in Operation::all(&document).iter().filter(|one| one.method == Method::GET) {
            let has_cursor = parameters(&operation.description, "query").any(|one| one["name"] == "cursor");
            // The operation requires membership in a team. The tests of teams cover it.
            if !has_cursor || operation.id == "listSharedItems" {
                continue;
            }
            let of = |whose: &OwnedObjects| {
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
            let cursor = page["nextCursor"]
                .as_str()
                .unwrap_or_else(|| panic!("{} must have more than one page", operation.id));
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
