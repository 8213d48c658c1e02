//! Progress synchronization, called as `KOReader` calls it.

use identity::keys::{self, feed_apps::key_digest};
use kernel::Scopes;
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::feed_app::app_key_text;
use crate::support::person::Person;
use crate::support::{HttpAnswer, Setup, TestApp, World, on_each_world};

const DOCUMENT: &str = "0b229176d4e8db7f6d2b5a4952368d7a";

/// Sends a request with the headers that `KOReader` sends.
async fn send(
    app: &TestApp,
    who: (&str, &str),
    method: Method,
    path: &str,
    body: Option<Value>,
) -> HttpAnswer {
    let headers = [
        ("accept", "application/vnd.koreader.v1+json"),
        ("content-type", "application/json"),
        ("x-auth-user", who.0),
        ("x-auth-key", who.1),
    ];
    app.send(method, &format!("/kosync{path}"), &headers, body.map(|body| body.to_string())).await
}

fn progress(percentage: f64, device: &str) -> Value {
    json!({"document": DOCUMENT, "progress": "/body/DocFragment[20]/body/p[22]/img.0", "percentage": percentage,
        "device": device, "device_id": device})
}

#[test]
fn stored_position_is_returned_to_all_devices_of_the_account() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let (id, key) = app_key_text(&app, &who, Scopes::ALL).await;
        let digest = key_digest(&key);
        let (reader, path) = ((who.email.as_str(), digest.as_str()), format!("/syncs/progress/{DOCUMENT}"));
        let authorized = send(&app, reader, Method::GET, "/users/auth", None).await.expect(200).json();
        assert_eq!(authorized, json!({"authorized": "OK"}));
        let unknown = send(&app, reader, Method::GET, &path, None).await.expect(200).json();
        assert_eq!(unknown, json!({}));
        for (percentage, device) in [(0.3151, "phone"), (0.5, "reader")] {
            let body = Some(progress(percentage, device));
            let stored = send(&app, reader, Method::PUT, "/syncs/progress", body).await.expect(200).json();
            assert_eq!(stored["document"], DOCUMENT);
            let listed = send(&app, reader, Method::GET, &path, None).await.expect(200).json();
            assert_eq!(listed["percentage"], json!(percentage));
            assert_eq!((&listed["device"], &listed["timestamp"]), (&json!(device), &stored["timestamp"]));
            assert_eq!(listed["progress"], "/body/DocFragment[20]/body/p[22]/img.0");
        }
        let other = Person::free(&app).await;
        let (_, other_key) = app_key_text(&app, &other, Scopes::ALL).await;
        let stranger = (other.email.clone(), key_digest(&other_key));
        let stranger = (stranger.0.as_str(), stranger.1.as_str());
        assert_eq!(send(&app, stranger, Method::GET, &path, None).await.expect(200).json(), json!({}));
        keys::revoke(&app.app.domain, who.id, id).await.unwrap();
        send(&app, reader, Method::GET, &path, None).await.expect(401);
    });
}

#[test]
fn sign_in_requires_an_app_key_of_the_account() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let other = Person::free(&app).await;
        let (_, key) = app_key_text(&app, &who, Scopes::ALL).await;
        let (digest, password) = (key_digest(&key), key_digest("correct horse battery"));
        let key_without_access = key_digest(&who.key);
        for wrong in [
            (other.email.as_str(), digest.as_str()),
            (who.email.as_str(), password.as_str()),
            (who.email.as_str(), key_without_access.as_str()),
            (who.email.as_str(), key.as_str()),
            (who.email.as_str(), "wrong"),
        ] {
            let refused = send(&app, wrong, Method::GET, "/users/auth", None).await.expect(401).json();
            assert_eq!(refused["code"], 2001);
        }
        app.get("/kosync/users/auth").await.expect(401);
        assert_eq!(app.get("/kosync/healthcheck").await.expect(200).json(), json!({"state": "OK"}));
        let body = json!({"username": "new", "password": "x"});
        let refused = app.post("/kosync/users/create", &body).await.expect(402).json();
        assert!(refused["code"] == 2005 && refused["message"].as_str().unwrap().contains("API key"));
        let (_, reading) = app_key_text(&app, &who, Scopes::READ).await;
        let reading = key_digest(&reading);
        let reader = (who.email.as_str(), reading.as_str());
        let body = Some(progress(0.5, "phone"));
        send(&app, reader, Method::PUT, "/syncs/progress", body).await.expect(403);
    });
}

#[test]
fn invalid_position_is_refused_with_the_error_code_of_the_protocol() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let (_, key) = app_key_text(&app, &who, Scopes::ALL).await;
        let digest = key_digest(&key);
        let reader = (who.email.as_str(), digest.as_str());
        for (name, value, code) in [
            ("document", json!(null), 2004),
            ("document", json!("x".repeat(256)), 2004),
            ("percentage", json!(1.5), 2003),
            ("percentage", json!("half"), 2003),
            ("progress", json!("x".repeat(1001)), 2003),
        ] {
            let mut body = progress(0.5, "phone");
            body[name] = value;
            let refused = send(&app, reader, Method::PUT, "/syncs/progress", Some(body)).await.expect(400);
            assert_eq!(refused.json()["code"], code, "{name}");
        }
        send(&app, reader, Method::GET, "/nothing", None).await.expect(404);
        let odd = send(&app, reader, Method::GET, "/syncs/progress/a%00b", None).await.expect(200).json();
        assert_eq!(odd, json!({}));
    });
}

#[test]
fn digest_of_a_key_over_plain_http_is_refused_if_the_service_uses_https() {
    crate::support::run(async {
        let setup = Setup::on(World::Small).set("CARREL_BASE_URL", "https://carrel.example");
        let app = setup.set("CARREL_TRUSTED_PROXIES", "127.0.0.1").spawn().await;
        let who = Person::free(&app).await;
        let (_, key) = app_key_text(&app, &who, Scopes::ALL).await;
        let digest = key_digest(&key);
        for (scheme, status) in [("http", 401), ("https", 200)] {
            let headers = [
                ("host", "carrel.example"),
                ("x-forwarded-proto", scheme),
                ("x-auth-user", who.email.as_str()),
                ("x-auth-key", digest.as_str()),
            ];
            app.get_with("/kosync/users/auth", &headers).await.expect(status);
        }
    });
}
