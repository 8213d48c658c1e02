//! Classification of IP addresses: public internet or not.
//!
//! The tables are our own because the "is global" checks of common libraries are insufficient: several accept
//! cloud metadata addresses or IPv4 addresses embedded in IPv6. IPv4 is a deny list of special-purpose ranges
//! (IANA registry, RFC 6890 and its updates). IPv6 allows only `2000::/3` minus four ranges, which excludes
//! mapped, NAT64, unique local, link-local, and future special ranges by construction.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};

use crate::settings::FetcherSettings;

/// Special-purpose IPv4 ranges, as network and prefix length.
const NOT_PUBLIC_V4: [(u32, u32); 19] = [
    (v4(0, 0, 0, 0), 8),        // this network
    (v4(10, 0, 0, 0), 8),       // private
    (v4(100, 64, 0, 0), 10),    // carrier-grade NAT, and some clouds' metadata
    (v4(127, 0, 0, 0), 8),      // loopback
    (v4(168, 63, 129, 16), 32), // a cloud's host agent
    (v4(169, 254, 0, 0), 16),   // link-local, cloud metadata
    (v4(172, 16, 0, 0), 12),    // private
    (v4(192, 0, 0, 0), 24),     // protocol assignments, 192.0.0.192 is a metadata address
    (v4(192, 0, 2, 0), 24),     // documentation
    (v4(192, 31, 196, 0), 24),  // AS112
    (v4(192, 52, 193, 0), 24),  // AMT
    (v4(192, 88, 99, 0), 24),   // 6to4 relays
    (v4(192, 168, 0, 0), 16),   // private
    (v4(192, 175, 48, 0), 24),  // AS112
    (v4(198, 18, 0, 0), 15),    // benchmarking
    (v4(198, 51, 100, 0), 24),  // documentation
    (v4(203, 0, 113, 0), 24),   // documentation
    (v4(224, 0, 0, 0), 4),      // multicast
    (v4(240, 0, 0, 0), 4),      // reserved, broadcast
];

/// Ranges inside `2000::/3` that do not belong to the public internet, as network and prefix length.
const NOT_PUBLIC_V6: [(u128, u32); 4] = [
    (v6(0x2001, 0, 0), 23),      // protocol assignments: Teredo, ORCHID, benchmarking
    (v6(0x2001, 0x0db8, 0), 32), // documentation
    (v6(0x2002, 0, 0), 16),      // 6to4, which embeds any IPv4 address
    (v6(0x3fff, 0, 0), 20),      // documentation
];

/// True if an address belongs to the public internet.
pub(crate) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let bits = u32::from(address);
            !NOT_PUBLIC_V4.iter().any(|&(net, length)| (bits ^ net) >> (32 - length) == 0)
        }
        IpAddr::V6(address) => {
            let bits = u128::from(address);
            let global_unicast = bits >> 125 == 1;
            global_unicast && !NOT_PUBLIC_V6.iter().any(|&(net, length)| (bits ^ net) >> (128 - length) == 0)
        }
    }
}

/// Reason why this address must not be contacted at this port. `None` if it may be contacted.
///
/// Without a port, as in a lookup for a port that no setting mentions, only rules that cover every port
/// apply.
pub(crate) fn refusal_reason(
    address: IpAddr,
    port: Option<u16>,
    settings: &FetcherSettings,
) -> Option<&'static str> {
    if settings.own_hosts.iter().any(|own| is_own(own, address, port)) {
        return Some("it is this service itself");
    }
    if is_allowed(address, port, settings) {
        return None;
    }
    if settings.own_addresses.contains(&address) {
        return Some("it is this service itself");
    }
    if is_public(address) { None } else { Some("its address is not on the public internet") }
}

/// IPv4 and IPv6 addresses from which this machine connects to the internet. A third-party host name could
/// resolve to one of them, and thereby lead to other services on this machine. They are read from the routing
/// table instead of resolving the names of our origins: behind a content delivery network, those names
/// resolve to addresses of thousands of other sites.
pub(crate) fn outbound_addresses() -> Vec<IpAddr> {
    // Connecting a datagram socket sends nothing; it only selects a route.
    let local_address = |from: IpAddr, to: IpAddr| {
        let socket = UdpSocket::bind((from, 0)).ok()?;
        socket.connect((to, 443)).ok()?;
        Some(socket.local_addr().ok()?.ip())
    };
    let v4 = local_address(Ipv4Addr::UNSPECIFIED.into(), Ipv4Addr::new(1, 1, 1, 1).into());
    let v6 = local_address(
        Ipv6Addr::UNSPECIFIED.into(),
        Ipv6Addr::new(0x2606, 0x4700, 0, 0, 0, 0, 0, 0x1111).into(),
    );
    v4.into_iter().chain(v6).collect()
}

/// True if the operator allowed this address at this port.
pub(crate) fn is_allowed(address: IpAddr, port: Option<u16>, settings: &FetcherSettings) -> bool {
    settings.allow.iter().any(|rule| rule.allows(address, port))
}

/// True if `own` (`host` or `host:port`) is this address. A service that listens on a loopback or unspecified
/// address is reachable through every loopback address.
fn is_own(own: &str, address: IpAddr, port: Option<u16>) -> bool {
    let (host, own_port) = split_host_port(own);
    if own_port.is_some() && own_port != port {
        return false;
    }
    let own_address = match host.trim_start_matches('[').trim_end_matches(']') {
        "localhost" => IpAddr::V4(Ipv4Addr::LOCALHOST),
        host => match host.parse::<IpAddr>() {
            Ok(address) => address,
            Err(_) => return false,
        },
    };
    let is_local = |ip: IpAddr| ip.is_loopback() || ip.is_unspecified();
    own_address == address || (is_local(own_address) && is_local(address))
}

/// Splits `host:port`, `[v6]:port`, or a bare host.
pub(crate) fn split_host_port(own: &str) -> (&str, Option<u16>) {
    match own.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') || host.ends_with(']') => match port.parse() {
            Ok(port) => (host, Some(port)),
            Err(_) => (own, None),
        },
        _ => (own, None),
    }
}

const fn v4(a: u8, b: u8, c: u8, d: u8) -> u32 {
    Ipv4Addr::new(a, b, c, d).to_bits()
}

const fn v6(a: u16, b: u16, c: u16) -> u128 {
    Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0).to_bits()
}
