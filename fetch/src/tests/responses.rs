//! Mapping of statuses, headers, and media types.

use std::time::Duration;

use super::site::{Site, html, raw, reply};
use crate::{Accept, Error, Request};

#[tokio::test]
async fn statuses_map_to_error_codes() {
    let site = Site::start(|seen| reply(&format!("{} X", &seen.path[1..]), &[], b"sorry")).await;
    for (status, code) in [
        (400, "source_error"),
        (401, "login_required"),
        (402, "paywalled"),
        (403, "source_forbidden"),
        (404, "source_not_found"),
        (405, "source_error"),
        (406, "source_error"),
        (408, "source_error"),
        (410, "source_not_found"),
        (418, "source_error"),
        (425, "source_error"),
        (429, "source_rate_limited"),
        (451, "source_forbidden"),
        (500, "source_error"),
        (502, "source_error"),
        (503, "source_error"),
        (599, "source_error"),
        (999, "source_forbidden"),
        (206, "source_invalid_response"),
        (304, "source_error"),
    ] {
        let error = site.read(&format!("/{status}")).await.unwrap_err();
        assert_eq!(error.label(), code, "{status}");
    }
    assert_eq!(site.read("/404").await.unwrap_err(), Error::NotFound { gone: false });
    assert_eq!(site.read("/410").await.unwrap_err(), Error::NotFound { gone: true });
    for status in [200, 201, 203] {
        assert_eq!(site.read(&format!("/{status}")).await.unwrap().status, status);
    }
}

#[tokio::test]
async fn empty_response_is_a_success() {
    let site = Site::start(|_| raw("HTTP/1.1 204 No Content\r\n\r\n")).await;
    let fetched = site.read("/").await.unwrap();
    assert_eq!((fetched.status, fetched.body.len()), (204, 0));
}

#[tokio::test]
async fn headers_only_request_returns_headers_and_reads_no_body() {
    let site = Site::start(|_| {
        let headers = ["ETag: \"a\"", "X-Part: one", "Content-Type: image/png", "X-Part: two"];
        reply("404 Not Found", &headers, b"sorry")
    })
    .await;
    let request = Request { headers_only: true, any_status: true, ..Request::page(site.url("/")) };
    let fetched = site.fetcher().fetch(&request).await.unwrap();
    assert_eq!((fetched.status, fetched.body.len()), (404, 0));
    let value =
        |name: &str| fetched.headers.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str());
    assert_eq!(["etag", "x-part", "content-length"].map(value), [Some("\"a\""), Some("one, two"), Some("5")]);
    assert!(
        site.fetcher().fetch(&Request { headers_only: false, ..request }).await.is_err(),
        "a picture is no page"
    );
}

#[tokio::test]
async fn error_status_is_content_if_the_request_accepts_it() {
    let site = Site::start(|seen| match seen.path.as_str() {
        "/limit" => reply("429 Too Many Requests", &[], b"slow"),
        _ => reply("404 Not Found", &["Content-Type: text/html"], b"no such page"),
    })
    .await;
    let any = |path: &str| Request { any_status: true, ..Request::page(site.url(path)) };
    let fetched = site.fetcher().fetch(&any("/")).await.unwrap();
    assert_eq!((fetched.status, fetched.body.as_ref()), (404, &b"no such page"[..]));
    assert_eq!(site.fetcher().fetch(&any("/limit")).await.unwrap_err().label(), "source_rate_limited");
    assert!(site.read("/").await.is_err());
}

#[tokio::test]
async fn request_sends_user_agent_and_prefers_markdown() {
    let site = Site::start(|_| html("x")).await;
    let fetcher = site.fetcher();
    fetcher.fetch(&Request::page(site.url("/"))).await.unwrap();
    fetcher.fetch(&Request::feed(site.url("/"))).await.unwrap();
    fetcher.fetch(&Request { accept: Accept::Any, ..Request::page(site.url("/")) }).await.unwrap();
    let heads = site.heads();
    assert!(heads[0].contains("accept: text/markdown, text/html;q=0.9"), "{}", heads[0]);
    assert!(heads[0].contains("user-agent: CarrelBot/"), "{}", heads[0]);
    for coding in ["gzip", "br", "zstd", "deflate"] {
        let line = heads[0].lines().find(|line| line.starts_with("accept-encoding:")).unwrap();
        assert!(line.contains(coding), "{line}");
    }
    assert!(heads[1].contains("accept: application/atom+xml"), "{}", heads[1]);
    assert!(heads[2].contains("accept: */*"), "{}", heads[2]);
}

#[tokio::test]
async fn conditional_request_returns_not_modified() {
    let site = Site::start(|seen| {
        if seen.head.contains("if-none-match: \"v1\"") {
            raw("HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\nCache-Control: max-age=60\r\n\r\n")
        } else {
            reply("200 OK", &["ETag: \"v1\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"], b"feed")
        }
    })
    .await;
    let fetcher = site.fetcher();
    let first = fetcher.fetch(&Request::feed(site.url("/"))).await.unwrap();
    assert!(!first.not_modified);
    let again =
        Request { etag: first.etag, last_modified: first.last_modified, ..Request::feed(site.url("/")) };
    let second = fetcher.fetch(&again).await.unwrap();
    assert!(second.not_modified && second.body.is_empty());
    assert_eq!((second.status, second.etag.as_deref()), (304, Some("\"v1\"")));
    assert_eq!(second.cache_control.as_deref(), Some("max-age=60"));
    assert!(site.heads()[1].contains("if-modified-since: Sun, 06 Nov 1994 08:49:37 GMT"));
}

#[tokio::test]
async fn stored_validator_cannot_inject_a_header() {
    let site = Site::start(|_| html("x")).await;
    let etag = Some("\"a\"\r\nX-Injected: yes".to_owned());
    let request = Request { etag, ..Request::feed(site.url("/")) };
    site.fetcher().fetch(&request).await.unwrap();
    let head = site.heads()[0].to_ascii_lowercase();
    assert!(!head.contains("x-injected") && !head.contains("if-none-match"), "{head}");
}

#[tokio::test]
async fn relevant_headers_are_returned_and_bounded() {
    let site = Site::start(|seen| match seen.path.as_str() {
        "/long" => reply("200 OK", &[&format!("ETag: \"{}\"", "e".repeat(5000))], b""),
        _ => reply(
            "200 OK",
            &[
                "Content-Type: text/html; charset=latin1",
                "Cache-Control: max-age=5",
                "Cache-Control: public",
                "Expires: Sun, 06 Nov 1994 08:49:37 GMT",
                "Date: Sun, 06 Nov 1994 08:49:00 GMT",
                "Retry-After: 120",
                "Link: <https://hub.example/>; rel=hub",
                "Link: </feed>; rel=self",
            ],
            b"x",
        ),
    })
    .await;
    let fetched = site.read("/").await.unwrap();
    assert_eq!(fetched.content_type.as_deref(), Some("text/html; charset=latin1"));
    assert_eq!(fetched.cache_control.as_deref(), Some("max-age=5, public"));
    assert_eq!(fetched.expires.as_deref(), Some("Sun, 06 Nov 1994 08:49:37 GMT"));
    assert_eq!(fetched.date.as_deref(), Some("Sun, 06 Nov 1994 08:49:00 GMT"));
    assert_eq!(fetched.retry_after_seconds, Some(120));
    assert_eq!(fetched.links, ["<https://hub.example/>; rel=hub", "</feed>; rel=self"]);
    assert_eq!(site.read("/long").await.unwrap().etag, None);
}

#[tokio::test]
async fn retry_after_is_parsed_in_both_forms_without_the_local_clock() {
    let site = Site::start(|seen| {
        let headers: &[&str] = match seen.path.as_str() {
            "/seconds" => &["Retry-After: 7"],
            "/date" => &["Retry-After: Sun, 06 Nov 1994 08:50:07 GMT", "Date: Sun, 06 Nov 1994 08:49:37 GMT"],
            "/past" => &["Retry-After: Sun, 06 Nov 1994 08:49:07 GMT", "Date: Sun, 06 Nov 1994 08:49:37 GMT"],
            "/undated" => &["Retry-After: Sun, 06 Nov 1994 08:50:07 GMT"],
            "/huge" => &["Retry-After: 99999999999999999999999"],
            _ => &["Retry-After: soon"],
        };
        reply("503 Service Unavailable", headers, b"")
    })
    .await;
    let wait = async |path: &str| site.read(path).await.unwrap_err().retry_after();
    assert_eq!(wait("/seconds").await, Some(Duration::from_secs(7)));
    assert_eq!(wait("/date").await, Some(Duration::from_secs(30)));
    assert_eq!(wait("/past").await, Some(Duration::ZERO));
    assert_eq!(wait("/undated").await, None);
    assert_eq!(wait("/huge").await, Some(Duration::from_hours(7 * 24)));
    assert_eq!(wait("/words").await, None);
}

#[tokio::test]
async fn page_request_refuses_media_types_without_text() {
    let site =
        Site::start(|seen| reply("200 OK", &[&format!("Content-Type: {}", &seen.path[1..])], b"x")).await;
    for kind in ["image/png", "VIDEO/mp4;codecs=x", "audio/ogg", "font/woff2"] {
        let error = site.read(&format!("/{kind}")).await.err();
        let code = error.as_ref().map(Error::label);
        assert_eq!(code, Some("unsupported_content"), "{kind}");
    }
    for kind in ["text/html", "application/pdf", "application/octet-stream", "nonsense"] {
        assert!(site.read(&format!("/{kind}")).await.is_ok(), "{kind}");
    }
    let any = Request { accept: Accept::Any, ..Request::page(site.url("/image/png")) };
    assert!(site.fetcher().fetch(&any).await.is_ok());
}

#[tokio::test]
async fn fragment_is_neither_sent_nor_returned() {
    let site = Site::start(|_| html("x")).await;
    let fetched = site.read("/a?b=c#part").await.unwrap();
    assert_eq!(fetched.url.as_str(), site.url("/a?b=c"));
    assert_eq!(site.paths(), ["/a?b=c"]);
}
