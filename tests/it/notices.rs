//! Notification channels in the browser and their deliveries, for example an e-mail and a webhook request
//! about a price change.

use kernel::testing::smtp::SmtpServer;
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::browser::{Browser, between};
use crate::support::clock::{DAY, HOUR, MINUTE, SECOND};
use crate::support::monitoring::{
    advance_minute, create_monitor, get_monitor, page, path, run_now, send, watch_page,
};
use crate::support::owned_objects::create_channel;
use crate::support::person::Person;
use crate::support::rss::{feed, poll};
use crate::support::{Reply, Setup, TestApp, World, on_each_world, run, secret_scan};

/// Starts a service that sends mail to the server.
pub(crate) async fn mailing(world: World, server: &SmtpServer) -> TestApp {
    let setup = Setup::on(world).set("CARREL_SMTP_URL", server.url.clone());
    setup.set("CARREL_MAIL_FROM", "Carrel <carrel@example.org>").spawn().await
}

/// Sends the notices that wait for the next tick.
pub(crate) async fn deliver_due_notices(app: &TestApp) {
    app.clock.advance(SECOND);
    app.tick().await;
    app.run_jobs().await;
}

/// Adds a webhook channel and returns its id and its secret.
pub(crate) async fn add_webhook(browser: &mut Browser<'_>, url: &str) -> (String, String) {
    browser.open("/settings/channels?kind=webhook").await.expect(200);
    let fields = [("kind", "webhook"), ("address", url), ("name", "My program"), ("accountNews", "1")];
    let made = browser.submit("/settings/channels", &fields).await.expect(200).text();
    let secret = between(&made, "aria-label=\"Secret\">", "<").to_owned();
    secret_scan::record_secret(&secret);
    let id = between(&made, "href=\"/settings/channels/", "\"").to_owned();
    (id, secret)
}

#[test]
fn price_change_is_sent_by_mail_and_signed_webhook() {
    run(async {
        for world in World::ALL {
            let server = SmtpServer::start().await;
            let app = mailing(world, &server).await;
            let who = Person::free(&app).await;
            let mut browser = Browser::new(&app);
            browser.sign_in(&who.email).await;
            let hook = app.site.put("/hook", Reply::bytes("text/plain", b"thank you".to_vec()));
            let (add_webhook, secret) = add_webhook(&mut browser, &hook).await;
            assert!(secret.starts_with("whsec_"), "{secret}");
            let list = browser.open("/settings/channels?kind=mail").await.expect(200).text();
            assert!(
                !list.contains(&secret) && !list.contains(&hook),
                "secrets and addresses are shown abbreviated: {list}"
            );
            let fields =
                [("kind", "mail"), ("address", who.email.as_str()), ("name", "Me"), ("accountNews", "1")];
            let made = browser.submit("/settings/channels", &fields).await.expect(303);
            let mail =
                made.header("location").rsplit('/').next().unwrap().split('?').next().unwrap().to_owned();
            app.run_jobs().await;
            let letter = server.letter().await.text;
            let link = letter.lines().find(|line| line.contains("/notices/confirm?link=")).unwrap();
            let link = link.strip_prefix(&app.origin).expect("the link uses the configured origin");
            // The owner of an e-mail address does not need an account.
            let mut owner = Browser::new(&app);
            let confirmation = owner.open(link).await.expect(200);
            assert_eq!(confirmation.header("referrer-policy"), "no-referrer");
            assert!(confirmation.text().contains("Confirm"));
            app.send(Method::POST, link, &[], None).await.expect(200);
            let lamp =
                |price: &str| Reply::html(format!("<html><body><b class=price>{price}</b></body></html>"));
            let url = app.site.put("/lamp", lamp("120 €"));
            let body = json!({"name": "Lamp", "targetUrl": url, "targetType": "extract",
                "fields": [{"name": "price", "selector": ".price"}], "notify": [mail, add_webhook]});
            let monitor = self::create_monitor(&app, &who, &body).await;
            let listed = monitor["notify"].as_array().unwrap().len();
            assert_eq!(listed, 2);
            advance_minute(&app).await;
            app.site.put("/lamp", lamp("90 €"));
            run_now(&app, &who, &monitor).await;
            deliver_due_notices(&app).await;
            let letter = server.letter().await;
            assert_eq!(letter.to, [who.email.as_str()]);
            assert!(
                letter.text.contains("Lamp: ") && letter.text.contains(&format!("{}/changes/", app.origin))
            );
            let sent: Vec<_> = app.site.requests().into_iter().filter(|seen| seen.path == "/hook").collect();
            assert_eq!(sent.len(), 1);
            let payload: Value = serde_json::from_str(&sent[0].body).unwrap();
            assert_eq!(payload["type"], "monitor.changed");
            assert!(sent[0].headers["webhook-signature"].to_str().unwrap().starts_with("v1,"));
            let page = browser.open(&format!("/settings/channels/{add_webhook}")).await.expect(200).text();
            assert!(
                page.contains("delivered") && page.contains("thank you") && page.contains("200 "),
                "{page}"
            );
        }
    });
}

#[test]
fn failure_message_is_in_the_language_of_the_owner_and_the_feed_is_english() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::in_language(&app, &who, "de").await;
        let hook = app.site.put("/hook", Reply::bytes("text/plain", b"thank you".to_vec()));
        let (channel, _) = add_webhook(&mut browser, &hook).await;
        let gone = app.site.put("/gone", Reply::status(410));
        let body = json!({"name": "Harbour", "targetUrl": gone, "notify": [channel]});
        create_monitor(&app, &who, &body).await;
        advance_minute(&app).await;
        deliver_due_notices(&app).await;
        let sent = app.site.requests().into_iter().filter(|seen| seen.path == "/hook");
        let mut payloads = sent.map(|seen| serde_json::from_str::<Value>(&seen.body).unwrap());
        let failed = payloads.find(|payload| payload["type"] == "monitor.failed").expect("a failure is sent");
        assert_eq!(failed["data"]["title"], "Angehalten: die Seite gibt es nicht mehr");
        let entries = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        assert_eq!(entries["entries"][0]["title"], "Stopped: the page is gone");
    });
}

#[test]
fn channel_is_tested_changed_disabled_and_deleted_on_its_page() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let hook = app.site.put("/hook", Reply::status(500));
        let (id, old_secret) = add_webhook(&mut browser, &hook).await;
        let at = format!("/settings/channels/{id}");
        browser.open(&at).await.expect(200);
        browser.submit(&format!("{at}/test"), &[]).await.expect(303);
        deliver_due_notices(&app).await;
        let text = browser.open(&at).await.expect(200).text();
        assert!(text.contains("retrying") && text.contains("500 "), "{text}");
        let wrong = [("name", "Mine"), ("digest", "8 o'clock"), ("zone", "UTC")];
        let text = browser.submit(&at, &wrong).await.expect(422).text();
        assert!(text.contains("<title>Error: ") && text.contains("href=\"#digest\""), "{text}");
        let good = [("name", "Mine"), ("digest", "07:30"), ("zone", "Europe/Berlin")];
        browser.submit(&at, &good).await.expect(303);
        let text = browser.open(&at).await.expect(200).text();
        assert!(text.contains("one message a day, at 07:30 in Europe/Berlin"), "{text}");
        browser.submit(&format!("{at}/off"), &[]).await.expect(303);
        browser.open(&at).await.expect(200);
        browser.submit(&format!("{at}/test"), &[]).await.expect(422);
        browser.open(&at).await.expect(200);
        browser.submit(&format!("{at}/on"), &[]).await.expect(303);
        browser.open(&format!("{at}/rotate")).await.expect(200);
        let text = browser.submit(&format!("{at}/rotate"), &[]).await.expect(200).text();
        let secret = between(&text, "aria-label=\"Secret\">", "<").to_owned();
        secret_scan::record_secret(&secret);
        assert!(secret.starts_with("whsec_") && secret != old_secret);
        let stranger = Person::free(&app).await;
        let mut other = Browser::new(&app);
        other.sign_in(&stranger.email).await;
        for page in [at.clone(), format!("{at}/delete"), format!("{at}/rotate")] {
            other.open(&page).await.expect(404);
        }
        other.open("/settings/channels").await.expect(200);
        other.submit(&format!("{at}/delete"), &[]).await.expect(404);
        browser.open(&format!("{at}/delete")).await.expect(200);
        browser.submit(&format!("{at}/delete"), &[]).await.expect(303);
        browser.open(&at).await.expect(404);
    });
}

#[test]
fn invalid_channel_is_reported_and_the_input_is_retained() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        for (kind, address, words) in [
            ("webhook", "http://example.com/hook", "must begin with https://"),
            ("webhook", "https://10.0.0.1/hook", "cannot be used"),
            ("slack", "https://example.com/x", "hooks.slack.com"),
            ("mail", "me@example.org", "sends no mail"),
        ] {
            browser.open(&format!("/settings/channels?kind={kind}")).await.expect(200);
            let fields = [("kind", kind), ("address", address), ("name", "Mine")];
            let text = browser.submit("/settings/channels", &fields).await.expect(422).text();
            assert!(text.contains(words) && text.contains(address), "{kind}: {text}");
            assert!(text.contains("<title>Error: Channels"), "{text}");
        }
    });
}

#[test]
fn access_token_of_a_channel_is_sent_as_entered() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        app.site.put("/", Reply::status(200));
        let topic = app.site.url("/my-topic");
        let mut received = Vec::new();
        for token in ["", "tk_mine"] {
            let page = browser.open("/settings/channels?kind=ntfy").await.expect(200).text();
            assert!(page.contains("name=\"serviceToken\""), "{page}");
            let fields =
                [("kind", "ntfy"), ("address", topic.as_str()), ("name", "Mine"), ("serviceToken", token)];
            let made = browser.submit("/settings/channels", &fields).await.expect(303);
            let at = made.header("location").split('?').next().unwrap().to_owned();
            browser.open(&at).await.expect(200);
            browser.submit(&format!("{at}/test"), &[]).await.expect(303);
            deliver_due_notices(&app).await;
            let sent = app.site.requests().pop().expect("the service received a message");
            received.push(sent.headers.get("authorization").map(|value| value.to_str().unwrap().to_owned()));
        }
        assert_eq!(received, [None, Some("Bearer tk_mine".to_owned())]);

        for (token, status) in [("12345", 422), ("123456:ABCDEFGHIJKLMNOPQRSTUVWXYZ", 303)] {
            browser.open("/settings/channels?kind=telegram").await.expect(200);
            let fields = [("kind", "telegram"), ("serviceToken", token), ("chat", "-1001"), ("name", "Mine")];
            let answer = browser.submit("/settings/channels", &fields).await.expect(status);
            assert_eq!(answer.text().contains("id=\"serviceToken-error\""), status == 422);
        }
    });
}

#[test]
fn templates_of_a_channel_are_set_previewed_and_refused_by_api_and_page() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let id = create_channel(&app, &who).await;
        let channel = format!("/v1/channels/{id}");
        let templates =
            json!({"titleTemplate": "{{ monitor }}: {{ value }}", "template": "{{ before }} → {{ after }}"});
        let preview = format!("{channel}/preview");
        let rendered = who.post(&app, &preview, &templates).await.expect(200).json();
        assert_eq!(rendered, json!({"title": "Lamp: 90 €", "text": "120 € → 90 €"}));
        other.post(&app, &preview, &templates).await.api_error(404, "not_found");
        send(&app, &other, Method::PATCH, &channel, &templates).await.api_error(404, "not_found");
        let changed = send(&app, &who, Method::PATCH, &channel, &templates).await.expect(200).json();
        assert_eq!(changed["channel"]["titleTemplate"], templates["titleTemplate"]);
        for (change, field) in [
            (json!({"titleTemplate": "{{ prize }}"}), "/titleTemplate"),
            (json!({"template": "{{ prize }}"}), "/template"),
        ] {
            let refused = send(&app, &who, Method::PATCH, &channel, &change).await;
            let details = refused.api_error(422, "invalid_request")["details"].to_string();
            assert!(details.contains(field) && details.contains("Known fields: title, text"), "{details}");
        }

        let lamp = |price: &str| Reply::html(format!("<html><body><b class=price>{price}</b></body></html>"));
        let url = app.site.put("/lamp", lamp("120 €"));
        let body = json!({"name": "Lamp", "targetUrl": url, "targetType": "extract",
            "fields": [{"name": "price", "selector": ".price"}], "notify": [id]});
        let monitor = create_monitor(&app, &who, &body).await;
        advance_minute(&app).await;
        app.site.put("/", Reply::status(200));
        app.site.put("/lamp", lamp("80 €"));
        run_now(&app, &who, &monitor).await;
        deliver_due_notices(&app).await;
        let sent =
            app.site.requests().into_iter().rfind(|seen| seen.path == "/").expect("a message was sent");
        let sent: Value = serde_json::from_str(&sent.body).unwrap();
        assert_eq!(
            (&sent["title"], &sent["message"]),
            (&json!("Lamp: 80 €"), &json!("120 € → 80 €")),
            "{sent}"
        );

        let mut browser = Browser::signed_in(&app, &who).await;
        let page = format!("/settings/channels/{id}/template");
        let form = browser.open(&page).await.expect(200).text();
        assert!(form.contains("value=\"{{ monitor }}: {{ value }}\""), "{form}");
        let typed = |title, act| [("titleTemplate", title), ("template", ""), ("act", act)];
        let refused = browser.submit(&page, &typed("{{ prize }}", "save")).await.expect(422).text();
        assert!(between(&refused, "role=\"alert\"", "</div>").contains("Known fields: title"), "{refused}");
        let previewed = browser.submit(&page, &typed("Now {{ value }}", "preview")).await.expect(200).text();
        assert!(
            previewed.contains("Now 80 €") && previewed.contains("The text is the default text."),
            "{previewed}"
        );
        browser.submit(&page, &typed("", "save")).await.expect(303);
        let listed = who.get(&app, "/v1/channels").await.expect(200).json();
        let channel = &listed["channels"][0];
        assert_eq!((&channel["titleTemplate"], &channel["template"]), (&Value::Null, &Value::Null));
    });
}

#[test]
fn channels_are_listed_by_api_and_assigned_to_monitors() {
    run(async {
        let app = TestApp::spawn().await;
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let empty = who.get(&app, "/v1/channels").await.expect(200).json();
        assert_eq!(empty, json!({"channels": []}));
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let hook = app.site.put("/hook", Reply::status(204));
        let (id, _) = add_webhook(&mut browser, &hook).await;
        let listed = who.get(&app, "/v1/channels").await.expect(200).json();
        let expected = json!([{"id": id, "kind": "webhook", "name": "My program", "status": "active",
            "titleTemplate": null, "template": null, "entryTexts": false, "savedItems": false}]);
        assert_eq!(listed["channels"], expected);
        assert_eq!(other.get(&app, "/v1/channels").await.expect(200).json(), empty);
        let url = app.site.put("/page", page("x"));
        let monitor = watch_page(&app, &who, &url).await;
        assert_eq!(monitor["notify"], json!([]));
        let patched = send(&app, &who, Method::PATCH, &path(&monitor), &json!({"notify": [id]})).await;
        assert_eq!(patched.expect(200).json()["monitor"]["notify"], json!([id]));
        for wrong in ["nonsense", "019c2b6f-0000-7000-8000-000000000001"] {
            let refused = send(&app, &who, Method::PATCH, &path(&monitor), &json!({"notify": [wrong]})).await;
            refused.api_error(404, "not_found");
        }
        let url = app.site.put("/other", page("x"));
        let foreign = json!({"name": "x", "targetUrl": url, "notify": [id]});
        other.post(&app, "/v1/monitors", &foreign).await.api_error(404, "not_found");
        // The form of the monitor displays the channel as a checked checkbox.
        let edit = format!("/monitors/{}/edit", monitor["id"].as_str().unwrap());
        let form = browser.open(&edit).await.expect(200).text();
        assert!(form.contains(&format!("name=\"notify\" value=\"{id}\" checked")), "{form}");
        let monitor_page = browser.open(&path(&monitor).replace("/v1", "")).await.expect(200).text();
        let action = format!("/settings/channels/{id}/test");
        assert!(monitor_page.contains(&format!("action=\"{action}\"")), "{monitor_page}");
        let tested = browser.submit(&action, &[]).await.expect(303);
        assert!(browser.follow(&tested).await.contains("Test sent."), "the button sends a test message");
        let fields =
            [("name", "Harbour"), ("targetUrl", monitor["targetUrl"].as_str().unwrap()), ("act", "save")];
        browser.submit(&edit, &fields).await.expect(303);
        assert_eq!(get_monitor(&app, &who, &monitor).await["notify"], json!([]));
        let limits = who.get(&app, "/v1/me").await.expect(200).json()["limits"].clone();
        let numbers = ["notificationChannels", "notificationChannelsUsed", "mailsPerDay"];
        assert_eq!(numbers.map(|name| limits[name].as_u64().unwrap()), [3, 1, 20]);
    });
}

#[test]
fn daily_mail_contains_the_today_page() {
    run(async {
        for world in World::ALL {
            let server = SmtpServer::start().await;
            let app = mailing(world, &server).await;
            let who = Person::free(&app).await;
            let mut browser = Browser::new(&app);
            browser.sign_in(&who.email).await;
            browser.open("/settings/channels?kind=mail").await.expect(200);
            let daily = [
                ("kind", "mail"),
                ("address", who.email.as_str()),
                ("name", "Me"),
                ("digest", "08:00"),
                ("zone", "UTC"),
                ("digestToday", "1"),
            ];
            let made = browser.submit("/settings/channels", &daily).await.expect(303);
            let channel = made.header("location").split('?').next().unwrap().to_owned();
            let settings = browser.open(&channel).await.expect(200).text();
            assert!(settings.contains("name=\"digestToday\" value=\"1\" checked"), "{settings}");
            app.run_jobs().await;
            let letter = server.letter().await.text;
            let link = letter.lines().find(|line| line.contains("/notices/confirm?link=")).unwrap();
            let link = link.strip_prefix(&app.origin).unwrap();
            app.send(Method::POST, link, &[], None).await.expect(200);

            // Entries of the last two days, because older entries count as read.
            let feed_url = app.site.put("/feed.xml", feed(18..=19));
            browser.open("/subscriptions/new").await.expect(200);
            browser
                .submit("/subscriptions/new", &[("url", &feed_url), ("feed", &feed_url)])
                .await
                .expect(303);
            poll(&app).await;
            // The test begins at 12:00 UTC.
            app.clock.advance(21 * HOUR);
            deliver_due_notices(&app).await;
            let letter = server.letter().await.text;
            assert!(letter.contains("\nUnread") && letter.contains("text/html"), "{letter}");
            assert!(letter.contains(&format!("{}/entries/", app.origin)), "{letter}");
            deliver_due_notices(&app).await;
            assert!(server.is_empty().await, "the mail is sent one time a day");
        }
    });
}

/// The events are new keys, exhausted credits, failed monitors, and sign-ins.
#[test]
fn account_events_are_sent_without_duplicates() {
    run(async {
        for world in World::ALL {
            let app = TestApp::on(world).await;
            let who = Person::free(&app).await;
            let mut browser = Browser::new(&app);
            browser.sign_in(&who.email).await;
            let hook = app.site.put("/hook", Reply::status(204));
            let (id, _) = add_webhook(&mut browser, &hook).await;
            // A sign-in from a known browser causes no event.
            browser.open("/settings").await.expect(200);
            browser.submit("/sign-out", &[]).await.expect(303);
            browser.sign_in(&who.email).await;
            Browser::new(&app).sign_in(&who.email).await;
            who.create_key(&app, kernel::Scopes::READ, None).await;
            let url = app.site.put("/gone", Reply::status(410));
            let body = json!({"name": "Gone", "targetUrl": url, "notify": [id]});
            create_monitor(&app, &who, &body).await;
            advance_minute(&app).await;
            application::credit_grants::grant(&app.app.domain, &who.email, -99, "").await.unwrap();
            let url = app.site.put("/page", page("x"));
            watch_page(&app, &who, &url).await;
            advance_minute(&app).await;
            app.clock.advance(MINUTE);
            deliver_due_notices(&app).await;
            let sent: Vec<_> = app.site.requests().into_iter().filter(|seen| seen.path == "/hook").collect();
            let mut event_types: Vec<String> = sent
                .iter()
                .map(|seen| {
                    serde_json::from_str::<Value>(&seen.body).unwrap()["type"].as_str().unwrap().to_owned()
                })
                .collect();
            event_types.sort();
            let expected = ["account.key_created", "account.signed_in", "credits.used", "monitor.failed"];
            assert_eq!(event_types, expected);
            app.clock.advance(DAY);
            deliver_due_notices(&app).await;
        }
    });
}
