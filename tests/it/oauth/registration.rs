//! Client registration: it is stateless and refuses unsafe metadata.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::oauth_clients::{Client, post_form};
use crate::support::{Setup, TestApp, World, on_each_world, run};

#[test]
fn public_client_receives_its_metadata_and_no_secret() {
    on_each_world(async |app| {
        let about = json!({
            "client_name": " Code\u{202e} Editor ",
            "redirect_uris": ["http://127.0.0.1:33418/", "https://vscode.dev/redirect"],
            "grant_types": ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
            "response_types": ["code", "token"],
            "token_endpoint_auth_method": "none",
            "application_type": "native",
            "scope": "openid svc:read things",
            "logo_uri": "https://example.org/logo.png",
            "contacts": ["a@example.org"],
            "software_id": "x",
            "no_such_member": {"a": 1},
            "client_id": "mine",
        });
        let answer = app.post("/oauth/register", &about).await.expect(201);
        assert_eq!(
            (answer.header("cache-control"), answer.header("content-type")),
            ("no-store", "application/json")
        );
        let mut registered = answer.json();
        let id = registered["client_id"].take();
        assert!(id.as_str().is_some_and(|id| id.starts_with("cli_") && id.len() <= 900), "{id}");
        let expected = json!({
            "client_id": null,
            "client_id_issued_at": app.app.domain.now() / 1000,
            "client_name": "Code Editor",
            "redirect_uris": ["http://127.0.0.1:33418/", "https://vscode.dev/redirect"],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
            "application_type": "native",
            "scope": "openid svc:read things",
            "logo_uri": "https://example.org/logo.png",
            "contacts": ["a@example.org"],
            "software_id": "x",
        });
        assert_eq!(registered, expected);
        let again = app.second_front().await.post("/oauth/register", &about).await.expect(201).json();
        assert_eq!(again["client_id"], id, "every process returns the same id");
    });
}

#[test]
fn client_without_auth_method_receives_a_secret_without_expiry() {
    run(async {
        let app = TestApp::spawn().await;
        let plain = json!({"redirect_uris": ["https://example.org/back"]});
        let registered = app.post("/oauth/register", &plain).await.expect(201).json();
        assert_eq!(registered["token_endpoint_auth_method"], "client_secret_basic");
        assert_eq!(registered["client_secret_expires_at"], 0);
        assert!(registered["client_secret"].as_str().unwrap().len() >= 43);
        assert_eq!(registered["grant_types"], json!(["authorization_code", "refresh_token"]));
        assert_eq!(registered["client_name"], "An app without a name");
        let again = app.post("/oauth/register", &plain).await.expect(201).json();
        assert_ne!(
            again["client_secret"], registered["client_secret"],
            "each registration has a secret of its own"
        );
        let public =
            json!({"redirect_uris": ["https://example.org/back"], "token_endpoint_auth_method": "none"});
        let first = app.post("/oauth/register", &public).await.expect(201).json();
        let second = app.post("/oauth/register", &public).await.expect(201).json();
        assert_eq!(
            first["client_id"], second["client_id"],
            "an app that registers at each start stays one app"
        );
        let without_refresh =
            json!({"redirect_uris": ["https://example.org/back"], "grant_types": ["authorization_code"]});
        let registered = app.post("/oauth/register", &without_refresh).await.expect(201).json();
        assert_eq!(registered["grant_types"], json!(["authorization_code"]));
    });
}

#[test]
fn invalid_redirect_uris_are_refused() {
    run(async {
        let app = TestApp::spawn().await;
        let refuse = async |uris: Value| {
            let about = json!({"redirect_uris": uris, "token_endpoint_auth_method": "none"});
            app.post("/oauth/register", &about).await.oauth_error(400, "invalid_redirect_uri");
        };
        let schemes = "javascript data vbscript file blob filesystem about view-source ftp ws wss mailto tel sms intent \
            android-app jar shell search search-ms ms-settings chrome chrome-extension edge moz-extension resource res \
            mhtml its mk ldap smb ssh telnet magnet JavaScript";
        for scheme in schemes.split_whitespace() {
            refuse(json!([format!("{scheme}:x")])).await;
            refuse(json!(["https://example.org/", format!("{scheme}://x/y")])).await;
        }
        for uri in [
            "http://example.org/back",
            "http://localhost.evil.example/back",
            "http://127.0.0.2/back",
            "https://example.org/#x",
            "https://user@example.org/",
            "https://*.example.org/",
            "https://example.org/a b",
            "https://example.org/\u{7}",
            "https://ex\u{e4}mple.org/",
            "/callback",
            "callback",
            "x:y",
            "app:",
            "1app://x",
            "",
        ] {
            refuse(json!([uri])).await;
        }
        refuse(json!([format!("https://example.org/{}", "a".repeat(2000))])).await;
        refuse(json!([format!("{}/oauth/authorize", app.origin)])).await;
        refuse(json!([])).await;
        refuse(json!(null)).await;
        refuse(json!("https://example.org/")).await;
        refuse(json!([1])).await;
        refuse(json!(vec!["https://example.org/"; 21])).await;
    });
}

#[test]
fn invalid_client_metadata_is_refused() {
    run(async {
        let app = TestApp::spawn().await;
        for (name, value) in [
            ("token_endpoint_auth_method", json!("private_key_jwt")),
            ("token_endpoint_auth_method", json!(1)),
            ("grant_types", json!(["implicit"])),
            ("grant_types", json!("authorization_code")),
            ("response_types", json!(["token"])),
            ("client_name", json!(["x"])),
        ] {
            let mut about = json!({"redirect_uris": ["https://example.org/"]});
            about[name] = value.clone();
            let answer = app.post("/oauth/register", &about).await;
            answer.oauth_error(400, "invalid_client_metadata");
            assert!(!answer.text().contains(&value.to_string()), "sent values are not repeated");
        }
        let uris: Vec<String> =
            (0..20).map(|n| format!("https://example.org/{n}/{}", "a".repeat(60))).collect();
        app.post("/oauth/register", &json!({"redirect_uris": uris}))
            .await
            .oauth_error(400, "invalid_client_metadata");
        let long = json!({"redirect_uris": ["https://example.org/"], "x": "a".repeat(16 * 1024)});
        app.post("/oauth/register", &long).await.oauth_error(400, "invalid_client_metadata");
        app.post("/oauth/register", &json!([])).await.oauth_error(400, "invalid_client_metadata");
        let fields = [("redirect_uris", "https://example.org/")];
        post_form(&app, "/oauth/register", &[], &fields).await.oauth_error(400, "invalid_client_metadata");
    });
}

#[test]
fn registrations_are_limited_per_network() {
    run(async {
        let app = Setup::on(World::Small).set("CARREL_TRUSTED_PROXIES", "127.0.0.1").idle().spawn().await;
        let about = json!({"redirect_uris": ["https://example.org/"]}).to_string();
        let from = async |address: &str| {
            let headers = [("x-forwarded-for", address), ("content-type", "application/json")];
            app.send(Method::POST, "/oauth/register", &headers, Some(about.clone())).await
        };
        for _ in 0..300 {
            from("192.0.2.1").await.expect(201);
        }
        let refused = from("192.0.2.1").await;
        refused.oauth_error(429, "temporarily_unavailable");
        assert_eq!(refused.header("retry-after"), "60");
        from("192.0.2.2").await.expect(201);
    });
}

#[test]
fn modified_client_id_is_refused() {
    run(async {
        let app = TestApp::spawn().await;
        let id = Client::public(&app).await.id;
        let changed = id.replace("cli_ey", "cli_fy");
        assert_ne!(changed, id);
        for id in [changed.as_str(), "cli_", "cli_AAAA", "nobody", "\u{1f600}", &"a".repeat(5000)] {
            let fields = [("grant_type", "refresh_token"), ("client_id", id), ("refresh_token", "x")];
            post_form(&app, "/oauth/token", &[], &fields).await.oauth_error(401, "invalid_client");
        }
    });
}
