//! Pages whose text needs scripts, with a real Chromium. Without one, the tests that need it say so and end.

use serde_json::{Value, json};

use crate::support::clock::SECOND;
use crate::support::person::Person;
use crate::support::{Reply, Setup, TestApp, World, eventually, run};

/// Page whose text is created by a script.
const SCRIPT_PAGE: &str = "<!doctype html><html lang=en><head><title>Harbour</title></head><body>\
    <noscript>Enable JavaScript to read this page.</noscript><div id=root></div><script>\
    const sentence = ['The harbour', 'wall was repaired in autumn, and the boats returned before the first storm.'].join(' ');\
    document.getElementById('root').innerHTML = '<main><h1>Harbour</h1>' + ('<p>' + sentence + '</p>').repeat(9) + '</main>';\
    </script></body></html>";

/// Starts an app on each deployment type with the browser of this machine. None is started without a browser.
pub(crate) fn with_browser(reader_limits: &'static str, test: impl AsyncFn(TestApp)) {
    let Some(program) = articles::worker_tools::find_browser() else {
        eprintln!("SKIPPED: no Chromium is installed, so no page is rendered (apt-get install chromium)");
        return;
    };
    run(async {
        for world in World::ALL {
            eprintln!("on {world:?}");
            let program = program.to_str().expect("the path is UTF-8");
            let setup =
                Setup::on(world).set("CARREL_READER_LIMITS", reader_limits).set("CARREL_READ_SECONDS", "110");
            test(setup.set("CARREL_RENDERER", program).spawn().await).await;
        }
    });
}

#[test]
fn reader_renders_a_page_that_needs_scripts_and_reports_the_allowance() {
    with_browser("100/10,100/60", async |app| {
        let url = app.site.put("/scripts", Reply::html(SCRIPT_PAGE));
        let served = app.read(&url, &[("render", "never")]).await.expect(422).json();
        assert_eq!(served["code"], "no_readable_text");
        let read = app.read(&url, &[]).await.expect(200);
        assert!(read.header("ratelimit").contains("\"render\";r=9"), "{}", read.header("ratelimit"));
        let read = read.json();
        assert_eq!(read["extraction_source"], "rendered", "{read}");
        assert_eq!(read["warnings"], json!([]));
        assert!(read["blocks"].to_string().contains("The harbour wall was repaired"));
        let hits = app.site.hits("/scripts");
        let again = app.read(&url, &[]).await.expect(200);
        assert!(!again.header("ratelimit").contains("\"render\""), "a stored text is free");
        assert_eq!(again.json()["extraction_source"], "rendered");
        assert_eq!(app.site.hits("/scripts"), hits);
    });
}

#[test]
fn rendered_article_costs_five_fresh_extractions_and_equal_requests_join() {
    with_browser("off", async |app| {
        let person = Person::free(&app).await;
        let url = app.site.put("/scripts", Reply::html(SCRIPT_PAGE));
        let body = json!({"url": url, "render": "always"});
        let read = async || person.post(&app, "/v1/articles/read", &body).await.expect(200);
        let (first, second) = tokio::join!(read(), read());
        for answer in [&first, &second] {
            assert_eq!(answer.json()["extractionSource"], "rendered");
        }
        let states = read().await.header("ratelimit").to_owned();
        assert!(states.contains("\"fresh-minute\";r=5;"), "{states}");
    });
}

#[test]
fn page_as_served_is_rendered_only_on_request() {
    with_browser("off", async |app| {
        let person = Person::free(&app).await;
        let url = app.site.article("/town");
        let source = async |render: &str| {
            let body = json!({"url": url, "render": render});
            person.post(&app, "/v1/articles/read", &body).await.expect(200).json()["extractionSource"].clone()
        };
        assert_eq!(source("auto").await, "html");
        assert_eq!(source("always").await, "rendered");
        assert_eq!(source("never").await, "html");
    });
}

#[test]
fn saved_page_that_needs_scripts_is_rendered_by_a_worker() {
    with_browser("off", async |app| {
        let person = Person::free(&app).await;
        let url = app.site.put("/scripts", Reply::html(SCRIPT_PAGE));
        let saved = person.post(&app, "/v1/library/items", &json!({"url": url})).await.json();
        let path = format!("/v1/library/items/{}", saved["item"]["id"].as_str().expect("an id"));
        app.clock.advance(SECOND);
        app.tick().await;
        let read = async || person.get(&app, &path).await.expect(200).json();
        let item =
            eventually("the text is stored", read, |read| read["item"]["articleStatus"] == "ready").await;
        assert_eq!(item["item"]["extractionSource"], "rendered", "{item}");
    });
}

#[test]
fn rendering_without_a_browser_is_refused_and_automatic_reads_are_unchanged() {
    run(async {
        for world in World::ALL {
            let app = TestApp::on(world).await;
            let person = Person::free(&app).await;
            let url = app.site.put("/scripts", Reply::html(SCRIPT_PAGE));
            let post = async |render: Value| {
                person.post(&app, "/v1/articles/read", &json!({"url": url, "render": render})).await
            };
            assert_eq!(post(json!("always")).await.expect(422).json()["code"], "unsupported_content");
            assert_eq!(post(json!("auto")).await.expect(422).json()["code"], "no_readable_text");
            assert_eq!(post(json!("sometimes")).await.expect(400).json()["code"], "invalid_request");
            app.read(&url, &[("render", "always")]).await.expect(400);
            let ready = eventually(
                "the app is ready",
                async || app.get("/readyz").await,
                |answer| answer.status == 200,
            );
            assert_eq!(ready.await.json()["renderer"], "off (CARREL_RENDERER=off)");
        }
    });
}
