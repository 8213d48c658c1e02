//! HTTP behaviour of the single read: validators, methods, CORS, and credentials.

use reqwest::Method;

use crate::support::app::read_path;
use crate::support::{TestApp, on_each_world, run};

#[test]
fn unchanged_read_returns_304() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let first = app.read(&url, &[]).await.expect(200);
        let etag = first.header("etag");
        for sent in [etag.to_owned(), format!("W/{etag}"), format!("\"x\", {etag}"), "*".to_owned()] {
            let headers = [("accept", "application/json"), ("if-none-match", sent.as_str())];
            let answer = app.get_with(&read_path(&url, &[]), &headers).await.expect(304);
            assert!(answer.body.is_empty());
            assert_eq!(answer.header("etag"), etag);
            assert_eq!(answer.header("content-type"), "");
            assert_eq!(answer.header("vary"), "Accept, X-Svc-Query, X-Svc-Lines, X-Svc-Passages");
        }
        let headers = [("accept", "application/json"), ("if-none-match", "\"x\"")];
        app.get_with(&read_path(&url, &[]), &headers).await.expect(200);
    });
}

#[test]
fn etag_depends_on_text_selection_and_format() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        let etag = async |parameters: &[(&str, &str)]| {
            app.read(&url, parameters).await.expect(200).header("etag").to_owned()
        };
        let mut tags = vec![
            etag(&[]).await,
            etag(&[("format", "text")]).await,
            etag(&[("format", "markdown")]).await,
            etag(&[("format", "html")]).await,
            etag(&[("lines", "1-3")]).await,
            etag(&[("query", "bread")]).await,
            etag(&[("limit", "5")]).await,
        ];
        assert_eq!(tags[0], etag(&[]).await);
        app.site.put(
            "/town",
            crate::support::Reply::html("<h1>New</h1><p>Another text stands here from now on.</p>"),
        );
        tags.push(etag(&[("max_age", "0")]).await);
        let count = tags.len();
        tags.sort();
        tags.dedup();
        assert_eq!(tags.len(), count);
    });
}

#[test]
fn head_equals_get_without_a_body() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let path = read_path(&url, &[("format", "json")]);
        let get = app.get(&path).await.expect(200);
        let head = app.send(Method::HEAD, &path, &[], None).await.expect(200);
        assert!(head.body.is_empty());
        for name in ["etag", "content-type", "link", "content-location", "x-svc-total-tokens", "vary"] {
            assert_eq!(head.header(name), get.header(name), "{name}");
        }
        app.send(Method::HEAD, "/api/v1/read", &[], None).await.expect(400);
    });
}

#[test]
fn options_lists_methods_and_allows_all_origins() {
    run(async {
        let app = TestApp::spawn().await;
        for (path, allow) in [
            ("/api/v1/read", "GET, HEAD, POST, OPTIONS"),
            ("/api/v1/read/batch", "POST, OPTIONS"),
            ("/api/v1/read/jobs", "POST, OPTIONS"),
            ("/api/v1/read/verify", "POST, OPTIONS"),
            ("/api/v1/read/jobs/0190", "GET, HEAD, OPTIONS"),
            ("/api/v1/sandbox/read", "GET, HEAD, OPTIONS"),
            ("/https://example.com/", "GET, HEAD, OPTIONS"),
        ] {
            let headers = [("origin", "https://app.example"), ("access-control-request-method", "POST")];
            let answer = app.send(Method::OPTIONS, path, &headers, None).await.expect(204);
            assert_eq!(answer.header("allow"), allow, "{path}");
            assert_eq!(answer.header("access-control-allow-methods"), allow);
            assert_eq!(answer.header("access-control-allow-origin"), "*");
            for name in ["Idempotency-Key", "Content-Type", "X-Svc-Query", "X-Svc-Lines", "X-Svc-Passages"] {
                assert!(answer.header("access-control-allow-headers").contains(name), "{name}");
            }
        }
    });
}

#[test]
fn unsupported_method_lists_the_allowed_methods() {
    run(async {
        let app = TestApp::spawn().await;
        for (method, path, allow) in [
            (Method::PUT, "/api/v1/read", "GET, HEAD, POST, OPTIONS"),
            (Method::GET, "/api/v1/read/batch", "POST, OPTIONS"),
            (Method::GET, "/api/v1/read/jobs", "POST, OPTIONS"),
            (Method::GET, "/api/v1/read/verify", "POST, OPTIONS"),
            (Method::DELETE, "/api/v1/read/jobs/x", "GET, HEAD, OPTIONS"),
            (Method::POST, "/api/v1/sandbox/read", "GET, HEAD, OPTIONS"),
            (Method::POST, "/https://example.com/", "GET, HEAD, OPTIONS"),
        ] {
            let answer = app.send(method.clone(), path, &[], None).await;
            answer.problem(405, "method_not_allowed");
            assert_eq!(answer.header("allow"), allow, "{method} {path}");
        }
        app.get("/api/v1/nothing").await.problem(404, "not_found");
        app.get("/nothing").await.problem(404, "not_found");
    });
}

#[test]
fn credentials_are_ignored_and_not_forwarded() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let secrets = [
            ("authorization", "Bearer secret-1"),
            ("cookie", "session=secret-2"),
            ("x-api-key", "secret-3"),
            ("referer", "https://secret-4.example/"),
            ("x-forwarded-for", "198.51.100.4"),
        ];
        app.get_with(&read_path(&url, &[]), &secrets).await.expect(200);
        app.get_with(&format!("/{url}"), &secrets).await.expect(200);
        let seen = app.site.requests();
        assert_eq!(seen.len(), 1);
        for (name, value) in &seen[0].headers {
            assert!(!value.to_str().unwrap().contains("secret"), "{name}");
        }
        for name in ["authorization", "cookie", "x-api-key", "referer", "x-forwarded-for", "forwarded", "via"]
        {
            assert!(!seen[0].headers.contains_key(name), "{name} was forwarded");
        }
        let agent = seen[0].headers["user-agent"].to_str().unwrap();
        let expected = format!("CarrelBot/{} (+{}/about)", env!("CARGO_PKG_VERSION"), app.origin);
        assert_eq!(agent, expected);
        assert!(seen[0].headers["accept"].to_str().unwrap().contains("text/markdown"));
    });
}

#[test]
fn url_with_an_api_key_is_refused_before_the_fetch() {
    run(async {
        let app = TestApp::spawn().await;
        let key = format!("svc_{}", "a1".repeat(20));
        for path in [format!("/page?key={key}"), format!("/{key}/page"), format!("/page#{key}")] {
            let url = app.site.article(&path);
            let body = app.read(&url, &[]).await.problem(400, "credential_in_url");
            assert!(!body.to_string().contains(&key), "the key is not repeated in the response");
        }
        let url = app.site.article(&format!("/page?key={key}"));
        for path in ["/api/v1/read", "/api/v1/read/jobs"] {
            app.post(path, &serde_json::json!({"url": url})).await.problem(400, "credential_in_url");
        }
        let requests = serde_json::json!({"requests": [{"url": url}]});
        let batch = app.post("/api/v1/read/batch", &requests).await.expect(200).json();
        assert_eq!(batch["results"][0]["output"]["code"], "credential_in_url");
        app.get(&format!("/{}", app.site.url(&format!("/x?k={key}"))))
            .await
            .problem(400, "credential_in_url");
        assert_eq!(app.site.requests().len(), 0);
    });
}

#[test]
fn problem_has_the_headers_of_every_response() {
    run(async {
        let app = TestApp::spawn().await;
        for path in ["/api/v1/read", "/api/v1/nothing", "/api/v1/sandbox/read?scenario=read_timeout"] {
            let answer = app.get(path).await;
            for (name, value) in [
                ("access-control-allow-origin", "*"),
                ("x-robots-tag", "noindex"),
                ("x-content-type-options", "nosniff"),
                ("content-security-policy", "default-src 'none'; sandbox"),
                ("vary", "Accept, X-Svc-Query, X-Svc-Lines, X-Svc-Passages"),
            ] {
                assert_eq!(answer.header(name), value, "header {name} of {path}");
            }
        }
    });
}
