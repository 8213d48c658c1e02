//! Saving with concurrent large bodies, and with a running clock.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::people::sign_up_and_create_key;
use crate::support::browser::Browser;
use crate::support::installation::Installation;
use crate::support::person::Person;
use crate::support::{Reply, Setup, TestApp, World, eventually, run};

const ITEMS: &str = "/v1/library/items";

#[test]
fn memory_of_concurrent_large_bodies_is_limited() {
    run(async {
        let app = Setup::on(World::Small).set("CARREL_BODY_MEMORY_MB", "25").spawn().await;
        let who = Person::on(&app, kernel::tiers::Tier::Pro).await;
        let authority = app.origin.trim_start_matches("http://");
        // This request announces the largest body and does not send it.
        let mut slow = TcpStream::connect(authority).await.unwrap();
        let head = format!(
            "POST {ITEMS} HTTP/1.1\r\nhost: {authority}\r\nx-api-key: {}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\nexpect: 100-continue\r\n\r\n",
            who.key,
            25 << 20
        );
        slow.write_all(head.as_bytes()).await.unwrap();
        // The service requests the body when enough memory is available.
        let mut answer = [0; 12];
        slow.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 100");
        let large = json!({"title": "A book", "content": "a ".repeat(900_000)});
        let refused: Value = who.post(&app, ITEMS, &large).await.expect(503).json();
        assert_eq!(refused["code"], "capacity_exhausted");
        assert!(refused["retryAfter"].as_u64().is_some_and(|seconds| seconds > 0), "{refused}");
        who.post(&app, ITEMS, &json!({"title": "A note", "content": "It is short."})).await.expect(201);
        drop(slow);
        let status = async || who.post(&app, ITEMS, &large).await.status;
        eventually("what was held is free again", status, |status| *status < 300).await;
    });
}

#[test]
fn body_with_too_many_values_is_refused() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::on(&app, kernel::tiers::Tier::Pro).await;
        let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
        for values in [r#"{"a":0},"#.repeat(50_000), "[".repeat(65) + &"]".repeat(65) + ","] {
            let body = format!(r#"{{"content":"Words.","metadata":{{"values":[{values}0]}}}}"#);
            let refused = app.send(reqwest::Method::POST, ITEMS, &headers, Some(body)).await;
            let reason = refused.api_error(422, "invalid_request")["details"].clone();
            assert!(reason.as_str().is_some_and(|reason| reason.starts_with("/: the JSON ")), "{reason}");
        }
        let text = json!({"content": "a, ".repeat(110_000)});
        who.post(&app, ITEMS, &text).await.expect(201);
    });
}

#[test]
fn form_encoded_values_are_refused_in_json() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::on(&app, kernel::tiers::Tier::Pro).await;
        let saved = json!({"title": "A note", "content": "Words.", "tags": ["one", "two"]});
        let item = who.post(&app, ITEMS, &saved).await.expect(201).json()["item"].clone();
        who.post(&app, ITEMS, &json!({"content": "Words.", "tags": "one,two"})).await.expect(422);
        let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
        let patch = async |body: Value| {
            app.send(reqwest::Method::PATCH, ITEMS, &headers, Some(body.to_string())).await
        };
        let ids = json!([item["id"]]);
        patch(json!({"ids": ids, "changes": {"readProgress": 40}})).await.expect(200);
        patch(json!({"ids": ids, "changes": {"tags": "x"}})).await.expect(422);
        patch(json!({"ids": item["id"], "changes": {"status": "later"}})).await.expect(422);
        patch(json!({"ids": ids, "changes": {"readProgress": ""}})).await.expect(422);
        let path = format!("{ITEMS}/{}", item["id"].as_str().unwrap());
        let same = who.get(&app, &path).await.expect(200).json()["item"].clone();
        assert_eq!((&same["tags"], &same["readProgress"]), (&json!(["one", "two"]), &json!(40)));
        patch(json!({"ids": ids, "changes": {"readProgress": null}})).await.expect(200);
        // Forms encode a list with one element as a single value, and null as an empty text.
        let form = [("x-api-key", who.key.as_str()), ("content-type", "application/x-www-form-urlencoded")];
        let body = "content=Other+words&tags=one&author=".to_owned();
        let made = app.send(reqwest::Method::POST, ITEMS, &form, Some(body)).await.expect(201).json();
        assert_eq!((&made["item"]["tags"], &made["item"]["author"]), (&json!(["one"]), &Value::Null));
    });
}

#[test]
fn save_waits_for_its_page_under_the_system_clock() {
    run(async {
        let app = TestApp::spawn().await;
        let settings = [("CARREL_FETCH_ALLOW", "127.0.0.1/32")];
        let Installation { process: _process, origin, data: _data } =
            Installation::start(&app, &settings).await;
        let key = sign_up_and_create_key(&mut Browser::at(&app, &origin), "ada@example.org").await;
        let text = "How a town by the sea learned to live with the tide. ".repeat(20);
        let page =
            format!("<html><body><article><h1>Walls that move</h1><p>{text}</p></article></body></html>");
        let url = app.site.put("/walls", Reply::html(page));
        let headers = [("x-api-key", &*format!("svc_{key}"))];
        let saved = app.post_with(&format!("{origin}{ITEMS}"), &headers, &json!({"url": url})).await;
        let saved: Value = saved.expect(201).json();
        assert_eq!(
            (&saved["item"]["articleStatus"], &saved["item"]["title"]),
            (&json!("ready"), &json!("Walls that move"))
        );
        assert_eq!(saved["extraction"]["source"], "html");
    });
}
