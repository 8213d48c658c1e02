//! Clients that publish a metadata document at their own URL and authenticate with their own key.

use data_encoding::BASE64URL_NOPAD;
use identity::oauth::Resource;
use ring::rand::SystemRandom;
use ring::signature::{Ed25519KeyPair, KeyPair};
use serde_json::{Value, json};

use super::consent::{parse_redirect, request, submit_consent};
use crate::support::browser::Browser;
use crate::support::clock::HOUR;
use crate::support::oauth_clients::{REDIRECT_URI, VERIFIER, post_form};
use crate::support::person::Person;
use crate::support::secure_site::SecureSite;
use crate::support::{HttpAnswer, Setup, TestApp, World, run};

const ASSERTION: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// Starts an app that may fetch from `site` and trusts its certificate.
async fn spawn(world: World, site: &SecureSite) -> TestApp {
    Setup::on(world)
        .set("CARREL_FETCH_ALLOW", site.fetch_allow())
        .with_trusted_root(site.root())
        .spawn()
        .await
}

async fn signed_in(app: &TestApp) -> Browser<'_> {
    let person = Person::free(app).await;
    let mut browser = Browser::new(app);
    browser.sign_in(&person.email).await;
    browser
}

/// Publishes a client metadata document at a path of the site, after `change` modified its members. Returns
/// its URL.
fn publish(site: &SecureSite, path: &str, change: impl FnOnce(&mut Value)) -> String {
    let id = site.url(path);
    let mut document = json!({
        "client_id": id,
        "client_name": "Desk",
        "redirect_uris": ["http://localhost/callback", "https://desk.example/back"],
        "token_endpoint_auth_method": "none",
    });
    change(&mut document);
    site.put(path, &document)
}

/// Signing key of a client.
struct Signer(Ed25519KeyPair);

impl Signer {
    fn new() -> Self {
        let document = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        Self(Ed25519KeyPair::from_pkcs8(document.as_ref()).unwrap())
    }

    fn keys(&self, kid: &str) -> Value {
        let x = BASE64URL_NOPAD.encode(self.0.public_key().as_ref());
        json!({"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": kid, "x": x}]})
    }

    fn sign(&self, app: &TestApp, kid: &str, client_id: &str, name: &str) -> String {
        let part = |value: Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
        let until = app.app.domain.now() / 1000 + 120;
        let audience = format!("{}/oauth/token", app.origin);
        let claims = json!({"iss": client_id, "sub": client_id, "aud": audience, "exp": until, "jti": name});
        let message = format!("{}.{}", part(json!({"alg": "EdDSA", "kid": kid})), part(claims));
        format!("{message}.{}", BASE64URL_NOPAD.encode(self.0.sign(message.as_bytes()).as_ref()))
    }
}

/// Approves the consent page as the signed-in user; returns the authorization code.
async fn authorize(browser: &mut Browser<'_>, client_id: &str) -> String {
    browser.open(&request(client_id, &[])).await.expect(200);
    let (_, parameters) = parse_redirect(&submit_consent(browser, &[("answer", "allow")]).await);
    parameters[0].1.clone()
}

async fn exchange(app: &TestApp, client_id: &str, code: &str, assertion: Option<&str>) -> HttpAnswer {
    let mut fields = vec![
        ("grant_type", "authorization_code"),
        ("client_id", client_id),
        ("code", code),
        ("code_verifier", VERIFIER),
        ("redirect_uri", REDIRECT_URI),
    ];
    if let Some(assertion) = assertion {
        fields.extend([("client_assertion_type", ASSERTION), ("client_assertion", assertion)]);
    }
    post_form(app, "/oauth/token", &[], &fields).await
}

#[test]
fn client_with_metadata_document_authenticates_with_its_key() {
    run(async {
        for world in World::ALL {
            let site = SecureSite::start().await;
            let app = spawn(world, &site).await;
            let signer = Signer::new();
            site.put("/jwks.json", &signer.keys("1"));
            let id = publish(&site, "/client.json", |document| {
                document["token_endpoint_auth_method"] = json!("private_key_jwt");
                document["jwks_uri"] = json!(site.url("/jwks.json"));
            });
            let mut browser = signed_in(&app).await;
            let back = "https://desk.example/back";
            let page = browser.open(&request(&id, &[("redirect_uri", Some(back))])).await.expect(200).text();
            assert!(page.contains("<bdi class=\"address\">desk.example</bdi>"), "{page}");
            assert!(page.contains("Information from") && page.contains("127.0.0.1"), "{page}");
            let code = authorize(&mut browser, &id).await;
            assert_eq!(
                (site.hits("/client.json"), site.hits("/jwks.json")),
                (1, 1),
                "each document is fetched once"
            );
            exchange(&app, &id, &code, None).await.oauth_error(401, "invalid_client");
            let other = Signer::new().sign(&app, "1", &id, "a");
            exchange(&app, &id, &code, Some(&other)).await.oauth_error(401, "invalid_client");
            let good = signer.sign(&app, "1", &id, "b");
            let tokens = exchange(&app, &id, &code, Some(&good)).await.expect(200).json();
            let caller = identity::credentials::Presented {
                bearer: tokens["access_token"].as_str(),
                ..identity::credentials::Presented::default()
            };
            identity::credentials::identify(&app.app.domain, caller, Resource::Api).await.unwrap();
            let code = authorize(&mut browser, &id).await;
            exchange(&app, &id, &code, Some(&good)).await.oauth_error(401, "invalid_client");
            let named = signer.sign(&app, "1", &id, "c");
            exchange(&app, "", &code, Some(&named)).await.expect(200);

            // An unknown key causes a fetch of the key set, but at most one within five minutes.
            let newer = Signer::new();
            site.put("/jwks.json", &newer.keys("2"));
            let code = authorize(&mut browser, &id).await;
            let early = newer.sign(&app, "2", &id, "d");
            exchange(&app, &id, &code, Some(&early)).await.oauth_error(401, "invalid_client");
            app.clock.advance(300_000);
            let code = authorize(&mut browser, &id).await;
            let valid = newer.sign(&app, "2", &id, "e");
            exchange(&app, &id, &code, Some(&valid)).await.expect(200);
            let unknown = newer.sign(&app, "3", &id, "f");
            let hits = site.hits("/jwks.json");
            exchange(&app, &id, &code, Some(&unknown)).await.oauth_error(401, "invalid_client");
            assert_eq!(site.hits("/jwks.json"), hits);
        }
    });
}

#[test]
fn client_that_also_lists_auth_method_none_needs_no_assertion() {
    run(async {
        let site = SecureSite::start().await;
        let app = spawn(World::Small, &site).await;
        let id = publish(&site, "/client.json", |document| {
            document["token_endpoint_auth_method"] = json!("private_key_jwt");
            document["token_endpoint_auth_methods_supported"] = json!(["none", "private_key_jwt"]);
            document["jwks"] = Signer::new().keys("1");
        });
        let mut browser = signed_in(&app).await;
        let code = authorize(&mut browser, &id).await;
        exchange(&app, &id, &code, None).await.expect(200);
        let with_secret = [
            ("client_id", id.as_str()),
            ("client_secret", "x"),
            ("grant_type", "refresh_token"),
            ("refresh_token", "x"),
        ];
        post_form(&app, "/oauth/token", &[], &with_secret).await.oauth_error(401, "invalid_client");
    });
}

#[test]
fn document_is_fetched_only_for_signed_in_people_and_cached() {
    run(async {
        for world in World::ALL {
            let site = SecureSite::start().await;
            let app = spawn(world, &site).await;
            let id = publish(&site, "/client.json", |_| {});
            let mut visitor = Browser::new(&app);
            visitor.open(&request(&id, &[])).await.expect(303);
            post_form(
                &app,
                "/oauth/token",
                &[],
                &[("client_id", &id), ("grant_type", "refresh_token"), ("refresh_token", "x")],
            )
            .await
            .oauth_error(401, "invalid_client");
            app.run_jobs().await;
            assert_eq!(site.hits("/client.json"), 0, "nothing is fetched before sign-in");
            let mut browser = signed_in(&app).await;
            for _ in 0..3 {
                browser.open(&request(&id, &[])).await.expect(200);
            }
            assert_eq!(site.hits("/client.json"), 1);
            app.clock.advance(300_001);
            site.put_with("/client.json", "500 Internal Server Error", "");
            browser.open(&request(&id, &[])).await.expect(200);
            browser.open(&request(&id, &[])).await.expect(200);
            assert_eq!(site.hits("/client.json"), 2, "the cached document is used while its source fails");
            app.clock.advance(24 * HOUR);
            assert_eq!(
                browser.open(&request(&id, &[])).await.status,
                400,
                "the cached document expires after a day"
            );
        }
    });
}

#[test]
fn all_document_errors_have_the_same_message_and_are_cached_for_a_minute() {
    run(async {
        let site = SecureSite::start().await;
        let app = spawn(World::Small, &site).await;
        let ok = "200 OK\r\ncontent-type: application/json";
        let good = publish(&site, "/good.json", |_| {});
        site.put_with("/moved.json", "302 Found\r\nlocation: /good.json", "");
        let wrong = |path: &str| {
            json!({"client_id": site.url(path), "redirect_uris": ["http://localhost/callback"]}).to_string()
        };
        site.put_with("/page.json", "200 OK\r\ncontent-type: text/html", &wrong("/page.json"));
        site.put_with(
            "/part.json",
            "206 Partial Content\r\ncontent-type: application/json",
            &wrong("/part.json"),
        );
        site.put_with("/large.json", ok, &format!("{}{}", wrong("/large.json"), " ".repeat(5 * 1024)));
        site.put_with("/other.json", ok, &wrong("/good.json"));
        site.put_with("/rubbish.json", ok, "{");
        publish(&site, "/secret.json", |document| document["client_secret"] = json!("x"));
        publish(&site, "/method.json", |document| {
            document["token_endpoint_auth_method"] = json!("client_secret_post");
        });
        publish(&site, "/away.json", |document| document["redirect_uris"] = json!(["http://example.org/"]));
        let mut messages = Vec::new();
        for path in [
            "/missing", "/moved", "/page", "/part", "/large", "/other", "/rubbish", "/secret", "/method",
            "/away",
        ] {
            let mut browser = signed_in(&app).await;
            let answer = browser.open(&request(&site.url(&format!("{path}.json")), &[])).await;
            assert_eq!((answer.status, answer.header("location")), (400, ""), "{path}");
            let text = answer.text();
            let sentence = text.split("</p><p>").nth(1).unwrap_or_default().to_owned();
            assert!(sentence.contains("could not be read or is invalid"), "{path}: {text}");
            messages.push(sentence);
        }
        assert!(
            messages.iter().all(|sentence| *sentence == messages[0]),
            "every failure has the same message"
        );
        assert_eq!(site.hits("/good.json"), 0, "no redirect is followed");
        let mut browser = signed_in(&app).await;
        assert_eq!(browser.open(&request(&site.url("/rubbish.json"), &[])).await.status, 400);
        assert_eq!(site.hits("/rubbish.json"), 1, "a failure is cached for all accounts");
        app.clock.advance(60_001);
        publish(&site, "/rubbish.json", |_| {});
        browser.open(&request(&site.url("/rubbish.json"), &[])).await.expect(200);
        browser.open(&request(&good, &[])).await.expect(200);
    });
}

#[test]
fn account_can_trigger_ten_document_fetches_per_minute() {
    run(async {
        let site = SecureSite::start().await;
        let app = spawn(World::Small, &site).await;
        let mut browser = signed_in(&app).await;
        for number in 0..10 {
            let id = publish(&site, &format!("/{number}.json"), |_| {});
            browser.open(&request(&id, &[])).await.expect(200);
        }
        let id = publish(&site, "/more.json", |_| {});
        let refused = browser.open(&request(&id, &[])).await;
        assert_eq!(refused.status, 429);
        assert!(!refused.header("retry-after").is_empty());
        assert_eq!(site.hits("/more.json"), 0);
        let mut other = signed_in(&app).await;
        other.open(&request(&id, &[])).await.expect(200);
    });
}
