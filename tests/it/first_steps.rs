//! First steps after sign-up, suggested feeds, the start page, and the sample account of `carrel demo`.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use application::today;
use kernel::clock::DAY;
use kernel::tiers::Tier;
use kernel::{Domain, RandomIds};
use serde_json::json;

use crate::support::browser::{Browser, between};
use crate::support::person::{PASSWORD, Person};
use crate::support::rss::{feed, poll};
use crate::support::servers::CARREL;
use crate::support::{Reply, Setup, TestApp, World, on_each_world, run};

/// Returns a browser in which a second account has just signed up, and the page that it sees.
async fn signed_up(app: &TestApp) -> (Browser<'_>, String) {
    Person::free(app).await;
    let mut browser = Browser::new(app);
    browser.open("/sign-up").await.expect(200);
    let fields = [("email", "new@example.org"), ("password", PASSWORD)];
    let answer = browser.submit("/sign-up", &fields).await.expect(303);
    assert_eq!(answer.header("location"), "/welcome");
    let page = browser.follow(&answer).await;
    (browser, page)
}

#[test]
fn first_steps_show_progress_until_they_are_done() {
    on_each_world(async |app| {
        let (mut browser, page) = signed_up(&app).await;
        assert!(page.contains("0 of 3 done") && page.contains("/subscriptions/opml"), "{page}");
        assert!(browser.open("/today").await.expect(200).text().contains("0 of 3 done"));

        let url = app.site.article("/town");
        browser.open("/welcome").await.expect(200);
        let saved = browser.submit("/save", &[("url", &url), ("back", "/welcome")]).await.expect(303);
        assert_eq!(saved.header("location"), "/welcome?done=saved");
        let elsewhere = [("url", url.as_str()), ("back", "https://evil.example/welcome")];
        browser.open("/welcome").await.expect(200);
        let again = browser.submit("/save", &elsewhere).await.expect(303);
        assert!(again.header("location").starts_with("/library/"), "only pages of the desk are returned to");
        assert!(browser.open("/welcome").await.expect(200).text().contains("1 of 3 done"));
        let feed_url = app.site.put("/feed.xml", feed(1..=2));
        let follow = [("url", feed_url.as_str()), ("feed", feed_url.as_str()), ("back", "/welcome")];
        let followed = browser.submit("/subscriptions/new", &follow).await.expect(303);
        assert_eq!(followed.header("location"), "/welcome?done=feed");
        let today = browser.open("/today").await.expect(200).text();
        assert!(today.contains("2 of 3 done"), "{today}");

        let form = browser.open(&format!("/monitors/new?url={url}")).await.expect(200).text();
        assert!(form.contains(&url), "the third step leads to the form with the address: {form}");
        let new = [
            ("name", "Town"),
            ("targetUrl", url.as_str()),
            ("targetType", "page"),
            ("trigger", "any"),
            ("act", "make"),
        ];
        browser.submit("/monitors/new", &new).await.expect(303);
        let today = browser.open("/today").await.expect(200).text();
        assert!(!today.contains("Get started"), "completed steps are no longer offered: {today}");
        assert!(browser.open("/welcome").await.expect(200).text().contains("3 of 3 done"));
    });
}

#[test]
fn first_steps_can_be_closed() {
    on_each_world(async |app| {
        let (mut browser, _) = signed_up(&app).await;
        browser.submit_from("https://evil.example", "/welcome/close", &[]).await.expect(403);
        browser.open("/welcome").await.expect(200);
        let closed = browser.submit("/welcome/close", &[]).await.expect(303);
        let today = browser.follow(&closed).await;
        assert!(!today.contains("Get started") && today.contains("Nothing new"), "{today}");
        let refused = app.post_with("/welcome/close", &[], &json!({})).await;
        assert_eq!(refused.status, 303, "a visitor is sent to the sign-in page");
    });
}

#[test]
fn suggested_feeds_are_followed_and_other_addresses_are_not() {
    on_each_world(async |app| {
        let (mut browser, page) = signed_up(&app).await;
        let suggested = between(&page, "name=\"feed\" value=\"", "\"").to_owned();
        let none = browser.submit("/welcome/feeds", &[]).await.expect(303);
        assert!(browser.follow(&none).await.contains("Nothing was selected"));
        let other = app.site.put("/feed.xml", feed(1..=2));
        let ignored = browser.submit("/welcome/feeds", &[("feed", &other)]).await.expect(303);
        assert!(ignored.header("location").ends_with("done=none"));
        browser.open("/welcome").await.expect(200);
        let followed = browser.submit("/welcome/feeds", &[("feed", &suggested)]).await.expect(303);
        let page = browser.follow(&followed).await;
        assert!(page.contains("You now follow these feeds") && page.contains("1 of 3 done"), "{page}");
        assert!(browser.open("/subscriptions").await.expect(200).text().contains("BBC World"));
    });
}

#[test]
fn today_lists_unread_entries_by_importance_and_items_to_return_to() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let url = app.site.put("/feed.xml", feed(1..=3));
        browser.open("/subscriptions/new").await.expect(200);
        browser.submit("/subscriptions/new", &[("url", &url), ("feed", &url)]).await.expect(303);
        let article = app.site.article("/town");
        browser.open("/save").await.expect(200);
        let saved = browser.submit("/save", &[("url", &article)]).await.expect(303);
        let item = saved.header("location").split('?').next().unwrap().to_owned();
        poll(&app).await;
        let today = browser.open("/today").await.expect(200).text();
        assert!(today.contains("3 unread entries") && today.contains("Recently saved"), "{today}");
        assert!(!today.contains("Continue reading") && !today.contains("Saved a while ago"), "{today}");
        browser.submit(&format!("{item}/change"), &[("progress", "40")]).await.expect(303);
        let today = browser.open("/today").await.expect(200).text();
        assert!(today.contains("Continue reading") && today.contains("40 percent read"), "{today}");

        let second = app.site.put("/second", Reply::html("<h1>Second</h1><p>A page that nobody opens.</p>"));
        browser.open("/save").await.expect(200);
        browser.submit("/save", &[("url", &second)]).await.expect(303);
        app.clock.advance(91 * DAY);
        browser.sign_in(&who.email).await;
        let today = browser.open("/today").await.expect(200).text();
        assert!(today.contains("Saved a while ago"), "{today}");

        let mut stranger = Browser::new(&app);
        stranger.sign_in(&Person::free(&app).await.email).await;
        let today = stranger.open("/today").await.expect(200).text();
        assert!(!today.contains("A town by the sea") && !today.contains("Note 3"), "{today}");
    });
}

#[test]
fn today_page_needs_a_constant_number_of_statements() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let save = async |numbers: std::ops::Range<u32>| {
            for number in numbers {
                app.clock.advance(1_000);
                let body = json!({"externalId": number.to_string(), "content": "Words of a desk."});
                who.post(&app, "/v1/library/items", &body).await.expect(201);
            }
        };
        save(0..8).await;
        let (database, count) = app.app.domain.db().clone().counted();
        let domain = application::compose(Domain::with(database, app.clock.clone(), Arc::new(RandomIds)));
        let statements = async || {
            let before = count.load(Ordering::Relaxed);
            today::load(&domain, who.id).await.unwrap();
            count.load(Ordering::Relaxed) - before
        };
        // Loads data that a process reads only once.
        statements().await;
        let few = statements().await;
        save(8..60).await;
        assert_eq!(statements().await, few);
        assert!((5..=30).contains(&few), "{few} statements");
    });
}

#[test]
fn sample_account_is_created_on_the_command_line_and_removed_with_one_button() {
    run(async {
        for world in World::ALL {
            let app = Setup::on(world).idle().spawn().await;
            let folder = tempfile::tempdir().unwrap();
            let mut command = Command::new(CARREL);
            command.arg("demo").env_clear().current_dir(folder.path());
            command.env("DATABASE_URL", app.database_url()).env("CARREL_FILES", folder.path());
            let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let printed = String::from_utf8(output.stdout).unwrap();
            let password = between(&printed, "password  ", "\n").to_owned();

            let mut browser = Browser::new(&app);
            browser.open("/sign-in").await.expect(200);
            let fields = [("email", "demo@carrel.invalid"), ("password", password.as_str())];
            browser.submit("/sign-in", &fields).await.expect(303);
            let today = browser.open("/today").await.expect(200).text();
            assert!(today.contains("Remove this sample account"), "{today}");
            assert!(
                today.contains("Continue reading") && today.contains("How to keep what you read"),
                "{today}"
            );
            assert!(browser.open("/monitors").await.expect(200).text().contains("Time zone database"));
            browser.open("/today").await.expect(200);
            let gone = browser.submit("/settings/sample/delete", &[]).await.expect(200).text();
            assert!(gone.contains("Account deleted"), "{gone}");
            browser.open("/today").await.expect(303);

            let who = Person::free(&app).await;
            browser.sign_in(&who.email).await;
            let today = browser.open("/today").await.expect(200).text();
            assert!(!today.contains("Remove this sample account"), "{today}");
            browser.submit("/settings/sample/delete", &[]).await.expect(404);
            browser.open("/today").await.expect(200);
        }
    });
}
