//! Allow rules as written by operators.

use crate::{AllowRule, FetcherSettings};

#[test]
fn allow_rules_round_trip() {
    for text in ["10.0.0.0/8", "192.168.1.7/32:8080", "fd00::/8", "[fd00::/8]:443"] {
        let rule: AllowRule = text.parse().unwrap();
        assert_eq!(rule.to_string(), text);
    }
}

#[test]
fn bare_address_is_a_rule_for_that_address() {
    assert_eq!("127.0.0.1".parse::<AllowRule>().unwrap().to_string(), "127.0.0.1/32");
    assert_eq!("127.0.0.1:81".parse::<AllowRule>().unwrap().to_string(), "127.0.0.1/32:81");
    assert_eq!("::1".parse::<AllowRule>().unwrap().to_string(), "::1/128");
    assert_eq!("[::1]:81".parse::<AllowRule>().unwrap().to_string(), "[::1/128]:81");
    assert_eq!("10.9.8.7/8".parse::<AllowRule>().unwrap().to_string(), "10.0.0.0/8");
}

#[test]
fn invalid_rule_error_explains_the_format() {
    for text in [
        "", "10.0.0.0/33", "localhost", "10.0.0.0/8:", "10.0.0.0/8:0", "10.0.0.0/8:70000", "[::1", "[::1]x",
        "*",
    ] {
        let error = text.parse::<AllowRule>().unwrap_err();
        assert!(error.to_string().contains("CIDR"), "{text}");
    }
}

#[test]
fn rule_with_a_port_does_not_allow_an_address_without_a_port() {
    let rule: AllowRule = "10.0.0.0/8:8080".parse().unwrap();
    assert!(rule.allows("10.1.1.1".parse().unwrap(), Some(8080)));
    assert!(!rule.allows("10.1.1.1".parse().unwrap(), Some(80)));
    assert!(!rule.allows("10.1.1.1".parse().unwrap(), None));
}

#[test]
fn fetcher_from_outside_ignores_exceptions_of_the_operator() {
    let settings = FetcherSettings {
        allow: vec!["10.0.0.0/8".parse().unwrap()],
        own_hosts: vec!["carrel.example.org".to_owned()],
        own_addresses: vec!["93.184.216.34".parse().unwrap()],
        extra_root_file: Some("root.pem".into()),
        ..FetcherSettings::default()
    };
    let is_allowed = |url: &str, settings: &FetcherSettings| crate::check_url(url, settings).is_ok();
    let outside = settings.seen_from_outside();
    for own in ["https://carrel.example.org/x", "https://93.184.216.34/x"] {
        assert!(!is_allowed(own, &settings) && is_allowed(own, &outside), "{own}");
    }
    assert!(is_allowed("https://10.1.1.1/x", &settings) && !is_allowed("https://10.1.1.1/x", &outside));
    assert_eq!(outside.extra_root_file, None);
}
