//! Item texts and search over the library, through HTTP.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::library_items::{save_item, send};
use crate::support::person::Person;
use crate::support::{Reply, TestApp, on_each_world};

async fn search(app: &TestApp, who: &Person, query: &str) -> Value {
    let query: String = url::form_urlencoded::byte_serialize(query.as_bytes()).collect();
    who.get(app, &format!("/v1/library/objects?query={query}")).await.expect(200).json()
}

fn titles(list: &Value) -> Vec<&str> {
    list["objects"].as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap()).collect()
}

#[test]
fn item_text_is_read_searched_and_downloaded() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let item = save_item(&app, &who, &json!({"url": app.site.article("/town")})).await;
        let path = format!("/v1/library/items/{}", item["id"].as_str().unwrap());
        let window =
            who.post(&app, &format!("{path}/read"), &json!({"maxTokens": 100})).await.expect(200).json();
        assert_eq!(
            (&window["id"], &window["fromAnchor"], &window["cacheHit"]),
            (&item["id"], &json!(1), &json!(true))
        );
        assert!(window["text"].as_str().unwrap().starts_with("[p1] "));
        let next = json!({"maxTokens": 100, "cursor": window["nextCursor"]});
        let next = who.post(&app, &format!("{path}/read"), &next).await.expect(200).json();
        assert_ne!(next["fromAnchor"], window["fromAnchor"]);
        let passages =
            who.post(&app, &format!("{path}/search"), &json!({"query": "bread"})).await.expect(200).json();
        assert_eq!(passages["matchedBlocks"], 3);
        let whole = who.get(&app, &format!("{path}/content")).await.expect(200);
        assert!(
            whole.text().contains("Paragraph 3 of Library")
                && whole.header("content-type").starts_with("text/plain")
        );
        let headers = [("x-api-key", who.key.as_str()), ("if-none-match", whole.header("etag"))];
        app.get_with(&format!("{path}/content"), &headers).await.expect(304);
        let html = who.get(&app, &format!("{path}/content?format=html")).await.expect(200);
        assert!(html.header("content-security-policy").contains("sandbox") && html.text().contains("<h2"));
        let object =
            who.get(&app, &format!("/v1/library/objects/item:{}", item["id"].as_str().unwrap())).await;
        assert_eq!(object.expect(200).json()["object"]["article"]["title"], "A town by the sea");
        for bad in ["item:x", "items:1", "note:0193a0b2-7c00-7000-8000-000000000000", "abc"] {
            who.get(&app, &format!("/v1/library/objects/{bad}")).await.api_error(404, "not_found");
        }
        who.get(&app, "/v1/library/objects/ab").await.api_error(422, "invalid_request");
        let item = who.get(&app, &path).await.expect(200).json();
        assert_eq!(item["item"]["lastReadAt"], Value::Null, "viewing an item does not mark it as read");
    });
}

#[test]
fn failed_refresh_retains_the_only_copy() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let url = app.site.article("/town");
        let item = save_item(&app, &who, &json!({ "url": url })).await;
        let path = format!("/v1/library/items/{}", item["id"].as_str().unwrap());
        let refresh = async |body: Value| who.post(&app, &format!("{path}/refresh"), &body).await;
        app.site.put("/town", Reply::status(404));
        app.clock.advance(61_000);
        let queued = refresh(json!({})).await.expect(202).json();
        assert_eq!(queued["item"]["articleStatus"], "queued");
        app.run_jobs().await;
        let current = who.get(&app, &path).await.expect(200).json()["item"].clone();
        assert_eq!(
            (&current["articleStatus"], &current["articleError"]),
            (&json!("ready"), &json!("source_not_found"))
        );
        assert_eq!(current["contentHash"], item["contentHash"]);
        refresh(json!({})).await.api_error(429, "rate_limited");
        app.clock.advance(61_000);
        app.site.put("/town", Reply::html("<title>A town by the sea</title><p>Sign in to read on.</p>"));
        refresh(json!({"fromUrl": true})).await.expect(202);
        app.run_jobs().await;
        let current = who.get(&app, &path).await.expect(200).json()["item"].clone();
        assert_eq!(
            (&current["articleStatus"], &current["contentHash"]),
            (&json!("ready"), &item["contentHash"]),
            "{current}"
        );
        app.clock.advance(61_000);
        app.site.put("/town", Reply::html(crate::support::site::article().replace("bread", "cheese")));
        refresh(json!({})).await.expect(202);
        app.run_jobs().await;
        let newer = who.get(&app, &path).await.expect(200).json()["item"].clone();
        assert_ne!(newer["contentHash"], item["contentHash"]);
        assert!(newer.get("articleError").is_none());
        // Refreshing an item with supplied content extracts that content again.
        let own =
            save_item(&app, &who, &json!({"content": "My own words.", "url": url.replace("town", "label")}))
                .await;
        let own_path = format!("/v1/library/items/{}", own["id"].as_str().unwrap());
        who.post(&app, &format!("{own_path}/refresh"), &json!({})).await.expect(202);
        app.run_jobs().await;
        let own = who.get(&app, &own_path).await.expect(200).json();
        assert_eq!(
            (&own["item"]["articleStatus"], &own["item"]["extractionSource"]),
            (&json!("ready"), &json!("supplied"))
        );
        let pending = save_item(&app, &who, &json!({"fileName": "a.pdf"})).await;
        let pending = format!("/v1/library/items/{}/refresh", pending["id"].as_str().unwrap());
        who.post(&app, &pending, &json!({})).await.api_error(422, "missing_source");
    });
}

#[test]
#[expect(clippy::too_many_lines, reason = "one library is asked many things")]
fn library_search_supports_the_query_syntax() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        for (title, text, tags) in [
            ("Quiet desks", "A carrel is a desk for one reader. Nobody speaks.", json!(["Reading"])),
            ("Loud markets", "Bread and prices, and a quiet corner with two desks.", json!([])),
            ("Straße und Café", "Ein Text über Straßen. 日本語の図書館です。", json!(["Städte"])),
        ] {
            app.clock.advance(10);
            save_item(&app, &who, &json!({"title": title, "content": text, "tags": tags})).await;
        }
        save_item(&app, &other, &json!({"title": "Quiet theirs", "content": "quiet quiet"})).await;
        let list = search(&app, &who, "quiet").await;
        assert_eq!(titles(&list), ["Quiet desks", "Loud markets"], "a match in the title ranks higher");
        assert_eq!(
            (&list["total"], &list["partial"], &list["nextCursor"]),
            (&json!(2), &json!(false), &Value::Null)
        );
        let (first, second) =
            (list["objects"][0]["score"].as_f64().unwrap(), list["objects"][1]["score"].as_f64().unwrap());
        assert!(first > second && first <= 1.0 && second > 0.0, "{first} {second}");
        assert!(list["objects"][1]["snippet"].as_str().unwrap().contains("quiet corner"));
        for (query, expected) in [
            ("quiet -bread", vec!["Quiet desks"]),
            ("\"two desks\"", vec!["Loud markets"]),
            ("\"desks two\"", vec![]),
            ("nob*", vec!["Quiet desks"]),
            ("strasse CAFE", vec!["Straße und Café"]),
            ("図書館", vec!["Straße und Café"]),
            ("館書", vec![]),
            ("tag:reading", vec!["Quiet desks"]),
            ("tag:STÄDTE -tag:reading", vec!["Straße und Café"]),
            ("desk status:inbox", vec!["Quiet desks"]),
            ("desk status:archive", vec![]),
            ("quiet nonsenseword", vec![]),
            ("!!!", vec![]),
            ("-quiet", vec!["Straße und Café"]),
        ] {
            assert_eq!(titles(&search(&app, &who, query).await), expected, "{query}");
        }
        let near = search(&app, &who, "corel carel").await;
        assert!(titles(&near).is_empty() || near["approximate"] == true);
        let near = search(&app, &who, "markts").await;
        assert_eq!((titles(&near), &near["approximate"]), (vec!["Loud markets"], &json!(true)));
        let all = who.get(&app, "/v1/library/objects?types=item,note").await.expect(200).json();
        assert_eq!(
            (all["objects"].as_array().unwrap().len(), &all["objects"][0]["title"]),
            (3, &json!("Straße und Café"))
        );
        who.get(&app, "/v1/library/objects?types=items").await.api_error(422, "invalid_request");
        let page = who.get(&app, "/v1/library/objects?query=quiet&limit=1").await.expect(200).json();
        let cursor = page["nextCursor"].as_str().unwrap();
        let page = who.get(&app, &format!("/v1/library/objects?query=quiet&limit=1&cursor={cursor}")).await;
        let page = page.expect(200).json();
        assert_eq!(
            (titles(&page), &page["total"], &page["nextCursor"]),
            (vec!["Loud markets"], &json!(2), &Value::Null)
        );
        // After a change, the item matches its new words.
        let id = list["objects"][1]["ref"].as_str().unwrap().trim_start_matches("item:").to_owned();
        let change = json!({"title": "Silent halls"});
        send(&app, &who, Method::PATCH, &format!("/v1/library/items/{id}"), &change).await.expect(200);
        assert_eq!(titles(&search(&app, &who, "silent bread").await), ["Silent halls"]);
        who.send(&app, Method::DELETE, &format!("/v1/library/items/{id}")).await.expect(204);
        assert!(titles(&search(&app, &who, "silent").await).is_empty());
    });
}

#[test]
fn search_matches_words_far_from_each_other_in_a_book() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut text = String::from("The alphabeta begins.\n\n");
        for number in 0..9_000 {
            text.push_str(&format!("word{number}x other{number}y "));
            if number % 50 == 0 {
                text.push_str("\n\n");
            }
        }
        text.push_str("\n\nThe zetaomega ends it all.");
        save_item(&app, &who, &json!({"title": "A long book", "content": text})).await;
        assert_eq!(titles(&search(&app, &who, "alphabeta zetaomega").await), ["A long book"]);
        assert_eq!(titles(&search(&app, &who, "\"the zetaomega ends\" word8999x").await), ["A long book"]);
        assert!(titles(&search(&app, &who, "alphabeta -zetaomega").await).is_empty());
    });
}

#[test]
fn refresh_fetches_the_source_even_right_after_the_save() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let item = save_item(&app, &who, &json!({ "url": app.site.article("/town") })).await;
        let path = format!("/v1/library/items/{}", item["id"].as_str().unwrap());
        app.site.put("/town", Reply::html(crate::support::site::article().replace("bread", "cheese")));
        app.clock.advance(1_000);
        who.post(&app, &format!("{path}/refresh"), &json!({"fromUrl": true})).await.expect(202);
        app.run_jobs().await;
        let newer = who.get(&app, &path).await.expect(200).json()["item"].clone();
        assert_ne!(newer["contentHash"], item["contentHash"], "{newer}");
    });
}
