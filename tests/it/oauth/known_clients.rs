//! Registration requests of widely used clients, and the redirect URIs that these clients use.

use serde_json::{Value, json};

use crate::support::oauth_clients::{Client, FULL_ACCESS};
use crate::support::person::Person;
use crate::support::{TestApp, on_each_world, run};

/// Returns the registration requests with their client names.
fn registrations() -> Vec<(String, Value)> {
    let all: Vec<Value> = serde_json::from_str(include_str!("registrations.json")).unwrap();
    all.into_iter().map(|about| (about["client_name"].as_str().unwrap().to_owned(), about)).collect()
}

#[test]
fn registration_returns_the_metadata_of_known_clients() {
    on_each_world(async |app| {
        for (name, about) in registrations() {
            let registered = app.post("/oauth/register", &about).await.expect(201).json();
            assert_eq!(registered["client_name"], name);
            assert_eq!(registered["redirect_uris"], about["redirect_uris"]);
            assert_eq!(registered["grant_types"], json!(["authorization_code", "refresh_token"]), "{name}");
            assert_eq!(registered["token_endpoint_auth_method"], "none");
            assert!(
                registered.get("client_secret").is_none()
                    && registered.get("client_secret_expires_at").is_none()
            );
            for echoed in ["scope", "client_uri", "software_id", "software_version", "application_type"] {
                assert_eq!(registered.get(echoed), about.get(echoed), "{echoed} of {name} is returned");
            }
            let id = registered["client_id"].as_str().unwrap();
            assert!(id.len() <= 900, "{name}: {}", id.len());
        }
    });
}

#[test]
fn loopback_redirect_allows_any_port_and_nothing_else() {
    run(async {
        let app = TestApp::spawn().await;
        let clients = identity::oauth::Clients::of(&app.app.domain).await.unwrap();
        for (index, good, bad) in [
            (
                0,
                vec!["https://claude.ai/api/mcp/auth_callback"],
                vec!["https://claude.ai/api/mcp/auth_callback?x", "https://claude.com/api/mcp/auth_callback"],
            ),
            (
                2,
                vec![
                    "http://localhost:49152/", "http://127.0.0.1:33419/", "http://localhost/",
                    "https://vscode.dev/redirect",
                ],
                vec!["http://localhost:1/x", "http://[::1]/", "https://vscode.dev:444/redirect"],
            ),
            (
                3,
                vec!["cursor://anysphere.cursor-mcp/oauth/callback", "http://localhost:1/callback"],
                vec!["cursor://anysphere.cursor-mcp/oauth/callback/", "cursor://other/oauth/callback"],
            ),
            (4, vec!["http://localhost:19999/oauth/callback"], vec!["http://127.0.0.1:3334/oauth/callback"]),
        ] {
            let (name, about) = &registrations()[index];
            let registered = app.post("/oauth/register", about).await.expect(201).json();
            let client = clients.find(registered["client_id"].as_str().unwrap()).unwrap();
            assert!(good.iter().all(|uri| client.may_redirect_to(uri)), "{name}");
            assert!(!bad.iter().any(|uri| client.may_redirect_to(uri)), "{name}");
        }
    });
}

#[test]
fn two_connections_of_one_client_have_separate_grants() {
    on_each_world(async |app| {
        let (person, client) = (Person::free(&app).await, Client::public(&app).await);
        let (desk, laptop) = (
            client.connect(&app, &person, FULL_ACCESS).await,
            client.connect(&app, &person, FULL_ACCESS).await,
        );
        client.send(&app, "/oauth/token/revoke", &[("token", &desk.refresh)]).await.expect(200);
        desk.get(&app, "/v1/me").await.api_error(401, "invalid_credential");
        laptop.get(&app, "/v1/me").await.expect(200);
        let grants = identity::oauth::list(&app.app.domain, person.id).await.unwrap();
        let ended = grants.iter().filter(|grant| grant.ended.is_some()).count();
        assert_eq!((grants.len(), ended), (2, 1));
    });
}
