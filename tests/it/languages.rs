//! Languages of pages: by the browser's header, and by the setting of the account.

use reqwest::Method;

use crate::oauth::consent::request;
use crate::support::browser::{Browser, between};
use crate::support::oauth_clients::Client;
use crate::support::person::Person;
use crate::support::rss::{feed, poll};
use crate::support::{TestApp, on_each_world, run};

const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");

#[test]
fn reading_page_is_in_the_language_of_the_browser() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let path = format!("/{url}");
        let open =
            async |headers: &[(&str, &str)]| app.get_with(&path, &[&[BROWSER][..], headers].concat()).await;
        let english = open(&[]).await.expect(200);
        assert!(english.text().contains("<html lang=\"en\">"), "{}", english.text());
        let german = open(&[("accept-language", "de-AT,de;q=0.9,en;q=0.8")]).await.expect(200);
        let text = german.text();
        assert!(text.contains("<html lang=\"de\">") && text.contains("Zum Inhalt springen"), "{text}");
        assert!(text.contains("class=\"bar noprint\" lang=\"de\" dir=\"ltr\""), "{text}");
        assert!(text.contains("Seite beobachten") && text.contains("Als <a href"), "{text}");
        assert!(text.contains("<article lang=\"en\" dir=\"auto\""), "the text has its own language: {text}");
        assert!(german.header_lines("vary").contains(&"Accept-Language"));
        assert!(text.contains("&quot;copy-markdown&quot;:&quot;Als Markdown kopieren&quot;"), "{text}");
        assert!(text.contains("&quot;2&quot;:&quot;noch 2 Minuten&quot;"), "{text}");
        let arabic = open(&[("accept-language", "ar")]).await.expect(200).text();
        assert!(arabic.contains("<html lang=\"ar\" dir=\"rtl\">"), "{arabic}");
        assert!(arabic.contains("class=\"bar noprint\" lang=\"ar\" dir=\"rtl\""), "{arabic}");
        let dark = ("cookie", "carrel_look=dark");
        let dark = open(&[("accept-language", "ar"), dark]).await.expect(200).text();
        assert!(dark.contains("<html lang=\"ar\" dir=\"rtl\" data-theme=\"dark\">"), "{dark}");
    });
}

#[test]
fn home_page_is_in_the_language_of_the_browser() {
    on_each_world(async |app| {
        let open = async |language: &str| app.get_with("/", &[BROWSER, ("accept-language", language)]).await;
        let german = open("de").await.expect(200).text();
        assert!(german.contains("<html lang=\"de\">") && german.contains("Für Programme"), "{german}");
        assert!(german.contains("Auch <a href=\"/docs/agents\">KI-Assistenten</a> können"), "{german}");
        assert!(!german.contains("lang=\"en\""), "{german}");
        let english = open("en").await.expect(200).text();
        assert!(english.contains("<html lang=\"en\">") && english.contains("For programs"), "{english}");
    });
}

#[test]
fn pseudo_language_has_brackets_and_is_not_offered() {
    run(async {
        let app = TestApp::spawn().await;
        let page = app.get_with("/", &[BROWSER, ("accept-language", "en-XA")]).await.expect(200).text();
        assert!(page.contains("<html lang=\"en-XA\">") && page.contains("⟦Föör pröögráámš⟧"), "{page}");
        let page = app.get_with("/", &[BROWSER, ("accept-language", "en-US")]).await.expect(200).text();
        assert!(page.contains("<html lang=\"en\">") && page.contains("For programs"), "{page}");
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let page = browser.open("/settings").await.expect(200).text();
        assert!(!page.contains("en-XA"), "{page}");
        let refused = browser.submit("/settings/language", &[("language", "en-XA")]).await.expect(422);
        assert!(refused.text().contains("Choose a language of the list."), "{}", refused.text());
    });
}

#[test]
fn validator_of_a_reading_page_depends_on_the_language() {
    run(async {
        let app = TestApp::spawn().await;
        let path = format!("/{}", app.site.article("/town"));
        let language = ("accept-language", "de");
        let german = app.get_with(&path, &[BROWSER, language]).await.expect(200);
        let english = app.get_with(&path, &[BROWSER]).await.expect(200);
        let (german, english) = (german.header("etag").to_owned(), english.header("etag").to_owned());
        assert!(german.ends_with("-de\"") && german != english, "{german} {english}");
        let known = |etag: &str| ("if-none-match", etag.to_owned());
        for (etag, languages, status) in [
            (&german, &[language][..], 304),
            (&english, &[language][..], 200),
            (&english, &[][..], 304),
            (&german, &[][..], 200),
        ] {
            let (name, value) = known(etag);
            let headers = [&[BROWSER, (name, value.as_str())][..], languages].concat();
            app.get_with(&path, &headers).await.expect(status);
        }
        let json = [("accept", "application/json"), language];
        let answer = app.get_with(&path, &json).await.expect(200);
        let (name, value) = known(answer.header("etag"));
        app.get_with(&path, &[json[0], json[1], (name, value.as_str())]).await.expect(304);
    });
}

#[test]
fn untranslated_page_marks_its_content_as_english() {
    run(async {
        let app = TestApp::spawn().await;
        for path in ["/about", "/problems", "/no-such-page"] {
            let answer = app.get_with(path, &[BROWSER, ("accept-language", "ar")]).await.text();
            assert!(answer.contains("<html lang=\"ar\" dir=\"rtl\">"), "{path}: {answer}");
            assert!(answer.contains(" lang=\"en\" dir=\"ltr\">"), "{path}: {answer}");
            let answer = app.get_with(path, &[BROWSER]).await.text();
            assert!(!answer.contains("lang=\"en\" dir=\"ltr\""), "{path}: {answer}");
        }
        let sign_in =
            app.get_with("/sign-in", &[BROWSER, ("accept-language", "pl")]).await.expect(200).text();
        assert!(
            sign_in.contains("<html lang=\"pl\">") && sign_in.contains("Nie pamiętasz hasła?"),
            "{sign_in}"
        );
        assert!(!sign_in.contains("lang=\"en\""), "{sign_in}");
    });
}

#[test]
fn account_chooses_the_language_of_its_pages() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let refused = app.send(Method::POST, "/settings/language", &[], None).await;
        assert!(refused.header("location").starts_with("/sign-in"), "{}", refused.text());
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let page = browser.open("/settings").await.expect(200).text();
        assert!(page.contains("<option value=\"\" selected>Same as browser</option>"), "{page}");
        let saved = browser.submit("/settings/language", &[("language", "ja")]).await.expect(303);
        let page = browser.follow(&saved).await;
        assert!(page.contains("<html lang=\"ja\"") && page.contains("言語を保存しました。"), "{page}");
        assert!(page.contains("<option value=\"ja\" lang=\"ja\" selected>日本語</option>"), "{page}");
        assert!(page.contains("<main id=\"main\">") && page.contains("<h1>アカウント</h1>"), "{page}");
        browser.open("/settings").await.expect(200);
        let unknown = browser.submit("/settings/language", &[("language", "tlh")]).await.expect(422);
        assert!(unknown.text().contains("Choose a language of the list."), "{}", unknown.text());
        browser.open("/settings").await.expect(200);
        let saved = browser.submit("/settings/language", &[("language", "")]).await.expect(303);
        assert!(browser.follow(&saved).await.contains("<html lang=\"en\">"));
    });
}

#[test]
fn today_lists_and_monitor_form_are_in_the_language_of_the_account() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open("/settings").await.expect(200);
        browser.submit("/settings/language", &[("language", "de")]).await.expect(303);
        for (path, words) in [
            ("/today", "Alles durchsuchen oder eine Seite öffnen"),
            (
                "/entries",
                "Du folgst noch keinem Feed. <a href=\"/subscriptions/new\">Folge einer Website</a>",
            ),
            ("/library", "Deine Bibliothek ist leer."),
            ("/monitors/new", "Melden, wenn"),
            ("/monitors", "Ein Wächter prüft nach Zeitplan"),
        ] {
            let page = browser.open(path).await.expect(200).text();
            assert!(page.contains("<html lang=\"de\"") && page.contains(words), "{path}: {page}");
            assert!(!page.contains("lang=\"en\""), "{path}: {page}");
            assert!(page.contains("&quot;key-back&quot;:&quot;zurück&quot;"), "the list of keys: {page}");
        }
        let tags = browser.open("/library/tags").await.expect(200).text();
        assert!(tags.contains("lang=\"en\" dir=\"ltr\""), "{tags}");
    });
}

#[test]
fn pages_of_items_entries_and_monitors_are_in_the_language_of_the_account() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open("/settings").await.expect(200);
        browser.submit("/settings/language", &[("language", "de")]).await.expect(303);

        let url = app.site.article("/town");
        let form = browser.open("/save").await.expect(200).text();
        assert!(form.contains("Seite speichern") && !form.contains("lang=\"en\""), "{form}");
        let saved = browser.submit("/save", &[("url", &url)]).await.expect(303);
        let item = browser.follow(&saved).await;
        assert!(item.contains("Gespeichert. Der Text ist da oder kommt gleich."), "{item}");
        assert!(
            item.contains("Notiz hinzufügen") && item.contains("<main id=\"main\" class=\"desk\">"),
            "{item}"
        );

        let feed_url = app.site.put("/feed.xml", feed(1..=2));
        let form = browser.open("/subscriptions/new").await.expect(200).text();
        assert!(form.contains("Adresse der Website oder ihres Feeds"), "{form}");
        browser.submit("/subscriptions/new", &[("url", &feed_url), ("feed", &feed_url)]).await.expect(303);
        poll(&app).await;
        let feeds = browser.open("/subscriptions").await.expect(200).text();
        assert!(feeds.contains("1 Feed<") && feeds.contains("2 ungelesen"), "{feeds}");
        let list = browser.open("/entries").await.expect(200).text();
        let at = format!("/entries/{}", between(&list, "href=\"/entries/", "\""));
        let entry = browser.open(&at).await.expect(200).text();
        assert!(entry.contains("Ungelesen lassen") && entry.contains("Weiter: <bdi>Note 1"), "{entry}");

        browser.open("/monitors/new").await.expect(200);
        let new = [
            ("name", "Town"),
            ("targetUrl", url.as_str()),
            ("targetType", "page"),
            ("trigger", "any"),
            ("act", "make"),
        ];
        let made = browser.submit("/monitors/new", &new).await.expect(303);
        let monitor = browser.follow(&made).await;
        assert!(
            monitor.contains("Jetzt prüfen") && monitor.contains("Seite, 1 Credit pro Lauf"),
            "{monitor}"
        );
        assert!(monitor.contains("wenn sich etwas ändert") && !monitor.contains("lang=\"en\""), "{monitor}");
        let monitors = browser.open("/monitors").await.expect(200).text();
        assert!(monitors.contains("Letzte Änderung") && !monitors.contains("lang=\"en\""), "{monitors}");
    });
}

/// Asserts that a page is German and contains these words, and that its content is not marked as English.
fn assert_german(path: &str, page: &str, words: &str) {
    assert!(page.contains("<html lang=\"de\"") && page.contains(words), "{path}: {page}");
    assert!(!page.contains("lang=\"en\" dir=\"ltr\""), "{path}: {page}");
}

#[test]
fn pages_of_an_account_are_in_its_language() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open("/settings").await.expect(200);
        browser.submit("/settings/language", &[("language", "de")]).await.expect(303);
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
        assert!(wrong.contains("<li lang=\"en\">"), "reasons are English: {wrong}");
        let made = browser.submit("/settings/keys", &[("name", "Town"), ("scopes", "svc:read")]).await;
        assert_german("/settings/keys", &made.expect(201).text(), "Dein neuer Schlüssel");
    });
}

#[test]
fn new_channel_address_and_team_are_in_the_language_of_the_account() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open("/settings").await.expect(200);
        browser.submit("/settings/language", &[("language", "de")]).await.expect(303);

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
        ] {
            let answer = app.get_with(path, &[BROWSER, ("accept-language", "de")]).await.expect(status);
            assert_german(path, &answer.text(), words);
        }
    });
}

#[test]
fn consent_page_is_in_the_language_of_the_account() {
    on_each_world(async |app| {
        let client = Client::public(&app).await;
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open("/settings").await.expect(200);
        for (language, words) in [
            ("de", "Jedes Programm auf diesem Computer kann sich als diese App ausgeben."),
            ("ja", "このコンピューターの次のアドレスのプログラムにアクセスを許可しますか"),
            ("ar", "لا يستطيع إنشاء مفاتيح"),
        ] {
            browser.submit("/settings/language", &[("language", language)]).await.expect(303);
            let page = browser.open(&request(&client.id, &[])).await.expect(200).text();
            assert!(page.contains(words) && page.contains("<main id=\"main\">"), "{language}: {page}");
            browser.open("/settings").await.expect(200);
        }
    });
}
