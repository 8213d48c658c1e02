//! Classification of public addresses: both bounds of every special range, and all forms of IPv4 in IPv6.

use std::net::IpAddr;

use proptest::prelude::*;

use crate::FetcherSettings;
use crate::address::{is_public, refusal_reason, split_host_port};

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

#[test]
fn special_ipv4_ranges_are_blocked_at_both_limits() {
    for text in [
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.100.100.200",
        "100.127.255.255", "127.0.0.1", "127.255.255.255", "168.63.129.16", "169.254.0.0", "169.254.169.254",
        "169.254.255.255", "172.16.0.0", "172.31.255.255", "192.0.0.0", "192.0.0.192", "192.0.0.255",
        "192.0.2.1", "192.31.196.1", "192.52.193.1", "192.88.99.1", "192.168.0.0", "192.168.255.255",
        "192.175.48.1", "198.18.0.0", "198.19.255.255", "198.51.100.9", "203.0.113.255", "224.0.0.1",
        "239.255.255.255", "240.0.0.0", "255.255.255.255",
    ] {
        assert!(!is_public(ip(text)), "{text} must be closed");
    }
}

#[test]
fn neighbours_of_special_ranges_are_public() {
    for text in [
        "1.0.0.0", "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
        "126.255.255.255", "128.0.0.0", "168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0",
        "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.3.0", "192.167.255.255",
        "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255", "203.0.112.255", "203.0.114.0",
        "223.255.255.255",
    ] {
        assert!(is_public(ip(text)), "{text} must be open");
    }
}

#[test]
fn ipv6_is_public_only_inside_global_unicast() {
    for text in [
        "::",
        "::1",
        "::2",
        "::7f00:1",
        "::ffff:127.0.0.1",
        "::ffff:8.8.8.8",
        "::ffff:0:127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::8.8.8.8",
        "64:ff9b:1::a00:1",
        "100::1",
        "100:0:0:1::1",
        "2001::1",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "2001:10::1",
        "2001:20::1",
        "2001:2::1",
        "2001:1ff:ffff::1",
        "2001:db8::1",
        "2002:7f00:1::1",
        "2002:808:808::1",
        "3fff::1",
        "3fff:fff::1",
        "4000::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fd20:ce::254",
        "fe80::1",
        "febf::1",
        "fec0::1",
        "ff02::1",
        "ffff::1",
    ] {
        assert!(!is_public(ip(text)), "{text} must be closed");
    }
    for text in
        ["2000::1", "2001:200::1", "2001:4860:4860::8888", "2606:4700::1111", "2a00:1450::1", "3ffe::1"]
    {
        assert!(is_public(ip(text)), "{text} must be open");
    }
}

#[test]
fn address_of_this_service_is_blocked_even_if_the_operator_allowed_it() {
    let settings = FetcherSettings {
        allow: vec!["127.0.0.0/8".parse().unwrap(), "::1".parse().unwrap()],
        own_hosts: vec!["127.0.0.1:8080".to_owned(), "93.184.216.34".to_owned(), "[::1]:9090".to_owned()],
        ..FetcherSettings::default()
    };
    assert!(refusal_reason(ip("127.0.0.1"), Some(8080), &settings).is_some());
    assert!(
        refusal_reason(ip("127.9.9.9"), Some(8080), &settings).is_some(),
        "every loopback leads to the same listener"
    );
    assert!(refusal_reason(ip("::1"), Some(8080), &settings).is_some());
    assert!(refusal_reason(ip("127.0.0.1"), Some(9090), &settings).is_some());
    assert!(refusal_reason(ip("93.184.216.34"), Some(443), &settings).is_some());
    assert_eq!(refusal_reason(ip("127.0.0.1"), Some(8081), &settings), None);
    assert_eq!(refusal_reason(ip("93.184.216.35"), Some(443), &settings), None);
}

#[test]
fn hosts_of_this_service_are_split_into_host_and_port() {
    assert_eq!(split_host_port("reader.example"), ("reader.example", None));
    assert_eq!(split_host_port("reader.example:8443"), ("reader.example", Some(8443)));
    assert_eq!(split_host_port("[::1]:80"), ("[::1]", Some(80)));
    assert_eq!(split_host_port("::1"), ("::1", None));
    assert_eq!(split_host_port("[::1]"), ("[::1]", None));
}

proptest! {
    #[test]
    fn ipv6_with_embedded_ipv4_is_never_public(v4 in any::<u32>(), low in any::<u16>()) {
        let high = u128::from(v4) << 80;
        for bits in [
            u128::from(v4),                                  // compatible
            0xffff_u128 << 32 | u128::from(v4),              // mapped
            0xffff_u128 << 48 | u128::from(v4),              // translated
            0x0064_ff9b_u128 << 96 | u128::from(v4),         // NAT64
            0x0064_ff9b_0001_u128 << 80 | u128::from(v4),    // local NAT64
            0x2002_u128 << 112 | high | u128::from(low),     // 6to4
            0x2001_0000_u128 << 96 | u128::from(!v4),        // Teredo
        ] {
            prop_assert!(!is_public(IpAddr::V6(bits.into())));
        }
    }
}
