//! Functions that the reading page links to: EPUB and Markdown downloads, and checks of quotations.

use crate::support::browser::{Browser, between};
use crate::support::{TestApp, on_each_world, run};

const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");

fn address(path: &str, url: &str, more: &[(&str, &str)]) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("url", url).extend_pairs(more);
    format!("{path}?{}", query.finish())
}

#[test]
fn text_can_be_downloaded_as_epub_and_markdown() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let page = app.get_with(&format!("/{url}"), &[BROWSER]).await.expect(200).text();
        let script = between(&page, "<script src=\"/assets/reading-", "\"");
        app.get(&format!("/assets/reading-{script}")).await.expect(200);
        let book = between(&page, "<a href=\"/read/epub", "\"").replace("&amp;", "&");
        let answer = app.get_with(&format!("/read/epub{book}"), &[BROWSER]).await.expect(200);
        assert_eq!(answer.header("content-type"), "application/epub+zip");
        assert!(answer.header("content-disposition").contains(".epub"));
        assert!(
            answer.body.starts_with(b"PK") && answer.body[30..].starts_with(b"mimetypeapplication/epub+zip")
        );
        let markdown = between(&page, "id=\"markdown\" href=\"", "\"").replace("&amp;", "&");
        let markdown = app.get(&markdown).await.expect(200);
        assert!(markdown.header("content-type").starts_with("text/markdown"));
        let gone = app.get_with(&address("/read/epub", &app.site.url("/nowhere"), &[]), &[BROWSER]).await;
        assert!(gone.text().contains("Open the original"));
        app.get("/read/epub").await.expect(400);
    });
}

#[test]
fn title_and_byline_precede_a_single_toolbar_and_the_text() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        let page = app.get_with(&format!("/{url}"), &[BROWSER]).await.expect(200).text();
        let at = |part: &str| page.find(part).unwrap_or_else(|| panic!("{part} is missing in {page}"));
        let order = [
            "<nav class=\"outline", "<main", "<h1", "<bdi>Ada Quill</bdi>", "class=\"bar ", "class=\"prose\"",
        ];
        assert!(order.map(at).is_sorted(), "{page}");
        let head = between(&page, "<h1", "class=\"bar ");
        assert!(head.contains("1 October 2026") && head.contains("1 minute"), "{head}");
        let bar = between(&page, "class=\"bar ", "class=\"prose\"");
        for part in [">Save</a>", "id=\"listen\" type=\"button\" hidden", "Check a quotation", "Outline"] {
            assert!(bar.contains(part), "{part} is not in {bar}");
        }
        let share = format!("id=\"share-page\" type=\"button\" data-url=\"{url}\"");
        assert!(bar.contains(&share), "{share} is not in {bar}");
        assert_eq!(bar.matches("<summary class=\"button").count(), 2, "reading settings and one menu: {bar}");
        assert!(!bar.contains("checked"), "the page is the same for all browsers");
        let own = page.len() - between(&page, "class=\"prose\"", "</article>").len();
        assert!(own < 20 * 1024, "the page without its text has {own} bytes");
    });
}

#[test]
fn reading_settings_are_stored_in_the_browser_without_an_account() {
    on_each_world(async |app| {
        let mut browser = Browser::new(&app);
        let url = app.site.article("/town");
        let refused = app.send(reqwest::Method::PUT, "/appearance", &[], None).await.expect(405);
        assert!(refused.text().contains("GET, HEAD, POST"), "{}", refused.text());
        let page = browser.open("/appearance").await.expect(200).text();
        assert!(page.contains("value=\"auto\" checked") && !page.contains("name=\"scroll\""), "{page}");
        let fields = [("url", url.as_str()), ("theme", "sepia"), ("spacing", "loose"), ("size", "endless")];
        let saved = browser.submit("/appearance", &fields).await.expect(303);
        assert_eq!(saved.header("location"), format!("/{url}"), "the form leads back to the text");
        let cookie = saved.header("set-cookie");
        assert!(cookie.contains("carrel_look=sepia.m.") && cookie.contains("SameSite=Lax"), "{cookie}");
        let cookies = browser.cookie_header();
        let headers = [BROWSER, ("cookie", cookies.as_str())];
        let text = app.get_with(&format!("/{url}"), &headers).await.expect(200).text();
        assert!(text.contains("<html lang=\"en\" data-theme=\"sepia\" data-spacing=\"loose\">"), "{text}");
        browser.open("/appearance").await.expect(200);
        let page = &browser.page;
        assert_eq!(page.matches(" checked>").count(), 4, "each choice has one value: {page}");
        for value in [
            "name=\"size\" value=\"m\"",
            "name=\"width\" value=\"medium\"",
            "name=\"spacing\" value=\"loose\"",
        ] {
            assert!(page.contains(value), "{value} in {page}");
        }
        let saved = browser.submit("/appearance", &[("face", "sans")]).await.expect(303);
        assert_eq!(saved.header("location"), "/appearance?done=saved");
        let page = browser.follow(&saved).await;
        assert!(page.contains("data-theme=\"sepia\" data-face=\"sans\"") && page.contains("saved"), "{page}");
    });
}

#[test]
fn text_size_and_width_are_changed_by_buttons_without_scripts() {
    on_each_world(async |app| {
        let mut browser = Browser::new(&app);
        let url = app.site.article("/town");
        // The form of a reading page does not contain the current values.
        for (step, size) in [("size-more", "ml"), ("size-more", "l"), ("size-less", "ml")] {
            browser.open("/appearance").await.expect(200);
            let fields = [("url", url.as_str()), ("step", step)];
            let saved = browser.submit("/appearance", &fields).await.expect(303);
            assert_eq!(saved.header("location"), format!("/{url}"));
            let page = browser.open("/appearance").await.expect(200).text();
            assert!(page.contains(&format!(" data-size=\"{size}\"")), "{step}: {page}");
        }
        for _ in 0..7 {
            browser.open("/appearance").await.expect(200);
            let saved = browser.submit("/appearance", &[("step", "width-more")]).await.expect(303);
            assert_eq!(saved.header("location"), "/appearance?done=saved#width");
        }
        let page = browser.open("/appearance").await.expect(200).text();
        assert!(page.contains(" data-width=\"full\"") && page.contains(">7 / 7<"), "{page}");
        let last = between(&page, "value=\"width-more\"", "</button>");
        assert!(last.contains("disabled"), "{last}");
        assert!(page.contains(">5 / 11<") && page.contains(">3 / 6<"), "{page}");
    });
}

#[test]
fn custom_font_is_validated_and_linked_as_a_stylesheet() {
    on_each_world(async |app| {
        let mut browser = Browser::new(&app);
        let url = app.site.article("/town");
        let long = "x".repeat(61);
        for wrong in ["", "x\"}body{display:none}", "a;b", "Schrift \u{e4}", &long] {
            browser.open("/appearance").await.expect(200);
            let fields = [("face", "own"), ("theme", "dark"), ("faceName", wrong)];
            let refused = browser.submit("/appearance", &fields).await.expect(303);
            let stored = refused.header("set-cookie");
            assert_eq!((refused.header("location"), stored), ("/appearance?done=face", ""), "{wrong}");
            let page = browser.follow(&refused).await;
            assert!(page.contains("The settings were not saved.") && !page.contains("data-theme"), "{page}");
        }
        browser.open("/appearance").await.expect(200);
        let fields = [("face", "own"), ("faceName", " Atkinson Hyperlegible ")];
        browser.submit("/appearance", &fields).await.expect(303);
        let page = browser.open("/appearance").await.expect(200).text();
        assert!(
            page.contains("value=\"Atkinson Hyperlegible\"") && page.contains("data-face=\"own\""),
            "{page}"
        );
        let cookies = browser.cookie_header();
        let headers = [BROWSER, ("cookie", cookies.as_str())];
        let text = app.get_with(&format!("/{url}"), &headers).await.expect(200).text();
        let path = "/assets/face-Atkinson_Hyperlegible.css";
        assert!(text.contains(&format!("<head><link rel=\"stylesheet\" href=\"{path}\">")), "{text}");
        let style = app.get(path).await.expect(200);
        assert_eq!(style.header("content-type"), "text/css; charset=utf-8");
        assert_eq!(style.text(), ":root { --own-face: \"Atkinson Hyperlegible\"; }\n");
        for wrong in ["face-.css", "face-a%22%7D.css", "face-a.b.css"] {
            app.get(&format!("/assets/{wrong}")).await.expect(404);
        }

        // The form of a reading page has no field for the name, which is retained while another font is
        // selected.
        browser.submit("/appearance", &[("url", &url), ("face", "mono")]).await.expect(303);
        let page = browser.open("/appearance").await.expect(200).text();
        assert!(page.contains("data-face=\"mono\"") && !page.contains("/assets/face-"), "{page}");
        browser.submit("/appearance", &[("url", &url), ("face", "own")]).await.expect(303);
        assert!(browser.open("/appearance").await.expect(200).text().contains(path));
    });
}

#[test]
fn reading_settings_from_another_site_are_refused() {
    run(async {
        let app = TestApp::spawn().await;
        let send = async |headers: &[(&str, &str)], body: String| {
            app.send(reqwest::Method::POST, "/appearance", headers, Some(body)).await.expect(303)
        };
        let foreign = send(&[("sec-fetch-site", "cross-site")], "theme=dark".to_owned()).await;
        assert_eq!(
            (foreign.header("location"), foreign.header("set-cookie")),
            ("/appearance?done=refused", "")
        );
        assert!(app.get("/appearance?done=refused").await.expect(200).text().contains("another site"));
        let long = send(&[], format!("theme=dark&url={}", "x".repeat(40_000))).await;
        assert_eq!((long.header("location"), long.header("set-cookie")), ("/appearance?done=unread", ""));
        let away = send(&[], "url=//evil.example/".to_owned()).await;
        assert!(away.header("location").starts_with("/http"), "{}", away.header("location"));
    });
}

#[test]
fn quotation_check_reports_exact_near_or_no_match() {
    run(async {
        let app = TestApp::spawn().await;
        let page = "<html lang=en><head><title>Desks</title></head><body><article><h1>Desks</h1>\
            <p>Nothing of this is about anything but the places where people have read for a long time.</p>\
            <p>A desk in a quiet corner of the old library is called a carrel, and it has a lamp &amp; a shelf.</p>\
            <p>Whoever reads there is left alone until the bell rings at nine in the evening on every day.</p>\
            </article></body></html>";
        let url = app.site.put("/desks", crate::support::Reply::html(page));
        let form = app.get_with(&format!("/{url}"), &[BROWSER]).await.expect(200).text();
        assert!(form.contains("action=\"/read/quote\""), "{form}");
        let check = async |quote: &str| {
            app.get_with(&address("/read/quote", &url, &[("quote", quote)]), &[BROWSER]).await
        };
        let exact = check("quiet corner of the old library is called a carrel").await.expect(200).text();
        assert!(exact.contains("word for word") && exact.contains("#p"), "{exact}");
        let near =
            check("a desk in the quiet corner of the old library is called a carrel, and it has a lamp")
                .await
                .expect(200)
                .text();
        assert!(near.contains("similar passage") && near.contains("only in the quotation: "), "{near}");
        assert!(near.contains("</span>the</del>") && near.contains("</span>a</ins>"), "{near}");
        let absent = check("the ferry leaves at a quarter to seven <b>sharp</b>").await.expect(200).text();
        assert!(absent.contains("does not contain this") && !absent.contains("<b>sharp"), "{absent}");
        let short = check("a desk").await.expect(422).text();
        assert!(short.contains("<title>Error: ") && short.contains("8 to 1,000"), "{short}");
        assert!(
            app.get_with("/read/quote?quote=long+enough+words", &[BROWSER])
                .await
                .expect(400)
                .text()
                .contains("Read another page")
        );
    });
}

#[test]
fn quotation_page_with_an_invalid_url_links_only_to_its_own_host() {
    run(async {
        let app = TestApp::spawn().await;
        for url in [
            "//evil.example/", "/\\evil.example", "javascript:alert(1)", "data:text/html,x",
            "\t//evil.example/",
        ] {
            for quote in ["short", "words that are enough to be looked for"] {
                let query = [("quote", quote)];
                let page =
                    app.get_with(&address("/read/quote", url, &query), &[BROWSER]).await.expect(400).text();
                for link in page.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
                    let is_ours = link.starts_with('#') || (link.starts_with('/') && !link.starts_with("//"));
                    assert!(is_ours || link.starts_with(&app.origin), "{url} became the foreign link {link}");
                }
            }
        }
    });
}
