//! Built-in tools `search` and `fetch`, called as research clients call them.

use serde_json::{Value, json};

use super::{Agent, remaining_operations};
use crate::support::on_each_world;
use crate::support::person::Person;
use crate::support::rss::{feed, poll};

#[test]
fn search_results_can_be_fetched() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let agent = Agent::of(&app, &who);
        let item = json!({"url": "https://example.com/words", "title": "Words of desks", "content": "Words by the window.", "author": "Ada"});
        who.post(&app, "/v1/library/items", &item).await.expect(201);
        who.post(&app, "/v1/library/notes", &json!({"text": "Words that I noted."})).await.expect(201);
        let url = app.site.put("/feed.xml", feed(1..=3));
        who.post(&app, "/v1/rss/subscriptions", &json!({"url": url})).await.expect(201);
        poll(&app).await;
        let before = remaining_operations(&app, &who).await;
        let response = agent.call("search", json!({"query": "words"})).await;
        assert_eq!(
            remaining_operations(&app, &who).await,
            before - 2,
            "a search of two lists is charged as two operations"
        );
        assert_eq!(response.as_object().unwrap().len(), 1);
        let results = response["results"].as_array().unwrap();
        let kinds: Vec<&str> =
            results.iter().map(|one| one["id"].as_str().unwrap().split(':').next().unwrap()).collect();
        for kind in ["item", "note", "entry"] {
            assert!(kinds.contains(&kind), "{kinds:?}");
        }
        for result in results {
            assert_eq!(result.as_object().unwrap().keys().collect::<Vec<_>>(), ["id", "title", "url"]);
            assert!(result["url"].as_str().unwrap().starts_with("http"), "{result}");
            let document = agent.call("fetch", json!({"id": result["id"]})).await;
            let members: Vec<&String> = document.as_object().unwrap().keys().collect();
            assert_eq!(members, ["id", "title", "text", "url", "metadata"]);
            assert_eq!((&document["id"], &document["url"]), (&result["id"], &result["url"]));
            assert!(document["text"].as_str().unwrap().to_lowercase().contains("words"), "{document}");
            let metadata = document["metadata"].as_object().unwrap();
            assert!(metadata.values().all(Value::is_string), "{document}");
            assert_eq!(
                (&metadata["truncated"], &metadata["note"]),
                (&json!("false"), &json!("untrusted third-party text"))
            );
        }
        let ada = results.iter().find(|one| one["url"] == "https://example.com/words").unwrap();
        assert_eq!(agent.call("fetch", json!({"id": ada["id"]})).await["metadata"]["author"], "Ada");
        let page = app.site.article("/harbour");
        let read = agent.call("fetch", json!({"id": page})).await;
        assert_eq!((&read["url"], &read["title"]), (&json!(page), &json!("A town by the sea")));
        let other = Agent::of(&app, &Person::free(&app).await);
        assert_eq!(other.tool_error("fetch", json!({"id": ada["id"]})).await["code"], "not_found");
        assert_eq!(other.call("search", json!({"query": "words"})).await, json!({"results": []}));
    });
}

#[test]
fn unknown_ids_and_blocked_urls_are_refused() {
    on_each_world(async |app| {
        let agent = Agent::of(&app, &Person::free(&app).await);
        for unknown in [
            "item:0193a0b2-7c00-7000-8000-3f1e2d4c5b6a",
            "entry:999",
            "note:x",
            "nothing",
            "file:///etc/passwd",
            "entry:1/save",
        ] {
            assert_eq!(
                agent.tool_error("fetch", json!({"id": unknown})).await["code"],
                "not_found",
                "{unknown}"
            );
        }
        assert_eq!(
            agent.tool_error("fetch", json!({"id": "http://10.0.0.1/"})).await["code"],
            "url_not_allowed"
        );
        assert_eq!(agent.tool_error("search", json!({"query": " "})).await["code"], "invalid_request");
        assert_eq!(
            agent.tool_error("search", json!({"query": "x", "limit": 5})).await["details"],
            "/limit: there is no such argument"
        );
    });
}
