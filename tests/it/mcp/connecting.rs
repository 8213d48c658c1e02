//! Connection of agents: the instructions, and the check of the service's address from outside.

use std::time::Duration;

use identity::public_address::{self, AddressFault};
use tokio::time::Instant;

use crate::support::browser::Browser;
use crate::support::clock::MINUTE;
use crate::support::person::Person;
use crate::support::{Setup, World, on_each_world, run};

const PATH: &str = "/settings/apps/address";

#[test]
fn hosted_clients_get_no_private_address() {
    run(async {
        let app = Setup::on(World::Small).idle().spawn().await;
        let page = app.get("/docs/agents").await.expect(200).text();
        assert!(page.contains("Hosted clients cannot reach"), "{page}");
        assert!(!page.contains("https://claude.ai/"), "{page}");
        assert!(page.contains("cursor://anysphere.cursor-deeplink/mcp/install?"), "{page}");
        let public = Setup::on(World::Small).set("CARREL_BASE_URL", "https://carrel.example.org").idle();
        let public = public.spawn().await;
        let page =
            public.get_with("/docs/agents", &[("host", "carrel.example.org")]).await.expect(200).text();
        assert!(!page.contains("Hosted clients cannot reach"), "{page}");
        assert!(page.contains("connectorUrl=https%3A%2F%2Fcarrel.example.org%2Fmcp"), "{page}");
        assert!(page.contains(PATH), "{page}");
    });
}

#[test]
fn check_of_a_private_address_reports_why_it_is_unreachable() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        assert!(Browser::new(&app).open(PATH).await.header("location").starts_with("/sign-in"));
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let page = browser.open(PATH).await.expect(200).text();
        assert!(page.contains("has not been checked"), "{page}");
        assert_eq!(browser.submit(PATH, &[]).await.expect(303).header("location"), PATH);
        let page = browser.open(PATH).await.expect(200).text();
        for words in ["This address cannot be reached from outside.", "a private network", "CARREL_BASE_URL"]
        {
            assert!(page.contains(words), "{words} is missing in {page}");
        }
        for _ in 0..4 {
            browser.submit(PATH, &[]).await.expect(303);
            browser.open(PATH).await.expect(200);
        }
        assert_ne!(browser.submit(PATH, &[]).await.status, 303, "an account has five checks a minute");
        app.clock.advance(MINUTE);
        browser.open(PATH).await.expect(200);
        browser.submit(PATH, &[]).await.expect(303);
        let mut forged = Browser::new(&app);
        forged.sign_in(&who.email).await;
        forged.open(PATH).await.expect(200);
        assert_ne!(forged.submit_from("https://evil.example", PATH, &[]).await.status, 303);
    });
}

#[test]
fn worker_checks_the_configured_address_under_the_guard() {
    run(async {
        let cases = [
            ("https://203.0.113.4", AddressFault::Private, "not on the public internet"),
            ("http://203.0.113.4", AddressFault::NoTls, ""),
            ("https://10.1.2.3", AddressFault::Private, ""),
        ];
        for (base, fault, detail) in cases {
            let app = Setup::on(World::Small).set("CARREL_BASE_URL", base).spawn().await;
            let who = Person::free(&app).await;
            let progress = public_address::request_check(&app.app.domain, who.id).await.unwrap();
            let deadline = Instant::now() + Duration::from_mins(2);
            let check = app.app.engine.await_result(progress, deadline).await.unwrap().unwrap();
            assert_eq!(check.fault, Some(fault), "{base}: {check:?}");
            assert!(check.detail.contains(detail), "{base}: {check:?}");
        }
    });
}
