//! Size caps and content codings: bombs, endless bodies, and stacked or broken codings.

use std::io::Write;
use std::pin::pin;
use std::time::Duration;

use futures_util::poll;
use permits::Pace;
use tokio::time::Instant;

use super::site::{ResponseStep, Site, raw, reply};
use crate::body_memory::{BodyShare, LargeBodyMemory};
use crate::decode::brotli_window_mib;
use crate::response::{self, Overflow};
use crate::{Error, Fetcher, FetcherSettings, Request};

const CAP: usize = 1024 * 1024;

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

fn zlib(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

fn brotli(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    {
        let mut encoder = brotli::CompressorWriter::new(&mut out, 4096, 5, 22);
        encoder.write_all(data).unwrap();
    }
    out
}

fn zstd(data: &[u8]) -> Vec<u8> {
    zstd::encode_all(data, 3).unwrap()
}

fn encode(coding: &str, data: &[u8]) -> Vec<u8> {
    match coding {
        "gzip" => gzip(data),
        "deflate" => zlib(data),
        "br" => brotli(data),
        "zstd" => zstd(data),
        other => panic!("unknown content coding {other}"),
    }
}

/// Site whose pages have the content coding that their path names, such as `/gzip`.
async fn encoded_site(data: Vec<u8>) -> Site {
    Site::start(move |seen| {
        let coding = &seen.path[1..];
        reply(
            "200 OK",
            &["Content-Type: text/html", &format!("Content-Encoding: {coding}")],
            &encode(coding, &data),
        )
    })
    .await
}

fn fetcher_with_cap(site: &Site) -> Fetcher {
    let (feed_cap_bytes, other_cap_bytes) = (3 * CAP, 2 * CAP);
    Fetcher::new(FetcherSettings { page_cap_bytes: CAP, feed_cap_bytes, other_cap_bytes, ..site.settings() })
        .unwrap()
}

async fn read_capped(site: &Site, path: &str) -> Result<usize, Error> {
    fetcher_with_cap(site).fetch(&Request::page(site.url(path))).await.map(|fetched| fetched.body.len())
}

#[tokio::test]
async fn all_four_codings_are_decoded() {
    let text = "Ein Satz mit \u{fc} und Wiederholung. ".repeat(100).into_bytes();
    let site = encoded_site(text.clone()).await;
    for coding in ["gzip", "deflate", "br", "zstd"] {
        assert_eq!(site.read(&format!("/{coding}")).await.unwrap().body, text, "{coding}");
    }
}

#[tokio::test]
async fn nonstandard_codings_are_decoded() {
    let text = b"Satz. ".repeat(50);
    let raw_deflate = {
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(&text).unwrap();
        encoder.finish().unwrap()
    };
    let members = [gzip(&text[..100]), gzip(&text[100..])].concat();
    let whole = gzip(&text);
    let padded = [&members[..], b"\r\n\0"].concat();
    let site = Site::start(move |seen| {
        let (coding, body) = match seen.path.as_str() {
            "/raw-deflate" => ("deflate", &raw_deflate),
            "/members" => ("gzip", &members),
            "/padded" => ("gzip", &padded),
            "/x-gzip" => ("x-gzip", &whole),
            "/identity" => ("identity, gzip", &whole),
            _ => ("GZIP", &whole),
        };
        reply("200 OK", &[&format!("Content-Encoding: {coding}")], body)
    })
    .await;
    for path in ["/raw-deflate", "/members", "/padded", "/x-gzip", "/identity", "/upper"] {
        assert_eq!(site.read(path).await.unwrap().body, text, "{path}");
    }
}

#[tokio::test]
async fn zstd_frame_with_huge_window_is_refused() {
    let frame = |window_log: u32| {
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
        encoder.window_log(window_log).unwrap();
        encoder.write_all(b"small text").unwrap();
        encoder.finish().unwrap()
    };
    let (allowed, huge) = (frame(23), frame(27));
    let site = Site::start(move |seen| {
        let frame = if seen.path == "/huge" { &huge } else { &allowed };
        reply("200 OK", &["Content-Encoding: zstd"], frame)
    })
    .await;
    assert_eq!(site.read("/allowed").await.unwrap().body, "small text");
    assert_eq!(site.read("/huge").await.unwrap_err().label(), "source_invalid_response");
}

#[tokio::test]
async fn feed_has_its_own_size_cap() {
    for (size, result) in
        [(3 * CAP, Ok(3 * CAP)), (3 * CAP + 1, Err(Error::TooLarge { limit_bytes: 3 * CAP }))]
    {
        let site = encoded_site(vec![b' '; size]).await;
        let fetched = fetcher_with_cap(&site).fetch(&Request::feed(site.url("/gzip"))).await;
        assert_eq!(fetched.map(|fetched| fetched.body.len()), result);
    }
}

#[tokio::test]
async fn decompression_bomb_is_stopped_at_the_cap() {
    let site = encoded_site(vec![0; 64 * CAP]).await;
    for coding in ["gzip", "deflate", "br", "zstd"] {
        let error = read_capped(&site, &format!("/{coding}")).await.unwrap_err();
        assert_eq!(error, Error::TooLarge { limit_bytes: CAP }, "{coding}");
        assert_eq!((error.label(), error.source_answered()), ("content_too_large", true));
    }
}

#[tokio::test]
async fn endless_compressed_members_are_stopped_at_the_cap() {
    for coding in ["gzip", "zstd"] {
        let member = encode(coding, &vec![0; 64 * 1024]);
        let head = format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\n\r\n");
        let site = Site::start(move |_| {
            vec![ResponseStep::Send(head.clone().into_bytes()), ResponseStep::Forever(member.clone())]
        })
        .await;
        assert_eq!(read_capped(&site, "/").await, Err(Error::TooLarge { limit_bytes: CAP }), "{coding}");
    }
}

#[tokio::test]
async fn endless_empty_gzip_members_are_stopped_at_the_deadline() {
    let member = gzip(b"");
    let site = Site::start(move |_| {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";
        vec![ResponseStep::Send(head.into()), ResponseStep::Forever(member.clone())]
    })
    .await;
    let request = Request::page(site.url("/"));
    let error = error_at_deadline(&fetcher_with_cap(&site), &request, |error| {
        matches!(error, Error::Timeout { answered: true, .. })
    })
    .await;
    assert!(matches!(error, Error::Timeout { answered: true, .. }), "{error:?}");
}

#[tokio::test]
async fn stacked_or_unknown_codings_are_refused() {
    let twice = gzip(&gzip(b"page"));
    let site = Site::start(move |seen| {
        let header = match seen.path.as_str() {
            "/stacked" => "Content-Encoding: gzip, gzip",
            "/mixed" => "Content-Encoding: br, gzip",
            "/unknown" => "Content-Encoding: dcb",
            "/compress" => "Content-Encoding: compress",
            _ => "Transfer-Encoding: gzip, chunked",
        };
        if header.starts_with("Transfer") {
            return raw(
                [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n".as_slice()].concat()
            );
        }
        reply("200 OK", &[header], &twice)
    })
    .await;
    for path in ["/stacked", "/mixed", "/unknown", "/compress", "/transfer"] {
        let error = site.read(path).await.unwrap_err();
        assert_eq!(error.label(), "source_invalid_response", "{path}: {error:?}");
    }
}

#[tokio::test]
async fn content_encoding_that_means_no_coding_is_ignored() {
    let site =
        Site::start(|seen| reply("200 OK", &[&format!("Content-Encoding: {}", &seen.path[1..])], b"page"))
            .await;
    for word in ["identity", "none", "UTF-8"] {
        assert_eq!(site.read(&format!("/{word}")).await.unwrap().body, "page", "{word}");
    }
}

#[tokio::test]
async fn corrupt_or_truncated_coding_is_an_invalid_response() {
    let whole = gzip(&b"text ".repeat(10_000));
    let site = Site::start(move |seen| {
        let body = match seen.path.as_str() {
            "/noise" => b"this is not gzip".to_vec(),
            _ => whole[..whole.len() / 2].to_vec(),
        };
        reply("200 OK", &["Content-Encoding: gzip"], &body)
    })
    .await;
    for path in ["/noise", "/cut"] {
        let error = site.read(path).await.unwrap_err();
        assert_eq!(error, Error::InvalidResponse { reason: "its compression is broken" }, "{path}");
    }
}

#[tokio::test]
async fn content_length_over_the_cap_is_refused_before_the_body() {
    let site = Site::start(|_| {
        vec![
            ResponseStep::Send(b"HTTP/1.1 200 OK\r\nContent-Length: 107374182400\r\n\r\n".to_vec()),
            ResponseStep::Stall,
        ]
    })
    .await;
    assert_eq!(read_capped(&site, "/").await, Err(Error::TooLarge { limit_bytes: CAP }));
}

#[tokio::test]
async fn endless_bodies_are_stopped_at_the_cap() {
    let site = Site::start(|seen| match seen.path.as_str() {
        "/plain" => vec![
            ResponseStep::Send(b"HTTP/1.1 200 OK\r\n\r\n".to_vec()),
            ResponseStep::Forever(vec![b'x'; 16_384]),
        ],
        _ => vec![
            ResponseStep::Send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec()),
            ResponseStep::Forever([b"4000\r\n".as_slice(), &[b'x'; 16_384], b"\r\n"].concat()),
        ],
    })
    .await;
    for path in ["/plain", "/chunked"] {
        assert_eq!(read_capped(&site, path).await, Err(Error::TooLarge { limit_bytes: CAP }), "{path}");
    }
}

#[tokio::test]
async fn body_of_cap_size_passes_and_one_byte_more_is_refused() {
    let site = Site::start(|seen| {
        let length: usize = seen.path[1..].parse().unwrap();
        raw([b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".to_vec(), vec![b'x'; length]].concat())
    })
    .await;
    assert_eq!(read_capped(&site, &format!("/{CAP}")).await, Ok(CAP));
    let over = read_capped(&site, &format!("/{}", CAP + 1)).await;
    assert_eq!(over, Err(Error::TooLarge { limit_bytes: CAP }));
}

#[tokio::test]
async fn documents_have_a_larger_cap_than_texts() {
    let site = Site::start(|seen| {
        reply("200 OK", &[&format!("Content-Type: {}", &seen.path[1..])], &vec![b'x'; CAP + 1])
    })
    .await;
    for kind in ["application/pdf", "application/octet-stream"] {
        assert_eq!(read_capped(&site, &format!("/{kind}")).await, Ok(CAP + 1), "{kind}");
    }
    for kind in ["text/plain", "application/xhtml+xml", "application/json", "text/markdown"] {
        assert!(read_capped(&site, &format!("/{kind}")).await.is_err(), "{kind}");
    }
}

#[tokio::test]
async fn only_large_bodies_wait_for_a_permit() {
    let site = Site::start(|seen| {
        let length = if seen.path == "/large" { CAP } else { 1000 };
        reply("200 OK", &["Content-Type: text/html"], &vec![b'x'; length])
    })
    .await;
    let settings =
        FetcherSettings { large_bodies: 1, max_wait: Duration::from_millis(50), ..site.settings() };
    let fetcher = Fetcher::new(settings).unwrap();
    let large = Request::page(site.url("/large"));
    let first_page = fetcher.fetch(&large).await.unwrap();
    assert!(first_page.body_permit.is_some());
    assert!(matches!(fetcher.fetch(&large).await, Err(Error::Busy { .. })));
    let small = fetcher.fetch(&Request::page(site.url("/small"))).await.unwrap();
    assert!(small.body_permit.is_none());
    drop(first_page);
    assert_eq!(fetcher.fetch(&large).await.unwrap().body.len(), CAP);
}

#[tokio::test]
async fn released_body_gives_its_permit_to_the_next_body() {
    let site = Site::start(|_| reply("200 OK", &["Content-Type: text/html"], &vec![b'x'; CAP])).await;
    let settings =
        FetcherSettings { large_bodies: 1, max_wait: Duration::from_millis(50), ..site.settings() };
    let fetcher = Fetcher::new(settings).unwrap();
    let large = Request::page(site.url("/large"));
    let mut first_page = fetcher.fetch(&large).await.unwrap();
    first_page.release_body();
    assert!(first_page.body.is_empty());
    assert_eq!(fetcher.fetch(&large).await.unwrap().body.len(), CAP);
}

#[tokio::test]
async fn body_of_declared_length_is_not_read_before_its_permit() {
    let site = Site::start(|seen| match seen.path.as_str() {
        "/large" => reply("200 OK", &["Content-Type: text/html"], &vec![b'x'; CAP]),
        _ => vec![
            ResponseStep::Send(format!("HTTP/1.1 200 OK\r\nContent-Length: {CAP}\r\n\r\n").into_bytes()),
            ResponseStep::Stall,
        ],
    })
    .await;
    let settings =
        FetcherSettings { large_bodies: 1, max_wait: Duration::from_millis(50), ..site.settings() };
    let fetcher = Fetcher::new(settings).unwrap();
    let _first = fetcher.fetch(&Request::page(site.url("/large"))).await.unwrap();
    let stalled = Request { deadline: Duration::from_mins(1), ..Request::page(site.url("/stalled")) };
    // Without a permit before the first byte, the fetch would wait for bytes until its deadline.
    assert!(matches!(fetcher.fetch(&stalled).await, Err(Error::Busy { .. })));
}

/// Fetches with longer and longer deadlines until `is_expected` accepts the error, because a busy machine may receive
/// no head before a short deadline. Returns the last error.
async fn error_at_deadline(
    fetcher: &Fetcher,
    request: &Request,
    is_expected: impl Fn(&Error) -> bool,
) -> Error {
    let read = async |deadline_ms| {
        let deadline = Duration::from_millis(deadline_ms);
        fetcher.fetch(&Request { deadline, ..request.clone() }).await.unwrap_err()
    };
    for deadline_ms in [500, 5_000] {
        let error = read(deadline_ms).await;
        if is_expected(&error) {
            return error;
        }
    }
    read(20_000).await
}

/// Share of a request that finishes long after the maximum wait.
fn share_of<'a>(memory: &'a LargeBodyMemory, pace: Pace, caller: &'a str) -> BodyShare<'a> {
    BodyShare { memory, pace, caller, deadline: Instant::now() + Duration::from_hours(1) }
}

#[tokio::test]
async fn body_waiting_for_memory_until_its_deadline_fails_as_busy() {
    let site = Site::start(|_| reply("200 OK", &["Content-Type: text/html"], &vec![b'x'; CAP])).await;
    let fetcher = Fetcher::new(FetcherSettings { large_bodies: 1, ..site.settings() }).unwrap();
    let large = Request::page(site.url("/large"));
    let _first = fetcher.fetch(&large).await.unwrap();
    // The site answered in time, so it is not blamed.
    let error = error_at_deadline(&fetcher, &large, |error| matches!(error, Error::Busy { .. })).await;
    assert!(matches!(error, Error::Busy { .. }), "{error:?}");
}

#[tokio::test(start_paused = true)]
async fn body_waiting_for_its_decompression_window_does_not_take_a_permit() {
    let memory = LargeBodyMemory::new(&FetcherSettings { large_bodies: 1, ..FetcherSettings::default() });
    let share = share_of(&memory, Pace::Interactive, "a");
    let all_windows = share.window(256).await.unwrap();
    let large = http::Response::builder().header("content-encoding", "zstd").body(vec![0_u8; CAP]).unwrap();
    let mut waiting = pin!(response::body(large.into(), CAP, Overflow::Refuse, share));
    assert!(poll!(&mut waiting).is_pending());
    assert!(share.acquire().await.is_ok());
    drop(all_windows);
}

#[tokio::test(start_paused = true)]
async fn one_caller_cannot_take_all_memory_for_large_bodies() {
    let memory = LargeBodyMemory::new(&FetcherSettings { large_bodies: 3, ..FetcherSettings::default() });
    let share = |caller, pace| share_of(&memory, pace, caller);
    let first = share("busy", Pace::Interactive).acquire().await.unwrap();
    let second = share("busy", Pace::Interactive).acquire().await.unwrap();
    assert!(matches!(share("busy", Pace::Interactive).acquire().await, Err(Error::Busy { .. })));
    assert!(matches!(share("feeds", Pace::Background).acquire().await, Err(Error::Busy { .. })));
    let other = share("other", Pace::Interactive).acquire().await.unwrap();
    drop((first, other));
    let third = share("busy", Pace::Interactive).acquire().await;
    assert!(third.is_ok(), "a dropped body makes room for the next body");
    drop(second);
}

#[test]
fn brotli_window_size_is_read_from_the_first_byte() {
    for (quality, bits) in [(5, 10), (5, 16), (5, 17), (5, 18), (5, 20), (5, 21), (5, 22), (5, 23), (11, 24)]
    {
        let mut out = Vec::new();
        let mut encoder = brotli::CompressorWriter::new(&mut out, 4096, quality, bits);
        encoder.write_all(&b"a sentence ".repeat(9)).unwrap();
        drop(encoder);
        let mib = if bits > 20 { 1 << (bits - 20) } else { 0 };
        assert_eq!(brotli_window_mib(out.first().copied()).unwrap(), mib, "{bits}");
    }
    assert!(brotli_window_mib(Some(0b001_0001)).is_err(), "the window exceeds the format's maximum");
    assert_eq!(brotli_window_mib(None).unwrap(), 0);
}

#[tokio::test(start_paused = true)]
async fn decompression_window_memory_is_bounded() {
    let memory = LargeBodyMemory::new(&FetcherSettings::default());
    let share = share_of(&memory, Pace::Interactive, "a");
    let mut windows = Vec::new();
    while let Ok(Some(window)) = share.window(16).await {
        windows.push(window);
    }
    assert_eq!(windows.len(), 16);
    assert!(share.window(0).await.is_ok_and(|window| window.is_none()), "small windows need no permit");
    windows.pop();
    assert!(share.window(4).await.is_ok());
}
