//! Tests of the classification of command-line arguments as pages or files.

use super::*;

#[test]
fn url_without_scheme_tries_https_first() {
    let pages = [
        "example.com", "example.com/a?b", "bücher.example", "localhost.localdomain:8080/x", "localhost:8080",
        "127.0.0.1:8080/x", "192.0.2.7/x",
    ];
    for text in pages {
        let urls = vec![format!("https://{text}"), format!("http://{text}")];
        assert_eq!(InputSource::of(text), InputSource::Web(urls), "{text}");
    }
    for text in [
        "-", "notes.html", "./example.com", "/etc/hosts", "notes", "a b.com", "Cargo.toml", "12:30 notes",
        "1.2.3",
    ] {
        assert_eq!(InputSource::of(text), InputSource::Local, "{text}");
    }
    assert_eq!(InputSource::of("http://example.com"), InputSource::Web(vec!["http://example.com".into()]));
}

#[test]
fn plain_http_is_tried_only_after_connection_errors() {
    assert!(is_connection_error(&fetch::Error::Unreachable { reason: "no such name" }));
    assert!(is_connection_error(&fetch::Error::Tls { reason: "the certificate has expired".into() }));
    for answer in [
        fetch::Error::NotFound { gone: false },
        fetch::Error::RobotsDisallowed,
        fetch::Error::Status { status: 500, retry_after: None },
    ] {
        assert!(!is_connection_error(&answer), "{answer}");
    }
}
