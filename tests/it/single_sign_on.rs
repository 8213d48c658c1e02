//! Single sign-on at an OpenID provider, against a stub provider on loopback: connection of accounts, sign-up, and
//! refused responses and tokens.

use std::collections::HashMap;

use data_encoding::{BASE64, BASE64URL_NOPAD};
use entities::passkey;
use identity::accounts;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use sea_orm::{ActiveModelTrait, ActiveValue::Set};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use url::Url;

use crate::notices::{add_webhook, deliver_due_notices};
use crate::people_second_factor::{next_code, set_up_without_pages};
use crate::support::browser::{Browser, between};
use crate::support::clock::{HOUR, MINUTE, SECOND};
use crate::support::person::{PASSWORD, Person};
use crate::support::{HttpAnswer, Reply, Setup, Site, TestApp, World, run, secret_scan};

const PAGE: &str = "/settings/oidc";
const SIGN_IN: &str = "/sign-in/oidc";
const CLIENT_SECRET: &str = "hush hush:secret";

/// Stub of a provider, with one key.
struct Provider {
    site: Site,
    random: SystemRandom,
    key: EcdsaKeyPair,
    key_id: &'static str,
}

/// Sign-in that the app has started: the parameters of its request to the provider.
struct Started(HashMap<String, String>);

impl Started {
    #[track_caller]
    fn of(answer: &HttpAnswer) -> Self {
        let address = Url::parse(answer.header("location")).unwrap();
        assert_eq!(address.path(), "/authorize", "{address}");
        Self(address.query_pairs().into_owned().collect())
    }

    fn callback(&self) -> String {
        format!("/sign-in/oidc/callback?state={}&code=c0de-of-a-person", self.0["state"])
    }
}

fn new_key() -> EcdsaKeyPair {
    let random = SystemRandom::new();
    let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
    EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random).unwrap()
}

fn part(value: &Value) -> String {
    BASE64URL_NOPAD.encode(value.to_string().as_bytes())
}

fn json_reply(value: &Value) -> Reply {
    Reply::bytes("application/json", value.to_string().into_bytes())
}

impl Provider {
    fn start() -> Self {
        let provider =
            Self { site: Site::start(), random: SystemRandom::new(), key: new_key(), key_id: "first" };
        provider.publish(&json!({}));
        provider.publish_key();
        provider
    }

    fn issuer(&self) -> String {
        self.site.url("")
    }

    /// Publishes the metadata with these changes.
    fn publish(&self, changes: &Value) {
        let mut metadata = json!({
            "issuer": self.issuer(),
            "authorization_endpoint": self.site.url("/authorize"),
            "token_endpoint": self.site.url("/token"),
            "userinfo_endpoint": self.site.url("/userinfo"),
            "jwks_uri": self.site.url("/keys"),
        });
        for (name, value) in changes.as_object().unwrap() {
            metadata[name] = value.clone();
        }
        self.site.put("/.well-known/openid-configuration", json_reply(&metadata));
    }

    fn publish_key(&self) {
        let (x, y) = self.key.public_key().as_ref()[1..].split_at(32);
        let [x, y] = [x, y].map(|half| BASE64URL_NOPAD.encode(half));
        let key = json!({"kty": "EC", "crv": "P-256", "kid": self.key_id, "use": "sig", "x": x, "y": y});
        self.site.put("/keys", json_reply(&json!({"keys": [key]})));
    }

    fn claims(&self, app: &TestApp, started: &Started) -> Value {
        let now = app.app.domain.now() / 1000;
        json!({
            "iss": self.issuer(), "sub": "248289761001", "aud": "carrel", "exp": now + 300, "iat": now,
            "nonce": started.0["nonce"], "email": "ada@example.net", "email_verified": true,
        })
    }

    fn sign(&self, header: &Value, claims: &Value) -> String {
        let message = format!("{}.{}", part(header), part(claims));
        let signature = self.key.sign(&self.random, message.as_bytes()).unwrap();
        format!("{message}.{}", BASE64URL_NOPAD.encode(signature.as_ref()))
    }

    fn put_token(&self, token: &str) {
        secret_scan::record_secret(token);
        let body = json!({"access_token": "access-token-of-ada", "token_type": "Bearer", "id_token": token});
        self.site.put("/token", json_reply(&body));
    }

    /// Makes the token endpoint return a signed ID token whose claims have these changes.
    fn authenticate(&self, app: &TestApp, started: &Started, changes: &Value) {
        let mut claims = self.claims(app, started);
        for (name, value) in changes.as_object().unwrap() {
            claims[name] = value.clone();
        }
        let token = self.sign(&json!({"alg": "ES256", "kid": self.key_id}), &claims);
        self.put_token(&token);
    }

    fn setup(&self, world: World) -> Setup {
        Setup::on(world)
            .set("CARREL_READER_LIMITS", "off")
            .set("CARREL_OIDC_ISSUER", self.issuer())
            .set("CARREL_OIDC_CLIENT_ID", "carrel")
            .set("CARREL_OIDC_CLIENT_SECRET", CLIENT_SECRET)
            .set("CARREL_OIDC_NAME", "Family")
    }
}

async fn begin(browser: &mut Browser<'_>) -> Started {
    Started::of(&browser.open(SIGN_IN).await.expect(303))
}

/// Signs in at the provider as a person whose claims have these changes.
async fn sign_in(
    app: &TestApp,
    provider: &Provider,
    browser: &mut Browser<'_>,
    changes: &Value,
) -> HttpAnswer {
    let started = begin(browser).await;
    provider.authenticate(app, &started, changes);
    browser.open(&started.callback()).await
}

/// Connects the account of a signed-in browser with a person of the provider.
async fn connect(
    app: &TestApp,
    provider: &Provider,
    browser: &mut Browser<'_>,
    changes: &Value,
) -> HttpAnswer {
    browser.open(PAGE).await.expect(200);
    let started = Started::of(&browser.submit(PAGE, &[("current", PASSWORD)]).await.expect(303));
    provider.authenticate(app, &started, changes);
    browser.open(&started.callback()).await
}

#[test]
fn connected_person_signs_in_without_a_password() {
    run(async {
        for world in World::ALL {
            let provider = Provider::start();
            let app = provider.setup(world).spawn().await;
            let person = Person::free(&app).await;
            let mut browser = Browser::signed_in(&app, &person).await;
            assert!(browser.open("/settings").await.expect(200).text().contains(PAGE));
            browser.open(PAGE).await.expect(200);
            let refused = browser.submit(PAGE, &[("current", "another password")]).await.expect(422).text();
            assert!(refused.contains("This is not your current password."), "{refused}");
            let connected = connect(&app, &provider, &mut browser, &json!({})).await.expect(303);
            assert_eq!(connected.header("location"), "/settings/oidc?connected");
            let page = browser.follow(&connected).await;
            assert!(page.contains("action=\"/settings/oidc/disconnect\""), "{page}");
            assert!(page.contains("Connected as") && page.contains("ada@example.net"), "{page}");

            let mut phone = Browser::new(&app);
            assert!(phone.open("/sign-in").await.expect(200).text().contains("href=\"/sign-in/oidc\""));
            let started = phone.open("/sign-in/oidc?next=%2Fsettings").await.expect(303);
            let started = Started::of(&started);
            provider.authenticate(&app, &started, &json!({}));
            let opened = phone.open(&started.callback()).await.expect(303);
            assert_eq!(opened.header("location"), "/settings");
            assert!(phone.open("/settings").await.expect(200).text().contains(&person.email));
            check_token_request(&provider, &started, &app);

            browser.open(PAGE).await.expect(200);
            browser.submit("/settings/oidc/disconnect", &[]).await.expect(303);
            let mut late = Browser::new(&app);
            let page = sign_in(&app, &provider, &mut late, &json!({})).await.expect(422).text();
            assert!(page.contains("No account is connected to this sign-in."), "{page}");
            assert!(late.session().is_none());
        }
    });
}

/// Checks the last token request: the client's credentials, and PKCE.
fn check_token_request(provider: &Provider, started: &Started, app: &TestApp) {
    let requests = provider.site.requests();
    let request = requests.iter().rev().find(|request| request.path == "/token").unwrap();
    let form: HashMap<String, String> =
        url::form_urlencoded::parse(request.body.as_bytes()).into_owned().collect();
    let challenge = BASE64URL_NOPAD.encode(&Sha256::digest(form["code_verifier"].as_bytes()));
    assert_eq!(challenge, started.0["code_challenge"]);
    assert_eq!(started.0["code_challenge_method"], "S256");
    assert_eq!(started.0["scope"], "openid email");
    assert_eq!(form["redirect_uri"], format!("{}/sign-in/oidc/callback", app.origin));
    assert_eq!(form["redirect_uri"], started.0["redirect_uri"]);
    assert_eq!(form["code"], "c0de-of-a-person");
    assert!(!request.body.contains("secret"), "{}", request.body);
    let credentials = BASE64.encode(b"carrel:hush+hush%3Asecret");
    assert_eq!(request.headers["authorization"], format!("Basic {credentials}"));
}

#[test]
fn unknown_person_gets_an_account_if_the_operator_allows_it() {
    run(async {
        for world in World::ALL {
            let provider = Provider::start();
            let setup = provider.setup(world).set("CARREL_OIDC_SIGN_UP", "on").set("CARREL_SIGNUP", "closed");
            let app = setup.spawn().await;
            let existing = Person::free(&app).await;
            let mut browser = Browser::new(&app);
            for (changes, reason) in [
                (json!({"email_verified": false}), "did not confirm an e-mail address"),
                (json!({"email": "not an address"}), "did not confirm an e-mail address"),
                (json!({"email": existing.email}), "Your e-mail address already has an account."),
            ] {
                let page = sign_in(&app, &provider, &mut browser, &changes).await.expect(422).text();
                assert!(page.contains(reason) && browser.session().is_none(), "{page}");
            }
            let created = sign_in(&app, &provider, &mut browser, &json!({})).await.expect(303);
            assert_eq!(created.header("location"), "/welcome");
            let page = browser.open("/settings").await.expect(200).text();
            assert!(
                page.contains("ada@example.net") && page.contains("This account has no password."),
                "{page}"
            );
            browser.open(PAGE).await.expect(200);
            let page = browser.submit("/settings/oidc/disconnect", &[]).await.expect(422).text();
            assert!(page.contains("This is your only way to sign in."), "{page}");
            browser.open("/settings").await.expect(200);
            browser.submit("/settings/password", &[("current", ""), ("new", PASSWORD)]).await.expect(422);

            let mut other = Browser::new(&app);
            other.open("/sign-in").await.expect(200);
            for password in ["", "any other password"] {
                let fields = [("email", "ada@example.net"), ("password", password)];
                other.submit("/sign-in", &fields).await.expect(422);
            }
            let changed = json!({"email": "ada.new@example.net"});
            sign_in(&app, &provider, &mut other, &changed).await.expect(303);
            let page = other.open("/settings").await.expect(200).text();
            assert!(page.contains("ada@example.net"), "the subject identifies the account: {page}");
        }
    });
}

#[test]
fn first_password_retains_the_connection_and_a_reset_disconnects_it() {
    run(async {
        let provider = Provider::start();
        let app = provider.setup(World::Small).set("CARREL_OIDC_SIGN_UP", "on").spawn().await;
        let mut browser = Browser::new(&app);
        sign_in(&app, &provider, &mut browser, &json!({})).await.expect(303);
        for (password, status) in [(PASSWORD, 303), ("another fine password", 422)] {
            let link = accounts::create_reset(&app.app.domain, "ada@example.net").await.unwrap();
            let mut fresh = Browser::new(&app);
            fresh.open(&format!("/reset?link={}", link.expose())).await.expect(200);
            let fields = [("link", link.expose()), ("new", password)];
            fresh.submit("/reset", &fields).await.expect(200);
            let answer = sign_in(&app, &provider, &mut fresh, &json!({})).await.expect(status);
            let has_account = answer.text().contains("Your e-mail address already has an account.");
            assert_eq!(has_account, status == 422, "{}", answer.text());
        }
    });
}

#[test]
fn userinfo_endpoint_must_name_the_person_of_the_id_token() {
    run(async {
        let provider = Provider::start();
        let app = provider.setup(World::Small).set("CARREL_OIDC_SIGN_UP", "on").spawn().await;
        let without_email = || json!({"email": null});
        let mut browser = Browser::new(&app);
        let info = json!({"sub": "another", "email": "ada@example.net", "email_verified": true});
        provider.site.put("/userinfo", json_reply(&info));
        sign_in(&app, &provider, &mut browser, &without_email()).await.expect(422);
        let info = json!({"sub": "248289761001", "email": "ada@example.net", "email_verified": true});
        provider.site.put("/userinfo", json_reply(&info));
        sign_in(&app, &provider, &mut browser, &without_email()).await.expect(303);
        let requests = provider.site.requests();
        let request = requests.iter().rev().find(|request| request.path == "/userinfo").unwrap();
        assert_eq!(request.headers["authorization"], "Bearer access-token-of-ada");
        assert!(browser.open("/settings").await.expect(200).text().contains("ada@example.net"));
        provider.site.put("/userinfo", Reply::status(500));
        let mut known = Browser::new(&app);
        sign_in(&app, &provider, &mut known, &without_email()).await.expect(303);
    });
}

#[test]
fn responses_of_other_sign_ins_are_refused() {
    run(async {
        for world in World::ALL {
            let provider = Provider::start();
            let app = provider.setup(world).spawn().await;
            let person = Person::free(&app).await;
            let mut owner = Browser::signed_in(&app, &person).await;
            connect(&app, &provider, &mut owner, &json!({})).await.expect(303);
            let requests = provider.site.hits("/token");

            let mut browser = Browser::new(&app);
            let started = begin(&mut browser).await;
            provider.authenticate(&app, &started, &json!({}));
            let mut other = Browser::new(&app);
            other.open(&started.callback()).await.expect(422);
            begin(&mut other).await;
            let page = other.open(&started.callback()).await.expect(422).text();
            assert!(page.contains("started in another tab or browser"), "{page}");
            let wrong = started.callback().replace("state=", "state=x");
            browser.open(&wrong).await.expect(422);
            browser.open("/sign-in/oidc/callback").await.expect(422);
            assert_eq!(provider.site.hits("/token"), requests, "no code is exchanged");

            let cookies = browser.cookies.clone();
            browser.open(&started.callback()).await.expect(303);
            let mut replay = Browser::new(&app);
            replay.cookies = cookies;
            replay.open(&started.callback()).await.expect(422);
            assert_eq!(provider.site.hits("/token"), requests + 1, "a code is exchanged one time");
            assert!(replay.session().is_none());

            let mut late = Browser::new(&app);
            let started = begin(&mut late).await;
            provider.authenticate(&app, &started, &json!({}));
            app.clock.advance(10 * MINUTE);
            late.open(&started.callback()).await.expect(422);
        }
    });
}

#[test]
fn only_callbacks_with_a_valid_state_count_towards_the_network_limit() {
    run(async {
        let provider = Provider::start();
        let app = provider.setup(World::Small).spawn().await;
        let person = Person::free(&app).await;
        let mut owner = Browser::signed_in(&app, &person).await;
        connect(&app, &provider, &mut owner, &json!({})).await.expect(303);
        let mut browser = Browser::new(&app);
        for _ in 0..=50 {
            browser.open("/sign-in/oidc/callback?state=a&code=b").await.expect(422);
        }
        for _ in 0..50 {
            sign_in(&app, &provider, &mut browser, &json!({"sub": "nobody"})).await.expect(422);
        }
        let requests = provider.site.hits("/token");
        let refused = sign_in(&app, &provider, &mut browser, &json!({})).await.expect(429);
        assert!(refused.text().contains("Too many sign-ins were refused."), "{}", refused.text());
        assert_eq!(provider.site.hits("/token"), requests);
        app.clock.advance(30 * MINUTE);
        sign_in(&app, &provider, &mut browser, &json!({})).await.expect(303);
    });
}

#[test]
fn refusals_of_the_provider_are_explained() {
    run(async {
        let provider = Provider::start();
        let app = provider.setup(World::Small).spawn().await;
        let person = Person::free(&app).await;
        let mut owner = Browser::signed_in(&app, &person).await;
        connect(&app, &provider, &mut owner, &json!({})).await.expect(303);
        let mut browser = Browser::new(&app);

        let started = begin(&mut browser).await;
        let denied = format!("/sign-in/oidc/callback?state={}&error=access_denied", started.0["state"]);
        let page = browser.open(&denied).await.expect(422).text();
        assert!(
            page.contains("the sign-in was cancelled there") && page.contains("href=\"/sign-in/oidc\""),
            "{page}"
        );

        for (issuer, status) in [("https://evil.example", 422), (provider.issuer().as_str(), 303)] {
            let mut browser = Browser::new(&app);
            let started = begin(&mut browser).await;
            provider.authenticate(&app, &started, &json!({}));
            let issuer: String = url::form_urlencoded::byte_serialize(issuer.as_bytes()).collect();
            browser.open(&format!("{}&iss={issuer}", started.callback())).await.expect(status);
        }

        for (reply, status) in [
            (json_reply(&json!({"error": "invalid_grant"})).with_status(400), 422),
            (Reply::status(500), 503),
            (Reply::redirect(&provider.site.url("/other")), 503),
            (Reply::bytes("application/json", vec![b' '; 300 << 10]), 503),
            (json_reply(&json!({"access_token": "access-token-of-ada"})), 422),
        ] {
            let started = begin(&mut browser).await;
            provider.site.put("/token", reply);
            browser.open(&started.callback()).await.expect(status);
            assert!(browser.session().is_none());
        }
        assert_eq!(provider.site.hits("/other"), 0, "no redirect is followed");

        let away = browser.open("/sign-in/oidc?next=https%3A%2F%2Fevil.example%2F").await.expect(303);
        let started = Started::of(&away);
        provider.authenticate(&app, &started, &json!({}));
        let opened = browser.open(&started.callback()).await.expect(303);
        assert_eq!(opened.header("location"), "/today");
    });
}

#[test]
fn invalid_id_tokens_are_refused() {
    run(async {
        let provider = Provider::start();
        let app = provider.setup(World::Small).spawn().await;
        let person = Person::free(&app).await;
        let mut owner = Browser::signed_in(&app, &person).await;
        connect(&app, &provider, &mut owner, &json!({})).await.expect(303);
        let now = app.app.domain.now() / 1000;
        let mut browser = Browser::new(&app);
        for changes in [
            json!({"iss": "https://id.example.org"}),
            json!({"aud": "another"}),
            json!({"aud": ["carrel", "another"]}),
            json!({"azp": "another"}),
            json!({"exp": now - 60}),
            json!({"iat": now + 600}),
            json!({"nonce": "another"}),
            json!({"nonce": null}),
            json!({"sub": ""}),
        ] {
            sign_in(&app, &provider, &mut browser, &changes).await.expect(422);
            assert!(browser.session().is_none(), "{changes}");
        }
        let stranger = Provider { key: new_key(), ..Provider::start() };
        for header in [
            json!({"alg": "none"}),
            json!({"alg": "HS256", "kid": "first"}),
            json!({"alg": "ES256", "kid": "first"}),
            json!({"alg": "ES256", "kid": "unknown"}),
        ] {
            let started = begin(&mut browser).await;
            let token = stranger.sign(&header, &provider.claims(&app, &started));
            let unsigned = token.rsplit_once('.').unwrap().0;
            provider.put_token(if header["alg"] == "none" { unsigned } else { &token });
            browser.open(&started.callback()).await.expect(422);
            assert!(browser.session().is_none(), "{header}");
        }
        sign_in(&app, &provider, &mut browser, &json!({})).await.expect(303);
    });
}

#[test]
fn new_key_of_the_provider_is_fetched_at_a_limited_rate() {
    run(async {
        let mut provider = Provider::start();
        let app = provider.setup(World::Small).spawn().await;
        let person = Person::free(&app).await;
        let mut owner = Browser::signed_in(&app, &person).await;
        connect(&app, &provider, &mut owner, &json!({})).await.expect(303);
        assert_eq!(provider.site.hits("/keys"), 1);
        (provider.key, provider.key_id) = (new_key(), "second");
        provider.publish_key();
        let mut browser = Browser::new(&app);
        for _ in 0..2 {
            sign_in(&app, &provider, &mut browser, &json!({})).await.expect(422);
        }
        assert_eq!(provider.site.hits("/keys"), 1, "the keys were fetched a moment ago");
        app.clock.advance(MINUTE);
        sign_in(&app, &provider, &mut browser, &json!({})).await.expect(303);
        assert_eq!(provider.site.hits("/keys"), 2);
    });
}

#[test]
fn second_factor_is_required_after_single_sign_on() {
    run(async {
        for world in World::ALL {
            let provider = Provider::start();
            let app = provider.setup(world).spawn().await;
            let person = Person::free(&app).await;
            let mut owner = Browser::signed_in(&app, &person).await;
            connect(&app, &provider, &mut owner, &json!({})).await.expect(303);
            let authenticator = set_up_without_pages(&app, &person).await;
            let mut browser = Browser::new(&app);
            let answer = sign_in(&app, &provider, &mut browser, &json!({})).await.expect(303);
            assert_eq!(answer.header("location"), "/sign-in/code");
            assert!(browser.session().is_none());
            browser.follow(&answer).await;
            let code = next_code(&app, &authenticator);
            browser.submit("/sign-in/code", &[("code", &code)]).await.expect(303);
            assert!(browser.session().is_some());

            owner.open(PAGE).await.expect(200);
            owner.submit("/settings/oidc/disconnect", &[]).await.expect(303);
            owner.open(PAGE).await.expect(200);
            owner.submit(PAGE, &[("current", PASSWORD)]).await.expect(422);
        }
    });
}

#[test]
fn person_of_the_provider_is_connected_to_one_account() {
    run(async {
        for world in World::ALL {
            let provider = Provider::start();
            let app = provider.setup(world).spawn().await;
            let (ada, ben) = (Person::free(&app).await, Person::free(&app).await);
            let mut first = Browser::signed_in(&app, &ada).await;
            connect(&app, &provider, &mut first, &json!({})).await.expect(303);
            let mut second = Browser::signed_in(&app, &ben).await;
            let page = connect(&app, &provider, &mut second, &json!({})).await.expect(422).text();
            assert!(page.contains("connected to another account"), "{page}");

            // The response arrives in the session of another account.
            second.open(PAGE).await.expect(200);
            let started = Started::of(&second.submit(PAGE, &[("current", PASSWORD)]).await.expect(303));
            provider.authenticate(&app, &started, &json!({"sub": "ben"}));
            let flow = second.cookies.iter().find(|(name, _)| name == "carrel_oidc").unwrap().clone();
            first.cookies.push(flow);
            first.open(&started.callback()).await.expect(422);

            connect(&app, &provider, &mut second, &json!({"sub": "ben"})).await.expect(303);
            accounts::disable(&app.app.domain, &ben.email).await.unwrap();
            let mut browser = Browser::new(&app);
            let page =
                sign_in(&app, &provider, &mut browser, &json!({"sub": "ben"})).await.expect(422).text();
            assert!(page.contains("The sign-in was refused.") && browser.session().is_none(), "{page}");
            accounts::delete_by_email(&app.app.domain, &ben.email).await.unwrap();
            let page =
                sign_in(&app, &provider, &mut browser, &json!({"sub": "ben"})).await.expect(422).text();
            assert!(page.contains("No account is connected to this sign-in."), "{page}");
        }
    });
}

#[test]
fn password_change_with_revocation_disconnects_the_account() {
    run(async {
        let provider = Provider::start();
        let app = provider.setup(World::Small).spawn().await;
        let person = Person::free(&app).await;
        let mut owner = Browser::signed_in(&app, &person).await;
        connect(&app, &provider, &mut owner, &json!({})).await.expect(303);
        let mut browser = Browser::new(&app);
        owner.open("/settings").await.expect(200);
        let change = [("current", PASSWORD), ("new", "another fine password")];
        owner.submit("/settings/password", &change).await.expect(303);
        sign_in(&app, &provider, &mut browser, &json!({})).await.expect(303);
        owner.open("/settings").await.expect(200);
        let change = [("current", "another fine password"), ("new", PASSWORD), ("endAccess", "on")];
        owner.submit("/settings/password", &change).await.expect(303);
        let mut browser = Browser::new(&app);
        sign_in(&app, &provider, &mut browser, &json!({})).await.expect(422);
    });
}

#[test]
fn password_change_cancels_a_pending_provider_connection() {
    run(async {
        for world in World::ALL {
            let provider = Provider::start();
            let app = provider.setup(world).spawn().await;
            let person = Person::free(&app).await;
            let mut browser = Browser::signed_in(&app, &person).await;
            browser.open(PAGE).await.expect(200);
            let started = Started::of(&browser.submit(PAGE, &[("current", PASSWORD)]).await.expect(303));
            provider.authenticate(&app, &started, &json!({}));
            app.clock.advance(MINUTE);
            // The browser gets a new session.
            browser.open("/settings").await.expect(200);
            let change = [("current", PASSWORD), ("new", "another fine password"), ("endAccess", "on")];
            browser.submit("/settings/password", &change).await.expect(303);
            browser.open(&started.callback()).await.expect(422);
            sign_in(&app, &provider, &mut Browser::new(&app), &json!({})).await.expect(422);
        }
    });
}

#[test]
fn connection_and_disconnection_are_reported_to_the_channels_of_the_account() {
    run(async {
        for world in World::ALL {
            let provider = Provider::start();
            let app = provider.setup(world).spawn().await;
            let person = Person::free(&app).await;
            let mut browser = Browser::signed_in(&app, &person).await;
            let hook = app.site.put("/hook", Reply::status(204));
            add_webhook(&mut browser, &hook).await;
            for _ in 0..2 {
                connect(&app, &provider, &mut browser, &json!({})).await.expect(303);
            }
            for _ in 0..2 {
                browser.open("/settings").await.expect(200);
                browser.submit("/settings/oidc/disconnect", &[]).await.expect(303);
            }
            for _ in 0..2 {
                deliver_due_notices(&app).await;
            }
            let sent = app.site.requests().into_iter().filter(|seen| seen.path == "/hook");
            let events: Vec<Value> = sent.map(|seen| serde_json::from_str(&seen.body).unwrap()).collect();
            let titles: Vec<&Value> = events.iter().map(|event| &event["data"]["title"]).collect();
            let connected = "Single sign-on was connected to your account";
            let disconnected = "Single sign-on was disconnected from your account";
            assert_eq!(titles.len(), 2, "{titles:?}");
            assert!([connected, disconnected].iter().all(|title| titles.iter().any(|sent| *sent == title)));
        }
    });
}

#[test]
fn unusable_provider_is_reported_and_other_sign_ins_work() {
    run(async {
        let provider = Provider::start();
        provider.publish(&json!({"issuer": "https://id.example.org"}));
        let app = provider.setup(World::Small).spawn().await;
        let mut browser = Browser::new(&app);
        for _ in 0..3 {
            let page = browser.open(SIGN_IN).await.expect(503).text();
            assert!(page.contains("The provider does not answer as expected."), "{page}");
        }
        assert_eq!(provider.site.hits("/.well-known/openid-configuration"), 1, "failures are not repeated");
        let person = Person::free(&app).await;
        browser.sign_in(&person.email).await;
        browser.choose_language("de").await;
        assert!(browser.open(PAGE).await.expect(200).text().contains("Family verbinden"));
        let page = browser.submit(PAGE, &[("current", PASSWORD)]).await.expect(503).text();
        assert!(page.contains("Der Anbieter antwortet nicht wie erwartet."), "{page}");

        let app = TestApp::spawn().await;
        let mut browser = Browser::new(&app);
        assert!(!browser.open("/sign-in").await.expect(200).text().contains(SIGN_IN));
        browser.open(SIGN_IN).await.expect(404);
        browser.open("/sign-in/oidc/callback?state=a&code=b").await.expect(404);
    });
}

#[test]
fn label_of_a_connection_is_requested_and_replaced_at_the_next_sign_in() {
    run(async {
        for world in World::ALL {
            let provider = Provider::start();
            let app = provider.setup(world).spawn().await;
            let person = Person::free(&app).await;
            let mut browser = Browser::signed_in(&app, &person).await;
            let info = json!({"sub": "248289761001", "preferred_username": "<b>ada</b>"});
            provider.site.put("/userinfo", json_reply(&info));
            connect(&app, &provider, &mut browser, &json!({"email": null})).await.expect(303);
            assert!(browser.open(PAGE).await.expect(200).text().contains("&lt;b&gt;ada&lt;/b&gt;"));
            let requests = provider.site.hits("/userinfo");
            for (email, label) in [(json!("ada.new@example.net"), "ada.new"), (Value::Null, "ada.new")] {
                let mut other = Browser::new(&app);
                sign_in(&app, &provider, &mut other, &json!({"email": email})).await.expect(303);
                assert!(other.open(PAGE).await.expect(200).text().contains(label));
            }
            assert_eq!(provider.site.hits("/userinfo"), requests, "a sign-in requests no label");

            browser.open(PAGE).await.expect(200);
            browser.submit("/settings/oidc/disconnect", &[]).await.expect(303);
            provider.site.put("/userinfo", Reply::status(500));
            connect(&app, &provider, &mut browser, &json!({"email": null})).await.expect(303);
            let page = browser.open(PAGE).await.expect(200).text();
            assert!(page.contains("/settings/oidc/disconnect") && !page.contains("Connected as"), "{page}");
        }
    });
}

#[test]
fn sole_provider_is_opened_directly_except_after_a_sign_out() {
    run(async {
        for world in World::ALL {
            let provider = Provider::start();
            let setup = provider.setup(world).set("CARREL_OIDC_ONLY", "on").set("CARREL_OIDC_SIGN_UP", "on");
            let app = setup.spawn().await;
            let mut browser = Browser::new(&app);
            let sent = browser.open("/sign-in?next=%2Fsettings").await.expect(303);
            assert_eq!(sent.header("location"), "/sign-in/oidc?next=%2Fsettings");
            let started = Started::of(&browser.open(sent.header("location")).await.expect(303));
            provider.authenticate(&app, &started, &json!({}));
            browser.open(&started.callback()).await.expect(303);
            let page = browser.open("/settings").await.expect(200).text();
            assert!(
                page.contains("You sign in with Family") && !page.contains("/settings/password"),
                "{page}"
            );
            let page = browser.submit("/settings/oidc/disconnect", &[]).await.expect(422).text();
            assert!(page.contains("Add a passkey first"), "{page}");

            browser.open("/settings").await.expect(200);
            let out = browser.submit("/sign-out", &[]).await.expect(303);
            assert_eq!(out.header("location"), "/sign-in?signed-out");
            let page = browser.follow(&out).await;
            assert!(
                page.contains("You are signed out.") && page.contains("href=\"/sign-in/oidc\""),
                "{page}"
            );
            assert!(!page.contains("type=\"password\"") && !page.contains("/forgot"), "{page}");
            let form = browser.submit("/settings/language", &[("language", "de")]).await.expect(303);
            assert!(form.header("location").ends_with("&signed-out"), "no redirect of a form leads away");

            let long = format!("/sign-in?next=%2Fsettings%3Fx={}", "a".repeat(3_000));
            let page = browser.open(&long).await.expect(200).text();
            assert!(page.contains("cannot be opened automatically"), "{page}");
            let started = begin(&mut browser).await;
            let denied = format!("/sign-in/oidc/callback?state={}&error=access_denied", started.0["state"]);
            let page = browser.open(&denied).await.expect(422).text();
            assert!(page.contains("href=\"/sign-in/oidc\"") && !page.contains("your password"), "{page}");
        }
    });
}

#[test]
fn account_with_a_passkey_and_no_password_can_disconnect_the_provider() {
    run(async {
        for (world, only) in World::ALL.into_iter().flat_map(|world| [(world, "on"), (world, "off")]) {
            let provider = Provider::start();
            let setup = provider.setup(world).set("CARREL_OIDC_ONLY", only).set("CARREL_OIDC_SIGN_UP", "on");
            let app = setup.spawn().await;
            let mut browser = Browser::new(&app);
            sign_in(&app, &provider, &mut browser, &json!({})).await.expect(303);
            insert_passkey(&app, "ada@example.net", 1).await;
            browser.open(PAGE).await.expect(200);
            let answer = browser.submit("/settings/oidc/disconnect", &[]).await.expect(303);
            assert_eq!(answer.header("location"), "/settings/oidc?disconnected");
        }
    });
}

#[test]
fn last_passkey_is_retained_if_its_owner_has_no_other_way_to_sign_in() {
    run(async {
        for world in World::ALL {
            let provider = Provider::start();
            let setup = provider.setup(world).set("CARREL_OIDC_ONLY", "on").set("CARREL_OIDC_SIGN_UP", "on");
            let app = setup.spawn().await;
            let mut browser = Browser::new(&app);
            sign_in(&app, &provider, &mut browser, &json!({})).await.expect(303);
            insert_passkey(&app, "ada@example.net", 1).await;
            let remove = first_removal(&mut browser).await;
            browser.submit(&remove, &[]).await.expect(303);

            insert_passkey(&app, "ada@example.net", 1).await;
            browser.open(PAGE).await.expect(200);
            browser.submit("/settings/oidc/disconnect", &[]).await.expect(303);
            let remove = first_removal(&mut browser).await;
            let page = browser.submit(&remove, &[]).await.expect(422).text();
            assert!(page.contains("This passkey is your only way to sign in."), "{page}");
            insert_passkey(&app, "ada@example.net", 2).await;
            first_removal(&mut browser).await;
            browser.submit(&remove, &[]).await.expect(303);
            let remove = first_removal(&mut browser).await;
            browser.submit(&remove, &[]).await.expect(422);
        }
    });
}

/// Opens the page of passkeys. Returns the path that removes the first passkey.
async fn first_removal(browser: &mut Browser<'_>) -> String {
    let page = browser.open("/settings/passkeys").await.expect(200).text();
    let id = between(&page, "action=\"/settings/passkeys/", "/remove\"");
    format!("/settings/passkeys/{id}/remove")
}

/// Stores a passkey of an account directly, because a registration requires https.
async fn insert_passkey(app: &TestApp, email: &str, number: u8) {
    let domain = &app.app.domain;
    let row = passkey::ActiveModel {
        id: Set(domain.new_id()),
        account_id: Set(accounts::find(domain, email).await.unwrap().id),
        credential_id: Set(vec![number; 16]),
        public_key: Set(Vec::new()),
        sign_count: Set(0),
        name: Set("Phone".to_owned()),
        created_at: Set(domain.now()),
        last_used_at: Set(None),
    };
    row.insert(domain.db().write()).await.unwrap();
}

#[test]
fn recent_sign_in_proves_the_owner_of_an_account_without_a_password() {
    run(async {
        for world in World::ALL {
            let provider = Provider::start();
            let setup = provider.setup(world).set("CARREL_OIDC_ONLY", "on").set("CARREL_OIDC_SIGN_UP", "on");
            let app = setup.spawn().await;
            let mut browser = Browser::new(&app);
            sign_in(&app, &provider, &mut browser, &json!({})).await.expect(303);
            app.clock.advance(10 * MINUTE + SECOND);
            let again = "/sign-in?next=%2Fsettings%2Fdelete&again";
            let page = browser.open("/settings/delete").await.expect(200).text();
            assert!(
                page.contains(&again.replace('&', "&amp;")) && !page.contains("name=\"current\""),
                "{page}"
            );
            let refused = [
                ("/settings/delete", vec![("current", PASSWORD)]),
                ("/settings/second-factor", vec![]),
                ("/settings/password", vec![("new", PASSWORD)]),
            ];
            for (path, fields) in refused {
                browser.submit(path, &fields).await.expect(422);
                browser.open("/settings/delete").await.expect(200);
            }
            let page = browser.submit("/settings/delete", &[]).await.expect(422).text();
            assert!(page.contains("you signed in more than 10 minutes ago."), "{page}");

            let session = browser.session().unwrap().to_owned();
            let sent = browser.open(again).await.expect(303);
            assert_eq!(sent.header("location"), "/sign-in/oidc?next=%2Fsettings%2Fdelete&again");
            let started = Started::of(&browser.open(sent.header("location")).await.expect(303));
            provider.authenticate(&app, &started, &json!({}));
            let opened = browser.open(&started.callback()).await.expect(303);
            assert_eq!(opened.header("location"), "/settings/delete");
            assert_ne!(browser.session(), Some(session.as_str()));
            app.clock.advance(10 * MINUTE - SECOND);
            assert!(!browser.follow(&opened).await.contains("Sign in again"));
            browser.submit("/settings/delete", &[]).await.expect(200);
            assert!(accounts::find(&app.app.domain, "ada@example.net").await.is_err());
        }
    });
}

#[test]
fn recent_sign_in_does_not_replace_a_password() {
    run(async {
        for world in World::ALL {
            let provider = Provider::start();
            let app = provider.setup(world).spawn().await;
            let person = Person::free(&app).await;
            let mut owner = Browser::signed_in(&app, &person).await;
            connect(&app, &provider, &mut owner, &json!({})).await.expect(303);
            let mut browser = Browser::new(&app);
            sign_in(&app, &provider, &mut browser, &json!({})).await.expect(303);
            for path in ["/settings/delete", "/settings/second-factor"] {
                assert!(browser.open(path).await.expect(200).text().contains("name=\"current\""));
                let page = browser.submit(path, &[("current", "")]).await.expect(422).text();
                assert!(page.contains("This is not your current password."), "{page}");
            }
            browser.open("/settings/delete").await.expect(200);
            browser.submit("/settings/delete", &[("current", PASSWORD)]).await.expect(200);
        }
    });
}

#[test]
fn password_reset_does_not_disconnect_the_only_sign_in() {
    run(async {
        for world in World::ALL {
            let provider = Provider::start();
            let setup = provider.setup(world).set("CARREL_OIDC_ONLY", "on").set("CARREL_OIDC_SIGN_UP", "on");
            let app = setup.spawn().await;
            let mut browser = Browser::new(&app);
            sign_in(&app, &provider, &mut browser, &json!({})).await.expect(303);
            for password in ["a first fine password", "another fine password"] {
                let link = accounts::create_reset(&app.app.domain, "ada@example.net").await.unwrap();
                let page = browser.open(&format!("/reset?link={}", link.expose())).await.expect(200).text();
                assert!(!page.contains("This includes the connection"), "{page}");
                let fields = [("link", link.expose()), ("new", password)];
                let page = browser.submit("/reset", &fields).await.expect(200).text();
                assert!(!page.contains("This includes the connection"), "{page}");
                browser.open("/settings").await.expect(303);
                sign_in(&app, &provider, &mut browser, &json!({})).await.expect(303);
                browser.open("/settings").await.expect(200);
            }
        }
    });
}

#[test]
fn password_reset_leaves_passkeys_that_are_the_only_sign_in() {
    run(async {
        for (world, is_connected) in World::ALL.into_iter().flat_map(|world| [(world, true), (world, false)])
        {
            let provider = Provider::start();
            let setup = provider.setup(world).set("CARREL_OIDC_ONLY", "on").set("CARREL_OIDC_SIGN_UP", "on");
            let app = setup.spawn().await;
            let domain = &app.app.domain;
            let mut browser = Browser::new(&app);
            sign_in(&app, &provider, &mut browser, &json!({})).await.expect(303);
            insert_passkey(&app, "ada@example.net", 1).await;
            if !is_connected {
                browser.open(PAGE).await.expect(200);
                browser.submit("/settings/oidc/disconnect", &[]).await.expect(303);
            }
            let stays = "Your passkeys stay, because they are your only way to sign in.";
            for password in ["a first fine password", "another fine password"] {
                let link = accounts::create_reset(domain, "ada@example.net").await.unwrap();
                let page = browser.open(&format!("/reset?link={}", link.expose())).await.expect(200).text();
                let has_passkey = page.contains(stays);
                let fields = [("link", link.expose()), ("new", password)];
                let page = browser.submit("/reset", &fields).await.expect(200).text();
                assert_eq!((has_passkey, page.contains(stays)), (!is_connected, !is_connected), "{page}");
                let account_id = accounts::find(domain, "ada@example.net").await.unwrap().id;
                let passkeys = accounts::list_passkeys(domain, account_id).await.unwrap();
                assert_eq!(passkeys.len(), usize::from(!is_connected));
            }
        }
    });
}

#[test]
fn passwords_are_refused_if_the_provider_is_the_only_sign_in() {
    run(async {
        for world in World::ALL {
            let provider = Provider::start();
            let app = provider.setup(world).set("CARREL_OIDC_ONLY", "on").spawn().await;
            let person = Person::free(&app).await;
            person.get(&app, "/v1/me").await.expect(200);
            let mut browser = Browser::new(&app);
            let page = sign_in(&app, &provider, &mut browser, &json!({})).await.expect(422).text();
            assert!(page.contains("No account is connected to this sign-in. Ask the operator"), "{page}");
            assert_eq!(browser.open("/sign-up").await.expect(303).header("location"), "/sign-in");
            let page = browser.open("/forgot").await.expect(200).text();
            assert!(
                page.contains("You sign in with Family") && !page.contains("action=\"/forgot\""),
                "{page}"
            );

            let link = accounts::create_reset(&app.app.domain, &person.email).await.unwrap();
            let reset = format!("/reset?link={}", link.expose());
            let credentials = [("email", person.email.as_str()), ("password", PASSWORD)];
            for (path, reason) in [
                ("/sign-in", "Passwords are not accepted for the sign-in"),
                ("/sign-up", "Sign-up is closed."),
            ] {
                // Only this page has a form.
                browser.open(&reset).await.expect(200);
                let page = browser.submit(path, &credentials).await.expect(422).text();
                assert!(page.contains(reason) && browser.session().is_none(), "{page}");
            }
            browser.open(&reset).await.expect(200);
            let fields = [("link", link.expose()), ("new", "another fine password")];
            browser.submit("/reset", &fields).await.expect(200);

            provider.publish(&json!({"issuer": "https://id.example.org"}));
            app.clock.advance(2 * HOUR);
            let page = browser.open(SIGN_IN).await.expect(503).text();
            assert!(page.contains("or sign in with a passkey.") && !page.contains("your password"), "{page}");
        }
    });
}
