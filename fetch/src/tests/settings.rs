//! Allow rules as operators write them.

use crate::AllowRule;

#[test]
fn allow_rules_read_back_as_they_were_written() {
    for text in ["10.0.0.0/8", "192.168.1.7/32:8080", "fd00::/8", "[fd00::/8]:443"] {
        let rule: AllowRule = text.parse().unwrap();
        assert_eq!(rule.to_string(), text);
    }
}

#[test]
fn a_bare_address_is_a_rule_for_itself() {
    assert_eq!("127.0.0.1".parse::<AllowRule>().unwrap().to_string(), "127.0.0.1/32");
    assert_eq!("127.0.0.1:81".parse::<AllowRule>().unwrap().to_string(), "127.0.0.1/32:81");
    assert_eq!("::1".parse::<AllowRule>().unwrap().to_string(), "::1/128");
    assert_eq!("[::1]:81".parse::<AllowRule>().unwrap().to_string(), "[::1/128]:81");
    assert_eq!("10.9.8.7/8".parse::<AllowRule>().unwrap().to_string(), "10.0.0.0/8");
}

#[test]
fn what_is_no_rule_says_how_to_write_one() {
    for text in [
        "",
        "10.0.0.0/33",
        "localhost",
        "10.0.0.0/8:",
        "10.0.0.0/8:0",
        "10.0.0.0/8:70000",
        "[::1",
        "[::1]x",
        "*",
    ] {
        let error = text.parse::<AllowRule>().unwrap_err();
        assert!(error.to_string().contains("CIDR"), "{text}");
    }
}

#[test]
fn a_rule_with_a_port_opens_nothing_when_the_port_is_unknown() {
    let rule: AllowRule = "10.0.0.0/8:8080".parse().unwrap();
    assert!(rule.opens("10.1.1.1".parse().unwrap(), Some(8080)));
    assert!(!rule.opens("10.1.1.1".parse().unwrap(), Some(80)));
    assert!(!rule.opens("10.1.1.1".parse().unwrap(), None));
}
