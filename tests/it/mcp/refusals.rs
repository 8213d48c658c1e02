//! Refused requests, and the remedies that their answers mention.

use kernel::Scopes;
use reqwest::Method;
use serde_json::json;

use super::Agent;
use crate::support::browser::Browser;
use crate::support::clock::MINUTE;
use crate::support::person::Person;
use crate::support::{Setup, World, on_each_world, run};

#[test]
fn answer_to_a_missing_credential_names_the_oauth_metadata() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
        for path in ["/mcp", "/mcp/", "/mcp/x/core", "/mcp/x/core/readonly"] {
            let answer = app.post(path, &body).await.expect(401);
            answer.api_error(401, "missing_credential");
            let line = answer.header("www-authenticate");
            let metadata =
                format!("{}/.well-known/oauth-protected-resource{}", app.origin, path.trim_end_matches('/'));
            assert!(line.contains(&format!("resource_metadata=\"{metadata}\"")), "{line}");
            assert!(line.contains("scope=\"svc:read\"") && !line.contains("error="), "{line}");
            for method in [Method::GET, Method::DELETE] {
                app.send(method, path, &[], None).await.expect(401);
            }
        }
        identity::keys::revoke(&app.app.domain, who.id, who.key_id).await.unwrap();
        let bearer = format!("Bearer {}", who.key);
        let answer = app.post_with("/mcp", &[("authorization", &bearer)], &body).await.expect(401);
        assert!(answer.header("www-authenticate").contains("error=\"invalid_token\""));
    });
}

#[test]
fn browser_session_is_not_accepted_as_credential() {
    run(async {
        let app = Setup::on(World::Small).idle().spawn().await;
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
        let cookie = format!("carrel_session={}", browser.session().unwrap());
        let headers = [("cookie", cookie.as_str()), ("origin", app.origin.as_str())];
        app.post_with("/mcp", &headers, &body).await.expect(401);
    });
}

#[test]
fn requests_without_credential_are_limited_to_sixty_per_minute() {
    run(async {
        let app = Setup::on(World::Small).idle().spawn().await;
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
        for _ in 0..60 {
            app.post("/mcp", &body).await.expect(401);
        }
        let answer = app.post("/mcp", &body).await.expect(429);
        assert_eq!(answer.header("retry-after"), "60");
        let who = Person::free(&app).await;
        Agent::of(&app, &who).tools().await;
        app.clock.advance(MINUTE);
        app.post("/mcp", &body).await.expect(401);
    });
}

#[test]
fn read_only_key_lists_only_tools_that_read() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let all = Agent::of(&app, &who);
        let (create_key, _) = who.create_key(&app, Scopes::READ, None).await;
        let reader = all.with_key(&create_key);
        let (listed, known) = (reader.tools().await, all.tools().await);
        assert!(listed.len() < known.len());
        for tool in &listed {
            assert_eq!(tool["securitySchemes"][0]["scopes"], json!(["svc:read"]), "{tool}");
        }
        let refusal = reader.tool_error("create_note", json!({"text": "x"})).await;
        assert_eq!(refusal["code"], "insufficient_scope");
        assert_eq!(refusal["details"], "scope=svc:write");
        let nonsense = reader.tool_error("create_note", json!({"nonsense": 1})).await;
        assert_eq!(nonsense["code"], "insufficient_scope", "the scope is checked before the arguments");
        let notes = who.get(&app, "/v1/library/notes").await.json();
        assert_eq!(notes["notes"], json!([]));
    });
}

#[test]
fn rate_limit_is_a_tool_error_for_tools_and_429_elsewhere() {
    run(async {
        let app = Setup::on(World::Small).idle().spawn().await;
        let who = Person::free(&app).await;
        let agent = Agent::of(&app, &who);
        for _ in 0..60 {
            agent.call("list_tags", json!({})).await;
        }
        let refusal = agent.tool_error("list_tags", json!({})).await;
        assert_eq!((&refusal["code"], &refusal["retryAfter"]), (&json!("rate_limited"), &json!(60)));
        let answer = agent.send("prompts/get", json!({"name": "summarize_item"})).await.expect(429);
        assert_eq!(answer.header("retry-after"), "60");
        assert_eq!(answer.json()["error"]["data"]["code"], "rate_limited");
        agent.tools().await;
    });
}

#[test]
fn unknown_mcp_path_lists_the_valid_paths() {
    run(async {
        let app = Setup::on(World::Small).idle().spawn().await;
        let who = Person::free(&app).await;
        for path in
            ["/mcp/x/nothing", "/mcp/x", "/mcp/readonly/x", "/mcp/.well-known/oauth-protected-resource"]
        {
            let answer = app.post_with(path, &[("x-api-key", &who.key)], &json!({})).await.expect(404).json();
            assert_eq!(answer["code"], "not_found");
            assert!(answer["addresses"].as_array().unwrap().contains(&json!("/mcp/x/core")), "{answer}");
        }
    });
}
