//! Functions that the reading page links to: EPUB and Markdown downloads, and checks of quotations.

use crate::support::browser::between;
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
        let book =
            between(&page, "<a class=\"button secondary\" href=\"/read/epub", "\"").replace("&amp;", "&");
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
