//! Account protection (password reset, rate limits, sign-in throttling) and account details on pages.

use crate::support::browser::{Browser, between};
use crate::support::installation::Installation;
use crate::support::person::{PASSWORD, Person};
use crate::support::{TestApp, on_each_world, run};

#[test]
fn forgotten_password_is_reset_by_an_operator_link() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        assert!(browser.open("/sign-in").await.expect(200).text().contains("/forgot"));
        let forgot = browser.open("/forgot").await.expect(200).text();
        assert!(forgot.contains("carrel account reset-link"), "{forgot}");
        let link = identity::accounts::create_reset(&app.app.domain, &person.email).await.unwrap();
        let path = format!("/reset?link={}", link.expose());
        browser.open(&path).await.expect(200);
        let answer = browser.open(&path).await.expect(200);
        assert_eq!(answer.header("referrer-policy"), "no-referrer");
        assert!(answer.text().contains(&person.email), "opening the link does not use it up");
        let fields = [("link", link.expose()), ("new", "another fine password")];
        browser.submit("/reset", &fields).await.expect(200);
        browser.open(&path).await.expect(404);
        browser.open("/sign-in").await.expect(200);
        let fields = [("email", person.email.as_str()), ("password", "another fine password")];
        browser.submit("/sign-in", &fields).await.expect(303);
    });
}

#[test]
fn pages_of_an_account_count_towards_its_minute_limit() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&person.email).await;
        for _ in 0..58 {
            browser.open("/settings/plan").await.expect(200);
        }
        person.get(&app, "/v1/me").await.expect(200);
        browser.open("/monitors").await.expect(200);
        let refused = browser.open("/monitors").await.expect(429);
        assert_eq!(refused.header("retry-after"), "60");
        let page = refused.text();
        assert!(page.contains("Try again in 60 seconds."), "{page}");
        // The page links only to itself and to the previous page of this origin.
        assert!(page.contains("href=\"/monitors\">Try again"), "{page}");
        assert!(page.contains("href=\"/today\">Go to the start page"), "{page}");
        let (cookies, origin) = (browser.cookie_header(), browser.origin.clone());
        for (referer, way_back) in [
            (format!("{origin}/library?shelf=all"), "href=\"/library?shelf=all\">Go back"),
            ("https://evil.example/library".to_owned(), "href=\"/today\">Go to the start page"),
        ] {
            let headers = [("cookie", cookies.as_str()), ("referer", &referer)];
            let page = app.get_with(&format!("{origin}/monitors"), &headers).await.expect(429).text();
            assert!(page.contains(way_back), "{page}");
        }
        person.get(&app, "/v1/me").await.api_error(429, "rate_limited");
        app.clock.advance(60_000);
        browser.open("/monitors").await.expect(200);
    });
}

#[test]
fn known_browser_is_not_locked_out_by_failed_sign_ins_of_others() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let (mut home, mut stranger) = (Browser::new(&app), Browser::new(&app));
        home.sign_in(&person.email).await;
        home.open("/settings").await.expect(200);
        home.submit("/sign-out", &[]).await.expect(303);
        stranger.open("/sign-in").await.expect(200);
        let wrong = [("email", person.email.as_str()), ("password", "wrong password")];
        for _ in 0..10 {
            stranger.submit("/sign-in", &wrong).await.expect(422);
        }
        let refused = stranger.submit("/sign-in", &wrong).await.expect(429);
        assert!(refused.text().contains("Try again in 15 minutes."), "{}", refused.text());
        home.sign_in(&person.email).await;
    });
}

#[test]
fn private_sections_are_explained_to_visitors() {
    on_each_world(async |app| {
        let mut browser = Browser::new(&app);
        for (path, title) in [
            ("/library", "Sign in to open your library"),
            ("/library/tags", "Sign in to open your library"),
            ("/today", "Sign in to see your day"),
            ("/subscriptions", "Sign in to see your feeds"),
            ("/monitors?tag=a", "Sign in to see your monitors"),
            ("/settings/plan", "Sign in"),
        ] {
            let answer = browser.open(path).await.expect(303);
            let page = browser.follow(&answer).await;
            assert!(page.contains(&format!("<h1>{title}</h1>")), "{path}: {page}");
            assert!(page.contains("href=\"/sign-up"), "{path}: {page}");
        }
        assert!(browser.open("/sign-in").await.expect(200).text().contains("<h1>Sign in</h1>"));
        let sign_up = browser.open("/sign-up").await.expect(200).text();
        let form = between(&sign_up, "<main", "</main>");
        assert!(form.contains("save pages to your library") && !form.contains("API"), "{form}");
    });
}

#[test]
fn pages_name_the_account_or_explain_the_feature_to_visitors() {
    run(async {
        let app = TestApp::spawn().await;
        let person = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        let answer = browser.open("/monitors").await.expect(303);
        let page = browser.open(answer.header("location")).await.expect(200).text();
        assert!(page.contains("A monitor checks a web page regularly"), "{page}");
        assert!(page.contains(">Sign in</a>") && page.contains("href=\"/docs/developer\""), "{page}");
        browser.sign_in(&person.email).await;
        for path in ["/settings/keys", "/settings/plan", "/settings"] {
            let page = browser.open(path).await.expect(200).text();
            assert!(page.contains(&format!("Signed in as </span><bdi>{}", person.email)), "{page}");
        }
        let missing = browser.open("/settings/nothing").await.expect(404).text();
        assert!(missing.contains(&person.email));
        let out = browser.open("/settings/keys").await.expect(200).text();
        assert!(out.contains("name=\"expiresInDays\""), "one of two keys exists: {out}");
        person.create_key(&app, kernel::Scopes::ALL, None).await;
        let full = browser.open("/settings/keys").await.expect(200).text();
        assert!(
            full.contains("2 of 2 active keys used") && !full.contains("name=\"expiresInDays\""),
            "{full}"
        );
        assert!(full.contains("/settings/plan#plans"));
    });
}

#[test]
fn first_account_of_a_public_installation_is_on_the_free_plan() {
    run(async {
        let app = TestApp::spawn().await;
        let settings = [("CARREL_BASE_URL", "https://carrel.example.org")];
        let Installation { process, origin, data: _data } = Installation::start(&app, &settings).await;
        let mut browser = Browser::at(&app, &origin);
        browser.open("/sign-up").await.expect(200);
        let fields = [("email", "ada@example.org"), ("password", PASSWORD)];
        let answer = browser.submit_from("https://carrel.example.org", "/sign-up", &fields).await.expect(303);
        assert_eq!(answer.header("location"), "/welcome");
        process.wait_for_log("carrel account set-tier").await;
        assert!(!process.log().contains("ada@example.org"));
    });
}
