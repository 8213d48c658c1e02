//! Pages whose connections the proxy accepts, with their limits and counts.

use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tokio_util::sync::CancellationToken;
use url::Url;

use crate::address;
use crate::error::Error;

/// User name of every page in `Proxy-Authorization`.
const USER: &str = "page";
/// Reason why another port of the page's own host is refused.
const OTHER_PORT: &str = "another port of the host would get the cookies that were entered for this one";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageLimits {
    /// Maximum number of bytes in both directions, over all connections.
    pub max_bytes: u64,
    /// Maximum number of requests and tunnels.
    pub max_requests: u32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PageTraffic {
    /// All requests and tunnels, even if they were refused.
    pub requests: u32,
    /// Requests and tunnels that the guard or a limit refused, or whose server failed.
    pub refused: u32,
    /// Bytes in both directions.
    pub bytes: u64,
    /// True if a limit was reached.
    pub is_cut: bool,
}

/// Admission of one page. Dropping it closes the connections of the page and refuses new connections.
pub struct PageAccess {
    admitted: Admitted,
    credential: String,
    secret: String,
    account: Arc<PageAccount>,
}

impl PageAccess {
    /// Returns the user name that the browser sends to the proxy.
    pub fn user(&self) -> &'static str {
        USER
    }

    /// Returns the password that the browser sends to the proxy.
    pub fn secret(&self) -> &str {
        &self.secret
    }

    /// Refuses the other ports of the host of `url`, because a browser sends the cookies of a host to all of its
    /// ports. Must be called before the first request.
    pub fn refuse_other_ports(&self, url: &Url) {
        if let Some((host, port)) = url.host_str().zip(url.port_or_known_default()) {
            self.account.only_port.set((host.to_owned(), port)).ok();
        }
    }

    /// Returns the error for a URL with such a port. `None` if its port may be used.
    pub fn port_refusal(&self, url: &Url) -> Option<Error> {
        self.account.port_refusal(url)
    }

    /// Returns the traffic so far.
    pub fn traffic(&self) -> PageTraffic {
        self.account.traffic()
    }
}

impl Drop for PageAccess {
    fn drop(&mut self) {
        self.admitted.lock().remove(&self.credential);
        self.account.closed.cancel();
    }
}

/// Omits the secret.
impl fmt::Debug for PageAccess {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PageAccess").field("traffic", &self.traffic()).finish_non_exhaustive()
    }
}

/// Admitted pages by the value of `Proxy-Authorization`.
#[derive(Clone, Default)]
pub(super) struct Admitted(Arc<Mutex<HashMap<String, Arc<PageAccount>>>>);

impl Admitted {
    pub(super) fn admit(&self, secret: String, limits: PageLimits) -> PageAccess {
        let credential = data_encoding::BASE64.encode(format!("{USER}:{secret}").as_bytes());
        let account = Arc::new(PageAccount { limits, ..PageAccount::default() });
        self.lock().insert(credential.clone(), Arc::clone(&account));
        PageAccess { admitted: self.clone(), credential, secret, account }
    }

    /// Returns the page to which the value of `Proxy-Authorization` belongs. The values are random, so
    /// the timing of the lookup reveals nothing useful.
    pub(super) fn find(&self, header: &str) -> Option<Arc<PageAccount>> {
        let (scheme, credential) = header.split_once(' ')?;
        if !scheme.eq_ignore_ascii_case("basic") {
            return None;
        }
        self.lock().get(credential.trim()).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<PageAccount>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Traffic counters of one page.
#[derive(Default)]
pub(super) struct PageAccount {
    limits: PageLimits,
    requests: AtomicU32,
    refused: AtomicU32,
    bytes: AtomicU64,
    is_cut: AtomicBool,
    /// True if the first server of the page, which serves its document, is on the public internet.
    is_public: OnceLock<bool>,
    /// Host for which only one port may be used, and this port.
    only_port: OnceLock<(String, u16)>,
    closed: CancellationToken,
}

impl Default for PageLimits {
    /// Returns limits of 32 MiB and 400 requests.
    fn default() -> Self {
        Self { max_bytes: 32 << 20, max_requests: 400 }
    }
}

impl PageAccount {
    /// Waits until the page is no longer admitted.
    pub(super) async fn closed(&self) {
        self.closed.cancelled().await;
    }

    /// Counts a request. Returns false if a limit is reached.
    pub(super) fn begin_request(&self) -> bool {
        let earlier = self.requests.fetch_add(1, Ordering::Relaxed);
        let is_within =
            earlier < self.limits.max_requests && self.bytes.load(Ordering::Relaxed) < self.limits.max_bytes;
        if !is_within {
            self.is_cut.store(true, Ordering::Relaxed);
        }
        is_within
    }

    /// True if the page may use the server at this address. A page on the public internet may use no other
    /// server, not even one that the operator allowed: its scripts send more than read requests.
    pub(super) fn may_use(&self, server: IpAddr) -> bool {
        let is_public = address::is_public(server);
        let is_page_public = *self.is_public.get_or_init(|| is_public);
        is_public || !is_page_public
    }

    pub(super) fn port_refusal(&self, url: &Url) -> Option<Error> {
        let (host, port) = self.only_port.get()?;
        let is_refused = url.host_str() == Some(host.as_str()) && url.port_or_known_default() != Some(*port);
        is_refused.then_some(Error::NotAllowed { reason: OTHER_PORT })
    }

    pub(super) fn count_refused(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts transferred bytes. Returns false if the limit is exceeded.
    pub(super) fn spend(&self, bytes: usize) -> bool {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let total = self.bytes.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        let is_within = total <= self.limits.max_bytes;
        if !is_within {
            self.is_cut.store(true, Ordering::Relaxed);
        }
        is_within
    }

    fn traffic(&self) -> PageTraffic {
        PageTraffic {
            requests: self.requests.load(Ordering::Relaxed),
            refused: self.refused.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
            is_cut: self.is_cut.load(Ordering::Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_page_cannot_use_private_servers_but_private_page_can_use_all_servers() {
        let (public, private) = (IpAddr::from([93, 184, 216, 34]), IpAddr::from([10, 0, 0, 7]));
        for (servers, expected) in [
            ([public, private, public], [true, false, true]),
            ([private, public, private], [true, true, true]),
        ] {
            let page = Admitted::default().admit("secret".to_owned(), PageLimits::default());
            assert_eq!(servers.map(|server| page.account.may_use(server)), expected);
        }
    }

    #[test]
    fn page_with_cookies_of_a_port_uses_no_other_port_of_its_host() {
        let url = |url: &str| Url::parse(url).unwrap();
        let page = Admitted::default().admit("secret".to_owned(), PageLimits::default());
        assert_eq!(page.port_refusal(&url("https://a.example:8443/")), None);
        page.refuse_other_ports(&url("https://a.example/page"));
        for (used, expected) in [
            ("https://a.example:443/", true),
            ("https://a.example:8443/", false),
            ("http://a.example/", false),
            ("https://b.example:8443/", true),
        ] {
            assert_eq!(page.port_refusal(&url(used)).is_none(), expected, "{used}");
        }
    }
}
