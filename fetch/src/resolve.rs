//! Name lookup under the guard: a name is refused if *any* of its addresses is not public.
//!
//! The HTTP client connects to exactly the returned addresses. There is no second lookup, which could
//! return other addresses. A DNS client of this crate is used because `getaddrinfo` cannot be cancelled.

use std::fmt;
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{LookupIpStrategy, NameServerConfig, ResolverConfig, ResolverOpts};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::address;
use crate::error::SetupError;
use crate::settings::FetcherSettings;
use crate::url_check;

/// Maximum number of addresses that are tried per name.
const MAX_ADDRESSES: usize = 32;

pub(crate) type LookupFuture = Pin<Box<dyn Future<Output = Result<Vec<IpAddr>, GuardError>> + Send>>;

/// Source of addresses of names: DNS, or a table in tests.
pub(crate) trait Lookup: Send + Sync {
    /// All addresses of the name, of both families.
    fn addresses(&self, name: &str) -> LookupFuture;
}

/// Failure of a lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GuardError {
    /// One of the addresses must not be contacted.
    Refused(&'static str),
    NoAddress,
    /// The name servers do not respond, or respond with an error.
    Failed,
    TimedOut,
}

impl fmt::Display for GuardError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Refused(reason) => reason,
            Self::NoAddress => "the host name has no address",
            Self::Failed => "name lookup failed",
            Self::TimedOut => "name lookup took too long",
        })
    }
}

impl std::error::Error for GuardError {}

/// Resolver of the HTTP client that serves one port (or all ports that no setting mentions).
#[derive(Clone)]
pub(crate) struct Guard {
    pub(crate) lookup: Arc<dyn Lookup>,
    pub(crate) settings: Arc<FetcherSettings>,
    /// Port that this client serves. `None` if it serves all ports that no setting mentions. A lookup does
    /// not include the port, so the guard stores it.
    pub(crate) port: Option<u16>,
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = self.clone();
        Box::pin(async move {
            let addresses = guard.addresses(name.as_str()).await?;
            // Port 0 is replaced by the URL's port.
            Ok(Box::new(addresses.into_iter().map(|ip| SocketAddr::new(ip, 0))) as Addrs)
        })
    }
}

impl Guard {
    /// Addresses of a name, all of which may be contacted.
    pub(crate) async fn addresses(&self, name: &str) -> Result<Vec<IpAddr>, GuardError> {
        let mut addresses = self.unchecked_addresses(name).await?;
        check_answer(name, &addresses, self.port, &self.settings)?;
        addresses.truncate(MAX_ADDRESSES);
        Ok(addresses)
    }

    /// Addresses of a name that the operator configured.
    pub(crate) async fn unchecked_addresses(&self, name: &str) -> Result<Vec<IpAddr>, GuardError> {
        let answer = self.lookup.addresses(name);
        tokio::time::timeout(self.settings.dns_timeout, answer).await.map_err(|_| GuardError::TimedOut)?
    }
}

/// Refuses the whole name if one address is not allowed: mixed answers are used to hide a private address.
fn check_answer(
    name: &str,
    addresses: &[IpAddr],
    port: Option<u16>,
    settings: &FetcherSettings,
) -> Result<(), GuardError> {
    if addresses.is_empty() {
        return Err(GuardError::NoAddress);
    }
    if let Some(reason) = addresses.iter().find_map(|ip| address::refusal_reason(*ip, port, settings)) {
        return Err(GuardError::Refused(reason));
    }
    let local = url_check::is_local_name(name);
    if local && !addresses.iter().all(|ip| address::is_allowed(*ip, port, settings)) {
        return Err(GuardError::Refused("its host name is not on the public internet"));
    }
    Ok(())
}

/// DNS as configured on the machine, queried by the DNS client of this crate.
pub(crate) struct Dns {
    resolver: Arc<TokioResolver>,
}

impl Dns {
    /// Reads the machine's resolver settings. If there are none, a local name server is used, as in the C
    /// library, so that requests to literal addresses still work.
    pub(crate) fn new(settings: &FetcherSettings) -> Result<Self, SetupError> {
        let mut builder = match TokioResolver::builder_tokio() {
            Ok(builder) => builder,
            Err(error) => {
                tracing::warn!(%error, "no resolver settings on this machine, using 127.0.0.1");
                let local = NameServerConfig::udp_and_tcp(IpAddr::from([127, 0, 0, 1]));
                let config = ResolverConfig::from_name_servers(vec![local]);
                TokioResolver::builder_with_config(config, TokioRuntimeProvider::default())
            }
        };
        tune(builder.options_mut(), settings.dns_timeout);
        let resolver = builder.build().map_err(|error| SetupError::Resolver(error.to_string()))?;
        Ok(Self { resolver: Arc::new(resolver) })
    }
}

fn tune(options: &mut ResolverOpts, limit: Duration) {
    // Two attempts fit into the limit, with some time left for a fallback to TCP.
    options.timeout = limit.mul_f32(0.4);
    options.attempts = 2;
    options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
    options.max_active_requests = 1024;
}

impl Lookup for Dns {
    fn addresses(&self, name: &str) -> LookupFuture {
        // The trailing dot disables search domains: a public name must not resolve to a name of the local
        // network.
        let mut name = name.to_owned();
        if !url_check::is_local_name(&name) && !name.ends_with('.') {
            name.push('.');
        }
        let resolver = Arc::clone(&self.resolver);
        Box::pin(async move {
            match resolver.lookup_ip(name).await {
                Ok(lookup) => Ok(lookup.iter().collect()),
                Err(error) if error.is_no_records_found() => Err(GuardError::NoAddress),
                Err(error) => {
                    tracing::debug!(%error, "name lookup failed");
                    Err(GuardError::Failed)
                }
            }
        })
    }
}
