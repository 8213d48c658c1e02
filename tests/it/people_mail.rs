//! Password reset by e-mail.

use kernel::testing::smtp::SmtpServer;

use crate::support::browser::Browser;
use crate::support::person::Person;
use crate::support::{Setup, TestApp, World, run, secret_scan};

/// Starts an app that sends e-mail through `server`.
async fn app_with_mail(world: World, server: &SmtpServer) -> TestApp {
    let setup = Setup::on(world).set("CARREL_SMTP_URL", server.url.clone());
    setup.set("CARREL_MAIL_FROM", "Carrel <carrel@example.org>").spawn().await
}

#[test]
fn forgotten_password_is_reset_by_a_mailed_link() {
    run(async {
        for world in World::ALL {
            let server = SmtpServer::start().await;
            let app = app_with_mail(world, &server).await;
            let person = Person::free(&app).await;
            let mut browser = Browser::new(&app);
            browser.open("/forgot").await.expect(200);
            browser.submit("/forgot", &[("email", &person.email)]).await.expect(200);
            let letter = server.letter().await;
            assert_eq!(letter.to, [person.email.as_str()]);
            let link = letter.text.lines().find(|line| line.contains("/reset?link=")).unwrap();
            let path = link.strip_prefix(&app.origin).expect("the link uses the configured origin");
            let page = browser.open(path).await.expect(200);
            assert_eq!(page.header("referrer-policy"), "no-referrer");
            let secret = path.split_once('=').unwrap().1;
            secret_scan::record_secret(secret);
            let fields = [("link", secret), ("new", "another fine password")];
            browser.submit("/reset", &fields).await.expect(200);
            person.get(&app, "/v1/me").await.api_error(401, "revoked_credential");
            browser.open(path).await.expect(404);
            app.run_jobs().await;
            assert!(server.is_empty().await, "one mail is sent per cause");
        }
    });
}

#[test]
fn reset_mail_is_in_the_language_of_the_account() {
    run(async {
        for world in World::ALL {
            let server = SmtpServer::start().await;
            let app = app_with_mail(world, &server).await;
            let person = Person::free(&app).await;
            Browser::in_language(&app, &person, "de").await;
            let mut stranger = Browser::new(&app);
            stranger.open("/forgot").await.expect(200);
            stranger.submit("/forgot", &[("email", &person.email)]).await.expect(200);
            let text = server.letter().await.text;
            assert!(text.contains("Jemand hat ein neues Passwort"), "{text}");
            let link = text.lines().find(|line| line.contains("/reset?link=")).unwrap();
            assert!(link.starts_with(&app.origin), "the link has its own line: {link}");
        }
    });
}

#[test]
fn reset_request_does_not_reveal_whether_the_account_exists() {
    run(async {
        let server = SmtpServer::start().await;
        let app = app_with_mail(World::Small, &server).await;
        let person = Person::free(&app).await;
        let mut pages = Vec::new();
        let mut browser = Browser::new(&app);
        for email in [person.email.as_str(), "nobody@example.org"] {
            for _ in 0..5 {
                browser.open("/forgot").await.expect(200);
                pages.push(browser.submit("/forgot", &[("email", email)]).await.expect(200).text());
            }
        }
        app.run_jobs().await;
        for _ in 0..2 {
            server.letter().await;
        }
        assert!(server.is_empty().await, "repeated requests send no more mails");
        browser.open("/forgot").await.expect(200);
        let refused = browser.submit("/forgot", &[("email", &person.email)]).await.expect(429);
        assert_eq!(refused.header("retry-after"), "3600");
        assert!(refused.text().contains("Try again in 1 hour."), "{}", refused.text());
        let odd = browser.submit("/forgot", &[("email", "no address")]).await.expect(422).text();
        assert!(odd.contains("<title>Error: Forgot your password? · Carrel</title>"), "{odd}");
        assert!(odd.contains("value=\"no address\""), "the entered text is retained");
        assert!(
            pages.iter().all(|page| *page == pages[0]),
            "known and unknown addresses get the same response"
        );
    });
}
