//! Ambiguous request bodies, cross-origin pages, and rate limits of invalid requests.

use reqwest::Method;
use serde_json::json;

use crate::support::person::Person;
use crate::support::{Setup, TestApp, World, run};

async fn send(app: &TestApp, who: &Person, body: impl Into<reqwest::Body>) -> (u16, i64) {
    let request = app.request(Method::POST, "/mcp").header("x-api-key", &who.key);
    let request = request.header("content-type", "application/json").body(body);
    let answer = crate::support::HttpAnswer::of(request.send().await.unwrap()).await;
    (answer.status, answer.json()["error"]["code"].as_i64().unwrap_or_default())
}

#[test]
fn ambiguous_or_malformed_bodies_are_refused() {
    run(async {
        let app = Setup::on(World::Small).idle().spawn().await;
        let who = Person::free(&app).await;
        let call = r#""jsonrpc":"2.0","id":1,"method":"tools/call","params""#;
        let doubled = [
            format!(r#"{{{call}:{{"name":"list_tags","name":"delete_note","arguments":{{}}}}}}"#),
            format!(r#"{{{call}:{{"name":"list_tags","arguments":{{"a":1,"\u0061":2}}}}}}"#),
            format!(r#"{{{call}:{{"name":"list_tags"}},"method":"tools/list"}}"#),
        ];
        for body in doubled {
            assert_eq!(send(&app, &who, body).await, (400, -32600));
        }
        let batch = json!([{"jsonrpc": "2.0", "id": 1, "method": "ping"}]).to_string();
        assert_eq!(send(&app, &who, batch).await, (400, -32600));
        let deep = format!(
            r#"{{{call}:{{"name":"list_tags","arguments":{}1{}}}}}"#,
            "{\"a\":".repeat(70),
            "}".repeat(70)
        );
        assert_eq!(send(&app, &who, deep).await, (400, -32600));
        let deeper = format!(r"{{{call}:{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(send(&app, &who, deeper).await.0, 400);
        let plain = format!(r"{{{call}:{{}}}}");
        let utf16: Vec<u8> = plain.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let marked = [b"\xEF\xBB\xBF".as_slice(), plain.as_bytes()].concat();
        let latin = [b"\"", b"\xe9".as_slice(), b"\""].concat();
        for body in [utf16, marked, latin, b"{".to_vec(), Vec::new(), b"{} {}".to_vec()] {
            assert_eq!(send(&app, &who, body).await, (400, -32700));
        }
        let large =
            format!(r#"{{{call}:{{"name":"list_tags","arguments":{{"a":"{}"}}}}}}"#, "x".repeat(17 << 20));
        assert_eq!(send(&app, &who, large).await, (413, -32600));
        let many = format!(
            r#"{{{call}:{{"name":"list_tags","arguments":{{"a":[{}0]}}}}}}"#,
            r#"{"a":0},"#.repeat(100_000)
        );
        assert_eq!(send(&app, &who, many).await, (400, -32600), "a message has a bounded number of values");
        for wrong in
            [json!({"arguments": []}), json!({"name": 1}), json!({"name": "list_tags", "arguments": "x"})]
        {
            let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": wrong});
            assert_eq!(send(&app, &who, body.to_string()).await, (200, -32602));
        }
    });
}

#[test]
fn foreign_origins_are_refused_and_configured_origins_are_allowed() {
    run(async {
        let app = Setup::on(World::Small)
            .set("CARREL_MCP_ORIGINS", "https://chat.example.com")
            .idle()
            .spawn()
            .await;
        let who = Person::free(&app).await;
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
        let send = async |headers: &[(&str, &str)]| {
            let key = [("x-api-key", who.key.as_str())];
            app.post_with("/mcp", &[&key[..], headers].concat(), &body).await
        };
        for origin in ["https://evil.example", "null", "http://localhost.evil.example"] {
            send(&[("origin", origin)]).await.expect(403);
        }
        send(&[("host", "evil.example")]).await.expect(403);
        for origin in ["http://localhost:6274", "https://chat.example.com", app.origin.as_str()] {
            let answer = send(&[("origin", origin)]).await.expect(200);
            assert_eq!(answer.header("access-control-allow-origin"), origin);
            assert!(answer.header("access-control-expose-headers").contains("WWW-Authenticate"));
            assert!(answer.header_lines("vary").contains(&"Origin"));
            assert_eq!(answer.header("access-control-allow-credentials"), "");
            let preflight = [("origin", origin), ("access-control-request-method", "POST")];
            let answer = app.send(Method::OPTIONS, "/mcp", &preflight, None).await.expect(204);
            assert_eq!(answer.header("access-control-max-age"), "3600");
            assert!(answer.header("access-control-allow-headers").contains("Mcp-Name"));
        }
    });
}

#[test]
fn invalid_requests_count_towards_the_rate_limit() {
    run(async {
        let app = Setup::on(World::Small).idle().spawn().await;
        let wrong = [
            "{".to_owned(),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string(),
            json!({"jsonrpc": "2.0", "id": 1, "method": "nonsense"}).to_string(),
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call"}).to_string(),
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "x", "arguments": 1}}).to_string(),
            json!({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": 1}}).to_string(),
        ];
        for body in wrong {
            let who = Person::free(&app).await;
            let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
            for _ in 0..120 {
                let answer = app.send(Method::POST, "/mcp", &headers, Some(body.clone())).await;
                assert_ne!(answer.status, 429, "{body}");
            }
            let answer = app.send(Method::POST, "/mcp", &headers, Some(body.clone())).await.expect(429);
            assert_eq!(answer.header("retry-after"), "60", "{body}");
        }
    });
}
