//! Prefix form of a read: the rest of the raw request target is the URL.

use serde_json::Value;

use crate::support::{TestApp, on_each_world, run, wire};

const JSON: &str = "accept: application/json";

async fn read(app: &TestApp, target: &str) -> Value {
    let raw = wire::get(app, target, &[JSON]).await;
    assert_eq!(raw.status, 200, "{target}: {} {}", raw.head, raw.body);
    serde_json::from_str(&raw.body).unwrap()
}

#[test]
fn all_spellings_of_a_url_read_the_same_page() {
    on_each_world(async |app| {
        let url = app.site.article("/a/town?b=c&d=%20e");
        let rest = url.strip_prefix("http://").unwrap();
        let encoded: String = url::form_urlencoded::byte_serialize(url.as_bytes()).collect();
        for target in [
            format!("/{url}"),
            format!("/http:/{rest}"),
            format!("/http:///{rest}"),
            format!("/HTTP://{rest}"),
            format!("/{encoded}"),
            format!("/{}", encoded.to_lowercase()),
        ] {
            let body = read(&app, &target).await;
            assert_eq!(body["source_url"], url, "{target}");
            assert_eq!(body["reader_url"], format!("{}/{url}", app.origin));
        }
        assert_eq!(app.site.requests().len(), 1);
    });
}

#[test]
fn query_string_belongs_to_the_source() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town?format=html&lines=1&url=http://other.example/&query=x");
        let body = read(&app, &format!("/{url}")).await;
        assert_eq!(body["url"], url);
        assert_eq!(body["returned_blocks"], body["total_blocks"]);
        assert_eq!(
            app.site.requests()[0].path,
            "/town?format=html&lines=1&url=http://other.example/&query=x"
        );
    });
}

#[test]
fn path_is_not_normalised() {
    run(async {
        let app = TestApp::spawn().await;
        for path in ["/a//b", "/a/%2F/b", "/a/?", "/a;x=1/b", "/%E4%BD%A0", "/a+b", "/api/v1/read", "/docs"] {
            let url = app.site.article(path);
            assert_eq!(read(&app, &format!("/{url}")).await["url"], url);
            assert_eq!(app.site.hits(path), 1, "{path}");
        }
    });
}

#[test]
fn url_without_scheme_defaults_to_https() {
    run(async {
        let app = TestApp::spawn().await;
        let target = format!("/{}/town", app.site.address());
        let raw = wire::get(&app, &target, &[JSON]).await;
        assert_eq!(raw.status, 502, "{}", raw.body);
        let code = serde_json::from_str::<Value>(&raw.body).unwrap()["code"].clone();
        assert!(["source_tls_error", "source_unreachable"].contains(&code.as_str().unwrap()), "{code}");
        for target in
            ["/nothing", "/.env", "/wp-login.php", "/index.html?x=1", "/https:", "/https:example.com"]
        {
            assert_eq!(wire::get(&app, target, &[JSON]).await.status, 404, "{target}");
        }
        for target in ["/http://10.0.0.1/x", "/10.0.0.1/x", "/http://user@example.com/"] {
            assert_eq!(wire::get(&app, target, &[JSON]).await.status, 400, "{target}");
        }
    });
}

#[test]
fn prefix_form_takes_options_from_headers() {
    run(async {
        let app = TestApp::spawn().await;
        let target = format!("/{}", app.site.article("/town"));
        let with = async |line: &str| {
            let raw = wire::get(&app, &target, &[JSON, line]).await;
            serde_json::from_str::<Value>(&raw.body).unwrap()
        };
        assert_eq!(with("x-svc-lines: 2-4").await["returned_blocks"], 3);
        let ranked = with("X-Svc-Query: bread").await;
        assert_eq!(ranked["query"], "bread");
        assert_eq!(with("x-svc-lines: 0").await["code"], "invalid_parameter");
        let text = wire::get(&app, &target, &[]).await;
        assert!(text.body.starts_with("Title: A town by the sea"), "{}", text.body);
        let location = text.head.lines().find(|line| line.starts_with("content-location: ")).unwrap();
        assert!(location.contains("/api/v1/read?url="), "{location}");
    });
}

#[test]
fn fixed_route_takes_precedence_over_the_prefix_form() {
    run(async {
        let app = TestApp::spawn().await;
        for path in [
            "/", "/docs", "/about", "/problems", "/llms.txt", "/robots.txt", "/favicon.ico", "/openapi.json",
            "/healthz",
        ] {
            assert_eq!(wire::get(&app, path, &[]).await.status, 200, "{path}");
        }
    });
}
