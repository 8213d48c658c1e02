//! Problems of the reader: each code occurs in practice and has a documentation page.

use http_kit::problem::ErrorGroup;
use serde_json::json;

use crate::support::{Reply, Setup, Site, TestApp, World, eventually, on_each_world, run};

#[test]
fn source_failures_map_to_problem_codes() {
    on_each_world(async |app| {
        let site = &app.site;
        for (path, reply, status, code) in [
            ("/404", Reply::status(404), 422, "source_not_found"),
            ("/410", Reply::status(410), 422, "source_not_found"),
            ("/403", Reply::status(403), 422, "source_forbidden"),
            ("/451", Reply::status(451), 422, "source_forbidden"),
            ("/401", Reply::status(401), 422, "login_required"),
            ("/402", Reply::status(402), 422, "paywalled"),
            ("/500", Reply::status(500), 502, "source_error"),
            ("/418", Reply::status(418), 502, "source_error"),
            ("/png", Reply::bytes("image/png", vec![0x89, b'P', b'N', b'G']), 422, "unsupported_content"),
            (
                "/zip",
                Reply::bytes("application/zip", b"PK\x03\x04 and so on".to_vec()),
                422,
                "unsupported_content",
            ),
            ("/big", Reply::html("x".repeat(11 << 20)), 422, "content_too_large"),
            ("/empty", Reply::html("<html><body></body></html>"), 422, "no_readable_text"),
            ("/circle", Reply::redirect("/circle"), 422, "too_many_redirects"),
            ("/inside", Reply::redirect("http://10.0.0.1/"), 400, "url_not_allowed"),
            ("/elsewhere", Reply::redirect("file:///etc/passwd"), 400, "url_not_allowed"),
            (
                "/gzip",
                Reply::html("this is no gzip").with("content-encoding", "gzip"),
                502,
                "source_invalid_response",
            ),
        ] {
            let url = site.put(path, reply);
            app.read(&url, &[]).await.problem(status, code);
        }
        for number in 0..12 {
            site.put(&format!("/r{number}"), Reply::redirect(&format!("/r{}", number + 1)));
        }
        app.read(&site.url("/r0"), &[]).await.problem(422, "too_many_redirects");
    });
}

#[test]
fn source_with_retry_after_is_not_requested_again() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.put("/429", Reply::status(429).with("retry-after", "7"));
        let answer = app.read(&url, &[]).await;
        assert_eq!(answer.problem(502, "source_rate_limited")["retry_after"], 7);
        let other = app.site.article("/other");
        app.read(&other, &[]).await.problem(502, "source_rate_limited");
        assert_eq!(app.site.hits("/other"), 0);
    });
}

#[test]
fn unreachable_or_invalid_source_returns_502() {
    run(async {
        let app = TestApp::spawn().await;
        let (broken, _server) = Site::start_raw(b"this is no HTTP\r\n\r\n").await;
        let code = app.read(&format!("http://{broken}/"), &[]).await.problem(502, "source_invalid_response");
        assert!(code["detail"].as_str().unwrap().len() > 20);
        let (short, _server) =
            Site::start_raw(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 99\r\n\r\n<p>")
                .await;
        app.read(&format!("http://{short}/"), &[]).await.problem(502, "source_invalid_response");
        let closed = crate::support::servers::free_port();
        app.read(&format!("http://127.0.0.1:{closed}/"), &[]).await.problem(502, "source_unreachable");
        app.read("http://nothing.invalid/", &[]).await.problem(502, "source_unreachable");
        let plain = app.site.address();
        app.read(&format!("https://{plain}/"), &[]).await.problem(502, "source_tls_error");
    });
}

#[test]
fn slow_source_returns_502_and_slow_read_returns_504() {
    run(async {
        let setup = Setup::on(World::Small).set("CARREL_READER_LIMITS", "off");
        let app = setup.clone().set("CARREL_FETCH_SECONDS", "1").spawn().await;
        let url = app.site.article("/slow");
        let _gate = app.site.hold("/slow");
        app.read(&url, &[]).await.problem(502, "source_timeout");
        let app = setup.set("CARREL_READ_SECONDS", "1").spawn().await;
        let url = app.site.article("/slow");
        let gate = app.site.hold("/slow");
        app.read(&url, &[]).await.problem(504, "read_timeout");
        gate.open();
        app.run_jobs().await;
        // A busy machine may not return the stored text within a second.
        let read = async || app.read(&url, &[]).await;
        let stored = eventually("the stored text is returned", read, |answer| answer.status == 200).await;
        assert_eq!(stored.json()["cache_hit"], true);
    });
}

#[test]
fn robots_txt_is_obeyed() {
    run(async {
        let app = TestApp::spawn().await;
        let rules = "User-agent: CarrelBot\nDisallow: /private\n";
        app.site.put("/robots.txt", Reply::bytes("text/plain", rules.into()));
        let (open, closed) = (app.site.article("/open"), app.site.article("/private/town"));
        app.read(&open, &[]).await.expect(200);
        app.read(&closed, &[]).await.problem(422, "robots_disallowed");
        assert_eq!(app.site.hits("/private/town"), 0);
    });
}

#[test]
fn source_failure_is_cached_for_a_minute() {
    on_each_world(async |app| {
        let url = app.site.put("/ill", Reply::status(500));
        app.read(&url, &[]).await.problem(502, "source_error");
        app.site.article("/ill");
        app.clock.advance(59_000);
        app.read(&url, &[]).await.problem(502, "source_error");
        assert_eq!(app.site.hits("/ill"), 1);
        app.clock.advance(1_001);
        app.read(&url, &[]).await.expect(200);
    });
}

#[test]
fn every_problem_is_documented_at_its_type_url() {
    run(async {
        let app = TestApp::spawn().await;
        let list = app.get("/problems").await.expect(200).text();
        for (entry, status) in ErrorGroup::Reader.codes() {
            let path = format!("/problems/{}", entry.code);
            assert!(list.contains(&path), "{path} is missing in the list");
            let page = app.get(&path).await.expect(200).text();
            assert!(page.contains(entry.code.as_str()) && page.contains(&status.to_string()), "{page}");
            let answer = app.get(&format!("/api/v1/sandbox/read?scenario={}", entry.code)).await.json();
            let expected = match status {
                429 => "https://iana.org/assignments/http-problem-types#quota-exceeded".to_owned(),
                _ => format!("{}{path}", app.origin),
            };
            assert_eq!(answer["type"], expected);
        }
        app.get("/problems/nothing").await.expect(404);
    });
}

#[test]
fn problem_table_matches_the_contract() {
    let mut table: Vec<(u16, &str)> =
        ErrorGroup::Reader.codes().iter().map(|(entry, status)| (*status, entry.code.as_str())).collect();
    table.sort_unstable();
    let words = |status: u16, codes: &'static str| codes.split(' ').map(move |code| (status, code));
    let mut contract: Vec<(u16, &str)> = words(400, "missing_url invalid_url url_not_allowed credential_in_url invalid_parameter conflicting_parameters lines_out_of_range invalid_cursor invalid_json batch_size invalid_idempotency_key")
        .chain(words(404, "not_found job_not_found"))
        .chain(words(405, "method_not_allowed"))
        .chain(words(409, "idempotency_key_reused idempotency_key_in_progress content_changed"))
        .chain(words(413, "payload_too_large"))
        .chain(words(415, "unsupported_media_type"))
        .chain(words(422, "source_not_found source_forbidden login_required paywalled robots_disallowed unsupported_content content_too_large no_readable_text too_many_redirects"))
        .chain(words(429, "rate_limited"))
        .chain(words(502, "source_unreachable source_timeout source_tls_error source_error source_rate_limited source_invalid_response"))
        .chain(words(503, "capacity_exhausted service_unavailable"))
        .chain(words(504, "read_timeout"))
        .collect();
    contract.sort_unstable();
    assert_eq!(table, contract);
}

#[test]
fn browser_gets_a_page_for_a_problem() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.url("/<b>gone");
        let answer = app.get_with(&format!("/{url}"), &[("accept", "text/html")]).await.expect(422);
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        assert!(answer.header("content-security-policy").starts_with("default-src 'none'; style-src 'self'"));
        let page = answer.text();
        assert!(page.contains("The site has no such page") && page.contains("source_not_found"));
        assert!(page.contains(answer.header("x-request-id")));
        let answer = app.get_with("/nothing", &[("accept", "text/html")]).await.expect(404);
        assert!(answer.text().contains("<title>"));
        let answer = app.read(&url, &[("format", "html")]).await.expect(422);
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        let request = json!({"url": url, "format": "html"});
        app.post("/api/v1/read", &request).await.problem(422, "source_not_found");
    });
}

#[test]
fn error_page_retains_the_url_and_offers_actions() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.url("/gone");
        let page = app.get_with(&format!("/{url}"), &[("accept", "text/html")]).await.text();
        assert!(page.contains(&format!("value=\"{url}\"")), "{page}");
        assert!(page.contains("Open the original") && page.contains("Try again"), "{page}");
    });
}

#[test]
fn rate_limit_page_displays_the_waiting_time() {
    run(async {
        let app = Setup::on(World::Small).set("CARREL_READER_LIMITS", "1/10,60/60").spawn().await;
        let url = app.site.article("/town");
        let browser = [("accept", "text/html")];
        app.get_with(&format!("/{url}"), &browser).await.expect(200);
        let page = app.get_with(&format!("/{url}"), &browser).await.expect(429).text();
        assert!(page.contains("You have opened too many pages in a short time."), "{page}");
        assert!(page.contains("Wait 10 seconds, then try again."), "{page}");
    });
}

#[test]
fn error_page_offers_http_if_the_source_has_no_tls() {
    run(async {
        let app = TestApp::spawn().await;
        let plain = app.site.article("/town");
        let url = plain.replace("http://", "https://");
        let page = app.get_with(&format!("/{url}"), &[("accept", "text/html")]).await.text();
        assert!(page.contains("Try http://") && page.contains(&format!("/{plain}\"")), "{page}");
    });
}
