//! Proxy of an HTTP client, and the resolver for the names of the proxy and its targets.

use std::net::{IpAddr, SocketAddr};

use reqwest::Proxy;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::error::SetupError;
use crate::proxy::NamedProxy;
use crate::resolve::{Guard, GuardError};

impl NamedProxy {
    /// Converts to the proxy type of the HTTP client.
    pub(crate) fn reqwest_proxy(&self) -> Result<Proxy, SetupError> {
        // The error of the client may repeat the URL.
        let invalid = |_| SetupError::Client(format!("the proxy {} cannot be used", self.name));
        Proxy::all(self.url.clone()).map_err(invalid)
    }

    /// Resolver for the HTTP client that uses this proxy. The operator's proxy may have any address.
    pub(crate) fn resolver(&self, guard: Guard) -> ProxyResolver {
        ProxyResolver { proxy_host: self.url.host_str().unwrap_or_default().to_owned(), guard }
    }
}

/// Resolves the host of a proxy without the guard, and the targets of a SOCKS proxy with it.
pub(crate) struct ProxyResolver {
    proxy_host: String,
    guard: Guard,
}

impl Resolve for ProxyResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let is_proxy = name.as_str().eq_ignore_ascii_case(&self.proxy_host);
        let guard = self.guard.clone();
        Box::pin(async move {
            let name = name.as_str();
            let addresses = match name.trim_matches(['[', ']']).parse::<IpAddr>() {
                // A literal address was already checked in the URL.
                Ok(address) => vec![address],
                Err(_) if is_proxy => guard.unchecked_addresses(name).await.map_err(ProxyLookupError)?,
                Err(_) => guard.addresses(name).await?,
            };
            Ok(Box::new(addresses.into_iter().map(|ip| SocketAddr::new(ip, 0))) as Addrs)
        })
    }
}

/// Failed lookup of the host name of a proxy.
#[derive(Debug, thiserror::Error)]
#[error("host name of the proxy: {0}")]
struct ProxyLookupError(GuardError);
