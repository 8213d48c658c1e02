//! What an operator can change about fetching; every default is safe on a bare machine.

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use ipnet::IpNet;

/// Whether robots.txt (RFC 9309) is read and obeyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RobotsRule {
    /// Read it, keep it for a day, obey it.
    #[default]
    Obey,
    /// Do not ask for it.
    Ignore,
}

/// Everything a [`crate::Fetcher`] is made from.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Addresses the operator opens although they are not public; empty by default.
    pub allow: Vec<AllowRule>,
    /// Whether robots.txt counts at all; a request can waive it for itself, never enforce it.
    pub robots: RobotsRule,
    /// The `User-Agent` line; its product token stays `CarrelBot`, which robots.txt files name.
    pub user_agent: String,
    /// The `Accept` line of a request for a page: what the caller can read.
    pub page_types: String,
    /// Our own origins as `host` or `host:port`: never fetched, whatever the allow list says.
    pub own_hosts: Vec<String>,
    /// Public addresses of this machine, which lead back to us under whatever name: only what `allow` opens of
    /// them is fetched. [`crate::Fetcher::new`] adds those that it finds.
    pub own_addresses: Vec<IpAddr>,
    /// A PEM file of further root certificates, besides the compiled-in set.
    pub extra_root_file: Option<PathBuf>,
    /// The longest a name lookup may take.
    pub dns_timeout: Duration,
    /// The longest TCP and TLS handshakes may take together.
    pub connect_timeout: Duration,
    /// How many redirects are followed.
    pub max_redirects: usize,
    /// The cap for HTML, text and feeds, in bytes after decompression.
    pub page_cap_bytes: usize,
    /// The cap for everything else (PDF), in bytes after decompression.
    pub other_cap_bytes: usize,
    /// How many interactive requests one host gets at once; background ones get one.
    pub per_host_concurrency: usize,
    /// The pause between two background requests to one host.
    pub per_host_gap: Duration,
    /// How many requests may wait for one host; more are refused as [`crate::Error::Busy`].
    pub per_host_waiting: usize,
    /// The longest a request waits for its turn at a host.
    pub max_wait: Duration,
    /// How many requests run at once in this process.
    pub total_concurrency: usize,
    /// How many bodies of more than half a mebibyte are in memory at once in this process.
    pub large_bodies: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            allow: Vec::new(),
            robots: RobotsRule::Obey,
            user_agent: concat!("CarrelBot/", env!("CARGO_PKG_VERSION")).to_owned(),
            page_types: "text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.5".to_owned(),
            own_hosts: Vec::new(),
            own_addresses: Vec::new(),
            extra_root_file: None,
            dns_timeout: Duration::from_secs(5),
            connect_timeout: Duration::from_secs(5),
            max_redirects: 10,
            page_cap_bytes: 10 * 1024 * 1024,
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

/// One opening in the guard: `10.0.0.0/8`, `192.168.1.7:8080`, `[fd00::/8]:443`, `fd00::/8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AllowRule {
    /// The addresses.
    pub net: IpNet,
    /// The one port, or every port.
    pub port: Option<u16>,
}

/// Why a text is not an [`AllowRule`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not an address range: write CIDR or CIDR:port, such as 10.0.0.0/8 or [fd00::/8]:8080")]
pub struct AllowRuleError {
    text: String,
}

impl AllowRule {
    /// Whether this rule opens the address at this port; without a port only rules for every port count.
    pub fn opens(&self, address: IpAddr, port: Option<u16>) -> bool {
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
