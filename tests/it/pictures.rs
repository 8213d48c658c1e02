//! Pictures on reading pages: proxied, with a media type that is detected from their bytes, limited in size,
//! cached, and accessible only to readers of the page.

use crate::support::app::{Setup, World};
use crate::support::browser::{Browser, between};
use crate::support::person::Person;
use crate::support::rss::poll;
use crate::support::{HttpAnswer, Reply, TestApp, eventually, on_each_world, run};

const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
const AS_IMAGE: (&str, &str) = ("accept", "image/avif,image/webp,*/*;q=0.8");

/// JPEG of 1,200 by 800 pixels.
const WIDE: &[u8] = include_bytes!("../../extract/tests/pictures/wide.jpg");

/// Creates a PNG of 40 by 30 pixels with `bytes` bytes.
fn png(bytes: usize) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x28\0\0\0\x1e\x08\x06\0\0\0".to_vec();
    png.resize(bytes, 7);
    png
}

/// Publishes an article with a picture at `src`, and returns its URL.
fn article(app: &TestApp, path: &str, src: &str) -> String {
    let words = "tells of boats and tide, of the people who come every morning, and of what they carry home in the evening.";
    let page = format!(
        "<!doctype html><html lang=\"en\"><head><title>A harbour</title></head><body><article><h1>A harbour</h1>\
         <p>The first paragraph {words}</p><p>The second paragraph {words}</p>\
         <figure><img src=\"{src}\" alt=\"A tower by the sea\"><figcaption>The old tower in winter</figcaption></figure>\
         <p>The third paragraph {words}</p><p>The fourth paragraph {words}</p></article></body></html>"
    );
    app.site.put(path, Reply::html(page))
}

/// Returns the proxied path of the only picture of a page.
fn picture_of(page: &str) -> String {
    assert_eq!(page.matches("<img class=\"picture\"").count(), 1, "{page}");
    format!("/pictures/{}", between(page, "src=\"/pictures/", "\""))
}

/// Opens the reading page and fetches its only picture. Returns the picture's path and the answer.
async fn fetch_picture(app: &TestApp, path: &str, src: &str) -> (String, HttpAnswer) {
    let url = article(app, path, src);
    let page = app.get_with(&format!("/{url}"), &[BROWSER]).await.expect(200).text();
    let at = picture_of(&page);
    let answer = app.get_with(&at, &[AS_IMAGE]).await;
    (at, answer)
}

#[test]
fn picture_is_proxied_in_its_original_position_and_cached() {
    on_each_world(async |app| {
        let src =
            app.site.put("/tower.png", Reply::bytes("text/html", png(60_000)).with("set-cookie", "a=b"));
        let (at, first) = fetch_picture(&app, "/page", &src).await;
        let first = first.expect(200);
        assert_eq!(first.header("content-type"), "image/png", "the media type is detected from the bytes");
        assert_eq!(first.body, png(60_000));
        assert_eq!(first.header("x-content-type-options"), "nosniff");
        assert_eq!(first.header("content-security-policy"), "default-src 'none'; sandbox");
        assert_eq!(first.header("cross-origin-resource-policy"), "same-origin");
        assert!(first.header("cache-control").starts_with("private, max-age=86400"));
        assert!(first.header_lines("set-cookie").is_empty());
        app.get_with(&at, &[AS_IMAGE]).await.expect(200);
        app.get_with(&at, &[AS_IMAGE, ("if-none-match", first.header("etag"))]).await.expect(304);
        assert_eq!(app.site.hits("/tower.png"), 1);
        let seen = app.site.requests().into_iter().find(|seen| seen.path == "/tower.png").unwrap();
        for name in ["cookie", "referer", "authorization", "x-forwarded-for"] {
            assert!(!seen.headers.contains_key(name), "{name}");
        }
        let page = app.get_with(&format!("/{}", app.site.url("/page")), &[BROWSER]).await.expect(200);
        assert!(page.header("content-security-policy").contains("img-src 'self'"));
        let page = page.text();
        assert!(
            page.contains("alt=\"A tower by the sea\"") && page.contains("The old tower in winter"),
            "{page}"
        );
        assert!(page.contains("loading=\"lazy\" decoding=\"async\""), "{page}");
        assert!(!page.contains("src=\"http"), "{page}");
    });
}

#[test]
fn narrow_screen_gets_a_smaller_version_of_a_wide_picture() {
    on_each_world(async |app| {
        let src = app.site.put("/wide.jpg", Reply::bytes("image/jpeg", WIDE.to_vec()));
        let url = article(&app, "/page", &src);
        let page = app.get_with(&format!("/{url}"), &[BROWSER]).await.expect(200).text();
        let at = picture_of(&page);
        for width in [480, 960, 1600] {
            assert!(page.contains(&format!("<source srcset=\"{at}?width={width}\"")), "{page}");
        }
        let mut etags = Vec::new();
        for width in [480, 960] {
            let path = format!("{at}?width={width}");
            // A busy server sends the original until the smaller version is ready.
            let fetch = async || app.get_with(&path, &[AS_IMAGE]).await.expect(200);
            let is_smaller = |answer: &HttpAnswer| answer.body.len() < WIDE.len();
            let smaller = eventually("the smaller version is ready", fetch, is_smaller).await;
            let info = extract::picture::identify(&smaller.body).unwrap();
            assert_eq!((info.media_type, info.width, info.height), ("image/jpeg", width, width * 2 / 3));
            assert_eq!(smaller.header("content-type"), "image/jpeg");
            assert_eq!(smaller.header("content-security-policy"), "default-src 'none'; sandbox");
            let known = ("if-none-match", smaller.header("etag"));
            app.get_with(&path, &[AS_IMAGE, known]).await.expect(304);
            assert_eq!(app.get_with(&path, &[AS_IMAGE]).await.expect(200).body, smaller.body);
            etags.push(smaller.header("etag").to_owned());
        }
        // A picture that is not wider than the screen needs is served unchanged.
        for path in [at.clone(), format!("{at}?width=1600")] {
            let original = app.get_with(&path, &[AS_IMAGE]).await.expect(200);
            assert_eq!(original.body, WIDE);
            etags.push(original.header("etag").to_owned());
        }
        assert!(etags[0] != etags[1] && etags[1] != etags[2] && etags[2] == etags[3], "{etags:?}");
        assert_eq!(app.site.hits("/wide.jpg"), 1);
        for width in ["481", "", "99999999999", "-480"] {
            app.get_with(&format!("{at}?width={width}"), &[AS_IMAGE]).await.expect(404);
        }
    });
}

#[test]
fn picture_without_a_smaller_version_is_served_unchanged() {
    run(async {
        let app = TestApp::spawn().await;
        let mut broken = png(60_000);
        // 2,000 by 30 pixels.
        broken[16..20].copy_from_slice(&2_000_u32.to_be_bytes());
        let mut animation = b"GIF89a\xd0\x07\x1e\0".to_vec();
        animation.resize(60_000, 7);
        for (name, bytes) in [("narrow", png(60_000)), ("broken", broken), ("animation", animation)] {
            let src = app.site.put(&format!("/{name}"), Reply::bytes("image/png", bytes.clone()));
            let url = article(&app, &format!("/page-{name}"), &src);
            let page = app.get_with(&format!("/{url}"), &[BROWSER]).await.expect(200).text();
            let path = format!("{}?width=480", picture_of(&page));
            for _ in 0..2 {
                assert_eq!(app.get_with(&path, &[AS_IMAGE]).await.expect(200).body, bytes, "{name}");
            }
            assert_eq!(app.site.hits(&format!("/{name}")), 1, "{name}");
        }
    });
}

#[test]
fn picture_without_caption_is_rendered_but_not_part_of_the_text() {
    on_each_world(async |app| {
        let src = app.site.put("/tower.png", Reply::bytes("image/png", png(60_000)));
        let words = "tells of boats and tide, of the people who come every morning, and of what they carry home in the evening.";
        let page = |images: [&str; 2]| {
            let [one, two] = images;
            format!(
                "<!doctype html><html lang=\"en\"><head><title>A harbour</title></head><body><article><h1>A harbour</h1>\
                 <p>The first paragraph {words}</p>{one}<p>The second paragraph {words}</p>\
                 <p>The third paragraph {words}</p>{two}<p>The fourth paragraph {words}</p></article></body></html>"
            )
        };
        let image = format!("<p><img src=\"{src}\"></p>");
        let counter = format!("<img src=\"{src}?count\" width=\"1\" height=\"1\">");
        let with = app.site.put("/with", Reply::html(page([&image, &counter])));
        let without = app.site.put("/without", Reply::html(page(["", ""])));
        let rendered = app.get_with(&format!("/{with}"), &[BROWSER]).await.expect(200).text();
        app.get_with(&picture_of(&rendered), &[AS_IMAGE]).await.expect(200);
        let position = rendered.find("<img class=\"picture\"").unwrap();
        assert!(
            rendered.find("The first").unwrap() < position && position < rendered.find("The second").unwrap()
        );
        let blocks_of = async |url: &str| {
            let answer = app.get_with(&format!("/{url}"), &[("accept", "application/json")]).await;
            answer.expect(200).json()["blocks"].clone()
        };
        assert_eq!(blocks_of(&with).await, blocks_of(&without).await);
    });
}

#[test]
fn rejected_picture_is_replaced_by_an_explanation() {
    on_each_world(async |app| {
        let script = b"alert(document.cookie)".to_vec();
        let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>".to_vec();
        let cases = [
            ("large", Reply::bytes("image/png", png(100 * 1024 * 1024)), "8 MB"),
            ("script", Reply::bytes("image/png", script), "does not have a picture"),
            ("drawing", Reply::bytes("image/svg+xml", svg), "does not have a picture"),
            ("gone", Reply::status(404), "no longer"),
            ("secret", Reply::status(403), "refuses to deliver"),
            ("inwards", Reply::redirect("http://10.0.0.1/a.png"), "is not allowed"),
            ("own", Reply::redirect("http://169.254.169.254/latest"), "is not allowed"),
        ];
        for (name, reply, words) in cases {
            let src = app.site.put(&format!("/{name}.png"), reply);
            let (at, answer) = fetch_picture(&app, &format!("/page-{name}"), &src).await;
            assert!((400..500).contains(&answer.status), "{name}: {}", answer.status);
            assert_eq!(answer.header("content-type"), "image/svg+xml", "{name}");
            assert!(answer.header("cache-control").contains("max-age=60"), "{name}");
            assert!(!answer.text().contains("script"), "{name}");
            let said = app.get_with(&at, &[BROWSER]).await;
            assert!(said.header("content-type").starts_with("text/plain"), "{name}");
            assert!(said.text().contains(words), "{name}: {}", said.text());
            assert_eq!(app.site.hits(&format!("/{name}.png")), 1, "{name} is fetched once");
        }
    });
}

#[test]
fn pictures_of_saved_items_are_private_to_the_account() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let src = app.site.put("/tower.png", Reply::bytes("image/png", png(600)));
        let url = article(&app, "/page", &src);
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open(&format!("/save?url={url}")).await.expect(200);
        let saved = browser.submit("/save", &[("url", &url)]).await.expect(303);
        let item = saved.header("location").split('?').next().unwrap().to_owned();
        let at = picture_of(&browser.open(&item).await.expect(200).text());
        assert_eq!(app.site.hits("/tower.png"), 0, "nothing is fetched before the picture is viewed");
        browser.load(&at).await.expect(200);
        browser.load(&format!("{at}?width=480")).await.expect(200);
        let again = browser.open(&item).await.expect(200).text();
        assert!(again.contains("width=\"40\" height=\"30\""), "{again}");

        let mut stranger = Browser::new(&app);
        stranger.load(&at).await.expect(404);
        stranger.sign_in(&other.email).await;
        stranger.load(&at).await.expect(404);
        stranger.load(&format!("{at}?width=480")).await.expect(404);
        let mut forged = at.clone();
        forged.pop();
        browser.load(&forged).await.expect(404);
        app.get_with(&at, &[("sec-fetch-site", "cross-site")]).await.expect(403);
        assert_eq!(app.site.hits("/tower.png"), 1);

        browser.open("/settings/look").await.expect(200);
        browser.submit("/settings/look", &[("pictures", "hide")]).await.expect(303);
        let page = browser.open(&item).await.expect(200).text();
        assert!(!page.contains("<img class=\"picture\""), "{page}");
        assert!(
            page.contains(">A tower by the sea</a>") && page.contains("The old tower in winter"),
            "{page}"
        );
        browser.load(&at).await.expect(403);
        let read = browser.open(&format!("/{url}")).await.expect(200).text();
        assert!(!read.contains("/pictures/"), "{read}");

        // Another browser of the account switches pictures on. The cookie of the first is unchanged.
        let mut another = Browser::signed_in(&app, &who).await;
        another.open("/settings/look").await.expect(200);
        another.submit("/settings/look", &[("pictures", "show")]).await.expect(303);
        let page = browser.open(&item).await.expect(200).text();
        assert!(page.contains("<img class=\"picture\""), "{page}");
        browser.load(&at).await.expect(200);
    });
}

#[test]
fn pictures_of_entries_are_proxied_and_tracking_pixels_removed() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let src = app.site.put("/boat.png", Reply::bytes("image/png", png(600)));
        let count = app.site.url("/count.gif");
        let body = format!(
            "<rss version=\"2.0\"><channel><title>H</title><item><title>A boat</title><guid>1</guid><description>\
             &lt;p&gt;Look: &lt;img src=\"{src}\" alt=\"A boat\"&gt;&lt;img src=\"{count}\" width=\"1\" height=\"1\"&gt;&lt;/p&gt;\
             </description></item></channel></rss>"
        );
        let url = app.site.put("/feed.xml", Reply::bytes("application/rss+xml", body.into_bytes()));
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open("/subscriptions/new").await.expect(200);
        browser.submit("/subscriptions/new", &[("url", &url), ("feed", &url)]).await.expect(303);
        poll(&app).await;
        let list = browser.open("/entries").await.expect(200).text();
        let entry = between(&list, "name=\"star\" value=\"", "\"").to_owned();
        let page = browser.open(&format!("/entries/{entry}")).await.expect(200).text();
        let at = picture_of(&page);
        assert!(!page.contains("count.gif"), "{page}");
        assert_eq!(browser.load(&at).await.expect(200).body, png(600));
    });
}

#[test]
fn concurrent_requests_share_a_fetch_and_zero_storage_disables_pictures() {
    run(async {
        let app = TestApp::spawn().await;
        let src = app.site.put("/slow.png", Reply::bytes("image/png", png(600)));
        let url = article(&app, "/page", &src);
        let page = app.get_with(&format!("/{url}"), &[BROWSER]).await.expect(200).text();
        let at = picture_of(&page);
        let gate = app.site.hold("/slow.png");
        let ask = async || app.get_with(&at, &[AS_IMAGE]).await.expect(200);
        let open = async {
            gate.wait_for_requests(1).await;
            gate.open();
        };
        let (one, other, ()) = tokio::join!(ask(), ask(), open);
        assert_eq!(one.body, other.body);
        assert_eq!(app.site.hits("/slow.png"), 1);

        let bare = Setup::on(World::Small).set("CARREL_PICTURES_MB", "0").spawn().await;
        let url = article(&bare, "/page", &src);
        let page = bare.get_with(&format!("/{url}"), &[BROWSER]).await.expect(200).text();
        assert!(!page.contains("/pictures/") && page.contains("A tower by the sea"), "{page}");
    });
}
