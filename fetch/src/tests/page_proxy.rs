//! The proxy of pages over real sockets: the secret, the guard, tunnels, limits, and forwarded messages.

use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::pem::PemObject;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use super::names::NameTable;
use super::site::{ResponseStep, Site, html, raw, redirect_to, reply};
use super::tls::{Authority, NAME, serve};
use crate::resolve::Lookup;
use crate::{AllowRule, Error, Fetcher, FetcherSettings, PageAccess, PageLimits, PageProxy, RobotsRule};

struct Fixture {
    proxy: PageProxy,
    access: PageAccess,
}

/// Proxy with one admitted page, which may connect to these ports of 127.0.0.1 under several names.
async fn fixture(ports: &[u16], limits: PageLimits) -> Fixture {
    let proxy = fetcher(ports).page_proxy().await.unwrap();
    let access = proxy.admit(limits).unwrap();
    Fixture { proxy, access }
}

fn fetcher(ports: &[u16]) -> Fetcher {
    let lookup: Arc<dyn Lookup> = NameTable::new(&[
        ("site.example.com", &[&["127.0.0.1"]]),
        (NAME, &[&["127.0.0.1"]]),
        ("flip.example.com", &[&["127.0.0.1"], &["127.0.0.2"]]),
        ("mixed.example.com", &[&["127.0.0.1", "10.0.0.1"]]),
        ("private.example.com", &[&["10.0.0.1"]]),
        ("localhost", &[&["127.0.0.1"]]),
        ("router", &[&["10.0.0.1"]]),
        ("metadata.example.com", &[&["169.254.169.254"]]),
    ]);
    let allow = |port: &u16| -> AllowRule { format!("127.0.0.1/32:{port}").parse().unwrap() };
    let settings = FetcherSettings {
        allow: ports.iter().map(allow).collect(),
        connect_timeout: Duration::from_secs(30),
        ..FetcherSettings::default()
    };
    Fetcher::with_lookup(settings, &lookup).unwrap()
}

impl Fixture {
    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.proxy.address()).await.unwrap()
    }

    fn credential(&self) -> String {
        let pair = format!("{}:{}", self.access.user(), self.access.secret());
        format!("Proxy-Authorization: Basic {}\r\n", data_encoding::BASE64.encode(pair.as_bytes()))
    }

    /// Sends a request with the page's secret. Returns all bytes received until the proxy closes the
    /// connection.
    async fn send(&self, request: &str) -> String {
        let mut stream = self.connect().await;
        let (line, rest) = request.split_once("\r\n").unwrap();
        let text = format!("{line}\r\n{}{rest}", self.credential());
        stream.write_all(text.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        // A reset is also the end of the response.
        let _ = stream.read_to_end(&mut answer).await;
        String::from_utf8_lossy(&answer).into_owned()
    }

    async fn get(&self, url: &str) -> String {
        self.send(&format!("GET {url} HTTP/1.1\r\nHost: ignored.example.com\r\n\r\n")).await
    }

    /// Opens a tunnel. Returns the stream after the head of the response, and its status.
    async fn tunnel(&self, authority: &str) -> (TcpStream, String) {
        let mut stream = self.connect().await;
        let head = format!("CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n{}\r\n", self.credential());
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            match stream.read_u8().await {
                Ok(byte) => answer.push(byte),
                Err(_) => break,
            }
        }
        let text = String::from_utf8(answer).unwrap();
        let status = text.split(' ').nth(1).unwrap_or_default().to_owned();
        (stream, status)
    }
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

#[tokio::test]
async fn request_without_the_secret_of_a_page_is_refused() {
    let site = Site::canary().await;
    let fixture = fixture(&[site.port()], PageLimits::default()).await;
    for credential in ["", "Proxy-Authorization: Basic cGFnZTpndWVzcw==\r\n", "Proxy-Authorization: x\r\n"] {
        for line in [format!("GET {} HTTP/1.1", site.url("/")), format!("CONNECT {} HTTP/1.1", site.address)]
        {
            let mut stream = fixture.connect().await;
            stream.write_all(format!("{line}\r\n{credential}\r\n").as_bytes()).await.unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await.unwrap();
            assert_eq!(status(&answer), "407", "{line} {credential}");
        }
    }
    assert_eq!((site.hits(), fixture.access.traffic().requests), (0, 0));
}

#[tokio::test]
async fn connections_of_a_removed_page_are_closed_and_its_secret_is_refused() {
    let site = Site::start(|_| vec![ResponseStep::Stall]).await;
    let fixture = fixture(&[site.port()], PageLimits::default()).await;
    let credential = fixture.credential();
    let mut waiting = fixture.connect().await;
    let request = format!("GET {} HTTP/1.1\r\n{credential}\r\n", site.url("/"));
    waiting.write_all(request.as_bytes()).await.unwrap();
    while site.paths().is_empty() {
        tokio::task::yield_now().await;
    }
    let Fixture { proxy, access } = fixture;
    drop(access);
    assert_eq!(waiting.read(&mut [0; 8]).await.unwrap_or(0), 0);
    let mut late = TcpStream::connect(proxy.address()).await.unwrap();
    late.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    late.read_to_string(&mut answer).await.unwrap();
    assert_eq!(status(&answer), "407");
}

#[tokio::test]
async fn request_is_forwarded_with_its_own_host_and_without_the_secret() {
    let site = Site::start(|_| html("text")).await;
    let fixture = fixture(&[site.port()], PageLimits::default()).await;
    let url = format!("http://site.example.com:{}/a?b=c", site.port());
    let answer = fixture.get(&url).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("\r\n\r\ntext"), "{answer}");
    assert!(answer.contains("\r\nConnection: close\r\n"), "{answer}");
    let head = site.heads().remove(0).to_ascii_lowercase();
    assert!(head.starts_with("get /a?b=c http/1.1\r\n"), "{head}");
    assert!(head.contains(&format!("\r\nhost: site.example.com:{}\r\n", site.port())), "{head}");
    assert!(!head.contains("proxy-") && !head.contains("ignored"), "{head}");
    assert!(head.contains("\r\nconnection: close\r\n"), "{head}");
}

#[tokio::test]
async fn second_request_on_a_connection_is_not_forwarded() {
    let site = Site::start(|_| html("text")).await;
    let fixture = fixture(&[site.port()], PageLimits::default()).await;
    let second = format!("GET {} HTTP/1.1\r\n\r\n", site.url("/second"));
    let answer = fixture.send(&format!("GET {} HTTP/1.1\r\n\r\n{second}", site.url("/first"))).await;
    assert_eq!(answer.matches("HTTP/1.1").count(), 1, "{answer}");
    assert_eq!(site.paths(), ["/first"]);
}

#[tokio::test]
async fn only_the_declared_body_of_a_post_is_forwarded() {
    let site =
        Site::start(|_| raw("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 204 Done\r\n\r\n")).await;
    let fixture = fixture(&[site.port()], PageLimits::default()).await;
    let request =
        format!("POST {} HTTP/1.1\r\nContent-Length: 4\r\n\r\nbodyGET / HTTP/1.1\r\n\r\n", site.url("/"));
    let answer = fixture.send(&request).await;
    assert!(answer.starts_with("HTTP/1.1 204 Done\r\nConnection: close\r\n\r\n"), "{answer}");
    assert_eq!(site.heads().len(), 1);
    for unclear in
        ["Transfer-Encoding: chunked", "Content-Length: 1\r\nContent-Length: 2", "Content-Length: x"]
    {
        let request = format!("POST {} HTTP/1.1\r\n{unclear}\r\n\r\n", site.url("/"));
        assert_eq!(status(&fixture.send(&request).await), "502", "{unclear}");
    }
    assert_eq!(site.heads().len(), 1);
}

#[tokio::test]
async fn private_addresses_ports_and_schemes_are_refused() {
    let site = Site::canary().await;
    let fixture = fixture(&[site.port()], PageLimits::default()).await;
    let port = site.port();
    for host in [
        "10.0.0.1", "169.254.169.254", "localhost", "[::1]", "127.0.0.1:22", "private.example.com",
        "mixed.example.com", "metadata.example.com", "0x7f000001", "router", "a@10.0.0.1",
    ] {
        assert_eq!(status(&fixture.get(&format!("http://{host}/")).await), "403", "{host}");
        let authority = if host.ends_with(|last: char| last.is_ascii_digit()) && host.contains(':') {
            host.to_owned()
        } else {
            format!("{host}:443")
        };
        assert_eq!(fixture.tunnel(&authority).await.1, "403", "{authority}");
    }
    for target in [format!("https://127.0.0.1:{port}/"), "ftp://site.example.com/".to_owned(), "/".to_owned()]
    {
        assert_eq!(status(&fixture.get(&target).await), "502", "{target}");
    }
    assert_eq!(site.hits(), 0);
    let traffic = fixture.access.traffic();
    assert_eq!((traffic.requests, traffic.refused), (25, 25));
}

#[tokio::test]
async fn name_that_changes_to_a_private_address_is_refused_on_the_next_connection() {
    let site = Site::start(|_| html("text")).await;
    let canary = Site::start_at(&format!("127.0.0.2:{}", site.port()), |_| html("the secret")).await;
    let fixture = fixture(&[site.port()], PageLimits::default()).await;
    let url = format!("http://flip.example.com:{}/", site.port());
    assert_eq!(status(&fixture.get(&url).await), "200");
    assert_eq!(status(&fixture.get(&url).await), "403");
    assert_eq!(canary.hits(), 0);
}

#[tokio::test]
async fn redirect_is_returned_and_not_followed() {
    let canary = Site::canary().await;
    let target = canary.url("/");
    let site = Site::start(move |_| redirect_to(&target)).await;
    let fixture = fixture(&[site.port()], PageLimits::default()).await;
    assert_eq!(status(&fixture.get(&site.url("/")).await), "302");
    assert_eq!(status(&fixture.get(&canary.url("/")).await), "403");
    assert_eq!(canary.hits(), 0);
}

#[tokio::test]
async fn server_cannot_ask_the_browser_for_the_password_of_the_proxy() {
    let site =
        Site::start(|_| reply("407 Proxy Authentication Required", &["Proxy-Authenticate: Basic"], b""))
            .await;
    let fixture = fixture(&[site.port()], PageLimits::default()).await;
    assert_eq!(status(&fixture.get(&site.url("/")).await), "502");
}

#[tokio::test]
async fn bytes_and_requests_of_a_page_are_bounded() {
    let endless = Site::start(|_| {
        let head = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
        vec![ResponseStep::Send(head), ResponseStep::Forever(vec![b'x'; 8192])]
    })
    .await;
    let fixture = fixture(&[endless.port()], PageLimits { max_bytes: 100_000, max_requests: 5 }).await;
    let answer = fixture.get(&endless.url("/")).await;
    assert!((50_000..=100_000).contains(&answer.len()), "{}", answer.len());
    assert!(fixture.access.traffic().is_cut);
    assert_eq!(status(&fixture.get(&endless.url("/")).await), "403");
    let site = Site::start(|_| html("text")).await;
    let fixture = self::fixture(&[site.port()], PageLimits { max_bytes: 100_000, max_requests: 2 }).await;
    let mut statuses = Vec::new();
    for _ in 0..3 {
        statuses.push(status(&fixture.get(&site.url("/")).await).to_owned());
    }
    assert_eq!(statuses, ["200", "200", "403"]);
    assert_eq!(site.hits(), 2);
}

async fn handshake(stream: TcpStream, authority: &Authority, name: &str) -> std::io::Result<String> {
    let mut roots = rustls::RootCertStore::empty();
    let pem = std::fs::read(authority.file.path()).unwrap();
    roots.add(rustls::pki_types::CertificateDer::from_pem_slice(&pem).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = rustls::pki_types::ServerName::try_from(name.to_owned()).unwrap();
    let mut secured = TlsConnector::from(Arc::new(config)).connect(name, stream).await?;
    secured.write_all(b"GET / HTTP/1.1\r\n\r\n").await?;
    let mut answer = String::new();
    secured.read_to_string(&mut answer).await?;
    Ok(answer)
}

#[tokio::test]
async fn tunnel_is_open_only_for_a_handshake_with_its_own_name() {
    let authority = Authority::new();
    let port = serve(authority.acceptor(NAME, "http/1.1", 2100), |mut stream| async move {
        let _ = stream.read(&mut [0; 4096]).await;
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecure").await;
        let _ = stream.shutdown().await;
    })
    .await;
    let fixture = fixture(&[port], PageLimits::default()).await;
    let (stream, status) = fixture.tunnel(&format!("{NAME}:{port}")).await;
    assert_eq!(status, "200");
    assert!(handshake(stream, &authority, NAME).await.unwrap().ends_with("secure"));
    let (stream, _) = fixture.tunnel(&format!("{NAME}:{port}")).await;
    assert!(handshake(stream, &authority, "site.example.com").await.is_err());
    assert_eq!(fixture.access.traffic().refused, 1);
}

#[tokio::test]
async fn tunnel_without_tls_is_open_only_for_a_web_socket_of_its_host() {
    let site = Site::start(|_| raw("HTTP/1.1 101 Switching Protocols\r\n\r\nhello")).await;
    let fixture = fixture(&[site.port()], PageLimits::default()).await;
    let authority = format!("site.example.com:{}", site.port());
    let upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\n";
    for (opening, is_open) in [
        (format!("GET /live HTTP/1.1\r\nHost: {authority}\r\n{upgrade}\r\n"), true),
        (format!("GET /live HTTP/1.1\r\nHost: other.example.com\r\n{upgrade}\r\n"), false),
        (format!("GET /live HTTP/1.1\r\nHost: {authority}\r\n\r\n"), false),
        ("EHLO example.com\r\n\r\n".to_owned(), false),
        ("\x16\x03\x01\x00\x05hello".to_owned(), false),
    ] {
        let (mut stream, status) = fixture.tunnel(&authority).await;
        assert_eq!(status, "200");
        stream.write_all(opening.as_bytes()).await.unwrap();
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer).await;
        assert_eq!(answer.ends_with("hello"), is_open, "{opening:?}: {answer:?}");
    }
    assert_eq!(site.paths(), ["/live"]);
}

#[tokio::test]
async fn page_excluded_by_robots_txt_cannot_be_loaded() {
    let site = Site::start(|seen| match seen.path.as_str() {
        "/robots.txt" => reply("200 OK", &[], b"User-agent: CarrelBot\nDisallow: /closed"),
        _ => html("text"),
    })
    .await;
    let fetcher = fetcher(&[site.port()]);
    let check = async |url: &str| fetcher.check_page(url, Duration::from_mins(1)).await;
    assert_eq!(check(&site.url("/open")).await, Ok(()));
    assert_eq!(check(&site.url("/closed")).await, Err(Error::RobotsDisallowed));
    assert!(matches!(check("http://10.0.0.1/").await, Err(Error::NotAllowed { .. })));
    assert_eq!(RobotsRule::default(), RobotsRule::Obey);
}
