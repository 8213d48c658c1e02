//! Tests of the storage of cookies, and of the requests with which they are sent.

use reqwest::header::{DATE, HeaderMap, HeaderValue, SET_COOKIE};
use url::Url;

use super::{Cookie, CookieJar};
use crate::request::{CookieState, StoredCookies};

/// `Cookie` header of a request to `next` after a response of `from` with these `Set-Cookie` lines.
fn sent(from: &str, lines: &[&str], next: &str) -> Option<String> {
    let mut jar = CookieJar::default();
    jar.store(&Url::parse(from).unwrap(), &headers(lines));
    jar.header(&Url::parse(next).unwrap()).map(|value| value.to_str().unwrap().to_owned())
}

fn headers(lines: &[&str]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(DATE, HeaderValue::from_static("Fri, 03 May 2024 10:00:00 GMT"));
    for line in lines {
        headers.append(SET_COOKIE, HeaderValue::from_str(line).unwrap());
    }
    headers
}

#[test]
fn cookie_is_sent_only_to_its_host() {
    let host = |next: &str| sent("https://a.example.org/x/y", &["id=1"], next);
    assert_eq!(host("https://a.example.org/x/z").as_deref(), Some("id=1"));
    assert_eq!(host("https://a.example.org/x").as_deref(), Some("id=1"));
    for other in [
        "https://a.example.org/", "https://a.example.org/xy", "https://b.example.org/x/z",
        "https://c.a.example.org/x/z", "https://example.org/x/z",
    ] {
        assert_eq!(host(other), None, "{other}");
    }
}

#[test]
fn domain_covers_subdomains_but_never_a_public_suffix() {
    let domain = |domain: &str, next: &str| {
        sent("https://www.example.co.uk/", &[&format!("id=1; Domain={domain}; Path=/")], next)
    };
    assert_eq!(domain(".example.co.uk", "https://shop.example.co.uk/").as_deref(), Some("id=1"));
    assert_eq!(domain("EXAMPLE.co.uk", "https://www.example.co.uk/").as_deref(), Some("id=1"));
    for refused in ["co.uk", "other.example", "shop.example.co.uk", "ample.co.uk"] {
        assert_eq!(domain(refused, "https://www.example.co.uk/"), None, "{refused}");
    }
    let address = ["id=1; Domain=127.0.0.1"];
    assert_eq!(sent("http://127.0.0.1/", &address, "http://127.0.0.1/").as_deref(), Some("id=1"));
}

#[test]
fn non_ascii_value_is_sent_with_the_other_cookies() {
    let url = Url::parse("https://a.example/").unwrap();
    let mut headers = headers(&["id=1"]);
    headers.append(SET_COOKIE, HeaderValue::from_bytes("city=Århus".as_bytes()).unwrap());
    let mut jar = CookieJar::default();
    jar.store(&url, &headers);
    assert_eq!(jar.header(&url).unwrap().as_bytes(), "id=1; city=Århus".as_bytes());
}

#[test]
fn secure_cookies_need_https() {
    let path = "Path=/";
    let secure =
        |from: &str, name: &str, next: &str| sent(from, &[&format!("{name}=1; Secure; {path}")], next);
    assert_eq!(secure("https://a.example/", "id", "https://a.example/").as_deref(), Some("id=1"));
    assert_eq!(secure("https://a.example/", "id", "http://a.example/"), None);
    assert_eq!(secure("http://a.example/", "id", "https://a.example/"), None);
    assert_eq!(
        secure("https://a.example/", "__Host-id", "https://a.example/").as_deref(),
        Some("__Host-id=1")
    );
    assert_eq!(sent("https://a.example/", &["__Secure-id=1; Path=/"], "https://a.example/"), None);
    assert_eq!(sent("https://a.example/x/", &["__Host-id=1; Secure"], "https://a.example/x/"), None);
}

#[test]
fn expired_cookie_is_deleted_and_longer_paths_are_sent_first() {
    let url = "https://a.example/x/";
    for gone in
        ["Max-Age=0", "Expires=Thu, 01 Jan 1970 00:00:00 GMT", "Expires=Fri, 03-May-2024 09:59:59 GMT"]
    {
        assert_eq!(sent(url, &["id=1", &format!("id=; {gone}")], url), None, "{gone}");
    }
    for current in
        ["Max-Age=60", "Expires=Fri, 03 May 2024 10:00:01 GMT", "Expires=never", "Max-Age=x; HttpOnly"]
    {
        assert_eq!(sent(url, &[&format!("id=1; {current}")], url).as_deref(), Some("id=1"), "{current}");
    }
    let paths = ["a=1; Path=/", "b=2; Path=/x", "c=3; Path=/", "b=4; Path=/x"];
    assert_eq!(sent(url, &paths, url).as_deref(), Some("b=4; a=1; c=3"));
}

#[test]
fn invalid_and_large_cookies_are_ignored() {
    let url = "https://a.example/";
    assert_eq!(sent(url, &["", "=", ";Path=/", &format!("id={}", "x".repeat(5000))], url), None);
    assert_eq!(sent(url, &["token"], url).as_deref(), Some("token"));
    let many: Vec<String> = (0..200).map(|number| format!("c{number}={}", "x".repeat(1000))).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert!(sent(url, &many, url).is_some_and(|header| header.len() <= 16 * 1024));
}

#[test]
fn restored_jar_keeps_all_but_expired_cookies() {
    let url = Url::parse("https://www.example.org/x/").unwrap();
    let mut jar = CookieJar::restored(&CookieState { stored: StoredCookies::default(), now: 1_000 });
    let lines =
        ["session=1; Secure", "day=2; Max-Age=60; Domain=example.org; Path=/", "odd=3; Path=/a\tb", "empty="];
    jar.store(&url, &headers(&lines));
    let stored = jar.stored();
    assert!(!format!("{stored:?}").contains("session"));
    let restored = |now| CookieJar::restored(&CookieState { stored: stored.clone(), now });
    let sent = |now, url: &str| {
        let value = restored(now).header(&Url::parse(url).unwrap());
        value.map(|value| value.to_str().unwrap().to_owned())
    };
    assert_eq!(sent(1_059, "https://www.example.org/x/").as_deref(), Some("session=1; empty=; day=2"));
    assert_eq!(sent(1_059, "https://b.example.org/").as_deref(), Some("day=2"));
    assert_eq!(sent(1_060, "https://www.example.org/x/").as_deref(), Some("session=1; empty="));
    assert_eq!(sent(1_059, "http://www.example.org/x/").as_deref(), Some("empty=; day=2"));
    assert_eq!(restored(1_059).stored(), stored, "a restored jar is stored as it was");
    let broken = CookieState { stored: StoredCookies("no cookie\n\ta\tb".into()), now: 0 };
    assert_eq!(CookieJar::restored(&broken).stored(), StoredCookies::default());
}

#[test]
fn cookies_of_a_browser_are_stored_like_those_of_a_fetch() {
    let url = Url::parse("https://www.example.org/").unwrap();
    let mut jar = CookieJar::default();
    jar.store(&url, &headers(&["session=1; Secure; HttpOnly", "day=2; Domain=example.org"]));
    let state = |stored: StoredCookies| CookieState { stored, now: 0 };
    let cookies = state(jar.stored()).cookies();
    let hidden: Vec<bool> = cookies.iter().map(|cookie| cookie.is_http_only).collect();
    assert_eq!((hidden, format!("{cookies:?}")), (vec![true, false], "[session, day]".to_owned()));
    assert_eq!(StoredCookies::of(cookies.clone()), jar.stored());
    let other = Url::parse("https://shop.example.org/").unwrap();
    let sent: Vec<bool> = cookies.iter().map(|cookie| cookie.is_for_host_of(&other)).collect();
    assert_eq!(sent, [false, true]);
    let long = Cookie { value: "x".repeat(5_000), ..cookies[0].clone() };
    let many = std::iter::once(long).chain(std::iter::repeat_n(cookies[1].clone(), 60));
    assert_eq!(state(StoredCookies::of(many)).cookies(), vec![cookies[1].clone(); 50]);
}
