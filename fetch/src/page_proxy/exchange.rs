//! One request or tunnel of a page: check, connection under the guard, and transfer under the page's limits.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use url::{Position, Url};

use super::access::PageAccount;
use super::head::{Head, read_head_after};
use super::opening::read_opening;
use crate::client::GuardedClient;
use crate::error::Error;
use crate::settings::FetcherSettings;
use crate::url_check;

/// Time within which the opening of a tunnel or the head of a response must arrive.
const OPENING_TIMEOUT: Duration = Duration::from_secs(20);
/// Time limit for sending a short response.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);
/// Size of one read of a transfer, in bytes.
const CHUNK_BYTES: usize = 16 * 1024;
/// Response that confirms an open tunnel.
const TUNNEL_OPEN: &[u8] = b"HTTP/1.1 200 Connection established\r\n\r\n";

/// Reason why a request or tunnel ended early.
#[derive(Debug, thiserror::Error)]
pub(super) enum ProxyRefusal {
    /// Nothing has been sent to the browser yet.
    #[error("{error}")]
    BeforeResponse { error: Error },
    /// A limit of the page was reached.
    #[error("a limit of the page is reached")]
    Limit,
    /// The tunnel does not start with a handshake or request for its host.
    #[error("the tunnel is not for its host")]
    Opening,
    /// A connection broke.
    #[error("{0}")]
    Broken(#[from] io::Error),
}

impl ProxyRefusal {
    pub(super) fn label(&self) -> &'static str {
        match self {
            Self::BeforeResponse { error } => error.label(),
            Self::Limit => "limit",
            Self::Opening => "opening",
            Self::Broken(_) => "broken",
        }
    }

    /// Returns the response to the browser. It names no reason, because scripts of the page could read it.
    pub(super) fn response(&self) -> Vec<u8> {
        let status = match self {
            Self::BeforeResponse { error } if !is_of_guard(error) => "502 Bad Gateway",
            _ => "403 Forbidden",
        };
        format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").into_bytes()
    }

    fn invalid(reason: &'static str) -> Self {
        Self::BeforeResponse { error: Error::InvalidResponse { reason } }
    }
}

fn is_of_guard(error: &Error) -> bool {
    matches!(error, Error::NotAllowed { .. } | Error::InvalidUrl(_))
}

/// Sends a short response and closes the connection.
pub(super) async fn send_and_close(stream: &mut TcpStream, response: &[u8]) {
    let send = async {
        stream.write_all(response).await?;
        stream.shutdown().await
    };
    // The browser may have closed the connection already.
    timeout(CLOSE_TIMEOUT, send).await.ok();
}

/// Request or tunnel of a page.
pub(super) struct Exchange<'a> {
    pub(super) client: &'a GuardedClient,
    pub(super) settings: &'a FetcherSettings,
    pub(super) account: &'a PageAccount,
}

impl Exchange<'_> {
    /// Performs the request or tunnel with this head. `rest` contains the bytes received after the head.
    pub(super) async fn run(
        &self,
        browser: &mut TcpStream,
        head: &Head,
        rest: Vec<u8>,
    ) -> Result<(), ProxyRefusal> {
        let Some((method, target)) = head.request_line() else {
            return Err(ProxyRefusal::invalid("the request is not valid"));
        };
        if !self.account.begin_request() {
            let error = Error::NotAllowed { reason: "the page sends too many requests" };
            return Err(ProxyRefusal::BeforeResponse { error });
        }
        if method == "CONNECT" {
            self.tunnel(browser, target, rest).await
        } else {
            self.request(browser, head, (method, target), rest).await
        }
    }

    /// Connects to the server of a URL after the checks of the guard. Nothing is sent before the last check.
    async fn connect(&self, url: &str) -> Result<(Url, TcpStream), ProxyRefusal> {
        let before = |error: Error| ProxyRefusal::BeforeResponse { error };
        let checked = url_check::check_encoded_url(url, self.settings);
        let url = checked.map_err(|fault| before(Error::from_redirect_url(fault)))?;
        if let Some(refusal) = self.account.port_refusal(&url) {
            return Err(before(refusal));
        }
        let server = self.client.connect(&url).await.map_err(before)?;
        if !self.account.may_use(server.peer_addr()?.ip()) {
            return Err(before(Error::NotAllowed {
                reason: "the page is on the public internet, and its server is not",
            }));
        }
        Ok((url, server))
    }

    async fn tunnel(
        &self,
        browser: &mut TcpStream,
        authority: &str,
        rest: Vec<u8>,
    ) -> Result<(), ProxyRefusal> {
        if authority.contains(['/', '?', '#']) {
            return Err(ProxyRefusal::invalid("the request is not valid"));
        }
        let (url, mut server) = self.connect(&format!("https://{authority}/")).await?;
        browser.write_all(TUNNEL_OPEN).await?;
        let opening = timeout(OPENING_TIMEOUT, read_opening(browser, rest, &url)).await;
        let Ok(Some(opening)) = opening.unwrap_or(Ok(None)) else { return Err(ProxyRefusal::Opening) };
        self.send(&mut server, &opening).await?;
        let (mut from_browser, mut to_browser) = browser.split();
        let (mut from_server, mut to_server) = server.split();
        tokio::try_join!(
            self.transfer(&mut from_browser, &mut to_server),
            self.transfer(&mut from_server, &mut to_browser),
        )?;
        Ok(())
    }

    /// Forwards one request and its response. The connection to the server is not used for another request.
    async fn request(
        &self,
        browser: &mut TcpStream,
        head: &Head,
        (method, target): (&str, &str),
        rest: Vec<u8>,
    ) -> Result<(), ProxyRefusal> {
        if head.value("transfer-encoding").is_some() || head.values("content-length").count() > 1 {
            return Err(ProxyRefusal::invalid("the length of the request is unknown"));
        }
        let length: u64 = match head.value("content-length").map(str::parse) {
            None => 0,
            Some(Ok(length)) => length,
            Some(Err(_)) => return Err(ProxyRefusal::invalid("the length of the request is unknown")),
        };
        let scheme = target.get(..7).unwrap_or_default();
        if !scheme.eq_ignore_ascii_case("http://") {
            return Err(ProxyRefusal::invalid("requests with TLS need a tunnel"));
        }
        let (url, mut server) = self.connect(target).await?;
        let start = format!("{method} {} HTTP/1.1", &url[Position::BeforePath..Position::AfterQuery]);
        let host = &url[Position::BeforeHost..Position::AfterPort];
        let forwarded = head.forwarded(&format!("{start}\r\nHost: {host}"), &["host"]);
        self.send(&mut server, &forwarded).await?;
        let received = usize::try_from(length).unwrap_or(usize::MAX).min(rest.len());
        self.send(&mut server, rest.get(..received).unwrap_or_default()).await?;
        let missing = length.saturating_sub(u64::try_from(received).unwrap_or(u64::MAX));
        self.copy(&mut (&mut *browser).take(missing), &mut server).await?;
        let (response, rest) = response_head(&mut server).await?;
        self.send(browser, &response.forwarded(&response.start, &[])).await?;
        // Many servers do not close the connection, although the request asks them to.
        let length = body_length(method, &response).unwrap_or(u64::MAX);
        let mut body = rest.as_slice().chain(&mut server).take(length);
        self.transfer(&mut body, browser).await
    }

    /// Sends bytes under the page's limit.
    async fn send(&self, to: &mut (impl AsyncWrite + Unpin), bytes: &[u8]) -> Result<(), ProxyRefusal> {
        if !self.account.spend(bytes.len()) {
            return Err(ProxyRefusal::Limit);
        }
        Ok(to.write_all(bytes).await?)
    }

    /// Copies until the end of `from`, then closes `to`.
    async fn transfer(
        &self,
        from: &mut (impl AsyncRead + Unpin),
        to: &mut (impl AsyncWrite + Unpin),
    ) -> Result<(), ProxyRefusal> {
        self.copy(from, to).await?;
        Ok(to.shutdown().await?)
    }

    async fn copy(
        &self,
        from: &mut (impl AsyncRead + Unpin),
        to: &mut (impl AsyncWrite + Unpin),
    ) -> Result<(), ProxyRefusal> {
        let mut buffer = vec![0; CHUNK_BYTES];
        loop {
            let count = from.read(&mut buffer).await?;
            if count == 0 {
                return Ok(());
            }
            self.send(to, buffer.get(..count).unwrap_or_default()).await?;
        }
    }
}

/// Returns the length of a response's body. `None` if the body lasts until the last chunk or the end of the
/// connection.
fn body_length(method: &str, response: &Head) -> Option<u64> {
    if method == "HEAD" || matches!(response.status(), Some(204 | 304)) {
        return Some(0);
    }
    let is_chunked = response.value("transfer-encoding").is_some();
    response.value("content-length").filter(|_| !is_chunked)?.parse().ok()
}

/// Reads the head of the final response. Returns it and the bytes after it.
async fn response_head(server: &mut TcpStream) -> Result<(Head, Vec<u8>), ProxyRefusal> {
    let silent = || ProxyRefusal::BeforeResponse {
        error: Error::Timeout { reason: "no answer in time", answered: false },
    };
    let read = async {
        let mut bytes = Vec::new();
        loop {
            let message = read_head_after(std::mem::take(&mut bytes), server).await?;
            let Some((head, rest)) = message else {
                return Err(ProxyRefusal::invalid("it is not valid HTTP"));
            };
            let head = Head::parse(&head).ok_or_else(|| ProxyRefusal::invalid("it is not valid HTTP"))?;
            match head.status() {
                // A switch to another protocol was not requested, and only this proxy asks for a password.
                Some(101 | 407) | None => return Err(ProxyRefusal::invalid("it is not valid HTTP")),
                Some(100..200) => bytes = rest,
                Some(_) => return Ok((head, rest)),
            }
        }
    };
    timeout(OPENING_TIMEOUT, read).await.map_err(|_| silent())?
}
