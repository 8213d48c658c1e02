//! Fetching, caching, and obeying robots.txt.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::site::{ResponseStep, Site, html, raw, redirect_to, reply};
use crate::{Error, Fetcher, FetcherSettings, Request, RobotsRule};

/// Site with this robots.txt and the same page at all other paths.
async fn site(robots: impl Fn() -> Vec<ResponseStep> + Send + Sync + 'static) -> Site {
    Site::start(move |seen| if seen.path == "/robots.txt" { robots() } else { html("page") }).await
}

fn obeying_fetcher(site: &Site) -> Fetcher {
    Fetcher::new(FetcherSettings { robots: RobotsRule::Obey, ..site.settings() }).unwrap()
}

async fn read(fetcher: &Fetcher, site: &Site, path: &str) -> Result<u16, Error> {
    fetcher.fetch(&Request::page(site.url(path))).await.map(|fetched| fetched.status)
}

#[tokio::test]
async fn robots_txt_is_cached_and_obeyed() {
    let site = site(|| reply("200 OK", &[], b"User-agent: CarrelBot\nDisallow: /private\n")).await;
    let fetcher = obeying_fetcher(&site);
    assert_eq!(read(&fetcher, &site, "/a").await, Ok(200));
    assert_eq!(read(&fetcher, &site, "/private/b").await, Err(Error::RobotsDisallowed));
    assert_eq!(read(&fetcher, &site, "/c").await, Ok(200));
    assert_eq!(read(&fetcher, &site, "/robots.txt").await, Ok(200));
    assert_eq!(site.paths(), ["/robots.txt", "/a", "/c", "/robots.txt"]);
    assert!(!Error::RobotsDisallowed.source_answered());
}

#[tokio::test]
async fn robots_txt_is_skipped_for_feeds_and_by_setting() {
    let site = site(|| reply("200 OK", &[], b"User-agent: *\nDisallow: /\n")).await;
    assert!(obeying_fetcher(&site).fetch(&Request::feed(site.url("/feed"))).await.is_ok());
    assert_eq!(read(&site.fetcher(), &site, "/page").await, Ok(200));
    assert_eq!(site.paths(), ["/feed", "/page"]);
}

#[tokio::test]
async fn missing_robots_txt_allows_everything() {
    for status in ["400 Bad", "401 No", "403 No", "404 Not Found", "410 Gone", "451 No"] {
        let site = site(move || reply(status, &[], b"User-agent: *\nDisallow: /\n")).await;
        assert_eq!(read(&obeying_fetcher(&site), &site, "/x").await, Ok(200), "{status}");
    }
}

#[tokio::test]
async fn unavailable_robots_txt_refuses_temporarily_and_is_cached() {
    for status in ["500 Oops", "503 Later"] {
        let site = site(move || reply(status, &[], b"")).await;
        let fetcher = obeying_fetcher(&site);
        for _ in 0..3 {
            let error = read(&fetcher, &site, "/x").await.unwrap_err();
            assert_eq!(error.label(), "source_error", "{status}");
        }
        assert_eq!(site.paths(), ["/robots.txt"], "{status}");
    }
    let broken = site(|| raw("nonsense\r\n\r\n")).await;
    assert_eq!(
        read(&obeying_fetcher(&broken), &broken, "/x").await.unwrap_err().label(),
        "source_invalid_response"
    );
    let limited = site(|| reply("429 Slow", &["Retry-After: 30"], b"")).await;
    let error = read(&obeying_fetcher(&limited), &limited, "/x").await.unwrap_err();
    assert_eq!((error.label(), error.retry_after()), ("source_rate_limited", Some(Duration::from_secs(30))));
    let unlimited = site(|| reply("429 Slow", &[], b"")).await;
    let fetcher = obeying_fetcher(&unlimited);
    for _ in 0..2 {
        assert_eq!(read(&fetcher, &unlimited, "/x").await.unwrap_err().label(), "source_rate_limited");
    }
    assert_eq!(unlimited.paths(), ["/robots.txt"]);
}

#[tokio::test]
async fn robots_txt_with_five_redirects_is_fetched_and_with_six_counts_as_missing() {
    async fn chain(length: usize) -> Site {
        Site::start(move |seen| match seen.path.strip_prefix("/r") {
            Some("obots.txt") => redirect_to(&format!("/r{}", length - 1)),
            Some("0") => reply("200 OK", &[], b"User-agent: *\nDisallow: /\n"),
            Some(left) => redirect_to(&format!("/r{}", left.parse::<usize>().unwrap() - 1)),
            None => html("page"),
        })
        .await
    }
    let five = chain(5).await;
    assert_eq!(read(&obeying_fetcher(&five), &five, "/x").await, Err(Error::RobotsDisallowed));
    let six = chain(6).await;
    assert_eq!(read(&obeying_fetcher(&six), &six, "/x").await, Ok(200));
}

#[tokio::test]
async fn robots_txt_redirect_to_private_address_counts_as_missing() {
    let canary = Site::canary().await;
    let target = canary.url("/robots.txt");
    let site = site(move || redirect_to(&target)).await;
    assert_eq!(read(&obeying_fetcher(&site), &site, "/x").await, Ok(200));
    assert_eq!(canary.hits(), 0);
}

#[tokio::test]
async fn each_hop_checks_robots_txt_of_its_origin() {
    let closed = site(|| reply("200 OK", &[], b"User-agent: *\nDisallow: /\n")).await;
    let target = closed.url("/page");
    let open = Site::start(move |seen| match seen.path.as_str() {
        "/robots.txt" => reply("404 Not Found", &[], b""),
        _ => redirect_to(&target),
    })
    .await;
    let allow = [open.settings().allow, closed.settings().allow].concat();
    let settings = FetcherSettings { allow, robots: RobotsRule::Obey, ..open.settings() };
    let fetcher = Fetcher::new(settings).unwrap();
    assert_eq!(read(&fetcher, &open, "/go").await, Err(Error::RobotsDisallowed));
    assert_eq!(closed.paths(), ["/robots.txt"]);
}

#[tokio::test]
async fn endless_robots_txt_is_truncated_and_slow_robots_txt_times_out() {
    let endless = site(|| {
        let head = b"HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /private\n";
        vec![
            ResponseStep::Send(head.to_vec()),
            ResponseStep::Forever(b"# more and more and more\n".repeat(100)),
        ]
    })
    .await;
    let fetcher = obeying_fetcher(&endless);
    assert_eq!(read(&fetcher, &endless, "/x").await, Ok(200));
    assert_eq!(read(&fetcher, &endless, "/private").await, Err(Error::RobotsDisallowed));
    let dripping = site(|| {
        vec![
            ResponseStep::Send(b"HTTP/1.1 200 OK\r\n\r\n".to_vec()),
            ResponseStep::Drip(b"#".repeat(1000), Duration::from_millis(5)),
        ]
    })
    .await;
    let request = Request { deadline: Duration::from_millis(300), ..Request::page(dripping.url("/x")) };
    let error = obeying_fetcher(&dripping).fetch(&request).await.unwrap_err();
    assert_eq!(error.label(), "source_timeout");
}

#[tokio::test]
async fn concurrent_requests_share_one_robots_txt_download() {
    let downloads = AtomicUsize::new(0);
    let site = site(move || {
        downloads.fetch_add(1, Ordering::SeqCst);
        reply("200 OK", &[], b"")
    })
    .await;
    let fetcher = obeying_fetcher(&site);
    let reads = (0..8).map(|number| {
        let (fetcher, url) = (fetcher.clone(), site.url(&format!("/{number}")));
        tokio::spawn(async move { fetcher.fetch(&Request::page(url)).await.map(|fetched| fetched.status) })
    });
    for read in reads.collect::<Vec<_>>() {
        assert_eq!(read.await.unwrap(), Ok(200));
    }
    assert_eq!(site.paths().iter().filter(|path| *path == "/robots.txt").count(), 1);
}

#[tokio::test]
async fn large_hostile_robots_txt_is_matched_quickly_and_correctly() {
    let mut file = "User-agent: *\nDisallow: /private\n".to_owned();
    file.push_str(&"Allow: /*a*a*a*a*a*a*a*a*ab$\n".repeat(15_000));
    let site = site(move || reply("200 OK", &[], file.as_bytes())).await;
    let fetcher = obeying_fetcher(&site);
    assert_eq!(read(&fetcher, &site, &format!("/{}", "a".repeat(4000))).await, Ok(200));
    assert_eq!(read(&fetcher, &site, "/private").await, Err(Error::RobotsDisallowed));
}
