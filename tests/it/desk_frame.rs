//! Aspects of all signed-in pages: the landing page after sign-in, access, appearance, and shared URLs.

use crate::support::browser::Browser;
use crate::support::person::Person;
use crate::support::rss::{feed, poll};
use crate::support::{Setup, TestApp, World, on_each_world, run, wire};

/// Every page that does not need data.
const PAGES: [&str; 18] = [
    "/today", "/welcome", "/search", "/search?q=harbour", "/save", "/entries", "/entries?show=all",
    "/subscriptions", "/subscriptions/new", "/subscriptions/opml", "/collections", "/library",
    "/library/tags", "/library/public-tags", "/library/shared", "/library/copies", "/library/import",
    "/library/export",
];

#[test]
fn sign_in_leads_to_today_with_links_to_all_pages() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        for path in PAGES {
            let turned = app.get(path).await.expect(303);
            assert!(turned.header("location").starts_with("/sign-in?next=%2F"), "{path}");
        }
        let mut browser = Browser::new(&app);
        browser.open("/sign-in").await.expect(200);
        let fields = [("email", who.email.as_str()), ("password", crate::support::person::PASSWORD)];
        let signed = browser.submit("/sign-in", &fields).await.expect(303);
        assert_eq!(signed.header("location"), "/today");
        let today = browser.follow(&signed).await;
        for link in
            ["/today\" aria-current=\"page\"", "/entries\"", "/library\"", "/monitors\"", "/settings/keys\""]
        {
            assert!(today.contains(&format!("href=\"{link}")), "{link} in {today}");
        }
        assert!(today.contains(&who.email) && today.contains("Get started"), "{today}");
        for path in PAGES {
            let page = browser.open(path).await.expect(200);
            let policy = page.header("content-security-policy");
            assert!(
                policy.contains("default-src 'none'") && policy.contains("script-src 'self'"),
                "{policy}"
            );
            assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
            let text = page.text();
            assert_eq!(text.matches("<h1").count(), 1, "{path}");
            assert_eq!(text.matches("<script").count(), 1, "the page has one script: {path}");
            assert!(text.contains("<main id=\"main\"") && text.contains("class=\"skip\""), "{path}");
            assert!(!text.contains(" style=") && !text.contains(" onclick"), "{path}");
            assert!(text.len() < 60 * 1024, "{path} has {} bytes", text.len());
        }
        for none in
            ["/library/0193a0b2-7c00-7000-8000-7e2b3c4d5e6f", "/entries/77", "/subscriptions/77", "/today/x"]
        {
            browser.open(none).await.expect(404);
        }
        assert_eq!(browser.open("/settings/keys").await.expect(200).text().matches("<script").count(), 0);
    });
}

#[test]
fn cross_site_form_is_refused() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let fields = [("url", "https://example.org/a")];
        for path in [
            "/library", "/save", "/entries/mark", "/entries/mark-all", "/subscriptions/new", "/library/bulk",
            "/collections", "/settings/look",
        ] {
            browser.open("/library").await.expect(200);
            browser.submit_from("https://evil.example", path, &fields).await.expect(403);
        }
        browser.open("/library/import").await.expect(200);
        browser.page = browser.page.replace("name=\"token\" value=\"", "name=\"token\" value=\"x");
        browser.upload("/library/import", "a.csv", b"title,url\na,https://example.org/\n").await.expect(403);
        assert!(browser.open("/library").await.expect(200).text().contains("Your library is empty"));
    });
}

#[test]
fn appearance_is_stored_in_the_browser() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let page = browser.open("/settings/look").await.expect(200).text();
        assert!(page.contains("javascript:location.href=") && !page.contains("data-theme"), "{page}");
        let choices = [("theme", "dark"), ("size", "xl"), ("width", "nonsense"), ("face", "sans")];
        let saved = browser.submit("/settings/look", &choices).await.expect(303);
        let page = browser.follow(&saved).await;
        assert!(page.contains("data-theme=\"dark\" data-size=\"xl\" data-face=\"sans\""), "{page}");
        assert!(page.contains("value=\"dark\" checked"), "{page}");
        let page = browser.open("/today").await.expect(200).text();
        assert!(page.contains("data-theme=\"dark\""), "the setting applies to every page");
    });
}

#[test]
fn account_appearance_applies_to_browsers_without_their_own_appearance() {
    on_each_world(async |app| {
        let (who, stranger) = (Person::free(&app).await, Person::free(&app).await);
        let mut first = Browser::signed_in(&app, &who).await;
        let mut second = Browser::signed_in(&app, &who).await;
        let theme = async |browser: &mut Browser<'_>| {
            let page = browser.open("/today").await.expect(200).text();
            let (_, rest) = page.split_once("data-theme=\"")?;
            Some(rest.split_once('"')?.0.to_owned())
        };
        first.open("/settings/look").await.expect(200);
        let saved = first.submit("/settings/look", &[("theme", "dark")]).await.expect(303);
        let page = first.follow(&saved).await;
        assert!(page.contains("Settings saved for all your browsers."), "{page}");
        assert!(page.contains("name=\"browserOnly\" value=\"1\">"), "{page}");
        assert_eq!(theme(&mut second).await.as_deref(), Some("dark"));

        second.open("/settings/look").await.expect(200);
        let only = [("theme", "sepia"), ("browserOnly", "1")];
        let saved = second.submit("/settings/look", &only).await.expect(303);
        let page = second.follow(&saved).await;
        assert!(page.contains("Settings saved in this browser."), "{page}");
        assert!(page.contains("name=\"browserOnly\" value=\"1\" checked>"), "{page}");
        let density = [("density", "compact"), ("back", "/library")];
        second.submit("/settings/density", &density).await.expect(303);
        assert!(second.open("/library").await.expect(200).text().contains("data-density=\"compact\""));
        let library = first.open("/library").await.expect(200).text();
        assert!(library.contains("data-theme=\"dark\"") && !library.contains("data-density"), "{library}");
        first.open("/settings/look").await.expect(200);
        first.submit("/settings/look", &[("theme", "light")]).await.expect(303);
        assert_eq!(theme(&mut first).await.as_deref(), Some("light"));
        assert_eq!(theme(&mut second).await.as_deref(), Some("sepia"));
        second.open("/settings/look").await.expect(200);
        second.submit("/settings/look", &[("theme", "auto")]).await.expect(303);
        assert_eq!((theme(&mut first).await, theme(&mut second).await), (None, None));
        let mut other = Browser::signed_in(&app, &stranger).await;
        first.open("/settings/look").await.expect(200);
        first.submit("/settings/look", &[("theme", "dark")]).await.expect(303);
        assert_eq!(theme(&mut other).await, None, "the setting of another account");
    });
}

#[test]
fn text_size_and_custom_font_are_stored_with_the_account() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut first = Browser::signed_in(&app, &who).await;
        let mut second = Browser::signed_in(&app, &who).await;
        first.open("/settings/look").await.expect(200);
        let fields = [("face", "own"), ("faceName", "My Font-2"), ("size", "xl"), ("paged", "on")];
        first.submit("/settings/look", &fields).await.expect(303);
        let page = second.open("/today").await.expect(200).text();
        assert!(
            page.contains("data-size=\"xl\" data-face=\"own\"") && page.contains("data-paged=\"on\""),
            "{page}"
        );
        assert!(page.contains("href=\"/assets/face-My_Font-2.css\""), "{page}");
        second.open("/settings/look").await.expect(200);
        let fields = [("face", "own"), ("faceName", "My Font-2"), ("size", "xl"), ("step", "size-more")];
        let saved = second.submit("/settings/look", &fields).await.expect(303);
        assert_eq!(saved.header("location"), "/settings/look?done=kept#size");
        assert!(first.open("/today").await.expect(200).text().contains("data-size=\"xxl\""));
        first.open("/settings/look").await.expect(200);
        let refused =
            first.submit("/settings/look", &[("face", "own"), ("faceName", "a\"b")]).await.expect(303);
        let page = first.follow(&refused).await;
        assert!(
            page.contains("The settings were not saved.") && page.contains("data-size=\"xxl\""),
            "{page}"
        );
    });
}

#[test]
fn appearance_of_the_browser_applies_without_a_session() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.open("/appearance").await.expect(200);
        browser.submit("/appearance", &[("theme", "sepia")]).await.expect(303);
        browser.sign_in(&who.email).await;
        let page = browser.open("/today").await.expect(200).text();
        assert!(page.contains("data-theme=\"sepia\""), "the account has stored no appearance: {page}");
        let mut another = Browser::signed_in(&app, &who).await;
        another.open("/settings/look").await.expect(200);
        another.submit("/settings/look", &[("theme", "dark")]).await.expect(303);
        let page = browser.open("/today").await.expect(200).text();
        assert!(page.contains("data-theme=\"dark\""), "{page}");
        browser.open("/settings/look").await.expect(200);
        browser.submit("/sign-out", &[]).await.expect(303);
        let page = browser.open("/appearance").await.expect(200).text();
        assert!(page.contains("data-theme=\"sepia\"") && page.contains("value=\"sepia\" checked"), "{page}");
    });
}

#[test]
fn browsers_get_manifest_search_and_share_target() {
    run(async {
        let app = TestApp::spawn().await;
        let manifest = app.get("/manifest.webmanifest").await.expect(200);
        assert_eq!(manifest.header("content-type"), "application/manifest+json");
        let manifest = manifest.json();
        assert_eq!(manifest["share_target"]["action"], app.url("/save"));
        assert_eq!(manifest["theme_color"], "#7a3b1d");
        for icon in manifest["icons"].as_array().unwrap() {
            let file = app.get(icon["src"].as_str().unwrap()).await.expect(200);
            assert_eq!(icon["type"], file.header("content-type"), "{icon}");
            let is_png = file.body.starts_with(b"\x89PNG");
            assert!(is_png || (icon["sizes"] == "any" && file.text().starts_with("<svg")), "{icon}");
        }
        let search = app.get("/opensearch.xml").await.expect(200);
        assert!(search.header("content-type").starts_with("application/opensearchdescription+xml"));
        assert!(search.text().contains("/search?q={searchTerms}"), "{}", search.text());
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let shared = "/save?title=A&text=Look%20at%20https%3A%2F%2Fexample.org%2Fshared%20now";
        let page = browser.open(shared).await.expect(200).text();
        assert!(page.contains("value=\"https://example.org/shared\""), "{page}");
        for value in ["value=\"A\"", ">Look at  now</textarea>", "value=\"later\""] {
            assert!(page.contains(value), "{value} in {page}");
        }
        let page = browser.open("/save?text=Only%20words").await.expect(200).text();
        assert!(page.contains("contains no address") && page.contains(">Only words</textarea>"), "{page}");
        let opened = browser.open("/search?q=https%3A%2F%2Fexample.org%2Fa").await.expect(303);
        assert_eq!(opened.header("location"), "/read?url=https%3A%2F%2Fexample.org%2Fa");
    });
}

#[test]
fn search_covers_saved_items_and_feed_entries() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let url = app.site.article("/town");
        browser.open("/library").await.expect(200);
        browser.submit("/library", &[("url", url.as_str())]).await.expect(303);
        let site = app.site.put("/feed.xml", feed(1..=3));
        browser.open("/subscriptions/new").await.expect(200);
        browser.submit("/subscriptions/new", &[("url", &site), ("feed", &site)]).await.expect(303);
        poll(&app).await;
        let results = browser.open("/search?q=town").await.expect(200).text();
        assert!(results.contains("<mark>town</mark>") || results.contains("<mark>Town</mark>"), "{results}");
        let results = browser.open("/search?q=note").await.expect(200).text();
        assert!(results.contains("Note 3") && results.contains("/entries/"), "{results}");
        let today = browser.open("/today").await.expect(200).text();
        assert!(today.contains("Note 3") && today.contains("A town by the sea"), "{today}");
    });
}

#[test]
fn library_pages_redirect_to_their_host() {
    run(async {
        let app = Setup::on(World::Small)
            .set("CARREL_BASE_URL", "https://api.carrel.example")
            .set("CARREL_READER_URL", "https://read.carrel.example")
            .set("CARREL_AUTH_URL", "https://auth.carrel.example")
            .spawn()
            .await;
        let get = async |host: &str, path: &str| {
            let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
            wire::send(&app, request.as_bytes()).await
        };
        let id = "/library/0193a0b2-7c00-7000-8000-7e2b3c4d5e6f";
        let led = get("api.carrel.example", id).await;
        assert!(
            led.status == 302 && led.head.contains(&format!("https://auth.carrel.example{id}")),
            "{}",
            led.head
        );
        assert_eq!(get("auth.carrel.example", "/manifest.webmanifest").await.status, 200);
        assert_eq!(get("read.carrel.example", "/today").await.status, 404);
        assert_eq!(get("auth.carrel.example", "/").await.status, 302);
    });
}

#[test]
fn shared_page_is_saved_after_sign_in_with_tags_status_and_note() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.article("/town");
        let encoded: String = url::form_urlencoded::byte_serialize(url.as_bytes()).collect();
        let shared = format!("/save?title=The%20town&text=To%20read&url={encoded}");
        let mut browser = Browser::new(&app);
        let redirected = browser.open(&shared).await.expect(303);
        browser.open(redirected.header("location")).await.expect(200);
        let fields = [
            ("email", who.email.as_str()),
            ("password", crate::support::person::PASSWORD),
            ("next", shared.as_str()),
        ];
        let signed = browser.submit("/sign-in", &fields).await.expect(303);
        assert_eq!(signed.header("location"), shared);
        let page = browser.follow(&signed).await;
        assert!(page.contains("value=\"The town\"") && page.contains(">To read</textarea>"), "{page}");
        let fields = [
            ("url", url.as_str()),
            ("title", "The town"),
            ("tags", "coast"),
            ("status", "later"),
            ("note", "To read"),
        ];
        let saved = browser.submit("/save", &fields).await.expect(303);
        let page = browser.follow(&saved).await;
        assert!(page.contains("The town") && page.contains(">coast</bdi>"), "{page}");
        assert!(page.contains("shelf=later") && page.contains("To read"), "{page}");
        browser.open("/save").await.expect(200);
        let moved = browser.submit("/save", &[("url", &url), ("status", "archive")]).await.expect(303);
        assert!(browser.follow(&moved).await.contains("shelf=archive"), "a saved page is moved");
        browser.open("/save").await.expect(200);
        let unchanged = browser.submit("/save", &[("url", &url)]).await.expect(303);
        assert!(browser.follow(&unchanged).await.contains("shelf=archive"), "the status is unchanged");
        browser.open("/save").await.expect(200);
        let long = "x".repeat(501);
        browser.submit("/save", &[("url", &url), ("title", &long)]).await.expect(422);
    });
}
