//! Local site with the fixture pages, and servers that count connections.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Pages by path; other paths have the usual fixtures.
type Pages = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

pub(crate) struct Site {
    pub(crate) port: u16,
    hits: Arc<AtomicUsize>,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Site {
    pub(crate) async fn fixtures() -> Self {
        Self::start("127.0.0.1:0", |path| {
            let name = path.strip_prefix("/pages/")?;
            let file = format!("../../bench/renderer/pages/{name}.html");
            std::fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file)).ok()
        })
        .await
    }

    pub(crate) async fn start(
        address: &str,
        pages: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (hits, heads): (Arc<AtomicUsize>, Arc<Mutex<Vec<String>>>) = Default::default();
        let (count, log, pages): (_, _, Pages) = (Arc::clone(&hits), Arc::clone(&heads), Arc::new(pages));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(serve(stream, Arc::clone(&pages), Arc::clone(&log)));
            }
        });
        Self { port, hits, heads }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn hits(&self) -> usize {
        self.hits.load(Ordering::SeqCst)
    }

    /// URL of a page whose first `unanswered` requests are never answered.
    pub(crate) fn unanswered_url(&self, unanswered: usize, name: &str) -> String {
        self.url(&format!("/unanswered/{unanswered}?name={name}"))
    }

    /// Number of requests for the page.
    pub(crate) fn loads(&self, url: &str) -> usize {
        self.heads()
            .iter()
            .filter(|head| head.split(' ').nth(1).is_some_and(|target| url.ends_with(target)))
            .count()
    }

    pub(crate) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

async fn serve(mut stream: TcpStream, pages: Pages, log: Arc<Mutex<Vec<String>>>) -> Option<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let target = head.split(' ').nth(1)?.to_owned();
    let loads = {
        let mut heads = log.lock().unwrap();
        heads.push(head.clone());
        heads.iter().filter(|head| head.split(' ').nth(1) == Some(&target)).count()
    };
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let name = query.split('&').find_map(|pair| pair.strip_prefix("name=")).unwrap_or_default();
    let sentence = format!(
        "Carrel fixture {name}: the harbour wall was repaired in autumn and the boats came back before the first storm."
    );
    if let Some(unanswered) = path.strip_prefix("/unanswered/")
        && loads <= unanswered.parse().unwrap()
    {
        std::future::pending::<()>().await;
    }
    let json = format!("{{\"text\":\"{sentence}\"}}");
    let (status, kind, body) = match path {
        "/socket" => return socket(stream, &head).await,
        "/api/text" => (200, "application/json", json),
        "/api/slow" => {
            tokio::time::sleep_until(tokio::time::Instant::now() + Duration::from_secs(1)).await;
            (200, "application/json", json)
        }
        "/api/fragment" => (200, "text/html", format!("<p>{sentence}</p>")),
        "/module.js" => (
            200,
            "text/javascript",
            "export const mount=(at,text)=>{const p=document.createElement('p');p.textContent=text;at.append(p)};".to_owned(),
        ),
        "/worker.js" => (200, "text/javascript", "self.onfetch=()=>{};".to_owned()),
        "/big.js" => (200, "text/javascript", format!("window.big='big_script';/*{}*/", "x".repeat(10 << 20))),
        "/robots.txt" => (200, "text/plain", "User-agent: CarrelBot\nDisallow: /closed\n".to_owned()),
        path if path.starts_with("/unanswered/") => (200, "text/html", format!("<main>{sentence}</main>")),
        "/download" => (200, "application/octet-stream", "bytes".to_owned()),
        path => match pages(path) {
            Some(target) if path.starts_with("/moved") => (302, "text/plain", target),
            Some(style) if path.ends_with(".css") => (200, "text/css", style),
            Some(picture) if path.ends_with(".svg") => (200, "image/svg+xml", picture),
            Some(page) => (if path.ends_with("error_page") { 404 } else { 200 }, "text/html", page),
            None => (404, "text/html", "nothing".to_owned()),
        },
    };
    let location = if status == 302 { format!("Location: {body}\r\n") } else { String::new() };
    let head = format!(
        "HTTP/1.1 {status} X\r\n{location}Content-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.ok()?;
    stream.write_all(body.as_bytes()).await.ok()?;
    stream.shutdown().await.ok()
}

/// Accepts a `WebSocket` and sends one message.
async fn socket(mut stream: TcpStream, head: &str) -> Option<()> {
    let key = head.lines().find_map(|line| line.strip_prefix("Sec-WebSocket-Key: "))?;
    let digest = ring::digest::digest(
        &ring::digest::SHA1_FOR_LEGACY_USE_ONLY,
        format!("{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11").as_bytes(),
    );
    let accept = data_encoding::BASE64.encode(digest.as_ref());
    let head = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.ok()?;
    stream.write_all(b"\x81\x0aweb_socket").await.ok()?;
    // The browser closes the connection.
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).await.ok().map(drop)
}
