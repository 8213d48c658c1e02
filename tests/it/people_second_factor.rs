//! Second factor of an account: set-up, sign-in with codes and recovery codes, limits, and removal.

use crate::support::authenticator::Authenticator;
use crate::support::browser::{Browser, between};
use crate::support::clock::{DAY, MINUTE, SECOND};
use crate::support::person::{PASSWORD, Person};
use crate::support::{TestApp, on_each_world, run, secret_scan};

const PAGE: &str = "/settings/second-factor";

fn now(app: &TestApp) -> i64 {
    app.app.domain.now()
}

/// Advances the clock to the next code, and returns it.
pub(crate) fn next_code(app: &TestApp, authenticator: &Authenticator) -> String {
    app.clock.advance(30 * SECOND);
    authenticator.code(now(app))
}

/// Sets up the second factor of a person without pages. Returns the authenticator app.
pub(crate) async fn set_up_without_pages(app: &TestApp, person: &Person) -> Authenticator {
    let domain = &app.app.domain;
    let proof = identity::accounts::OwnerProof { current: PASSWORD, code: "", signed_in_at: now(app) };
    let started = identity::accounts::start_second_factor(domain, &app.app.passwords, person.id, proof).await;
    let authenticator = Authenticator::with_key(&started.unwrap().grouped());
    let code = authenticator.code(now(app));
    identity::accounts::finish_second_factor(domain, person.id, &code).await.unwrap();
    authenticator
}

/// Sets up the second factor of a signed-in person. Returns the authenticator app and the recovery codes.
async fn set_up(app: &TestApp, browser: &mut Browser<'_>) -> (Authenticator, Vec<String>) {
    browser.open(PAGE).await.expect(200);
    let page = browser.submit(PAGE, &[("current", PASSWORD)]).await.expect(200).text();
    let key = between(&page, "aria-label=\"Key\">", "<").to_owned();
    secret_scan::record_secret(&key.replace(' ', ""));
    assert!(key.split(' ').all(|group| group.len() == 4), "{key}");
    let uri = between(&page, "aria-label=\"Address with the key\">", "<");
    assert!(uri.starts_with("otpauth://totp/Carrel:") && uri.contains(&key.replace(' ', "")), "{uri}");
    let authenticator = Authenticator::with_key(&key);
    let code = authenticator.code(now(app));
    let page = browser.submit("/settings/second-factor/finish", &[("code", &code)]).await.expect(200).text();
    let codes = between(&page, "aria-label=\"Recovery codes\">", "</pre>");
    let codes: Vec<String> = codes.lines().map(str::to_owned).collect();
    for code in &codes {
        secret_scan::record_secret(code);
    }
    assert_eq!(codes.len(), 10, "{page}");
    (authenticator, codes)
}

/// Enters the password in a new browser, which is then sent to the page for the code.
async fn enter_password(browser: &mut Browser<'_>, email: &str) {
    browser.open("/sign-in?next=%2Fsettings").await.expect(200);
    let fields = [("email", email), ("password", PASSWORD), ("next", "/settings")];
    let answer = browser.submit("/sign-in", &fields).await.expect(303);
    assert_eq!(answer.header("location"), "/sign-in/code?next=%2Fsettings");
    assert!(browser.session().is_none(), "the password alone opens no session");
    browser.follow(&answer).await;
}

#[test]
fn sign_in_requires_a_single_use_code() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&person.email).await;
        let (authenticator, _) = set_up(&app, &mut browser).await;
        let page = browser.open(PAGE).await.expect(200).text();
        assert!(page.contains("10 unused") && page.contains("API keys"), "{page}");
        person.get(&app, "/v1/me").await.expect(200);

        let used = authenticator.code(now(&app));
        let mut second = Browser::new(&app);
        enter_password(&mut second, &person.email).await;
        let refused = second.submit("/sign-in/code", &[("code", &used)]).await.expect(422).text();
        assert!(refused.contains("wrong or was already used"), "a replay is refused: {refused}");
        second.submit("/sign-in/code", &[("code", "no code")]).await.expect(422);
        assert_eq!(second.open("/settings").await.status, 303);
        enter_password(&mut second, &person.email).await;
        let code = next_code(&app, &authenticator);
        let fields = [("code", code.as_str()), ("next", "/settings")];
        let answer = second.submit("/sign-in/code", &fields).await.expect(303);
        assert_eq!(answer.header("location"), "/settings");
        second.open("/settings").await.expect(200);

        let mut third = Browser::new(&app);
        enter_password(&mut third, &person.email).await;
        third.submit("/sign-in/code", &[("code", &code)]).await.expect(422);
        let early = authenticator.code(now(&app) + 30 * SECOND);
        third.submit("/sign-in/code", &[("code", &early)]).await.expect(303);
    });
}

#[test]
fn code_is_accepted_by_one_of_two_concurrent_sign_ins() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&person.email).await;
        let (authenticator, codes) = set_up(&app, &mut browser).await;
        for code in [next_code(&app, &authenticator), codes[0].clone()] {
            let (mut one, mut two) = (Browser::new(&app), Browser::new(&app));
            enter_password(&mut one, &person.email).await;
            enter_password(&mut two, &person.email).await;
            let fields = [("code", code.as_str())];
            let (first, second) =
                tokio::join!(one.submit("/sign-in/code", &fields), two.submit("/sign-in/code", &fields));
            let mut statuses = [first.status, second.status];
            statuses.sort_unstable();
            assert_eq!(statuses, [303, 422], "{code}");
        }
    });
}

#[test]
fn pending_sign_in_expires_and_is_invalid_after_a_password_change() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&person.email).await;
        let (authenticator, _) = set_up(&app, &mut browser).await;

        let mut stranger = Browser::new(&app);
        let answer = stranger.open("/sign-in/code").await.expect(303);
        assert_eq!(answer.header("location"), "/sign-in", "the page needs the password");
        enter_password(&mut stranger, &person.email).await;
        app.clock.advance(10 * MINUTE);
        let code = authenticator.code(now(&app));
        let answer = stranger.submit("/sign-in/code", &[("code", &code)]).await.expect(303);
        assert_eq!(answer.header("location"), "/sign-in");
        assert!(stranger.session().is_none());

        enter_password(&mut stranger, &person.email).await;
        browser.open("/settings").await.expect(200);
        let change = [("current", PASSWORD), ("new", "another fine password")];
        browser.submit("/settings/password", &change).await.expect(303);
        let code = next_code(&app, &authenticator);
        let answer = stranger.submit("/sign-in/code", &[("code", &code)]).await.expect(303);
        assert_eq!(answer.header("location"), "/sign-in");
        assert!(stranger.session().is_none());
    });
}

#[test]
fn recovery_code_is_single_use_and_replaced_by_new_codes() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&person.email).await;
        let (authenticator, codes) = set_up(&app, &mut browser).await;
        let mut second = Browser::new(&app);
        enter_password(&mut second, &person.email).await;
        let typed = codes[0].to_lowercase().replace('-', " ");
        second.submit("/sign-in/code", &[("code", &typed)]).await.expect(303);
        let mut third = Browser::new(&app);
        enter_password(&mut third, &person.email).await;
        third.submit("/sign-in/code", &[("code", &codes[0])]).await.expect(422);
        let page = browser.open(PAGE).await.expect(200).text();
        assert!(page.contains("9 unused"), "{page}");

        let renew = "/settings/second-factor/recovery-codes";
        browser.submit(renew, &[("current", "wrong password"), ("code", &codes[1])]).await.expect(422);
        browser.submit(renew, &[("current", PASSWORD), ("code", "123")]).await.expect(422);
        let code = next_code(&app, &authenticator);
        let page = browser.submit(renew, &[("current", PASSWORD), ("code", &code)]).await.expect(200).text();
        assert!(!page.contains(&codes[1]), "{page}");
        enter_password(&mut third, &person.email).await;
        third.submit("/sign-in/code", &[("code", &codes[1])]).await.expect(422);
    });
}

#[test]
fn wrong_codes_are_limited_without_locking_the_owner_out() {
    run(async {
        let app = TestApp::spawn().await;
        let person = Person::free(&app).await;
        let mut home = Browser::new(&app);
        home.sign_in(&person.email).await;
        let (authenticator, codes) = set_up(&app, &mut home).await;
        home.open("/settings").await.expect(200);
        home.submit("/sign-out", &[]).await.expect(303);
        let mut stranger = Browser::new(&app);
        enter_password(&mut stranger, &person.email).await;
        for _ in 0..5 {
            stranger.submit("/sign-in/code", &[("code", "000000")]).await.expect(422);
        }
        let code = next_code(&app, &authenticator);
        let refused = stranger.submit("/sign-in/code", &[("code", &code)]).await.expect(429);
        assert!(refused.text().contains("Too many wrong codes. Try again in"), "{}", refused.text());
        enter_password(&mut home, &person.email).await;
        home.submit("/sign-in/code", &[("code", &code)]).await.expect(303);
        stranger.submit("/sign-in/code", &[("code", &codes[0])]).await.expect(303);
    });
}

#[test]
fn second_factor_is_removed_by_its_owner_or_an_operator() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        assert_eq!(browser.open(PAGE).await.status, 303, "the page needs a session");
        browser.sign_in(&person.email).await;
        browser.open(PAGE).await.expect(200);
        browser.submit(PAGE, &[("current", "wrong password")]).await.expect(422);
        let (authenticator, _) = set_up(&app, &mut browser).await;
        browser.open(PAGE).await.expect(200);
        let page = browser.submit(PAGE, &[("current", PASSWORD)]).await.expect(422).text();
        assert!(page.contains("already has a second factor"), "{page}");
        let remove = "/settings/second-factor/remove";
        browser.submit(remove, &[("current", PASSWORD), ("code", "000000")]).await.expect(422);
        let code = next_code(&app, &authenticator);
        browser.submit(remove, &[("current", PASSWORD), ("code", &code)]).await.expect(303);
        Browser::new(&app).sign_in(&person.email).await;

        set_up(&app, &mut browser).await;
        identity::accounts::reset_second_factor(&app.app.domain, &person.email).await.unwrap();
        let mut second = Browser::new(&app);
        second.sign_in(&person.email).await;
        second.open("/settings").await.expect(200);
    });
}

#[test]
fn unfinished_set_up_requires_no_code_and_expires() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&person.email).await;
        browser.open(PAGE).await.expect(200);
        let page = browser.submit(PAGE, &[("current", PASSWORD)]).await.expect(200).text();
        let key = between(&page, "aria-label=\"Key\">", "<").to_owned();
        let finish = "/settings/second-factor/finish";
        let again = browser.submit(finish, &[("code", "000000")]).await.expect(422).text();
        assert!(again.contains(&key), "the key is displayed again: {again}");
        let mut second = Browser::new(&app);
        second.sign_in(&person.email).await;
        app.clock.advance(DAY);
        let code = Authenticator::with_key(&key).code(now(&app));
        browser.submit(finish, &[("code", &code)]).await.expect(303);
        let page = browser.open(PAGE).await.expect(200).text();
        assert!(page.contains("Set up"), "{page}");
    });
}
