//! Languages of pages, chosen by the browser's header and by the setting of the account.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::json;

use crate::support::browser::{Browser, between};
use crate::support::monitoring::{advance_minute, create_monitor, page, run_now, send};
use crate::support::person::Person;
use crate::support::rss::{feed, poll};
use crate::support::{TestApp, on_each_world, run};

pub(crate) const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");

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
        assert!(text.contains("&quot;listen-next&quot;:&quot;Nächster Absatz&quot;"), "{text}");
        assert!(text.contains("hidden>Teilen…</button>"), "{text}");
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
fn reading_settings_are_in_the_language_of_the_browser() {
    on_each_world(async |app| {
        for (path, language, words) in [
            ("/appearance", "de", "Aussehen der Texte in diesem Browser."),
            ("/appearance?done=refused", "ja", "別のサイトから送信された"),
            ("/appearance?done=unread", "ar", "تعذّرت قراءة الإعدادات."),
        ] {
            let page = app.get_with(path, &[BROWSER, ("accept-language", language)]).await.expect(200).text();
            assert!(page.contains(&format!("<html lang=\"{language}\"")) && page.contains(words), "{page}");
            assert!(!page.contains("lang=\"en\""), "{path}: {page}");
        }
        let english = app.get("/appearance").await.expect(200).text();
        assert!(english.contains("<h1>Reading settings</h1>"), "{english}");
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
        let mut browser = Browser::signed_in(&app, &who).await;
        let page = browser.open("/settings").await.expect(200).text();
        assert!(!page.contains("en-XA"), "{page}");
        let refused = browser.submit("/settings/language", &[("language", "en-XA")]).await.expect(422);
        assert!(refused.text().contains("Choose a language from the list."), "{}", refused.text());
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
        for path in ["/about", "/problems", "/docs"] {
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
        let polish = [BROWSER, ("accept-language", "pl")];
        let passkey = app.get_with("/sign-in/passkey", &polish).await.expect(200).text();
        assert!(passkey.contains("&quot;passkey-not-given&quot;:&quot;Przeglądarka nie podała"), "{passkey}");
    });
}

#[test]
fn errors_and_quotations_of_the_reader_are_in_the_language_of_the_browser() {
    on_each_world(async |app| {
        let open = async |path: &str| app.get_with(path, &[BROWSER, ("accept-language", "de")]).await;
        let missing = open("/no-such-page").await.expect(404).text();
        assert!(missing.contains("<h1>Seite nicht gefunden</h1>"), "{missing}");
        let gone = open(&format!("/{}", app.site.url("/gone"))).await.expect(422).text();
        for words in
            ["Die Website hat keine solche Seite", "Was zu tun ist:", "Original öffnen", "Über <code>"]
        {
            assert!(gone.contains(words), "{words} is missing in {gone}");
        }
        let url = app.site.article("/town");
        let quotation = |quote: &str| {
            let mut query = url::form_urlencoded::Serializer::new(String::new());
            query.append_pair("url", &url).append_pair("quote", quote);
            format!("/read/quote?{}", query.finish())
        };
        let absent =
            open(&quotation("the ferry leaves at a quarter to seven sharp")).await.expect(200).text();
        assert!(absent.contains("Der Text enthält dieses Zitat nicht."), "{absent}");
        let short = open(&quotation("a desk")).await.expect(422).text();
        assert!(short.contains("<title>Fehler: ") && short.contains("8 bis 1000 Zeichen"), "{short}");
        for page in [missing, gone, absent, short] {
            assert!(page.contains("<html lang=\"de\">") && !page.contains("lang=\"en\""), "{page}");
        }
    });
}

#[test]
fn manifest_and_search_description_are_in_the_language_of_the_browser() {
    run(async {
        let app = TestApp::spawn().await;
        let german = [("accept-language", "de")];
        let manifest = app.get_with("/manifest.webmanifest", &german).await.expect(200);
        assert!(manifest.header_lines("vary").contains(&"Accept-Language"));
        assert_eq!(manifest.json()["shortcuts"][1]["name"], "Bibliothek");
        let search = app.get_with("/opensearch.xml", &german).await.expect(200).text();
        assert!(search.contains("Durchsuche deine Feeds"), "{search}");
        let english = app.get("/manifest.webmanifest").await.expect(200).json();
        assert_eq!(english["shortcuts"][1]["name"], "Library");
    });
}

#[test]
fn account_chooses_the_language_of_its_pages() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let refused = app.send(Method::POST, "/settings/language", &[], None).await;
        assert!(refused.header("location").starts_with("/sign-in"), "{}", refused.text());
        let mut browser = Browser::signed_in(&app, &who).await;
        let page = browser.open("/settings").await.expect(200).text();
        assert!(page.contains("<option value=\"\" selected>Same as browser</option>"), "{page}");
        let saved = browser.submit("/settings/language", &[("language", "ja")]).await.expect(303);
        let page = browser.follow(&saved).await;
        assert!(page.contains("<html lang=\"ja\"") && page.contains("言語を保存しました。"), "{page}");
        assert!(page.contains("<option value=\"ja\" lang=\"ja\" selected>日本語</option>"), "{page}");
        assert!(page.contains("<main id=\"main\">") && page.contains("<h1>アカウント</h1>"), "{page}");
        browser.open("/settings").await.expect(200);
        let unknown = browser.submit("/settings/language", &[("language", "tlh")]).await.expect(422);
        assert!(unknown.text().contains("一覧から言語を選んでください。"), "{}", unknown.text());
        browser.open("/settings").await.expect(200);
        let saved = browser.submit("/settings/language", &[("language", "")]).await.expect(303);
        assert!(browser.follow(&saved).await.contains("<html lang=\"en\">"));
    });
}

#[test]
fn today_lists_and_monitor_form_are_in_the_language_of_the_account() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::in_language(&app, &who, "de").await;
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
            let has_keys = page.contains("&quot;key-back&quot;:&quot;zurück&quot;");
            let has_script = !path.starts_with("/monitors");
            assert_eq!(has_keys, has_script, "{path}: the list of keys of the script: {page}");
        }
    });
}

#[test]
fn pages_of_items_entries_and_monitors_are_in_the_language_of_the_account() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::in_language(&app, &who, "de").await;

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

#[test]
fn pages_of_feeds_and_library_are_in_the_language_of_the_account() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::in_language(&app, &who, "de").await;
        for (path, words) in [
            ("/welcome", "Adresse einer Website"),
            ("/search", "ganze Wortgruppen"),
            ("/search?q=nothing", "keine Treffer"),
            ("/subscriptions/statistics", "Die letzten zwölf Wochen."),
            ("/subscriptions/rules", "Regeln für alle Feeds"),
            ("/subscriptions/opml", "Feeds importieren und exportieren"),
            ("/collections", "Eine Sammlung ist ein Ordner für Feeds."),
            ("/library/import", "Die Datei wird zuerst geprüft."),
            ("/library/import-servers?service=karakeep", "Adresse des Servers"),
            ("/library/export", "Export erstellen"),
            ("/library/tags", "Noch keine Schlagwörter."),
            ("/library/public-tags", "Ein öffentliches Schlagwort hat eine Seite"),
            ("/library/shared", "Mit mir geteilt"),
            ("/library/searches", "Du hast keine gespeicherten Suchen."),
            ("/library/rules", "Regeln für gespeicherte Objekte"),
            ("/settings/look", "Von überall speichern und suchen"),
            ("/offline", "Dieser Browser speichert keine Texte."),
        ] {
            let page = browser.open(path).await.expect(200).text();
            assert!(page.contains("<html lang=\"de\"") && page.contains(words), "{path}: {page}");
            assert!(!page.contains("lang=\"en\" dir=\"ltr\""), "{path}: {page}");
        }
    });
}

#[test]
fn pages_of_one_feed_and_one_item_are_in_the_language_of_the_account() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::in_language(&app, &who, "pl").await;

        let feed_url = app.site.put("/feed.xml", feed(1..=2));
        browser.open("/subscriptions/new").await.expect(200);
        browser.submit("/subscriptions/new", &[("url", &feed_url), ("feed", &feed_url)]).await.expect(303);
        let feeds = browser.open("/subscriptions").await.expect(200).text();
        let of_feed = format!("/subscriptions/{}", between(&feeds, "<h3><a href=\"/subscriptions/", "\""));
        browser.open("/save").await.expect(200);
        let saved = browser.submit("/save", &[("url", &app.site.article("/town"))]).await.expect(303);
        let item = saved.header("location").split('?').next().unwrap().to_owned();
        for (path, words) in [
            (of_feed.clone(), "Minuty między pobraniami"),
            (format!("{of_feed}/rules"), "Reguła sprawdza każdy nowy wpis."),
            (format!("{of_feed}/delete"), "Przestać śledzić"),
            (format!("{item}/edit"), "Oddzielone przecinkami"),
            (format!("{item}/copies"), "Cała strona jako PNG."),
            (format!("{item}/delete"), "Usunąć ten element?"),
        ] {
            let page = browser.open(&path).await.expect(200).text();
            assert!(page.contains("<html lang=\"pl\"") && page.contains(words), "{path}: {page}");
            assert!(page.contains("<main id=\"main\" class=\"desk\">"), "{path}: {page}");
        }
    });
}

#[test]
fn pages_about_groups_lists_and_changes_of_monitors_are_in_the_language_of_the_account() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = Browser::in_language(&app, &who, "fr").await;
        browser.open("/monitors/groups").await.expect(200);
        let made = browser.submit("/monitors/groups", &[("name", "Prices")]).await.expect(303);
        let group = made.header("location").split('?').next().unwrap().to_owned();
        let url = app.site.article("/town");
        browser.open("/monitors/new").await.expect(200);
        let new = [
            ("name", "Town"),
            ("targetUrl", url.as_str()),
            ("targetType", "page"),
            ("trigger", "any"),
            ("act", "make"),
        ];
        let made = browser.submit("/monitors/new", &new).await.expect(303);
        let monitor = made.header("location").split('?').next().unwrap().to_owned();
        for (path, words) in [
            ("/monitors/groups".to_owned(), "Groupes de veilles"),
            (group.clone(), "0 veille</a> dans ce groupe."),
            (format!("{group}/delete"), "Supprimer le groupe <bdi>Prices</bdi> ?"),
            ("/monitors/lists".to_owned(), "Importer et exporter des veilles"),
            ("/monitors/changes".to_owned(), "Rechercher dans les changements"),
            (format!("{monitor}/edit"), "Modifier <bdi>Town</bdi>"),
            (format!("{monitor}/duplicate"), "Town (copie)"),
            (format!("{monitor}/rotate-feed"), "Remplacer le lien du flux de <bdi>Town</bdi> ?"),
            (format!("{monitor}/delete"), "Supprimer <bdi>Town</bdi> ?"),
        ] {
            let page = browser.open(&path).await.expect(200).text();
            assert!(page.contains("<html lang=\"fr\"") && page.contains(words), "{path}: {page}");
            assert!(!page.contains("lang=\"en\" dir=\"ltr\""), "{path}: {page}");
        }
    });
}

#[test]
fn public_pages_of_groups_tags_and_changes_are_in_the_language_of_the_browser() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let group =
            who.post(&app, "/v1/monitor-groups", &json!({"name": "Harbours"})).await.expect(201).json();
        let id = group["group"]["id"].as_str().unwrap().to_owned();
        let url = app.site.put("/north", page("It begins."));
        let monitor = json!({"name": "north", "targetUrl": url, "groupId": id});
        let monitor = create_monitor(&app, &who, &monitor).await;
        advance_minute(&app).await;
        app.site.put("/north", page("Ships reach the north pier."));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed");
        let path = format!("/v1/monitor-groups/{id}");
        let group =
            send(&app, &who, Method::PATCH, &path, &json!({"published": true})).await.expect(200).json();
        let page_url = group["group"]["pageUrl"].as_str().unwrap().to_owned();

        let open = async |url: &str| app.get_with(url, &[BROWSER, ("accept-language", "uk")]).await;
        let answer = open(&page_url).await.expect(200);
        assert!(answer.header_lines("vary").contains(&"Accept-Language"));
        let text = answer.text();
        assert!(text.contains("<html lang=\"uk\">") && text.contains("Стежте за змінами"), "{text}");
        let change = between(&text, "<strong><bdi>north</bdi></strong>: <a href=\"", "\"");
        let text = open(change).await.expect(200).text();
        assert!(text.contains("<html lang=\"uk\">") && text.contains("Зміна: <strong>"), "{text}");
        assert!(!text.contains("lang=\"en\" dir=\"ltr\""), "{text}");
        let unknown = "a".repeat(32);
        for (path, words) in [
            (format!("/changes/{unknown}"), "Зміну не знайдено"),
            (format!("/feeds/groups/{unknown}"), "Перевірте, чи воно повне."),
            (format!("/feeds/tags/{unknown}"), "більше не ділиться цією сторінкою"),
        ] {
            let text = open(&format!("{}{path}", app.origin)).await.expect(404).text();
            assert!(text.contains(words), "{path}: {text}");
        }
        let english = app.get(&page_url).await.expect(200).text();
        assert!(english.contains("Follow the changes in a feed reader"), "programs read English: {english}");
    });
}

#[test]
fn page_errors_are_translated_by_code_to_the_language_of_the_account() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = Browser::in_language(&app, &who, "de").await;
        browser.open("/collections").await.expect(200);
        browser.submit("/collections", &[("name", "Boats")]).await.expect(303);
        browser.open("/collections").await.expect(200);
        let taken = browser.submit("/collections", &[("name", "Boats")]).await.expect(422).text();
        assert!(taken.contains("Der Name ist schon vergeben."), "{taken}");
        assert!(!taken.contains("<li lang=\"en\">"), "{taken}");
        let missing = browser.open("/settings/nothing").await.expect(404).text();
        assert!(missing.contains("<h1>Nicht gefunden</h1>"), "{missing}");
        assert!(missing.contains("Unter dieser Adresse gibt es nichts."), "{missing}");
        assert!(missing.contains("Zur Startseite") && !missing.contains("lang=\"en\""), "{missing}");
        who.post(&app, "/v1/rss/collections", &json!({"name": "Boats"})).await.api_error(409, "name_taken");
        browser.choose_language("en").await;
        browser.open("/collections").await.expect(200);
        let english = browser.submit("/collections", &[("name", "Boats")]).await.expect(422).text();
        assert!(!english.contains("vergeben") && english.contains("role=\"alert\""), "{english}");
    });
}

#[test]
fn messages_about_values_are_in_the_language_of_the_account() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        for (language, blank) in [
            ("de", "Muss 1 bis 80 Zeichen haben."),
            ("ja", "1～80 文字で入力してください。"),
            ("ar", "عدد الأحرف المسموح به: من 1 إلى"),
        ] {
            browser.choose_language(language).await;
            browser.open("/collections").await.expect(200);
            let page = browser.submit("/collections", &[("name", " ")]).await.expect(422).text();
            assert!(page.contains(blank) && !page.contains("<li lang=\"en\">"), "{page}");
        }
        let answer = who.post(&app, "/v1/rss/collections", &json!({"name": " "})).await.text();
        assert!(answer.contains("must have 1 to 80 characters"), "programs read English: {answer}");
    });
}

#[test]
fn names_on_pages_are_sorted_by_the_language_of_the_account() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        for name in ["Malbork", "łata 10", "Łódź", "łata 2", "lustro"] {
            who.post(&app, "/v1/rss/collections", &json!({"name": name})).await.expect(201);
        }
        let mut browser = Browser::in_language(&app, &who, "pl").await;
        browser.open("/save").await.expect(200);
        let url = app.site.article("/town");
        let saved = [("url", url.as_str()), ("tags", "żaba, zebra, źrebak")];
        browser.submit("/save", &saved).await.expect(303);
        let collections = ["lustro", "łata 2", "łata 10", "Łódź", "Malbork"];
        let tags = ["zebra", "źrebak", "żaba"];
        for (path, order) in [
            ("/collections", &collections[..]),
            ("/entries", &collections[..]),
            ("/library", &tags[..]),
            ("/library/tags", &tags[..]),
        ] {
            let page = browser.open(path).await.expect(200).text();
            let position = |name: &str| page.find(&format!("<bdi>{name}</bdi>"));
            let positions: Vec<Option<usize>> = order.iter().map(|name| position(name)).collect();
            assert!(positions.iter().all(Option::is_some), "{path}: {positions:?} {page}");
            assert!(positions.is_sorted(), "{path}: {positions:?}");
        }
        let all = who.get(&app, "/v1/rss/collections").await.expect(200).json();
        let names: Vec<&str> =
            all["collections"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
        let expected = ["Unsorted", "lustro", "Malbork", "łata 2", "łata 10", "Łódź"];
        assert_eq!(names, expected, "answers of the API do not depend on the language");
    });
}
