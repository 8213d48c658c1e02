//! Headers, credentials, and cookies of the requests of a page.

use browser::{PageRequestSettings, RenderError, RenderRequest};
use fetch::{CookieState, RequestHeader, StoredCookies};

use super::site::Site;
use super::{renderer, request};

/// Page that loads files from the origin in its query.
const FRAME: &str = "<script>const site = location.search.slice(1); document.write(\
    `<script src='${site}/crossed.js'></scr` + `ipt><iframe src='${site}/nested'></iframe>`)</script>";

/// Site whose pages load files from the site and from `other`, and redirect to `other`.
async fn own_site(other: &Site) -> Site {
    let other = other.url("");
    let pages = move |path: &str| match path {
        "/page" => Some(format!(
            "<p>{}</p><p id=seen></p><script>document.cookie = 'seen=yes; max-age=600';\
             document.getElementById('seen').textContent = 'Scripts see ' + document.cookie;</script>\
             <script src=/own.js></script><script src={other}/other.js></script><script src=/moved.js></script>",
            "The harbour wall was repaired in autumn. ".repeat(10)
        )),
        "/frames" => Some(format!(
            "<p>{}</p><iframe src=/inside></iframe><iframe srcdoc='<script src=/blank.js></script>'></iframe>\
             <script>document.write(`<iframe src={other}/frame?${{location.origin}}></iframe>`)</script>",
            "The harbour has three walls. ".repeat(15)
        )),
        "/inside" => Some("<script src=/inside.js></script>".to_owned()),
        "/nested" => Some("<p>Nested".to_owned()),
        "/moved.js" => Some(format!("{other}/left.js")),
        "/moved" => Some(format!("{other}/left")),
        "/moved_inside" => Some("/page".to_owned()),
        _ => None,
    };
    Site::start("127.0.0.1:0", pages).await
}

async fn other_site() -> Site {
    let page = |path: &str| match path {
        "/left" => Some(format!("<p>{}</p>", "The other harbour has no wall. ".repeat(10))),
        "/frame" => Some(FRAME.to_owned()),
        _ => None,
    };
    Site::start("127.0.0.1:0", page).await
}

fn header(name: &str, value: &str) -> RequestHeader {
    RequestHeader { name: name.to_owned(), value: value.to_owned() }
}

fn with_settings(url: String, settings: PageRequestSettings) -> RenderRequest {
    RenderRequest { settings, ..request(url) }
}

/// Head of the first request for a path, in lower case.
fn head_of(site: &Site, path: &str) -> String {
    let start = format!("GET {path} ");
    let head = site.heads().into_iter().find(|head| head.starts_with(&start));
    head.unwrap_or_else(|| panic!("{path} was not requested")).to_ascii_lowercase()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn headers_are_sent_only_to_the_origin_of_the_page() {
    let other = other_site().await;
    let site = own_site(&other).await;
    let Some(renderer) = renderer(&[site.port, other.port]).await else { return };
    let settings = PageRequestSettings {
        headers: vec![header("X-Region", "north")],
        credentials: Some(header("Authorization", "Bearer opened")),
        user_agent: Some("Harbour/1".to_owned()),
        cookies: None,
    };
    let render = async |path: &str| renderer.render(&with_settings(site.url(path), settings.clone())).await;
    assert_eq!(render("/moved_inside").await.unwrap().url.path(), "/page");
    assert!(render("/moved").await.unwrap().html.contains("The other harbour"));
    for path in ["/moved_inside", "/page", "/own.js", "/moved.js", "/moved"] {
        let head = head_of(&site, path);
        for sent in ["x-region: north\r\n", "authorization: bearer opened\r\n", "user-agent: harbour/1\r\n"] {
            assert!(head.contains(sent), "{sent:?} is missing in {head}");
        }
    }
    for path in ["/other.js", "/left.js", "/left"] {
        let head = head_of(&other, path);
        assert!(!head.contains("x-region") && !head.contains("opened"), "{head}");
        assert!(head.contains("user-agent: harbour/1\r\n"), "{head}");
    }
    renderer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn headers_are_not_sent_for_frames_of_other_origins() {
    let other = other_site().await;
    let site = own_site(&other).await;
    let Some(renderer) = renderer(&[site.port, other.port]).await else { return };
    let settings = PageRequestSettings {
        credentials: Some(header("Authorization", "Bearer opened")),
        ..PageRequestSettings::default()
    };
    renderer.render(&with_settings(site.url("/frames"), settings)).await.unwrap();
    for (path, expected) in [
        ("/frames", true),
        ("/inside", true),
        ("/inside.js", true),
        ("/blank.js", true),
        ("/crossed.js", false),
        ("/nested", false),
    ] {
        let head = head_of(&site, path);
        assert_eq!(head.contains("authorization: bearer opened\r\n"), expected, "{head}");
    }
    renderer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cookies_of_credentials_are_hidden_from_scripts_and_other_ports() {
    let other = other_site().await;
    let site = own_site(&other).await;
    let Some(renderer) = renderer(&[site.port, other.port]).await else { return };
    let settings = PageRequestSettings {
        credentials: Some(header("Cookie", "id=12345678; region=north")),
        ..PageRequestSettings::default()
    };
    let render = async |path: &str| renderer.render(&with_settings(site.url(path), settings.clone())).await;
    let page = render("/page").await.unwrap();
    assert!(page.html.contains("Scripts see seen=yes<"), "{}", page.html);
    assert!(page.is_cut && page.cookies.is_none(), "the files of the other port are missing");
    let head = head_of(&site, "/page");
    assert!(head.contains("id=12345678") && head.contains("region=north"), "{head}");
    assert!(matches!(render("/moved").await, Err(RenderError::Refused(fetch::Error::NotAllowed { .. }))));
    assert_eq!(other.hits(), 0);
    renderer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cookies_of_the_site_are_returned_for_the_next_page() {
    let other = other_site().await;
    let site = own_site(&other).await;
    let Some(renderer) = renderer(&[site.port, other.port]).await else { return };
    let render = async |stored: StoredCookies| {
        let cookies = Some(CookieState { stored, now: 1_000 });
        let settings = PageRequestSettings { cookies, ..PageRequestSettings::default() };
        renderer.render(&with_settings(site.url("/page"), settings)).await.unwrap()
    };
    let stored = render(StoredCookies::default()).await.cookies.unwrap();
    assert!(stored.0.contains("seen\tyes"), "{}", stored.0);
    assert!(!head_of(&site, "/page").contains("cookie:"));
    render(stored).await;
    let heads = site.heads();
    let last = heads.iter().rfind(|head| head.starts_with("GET /page ")).unwrap();
    assert!(last.contains("seen=yes"), "{last}");
    renderer.shutdown().await;
}
