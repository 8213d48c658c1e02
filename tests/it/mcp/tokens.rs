//! Access tokens at `/mcp`: all tools are listed, a missing scope is reported with an HTTP status, and
//! revoked tokens are refused.

use serde_json::json;

use super::Agent;
use crate::support::oauth_clients::{AccessRequest, Client, FULL_ACCESS, READ_ACCESS};
use crate::support::on_each_world;
use crate::support::person::Person;

#[test]
fn read_only_token_is_challenged_for_the_write_scope() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let client = Client::public(&app).await;
        let keyed = Agent::of(&app, &who);
        let reader = keyed.with_key(&client.connect(&app, &who, READ_ACCESS).await.access);
        assert_eq!(
            reader.tool_names().await,
            keyed.tool_names().await,
            "a token that can be widened sees all tools"
        );
        reader.call("list_tags", json!({})).await;
        let call = json!({"name": "create_note", "arguments": {"text": "x"}});
        for path in ["/mcp", "/mcp/x/library"] {
            let answer = reader.at(path).send("tools/call", call.clone()).await.expect(403);
            let line = answer.header("www-authenticate");
            assert!(
                line.contains("error=\"insufficient_scope\"") && line.contains("scope=\"svc:write\""),
                "{line}"
            );
            assert!(line.contains(&format!("/.well-known/oauth-protected-resource{path}\"")), "{line}");
            let body = answer.json();
            assert_eq!((&body["id"], &body["error"]["code"]), (&json!("one"), &json!(-32003)));
            assert_eq!(body["error"]["data"]["scope"], "svc:write");
            assert_eq!(body["error"]["data"]["code"], "insufficient_scope");
        }
        let writer = keyed.with_key(&client.connect(&app, &who, FULL_ACCESS).await.access);
        assert_eq!(writer.call("create_note", json!({"text": "x"})).await["object"]["text"], "x");
    });
}

#[test]
fn token_is_bound_to_its_resource_and_can_be_revoked() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let client = Client::public(&app).await;
        let resource = format!("{}/mcp", app.origin);
        let wish = AccessRequest { scope: "svc:read", resource: Some(&resource) };
        let connection = client.connect(&app, &who, wish).await;
        let agent = Agent::of(&app, &who).with_key(&connection.access);
        agent.at("/mcp/x/core").call("list_tags", json!({})).await;
        let bearer = format!("Bearer {}", connection.access);
        app.get_with("/v1/me", &[("authorization", &bearer)]).await.expect(401);
        client.send(&app, "/oauth/token/revoke", &[("token", &connection.access)]).await.expect(200);
        let answer = agent.send("tools/list", json!({})).await.expect(401);
        assert!(answer.header("www-authenticate").contains("error=\"invalid_token\""));
    });
}
