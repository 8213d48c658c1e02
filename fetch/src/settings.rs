//! Settings of the fetcher. Every default is safe on a bare machine.

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use ipnet::IpNet;

use crate::proxy::Proxies;

/// Treatment of robots.txt (RFC 9309).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RobotsRule {
    /// robots.txt is fetched, cached for a day, and obeyed.
    #[default]
    Obey,
    /// robots.txt is not requested.
    Ignore,
}

/// Settings of a [`crate::Fetcher`].
#[derive(Debug, Clone)]
pub struct FetcherSettings {
    /// Addresses that the operator allows although they are not public. Empty by default.
    pub allow: Vec<AllowRule>,
    /// Proxies that a request can name. Requests that name no proxy are sent directly.
    pub proxies: Proxies,
    /// Treatment of robots.txt. A request can waive robots.txt for itself, but not enforce it.
    pub robots: RobotsRule,
    /// `User-Agent` header. Its product token stays `CarrelBot`, which robots.txt files name.
    pub user_agent: String,
    /// `Accept` header of page requests: the types that the caller can read.
    pub page_types: String,
    /// Origins of this service as `host` or `host:port`. Never fetched, even if the allow list contains them.
    pub own_hosts: Vec<String>,
    /// Public addresses of this machine, through which any host name could lead to this service. They are fetched only
    /// if `allow` contains them. [`crate::Fetcher::new`] adds the addresses that it detects.
    pub own_addresses: Vec<IpAddr>,
    /// Header with which a trusted proxy signs people in to this service. Requests that have it are refused: they could
    /// reach this service from the address of a trusted proxy. `None` if there is none.
    pub sign_in_header: Option<String>,
    /// PEM file of root certificates in addition to the compiled-in set.
    pub extra_root_file: Option<PathBuf>,
    /// Timeout of a name lookup.
    pub dns_timeout: Duration,
    /// Timeout of the TCP and TLS handshakes combined.
    pub connect_timeout: Duration,
    /// Maximum number of redirects.
    pub max_redirects: usize,
    /// Size cap for HTML and text, in bytes after decompression.
    pub page_cap_bytes: usize,
    /// Size cap for feeds and sitemaps, in bytes after decompression.
    pub feed_cap_bytes: usize,
    /// Size cap for everything else, such as PDF, in bytes after decompression.
    pub other_cap_bytes: usize,
    /// Maximum number of concurrent requests per host, of which one caller gets all but one. Background requests
    /// run one at a time.
    pub per_host_concurrency: usize,
    /// Pause between two background requests to one host.
    pub per_host_gap: Duration,
    /// Maximum number of requests that wait for one host. Further requests are refused with [`crate::Error::Busy`],
    /// except the first waiting interactive request of a caller, up to twice this number.
    pub per_host_waiting: usize,
    /// Maximum time for which a request waits for a permit of its host.
    pub max_wait: Duration,
    /// Maximum number of concurrent requests in this process.
    pub total_concurrency: usize,
    /// Maximum number of bodies of more than half a mebibyte in memory in this process.
    pub large_bodies: usize,
}

impl Default for FetcherSettings {
    fn default() -> Self {
        Self {
            allow: Vec::new(),
            proxies: Proxies::default(),
            robots: RobotsRule::Obey,
            user_agent: concat!("CarrelBot/", env!("CARGO_PKG_VERSION")).to_owned(),
            page_types: "text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.5".to_owned(),
            own_hosts: Vec::new(),
            own_addresses: Vec::new(),
            sign_in_header: None,
            extra_root_file: None,
            dns_timeout: Duration::from_secs(5),
            connect_timeout: Duration::from_secs(5),
            max_redirects: 10,
            page_cap_bytes: 10 * 1024 * 1024,
            feed_cap_bytes: 10 * 1024 * 1024,
            other_cap_bytes: 20 * 1024 * 1024,
            per_host_concurrency: 4,
            per_host_gap: Duration::from_millis(250),
            per_host_waiting: 200,
            max_wait: Duration::from_secs(15),
            total_concurrency: 256,
            large_bodies: 8,
        }
    }
}

impl FetcherSettings {
    /// Returns the settings as for an external server: without the addresses of this service, and without the
    /// exceptions, proxies, and certificates of its operator.
    pub(crate) fn seen_from_outside(&self) -> Self {
        Self {
            allow: Vec::new(),
            proxies: Proxies::default(),
            own_hosts: Vec::new(),
            own_addresses: Vec::new(),
            extra_root_file: None,
            ..self.clone()
        }
    }

    /// True if a header signs people in to this service.
    pub fn is_sign_in_header(&self, name: &str) -> bool {
        self.sign_in_header.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(name))
    }
}

/// Exception to the guard, such as `10.0.0.0/8`, `192.168.1.7:8080`, `[fd00::/8]:443`, or `fd00::/8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AllowRule {
    pub net: IpNet,
    /// Allowed port. `None` for all ports.
    pub port: Option<u16>,
}

/// Error of an invalid [`AllowRule`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not an address range: write CIDR or CIDR:port, such as 10.0.0.0/8 or [fd00::/8]:8080")]
pub struct AllowRuleError {
    text: String,
}

impl AllowRule {
    /// True if this rule allows the address at this port. Without a port, only rules for every port match.
    pub fn allows(&self, address: IpAddr, port: Option<u16>) -> bool {
        self.net.contains(&address) && self.port.is_none_or(|only| port == Some(only))
    }
}

impl FromStr for AllowRule {
    type Err = AllowRuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse_rule(text.trim()).ok_or_else(|| AllowRuleError { text: text.to_owned() })
    }
}

impl fmt::Display for AllowRule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.net, self.port) {
            (net, None) => write!(out, "{net}"),
            (IpNet::V4(net), Some(port)) => write!(out, "{net}:{port}"),
            (IpNet::V6(net), Some(port)) => write!(out, "[{net}]:{port}"),
        }
    }
}

fn parse_rule(text: &str) -> Option<AllowRule> {
    if let Some(rest) = text.strip_prefix('[') {
        let (inside, after) = rest.split_once(']')?;
        let port = match after.strip_prefix(':') {
            Some(port) => Some(parse_port(port)?),
            None if after.is_empty() => None,
            None => return None,
        };
        return Some(AllowRule { net: parse_net(inside)?, port });
    }
    if let Some(net) = parse_net(text) {
        return Some(AllowRule { net, port: None });
    }
    let (net, port) = text.rsplit_once(':')?;
    match parse_net(net)? {
        net @ IpNet::V4(_) => Some(AllowRule { net, port: Some(parse_port(port)?) }),
        IpNet::V6(_) => None,
    }
}

fn parse_net(text: &str) -> Option<IpNet> {
    text.parse::<IpNet>().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from)).map(|net| net.trunc())
}

fn parse_port(text: &str) -> Option<u16> {
    text.parse().ok().filter(|port| *port != 0)
}
