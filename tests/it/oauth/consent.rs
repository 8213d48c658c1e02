//! Consent page, from a client's authorization request to its answer.

use serde_json::json;

use crate::support::browser::{Browser, between};
use crate::support::oauth_clients::{CHALLENGE, Client, REDIRECT_URI, VERIFIER};
use crate::support::person::{PASSWORD, Person};
use crate::support::{HttpAnswer, TestApp, on_each_world, run, secret_scan};

/// Returns the path of a client's authorization request. `changes` replaces a parameter, removes it (`None`),
/// or repeats it (name with the prefix `+`).
pub(crate) fn request(client_id: &str, changes: &[(&str, Option<&str>)]) -> String {
    let mut pairs: Vec<(String, String)> = [
        ("response_type", "code"),
        ("client_id", client_id),
        ("redirect_uri", REDIRECT_URI),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("scope", "svc:write"),
        ("state", "a b&c"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    for (name, value) in changes {
        let again = name.strip_prefix('+');
        if again.is_none() {
            pairs.retain(|(known, _)| known != name);
        }
        pairs.extend(value.map(|value| (again.unwrap_or(name).to_owned(), value.to_owned())));
    }
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    format!("/oauth/authorize?{query}")
}

/// Returns the value of a hidden field on the page.
fn hidden(page: &str, name: &str) -> String {
    let value = between(page, &format!("name=\"{name}\" value=\""), "\"");
    value.replace("&amp;", "&").replace("&quot;", "\"").replace("&lt;", "<")
}

/// Submits the consent page that the browser displays.
pub(crate) async fn submit_consent(browser: &mut Browser<'_>, fields: &[(&str, &str)]) -> HttpAnswer {
    let (page, request) = (hidden(&browser.page, "page"), hidden(&browser.page, "request"));
    let own = [("page", page.as_str()), ("request", request.as_str())];
    let fields: Vec<(&str, &str)> = own.into_iter().chain(fields.iter().copied()).collect();
    browser.submit("/oauth/authorize", &fields).await
}

/// Returns the redirect target of an answer and its query parameters.
pub(crate) fn parse_redirect(answer: &HttpAnswer) -> (String, Vec<(String, String)>) {
    assert_eq!(answer.status, 303, "{}", answer.text());
    assert_eq!(answer.header("referrer-policy"), "no-referrer");
    assert!(answer.header("cache-control").contains("no-store"));
    let (address, query) = answer.header("location").split_once('?').unwrap();
    (address.to_owned(), url::form_urlencoded::parse(query.as_bytes()).into_owned().collect())
}

fn error_parameters(code: &str, origin: &str) -> Vec<(String, String)> {
    [("error", code), ("state", "a b&c"), ("iss", origin)]
        .map(|(name, value)| (name.into(), value.into()))
        .into()
}

async fn signed_in(app: &TestApp) -> (Person, Browser<'_>) {
    let person = Person::free(app).await;
    let mut browser = Browser::new(app);
    browser.sign_in(&person.email).await;
    (person, browser)
}

#[test]
fn consent_redirects_with_code_state_and_issuer_only() {
    on_each_world(async |app| {
        let client = Client::public(&app).await;
        let (person, mut browser) = signed_in(&app).await;
        let authorize_path = request(&client.id, &[]);
        let page = browser.open(&authorize_path).await.expect(200);
        assert_eq!(page.header("cache-control"), "private, no-store");
        assert_eq!(page.header("referrer-policy"), "no-referrer");
        assert_eq!(page.header("x-frame-options"), "DENY");
        let policy = page.header("content-security-policy");
        assert!(
            policy.contains("frame-ancestors 'none'") && policy.contains("script-src 'self'"),
            "{policy}"
        );
        assert!(!policy.contains("form-action") && !policy.contains("unsafe"), "{policy}");
        let text = page.text();
        for words in [
            "localhost:3118",
            "\u{201c}Reader\u{201d}",
            "name not verified",
            &person.email,
            "<strong>new</strong>",
            "Any program on this computer can pose as this app",
            "name=\"change\" value=\"on\" checked",
        ] {
            assert!(text.contains(words), "{words} is missing in {text}");
        }
        let (deny, allow) = (text.find("value=\"deny\"").unwrap(), text.find("value=\"allow\"").unwrap());
        assert!(deny < allow, "Enter presses the first button, which denies");
        let yes = [("answer", "allow"), ("change", "on")];
        let (address, returned) = parse_redirect(&submit_consent(&mut browser, &yes).await);
        assert_eq!(address, REDIRECT_URI);
        let names: Vec<&str> = returned.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["code", "state", "iss"]);
        assert_eq!((returned[1].1.as_str(), returned[2].1.as_str()), ("a b&c", app.origin.as_str()));
        secret_scan::record_secret(&returned[0].1);
        secret_scan::record_secret(VERIFIER);
        let tokens = client.exchange(&app, &returned[0].1).await.expect(200).json();
        assert_eq!(tokens["scope"], "svc:write");
        let again = browser.open(&authorize_path).await.expect(200).text();
        assert!(
            again.contains("name=\"answer\"") && !again.contains("<strong>new</strong>"),
            "every request asks for consent"
        );
    });
}

#[test]
fn browser_extension_is_named_as_such_and_receives_a_token_with_write_access() {
    on_each_world(async |app| {
        for host in [
            "abcdefghijklmnopabcdefghijklmnop.chromiumapp.org",
            "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567.extensions.allizom.org",
        ] {
            let redirect_uri = format!("https://{host}/");
            let about = json!({"redirect_uris": [redirect_uri], "token_endpoint_auth_method": "none"});
            let registered = app.post("/oauth/register", &about).await.expect(201).json();
            let client = Client { id: registered["client_id"].as_str().unwrap().to_owned(), secret: None };
            let (_, mut browser) = signed_in(&app).await;
            let changes =
                [("redirect_uri", Some(redirect_uri.as_str())), ("scope", Some("svc:read svc:write"))];
            let page = browser.open(&request(&client.id, &changes)).await.expect(200).text();
            assert!(page.contains("a browser extension, at") && page.contains(host), "{page}");
            assert!(!page.contains("can pose as this app"), "{page}");
            let yes = [("answer", "allow"), ("change", "on")];
            let (address, returned) = parse_redirect(&submit_consent(&mut browser, &yes).await);
            assert_eq!(address, redirect_uri);
            secret_scan::record_secret(&returned[0].1);
            secret_scan::record_secret(VERIFIER);
            let fields = [
                ("grant_type", "authorization_code"),
                ("code", returned[0].1.as_str()),
                ("code_verifier", VERIFIER),
                ("redirect_uri", redirect_uri.as_str()),
            ];
            let tokens = client.send(&app, "/oauth/token", &fields).await.expect(200).json();
            assert_eq!(tokens["scope"], "svc:read svc:write");
        }
    });
}

#[test]
fn consent_page_is_single_use_and_bound_to_session_and_request() {
    on_each_world(async |app| {
        let client = Client::public(&app).await;
        let (_, mut browser) = signed_in(&app).await;
        let (_, mut stranger) = signed_in(&app).await;
        let authorize_path = request(&client.id, &[]);
        browser.open(&authorize_path).await.expect(200);
        let rendered = browser.page.clone();
        let (page, original_request) = (hidden(&rendered, "page"), hidden(&rendered, "request"));
        let fields = [("page", page.as_str()), ("request", original_request.as_str()), ("answer", "allow")];
        for origin in ["https://evil.example", "null"] {
            assert_eq!(
                browser.submit_from(origin, "/oauth/authorize", &fields).await.status,
                403,
                "{origin}"
            );
            browser.page.clone_from(&rendered);
        }
        stranger.open(&authorize_path).await.expect(200);
        assert_eq!(
            stranger.submit("/oauth/authorize", &fields).await.status,
            403,
            "the page belongs to another session"
        );
        let other = original_request.replace("svc%3Awrite", "svc%3Aread");
        let changed = [("page", page.as_str()), ("request", other.as_str()), ("answer", "allow")];
        assert_eq!(
            browser.submit("/oauth/authorize", &changed).await.status,
            403,
            "the page belongs to another request"
        );
        browser.page.clone_from(&rendered);
        parse_redirect(&browser.submit("/oauth/authorize", &fields).await);
        for word in ["allow", "deny"] {
            browser.page.clone_from(&rendered);
            let again = [("page", page.as_str()), ("request", original_request.as_str()), ("answer", word)];
            let refused = browser.submit("/oauth/authorize", &again).await;
            assert_eq!((refused.status, refused.header("location")), (403, ""), "{word}");
        }
        browser.open(&authorize_path).await.expect(200);
        app.clock.advance(3_600_001);
        assert_eq!(
            submit_consent(&mut browser, &[("answer", "allow")]).await.status,
            403,
            "the page has expired"
        );
    });
}

#[test]
fn denial_is_reported_and_write_access_is_optional() {
    on_each_world(async |app| {
        let client = Client::public(&app).await;
        let (_, mut browser) = signed_in(&app).await;
        browser.open(&request(&client.id, &[])).await.expect(200);
        let (address, returned) = parse_redirect(&submit_consent(&mut browser, &[("answer", "deny")]).await);
        assert_eq!(
            (address.as_str(), returned),
            (REDIRECT_URI, error_parameters("access_denied", &app.origin))
        );
        for (requested, tick, scope) in [
            ("svc:write", None, "svc:read"),
            ("svc:read", Some("on"), "svc:read svc:write"),
            ("openid offline_access", None, "svc:read"),
        ] {
            browser.open(&request(&client.id, &[("scope", Some(requested))])).await.expect(200);
            assert_eq!(
                browser.page.contains("value=\"on\" checked"),
                requested == "svc:write",
                "{requested}"
            );
            let fields: Vec<(&str, &str)> =
                [("answer", "allow")].into_iter().chain(tick.map(|tick| ("change", tick))).collect();
            let (_, parameters) = parse_redirect(&submit_consent(&mut browser, &fields).await);
            let tokens = client.exchange(&app, &parameters[0].1).await.expect(200).json();
            assert_eq!(tokens["scope"], scope, "{requested}");
        }
    });
}

#[test]
fn request_without_valid_redirect_receives_an_error_page() {
    on_each_world(async |app| {
        let client = Client::public(&app).await;
        let (_, mut browser) = signed_in(&app).await;
        let mut visitor = Browser::new(&app);
        for changes in [
            [("client_id", None)],
            [("client_id", Some("cli_ANOTHER"))],
            [("client_id", Some("http://example.org/client.json"))],
            [("client_id", Some("https://10.0.0.7/client.json"))],
            [("+client_id", Some("x"))],
            [("redirect_uri", None)],
            [("redirect_uri", Some("https://evil.example/steal"))],
            [("redirect_uri", Some("http://localhost:3118/callback?x"))],
            [("redirect_uri", Some("http://localhost.evil.example/callback"))],
            [("+redirect_uri", Some(REDIRECT_URI))],
        ] {
            for browser in [&mut browser, &mut visitor] {
                let answer = browser.open(&request(&client.id, &changes)).await;
                assert_eq!((answer.status, answer.header("location")), (400, ""), "{changes:?}");
                assert_eq!(answer.header("cache-control"), "private, no-store");
                let text = answer.text();
                assert!(text.contains("Request <code>") && !text.contains("evil.example"), "{text}");
                assert!(!text.contains("b&amp;c"), "sent values are not repeated: {text}");
            }
        }
        let long = request(&client.id, &[("state", Some(&"s".repeat(9000)))]);
        assert_eq!(visitor.open(&long).await.status, 414);
    });
}

#[test]
fn request_errors_are_redirected_to_the_client_after_sign_in() {
    on_each_world(async |app| {
        let client = Client::public(&app).await;
        let (_, mut browser) = signed_in(&app).await;
        let mut visitor = Browser::new(&app);
        for (changes, code) in [
            ([("code_challenge", None)], "invalid_request"),
            ([("code_challenge_method", None)], "invalid_request"),
            ([("code_challenge_method", Some("plain"))], "invalid_request"),
            ([("response_mode", Some("fragment"))], "invalid_request"),
            ([("+scope", Some("svc:read"))], "invalid_request"),
            ([("scope", Some("svc:everything"))], "invalid_scope"),
            ([("resource", Some("https://other.example"))], "invalid_target"),
            ([("response_type", Some("token"))], "unsupported_response_type"),
            ([("request", Some("x"))], "request_not_supported"),
            ([("request_uri", Some("x"))], "request_uri_not_supported"),
            ([("prompt", Some("none"))], "interaction_required"),
        ] {
            let authorize_path = request(&client.id, &changes);
            let (address, returned) = parse_redirect(&browser.open(&authorize_path).await);
            assert_eq!(
                (address.as_str(), returned),
                (REDIRECT_URI, error_parameters(code, &app.origin)),
                "{changes:?}"
            );
            let first = visitor.open(&authorize_path).await;
            assert!(
                first.header("location").starts_with("/sign-in?next=%2Foauth%2Fauthorize%3F"),
                "{changes:?}"
            );
        }
        for ignored in ["prompt", "login_hint", "max_age", "display", "ui_locales"] {
            browser.open(&request(&client.id, &[(ignored, Some("login"))])).await.expect(200);
        }
        let (_, bare) = parse_redirect(
            &browser.open(&request(&client.id, &[("state", None), ("scope", Some("x"))])).await,
        );
        assert!(bare.iter().all(|(name, _)| name != "state"), "{bare:?}");
        let (_, empty) = parse_redirect(
            &browser.open(&request(&client.id, &[("state", Some("")), ("scope", Some("x"))])).await,
        );
        assert!(empty.contains(&("state".to_owned(), String::new())), "{empty:?}");
    });
}

#[test]
fn repeated_parameter_is_refused_as_invalid_request_after_sign_in() {
    on_each_world(async |app| {
        let client = Client::public(&app).await;
        let (_, mut browser) = signed_in(&app).await;
        let sent = [
            ("response_type", "code"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("scope", "svc:write"),
            ("state", "a b&c"),
            ("response_mode", "query"),
            ("prompt", "consent"),
            ("request", "x"),
            ("request_uri", "x"),
            ("nonce", "n"),
            ("unknown", "x"),
        ];
        for (name, value) in sent {
            let again = format!("+{name}");
            for second in [value, "another", ""] {
                let path = request(&client.id, &[(name, Some(value)), (again.as_str(), Some(second))]);
                let (address, returned) = parse_redirect(&browser.open(&path).await);
                let expected = error_parameters("invalid_request", &app.origin);
                assert_eq!((address.as_str(), returned), (REDIRECT_URI, expected), "{name} {second}");
            }
        }
        for (name, value) in [("client_id", client.id.as_str()), ("redirect_uri", REDIRECT_URI)] {
            let again = format!("+{name}");
            for second in [value, "https://evil.example/", ""] {
                let answer = browser.open(&request(&client.id, &[(again.as_str(), Some(second))])).await;
                assert_eq!((answer.status, answer.header("location")), (400, ""), "{name} {second}");
                assert!(answer.text().contains("missing or repeated"), "{name} {second}");
                let encoded =
                    format!("{}&%{:02x}{}=x", request(&client.id, &[]), name.as_bytes()[0], &name[1..]);
                let answer = browser.open(&encoded).await;
                assert_eq!((answer.status, answer.header("location")), (400, ""), "{encoded}");
            }
        }
        let resources = [("resource", Some(app.origin.as_str())), ("+resource", Some(app.origin.as_str()))];
        browser.open(&request(&client.id, &resources)).await.expect(200);
    });
}

#[test]
fn custom_scheme_client_receives_errors_only_after_a_click() {
    run(async {
        let app = TestApp::spawn().await;
        let uri = "cursor://anysphere.cursor-mcp/oauth/callback";
        let about =
            json!({"client_name": "Cursor", "redirect_uris": [uri], "token_endpoint_auth_method": "none"});
        let made = app.post("/oauth/register", &about).await.expect(201).json();
        let client_id = made["client_id"].as_str().unwrap();
        let (_, mut browser) = signed_in(&app).await;
        let faulty =
            browser.open(&request(client_id, &[("redirect_uri", Some(uri)), ("scope", Some("x"))])).await;
        assert_eq!((faulty.status, faulty.header("location")), (400, ""));
        let link = format!("href=\"{uri}?error=invalid_scope&amp;state=a+b%26c&amp;iss=");
        assert!(faulty.text().contains(&link), "{}", faulty.text());
        let page = browser.open(&request(client_id, &[("redirect_uri", Some(uri))])).await.expect(200).text();
        assert!(page.contains("cursor:") && page.contains("can pose as this app"), "{page}");
        let (address, _) = parse_redirect(&submit_consent(&mut browser, &[("answer", "allow")]).await);
        assert_eq!(address, uri);
    });
}

#[test]
fn sign_in_and_sign_up_return_to_the_request() {
    on_each_world(async |app| {
        let (client, person) = (Client::public(&app).await, Person::free(&app).await);
        let authorize_path = request(&client.id, &[("state", Some("\u{e9}+%&=\"<x>"))]);
        let mut browser = Browser::new(&app);
        let first = browser.open(&authorize_path).await.expect(303);
        assert!(first.header_lines("set-cookie").is_empty(), "no cookie is set before sign-in");
        assert_eq!(first.header("referrer-policy"), "no-referrer");
        let page = browser.open(first.header("location")).await.expect(200).text();
        assert!(page.contains("An app requests access to your account"), "{page}");
        let next = hidden(&page, "next");
        assert_eq!(next, authorize_path);
        let wrong = [("email", person.email.as_str()), ("password", "wrong password"), ("next", &next)];
        browser.submit("/sign-in", &wrong).await.expect(422);
        assert_eq!(hidden(&browser.page, "next"), authorize_path, "a wrong password retains the request");
        let right = [("email", person.email.as_str()), ("password", PASSWORD), ("next", &next)];
        let back = browser.submit("/sign-in", &right).await.expect(303);
        assert_eq!(back.header("location"), authorize_path);
        let session = browser.session().unwrap().to_owned();
        browser.open(&authorize_path).await.expect(200);

        // Switching to another account closes the session but retains the authorization request.
        let out = browser
            .submit("/sign-out", &[("next", &authorize_path)])
            .await
            .expect(303)
            .header("location")
            .to_owned();
        let page = browser.open(&out).await.expect(200).text();
        let up = between(&page, "href=\"/sign-up?next=", "\"").to_owned();
        browser.open(&format!("/sign-up?next={up}")).await.expect(200);
        let next = hidden(&browser.page, "next");
        assert_eq!(next, authorize_path);
        let fields = [("email", "new@example.org"), ("password", PASSWORD), ("next", &next)];
        let back = browser.submit("/sign-up", &fields).await.expect(303);
        assert_eq!(back.header("location"), authorize_path);
        assert_ne!(browser.session().unwrap(), session);
        assert!(browser.open(&authorize_path).await.expect(200).text().contains("new@example.org"));
    });
}

#[test]
fn client_name_is_escaped_and_its_host_is_punycode() {
    run(async {
        let app = TestApp::spawn().await;
        let uri = "https://xn--bcher-kva.example/back";
        let name = "<img src=x onerror=steal()> \u{202e}Carrel";
        let about =
            json!({"client_name": name, "redirect_uris": [uri], "token_endpoint_auth_method": "none"});
        let made = app.post("/oauth/register", &about).await.expect(201).json();
        let (_, mut browser) = signed_in(&app).await;
        let authorize_path = request(made["client_id"].as_str().unwrap(), &[("redirect_uri", Some(uri))]);
        let page = browser.open(&authorize_path).await.expect(200).text();
        assert!(page.contains("<bdi class=\"address\">xn--bcher-kva.example</bdi>"), "{page}");
        assert!(
            page.contains("&lt;img src=x") && !page.contains("<img") && !page.contains('\u{202e}'),
            "{page}"
        );
        let (address, _) = parse_redirect(&submit_consent(&mut browser, &[("answer", "deny")]).await);
        assert_eq!(address, uri);
    });
}
