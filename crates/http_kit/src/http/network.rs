//! Client address of a request: the peer, or the address reported by a trusted proxy.

use std::net::{IpAddr, Ipv6Addr};

use ipnet::IpNet;
use poem::Request;
use poem::http::HeaderMap;

/// Returns the address of the client: the peer, unless the peer is a trusted proxy. In that case, it is the
/// last address in `X-Forwarded-For` (or `Forwarded`, RFC 7239) that is not a trusted proxy.
pub fn client_address(request: &Request, trusted: &[IpNet]) -> IpAddr {
    address_behind(peer(request).unwrap_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED)), request.headers(), trusted)
}

/// Returns true if a trusted proxy sent the request itself. Headers that name other hops do not count.
pub fn is_from_proxy(request: &Request, trusted: &[IpNet]) -> bool {
    peer(request).is_some_and(|peer| trusted.iter().any(|net| net.contains(&peer)))
}

/// Returns the direct peer of a request. `None` if it has no IP address.
fn peer(request: &Request) -> Option<IpAddr> {
    request.remote_addr().as_socket_addr().map(|address| address.ip().to_canonical())
}

fn address_behind(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|net| net.contains(&address));
    if !is_trusted(peer) {
        return peer;
    }
    let mut client = peer;
    for hop in forwarded(headers).into_iter().rev() {
        let Some(address) = hop else { break };
        client = address;
        if !is_trusted(address) {
            break;
        }
    }
    client
}

/// Returns the forwarding hops, nearest last. A hop that cannot be parsed is `None`. If the two headers
/// contradict each other, the only hop is `None`.
fn forwarded(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let lines = |name: &str| -> Vec<String> {
        headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).map(str::to_owned).collect()
    };
    let (plain, standard) = (lines("x-forwarded-for"), lines("forwarded"));
    let plain: Vec<_> =
        plain.iter().flat_map(|line| line.split(',')).map(|hop| address_of(hop.trim())).collect();
    if standard.is_empty() {
        return plain;
    }
    let standard: Vec<_> = standard
        .iter()
        .flat_map(|line| line.split(','))
        .map(|hop| {
            let node = hop.split(';').find_map(|pair| {
                let (name, value) = pair.trim().split_once('=')?;
                name.eq_ignore_ascii_case("for").then(|| value.trim_matches('"'))
            });
            node.and_then(address_of)
        })
        .collect();
    // A proxy that writes only one of the headers may forward the other header unchanged from the client, so
    // headers that contradict each other are not trusted.
    if plain.is_empty() || plain.last() == standard.last() { standard } else { vec![None] }
}

/// Parses an address with or without a port, in the formats that proxies use.
fn address_of(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.split(']').next());
    if let Some(inside) = bare {
        return inside.parse().ok();
    }
    text.parse()
        .ok()
        .or_else(|| text.parse::<std::net::SocketAddr>().ok().map(|address| address.ip()))
        .map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, lines: &[(&'static str, &str)]) -> String {
        let trusted: Vec<IpNet> = vec!["10.0.0.0/8".parse().unwrap(), "fd00::/8".parse().unwrap()];
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, value.parse().unwrap());
        }
        address_behind(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    #[test]
    fn untrusted_peer_cannot_forge_client_address() {
        assert_eq!(client("198.51.100.7", &[("x-forwarded-for", "192.0.2.1")]), "198.51.100.7");
        assert_eq!(client("198.51.100.7", &[("forwarded", "for=192.0.2.1")]), "198.51.100.7");
    }

    #[test]
    fn trusted_proxy_yields_nearest_untrusted_hop() {
        assert_eq!(
            client("10.0.0.1", &[("x-forwarded-for", "192.0.2.66, 198.51.100.7, 10.0.0.2")]),
            "198.51.100.7"
        );
        assert_eq!(
            client("10.0.0.1", &[("forwarded", "for=\"[2001:db8::1]:47\";proto=https")]),
            "2001:db8::1"
        );
        assert_eq!(client("10.0.0.1", &[("x-forwarded-for", "192.0.2.1, nonsense")]), "10.0.0.1");
        assert_eq!(client("10.0.0.1", &[]), "10.0.0.1");
    }

    #[test]
    fn contradictory_forwarding_headers_are_ignored() {
        let both = |plain: &str, standard: &str| {
            client("10.0.0.1", &[("x-forwarded-for", plain), ("forwarded", standard)])
        };
        assert_eq!(both("198.51.100.7", "for=198.51.100.7"), "198.51.100.7");
        assert_eq!(both("192.0.2.66", "for=198.51.100.7"), "10.0.0.1");
        assert_eq!(both("198.51.100.7", "for=192.0.2.66"), "10.0.0.1");
    }
}
