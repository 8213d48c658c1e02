//! Sign-in by a header of a trusted reverse proxy. The tests connect from 127.0.0.1, as the proxy does.

use identity::accounts;
use serde_json::json;

use crate::notices_entries::{change, follow};
use crate::people_second_factor::{next_code, set_up_without_pages};
use crate::support::browser::Browser;
use crate::support::clock::MINUTE;
use crate::support::person::{PASSWORD, Person};
use crate::support::{Reply, Setup, TestApp, World, run};

const HEADER: &str = "remote-email";

fn setup(world: World) -> Setup {
    Setup::on(world)
        .set("CARREL_READER_LIMITS", "off")
        .set("CARREL_TRUSTED_PROXIES", "127.0.0.1")
        .set("CARREL_AUTH_HEADER", "Remote-Email")
}

/// Creates a browser behind a proxy that names this person.
fn behind_proxy<'a>(app: &'a TestApp, email: &str) -> Browser<'a> {
    let mut browser = Browser::new(app);
    browser.proxy_headers.push((HEADER, email.to_owned()));
    browser
}

/// Opens the sign-in page, which signs in the person.
async fn sign_in(browser: &mut Browser<'_>) {
    let opened = browser.open("/sign-in").await.expect(303);
    assert_eq!(opened.header("location"), "/today");
    assert!(browser.session().is_some());
}

#[test]
fn session_is_reused_and_closed_if_the_proxy_names_another_person() {
    run(async {
        for world in World::ALL {
            let app = setup(world).spawn().await;
            let (ada, ben) = (Person::free(&app).await, Person::free(&app).await);
            let mut browser = behind_proxy(&app, &ada.email.to_uppercase());
            let sent = browser.open("/settings").await.expect(303);
            assert_eq!(sent.header("location"), "/sign-in?next=%2Fsettings");
            let opened = browser.open(sent.header("location")).await.expect(303);
            assert_eq!(opened.header("location"), "/settings");
            let session = browser.session().unwrap().to_owned();
            assert!(browser.follow(&opened).await.contains(&ada.email));
            browser.submit("/settings/language", &[("language", "en")]).await.expect(303);
            assert_eq!(browser.session(), Some(session.as_str()));

            browser.proxy_headers.clear();
            browser.open("/settings").await.expect(200);
            browser.proxy_headers.push((HEADER, ben.email.clone()));
            let form = browser.submit("/settings/language", &[("language", "de")]).await.expect(303);
            assert!(form.header("location").ends_with("&signed-out"), "{}", form.header("location"));
            let mut previous = Browser::new(&app);
            previous.cookies.push(("carrel_session".to_owned(), session.clone()));
            previous.open("/settings").await.expect(303);

            sign_in(&mut browser).await;
            assert_ne!(browser.session(), Some(session.as_str()));
            let page = browser.open("/settings").await.expect(200).text();
            assert!(page.contains(&ben.email) && !page.contains(&ada.email), "{page}");
        }
    });
}

#[test]
fn header_of_another_sender_is_ignored() {
    run(async {
        let app = setup(World::Small).set("CARREL_TRUSTED_PROXIES", "10.0.0.7").spawn().await;
        let person = Person::free(&app).await;
        let mut browser = behind_proxy(&app, &person.email);
        for name in ["x-forwarded-for", "forwarded", "x-real-ip"] {
            browser.proxy_headers.push((name, "10.0.0.7".to_owned()));
        }
        assert!(browser.open("/sign-in").await.expect(200).text().contains("action=\"/sign-in\""));
        assert!(browser.session().is_none());
        let mut browser = Browser::signed_in(&app, &person).await;
        browser.proxy_headers.push((HEADER, "ben@example.org".to_owned()));
        browser.open("/settings").await.expect(200);

        let app = Setup::on(World::Small).set("CARREL_TRUSTED_PROXIES", "127.0.0.1").spawn().await;
        let person = Person::free(&app).await;
        behind_proxy(&app, &person.email).open("/sign-in").await.expect(200);
    });
}

#[test]
fn unusable_and_unknown_names_are_refused_with_a_reason() {
    run(async {
        for world in World::ALL {
            let app = setup(world).spawn().await;
            let disabled = Person::free(&app).await;
            accounts::disable(&app.app.domain, &disabled.email).await.unwrap();
            for (email, reason) in [
                ("ada", "did not send your e-mail address"),
                ("ada@example.org, ben@example.org", "did not send your e-mail address"),
                ("ada@example.net", "No account has the e-mail address"),
                (disabled.email.as_str(), "The sign-in was refused."),
            ] {
                let mut browser = behind_proxy(&app, email);
                let page = browser.open("/sign-in").await.expect(422).text();
                assert!(page.contains(reason) && page.contains("href=\"/sign-in\""), "{page}");
                assert!(browser.session().is_none());
            }
            let person = Person::free(&app).await;
            let mut twice = behind_proxy(&app, &person.email);
            twice.proxy_headers.push((HEADER, person.email.clone()));
            twice.open("/sign-in").await.expect(422);
            let mut empty_first = behind_proxy(&app, "");
            empty_first.proxy_headers.push((HEADER, person.email.clone()));
            empty_first.open("/sign-in").await.expect(422);
            behind_proxy(&app, "").open("/sign-in").await.expect(200);

            let mut german = behind_proxy(&app, "ada@example.net");
            german.proxy_headers.push(("accept-language", "de".to_owned()));
            let page = german.open("/sign-in").await.expect(422).text();
            assert!(page.contains("Kein Konto hat die E-Mail-Adresse"), "{page}");
        }
    });
}

#[test]
fn unknown_person_gets_an_account_if_the_operator_allows_it() {
    run(async {
        for world in World::ALL {
            let app = setup(world).set("CARREL_AUTH_HEADER_SIGN_UP", "on").spawn().await;
            let page = app.get("/sign-up").await.expect(200).text();
            assert!(page.contains("Sign-up is closed."), "an address is not proven by a sign-up: {page}");
            let mut browser = behind_proxy(&app, "Ada@example.net");
            assert_eq!(browser.open("/sign-in").await.expect(303).header("location"), "/welcome");
            let page = browser.open("/settings").await.expect(200).text();
            assert!(
                page.contains("ada@example.net") && page.contains("This account has no password."),
                "{page}"
            );
            sign_in(&mut behind_proxy(&app, "ada@example.net")).await;
            assert_eq!(accounts::list(&app.app.domain, None, 10).await.unwrap().len(), 1);
        }
    });
}

#[test]
fn account_without_a_password_is_deleted_after_a_recent_sign_in() {
    run(async {
        for world in World::ALL {
            let app = setup(world).set("CARREL_AUTH_HEADER_SIGN_UP", "on").spawn().await;
            let mut browser = behind_proxy(&app, "ada@example.net");
            browser.open("/sign-in").await.expect(303);
            app.clock.advance(11 * MINUTE);
            let page = browser.open("/settings/delete").await.expect(200).text();
            assert!(page.contains("Sign in again") && !page.contains("name=\"current\""), "{page}");
            browser.submit("/settings/delete", &[]).await.expect(422);
            let opened = browser.open("/sign-in?next=%2Fsettings%2Fdelete&again").await.expect(303);
            assert_eq!(opened.header("location"), "/settings/delete");
            browser.follow(&opened).await;
            browser.submit("/settings/delete", &[]).await.expect(200);
            assert!(accounts::find(&app.app.domain, "ada@example.net").await.is_err());

            let person = Person::free(&app).await;
            let mut browser = behind_proxy(&app, &person.email);
            sign_in(&mut browser).await;
            browser.open("/settings/delete").await.expect(200);
            browser.submit("/settings/delete", &[]).await.expect(422);
            browser.submit("/settings/delete", &[("current", PASSWORD)]).await.expect(200);
        }
    });
}

#[test]
fn second_factor_is_required_after_the_header() {
    run(async {
        for world in World::ALL {
            let app = setup(world).spawn().await;
            let person = Person::free(&app).await;
            let authenticator = set_up_without_pages(&app, &person).await;
            let mut browser = behind_proxy(&app, &person.email);
            let answer = browser.open("/sign-in?next=%2Fsettings").await.expect(303);
            assert_eq!(answer.header("location"), "/sign-in/code?next=%2Fsettings");
            assert!(browser.session().is_none());
            browser.follow(&answer).await;
            let code = next_code(&app, &authenticator);
            browser.submit("/sign-in/code", &[("code", &code)]).await.expect(303);
            browser.open("/settings").await.expect(200);
        }
    });
}

#[test]
fn sign_out_explains_that_the_proxy_still_names_the_person() {
    run(async {
        let app = setup(World::Small).spawn().await;
        let person = Person::free(&app).await;
        let mut browser = behind_proxy(&app, &person.email);
        sign_in(&mut browser).await;
        browser.open("/settings").await.expect(200);
        let out = browser.submit("/sign-out", &[]).await.expect(303);
        assert_eq!(out.header("location"), "/sign-in?signed-out");
        let page = browser.follow(&out).await;
        assert!(page.contains("still names you as") && page.contains(&person.email), "{page}");
        assert!(browser.session().is_none() && !page.contains("type=\"password\""), "{page}");
        sign_in(&mut browser).await;
    });
}

#[test]
fn cross_site_request_opens_no_session_unless_it_is_a_navigation() {
    run(async {
        let app = setup(World::Small).spawn().await;
        let person = Person::free(&app).await;
        for destination in ["image", "iframe", "empty"] {
            let mut browser = behind_proxy(&app, &person.email);
            browser.proxy_headers.push(("sec-fetch-site", "cross-site".to_owned()));
            browser.proxy_headers.push(("sec-fetch-dest", destination.to_owned()));
            let page = browser.open("/sign-in").await.expect(200).text();
            assert!(browser.session().is_none() && page.contains("href=\"/sign-in\""), "{page}");
        }
        let mut browser = behind_proxy(&app, &person.email);
        browser.proxy_headers.push(("sec-fetch-site", "cross-site".to_owned()));
        browser.proxy_headers.push(("sec-fetch-dest", "document".to_owned()));
        sign_in(&mut browser).await;
        let session = browser.session().map(str::to_owned);
        browser.open("/sign-in?again").await.expect(303);
        assert_eq!(browser.session(), session.as_deref(), "a link of another site opens no second session");
    });
}

#[test]
fn requests_of_feeds_and_monitors_cannot_have_the_header() {
    run(async {
        let app = setup(World::Small).spawn().await;
        let who = Person::free(&app).await;
        let url = app.site.put("/page", Reply::status(204));
        let header = json!({"name": "Remote-Email", "value": "ada@example.org"});
        let (request, credentials) = (json!({"headers": [header]}), json!({"header": header}));
        for (body, pointer) in [
            (json!({"name": "Page", "targetUrl": url, "request": request}), "/request/headers/0/name"),
            (
                json!({"name": "Page", "targetUrl": url, "credentials": credentials}),
                "/credentials/header/name",
            ),
        ] {
            let refused = who.post(&app, "/v1/monitors", &body).await.expect(422).json();
            assert!(refused["details"].as_str().unwrap().starts_with(pointer), "{refused}");
        }
        let path = follow(&app, &who).await;
        change(&app, &who, &path, json!({"headers": [header]})).await.api_error(422, "invalid_request");
    });
}

#[test]
fn client_without_cookies_is_rate_limited() {
    run(async {
        let app = setup(World::Small).spawn().await;
        let (person, other) = (Person::free(&app).await, Person::free(&app).await);
        for _ in 0..30 {
            sign_in(&mut behind_proxy(&app, &person.email)).await;
        }
        let refused = behind_proxy(&app, &person.email).open("/sign-in").await.expect(429);
        assert!(refused.text().contains("Too many sign-ins in a short time."), "{}", refused.text());
        assert!(!refused.header("retry-after").is_empty());
        sign_in(&mut behind_proxy(&app, &other.email)).await;
        app.clock.advance(30 * MINUTE);
        sign_in(&mut behind_proxy(&app, &person.email)).await;
    });
}

#[test]
fn keys_do_not_depend_on_the_header() {
    run(async {
        for world in World::ALL {
            let app = setup(world).spawn().await;
            let (ada, ben) = (Person::free(&app).await, Person::free(&app).await);
            let bearer = format!("Bearer {}", ada.key);
            let headers = [("authorization", bearer.as_str()), (HEADER, ben.email.as_str())];
            app.get_with("/v1/me", &headers).await.expect(200);
            app.get_with("/v1/me", &[(HEADER, ada.email.as_str())]).await.expect(401);

            let mut browser = behind_proxy(&app, &ada.email);
            sign_in(&mut browser).await;
            let cookies = browser.cookie_header();
            let own = [("cookie", cookies.as_str()), (HEADER, ada.email.as_str())];
            app.get_with("/v1/me", &own).await.expect(200);
            let other = [("cookie", cookies.as_str()), (HEADER, ben.email.as_str())];
            app.get_with("/v1/me", &other).await.expect(401);
        }
    });
}
