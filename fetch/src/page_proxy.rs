//! Forward proxy on a loopback port through which a browser loads pages. The browser has no other access to
//! the network.
//!
//! Every connection needs the secret of a page that is being loaded, so the browser's own services are
//! refused. Every connection passes the guard after the name lookup, like the connections of the fetcher. The
//! browser follows a redirect with a new request. A client connection carries one request or one tunnel, so
//! requests to different hosts never share a connection. A tunnel starts with a TLS handshake for the host
//! that the guard checked, or with a request for a `WebSocket` of that host.

mod access;
mod exchange;
mod head;
mod opening;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use url::Url;

pub use self::access::{PageAccess, PageLimits, PageTraffic};

use self::access::Admitted;
use self::exchange::{Exchange, ProxyRefusal};
use self::head::{Head, read_head};
use crate::error::{Error, SetupError};
use crate::fetcher::Fetcher;
use crate::url_check;

/// Maximum number of connections of all pages.
const MAX_CONNECTIONS: usize = 512;
/// Time within which a request head must arrive.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// Response to a connection without the secret of a page.
const UNKNOWN_PAGE: &[u8] = b"HTTP/1.1 407 Proxy Authentication Required\r\n\
    Proxy-Authenticate: Basic realm=\"page\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// Running proxy. Dropping it closes the port.
pub struct PageProxy {
    address: SocketAddr,
    admitted: Admitted,
    task: JoinHandle<()>,
}

impl PageProxy {
    /// Address on which the proxy listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Admits the connections of one page until the returned access is dropped.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub fn admit(&self, limits: PageLimits) -> Result<PageAccess, SetupError> {
        let mut secret = [0; 24];
        let random = rustls::crypto::ring::default_provider().secure_random;
        random.fill(&mut secret).map_err(|_| SetupError::Tls("no random numbers".to_owned()))?;
        Ok(self.admitted.admit(data_encoding::HEXLOWER.encode(&secret), limits))
    }
}

impl Drop for PageProxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Fetcher {
    /// Opens a proxy on a free port of the loopback interface, with the guard of this fetcher.
    ///
    /// # Errors
    /// If no port can be opened.
    pub async fn page_proxy(&self) -> io::Result<PageProxy> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let admitted = Admitted::default();
        let task = tokio::spawn(accept(listener, self.clone(), admitted.clone()));
        Ok(PageProxy { address, admitted, task })
    }

    /// Checks whether the rules for URLs and the robots.txt of its host allow a page to be loaded.
    ///
    /// # Errors
    /// See [`Error`].
    pub async fn check_page(&self, url: &str, deadline: Duration) -> Result<(), Error> {
        let checked = timeout(deadline, self.check_robots(url, deadline)).await;
        checked.unwrap_or(Err(Error::Timeout { reason: "robots.txt took too long", answered: false }))
    }

    /// Checks the URL of a loaded page without a lookup. Scripts of the page may have changed the URL.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn check_page_url(&self, url: &str) -> Result<Url, Error> {
        url_check::check_encoded_url(url, self.settings()).map_err(Error::from_redirect_url)
    }
}

async fn accept(listener: TcpListener, fetcher: Fetcher, admitted: Admitted) {
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let Ok(permit) = Arc::clone(&permits).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            // The cause may be too many open files, for example. Other tasks must run before the next
            // attempt.
            tokio::task::yield_now().await;
            continue;
        };
        let (fetcher, admitted) = (fetcher.clone(), admitted.clone());
        tokio::spawn(async move {
            serve(stream, &fetcher, &admitted).await;
            drop(permit);
        });
    }
}

/// Serves one connection of the browser: one request or one tunnel.
async fn serve(mut stream: TcpStream, fetcher: &Fetcher, admitted: &Admitted) {
    let Ok(Ok(Some((head, rest)))) = timeout(HEAD_TIMEOUT, read_head(&mut stream)).await else { return };
    let Some(head) = Head::parse(&head) else { return };
    let account = head.value("proxy-authorization").and_then(|value| admitted.find(value));
    let Some(account) = account else {
        metrics::counter!("carrel_page_proxy_total", "outcome" => "unknown_page").increment(1);
        exchange::send_and_close(&mut stream, UNKNOWN_PAGE).await;
        return;
    };
    let (client, _, _) = fetcher.exchange_parts();
    let exchange = Exchange { client, settings: fetcher.settings(), account: &account };
    let outcome = tokio::select! {
        () = account.closed() => return,
        outcome = exchange.run(&mut stream, &head, rest) => outcome,
    };
    let label = match outcome {
        Ok(()) => "ok",
        Err(refusal) => {
            account.count_refused();
            let label = refusal.label();
            tracing::debug!(%refusal, "request of a page refused");
            if let ProxyRefusal::BeforeResponse { .. } = &refusal {
                exchange::send_and_close(&mut stream, &refusal.response()).await;
            }
            label
        }
    };
    metrics::counter!("carrel_page_proxy_total", "outcome" => label).increment(1);
}
