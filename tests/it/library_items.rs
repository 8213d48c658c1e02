//! Saving, listing, changing, and deleting library items through HTTP.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::person::Person;
use crate::support::{HttpAnswer, Reply, TestApp, on_each_world};

pub(crate) const ITEMS: &str = "/v1/library/items";

/// Sends a JSON request with the person's API key.
pub(crate) async fn send(
    app: &TestApp,
    who: &Person,
    method: Method,
    path: &str,
    body: &Value,
) -> HttpAnswer {
    let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
    app.send(method, path, &headers, Some(body.to_string())).await
}

/// Saves a new item and returns it.
pub(crate) async fn save_item(app: &TestApp, who: &Person, body: &Value) -> Value {
    who.post(app, ITEMS, body).await.expect(201).json()["item"].clone()
}

pub(crate) fn item_path(item: &Value) -> String {
    format!("{ITEMS}/{}", item["id"].as_str().unwrap())
}

/// Returns the titles of an item list, in its order.
async fn titles(app: &TestApp, who: &Person, query: &str) -> Vec<String> {
    let list = who.get(app, &format!("{ITEMS}?{query}")).await.expect(200).json();
    let items = list["items"].as_array().unwrap();
    items.iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn title_is_stored_on_one_line() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let broken = " Multi\nline\r\n\t title\u{2028}end ";
        let item = save_item(&app, &who, &json!({"title": broken, "content": "Words."})).await;
        assert_eq!(item["title"], "Multi line title end");
        for (sent, stored) in [("Another\n\ntitle", "Another title"), (broken, "Multi line title end")] {
            let change = json!({ "title": sent });
            send(&app, &who, Method::PATCH, &item_path(&item), &change).await.expect(200);
            assert_eq!(titles(&app, &who, "").await, [stored]);
        }
    });
}

#[test]
fn url_is_saved_and_recognised_in_other_spellings() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.url("/town?id=7");
        app.site.article("/town?id=7&utm_source=mail");
        let body = json!({"url": format!("{url}&utm_source=mail#part"), "tags": ["To  read", "to read", ""], "externalId": "x1"});
        let answer = who.post(&app, ITEMS, &body).await.expect(201);
        let made = answer.json();
        let item = &made["item"];
        assert_eq!(made["alreadySaved"], false);
        assert_eq!(made["extraction"]["source"], "html");
        assert_eq!((&item["articleStatus"], &item["title"]), (&json!("ready"), &json!("A town by the sea")));
        assert_eq!((&item["author"], &item["tags"]), (&json!("Ada Quill"), &json!(["To read"])));
        assert_eq!(
            (&item["status"], &item["captureMethod"], &item["format"]),
            (&json!("inbox"), &json!("api"), &json!("html"))
        );
        assert!(item.get("article").is_none(), "the response of a save has no text");
        // The URL in another spelling, the external id, and the item's own URN identify the same item.
        for again in [
            json!({"url": url.replace("http:", "HTTP:")}),
            json!({"externalId": "x1", "url": url}),
            json!({"url": format!("urn:uuid:{}", item["id"].as_str().unwrap())}),
        ] {
            let known = who.post(&app, ITEMS, &again).await.expect(200).json();
            assert_eq!((&known["item"]["id"], &known["alreadySaved"]), (&item["id"], &json!(true)));
            assert_eq!(known["item"]["updatedAt"], item["updatedAt"], "nothing changed");
            assert!(known.get("extraction").is_none());
        }
        let path = item_path(item);
        let one =
            who.get(&app, &format!("{path}?includeContent=true&contentMaxCharacters=500")).await.expect(200);
        let article = &one.json()["item"]["article"];
        assert_eq!((&article["returnedCharacters"], &article["truncated"]), (&json!(500), &json!(true)));
        assert_eq!(article["title"], "A town by the sea");
        assert_eq!(one.header("etag"), answer.header("etag"));
        let used =
            who.get(&app, "/v1/me").await.expect(200).json()["limits"]["libraryStorageUsedBytes"].clone();
        assert!(used.as_i64().unwrap() > 1024 + 1000, "{used}");
        who.send(&app, Method::DELETE, &path).await.expect(204);
        let used =
            who.get(&app, "/v1/me").await.expect(200).json()["limits"]["libraryStorageUsedBytes"].clone();
        assert_eq!(used, 0, "the storage is released");
        who.send(&app, Method::DELETE, &path).await.api_error(404, "not_found");
    });
}

#[test]
fn save_succeeds_if_the_source_fails() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let gone = app.site.put("/gone", Reply::status(404));
        let item = save_item(&app, &who, &json!({ "url": gone })).await;
        assert_eq!(
            (&item["articleStatus"], &item["articleError"]),
            (&json!("failed"), &json!("source_not_found"))
        );
        let broken = app.site.put("/broken", Reply::status(500));
        let item = save_item(&app, &who, &json!({ "url": broken })).await;
        assert_eq!(item["articleStatus"], "queued", "a temporary failure is retried");
        app.site.article("/broken");
        for _ in 0..3 {
            app.clock.advance(400_000);
            app.tick().await;
            app.run_jobs().await;
        }
        let item = who.get(&app, &item_path(&item)).await.expect(200).json()["item"].clone();
        assert_eq!((&item["articleStatus"], &item["title"]), (&json!("ready"), &json!("A town by the sea")));
        // Saving the item again after a minute retries the failed extraction.
        app.site.article("/gone");
        app.clock.advance(61_000);
        let again = who.post(&app, ITEMS, &json!({ "url": gone })).await.expect(200).json();
        assert_eq!(again["item"]["articleStatus"], "ready", "{again}");
        assert!(again["item"].get("articleError").is_none());
        for (bad, code) in [
            (json!({"url": "http://10.0.0.1/"}), "url_not_allowed"),
            (json!({"url": "ftp://example.org/"}), "invalid_url"),
            (json!({"title": "x"}), "missing_source"),
            (json!({"url": "https://example.org/", "more": 1}), "invalid_request"),
            (json!({"url": "https://example.org/", "metadata": {"a": "\u{0}"}}), "invalid_request"),
            (json!({"url": "https://example.org/", "externalId": "a\u{7}"}), "invalid_request"),
            (json!({"url": "https://example.org/", "tags": vec!["x"; 13]}), "invalid_request"),
        ] {
            who.post(&app, ITEMS, &bad).await.api_error(422, code);
        }
    });
}

#[test]
fn supplied_text_replaces_fetched_text() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.put("/wall", Reply::status(401));
        let item = save_item(&app, &who, &json!({ "url": url })).await;
        assert_eq!(item["articleStatus"], "failed");
        let content = "<h1>Behind the wall</h1><p>Words that only the person sees, and that are kept.</p>";
        let body = json!({"url": url, "content": content});
        let answer = who.post(&app, ITEMS, &body).await.expect(200).json();
        assert_eq!(
            answer["extraction"],
            json!({"source": "supplied", "cacheHit": false, "qualityStatus": null})
        );
        assert_eq!(
            (&answer["item"]["articleStatus"], &answer["item"]["extractionSource"]),
            (&json!("ready"), &json!("supplied"))
        );
        let again = who.post(&app, ITEMS, &body).await.expect(200).json();
        assert_eq!(again["item"]["updatedAt"], answer["item"]["updatedAt"], "equal content changes nothing");
        let newer = json!({"url": url, "content": "Other words, sent later."});
        let newer = who.post(&app, ITEMS, &newer).await.expect(200).json();
        assert_ne!(newer["item"]["contentHash"], answer["item"]["contentHash"]);
        // Text that one account supplied is not served to others.
        let stranger = Person::on(&app, Tier::Pro).await;
        let read = stranger.post(&app, "/v1/articles/extract", &json!({ "url": url })).await;
        assert_eq!(read.status, 422, "{}", read.text());
        // Content without a URL is identified by its bytes.
        let alone = json!({"content": "# Notes\n\nOf a quiet desk.", "fileName": "../../notes.md"});
        let first = save_item(&app, &who, &alone).await;
        assert_eq!(
            (&first["title"], &first["format"], &first["fileName"]),
            (&json!("Notes"), &json!("markdown"), &json!("notes.md"))
        );
        assert_eq!((&first["domain"], &first["originalUrl"]), (&json!("upload"), &Value::Null));
        assert_eq!(first["url"], format!("urn:uuid:{}", first["id"].as_str().unwrap()));
        let twice = who.post(&app, ITEMS, &alone).await.expect(200).json();
        assert_eq!(twice["item"]["id"], first["id"]);
        let pending = save_item(&app, &who, &json!({"fileName": "book.epub"})).await;
        assert_eq!(
            (&pending["articleStatus"], &pending["contentKind"]),
            (&json!("awaiting_upload"), &json!("book"))
        );
        who.post(&app, &format!("{}/read", item_path(&pending)), &json!({}))
            .await
            .api_error(409, "not_ready");
    });
}

#[test]
fn same_content_replaces_text_that_was_fetched_meanwhile() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.article("/town");
        let body = json!({"url": url, "content": "<p>Words that only the person sees in this town.</p>"});
        let supplied = save_item(&app, &who, &body).await;
        who.post(&app, &format!("{}/refresh", item_path(&supplied)), &json!({"fromUrl": true}))
            .await
            .expect(202);
        app.run_jobs().await;
        let fetched = who.get(&app, &item_path(&supplied)).await.expect(200).json()["item"].clone();
        assert_ne!(fetched["contentHash"], supplied["contentHash"], "{fetched}");
        let again = who.post(&app, ITEMS, &body).await.expect(200).json();
        assert_eq!(
            (&again["extraction"]["source"], &again["item"]["extractionSource"]),
            (&json!("supplied"), &json!("supplied"))
        );
        assert_eq!(again["item"]["contentHash"], supplied["contentHash"]);
        let third = who.post(&app, ITEMS, &body).await.expect(200).json();
        assert_eq!(third["item"]["updatedAt"], again["item"]["updatedAt"], "equal content changes nothing");
        // The same content cancels a fetch that has not ended.
        app.clock.advance(61_000);
        who.post(&app, &format!("{}/refresh", item_path(&supplied)), &json!({"fromUrl": true}))
            .await
            .expect(202);
        let last = who.post(&app, ITEMS, &body).await.expect(200).json();
        assert_eq!(last["item"]["articleStatus"], "ready", "{last}");
        app.run_jobs().await;
        let item = who.get(&app, &item_path(&supplied)).await.expect(200).json()["item"].clone();
        assert_eq!(item["contentHash"], supplied["contentHash"], "{item}");
    });
}

#[test]
fn content_without_text_does_not_stop_a_running_fetch() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (url, gate) = (app.site.article("/town"), app.site.hold("/town"));
        let page = json!({ "url": url });
        let (first, ()) = tokio::join!(who.post(&app, ITEMS, &page), async {
            gate.wait_for_requests(1).await;
            let empty = "<html><body><script>1</script></body></html>";
            let second = who.post(&app, ITEMS, &json!({"url": url, "content": empty})).await;
            let second = second.expect(200).json();
            assert_eq!(second["item"]["articleStatus"], "queued", "{second}");
            gate.open();
        });
        let first = first.expect(201).json()["item"].clone();
        app.run_jobs().await;
        let item = who.get(&app, &item_path(&first)).await.expect(200).json()["item"].clone();
        assert_eq!(
            (&item["articleStatus"], &item["title"]),
            (&json!("ready"), &json!("A town by the sea")),
            "{item}"
        );
    });
}

#[test]
fn external_ids_of_connectors_identify_items() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let label = |url: &str, id: Option<&str>| json!({"url": url, "externalId": id, "content": format!("Text of {url}")});
        let first = save_item(&app, &who, &label("https://one.example.org/a", Some("x"))).await;
        let by_hand = save_item(&app, &who, &label("https://one.example.org/b", None)).await;
        // The upstream slug changed to a URL that was saved manually. The save returns the item with the
        // external id.
        let known =
            who.post(&app, ITEMS, &label("https://one.example.org/b", Some("x"))).await.expect(200).json();
        assert_eq!(known["item"]["id"], first["id"]);
        assert_ne!(known["item"]["id"], by_hand["id"]);
        // A new URL on the same site becomes another key of the item. A URL on another site is a conflict.
        let known =
            who.post(&app, ITEMS, &label("https://www.example.org/c", Some("x"))).await.expect(200).json();
        assert_eq!(known["item"]["id"], first["id"]);
        let known = who.post(&app, ITEMS, &label("https://www.example.org/c", None)).await.expect(200).json();
        assert_eq!(known["item"]["id"], first["id"]);
        let conflict = who.post(&app, ITEMS, &label("https://other.example/", Some("x"))).await;
        let conflict = conflict.api_error(422, "external_id_conflict");
        assert_eq!(conflict["details"], format!("item={}", first["id"].as_str().unwrap()));
        // The external id of a second connector becomes another key. The filter matches both ids.
        who.post(&app, ITEMS, &label("https://one.example.org/a", Some("y"))).await.expect(200);
        for id in ["x", "y"] {
            let list = who.get(&app, &format!("{ITEMS}?externalId={id}")).await.expect(200).json();
            assert_eq!(
                (&list["items"][0]["id"], &list["items"][0]["externalId"]),
                (&first["id"], &json!("x"))
            );
        }
        // A blank external id counts as missing.
        let one = save_item(&app, &who, &label("https://one.example.org/p", Some(""))).await;
        let two = save_item(&app, &who, &label("https://one.example.org/q", Some(" "))).await;
        assert_ne!(one["id"], two["id"]);
        assert_eq!(one["externalId"], Value::Null);
    });
}

#[test]
fn concurrent_saves_of_one_url_create_one_item() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let body = json!({"url": "https://example.org/same", "content": "One text of one page."});
        let saves = (0..8).map(|_| who.post(&app, ITEMS, &body));
        let answers = futures_util::future::join_all(saves).await;
        let created = answers.iter().filter(|answer| answer.status == 201).count();
        assert_eq!(created, 1);
        assert!(answers.iter().all(|answer| [200, 201].contains(&answer.status)));
        assert_eq!(titles(&app, &who, "").await.len(), 1);
    });
}

#[test]
fn urls_that_redirect_to_one_page_stay_separate_items() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let page = app.site.article("/login");
        let (one, two) =
            (app.site.put("/a", Reply::redirect("/login")), app.site.put("/b", Reply::redirect("/login")));
        let first = save_item(&app, &who, &json!({ "url": one })).await;
        assert_eq!((&first["url"], &first["originalUrl"]), (&json!(page), &json!(one)));
        let second = save_item(&app, &who, &json!({ "url": two })).await;
        assert_eq!((&second["url"], &second["duplicateOf"]), (&json!(two), &first["id"]));
        let again = who.post(&app, ITEMS, &json!({ "url": one })).await.expect(200).json();
        assert_eq!(again["item"]["id"], first["id"], "the submitted URL still identifies the item");
    });
}

#[test]
fn lists_are_ordered_filtered_and_paged() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut items = Vec::new();
        for number in 1..=5 {
            app.clock.advance(1_000);
            let status = if number % 2 == 0 { "later" } else { "inbox" };
            let body = json!({"title": format!("Number {number}"), "content": "Words.", "status": status,
                "url": format!("https://sub{number}.example.org/{number}"), "tags": ["All", format!("n{number}")],
                "metadata": {"n": number}});
            items.push(save_item(&app, &who, &body).await);
        }
        let all = ["Number 5", "Number 4", "Number 3", "Number 2", "Number 1"];
        assert_eq!(titles(&app, &who, "").await, all);
        assert_eq!(titles(&app, &who, "status=later").await, ["Number 4", "Number 2"]);
        assert_eq!(titles(&app, &who, "tag=ALL&limit=2").await, ["Number 5", "Number 4"]);
        assert_eq!(titles(&app, &who, "tag=unknown").await, Vec::<String>::new());
        assert_eq!(titles(&app, &who, "view=history").await, Vec::<String>::new());
        let list = who.get(&app, &format!("{ITEMS}?limit=2&includeMetadata=1")).await.expect(200).json();
        assert_eq!(list["items"][0]["metadata"], json!({"n": 5}));
        let cursor = list["nextCursor"].as_str().unwrap();
        // The page size and the included fields may differ between pages. The filters must not.
        assert_eq!(
            titles(&app, &who, &format!("limit=3&cursor={cursor}")).await,
            ["Number 3", "Number 2", "Number 1"]
        );
        who.get(&app, &format!("{ITEMS}?status=later&cursor={cursor}"))
            .await
            .api_error(422, "cursor_mismatch");
        let other = Person::on(&app, Tier::Pro).await;
        other.get(&app, &format!("{ITEMS}?cursor={cursor}")).await.api_error(422, "invalid_cursor");
        // Lists items that changed since a time, oldest change first.
        let list = who.get(&app, &format!("{ITEMS}?updatedAfter=2020-01-01")).await.expect(200).json();
        let mark = list["asOf"].as_str().unwrap().to_owned();
        assert_eq!(
            list["items"][0]["title"], "Number 1",
            "items are listed in the order in which they changed"
        );
        let change =
            json!({"ids": [items[1]["id"], items[0]["id"], items[1]["id"]], "changes": {"markRead": true}});
        send(&app, &who, Method::PATCH, ITEMS, &change).await.expect(200);
        let since = format!("updatedAfter={}", mark.replace('+', "%2B"));
        assert_eq!(titles(&app, &who, &since).await, ["Number 1", "Number 2"]);
        assert_eq!(titles(&app, &who, "updatedAfter=2020-01-01&query=nowhere").await.len(), 0);
        assert_eq!(titles(&app, &who, "view=history").await.len(), 2);
        who.get(&app, &format!("{ITEMS}?updatedAfter=soon")).await.api_error(422, "invalid_request");
        let by_query =
            titles(&app, &who, "query=number%20domain%3Aexample.org%20-tag%3An3%20status%3Ainbox").await;
        assert_eq!(by_query, ["Number 5", "Number 1"]);
    });
}

#[test]
fn bulk_change_adds_and_removes_tags_of_all_listed_items() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let one = save_item(&app, &who, &json!({"content": "One.", "tags": ["a", "b"]})).await;
        let two = save_item(&app, &who, &json!({"content": "Two."})).await;
        let change = async |changes: Value| {
            let body = json!({"ids": [one["id"], two["id"]], "changes": changes});
            send(&app, &who, Method::PATCH, ITEMS, &body).await
        };
        let answer = change(json!({"addTags": ["B", "c"], "removeTags": ["A"]})).await.expect(200).json();
        assert_eq!(answer["items"][0]["tags"], json!(["b", "c"]));
        assert_eq!(answer["items"][1]["tags"].as_array().unwrap().len(), 2);
        let same = change(json!({"addTags": ["c"]})).await.expect(200).json();
        assert_eq!(same["items"][0]["updatedAt"], answer["items"][0]["updatedAt"], "nothing changed");
        change(json!({"tags": [], "addTags": ["z"]})).await.api_error(422, "conflicting_changes");
        let many: Vec<String> = (0..11).map(|number| format!("t{number}")).collect();
        change(json!({"addTags": many})).await.api_error(422, "invalid_request");
    });
}

#[test]
fn bulk_change_updates_all_listed_items() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let one = save_item(&app, &who, &json!({"content": "One."})).await;
        let two = save_item(&app, &who, &json!({"content": "Two."})).await;
        let theirs = save_item(&app, &other, &json!({"content": "Theirs."})).await;
        let ids = json!([two["id"].as_str().unwrap().to_uppercase(), one["id"], theirs["id"], one["id"]]);
        let body = json!({"ids": ids, "changes": {"status": "archive", "tags": ["A", "b", " a "], "readProgress": 40, "contentKind": "book"}});
        let answer = send(&app, &who, Method::PATCH, ITEMS, &body).await.expect(200).json();
        assert_eq!((&answer["updated"], &answer["missing"]), (&json!(2), &json!(1)));
        assert_eq!(
            (&answer["items"][0]["id"], &answer["items"][1]["id"]),
            (&two["id"], &one["id"]),
            "items are returned in the order of the ids"
        );
        let item = &answer["items"][0];
        assert_eq!(
            (&item["status"], &item["tags"], &item["readProgress"]),
            (&json!("archive"), &json!(["A", "b"]), &json!(40))
        );
        assert_eq!(
            (&item["contentKind"], &item["classification"]["method"]),
            (&json!("book"), &json!("user"))
        );
        assert!(item["lastReadAt"].is_string());
        let again = send(
            &app,
            &who,
            Method::PATCH,
            ITEMS,
            &json!({"ids": [one["id"]], "changes": {"status": "archive"}}),
        )
        .await;
        let again = again.expect(200).json();
        assert_eq!(
            (&again["updated"], &again["items"][0]["updatedAt"]),
            (&json!(1), &answer["items"][1]["updatedAt"])
        );
        let change = async |changes: Value| {
            send(&app, &who, Method::PATCH, ITEMS, &json!({"ids": [one["id"]], "changes": changes})).await
        };
        let cleared = change(json!({"readProgress": null})).await.expect(200).json();
        assert!(
            cleared["items"][0]["lastReadAt"].is_string() && cleared["items"][0]["readProgress"].is_null()
        );
        let read = change(json!({"markRead": true, "readProgress": null})).await.expect(200).json();
        assert!(read["items"][0]["finishedAt"].is_string());
        let unread = change(json!({"markRead": false})).await.expect(200).json();
        assert!(unread["items"][0].get("finishedAt").is_none() && unread["items"][0]["lastReadAt"].is_null());
        change(json!({"markRead": true, "readProgress": 5})).await.api_error(422, "conflicting_changes");
        change(json!({})).await.api_error(422, "invalid_request");
        change(json!({"status": null})).await.api_error(422, "invalid_request");
        let automatic = change(json!({"contentKind": "unknown"})).await.expect(200).json();
        assert_eq!(automatic["items"][0]["classification"]["method"], "fallback");
        let gone = json!({"ids": [one["id"], theirs["id"]]});
        let deleted = who.post(&app, "/v1/library/items/delete", &gone).await.expect(200).json();
        assert_eq!(deleted, json!({"deleted": 1, "missing": 1}));
        other.get(&app, &item_path(&theirs)).await.expect(200);
    });
}

#[test]
fn item_patch_requires_the_current_version() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let body = json!({"url": "https://example.org/p?id=7", "content": "<p>Words without a heading stand here.</p>", "metadata": {"a": 1, "b": 2}});
        let item = save_item(&app, &who, &body).await;
        let path = item_path(&item);
        let etag = who.get(&app, &path).await.expect(200).header("etag").to_owned();
        let patch = async |headers: &[(&str, &str)], body: Value| {
            let own = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
            let headers: Vec<_> = own.iter().chain(headers).copied().collect();
            app.send(Method::PATCH, &path, &headers, Some(body.to_string())).await
        };
        let update = json!({"title": "Mine", "author": "Me", "publishedAt": "Mar 3, 2021", "metadata": {"a": null, "c": 3}, "addTags": ["x", "y"]});
        let changed = patch(&[("if-match", &etag)], update).await.expect(200);
        let new = &changed.json()["item"];
        assert_eq!(
            (&new["title"], &new["author"], &new["publishedAt"]),
            (&json!("Mine"), &json!("Me"), &json!("2021-03-03"))
        );
        assert_eq!((&new["metadata"], &new["tags"]), (&json!({"b": 2, "c": 3}), &json!(["x", "y"])));
        assert_ne!(changed.header("etag"), etag);
        patch(&[("if-match", &etag)], json!({"title": "Late"})).await.api_error(412, "precondition_failed");
        let fewer = patch(&[], json!({"removeTags": ["X"]})).await.expect(200).json();
        assert_eq!(fewer["item"]["tags"], json!(["y"]));
        patch(&[], json!({"tags": [], "addTags": ["z"]})).await.api_error(422, "conflicting_changes");
        // Subsequent saves do not overwrite fields that the person changed.
        let again = who.post(&app, ITEMS, &json!({"url": "https://example.org/p?id=7", "title": "Theirs", "metadata": {"c": 9, "d": 4}})).await;
        let again = again.expect(200).json();
        assert_eq!(
            (&again["item"]["title"], &again["item"]["metadata"]),
            (&json!("Mine"), &json!({"b": 2, "c": 3, "d": 4}))
        );
        let headers = [("x-api-key", who.key.as_str()), ("if-none-match", "*")];
        app.get_with(&path, &headers).await.expect(304);
    });
}
