//! Passkeys: registration, sign-in without a password, and refused answers.

use crate::people_second_factor::{next_code, set_up_without_pages};
use crate::support::browser::{Browser, between};
use crate::support::clock::MINUTE;
use crate::support::person::{PASSWORD, Person};
use crate::support::software_passkey::{SoftwarePasskey, VERIFIED};
use crate::support::{HttpAnswer, Setup, TestApp, World, on_each_world, run};

const PARTY: &str = "carrel.example.org";
const ORIGIN: &str = "https://carrel.example.org";
const PAGE: &str = "/settings/passkeys";
const SIGN_IN: &str = "/sign-in/passkey";

async fn app_on_https(world: World) -> TestApp {
    Setup::on(world).set("CARREL_BASE_URL", ORIGIN).spawn().await
}

async fn sign_in(browser: &mut Browser<'_>, email: &str, password: &str) {
    browser.open("/sign-in").await.expect(200);
    browser.submit_from(ORIGIN, "/sign-in", &[("email", email), ("password", password)]).await.expect(303);
}

/// Returns the value of a data attribute of the current page.
fn data(browser: &Browser<'_>, name: &str) -> String {
    between(&browser.page, &format!("data-{name}=\""), "\"").to_owned()
}

/// Submits an answer of an authenticator with the other fields of the form.
async fn submit(
    browser: &mut Browser<'_>,
    path: &str,
    answer: &[(&str, String)],
    more: &[(&str, &str)],
) -> HttpAnswer {
    let answer = answer.iter().map(|(name, value)| (*name, value.as_str()));
    let fields: Vec<(&str, &str)> = answer.chain(more.iter().copied()).collect();
    browser.submit_from(ORIGIN, path, &fields).await
}

/// Adds a passkey in the browser of a signed-in person.
async fn add_passkey(browser: &mut Browser<'_>) -> SoftwarePasskey {
    browser.open(PAGE).await.expect(200);
    let passkey = SoftwarePasskey::new(&data(browser, "party"), &data(browser, "user"));
    let answer = passkey.register(&data(browser, "challenge"));
    let more = [("name", "My phone"), ("current", PASSWORD)];
    submit(browser, PAGE, &answer, &more).await.expect(303);
    passkey
}

/// Signs in with a passkey in a new browser.
async fn use_passkey(app: &TestApp, passkey: &SoftwarePasskey) -> HttpAnswer {
    let mut browser = Browser::new(app);
    browser.open(SIGN_IN).await.expect(200);
    let answer = passkey.sign_in(&data(&browser, "challenge"));
    submit(&mut browser, SIGN_IN, &answer, &[]).await
}

#[test]
fn passkey_signs_in_without_a_password() {
    run(async {
        for world in World::ALL {
            let app = app_on_https(world).await;
            let person = Person::free(&app).await;
            let mut browser = Browser::new(&app);
            assert_eq!(browser.open(PAGE).await.status, 303, "the page needs a session");
            sign_in(&mut browser, &person.email, PASSWORD).await;
            let page = browser.open(PAGE).await.expect(200);
            assert!(page.header("content-security-policy").contains("script-src 'self'"));
            assert!(page.text().contains("Passkeys need scripts"), "{}", page.text());
            let mut passkey = add_passkey(&mut browser).await;
            let page = browser.open(PAGE).await.expect(200).text();
            assert!(page.contains("My phone") && page.contains("data-label=\"Last used\">never"), "{page}");

            let mut phone = Browser::new(&app);
            assert!(phone.open("/sign-in").await.expect(200).text().contains("href=\"/sign-in/passkey\""));
            phone.open("/sign-in/passkey?next=%2Fsettings").await.expect(200);
            let answer = passkey.sign_in(&data(&phone, "challenge"));
            let opened = submit(&mut phone, SIGN_IN, &answer, &[("next", "/settings")]).await.expect(303);
            assert_eq!(opened.header("location"), "/settings");
            assert!(phone.open("/settings").await.expect(200).text().contains(&person.email));
            let page = browser.open(PAGE).await.expect(200).text();
            assert!(!page.contains("data-label=\"Last used\">never"), "the use is recorded: {page}");

            passkey.sign_count = 5;
            use_passkey(&app, &passkey).await.expect(303);
            use_passkey(&app, &passkey).await.expect(422);
            passkey.sign_count = 4;
            use_passkey(&app, &passkey).await.expect(422);
            passkey.sign_count = 6;
            use_passkey(&app, &passkey).await.expect(303);
        }
    });
}

#[test]
fn challenge_is_single_use_and_expires_after_five_minutes() {
    run(async {
        for world in World::ALL {
            let app = app_on_https(world).await;
            let person = Person::free(&app).await;
            let mut browser = Browser::new(&app);
            sign_in(&mut browser, &person.email, PASSWORD).await;
            let passkey = add_passkey(&mut browser).await;
            let (mut first, mut second) = (Browser::new(&app), Browser::new(&app));
            first.open(SIGN_IN).await.expect(200);
            second.open(SIGN_IN).await.expect(200);
            let answer = passkey.sign_in(&data(&first, "challenge"));
            submit(&mut first, SIGN_IN, &answer, &[]).await.expect(303);
            let refused = submit(&mut second, SIGN_IN, &answer, &[]).await.expect(422).text();
            assert!(refused.contains("The passkey was refused."), "{refused}");

            let mut late = Browser::new(&app);
            late.open(SIGN_IN).await.expect(200);
            let answer = passkey.sign_in(&data(&late, "challenge"));
            app.clock.advance(5 * MINUTE);
            submit(&mut late, SIGN_IN, &answer, &[]).await.expect(422);
        }
    });
}

#[test]
fn forged_answers_are_refused() {
    run(async {
        let app = app_on_https(World::Small).await;
        let (person, other) = (Person::free(&app).await, Person::free(&app).await);
        let mut browser = Browser::new(&app);
        sign_in(&mut browser, &person.email, PASSWORD).await;
        let mut passkey = add_passkey(&mut browser).await;
        use_passkey(&app, &passkey).await.expect(303);

        passkey.origin = "https://evil.example".to_owned();
        use_passkey(&app, &passkey).await.expect(422);
        passkey.origin = ORIGIN.to_owned();
        passkey.party = "evil.example".to_owned();
        use_passkey(&app, &passkey).await.expect(422);
        passkey.party = PARTY.to_owned();
        for flags in [0x00, 0x01, 0x04, 0x15] {
            passkey.flags = flags;
            use_passkey(&app, &passkey).await.expect(422);
        }
        passkey.flags = VERIFIED;
        let handle = data_encoding::BASE64URL_NOPAD.encode(other.id.as_bytes());
        let own = std::mem::replace(&mut passkey.user_handle, handle);
        use_passkey(&app, &passkey).await.expect(422);
        passkey.user_handle = own;

        let stranger = SoftwarePasskey::new(PARTY, &passkey.user_handle);
        use_passkey(&app, &stranger).await.expect(422);
        let mut page = Browser::new(&app);
        page.open(SIGN_IN).await.expect(200);
        let challenge = data(&page, "challenge");
        let (mut mixed, foreign) = (passkey.sign_in(&challenge), stranger.sign_in(&challenge));
        mixed[3] = foreign[3].clone();
        submit(&mut page, SIGN_IN, &mixed, &[]).await.expect(422);
        let registration = data_of_settings(&mut browser).await;
        let answer = passkey.sign_in(&registration);
        submit(&mut page, SIGN_IN, &answer, &[]).await.expect(422);
        submit(&mut page, SIGN_IN, &[], &[]).await.expect(422);
        use_passkey(&app, &passkey).await.expect(303);
    });
}

/// Opens the settings page and returns its challenge.
async fn data_of_settings(browser: &mut Browser<'_>) -> String {
    browser.open(PAGE).await.expect(200);
    data(browser, "challenge")
}

#[test]
fn registration_needs_the_password_and_a_challenge_of_the_account() {
    run(async {
        let app = app_on_https(World::Small).await;
        let (person, other) = (Person::free(&app).await, Person::free(&app).await);
        let (mut browser, mut stranger) = (Browser::new(&app), Browser::new(&app));
        sign_in(&mut browser, &person.email, PASSWORD).await;
        sign_in(&mut stranger, &other.email, PASSWORD).await;
        let challenge = data_of_settings(&mut browser).await;
        let passkey = SoftwarePasskey::new(PARTY, &data(&browser, "user"));
        let answer = passkey.register(&challenge);
        let right = [("name", "Phone"), ("current", PASSWORD)];
        let wrong = [("name", "Phone"), ("current", "wrong password")];
        let refused = submit(&mut browser, PAGE, &answer, &wrong).await.expect(422).text();
        assert!(refused.contains("This is not your current password."), "{refused}");
        let unnamed = [("name", " "), ("current", PASSWORD)];
        submit(&mut browser, PAGE, &answer, &unnamed).await.expect(422);
        let foreign = passkey.register(&data_of_settings(&mut stranger).await);
        submit(&mut browser, PAGE, &foreign, &right).await.expect(422);
        submit(&mut browser, PAGE, &[], &right).await.expect(422);
        submit(&mut browser, PAGE, &answer, &right).await.expect(303);
        browser.open(PAGE).await.expect(200);
        submit(&mut browser, PAGE, &answer, &right).await.expect(422);
        let again = passkey.register(&data_of_settings(&mut browser).await);
        let refused = submit(&mut browser, PAGE, &again, &right).await.expect(422).text();
        assert!(refused.contains("already registered"), "{refused}");

        let page = browser.open(PAGE).await.expect(200).text();
        let remove = format!("{PAGE}/{}/remove", between(&page, "action=\"/settings/passkeys/", "/remove\""));
        stranger.open(PAGE).await.expect(200);
        stranger.submit_from(ORIGIN, &remove, &[]).await.expect(404);
        browser.submit_from(ORIGIN, &remove, &[]).await.expect(303);
        use_passkey(&app, &passkey).await.expect(422);
    });
}

#[test]
fn registration_needs_the_code_of_a_second_factor() {
    run(async {
        let app = app_on_https(World::Small).await;
        let person = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        sign_in(&mut browser, &person.email, PASSWORD).await;
        let authenticator = set_up_without_pages(&app, &person).await;
        let challenge = data_of_settings(&mut browser).await;
        let passkey = SoftwarePasskey::new(PARTY, &data(&browser, "user"));
        let answer = passkey.register(&challenge);
        let password_only = [("name", "Phone"), ("current", PASSWORD)];
        let refused = submit(&mut browser, PAGE, &answer, &password_only).await.expect(422).text();
        assert!(refused.contains("This code is wrong"), "{refused}");
        let code = next_code(&app, &authenticator);
        let with_code = [("name", "Phone"), ("current", PASSWORD), ("code", code.as_str())];
        submit(&mut browser, PAGE, &answer, &with_code).await.expect(303);
        use_passkey(&app, &passkey).await.expect(303);
    });
}

#[test]
fn refused_answer_cannot_be_sent_again() {
    run(async {
        for world in World::ALL {
            let app = app_on_https(world).await;
            let person = Person::free(&app).await;
            let mut browser = Browser::new(&app);
            sign_in(&mut browser, &person.email, PASSWORD).await;
            let passkey = add_passkey(&mut browser).await;
            let mut page = Browser::new(&app);
            page.open(SIGN_IN).await.expect(200);
            let answer = passkey.sign_in(&data(&page, "challenge"));
            let domain = &app.app.domain;
            identity::accounts::disable(domain, &person.email).await.unwrap();
            submit(&mut page, SIGN_IN, &answer, &[]).await.expect(422);
            identity::accounts::enable(domain, &person.email).await.unwrap();
            submit(&mut page, SIGN_IN, &answer, &[]).await.expect(422);
            use_passkey(&app, &passkey).await.expect(303);
        }
    });
}

#[test]
fn password_change_removes_passkeys_if_access_is_revoked() {
    run(async {
        let app = app_on_https(World::Small).await;
        let person = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        sign_in(&mut browser, &person.email, PASSWORD).await;
        let passkey = add_passkey(&mut browser).await;
        let path = "/settings/password";
        browser.open("/settings").await.expect(200);
        let change = [("current", PASSWORD), ("new", "another fine password")];
        browser.submit_from(ORIGIN, path, &change).await.expect(303);
        use_passkey(&app, &passkey).await.expect(303);
        browser.open("/settings").await.expect(200);
        let change = [("current", "another fine password"), ("new", PASSWORD), ("endAccess", "on")];
        browser.submit_from(ORIGIN, path, &change).await.expect(303);
        use_passkey(&app, &passkey).await.expect(422);
    });
}

#[test]
fn password_reset_removes_passkeys() {
    run(async {
        let app = app_on_https(World::Small).await;
        let person = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        sign_in(&mut browser, &person.email, PASSWORD).await;
        let passkey = add_passkey(&mut browser).await;
        let link = identity::accounts::create_reset(&app.app.domain, &person.email).await.unwrap();
        let mut fresh = Browser::new(&app);
        fresh.open(&format!("/reset?link={}", link.expose())).await.expect(200);
        let fields = [("link", link.expose()), ("new", "another fine password")];
        fresh.submit_from(ORIGIN, "/reset", &fields).await.expect(200);
        use_passkey(&app, &passkey).await.expect(422);
        sign_in(&mut fresh, &person.email, "another fine password").await;
    });
}

#[test]
fn service_at_an_ip_address_explains_that_passkeys_are_unavailable() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        assert!(!browser.open("/sign-in").await.expect(200).text().contains("/sign-in/passkey"));
        let page = browser.open(SIGN_IN).await.expect(200).text();
        assert!(page.contains("Passkeys need a public name and https."), "{page}");
        browser.sign_in(&person.email).await;
        let page = browser.open(PAGE).await.expect(200).text();
        assert!(page.contains("Passkeys need a public name and https."), "{page}");
        assert!(!page.contains("data-challenge"), "{page}");
    });
}
