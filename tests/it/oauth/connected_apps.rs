//! Connected apps: the settings page, revocation, and mails about them.

use kernel::testing::smtp::SmtpServer;

use super::consent::{parse_redirect, request, submit_consent};
use crate::support::browser::{Browser, between};
use crate::support::oauth_clients::{Client, Connection, FULL_ACCESS, READ_ACCESS};
use crate::support::person::{PASSWORD, Person};
use crate::support::{Setup, TestApp, World, eventually, on_each_world, run};

/// Uses a connection and waits until its use is recorded.
async fn use_connection(app: &TestApp, person: &Person, connection: &Connection) {
    connection.get(app, "/v1/me").await.expect(200);
    let list_grants = async || identity::oauth::list(&app.app.domain, person.id).await.unwrap();
    eventually("the use is noted", list_grants, |grants| {
        grants.iter().any(|grant| grant.last_used_at.is_some())
    })
    .await;
}

#[test]
fn connected_app_is_listed_and_revoked_in_settings() {
    on_each_world(async |app| {
        let (person, client) = (Person::free(&app).await, Client::public(&app).await);
        let mut browser = Browser::signed_in(&app, &person).await;
        let empty = browser.open("/settings/apps").await.expect(200).text();
        assert!(empty.contains(&format!("{}/mcp", app.origin)), "the empty page has instructions: {empty}");
        let desk = client.connect(&app, &person, FULL_ACCESS).await;
        let laptop = client.connect(&app, &person, READ_ACCESS).await;
        use_connection(&app, &person, &desk).await;
        let page = browser.open("/settings/apps").await.expect(200).text();
        for words in [
            "this computer", "\u{201c}Reader\u{201d}", "read and change", "API and MCP",
            "from <bdi>127.0.0.1", "Revoke…",
        ] {
            assert!(page.contains(words), "{words} is missing in {page}");
        }
        assert_eq!(page.matches("class=\"client\"").count(), 1, "two grants of an app are listed as one app");
        let account = browser.open("/settings").await.expect(200).text();
        assert!(account.contains("Recent access") && account.contains("127.0.0.1"), "{account}");

        // Only the connection of the desk app was used, so the unused grant belongs to the laptop.
        let grants = identity::oauth::list(&app.app.domain, person.id).await.unwrap();
        let unused = grants.iter().find(|grant| grant.last_used_at.is_none()).unwrap();
        let path = format!("/settings/apps/{}/end", unused.id);
        assert!(page.contains(&format!("href=\"{path}\"")), "{page}");
        let ask = browser.open(&path).await.expect(200).text();
        assert!(ask.contains("will lose access immediately"), "{ask}");
        let to = browser.submit(&path, &[]).await.expect(303).header("location").to_owned();
        laptop.get(&app, "/v1/me").await.api_error(401, "invalid_credential");
        desk.get(&app, "/v1/me").await.expect(200);
        let page = browser.open(&to).await.expect(200).text();
        assert!(page.contains("Access removed") && page.contains("removed by you"), "{page}");
        browser.submit(&path, &[]).await.expect(404);

        let other = Person::free(&app).await;
        let mut stranger = Browser::signed_in(&app, &other).await;
        let grants = identity::oauth::list(&app.app.domain, person.id).await.unwrap();
        let live = grants.iter().find(|grant| grant.ended.is_none()).unwrap();
        let path = format!("/settings/apps/{}/end", live.id);
        assert_eq!(stranger.open(&path).await.status, 404, "the grant belongs to another account");
        stranger.open("/settings/apps").await.expect(200);
        assert_eq!(stranger.submit(&path, &[]).await.status, 404);
        desk.get(&app, "/v1/me").await.expect(200);
    });
}

#[test]
fn access_of_one_app_or_all_apps_is_revoked() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let (one, other) = (Client::public(&app).await, Client::confidential(&app).await);
        let (first, second) =
            (one.connect(&app, &person, READ_ACCESS).await, one.connect(&app, &person, READ_ACCESS).await);
        let third = other.connect(&app, &person, READ_ACCESS).await;
        let mut browser = Browser::signed_in(&app, &person).await;
        let page = browser.open("/settings/apps").await.expect(200).text();
        let path = format!(
            "/settings/apps/{}/end",
            between(&page, "\"/settings/apps/", "/end?all\"").rsplit('/').next().unwrap()
        );
        browser.open(&format!("{path}?all")).await.expect(200);
        assert!(browser.page.contains("name=\"all\""), "{}", browser.page);
        browser.submit(&path, &[("all", "on")]).await.expect(303);
        for connection in [&first, &second] {
            connection.get(&app, "/v1/me").await.api_error(401, "invalid_credential");
        }
        third.get(&app, "/v1/me").await.expect(200);
        browser.open("/settings/apps/end-all").await.expect(200);
        browser.submit("/settings/apps/end-all", &[]).await.expect(303);
        third.get(&app, "/v1/me").await.api_error(401, "invalid_credential");
        person.get(&app, "/v1/me").await.expect(200);
    });
}

#[test]
fn password_change_offers_to_revoke_keys_and_apps() {
    on_each_world(async |app| {
        let (person, client) = (Person::free(&app).await, Client::public(&app).await);
        let connection = client.connect(&app, &person, READ_ACCESS).await;
        let mut browser = Browser::signed_in(&app, &person).await;
        browser.open("/settings").await.expect(200);
        assert!(browser.page.contains("name=\"endAccess\" value=\"on\" checked"), "{}", browser.page);
        let without_revocation = [("current", PASSWORD), ("new", "another fine password")];
        browser.submit("/settings/password", &without_revocation).await.expect(303);
        connection.get(&app, "/v1/me").await.expect(200);
        browser.open("/settings").await.expect(200);
        let with_revocation = [("current", "another fine password"), ("new", PASSWORD), ("endAccess", "on")];
        browser.submit("/settings/password", &with_revocation).await.expect(303);
        connection.get(&app, "/v1/me").await.api_error(401, "invalid_credential");
        person.get(&app, "/v1/me").await.api_error(401, "revoked_credential");
    });
}

#[test]
fn password_reset_by_link_revokes_keys_and_apps() {
    on_each_world(async |app| {
        let (person, client) = (Person::free(&app).await, Client::public(&app).await);
        let connection = client.connect(&app, &person, READ_ACCESS).await;
        let link = identity::accounts::create_reset(&app.app.domain, &person.email).await.unwrap();
        let mut browser = Browser::new(&app);
        let page = browser.open(&format!("/reset?link={}", link.expose())).await.expect(200).text();
        assert!(page.contains("every app disconnected"), "{page}");
        let fields = [("link", link.expose()), ("new", "another fine password")];
        browser.submit("/reset", &fields).await.expect(200);
        connection.get(&app, "/v1/me").await.api_error(401, "invalid_credential");
        client.refresh(&app, &connection.refresh).await.oauth_error(400, "invalid_grant");
        person.get(&app, "/v1/me").await.api_error(401, "revoked_credential");
    });
}

#[test]
fn mail_is_sent_for_a_new_app_and_a_reused_code() {
    run(async {
        for world in World::ALL {
            let server = SmtpServer::start().await;
            let setup = Setup::on(world).set("CARREL_SMTP_URL", server.url.clone());
            let app = setup.set("CARREL_MAIL_FROM", "Carrel <carrel@example.org>").spawn().await;
            let (person, client) = (Person::free(&app).await, Client::public(&app).await);
            let mut browser = Browser::signed_in(&app, &person).await;
            browser.open(&request(&client.id, &[])).await.expect(200);
            let (_, parameters) =
                parse_redirect(&submit_consent(&mut browser, &[("answer", "allow"), ("change", "on")]).await);
            let letter = server.letter().await;
            assert_eq!(letter.to, [person.email.as_str()]);
            for words in [
                "An app was connected to your Carrel account",
                "\"Reader\"",
                "read and change",
                "/settings/apps",
            ] {
                assert!(letter.text.contains(words), "{words} is missing in {}", letter.text);
            }
            client.exchange(&app, &parameters[0].1).await.expect(200);
            client.exchange(&app, &parameters[0].1).await.oauth_error(400, "invalid_grant");
            app.tick().await;
            let letter = server.letter().await;
            assert!(letter.text.contains("was used a second time"), "{}", letter.text);
            let page = browser.open("/settings/apps").await.expect(200).text();
            assert!(page.contains("a token was used twice"), "{page}");
            app.run_jobs().await;
            assert!(server.is_empty().await, "one mail is sent for each grant");
        }
    });
}
