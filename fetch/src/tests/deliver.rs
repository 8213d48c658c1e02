//! Message deliveries: allowed destinations, and use of the response.

use std::time::Duration;

use super::site::{ResponseStep, Site, redirect_to, reply, skip_wait};
use crate::{Delivery, DeliveryMethod, DeliveryResponse, Error, FetcherSettings, check_delivery_url};

async fn deliver(site: &Site, path: &str) -> Result<DeliveryResponse, Error> {
    let headers = vec![("webhook-id", "msg_1".to_owned())];
    let delivery =
        Delivery { method: DeliveryMethod::Post, url: site.url(path), headers, body: b"{\"a\":1}".to_vec() };
    site.fetcher().deliver(delivery).await
}

#[tokio::test]
async fn message_is_posted_without_redirects_and_status_is_returned() {
    let site = Site::start(|seen| match seen.path.as_str() {
        "/redirect" => redirect_to("/elsewhere"),
        "/later" => reply("429 Slow", &["Retry-After: 120"], b"later"),
        _ => reply("200 OK", &[], "é".repeat(10_000).as_bytes()),
    })
    .await;
    let good = deliver(&site, "/").await.unwrap();
    assert_eq!((good.status, good.text.len() <= 8 * 1024 + 2), (200, true), "{}", good.text.len());
    let throttled = deliver(&site, "/later").await.unwrap();
    let expected =
        DeliveryResponse { status: 429, text: "later".into(), retry_after: Some(Duration::from_mins(2)) };
    assert_eq!(throttled, expected);
    assert_eq!(deliver(&site, "/redirect").await.unwrap().status, 302);
    let heads = site.heads();
    assert_eq!(heads.len(), 3, "no redirect is followed: {heads:?}");
    assert!(heads[0].starts_with("POST / HTTP/1.1"), "{}", heads[0]);
    let head = heads[0].to_ascii_lowercase();
    for line in ["content-type: application/json", "webhook-id: msg_1", "content-length: 7"] {
        assert!(head.contains(line), "{line} in {head}");
    }
}

#[tokio::test]
async fn status_is_returned_despite_a_hanging_body_and_a_hanging_server_times_out() {
    let site = Site::start(|seen| match seen.path.as_str() {
        "/body" => vec![
            ResponseStep::Send(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n".to_vec()),
            ResponseStep::Stall,
        ],
        _ => vec![ResponseStep::Stall],
    })
    .await;
    let body = skip_wait(|| site.heads().len() == 1, deliver(&site, "/body")).await;
    assert_eq!(body.unwrap().status, 200);
    let nothing = skip_wait(|| site.heads().len() == 2, deliver(&site, "/")).await;
    assert!(matches!(nothing, Err(Error::Timeout { .. })), "{nothing:?}");
}

#[test]
fn delivery_url_requires_https_and_an_allowed_port() {
    let open = FetcherSettings { allow: vec!["127.0.0.1/32".parse().unwrap()], ..FetcherSettings::default() };
    for good in ["https://example.com/hook", "https://example.com:8443/hook", "http://127.0.0.1:8080/hook"] {
        assert!(check_delivery_url(good, &open).is_ok(), "{good}");
    }
    for bad in [
        "http://example.com/hook",
        "https://example.com:25/hook",
        "https://example.com:80/hook",
        "https://example.com:6379/hook",
        "https://10.0.0.1/hook",
        "ftp://example.com/",
    ] {
        assert!(check_delivery_url(bad, &open).is_err(), "{bad}");
    }
    assert!(check_delivery_url("http://127.0.0.1:8080/hook", &FetcherSettings::default()).is_err());
}
