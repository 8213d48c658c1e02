//! Token endpoint: codes, refresh tokens, client authentication, and invalid requests.

use reqwest::Method;
use serde_json::json;

use crate::support::clock::{DAY, HOUR, MINUTE};
use crate::support::oauth_clients::{
    AccessRequest, CHALLENGE, Client, Connection, FULL_ACCESS, READ_ACCESS, REDIRECT_URI, VERIFIER, post_form,
};
use crate::support::person::Person;
use crate::support::{Setup, TestApp, World, on_each_world, run};

const TOKEN: &str = "/oauth/token";

fn basic(id: &str, secret: &str) -> String {
    let pair =
        [id, secret].map(|part| url::form_urlencoded::byte_serialize(part.as_bytes()).collect::<String>());
    format!("Basic {}", data_encoding::BASE64.encode(pair.join(":").as_bytes()))
}

fn code_fields(code: &str) -> Vec<(&str, &str)> {
    vec![
        ("grant_type", "authorization_code"),
        ("code", code),
        ("code_verifier", VERIFIER),
        ("redirect_uri", REDIRECT_URI),
    ]
}

#[test]
fn code_is_exchanged_for_tokens_and_reuse_revokes_them() {
    on_each_world(async |app| {
        let (person, client) = (Person::free(&app).await, Client::public(&app).await);
        let code = client.code(&app, &person, FULL_ACCESS).await;
        let answer = client.exchange(&app, &code).await.expect(200);
        assert_eq!(
            (answer.header("cache-control"), answer.header("content-type")),
            ("no-store", "application/json")
        );
        let body = answer.json();
        let connection = Connection::of(&body);
        assert_eq!(
            (&body["token_type"], &body["expires_in"], &body["scope"]),
            (&json!("Bearer"), &json!(3600), &json!("svc:write"))
        );
        for (token, prefix) in [(&connection.access, "svo_"), (&connection.refresh, "svr_")] {
            assert!(token.starts_with(prefix) && token.len() == 4 + 43 + 6, "{prefix}");
        }
        assert_eq!(connection.get(&app, "/v1/me").await.expect(200).json()["userId"], person.id.to_string());
        client.exchange(&app, &code).await.oauth_error(400, "invalid_grant");
        connection.get(&app, "/v1/me").await.api_error(401, "invalid_credential");
        client.refresh(&app, &connection.refresh).await.oauth_error(400, "invalid_grant");
    });
}

#[test]
fn confidential_client_authenticates_with_exactly_one_method() {
    on_each_world(async |app| {
        let (person, client) = (Person::free(&app).await, Client::confidential(&app).await);
        let secret = client.secret.clone().unwrap();
        let good = basic(&client.id, &secret);
        for (headers, extra) in [
            (vec![("authorization", good.as_str())], vec![]),
            (vec![("authorization", good.as_str())], vec![("client_id", client.id.as_str())]),
            (vec![], vec![("client_id", client.id.as_str()), ("client_secret", secret.as_str())]),
        ] {
            let code = client.code(&app, &person, READ_ACCESS).await;
            let fields = [code_fields(&code), extra].concat();
            post_form(&app, TOKEN, &headers, &fields).await.expect(200);
        }
        let code = client.code(&app, &person, READ_ACCESS).await;
        let send = async |headers: &[(&str, &str)], extra: &[(&str, &str)]| {
            post_form(&app, TOKEN, headers, &[code_fields(&code).as_slice(), extra].concat()).await
        };
        let wrong = [
            basic(&client.id, "wrong"),
            basic(&client.id, ""),
            "Basic !".to_owned(),
            basic("cli_x", &secret),
        ];
        for wrong in &wrong {
            let refused = send(&[("authorization", wrong)], &[]).await;
            refused.oauth_error(401, "invalid_client");
            assert_eq!(refused.header("www-authenticate"), "Basic realm=\"carrel\"");
        }
        let (id, sent_secret) = (("client_id", client.id.as_str()), ("client_secret", secret.as_str()));
        for extra in [vec![id], vec![id, ("client_secret", "wrong")], vec![], vec![sent_secret]] {
            let refused = send(&[], &extra).await;
            refused.oauth_error(401, "invalid_client");
            assert_eq!(refused.header("www-authenticate"), "", "no challenge without Basic");
        }
        let other = Client::public(&app).await;
        send(&[("authorization", &good)], &[sent_secret]).await.oauth_error(400, "invalid_request");
        send(&[("authorization", &good)], &[("client_id", &other.id)])
            .await
            .oauth_error(400, "invalid_request");
        send(&[("authorization", &good)], &[]).await.expect(200);
    });
}

#[test]
fn public_client_with_a_secret_is_refused() {
    run(async {
        let app = TestApp::spawn().await;
        let (person, client) = (Person::free(&app).await, Client::public(&app).await);
        let code = client.code(&app, &person, READ_ACCESS).await;
        let with_secret =
            [code_fields(&code), vec![("client_id", &client.id), ("client_secret", "x")]].concat();
        post_form(&app, TOKEN, &[], &with_secret).await.oauth_error(401, "invalid_client");
        let empty = basic(&client.id, "");
        post_form(&app, TOKEN, &[("authorization", &empty)], &code_fields(&code)).await.expect(200);
    });
}

#[test]
fn failed_exchange_does_not_consume_the_code() {
    on_each_world(async |app| {
        let (person, client) = (Person::free(&app).await, Client::public(&app).await);
        let about = json!({"redirect_uris": ["http://localhost/callback"], "client_name": "Another", "token_endpoint_auth_method": "none"});
        let other = app.post("/oauth/register", &about).await.expect(201).json();
        let other = other["client_id"].as_str().unwrap().to_owned();
        let code = client.code(&app, &person, READ_ACCESS).await;
        let send = async |id: &str, verifier: Option<&str>, back: Option<&str>| {
            let mut fields = vec![("grant_type", "authorization_code"), ("client_id", id), ("code", &code)];
            fields.extend(verifier.map(|verifier| ("code_verifier", verifier)));
            fields.extend(back.map(|back| ("redirect_uri", back)));
            post_form(&app, TOKEN, &[], &fields).await
        };
        for round in 0..2 {
            for (id, verifier, back) in [
                (other.as_str(), Some(VERIFIER), Some(REDIRECT_URI)),
                (&client.id, Some(CHALLENGE), Some(REDIRECT_URI)),
                (&client.id, None, Some(REDIRECT_URI)),
                (&client.id, Some("short"), Some(REDIRECT_URI)),
                (&client.id, Some(VERIFIER), Some("http://localhost:3119/callback")),
                (&client.id, Some(VERIFIER), Some("http://localhost/callback")),
            ] {
                send(id, verifier, back).await.oauth_error(400, "invalid_grant");
            }
            if round == 0 {
                let body = send(&client.id, Some(VERIFIER), None).await.expect(200).json();
                let connection = Connection::of(&body);
                connection.get(&app, "/v1/me").await.expect(200);
            }
        }
    });
}

#[test]
fn malformed_token_requests_are_refused() {
    run(async {
        let app = TestApp::spawn().await;
        let (person, client) = (Person::free(&app).await, Client::public(&app).await);
        let code = client.code(&app, &person, READ_ACCESS).await;
        let id = ("client_id", client.id.as_str());
        let send = async |fields: &[(&str, &str)]| post_form(&app, TOKEN, &[], fields).await;
        send(&[id, ("grant_type", "password")]).await.oauth_error(400, "unsupported_grant_type");
        send(&[id, ("grant_type", "client_credentials")]).await.oauth_error(400, "unsupported_grant_type");
        send(&[id]).await.oauth_error(400, "invalid_request");
        send(&[id, ("grant_type", "authorization_code")]).await.oauth_error(400, "invalid_request");
        send(&[id, ("grant_type", "refresh_token")]).await.oauth_error(400, "invalid_request");
        let mut twice = code_fields(&code);
        twice.extend([id, id]);
        send(&twice).await.oauth_error(400, "invalid_request");
        send(&code_fields(&code)).await.oauth_error(401, "invalid_client");
        let mut foreign = code_fields(&code);
        foreign.extend([id, ("resource", "https://other.example/")]);
        send(&foreign).await.oauth_error(400, "invalid_target");
        let body = json!({"grant_type": "authorization_code", "client_id": client.id, "code": code, "code_verifier": VERIFIER});
        app.post(TOKEN, &body).await.oauth_error(400, "invalid_request");
        app.send(Method::POST, TOKEN, &[], None).await.oauth_error(400, "invalid_request");
        let long = [("grant_type", "x".repeat(17_000))];
        let long: Vec<(&str, &str)> = long.iter().map(|(name, value)| (*name, value.as_str())).collect();
        send(&long).await.oauth_error(400, "invalid_request");
        let query = format!("{TOKEN}?grant_type=authorization_code&client_id={}&code={code}", client.id);
        app.get(&query).await.expect(405);
        post_form(&app, &query, &[], &[("code_verifier", VERIFIER)])
            .await
            .oauth_error(400, "invalid_request");
        client.exchange(&app, &code).await.expect(200);
    });
}

#[test]
fn token_is_valid_only_for_its_resource() {
    on_each_world(async |app| {
        let (person, client) = (Person::free(&app).await, Client::public(&app).await);
        let (base, mcp) = (app.origin.clone(), format!("{}/mcp", app.origin));
        let upper = base.replace("http://", "HTTP://");
        for (resource, is_good) in [
            (None, true),
            (Some(base.as_str()), true),
            (Some(&format!("{upper}/")), true),
            (Some(&format!("{base}?x=y")), true),
            (Some(mcp.as_str()), false),
            (Some(&format!("{mcp}/x/core/readonly/")), false),
        ] {
            let wish = AccessRequest { scope: "svc:read", resource };
            let connection = client.connect(&app, &person, wish).await;
            let answer = connection.get(&app, "/v1/me").await;
            if is_good {
                answer.expect(200);
            } else {
                answer.api_error(401, "invalid_credential");
                assert!(answer.header("www-authenticate").contains("error=\"invalid_token\""));
            }
        }
        let whole = client.code(&app, &person, READ_ACCESS).await;
        let mut fields = code_fields(&whole);
        fields.extend([("client_id", client.id.as_str()), ("resource", &mcp)]);
        let narrowed = Connection::of(&post_form(&app, TOKEN, &[], &fields).await.expect(200).json());
        narrowed.get(&app, "/v1/me").await.api_error(401, "invalid_credential");
        let again = client.refresh(&app, &narrowed.refresh).await.expect(200).json();
        Connection::of(&again).get(&app, "/v1/me").await.expect(200);
        let narrow =
            client.code(&app, &person, AccessRequest { scope: "svc:read", resource: Some(&mcp) }).await;
        let mut fields = code_fields(&narrow);
        fields.extend([("client_id", client.id.as_str()), ("resource", &base)]);
        post_form(&app, TOKEN, &[], &fields).await.oauth_error(400, "invalid_target");
    });
}

#[test]
fn refresh_rotates_and_a_retry_within_two_minutes_is_idempotent() {
    on_each_world(async |app| {
        let (person, client) = (Person::free(&app).await, Client::public(&app).await);
        let first = client.connect(&app, &person, FULL_ACCESS).await;
        let second = Connection::of(&client.refresh(&app, &first.refresh).await.expect(200).json());
        assert_ne!(first.refresh, second.refresh);
        app.clock.advance(2 * MINUTE - 1);
        let repeated = Connection::of(&client.refresh(&app, &first.refresh).await.expect(200).json());
        assert_eq!(repeated.refresh, second.refresh);
        for connection in [&first, &second, &repeated] {
            connection.get(&app, "/v1/me").await.expect(200);
        }
        let narrow = [
            ("grant_type", "refresh_token"),
            ("refresh_token", second.refresh.as_str()),
            ("scope", "openid svc:read"),
        ];
        let narrow = client.send(&app, TOKEN, &narrow).await.expect(200).json();
        assert_eq!(narrow["scope"], "svc:read");
        let narrow = Connection::of(&narrow);
        let foreign = [
            ("grant_type", "refresh_token"),
            ("refresh_token", narrow.refresh.as_str()),
            ("scope", "openid offline_access"),
        ];
        let whole = client.send(&app, TOKEN, &foreign).await.expect(200).json();
        assert_eq!(whole["scope"], "svc:write", "unknown scopes do not narrow the token");
        let whole = Connection::of(&whole);
        let unknown = [
            ("grant_type", "refresh_token"),
            ("refresh_token", whole.refresh.as_str()),
            ("scope", "svc:all"),
        ];
        client.send(&app, TOKEN, &unknown).await.oauth_error(400, "invalid_scope");
        whole.get(&app, "/v1/me").await.expect(200);
        client.refresh(&app, &first.refresh).await.oauth_error(400, "invalid_grant");
        whole.get(&app, "/v1/me").await.api_error(401, "invalid_credential");
        client.refresh(&app, &whole.refresh).await.oauth_error(400, "invalid_grant");
    });
}

#[test]
fn refresh_cannot_widen_scope_and_needs_the_same_client() {
    on_each_world(async |app| {
        let (person, client, other) =
            (Person::free(&app).await, Client::public(&app).await, Client::confidential(&app).await);
        let connection = client.connect(&app, &person, READ_ACCESS).await;
        other.refresh(&app, &connection.refresh).await.oauth_error(400, "invalid_grant");
        let wide = [
            ("grant_type", "refresh_token"),
            ("refresh_token", connection.refresh.as_str()),
            ("scope", "svc:write"),
        ];
        client.send(&app, TOKEN, &wide).await.oauth_error(400, "invalid_scope");
        client.refresh(&app, &connection.refresh).await.expect(200);
        app.clock.advance(30 * DAY);
        client.refresh(&app, &connection.refresh).await.oauth_error(400, "invalid_grant");
    });
}

#[test]
fn failed_requests_are_limited_per_network() {
    run(async {
        let app = Setup::on(World::Small).set("CARREL_TRUSTED_PROXIES", "127.0.0.1").idle().spawn().await;
        let (person, client) = (Person::free(&app).await, Client::public(&app).await);
        let connection = client.connect(&app, &person, READ_ACCESS).await;
        let refresh = async |token: &str, address: &str| {
            let fields = [
                ("grant_type", "refresh_token"),
                ("client_id", client.id.as_str()),
                ("refresh_token", token),
            ];
            post_form(&app, TOKEN, &[("x-forwarded-for", address)], &fields).await
        };
        for _ in 0..30 {
            refresh("svr_x", "192.0.2.1").await.oauth_error(400, "invalid_grant");
        }
        let refused = refresh("svr_x", "192.0.2.1").await;
        refused.oauth_error(429, "temporarily_unavailable");
        assert_eq!(refused.header("retry-after"), "60");
        refresh("svr_x", "192.0.2.2").await.oauth_error(400, "invalid_grant");
        let body = refresh(&connection.refresh, "192.0.2.1").await.expect(200).json();
        let mut token = body["refresh_token"].as_str().unwrap().to_owned();
        for _ in 0..59 {
            let body = refresh(&token, "192.0.2.1").await.expect(200).json();
            body["refresh_token"].as_str().unwrap().clone_into(&mut token);
        }
        let refused = refresh(&token, "192.0.2.1").await;
        refused.oauth_error(429, "temporarily_unavailable");
        assert_eq!(refused.header("retry-after"), "3600");
        app.clock.advance(HOUR);
        refresh(&token, "192.0.2.1").await.expect(200);
    });
}

#[test]
fn unavailable_database_returns_503() {
    run(async {
        let app = TestApp::on(World::Large).await;
        let (person, client) = (Person::free(&app).await, Client::public(&app).await);
        let connection = client.connect(&app, &person, READ_ACCESS).await;
        app.drop_database().await;
        let refused = client.refresh(&app, &connection.refresh).await;
        refused.oauth_error(503, "temporarily_unavailable");
        assert!(refused.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0));
        let refused = connection.get(&app, "/v1/me").await.expect(503);
        assert_eq!(refused.header("www-authenticate"), "");
    });
}
