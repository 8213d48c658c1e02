//! Redirects: allowed targets, maximum number, and headers and bodies that are sent to the target.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::site::{ResponseStep, Site, html, redirect_to, reply};
use crate::{
    Authorization, BodyMethod, Error, Fetcher, FetcherSettings, OutgoingBody, Request, RequestHeader,
};

#[tokio::test]
async fn redirect_to_private_address_is_refused_at_every_hop() {
    let canary = Site::canary().await;
    let port = canary.port();
    let targets = [
        format!("http://127.0.0.1:{port}/"),
        format!("http://2130706433:{port}/"),
        format!("http://0x7f.1:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        format!("//127.0.0.1:{port}/"),
        format!("\\\\127.0.0.1:{port}/"),
        format!("/\\127.0.0.1:{port}/"),
        format!("http:///127.0.0.1:{port}/"),
        format!("http://localhost:{port}/"),
        format!("http://user:pass@127.0.0.1:{port}/"),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "file:///etc/passwd".to_owned(),
        "gopher://127.0.0.1:6379/_INFO".to_owned(),
        "data:text/html,x".to_owned(),
        "http://example.com:25/".to_owned(),
    ];
    for target in targets {
        let location = target.clone();
        let site = Site::start(move |seen| match seen.path.as_str() {
            "/" => redirect_to("/second"),
            _ => redirect_to(&location),
        })
        .await;
        let error = site.read("/").await.unwrap_err();
        assert_eq!(error.label(), "url_not_allowed", "{target}: {error:?}");
        assert_eq!(site.paths(), ["/", "/second"], "{target}");
    }
    assert_eq!(canary.hits(), 0);
}

#[tokio::test]
async fn ten_redirects_are_followed_and_eleven_are_refused() {
    let site = Site::start(|seen| {
        let left: u32 = seen.path[1..].parse().unwrap();
        if left == 0 { html("there") } else { redirect_to(&format!("/{}", left - 1)) }
    })
    .await;
    let fetched = site.read("/10").await.unwrap();
    assert_eq!((fetched.body.as_ref(), fetched.url.path()), (b"there".as_slice(), "/0"));
    assert_eq!(fetched.permanent_url, None);
    assert_eq!(site.read("/11").await.unwrap_err(), Error::TooManyRedirects);
    assert_eq!(site.read("/50").await.unwrap_err(), Error::TooManyRedirects);
}

#[tokio::test]
async fn redirect_loop_is_stopped_at_the_first_repeated_url() {
    let site = Site::start(|seen| match seen.path.as_str() {
        "/self" => redirect_to("/self#again"),
        "/ping" => redirect_to("/pong"),
        _ => redirect_to("/ping"),
    })
    .await;
    assert_eq!(site.read("/self").await.unwrap_err(), Error::TooManyRedirects);
    assert_eq!(site.read("/ping").await.unwrap_err(), Error::TooManyRedirects);
    assert_eq!(site.paths(), ["/self", "/ping", "/pong"]);
}

#[tokio::test]
async fn growing_redirect_is_refused() {
    let site = Site::start(|seen| redirect_to(&format!("{}{}", seen.path, "x".repeat(1000)))).await;
    assert_eq!(site.read("/").await.unwrap_err(), Error::TooManyRedirects);
    let site = Site::start(|seen| redirect_to(&format!("{}{}", seen.path, "x".repeat(30_000)))).await;
    assert_eq!(site.read("/").await.unwrap_err().label(), "source_invalid_response");
}

#[tokio::test]
async fn slow_redirects_share_one_deadline() {
    let site = Site::start(|seen| {
        let head = format!("HTTP/1.1 302 Found\r\nLocation: {}x\r\nContent-Length: 0\r\n\r\n", seen.path);
        vec![ResponseStep::Drip(head.into_bytes(), Duration::from_millis(3)), ResponseStep::KeepAlive]
    })
    .await;
    let request = Request { deadline: Duration::from_millis(400), ..Request::page(site.url("/")) };
    let error = site.fetcher().fetch(&request).await.unwrap_err();
    assert!(matches!(error, Error::Timeout { answered: false, .. }), "{error:?}");
}

#[tokio::test]
async fn permanent_url_requires_permanent_redirects() {
    let site = Site::start(|seen| match seen.path.as_str() {
        "/moved" => reply("301 Moved Permanently", &["Location: /moved-again"], b""),
        "/moved-again" => reply("308 Permanent Redirect", &["Location: /end"], b""),
        "/mixed" => reply("301 Moved Permanently", &["Location: /for-now"], b""),
        "/for-now" => reply("307 Temporary Redirect", &["Location: /end"], b""),
        "/see" => reply("303 See Other", &["Location: /end"], b""),
        _ => html("end"),
    })
    .await;
    let permanent =
        async |path: &str| site.read(path).await.unwrap().permanent_url.map(|url| url.path().to_owned());
    assert_eq!(permanent("/moved").await.as_deref(), Some("/end"));
    assert_eq!(permanent("/mixed").await, None);
    assert_eq!(permanent("/see").await, None);
    assert_eq!(permanent("/end").await, None);
}

#[tokio::test]
async fn only_five_statuses_with_location_are_followed() {
    let canary = Site::canary().await;
    let target = canary.url("/");
    let site = Site::start(move |seen| {
        let location = format!("Location: {target}");
        match seen.path.as_str() {
            "/refresh" => reply("200 OK", &[&format!("Refresh: 0; url={target}")], b"stay"),
            "/created" => reply("201 Created", &[&location], b"stay"),
            "/link" => reply("200 OK", &[&format!("Link: <{target}>; rel=next")], b"stay"),
            "/alt-svc" => reply("200 OK", &[&format!("Alt-Svc: h2=\":{}\"", 1)], b"stay"),
            "/proxy" => reply("305 Use Proxy", &[&location], b""),
            "/choices" => reply("300 Multiple Choices", &[&location], b""),
            "/nowhere" => reply("302 Found", &[], b""),
            _ => reply("302 Found", &["Location: http://[nonsense"], b""),
        }
    })
    .await;
    for path in ["/refresh", "/created", "/link", "/alt-svc"] {
        assert_eq!(site.read(path).await.unwrap().body, "stay", "{path}");
    }
    for path in ["/proxy", "/choices"] {
        assert_eq!(site.read(path).await.unwrap_err().label(), "source_error", "{path}");
    }
    for path in ["/nowhere", "/nonsense"] {
        assert_eq!(site.read(path).await.unwrap_err().label(), "source_invalid_response", "{path}");
    }
    assert_eq!(canary.hits(), 0);
}

#[tokio::test]
async fn redirect_does_not_send_referer_credentials_or_foreign_cookies() {
    let site = Site::start(|seen| match seen.path.as_str() {
        "/" => reply("302 Found", &["Location: /next?secret=1", "Set-Cookie: id=1; Path=/other"], b""),
        _ => redirect_to("/last"),
    })
    .await;
    let _ = site.read("/").await;
    for head in site.heads() {
        let head = head.to_ascii_lowercase();
        assert!(!head.contains("\r\ncookie:") && !head.contains("\r\nreferer:"), "{head}");
        assert!(!head.contains("\r\nauthorization:"), "{head}");
    }
    assert!(site.heads().len() >= 2);
}

#[tokio::test]
async fn authorization_is_sent_to_its_origin_only() {
    let other = Site::start(|_| html("other")).await;
    let target = other.url("/last");
    let site = Site::start(move |seen| match seen.path.as_str() {
        "/" => redirect_to("/second"),
        _ => redirect_to(&target),
    })
    .await;
    let allow = site.settings().allow.into_iter().chain(other.settings().allow).collect();
    let fetcher = Fetcher::new(FetcherSettings { allow, ..site.settings() }).unwrap();
    let authorization = Some(Authorization("Basic YTpi".to_owned()));
    let request = Request { authorization, ..Request::feed(site.url("/")) };
    assert_eq!(fetcher.fetch(&request).await.unwrap().body, "other");
    let is_sent = |head: &String| head.to_ascii_lowercase().contains("\r\nauthorization: basic ytpi\r\n");
    assert_eq!(site.heads().iter().map(is_sent).collect::<Vec<_>>(), [true, true]);
    assert_eq!(other.heads().iter().map(is_sent).collect::<Vec<_>>(), [false]);
    assert!(!format!("{request:?}").contains("YTpi"));
}

#[tokio::test]
async fn origin_bound_request_follows_redirects_within_its_origin_only() {
    let other = Site::start(|_| html("other")).await;
    let target = other.url("/last?token=s3cret");
    let site = Site::start(move |seen| match seen.path.as_str() {
        "/near?token=s3cret" => redirect_to("/second"),
        "/second" => html("own"),
        _ => redirect_to(&target),
    })
    .await;
    let allow = site.settings().allow.into_iter().chain(other.settings().allow).collect();
    let fetcher = Fetcher::new(FetcherSettings { allow, ..site.settings() }).unwrap();
    let bound = |url: String| Request { is_origin_bound: true, ..Request::feed(url) };
    assert_eq!(fetcher.fetch(&bound(site.url("/near?token=s3cret"))).await.unwrap().body, "own");
    let refused = fetcher.fetch(&bound(site.url("/far?token=s3cret"))).await.unwrap_err();
    assert_eq!((refused.label(), other.hits()), ("url_not_allowed", 0));
}

fn own_header(name: &str, value: &str) -> RequestHeader {
    RequestHeader { name: name.to_owned(), value: value.to_owned() }
}

#[tokio::test]
async fn header_that_signs_people_in_to_this_service_is_refused() {
    let site = Site::start(|_| html("words")).await;
    let settings = FetcherSettings { sign_in_header: Some("remote-email".to_owned()), ..site.settings() };
    let fetcher = Fetcher::new(settings).unwrap();
    let with_header = |name: &str| Request {
        headers: vec![own_header(name, "ada@example.org")],
        ..Request::page(site.url("/"))
    };
    let refused = fetcher.fetch(&with_header("Remote-Email")).await.unwrap_err();
    assert_eq!((refused.label(), site.paths()), ("url_not_allowed", Vec::new()));
    fetcher.fetch(&with_header("X-Region")).await.unwrap();
}

#[tokio::test]
async fn custom_headers_are_sent_to_their_origin_only() {
    let other = Site::start(|_| html("other")).await;
    let target = other.url("/last");
    let site = Site::start(move |seen| match seen.path.as_str() {
        "/" => reply("302 Found", &["Location: /second", "Set-Cookie: seen=1; Path=/"], b""),
        _ => redirect_to(&target),
    })
    .await;
    let allow = site.settings().allow.into_iter().chain(other.settings().allow).collect();
    let fetcher = Fetcher::new(FetcherSettings { allow, ..site.settings() }).unwrap();
    let headers = vec![
        own_header("X-Key", "opened"),
        own_header("Cookie", "session=7"),
        own_header("Accept", "application/json"),
        own_header("bad name", "x"),
    ];
    let user_agent = Some("Harbour/1".to_owned());
    let request = Request { headers, user_agent, ..Request::page(site.url("/")) };
    assert_eq!(fetcher.fetch(&request).await.unwrap().body, "other");
    let heads: Vec<String> = site.heads().iter().map(|head| head.to_ascii_lowercase()).collect();
    assert!(heads.iter().all(|head| head.contains("\r\nx-key: opened\r\n")), "{heads:?}");
    assert!(heads.iter().all(|head| head.matches("\r\naccept:").count() == 1), "{heads:?}");
    assert!(heads[0].contains("\r\ncookie: session=7\r\n"), "{heads:?}");
    assert!(heads[1].contains("\r\ncookie: session=7; seen=1\r\n"), "one header has all cookies: {heads:?}");
    let elsewhere = other.heads()[0].to_ascii_lowercase();
    assert!(!elsewhere.contains("x-key") && !elsewhere.contains("session=7"), "{elsewhere}");
    assert!(heads[0].contains("user-agent: harbour/1") && elsewhere.contains("user-agent: harbour/1"));
    assert!(!format!("{request:?}").contains("opened"));
}

#[tokio::test]
async fn body_is_dropped_or_repeated_depending_on_the_status() {
    let site = Site::start(|seen| match seen.path.as_str() {
        "/form" if !seen.head.starts_with("GET") => redirect_to("/form"),
        "/again" => reply("307 Temporary Redirect", &["Location: /answer"], b""),
        _ => html("result"),
    })
    .await;
    let body =
        |method| Some(OutgoingBody { method, content_type: "application/json".into(), text: String::new() });
    let fetcher = site.fetcher();
    for (method, path, methods) in [
        (BodyMethod::Post, "/form", ["POST", "GET"]),
        (BodyMethod::Post, "/again", ["POST", "POST"]),
        (BodyMethod::Put, "/form", ["PUT", "GET"]),
        (BodyMethod::Patch, "/again", ["PATCH", "PATCH"]),
    ] {
        let before = site.heads().len();
        let request = Request { body: body(method), ..Request::page(site.url(path)) };
        assert_eq!(fetcher.fetch(&request).await.unwrap().body, "result", "{path}");
        let heads = site.heads().split_off(before);
        let sent: Vec<&str> = heads.iter().filter_map(|head| head.split(' ').next()).collect();
        assert_eq!(sent, methods, "{path}");
        assert!(heads[0].contains("content-type: application/json"), "{heads:?}");
    }
}

#[tokio::test]
async fn post_is_never_repeated_at_another_origin() {
    let canary = Site::canary().await;
    let target = canary.url("/");
    let site =
        Site::start(move |_| reply("308 Permanent Redirect", &[&format!("Location: {target}")], b"")).await;
    let allow = site.settings().allow.into_iter().chain(canary.settings().allow).collect();
    let fetcher = Fetcher::new(FetcherSettings { allow, ..site.settings() }).unwrap();
    let method = BodyMethod::Put;
    let body = Some(OutgoingBody { method, content_type: "text/plain".into(), text: String::new() });
    let error = fetcher.fetch(&Request { body, ..Request::page(site.url("/")) }).await.unwrap_err();
    assert_eq!((error.label(), canary.hits()), ("source_invalid_response", 0));
}

/// Site that sets a cookie with a redirect, and serves its pages only to requests with the cookie.
async fn site_with_cookie_check() -> Site {
    Site::start(|seen| {
        let has_cookie = seen.head.to_ascii_lowercase().contains("\r\ncookie: id=1\r\n");
        match (seen.path.as_str(), has_cookie) {
            ("/self" | "/end" | "/page", true) => html("the text"),
            ("/self", false) => reply("302 Found", &["Location: /self", "Set-Cookie: id=1"], b""),
            ("/start", _) => reply("302 Found", &["Location: /end", "Set-Cookie: id=1; Path=/"], b""),
            ("/page", false) => redirect_to("/check?back=/page"),
            ("/check?back=/page", _) => {
                reply("302 Found", &["Location: /page", "Set-Cookie: id=1; Path=/"], b"")
            }
            ("/other", _) => reply("302 Found", &["Location: /self", "Set-Cookie: id=2"], b""),
            _ => html("Please enable cookies."),
        }
    })
    .await
}

#[tokio::test]
async fn cookie_of_a_redirect_is_sent_with_the_next_request() {
    let site = site_with_cookie_check().await;
    for path in ["/self", "/start", "/page", "/other"] {
        assert_eq!(site.read(path).await.unwrap().body, "the text", "{path}");
    }
    let fetcher = site.fetcher();
    for path in ["/self", "/start", "/page", "/other"] {
        let fetched = fetcher.fetch(&Request::feed(site.url(path))).await.unwrap();
        assert_eq!((fetched.body.as_ref(), fetched.permanent_url), (&b"the text"[..], None), "{path}");
    }
    // Another fetch starts without cookies.
    for _ in 0..2 {
        assert_eq!(fetcher.fetch(&Request::page(site.url("/start"))).await.unwrap().body, "the text");
        let plain = fetcher.fetch(&Request::page(site.url("/end"))).await.unwrap();
        assert_eq!(plain.body, "Please enable cookies.");
    }
}

#[tokio::test]
async fn cookie_is_not_sent_to_another_host() {
    let other = Site::start_at("127.0.0.2:0", |_| html("other")).await;
    let target = other.url("/");
    let site = Site::start(move |_| {
        let location = format!("Location: {target}");
        reply("302 Found", &[&location, "Set-Cookie: id=1; Path=/"], b"")
    })
    .await;
    let mut settings = site.settings();
    settings.allow.extend(other.settings().allow);
    let fetcher = Fetcher::new(settings).unwrap();
    assert_eq!(fetcher.fetch(&Request::page(site.url("/"))).await.unwrap().body, "other");
    assert!(!other.heads()[0].to_ascii_lowercase().contains("\r\ncookie:"));
}

#[tokio::test]
async fn endless_new_cookies_exhaust_the_redirects() {
    let hits = Arc::new(AtomicUsize::new(0));
    let site = Site::start(move |_| {
        let cookie = format!("Set-Cookie: id={}", hits.fetch_add(1, Ordering::SeqCst));
        reply("302 Found", &["Location: /", &cookie], b"")
    })
    .await;
    assert_eq!(site.read("/").await.unwrap_err(), Error::TooManyRedirects);
    assert_eq!(site.paths().len(), 11);
}

/// Page that redirects by `<meta http-equiv=refresh>`.
fn refresh_to(target: &str) -> Vec<ResponseStep> {
    html(&format!("<meta http-equiv=\"refresh\" content=\"0; url={target}\"><p>Redirecting, click here."))
}

#[tokio::test]
async fn meta_refresh_is_followed_as_a_redirect() {
    let site = Site::start(|seen| match seen.path.as_str() {
        "/" => refresh_to("moved"),
        "/moved" => redirect_to("/again"),
        "/again" => refresh_to("/end"),
        "/permanent" => reply("301 Moved Permanently", &["Location: /again"], b""),
        "/plain" => {
            reply("200 OK", &["Content-Type: text/plain"], b"<meta http-equiv=refresh content='0;/end'>")
        }
        "/missing" => reply(
            "404 Not Found",
            &["Content-Type: text/html"],
            b"<meta http-equiv=refresh content='0;/end'>",
        ),
        "/reload" => refresh_to("/reload#top"),
        "/ping" => refresh_to("/pong"),
        "/pong" => refresh_to("/ping"),
        _ => html("end"),
    })
    .await;
    let fetched = site.read("/").await.unwrap();
    assert_eq!((fetched.body.as_ref(), fetched.url.path()), (b"end".as_slice(), "/end"));
    assert_eq!(site.read("/permanent").await.unwrap().permanent_url, None);
    assert!(site.read("/plain").await.unwrap().body.starts_with(b"<meta"));
    assert_eq!(site.read("/missing").await.unwrap_err().label(), "source_not_found");
    assert_eq!(site.read("/reload").await.unwrap().url.path(), "/reload");
    assert_eq!(site.read("/ping").await.unwrap().url.path(), "/pong");
    let feed = site.fetcher().fetch(&Request::feed(site.url("/again"))).await.unwrap();
    assert_eq!(feed.url.path(), "/again");
    assert_eq!(feed.meta_refresh().unwrap().path(), "/end");
    let plain = site.fetcher().fetch(&Request::feed(site.url("/plain"))).await.unwrap();
    assert_eq!(plain.meta_refresh(), None);
}

#[tokio::test]
async fn page_that_refreshes_itself_is_read_again_after_it_set_a_cookie() {
    let hits = AtomicUsize::new(0);
    let site = Site::start(move |seen| {
        let refresh = b"<meta http-equiv=refresh content='0;url=/page'>";
        let value = hits.fetch_add(1, Ordering::SeqCst);
        match (seen.path.as_str(), seen.head.contains("id=1")) {
            ("/page", false) => {
                reply("200 OK", &["Content-Type: text/html", "Set-Cookie: id=1; Path=/"], refresh)
            }
            ("/elsewhere", _) => reply(
                "200 OK",
                &["Content-Type: text/html", &format!("Set-Cookie: n={value}; Path=/other")],
                b"<meta http-equiv=refresh content='0;url=/elsewhere'>",
            ),
            ("/endless", _) => reply(
                "200 OK",
                &["Content-Type: text/html", &format!("Set-Cookie: n={value}")],
                b"<meta http-equiv=refresh content='0;url=/endless'>",
            ),
            _ => html("there"),
        }
    })
    .await;
    assert_eq!(site.read("/page").await.unwrap().body, "there");
    assert_eq!(site.read("/endless").await.unwrap().url.path(), "/endless");
    let reads = |path: &str| site.paths().iter().filter(|read| read.as_str() == path).count();
    assert_eq!(reads("/endless"), 2);
    // The cookie is not sent to the page itself.
    assert_eq!(site.read("/elsewhere").await.unwrap().url.path(), "/elsewhere");
    assert_eq!(reads("/elsewhere"), 1);
}

#[tokio::test]
async fn meta_refreshes_count_as_redirects_and_pass_the_guard() {
    let canary = Site::canary().await;
    let target = canary.url("/");
    let site = Site::start(move |seen| match seen.path[1..].parse::<u32>() {
        Ok(0) => html("there"),
        Ok(left) if left % 2 == 0 => redirect_to(&format!("/{}", left - 1)),
        Ok(left) => refresh_to(&format!("/{}", left - 1)),
        Err(_) => refresh_to(&target),
    })
    .await;
    assert_eq!(site.read("/10").await.unwrap().body, "there");
    assert_eq!(site.read("/11").await.unwrap_err(), Error::TooManyRedirects);
    assert_eq!(site.read("/inside").await.unwrap_err().label(), "url_not_allowed");
    assert_eq!(canary.hits(), 0);
}
