//! Requests through proxies: the requests that a proxy receives, targets that are refused before the proxy is
//! contacted, and failures of the proxy, which are not followed by a direct request.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::names::NameTable;
use super::site::{Site, html, redirect_to, reply};
use crate::resolve::Lookup;
use crate::{Error, Fetched, Fetcher, FetcherSettings, Request, RobotsRule};

const PUBLIC: &str = "93.184.216.34";

/// Fetcher with the proxy `north` at this address and this table of names.
fn fetcher(proxy: &str, settings: FetcherSettings) -> Fetcher {
    let lookup: Arc<dyn Lookup> = NameTable::new(&[
        ("a.example.com", &[&[PUBLIC]]),
        ("inside.example.com", &[&["127.0.0.1"]]),
        ("mixed.example.com", &[&[PUBLIC, "10.0.0.1"]]),
        ("proxy.internal", &[&["127.0.0.1"]]),
    ]);
    let settings = FetcherSettings { proxies: format!("north={proxy}").parse().unwrap(), ..settings };
    Fetcher::with_lookup(settings, &lookup).unwrap()
}

fn closed() -> FetcherSettings {
    FetcherSettings { robots: RobotsRule::Ignore, ..FetcherSettings::default() }
}

async fn read(fetcher: &Fetcher, url: &str) -> Result<Fetched, Error> {
    let request = Request { proxy: Some("north".to_owned()), ..Request::page(url) };
    fetcher.fetch(&request).await
}

#[tokio::test]
async fn page_and_robots_txt_are_requested_from_the_proxy_with_its_password() {
    let proxy = Site::start(|seen| match seen.path.as_str() {
        "http://a.example.com/robots.txt" => reply("404 Not Found", &[], b""),
        _ => html("by the proxy"),
    })
    .await;
    // The proxy has a private address and a local name.
    let address = format!("http://me:hidden@proxy.internal:{}", proxy.port());
    let fetcher = fetcher(&address, FetcherSettings::default());
    assert_eq!(read(&fetcher, "http://a.example.com/page").await.unwrap().body, "by the proxy");
    assert_eq!(proxy.paths(), ["http://a.example.com/robots.txt", "http://a.example.com/page"]);
    for head in proxy.heads() {
        let head = head.to_ascii_lowercase();
        assert!(head.contains("proxy-authorization: basic bwu6aglkzgvu"), "{head}");
    }
}

#[tokio::test]
async fn private_target_is_refused_before_the_proxy_is_contacted() {
    let proxy = Site::canary().await;
    let fetcher = fetcher(&proxy.url(""), closed());
    for host in ["127.0.0.1", "[::1]", "10.0.0.1", "localhost", "inside.example.com", "mixed.example.com"] {
        for scheme in ["http", "https"] {
            let error = read(&fetcher, &format!("{scheme}://{host}/")).await.unwrap_err();
            assert!(matches!(error, Error::NotAllowed { .. }), "{host}: {error:?}");
        }
    }
    assert_eq!(proxy.hits(), 0);
}

#[tokio::test]
async fn redirect_by_the_proxy_to_a_private_target_is_refused() {
    let proxy = Site::start(|_| redirect_to("http://inside.example.com/")).await;
    let error = read(&fetcher(&proxy.url(""), closed()), "http://a.example.com/").await.unwrap_err();
    assert!(matches!(error, Error::NotAllowed { .. }), "{error:?}");
    assert_eq!(proxy.paths(), ["http://a.example.com/"]);
}

#[tokio::test]
async fn failing_proxy_is_an_error_without_a_direct_request() {
    let site = Site::canary().await;
    let closed_port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    for proxy in [
        format!("http://127.0.0.1:{closed_port}"),
        format!("socks5://127.0.0.1:{closed_port}"),
        "http://nowhere.example.com".to_owned(),
    ] {
        let error = read(&fetcher(&proxy, site.settings()), &site.url("/")).await.unwrap_err();
        assert!(matches!(&error, Error::Proxy { name, .. } if name == "north"), "{proxy}: {error:?}");
        assert_eq!((error.label(), error.source_answered()), ("proxy_failed", false));
    }
    assert_eq!(site.hits(), 0);
}

#[tokio::test]
async fn proxy_that_refuses_the_login_or_the_tunnel_is_an_error() {
    let proxy = Site::start(|seen| match seen.head.split(' ').next() {
        Some("CONNECT") => reply("403 Forbidden", &[], b""),
        _ => reply("407 Proxy Authentication Required", &[], b""),
    })
    .await;
    let fetcher = fetcher(&proxy.url(""), closed());
    for url in ["http://a.example.com/", "https://a.example.com/"] {
        let error = read(&fetcher, url).await.unwrap_err();
        assert!(matches!(error, Error::Proxy { .. }), "{url}: {error:?}");
    }
    assert_eq!(proxy.paths(), ["http://a.example.com/", "a.example.com:443"]);
}

#[tokio::test]
async fn unknown_proxy_is_an_error_without_any_request() {
    let (site, proxy) = (Site::canary().await, Site::canary().await);
    let fetcher = fetcher(&proxy.url(""), site.settings());
    let request = Request { proxy: Some("south".to_owned()), ..Request::page(site.url("/")) };
    let error = fetcher.fetch(&request).await.unwrap_err();
    assert_eq!(error, Error::UnknownProxy { name: "south".to_owned() });
    assert_eq!((site.hits(), proxy.hits()), (0, 0));
}

#[tokio::test]
async fn request_without_a_proxy_is_sent_directly() {
    let (site, proxy) = (Site::start(|_| html("direct")).await, Site::canary().await);
    let fetcher = fetcher(&proxy.url(""), site.settings());
    assert_eq!(fetcher.fetch(&Request::page(site.url("/"))).await.unwrap().body, "direct");
    assert_eq!(proxy.hits(), 0);
}

/// Starts a SOCKS proxy that responds instead of the target. Returns its address and the requested addresses.
async fn socks_proxy() -> (SocketAddr, Arc<Mutex<Vec<Vec<u8>>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let targets: Arc<Mutex<Vec<Vec<u8>>>> = Arc::default();
    let log = Arc::clone(&targets);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve_socks(stream, Arc::clone(&log)));
        }
    });
    (address, targets)
}

async fn serve_socks(mut stream: TcpStream, targets: Arc<Mutex<Vec<Vec<u8>>>>) -> std::io::Result<()> {
    let mut greeting = [0; 2];
    stream.read_exact(&mut greeting).await?;
    let mut methods = vec![0; usize::from(greeting[1])];
    stream.read_exact(&mut methods).await?;
    stream.write_all(&[5, 0]).await?;
    // Version, command, reserved, address type; then an IPv4 address and a port.
    let mut target = vec![0; 10];
    stream.read_exact(&mut target).await?;
    targets.lock().unwrap().push(target);
    stream.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).await?;
    let mut head = [0; 4096];
    assert_ne!(stream.read(&mut head).await?, 0);
    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nsocks").await?;
    stream.shutdown().await
}

#[tokio::test]
async fn socks_proxy_gets_the_checked_address_instead_of_the_name() {
    let (address, targets) = socks_proxy().await;
    let fetcher = fetcher(&format!("socks5://{address}"), closed());
    assert_eq!(read(&fetcher, "http://a.example.com/").await.unwrap().body, "socks");
    assert_eq!(*targets.lock().unwrap(), [[5, 1, 0, 1, 93, 184, 216, 34, 0, 80]]);
    for host in ["inside.example.com", "127.0.0.1"] {
        let error = read(&fetcher, &format!("http://{host}/")).await.unwrap_err();
        assert!(matches!(error, Error::NotAllowed { .. }), "{host}: {error:?}");
    }
    assert_eq!(targets.lock().unwrap().len(), 1);
}
