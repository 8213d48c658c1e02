//! Syntactic guard: all spellings of addresses, invalid URLs, and names that are not public.

use crate::{FetcherSettings, UrlError, check_url, is_confidential};

fn check(text: &str) -> Result<String, UrlError> {
    check_url(text, &FetcherSettings::default()).map(|url| url.to_string())
}

fn assert_blocked(texts: &[&str]) {
    for text in texts {
        assert!(matches!(check(text), Err(UrlError::NotAllowed(_))), "{text}: {:?}", check(text));
    }
}

fn assert_invalid(texts: &[&str]) {
    for text in texts {
        assert!(matches!(check(text), Err(UrlError::Invalid(_))), "{text:?}: {:?}", check(text));
    }
}

#[test]
fn ipv4_loopback_is_blocked_in_every_spelling() {
    assert_blocked(&[
        "http://127.0.0.1/",
        "http://127.0.0.1:80/",
        "https://127.0.0.1",
        "HTTP://127.0.0.1/",
        "http://127.0.0.1./",
        "http://2130706433/",
        "http://017700000001/",
        "http://0x7f000001/",
        "http://0X7F.1/",
        "http://0177.0.0.1/",
        "http://0177.0x0.1/",
        "http://00000177.0.0.01/",
        "http://127.1/",
        "http://127.0.1/",
        "http://127.65530/",
        "http://0/",
        "http://0.0.0.0/",
        "http://%31%32%37.0.0.1/",
        "http://127%2e0%2e0%2e1/",
        "http://\u{ff11}\u{ff12}\u{ff17}.0.0.1/",
        "http://127\u{3002}0\u{3002}0\u{3002}1/",
        "http://127\u{ff0e}0\u{ff61}0.1/",
        "http://\u{2460}\u{2461}\u{2466}.0.0.1/",
        "http://\u{b9}\u{b2}\u{2077}.0.0.1/",
        "http://\u{1d7cf}\u{1d7d0}\u{1d7d5}.0.0.1/",
        "http://127.0.0.1\u{ad}/",
        "http://1\u{ad}27.0.0.1/",
    ]);
}

#[test]
fn invalid_ipv4_numbers_are_invalid_urls() {
    assert_invalid(&[
        "http://4294967296/", "http://127.0.0.256/", "http://256.256.256.256/", "http://1.2.3.4.5/",
        "http://0x7f.0.0.0.1/", "http://127.0.0.1../", "http://127..0.1/", "http://0xg.1/",
        "http://09.0.0.1/",
    ]);
}

#[test]
fn private_metadata_and_reserved_addresses_are_blocked() {
    assert_blocked(&[
        "http://10.0.0.1/",
        "http://172.16.5.4/",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://2852039166/",
        "http://0xa9fea9fe/",
        "http://0251.0376.0251.0376/",
        "http://100.100.100.200/",
        "http://192.0.0.192/",
        "http://168.63.129.16/",
        "http://198.18.0.1/",
        "http://224.0.0.1/",
        "http://255.255.255.255/",
    ]);
}

#[test]
fn non_global_ipv6_is_blocked_in_every_spelling() {
    assert_blocked(&[
        "http://[::1]/",
        "http://[0:0:0:0:0:0:0:1]/",
        "http://[0000:0000:0000:0000:0000:0000:0000:0001]/",
        "http://[::0.0.0.1]/",
        "http://[::]/",
        "http://[::127.0.0.1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[0:0:0:0:0:ffff:127.0.0.1]/",
        "http://[::ffff:0:127.0.0.1]/",
        "http://[64:ff9b::127.0.0.1]/",
        "http://[64:ff9b:1::10.0.0.1]/",
        "http://[2002:7f00:1::]/",
        "http://[2001:0:0:0:0:0:80ff:fffe]/",
        "http://[2001:10::1]/",
        "http://[fc00::1]/",
        "http://[fd00:ec2::254]/",
        "http://[fe80::1]/",
        "http://[fec0::1]/",
        "http://[100::1]/",
        "http://[3fff::1]/",
        "http://[5f00::1]/",
        "http://[ff02::1]/",
    ]);
    assert_invalid(&[
        "http://[fe80::1%25eth0]/", "http://[fe80::1%eth0]/", "http://[::1/", "http://::1/", "http://[]/",
        "http://[:::1]/", "http://[::1]x/", "http://[127.0.0.1]/",
    ]);
}

#[test]
fn non_public_names_are_blocked() {
    assert_blocked(&[
        "http://localhost/",
        "http://LOCALHOST/",
        "http://localhost./",
        "http://\u{24db}ocalhost/",
        "http://loc%61lhost/",
        "http://a.localhost/",
        "http://localhost.localdomain/",
        "http://router/",
        "http://printer.local/",
        "http://metadata.google.internal/",
        "http://nas.lan/",
        "http://dc.corp/",
        "http://box.home.arpa/",
        "http://expyuzz4wqqyqhjn.onion/",
    ]);
}

#[test]
fn url_that_a_parser_would_repair_is_invalid() {
    assert_invalid(&[
        "",
        " http://example.com/",
        "http://example.com/ ",
        "http://exa mple.com/",
        "ht\ttp://example.com/",
        "http://example.com/\r\nX: y",
        "http://example.com/\0",
        "http://example.com\\@evil.example/",
        "http:\\\\example.com/",
        "http:/example.com/",
        "http:example.com/",
        "http:///example.com/",
        "http://",
        "http://?x",
        "http://#x",
        "http://:80/",
        "//example.com/",
        "/relative",
        "example.com",
        "http://example.com:99999/",
        "http://example.com:8o/",
        "http://exa<mple.com/",
        "http://ex%00ample.com/",
        "http://.example.com/",
        "http://example..com/",
        "http://xn--/",
    ]);
    let long_label = format!("http://{}.example/", "a".repeat(64));
    assert_invalid(&[&long_label]);
}

#[test]
fn schemes_except_http_and_https_are_invalid() {
    for scheme in [
        "ftp", "file", "gopher", "dict", "ldap", "tftp", "jar", "data", "javascript", "blob", "ws", "wss",
        "ssh", "git", "smb", "mailto", "view-source", "about", "chrome", "netdoc", "php", "phar", "expect",
        "sftp", "unix", "httpx", "https+unix",
    ] {
        assert_invalid(&[&format!("{scheme}://example.com/")]);
    }
}

#[test]
fn user_info_is_invalid() {
    assert_invalid(&[
        "http://user@example.com/",
        "http://user:pass@example.com/",
        "http://:@example.com/",
        "http://@example.com/",
        "http://example.com@127.0.0.1/",
        "http://127.0.0.1@example.com/",
    ]);
    assert!(check("https://example.com/@someone/post?to=a@b.example").is_ok());
}

#[test]
fn url_of_4096_characters_is_valid_and_a_longer_url_is_refused() {
    let base = "https://example.com/";
    let longest = format!("{base}{}", "a".repeat(4096 - base.len()));
    assert!(check(&longest).is_ok());
    assert_invalid(&[&format!("{longest}a")]);
}

#[test]
fn ports_without_web_pages_are_blocked() {
    for port in [
        0, 1, 22, 23, 25, 53, 110, 143, 465, 587, 993, 2049, 3306, 5432, 5672, 6000, 6379, 6667, 9200, 11211,
        27017,
    ] {
        assert_blocked(&[&format!("http://example.com:{port}/")]);
    }
    for port in [80, 443, 3000, 8000, 8080, 8443, 8888, 49152] {
        assert!(check(&format!("http://example.com:{port}/")).is_ok(), "{port}");
    }
}

#[test]
fn api_key_in_url_is_detected() {
    let key = "svc_0123456789abcdefghijABCDEFGHIJ0123456789abcdef";
    for text in [
        format!("https://example.com/?key={key}"),
        format!("https://example.com/{key}/page"),
        format!("https://user:{key}@example.com/"),
        format!("https://example.com/#{key}"),
        format!("https://example.com/?k=%73vc_{}", &key[4..]),
        format!("https://example.com/?k=svc%5F{}", &key[4..]),
        "https://example.com/?key=svc_abc123def456ghi7".to_owned(),
    ] {
        assert_eq!(check(&text), Err(UrlError::Credential), "{text}");
    }
    assert!(check("https://example.com/svc_documentation_of_services").is_ok());
    assert!(check("https://example.com/svc_internationalization").is_ok());
    assert!(check("https://example.com/?svc_v2").is_ok());
}

#[test]
fn ordinary_urls_are_allowed() {
    for text in [
        "https://example.com",
        "http://example.com/a/b?c=d&e=f#g",
        "https://sub.example.co.uk:8443/%E2%82%AC",
        "https://b\u{fc}cher.example/stra\u{df}e",
        "https://xn--bcher-kva.example/",
        "https://example.com./",
        "https://under_score.example.com/",
        "http://1.1.1.1/",
        "http://[2606:4700:4700::1111]/",
        "https://localhost.example.com/",
        "https://notlocalhost.com/",
        "https://internal.example.com/",
    ] {
        assert!(check(text).is_ok(), "{text}: {:?}", check(text));
    }
}

#[test]
fn origins_of_this_service_are_blocked_even_for_the_operator() {
    let settings = FetcherSettings {
        own_hosts: vec!["reader.example.com".to_owned(), "api.example.com:8443".to_owned()],
        ..FetcherSettings::default()
    };
    let check = |text: &str| check_url(text, &settings);
    for text in [
        "http://reader.example.com/",
        "https://READER.example.com./x",
        "https://reader.example.com:444/",
        "https://api.example.com:8443/",
    ] {
        assert!(matches!(check(text), Err(UrlError::NotAllowed(_))), "{text}");
    }
    assert!(check("https://api.example.com/").is_ok());
    assert!(check("https://www.reader.example.com/").is_ok());
}

#[test]
fn allow_rule_allows_only_its_addresses_and_ports() {
    let settings = FetcherSettings {
        allow: vec!["10.1.0.0/16:8080".parse().unwrap(), "fd00::/8".parse().unwrap()],
        ..FetcherSettings::default()
    };
    let check = |text: &str| check_url(text, &settings).is_ok();
    assert!(check("http://10.1.2.3:8080/"));
    assert!(check("http://[fd00::1]/"));
    assert!(check("http://nas.lan/"), "a local name passes; its addresses are checked after the lookup");
    assert!(!check("http://10.1.2.3/"));
    assert!(!check("http://10.2.2.3:8080/"));
    assert!(!check("http://127.0.0.1:8080/"));
    assert!(!check("http://x.onion/"));
}

#[test]
fn secrets_can_be_sent_over_tls_and_to_loopback_addresses() {
    for url in ["https://example.org/", "http://127.0.0.1:8080/", "http://127.8.0.1", "http://[::1]:80/a"] {
        assert!(is_confidential(url), "{url}");
    }
    for url in [
        "http://example.org/", "http://10.0.0.1/", "http://localhost/", "http://[fd00::1]/",
        "ftp://127.0.0.1/", "/a",
    ] {
        assert!(!is_confidential(url), "{url}");
    }
}
