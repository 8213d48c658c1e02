//! Private addresses that a page tries to reach in every way that browsers know. None may be hit.

use super::site::Site;
use super::{renderer, request};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn page_reaches_no_private_address() {
    let canary = Site::start("127.0.0.1:0", |_| Some("the secret".to_owned())).await;
    let target = format!("127.0.0.1:{}", canary.port);
    let udp = tokio::net::UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let stun = udp.local_addr().unwrap();
    let site = Site::start("127.0.0.1:0", move |path| match path {
        "/page" => Some(attempts(&target, &stun.to_string())),
        "/moved" => Some(format!("http://{target}/")),
        _ => None,
    })
    .await;
    let Some(renderer) = renderer(&[site.port]).await else { return };
    assert!(renderer.render(&request(site.url("/moved"))).await.is_err(), "the document is redirected");
    let page = renderer.render(&request(site.url("/page"))).await.unwrap();
    assert!(page.html.contains("Carrel fixture done"), "{}", page.html);
    assert!(!page.html.contains("the secret"), "{}", page.html);
    let redirects = site.heads().iter().filter(|head| head.starts_with("GET /moved")).count();
    assert_eq!(redirects, 2, "the document and the request of the page were redirected");
    assert_eq!(canary.hits(), 0);
    assert!(udp.try_recv(&mut [0; 64]).is_err(), "WebRTC sent a datagram");
    renderer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn private_document_and_other_schemes_are_refused() {
    let canary = Site::start("127.0.0.1:0", |_| Some("the secret".to_owned())).await;
    let target = canary.url("/");
    let site = Site::start("127.0.0.1:0", move |path| {
        let to = match path {
            "/canary" => target.clone(),
            "/metadata" => "http://169.254.169.254/latest/".to_owned(),
            "/file" => "file:///etc/passwd".to_owned(),
            "/source" => "view-source:file:///etc/passwd".to_owned(),
            "/chrome" => "chrome://version/".to_owned(),
            "/data" => "data:text/html,replaced".to_owned(),
            _ => return None,
        };
        Some(format!("<p>first document</p><script>location.href={to:?}</script>"))
    })
    .await;
    let Some(renderer) = renderer(&[site.port]).await else { return };
    for url in [
        canary.url("/"),
        "http://169.254.169.254/".to_owned(),
        "file:///etc/passwd".to_owned(),
        "chrome://version/".to_owned(),
    ] {
        assert!(renderer.render(&request(url.clone())).await.is_err(), "{url}");
    }
    for path in ["/canary", "/metadata", "/file", "/source", "/chrome", "/data"] {
        let outcome = renderer.render(&request(site.url(path))).await;
        let html = outcome.map(|page| page.html).unwrap_or_default();
        assert!(
            !html.contains("root:") && !html.contains("secret") && !html.contains("Command Line"),
            "{path}: {html}"
        );
    }
    assert_eq!(canary.hits(), 0);
    renderer.shutdown().await;
}

/// Page that tries to reach `canary` over TCP and `stun` over UDP.
fn attempts(canary: &str, stun: &str) -> String {
    include_str!("../../../../bench/renderer/canaries.html").replace("CANARY", canary).replace("STUN", stun)
}
