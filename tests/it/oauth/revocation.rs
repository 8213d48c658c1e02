//! Token revocation: the response is always 200, and tokens of other clients are not affected.

use crate::support::oauth_clients::{Client, READ_ACCESS, post_form};
use crate::support::person::Person;
use crate::support::{TestApp, on_each_world, run};

const REVOKE: &str = "/oauth/token/revoke";

#[test]
fn token_is_revoked_only_by_its_client() {
    on_each_world(async |app| {
        let (person, client, other) =
            (Person::free(&app).await, Client::public(&app).await, Client::confidential(&app).await);
        let connection = client.connect(&app, &person, READ_ACCESS).await;
        let (access, refresh) = (connection.access.as_str(), connection.refresh.as_str());
        for token in [access, refresh, "svo_unknown", "nonsense"] {
            other.send(&app, REVOKE, &[("token", token)]).await.expect(200);
        }
        connection.get(&app, "/v1/me").await.expect(200);
        let wrong_hint = [("token", access), ("token_type_hint", "refresh_token")];
        client.send(&app, REVOKE, &wrong_hint).await.expect(200);
        connection.get(&app, "/v1/me").await.api_error(401, "invalid_credential");
        let again = client.refresh(&app, refresh).await.expect(200).json();
        let unknown_hint =
            [("token", again["refresh_token"].as_str().unwrap()), ("token_type_hint", "no_such_kind")];
        for _ in 0..2 {
            let answer = client.send(&app, REVOKE, &unknown_hint).await.expect(200);
            assert_eq!(answer.header("cache-control"), "no-store");
        }
        client.refresh(&app, refresh).await.oauth_error(400, "invalid_grant");
        let bearer = format!("Bearer {}", again["access_token"].as_str().unwrap());
        app.get_with("/v1/me", &[("authorization", &bearer)]).await.api_error(401, "invalid_credential");
    });
}

#[test]
fn token_can_be_revoked_without_client_authentication() {
    run(async {
        let app = TestApp::spawn().await;
        let (person, client) = (Person::free(&app).await, Client::confidential(&app).await);
        let connection = client.connect(&app, &person, READ_ACCESS).await;
        let token = ("token", connection.refresh.as_str());
        post_form(&app, REVOKE, &[], &[("client_id", &client.id), token])
            .await
            .oauth_error(401, "invalid_client");
        post_form(&app, REVOKE, &[], &[("client_id", "cli_x"), token])
            .await
            .oauth_error(401, "invalid_client");
        post_form(&app, REVOKE, &[], &[("client_id", &client.id)]).await.oauth_error(401, "invalid_client");
        post_form(&app, REVOKE, &[], &[]).await.oauth_error(400, "invalid_request");
        connection.get(&app, "/v1/me").await.expect(200);
        post_form(&app, REVOKE, &[], &[token]).await.expect(200);
        connection.get(&app, "/v1/me").await.api_error(401, "invalid_credential");
    });
}
