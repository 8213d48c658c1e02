//! Networks as the unit of rate limits. One IPv6 connection can have many /64 networks, so the wider networks that
//! contain an address are counted too. Their quota is a multiple of the quota of a /64, because many callers may share
//! them.

use std::net::{IpAddr, Ipv6Addr};

use kernel::hash::hash64;
use serde::{Deserialize, Serialize};

use super::window::{Counter, RatePolicy};

/// Wider IPv6 networks: prefix length, and their quota as a multiple of the quota of a /64.
const WIDER: [(u32, u32); 2] = [(56, 4), (48, 16)];

/// The network of a request: an IPv4 address, or an IPv6 /64 with its wider networks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Network {
    name: String,
    wider: Vec<(String, u32)>,
}

impl Network {
    pub fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self { name: address.to_string(), wider: Vec::new() },
            IpAddr::V6(address) => Self {
                name: prefix(address, 64),
                wider: WIDER.map(|(bits, times)| (prefix(address, bits), times)).into(),
            },
        }
    }

    /// The narrowest network, which identifies a caller.
    pub fn as_str(&self) -> &str {
        &self.name
    }

    /// The widest network that may belong to a single caller: an IPv4 address, or an IPv6 /48.
    pub fn widest(&self) -> &str {
        self.wider.last().map_or(&self.name, |(name, _)| name)
    }

    /// The network with hashes as names, because jobs must not store the addresses of their callers. Its counters are
    /// separate from those of the network itself.
    #[must_use]
    pub fn hashed(&self) -> Self {
        let hashed = |name: &str| format!("{:016x}", hash64(name.as_bytes()));
        Self {
            name: hashed(&self.name),
            wider: self.wider.iter().map(|(name, times)| (hashed(name), *times)).collect(),
        }
    }

    /// The network and its wider networks, each with its quota as a multiple of the quota of a /64.
    pub fn names(&self) -> impl Iterator<Item = (&str, usize)> {
        let wider = self.wider.iter().map(|(name, times)| (name.as_str(), *times as usize));
        std::iter::once((self.name.as_str(), 1)).chain(wider)
    }

    /// Returns the counters of `kind` for this network: first the narrowest network, then the wider ones. If no policy
    /// has a cost, only the first counter is returned.
    pub fn counters(&self, kind: &str, policies: &[RatePolicy]) -> Vec<Counter> {
        let narrowest = Counter { key: format!("{kind}:{}", self.name), policies: policies.to_vec() };
        let is_free = policies.iter().all(|policy| policy.cost == 0);
        let wider = self.wider.iter().filter(|_| !is_free).map(|(name, times)| Counter {
            key: format!("{kind}:{name}"),
            policies: policies
                .iter()
                .map(|policy| RatePolicy { quota: policy.quota.saturating_mul(*times), ..*policy })
                .collect(),
        });
        std::iter::once(narrowest).chain(wider).collect()
    }
}

fn prefix(address: Ipv6Addr, bits: u32) -> String {
    let masked = u128::from(address) & (u128::MAX << (128 - bits));
    format!("{}/{bits}", Ipv6Addr::from(masked))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::window::Windows;

    fn network(text: &str) -> Network {
        Network::of(text.parse().unwrap())
    }

    #[test]
    fn addresses_in_the_same_ipv6_64_count_as_one_caller() {
        assert_eq!(network("2001:db8:1:2:3:4:5:6").as_str(), "2001:db8:1:2::/64");
        assert_eq!(network("::ffff:192.0.2.1").as_str(), "192.0.2.1");
        assert_eq!(network("2001:db8:1:2:3:4:5:6").widest(), "2001:db8:1::/48");
        assert_eq!(network("192.0.2.1").widest(), "192.0.2.1");
        assert_eq!(network("192.0.2.1").counters("read", &[RatePolicy::sliding("burst", 5, 10)]).len(), 1);
    }

    #[test]
    fn hashed_network_has_the_same_quotas_and_no_address() {
        let network = network("2001:db8:1:2:3:4:5:6");
        let hashed = network.hashed();
        assert!(!serde_json::to_string(&hashed).unwrap().contains("2001"));
        let quotas = |network: &Network| network.names().map(|(_, times)| times).collect::<Vec<_>>();
        assert_eq!(quotas(&hashed), quotas(&network));
        assert_eq!(hashed, network.hashed());
    }

    #[tokio::test]
    async fn quota_of_all_subnets_of_an_ipv6_48_is_bounded() {
        let windows = Windows::memory();
        let policies = [RatePolicy::sliding("burst", 2, 10)];
        let mut allowed = 0;
        for subnet in 0..256 {
            let caller = network(&format!("2001:db8:1:{subnet:x}::1"));
            let charges = windows.check_each(caller.counters("read", &policies), 1000).await;
            allowed += u32::from(charges.refusal().is_none());
        }
        assert_eq!(allowed, 8, "a /56 has four quotas, not 256");
        for line in 1..100 {
            let caller = network(&format!("2001:db8:1:{line:02x}00::1"));
            let charges = windows.check_each(caller.counters("read", &policies), 1000).await;
            allowed += u32::from(charges.refusal().is_none());
        }
        assert_eq!(allowed, 32, "a /48 has sixteen quotas");
        let other = network("2001:db8:2::1");
        assert!(windows.check_each(other.counters("read", &policies), 1000).await.refusal().is_none());
    }
}
