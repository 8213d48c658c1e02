//! Invalid HTTP, floods, slow responses, resets, unresponsive servers, and proxies in the environment, which
//! are ignored.

use std::process::Command;
use std::time::Duration;

use tokio::time::Instant;

use super::site::{ResponseStep, Site, html, raw};
use crate::{Error, Fetcher, FetcherSettings, Request, RobotsRule};

const SHORT: Duration = Duration::from_millis(300);
/// A busy machine may receive no head before the shorter deadlines.
const DEADLINES: [Duration; 3] = [SHORT, Duration::from_secs(3), Duration::from_secs(20)];

/// Fetches with a deadline. Returns the error.
async fn read_until(deadline: Duration, site: &Site, path: &str) -> Error {
    let request = Request { deadline, ..Request::page(site.url(path)) };
    site.fetcher().fetch(&request).await.unwrap_err()
}

/// Asserts that a fetch times out at its deadline, after the head of the response if `answered`.
async fn assert_times_out_at_deadline(site: &Site, (path, answered): (&str, bool)) {
    let expected = Error::Timeout { reason: "the fetch exceeded its deadline", answered };
    let mut error = None;
    for deadline in DEADLINES {
        let started = Instant::now();
        error = Some(read_until(deadline, site, path).await);
        assert!(started.elapsed() >= deadline, "{path}");
        if error.as_ref() == Some(&expected) {
            return;
        }
    }
    assert_eq!(error, Some(expected), "{path}");
}

#[tokio::test]
async fn malformed_http_is_an_invalid_response() {
    let cases: &[(&str, &[u8])] = &[
        ("noise", b"SSH-2.0-OpenSSH_9.6\r\n\r\n"),
        ("status", b"HTTP/1.1 abc\r\n\r\n"),
        ("version", b"HTTP/7.3 200 OK\r\n\r\n"),
        ("name", b"HTTP/1.1 200 OK\r\nBad Name: x\r\n\r\n"),
        ("value", b"HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n"),
        ("length", b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n"),
        ("lengths", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"),
        ("cut head", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"),
        ("cut body", b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello"),
        ("chunk", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nhello\r\n"),
        ("chunk size", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nhello"),
        ("cut chunks", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"),
        ("nothing", b""),
        ("http/0.9", b"<html>hello</html>"),
    ];
    for (name, bytes) in cases {
        let bytes = bytes.to_vec();
        let site = Site::start(move |_| raw(bytes.clone())).await;
        let error = site.read("/").await.unwrap_err();
        assert_eq!(error.label(), "source_invalid_response", "{name}: {error:?}");
    }
}

#[tokio::test]
async fn header_floods_are_refused() {
    let many = "X-Flood: y\r\n".repeat(5000);
    let site = Site::start(move |seen| match seen.path.as_str() {
        "/many" => raw(format!("HTTP/1.1 200 OK\r\n{many}\r\nbody")),
        "/large" => raw(format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\nbody", "x".repeat(4 * 1024 * 1024))),
        "/endless" => {
            vec![
                ResponseStep::Send(b"HTTP/1.1 200 OK\r\n".to_vec()),
                ResponseStep::Forever(b"X-Flood: y\r\n".to_vec()),
            ]
        }
        _ => vec![
            ResponseStep::Send(b"HTTP/1.1 200 OK\r\nX: ".to_vec()),
            ResponseStep::Forever(vec![b'x'; 4096]),
        ],
    })
    .await;
    for path in ["/many", "/large", "/endless", "/one-endless"] {
        let error = site.read(path).await.unwrap_err();
        assert_eq!(error.label(), "source_invalid_response", "{path}: {error:?}");
    }
}

#[tokio::test]
async fn up_to_128_response_headers_are_accepted() {
    let site = Site::start(|seen| {
        let count: usize = seen.path[1..].parse().unwrap();
        raw(format!("HTTP/1.1 200 OK\r\n{}\r\nbody", "X-Some: y\r\n".repeat(count)))
    })
    .await;
    assert_eq!(site.read("/120").await.unwrap().body, "body");
    assert_eq!(site.read("/129").await.unwrap_err().label(), "source_invalid_response");
}

#[tokio::test]
async fn oversized_headers_and_trailers_are_refused() {
    let site = Site::start(|seen| match seen.path.as_str() {
        "/early" => vec![ResponseStep::Forever(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n".to_vec())],
        "/trailers" => vec![
            ResponseStep::Send(
                b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n".to_vec(),
            ),
            ResponseStep::Forever(b"X-Trailer: y\r\n".to_vec()),
        ],
        _ => vec![
            ResponseStep::Send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;".to_vec()),
            ResponseStep::Forever(vec![b'x'; 4096]),
        ],
    })
    .await;
    let error = read_until(SHORT, &site, "/early").await;
    assert!(matches!(error, Error::Timeout { answered: false, .. }), "{error:?}");
    for path in ["/trailers", "/extensions"] {
        let error = site.read(path).await.unwrap_err();
        assert_eq!(error.label(), "source_invalid_response", "{path}: {error:?}");
    }
}

#[tokio::test]
async fn slow_responses_end_at_the_total_deadline() {
    let pace = Duration::from_millis(5);
    let site = Site::start(move |seen| match seen.path.as_str() {
        "/head" => {
            vec![ResponseStep::Drip(
                [b"HTTP/1.1 200 OK\r\n".to_vec(), b"X: y\r\n".repeat(100)].concat(),
                pace,
            )]
        }
        "/body" => vec![
            ResponseStep::Send(b"HTTP/1.1 200 OK\r\n\r\n".to_vec()),
            ResponseStep::Drip(b"x".repeat(100_000), pace),
        ],
        _ => vec![
            ResponseStep::Send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec()),
            ResponseStep::Drip(b"1\r\nx\r\n".repeat(20_000), pace),
        ],
    })
    .await;
    for case in [("/head", false), ("/body", true), ("/chunks", true)] {
        assert_times_out_at_deadline(&site, case).await;
    }
}

#[tokio::test]
async fn unresponsive_server_times_out_exactly_at_the_deadline() {
    let site = Site::start(|seen| match seen.path.as_str() {
        "/silent" => vec![ResponseStep::Stall],
        _ => vec![
            ResponseStep::Send(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf".to_vec()),
            ResponseStep::Stall,
        ],
    })
    .await;
    for case in [("/silent", false), ("/half", true)] {
        assert_times_out_at_deadline(&site, case).await;
    }
}

#[tokio::test]
async fn resets_before_and_during_the_response_have_different_errors() {
    let site = Site::start(|seen| match seen.path.as_str() {
        "/at-once" => vec![ResponseStep::Reset],
        _ => vec![
            ResponseStep::Send(b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\nhello".to_vec()),
            ResponseStep::Reset,
        ],
    })
    .await;
    let error = site.read("/at-once").await.unwrap_err();
    assert_eq!((error.label(), error.source_answered()), ("source_unreachable", false), "{error:?}");
    let error = site.read("/mid-body").await.unwrap_err();
    assert_eq!((error.label(), error.source_answered()), ("source_invalid_response", true), "{error:?}");
}

#[tokio::test]
async fn closed_port_is_unreachable() {
    // The socket keeps its port from other servers and does not listen.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = socket.local_addr().unwrap();
    let settings = FetcherSettings {
        allow: vec![address.to_string().parse().unwrap()],
        robots: RobotsRule::Ignore,
        ..FetcherSettings::default()
    };
    let request = Request::page(format!("http://{address}/"));
    let error = Fetcher::new(settings).unwrap().fetch(&request).await.unwrap_err();
    assert_eq!(error, Error::Unreachable { reason: "no connection" });
}

#[tokio::test]
async fn open_and_closed_internal_ports_are_indistinguishable() {
    let canary = Site::canary().await;
    let closed = Site::canary().await;
    let closed_url = closed.url("/");
    drop(closed);
    let fetcher = Fetcher::new(FetcherSettings::default()).unwrap();
    let open = fetcher.fetch(&Request::page(canary.url("/"))).await.unwrap_err();
    let shut = fetcher.fetch(&Request::page(closed_url)).await.unwrap_err();
    assert_eq!(open, shut);
    assert_eq!(open.label(), "url_not_allowed");
    assert_eq!(canary.hits(), 0);
}

#[tokio::test]
async fn body_of_a_page_is_received() {
    let site = Site::start(|_| html("<p>hello")).await;
    let fetched = site.read("/page").await.unwrap();
    assert_eq!((fetched.status, fetched.body.as_ref()), (200, b"<p>hello".as_slice()));
    assert_eq!(fetched.url.as_str(), site.url("/page"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn proxy_in_the_environment_is_ignored() {
    let canary = Site::canary().await;
    let proxy = canary.url("");
    // The environment of a running process cannot be changed safely, so a child process reads the page.
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "tests::wire::body_of_a_page_is_received"]);
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        child.env(name, &proxy);
    }
    child.env_remove("NO_PROXY").env_remove("no_proxy").env_remove("REQUEST_METHOD");
    let output = tokio::task::spawn_blocking(move || child.output().unwrap()).await.unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    assert_eq!(canary.hits(), 0);
}

#[tokio::test]
async fn connection_is_reused_for_the_next_page() {
    let site = Site::start(|_| html("x")).await;
    let fetcher = site.fetcher();
    for path in ["/1", "/2", "/3"] {
        fetcher.fetch(&Request::page(site.url(path))).await.unwrap();
    }
    assert_eq!((site.hits(), site.paths().len()), (1, 3));
}
