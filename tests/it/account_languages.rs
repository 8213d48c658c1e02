//! Languages of the pages of an account, of links in messages, and of the consent page.

use crate::languages::BROWSER;
use crate::oauth::consent::request;
use crate::support::browser::Browser;
use crate::support::oauth_clients::Client;
use crate::support::person::Person;
use crate::support::{TestApp, on_each_world, run};

/// Asserts that a page is in German and contains these words, and that its content is not marked as English.
fn assert_german(path: &str, page: &str, words: &str) {
    assert!(page.contains("<html lang=\"de\"") && page.contains(words), "{path}: {page}");
    assert!(!page.contains("lang=\"en\" dir=\"ltr\""), "{path}: {page}");
}

#[test]
fn pages_of_an_account_are_in_its_language() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::in_language(&app, &who, "de").await;
        for (path, words) in [
            ("/settings", "Wo du angemeldet bist"),
            ("/settings/delete", "Konto löschen?"),
            ("/settings/email", "Du meldest dich mit <strong>"),
            ("/settings/passkeys", "Du hast keine Passkeys."),
            ("/settings/second-factor", "Einrichten</button>"),
            ("/settings/keys", "Schlüssel erstellen</button>"),
            ("/settings/apps", "<h1>Verbundene Apps</h1>"),
            ("/settings/apps/address", "Von außen prüfen"),
            ("/settings/apps/end-all", "Allen Zugriff entziehen"),
            ("/settings/channels", "Wie möchtest du benachrichtigt werden?"),
            ("/settings/inbox", "Neueste Nachrichten"),
            ("/settings/teams", "Familie und Teams"),
            ("/settings/plan", "Kontingente"),
        ] {
            assert_german(path, &browser.open(path).await.expect(200).text(), words);
        }
        let guide = browser.open("/settings/channels?kind=mqtt").await.expect(200).text();
        assert!(guide.contains("Dienstgüte") && guide.contains("Etwa home/carrel."), "{guide}");
        assert_german(
            "/settings/channels?kind=mqtt",
            &guide,
            "<li>Wähle einen aus dem Internet erreichbaren Broker",
        );

        let keys = browser.open("/settings/keys").await.expect(200).text();
        assert!(keys.contains(" aktiven Schlüsseln benutzt."), "{keys}");
        let wrong = browser.submit("/settings/keys", &[("name", "Town")]).await.expect(422).text();
        assert_german("/settings/keys", &wrong, "Es gibt ein Problem");
        assert!(wrong.contains("Wähle mindestens eine Berechtigung."), "{wrong}");
        assert!(!wrong.contains("<li lang=\"en\">"), "{wrong}");
        let made = browser.submit("/settings/keys", &[("name", "Town"), ("scopes", "svc:read")]).await;
        assert_german("/settings/keys", &made.expect(201).text(), "Dein neuer Schlüssel");
    });
}

#[test]
fn pages_of_a_new_team_and_inbox_address_are_in_the_language_of_the_account() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let mut browser = Browser::in_language(&app, &who, "de").await;

        browser.open("/settings/teams").await.expect(200);
        let made = browser.submit("/settings/teams", &[("name", "Town")]).await.expect(303);
        let team = browser.follow(&made).await;
        assert_german("team", &team, "Team erstellt. Lade seine Mitglieder ein.");
        browser.open("/settings/inbox").await.expect(200);
        let made = browser.submit("/settings/inbox", &[("name", "Town")]).await.expect(303);
        assert_german("/settings/inbox", &browser.follow(&made).await, "Nachrichten werden zu: ");
    });
}

#[test]
fn pages_before_sign_in_are_in_the_language_of_the_browser() {
    run(async {
        let app = TestApp::spawn().await;
        for (path, status, words) in [
            ("/forgot", 200, "Zurück zur Anmeldung"),
            ("/reset?link=x", 404, "Dieser Link ist abgelaufen"),
            ("/settings/email/confirm?link=x", 404, "Dieser Link ist abgelaufen"),
            ("/sign-in/passkey", 200, "Mit Passwort anmelden"),
            ("/notices/confirm?link=x", 404, "Dieser Link ist nicht mehr gültig"),
            ("/notices/stop?link=x", 404, "Dieser Link ist nicht mehr gültig"),
            ("/oauth/authorize?client_id=x", 400, "Diese App kann nicht verbunden werden"),
            ("/oauth/authorize?client_id=x", 400, "Ihre Rückkehradresse fehlt oder kommt mehrfach vor."),
        ] {
            let answer = app.get_with(path, &[BROWSER, ("accept-language", "de")]).await.expect(status);
            assert_german(path, &answer.text(), words);
            assert!(!answer.text().contains("lang=\"en\""), "{path}: {}", answer.text());
        }
    });
}

#[test]
fn consent_page_is_in_the_language_of_the_account() {
    on_each_world(async |app| {
        let client = Client::public(&app).await;
        let who = Person::free(&app).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        for (language, words) in [
            ("de", "Jedes Programm auf diesem Computer kann sich als diese App ausgeben."),
            ("ja", "このコンピューターの次のアドレスのプログラムにアクセスを許可しますか"),
            ("ar", "لا يستطيع إنشاء مفاتيح"),
        ] {
            browser.choose_language(language).await;
            let page = browser.open(&request(&client.id, &[])).await.expect(200).text();
            assert!(page.contains(words) && page.contains("<main id=\"main\">"), "{language}: {page}");
        }
    });
}
