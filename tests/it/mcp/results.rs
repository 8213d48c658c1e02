//! Tool results: equal to the results of the API operations, valid for their schemas, and within the size
//! that clients accept.

use kernel::tiers::Tier;
use serde_json::{Value, json};

use super::{Agent, remaining_operations, schema_error};
use crate::support::person::Person;
use crate::support::rss::{feed, poll};
use crate::support::{Reply, TestApp, on_each_world, run};

/// Creates a person with an article, a note, a highlight, a feed, and a monitor. Returns the person and the
/// article's id.
async fn person_with_content(app: &TestApp) -> (Person, Value) {
    let who = Person::free(app).await;
    let text = "A carrel is a desk for one quiet reader. ".repeat(60);
    let saved = json!({"url": "https://example.com/desk", "title": "A quiet desk", "content": text, "tags": ["desks"]});
    let item = who.post(app, "/v1/library/items", &saved).await.expect(201).json()["item"]["id"].clone();
    who.post(app, "/v1/library/notes", &json!({"text": "About desks", "itemId": item})).await.expect(201);
    who.post(app, "/v1/library/highlights", &json!({"itemId": item, "quote": "one quiet reader"}))
        .await
        .expect(201);
    let url = app.site.put("/feed.xml", feed(1..=3));
    who.post(app, "/v1/rss/subscriptions", &json!({"url": url})).await.expect(201);
    let page = app.site.article("/watched");
    who.post(app, "/v1/monitors", &json!({"name": "Watched", "targetUrl": page})).await.expect(201);
    poll(app).await;
    (who, item)
}

#[test]
fn tool_results_equal_api_responses_and_match_their_schemas() {
    on_each_world(async |app| {
        let (who, item) = person_with_content(&app).await;
        let agent = Agent::of(&app, &who);
        let tools = agent.tools().await;
        let id = item.as_str().unwrap();
        let monitor = who.get(&app, "/v1/monitors").await.json()["monitors"][0]["id"].clone();
        let monitor = monitor.as_str().unwrap();
        let reads = [
            ("get_account_capabilities", json!({}), "/v1/me".to_owned()),
            ("list_api_keys", json!({}), "/v1/keys".to_owned()),
            (
                "list_library_items",
                json!({"includeContent": true, "query": "desk"}),
                "/v1/library/items?includeContent=true&query=desk".to_owned(),
            ),
            ("get_library_item", json!({"id": id}), format!("/v1/library/items/{id}")),
            (
                "list_library_objects",
                json!({"query": "quiet desks"}),
                "/v1/library/objects?query=quiet+desks".to_owned(),
            ),
            (
                "get_library_object",
                json!({"ref": format!("item:{id}")}),
                format!("/v1/library/objects/item:{id}"),
            ),
            ("list_notes", json!({"limit": 5}), "/v1/library/notes?limit=5".to_owned()),
            ("list_highlights", json!({"itemId": id}), format!("/v1/library/highlights?itemId={id}")),
            ("list_tags", json!({}), "/v1/library/tags".to_owned()),
            ("list_rss_subscriptions", json!({}), "/v1/rss/subscriptions".to_owned()),
            ("list_rss_collections", json!({}), "/v1/rss/collections".to_owned()),
            ("list_rss_entries", json!({"unread": true}), "/v1/rss/entries?unread=true".to_owned()),
            ("get_rss_entry", json!({"id": 1}), "/v1/rss/entries/1".to_owned()),
            ("list_web_monitors", json!({}), "/v1/monitors".to_owned()),
            ("get_web_monitor", json!({"id": monitor}), format!("/v1/monitors/{monitor}")),
            ("list_monitor_runs", json!({"id": monitor}), format!("/v1/monitors/{monitor}/runs")),
            ("list_monitor_changes", json!({"id": monitor}), format!("/v1/monitors/{monitor}/changes")),
        ];
        for (name, arguments, path) in reads {
            let path = path.replace("/entries/1", &format!("/entries/{}", first_entry(&app, &who).await));
            let arguments = if name == "get_rss_entry" {
                json!({"id": first_entry(&app, &who).await})
            } else {
                arguments
            };
            let mut from_tool = agent.call(name, arguments).await;
            let mut from_api = who.get(&app, &path).await.expect(200).json();
            // The times of the two answers differ.
            for value in [&mut from_tool, &mut from_api] {
                value.as_object_mut().unwrap().remove("asOf");
            }
            assert_eq!(from_tool, from_api, "{name}");
            let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
            assert_eq!(schema_error(&tool["outputSchema"], &from_tool), None, "{name}");
        }
    });
}

async fn first_entry(app: &TestApp, who: &Person) -> Value {
    who.get(app, "/v1/rss/entries").await.expect(200).json()["entries"][0]["id"].clone()
}

#[test]
fn tool_writes_are_validated_and_stored() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let agent = Agent::of(&app, &who);
        let tools = agent.tools().await;
        let conforms = |name: &str, value: &Value| {
            let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
            assert_eq!(schema_error(&tool["outputSchema"], value), None, "{name}");
        };
        let made = agent.call("create_note", json!({"title": "Desks", "text": "First"})).await;
        conforms("create_note", &made);
        let id = made["object"]["id"].clone();
        let changed =
            agent.call("update_note", json!({"id": id, "text": "Second", "clear": ["title"]})).await;
        assert_eq!(
            (&changed["object"]["text"], &changed["object"]["title"]),
            (&json!("Second"), &Value::Null)
        );
        let again = agent.call("update_note", json!({"id": id, "title": null})).await;
        assert_eq!(again["object"]["title"], Value::Null, "null is accepted");
        let stale = agent.tool_error("update_note", json!({"id": id, "text": "x", "ifMatch": "\"0\""})).await;
        assert_eq!(stale["code"], "precondition_failed");
        let wrong = agent.tool_error("update_note", json!({"id": id, "text": 7})).await;
        assert_eq!(
            (&wrong["code"], &wrong["details"]),
            (&json!("invalid_request"), &json!("/text: must be a string"))
        );
        let unknown = agent.tool_error("update_note", json!({"id": id, "nonsense": 1})).await;
        assert_eq!(unknown["details"], "/nonsense: there is no such argument");
        let gone = agent.call("delete_note", json!({"id": id})).await;
        assert_eq!(gone, json!({"done": true}));
        conforms("delete_note", &gone);
        assert_eq!(agent.tool_error("get_note", json!({"id": id})).await["code"], "not_found");
        for id in ["../keys", "x/../../keys", "a/save", "%2e%2e", ""] {
            let refusal = agent.tool_error("get_note", json!({"id": id})).await;
            assert!(refusal["code"] == "not_found" || id.is_empty(), "{id}: {refusal}");
        }
        let saved =
            agent.call("save_library_item", json!({"content": "Words of a text.", "title": "T"})).await;
        conforms("save_library_item", &saved);
        let bulk = json!({"ids": [saved["item"]["id"]], "changes": {"readProgress": 7}});
        conforms("bulk_update_library_items", &agent.call("bulk_update_library_items", bulk).await);
        let bulk = json!({"ids": [saved["item"]["id"]], "changes": {"clear": ["readProgress"]}});
        agent.call("bulk_update_library_items", bulk).await;
        let item = agent.call("get_library_item", json!({"id": saved["item"]["id"]})).await;
        assert_eq!(item["item"]["readProgress"], Value::Null);
    });
}

#[test]
fn files_are_uploaded_as_base64_and_returned_as_text_or_link() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let agent = Agent::of(&app, &who);
        let pending = json!({"title": "T", "fileName": "a.txt", "mimeType": "text/plain"});
        let item =
            who.post(&app, "/v1/library/items", &pending).await.expect(201).json()["item"]["id"].clone();
        let bytes = data_encoding::BASE64.encode("Words of a file.\n".as_bytes());
        let file =
            json!({"id": item, "contentBase64": bytes, "fileName": "b\"ö.txt", "mimeType": "text/plain"});
        let put = agent.call("upload_item_file", file).await;
        assert_eq!(
            (&put["item"]["asset"]["size"], &put["item"]["asset"]["fileName"]),
            (&json!(17), &json!("b_ö.txt"))
        );
        let got = agent.call("download_item_file", json!({"id": item})).await;
        assert_eq!(
            (&got["text"], &got["name"], &got["size"]),
            (&json!("Words of a file.\n"), &json!("b_ö.txt"), &json!(17))
        );
        assert_eq!(got["uri"], format!("svc://library/items/{}/file", item.as_str().unwrap()));
        let png = b"\x89PNG\r\n\x1a\n0000\0\x01\x02";
        let other = json!({"title": "P", "fileName": "a.png", "mimeType": "image/png"});
        let other =
            who.post(&app, "/v1/library/items", &other).await.expect(201).json()["item"]["id"].clone();
        let picture =
            json!({"id": other, "contentBase64": data_encoding::BASE64.encode(png), "mimeType": "image/png"});
        agent.call("upload_item_file", picture).await;
        let result = agent
            .request("tools/call", json!({"name": "download_item_file", "arguments": {"id": other}}))
            .await;
        assert_eq!(result["content"][1]["type"], "resource_link");
        assert_eq!(result["content"][1]["uri"], result["structuredContent"]["uri"]);
        assert!(!result.to_string().contains("blob") && result["structuredContent"].get("text").is_none());
        let large = json!({"id": item, "contentBase64": "AAAA".repeat(3 << 20)});
        let refusal = agent.tool_error("upload_item_file", large).await;
        assert_eq!(refusal["code"], "payload_too_large");
        assert!(
            refusal["error"].as_str().unwrap().contains(&format!("{}/v1/library/items/", app.origin)),
            "{refusal}"
        );
        for wrong in [
            json!({"id": item}),
            json!({"id": item, "contentBase64": "!"}),
            json!({"id": item, "text": "a", "contentBase64": "YQ=="}),
        ] {
            assert_eq!(agent.tool_error("upload_item_file", wrong).await["code"], "invalid_request");
        }
        let list = "<opml version=\"2.0\"><body><outline text=\"F\" xmlUrl=\"https://example.com/f.xml\"/></body></opml>";
        let taken = agent.call("import_opml", json!({"text": list})).await;
        assert_eq!(taken["created"], 1);
        let given = agent.call("export_opml", json!({})).await;
        assert!(given["text"].as_str().unwrap().contains("https://example.com/f.xml"));
        assert_eq!((&given["mimeType"], &given["truncated"]), (&json!("text/x-opml"), &json!(false)));
        let import = json!({"text": "title,url,time_added,tags,status\nA,https://example.com/a,1600000000,,unread\n", "format": "pocket_csv", "fileName": "pocket.csv"});
        assert_eq!(agent.call("import_library", import).await["import"]["format"], "pocket_csv");
    });
}

#[test]
fn large_lists_are_truncated_with_a_cursor() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let agent = Agent::of(&app, &who);
        let tokens = |value: &Value| extract::tokens::count(&value.to_string());
        let long = "A desk for one reader, by the window. ".repeat(300);
        for number in 0..30 {
            let item = json!({"url": format!("https://example.com/{number}"), "title": format!("Desk {number}"), "content": format!("{number}. {long}")});
            who.post(&app, "/v1/library/items", &item).await.expect(201);
        }
        assert_eq!(agent.call("list_library_items", json!({})).await["items"].as_array().unwrap().len(), 20);
        let mut seen: Vec<Value> = Vec::new();
        let mut cursor = Value::Null;
        loop {
            let arguments = json!({"includeContent": true, "contentMaxCharacters": 12_000, "limit": 30, "cursor": cursor});
            let page = agent.call("list_library_items", arguments).await;
            assert!(tokens(&page) <= 20_000, "{}", tokens(&page));
            seen.extend(page["items"].as_array().unwrap().iter().map(|item| item["id"].clone()));
            cursor = page["nextCursor"].clone();
            if cursor.is_null() {
                break;
            }
            app.clock.advance(crate::support::clock::MINUTE);
        }
        let whole = who.get(&app, "/v1/library/items?limit=100").await.json();
        let expected: Vec<Value> =
            whole["items"].as_array().unwrap().iter().map(|item| item["id"].clone()).collect();
        assert_eq!(seen, expected, "each item is returned once, in order");
    });
}

#[test]
fn pages_with_large_rows_skip_no_row() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        let agent = Agent::of(&app, &who);
        // One row with this metadata fits into a result, two rows exceed it.
        let value = |at: u32| {
            let (page, volume) = (at * 7, at * 13);
            format!(
                "value {at} of the reference, page {page} of volume {volume}, edition of {at}, shelf {at}"
            )
        };
        let metadata: serde_json::Map<String, Value> =
            (0..500).map(|at| (format!("field{at}"), value(at).into())).collect();
        for number in 0..64 {
            let url = format!("https://example.com/{number}");
            let mut item = json!({"url": url, "title": format!("Desk {number}"), "content": "A desk."});
            if !(2..62).contains(&number) {
                item["metadata"] = metadata.clone().into();
            }
            who.post(&app, "/v1/library/items", &item).await.expect(201);
        }
        let (mut seen, mut cursor) = (Vec::new(), Value::Null);
        loop {
            let arguments = json!({"limit": 100, "includeMetadata": true, "cursor": cursor});
            let page = agent.call("list_library_items", arguments).await;
            assert!(extract::tokens::count(&page.to_string()) <= 20_000);
            assert!(page.get("truncated").is_none(), "each row fits");
            seen.extend(page["items"].as_array().unwrap().iter().map(|item| item["id"].clone()));
            cursor = page["nextCursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        let whole = who.get(&app, "/v1/library/items?limit=100").await.json();
        let expected: Vec<Value> =
            whole["items"].as_array().unwrap().iter().map(|item| item["id"].clone()).collect();
        assert_eq!((seen.len(), seen), (64, expected), "each item is returned once, in order");
    });
}

#[test]
fn large_texts_are_truncated_and_windows_continue() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let agent = Agent::of(&app, &who);
        let tokens = |value: &Value| extract::tokens::count(&value.to_string());
        let paragraph =
            |n: u32| format!("<p>Paragraph {n} tells of desks and of their readers, at some length.</p>");
        let paragraphs = (0..4000).map(paragraph).collect::<Vec<_>>().concat();
        let url = app.site.put(
            "/long",
            Reply::html(format!("<title>Long</title><article><h1>Long</h1>{paragraphs}</article>")),
        );
        let article = agent.call("extract_article", json!({"url": url})).await;
        assert!((5_000..=20_000).contains(&tokens(&article)), "{}", tokens(&article));
        let extracted = &article["article"];
        assert_eq!(extracted["truncated"], true);
        assert_eq!(extracted["returnedCharacters"], extracted["content"].as_str().unwrap().chars().count());
        let from_api = who.post(&app, "/v1/articles/extract", &json!({"url": url})).await.expect(200).json();
        assert!(
            from_api["article"]["content"]
                .as_str()
                .unwrap()
                .starts_with(extracted["content"].as_str().unwrap())
        );
        assert_eq!(extracted["contentCharacters"], from_api["article"]["contentCharacters"]);
        let window = agent.call("read_article", json!({"url": url, "maxTokens": 20_000})).await;
        assert!((10_000..=20_000).contains(&tokens(&window)), "{}", tokens(&window));
        let next = agent
            .call("read_article", json!({"url": url, "cursor": window["nextCursor"], "maxTokens": 200}))
            .await;
        assert_eq!(next["fromAnchor"], window["toAnchor"].as_u64().unwrap() + 1, "the windows have no gap");
        let beyond = agent.tool_error("read_article", json!({"url": url, "maxTokens": 20_001})).await;
        assert_eq!(beyond["details"], "/maxTokens: must be at most 20000");
    });
}

#[test]
fn long_outline_is_shortened_before_the_text_of_a_window() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let agent = Agent::of(&app, &who);
        let section = |n: u32| {
            format!(
                "<h2>Harbour {n} and all of its quays</h2><p>Boat {n} sails at nine, if the wind allows it.</p>"
            )
        };
        let sections = (0..2_000).map(section).collect::<Vec<_>>().concat();
        let url = app.site.put(
            "/harbours",
            Reply::html(format!("<title>Harbours</title><article><h1>Harbours</h1>{sections}</article>")),
        );
        let body = json!({"url": url, "maxTokens": 4_000});
        let from_api = who.post(&app, "/v1/articles/read", &body).await.expect(200).json();
        let window = agent.call("read_article", body).await;
        assert!(extract::tokens::count(&window.to_string()) <= 20_000);
        assert_eq!(
            (&window["text"], &window["nextCursor"], &window["truncated"]),
            (&from_api["text"], &from_api["nextCursor"], &json!(true))
        );
        let (listed, all) = (window["outline"].as_array().unwrap(), from_api["outline"].as_array().unwrap());
        assert!(!listed.is_empty() && listed.len() < all.len(), "{} of {}", listed.len(), all.len());
        assert_eq!(listed[..], all[..listed.len()]);
        assert_eq!(window["outlineOmitted"], all.len() - listed.len());
    });
}

/// Page of source code whose text has more tokens as JSON than as text.
fn page_of_code(sections: u32) -> Reply {
    let section = |n: u32| {
        format!(
            "<pre><code>line {n} \"key{n}\": \"value\\{n}\",\n  \"a\": \"b\\c\",\n  \"d\": [\"e\", \"f\"],\n\t\"g\": \"h\"\n\
             </code></pre><p>Sentence {n} says \"yes\" and \"no\" and \"perhaps\" in one paragraph about harbours.</p>"
        )
    };
    let sections: String = (0..sections).map(section).collect();
    Reply::html(format!(
        "<html lang=en><head><title>Code</title></head><body><article><h1>Code</h1>{sections}</article></body></html>"
    ))
}

/// Anchors of the blocks in a window.
fn anchors(text: &str) -> Vec<u64> {
    text.split("[p").skip(1).filter_map(|block| block.split([']', '…']).next()?.parse().ok()).collect()
}

#[test]
fn windows_of_code_have_no_gap() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let agent = Agent::of(&app, &who).at("/mcp?output=structured");
        let url = app.site.put("/code", page_of_code(600));
        let whole = who.post(&app, "/v1/articles/read", &json!({"url": url})).await.expect(200).json();
        let expected: Vec<u64> = (1..=whole["totalBlocks"].as_u64().unwrap()).collect();
        assert!(expected.len() > 1_000, "{}", expected.len());
        let (mut seen, mut cursor) = (Vec::new(), Value::Null);
        loop {
            let window = agent.call("read", json!({"id": url, "maxTokens": 18_000, "cursor": cursor})).await;
            assert!(extract::tokens::count(&window.to_string()) <= 20_000);
            assert!(window.get("truncated").is_none(), "the text of a window is not cut");
            seen.extend(anchors(window["text"].as_str().unwrap()));
            cursor = window["nextCursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        assert_eq!(seen, expected);
    });
}

#[test]
fn documents_of_one_fetch_share_the_size_limit() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let agent = Agent::of(&app, &who).at("/mcp?output=structured");
        let urls: Vec<String> =
            (0..5).map(|n| app.site.put(&format!("/code/{n}"), page_of_code(300))).collect();
        let arguments = json!({"id": urls[0], "moreIds": urls[1..], "maxTokens": 18_000});
        let before = remaining_operations(&app, &who).await;
        let fetched = agent.call("fetch", arguments.clone()).await;
        assert_eq!(
            remaining_operations(&app, &who).await,
            before - 6,
            "each document costs one operation, also if the call is repeated with smaller windows"
        );
        assert!((10_000..=20_000).contains(&extract::tokens::count(&fetched.to_string())));
        let documents: Vec<&Value> =
            std::iter::once(&fetched).chain(fetched["more"].as_array().unwrap()).collect();
        assert_eq!(documents.len(), 5);
        for document in documents {
            let last = *anchors(document["text"].as_str().unwrap()).last().unwrap();
            assert!(last > 10, "{last}");
            assert_eq!(document["metadata"]["nextCursor"], (last + 1).to_string());
        }
        let text = agent.at("/mcp").ask("fetch", arguments).await;
        assert!((10_000..=20_000).contains(&extract::tokens::count(&text)));
        let parts: Vec<&str> = text.split("</untrusted>").collect();
        assert_eq!(parts.len(), 6);
        for part in parts.windows(2) {
            let last = *anchors(part[0]).last().unwrap();
            let next = part[1].lines().nth(1).unwrap();
            assert!(next.ends_with(&format!(" and cursor {}", last + 1)), "{next}");
        }
    });
}

#[test]
fn long_note_is_read_to_its_end() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let agent = Agent::of(&app, &who).at("/mcp?output=structured");
        let paragraph = |n: u32| format!("Note paragraph {n} about harbours and boats in the spring.");
        let text = (0..1_500).map(paragraph).collect::<Vec<_>>().join("\n\n");
        let note = who.post(&app, "/v1/library/notes", &json!({"text": text})).await.expect(201).json();
        let id = format!("note:{}", note["object"]["id"].as_str().unwrap());
        let largest = json!({"id": id, "maxTokens": 18_000});
        let start = agent.at("/mcp").ask("fetch", largest.clone()).await;
        assert!(start.contains(&format!("More: call read with id {id} and cursor ")), "{start}");
        assert!(!start.contains("larger maxTokens"));
        let start = agent.call("fetch", largest).await;
        let mut read = start["text"].as_str().unwrap().to_owned();
        let mut cursor = start["metadata"]["nextCursor"].clone();
        assert!(cursor.is_string() && start["metadata"]["truncated"] == "true", "{start}");
        while cursor.is_string() {
            let window = agent.call("read", json!({"id": id, "cursor": cursor, "maxTokens": 2_000})).await;
            read.push_str(window["text"].as_str().unwrap());
            cursor = window["nextCursor"].clone();
        }
        assert_eq!(read, text);
        for wrong in [json!({"cursor": "x"}), json!({"cursor": "100000"}), json!({"render": "always"})] {
            let mut arguments = wrong;
            arguments["id"] = id.as_str().into();
            assert_eq!(agent.tool_error("read", arguments).await["code"], "invalid_request");
        }
    });
}
