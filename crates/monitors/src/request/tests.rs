//! Limits of requests, and sealed credentials.

use super::*;
use kernel::Backend;
use kernel::bounds::MONITOR_HEADER_VALUE_CHARS;
use kernel::testing::{TestDatabase, person};
use kernel::tiers::Tier;

fn header(name: &str, value: &str) -> CustomHeader {
    CustomHeader { name: name.to_owned(), value: value.to_owned() }
}

#[test]
fn connection_headers_and_secret_headers_are_refused() {
    let fault = |name: &str, value: &str| {
        let settings = RequestSettings { headers: vec![header(name, value)], ..RequestSettings::default() };
        settings.check().err().and_then(|error| Some(error.field()?.path.pointer(str::to_owned)))
    };
    let (name, value) = ("/request/headers/0/name", "/request/headers/0/value");
    for refused in ["Host", "content-length", "Cookie", "AUTHORIZATION", "Range", "a b", "", "é", "a\r\nb"] {
        assert_eq!(fault(refused, "x").as_deref(), Some(name), "{refused}");
    }
    for refused in ["a\r\nX-Other: b", "é", "\u{7f}", "x".repeat(MONITOR_HEADER_VALUE_CHARS + 1).as_str()] {
        assert_eq!(fault("X-Region", refused).as_deref(), Some(value), "{refused}");
    }
    for (name, value) in [("X-Region", "eu"), ("Accept", "application/json"), ("x-empty", "")] {
        assert_eq!(fault(name, value), None, "{name}");
    }
}

#[test]
fn too_long_body_and_user_agent_are_refused() {
    let post = |content_type: &str, chars: usize| {
        let (content_type, body) = (content_type.to_owned(), "é".repeat(chars));
        let post = Post { method: PostMethod::Put, content_type, body };
        RequestSettings { post: Some(post), ..RequestSettings::default() }.check().is_ok()
    };
    assert!(post("application/json", MONITOR_BODY_CHARS));
    assert!(!post("application/json", MONITOR_BODY_CHARS + 1));
    assert!(!post("json", 1) && !post("a/b\r\nc", 1));
    let agent = |text: &str| {
        RequestSettings { user_agent: Some(text.to_owned()), ..RequestSettings::default() }.check().is_ok()
    };
    assert!(agent("Harbour/1.0 (watch)") && !agent(" ") && !agent("a\nb"));
}

#[test]
fn responses_are_comparable_after_a_password_change() {
    let sealed = |kind, digest: &str| SealedCredentials {
        kind,
        value: SealedValue {
            origin: "https://a.example".into(),
            digest: digest.into(),
            sealed: digest.into(),
        },
    };
    let with = |credentials| RequestSettings { credentials, ..RequestSettings::default() };
    let first = with(Some(sealed(CredentialKind::Basic, "one")));
    assert!(first.is_comparable_with(&with(Some(sealed(CredentialKind::Basic, "two")))));
    assert!(!first.is_comparable_with(&with(Some(sealed(CredentialKind::Bearer, "one")))));
    assert!(!first.is_comparable_with(&with(None)));
    let agent = RequestSettings { user_agent: Some("x".into()), ..first.clone() };
    assert!(!first.is_comparable_with(&agent));
}

#[tokio::test]
async fn credentials_open_only_for_their_account_and_origin() {
    let database = TestDatabase::create(Backend::Sqlite).await;
    let domain = &database.domain;
    let (owner, stranger) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
    let url = Url::parse("https://a.example/status").unwrap();
    let basic = Credentials::Basic { username: "ada".into(), password: "opened".into() };
    let sealed_basic = seal(domain, owner, &url, &basic).await.unwrap();
    let again = seal(domain, owner, &url, &basic).await.unwrap();
    assert_eq!(sealed_basic.value.digest, again.value.digest, "equal credentials are recognised");
    assert_ne!(sealed_basic.value.sealed, again.value.sealed);
    let stored = serde_json::to_string(&sealed_basic).unwrap();
    assert!(!stored.contains("opened") && !stored.contains("ada"), "{stored}");
    assert!(!format!("{basic:?}").contains("opened"));
    let vault = sealed::load_vault(domain).await.unwrap();
    let value = |account, url: &str| match open(&vault, account, url, &sealed_basic) {
        OpenedCredentials::Header(header) => Some(header.value),
        OpenedCredentials::None | OpenedCredentials::Unreadable => None,
    };
    let expected = Some(format!("Basic {}", BASE64.encode(b"ada:opened")));
    assert_eq!(value(owner, "https://a.example/other"), expected);
    for elsewhere in ["http://a.example/", "https://a.example:8443/", "https://b.example/", "no address"] {
        assert_eq!(value(owner, elsewhere), None, "{elsewhere}");
    }
    assert_eq!(value(stranger, "https://a.example/"), None);
    let settings = RequestSettings { credentials: Some(sealed_basic), ..RequestSettings::default() };
    assert!(check_origin(&settings, &url).is_ok());
    assert!(check_origin(&settings, &Url::parse("https://b.example/").unwrap()).is_err());
}

#[tokio::test]
async fn malformed_credentials_are_refused() {
    let database = TestDatabase::create(Backend::Sqlite).await;
    let domain = &database.domain;
    let owner = person(domain, Tier::Free).await;
    let url = Url::parse("https://a.example/").unwrap();
    for (credentials, pointer) in [
        (Credentials::Basic { username: "a:b".into(), password: "x".into() }, "/credentials/basic/username"),
        (Credentials::Basic { username: "a".into(), password: "x\ny".into() }, "/credentials/basic/password"),
        (Credentials::Bearer("a b".into()), "/credentials/bearer"),
        (Credentials::Bearer(String::new()), "/credentials/bearer"),
        (Credentials::Header(header("Host", "x")), "/credentials/header/name"),
        (Credentials::Header(header("X-Key", "a\nb")), "/credentials/header/value"),
    ] {
        let error = seal(domain, owner, &url, &credentials).await.unwrap_err();
        assert_eq!(error.field().unwrap().path.pointer(str::to_owned), pointer);
    }
    let cookie = Credentials::Header(header("Cookie", "session=1"));
    assert!(seal(domain, owner, &url, &cookie).await.is_ok(), "a cookie is accepted as credentials");
}
