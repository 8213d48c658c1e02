//! Change of the e-mail address of an account: confirmation by a link to the new address, and reversal by a
//! link to the old address.

use identity::keys::feed_apps::{digest, key_digest};
use kernel::Scopes;
use kernel::testing::smtp::{ReceivedLetter, SmtpServer};

use crate::people_second_factor::{next_code, set_up_without_pages};
use crate::support::browser::Browser;
use crate::support::clock::DAY;
use crate::support::feed_app::{FeedApp, app_key_text, fever};
use crate::support::person::{PASSWORD, Person};
use crate::support::{Setup, TestApp, World, on_each_world, run, secret_scan};

/// Starts an app that sends e-mail through `server`.
async fn app_with_mail(world: World, server: &SmtpServer) -> TestApp {
    let setup = Setup::on(world).set("CARREL_SMTP_URL", server.url.clone());
    setup.set("CARREL_MAIL_FROM", "Carrel <carrel@example.org>").spawn().await
}

/// Returns the path and the secret of the link in a letter.
fn link_in(app: &TestApp, letter: &ReceivedLetter, page: &str) -> (String, String) {
    let line = letter.text.lines().find(|line| line.contains(page)).expect("the letter has a link");
    let path = line.strip_prefix(&app.origin).expect("the link uses the configured origin").to_owned();
    let secret = path.split_once("link=").unwrap().1.to_owned();
    secret_scan::record_secret(&secret);
    (path, secret)
}

/// Requests a change in the browser of a signed-in person.
async fn request_change(browser: &mut Browser<'_>, email: &str) {
    browser.open("/settings/email").await.expect(200);
    browser.submit("/settings/email", &[("email", email), ("current", PASSWORD)]).await.expect(303);
}

/// Changes the address of a signed-in person. Returns the link that reverts the change.
async fn change(
    app: &TestApp,
    server: &SmtpServer,
    browser: &mut Browser<'_>,
    email: &str,
) -> (String, String) {
    request_change(browser, email).await;
    let (path, secret) = link_in(app, &server.letter().await, "/settings/email/confirm?link=");
    browser.open(&path).await.expect(200);
    browser.submit("/settings/email/confirm", &[("link", &secret)]).await.expect(200);
    link_in(app, &server.letter().await, "/settings/email/undo?link=")
}

#[test]
fn changed_address_is_confirmed_by_a_link_and_sessions_stay_open() {
    run(async {
        for world in World::ALL {
            let server = SmtpServer::start().await;
            let app = app_with_mail(world, &server).await;
            let person = Person::free(&app).await;
            let (mut browser, mut second) = (Browser::new(&app), Browser::new(&app));
            browser.sign_in(&person.email).await;
            second.sign_in(&person.email).await;
            request_change(&mut browser, "Ada.New@example.org").await;
            let page = browser.open("/settings/email").await.expect(200).text();
            assert!(page.contains("ada.new@example.org") && page.contains("Cancel the change"), "{page}");
            let letter = server.letter().await;
            assert_eq!(letter.to, ["ada.new@example.org"]);
            assert!(!letter.text.contains(&person.email), "a stranger learns nothing about the account");
            let (path, secret) = link_in(&app, &letter, "/settings/email/confirm?link=");

            let mut phone = Browser::new(&app);
            let opened = phone.open(&path).await.expect(200);
            assert_eq!(opened.header("referrer-policy"), "no-referrer");
            browser.open("/settings").await.expect(200);
            assert!(browser.page.contains(&person.email), "opening the link changes nothing");
            phone.submit("/settings/email/confirm", &[("link", &secret)]).await.expect(200);
            phone.open(&path).await.expect(404);

            for browser in [&mut browser, &mut second] {
                let page = browser.open("/settings").await.expect(200).text();
                assert!(page.contains("ada.new@example.org"), "the session stays: {page}");
            }
            person.get(&app, "/v1/me").await.expect(200);
            let notice = server.letter().await;
            assert_eq!(notice.to, [person.email.as_str()]);
            assert!(notice.text.contains("/settings/email/undo?link="), "{}", notice.text);
            let mut fresh = Browser::new(&app);
            fresh.open("/sign-in").await.expect(200);
            let fields = [("email", person.email.as_str()), ("password", PASSWORD)];
            fresh.submit("/sign-in", &fields).await.expect(422);
            fresh.sign_in("ada.new@example.org").await;
            app.run_jobs().await;
            assert!(server.is_empty().await, "one mail is sent per cause");
        }
    });
}

#[test]
fn old_address_reverts_a_change_within_seven_days() {
    run(async {
        for world in World::ALL {
            let server = SmtpServer::start().await;
            let app = app_with_mail(world, &server).await;
            let person = Person::free(&app).await;
            let mut thief = Browser::new(&app);
            thief.sign_in(&person.email).await;
            let (path, secret) = change(&app, &server, &mut thief, "thief@example.org").await;
            let (_, last) = change(&app, &server, &mut thief, "thief2@example.org").await;

            let mut other = Browser::new(&app);
            other.open("/sign-up").await.expect(200);
            let fields = [("email", person.email.as_str()), ("password", PASSWORD)];
            let refused = other.submit("/sign-up", &fields).await.expect(422).text();
            assert!(refused.contains("already has an account"), "the old address is reserved: {refused}");

            app.clock.advance(6 * DAY);
            let mut owner = Browser::new(&app);
            assert_eq!(owner.open(&path).await.expect(200).header("referrer-policy"), "no-referrer");
            let undo = [("link", secret.as_str()), ("new", "short")];
            owner.submit("/settings/email/undo", &undo).await.expect(422);
            let undo = [("link", secret.as_str()), ("new", "another fine password")];
            owner.submit("/settings/email/undo", &undo).await.expect(200);
            assert_eq!(thief.open("/settings").await.status, 303, "every browser is signed out");
            person.get(&app, "/v1/me").await.api_error(401, "revoked_credential");
            owner.open(&path).await.expect(404);
            let next_path = format!("/settings/email/undo?link={last}");
            owner.open(&next_path).await.expect(404);
            owner.open("/sign-in").await.expect(200);
            let fields = [("email", person.email.as_str()), ("password", "another fine password")];
            owner.submit("/sign-in", &fields).await.expect(303);
        }
    });
}

#[test]
fn pending_request_is_invalid_after_a_password_change() {
    run(async {
        for world in World::ALL {
            let server = SmtpServer::start().await;
            let app = app_with_mail(world, &server).await;
            let person = Person::free(&app).await;
            let (mut thief, mut owner) = (Browser::new(&app), Browser::new(&app));
            thief.sign_in(&person.email).await;
            owner.sign_in(&person.email).await;
            request_change(&mut thief, "thief@example.org").await;
            let (path, secret) = link_in(&app, &server.letter().await, "/settings/email/confirm?link=");
            let mut stranger = Browser::new(&app);
            stranger.open(&path).await.expect(200);
            owner.open("/settings").await.expect(200);
            let fields = [("current", PASSWORD), ("new", "another fine password")];
            owner.submit("/settings/password", &fields).await.expect(303);
            stranger.submit("/settings/email/confirm", &[("link", &secret)]).await.expect(404);
            assert!(owner.open("/settings").await.expect(200).text().contains(&person.email));
        }
    });
}

#[test]
fn change_by_an_operator_invalidates_earlier_links() {
    run(async {
        for world in World::ALL {
            let server = SmtpServer::start().await;
            let app = app_with_mail(world, &server).await;
            let person = Person::free(&app).await;
            let mut thief = Browser::new(&app);
            thief.sign_in(&person.email).await;
            change(&app, &server, &mut thief, "thief@example.org").await;
            let (path, _) = change(&app, &server, &mut thief, "thief2@example.org").await;
            let mut stranger = Browser::new(&app);
            stranger.open(&path).await.expect(200);
            let domain = &app.app.domain;
            identity::accounts::set_email(domain, "thief2@example.org", &person.email).await.unwrap();
            stranger.open(&path).await.expect(404);
        }
    });
}

#[test]
fn link_that_reverts_a_change_expires_after_seven_days() {
    run(async {
        let server = SmtpServer::start().await;
        let app = app_with_mail(World::Small, &server).await;
        let person = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&person.email).await;
        let (path, _) = change(&app, &server, &mut browser, "new@example.org").await;
        browser.open(&path).await.expect(200);
        app.clock.advance(7 * DAY);
        Browser::new(&app).open(&path).await.expect(404);
        let mut other = Browser::new(&app);
        other.open("/sign-up").await.expect(200);
        let fields = [("email", person.email.as_str()), ("password", PASSWORD)];
        other.submit("/sign-up", &fields).await.expect(303);
    });
}

#[test]
fn request_for_an_address_in_use_gets_the_same_answer_and_changes_nothing() {
    run(async {
        for world in World::ALL {
            let server = SmtpServer::start().await;
            let app = app_with_mail(world, &server).await;
            let (person, other) = (Person::free(&app).await, Person::free(&app).await);
            let mut browser = Browser::new(&app);
            browser.sign_in(&person.email).await;
            let (mut pages, mut letters) = (Vec::new(), Vec::new());
            for email in [other.email.as_str(), "free@example.org"] {
                request_change(&mut browser, email).await;
                let page = browser.open("/settings/email").await.expect(200).text();
                pages.push(page.replace(email, "EMAIL"));
                letters.push(server.letter().await);
            }
            assert_eq!(pages[0], pages[1], "the page does not reveal that the address is taken");
            assert_eq!(letters[0].to, [other.email.as_str()]);
            assert!(letters[0].text.contains("already has an account"), "{}", letters[0].text);
            assert!(!letters[0].text.contains("link="), "{}", letters[0].text);

            let (_, secret) = link_in(&app, &letters[1], "/settings/email/confirm?link=");
            let mut newcomer = Browser::new(&app);
            newcomer.open("/sign-up").await.expect(200);
            let fields = [("email", "free@example.org"), ("password", PASSWORD)];
            newcomer.submit("/sign-up", &fields).await.expect(303);
            browser.open(&format!("/settings/email/confirm?link={secret}")).await.expect(200);
            let refused = browser.submit("/settings/email/confirm", &[("link", &secret)]).await.expect(422);
            assert!(refused.text().contains("Another account has this e-mail address."));
            assert!(browser.open("/settings").await.expect(200).text().contains(&person.email));
        }
    });
}

#[test]
fn change_request_needs_the_password_is_limited_and_can_be_cancelled() {
    run(async {
        let server = SmtpServer::start().await;
        let app = app_with_mail(World::Small, &server).await;
        let person = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        assert_eq!(browser.open("/settings/email").await.status, 303, "the page needs a session");
        browser.sign_in(&person.email).await;
        browser.open("/settings/email").await.expect(200);
        for (email, password, words) in [
            ("new@example.org", "wrong password", "This is not your current password."),
            ("no address", PASSWORD, "Enter an e-mail address"),
            (person.email.as_str(), PASSWORD, "already the e-mail address of your account"),
        ] {
            let fields = [("email", email), ("current", password)];
            let page = browser.submit("/settings/email", &fields).await.expect(422).text();
            assert!(page.contains(words), "{email}: {page}");
        }
        assert!(server.is_empty().await);
        request_change(&mut browser, "new@example.org").await;
        let (path, _) = link_in(&app, &server.letter().await, "/settings/email/confirm?link=");
        browser.open("/settings/email").await.expect(200);
        browser.submit("/settings/email/cancel", &[]).await.expect(303);
        browser.open(&path).await.expect(404);
        for alias in ["new+a@example.org", "new+b@example.org"] {
            request_change(&mut browser, alias).await;
        }
        browser.open("/settings/email").await.expect(200);
        let fields = [("email", "new@example.org"), ("current", PASSWORD)];
        let refused = browser.submit("/settings/email", &fields).await.expect(429);
        assert!(refused.text().contains("Too many links were mailed."), "{}", refused.text());
        assert_eq!(refused.header("retry-after"), "86400");
        let owner = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&owner.email).await;
        request_change(&mut browser, "new@example.org").await;
    });
}

#[test]
fn request_needs_the_code_of_a_second_factor() {
    run(async {
        for world in World::ALL {
            let server = SmtpServer::start().await;
            let app = app_with_mail(world, &server).await;
            let person = Person::free(&app).await;
            let mut browser = Browser::new(&app);
            browser.sign_in(&person.email).await;
            let authenticator = set_up_without_pages(&app, &person).await;
            let page = browser.open("/settings/email").await.expect(200).text();
            assert!(page.contains("name=\"code\""), "{page}");
            for code in ["", "000000"] {
                let fields = [("email", "new@example.org"), ("current", PASSWORD), ("code", code)];
                let page = browser.submit("/settings/email", &fields).await.expect(422).text();
                assert!(page.contains("This code is wrong"), "{code}: {page}");
            }
            assert!(server.is_empty().await);
            let code = next_code(&app, &authenticator);
            let fields = [("email", "new@example.org"), ("current", PASSWORD), ("code", code.as_str())];
            browser.submit("/settings/email", &fields).await.expect(303);
            link_in(&app, &server.letter().await, "/settings/email/confirm?link=");
        }
    });
}

#[test]
fn service_without_mail_refers_to_the_operator_command() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&person.email).await;
        let page = browser.open("/settings/email").await.expect(200).text();
        assert!(page.contains("carrel account set-email") && !page.contains("name=\"current\""), "{page}");
        let domain = &app.app.domain;
        let taken = Person::free(&app).await;
        let refused = identity::accounts::set_email(domain, &person.email, &taken.email).await.unwrap_err();
        assert_eq!(refused.code, kernel::Code::NameTaken);
        identity::accounts::set_email(domain, &person.email, "set@example.org").await.unwrap();
        assert!(browser.open("/settings").await.expect(200).text().contains("set@example.org"));
    });
}

#[test]
fn feed_apps_work_with_the_same_key_after_a_change_of_the_address() {
    on_each_world(async |app| {
        let mut person = Person::free(&app).await;
        let old_email = person.email.clone();
        let (_, key) = app_key_text(&app, &person, Scopes::ALL).await;
        let token = async |email: &str| {
            let answer = FeedApp::log_in(&app, email, &key).await.expect(200).text();
            let token = answer.lines().find_map(|line| line.strip_prefix("Auth=")).unwrap().to_owned();
            secret_scan::record_secret(&token);
            token
        };
        let kosync = async |email: &str| {
            let digest = key_digest(&key);
            let headers = [("x-auth-user", email), ("x-auth-key", digest.as_str())];
            app.get_with("/kosync/users/auth", &headers).await
        };
        let old_token = token(&old_email).await;
        let new_email = format!("new.{old_email}");
        identity::accounts::set_email(&app.app.domain, &old_email, &new_email).await.unwrap();
        person.email = new_email;

        FeedApp::log_in(&app, &old_email, &key).await.expect(401);
        let new_token = token(&person.email).await;
        let reader = FeedApp::with_key(&app, &person, &key).await;
        reader.request("subscription/list?output=json").await.expect(200);
        for token in [&old_token, &new_token] {
            app.get(&format!("/kobo/{token}/v1/initialization")).await.expect(200);
        }
        kosync(&person.email).await.expect(200);
        kosync(&old_email).await.expect(401);
        for email in [&old_email, &person.email] {
            assert_eq!(fever(&app, &digest(email, &key), "", &[]).await["auth"], 0, "{email}");
        }
        let mut browser = Browser::signed_in(&app, &person).await;
        let page = browser.open("/settings/email").await.expect(200).text();
        assert!(page.contains("Fever apps need a new API key."), "{page}");
    });
}
