//! Page that the snooze link of a message opens.

use kernel::testing::smtp::SmtpServer;
use reqwest::Method;
use serde_json::json;

use crate::support::browser::Browser;
use crate::support::clock::SECOND;
use crate::support::monitoring::{advance_minute, create_monitor, get_monitor, page, run_now};
use crate::support::person::Person;
use crate::support::{Setup, World, run};

#[test]
fn snooze_page_changes_nothing_until_its_button_is_pressed() {
    run(async {
        for world in World::ALL {
            let server = SmtpServer::start().await;
            let setup = Setup::on(world).set("CARREL_SMTP_URL", server.url.clone());
            let app = setup.set("CARREL_MAIL_FROM", "Carrel <carrel@example.org>").spawn().await;
            let who = Person::free(&app).await;
            let mut browser = Browser::new(&app);
            browser.sign_in(&who.email).await;
            browser.open("/settings/channels?kind=mail").await.expect(200);
            let fields = [("kind", "mail"), ("address", who.email.as_str()), ("name", "Me")];
            browser.submit("/settings/channels", &fields).await.expect(303);
            app.run_jobs().await;
            let letter = server.letter().await.text;
            let confirm = letter.lines().find_map(|line| line.strip_prefix(app.origin.as_str())).unwrap();
            app.send(Method::POST, confirm, &[], None).await.expect(200);
            let channels = who.get(&app, "/v1/channels").await.expect(200).json();
            let url = app.site.put("/news", page("The harbour opens at eight."));
            let body = json!({"name": "News", "targetUrl": url, "notify": [channels["channels"][0]["id"]]});
            let monitor = create_monitor(&app, &who, &body).await;
            advance_minute(&app).await;
            app.site.put("/news", page("The harbour is closed because of the storm."));
            run_now(&app, &who, &monitor).await;
            app.clock.advance(SECOND);
            app.tick().await;
            app.run_jobs().await;
            let letter = server.letter().await.text;
            let start = letter.find("/notices/snooze?link=").unwrap();
            let link = letter[start..].split_whitespace().next().unwrap();
            let mut reader = Browser::new(&app);
            let opened = reader.open(link).await.expect(200);
            assert_eq!(opened.header("referrer-policy"), "no-referrer");
            assert!(opened.text().contains("Snooze <bdi>News</bdi>?"), "{}", opened.text());
            let act = |choice: &str| link.replace('?', &format!("?choice={choice}&"));
            let done = app.send(Method::POST, &act("week"), &[], None).await.expect(200).text();
            assert!(done.contains("No messages until"), "{done}");
            let again = reader.open(link).await.expect(200).text();
            assert!(again.contains("No messages until") && again.contains("Send messages again"), "{again}");
            app.send(Method::POST, &act("mute"), &[], None).await.expect(200);
            assert_eq!(get_monitor(&app, &who, &monitor).await["notify"], json!([]));
            app.send(Method::POST, &act("nonsense"), &[], None).await.expect(404);
        }
    });
}
