//! Access tokens at the Developer API: permitted operations and refusals.

use kernel::Scopes;
use reqwest::Method;
use serde_json::json;

use crate::support::clock::HOUR;
use crate::support::oauth_clients::{Client, FULL_ACCESS, READ_ACCESS};
use crate::support::person::Person;
use crate::support::{TestApp, on_each_world, run};

fn challenge(origin: &str, error: &str, scope: &str) -> String {
    format!(
        "Bearer realm=\"carrel\", {error}resource_metadata=\"{origin}/.well-known/oauth-protected-resource\", \
         scope=\"{scope}\""
    )
}

#[test]
fn challenge_names_only_the_missing_credential_or_scope() {
    on_each_world(async |app| {
        let (person, client) = (Person::free(&app).await, Client::public(&app).await);
        let origin = app.origin.as_str();
        let token = client.connect(&app, &person, READ_ACCESS).await;
        let bearer = format!("Bearer {}", token.access);
        for (method, path) in [(Method::GET, "/v1/me"), (Method::POST, "/v1/library/items")] {
            let nothing = app.send(method.clone(), path, &[], None).await;
            nothing.api_error(401, "missing_credential");
            assert_eq!(nothing.header_lines("www-authenticate"), [challenge(origin, "", "svc:read")]);
            for bad in ["Bearer svo_x", &bearer.replace("svo_", "svr_"), &format!("Bearer {}", token.refresh)]
            {
                let refused = app.send(method.clone(), path, &[("authorization", bad)], None).await;
                refused.api_error(401, "invalid_credential");
                let line = challenge(origin, "error=\"invalid_token\", ", "svc:read");
                assert_eq!(refused.header_lines("www-authenticate"), [line]);
            }
        }
        let read_only = [("authorization", bearer.as_str())];
        let refused =
            app.post_with("/v1/library/items", &read_only, &json!({"url": "https://example.org/"})).await;
        let body = refused.api_error(403, "insufficient_scope");
        assert_eq!(body["details"], "scope=svc:write");
        let line = challenge(origin, "error=\"insufficient_scope\", ", "svc:write");
        assert_eq!(refused.header_lines("www-authenticate"), [line]);
        let refused = app.post_with("/v1/keys", &read_only, &json!({"name": "x"})).await;
        refused.api_error(403, "owner_required");
        assert_eq!(refused.header("www-authenticate"), "");
    });
}

#[test]
fn token_is_limited_to_its_scope_and_cannot_manage_keys() {
    on_each_world(async |app| {
        let (person, client) = (Person::free(&app).await, Client::public(&app).await);
        let connection = client.connect(&app, &person, FULL_ACCESS).await;
        assert_eq!(connection.scope, "svc:write");
        let bearer = format!("Bearer {}", connection.access);
        let headers = [("authorization", bearer.as_str())];
        connection.get(&app, "/v1/library/items").await.expect(200);
        let note = json!({"text": "A note of an app."});
        let made = app.post_with("/v1/library/notes", &headers, &note).await;
        assert_eq!(made.status, 201, "{}", made.text());
        app.post_with("/v1/keys", &headers, &json!({"name": "x"})).await.api_error(403, "owner_required");
        app.send(Method::DELETE, &format!("/v1/keys/{}", person.key_id), &headers, None)
            .await
            .api_error(403, "owner_required");
        app.send(Method::DELETE, "/v1/keys/self", &headers, None).await.api_error(404, "not_found");
        let by_token = connection.get(&app, "/v1/me").await.expect(200).rate_limit("minute").0;
        let by_key = person.get(&app, "/v1/me").await.expect(200).rate_limit("minute").0;
        assert_eq!(by_key, by_token - 1, "tokens and keys share the limit");
    });
}

#[test]
fn token_can_neither_read_nor_create_shares() {
    on_each_world(async |app| {
        let (person, client) = (Person::free(&app).await, Client::public(&app).await);
        let connection = client.connect(&app, &person, FULL_ACCESS).await;
        let bearer = format!("Bearer {}", connection.access);
        let headers = [("authorization", bearer.as_str())];
        for path in ["/v1/teams", "/v1/shared", "/v1/library/public-tags"] {
            connection.get(&app, path).await.api_error(403, "owner_required");
            person.get(&app, path).await.expect(200);
        }
        let link = json!({"link": "x"});
        for (path, body) in [
            ("/v1/teams", json!({"name": "Family"})),
            ("/v1/team-invitations/accept", link.clone()),
            ("/v1/library/public-tags", json!({"name": "desk"})),
        ] {
            app.post_with(path, &headers, &body).await.api_error(403, "owner_required");
        }
        let teams = person.get(&app, "/v1/teams").await.expect(200).json();
        assert_eq!(teams, json!({"teams": [], "memberships": []}));
        // A read-only key reads what is shared, and changes nothing.
        let (key, _) = person.create_key(&app, Scopes::READ, None).await;
        let key = [("x-api-key", key.as_str())];
        app.get_with("/v1/shared", &key).await.expect(200);
        app.post_with("/v1/team-invitations/accept", &key, &link).await.api_error(403, "insufficient_scope");
    });
}

#[test]
fn token_is_accepted_only_in_the_authorization_header() {
    on_each_world(async |app| {
        let (person, client) = (Person::free(&app).await, Client::public(&app).await);
        let connection = client.connect(&app, &person, READ_ACCESS).await;
        let token = connection.access.as_str();
        let query = format!("/v1/me?access_token={token}");
        app.get(&query).await.api_error(401, "invalid_credential");
        app.get_with(&query, &[("x-api-key", &person.key)]).await.api_error(401, "invalid_credential");
        app.get_with("/v1/me", &[("x-api-key", token)]).await.api_error(401, "invalid_credential");
        let both = [("authorization", format!("Bearer {token}")), ("x-api-key", person.key.clone())];
        let both: Vec<(&str, &str)> = both.iter().map(|(name, value)| (*name, value.as_str())).collect();
        app.get_with("/v1/me", &both).await.api_error(401, "conflicting_credentials");
        let url = format!("https://example.org/?t={token}");
        let (create_key, _) = person.create_key(&app, Scopes::READ, None).await;
        let refused =
            app.post_with("/v1/articles/read", &[("x-api-key", &create_key)], &json!({"url": url})).await;
        refused.api_error(400, "invalid_url");
        let read = app.read(&url, &[]).await;
        read.problem(400, "credential_in_url");
        assert!(!read.text().contains(token), "the token is not repeated in the response");
    });
}

#[test]
fn expired_and_unknown_tokens_get_the_same_answer() {
    run(async {
        let app = TestApp::spawn().await;
        let (person, client) = (Person::free(&app).await, Client::public(&app).await);
        let connection = client.connect(&app, &person, READ_ACCESS).await;
        app.clock.advance(HOUR - 1);
        connection.get(&app, "/v1/me").await.expect(200);
        app.clock.advance(1);
        let expired = connection.get(&app, "/v1/me").await;
        let unknown = app.get_with("/v1/me", &[("authorization", "Bearer svo_unknown")]).await;
        for answer in [&expired, &unknown] {
            answer.api_error(401, "invalid_credential");
        }
        assert_eq!(expired.text(), unknown.text());
        assert_eq!(expired.header("www-authenticate"), unknown.header("www-authenticate"));
    });
}

#[test]
fn revoked_grant_is_refused_from_the_next_request() {
    on_each_world(async |app| {
        let (person, client) = (Person::free(&app).await, Client::public(&app).await);
        let connection = client.connect(&app, &person, READ_ACCESS).await;
        connection.get(&app, "/v1/me").await.expect(200);
        let second = app.second_front().await;
        connection.get(&second, "/v1/me").await.expect(200);
        let grants = identity::oauth::list(&app.app.domain, person.id).await.unwrap();
        assert_eq!((grants.len(), grants[0].client_name.as_str()), (1, "Reader"));
        identity::oauth::end(&app.app.domain, person.id, grants[0].id).await.unwrap();
        for front in [&app, &second] {
            connection.get(front, "/v1/me").await.api_error(401, "invalid_credential");
            client.refresh(front, &connection.refresh).await.oauth_error(400, "invalid_grant");
        }
        let again = client.connect(&app, &person, READ_ACCESS).await;
        identity::accounts::disable(&app.app.domain, &person.email).await.unwrap();
        again.get(&app, "/v1/me").await.api_error(401, "invalid_credential");
        identity::accounts::enable(&app.app.domain, &person.email).await.unwrap();
        again.get(&app, "/v1/me").await.api_error(401, "invalid_credential");
    });
}
