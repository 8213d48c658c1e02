//! Discovery by clients: metadata documents, hosts, methods, CORS, and the guide for agents.

use reqwest::Method;
use serde_json::json;

use crate::support::{Setup, TestApp, World, on_each_world, run};

const BASE: &str = "https://api.example.org";
const AUTH: &str = "https://carrel.example.org";
const READER: &str = "https://read.example.org";

async fn on_three_hosts() -> TestApp {
    let setup = Setup::on(World::Small).set("CARREL_BASE_URL", BASE).set("CARREL_AUTH_URL", AUTH);
    setup.set("CARREL_READER_URL", READER).spawn().await
}

fn host(origin: &str) -> [(&'static str, String); 1] {
    [("host", origin.trim_start_matches("https://").to_owned())]
}

#[test]
fn metadata_documents_list_all_capabilities() {
    on_each_world(async |app| {
        let origin = &app.origin;
        let answer = app.get("/.well-known/oauth-authorization-server?x=y").await.expect(200);
        assert_eq!(answer.header("content-type"), "application/json");
        assert_eq!(answer.header("cache-control"), "public, max-age=300");
        let auth_methods = json!(["none", "client_secret_basic", "client_secret_post", "private_key_jwt"]);
        let algorithms = json!(["RS256", "PS256", "ES256", "EdDSA"]);
        let agent_auth = json!({
            "register_uri": format!("{origin}/oauth/register"),
            "identity_types_supported": ["anonymous"],
            "anonymous": {"credential_types_supported": ["oauth2"]},
            "skill": format!("{origin}/auth.md"),
        });
        let expected = json!({
            "issuer": origin,
            "authorization_endpoint": format!("{origin}/oauth/authorize"),
            "token_endpoint": format!("{origin}/oauth/token"),
            "registration_endpoint": format!("{origin}/oauth/register"),
            "revocation_endpoint": format!("{origin}/oauth/token/revoke"),
            "scopes_supported": ["svc:read", "svc:write"],
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": auth_methods,
            "token_endpoint_auth_signing_alg_values_supported": algorithms,
            "revocation_endpoint_auth_methods_supported": auth_methods,
            "revocation_endpoint_auth_signing_alg_values_supported": algorithms,
            "authorization_response_iss_parameter_supported": true,
            "client_id_metadata_document_supported": true,
            "service_documentation": format!("{origin}/auth.md"),
            "agent_auth": agent_auth,
        });
        assert_eq!(answer.json(), expected);
        let groups = ["all", "core", "articles", "library", "rss", "feeds", "monitors"];
        let mut paths: Vec<String> = groups.iter().map(|group| format!("/mcp/x/{group}")).collect();
        paths.extend([String::new(), "/mcp".to_owned()]);
        let readonly: Vec<String> = paths[..8].iter().map(|path| format!("{path}/readonly")).collect();
        for path in paths.iter().chain(readonly.iter().filter(|path| path.starts_with("/mcp"))) {
            for slash in ["", "/"] {
                let document = format!("/.well-known/oauth-protected-resource{path}{slash}");
                let answer = app.get(&document).await.expect(200);
                assert_eq!(answer.header("cache-control"), "public, max-age=300");
                let expected = json!({
                    "resource": format!("{origin}{path}"),
                    "resource_name": "Carrel",
                    "authorization_servers": [origin],
                    "scopes_supported": ["svc:read", "svc:write"],
                    "bearer_methods_supported": ["header"],
                    "resource_documentation": format!("{origin}/docs/developer"),
                    "agent_auth": agent_auth,
                });
                assert_eq!(answer.json(), expected, "{document}");
            }
        }
    });
}

#[test]
fn unknown_documents_return_json_404_with_cors() {
    run(async {
        let app = TestApp::spawn().await;
        for path in [
            "/.well-known/openid-configuration",
            "/.well-known/openid-configuration/mcp",
            "/.well-known/oauth-authorization-server/mcp",
            "/.well-known/oauth-protected-resource/mcp/x/none",
            "/.well-known/oauth-protected-resource/v1",
            "/.well-known/oauth-protected-resourcex",
            "/.well-known/",
            "/.well-known/acme-challenge/x",
            "/oauth/none",
            "/oauth",
        ] {
            let answer = app.get(path).await.expect(404);
            assert_eq!(answer.header("content-type"), "application/json", "{path}");
            assert_eq!(answer.header("access-control-allow-origin"), "*", "{path}");
            assert_eq!(answer.json()["error"], "not_found");
        }
        app.get("/.well-known/api-catalog").await.expect(200);
    });
}

#[test]
fn each_document_is_served_only_by_its_host() {
    run(async {
        let app = on_three_hosts().await;
        let (server, resource) =
            ("/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource/mcp");
        for (path, on_base, on_auth, on_reader) in [
            (server, 200, 200, 404),
            (resource, 200, 404, 404),
            ("/.well-known/oauth-protected-resource", 200, 404, 404),
            ("/auth.md", 404, 200, 404),
            ("/oauth/token", 404, 405, 404),
            ("/oauth/register", 404, 405, 404),
            ("/oauth/token/revoke", 404, 405, 404),
        ] {
            for (origin, status) in [(BASE, on_base), (AUTH, on_auth), (READER, on_reader)] {
                let headers = host(origin);
                let headers: Vec<(&str, &str)> =
                    headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
                let answer = app.get_with(path, &headers).await;
                assert_eq!(answer.status, status, "{path} at {origin}");
            }
        }
        let headers = host(BASE);
        let headers: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let document = app.get_with(server, &headers).await.json();
        assert_eq!(
            (&document["issuer"], &document["token_endpoint"]),
            (&json!(AUTH), &json!(format!("{AUTH}/oauth/token")))
        );
        let document = app.get_with(resource, &headers).await.json();
        assert_eq!(
            (&document["resource"], &document["authorization_servers"]),
            (&json!(format!("{BASE}/mcp")), &json!([AUTH]))
        );
        let refused = app.get_with("/v1/me", &headers).await.expect(401);
        let named = format!("resource_metadata=\"{BASE}/.well-known/oauth-protected-resource\"");
        assert!(refused.header("www-authenticate").contains(&named));
    });
}

#[test]
fn cors_is_open_for_endpoints_without_cookies() {
    run(async {
        let app = TestApp::spawn().await;
        for (path, methods) in [
            ("/.well-known/oauth-authorization-server", "GET, HEAD, OPTIONS"),
            ("/.well-known/oauth-protected-resource", "GET, HEAD, OPTIONS"),
            ("/auth.md", "GET, HEAD, OPTIONS"),
            ("/oauth/token", "POST, OPTIONS"),
            ("/oauth/register", "POST, OPTIONS"),
            ("/oauth/token/revoke", "POST, OPTIONS"),
        ] {
            let asks = [("origin", "https://inspector.example"), ("access-control-request-method", "POST")];
            let answer = app.send(Method::OPTIONS, path, &asks, None).await.expect(204);
            assert_eq!(answer.header("access-control-allow-origin"), "*");
            assert_eq!(answer.header("access-control-allow-credentials"), "");
            assert_eq!(answer.header("access-control-allow-methods"), methods);
            assert_eq!(answer.header("access-control-max-age"), "3600");
            for name in
                ["Authorization", "Content-Type", "MCP-Protocol-Version", "Mcp-Session-Id", "X-API-Key"]
            {
                assert!(answer.header("access-control-allow-headers").contains(name), "{name}");
            }
            let method = if methods.starts_with("GET") { Method::GET } else { Method::POST };
            let answer =
                app.send(method.clone(), path, &[("origin", "https://inspector.example")], None).await;
            assert_eq!(answer.header("access-control-allow-origin"), "*", "{path}: {}", answer.status);
            assert!(answer.header("access-control-expose-headers").contains("WWW-Authenticate"));
            for wrong in [Method::GET, Method::POST, Method::PUT, Method::DELETE] {
                if wrong != method {
                    let answer = app.send(wrong, path, &[], None).await.expect(405);
                    assert_eq!(
                        (answer.header("allow"), answer.header("access-control-allow-origin")),
                        (methods, "*")
                    );
                }
            }
        }
        let page = app.get("/oauth/authorize").await;
        assert_eq!(page.header("access-control-allow-origin"), "", "the consent page has no CORS headers");
    });
}

#[test]
fn guide_for_agents_names_every_step() {
    run(async {
        let app = on_three_hosts().await;
        let headers = host(AUTH);
        let answer = app.get_with("/auth.md", &[("host", &headers[0].1)]).await.expect(200);
        assert_eq!(answer.header("content-type"), "text/markdown; charset=utf-8");
        let guide = answer.text();
        for words in [
            "no claim step and no identity assertion",
            "https://carrel.example.org/oauth/register",
            "https://carrel.example.org/oauth/authorize?",
            "https://carrel.example.org/oauth/token ",
            "https://carrel.example.org/oauth/token/revoke",
            "https://api.example.org/v1/me",
            "https://api.example.org/mcp",
            "code_challenge_method=S256",
            "offline_access",
            "120 seconds",
            "`localhost` is not `127.0.0.1`",
            "insufficient_scope",
        ] {
            assert!(guide.contains(words), "{words} is missing in\n{guide}");
        }
    });
}
