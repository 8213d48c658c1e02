//! Small server that sends exactly the bytes given by a test, and records the received requests.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::{AllowRule, Error, Fetched, Fetcher, FetcherSettings, Request, RobotsRule};

/// One action of the server.
#[derive(Clone)]
pub(crate) enum ResponseStep {
    Send(Vec<u8>),
    /// Sends the bytes repeatedly until the client disconnects.
    Forever(Vec<u8>),
    /// Sends one byte at a time, at this interval.
    Drip(Vec<u8>, Duration),
    /// Sends nothing more and keeps the connection open.
    Stall,
    /// Sends a TCP reset.
    Reset,
    /// Waits for the next request on this connection.
    KeepAlive,
}

/// Request as passed to the handler.
pub(crate) struct ReceivedRequest {
    pub(crate) path: String,
    pub(crate) head: String,
}

pub(crate) struct Site {
    pub(crate) address: SocketAddr,
    pub(crate) connections: Arc<AtomicUsize>,
    seen: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Site {
    pub(crate) async fn start(
        handler: impl Fn(&ReceivedRequest) -> Vec<ResponseStep> + Send + Sync + 'static,
    ) -> Self {
        Self::start_at("127.0.0.1:0", handler).await
    }

    pub(crate) async fn start_at(
        address: &str,
        handler: impl Fn(&ReceivedRequest) -> Vec<ResponseStep> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let seen = Arc::new(Mutex::new(Vec::new()));
        let handler = Arc::new(handler);
        let (count, log) = (Arc::clone(&connections), Arc::clone(&seen));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(serve(stream, Arc::clone(&handler), Arc::clone(&log)));
            }
        });
        Self { address, connections, seen, task }
    }

    /// Server that must not be reached.
    pub(crate) async fn canary() -> Self {
        Self::start(|_| html("the secret")).await
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    pub(crate) fn hits(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Heads of all requests so far.
    pub(crate) fn heads(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) fn paths(&self) -> Vec<String> {
        self.heads().iter().map(|head| path_of(head)).collect()
    }

    /// Settings that allow this site and nothing else, ignore robots.txt, and have no gap.
    pub(crate) fn settings(&self) -> FetcherSettings {
        let rule: AllowRule = format!("{}/32:{}", self.address.ip(), self.port()).parse().unwrap();
        FetcherSettings {
            allow: vec![rule],
            robots: RobotsRule::Ignore,
            per_host_gap: Duration::ZERO,
            ..FetcherSettings::default()
        }
    }

    pub(crate) fn fetcher(&self) -> Fetcher {
        Fetcher::new(self.settings()).unwrap()
    }

    /// Fetches a page of this site with its own settings.
    pub(crate) async fn read(&self, path: &str) -> Result<Fetched, Error> {
        self.fetcher().fetch(&Request::page(self.url(path))).await
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Completes an exchange with a server that becomes unresponsive. As soon as `is_unresponsive`, the clock skips idle
/// time. Until then, time is real, because a busy machine delivers bytes late.
pub(crate) async fn skip_wait<T>(is_unresponsive: impl Fn() -> bool, exchange: impl Future<Output = T>) -> T {
    let mut exchange = pin!(exchange);
    let unresponsive = async {
        while !is_unresponsive() {
            tokio::task::yield_now().await;
        }
        // The client receives what the server has sent.
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        result = &mut exchange => return result,
        () = unresponsive => tokio::time::pause(),
    }
    let result = exchange.await;
    tokio::time::resume();
    result
}

/// Response 200 with a web page. The connection stays open.
pub(crate) fn html(body: &str) -> Vec<ResponseStep> {
    reply("200 OK", &["Content-Type: text/html"], body.as_bytes())
}

/// Response with a declared length. The connection stays open.
pub(crate) fn reply(status: &str, headers: &[&str], body: &[u8]) -> Vec<ResponseStep> {
    let mut text = format!("HTTP/1.1 {status}\r\n");
    for header in headers {
        text.push_str(header);
        text.push_str("\r\n");
    }
    write!(text, "Content-Length: {}\r\n\r\n", body.len()).unwrap();
    vec![ResponseStep::Send([text.as_bytes(), body].concat()), ResponseStep::KeepAlive]
}

/// Sends the bytes unchanged, then closes the connection.
pub(crate) fn raw(bytes: impl Into<Vec<u8>>) -> Vec<ResponseStep> {
    vec![ResponseStep::Send(bytes.into())]
}

pub(crate) fn redirect_to(location: &str) -> Vec<ResponseStep> {
    reply("302 Found", &[&format!("Location: {location}")], b"")
}

async fn serve(
    mut stream: TcpStream,
    handler: Arc<impl Fn(&ReceivedRequest) -> Vec<ResponseStep>>,
    log: Arc<Mutex<Vec<String>>>,
) {
    let mut pending = Vec::new();
    while let Some(head) = read_head(&mut stream, &mut pending).await {
        log.lock().unwrap().push(head.clone());
        let steps = handler(&ReceivedRequest { path: path_of(&head), head });
        if !play(&mut stream, steps).await {
            return;
        }
    }
}

/// Performs the steps. Returns true if the connection stays open.
async fn play(stream: &mut TcpStream, steps: Vec<ResponseStep>) -> bool {
    for step in steps {
        match step {
            ResponseStep::Send(bytes) => {
                if stream.write_all(&bytes).await.is_err() {
                    return false;
                }
            }
            ResponseStep::Forever(bytes) => while stream.write_all(&bytes).await.is_ok() {},
            ResponseStep::Drip(bytes, pace) => drip(stream, &bytes, pace).await,
            ResponseStep::Stall => std::future::pending().await,
            ResponseStep::Reset => {
                stream.set_zero_linger().unwrap();
                return false;
            }
            ResponseStep::KeepAlive => return true,
        }
    }
    let _ = stream.shutdown().await;
    false
}

async fn drip(stream: &mut TcpStream, bytes: &[u8], pace: Duration) {
    let mut ticks = tokio::time::interval(pace);
    for byte in bytes {
        ticks.tick().await;
        if stream.write_all(&[*byte]).await.is_err() {
            return;
        }
    }
}

async fn read_head(stream: &mut TcpStream, pending: &mut Vec<u8>) -> Option<String> {
    let mut buffer = [0; 4096];
    loop {
        if let Some(end) = pending.windows(4).position(|window| window == b"\r\n\r\n") {
            let rest = pending.split_off(end + 4);
            let head = std::mem::replace(pending, rest);
            return Some(String::from_utf8_lossy(&head).into_owned());
        }
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return None,
            Ok(count) => pending.extend_from_slice(&buffer[..count]),
        }
    }
}

fn path_of(head: &str) -> String {
    head.split(' ').nth(1).unwrap_or_default().to_owned()
}
