//! Concurrent use of a code or refresh token in several processes, and secrets in logs.

use std::collections::HashSet;

use serde_json::json;

use crate::support::clock::HOUR;
use crate::support::deployment::{Deployment, Web};
use crate::support::oauth_clients::{Client, Connection, FULL_ACCESS, REDIRECT_URI, VERIFIER, code};
use crate::support::person::Person;
use crate::support::{HttpAnswer, on_each_world, run};

#[test]
fn one_of_sixteen_concurrent_code_exchanges_succeeds() {
    on_each_world(async |app| {
        let (person, client) = (Person::free(&app).await, Client::public(&app).await);
        let second = app.second_front().await;
        for _ in 0..6 {
            let code = client.code(&app, &person, FULL_ACCESS).await;
            let sent =
                (0..16).map(|index| client.exchange(if index % 2 == 0 { &app } else { &second }, &code));
            let answers = futures_util::future::join_all(sent).await;
            let (won, lost): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
            assert_eq!(won.len(), 1);
            for answer in lost {
                assert!(matches!(answer.status, 400 | 429), "{}", answer.text());
            }
            let connection = Connection::of(&won[0].json());
            connection.get(&app, "/v1/me").await.api_error(401, "invalid_credential");
        }
    });
}

#[test]
fn concurrent_refreshes_return_the_same_rotated_token() {
    on_each_world(async |app| {
        let (person, client) = (Person::free(&app).await, Client::public(&app).await);
        let second = app.second_front().await;
        let mut connection = client.connect(&app, &person, FULL_ACCESS).await;
        for round in 0..100 {
            let token = connection.refresh.as_str();
            let sent =
                (0..16).map(|index| client.refresh(if index % 2 == 0 { &app } else { &second }, token));
            let answers = futures_util::future::join_all(sent).await;
            let refresh_tokens: HashSet<String> = answers
                .iter()
                .map(|answer| {
                    assert_eq!(answer.status, 200, "round {round}: {}", answer.text());
                    answer.json()["refresh_token"].as_str().unwrap().to_owned()
                })
                .collect();
            assert_eq!(refresh_tokens.len(), 1, "round {round}");
            connection = Connection::of(&answers[round % 16].json());
            // Stays within the limit of successful refreshes per hour.
            app.clock.advance(HOUR / 3);
        }
        connection.get(&app, "/v1/me").await.expect(200);
    });
}

async fn send(web: &Web, path: &str, fields: &[(&str, &str)]) -> HttpAnswer {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let request = web.client.post(format!("{}{path}", web.origin)).body(body);
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    HttpAnswer::of(request.send().await.expect("the front end answers")).await
}

#[test]
fn two_processes_share_tokens_and_log_no_secret() {
    run(async {
        let mut all = Deployment::start(1).await;
        let second = all.second_web().await;
        let (person, domain) = (all.person().await, all.domain().await);
        let about = json!({"redirect_uris": ["http://localhost/callback"]});
        let client = all.web.post("/oauth/register", &about).await.expect(201).json();
        let (id, secret) = (client["client_id"].as_str().unwrap(), client["client_secret"].as_str().unwrap());
        let own = [("client_id", id), ("client_secret", secret)];
        let code = code(&domain, person.id, id, FULL_ACCESS).await;
        let fields = [
            ("grant_type", "authorization_code"),
            ("code", code.as_str()),
            ("code_verifier", VERIFIER),
            ("redirect_uri", REDIRECT_URI),
        ];
        let fields = [fields.as_slice(), &own].concat();
        let tokens = send(&second, "/oauth/token", &fields).await.expect(200).json();
        let (access, refresh) =
            (tokens["access_token"].as_str().unwrap(), tokens["refresh_token"].as_str().unwrap());
        let fields = [("grant_type", "refresh_token"), ("refresh_token", refresh)];
        let fields = [fields.as_slice(), &own].concat();
        let sent = (0..16)
            .map(|index| send(if index % 2 == 0 { &all.web } else { &second }, "/oauth/token", &fields));
        let answers = futures_util::future::join_all(sent).await;
        let refresh_tokens: HashSet<String> = answers
            .into_iter()
            .map(|answer| answer.expect(200).json()["refresh_token"].to_string())
            .collect();
        assert_eq!(refresh_tokens.len(), 1);
        for web in [&all.web, &second] {
            let me = web.client.get(format!("{}/v1/me", web.origin)).bearer_auth(access);
            HttpAnswer::of(me.send().await.unwrap()).await.expect(200);
            for path in ["/oauth/token", "/oauth/authorize", "/oauth/none", "/v1/me"] {
                web.get(&format!(
                    "{path}?code={code}&access_token={access}&client_secret={secret}&code_verifier={VERIFIER}"
                ))
                .await;
            }
            web.get(&format!("/oauth/{refresh}")).await;
        }
        let next = refresh_tokens.into_iter().next().unwrap().replace('"', "");
        let revoked = [[("token", next.as_str())].as_slice(), &own].concat();
        send(&second, "/oauth/token/revoke", &revoked).await.expect(200);
        let me = all.web.client.get(format!("{}/v1/me", all.web.origin)).bearer_auth(access);
        HttpAnswer::of(me.send().await.unwrap()).await.expect(401);
        let logs = all.logs();
        assert!(logs.contains("/oauth/token"), "{logs}");
        for word in [code.as_str(), access, refresh, &next, secret, VERIFIER] {
            assert!(!logs.contains(word), "{logs}");
        }
    });
}
