//! Compares the behaviour of the Developer API with its OpenAPI document. Every operation is called with its
//! own examples, with each field omitted, null, at its limits and beyond them, and by unknown callers. New
//! operations are included automatically.

use kernel::Scopes;
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::clock::MINUTE;
use crate::support::operations::{BLOCKED_URL, Operation, parameters};
use crate::support::owned_objects::{create_channel, create_team, deliver_message};
use crate::support::person::Person;
use crate::support::rss::{feed, poll};
use crate::support::schema_cases::{cases, kind, sample};
use crate::support::{Setup, TestApp, World, on_each_world, run};

/// Error codes of requests that violate their schema.
const MALFORMED: [&str; 2] = ["invalid_request", "invalid_url"];

/// Sends a body and asserts that the answer matches the description. `is_taken` is true if the body must be
/// accepted.
async fn check(app: &TestApp, who: &Person, operation: &Operation, body: &Value, is_taken: bool) {
    let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
    let answer = app.send(operation.method.clone(), &operation.path, &headers, Some(body.to_string())).await;
    let excerpt: String = body.to_string().chars().take(300).collect();
    let about = format!(
        "{} with {excerpt}: {} {}",
        operation.id,
        answer.status,
        String::from_utf8_lossy(&answer.body)
    );
    let is_malformed = answer.status >= 400 && MALFORMED.iter().any(|code| answer.json()["code"] == *code);
    assert_eq!(is_malformed, !is_taken, "{about}");
    let is_described = operation.description["responses"].get(answer.status.to_string()).is_some();
    assert!(is_described, "an undescribed status was returned: {about}");
}

async fn app() -> (TestApp, Person, Vec<Operation>, Value) {
    let app = Setup::on(World::Small).idle().spawn().await;
    let who = Person::on(&app, Tier::Pro).await;
    let document = app.get("/v1/openapi.json").await.expect(200).json();
    let operations = Operation::all(&document);
    assert!(operations.len() > 30, "{} operations", operations.len());
    (app, who, operations, document)
}

#[test]
fn bodies_are_accepted_exactly_as_described() {
    run(async {
        let (app, who, operations, document) = app().await;
        let mut sent = 0;
        for operation in &operations {
            let Some(media) = operation.media() else { continue };
            app.clock.advance(MINUTE);
            for (body, is_taken) in cases(&document, &media["schema"]) {
                check(&app, &who, operation, &body, is_taken).await;
                sent += 1;
            }
        }
        assert!(sent > 400, "{sent} bodies");
    });
}

#[test]
fn every_body_has_an_example_that_is_accepted_as_json_and_form() {
    run(async {
        let (app, who, operations, _) = app().await;
        for operation in &operations {
            let Some(media) = operation.media() else { continue };
            app.clock.advance(MINUTE);
            let mut body = media["example"].clone();
            assert!(body.is_object(), "{} has no example", operation.id);
            for name in ["url", "targetUrl"] {
                if body.get(name).is_some() {
                    body[name] = BLOCKED_URL.into();
                }
            }
            check(&app, &who, operation, &body, true).await;
            let mut form = url::form_urlencoded::Serializer::new(String::new());
            for (name, value) in body.as_object().unwrap() {
                match value {
                    Value::String(text) => drop(form.append_pair(name, text)),
                    Value::Null => drop(form.append_pair(name, "")),
                    Value::Array(items) if items.iter().all(|item| !item.is_object()) => {
                        for item in items {
                            let text = item.as_str().map_or_else(|| item.to_string(), str::to_owned);
                            form.append_pair(name, &text);
                        }
                    }
                    other => drop(form.append_pair(name, &other.to_string())),
                }
            }
            let headers =
                [("x-api-key", who.key.as_str()), ("content-type", "application/x-www-form-urlencoded")];
            let answer =
                app.send(operation.method.clone(), &operation.path, &headers, Some(form.finish())).await;
            let is_malformed =
                answer.status >= 400 && MALFORMED.iter().any(|code| answer.json()["code"] == *code);
            assert!(!is_malformed, "{}: {}", operation.id, answer.text());
        }
    });
}

/// Returns the required parameters of an operation other than `name` as the beginning of a query.
fn required_query(document: &Value, operation: &Operation, name: &str) -> String {
    let required = parameters(&operation.description, "query").filter(|one| one["required"] == true);
    let pair = |one: &Value| {
        let value = sample(document, &one["schema"]);
        format!("{}={}&", one["name"].as_str().unwrap(), value.as_str().expect("it is a text"))
    };
    required.filter(|one| one["name"] != name).map(pair).collect()
}

#[test]
fn parameters_are_accepted_exactly_as_described() {
    run(async {
        let (app, who, operations, document) = app().await;
        for operation in operations.iter().filter(|operation| operation.method == Method::GET) {
            app.clock.advance(MINUTE);
            for parameter in parameters(&operation.description, "query") {
                let name = parameter["name"].as_str().unwrap();
                let others = required_query(&document, operation, name);
                for (value, is_taken) in cases(&document, &parameter["schema"]) {
                    // A query contains only text, so values of other types are skipped.
                    let text = match value {
                        Value::String(text) => text,
                        Value::Number(number) if kind(&parameter["schema"]) == "integer" => {
                            number.to_string()
                        }
                        Value::Null
                        | Value::Bool(_)
                        | Value::Number(_)
                        | Value::Array(_)
                        | Value::Object(_) => {
                            continue;
                        }
                    };
                    let query: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
                    let answer = who.get(&app, &format!("{}?{others}{name}={query}", operation.path)).await;
                    let is_malformed = answer.status >= 400 && answer.json()["code"] == "invalid_request";
                    let excerpt: String = text.chars().take(60).collect();
                    assert_eq!(
                        is_malformed,
                        !is_taken,
                        "{}: {name}={excerpt}: {}",
                        operation.id,
                        answer.text()
                    );
                }
            }
        }
    });
}

#[test]
fn operations_refuse_unknown_callers_and_missing_scopes() {
    run(async {
        let (app, who, operations, _) = app().await;
        let (mut reader, _) = who.create_key(&app, Scopes::READ, None).await;
        for operation in &operations {
            let send = async |headers: &[(&str, &str)]| {
                app.send(operation.method.clone(), &operation.path, headers, None).await
            };
            send(&[]).await.api_error(401, "missing_credential");
            let answer = send(&[("x-api-key", reader.as_str())]).await;
            let is_refused = answer.status == 403 && answer.json()["code"] == "insufficient_scope";
            assert_eq!(is_refused, operation.scope() == "svc:write", "{}: {}", operation.id, answer.status);
            let responses = &operation.description["responses"];
            assert!(["401", "403", "429", "503"].iter().all(|status| responses.get(*status).is_some()));
            if operation.id == "revokeApiKey" {
                // The call may have revoked its own key.
                (reader, _) = who.create_key(&app, Scopes::READ, None).await;
            }
        }
    });
}

/// Creates one object of each type that has an id. Returns the path prefixes of their operations with the
/// ids.
async fn create_objects(app: &TestApp, owner: &Person) -> Vec<(&'static str, String)> {
    let feed = app.site.put("/feed.xml", feed(1..=2));
    let subscription =
        owner.post(app, "/v1/rss/subscriptions", &json!({ "url": feed })).await.expect(201).json();
    let feed_id = &subscription["subscription"]["feedId"];
    poll(app).await;
    let collection = json!({"name": "Mine", "feedIds": [feed_id]});
    let collection = owner.post(app, "/v1/rss/collections", &collection).await.expect(201).json();
    let entries = owner.get(app, "/v1/rss/entries").await.expect(200).json();
    let monitor = json!({"name": "Mine", "targetUrl": app.site.article("/town")});
    let monitor = owner.post(app, "/v1/monitors", &monitor).await.expect(201).json();
    let group = owner.post(app, "/v1/monitor-groups", &json!({"name": "Mine"})).await.expect(201).json();
    let export = owner.post(app, "/v1/library/exports", &json!({})).await.expect(202).json();
    let server = json!({"service": "linkding", "address": app.site.url(""), "token": "secret"});
    let server = owner.post(app, "/v1/library/import-servers", &server).await.expect(202).json();
    let address = owner.post(app, "/v1/inbox/addresses", &json!({"name": "Mine"})).await.expect(201).json();
    let message = deliver_message(app, owner, &address["address"]["address"], "Mine.").await;
    let item = json!({"content": "Mine.", "tags": ["mine"]});
    let item = owner.post(app, "/v1/library/items", &item).await.expect(201).json();
    let public_tag = json!({"name": "mine"});
    let public_tag = owner.post(app, "/v1/library/public-tags", &public_tag).await.expect(200).json();
    let rule = json!({"name": "Mine", "query": "mine"});
    let rule = owner.post(app, "/v1/library/rules", &rule).await.expect(201).json();
    let review = json!({"name": "Mine", "highlightsPerDay": 5, "tag": "mine"});
    let review = owner.post(app, "/v1/library/reviews", &review).await.expect(201).json();
    let consumer = owner.post(app, "/v1/feeds/consumers", &json!({"name": "Mine"})).await.expect(201).json();
    let note = json!({"text": "Mine.", "itemId": item["item"]["id"]});
    let note = owner.post(app, "/v1/library/notes", &note).await.expect(201).json();
    let highlight = json!({"quote": "Mine.", "itemId": item["item"]["id"]});
    let highlight = owner.post(app, "/v1/library/highlights", &highlight).await.expect(201).json();
    let import = crate::library_imports::imported(app, owner, "title,url,time_added,tags,status\n").await;
    let (team, invitation) = create_team(app, owner).await;
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    vec![
        ("/v1/keys/", owner.key_id.to_string()),
        ("/v1/rss/subscriptions/", text(&subscription["subscription"]["id"])),
        ("/v1/rss/collections/", text(&collection["collection"]["id"])),
        ("/v1/rss/entries/", text(&entries["entries"][0]["id"])),
        ("/v1/monitors/", text(&monitor["monitor"]["id"])),
        ("/v1/monitor-groups/", text(&group["group"]["id"])),
        ("/v1/library/exports/", text(&export["export"]["id"])),
        ("/v1/library/items/", text(&item["item"]["id"])),
        ("/v1/library/notes/", text(&note["object"]["id"])),
        ("/v1/library/highlights/", text(&highlight["object"]["id"])),
        ("/v1/library/public-tags/", text(&public_tag["tag"]["id"])),
        ("/v1/library/rules/", text(&rule["rule"]["id"])),
        ("/v1/library/reviews/", text(&review["review"]["id"])),
        ("/v1/library/imports/", import),
        ("/v1/library/import-servers/", text(&server["server"]["id"])),
        ("/v1/inbox/addresses/", text(&address["address"]["id"])),
        ("/v1/inbox/messages/", text(&message["message"]["id"])),
        ("/v1/feeds/consumers/", text(&consumer["consumer"]["id"])),
        ("/v1/channels/", create_channel(app, owner).await),
        ("/v1/teams/", team),
        ("/v1/team-invitations/", invitation),
        ("feedId", text(feed_id)),
        ("collectionId", text(&collection["collection"]["id"])),
    ]
}

#[test]
fn ids_of_another_account_return_404() {
    run(async {
        let app = Setup::on(World::Small).spawn().await;
        let (owner, stranger) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let objects = create_objects(&app, &owner).await;
        let id_of = |name: &str| objects.iter().find(|(known, _)| *known == name).map(|(_, id)| id.as_str());
        let document = app.get("/v1/openapi.json").await.expect(200).json();
        let before = listed_objects(&app, &owner).await;
        let mut tried = 0;
        for operation in Operation::all(&document).iter().filter(|it| it.template.contains("{id}")) {
            let (front, back) = operation.template.split_once("{id}").unwrap();
            let id = id_of(front).unwrap_or_else(|| panic!("no object for {}", operation.id));
            let body = operation.media().map(|media| media["example"].to_string());
            let headers = [("x-api-key", stranger.key.as_str()), ("content-type", "application/json")];
            let answer =
                app.send(operation.method.clone(), &format!("{front}{id}{back}"), &headers, body).await;
            if operation.id == "revokeApiKey" {
                answer.api_error(403, "owner_required");
            } else {
                answer.api_error(404, "not_found");
            }
            tried += 1;
        }
        assert!(tried > 10, "{tried} operations");
        let feed_id = id_of("feedId").unwrap();
        let collection_id = id_of("collectionId").unwrap();
        let article = app.site.put("/other.xml", feed(1..=2));
        for (path, body) in [
            ("/v1/rss/subscriptions", json!({"url": article, "collectionId": collection_id})),
            ("/v1/rss/collections", json!({"name": "Theirs", "feedIds": [feed_id]})),
        ] {
            stranger.post(&app, path, &body).await.api_error(404, "not_found");
        }
        let ids = json!({"ids": [id_of("/v1/rss/entries/")], "unread": false});
        let headers = [("x-api-key", stranger.key.as_str()), ("content-type", "application/json")];
        let marked = app.send(Method::PATCH, "/v1/rss/entries", &headers, Some(ids.to_string())).await;
        assert_eq!(marked.expect(200).json(), json!({"updated": 0, "missing": 1}));
        assert_eq!(listed_objects(&app, &owner).await, before, "the objects of the owner are unchanged");
    });
}

/// Returns all objects that an account can list.
async fn listed_objects(app: &TestApp, who: &Person) -> Vec<Value> {
    let mut seen = Vec::new();
    for path in [
        "/v1/rss/subscriptions", "/v1/rss/collections", "/v1/rss/entries", "/v1/monitors",
        "/v1/monitor-groups", "/v1/library/items", "/v1/keys",
    ] {
        seen.push(who.get(app, path).await.expect(200).json());
    }
    seen
}

#[test]
fn malformed_ids_return_404() {
    run(async {
        let (app, who, operations, _) = app().await;
        for operation in operations.iter().filter(|operation| operation.template.contains("{id}")) {
            for id in ["abc", "0", "-1", "1.5", "99999999999999999999", "%20", "%00", "0193a0b2-7c00"] {
                let path = operation.template.replace("{id}", id);
                let body = operation.media().map(|media| media["example"].to_string());
                let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
                let answer = app.send(operation.method.clone(), &path, &headers, body).await;
                answer.api_error(404, "not_found");
            }
        }
    });
}

#[test]
fn single_objects_have_an_etag_and_support_304() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let objects = create_objects(&app, &who).await;
        let of = |front: &str| {
            let (_, id) = objects.iter().find(|(known, _)| *known == front).unwrap();
            format!("{front}{id}")
        };
        let single =
            ["/v1/rss/subscriptions/", "/v1/rss/entries/", "/v1/monitors/", "/v1/library/items/"].map(of);
        for path in single.into_iter().chain(["/v1/me".to_owned()]) {
            let first = who.get(&app, &path).await.expect(200);
            let etag = first.header("etag").to_owned();
            assert!(etag.starts_with('"') && etag.len() > 10, "{path} has a strong validator");
            assert_eq!(
                who.get(&app, &path).await.header("etag"),
                etag,
                "{path} has the same validator again"
            );
            for known in [etag.clone(), format!("\"other\", W/{etag}"), "*".to_owned()] {
                let headers = [("x-api-key", who.key.as_str()), ("if-none-match", known.as_str())];
                for method in [Method::GET, Method::HEAD] {
                    let answer = app.send(method, &path, &headers, None).await.expect(304);
                    assert!(answer.body.is_empty());
                    assert_eq!(answer.header("etag"), etag);
                    assert!(
                        !answer.header("ratelimit").is_empty(),
                        "a 304 is charged and reports the limits"
                    );
                }
            }
            let headers = [("x-api-key", who.key.as_str()), ("if-none-match", "\"other\"")];
            app.get_with(&path, &headers).await.expect(200);
        }
        let path = of("/v1/rss/subscriptions/");
        let before = who.get(&app, &path).await.header("etag").to_owned();
        let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
        let renamed = json!({"title": "Renamed"}).to_string();
        app.send(Method::PATCH, &path, &headers, Some(renamed)).await.expect(200);
        let headers = [("x-api-key", who.key.as_str()), ("if-none-match", before.as_str())];
        assert_ne!(app.get_with(&path, &headers).await.expect(200).header("etag"), before);
    });
}
