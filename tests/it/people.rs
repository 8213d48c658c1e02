//! Accounts in a browser: sign-up, sign-in, sign-out, API keys, plan, password, deletion, and secrets that
//! must not leak.

use serde_json::json;

use crate::support::browser::{Browser, between};
use crate::support::installation::Installation;
use crate::support::person::{PASSWORD, Person};
use crate::support::servers::Process;
use crate::support::{Setup, TestApp, World, on_each_world, run};

/// Creates an account and an API key in the browser. Returns the key without its prefix.
pub(crate) async fn sign_up_and_create_key(browser: &mut Browser<'_>, email: &str) -> String {
    browser.open("/sign-up").await.expect(200);
    let answer = browser.submit("/sign-up", &[("email", email), ("password", PASSWORD)]).await.expect(303);
    assert_eq!(
        answer.header("location"),
        "/settings/plan?first",
        "the first account of a private installation is sent to its plan"
    );
    browser.open("/settings/keys").await.expect(200);
    let fields = [("name", "laptop"), ("scopes", "svc:read"), ("scopes", "svc:write"), ("expiresInDays", "")];
    browser.submit("/settings/keys", &fields).await.expect(201);
    between(&browser.page, "aria-label=\"Key secret\">svc_", "<").to_owned()
}

#[test]
fn key_is_created_used_and_revoked_after_sign_up() {
    on_each_world(async |app| {
        let home = app.get("/").await.expect(200).text();
        assert!(home.contains("/sign-up"), "the start page links the sign-up");
        let mut browser = Browser::new(&app);
        let key = format!("svc_{}", sign_up_and_create_key(&mut browser, "ada@example.org").await);
        let line = format!("curl {}/v1/articles/read", app.origin);
        assert!(browser.page.contains(&line) && browser.page.contains(&key));
        assert!(!app.get("/").await.expect(200).text().contains("Create the first account"));

        let headers = [("x-api-key", key.as_str())];
        app.get_with("/v1/me", &headers).await.expect(200);
        let plan = browser.open("/settings/plan").await.expect(200).text();
        // The account has used one API request and three pages.
        assert!(plan.contains("4 of 1,200") && plan.contains("1 of 150,000"), "{plan}");
        assert!(plan.contains("pro (your plan)"), "{plan}");

        let keys = browser.open("/settings/keys").await.expect(200).text();
        assert!(
            keys.contains(&key[..12]) && !keys.contains(&key[..13]),
            "the key is shown only after its creation"
        );
        let change = "Change your library, feeds and monitors (<code>svc:write</code>)";
        assert!(keys.contains(change) && keys.contains("Read public sources, your library, feeds"), "{keys}");
        let path = format!("/settings/keys/{}/revoke", between(&keys, "/settings/keys/", "/revoke"));
        browser.open(&path).await.expect(200);
        browser.submit(&path, &[]).await.expect(303);
        app.get_with("/v1/me", &headers).await.api_error(401, "revoked_credential");
    });
}

#[test]
fn key_page_warns_that_older_app_keys_do_not_sync_progress() {
    on_each_world(async |app| {
        let mut browser = Browser::new(&app);
        sign_up_and_create_key(&mut browser, "ada@example.org").await;
        let notice = "progress sync does not accept keys that were created before Carrel supported it";
        assert!(!browser.open("/settings/keys").await.expect(200).text().contains(notice));
        let fields = [("name", "reader"), ("scopes", "svc:read"), ("feedApps", "yes"), ("expiresInDays", "")];
        browser.submit("/settings/keys", &fields).await.expect(201);
        assert!(browser.open("/settings/keys").await.expect(200).text().contains(notice));
    });
}

#[test]
fn sign_in_creates_a_session_and_sign_out_revokes_it() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        let answer = browser.open("/settings/plan").await.expect(303);
        assert_eq!(answer.header("location"), "/sign-in?next=%2Fsettings%2Fplan");
        browser.open("/sign-in?next=%2Fsettings%2Fplan").await.expect(200);
        let wrong =
            browser.submit("/sign-in", &[("email", &person.email), ("password", "wrong password")]).await;
        assert!(wrong.expect(422).text().contains("The e-mail address or the password is wrong."));
        assert!(browser.page.contains(&person.email), "the entered address is retained");
        let fields = [("email", person.email.as_str()), ("password", PASSWORD), ("next", "/settings/plan")];
        let answer = browser.submit("/sign-in", &fields).await.expect(303);
        assert_eq!(answer.header("location"), "/settings/plan");
        let cookie = answer
            .header_lines("set-cookie")
            .into_iter()
            .find(|line| line.starts_with("carrel_session="))
            .unwrap();
        for part in ["carrel_session=", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=2592000"] {
            assert!(cookie.contains(part), "{part} is missing in {cookie}");
        }
        let first = browser.session().unwrap().to_owned();
        let plan = browser.open("/settings/plan").await.expect(200);
        assert_eq!(plan.header("cache-control"), "private, no-store");
        assert!(plan.header("content-security-policy").contains("frame-ancestors 'none'"));
        assert!(!plan.header("content-security-policy").contains("script-src"));
        browser.submit("/sign-out", &[]).await.expect(303);
        assert!(browser.session().is_none());
        let old = format!("carrel_session={first}");
        let answer = app.get_with("/settings/plan", &[("cookie", &old)]).await;
        assert_eq!(answer.status, 303, "the previous session has ended");
    });
}

#[test]
fn failed_sign_in_does_not_reveal_whether_the_account_exists() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let mut pages = Vec::new();
        for email in [person.email.as_str(), "unknown@example.org"] {
            let mut browser = Browser::new(&app);
            browser.open("/sign-in").await.expect(200);
            let fields = [("email", email), ("password", "wrong password")];
            let page = browser.submit("/sign-in", &fields).await.expect(422).text();
            pages.push(page.replace(email, "EMAIL").replace(&browser.token(), "TOKEN"));
        }
        assert_eq!(pages[0], pages[1]);
    });
}

#[test]
fn sign_in_replaces_a_fixated_session() {
    run(async {
        let app = TestApp::spawn().await;
        let person = Person::free(&app).await;
        let given = "A".repeat(43);
        let mut browser = Browser::new(&app);
        browser.cookies.push(("carrel_session".to_owned(), given.clone()));
        browser.sign_in(&person.email).await;
        assert_ne!(browser.session(), Some(given.as_str()));
        browser.open("/settings").await.expect(200);
        let cookie = format!("carrel_session={given}");
        app.get_with("/settings", &[("cookie", &cookie)]).await.expect(303);
    });
}

#[test]
fn cross_site_forms_are_refused() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.open("/sign-in").await.expect(200);
        let fields = [("email", person.email.as_str()), ("password", PASSWORD)];
        let answer = browser.submit_from("https://evil.example", "/sign-in", &fields).await;
        assert_eq!(answer.status, 403);
        let answer = browser.submit_from("null", "/sign-in", &fields).await;
        assert_eq!(answer.status, 403);
        browser.open("/sign-in").await.expect(200);
        browser.page = browser.page.replace(&browser.token(), "another");
        assert_eq!(browser.submit("/sign-in", &fields).await.status, 403, "the form token is wrong");
        browser.open("/sign-in").await.expect(200);
        browser.cookies.clear();
        assert_eq!(browser.submit("/sign-in", &fields).await.status, 403, "the cookie is missing");
        browser.open("/sign-in").await.expect(200);
        browser.submit("/sign-in", &fields).await.expect(303);
        let session = format!("carrel_session={}", browser.session().unwrap());
        let cross = [("cookie", session.as_str()), ("origin", "https://evil.example")];
        app.post_with("/v1/keys", &cross, &json!({"name": "x"})).await.api_error(401, "missing_credential");
        let bare = [("cookie", session.as_str())];
        app.post_with("/v1/keys", &bare, &json!({"name": "x"})).await.api_error(401, "missing_credential");
        let own = [("cookie", session.as_str()), ("origin", app.origin.as_str())];
        let made = app.post_with("/v1/keys", &own, &json!({"name": "x"})).await.expect(201).json();
        assert!(made["secret"].as_str().unwrap().starts_with("svc_"));
        app.post_with("/v1/keys", &own, &json!({"name": "y"})).await.api_error(403, "limit_reached");
    });
}

#[test]
fn password_change_revokes_other_sessions_and_deletion_removes_all() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let fields = [("email", person.email.as_str()), ("password", PASSWORD)];
        let (mut current, mut second) = (Browser::new(&app), Browser::new(&app));
        for browser in [&mut current, &mut second] {
            browser.open("/sign-in").await.expect(200);
            browser.submit("/sign-in", &fields).await.expect(303);
        }
        current.open("/settings").await.expect(200);
        let short = current
            .submit("/settings/password", &[("current", PASSWORD), ("new", "short")])
            .await
            .expect(422);
        assert!(
            short.text().contains("At least 10 characters") && short.text().contains("aria-invalid=\"true\"")
        );
        let change = [("current", PASSWORD), ("new", "another fine password")];
        current.submit("/settings/password", &change).await.expect(303);
        current.open("/settings").await.expect(200);
        assert_eq!(second.open("/settings").await.status, 303);
        let delete = current.open("/settings/delete").await.expect(200).text();
        assert!(
            delete.contains("API keys") && delete.contains(&person.email),
            "the page lists what is deleted"
        );
        current.submit("/settings/delete", &[("current", PASSWORD)]).await.expect(422);
        current.submit("/settings/delete", &[("current", "another fine password")]).await.expect(200);
        assert_eq!(current.open("/settings").await.status, 303);
        person.get(&app, "/v1/me").await.api_error(401, "invalid_credential");
    });
}

#[test]
fn sessions_are_listed_and_revoked_in_settings() {
    on_each_world(async |app| {
        let (person, stranger) = (Person::free(&app).await, Person::free(&app).await);
        let mut browsers = [Browser::new(&app), Browser::new(&app), Browser::new(&app)];
        for browser in &mut browsers {
            browser.sign_in(&person.email).await;
        }
        let [current, second, third] = &mut browsers;
        let page = current.open("/settings").await.expect(200).text();
        assert_eq!(
            page.matches("Firefox on Linux").count(),
            5,
            "three rows and two buttons name the browser: {page}"
        );
        assert_eq!(page.matches("this browser").count(), 1, "{page}");
        assert_eq!(page.matches("127.0.0.1</td>").count(), 3, "each row names the network: {page}");
        let end = format!("/settings/sessions/{}/end", between(&page, "/settings/sessions/", "/end\""));

        let mut other = Browser::new(&app);
        other.sign_in(&stranger.email).await;
        other.open("/settings").await.expect(200);
        other.submit(&end, &[]).await.expect(404);

        let answer = current.submit(&end, &[]).await.expect(303);
        assert!(current.follow(&answer).await.contains("Signed out."));
        current.submit(&end, &[]).await.expect(404);
        let mut left = 0;
        for browser in [&mut *second, &mut *third] {
            left += usize::from(browser.open("/settings").await.status == 200);
        }
        assert_eq!(left, 1, "one of the two others was signed out");

        current.open("/settings").await.expect(200);
        current.submit("/settings/sessions/end-others", &[]).await.expect(303);
        let page = current.open("/settings").await.expect(200).text();
        assert!(!page.contains("end-others"), "no other session is left: {page}");
        for browser in [second, third] {
            assert_eq!(browser.open("/settings").await.status, 303);
        }
        other.open("/settings").await.expect(200);
    });
}

#[test]
fn sign_up_respects_the_configured_mode() {
    run(async {
        let closed = Setup::on(World::Small).set("CARREL_SIGNUP", "closed").spawn().await;
        let mut browser = Browser::new(&closed);
        let page = browser.open("/sign-up").await.expect(200).text();
        assert!(page.contains("Sign-up is closed") && !page.contains("name=\"password\""));
        let invite = Setup::on(World::Small).set("CARREL_SIGNUP", "invite").spawn().await;
        let code =
            identity::accounts::invite(&invite.app.domain, kernel::tiers::Tier::Free, 1).await.unwrap();
        let mut browser = Browser::new(&invite);
        browser.open("/sign-up").await.expect(200);
        let fields = [("email", "a@example.org"), ("password", PASSWORD), ("invite", "made up")];
        assert!(browser.submit("/sign-up", &fields).await.expect(422).text().contains("is invalid or"));
        let page = browser.open(&format!("/sign-up?invite={code}")).await.expect(200).text();
        assert!(page.contains(&code));
        let fields = [("email", "a@example.org"), ("password", PASSWORD), ("invite", code.as_str())];
        browser.submit("/sign-up", &fields).await.expect(303);
    });
}

#[test]
fn database_and_log_contain_no_secret() {
    run(async {
        let app = TestApp::spawn().await;
        let Installation { mut process, origin, data } =
            Installation::start(&app, &[("CARREL_LOG", "debug")]).await;
        let mut browser = Browser::at(&app, &origin);
        let key = format!("svc_{}", sign_up_and_create_key(&mut browser, "ada@example.org").await);
        let session = browser.session().unwrap().to_owned();
        let headers = [("x-api-key", key.as_str())];
        let me = format!("{}/v1/me", browser.origin);
        app.get_with(&me, &headers).await.expect(200);
        app.get_with(&format!("{}/v1/{key}?key={key}", browser.origin), &headers).await;
        app.get_with(&format!("{}/https://example.com/?k={key}", browser.origin), &headers).await;
        let body = json!({"url": format!("https://example.com/{key}")});
        app.post_with(&format!("{}/v1/articles/read", browser.origin), &headers, &body).await;
        process_log_is_clean(&process, &[&key, &session, PASSWORD]);
        process.signal(rustix::process::Signal::TERM);
        process.wait_for_exit().await;
        // The folder of the library files is next to the database. It is empty in this test.
        let files = std::fs::read_dir(data.path()).unwrap().map(|entry| entry.unwrap().path());
        for path in files.filter(|path| path.is_file()) {
            let bytes = std::fs::read(path).unwrap();
            for secret in [key.as_str(), &session, PASSWORD] {
                let is_leaked = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
                assert!(!is_leaked, "the database holds a secret");
            }
        }
    });
}

fn process_log_is_clean(process: &Process, secrets: &[&str]) {
    let log = process.log();
    assert!(log.contains("answered"));
    for secret in secrets {
        assert!(!log.contains(secret), "the log holds a secret");
    }
}
